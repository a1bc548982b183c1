"""The weights with which simulated seats choose, and their layout.

A play has several features, each a row of a table, for instance the kind of lead and the number of trumps out. The
weight of a row is the logarithm of how much likelier `normal` makes such a play than others. The score of a play is the
sum of its weights. `laboratory/fit.py` fits them to many decisions of `normal`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log, prod
from random import Random
from typing import Final

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


#: Sums of weights by columns of the tables.
Rows = dict[tuple[int, ...], Sequence[float]]


class Weights:
    """Weights, and sums of weights used together, cached per situation on first use.

    Attributes:
        each: the weights, in the order of `TABLES`.
        side, trumps: rows of leads, by kind of lead.
        suit, void: rows of follows to a single card, three columns (card points) for each act.
        pair: rows of follows to a pair, five columns for each act.
    """

    __slots__ = ("each", "pair", "side", "suit", "trumps", "void")

    def __init__(self, each: Sequence[float]) -> None:
        self.each = each
        self.side: Rows = {}
        self.trumps: Rows = {}
        self.suit: Rows = {}
        self.void: Rows = {}
        self.pair: Rows = {}


@cache
def load(name: str) -> Weights:
    """Return weights by name: `teams` for fixed teams, `friends` for games with friends."""
    return Weights(read(name))


#: Number of offsets of the luck of a decision, and number of options that it covers.
LUCK: Final = 8192
LASTS: Final = 256


def _gumbel(number: int) -> Sequence[float]:
    """Return numbers with a Gumbel distribution.

    Added to the scores of options, which are logarithms, they make each option the best with the probability of the
    logit model.
    """
    # Only simulated seats use them, so they may be predictable.
    random = Random(number).random  # noqa: S311
    return [-log(-log(random())) for _ in range(number)]


#: Numbers added to the scores of options, so that seats choose the best one, or randomly.
STEADY: Final[Sequence[float]] = [0.0] * (LUCK + LASTS)
BY_CHANCE: Final = _gumbel(LUCK + LASTS)

#: Cards in hand -> phase of the round; number of cards -> column; the same for cards that beat one.
PHASE: Final = (0, 0, 1, 2, 3, 3, 3, *[4] * 6, *[5] * 2000)
LENGTH: Final = (0, 0, 1, 2, 2, *[3] * 2000)
TRUMP_LENGTH: Final = (0, 0, 1, 2, 3, 3, 4, 4, 4, *[5] * 2000)
BEATEN: Final = (0, 1, 2, 3, 3, 4, 4, 4, *[5] * 2000)
#: Points of a card -> column.
CARD_POINTS: Final[Mapping[int, int]] = {0: 0, 5: 1, 10: 2}

#: Points in other hands -> column.
POINTS_OUT: Final = (0, *[1] * 10, *[2] * 10, *[3] * 15, *[4] * 4000)
#: Points at stake -> column.
STAKE: Final = (0, *[1] * 9, *[2] * 5, *[3] * 4000)
