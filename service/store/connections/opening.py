"""What a process makes sure of at its start: servers that answer and are new enough, data that fit the settings."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from redis import RedisCluster
from redis.exceptions import AuthenticationError, NoPermissionError, RedisClusterException, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError

from service.store import keys
from service.store.connections.clients import Client, command_client, queue_client

#: Major version of the oldest server that has all commands.
_OLDEST: Final = 5
#: How long a server may take to answer (s): it may be starting, too.
WAIT_S: Final = 10.0
_PAUSE_S: Final = 0.2
_SLOTS: Final = 16_384


class CannotStartError(RuntimeError):
    """A process cannot start; the text, a sentence, says why and what to do."""


def open_tables(url: str, buckets: int, wait_s: float = WAIT_S) -> None:
    """Make sure of the Redis of the tables, and sort tables into so many buckets from now on.

    Raises:
        CannotStartError: it does not answer in time, is too old, or holds tables in another number of buckets.
    """
    client = answering("REDIS_URL", url, command_client, wait_s)
    try:
        if isinstance(client, RedisCluster) and len(client.nodes_manager.slots_cache) < _SLOTS:
            missing = _SLOTS - len(client.nodes_manager.slots_cache)
            raise CannotStartError(f"REDIS_URL: {missing:,} slots of the cluster are on no node; assign them")
        stored = _stored_buckets(client, buckets)
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


def open_queues(urls: Iterable[str], wait_s: float = WAIT_S) -> None:
    """Make sure of each Redis of the job queues.

    Raises:
        CannotStartError: one does not answer in time, or is too old.
    """
    for url in urls:
        answering("QUEUE_REDIS_URL", url, queue_client, wait_s).close()


def _stored_buckets(client: Any, buckets: int) -> int:
    """Return how many buckets the tables are in. In a Redis without data of the service, that is decided now."""
    stored = client.get(keys.BUCKETS)
    if stored is None:
        # Releases before 0.3 do not write it; every one reads the clock.
        decided = keys.USUAL_BUCKETS if client.exists(keys.CLOCK) else buckets
        # A full memory must not keep anybody from reading; the next process writes it.
        with suppress(ResponseError):
            client.set(keys.BUCKETS, decided, nx=True)
        stored = client.get(keys.BUCKETS) or decided
    return int(stored)


def answering(setting: str, url: str, connect: Callable[[str], Client], wait_s: float) -> Client:
    """Return a client of a server that answers and is new enough.

    Raises:
        CannotStartError: it does not answer in time, or is too old.
    """
    until = time.monotonic() + wait_s
    place = url.partition("://")[2].rpartition("@")[2]
    while True:
        try:
            client = connect(url)
            version = _version(client)
            break
        except AuthenticationError as error:
            raise CannotStartError(f"{setting}: {place} refuses user or password ({error})") from None
        except (RedisError, RedisClusterException, OSError) as error:
            if time.monotonic() > until or not isinstance(
                error, (RedisConnectionError, RedisClusterException, OSError)
            ):
                raise CannotStartError(f"{setting}: no answer from {place} ({error})") from None
        time.sleep(_PAUSE_S)
    if int(version.partition(".")[0]) < _OLDEST:
        client.close()
        raise CannotStartError(f"{setting}: {place} is Redis {version}; the service needs {_OLDEST}.0 or newer")
    return client


def _version(client: Client) -> str:
    one: Any = client
    if isinstance(client, RedisCluster):
        one = client.get_redis_connection(client.get_default_node())  # type: ignore[no-untyped-call]
    try:
        return str(one.info("server").get("redis_version", _OLDEST))
    except NoPermissionError:
        # It answers; whoever sets such rights knows the server.
        return str(_OLDEST)
