"""Finding a table: public ones in the lobby, private ones by their codes."""

from collections import Counter
from contextlib import AbstractContextManager, suppress
from typing import Final

from flask import Response

from service.accounts.kept_bytes import ENTRY
from service.api.http import pagination
from service.api.http.guesses import guess
from service.api.http.rate_limits import client_of
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource, charge_failure
from service.api.schemas import tables as schemas
from service.api.schemas.view import View
from service.api.visibility import Perspective, private_refusal
from service.common import typed
from service.common.errors import Refusal
from service.game.errors import NotFound, PrivateTable
from service.game.ids import CODE, CODE_LENGTH
from service.game.state.queries import is_board, seat_of
from service.game.state.rules import chosen_options
from service.game.state.settings import correspondence_of
from service.game.state.table_types import Settings
from service.game.state.types import State
from service.game.views.fields import codes_of, codes_shown, fields, timestamp
from service.store.port import Listed

resource: Final = Resource(
    "Lobby",
    "Finding a table: a public one in the list, a private one by its code. A join code lets people sit down, a watch "
    "code lets them watch.",
)

_COST: Final = 20
#: Length of the codes of tables that earlier releases have made.
_EARLIER_LENGTH: Final = 6


@resource.operation(
    "GET",
    "/v1/tables",
    query=schemas.LobbyQuery(),
    response=schemas.Lobby(),
    cost=_COST,
    scope="tables:read",
)
def list_tables(request: ApiRequest) -> Response:
    """List public tables.

    Newest first: those with a free seat, unless all who sit there are away, or with `status=playing` those whose
    running game may be watched. A page that shows fewer tables than `limit`, or none, may still have a `next_cursor` if
    few tables pass the filters.
    """
    tables, query = request.services.tables, request.query
    before = None
    if "cursor" in query:
        at, table = pagination.decode_cursor(query["cursor"], rf"{query['status']}:(\d{{1,15}}):(\w{{1,60}})").groups()
        before = Listed(int(at), table)
    states, last = request.services.lobby.page(
        request.player_id,
        lambda state: _passes(state, query),
        query["limit"],
        before,
        watchable=query["status"] == "playing",
    )
    items = [lobby_table(Perspective.of(tables, state, request.player_id)) for state in states]
    cursor = None if last is None else pagination.encode_cursor(f"{query['status']}:{last.at}:{last.table}")
    return json_response({"items": items, "next_cursor": cursor})


def _passes(state: State, query: dict[str, object]) -> bool:
    kinds = _kinds(state)
    return (
        query.get("ruleset") in (None, state["ruleset"])
        and query.get("players") in (None, state["players"])
        and query.get("pace") in (None, "seconds" if correspondence_of(state) is None else "days")
        and state["players"] - kinds.total() >= int(str(query.get("free", 0)))
        and ("kind" not in query or kinds[str(query["kind"])] > 0)
    )


def _kinds(state: State) -> Counter[str]:
    """Count the occupants of a table by kind."""
    return Counter(seat["occupant"]["kind"] for seat in state["seats"] if seat["occupant"])


def lobby_table(perspective: Perspective) -> dict[str, object]:
    """Return the public data of a table: occupants and settings, but nothing of its game."""
    state = perspective.table
    occupants = [seat["occupant"] for seat in state["seats"] if seat["occupant"]]
    kinds = _kinds(state)
    return {
        "table": state["id"],
        "ruleset": state["ruleset"],
        "players": state["players"],
        "status": state["status"],
        "taken": len(occupants),
        "free": state["players"] - len(occupants),
        "names": [occupant["name"] for occupant in occupants],
        "humans": kinds["human"],
        "bots": kinds["bot"],
        "ais": kinds["ai"],
        "practice": state["settings"]["seed"] is not None,
        "created_at": timestamp(state["created_at"]),
        "version": perspective.version,
        **({} if (hours := correspondence_of(state)) is None else {"correspondence": hours}),
        **fields(state["settings"], ("length",)),
    }


