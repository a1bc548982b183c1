"""Analyses of all decisions of a finished round by the AI."""

import math
from typing import Final

from flask import Response

from service.accounts.kept_bytes import ANALYSIS as ANALYSIS_BYTES
from service.accounts.kept_bytes import BY_HANDLER, NOTHING
from service.api.http.documents import is_known
from service.api.http.languages import language_for
from service.api.http.problems import Unavailable
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.reasons import shown_par, worded
from service.api.resources.games import CACHE_CONTROL, finished_log
from service.api.schemas import analyses as schemas
from service.game.errors import NotFound
from service.game.records.record import GameLog, action_of
from service.game.views.absent import blank
from service.jobs.asked import ANALYSIS, Asker, Question
from service.store.analyses import Analysis
from service.store.port import StoreUnavailable
from service.tables.analyses import has_par, is_ready

resource: Final = Resource(
    "Analyses",
    "The AI judges every decision of a finished round by what the deciding seat could see. Whoever may read the "
    "record of a game may have its rounds analysed.",
)

ERRORS: Final = ("private-table", "no-spectators", "not-finished")
#: Cost of reading the archive of a game.
_COST: Final = 10
#: `Retry-After` in seconds: while the analysis is in progress, and while no worker can analyse.
PROGRESS_S: Final = 2
_BUSY_S: Final = 60


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
    keeps=BY_HANDLER,
)
def analyse_round(request: ApiRequest, game: str) -> Response:
    """Have a round analysed.

    For each decision: what the AI of level `expert` would have done, why, and how many levels that would have gained.
    The game must be over, unless nobody but the caller and AI players has played in it. It takes a minute or more;
    `GET` shows the progress. Asking again does not repeat the analysis. It is kept as long as the record of the game,
    or for a week if there is no record yet. Players take turns; a player's own analyses and pars are done in the order
    in which they were asked for. The budget `analyse` is charged the seconds that the analysis is expected to take.
    """
    number = request.body["round"]
    log = _log_of(request, game, number)
    question = Question(ANALYSIS, game, number, log.base["players"])
    analysis = request.services.analyses.ask_analysis(
        game,
        number,
        decisions_in(log, number),
        lambda steps, is_new: ask(request, question, steps, ANALYSIS_BYTES if is_new else NOTHING),
    )
    return _respond(request, game, number, analysis, log.base["ruleset"], posted=True)


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
    ruleset = _log_of(request, game, number).base["ruleset"]
    return _respond(request, game, number, request.services.analyses.analysis(game, number), ruleset)


def ask(request: ApiRequest, question: Question, steps: int, size: int) -> None:
    """Have searchers answer a question, and charge the seconds that so many steps of it will take, and its bytes.

    Raises:
        RateLimited: the budget is used up.
        Unavailable: no searcher can answer it, or too many questions of the player wait already.
    """
    client, questions = client_of(request.raw), request.services.questions
    asker = Asker(client.key, request.player_id)
    try:
        # The request itself has been charged as one second.
        seconds = max(0, math.ceil(questions.seconds(asker, question, steps)) - 1)
        request.charge(seconds)
        request.keep(size)
        if questions.ask(asker, question):
            return
        request.services.rate_limiter.refund("analyse", request.player_id, seconds)
    except StoreUnavailable:
        pass
    raise Unavailable(retry_after_s=_BUSY_S)


def decisions_in(log: GameLog, number: int) -> int:
    """Return about how many decisions a round had."""
    return sum(event["round"] == number and action_of(event) is not None for event in log.events)


def _log_of(request: ApiRequest, game: str, number: int) -> GameLog:
    """Return the log of a game. Raise like `finished_log`, or NotFound if the game has no such round."""
    log = finished_log(request, game)
    if not any(event["type"] == "round_scored" and event["round"] == number for event in log.events):
        raise NotFound(what="round", round=number)
    return log


def _respond(
    request: ApiRequest, game: str, number: int, known: Analysis, ruleset: str, *, posted: bool = False
) -> Response:
    language = language_for(request.raw)
    done = len(known["decisions"])
    is_whole = is_ready(known)
    par = request.services.analyses.par(game, number)
    version = f"{done}.{language.lower().replace('-', '')}{'.par' if has_par(par) else ''}"
    headers = {**CACHE_CONTROL, "ETag": f'"{version}"'}
    if not is_whole:
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
        "status": "ready" if is_whole else "working",
        "level": known["level"],
        "done": done,
        "of": known["of"],
        "decisions": decisions,
    }
    if has_par(par):
        value["par"] = shown_par(par)
    return json_response(value, 202 if posted and not is_whole else 200, headers)
