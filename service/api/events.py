"""The log of a table, three ways: a stream, a long poll, a page (`api.md` §5).

All three read the same log after a seq and send it through the same redactor. Waiting is left to the hub, which only
wakes: subscribe first, then read, then wait. So nothing is missed, nothing is sent twice, and a slow reader holds up
nobody, since nothing is queued for it.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final

from flask import Request, Response

from service import fastjson
from service.api import tickets
from service.api.answers import no_content, reply
from service.api.operations import Call, Resource, bearer
from service.api.problems import Unavailable
from service.api.render import may_see, table_view
from service.api.schemas import events as schemas
from service.api.services import Services
from service.errors import InvalidRequest, Refusal
from service.game.redaction import redact
from service.game.shown import Viewer, timestamp
from service.game.state import Event, State
from service.store.port import StoreUnavailable

resource: Final = Resource(
    "Events",
    "Everything that happens at a table has a `seq`: 1, 2, 3 … without gaps. Every viewer gets the same events; what "
    "one may not see is a count.",
)

HEARTBEAT_S: Final = 10.0
_PAGE: Final = 200
_STREAM: Final = "text/event-stream"
#: After these there is nothing to wait for, unless something has happened since.
_ENDINGS: Final = frozenset({"game_ended", "table_closed"})


def _bearer_or_ticket(services: Services, received: Request) -> dict[str, Any]:
    ticket = received.args.get("ticket")
    if ticket is None:
        return bearer(services, received)
    table = (received.view_args or {})["table"]
    return {"id": tickets.redeem(services.idempotency, ticket, table), "locale": None}


@resource.operation(
    "GET",
    "/v1/tables/<table>/events",
    asks=schemas.EventQuery(),
    gives=schemas.EventPage(),
    who=_bearer_or_ticket,
    headers=("Last-Event-ID", "Accept"),
    media={
        _STREAM: "Server-sent events: `id` is the `seq`, `data` an `Event`. A `heartbeat` comes every ten seconds; a "
        "`reset` with the view of the table comes first where no place to go on from is named, and whenever the place "
        "that is named is not in the log."
    },
    statuses={204: "A stream: the game is over and everything has been sent."},
    errors=("private-table",),
)
def list_events(call: Call, table: str) -> Response:
    """Follow a table.

    With `Accept: text/event-stream` a stream; `Last-Event-ID` or `after` resumes it. With `wait` a long poll: answered
    as soon as there is something to tell, an idle one costs nothing. Without either a page of the log.
    """
    if _STREAM in call.request.headers.get("Accept", ""):
        return _stream(call, table)
    return _poll(call, table)


# --- pages and long polls ----------------------------------------------------------------------------------------


def _poll(call: Call, table: str) -> Response:
    services, query = call.services, call.query
    state = services.tables.load(table)
    viewer = may_see(state, call.player["id"])
    wait = query.get("wait")
    after: int = query["after"] if "after" in query else 0 if wait is None else state["version"]
    found = services.tables.store.events(table, after, query["limit"]) if after < state["version"] else []
    if wait and not found:
        with _held(services):
            found = _await(services, table, after, query["limit"], time.monotonic() + wait)
    if wait is not None and not found:
        call.costs_nothing()
    last = found[-1]["seq"] if found else after
    answer = {
        "events": [redact(event, viewer) for event in found],
        "next_after": last,
        "version": max(state["version"], found[-1]["seq"] if found else 0),
    }
    return reply(answer)


def _await(services: Services, table: str, after: int, limit: int, until: float) -> list[Event]:
    """Return the next events, or none if there are none in time."""
    with services.hub.subscribe(table) as news:
        while True:
            found = services.tables.store.events(table, after, limit)
            left = until - time.monotonic()
            if found or left <= 0:
                return found
            news.wait(left)


@contextmanager
def _held(services: Services) -> Iterator[None]:
    """Count a stream or a long poll as long as it is held.

    Raises:
        Unavailable: this process holds as many as it may.
    """
    if not services.streams.acquire(blocking=False):
        raise Unavailable(retry_after_s=5)
    services.metrics.streams.inc()
    try:
        yield
    finally:
        services.metrics.streams.dec()
        services.streams.release()


# --- streams -----------------------------------------------------------------------------------------------------


def _stream(call: Call, table: str) -> Response:
    services, player = call.services, call.player["id"]
    state = services.tables.load(table)
    viewer = may_see(state, player)
    after = _place(call)
    if state["status"] == "finished" and after is not None and after >= state["version"]:
        return no_content()
    if after is not None and after > state["version"]:
        after = None
    held = ExitStack()
    held.enter_context(_held(services))
    answer = Response(_Follower(services, table, player, viewer).chunks(after), content_type=_STREAM)
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(held.close)
    return answer


def _place(call: Call) -> int | None:
    """Return the seq after which to go on: what the browser remembers goes before what the address says."""
    header = call.request.headers.get("Last-Event-ID")
    if header is None:
        return call.query.get("after")
    if re.fullmatch(r"\d{1,15}", header, re.ASCII) is None:
        raise InvalidRequest(reason="header", header="Last-Event-ID", example="481")
    return int(header)


class _Follower:
    """One reader of a stream. Who is on which seat may change while it reads; what it may see changes with that."""

    def __init__(self, services: Services, table: str, player: str, viewer: Viewer) -> None:
        self._hub = services.hub
        self._tables = services.tables
        self._table = table
        self._player = player
        self._viewer = viewer

    def chunks(self, after: int | None) -> Iterator[bytes]:
        """Write the stream. It ends when the game does, or when the table is no longer the reader's to see."""
        # An error cannot be told any more: the stream ends, and whoever opens it anew is told.
        with suppress(Refusal, StoreUnavailable), self._hub.subscribe(self._table) as news:
            yield b"retry: 1000\n\n"
            beat = time.monotonic() + HEARTBEAT_S
            while True:
                events = [] if after is None else self._tables.store.events(self._table, after, _PAGE)
                if after is None or (events and events[0]["seq"] != after + 1):
                    state = self._tables.load(self._table)
                    after = state["version"]
                    yield self._reset(state)
                    if state["status"] == "finished":
                        return
                    continue
                for event in events:
                    self._follow_seats(event)
                    after = event["seq"]
                    yield b"id: %d\ndata: %b\n\n" % (after, fastjson.dumps(redact(event, self._viewer)))
                if events and events[-1]["type"] in _ENDINGS and self._tables.load(self._table)["version"] == after:
                    return
                if not events and not news.wait(max(0.0, beat - time.monotonic())):
                    yield self._heartbeat(after)
                    beat = time.monotonic() + HEARTBEAT_S

    def _follow_seats(self, event: Event) -> None:
        """Look from where the reader sits after this event. Raises as `may_see`."""
        data = event["data"]
        if event["type"] == "seat_taken" and data["occupant"]["player"] == self._player:
            self._viewer = data["seat"]
        elif event["type"] == "seat_left" and data["seat"] == self._viewer:
            self._viewer = may_see(self._tables.load(self._table), self._player)

    def _reset(self, state: State) -> bytes:
        seen = table_view(state, self._player, may_see(state, self._player), self._tables.now())
        return b"event: reset\nid: %d\ndata: %b\n\n" % (state["version"], fastjson.dumps({"view": seen}))

    def _heartbeat(self, after: int) -> bytes:
        told = {"server_time": timestamp(self._tables.now()), "after": after}
        return b"event: heartbeat\ndata: %b\n\n" % fastjson.dumps(told)


@resource.operation(
    "POST",
    "/v1/tables/<table>/stream-ticket",
    gives=schemas.StreamTicket(),
    budget="create",
    errors=("private-table",),
)
def create_stream_ticket(call: Call, table: str) -> Response:
    """Get a stream ticket.

    For the `EventSource` of browsers, which cannot send a token: `GET …/events?ticket=…`. Good for one stream, within
    a minute.
    """
    services, player = call.services, call.player["id"]
    may_see(services.tables.load(table), player)
    ticket = tickets.issue(services.idempotency, player, table)
    expires_at = timestamp(services.tables.now() + tickets.LIFE_MS)
    return reply({"ticket": ticket, "expires_at": expires_at})
