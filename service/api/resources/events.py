"""The event log of a table: as a stream, by long polling, or in pages (docs/contract.md §4).

All three read the log after a seq and redact it for the caller. The hub only wakes them: subscribe first, then read,
then wait. So no event is missed or sent twice, and since nothing is queued for a slow reader, it delays nobody.
"""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from random import random
from typing import Final

from flask import Request, Response

from service import fastjson
from service.api.http import stream_tickets
from service.api.http.problems import Unauthorized, Unavailable
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource, bearer
from service.api.schemas import events as schemas
from service.api.services import Services
from service.api.visibility import Perspective
from service.errors import InvalidRequest, Refusal
from service.game.events.types import Event
from service.game.views.fields import timestamp
from service.game.views.telling import HintsOf, hints_with, may_bring_hints
from service.game.views.types import EventView, View
from service.store.port import Player, StoreUnavailable

resource: Final = Resource(
    "Events",
    "Everything that happens at a table has a `seq`: 1, 2, 3 … without gaps. Every viewer gets the same events; hidden "
    "cards appear as a count.",
)

HEARTBEAT_S: Final = 10.0
_PAGE_SIZE: Final = 200
_EVENT_STREAM: Final = "text/event-stream"
#: A stream ends after one of these if it is the last event.
_FINAL_EVENTS: Final = frozenset({"game_ended", "game_kept", "table_closed"})


def _bearer_or_ticket(services: Services, raw: Request) -> Player:
    ticket = raw.args.get("ticket")
    if ticket is None:
        return bearer(services, raw)
    table = (raw.view_args or {})["table"]
    player = services.players.get(stream_tickets.redeem(services.idempotency, ticket, table))
    if player is None:
        raise Unauthorized
    return player


@resource.operation(
    "GET",
    "/v1/tables/<table>/events",
    query=schemas.EventQuery(),
    response=schemas.EventPage(),
    auth=_bearer_or_ticket,
    headers=("Last-Event-ID", "Accept"),
    media_types={
        _EVENT_STREAM: "Server-sent events: `id` is the `seq`, `data` an `Event`. A `heartbeat` follows every ten "
        "seconds. A `reset` with the view of the table comes first if the request names no event to resume after, or "
        "one that is not in the log."
    },
    other_statuses={204: "For a stream: the game is over and every event has been sent."},
    errors=("private-table",),
)
def list_events(request: ApiRequest, table: str) -> Response:
    """Follow a table.

    With `Accept: text/event-stream` a stream; `Last-Event-ID` or `after` resumes it. With `wait` a long poll, answered
    as soon as there is an event; an empty answer is free of charge. With neither, a page of the log.
    """
    # JSON for clients that accept both: generated ones often ask for every documented type.
    if request.raw.accept_mimetypes.best_match(("application/json", _EVENT_STREAM)) == _EVENT_STREAM:
        return _stream(request, table)
    return _poll(request, table)


class _LogReader:
    """Reads the log of a table as far as a player may see it.

    The player's seat may change while the log is read; what the player may see changes with it.
    """

    def __init__(self, request: ApiRequest, table: str) -> None:
        self._tables = request.services.tables
        self._table = table
        self._player = request.player_id
        self.perspective = self._load()

    def _load(self) -> Perspective:
        return Perspective.load(self._tables, self._table, self._player)

    def read(self, after: int, limit: int) -> tuple[list[Event], float | None]:
        """Return the next events, and in how many seconds the next delayed one becomes visible, if there is one."""
        events = self._tables.store.events(self._table, after, limit)
        if not events or not self.perspective.is_delayed:
            return events, None
        table, viewer = self._tables.load(self._table), self.perspective.viewer
        self.perspective = Perspective(self._tables, table, self._player, viewer)
        events, due = self.perspective.visible_events(events)
        return events, None if due is None else max(0.0, (due - self._tables.now()) / 1000)

    def tell(self, events: list[Event]) -> Iterator[tuple[Event, EventView]]:
        """Yield events with what the player may see of them, and with hints for what the player may answer.

        Raises:
            PrivateTable: the player may not see the table any more.
        """
        brought = self._hints_with(events)
        for event in events:
            told = self._redact(event)
            if brought is not None and brought.seq == event["seq"]:
                told["data"]["hints"] = brought.hints
            yield event, told

    def _hints_with(self, events: list[Event]) -> HintsOf | None:
        viewer = self.perspective.viewer
        if viewer is None or not may_bring_hints(events, viewer):
            return None
        return hints_with(events, viewer, self._tables.state_since(self._table, events[-1]["seq"]))

    def _redact(self, event: Event) -> EventView:
        """Return an event as the player may see it, from the seat that the player has after it.

        Raises:
            PrivateTable: the player may not see the table any more.
        """
        data, viewer = event["data"], self.perspective.viewer
        if event["type"] == "seat_taken" and data["occupant"]["player"] == self._player:
            self.perspective = Perspective(self._tables, self.perspective.table, self._player, data["seat"])
        elif event["type"] == "seat_left" and data["seat"] == viewer and data["autopilot"] is None:
            self.perspective = self._load()
        return self.perspective.redact(event)

    def view(self) -> View:
        """Return the view of the table as it is now. Raises as `redact`."""
        self.perspective = self._load()
        return self.perspective.view()


