"""Clubs: people who hold tables and events for one another."""

from contextlib import AbstractContextManager, suppress
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import CLUB, ENTRY, NOTHING, NOTICE
from service.api import board_views
from service.api.http import pagination
from service.api.http.guesses import guess
from service.api.http.rate_limits import client_of
from service.api.http.responses import empty_response, json_response
from service.api.idempotency import HEADER, id_once, run_once
from service.api.operations import ApiRequest, Resource, charge_failure
from service.api.resources.lobby import lobby_table
from service.api.schemas import clubs as schemas
from service.api.schemas.team_events import TeamEventList
from service.api.visibility import Perspective
from service.clubs.clubs import LINK_LENGTH, MOST_OFFICERS, Person, is_at_least
from service.common import typed
from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.ids import CODE
from service.game.state.occupants import shown_of
from service.game.views.fields import timestamp
from service.store.clubs.clubs import Club
from service.store.port import Player

resource: Final = Resource(
    "Clubs",
    "A club has owners, directors and members. Who has the code of its link joins; whoever finds it in the list asks, "
    "and an owner or director answers. Others do not learn who belongs to it, nor that one exists that is not listed.",
)

#: Cost of an answer with everybody who belongs to a club.
_COST: Final = 10


@resource.operation(
    "POST",
    "/v1/clubs",
    body=schemas.ClubSetup(),
    response=schemas.Club(),
    status=201,
    budget="create",
    address_budget="register",
    headers=(HEADER,),
    errors=("idempotency-key-reused", "too-many-clubs"),
    example={"name": "Lakeside", "about": "Pairs every Friday at eight."},
    scope="tables:host",
    keeps=CLUB,
)
def create_club(request: ApiRequest) -> Response:
    """Make a club.

    The caller becomes its owner. A player may own five clubs, and belong or ask to belong to 30; 200 people may belong
    to one, 20 of them as owners and directors. A club in which nothing changes for 400 days is deleted, or for 30 while
    nobody else belongs to it.
    """
    body = {"name": request.body["name"], "about": request.body["about"], "is_listed": request.body["listed"]}

    def create() -> dict[str, Any]:
        return {"club": request.services.clubs.create(request.player_id, body, id_once(request, "cb_"))["id"]}

    club = run_once(request, request.player_id, create)["club"]
    shown = request.services.clubs.of(request.player_id, club)
    return json_response(_club(request, shown), 201, {"Location": f"/v1/clubs/{club}"})


