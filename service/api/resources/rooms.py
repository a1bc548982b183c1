"""Rooms: people who play together again and again. In the code a room is a circle."""

from contextlib import AbstractContextManager, suppress
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import ENTRY, NOTHING, NOTICE, ROOM, TABLE
from service.api.http.guesses import guess
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource, charge_failure
from service.api.resources.lobby import lobby_table
from service.api.schemas import rooms as schemas
from service.api.visibility import Perspective
from service.circles.circles import LINK_LENGTH, MOST_MEMBERS, Person
from service.common import typed
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.ids import CODE
from service.game.state.occupants import shown_of
from service.game.state.settings import CLOCK_DEFAULTS
from service.game.views.fields import timestamp
from service.store.matchmaking.circles import Circle, LinkKind

resource: Final = Resource(
    "Rooms",
    "A room stays: people who play together, with a name, rules, and links that work for as long as it exists. One "
    "link is for those who play, one for those who only watch. Others do not learn that the room exists.",
)


def _code_of(request: ApiRequest, code: str) -> str:
    """Return the code as it was meant; refuse what cannot be one, which is no guess."""
    wanted = typed.code(code)
    if wrong := typed.fault(wanted, CODE, LINK_LENGTH):
        charge_failure(request.services, request.raw)
        raise NotFound(**{"what": "code", "id": code, "reason": "unknown_code", **wrong})
    return wanted


def _guess(request: ApiRequest) -> AbstractContextManager[None]:
    services = request.services
    return guess(services.rate_limiter, services.metrics, "room", client_of(request.raw), wrong=NotFound)


def _unknown(request: ApiRequest, code: str) -> NotFound:
    charge_failure(request.services, request.raw)
    return NotFound(what="code", id=code, reason="unknown_code")


