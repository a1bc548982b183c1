"""Tables: creating, reading, changing and closing them."""

import re
import time
from typing import Any, Final, cast

from flask import Response

from service.accounts.kept_bytes import COMMAND, SETTINGS, TABLE
from service.api.http.documents import is_known
from service.api.http.problems import PreconditionRequired
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute, outcome_response
from service.api.schemas import tables as schemas
from service.api.schemas.events.envelope import Outcome
from service.api.schemas.view import View
from service.api.streams.messages import check_rights
from service.api.streams.reading import first_after
from service.api.visibility import Perspective
from service.api.waiting import following
from service.common.errors import InvalidRequest
from service.game.state.table_types import TableSpec
from service.game.state.types import State

resource: Final = Resource("Tables", "A table has seats and settings; games are played at it.")


@resource.operation(
    "POST",
    "/v1/tables",
    body=schemas.TableSetup(),
    response=View(),
    status=201,
    budget="create",
    address_budget="register",
    headers=(HEADER,),
    errors=("not-found", "invalid-option", "idempotency-key-reused", "too-many-tables"),
    example={"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}},
    scope="tables:host",
    keeps=TABLE,
)
def create_table(request: ApiRequest) -> Response:
    """Create a table.

    The caller becomes its host, and needs another request to take a seat. A player may host a limited number of tables
    at a time (`limits.host_tables` in `GET /v1`), not counting those whose game is over. Others need the `join_code` in
    the response to sit down at a private table; those of a `club` need none. At a sandbox, the caller has a seat and
    the game has begun.
    """
    services, player = request.services, request.player_id
    club = request.body.get("club")
    if club is not None:
        services.clubs.of(player, club)

    done: list[State] = []

    def create() -> dict[str, Any]:
        table = id_once(request, "tb_")
        done.append(services.hosting.open(request.player, cast("TableSpec", request.body), table))
        if club is not None:
            services.meetings.note_table(club, table)
        return {"table": done[0]["id"]}

    created = run_once(request, player, create)
    # A retry gets the current table. Before 0.3.0 the view was stored.
    state = done[0] if done else services.tables.load(created.get("table") or created["view"]["id"])
    perspective = Perspective.of(services.tables, state, player)
    headers = {"Location": f"/v1/tables/{state['id']}", "ETag": perspective.etag}
    return json_response(perspective.view(), 201, headers)


@resource.operation(
    "GET",
    "/v1/tables/<table>",
    query=schemas.ViewQuery(),
    response=View(),
    headers=("If-None-Match",),
    other_statuses={304: "The table has not changed since the ETag. Charged to `poll`."},
    errors=("private-table", "no-spectators", "too-many-streams"),
    scope="tables:read",
)
def get_table(request: ApiRequest, table: str) -> Response:
    """Read a table.

    As the caller may see it: players see what their seat sees, spectators see a running game with the spectator delay.
    With `If-None-Match`, an unchanged table is answered with 304; `server_time` and `remaining_ms` do not count as
    changes. With `wait` as well, the answer comes as soon as the table changes.
    """
    services = request.services
    perspective = Perspective.load(services, table, request.player_id)
    services.presence.acted(perspective.table, request.player_id)
    if services.presence.settle(perspective.table)["version"] != perspective.version:
        perspective = Perspective.load(services, table, request.player_id)
    wait = request.query.get("wait")
    if wait and is_known(request.raw, perspective.etag):
        perspective = _wait_for_change(request, perspective, time.monotonic() + wait)
    headers = {"ETag": perspective.etag}
    if is_known(request.raw, perspective.etag):
        request.refund()
        return empty_response(304, headers)
    return json_response(perspective.view(), headers=headers)


def _wait_for_change(request: ApiRequest, perspective: Perspective, until: float) -> Perspective:
    """Return the perspective on the table as soon as it differs from the client's, or at the timeout."""
    services, table = request.services, perspective.table["id"]
    with following(request, perspective) as follower:
        while True:
            check_rights(services, follower)
            perspective = Perspective.load(services, table, request.player_id)
            left = until - time.monotonic()
            if left <= 0 or not is_known(request.raw, perspective.etag):
                return perspective
            if not perspective.is_current:
                for hidden in first_after(services, table, perspective.version):
                    services.feeds.remind(table, hidden)
            follower.wait_for_frame(left)


@resource.operation(
    "PATCH",
    "/v1/tables/<table>",
    body=schemas.TableChanges(),
    response=Outcome(),
    budget="act",
    headers=("If-Match",),
    errors=("not-host", "game-running", "wrong-phase", "version-mismatch", "precondition-required", "invalid-option"),
    example={"visibility": "public", "clock": {"play_ms": 60000}},
    scope="tables:host",
    keeps=SETTINGS,
)
def update_table(request: ApiRequest, table: str) -> Response:
    """Change options or settings.

    Only the host may, before the game or between games; between the rounds of a game, only `clock`, `ai_pace_ms` and
    `takeover_level`. After a change of the clock, of options or of start levels, or if spectators will see all hands,
    the others must be ready again. `If-Match` carries the ETag of the table as the host last read it.
    """
    header = request.raw.headers.get("If-Match")
    if header is None:
        raise PreconditionRequired
    command = {
        "type": "settings",
        "player": request.player_id,
        "changes": request.services.hosting.with_pace(cast("TableSpec", request.body)),
        "version": _version_of(header.strip()),
    }
    outcome = request.services.tables.act(table, command)
    request.services.tables.reserve_codes(outcome.state)
    return outcome_response(request, outcome)


def _version_of(if_match: str) -> int | None:
    """Return the version in an `If-Match` header; None for `*`, any version.

    Raises:
        InvalidRequest: reason `header`.
    """
    if if_match == "*":
        return None
    match = re.fullmatch(r'(?:W/)?"(\d{1,15})\.\w+"', if_match, re.ASCII)
    if match is None:
        raise InvalidRequest(reason="header", header="If-Match", example='"481.2"')
    return int(match[1])


@resource.operation(
    "DELETE",
    "/v1/tables/<table>",
    response=Outcome(),
    budget="act",
    errors=("not-host", "game-running"),
    scope="tables:host",
    keeps=COMMAND,
)
def close_table(request: ApiRequest, table: str) -> Response:
    """Close a table.

    Only the host may. A running game ends as abandoned and is not rated. If others have a say in that, it is refused
    with `game-running`: open a vote to `abandon` the game first. A closed table can only be read and left, and expires
    after two days.
    """
    return execute(request, table, "close")
