"""Quick play: a ticket for the next game with players who want the same kind (docs/contract.md §13)."""

import time
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, NOTICE, TABLE
from service.api.http.documents import is_known
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import quick_play as schemas
from service.api.streams.messages import check_rights
from service.api.waiting import attending
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp
from service.matchmaking.seating import DAYS
from service.store.matchmaking.tickets import Held, Kind, Pending, people_of

resource: Final = Resource(
    "Quick play",
    "A game within seconds: a ticket says what the player wants, and waits for others. AI players take the remaining "
    "seats.",
)


@resource.operation(
    "POST",
    "/v1/me/ticket",
    body=schemas.TicketRequest(),
    response=schemas.Ticket(),
    budget="create",
    errors=("ticket-open", "not-friends", "party-busy", "invalid-option", "too-many-tables"),
    example={"ruleset": "shengji", "players": 4},
    scope="tables:play",
    keeps=NOTICE,
)
def open_ticket(request: ApiRequest) -> Response:
    """Look for a game.

    A caller without a party gets a free seat at a public table of the same kind where somebody sits, if there is one;
    `state` is then `seated`. Otherwise the ticket waits for others who want the same. Keep a stream of the account
    open, or a `GET /v1/me/ticket` with `wait`: a player who has neither for half a minute loses the ticket. A second
    ticket is refused with 409 and the id of the first, so a retry does no harm.

    With `clock: days` nobody waits: the caller gets a seat at once, at an open public table or at a new one, and is
    ready. The game begins when all seats are taken, by AI players too if the host wants. Such a request takes neither
    a party nor a window of ratings (`days_without_party`, `days_without_window`).
    """
    body = request.body
    party: list[str] = list(dict.fromkeys(other for other in body["with"] if other != request.player_id))
    kind: Kind = {
        "ruleset": body["ruleset"],
        "players": body["players"],
        "preset": body.get("preset"),
        "clock": body["clock"],
    }
    if kind["clock"] == DAYS:
        request.keep(TABLE)
    ai_after_ms = body["ai_after_s"] * 1000 if body["ai"] else None
    quick_play = request.services.quick_play
    opening = quick_play.look(request.player, party, kind, _window_of(body), ai_after_ms, body["ai_level"])
    return json_response(_ticket_view(request, opening))


def _window_of(body: dict[str, Any]) -> tuple[int | None, int | None]:
    """Return the lowest and the highest rating of others.

    Raises:
        InvalidRequest: reason `window_excludes_all`.
    """
    rating = body.get("rating", {})
    low, high = rating.get("low"), rating.get("high")
    if low is not None and high is not None and low > high:
        raise InvalidRequest(reason="window_excludes_all", field="rating", low=low, high=high)
    return low, high


@resource.operation(
    "GET",
    "/v1/me/ticket",
    query=schemas.TicketQuery(),
    response=schemas.Ticket(),
    headers=("If-None-Match",),
    other_statuses={304: "Nothing has changed since the ETag. Charged to `poll`."},
    errors=("not-found", "too-many-streams"),
    cost=5,
    scope="tables:play",
)
def get_ticket(request: ApiRequest) -> Response:
    """Read my ticket.

    For a minute after I have been seated, it shows the table. With `If-None-Match` and `wait`, the response comes as
    soon as there is a match or a table, or the ticket is gone; `looking`, `server_time` and `remaining_ms` do not count
    as changes.
    """
    until = time.monotonic() + request.query.get("wait", 0)
    ticket = request.services.quick_play.place_of(request.player_id)
    if request.query.get("wait") and is_known(request.raw, _etag(ticket)):
        with attending(request) as reader:
            while True:
                ticket = request.services.quick_play.place_of(request.player_id)
                if not is_known(request.raw, _etag(ticket)) or not reader.wait(until - time.monotonic()):
                    break
                check_rights(request.services, reader)
    headers = {"ETag": _etag(ticket)}
    if is_known(request.raw, headers["ETag"]):
        request.refund()
        return empty_response(304, headers)
    return json_response(_ticket_view(request, ticket), headers=headers)


@resource.operation("DELETE", "/v1/me/ticket", status=204, budget="act", scope="tables:play", keeps=NOTHING)
def close_ticket(request: ApiRequest) -> Response:
    """Stop looking for a game.

    The ticket of the whole party ends; others in its match wait again. Succeeds even if there is no ticket; a match
    that all have confirmed goes on.
    """
    request.services.quick_play.withdraw(request.player_id)
    return empty_response()


@resource.operation(
    "PUT",
    "/v1/me/ticket/confirmation",
    response=schemas.Ticket(),
    budget="act",
    errors=("not-matched", "not-found"),
    scope="tables:play",
    keeps=TABLE,
)
def confirm_match(request: ApiRequest) -> Response:
    """Confirm my match.

    To be sent within 15 s of `matched`. When all have confirmed, they are seated and the game begins. Those who have
    not lose their ticket; the others wait again, ahead of those who came later.
    """
    quick_play, player = request.services.quick_play, request.player_id
    quick_play.confirm(player)
    return json_response(_ticket_view(request, quick_play.place_of(player)))


@resource.operation("GET", "/v1/pools", response=schemas.Pools(), cost=5, scope="tables:read")
def list_pools(request: ApiRequest) -> Response:
    """List where people wait for a game.

    A pool is a kind of game. People who have been matched are not counted.
    """
    items = [{**kind, "people": people} for kind, people in request.services.quick_play.pools()]
    return json_response({"items": items, "next_cursor": None})


# --- helpers ----------------------------------------------------------------------------------------------------------


def _ticket_view(request: ApiRequest, place: Held | str) -> dict[str, object]:
    if isinstance(place, str):
        return _seated(request, place)
    ticket, pending = place
    now = request.services.tables.now()
    ai_at = None if ticket["ai_after_ms"] is None else ticket["since"] + ticket["ai_after_ms"]
    asker = ticket["players"][0]
    known = None if asker == request.player_id else request.services.accounts.find(asker)
    return {
        "ticket": ticket["id"],
        **({} if known is None else {"asker": known["name"]}),
        "state": "waiting" if pending is None else "matched",
        "table": None,
        **ticket["kind"],
        "party": ticket["players"],
        "since": timestamp(ticket["since"]),
        "ai_at": timestamp(ai_at),
        "remaining_ms": None if ai_at is None else max(0, ai_at - now),
        "looking": request.services.quick_play.looking(ticket["kind"]),
        "match": None if pending is None else _match(request, pending, now),
        "server_time": timestamp(now),
    }


def _match(request: ApiRequest, pending: Pending, now: int) -> dict[str, object]:
    match = pending.match
    return {
        "match": match["id"],
        "people": len(people_of(match)),
        "confirmed": request.player_id in pending.confirmed,
        "missing": pending.missing,
        "confirm_by": timestamp(match["confirm_by"]),
        "remaining_ms": max(0, match["confirm_by"] - now),
    }


def _seated(request: ApiRequest, table: str) -> dict[str, object]:
    return {
        **dict.fromkeys(("ticket", "ruleset", "players", "preset", "clock", "since", "ai_at", "remaining_ms", "match")),
        "state": "seated",
        "table": table,
        "party": [request.player_id],
        "looking": 0,
        "server_time": timestamp(request.services.tables.now()),
    }


def _etag(place: Held | str) -> str:
    if isinstance(place, str):
        return f'"None.{place}"'
    ticket, pending = place
    pending_id = f"{pending.match['id']}.{pending.missing}" if pending is not None else None
    return f'"{ticket["id"]}.{pending_id}"'
