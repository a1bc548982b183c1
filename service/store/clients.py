"""Connections to Redis, scripts, and the one place where Redis errors become the store's.

There are two sorts of client, because one set of timeouts cannot serve both: a command must fail within seconds, while
whoever listens to a channel waits as long as nothing happens.
"""

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from queue import Empty
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar
from urllib.parse import unquote

from hiredis import pack_command
from redis import BlockingConnectionPool, Redis, RedisCluster, Sentinel
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError, RedisClusterException, RedisError, ResponseError
from redis.retry import Retry

from service.store.port import StoreCorrupt, StoreUnavailable

#: What the store can be built on. All keys of one script share a hash tag, so a cluster serves as well.
Client = Redis | RedisCluster

#: Port of a server where the URL names none.
_PORTS: Final = {"sentinel": 26379, "cluster": 6379}

_P = ParamSpec("_P")
_R = TypeVar("_R")
_S = TypeVar("_S")


class LeanPool(BlockingConnectionPool):
    """A pool that hands its connections out as they are.

    The library's own way counts each for telemetry and asks the system first whether the server has closed it, which
    under gevent takes longer than a command. A connection that turns out to be closed costs whoever uses it one try.
    """

    def get_connection(self, *_args: Any, **_options: Any) -> Any:
        """Return a connection that nobody else uses; see `redis.BlockingConnectionPool.get_connection`."""
        library: Any = super()
        waiting: Any = self.pool
        try:
            connection = waiting.get(timeout=self.timeout)
        except Empty:
            raise RedisConnectionError("every connection is in use") from None
        if connection is not None and connection.is_connected and connection.pid == os.getpid():
            return connection
        # One that is to be made, or made again, is a matter for the library.
        waiting.put_nowait(connection)
        return library.get_connection()

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        library: Any = super()
        if connection.pid == self.pid and not connection.should_reconnect():
            self.pool.put_nowait(connection)
        else:
            library.release(connection)


