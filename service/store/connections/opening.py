"""Checks at the start of a process: servers answer and are new enough, and the data fit the settings."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, cast

from redis import RedisCluster
from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    NoPermissionError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as RedisConnectionError

from service.game.events.needs import is_understood, latest
from service.store import keys
from service.store.connections.clients import command_client, queue_client
from service.store.connections.commands import Client

#: Oldest supported major version of Redis.
_OLDEST: Final = 6
#: Told at the start of a process of an earlier release.
NEWER: Final = (
    "these data need {release} or newer: tables that such a release has changed are answered with 503 here and left to "
    "processes of that release; all others go on"
)
#: How long to wait for a server (s), which may still be starting.
WAIT_S: Final = 10.0
_PAUSE_S: Final = 0.2
_SLOTS: Final = 16_384


class CannotStartError(RuntimeError):
    """A process cannot start. The message, a sentence, says why and what to do."""


class NoAnswerError(CannotStartError):
    """A server does not answer."""


def open_tables(url: str, buckets: int, wait_s: float = WAIT_S) -> list[str]:
    """Check the Redis of the tables, and set the number of buckets; return a sentence if a newer release is needed.

    Raises:
        CannotStartError: it does not answer in time, is too old, or has tables in another number of buckets.
    """
    until = time.monotonic() + wait_s
    client = answering("REDIS_URL", url, command_client, wait_s)
    try:
        if isinstance(client, RedisCluster) and len(client.nodes_manager.slots_cache) < _SLOTS:
            missing = _SLOTS - len(client.nodes_manager.slots_cache)
            raise CannotStartError(f"REDIS_URL: {missing:,} slots of the cluster are on no node; assign them")
        while True:
            try:
                stored, needed = _stored_buckets(client, buckets), newer_release(client)
                break
            except (RedisConnectionError, ClusterDownError, MasterDownError):
                # It answers, but is loading its data, or the cluster has just come back.
                if time.monotonic() > until:
                    raise
                time.sleep(_PAUSE_S)
    except (RedisError, RedisClusterException) as error:
        raise CannotStartError(f"REDIS_URL: {error}") from None
    finally:
        client.close()
    if stored != buckets:
        raise CannotStartError(
            f"BUCKETS={buckets}, but the tables of this Redis are in {stored} buckets: set BUCKETS={stored}, "
            "or change the number with a backup (docs/operations.md)"
        )
    keys.use_buckets(buckets)
    return [NEWER.format(release=needed)] if needed else []


def newer_release(client: Client) -> str:
    """Return the latest release that some tables have needed, if this process does not understand it; else ""."""
    needed = latest(release.decode() for release in client.smembers(keys.NEEDS))
    return "" if is_understood(needed) else needed


def is_reachable(client: Client) -> bool:
    """Return whether requests can be served; on a cluster, whether the nodes needed by every request answer."""
    if not isinstance(cast("object", client), RedisCluster):
        return client.ping()
    return client.exists(keys.CLOCK) + client.exists(keys.RECORDS) >= 0


def open_queues(urls: Sequence[str], wait_s: float = WAIT_S) -> list[str]:
    """Check that at least one Redis of the job queues answers; return a sentence on each that does not, or that evicts.

    Raises:
        CannotStartError: none answers in time, or one is too old.
    """
    until = time.monotonic() + wait_s
    connect = cast("Callable[[str], Client]", queue_client)
    while True:
        lost, evicting = [], []
        for url in urls:
            try:
                with answering("QUEUE_REDIS_URL", url, connect, 0) as client:
                    evicting += _evicting(url, client)
            except NoAnswerError as error:
                lost.append(error)
        if len(lost) < len(urls) or not urls:
            return [*(f"{error}; it is left out until it answers" for error in lost), *evicting]
        if time.monotonic() > until:
            raise lost[0]
        time.sleep(_PAUSE_S)


def _evicting(url: str, client: Client) -> list[str]:
    """Return a sentence if a Redis of the queues evicts: a job is made again, but late."""
    policy = "noeviction"
    with suppress(RedisError):
        policy = client.info("memory").get("maxmemory_policy", policy)
    if policy == "noeviction":
        return []
    text = (
        f"QUEUE_REDIS_URL: {_place(url)} deletes data when it is full (maxmemory-policy {policy}), so that AI players "
        "would wait for lost jobs: set `maxmemory-policy noeviction`"
    )
    return [text]


def _place(url: str) -> str:
    """Return the address in a URL, without user and password."""
    return url.partition("://")[2].rpartition("@")[2]


def _stored_buckets(client: Client, buckets: int) -> int:
    """Return the stored number of buckets. If Redis has no data of the service yet, store the wanted number."""
    stored = client.get(keys.BUCKETS)
    if stored is not None:
        return int(stored)
    # Releases before 0.3 do not write it, but all releases write the clock.
    decided = keys.USUAL_BUCKETS if client.exists(keys.CLOCK) else buckets
    # Redis may be full, but reading must work; the next process writes the number.
    with suppress(ResponseError):
        client.set(keys.BUCKETS, decided, nx=True)
    return int(client.get(keys.BUCKETS) or decided)


def answering(setting: str, url: str, connect: Callable[[str], Client], wait_s: float) -> Client:
    """Return a client of a server that answers and is new enough.

    Raises:
        NoAnswerError: it does not answer in time.
        CannotStartError: it refuses the password, or is too old.
    """
    until = time.monotonic() + wait_s
    place = _place(url)
    while True:
        try:
            client = connect(url)
            version = _version(client)
            break
        except AuthenticationError as error:
            raise CannotStartError(f"{setting}: {place} refuses user or password ({error})") from None
        except (RedisError, RedisClusterException, OSError) as error:
            if "HELLO" in str(error):
                # The first command of a connection, which servers know since version 6.
                raise CannotStartError(
                    f"{setting}: {place} is older than Redis {_OLDEST}.0: install {_OLDEST}.0 or newer"
                ) from None
            if time.monotonic() > until or not isinstance(
                error, (RedisConnectionError, RedisClusterException, OSError)
            ):
                raise NoAnswerError(f"{setting}: no answer from {place} ({error})") from None
        time.sleep(_PAUSE_S)
    if int(version.partition(".")[0]) < _OLDEST:
        client.close()
        raise CannotStartError(f"{setting}: {place} is Redis {version}: install {_OLDEST}.0 or newer")
    return client


def _version(client: Client) -> str:
    try:
        cluster: object = client
        node: dict[str, object] = {}
        if isinstance(cluster, RedisCluster):
            # Do not wait for a lost node.
            node["target_nodes"] = cluster.get_node_from_key(keys.BUCKETS)  # type: ignore[no-untyped-call] # it has no types
        return str(client.info("server", **node).get("redis_version", _OLDEST))
    except NoPermissionError:
        # The server answers; access rights without INFO are set on purpose.
        return str(_OLDEST)
