"""Analyses of all decisions of a finished round by the AI."""

from collections.abc import Callable
from typing import Final

from flask import Response
from redis.exceptions import RedisError

from service.api.http.documents import is_known
from service.api.http.languages import language_for
from service.api.http.problems import Unavailable
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.reasons import has_par, shown_par, worded
from service.api.resources.games import CACHE_CONTROL, finished_log
from service.api.schemas import analyses as schemas
from service.game.errors import NotFound
from service.game.views.absent import blank
from service.store.analyses import LEVEL, Analysis

resource: Final = Resource(
    "Analyses",
    "The AI judges every decision of a finished round by what the deciding seat could see. Whoever may read the "
    "record of a game may have its rounds analysed.",
)

#: Budget of analyses and other computations on finished rounds.
ERRORS: Final = ("private-table", "no-spectators", "not-finished")
#: Cost of reading the archive of a game.
_COST: Final = 10
#: `Retry-After` in seconds: while the analysis is in progress, and while no worker can analyse.
PROGRESS_S: Final = 2
_BUSY_S: Final = 60
_EMPTY: Final[Analysis] = {"level": LEVEL, "of": 0, "decisions": []}


@resource.operation(
    "POST",
    "/v1/games/<game>/analysis",
    body=schemas.AnalysisRequest(),
    response=schemas.Analysis(),
    budget="analyse",
    other_statuses={202: "Being computed: read it again after `Retry-After` seconds."},
    errors=ERRORS,
    example={"round": 1},
    scope="games:read",
)
def analyse_round(request: ApiRequest, game: str) -> Response:
    """Have a round analysed.

    For each decision: what the AI of level `expert` would have done, why, and how many levels that would have gained.
    The game must be over, unless nobody but the caller and AI players has played in it. It takes a minute or more;
    `GET` shows the progress. Asking again does not repeat the analysis. It is kept as long as the record of the game,
    or for a week if there is no record yet.
    """
    number = request.body["round"]
    ruleset = _ruleset_of(request, game, number)
    services = request.services
    analysis = services.analyses.load(game, number)
    done = len(analysis["decisions"]) if analysis else 0
    if analysis is None or not _is_ready(analysis):
        # Store it now, so that the caller can read its progress at once.
        services.analyses.begin(game, number, _EMPTY)
        ask(services.questions.analyse, game, number, done)
    return _respond(request, game, number, analysis or _EMPTY, ruleset, posted=True)


@resource.operation(
    "GET",
    "/v1/games/<game>/analysis",
    query=schemas.AnalysisQuery(),
    response=schemas.Analysis(),
    cost=_COST,
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag."},
    errors=ERRORS,
    scope="games:read",
)
def get_analysis(request: ApiRequest, game: str) -> Response:
    """Read the analysis of a round.

    Returns what there is so far: `done` decisions `of` all. `POST` starts the analysis, or continues an interrupted
    one.
    """
    number = request.query["round"]
    ruleset = _ruleset_of(request, game, number)
    analysis = request.services.analyses.load(game, number)
    if analysis is None:
        raise NotFound(what="analysis", round=number)
    return _respond(request, game, number, analysis, ruleset)


def ask(question: Callable[[str, int, int], bool], game: str, number: int, done: int) -> None:
    """Request the computation for a round, of which `done` steps are done.

    Raises:
        Unavailable: no worker can do it.
    """
    try:
        goes_on = question(game, number, done)
    except RedisError:
        goes_on = False
    if not goes_on:
        raise Unavailable(retry_after_s=_BUSY_S)


def _ruleset_of(request: ApiRequest, game: str, number: int) -> str:
    """Return the ruleset. Raise like `finished_log`, or NotFound if the game has no such round."""
    log = finished_log(request, game)
    if not any(event["type"] == "round_scored" and event["round"] == number for event in log.events):
        raise NotFound(what="round", round=number)
    return log.base["ruleset"]


def _is_ready(analysis: Analysis) -> bool:
    return 0 < analysis["of"] == len(analysis["decisions"])


def _respond(
    request: ApiRequest, game: str, number: int, known: Analysis, ruleset: str, *, posted: bool = False
) -> Response:
    language = language_for(request.raw)
    done = len(known["decisions"])
    is_ready = _is_ready(known)
    [par] = request.services.analyses.pars(game, [number])
    version = f"{done}.{language.lower().replace('-', '')}{'.par' if has_par(par) else ''}"
    headers = {**CACHE_CONTROL, "ETag": f'"{version}"'}
    if not is_ready:
        headers["Retry-After"] = str(PROGRESS_S)
    if not posted and is_known(request.raw, headers["ETag"]):
        return empty_response(304, headers)
    # Analyses of earlier versions have only one level for all decisions.
    decisions = [
        {"level": known["level"], **decision, "reason": worded(decision["reason"], language)}
        for decision in known["decisions"]
    ]
    for decision in decisions:
        blank(ruleset, "judged", decision)
    value = {
        "game": game,
        "round": number,
        "status": "ready" if is_ready else "working",
        "level": known["level"],
        "done": done,
        "of": known["of"],
        "decisions": decisions,
    }
    if has_par(par):
        value["par"] = shown_par(par)
    return json_response(value, 202 if posted and not is_ready else 200, headers)