class LeanRedis(Redis):
    """A client whose commands go straight to a connection of the pool.

    The library's own way looks at each argument, times every command for telemetry that nobody reads, and wraps it for
    a retry that hardly ever comes: as much work again as the command. A connection that turns out to be lost goes the
    library's way after all.
    """

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command and return its answer; see `redis.Redis.execute_command`."""
        library: Any = super()
        pool: Any = self.connection_pool
        # A command of two words, CONFIG GET say, is two arguments.
        packed = pack_command((*args[0].split(), *args[1:]))
        connection = pool.get_connection()
        try:
            connection.send_packed_command((packed,))
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


class Place(NamedTuple):
    """Where a Redis is, as a URL says it: several servers that know of each other, or of the one that counts.

    Attributes:
        kind: `sentinel` or `cluster`.
        hosts: (host, port) of those to ask.
        service: what the sentinels call it.
        more: what the servers want to know of a client: user, password, database, TLS.
    """

    kind: str
    hosts: tuple[tuple[str, int], ...]
    service: str
    more: dict[str, Any]


def place_of(url: str) -> Place | None:
    """Return what a URL of several servers says; None for one that the client library understands.

        redis+sentinel://[user:password@]host[:port][,host[:port]…]/service[/database]
        redis+cluster://[user:password@]host[:port][,host[:port]…]

    and both with `rediss+` for TLS.

    Raises:
        ValueError: it lacks a host or the service, or has a port that is no number.
    """
    scheme, _, rest = url.partition("://")
    secure, plus, kind = scheme.partition("+")
    if not plus:
        return None
    if secure not in ("redis", "rediss") or kind not in _PORTS:
        raise ValueError(f"redis+sentinel:// or redis+cluster://, not {scheme}://")
    places, _, path = rest.partition("/")
    credentials, _, addresses = places.rpartition("@")
    hosts = tuple(_address(text, _PORTS[kind]) for text in addresses.split(","))
    service, _, database = path.partition("/")
    if bool(service) != (kind == "sentinel"):
        raise ValueError(f"redis+{kind}://host{'/service' if kind == 'sentinel' else ', without a path'}")
    user, _, password = credentials.partition(":")
    more: dict[str, Any] = {"username": unquote(user) or None, "password": unquote(password) or None}
    more = {name: value for name, value in more.items() if value is not None}
    if secure == "rediss":
        more["ssl"] = True
    if database:
        if not database.isdecimal():
            raise ValueError("redis+sentinel://host/service/database, which is a number")
        more["db"] = int(database)
    return Place(kind, hosts, service, more)


def _address(text: str, usual_port: int) -> tuple[str, int]:
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(\d{1,5}))?", text)
    if found is None:
        raise ValueError(f"{text!r} is no host with a port")
    return found[1].strip("[]"), int(found[2] or usual_port)


def command_client(url: str, *, connections: int = 64, tries: int = 3) -> Client:
    """Return a client for commands that are answered at once; it connects when first used (one of a cluster: now).

    A lost connection is tried again three times within a second, which bridges a restart of the server. A command that
    may have been done before its answer was lost is safe to repeat: every write of the store compares first, or sets
    what it would set anyway.

    Args:
        url: of one server (`redis://`, `rediss://`, `unix://`), or as `place_of` reads it.
        tries: how often a lost connection is tried again.
    """
    patience = EqualJitterBackoff(base=0.1, cap=0.4) if tries > 1 else NoBackoff()
    times: dict[str, Any] = {
        "socket_timeout": 5.0,
        "socket_connect_timeout": 2.0,
        "retry": Retry(patience, tries, supported_errors=(RedisConnectionError,)),
    }
    place = place_of(url)
    if place is not None:
        return _client_of(place, LeanRedis, times)
    return LeanRedis.from_pool(LeanPool.from_url(url, max_connections=connections, timeout=5, **times))


def queue_client(url: str, *, waits: bool = False) -> Redis:
    """Return a client for the job queues, which cannot lie on a cluster.

    Args:
        waits: for jobs, as a worker does. Any other loses no time over a server that is away: whoever asks for a job
            has done what it came for, and somebody waits for the answer.

    Raises:
        ValueError: the URL is that of a cluster.
    """
    client = listening_client(url) if waits else command_client(url, tries=1)
    if not isinstance(client, Redis):
        raise ValueError("job queues cannot lie on a cluster")  # noqa: TRY004 - it is the URL that is wrong
    return client


def listening_client(url: str) -> Client:
    """Return a client for subscriptions, which wait without end; who uses it reconnects."""
    times = {"socket_timeout": None, "socket_connect_timeout": 2.0, "retry": Retry(NoBackoff(), 0)}
    place = place_of(url)
    return Redis.from_url(url, **times) if place is None else _client_of(place, Redis, times)


def _client_of(place: Place, client: type[Redis], times: dict[str, Any]) -> Client:
    if place.kind == "cluster":
        nodes = [ClusterNode(*host) for host in place.hosts]  # type: ignore[no-untyped-call]
        return RedisCluster(startup_nodes=nodes, **place.more, **times)
    # Sentinels are asked in turn, each in its time; they have no database.
    asked = {name: value for name, value in place.more.items() if name != "db"} | {"socket_timeout": 1.0}
    found: Redis = Sentinel(place.hosts, sentinel_kwargs=asked).master_for(  # type: ignore[no-untyped-call]
        place.service, redis_class=client, **place.more, **times
    )
    return found


class Script:
    """A Lua file beside this one, by its verb; sent whole only to a server that does not know it yet."""

    def __init__(self, verb: str) -> None:
        self._text: Final = (Path(__file__).parent / "lua" / f"{verb}.lua").read_text("ascii")
        self._sha: Final = hashlib.sha1(self._text.encode("ascii"), usedforsecurity=False).hexdigest()

    def run(self, client: Client, keys: Sequence[str], *args: str | bytes | int) -> Any:
        """Run the script and return its raw answer."""
        send: Any = client.execute_command
        try:
            return send("EVALSHA", self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return send("EVAL", self._text, len(keys), *keys, *args)


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
        except (RedisError, RedisClusterException) as error:
            raise StoreUnavailable(error) from error

    return wrapped
