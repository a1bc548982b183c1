"""Team events: teams meet in rounds started by a director, at two tables with the same cards."""

import re
from typing import Any, Final, TypedDict

from flask import Response

from service.accounts.kept_bytes import BY_HANDLER, NOTHING, NOTICE, SEASON_EVENT, TEAM_BOARD, TEAM_EVENT
from service.api import board_views
from service.api.http import pagination
from service.api.http.responses import json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource
from service.api.schemas import team_events as schemas
from service.game.errors import NotFound
from service.tournaments import forms
from service.tournaments.team_events import TeamEvent

resource: Final = Resource(
    "Events of teams",
    "Teams meet in the rounds of a tournament: a Swiss, a round robin or a knock-out, as `form` says. Both teams of a "
    "match play the same boards at two tables, once on each side, so that the luck of the cards does not count. A "
    "director creates the event and begins its rounds.",
)

#: Cost of an answer with all teams and rounds, and of one for which all boards are read.
COST: Final = 10
WHOLE_COST: Final = 50


class _Declared(TypedDict):
    """What the operations of directors and of teams declare alike."""

    response: schemas.TeamEvent
    budget: str
    cost: int
    scope: str


DIRECTED: Final[_Declared] = {
    "response": schemas.TeamEvent(),
    "budget": "act",
    "cost": COST,
    "scope": "tables:host",
}
PLAYED: Final[_Declared] = {**DIRECTED, "scope": "tables:play"}


# --- events -----------------------------------------------------------------------------------------------------------


@resource.operation(
    "GET",
    "/v1/team-events",
    query=schemas.TeamEventsQuery(),
    response=schemas.TeamEventList(),
    cost=COST,
    scope="games:read",
)
def list_team_events(request: ApiRequest) -> Response:
    """List events of teams.

    Those listed for everybody, and those that the caller directs or plays in, latest first. Of another director, the
    latest three of the last 60 days are shown. A page may show fewer than `limit`, or none, and still have a
    `next_cursor`.
    """
    player, now, query, before = request.player_id, request.services.tables.now(), request.query, None
    if "cursor" in query:
        at, event = pagination.decode_cursor(query["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = int(at), event
    team_events, last = request.services.team_events.newest(player, query["limit"], before)
    cursor = None if last is None else pagination.encode_cursor(f"{last[0]}:{last[1]}")
    return json_response(
        {"items": [board_views.listed(each, now, player) for each in team_events], "next_cursor": cursor}
    )


@resource.operation(
    "POST",
    "/v1/team-events",
    body=schemas.TeamEventSetup(),
    response=schemas.TeamEvent(),
    status=201,
    budget="create",
    address_budget="register",
    headers=(HEADER,),
    errors=("not-found", "club-role-needed", "invalid-option", "idempotency-key-reused", "too-many-events"),
    example={"name": "Spring Cup", "ruleset": "shengji", "players": 4, "rounds": 5, "boards": 4},
    scope="tables:host",
    keeps=BY_HANDLER,
)
def create_team_event(request: ApiRequest) -> Response:
    """Create an event of teams.

    The caller directs it: enters teams or lets them enter, begins each round, and rules on boards that cannot be
    played. Only rulesets with fixed teams are possible, unless it is an arena. `form` says who meets whom: in a
    `swiss`, teams with scores as close as possible; in a `round_robin`, everybody, in the order of Berger's tables; in
    a `knock_out`, who wins goes on. An event ends when the director closes it, or after 60 days. A player may direct
    ten at a time.
    With a `club`, which an owner or director names, only its members may enter; they get `club_event` on the stream of
    the account.
    """
    player, spec = request.player_id, dict(request.body)
    spec = {**spec, "options": spec.get("options", {}), "clock": spec.get("clock", {}), "is_listed": spec["listed"]}
    spec["ai_pace_ms"] = max(spec["ai_pace_ms"], request.services.settings.ai_pace_ms)

    club = spec.get("club")
    members = [] if club is None else request.services.clubs.led(player, club)["members"]

    def create() -> dict[str, Any]:
        request.keep((NOTICE * len(members) + SEASON_EVENT) if club is not None else NOTHING)
        request.keep(TEAM_EVENT + TEAM_BOARD * forms.chosen(spec)["rounds"] * spec["boards"])
        made = request.services.team_events.create(player, spec, id_once(request, "ev_"))
        if club is not None:
            request.services.meetings.announce(request.player, club, made)
        return {"event": made.event["id"]}

    event = run_once(request, player, create)["event"]
    answer = shown_event(request, request.services.team_events.event(event), 201)
    answer.headers["Location"] = f"/v1/team-events/{event}"
    return answer


@resource.operation("GET", "/v1/team-events/<event>", response=schemas.TeamEvent(), cost=COST, scope="games:read")
def get_team_event(request: ApiRequest, event: str) -> Response:
    """Read an event of teams.

    Its teams and rounds, and in `mine.table` where the caller plays now. That table is also on the caller's list of
    tables, and the stream of the account announces it: `seated`, then `turn`.
    """
    return shown_event(request, request.services.team_events.event(event))


@resource.operation("POST", "/v1/team-events/<event>/closing", errors=("not-director",), keeps=NOTHING, **DIRECTED)
def close_team_event(request: ApiRequest, event: str) -> Response:
    """Close an event of teams.

    Only its director may. An open round ends; boards that are not over do not count. Nothing can be changed afterwards.
    An event without a round expires ten minutes later.
    """
    return shown_event(request, request.services.director.close(event, request.player_id))


# --- for the other resources of events --------------------------------------------------------------------------------


def numbers_of(match: str) -> tuple[int, int]:
    """Return the numbers of the round and the pair of a match.

    Raises:
        NotFound: it is not the id of a match.
    """
    numbers = re.fullmatch(r"([1-9]\d?)-([1-9]\d{0,2})", match, re.ASCII)
    if numbers is None:
        raise NotFound(what="match", id=match)
    return int(numbers[1]), int(numbers[2])


def shown_event(request: ApiRequest, team_event: TeamEvent, status: int = 200) -> Response:
    """Return an event as the caller sees it."""
    services, player = request.services, request.player_id
    table = services.team_events.table_of(team_event, player)
    names, muted = _names_of_directors(request, team_event), request.player.get("muted", ())
    shown = board_views.whole(team_event, services.tables.now(), player, table, names, muted)
    return json_response(shown, status)


def _names_of_directors(request: ApiRequest, team_event: TeamEvent) -> dict[str, str]:
    """Return the names of those who direct an event or have written its notes."""
    progress, me = team_event.progress, request.player
    known = {**progress.get("former", {}), **progress.get("directors", {}), me["id"]: me["name"]}
    authors = {progress["director"], *(note["by"] for note in progress.get("notes", []))}
    return {**known, **request.services.referee.names_of(authors - known.keys())}
