"""Tables: creating, finding, reading, changing and closing them."""

import hashlib
import re
from typing import Any, Final

from flask import Response

from service.api.http import pagination
from service.api.http.problems import PreconditionRequired
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, idempotency_key, request_digest, run_once
from service.api.operations import ApiRequest, Resource
from service.api.outcomes import execute, outcome_response
from service.api.schemas import tables as schemas
from service.api.schemas.events import Outcome
from service.api.schemas.view import View
from service.api.visibility import Perspective, etag
from service.errors import InvalidRequest
from service.game.ids import new_id
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.store.port import Listed

resource: Final = Resource("Tables", "A table has seats and settings; games are played at it.")

#: Tables that one page of the lobby examines, however many of them it shows.
_MAX_EXAMINED: Final = 200


@resource.operation(
    "POST",
    "/v1/tables",
    body=schemas.NewTable(),
    response=View(),
    status=201,
    budget="create",
    headers=(HEADER,),
    errors=("invalid-option", "idempotency-key-reused"),
    example={"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}},
)
def create_table(request: ApiRequest) -> Response:
    """Create a table.

    The caller becomes its host, and needs another request to take a seat. Others need the `join_code` in the response
    to sit down at a private table.
    """
    services, player = request.services, request.player_id

    def create() -> dict[str, Any]:
        state = services.tables.create(request.player, request.body, _table_id(request)).state
        services.players.add_table(player, state["id"], services.tables.now())
        return {"view": Perspective.of(services.tables, state, player).view()}

    view = run_once(request, player, create)["view"]
    headers = {"Location": f"/v1/tables/{view['id']}", "ETag": etag(view["version"], None)}
    return json_response(view, 201, headers)


def _table_id(request: ApiRequest) -> str | None:
    """Return the id of the table that a request with an idempotency key creates, or None without a key.

    The id is derived from the key: a retry after a crash between creating the table and recording the response creates
    no second table.
    """
    key = idempotency_key(request)
    if key is None:
        return None
    digest = hashlib.sha256(f"{request.player_id}:{key}:{request_digest(request)}".encode()).digest()
    return new_id("tb_", lambda size: digest[:size])


@resource.operation("GET", "/v1/tables", query=schemas.LobbyQuery(), response=schemas.Lobby())
def list_tables(request: ApiRequest) -> Response:
    """List the tables of the lobby.

    Public tables with a free seat, newest first.
    """
    store, query = request.services.tables.store, request.query
    before = None
    if "cursor" in query:
        at, table = pagination.decode_cursor(query["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = Listed(int(at), table)
    entries = store.listed(_MAX_EXAMINED, before)
    items: list[dict[str, object]] = []
    last = None
    for entry in entries:
        if len(items) == query["limit"]:
            break
        last = entry
        stored = store.load(entry.table)
        if stored is None:
            store.delete(entry.table)
        elif query.get("ruleset") in (None, stored.state["ruleset"]):
            items.append(_lobby_table(stored.state))
    more = last is not None and (last != entries[-1] or len(entries) == _MAX_EXAMINED)
    cursor = pagination.encode_cursor(f"{last.at}:{last.table}") if more and last else None
    return json_response({"items": items, "next_cursor": cursor})


def _lobby_table(state: State) -> dict[str, object]:
    occupants = [seat["occupant"] for seat in state["seats"] if seat["occupant"]]
    return {
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "taken": len(occupants),
        "names": [occupant["name"] for occupant in occupants],
        "practice": state["settings"]["seed"] is not None,
        "created_at": timestamp(state["created_at"]),
        "version": state["version"],
    }


@resource.operation(
    "GET",
    "/v1/tables/<table>",
    response=View(),
    headers=("If-None-Match",),
    other_statuses={304: "The table has not changed since the ETag. Free of charge."},
    errors=("private-table",),
)
def get_table(request: ApiRequest, table: str) -> Response:
    """Read a table.

    As the caller may see it: players see what they could see from their seat, spectators see a running game with the
    spectator delay. With `If-None-Match`, an unchanged table is answered with 304; `server_time` and `remaining_ms` do
    not count as changes.
    """
    perspective = Perspective.load(request.services.tables, table, request.player_id)
    headers = {"ETag": perspective.etag}
    # Weak comparison (RFC 9110): proxies that compress turn strong ETags into weak ones.
    if perspective.etag.strip('"') in request.raw.if_none_match.as_set(include_weak=True):
        request.refund()
        return empty_response(304, headers)
    return json_response(perspective.view(), headers=headers)


@resource.operation(
    "PATCH",
    "/v1/tables/<table>",
    body=schemas.TableChanges(),
    response=Outcome(),
    budget="act",
    headers=("If-Match",),
    errors=("not-host", "game-running", "wrong-phase", "version-mismatch", "precondition-required", "invalid-option"),
    example={"visibility": "public", "clock": {"play_ms": 60000}},
)
def update_table(request: ApiRequest, table: str) -> Response:
    """Change options or settings.

    By the host, before the game or between games. `If-Match` carries the ETag of the table as the host last read it.
    """
    header = request.raw.headers.get("If-Match")
    if header is None:
        raise PreconditionRequired
    match = re.fullmatch(r'(?:W/)?"(\d{1,15})\.\w+"', header.strip(), re.ASCII)
    if match is None:
        raise InvalidRequest(reason="header", header="If-Match", example='"481.2"')
    command = {"type": "settings", "player": request.player_id, "changes": request.body, "version": int(match[1])}
    return outcome_response(request, request.services.tables.act(table, command))


@resource.operation(
    "DELETE", "/v1/tables/<table>", response=Outcome(), budget="act", errors=("not-host", "game-running")
)
def close_table(request: ApiRequest, table: str) -> Response:
    """Close a table.

    By the host. During a game only if the host alone could end it by a vote.
    """
    return execute(request, table, "close")
