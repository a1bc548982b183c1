"""The event log of a table: as a stream, by long polling, or in pages (docs/contract.md §4).

All three read the log after a seq and redact it for the caller. Waiting requests follow the feed of the table first,
then read, then wait, so no event is missed or sent twice.
"""

import re
import time
from contextlib import ExitStack
from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http.problems import Fault, InvalidFields
from service.api.http.responses import empty_response, json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas.events import envelope as schemas
from service.api.services import Services
from service.api.streams.messages import PAGE_SIZE, Stream, check_rights
from service.api.streams.reading import Page, read_page
from service.api.streams.rendering import is_over
from service.api.visibility import Perspective
from service.api.waiting import (
    EVENT_STREAM,
    EVENTS_PER_REQUEST,
    bearer_or_ticket,
    follow,
    following,
    held_open,
    new_ticket,
    stream_response,
    wants,
)
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp
from service.game.views.muting import without
from service.game.views.types import EventView

resource: Final = Resource(
    "Events",
    "Everything that happens at a table has a `seq`: 1, 2, 3 … without gaps. Every viewer gets the same events; hidden "
    "cards appear as a count.",
)


@resource.operation(
    "GET",
    "/v1/tables/<table>/events",
    query=schemas.EventQuery(),
    response=schemas.EventPage(),
    auth=bearer_or_ticket,
    headers=("Last-Event-ID", "Accept"),
    media_types={
        EVENT_STREAM: "Server-sent events: `id` is the `seq`, `data` an `Event`. A `heartbeat` follows every ten "
        "seconds. If the request names no event to resume after, a `reset` with the view of the table comes "
        "first; another one comes if the log has lost events. If the service ends the stream on purpose, `end` "
        "comes last, with the `reason`: `over` after the last event of the game, otherwise why the caller may no "
        "longer follow."
    },
    other_statuses={204: "For a stream: the game is over and every event has been sent."},
    errors=("private-table", "no-spectators", "too-many-streams"),
    scope="tables:read",
)
def list_events(request: ApiRequest, table: str) -> Response:
    """Follow a table.

    `Accept: text/event-stream` opens a stream; `Last-Event-ID` or `after` resumes it. `wait` makes a long poll,
    answered as soon as there is an event; an empty answer is charged to `poll`. With neither, the response is a page of
    the log.
    """
    return _stream(request, table) if wants(request.raw, EVENT_STREAM) else _poll(request, table)


# --- pages and long polls ----------------------------------------------------------------------------------------


def _poll(request: ApiRequest, table: str) -> Response:
    services, query = request.services, request.query
    perspective = Perspective.load(services, table, request.player_id)
    services.presence.acted(perspective.table, request.player_id)
    version = perspective.version
    wait, limit = query.get("wait"), query["limit"]
    after = _resume_after(request, perspective)
    if after is None:
        after = 0 if wait is None else version
    page = read_page(services, table, request.player_id, after, limit) if after < version else None
    if wait and (page is None or not page.events):
        page = _wait_for_page(request, perspective, after, limit, time.monotonic() + wait)
    if page is None or not page.events:
        if wait is not None:
            request.refund()
        return _page(services, [], after, version)
    request.charge(len(page.events) // EVENTS_PER_REQUEST)
    last = page.events[-1]["seq"]
    items = page.perspective.tell(without(page.events, request.player.get("muted", ())))
    return _page(services, items, last, max(version, last))


def _page(services: Services, events: list[EventView], after: int, version: int) -> Response:
    page = {"events": events, "next_after": after, "version": version}
    return json_response({**page, "server_time": timestamp(services.tables.now())})


def _wait_for_page(request: ApiRequest, perspective: Perspective, after: int, limit: int, until: float) -> Page:
    """Return the next events, or none at the timeout."""
    services, table = request.services, perspective.table["id"]
    with following(request, perspective) as follower:
        while True:
            check_rights(services, follower)
            page = read_page(services, table, follower.player, after, limit)
            left = until - time.monotonic()
            if page.events or left <= 0:
                return page
            if page.hidden is not None:
                services.feeds.remind(table, page.hidden)
            follower.wait_for_frame(left)


# --- streams -----------------------------------------------------------------------------------------------------


def _stream(request: ApiRequest, table: str) -> Response:
    services = request.services
    perspective = Perspective.load(services, table, request.player_id)
    after = _resume_after(request, perspective)
    if _is_drained(request, perspective, after):
        return empty_response()
    with ExitStack() as opening:
        held = opening.enter_context(held_open(request, table))
        follower = held.follower = follow(request, perspective)
        opening.callback(services.feeds.leave, table, follower)
        services.presence.stream_opened(perspective.table, request.player_id)
        opening.callback(services.presence.stream_closed, table, request.player_id)
        return stream_response(
            request,
            lambda coding: Stream(
                services, services.feeds, services.presence, follower, table, after, coding, opening.pop_all().close
            ),
        )


def _is_drained(request: ApiRequest, perspective: Perspective, after: int | None) -> bool:
    """Return whether a client that has the events up to `after` has nothing to wait for.

    That is so at a closed table. If only the game is over, a new one may begin: clients that want to see it send
    `after`, while `Last-Event-ID` comes from a browser that reopens an ended stream by itself. Presence after the end
    does not justify a stream.
    """
    table = perspective.visible_table
    if not is_over(table) or not (table["settings"]["closed"] or "Last-Event-ID" in request.raw.headers):
        return False
    if after is None or after >= perspective.version:
        return after == perspective.version
    page = read_page(request.services, table["id"], request.player_id, after, PAGE_SIZE)
    is_whole = bool(page.events) and page.events[-1]["seq"] == page.perspective.version
    return is_whole and all(event["type"] == "presence" for event in page.events)


def _resume_after(request: ApiRequest, perspective: Perspective) -> int | None:
    """Return the seq after which to resume. `Last-Event-ID`, which browsers send, takes precedence over `after`.

    Raises:
        InvalidRequest: it is not the seq of an event that the caller may know of.
    """
    header, after = request.raw.headers.get("Last-Event-ID"), request.query.get("after")
    if header is not None:
        if re.fullmatch(r"\d{1,15}", header, re.ASCII) is None:
            raise InvalidRequest(reason="header", header="Last-Event-ID", example="481")
        after = int(header)
    if after is not None and after > perspective.version:
        if header is None:
            raise InvalidFields([Fault("?after", "beyond_log", {"last": perspective.version})])
        raise InvalidRequest(reason="beyond_log", header="Last-Event-ID", value=after, last=perspective.version)
    return after


@resource.operation(
    "POST",
    "/v1/tables/<table>/stream-ticket",
    response=schemas.StreamTicket(),
    budget="act",
    errors=("private-table", "no-spectators"),
    scope="tables:read",
    keeps=NOTHING,
)
def create_stream_ticket(request: ApiRequest, table: str) -> Response:
    """Get a stream ticket.

    For `EventSource` in browsers, which cannot send a token: `GET …/events?ticket=…`. A ticket opens one stream within
    a minute.
    """
    Perspective.load(request.services, table, request.player_id)
    return new_ticket(request, table)
