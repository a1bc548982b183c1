"""Names that look alike: what people take for one name, and characters in them that show nothing."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final

#: How the AI players of a table are called.
AI_NAME: Final = "AI {}"
#: More than any table seats.
_MOST_AI: Final = 99
#: Letters and digits, each followed by single characters of other scripts that look like it, as far as NFKD leaves them
#: as they are. From confusables.txt of Unicode 15.1 (Technical Standard 39; © Unicode, Inc., Unicode License V3).
_ALIKE: Final = (
    "2ƧϨᒿꙄꛯꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ৪੪ଃ 9৭੧୨൭ⳊꝮ AΑАᎪᗅꓮ BΒВᏴᗷꓐꞴ CСᏟⲤꓚ DᎠᗞᗪꓓ EΕЕᎬ⋿ⴹꓰ FϜᖴꓝꞘ GԌᏀᏳꓖ HΗНᎻᕼⲎꓧ "
    "JͿЈᎫᒍꓙꞲ KΚКᏦᛕⲔꓗ LᏞᒪⳐꓡ MΜϺМᎷᗰᛖⲘꓟ NΝⲚꓠ OΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ PΡРᏢᑭⲢꓑ Qⵕ RƦᎡᏒᖇꓣ SЅՏᏕᏚꓢ TΤТᎢ⊤⟙Ⲧꓔ UՍሀᑌ∪⋃ꓴ VѴ۷Ꮩᐯⴸꓦꛟ "
    "WԜᎳᏔꓪ XΧХ᙭ᚷ╳ⲬⵝꓫꞳ YΥУҮᎩᎽⲨꓬ ZΖᏃꓜ aɑαа⍺ bƄЬᏏᑲᖯ cсᴄⲥꮯ dԁᏧᑯꓒ eеҽ℮ꬲ fքẝꞙꬵ gƍɡցᶃ hһհᏂ iıɩɪιіӏᎥ⍳ꙇꭵ jϳј "
    "lƖǀΙІӀ۱ᛁ∣⏽Ⲓⵏꓲ nոռ oοσоօ۵०੦૦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿᴏᴑⲟꬽ pρр⍴ⲣ qԛգզ rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ uʋυսᴜꞟꭎꭒ vνѵᴠ∨⋁ꮩ wɯѡԝաᴡꮃ "
    "x×хᕁᕽ᙮⤫⤬⨯ yɣʏγуүყᶌỿꭚ zᴢꮓ "
)
_OTHERS: Final = str.maketrans({other: group[0] for group in _ALIKE.split() for other in group[1:]})
_AMONG_ASCII: Final = str.maketrans("I1|0", "lllO")

#: Symbols that emoji are made of. U+FE0F after one asks for its coloured form, U+200D joins two to one picture.
_SYMBOL: Final = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299"
    r"\U0001f000-\U0001faff"
)
#: The flags of England, Scotland and Wales are spelt with characters that show nothing by themselves.
_FLAGS: Final = [
    "".join(["\U0001f3f4", *(chr(0xE0000 + ord(letter)) for letter in code), "\U000e007f"])
    for code in ("gbeng", "gbsct", "gbwls")
]
#: Characters above U+FFFF that show nothing, or something else in every font.
_HIDDEN: Final = r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff"
_STRAY: Final = re.compile(
    rf"(?<![{_SYMBOL}0-9#*])\ufe0f|(?<=[0-9#*])\ufe0f(?!\u20e3)|(?<![{_SYMBOL}\ufe0f])\u200d|\u200d(?![{_SYMBOL}])|[{_HIDDEN}]"
)
_UNSEEN: Final = re.compile(rf"[\ufe0f\u200d{_HIDDEN}]")


def has_stray(name: str) -> bool:
    """Tell whether a name has U+FE0F, U+200D, or what shows nothing above U+FFFF, other than within an emoji."""
    for flag in _FLAGS:
        name = name.replace(flag, flag[0])
    return _STRAY.search(name) is not None


def _skeletons(name: str) -> set[str]:
    """Return what a name looks like, as written, in lower and in upper case: names that share one look alike."""
    bare = "".join(
        each for each in unicodedata.normalize("NFKD", _UNSEEN.sub("", name)) if not unicodedata.combining(each)
    )
    latin = " ".join(bare.split()).translate(_OTHERS)
    return {case.translate(_AMONG_ASCII) for case in (latin, latin.casefold(), latin.upper())}


def look_alike(one: str, other: str) -> bool:
    """Tell whether people would take one name for the other."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


@cache
def _of_ai() -> frozenset[str]:
    return frozenset().union(*(_skeletons(AI_NAME.format(number)) for number in range(_MOST_AI + 1)))


def is_like_ai(name: str) -> bool:
    """Tell whether a name could be that of an AI player."""
    return name.casefold() == "ai" or not _skeletons(name).isdisjoint(_of_ai())


def distinct(name: str, others: Iterable[str]) -> str:
    """Return a name, with a number if it looks like that of somebody else."""
    taken = list(others)
    number, shown = 1, name
    while any(look_alike(shown, other) for other in taken):
        number += 1
        shown = f"{name} ({number})"
    return shown
