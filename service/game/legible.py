"""The characters that a name may contain: legible ones, by category and script.

Categories are those of Python's Unicode data. Scripts are those recommended or of limited use by Unicode Standard Annex
31, Tables 5 and 7: the name of a character begins with its script.
"""

import re
import unicodedata
from typing import Final

_SCRIPTS: Final = re.compile(
    "LATIN|GREEK|CYRILLIC|ARMENIAN|GEORGIAN|HEBREW|ARABIC|ARABIC-INDIC|EXTENDED|THAANA|ETHIOPIC|CJK|KANGXI|"
    "HIRAGANA|KATAKANA|KATAKANA-HIRAGANA|IDEOGRAPHIC|BOPOMOFO|HANGUL|YI|LISU|MIAO|TAI|NEW|TIFINAGH|DEVANAGARI|"
    "BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA|MALAYALAM|SINHALA|THAI|LAO|TIBETAN|MYANMAR|KHMER|"
    "CANADIAN|CHEROKEE|MONGOLIAN|SYRIAC|NKO|ADLAM|VAI|BAMUM|OSAGE|HANIFI|NYIAKENG|WANCHO|CHAKMA|NEWA|MEETEI|"
    "OL|LIMBU|LEPCHA|CHAM|KAYAH|JAVANESE|BALINESE|SUNDANESE|BATAK|SAURASHTRA|SYLOTI|MODIFIER|MATHEMATICAL"
)
#: Punctuation, signs and symbols common to all scripts, block by block.
_SHARED: Final = re.compile(
    r"[\x21-\x7e\xa1-\xbf\xd7\xf7\u02b0-\u02ff\u2010-\u2027\u2030-\u205e\u2070-\u209c\u20a0-\u20c1\u2100-\u27ff"
    r"\u2900-\u2bff\u2e00-\u2e5d\u3001-\u3029\u3030-\u303d\u30fb\u3200-\u33ff\ua700-\ua721\ufe30-\ufe6b\uff01-\uffee"
    r"\U0001f000-\U0001faff]"
)
#: Han and emoji that were added after Unicode 14, the data of Python 3.11.
_ADDED: Final = re.compile(
    r"[\U0002b739-\U0002b73f\U0002b81e\U0002cea2-\U0002ceaD\U0002ebf0-\U0002ee5d\U00031350-\U000323af"
    r"\U000323b0-\U00033479\U0001f6d8\U0001f6dc\U0001fa75-\U0001fa77\U0001fa87-\U0001fa8a\U0001fa8e\U0001fa8f"
    r"\U0001faad-\U0001faaf\U0001fabb-\U0001fabf\U0001fac6\U0001fac8\U0001facd-\U0001facf\U0001fada-\U0001fadc"
    r"\U0001fadf\U0001fae8-\U0001faea\U0001faef\U0001faf7\U0001faf8]"
)
#: Letters and marks without a visible glyph.
_EMPTY: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SPACES: Final = frozenset(" \xa0\u3000")
#: Most combining marks in a row; no script puts more on a letter.
_MOST_MARKS: Final = 5

#: Symbols of which emoji consist. U+FE0F selects the coloured form, U+200D joins two into one picture.
_SYMBOL: Final = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    r"\U0001f000-\U0001faff"
)
_EMOJI: Final = re.compile(
    # The flags of England, Scotland and Wales; keycaps; coloured symbols; joined symbols.
    "(\U0001f3f4)(?:\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|"
    "\U000e0077\U000e006c\U000e0073)\U000e007f)"
    rf"|([0-9#*])\ufe0f?\u20e3|([{_SYMBOL}])(?:\ufe0f\u200d(?=[{_SYMBOL}])|\ufe0f|\u200d(?=[{_SYMBOL}]))"
)


def _plain(text: str) -> str:
    """Reduce each emoji to its symbols, without the characters that join and colour them."""
    return _EMOJI.sub(lambda match: match[match.lastindex or 0], text)


def readable(name: str) -> str:
    """Return the visible part of a name, with emoji reduced to their symbols, and without forbidden characters."""
    characters, script, marks = [], "", 0
    for char in _plain(name):
        if unicodedata.category(char)[0] == "M":
            marks += 1
            if marks > _MOST_MARKS or not _may_mark(char, script):
                continue
        elif shows(char):
            script, marks = _script(char) if char.isalpha() else "", 0
        elif char in _SPACES:
            script = ""
        else:
            continue
        characters.append(char)
    return "".join(characters)


def is_legible(name: str) -> bool:
    """Return whether all characters of a name are visible; joiners and variation selectors are allowed within emoji."""
    return readable(name) == _plain(name)


def shows(char: str) -> bool:
    """Return whether a character is visible by itself: no mark, no space, of a script in use."""
    category = unicodedata.category(char)
    if category == "Cn":
        return _ADDED.match(char) is not None
    if category[0] not in "LNPS" or char in _EMPTY:
        return False
    return _SHARED.match(char) is not None or _SCRIPTS.fullmatch(_script(char)) is not None


def _script(char: str) -> str:
    name = unicodedata.name(char, "").removeprefix("HALFWIDTH ").removeprefix("FULLWIDTH ")
    return name.partition(" ")[0]


def _may_mark(mark: str, script: str) -> bool:
    """Return whether a mark can combine with a letter of a script (empty: no letter)."""
    if not script or mark in _EMPTY:
        return False
    if "\u0300" <= mark <= "\u036f":
        return True
    word = unicodedata.name(mark, "").removeprefix("COMBINING ").partition(" ")[0]
    return word == script or (word == "KATAKANA-HIRAGANA" and script in ("HIRAGANA", "KATAKANA"))