def _caller_of(request: ApiRequest) -> str:
    """Return the caller's id if the request has a valid token, else ""."""
    if "HTTP_AUTHORIZATION" in request.raw.environ:
        with suppress(Refusal):
            return request.services.authenticator.caller(request.raw.environ["HTTP_AUTHORIZATION"]).player["id"]
    return ""


# --- codes ---------------------------------------------------------------------------------------------------------


def wrong_with(code: str) -> dict[str, object]:
    """Return what one can see to be wrong with a code of a table; see `typed.fault`."""
    # Codes of tables of earlier releases are shorter.
    length = len(code) if len(code) == _EARLIER_LENGTH else CODE_LENGTH
    return typed.fault(code, CODE, length)


def _guess(request: ApiRequest, wrong: type[Refusal]) -> AbstractContextManager[None]:
    services = request.services
    return guess(services.rate_limiter, services.metrics, "table", client_of(request.raw), wrong=wrong)


def _grants(settings: Settings) -> dict[str, str]:
    """Return code -> what it is for, at an open table."""
    if settings["closed"]:
        return {}
    names = {"join_code": "seat", "watch_code": "watch"}
    former = dict.fromkeys(settings.get("former_codes", ()), "seat")
    return former | {code: names[name] for name, code in codes_shown(settings).items()}


@resource.operation("GET", "/v1/join-codes/<code:code>", response=schemas.TablePreview(), auth=None)
def get_join_code(request: ApiRequest, code: str) -> Response:
    """Look up a code.

    Shows the table to which a join code or a watch code leads, before one sits down there. No token is needed, so that
    a link with a code works for people who have not registered yet; with a token, only codes that would work for the
    caller are found. `grants` says what the code is for. A code works for a week after it was last looked up, as long
    as its table exists.
    """
    tables = request.services.tables
    wanted = typed.code(code)
    with _guess(request, NotFound):
        state = tables.of_code(wanted)
        codes = _grants(state["settings"]) if state is not None else {}
        # Nobody joins a board, and its status would tell that it has been played.
        is_hidden = state is not None and (
            is_board(state) or request.services.people.is_barred(_caller_of(request), state)
        )
        if state is None or wanted not in codes or is_hidden:
            charge_failure(request.services, request.raw)
            raise NotFound(**{"what": "code", "id": code, "reason": "unknown_code", **wrong_with(wanted)})
    perspective = Perspective.of(tables, state, "")
    preview = {
        **lobby_table(perspective),
        "grants": codes[wanted],
        "options": chosen_options(state),
    }
    return json_response(preview)


@resource.operation(
    "PUT",
    "/v1/tables/<table>/watchers/me",
    body=schemas.Watching(),
    response=View(),
    budget="act",
    errors=("private-table", "no-spectators"),
    example={"watch_code": "K7PQ2M9X"},
    scope="tables:read",
    keeps=ENTRY,
)
def watch_table(request: ApiRequest, table: str) -> Response:
    """Watch a private table.

    Takes the watch code, which players and host find in their view and can pass on to guests. From then on the caller
    may read the table and its events, like a spectator of a public table: a running game with the spectator delay. The
    host ends this with `spectators: off`; after that the table has another code. If the caller may watch anyway, the
    code does not matter.
    """
    tables, player = request.services.tables, request.player_id
    state = tables.load(table)
    settings = state["settings"]
    barred = request.services.people.is_barred(player, state)
    is_private = settings["visibility"] == "private" or barred
    if is_private and seat_of(state, player) is None and state["host"] != player:
        wanted, sent = codes_of(settings).get("watch_code"), request.body["watch_code"]
        if settings["spectators"] == "off" or is_board(state):
            raise private_refusal(state)
        with _guess(request, PrivateTable):
            if sent != wanted or barred:
                charge_failure(request.services, request.raw)
                raise PrivateTable(reason="wrong_watch_code")
        tables.add_watcher(table, sent, player)
    perspective = Perspective.load(request.services, table, player)
    return json_response(perspective.view(), headers={"ETag": perspective.etag})
