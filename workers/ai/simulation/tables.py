"""The weights with which simulated seats choose, and their layout.

A play has several features, each a row of a table, for instance the kind of lead and the number of trumps out. The
weight of a row is the logarithm of how much likelier `normal` makes such a play than others. The score of a play is the
sum of its weights. `laboratory/fit.py` fits them to many decisions of `normal`.
"""

import json
from array import array
from collections.abc import Callable, Iterable, Mapping, MutableSequence, Sequence
from functools import cache
from importlib.resources import files
from math import log, prod
from random import Random
from typing import Final, TypeAlias

#: Kinds of leads. Side suits: an unbeatable high card, without points and with; a tuple that cannot be beaten, and one
#: that can; the same for tractors; a throw; a low card, without points and with; the best card that is not the highest.
#: Trumps: the same.
LEADS: Final = (
    "boss", "boss points", "tuple boss", "tuple", "tractor boss", "tractor", "throw", "low", "low points", "top",
    "trump boss", "trump top", "trump low", "trump low points", "trump tuple boss", "trump tuple", "trump tractor",
    "trump throw",
)  # fmt: skip
_KINDS: Final = len(LEADS)
#: Table -> its dimensions. Side suits and trumps share some tables of leads, with different meanings of the columns.
TABLES: Final[Mapping[str, tuple[int, ...]]] = {
    "lead ruffs": (_KINDS, 7),
    "lead phase": (_KINDS, 6, 2),
    "lead length": (_KINDS, 8),
    "lead size": (_KINDS, 8),
    "lead points": (_KINDS, 4),
    "lead own trumps": (_KINDS, 6),
    "lead trumps out": (_KINDS, 6),
    "lead trumps": (_KINDS, 6, 5, 7),
    "lead elsewhere": (_KINDS, 5, 5),
    "lead beaten": (_KINDS, 6, 5),
    "lead rest": (_KINDS, 4, 2, 2),
    "suit stake": (2, 4, 4, 5, 4),
    "suit points": (2, 4, 3, 5, 4),
    "suit beaten": (2, 4, 6, 4, 2),
    "suit phase": (2, 6, 5),
    "suit breaks": (2, 6, 5),
    "void stake": (2, 4, 4, 4, 4),
    "void points": (2, 4, 3, 4, 4),
    "void trump beaten": (6, 6, 6),
    "void given": (6, 6, 4, 2),
    "void phase": (4, 6),
    "void breaks": (4, 6),
    "suit risk": (5, 4, 4, 3),
    "suit mates": (5, 3, 4, 2),
    "void risk": (4, 4, 4, 6),
    "pair stake": (2, 4, 4, 5, 4),
    "pair points": (2, 4, 5, 5, 4),
    "pair beaten": (2, 6, 4),
    "pair phase": (5, 6, 2),
    "pair given": (6, 4, 2),
    # By the role of a seat (`World.role`), which decides the value of a play in games with friends.
    "lead role": (_KINDS, 6, 5, 6),
    "lead ruffs role": (_KINDS, 7, 6, 5),
    "lead called": (_KINDS, 6, 5, 2),
    "suit role": (5, 6, 4, 5, 3),
    "void role": (5, 6, 4, 4, 3),
    "suit foes": (5, 4, 4, 5, 3),
    "void foes": (5, 4, 4, 4, 3),
    "pair role": (5, 4, 4, 4, 5),
}
WEIGHTS: Final = sum(map(prod, TABLES.values()))


def first_of(tables: Mapping[str, tuple[int, ...]] = TABLES) -> dict[str, int]:
    """Return table -> index of its first weight, for tables with these dimensions."""
    firsts, at = {}, 0
    for name, shape in tables.items():
        firsts[name] = at
        at += prod(shape)
    return firsts


def read(name: str, tables: Iterable[str] = TABLES) -> list[float]:
    """Read the weights of these tables, one table after the other, from the file with this name."""
    text = files("workers.ai.simulation").joinpath("weights", f"{name}.json").read_text(encoding="utf-8")
    weights = json.loads(text)
    return [float(weight) for table in tables for weight in weights[table]]


