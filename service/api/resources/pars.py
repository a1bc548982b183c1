"""Par: the score of AI players with the cards of a finished round."""

from typing import Final

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, NOTHING
from service.accounts.kept_bytes import PAR as PAR_BYTES
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.reasons import shown_par
from service.api.resources.analyses import ERRORS, PROGRESS_S, ask
from service.api.resources.games import CACHE_CONTROL, log_of, no_finished_round
from service.api.schemas import pars as schemas
from service.game.records.record import GameLog
from service.jobs.asked import PAR, Question
from service.store.analyses import Par
from service.tables.analyses import NO_PAR, has_par

resource: Final = Resource(
    "Par",
    "Was it the cards, or the play? AI players replay a finished round several times, with the same cards and trumps. "
    "Whoever may read the record of a round may ask.",
)

#: Cost of folding the events of a game.
_COST: Final = 50


@resource.operation(
    "POST",
    "/v1/games/<game>/rounds/<int:n>/par",
    response=schemas.RoundPar(),
    budget="analyse",
    other_statuses={202: "Being computed: read it again after `Retry-After` seconds."},
    errors=ERRORS,
    scope="games:read",
    keeps=BY_HANDLER,
)
def ask_par(request: ApiRequest, game: str, n: int) -> Response:
    """Ask what the cards of a round were worth.

    AI players of level `normal` replay the round 16 times from the moment trumps were made, each time a little
    differently. This takes some seconds; `GET` shows the result. The game may still be going on. Par is computed once,
    however often it is asked for; a lost step is repeated. Pars wait and are charged like analyses.
    """
    log = log_of(request, game)
    result = _result_of(log, n)
    question = Question(PAR, game, n, log.base["players"])
    par = request.services.analyses.ask_par(
        game, n, lambda steps, is_new: ask(request, question, steps, PAR_BYTES if is_new else NOTHING)
    )
    return _respond(game, n, par, result, posted=True)


@resource.operation(
    "GET",
    "/v1/games/<game>/rounds/<int:n>/par",
    response=schemas.RoundPar(),
    cost=_COST,
    errors=ERRORS,
    scope="games:read",
)
def get_par(request: ApiRequest, game: str, n: int) -> Response:
    """Read what the cards of a round were worth.

    `POST` asks for it; until all replays are done, `status` is `working`.
    """
    result = _result_of(log_of(request, game), n)
    return _respond(game, n, request.services.analyses.par(game, n) or NO_PAR, result)


def _result_of(log: GameLog, number: int) -> dict[str, object]:
    """Return the summary of a finished round.

    Raises:
        NotFound: there is no such round.
        NotFinished: the round is still being played.
    """
    for event in log.events:
        if event["type"] == "round_scored" and event["round"] == number:
            summary: dict[str, object] = event["data"]["summary"]
            return summary
    raise no_finished_round(log, number)


def _respond(game: str, number: int, par: Par, result: dict[str, object], *, posted: bool = False) -> Response:
    ready = has_par(par)
    value = {
        "game": game,
        "round": number,
        "status": "ready" if ready else "working",
        "done": len(par["values"]),
        "of": par["of"],
        "par": shown_par(par) if ready else None,
        "points": None if "scores" in result else result["points"],
        "scores": result.get("scores"),
    }
    if posted and not ready:
        return json_response(value, 202, {**CACHE_CONTROL, "Retry-After": str(PROGRESS_S)})
    return json_response(value, 200, CACHE_CONTROL)
