"""The events of an account: as a stream, by long polling, or in pages (docs/contract.md §9)."""

import time
from contextlib import ExitStack
from typing import Final

from flask import Response

from service.accounts.kept_bytes import NOTHING
from service.api.http import stream_tickets
from service.api.http.problems import Fault, InvalidFields
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, Resource
from service.api.schemas import account_events as schemas
from service.api.schemas.events.envelope import StreamTicket
from service.api.streams.account import AccountEvent, Telling
from service.api.streams.account_reader import AccountReader
from service.api.streams.account_stream import AccountStream
from service.api.streams.cursor import Cursor
from service.api.streams.messages import check_rights
from service.api.waiting import (
    EVENT_STREAM,
    EVENTS_PER_REQUEST,
    attend,
    attending,
    bearer_or_ticket,
    has_left,
    held_open,
    new_ticket,
    stream_response,
    token_hash_of,
    wants,
)
from service.common.errors import InvalidRequest
from service.game.views.fields import timestamp

resource: Final = Resource(
    "Account events",
    "What happens at all of the caller's tables and to the account, on one connection. Each event names what to read.",
)

#: By how much the clock of the process that sent a position may be ahead (ms).
_AHEAD_MS: Final = 60_000


@resource.operation(
    "GET",
    "/v1/me/events",
    query=schemas.AccountEventQuery(),
    response=schemas.AccountEventPage(),
    auth=bearer_or_ticket,
    headers=("Last-Event-ID", "Accept"),
    media_types={
        EVENT_STREAM: "Server-sent events: `id` is a position to resume after, `data` an `AccountEvent`. If the "
        "request names no position, a `snapshot` (the content of `GET /v1/me/tables`) comes first. If events "
        "after the position are gone, a `reset` and then a `snapshot` come first. A `heartbeat` follows every ten "
        "seconds. If the service ends the stream on purpose, `end` comes last, with the `reason`."
    },
    errors=("too-many-streams",),
    cost=10,
    scope="tables:read",
)
def list_my_events(request: ApiRequest) -> Response:
    """Follow my account.

    Tells when it is my turn at any of my tables, and whatever else concerns me. `Accept: text/event-stream` opens a
    stream; `Last-Event-ID` or `after` resumes it. `wait` makes a long poll, answered as soon as there is an event; an
    empty answer is charged to `poll`. With neither, the response has what there is now. A token has one such stream: a
    newer one ends the older, with the reason `newer-stream`.
    """
    cursor = _cursor_of(request)
    return _stream(request, cursor) if wants(request.raw, EVENT_STREAM) else _poll(request, cursor)


def _poll(request: ApiRequest, cursor: Cursor | None) -> Response:
    services, wait, limit = request.services, request.query.get("wait"), request.query["limit"]
    with ExitStack() as stack:
        if wait:
            reader = stack.enter_context(attending(request))
        else:
            reader = AccountReader(request.token, token_hash_of(request), "")
        until = time.monotonic() + (wait or 0)
        telling = Telling(services, services.feeds, reader, cursor, watch=bool(wait))
        events = [*telling.events(limit)]
        while wait and not events and telling.snapshot is None and reader.wait(until - time.monotonic()):
            check_rights(services, reader)
            events = [*telling.events(limit)]
    if not events and telling.snapshot is None:
        request.refund()
    request.charge(len(events) // EVENTS_PER_REQUEST)
    return json_response(_page(telling, events) | {"server_time": timestamp(services.tables.now())})


def _page(telling: Telling, events: list[AccountEvent]) -> dict[str, object]:
    items = [event.body for event in events]
    return {"snapshot": telling.snapshot, "reset": telling.is_reset, "events": items, "next_after": telling.place}


def _stream(request: ApiRequest, cursor: Cursor | None) -> Response:
    services = request.services
    # Nanoseconds of the shared clock; digits below a millisecond come from the clock of this machine.
    number = f"{services.tables.now():015d}.{time.monotonic_ns():020d}"
    with ExitStack() as opening:
        # Keep no reference to the request, which takes 10 KB, while the stream is open.
        held = opening.enter_context(held_open(request, request.token["id"]))
        reader = held.follower = attend(request, number)
        opening.callback(services.feeds.dismiss, reader)
        telling = Telling(services, services.feeds, reader, cursor, watch=True)
        if not has_left(request.raw):
            # Otherwise this would end a stream that the client has opened since.
            services.inbox.stream_opened(reader.player, reader.token, number)
            # End older streams of this process even if it does not receive the announcement yet.
            services.feeds.news(reader.player, reader.token, number)
        return stream_response(
            request, lambda coding: AccountStream(services, reader, telling, coding, opening.pop_all().close)
        )


def _cursor_of(request: ApiRequest) -> Cursor | None:
    """Return the position after which to resume. `Last-Event-ID` takes precedence over `after`.

    Raises:
        InvalidRequest: it is not a position in the events of an account.
    """
    header, after = request.raw.headers.get("Last-Event-ID"), request.query.get("after")
    sent = after if header is None else header
    if sent is None:
        return None
    cursor = Cursor.of(sent)
    if cursor is None:
        raise InvalidRequest(reason="header", header="Last-Event-ID", example="1795202978550")
    if cursor.seq > request.services.tables.now() + _AHEAD_MS:
        if header is None:
            raise InvalidFields([Fault("?after", "beyond_account", {})])
        raise InvalidRequest(reason="beyond_account", header="Last-Event-ID")
    return cursor


@resource.operation(
    "POST", "/v1/me/stream-ticket", response=StreamTicket(), budget="act", scope="tables:read", keeps=NOTHING
)
def create_my_stream_ticket(request: ApiRequest) -> Response:
    """Get a ticket for the stream of my account.

    For `EventSource` in browsers, which cannot send a token: `GET /v1/me/events?ticket=…`. A ticket opens one stream
    within a minute.
    """
    return new_ticket(request, stream_tickets.ACCOUNT)
