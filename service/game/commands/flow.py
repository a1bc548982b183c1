"""The state machine of a table: what follows what, and which action does what.

A step does one thing at the table and returns what has come about, a `Milestone`. It never calls the step that follows:
`advance` looks that up in the flow of the family, until the table waits for somebody (None). A play, for instance:

    play ─▶ CARDS_PLAYED ─▶ the next seat is asked
                        └─▶ TRICK_WON ─▶ the winner is asked to lead
                                     └─▶ ROUND_PLAYED ─▶ score ─▶ ROUND_OVER ─▶ …
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from service.errors import CardsNotHeld
from service.game.commands import (
    arms_length,
    dealing,
    declaring,
    friends,
    games,
    kitty,
    playing,
    readiness,
    scoring,
)
from service.game.commands.milestones import Milestone
from service.game.commands.transaction import Transaction
from service.game.state.families import family_name
from service.game.state.queries import decision_of
from service.rules.cards import kinds_of, missing_from, names_of

Step = Callable[[Transaction], Milestone | None]
#: Carries out an action (`service.game.state.types.Action`) of a seat.
Perform = Callable[[Transaction, int, Mapping[str, Any]], Milestone | None]


class Flow(NamedTuple):
    """How a family of games goes on.

    Attributes:
        steps: what follows each milestone.
        actions: what carries out each action.
    """

    steps: Mapping[Milestone, Step]
    actions: Mapping[str, Perform]


# --- actions -----------------------------------------------------------------------------------------------------


def _held(tx: Transaction, seat: int, action: Mapping[str, Any]) -> list[int]:
    """Return the kinds of the action's cards, all of which the seat holds."""
    kinds = kinds_of(action["cards"])
    missing = missing_from(tx.round["hands"][seat], kinds)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    return kinds


def _declare(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return declaring.declare(tx, seat, _held(tx, seat, action))


def _pass(tx: Transaction, seat: int, _: Mapping[str, Any]) -> Milestone | None:
    if decision_of(tx.state)["kind"] == "overcall-kitty":
        return kitty.pass_overcall(tx, seat)
    return declaring.pass_declaring(tx, seat)


def _redeal(tx: Transaction, seat: int, _: Mapping[str, Any]) -> Milestone | None:
    return declaring.redeal(tx, seat)


def _discard(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return kitty.discard(tx, seat, _held(tx, seat, action), reveal=bool(action.get("reveal")))


def _overcall_kitty(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return kitty.overcall(tx, seat, _held(tx, seat, action))


def _call(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return friends.call(tx, seat, action["calls"])


def _play(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    units = action.get("units")
    return playing.play(tx, seat, _held(tx, seat, action), [kinds_of(unit) for unit in units] if units else None)


def _state_road(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return arms_length.state_road(tx, seat, action["road"])


def _play_single(tx: Transaction, seat: int, action: Mapping[str, Any]) -> Milestone | None:
    return arms_length.play(tx, seat, _held(tx, seat, action))


# --- the tables --------------------------------------------------------------------------------------------------

#: Around the rounds of every game.
_GAME: Final[Mapping[Milestone, Step]] = {
    Milestone.SEATS_CHANGED: readiness.check,
    Milestone.GAME_DUE: games.start_game,
    Milestone.ROUND_DUE: games.open_round,
    Milestone.DECK_SHUFFLED: dealing.begin,
    Milestone.ROUND_OVER: readiness.ask,
}

_SHENGJI: Final[Mapping[Milestone, Step]] = {
    **_GAME,
    Milestone.TIMED_DEAL_BEGUN: declaring.open_window,
    Milestone.CARDS_DEALT: declaring.begin,
    Milestone.DECLARING_OVER: declaring.close,
    Milestone.TRUMP_FIXED: kitty.give_to_declarer,
    Milestone.KITTY_BURIED: kitty.ask_for_overcall,
    Milestone.KITTY_OVERCALLED: kitty.give_to_overcaller,
    Milestone.KITTY_SETTLED: friends.ask_calls,
    Milestone.FRIENDS_CALLED: playing.ask_first_lead,
    Milestone.CARDS_PLAYED: playing.go_on,
    Milestone.TRICK_WON: playing.ask_winner,
    Milestone.ROUND_PLAYED: scoring.score_played_round,
    Milestone.ROUND_STOPPED: scoring.score_stopped_round,
}

_ARMS_LENGTH: Final[Mapping[Milestone, Step]] = {
    **_GAME,
    Milestone.CARDS_DEALT: arms_length.ask_roads,
    Milestone.ROADS_STATED: arms_length.settle_roads,
    Milestone.CARDS_PLAYED: arms_length.go_on,
    Milestone.TRICK_WON: playing.ask_winner,
    Milestone.ROUND_PLAYED: arms_length.score_round,
}

FLOWS: Final[Mapping[str, Flow]] = {
    "shengji": Flow(
        steps=_SHENGJI,
        actions={
            "declare": _declare,
            "pass": _pass,
            "redeal": _redeal,
            "discard": _discard,
            "overcall_kitty": _overcall_kitty,
            "call": _call,
            "play": _play,
        },
    ),
    "arms_length": Flow(steps=_ARMS_LENGTH, actions={"road": _state_road, "play": _play_single}),
}


def perform(tx: Transaction, seat: int, action: Mapping[str, Any]) -> None:
    """Carry out an action that answers the open decision, and all that follows from it.

    Raises:
        Refusal: cards that the seat does not hold, or a broken rule.
    """
    flow = FLOWS[family_name(tx.state)]
    _advance(tx, flow, flow.actions[action["type"]](tx, seat, action))


def advance(tx: Transaction, milestone: Milestone | None) -> None:
    """Take all the steps that follow a milestone, until the table waits for somebody."""
    _advance(tx, FLOWS[family_name(tx.state)], milestone)


def _advance(tx: Transaction, flow: Flow, milestone: Milestone | None) -> None:
    while milestone is not None:
        milestone = flow.steps[milestone](tx)