#: Kind of situation -> number of values of each of its properties, which are columns of the tables. `leading`,
#: `singles` and `pairs` say which they are.
SCENES: Final[Mapping[str, tuple[int, ...]]] = {
    "side": (6, 5, 6, 5, 7, 8, 2),
    "trumps": (6, 5, 6, 5, 5, 5, 5),
    "suit": (2, 4, 4, 4, 6, 4, 3, 5, 4),
    "void": (2, 4, 4, 4, 6, 4, 5, 4),
    "pair": (2, 4, 4, 4, 6, 5),
}


def digits(kind: str, scene: int) -> list[int]:
    """Return the properties of a situation from its number, in which the first one counts most."""
    properties: list[int] = []
    for size in reversed(SCENES[kind]):
        scene, digit = divmod(scene, size)
        properties.append(digit)
    return properties[::-1]


#: Numbers as compiled modules use them.
Doubles: TypeAlias = "array[float]"


def doubles(numbers: Iterable[float]) -> Doubles:
    """Return numbers, packed."""
    return array("d", numbers)


#: Makes a sequence of weights and scores.
Pack = Callable[[Iterable[float]], MutableSequence[float]]


class Row:
    """Sums of weights that are used together."""

    __slots__ = ("values",)

    def __init__(self, values: Sequence[float]) -> None:
        self.values = values


class Weights:
    """Weights, and sums of weights used together, cached per situation on first use.

    Attributes:
        pack: `doubles`, or `list` where weights are not numbers.
        each: the weights, in the order of `TABLES`.
        side, trumps: rows of leads, by kind of lead.
        suit, void: rows of follows to a single card, three columns (card points) for each act.
        pair: rows of follows to a pair, five columns for each act.
    """

    __slots__ = ("each", "pack", "pair", "side", "suit", "trumps", "void")

    def __init__(self, each: Iterable[float], pack: Pack = doubles) -> None:
        self.each, self.pack = pack(each), pack
        self.side, self.trumps, self.suit, self.void, self.pair = (
            _unknown(kind) for kind in ("side", "trumps", "suit", "void", "pair")
        )

    def keep(self, rows: list[Row | None], scene: int, values: Iterable[float]) -> Row:
        """Keep the row of a situation, and return it."""
        row = rows[scene] = Row(self.pack(values))
        return row


def _unknown(kind: str) -> list[Row | None]:
    """Return a place for the row of each situation."""
    return [None] * prod(SCENES[kind])


@cache
def load(name: str) -> Weights:
    """Return weights by name: `teams` for fixed teams, `friends` for games with friends."""
    return Weights(read(name))


#: Number of offsets of the luck of a decision, and number of options that it covers.
LUCK: Final = 8192
LASTS: Final = 256


def _gumbel(number: int) -> Doubles:
    """Return numbers with a Gumbel distribution.

    Added to the scores of options, which are logarithms, they make each option the best with the probability of the
    logit model.
    """
    # Only simulated seats use them, so they may be predictable.
    random = Random(number).random  # noqa: S311
    return doubles([-log(-log(random())) for _ in range(number)])


#: Numbers added to the scores of options, so that seats choose the best one, or randomly.
STEADY: Final = doubles([0.0] * (LUCK + LASTS))
BY_CHANCE: Final = _gumbel(LUCK + LASTS)

#: Cards in hand -> phase of the round; number of cards -> column; the same for cards that beat one.
PHASE: Final = array("i", [0, 0, 1, 2, 3, 3, 3, *[4] * 6, *[5] * 2000])
LENGTH: Final = array("i", [0, 0, 1, 2, 2, *[3] * 2000])
TRUMP_LENGTH: Final = array("i", [0, 0, 1, 2, 3, 3, 4, 4, 4, *[5] * 2000])
BEATEN: Final = array("i", [0, 1, 2, 3, 3, 4, 4, 4, *[5] * 2000])
#: Points of a card -> column.
CARD_POINTS: Final[Mapping[int, int]] = {0: 0, 5: 1, 10: 2}

#: Points in other hands -> column.
POINTS_OUT: Final = array("i", [0, *[1] * 10, *[2] * 10, *[3] * 15, *[4] * 4000])
#: Points at stake -> column.
STAKE: Final = array("i", [0, *[1] * 9, *[2] * 5, *[3] * 4000])

#: Who wins the trick so far: the other side, or this side with a card that may be beaten, with the highest of its suit,
#: or for sure.
THEIRS, OURS, OURS_HIGHEST, OURS_SURE = range(4)
