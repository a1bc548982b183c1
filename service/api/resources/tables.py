"""Tables: making, finding, reading, changing and closing them."""

import hashlib
import re
from typing import Any, Final

from flask import Response

from service.api.http import pagination
from service.api.http.idempotency import HEADER, key_of, once, request_digest
from service.api.http.operations import Call, Resource
from service.api.http.problems import PreconditionRequired
from service.api.http.responses import no_content, reply
from service.api.rendering import act, etag, is_behind, may_see, outcome_of, table_view
from service.api.schemas import tables as schemas
from service.api.schemas.events import Outcome
from service.api.schemas.view import View
from service.errors import InvalidRequest
from service.game.commands.creation import new_id
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.store.port import Listed

resource: Final = Resource("Tables", "A table has seats and settings; games are played at it.")

#: Tables that one page of the lobby looks at, whatever of them it shows.
_MOST_LOOKED_AT: Final = 200


@resource.operation(
    "POST",
    "/v1/tables",
    takes=schemas.NewTable(),
    gives=View(),
    status=201,
    budget="create",
    headers=(HEADER,),
    errors=("invalid-option", "idempotency-key-reused"),
    example={"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}},
)
def create_table(call: Call) -> Response:
    """Make a table.

    The caller becomes its host, and takes a seat with the next request if they want to play. `join_code` in the answer
    is what lets others sit down at a private table.
    """
    services, player = call.services, call.player["id"]

    def do() -> dict[str, Any]:
        state = services.tables.create(call.player, call.body, _id_for(call, player)).state
        services.players.add_table(player, state["id"], services.tables.now())
        return {"view": table_view(state, player, None, services.tables.now())}

    seen = once(call, player, do)["view"]
    headers = {"Location": f"/v1/tables/{seen['id']}", "ETag": etag(seen["version"], None)}
    return reply(seen, 201, headers)


def _id_for(call: Call, player: str) -> str | None:
    """Return the id of the table that a request with a key makes, or None.

    The key determines it, so that a retry after a crash between making the table and recording the answer makes no
    second one.
    """
    key = key_of(call)
    if key is None:
        return None
    told = hashlib.sha256(f"{player}:{key}:{request_digest(call)}".encode()).digest()
    return new_id("tb_", lambda size: told[:size])


@resource.operation("GET", "/v1/tables", asks=schemas.LobbyQuery(), gives=schemas.Lobby())
def list_tables(call: Call) -> Response:
    """Find a table: the lobby.

    Public tables with a free seat, the newest first.
    """
    store, wanted = call.services.tables.store, call.query
    before = None
    if "cursor" in wanted:
        at, table = pagination.read(wanted["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = Listed(int(at), table)
    entries = store.listed(_MOST_LOOKED_AT, before)
    items: list[dict[str, Any]] = []
    last = None
    for entry in entries:
        if len(items) == wanted["limit"]:
            break
        last = entry
        stored = store.load(entry.table)
        if stored is None:
            store.delete(entry.table)
        elif wanted.get("ruleset") in (None, stored.state["ruleset"]):
            items.append(_lobby_table(stored.state))
    more = last is not None and (last != entries[-1] or len(entries) == _MOST_LOOKED_AT)
    return reply(
        {"items": items, "next_cursor": pagination.written(f"{last.at}:{last.table}") if more and last else None}
    )


def _lobby_table(state: State) -> dict[str, Any]:
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
    gives=View(),
    headers=("If-None-Match",),
    statuses={304: "The table is as the ETag says. Costs nothing."},
    errors=("private-table",),
)
def get_table(call: Call, table: str) -> Response:
    """Read a table.

    The view of the caller: what a player on that seat could see. Who watches a game sees it as it was some time ago.
    With `If-None-Match` an unchanged table is answered with 304; times (`server_time`, `remaining_ms`) do not count as
    a change.
    """
    tables, player = call.services.tables, call.player["id"]
    state = tables.load(table)
    viewer = may_see(state, player)
    behind = is_behind(state, player, viewer)
    tag = etag(tables.watched_version(state) if behind else state["version"], viewer)
    asked = call.request.headers.get("If-None-Match")
    if asked is not None and tag in _tags(asked):
        call.costs_nothing()
        return no_content(304, {"ETag": tag})
    seen = table_view(tables.as_watched(state) if behind else state, player, viewer, tables.now())
    return reply(seen, headers={"ETag": tag})


def _tags(header: str) -> list[str]:
    """Return the ETags of a precondition; proxies that compress make strong ones weak, which must not matter."""
    return re.findall(r'"[^"]*"', header)


@resource.operation(
    "PATCH",
    "/v1/tables/<table>",
    takes=schemas.TableChanges(),
    gives=Outcome(),
    budget="act",
    headers=("If-Match",),
    errors=("not-host", "game-running", "wrong-phase", "version-mismatch", "precondition-required", "invalid-option"),
    example={"visibility": "public", "clock": {"play_ms": 60000}},
)
def update_table(call: Call, table: str) -> Response:
    """Change options or settings.

    For the host, before the start or between games. `If-Match` names the ETag of the table as the host saw it.
    """
    asked = call.request.headers.get("If-Match")
    if asked is None:
        raise PreconditionRequired
    found = re.fullmatch(r'(?:W/)?"(\d{1,15})\.\w+"', asked.strip(), re.ASCII)
    if found is None:
        raise InvalidRequest(reason="header", header="If-Match", example='"481.2"')
    command = {"type": "settings", "player": call.player["id"], "changes": call.body, "version": int(found[1])}
    return outcome_of(call, call.services.tables.act(table, command))


@resource.operation("DELETE", "/v1/tables/<table>", gives=Outcome(), budget="act", errors=("not-host", "game-running"))
def close_table(call: Call, table: str) -> Response:
    """Close a table.

    For the host. A game with other people in it is not closed over their heads.
    """
    return act(call, table, "close")
