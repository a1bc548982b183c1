"""Rulings and penalties of directors, and the log that tells of them."""

import sys
from typing import Final

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, RULING
from service.api import board_views
from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.team_events import COST, DIRECTED, numbers_of, shown_event
from service.api.schemas import team_events as schemas
from service.api.schemas.common import Page
from service.tournaments import teams
from service.tournaments.directing import acts

resource: Final = Resource(
    "Rulings",
    "What directors decide in events of teams: boards, matches and penalties; and the log of all that they have done.",
)

_ERRORS: Final = ("event-closed", "not-director", "own-team")


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/boards/<int:n>/ruling",
    body=schemas.RulingChange(),
    errors=_ERRORS,
    example={"steps": 3, "reason": "Wrong seats in the second room"},
    keeps=RULING,
    **DIRECTED,
)
def rule_on_board(request: ApiRequest, event: str, match: str, n: int) -> Response:
    """Decide what a board counts.

    Only a director may, with a reason that everybody can read once the round is over, and not about their own team. The
    ruling counts instead of what was played. `n` is the number of the board in the event.
    """
    body, where = request.body, (*numbers_of(match), n)
    return shown_event(request, request.services.referee.rule(event, where, body, body["reason"], request.player_id))


@resource.operation(
    "DELETE",
    "/v1/team-events/<event>/matches/<match>/boards/<int:n>/ruling",
    errors=_ERRORS,
    keeps=RULING,
    **DIRECTED,
)
def take_back_ruling(request: ApiRequest, event: str, match: str, n: int) -> Response:
    """Withdraw the ruling on a board.

    Only a director may. The board then counts as it was played. Succeeds even if there is no ruling.
    """
    where = (*numbers_of(match), n)
    return shown_event(request, request.services.referee.rule(event, where, None, "", request.player_id))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/matches/<match>/ruling",
    body=schemas.RulingChange(),
    errors=_ERRORS,
    example={"awards": ["forfeit", "forfeit"], "reason": "Nobody came"},
    keeps=BY_HANDLER,
    **DIRECTED,
)
def rule_on_match(request: ApiRequest, event: str, match: str) -> Response:
    """Decide what all boards of a match count.

    Only a director may. Each board counts what the ruling says, as if it were decided for each. So both sides can
    forfeit a match that nobody has played.
    """
    body, where = request.body, numbers_of(match)
    boards = request.services.team_events.event(event).event["teams"]["boards"]
    request.keep(RULING * (1 + boards))
    return shown_event(request, request.services.referee.rule(event, where, body, body["reason"], request.player_id))


@resource.operation(
    "PUT",
    "/v1/team-events/<event>/teams/<team>/penalty",
    body=schemas.PenaltyChange(),
    errors=_ERRORS,
    example={"amount": 150, "reason": "Late for the second time"},
    keeps=RULING,
    **DIRECTED,
)
def penalize_team(request: ApiRequest, event: str, team: str) -> Response:
    """Give a team a penalty.

    Only a director may, not to their own team, and only where `ranks` of the event have `victory_points` or, of pairs
    and players, `percent`. It is taken off these in the standings, in place of the penalty before.
    """
    body, referee = request.body, request.services.referee
    return shown_event(request, referee.penalize(event, team, body["amount"] / 100, body["reason"], request.player_id))


@resource.operation(
    "POST",
    "/v1/team-events/<event>/undo",
    body=schemas.UndoneAct(),
    errors=(*_ERRORS, "not-the-last-ruling"),
    example={"act": 7, "reason": "It was the other board"},
    keeps=RULING,
    **DIRECTED,
)
def undo_ruling(request: ApiRequest, event: str) -> Response:
    """Take back the last ruling or penalty.

    Only a director may. What it has replaced counts again. `act` is `undo` of the log, so that two directors do not
    take back two; a retry takes back nothing more. Both stay in the log.
    """
    body, referee = request.body, request.services.referee
    return shown_event(request, referee.undo(event, body["act"], body["reason"], request.player_id))


@resource.operation(
    "GET",
    "/v1/team-events/<event>/log",
    query=Page(),
    response=schemas.LogOfEvent(),
    cost=COST,
    scope="games:read",
)
def get_log_of_team_event(request: ApiRequest, event: str) -> Response:
    """Read what directors have done.

    The latest 200 acts, with reasons. What a ruling on a round that is not over counts, and why, only directors see.
    """
    services, query = request.services, request.query
    team_event = services.team_events.event(event)
    before = sys.maxsize
    if "cursor" in query:
        before = int(pagination.decode_cursor(query["cursor"], r"(\d{1,9})")[1])
    known = [act for act in reversed(team_event.progress.get("acts", [])) if act["number"] < before]
    page = known[: query["limit"]]
    names = services.referee.names_of({player for act in page for player in (act["by"], act.get("player"))})
    last, directs = acts.to_undo(team_event.progress), teams.directs(team_event.progress, request.player_id)
    return json_response(
        {
            "items": [board_views.act_of(team_event, act, directs=directs, names=names) for act in page],
            "undo": None if last is None else last["number"],
            "next_cursor": pagination.encode_cursor(str(page[-1]["number"])) if len(known) > len(page) else None,
        }
    )
