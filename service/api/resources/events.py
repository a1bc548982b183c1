"""The log of a table, three ways: a stream, a long poll, a page (`api.md` §5).

All three read the same log after a seq and send it through the same redactor. Waiting is left to the hub, which only
wakes: subscribe first, then read, then wait. So nothing is missed, nothing is sent twice, and a slow reader holds up
nobody, since nothing is queued for it.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from random import random
from typing import Any, Final

from flask import Request, Response

from service import fastjson
from service.api.http import stream_tickets
from service.api.http.operations import Call, Resource, bearer
from service.api.http.problems import Unavailable
from service.api.http.responses import no_content, reply
from service.api.rendering import is_behind, may_see, table_view
from service.api.schemas import events as schemas
from service.api.services import Services
from service.errors import InvalidRequest, Refusal
from service.game.state.types import Event
from service.game.views.fields import timestamp
from service.game.views.redaction import redact
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
_ENDINGS: Final = frozenset({"game_ended", "game_kept", "table_closed"})


def _bearer_or_ticket(services: Services, received: Request) -> dict[str, Any]:
    ticket = received.args.get("ticket")
    if ticket is None:
        return bearer(services, received)
    table = (received.view_args or {})["table"]
    return {"id": stream_tickets.redeem(services.idempotency, ticket, table), "locale": None}


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
    # A client that takes either gets JSON: generated ones often ask for every type that the document has.
    if call.request.accept_mimetypes.best_match(("application/json", _STREAM)) == _STREAM:
        return _stream(call, table)
    return _poll(call, table)


# --- pages and long polls ----------------------------------------------------------------------------------------


class _Reader:
    """Reads the log of a table as far as a player may see it.

    Who is on which seat may change meanwhile; what the reader may see changes with that.
    """

    def __init__(self, call: Call, table: str) -> None:
        self._tables = call.services.tables
        self._table = table
        self._player: str = call.player["id"]
        self.state = self._tables.load(table)
        self._viewer = may_see(self.state, self._player)

    @property
    def version(self) -> int:
        """Seq of the last event that the reader may know of."""
        state = self.state
        behind = is_behind(state, self._player, self._viewer)
        return self._tables.watched_version(state) if behind else int(state["version"])

    def read(self, after: int, limit: int) -> tuple[list[Event], float | None]:
        """Return the next events, and if more are there that may be seen only later, in how many seconds."""
        found = self._tables.store.events(self._table, after, limit)
        if not found or not is_behind(self.state, self._player, self._viewer):
            return found, None
        self.state = self._tables.load(self._table)
        seen, due = self._tables.watched(self.state, found)
        return seen, None if due is None else max(0.0, (due - self._tables.now()) / 1000)

    def show(self, event: Event) -> dict[str, Any]:
        """Return an event as the reader may see it, from the seat that is the reader's after it.

        Raises:
            PrivateTable: the table is no longer the reader's to see.
        """
        data = event["data"]
        if event["type"] == "seat_taken" and data["occupant"]["player"] == self._player:
            self._viewer = data["seat"]
        elif event["type"] == "seat_left" and data["seat"] == self._viewer and data["autopilot"] is None:
            self.state = self._tables.load(self._table)
            self._viewer = may_see(self.state, self._player)
        return redact(event, self._viewer)

    def look(self) -> dict[str, Any]:
        """Return the view of the table as it is now. Raises as `show`."""
        state = self.state = self._tables.load(self._table)
        self._viewer = may_see(state, self._player)
        behind = is_behind(state, self._player, self._viewer)
        shown = self._tables.as_watched(state) if behind else state
        return table_view(shown, self._player, self._viewer, self._tables.now())


def _poll(call: Call, table: str) -> Response:
    services, query = call.services, call.query
    reader = _Reader(call, table)
    services.presence.seen(reader.state, call.player["id"])
    version = reader.version
    wait, limit = query.get("wait"), query["limit"]
    place = _place(call)
    after = (0 if wait is None else version) if place is None else place
    found = reader.read(after, limit)[0] if after < version else []
    if wait and not found:
        with _held(services):
            found = _await(services, reader, table, after, limit, time.monotonic() + wait)
    if wait is not None and not found:
        call.costs_nothing()
    last = found[-1]["seq"] if found else after
    shown = [reader.show(event) for event in found]
    return reply({"events": shown, "next_after": last, "version": max(version, found[-1]["seq"] if found else 0)})


def _await(services: Services, reader: _Reader, table: str, after: int, limit: int, until: float) -> list[Event]:
    """Return the next events, or none if there are none in time."""
    with services.hub.subscribe(table) as news:
        while True:
            found, due = reader.read(after, limit)
            left = until - time.monotonic()
            if found or left <= 0:
                return found
            news.wait(left if due is None else min(left, due))


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
    services = call.services
    reader = _Reader(call, table)
    after, version = _place(call), reader.version
    if reader.state["status"] == "finished" and after is not None and after >= version:
        return no_content()
    if after is not None and after > version:
        after = None
    held = ExitStack()
    held.enter_context(_held(services))
    services.presence.arrive(reader.state, call.player["id"])
    held.callback(services.presence.leave, table, call.player["id"])
    answer = Response(_chunks(call, reader, table, after), content_type=_STREAM)
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


def _chunks(call: Call, reader: _Reader, table: str, after: int | None) -> Iterator[bytes]:
    """Write a stream. It ends when the game does, or when the table is no longer the reader's to see."""
    services, player = call.services, call.player["id"]
    # An error cannot be told any more: the stream ends, and whoever opens it anew is told.
    with suppress(Refusal, StoreUnavailable), services.hub.subscribe(table) as news:
        yield b"retry: 1000\n\n"
        # Streams that were opened together, after a restart say, do not beat together: others would have to wait.
        beat = time.monotonic() + HEARTBEAT_S * random()  # noqa: S311 - no secret
        while True:
            events, due = ([], None) if after is None else reader.read(after, _PAGE)
            if after is None or (events and events[0]["seq"] != after + 1):
                view = reader.look()
                after = view["version"]
                yield b"event: reset\nid: %d\ndata: %b\n\n" % (after, fastjson.dumps({"view": view}))
                if view["status"] == "finished":
                    return
                continue
            for event in events:
                after = event["seq"]
                yield b"id: %d\ndata: %b\n\n" % (after, fastjson.dumps(reader.show(event)))
                if event["type"] == "presence":
                    # Another process may have called away who reads here.
                    services.presence.seen(services.tables.load(table), player)
            if events and events[-1]["type"] in _ENDINGS and services.tables.load(table)["version"] == after:
                return
            if len(events) == _PAGE:
                continue
            # What was appended since the log was read has left word: there is no need to look again.
            left = beat - time.monotonic()
            news.wait(max(0.0, left if due is None else min(left, due)))
            if time.monotonic() >= beat:
                told = {"server_time": timestamp(services.tables.now()), "after": after}
                yield b"event: heartbeat\ndata: %b\n\n" % fastjson.dumps(told)
                beat = time.monotonic() + HEARTBEAT_S


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
    ticket = stream_tickets.issue(services.idempotency, player, table)
    expires_at = timestamp(services.tables.now() + stream_tickets.LIFE_MS)
    return reply({"ticket": ticket, "expires_at": expires_at})
