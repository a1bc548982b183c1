"""Hints: what the AI would do with the view of the caller's seat."""

import time
from collections.abc import Mapping
from time import sleep as pause
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.languages import language_for
from service.api.http.problems import RETRY_AFTER_S, Unavailable
from service.api.http.rate_limits import client_of
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.reasons import worded
from service.api.schemas import hints as schemas
from service.api.visibility import Perspective
from service.api.waiting import held_open
from service.game.errors import HintsOff, NotYourSeat, NotYourTurn, StaleDecision, WrongPhase
from service.game.state.queries import gives_hints, seats_asked
from service.game.state.types import State
from service.game.views.view import decision_view

resource: Final = Resource("Hints", "A player who has to decide may ask the AI, which sees what the player sees.")

#: Interval of polling for the hint (s).
_PAUSE_S: Final = 0.1
#: Kinds of decision during which a seat's view changes: cards are dealt, others declare.
_CHANGING: Final = frozenset({"declare", "defend"})


@resource.operation(
    "POST",
    "/v1/tables/<table>/hint",
    body=schemas.HintRequest(),
    query=schemas.HintQuery(),
    response=schemas.Hint(),
    budget="hint",
    other_statuses={202: "Still being computed: send the same request again after `Retry-After` seconds."},
    errors=(
        "private-table",
        "no-spectators",
        "not-your-seat",
        "hints-off",
        "wrong-phase",
        "stale-decision",
        "not-your-turn",
        "too-many-streams",
    ),
    example={"decision_id": "dc_481"},
    scope="tables:play",
    keeps=NOTHING,
)
def get_hint(request: ApiRequest, table: str) -> Response:
    """Ask the AI for a hint.

    Returns what the AI of level `expert` would answer to the caller's open decision, and why; if no searcher is free,
    what `normal` would answer. The AI gets the view of the caller's seat and nothing else. A hint is computed once for
    each decision, usually in less than two seconds; `wait` limits how long the response may take.
    """
    decision, until = request.body["decision_id"], time.monotonic() + request.query["wait"]
    with held_open(request, table):
        seat, moment = _check(request, table, decision)
        hint = _ask(request, table, seat, decision, moment)
        while hint is None and time.monotonic() < until:
            pause(_PAUSE_S)
            hint = _ask(request, table, seat, decision, moment)
    if hint is None:
        working = {"decision_id": decision, "status": "working", "level": None, "action": None, "reason": None}
        return json_response({**working, "others": []}, 202, {"Retry-After": "1"})
    if not hint:
        # The table has changed meanwhile: raise the refusal.
        _check(request, table, decision)
        raise Unavailable(retry_after_s=RETRY_AFTER_S)
    reason = worded(hint["reason"], language_for(request.raw))
    return json_response({"decision_id": decision, "status": "ready", **hint, "reason": reason})


def _ask(request: ApiRequest, table: str, seat: int, decision: str, moment: int) -> Mapping[str, Any] | None:
    return request.services.questions.hint(client_of(request.raw).key, table, seat, decision, moment)


def _check(request: ApiRequest, table: str, decision_id: str) -> tuple[int, int]:
    """Return the caller's seat, and the version of the table if the seat's view depends on it.

    Raises:
        Refusal: the caller is not asked at this table, or gets no hints there.
    """
    perspective = Perspective.load(request.services, table, request.player_id)
    state, seat = perspective.table, perspective.seat
    if seat is None:
        raise NotYourSeat
    if not gives_hints(state):
        raise HintsOff(hints=state["settings"].get("hints", "unrated"))
    _check_decision(state, seat, decision_id, request.services.tables.now_at(state))
    return seat, state["version"] if _kind(state) in _CHANGING else 0


def _kind(state: State) -> str | None:
    return state["decision"]["kind"] if state["decision"] else None


def _check_decision(state: State, seat: int, decision_id: str, now: int) -> None:
    decision, kind = state["decision"], _kind(state)
    if decision is None or kind == "ready":
        raise WrongPhase(action="hint", expected=kind)
    if decision["id"] != decision_id:
        raise StaleDecision(decision_id, decision_view(state, seat, now), now)
    seats = seats_asked(state, decision)
    if seat not in seats:
        raise NotYourTurn(seats=seats)
