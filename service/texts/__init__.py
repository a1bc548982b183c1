"""Texts for people, in English and Chinese.

A text is a dict from language to a sentence with `{placeholders}`. Only this module decides which language a reader
gets.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

#: The languages of every text; the first is the default.
LANGUAGES: Final = ("en", "zh-Hans")

Text = Mapping[str, str]


class OptionText(NamedTuple):
    """What people read of an option. `values`: value -> its effect; true, false and numbers are not listed."""

    title: Text
    meaning: Text
    values: Mapping[str, Text] = MappingProxyType({})


_LONGEST_HEADER: Final = 1000


def text(en: str, zh: str) -> Text:
    """Return a text from its English and its Chinese."""
    return {"en": en, "zh-Hans": zh}


def language_of(accept_language: str | None, fallback: str | None = None) -> str:
    """Return the language to answer in.

    Args:
        accept_language: the value of an `Accept-Language` header (RFC 9110 §12.5.4); malformed parts are ignored.
        fallback: a language tag to use if the header names none of `LANGUAGES`, e.g. the player's locale.
    """
    best, weight = None, 0.0
    for part in (accept_language or "")[:_LONGEST_HEADER].split(","):
        tag, _, parameter = part.partition(";")
        language = _language_for(tag)
        quality = _quality(parameter)
        if language and quality > weight:
            best, weight = language, quality
    return best or _language_for(fallback or "") or LANGUAGES[0]


def _language_for(tag: str) -> str | None:
    """Return the language of `LANGUAGES` for a language tag, or None. Any Chinese maps to simplified Chinese."""
    primary = tag.strip().lower().partition("-")[0]
    return {"zh": "zh-Hans", "en": "en", "*": LANGUAGES[0]}.get(primary)


def _quality(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return min(float(value), 1.0)
    except ValueError:
        return 0.0


def sentence(text: Text, language: str, params: Mapping[str, object]) -> str:
    """Return `text` in `language` with its placeholders filled in; an ellipsis stands for a missing value."""
    return text.get(language, text[LANGUAGES[0]]).format_map(_Worded(params, _COMMAS.get(language, ", ")))


#: Separator of list entries, if it is not a comma.
_COMMAS: Final = {"zh-Hans": "、"}


def enumerated(words: Sequence[str], language: str) -> str:
    """Enumerate words, such as `clubs, spades and trumps`."""
    *first, last = words
    comma = _COMMAS.get(language)
    return comma.join(words) if comma else " and ".join([*filter(None, [", ".join(first)]), last])


class _Worded(dict[str, object]):
    """Values formatted for a sentence: lists with separators, None as a dash, other values as JSON."""

    def __init__(self, params: Mapping[str, object], comma: str) -> None:
        super().__init__(params)
        self._comma = comma

    def __getitem__(self, key: str) -> str:
        return _words(super().get(key, "…"), self._comma)


def _words(value: object, comma: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        if any(isinstance(entry, Mapping | list) for entry in value.values()):
            return json.dumps(value, ensure_ascii=False)
        return comma.join(f"{key} {_words(entry, comma)}" for key, entry in value.items())
    if isinstance(value, Sequence):
        return comma.join([_words(entry, comma) for entry in value])
    return json.dumps(value)
