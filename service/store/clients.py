"""Connections to Redis, scripts, and the one place where Redis errors become the store's.

There are two sorts of client, because one set of timeouts cannot serve both: a command must fail within seconds, while
whoever listens to a channel waits as long as nothing happens.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from redis import BlockingConnectionPool, Redis, RedisCluster
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisError, ResponseError
from redis.retry import Retry

from service.store.port import StoreCorrupt, StoreUnavailable

#: What the store can be built on. All keys of one script share a hash tag, so a cluster serves as well.
Client = Redis | RedisCluster

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")


class LeanRedis(Redis):
    """A client whose commands go straight to a connection of the pool.

    The library's own way times every command for telemetry that nobody reads, and wraps it for a retry that hardly ever
    comes: as much work again as the command. A connection that turns out to be lost goes the library's way after all.
    """

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command and return its answer; see `redis.Redis.execute_command`."""
        library: Any = super()
        pool: Any = self.connection_pool
        connection = pool.get_connection()
        try:
            connection.send_command(*args, **options)
            answer: Any = library.parse_response(connection, args[0], **options)
        except ResponseError:
            raise
        except RedisConnectionError:
            connection.disconnect()
        except BaseException:
            # What is still to come on this connection would be taken for the answer to another command.
            connection.disconnect()
            raise
        else:
            return answer
        finally:
            pool.release(connection)
        return library.execute_command(*args, **options)


def command_client(url: str, *, connections: int = 64) -> Redis:
    """Return a client for commands that are answered at once; it connects when first used.

    A lost connection is tried again three times within a second, which bridges a restart of the server. A command that
    may have been done before its answer was lost is safe to repeat: every write of the store compares first, or sets
    what it would set anyway.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=5,
        socket_timeout=5.0,
        socket_connect_timeout=2.0,
        retry=Retry(EqualJitterBackoff(base=0.1, cap=0.4), 3, supported_errors=(RedisConnectionError,)),
    )
    return LeanRedis.from_pool(pool)


def listening_client(url: str) -> Redis:
    """Return a client for subscriptions, which wait without end; who uses it reconnects."""
    return Redis.from_url(url, socket_timeout=None, socket_connect_timeout=2.0, retry=Retry(NoBackoff(), 0))


class Script:
    """A Lua file beside this one, by its verb; sent whole only to a server that does not know it yet."""

    def __init__(self, verb: str) -> None:
        self._text: Final = (Path(__file__).parent / "lua" / f"{verb}.lua").read_text("ascii")
        self._sha: Final = hashlib.sha1(self._text.encode("ascii"), usedforsecurity=False).hexdigest()

    def run(self, client: Client, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run the script and return its raw answer."""
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self._text, len(keys), *keys, *args)


#: Refusals of a server that will pass: memory or disk full, replica, loading, busy, cluster in motion.
_PASSING: Final = (
    "OOM",
    "MISCONF",
    "READONLY",
    "LOADING",
    "BUSY",
    "MASTERDOWN",
    "NOREPLICAS",
    "CLUSTERDOWN",
    "TRYAGAIN",
)


def edge(method: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[_S, _P], _R]:
    """Let the errors of the client library leave a method as the store's own."""

    @wraps(method)
    def wrapped(self: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return method(self, *args, **kwargs)
        except ResponseError as error:
            # Servers before 7 put the refusal inside the message of the script that met it.
            if any(word in str(error) for word in _PASSING) or type(error) is not ResponseError:
                raise StoreUnavailable(error) from error
            raise StoreCorrupt(f"{method.__name__} {args[:1]}: {error}") from error
        except RedisError as error:
            raise StoreUnavailable(error) from error

    return wrapped
