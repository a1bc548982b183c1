"""Actions: answers to decisions (docs/contract.md §3). Each is an operation with a flat body."""

from collections.abc import Callable
from typing import Final

from flask import Response
from marshmallow import Schema

from service.accounts.kept_bytes import NOTHING
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, HandlerT, Resource
from service.api.outcomes import execute
from service.api.schemas import actions as schemas
from service.api.schemas.events.envelope import LegalPlays, Outcome
from service.api.visibility import Perspective
from service.game.errors import NotYourSeat, NotYourTurn, WrongPhase
from service.game.state.families import family_of
from service.rules.cards import names_of

resource: Final = Resource(
    "Actions",
    "When a table waits for players, it shows a **decision**. An action names the `decision_id` that it answers. "
    "Sending the same action again returns the recorded result; an action for another decision is refused with "
    "`stale-decision`, which includes the open one.",
)

_ERRORS: Final = ("not-your-seat", "stale-decision", "not-your-turn", "wrong-phase")


def _action(
    path: str, body: Schema, errors: tuple[str, ...], example: dict[str, object]
) -> Callable[[HandlerT], HandlerT]:
    return resource.operation(
        "POST",
        f"/v1/tables/<table>/{path}",
        body=body,
        response=Outcome(),
        scope="tables:play",
        budget="act",
        keeps=NOTHING,
        errors=_ERRORS + errors,
        example={"decision_id": "dc_481", **example},
    )


@_action("declare", schemas.DeclareAction(), ("illegal-declaration", "cards-not-held"), {"cards": ["7H", "7H"]})
def declare(request: ApiRequest, table: str) -> Response:
    """Declare, reinforce, overcall or defend.

    `cards` is the whole set that lies on the table afterwards. The event `declared` says which of the four it was.
    """
    return execute(request, table, "declare")


@_action("pass", schemas.PassAction(), (), {})
def pass_decision(request: ApiRequest, table: str) -> Response:
    """Pass.

    Makes no (further) declaration, no defence, or no overcall for the kitty. A pass during the deal holds only for the
    moment: once all players have passed since the last declaration, the rest is dealt quickly, and all are asked again.
    """
    return execute(request, table, "pass")


@_action("redeal", schemas.RedealAction(), ("illegal-declaration",), {})
def redeal(request: ApiRequest, table: str) -> Response:
    """Claim a misdeal.

    Possible if the option `misdeal` allows it for this hand.
    """
    return execute(request, table, "redeal")


@_action(
    "discard",
    schemas.DiscardAction(),
    ("illegal-discard", "cards-not-held"),
    {"cards": ["3C", "3C", "4S", "6D", "8D", "9C", "9S", "JC"]},
)
def discard(request: ApiRequest, table: str) -> Response:
    """Bury the kitty.

    Buries as many cards as the kitty had, from the hand that now includes it. They stay hidden unless `reveal` shows
    them.
    """
    return execute(request, table, "discard")


@_action(
    "overcall-kitty", schemas.OvercallKittyAction(), ("illegal-declaration", "cards-not-held"), {"cards": ["7S", "7S"]}
)
def overcall_kitty(request: ApiRequest, table: str) -> Response:
    """Overcall for the kitty (chao di).

    A higher set of trump-rank cards or jokers takes the kitty from the player who buried it, and sets new trumps.
    """
    return execute(request, table, "overcall_kitty")


@_action("call", schemas.CallAction(), ("illegal-call",), {"calls": [{"card": "AS", "ordinal": 1}]})
def call_friends(request: ApiRequest, table: str) -> Response:
    """Call friends.

    Names cards; whoever plays a named copy joins the declarer.
    """
    return execute(request, table, "call")


@_action("road", schemas.RoadAction(), (), {"road": "high"})
def state_road(request: ApiRequest, table: str) -> Response:
    """State a road (Arm's Length).

    It stays hidden until both partners have stated theirs.
    """
    return execute(request, table, "road")


@_action("play", schemas.PlayAction(), ("illegal-play", "cards-not-held"), {"cards": ["KD", "KD"]})
def play(request: ApiRequest, table: str) -> Response:
    """Lead or follow.

    A failed throw is not an error: the cards that it forces are led instead, and the event `played` says so in
    `throw`.
    """
    return execute(request, table, "play")


@_action("claim", schemas.ClaimAction(), (), {})
def claim(request: ApiRequest, table: str) -> Response:
    """Claim the tricks that are left.

    Only the player who is to lead may claim, if the setting `claims` allows it. If no other hand can win any of these
    tricks, they are played in the same step: the service chooses the others' cards, and the round is scored. A wrong
    claim costs as much as a throw that fails by one card, and the decision stays open.
    """
    return execute(request, table, "claim")


@resource.operation(
    "GET",
    "/v1/tables/<table>/legal-plays",
    query=schemas.LegalPlaysQuery(),
    response=LegalPlays(),
    errors=("private-table", "no-spectators", "not-your-seat", "not-your-turn", "wrong-phase", "too-complex"),
    scope="tables:read",
)
def list_legal_plays(request: ApiRequest, table: str) -> Response:
    """List my legal plays.

    `complete` says whether the list has every legal play; there may be too many to list.
    """
    perspective = Perspective.load(request.services, table, request.player_id)
    state, seat = perspective.table, perspective.seat
    if seat is None:
        raise NotYourSeat
    decision = state["decision"]
    if decision is None or decision["kind"] != "play":
        raise WrongPhase(action="play", expected=decision["kind"] if decision else None)
    if seat not in decision["seats"]:
        raise NotYourTurn(seats=decision["seats"])
    plays, complete = family_of(state).legal_plays(state, seat, request.query["limit"])
    return json_response({"plays": [names_of(play) for play in plays], "complete": complete})
