"""Requests that stay open: event streams and long polls. Their number per process is limited."""

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from flask import Request, Response

from service.api.http import stream_tickets
from service.api.http.auth import bearer_token, hash_of
from service.api.http.compression import chosen
from service.api.http.middleware import request_context
from service.api.http.problems import Unauthorized
from service.api.http.rate_limits import client_of
from service.api.http.responses import json_response
from service.api.operations import ApiRequest, bearer, charge_failure
from service.api.services import Services
from service.api.streams.account_reader import AccountReader
from service.api.streams.body import Body
from service.api.streams.coding import Coding, Gzip, Identity
from service.api.streams.follower import Follower
from service.api.streams.limits import Held
from service.api.streams.messages import check_token
from service.api.visibility import Perspective
from service.game.views.fields import timestamp
from service.store.players.tokens import Caller

EVENT_STREAM: Final = "text/event-stream"
#: Number of events of a page that cost as much as a request.
EVENTS_PER_REQUEST: Final = 50


# --- tickets -------------------------------------------------------------------------------------------------------


def new_ticket(request: ApiRequest, table: str) -> Response:
    """Answer with a stream ticket for a table, or for `stream_tickets.ACCOUNT`."""
    services = request.services
    ticket = stream_tickets.issue(services.stores.idempotency, token_hash_of(request), table)
    expires_at = timestamp(services.tables.now() + stream_tickets.TTL_MS)
    return json_response({"ticket": ticket, "expires_at": expires_at, "remaining_ms": stream_tickets.TTL_MS})


def bearer_or_ticket(services: Services, raw: Request) -> Caller:
    """Return the caller of a request with a token, or with a ticket for these events.

    Raises:
        Unauthorized: neither is valid.
    """
    ticket = raw.args.get("ticket")
    if ticket is None:
        return bearer(services, raw)
    table = (raw.view_args or {}).get("table", stream_tickets.ACCOUNT)
    try:
        token_hash = stream_tickets.redeem(services.stores.idempotency, ticket, table)
    except Unauthorized:
        charge_failure(services, raw)
        raise
    caller = services.accounts.caller(token_hash)
    if caller is None:
        # The token for which the ticket was issued has become void.
        raise Unauthorized
    request_context(raw).token_hash = token_hash
    return caller


def token_hash_of(request: ApiRequest) -> str:
    """Return the hash of the token of a request, or of that for which its ticket was issued."""
    token_hash = request_context(request.raw).token_hash
    return token_hash or hash_of(bearer_token(request.raw.environ.get("HTTP_AUTHORIZATION")))


# --- streams -------------------------------------------------------------------------------------------------------


def wants(raw: Request, media_type: str) -> bool:
    """Return whether a client wants a type of stream. If it also accepts JSON, as generated clients do, it does not."""
    return raw.accept_mimetypes.best_match(("application/json", media_type)) == media_type


def has_left(raw: Request) -> bool:
    """Return whether the client has already closed its connection, as a request may wait long to be accepted."""
    connection = raw.environ.get("gunicorn.socket")
    if connection is None:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    try:
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except OSError:
        return True


def encoded(raw: Request, response_with: Callable[[Coding], Response]) -> Response:
    """Return a response whose body uses a coding that the client accepts."""
    is_gzip = chosen(raw.headers.get("Accept-Encoding", ""), ("gzip",)) is not None
    response = response_with(Gzip() if is_gzip else Identity())
    if is_gzip:
        response.headers["Content-Encoding"] = "gzip"
    return response


def stream_response(request: ApiRequest, body: Callable[[Coding], Body[Any]]) -> Response:
    """Return the response of an event stream."""
    # The body is passed directly to the server, with its `close`, so that nothing else stays in memory.
    response = encoded(
        request.raw,
        lambda coding: Response(body(coding), content_type=EVENT_STREAM, direct_passthrough=True),
    )
    response.headers["X-Accel-Buffering"] = "no"
    return response


@contextmanager
def held_open(request: ApiRequest, table: str) -> Iterator[Held]:
    """Count an open request. `table` and errors are those of `Streams.hold`."""
    services = request.services
    with services.streams.hold(request.player_id, table, client_of(request.raw)) as held:
        services.metrics.streams.inc()
        try:
            yield held
        finally:
            services.metrics.streams.dec()


def follow(request: ApiRequest, perspective: Perspective) -> Follower:
    """Follow a table like its streams; `Feeds.leave` ends it.

    Raises:
        Unauthorized: the token is void, although this process has accepted it from its cache.
    """
    services, table = request.services, perspective.table
    follower = services.feeds.follow(
        table,
        request.player_id,
        token_hash_of(request),
        perspective.viewer,
        is_delayed=perspective.is_delayed,
        heartbeat_s=request.query.get("heartbeat"),
    )
    follower.is_invited = perspective.is_invited
    if perspective.is_delayed:
        # A block since the perspective was loaded counts too.
        follower.state, follower.must_meet = table, True
    try:
        # From now on the follower is notified if the token becomes void, so check it for the last time.
        check_token(services, follower)
    except BaseException:
        services.feeds.leave(table["id"], follower)
        raise
    return follower


@contextmanager
def following(request: ApiRequest, perspective: Perspective) -> Iterator[Follower]:
    """Follow a table during a long poll. Raises as `held_open` and `follow`."""
    services, table = request.services, perspective.table["id"]
    with held_open(request, table) as held:
        follower = held.follower = follow(request, perspective)
        try:
            yield follower
        finally:
            services.feeds.leave(table, follower)


def attend(request: ApiRequest, number: str = "", *, every_version: bool = False) -> AccountReader:
    """Return a new `AccountReader` of the caller's account; `Feeds.dismiss` ends it.

    Raises:
        Unauthorized: the token is void, although this process has accepted it from its cache.
    """
    services = request.services
    reader = AccountReader(request.token, token_hash_of(request), number, every_version=every_version)
    services.feeds.attend(reader, request.query.get("heartbeat"))
    try:
        # From now on the reader is notified if the token becomes void.
        check_token(services, reader)
    except BaseException:
        services.feeds.dismiss(reader)
        raise
    return reader


@contextmanager
def attending(request: ApiRequest, *, every_version: bool = False) -> Iterator[AccountReader]:
    """Read the account of the caller during a long poll. Raises as `held_open` and `attend`."""
    services = request.services
    with held_open(request, request.token["id"]) as held:
        reader = held.follower = attend(request, every_version=every_version)
        try:
            yield reader
        finally:
            services.feeds.dismiss(reader)
