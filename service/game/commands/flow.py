"""The state machine of a table: which step follows which, and what each action does.

A step does one thing and returns a `Milestone`, or None if the table waits for somebody. It never calls the next step:
`advance` looks that up in the flow of the family. A play, for instance:

    play ─▶ cards_played ─▶ the next seat is asked
                        └─▶ trick_won ─▶ the winner is asked to lead
                                     └─▶ round_played ─▶ score ─▶ round_over ─▶ …
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from service.common.errors import CardsNotHeld
from service.game.commands.milestones import Milestone
from service.game.commands.round import arms_length, claims, dealing, declaring, friends, games, kitty, playing, scoring
from service.game.commands.table import readiness
from service.game.commands.transaction import Transaction
from service.game.commands.types import Fields
from service.game.errors import WrongPhase
from service.game.state.queries import decision_of, round_of
from service.rules.cards import kinds_of, missing_from, names_of
from service.rules.options.rulesets import RULESETS

Step = Callable[[Transaction], Milestone | None]
#: Carries out an action (`service.game.state.actions.Action`) of a seat.
Perform = Callable[[Transaction, int, Fields], Milestone | None]


class Flow(NamedTuple):
    """The steps and actions of a family of games.

    Attributes:
        steps: milestone -> the step that follows.
        actions: type of action -> its handler.
    """

    steps: Mapping[Milestone, Step]
    actions: Mapping[str, Perform]


# --- actions -----------------------------------------------------------------------------------------------------


def _held(tx: Transaction, seat: int, action: Fields) -> list[int]:
    """Return the kinds of the action's cards; refuse cards that the seat does not hold."""
    kinds = kinds_of(action["cards"])
    missing = missing_from(round_of(tx.state)["hands"][seat], kinds)
    if missing:
        raise CardsNotHeld(missing=names_of(missing))
    return kinds


def _declare(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return declaring.declare(tx, seat, _held(tx, seat, action))


def _pass(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    if decision_of(tx.state)["kind"] == "overcall-kitty":
        return kitty.pass_overcall(tx, seat)
    return declaring.pass_declaring(tx, seat, action.get("interval_ms"))


def _redeal(tx: Transaction, seat: int, _: Fields) -> Milestone | None:
    return declaring.redeal(tx, seat)


def _discard(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return kitty.discard(tx, seat, _held(tx, seat, action), reveal=bool(action.get("reveal")))


def _overcall_kitty(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return kitty.overcall(tx, seat, _held(tx, seat, action))


def _call(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return friends.call(tx, seat, action["calls"])


def _play(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    units = action.get("units")
    return playing.play(tx, seat, _held(tx, seat, action), [kinds_of(unit) for unit in units] if units else None)


def _claim(tx: Transaction, seat: int, _: Fields) -> Milestone | None:
    return claims.claim(tx, seat)


def _state_road(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return arms_length.state_road(tx, seat, action["road"])


def _play_single(tx: Transaction, seat: int, action: Fields) -> Milestone | None:
    return arms_length.play(tx, seat, _held(tx, seat, action))


# --- the tables --------------------------------------------------------------------------------------------------

#: Steps around the rounds of every game.
_GAME: Final[Mapping[Milestone, Step]] = {
    "seats_changed": readiness.check,
    "game_due": games.start_game,
    "round_due": games.open_round,
    "deck_shuffled": dealing.begin,
    "round_over": readiness.ask,
}

_SHENGJI: Final[Mapping[Milestone, Step]] = {
    **_GAME,
    "timed_deal_begun": declaring.open_window,
    "cards_dealt": declaring.begin,
    "declaring_over": declaring.close,
    "trump_fixed": kitty.give_to_declarer,
    "kitty_buried": kitty.ask_for_overcall,
    "kitty_overcalled": kitty.give_to_overcaller,
    "kitty_settled": friends.ask_calls,
    "friends_called": playing.ask_first_lead,
    "cards_played": playing.go_on,
    "trick_won": playing.ask_winner,
    "round_played": scoring.score_played_round,
    "round_stopped": scoring.score_stopped_round,
}

_ARMS_LENGTH: Final[Mapping[Milestone, Step]] = {
    **_GAME,
    "cards_dealt": arms_length.ask_roads,
    "roads_stated": arms_length.settle_roads,
    "cards_played": arms_length.go_on,
    "trick_won": playing.ask_winner,
    "round_played": arms_length.score_round,
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
            "claim": _claim,
        },
    ),
    "arms_length": Flow(steps=_ARMS_LENGTH, actions={"road": _state_road, "play": _play_single}),
}


_FLOW_OF: Final = {ruleset: FLOWS[rules.family] for ruleset, rules in RULESETS.items()}


def perform(tx: Transaction, seat: int, action: Fields) -> None:
    """Carry out an action that answers the open decision, and all steps that follow.

    Raises:
        Refusal: cards that the seat does not hold, or a broken rule.
    """
    actions = _FLOW_OF[tx.state["ruleset"]].actions
    if action["type"] not in actions:
        raise WrongPhase(action=action["type"], expected=decision_of(tx.state)["kind"])
    advance(tx, actions[action["type"]](tx, seat, action))


def advance(tx: Transaction, milestone: Milestone | None) -> None:
    """Take all the steps that follow a milestone, until the table waits for somebody."""
    steps = _FLOW_OF[tx.state["ruleset"]].steps
    while milestone is not None:
        milestone = steps[milestone](tx)
