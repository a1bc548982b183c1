"""Requests that stay open: event streams and long polls. Each process holds only so many."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.api.http.auth import bearer_token, hash_of
from service.api.http.middleware import request_context
from service.api.operations import ApiRequest
from service.api.services import Services
from service.api.streams.follower import Follower
from service.api.streams.messages import check_token
from service.api.visibility import Perspective
from service.errors import Refusal


@contextmanager
def held_open(services: Services, player: str) -> Iterator[None]:
    """Count a request of a player while it is open. Raises as `Streams.hold`."""
    with services.streams.hold(player):
        services.metrics.streams.inc()
        try:
            yield
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
        table, request.player_id, token_hash, perspective.viewer, is_delayed=perspective.is_delayed
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
    """Follow a table for as long as a poll waits. Raises as `follow`."""
    follower = follow(request, perspective)
    try:
        yield follower
    finally:
        request.services.feeds.leave(perspective.table["id"], follower)


def check_rights(services: Services, follower: Follower) -> None:
    """Raise the refusal that a new request would get, if the right to follow has ended meanwhile."""
    if isinstance(follower.ended, Refusal):
        raise follower.ended
    if follower.must_check:
        follower.must_check = False
        check_token(services, follower)
