"""Who has won a game that its length has ended (docs/rules.md §10.6): what tells sides apart first decides."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from service.game.state.types import DecidedBy

#: What decides, from the first to the last -> its value by seat; a higher one is better.
Criteria: TypeAlias = Mapping[DecidedBy, Sequence[object]]


class Verdict(NamedTuple):
    """The winning seats, none if all sides are equal, and the last criterion that has told sides apart."""

    winners: list[int]
    decided_by: DecidedBy


def verdict(sides: Iterable[Sequence[int]], criteria: Criteria) -> Verdict:
    """Return who has won. All who are equal at the top share the win, if somebody is below them.

    Args:
        sides: the seats of each; those of one side have equal values.
        criteria: see `Criteria`.
    """
    left, decided_by = list(sides), DRAW
    for name, values in criteria.items():
        best: object = max(values[side[0]] for side in left)  # type: ignore[type-var]
        top = [side for side in left if values[side[0]] == best]
        if len(top) < len(left):
            left, decided_by = top, name
    return Verdict([] if decided_by == DRAW else sorted(seat for side in left for seat in side), decided_by)


DRAW: DecidedBy = "draw"
