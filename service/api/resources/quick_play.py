"""Quick play: a ticket for the next game with players who want the same kind (docs/contract.md §13)."""

import time
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from flask import Response

from service.accounts.kept_bytes import NOTHING, NOTICE, TABLE
from service.api import meeting
from service.api.http.documents import is_known
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import quick_play as schemas
from service.api.services import Services
from service.api.streams.messages import check_rights
from service.api.waiting import attending
from service.common.errors import InvalidRequest, Refusal
from service.game.errors import NotFound
from service.game.state.occupants import occupant_of
from service.game.state.queries import persons, seat_of
from service.game.state.rules import options_of
from service.game.state.settings import CLOCK_DEFAULTS
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.matchmaking.seating import CLOCKS
from service.rules.options.presets import with_preset
from service.rules.options.rulesets import RULESETS, effective_options
from service.store.matchmaking.tickets import Held, Kind, Pending, people_of
from service.store.port import Snapshot, StoreTooNew

resource: Final = Resource(
    "Quick play",
    "A game within seconds: a ticket says what the player wants, and waits for others. AI players take the remaining "
    "seats.",
)

#: Most public tables examined for a free seat.
_MOST_EXAMINED: Final = 100


@resource.operation(
    "POST",
    "/v1/me/ticket",
    body=schemas.TicketRequest(),
    response=schemas.Ticket(),
    budget="create",
    errors=("ticket-open", "not-friends", "party-busy", "invalid-option"),
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
    """
    services, player, body = request.services, request.player_id, request.body
    party: list[str] = list(dict.fromkeys(other for other in body["with"] if other != player))
    kind: Kind = {
        "ruleset": body["ruleset"],
        "players": body["players"],
        "preset": body.get("preset"),
        "clock": body["clock"],
    }
    options = _check_kind(kind, 1 + len(party))
    window = _window_of(body)
    services.quick_play.check(player, party)
    if not party and window == (None, None):
        table = _sit_down(request, kind, options)
        if table is not None:
            return json_response(_shown(request, table))
    ai_after_ms = body["ai_after_s"] * 1000 if body["ai"] else None
    services.quick_play.open(player, party, kind, window, ai_after_ms, body["ai_level"])
    return json_response(_shown(request, _found(request)))


def _check_kind(kind: Kind, party: int) -> object:
    """Return the options of a kind of game.

    Raises:
        InvalidRequest: no such ruleset or preset, not for this number of players, or a party that does not fit.
    """
    ruleset, players = RULESETS[kind["ruleset"]], kind["players"]
    if players not in ruleset.players:
        raise InvalidRequest(
            reason="not_for_so_many", ruleset=ruleset.id, players=players, accepted=list(ruleset.players)
        )
    if party > players:
        raise InvalidRequest(reason="party_too_large", field="with", given=party, players=players)
    return effective_options(ruleset.id, players, with_preset(ruleset.id, players, kind["preset"], {}))


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


def _sit_down(request: ApiRequest, kind: Kind, options: object) -> str | None:
    """Take a seat at the longest waiting public table of this kind with a person; return its id, or None."""
    services, player = request.services, request.player
    before = services.quick_play.store.seated(player["id"])
    stored = _read(services, before) if before is not None else None
    if stored is not None and stored.state["status"] == "lobby" and seat_of(stored.state, player["id"]) is not None:
        # A retry after a lost response.
        return before
    for entry in reversed(services.tables.store.listed(_MOST_EXAMINED)):
        stored = _read(services, entry.table)
        if stored is None or not _is_of_kind(services.presence.settle(stored.state), kind, options):
            continue
        command = {"type": "sit", **occupant_of(player)}
        with suppress(Refusal, StoreTooNew):
            meeting.sit(services, entry.table, command)
            services.quick_play.store.set_seated(player["id"], entry.table)
            return entry.table
    return None


def _read(services: Services, table: str) -> Snapshot | None:
    """Return a table, or None if there is none that this release understands."""
    with suppress(StoreTooNew):
        return services.tables.store.load(table)
    return None


def _is_of_kind(state: State, kind: Kind, options: object) -> bool:
    settings = state["settings"]
    clock = {name: value for name, value in {**CLOCK_DEFAULTS, **CLOCKS[kind["clock"]]}.items() if name != "alone"}
    people = [seat for seat in persons(state) if state["seats"][seat]["presence"] == "online"]
    return (
        (state["ruleset"], state["players"]) == (kind["ruleset"], kind["players"])
        and options_of(state) == options
        and all(settings["clock"].get(name) == value for name, value in clock.items())
        and settings["seed"] is None
        and bool(people)
    )


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
    found = _found(request)
    if request.query.get("wait") and is_known(request.raw, _etag(found)):
        with attending(request) as reader:
            while True:
                found = _found(request)
                if not is_known(request.raw, _etag(found)) or not reader.wait(until - time.monotonic()):
                    break
                check_rights(request.services, reader)
    headers = {"ETag": _etag(found)}
    if is_known(request.raw, headers["ETag"]):
        request.refund()
        return empty_response(304, headers)
    return json_response(_shown(request, found), headers=headers)


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
    if quick_play.store.seated(player) is None or quick_play.held(player) is not None:
        quick_play.confirm(player)
    return json_response(_shown(request, _found(request)))


@resource.operation("GET", "/v1/pools", response=schemas.Pools(), cost=5, scope="tables:read")
def list_pools(request: ApiRequest) -> Response:
    """List where people wait for a game.

    A pool is a kind of game. People who have been matched are not counted.
    """
    people: Counter[tuple[str, int, str | None, str]] = Counter()
    for ticket in request.services.quick_play.store.waiting():
        kind = ticket["kind"]
        people[kind["ruleset"], kind["players"], kind["preset"], kind["clock"]] += len(ticket["players"])
    items = [
        {"ruleset": ruleset, "players": players, "preset": preset, "clock": clock, "people": count}
        for (ruleset, players, preset, clock), count in people.most_common()
    ]
    return json_response({"items": items, "next_cursor": None})


# --- helpers ----------------------------------------------------------------------------------------------------------


def _found(request: ApiRequest) -> Held | str:
    """Return the caller's ticket, or the table where the caller has been seated.

    Raises:
        NotFound: neither.
    """
    quick_play, player = request.services.quick_play, request.player_id
    found = quick_play.held(player) or quick_play.store.seated(player)
    if found is None:
        raise NotFound(what="ticket", id="me")
    return found


def _shown(request: ApiRequest, found: Held | str) -> dict[str, Any]:
    if isinstance(found, str):
        return _seated(request, found)
    ticket, pending = found
    now = request.services.tables.now()
    same = [each for each in request.services.quick_play.store.waiting() if each["kind"] == ticket["kind"]]
    ai_at = None if ticket["ai_after_ms"] is None else ticket["since"] + ticket["ai_after_ms"]
    asker = ticket["players"][0]
    known = None if asker == request.player_id else request.services.stores.players.get(asker)
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
        "looking": sum(len(each["players"]) for each in same),
        "match": None if pending is None else _match(request, pending, now),
        "server_time": timestamp(now),
    }


def _match(request: ApiRequest, pending: Pending, now: int) -> dict[str, Any]:
    match = pending.match
    return {
        "match": match["id"],
        "people": len(people_of(match)),
        "confirmed": request.player_id in pending.confirmed,
        "missing": pending.missing,
        "confirm_by": timestamp(match["confirm_by"]),
        "remaining_ms": max(0, match["confirm_by"] - now),
    }


def _seated(request: ApiRequest, table: str) -> dict[str, Any]:
    return {
        **dict.fromkeys(("ticket", "ruleset", "players", "preset", "clock", "since", "ai_at", "remaining_ms", "match")),
        "state": "seated",
        "table": table,
        "party": [request.player_id],
        "looking": 0,
        "server_time": timestamp(request.services.tables.now()),
    }


def _etag(found: Held | str) -> str:
    if isinstance(found, str):
        return f'"None.{found}"'
    ticket, pending = found
    told = f"{pending.match['id']}.{pending.missing}" if pending is not None else None
    return f'"{ticket["id"]}.{told}"'
