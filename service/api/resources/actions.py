"""Actions: the answers to a decision (`api.md` §2). One operation each, with a plain body."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response
from marshmallow import Schema

from service.api.http.operations import Call, Handler, Resource
from service.api.http.responses import reply
from service.api.rendering import act, may_see
from service.api.schemas import actions as schemas
from service.api.schemas.events import LegalPlays, Outcome
from service.game.errors import NotYourSeat, NotYourTurn, StaleDecision, WrongPhase
from service.game.state.queries import seat_of
from service.game.state.rules import lead_of, rules_of
from service.game.state.types import State
from service.game.views.view import decision_view
from service.rules import arms_length
from service.rules.cards import names_of

resource: Final = Resource(
    "Actions",
    "Whenever a table waits for somebody, it shows a **decision**. An action names the `decision_id` that it answers. "
    "The same action again is answered with the recorded result; an action for another decision is refused with "
    "`stale-decision`, which brings the open one along.",
)

_ERRORS: Final = ("not-your-seat", "stale-decision", "not-your-turn", "wrong-phase")


def _answer(call: Call, table: str, kind: str) -> Response:
    try:
        return act(call, table, kind)
    except StaleDecision as refusal:
        # What is open is shown as the view shows it.
        tables = call.services.tables
        state = tables.load(table)
        shown = decision_view(state, seat_of(state, call.player["id"]), tables.now())
        raise StaleDecision(str(refusal.params["decision_id"]), shown) from None


def _action(path: str, takes: Schema, errors: tuple[str, ...], example: dict[str, Any]) -> Callable[[Handler], Handler]:
    return resource.operation(
        "POST",
        f"/v1/tables/<table>/{path}",
        takes=takes,
        gives=Outcome(),
        budget="act",
        errors=_ERRORS + errors,
        example={"decision_id": "dc_481", **example},
    )


@_action("declare", schemas.DeclareAction(), ("illegal-declaration", "cards-not-held"), {"cards": ["7H", "7H"]})
def declare(call: Call, table: str) -> Response:
    """Declare, reinforce, overcall or defend.

    `cards` is the whole set that then lies on the table. The event `declared` says which of the four it was.
    """
    return _answer(call, table, "declare")


@_action("pass", schemas.PassAction(), (), {})
def pass_decision(call: Call, table: str) -> Response:
    """Pass.

    No (further) declaration, no defence, or no overcall for the kitty.
    """
    return _answer(call, table, "pass")


@_action("redeal", schemas.RedealAction(), ("illegal-declaration",), {})
def redeal(call: Call, table: str) -> Response:
    """Claim a misdeal.

    Where the option `misdeal` allows it, with a hand that is as poor as it asks.
    """
    return _answer(call, table, "redeal")


@_action(
    "discard",
    schemas.DiscardAction(),
    ("illegal-discard", "cards-not-held"),
    {"cards": ["3C", "3C", "4S", "6D", "8D", "9C", "9S", "JC"]},
)
def discard(call: Call, table: str) -> Response:
    """Bury the kitty.

    As many cards as the kitty had, out of the hand that now holds it. They stay hidden unless `reveal` shows them.
    """
    return _answer(call, table, "discard")


@_action(
    "overcall-kitty", schemas.OvercallKittyAction(), ("illegal-declaration", "cards-not-held"), {"cards": ["7S", "7S"]}
)
def overcall_kitty(call: Call, table: str) -> Response:
    """Overcall for the kitty (chao di).

    A higher set of trump-rank cards or jokers takes the kitty from whoever buried it, and makes trumps anew.
    """
    return _answer(call, table, "overcall_kitty")


@_action("call", schemas.CallAction(), ("illegal-call",), {"calls": [{"card": "AS", "ordinal": 1}]})
def call_friends(call: Call, table: str) -> Response:
    """Call friends.

    Names cards; whoever brings a named copy to the table joins the declarer.
    """
    return _answer(call, table, "call")


@_action("road", schemas.RoadAction(), (), {"road": "high"})
def state_road(call: Call, table: str) -> Response:
    """State a road (Arm's Length).

    Hidden until both partners have stated theirs.
    """
    return _answer(call, table, "road")


@_action("play", schemas.PlayAction(), ("illegal-play", "cards-not-held"), {"cards": ["KD", "KD"]})
def play(call: Call, table: str) -> Response:
    """Lead or follow.

    A throw that does not hold is no error: what must be led instead is led, and the event `played` tells it in
    `throw`.
    """
    return _answer(call, table, "play")


@resource.operation(
    "GET",
    "/v1/tables/<table>/legal-plays",
    asks=schemas.LegalPlaysQuery(),
    gives=LegalPlays(),
    errors=("private-table", "not-your-seat", "not-your-turn", "wrong-phase", "too-complex"),
)
def list_legal_plays(call: Call, table: str) -> Response:
    """List what I may play now.

    `complete` says whether the list holds every legal play; it may be too long to be told.
    """
    state = call.services.tables.load(table)
    seat = may_see(state, call.player["id"])
    if seat is None:
        raise NotYourSeat
    decision = state["decision"]
    if decision is None or decision["kind"] != "play":
        raise WrongPhase(action="play", expected=decision["kind"] if decision else None)
    if seat not in decision["seats"]:
        raise NotYourTurn(seats=decision["seats"])
    plays, complete = _legal_plays(state, seat, call.query["limit"])
    return reply({"plays": plays, "complete": complete})


def _legal_plays(state: State, seat: int, limit: int) -> tuple[list[list[str]], bool]:
    table_round = state["round"]
    hand, trick = table_round["hands"][seat], table_round["trick"]
    if table_round["roads"] is not None:
        trump = table_round["trump"]["suit"] if table_round["trump"] else None
        before = [play["cards"][0] for play in trick["plays"]] if trick else []
        kinds = arms_length.legal(trump, before, hand)
        return [[name] for name in names_of(kinds[:limit])], len(kinds) <= limit
    rules = rules_of(state)
    plays, complete = rules.plays(hand, lead_of(rules, trick) if trick else None, limit)
    return [names_of(play) for play in plays], complete
