"""Movements: who meets whom in each round, as published for tournaments of bridge, whist and chess.

Units are numbered from 0 in the order of the draw, rounds from 1. All tables play the boards of a round at the same
time (barometer scoring), so boards do not move: nobody can meet one twice, and the skip and the shared boards of a
Mitchell movement with an even number of tables, which are due to boards of which there is one copy, are not needed.

- `berger`: J. Berger's tables for round robins, as in annex 1 of the FIDE handbook, C.05.
- `bracket`: the usual places of a seeded knock-out: the best two can meet in the final only.
- `mitchell`: J. T. Mitchell, *Duplicate Whist* (1891): one line stays, the other one moves a table each round. With one
  winner, the lines change sides in the last eighth of the rounds (*arrow switch*; J. Manning, *Duplicate Bridge
  Movements*, English Bridge Union).
- `howell`: E. C. Howell's movement, in its cyclic form: E. T. Parker and A. M. Mood, *Some balanced Howell rotations
  for duplicate bridge sessions*, Amer. Math. Monthly 62 (1955); E. R. Berlekamp and F. K. Hwang, *Constructions for
  balanced Howell rotations for bridge tournaments*, J. Combin. Theory A 12 (1972). With quadratic residues they are
  balanced exactly; for the other numbers the sides are chosen one by one, for the least imbalance.
- `whist.py` has those of single players.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

#: Tables of a round: the units of each, in the order of seats (those of a side are one unit in events of pairs).
Tables = list[tuple[int, ...]]

#: How many beginnings are tried for the sides of a Howell movement. They are always the same.
_STARTS: Final = 8
#: One round in so many has changed sides in a Mitchell movement with one winner.
_SWITCHED: Final = 8


def berger(units: int, number: int) -> Tables:
    """Return the pairs of a round of a round robin of an even number of units, which has one round less than units."""
    last, others = units - 1, units - 1
    if others == 1:
        return [(0, 1)]
    # Counted from 1, those meet whose sum is one more than the number of the round, modulo the others.
    total = number + 1
    pairs: Tables = []
    for first in range(1, others + 1):
        second = (total - first - 1) % others + 1
        if first < second:
            pairs.append((first - 1, second - 1))
        elif first == second:
            # Whoever would meet themselves meets the last one, in the first place in each other round.
            pairs.append((first - 1, last) if number % 2 else (last, first - 1))
    return pairs


def bracket(units: int) -> list[int | None]:
    """Return the places of the first round of a knock-out: units that meet side by side; None: a bye."""
    places = [0]
    while len(places) < units:
        twice = 2 * len(places)
        places = [each for place in places for each in (place, twice - 1 - place)]
    return [place if place < units else None for place in places]


def mitchell(units: int, number: int, rounds: int, *, one_winner: bool) -> Tables:
    """Return the tables of a round of an even number of units, of which the even ones stay.

    Args:
        units: number of units; there are half as many rounds.
        number: number of the round.
        rounds: how many rounds are played.
        one_winner: whether the lines change sides in the last eighth of the rounds, at least in one if there are two.
    """
    tables = units // 2
    switched = one_winner and rounds > 1 and number > rounds - max(1, round(rounds / _SWITCHED))
    meetings = [(2 * table, 2 * ((table - number + 1) % tables) + 1) for table in range(tables)]
    return [(away, home) if switched else (home, away) for home, away in meetings]


def howell(units: int, number: int) -> Tables:
    """Return the tables of a round in which everybody of an even number of units meets everybody once."""
    cycle, at = units - 1, number - 1
    if cycle == 1:
        return [(1, 0)]
    return [(cycle, at), *(((at + side) % cycle, (at - side) % cycle) for side in _sides(cycle))]


@cache
def _sides(cycle: int) -> tuple[int, ...]:
    """Return one of d and -d modulo an odd number for each d: those who sit on the even seats in the first round."""
    residues = {each * each % cycle for each in range(1, cycle)} - {0}
    if len(residues) == cycle // 2 and not residues & {-each % cycle for each in residues}:
        return tuple(sorted(residues))
    random = Random(cycle)  # noqa: S311 - no secret
    starts = [[random.choice((each, cycle - each)) for each in range(1, cycle // 2 + 1)] for _ in range(_STARTS)]
    turned = [tuple(_turned(cycle, sides)) for sides in starts]
    return min(turned, key=lambda sides: _imbalance(cycle, sides))


def _turned(cycle: int, sides: list[int]) -> list[int]:
    """Return sides after turning one after the other as long as that makes them less imbalanced."""
    best, at = _imbalance(cycle, sides), 0
    while at < len(sides):
        other = [cycle - side if place == at else side for place, side in enumerate(sides)]
        worth = _imbalance(cycle, other)
        sides, best, at = (other, worth, 0) if worth < best else (sides, best, at + 1)
    return sides


def _imbalance(cycle: int, sides: Sequence[int]) -> int:
    """Return by how much the numbers of rounds in which two units have the same side differ, as a sum of squares."""
    apart = Counter((one - other) % cycle for one in sides for other in sides if one != other)
    return sum(apart[distance] ** 2 for distance in range(1, cycle))
