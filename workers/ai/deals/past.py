"""The tricks that a seat remembers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from service.rules.cards import kinds_of


class SeenTrick(NamedTuple):
    """A trick, complete or on the table.

    Attributes:
        plays: (seat, kinds) in order of play.
        forced: whether the lead was forced by a failed throw.
    """

    plays: list[tuple[int, list[int]]]
    forced: bool


def knows_all(view: Mapping[str, Any]) -> bool:
    """Return whether a view has all tricks of the round so far, and so shows when each friend joined."""
    known = sum([len(cards) for trick in tricks_of(view) for _, cards in trick.plays])
    played: int = sum(view["round"]["played"].values())
    return known == played


def tricks_of(view: Mapping[str, Any]) -> list[SeenTrick]:
    """Return the tricks of the round, the one on the table last.

    A view without `earlier_tricks` (`service.game.views.ai_view`) still has the last one and the one on the table.
    """
    table_round, seats = view["round"], len(view["seats"])
    tricks: list[SeenTrick] = []
    for earlier in table_round.get("earlier_tricks", ()):
        leader = earlier["leader"]
        plays = [((leader + after) % seats, kinds_of(play)) for after, play in enumerate(earlier["plays"])]
        tricks.append(SeenTrick(plays, earlier["forced"]))
    for trick in (table_round["last_trick"], table_round["trick"]):
        if trick:
            throw = trick["plays"][0]["throw"]
            plays = [(play["seat"], kinds_of(play["cards"])) for play in trick["plays"]]
            tricks.append(SeenTrick(plays, throw is not None and not throw["ok"]))
    return tricks
