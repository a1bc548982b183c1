"""Requests that stay open: event streams and long polls. Each process holds only so many."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.api.http.auth import bearer_token, hash_of
from service.api.http.middleware import request_context
from service.api.operations import ApiRequest
from service.api.services import Services
from service.api.streams.follower import Follower
from service.api.streams.limits import Held
from service.api.streams.messages import check_token
from service.api.visibility import Perspective
from service.common.errors import Refusal


@contextmanager
def held_open(services: Services, player: str, table: str) -> Iterator[Held]:
    """Count a request of a player while it is open. Arguments and errors are those of `Streams.hold`."""
    with services.streams.hold(player, table) as held:
        services.metrics.streams.inc()
        try:
            yield held
        finally:
            services.metrics.streams.dec()


def follow(request: ApiRequest, perspective: Perspective) -> Follower:
    """Follow a table as its streams do; `Feeds.leave` ends it.

    Raises:
        Unauthorized: the token is void, though this process has accepted it within the last seconds.
    """
    services, table = request.services, perspective.table
    token_hash = request_context(request.raw).token_hash
    if token_hash is None:
        token_hash = hash_of(bearer_token(request.raw.environ.get("HTTP_AUTHORIZATION")))
    follower = services.feeds.follow(
        table,
        request.player_id,
        token_hash,
        perspective.viewer,
        is_delayed=perspective.is_delayed,
        heartbeat_s=request.query.get("heartbeat"),
    )
    follower.is_invited = perspective.is_invited
    try:
        # From now on the follower is told if the token becomes void, so this is the last time that it must be asked.
        check_token(services, follower)
    except BaseException:
        services.feeds.leave(table["id"], follower)
        raise
    return follower


@contextmanager
def following(request: ApiRequest, perspective: Perspective) -> Iterator[Follower]:
    """Follow a table for as long as a poll waits. Raises as `held_open` and `follow`."""
    services, table = request.services, perspective.table["id"]
    with held_open(services, request.player_id, table) as held:
        follower = held.follower = follow(request, perspective)
        try:
            yield follower
        finally:
            services.feeds.leave(table, follower)


def check_rights(services: Services, follower: Follower) -> None:
    """Raise the refusal that a new request would get, if the right to follow has ended meanwhile."""
    if isinstance(follower.ended, Refusal):
        raise follower.ended
    if follower.must_check:
        follower.must_check = False
        check_token(services, follower)
