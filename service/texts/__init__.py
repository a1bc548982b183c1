"""Texts for people, in English and Chinese.

A text is a dict from language to a sentence with `{placeholders}`. Only this module decides which language a reader
gets. Traditional Chinese is made of the Simplified text when somebody reads it (`traditional`).
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from service.texts.traditional.writing import traditional

#: The languages in which every text is written; the first is the default.
LANGUAGES: Final = ("en", "zh-Hans")
#: Chinese in Traditional characters.
TRADITIONAL: Final = "zh-Hant"
#: The languages that readers may have.
READ: Final = (*LANGUAGES, TRADITIONAL)

Text = Mapping[str, str]


class Words(dict[str, str]):
    """A text by language; Traditional Chinese is made when it is wanted."""

    def __missing__(self, language: str) -> str:
        if language != TRADITIONAL:
            raise KeyError(language)
        return traditional(self["zh-Hans"])


class OptionText(NamedTuple):
    """What people read of an option. `values`: value -> its effect; true, false and numbers are not listed."""

    title: Text
    meaning: Text
    values: Mapping[str, Text] = MappingProxyType({})


_LONGEST_HEADER: Final = 1000


def text(en: str, zh: str) -> Text:
    """Return a text from its English and its Chinese."""
    return Words({"en": en, "zh-Hans": zh})


def language_of(accept_language: str | None, fallback: str | None = None) -> str:
    """Return the language to answer in.

    Args:
        accept_language: the value of an `Accept-Language` header (RFC 9110 §12.5.4); malformed parts are ignored.
        fallback: a language tag to use if the header names none of `READ`, e.g. the player's locale.
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
    """Return the language of `READ` for a language tag, or None. Chinese is Simplified if it says nothing else."""
    primary, *more = tag.strip().lower().split("-")
    if primary == "zh" and "hans" not in more and not _WRITE_TRADITIONAL.isdisjoint(more):
        return TRADITIONAL
    return {"zh": "zh-Hans", "en": "en", "*": LANGUAGES[0]}.get(primary)


#: Script and regions in the tag of somebody who reads Traditional Chinese.
_WRITE_TRADITIONAL: Final = frozenset({"hant", "tw", "hk", "mo"})


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
    said = text[language] if language in READ else text[LANGUAGES[0]]
    return said.format_map(_Worded(params, _COMMAS.get(language, ", ")))


#: Separator of list entries, if it is not a comma.
_COMMAS: Final = {"zh-Hans": "、", TRADITIONAL: "、"}


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
