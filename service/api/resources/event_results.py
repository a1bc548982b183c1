"""What has been played in an event of teams: its matches, standings, and the export of both."""

from typing import Final

from flask import Response

from service.api import board_views
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.resources.team_events import COST, WHOLE_COST, numbers_of
from service.api.schemas import team_events as schemas
from service.api.waiting import wants
from service.common import fastjson

_CSV: Final = "text/csv"

resource: Final = Resource(
    "Results of events",
    "What has been played in an event of teams, and the standings that follow.",
)


@resource.operation(
    "GET",
    "/v1/team-events/<event>/matches/<match>",
    response=schemas.TeamMatch(),
    cost=COST,
    errors=("not-finished",),
    scope="games:read",
)
def get_team_match(request: ApiRequest, event: str, match: str) -> Response:
    """Read a match.

    Available once its round is over: the results of both rooms on each board, with the games for replays and the seeds
    of the deals. Until then they are hidden, even from those who have played them.
    """
    team_event, played = request.services.team_events.match(event, *numbers_of(match))
    return json_response(board_views.match_of(team_event, played))


@resource.operation(
    "GET",
    "/v1/team-events/<event>/standings",
    response=schemas.TeamStandings(),
    cost=COST,
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag."},
    scope="games:read",
)
def get_team_standings(request: ApiRequest, event: str) -> Response:
    """Read the standings of teams.

    After the rounds that are over; of an arena, after the tables that are. The steps of a match are converted to 20
    victory points, divided between both teams.
    With `If-None-Match`, unchanged standings are answered with 304.
    """
    services = request.services
    team_event = services.team_events.event(event)

    def body() -> bytes:
        rows = services.team_events.rows(*team_event)
        over = sum(entry["is_scored"] for entry in team_event.progress["rounds"])
        items = [board_views.standing(team_event, row, is_whole=False) for row in rows]
        return fastjson.dumps({"rounds": over, "items": items, "next_cursor": None})

    return services.standings.of(event, team_event.progress["version"], body).response(request.raw)


@resource.operation(
    "GET",
    "/v1/team-events/<event>/results",
    response=schemas.TeamResults(),
    cost=WHOLE_COST,
    headers=("Accept",),
    media_types={_CSV: "A line for each board of each match, with a heading (RFC 4180, UTF-8)."},
    scope="games:read",
)
def export_team_results(request: ApiRequest, event: str) -> Response:
    """Export the results of teams.

    Standings, and all boards of the rounds that are over. `Accept: text/csv` returns the boards as a table.
    """
    services = request.services.team_events
    team_event, rows = services.standings(event)
    matches = services.matches(*team_event)
    if wants(request.raw, _CSV):
        return Response(board_views.as_csv(team_event, matches), content_type=f"{_CSV}; charset=utf-8")
    now = request.services.tables.now()
    return json_response(
        {
            "event": board_views.summary(team_event, now),
            "rounds": [each for each in board_views.played(team_event, now) if each["status"] == "over"],
            "standings": [board_views.standing(team_event, row) for row in rows],
            "matches": [board_views.match_of(team_event, each) for each in matches],
        }
    )
