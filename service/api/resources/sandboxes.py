"""Sandboxes: advancing their clock, and examples of problems that are hard to cause in a test."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import COMMAND, NOTHING
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import outcome_response
from service.api.problem_examples import REFUSALS
from service.api.schemas import tables as schemas
from service.api.schemas.events.envelope import Outcome
from service.game.errors import NotFound

resource: Final = Resource(
    "Sandboxes",
    "For tests of clients: `sandbox` of `POST /v1/tables` makes a table with chosen cards, scripted opponents and a "
    "clock that the test moves. `docs/testing.md` shows how to reach each problem and each kind of decision.",
)

_EXAMPLES: Final = {refusal.code: refusal for refusal, _ in REFUSALS}


@resource.operation(
    "PUT",
    "/v1/tables/<table>/clock",
    body=schemas.ElapsedTime(),
    response=Outcome(),
    budget="act",
    errors=("not-host", "wrong-phase"),
    example={"elapsed_ms": 30000},
    scope="tables:host",
    keeps=COMMAND,
)
def advance_clock(request: ApiRequest, table: str) -> Response:
    """Let time pass at a sandbox.

    Only its host may. Everything due by then happens in order: cards are dealt, decisions time out, votes and pauses
    end. At any other table it is refused with `not-found`.
    """
    outcome = request.services.tables.advance_clock(table, request.player_id, request.body["elapsed_ms"])
    return outcome_response(request, outcome)


@resource.operation(
    "POST",
    "/v1/problem-examples/<problem>",
    budget="act",
    status=204,
    errors=tuple(_EXAMPLES),
    scope="tables:host",
    keeps=NOTHING,
)
def provoke_problem(_: ApiRequest, problem: str) -> Response:
    """Provoke a problem.

    The answer is the problem with this code, with the headers and values of a real one: for problems that are hard to
    cause in a test, such as `unavailable`. It is never 204.
    """
    raise _EXAMPLES.get(problem) or NotFound(what="problem", id=problem)
