"""Detection of names that look alike."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from service.game.legible import readable

Form: TypeAlias = Literal["NFD", "NFKD"]

#: The name of an AI player, by number.
AI_NAME: Final = "AI {}"
#: More AI players than any table seats.
_MOST_AI: Final = 99


@cache
def _alike() -> tuple[dict[int, str], dict[int, str]]:
    """Return character -> what it looks like, for `str.translate`: first for all but ASCII, then for ASCII.

    From confusables.txt of Unicode 17 (Technical Standard 39; © Unicode, Inc., Unicode License V3), by
    `scripts/confusables.py`. All dashes count as one.
    """
    lines = Path(__file__).with_name("confusables.txt").read_text("utf-8").splitlines()
    known = {char: target for target, chars in (line.split(" ") for line in lines) for char in chars}
    known["-"] = known["\u2014"]
    known |= {char: known["-"] for char, target in known.items() if target == "-"}
    others, ascii_only = ({ord(c): known[c] for c in known if c.isascii() is is_ascii} for is_ascii in (False, True))
    return others, ascii_only


def without_marks(form: Form, text: str) -> str:
    """Normalize a text and remove its combining marks."""
    return "".join(char for char in unicodedata.normalize(form, text) if not unicodedata.combining(char))


def _skeletons(name: str) -> set[str]:
    """Return the skeletons of a name as written, in lower and in upper case. Names that share one look alike.

    Invisible characters, which names of earlier versions may contain, are ignored.
    """
    others, ascii_only = _alike()
    letters = without_marks("NFD", readable(name)).translate(others)
    letters = without_marks("NFKD", letters).translate(others)
    letters = " ".join(letters.split())
    return {case.translate(ascii_only) for case in (letters, letters.casefold(), letters.upper())}


def look_alike(one: str, other: str) -> bool:
    """Return whether people could confuse the names."""
    return not _skeletons(one).isdisjoint(_skeletons(other))


@cache
def _of_ai() -> frozenset[str]:
    return frozenset().union(*(_skeletons(AI_NAME.format(number)) for number in range(_MOST_AI + 1)))


def is_like_ai(name: str) -> bool:
    """Return whether a name looks like that of an AI player."""
    return name.casefold() == "ai" or not _skeletons(name).isdisjoint(_of_ai())


def distinct(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number if it looks like one of the others."""
    taken = list(others)
    number, candidate = 1, name
    while any(look_alike(candidate, other) for other in taken):
        number += 1
        candidate = f"{name} ({number})"
    return candidate