@resource.operation(
    "POST",
    "/v1/rooms",
    body=schemas.RoomSetup(),
    response=schemas.Room(),
    status=201,
    budget="create",
    address_budget="register",
    headers=(HEADER,),
    errors=("invalid-option", "idempotency-key-reused", "too-many-rooms"),
    example={"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}},
    scope="tables:host",
    keeps=ROOM,
)
def create_room(request: ApiRequest) -> Response:
    """Make a room.

    The caller becomes its host. `links.member` is the code of the link for those who play, `links.watcher` that for
    those who only watch. A player may belong to 30 rooms; 24 people can play in one, and as many watch. A room that
    nobody has used for 400 days is deleted, or for 30 if it never had a table.
    """
    services, body = request.services, request.body

    def create() -> dict[str, Any]:
        made = services.circles.create(request.player_id, body["name"], body["rules"], id_once(request, "rm_"))
        return {"room": made["id"]}

    room = run_once(request, request.player_id, create)["room"]
    return json_response(_shown(request, room), 201, {"Location": f"/v1/rooms/{room}"})


@resource.operation("GET", "/v1/me/rooms", response=schemas.Rooms(), cost=50, scope="tables:read")
def list_my_rooms(request: ApiRequest) -> Response:
    """List my rooms.

    Those where I play or watch, the latest joined first.
    """
    items = [_room(request, circle) for circle in request.services.circles.mine(request.player_id)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation("GET", "/v1/rooms/<room>", response=schemas.Room(), scope="tables:read")
def get_room(request: ApiRequest, room: str) -> Response:
    """Read a room.

    Only for those who belong to it.
    """
    return json_response(_shown(request, room))


@resource.operation(
    "PATCH",
    "/v1/rooms/<room>",
    body=schemas.RoomChanges(),
    response=schemas.Room(),
    budget="act",
    errors=("not-host", "invalid-option", "name-held"),
    example={"name": "Saturday"},
    scope="tables:host",
    keeps=NOTHING,
)
def update_room(request: ApiRequest, room: str) -> Response:
    """Change the name or the rules of a room.

    Only its host may. New rules count from the next table on.
    """
    return json_response(_room(request, request.services.circles.change(request.player_id, room, request.body)))


@resource.operation(
    "PUT",
    "/v1/rooms/<room>/host",
    body=schemas.ChosenHost(),
    response=schemas.Room(),
    budget="act",
    errors=("not-host",),
    example={"player": "pl_7mq2x5k3d4na"},
    scope="tables:host",
    keeps=NOTHING,
)
def pass_room_on(request: ApiRequest, room: str) -> Response:
    """Make somebody else the host of a room.

    Somebody who plays there; I go on playing there. Only its host may.
    """
    circles = request.services.circles
    return json_response(_room(request, circles.pass_on(request.player_id, room, request.body["player"])))


@resource.operation(
    "POST",
    "/v1/rooms/<room>/links/<link>",
    response=schemas.Room(),
    budget="create",
    errors=("not-host",),
    scope="tables:host",
    keeps=NOTHING,
)
def renew_room_link(request: ApiRequest, room: str, link: str) -> Response:
    """Renew a link of a room.

    `link` is `member` or `watcher`. The old link leads nowhere from now on; whoever has joined by it stays. Only the
    host may.
    """
    if link not in schemas.LINKS:
        raise NotFound(what="link", id=link)
    kind: LinkKind = "member" if link == "member" else "watcher"
    return json_response(_room(request, request.services.circles.renew(request.player_id, room, kind)))


@resource.operation(
    "DELETE",
    "/v1/rooms/<room>/people/<player>",
    status=204,
    budget="act",
    errors=("not-host",),
    scope="tables:play",
    keeps=NOTHING,
)
def remove_from_room(request: ApiRequest, room: str, player: str) -> Response:
    """Leave a room, or remove somebody from it.

    With my own id I leave it; if I am its host, the member who came first and is not suspended becomes host, and
    without members the room is deleted. With that of somebody else, as host, I remove them: no link lets them in any
    more, and for all others the links work as before.
    """
    circles = request.services.circles
    if player == request.player_id:
        circles.leave(player, room)
    else:
        circles.remove(request.player_id, room, player)
    return empty_response()


@resource.operation(
    "DELETE",
    "/v1/rooms/<room>/removed/<player>",
    status=204,
    budget="act",
    errors=("not-host",),
    scope="tables:host",
    keeps=NOTHING,
)
def readmit_to_room(request: ApiRequest, room: str, player: str) -> Response:
    """Let somebody come back whom I have removed.

    Links of the room work for them again. Only its host may.
    """
    request.services.circles.readmit(request.player_id, room, player)
    return empty_response()


@resource.operation(
    "POST",
    "/v1/rooms/<room>/table",
    response=schemas.Room(),
    budget="create",
    address_budget="register",
    errors=("only-watching", "too-many-tables"),
    scope="tables:host",
    keeps=TABLE + MOST_MEMBERS * NOTICE,
)
def open_room_table(request: ApiRequest, room: str) -> Response:
    """Open the table of a room.

    Nothing changes if there is one whose game is not over. The caller hosts a new one; the others who play in the room
    get `room_opened` on the stream of the account. Those of the room sit down with `POST /v1/tables/{table}/seats`, and
    watch, without a code; nobody else can. Nothing is dealt before everybody is ready. When somebody leaves during a
    round, the game is paused (`reason: left`) until one of the players ends the pause.
    """
    return json_response(_room(request, request.services.sessions.open(request.player, room).circle))


@resource.operation("GET", "/v1/rooms/<room>/history", response=schemas.RoomHistory(), cost=20, scope="tables:read")
def get_room_history(request: ApiRequest, room: str) -> Response:
    """Read what a room has played.

    The levels with which it goes on, tallies by person and by pair, and its last rounds. What is told of somebody goes
    when they leave the room.
    """
    services = request.services
    history = services.histories.of(services.circles.of(request.player_id, room))
    shown = {
        "levels": history["levels"],
        "seats": history["seats"],
        "people": [{"player": player, **tally} for player, tally in history["people"].items()],
        "pairs": [{"players": pair.split(), **tally} for pair, tally in history["pairs"].items()],
        "rounds": [{**each, "at": timestamp(each["at"])} for each in reversed(history["rounds"])],
    }
    return json_response(shown)


# --- links ------------------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/room-links/<code:code>", response=schemas.RoomPreview(), auth=None)
def get_room_link(request: ApiRequest, code: str) -> Response:
    """Look up a link of a room.

    Shows where it leads, before one joins. No token is needed, so that a link works for people who have not registered
    yet. `POST /v1/me/rooms` joins.
    """
    caller = _caller_of(request)
    with _guess(request):
        invited = request.services.circles.of_code(_code_of(request, code), caller)
        if invited is None:
            raise _unknown(request, code)
    circle = invited.circle
    return json_response(
        {
            "name": circle["name"],
            "grants": invited.kind,
            "ruleset": circle["rules"]["ruleset"],
            "players": circle["rules"]["players"],
            "members": invited.members,
            "room": circle["id"] if invited.gives_nothing_to(caller) else None,
        }
    )


@resource.operation(
    "POST",
    "/v1/me/rooms",
    body=schemas.RoomCode(),
    response=schemas.Room(),
    budget="create",
    errors=("not-found", "too-many-rooms", "room-full", "removed-from-room"),
    example={"code": "K7PQ2M9XWR4T"},
    scope="tables:play",
    keeps=ENTRY,
)
def join_room(request: ApiRequest) -> Response:
    """Join a room by a link.

    Takes the code of the link. Joining again changes nothing, except that the link for those who play also works for
    those who have only watched so far.
    """
    code: str = request.body["code"]
    with _guess(request):
        circle = request.services.circles.join(request.player_id, _code_of(request, code))
        if circle is None:
            raise _unknown(request, code)
    return json_response(_room(request, circle))


def _caller_of(request: ApiRequest) -> str:
    """Return the caller's id if the request has a valid token, else ""."""
    if "HTTP_AUTHORIZATION" in request.raw.environ:
        with suppress(Refusal):
            return request.services.authenticator.caller(request.raw.environ["HTTP_AUTHORIZATION"]).player["id"]
    return ""


# --- what is shown ----------------------------------------------------------------------------------------------------


def _shown(request: ApiRequest, room: str) -> dict[str, object]:
    return _room(request, request.services.circles.of(request.player_id, room))


def _room(request: ApiRequest, circle: Circle) -> dict[str, object]:
    """Return a room as the caller, who belongs to it, may see it."""
    services, role = request.services, circle["members"][request.player_id]["role"]
    circles, rules, table = services.circles, circle["rules"], services.sessions.table_of(circle)
    removed = circles.removed(circle) if role == "host" else []
    return {
        "room": circle["id"],
        "name": circle["name"],
        "role": role,
        "rules": {
            **rules,
            "preset": rules.get("preset"),
            "voice": rules.get("voice", False),
            "clock": {**CLOCK_DEFAULTS, **rules["clock"]} if "clock" in rules else None,
        },
        "people": [_person(person) for person in circles.persons(circle)],
        "removed": [{"player": player["id"], "name": player["name"]} for player in removed],
        "links": {
            "member": None if role == "watcher" else circle["links"]["member"],
            "watcher": circle["links"]["watcher"],
        },
        "table": None if table is None else lobby_table(Perspective.of(services.tables, table, request.player_id)),
        "created_at": timestamp(circle["created_at"]),
    }


def _person(person: Person) -> dict[str, object]:
    player, membership = person
    return {
        "player": player["id"],
        "name": player["name"],
        "kind": player["kind"],
        **shown_of(player),
        "role": membership["role"],
        "since": timestamp(membership["since"]),
    }
