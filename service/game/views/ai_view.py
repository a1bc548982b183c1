"""The view of an AI player."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from service.game.state.earlier import unpacked
from service.game.state.types import State
from service.game.views.view import view
from service.rules.cards import names_of

#: A view with `earlier_tricks` in its round.
AiView: TypeAlias = dict[str, Any]
#: Fields that AI players read, and no others: what a view says of the people at its table is none of them.
_READ: Final = ("id", "version", "ruleset", "players", "options", "phase", "round", "decision", "my")
_READ_OF_SEATS: Final = ("seat", "level", "active", "side", "hand_count", "tricks", "points")


def ai_view(state: State, seat: int, now: int) -> AiView:
    """Return the view of a seat with all earlier plays, which a person knows from the events.

    Its `round` also has `earlier_tricks`, the tricks before `last_trick`: `leader`, `plays` (the cards in order of
    play) and `forced` (whether a failed throw forced the lead).
    """
    table_view: AiView = {**view(state, seat, now)}
    table_round = state["round"]
    if table_round is not None:
        tricks = [unpacked(trick, state["players"]) for trick in table_round.get("earlier", ())]
        earlier = [
            {"leader": trick.leader, "forced": trick.forced, "plays": [names_of(cards) for cards in trick.plays]}
            for trick in tricks
        ]
        table_view["round"] = {**table_view["round"], "earlier_tricks": earlier}
    return table_view


def without_people(full: Mapping[str, Any]) -> AiView:
    """Return what AI players read of an AI view, which says nothing of the people at the table."""
    seats = [{name: seat[name] for name in _READ_OF_SEATS} for seat in full["seats"]]
    return {**{name: full[name] for name in _READ}, "seats": seats}