@resource.operation(
    "GET", "/v1/clubs", query=schemas.ClubsQuery(), response=schemas.ClubList(), cost=_COST, scope="tables:read"
)
def list_clubs(request: ApiRequest) -> Response:
    """List clubs.

    Those that are listed, the largest first. A page may show fewer than `limit`, and still have a `next_cursor`.
    """
    query, before = request.query, None
    if "cursor" in query:
        place, club = pagination.decode_cursor(query["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = int(place), club
    clubs, last = request.services.clubs.listed(query["limit"], before)
    cursor = None if last is None else pagination.encode_cursor(f"{last[0]}:{last[1]}")
    return json_response({"items": [_card(request, club) for club in clubs], "next_cursor": cursor})


@resource.operation("GET", "/v1/me/clubs", response=schemas.MyClubs(), cost=_COST, scope="tables:read")
def list_my_clubs(request: ApiRequest) -> Response:
    """List my clubs.

    Those to which I belong or ask to belong, the latest first.
    """
    items = [_card(request, club) for club in request.services.clubs.mine(request.player_id)]
    return json_response({"items": items, "next_cursor": None})


@resource.operation("GET", "/v1/clubs/<club>", response=schemas.Club(), cost=_COST, scope="tables:read")
def get_club(request: ApiRequest, club: str) -> Response:
    """Read a club.

    Who does not belong to it sees the name, the description and the size of a listed club; one that is not listed is
    not found.
    """
    return json_response(_club(request, request.services.clubs.shown(request.player_id, club)))


@resource.operation(
    "PATCH",
    "/v1/clubs/<club>",
    body=schemas.ClubChanges(),
    response=schemas.Club(),
    budget="act",
    cost=_COST,
    errors=("club-role-needed", "name-held"),
    example={"about": "Pairs every Saturday at eight."},
    scope="tables:host",
    keeps=NOTHING,
)
def update_club(request: ApiRequest, club: str) -> Response:
    """Change a club.

    Its owners may. A club that is not listed any more takes no new requests.
    """
    changes = {"is_listed" if name == "listed" else name: value for name, value in request.body.items()}
    return json_response(_club(request, request.services.clubs.change(request.player_id, club, changes)))


@resource.operation(
    "DELETE",
    "/v1/clubs/<club>",
    status=204,
    budget="act",
    cost=50,
    errors=("club-role-needed",),
    scope="tables:host",
    keeps=NOTHING,
)
def close_club(request: ApiRequest, club: str) -> Response:
    """Close a club.

    For good, and for everybody who belongs to it. Its owners may.
    """
    request.services.clubs.close(request.player_id, club)
    return empty_response()


@resource.operation(
    "POST",
    "/v1/clubs/<club>/link",
    response=schemas.Club(),
    budget="create",
    cost=_COST,
    errors=("club-role-needed",),
    scope="tables:host",
    keeps=NOTHING,
)
def renew_club_link(request: ApiRequest, club: str) -> Response:
    """Renew the link of a club.

    Its owners and directors may. The old link leads nowhere from now on; whoever has joined by it stays.
    """
    return json_response(_club(request, request.services.clubs.renew(request.player_id, club)))


# --- people -----------------------------------------------------------------------------------------------------------


@resource.operation(
    "PUT",
    "/v1/clubs/<club>/people/<player>",
    body=schemas.ClubRole(),
    response=schemas.Club(),
    budget="act",
    cost=_COST,
    errors=("club-role-needed", "last-owner", "club-full"),
    example={"role": "director"},
    scope="tables:host",
    keeps=NOTHING,
)
def give_club_role(request: ApiRequest, club: str, player: str) -> Response:
    """Give somebody a role in a club.

    Its owners may. An owner keeps the role until they lay it down themselves, which the only one cannot: first make
    somebody else an owner.
    """
    changed = request.services.clubs.give(request.player_id, club, player, request.body["role"])
    return json_response(_club(request, changed))


@resource.operation(
    "DELETE",
    "/v1/clubs/<club>/people/<player>",
    status=204,
    budget="act",
    cost=50,
    errors=("club-role-needed", "last-owner"),
    scope="tables:play",
    keeps=NOTHING,
)
def remove_from_club(request: ApiRequest, club: str, player: str) -> Response:
    """Leave a club, or remove somebody from it.

    With my own id I leave it, unless I am the only owner and others belong to it. Owners remove directors and members,
    directors remove members; neither link nor request lets them in any more.
    """
    clubs = request.services.clubs
    if player == request.player_id:
        clubs.leave(player, club)
    else:
        clubs.remove(request.player_id, club, player)
    return empty_response()


@resource.operation(
    "DELETE",
    "/v1/clubs/<club>/removed/<player>",
    status=204,
    budget="act",
    errors=("club-role-needed",),
    scope="tables:host",
    keeps=NOTHING,
)
def readmit_to_club(request: ApiRequest, club: str, player: str) -> Response:
    """Let somebody come back who was removed from a club.

    Link and requests work for them again. Owners and directors may.
    """
    request.services.clubs.readmit(request.player_id, club, player)
    return empty_response()


@resource.operation(
    "PUT",
    "/v1/clubs/<club>/requests/me",
    response=schemas.Club(),
    budget="create",
    cost=_COST,
    errors=("too-many-clubs", "club-full", "removed-from-club"),
    scope="tables:play",
    keeps=ENTRY + MOST_OFFICERS * NOTICE,
)
def ask_to_join_club(request: ApiRequest, club: str) -> Response:
    """Ask to join a club.

    Its owners and directors get `club_asked` on the stream of the account, and I get `club_joined` if one of them
    accepts. 50 requests can wait for a club.
    """
    return json_response(_club(request, request.services.clubs.ask(request.player, club)))


@resource.operation(
    "DELETE", "/v1/clubs/<club>/requests/me", status=204, budget="act", scope="tables:play", keeps=NOTHING
)
def withdraw_club_request(request: ApiRequest, club: str) -> Response:
    """Withdraw my request to join a club.

    Succeeds even if there is none.
    """
    request.services.clubs.withdraw(request.player_id, club)
    return empty_response()


@resource.operation(
    "PUT",
    "/v1/clubs/<club>/requests/<player>/answer",
    body=schemas.ClubAnswer(),
    response=schemas.Club(),
    budget="act",
    cost=_COST,
    errors=("club-role-needed", "club-full"),
    example={"accept": True},
    scope="tables:host",
    keeps=ENTRY + NOTICE,
)
def answer_club_request(request: ApiRequest, club: str, player: str) -> Response:
    """Answer a request to join a club.

    Its owners and directors may. Whoever is accepted gets `club_joined`; a refusal is not announced.
    """
    answered = request.services.clubs.answer(request.player, club, player, accept=request.body["accept"])
    return json_response(_club(request, answered))


# --- tables and events ------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/clubs/<club>/tables", response=schemas.ClubTables(), cost=50, scope="tables:read")
def list_club_tables(request: ApiRequest, club: str) -> Response:
    """List the tables of a club.

    Only for its members, who sit down there and watch without a code. Of the latest 50, those whose game is not over.
    """
    services = request.services
    services.clubs.of(request.player_id, club)
    states = services.meetings.tables(club)
    items = [lobby_table(Perspective.of(services.tables, state, request.player_id)) for state in states]
    return json_response({"items": items, "next_cursor": None})


@resource.operation(
    "GET",
    "/v1/clubs/<club>/events",
    query=schemas.ClubsQuery(),
    response=TeamEventList(),
    cost=_COST,
    scope="tables:read",
)
def list_club_events(request: ApiRequest, club: str) -> Response:
    """List the team events of a club.

    Only for its members; the latest 200, the latest first. A page may show fewer than `limit`, and still have a
    `next_cursor`.
    """
    services, query, before = request.services, request.query, None
    services.clubs.of(request.player_id, club)
    if "cursor" in query:
        at, event = pagination.decode_cursor(query["cursor"], r"(\d{1,15}):(\w{1,60})").groups()
        before = int(at), event
    events, last = services.meetings.events(club, query["limit"], before)
    now = services.tables.now()
    items = [board_views.listed(each, now, request.player_id) for each in events]
    cursor = None if last is None else pagination.encode_cursor(f"{last[0]}:{last[1]}")
    return json_response({"items": items, "next_cursor": cursor})


# --- links ------------------------------------------------------------------------------------------------------------


@resource.operation("GET", "/v1/club-links/<code:code>", response=schemas.ClubPreview(), auth=None)
def get_club_link(request: ApiRequest, code: str) -> Response:
    """Look up the link of a club.

    Shows where it leads, before one joins. No token is needed, so that a link works for people who have not registered
    yet. `POST /v1/me/clubs` joins.
    """
    caller = _caller_of(request)
    with _guess(request):
        club = request.services.clubs.of_code(_code_of(request, code), caller)
        if club is None:
            raise _unknown(request, code)
    return json_response(
        {
            "name": club["name"],
            "about": club["about"],
            "members": len(club["members"]),
            "club": club["id"] if caller in club["members"] else None,
        }
    )


@resource.operation(
    "POST",
    "/v1/me/clubs",
    body=schemas.ClubCode(),
    response=schemas.Club(),
    budget="create",
    cost=_COST,
    errors=("not-found", "too-many-clubs", "club-full", "removed-from-club"),
    example={"code": "K7PQ2M9XWR4T"},
    scope="tables:play",
    keeps=ENTRY,
)
def join_club(request: ApiRequest) -> Response:
    """Join a club by its link.

    Takes the code of the link. Joining again changes nothing.
    """
    code: str = request.body["code"]
    with _guess(request):
        club = request.services.clubs.join(request.player_id, _code_of(request, code))
        if club is None:
            raise _unknown(request, code)
    return json_response(_club(request, club))


def _code_of(request: ApiRequest, code: str) -> str:
    """Return the code as it was meant; refuse what cannot be one, which is no guess."""
    wanted = typed.code(code)
    if wrong := typed.fault(wanted, CODE, LINK_LENGTH):
        charge_failure(request.services, request.raw)
        raise NotFound(**{"what": "code", "id": code, "reason": "unknown_code", **wrong})
    return wanted


def _guess(request: ApiRequest) -> AbstractContextManager[None]:
    services = request.services
    return guess(services.rate_limiter, services.metrics, "club", client_of(request.raw), wrong=NotFound)


def _unknown(request: ApiRequest, code: str) -> NotFound:
    charge_failure(request.services, request.raw)
    return NotFound(what="code", id=code, reason="unknown_code")


def _caller_of(request: ApiRequest) -> str:
    """Return the caller's id if the request has a valid token, else ""."""
    if "HTTP_AUTHORIZATION" in request.raw.environ:
        with suppress(Refusal):
            return request.services.authenticator.caller(request.raw.environ["HTTP_AUTHORIZATION"]).player["id"]
    return ""


# --- what is shown ----------------------------------------------------------------------------------------------------


def _card(request: ApiRequest, club: Club) -> dict[str, object]:
    """Return what a club says about itself, and how the caller belongs to it."""
    membership = club["members"].get(request.player_id)
    return {
        "club": club["id"],
        "name": club["name"],
        "about": club["about"],
        "listed": club["is_listed"],
        "members": len(club["members"]),
        "role": membership["role"] if membership is not None else None,
        "asked": request.player_id in club["requests"],
    }


def _club(request: ApiRequest, club: Club) -> dict[str, object]:
    """Return a club as the caller may see it."""
    clubs, card = request.services.clubs, _card(request, club)
    membership = club["members"].get(request.player_id)
    is_officer = membership is not None and is_at_least(membership["role"], "director")
    return {
        **card,
        "people": [_person(person) for person in clubs.persons(club)] if membership is not None else [],
        "requests": [_named(player) for player in clubs.asking(club, request.player_id)] if is_officer else [],
        "removed": [_named(player) for player in clubs.removed(club)] if is_officer else [],
        "code": club["code"] if membership is not None else None,
        "created_at": timestamp(club["created_at"]),
    }


def _named(player: Player) -> dict[str, object]:
    return {"player": player["id"], "name": player["name"]}


def _person(person: Person) -> dict[str, object]:
    player, membership = person
    return {
        **_named(player),
        "kind": player["kind"],
        **shown_of(player),
        "role": membership["role"],
        "since": timestamp(membership["since"]),
    }