# --- pages and long polls ----------------------------------------------------------------------------------------


def _poll(request: ApiRequest, table: str) -> Response:
    services, query = request.services, request.query
    reader = _LogReader(request, table)
    services.presence.seen(reader.perspective.table, request.player_id)
    version = reader.perspective.version
    wait, limit = query.get("wait"), query["limit"]
    after = _resume_after(request)
    if after is None:
        after = 0 if wait is None else version
    events = reader.read(after, limit)[0] if after < version else []
    if wait and not events:
        with _count_stream(services):
            events = _wait_for_events(services, reader, table, after, limit, time.monotonic() + wait)
    if wait is not None and not events:
        request.refund()
    last = events[-1]["seq"] if events else after
    shown = [told for _, told in reader.tell(events)]
    return json_response({"events": shown, "next_after": last, "version": max(version, last if events else 0)})


def _wait_for_events(
    services: Services, reader: _LogReader, table: str, after: int, limit: int, until: float
) -> list[Event]:
    """Return the next events; none if there are none in time."""
    with services.hub.subscribe(table) as subscription:
        while True:
            events, due = reader.read(after, limit)
            left = until - time.monotonic()
            if events or left <= 0:
                return events
            subscription.wait(left if due is None else min(left, due))


@contextmanager
def _count_stream(services: Services) -> Iterator[None]:
    """Count a stream or long poll while it is open.

    Raises:
        Unavailable: this process has reached its limit.
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


def _stream(request: ApiRequest, table: str) -> Response:
    services = request.services
    reader = _LogReader(request, table)
    perspective = reader.perspective
    after = _resume_after(request)
    if perspective.table["status"] == "finished" and after is not None and after >= perspective.version:
        return empty_response()
    if after is not None and after > perspective.version:
        after = None
    cleanup = ExitStack()
    cleanup.enter_context(_count_stream(services))
    services.presence.stream_opened(perspective.table, request.player_id)
    cleanup.callback(services.presence.stream_closed, table, request.player_id)
    response = Response(_messages(request, reader, table, after), content_type=_EVENT_STREAM)
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(cleanup.close)
    return response


def _resume_after(request: ApiRequest) -> int | None:
    """Return the seq after which to resume. `Last-Event-ID`, which browsers send, takes precedence over `after`."""
    header = request.raw.headers.get("Last-Event-ID")
    if header is None:
        after: int | None = request.query.get("after")
        return after
    if re.fullmatch(r"\d{1,15}", header, re.ASCII) is None:
        raise InvalidRequest(reason="header", header="Last-Event-ID", example="481")
    return int(header)


def _messages(request: ApiRequest, reader: _LogReader, table: str, after: int | None) -> Iterator[bytes]:
    """Yield a stream's messages, until the game ends or the player may not see the table any more."""
    services, player = request.services, request.player_id
    # The status has been sent: on an error the stream just ends, and the client gets the error when it reconnects.
    with suppress(Refusal, StoreUnavailable), services.hub.subscribe(table) as subscription:
        yield b"retry: 1000\n\n"
        # The first heartbeat comes at a random time, so that streams opened together do not all beat together.
        heartbeat = time.monotonic() + HEARTBEAT_S * random()  # noqa: S311 - no secret
        while True:
            events, due = ([], None) if after is None else reader.read(after, _PAGE_SIZE)
            if after is None or (events and events[0]["seq"] != after + 1):
                view = reader.view()
                after = view["version"]
                yield b"event: reset\nid: %d\ndata: %b\n\n" % (after, fastjson.dumps({"view": view}))
                if view["status"] == "finished":
                    return
                continue
            for event, told in reader.tell(events):
                after = event["seq"]
                yield b"id: %d\ndata: %b\n\n" % (after, fastjson.dumps(told))
                if event["type"] == "presence":
                    # Another process may have called the player of this stream away.
                    services.presence.seen(services.tables.load(table), player)
            if events and events[-1]["type"] in _FINAL_EVENTS and services.tables.load(table)["version"] == after:
                return
            if len(events) == _PAGE_SIZE:
                continue
            # Events appended since the log was read have woken the subscription already.
            left = heartbeat - time.monotonic()
            subscription.wait(max(0.0, left if due is None else min(left, due)))
            if time.monotonic() >= heartbeat:
                data = {"server_time": timestamp(services.tables.now()), "after": after}
                yield b"event: heartbeat\ndata: %b\n\n" % fastjson.dumps(data)
                heartbeat = time.monotonic() + HEARTBEAT_S


@resource.operation(
    "POST",
    "/v1/tables/<table>/stream-ticket",
    response=schemas.StreamTicket(),
    budget="act",
    errors=("private-table",),
)
def create_stream_ticket(request: ApiRequest, table: str) -> Response:
    """Get a stream ticket.

    For `EventSource` in browsers, which cannot send a token: `GET …/events?ticket=…`. A ticket opens one stream within
    a minute.
    """
    services, player = request.services, request.player_id
    Perspective.load(services.tables, table, player)
    ticket = stream_tickets.issue(services.idempotency, player, table)
    expires_at = timestamp(services.tables.now() + stream_tickets.TTL_MS)
    return json_response({"ticket": ticket, "expires_at": expires_at})
