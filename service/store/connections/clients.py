"""Connections to Redis.

There are two kinds of client with different timeouts: a command must fail within seconds, while a subscriber waits
indefinitely.
"""

import os
from queue import Empty
from typing import Any, Final, cast

from hiredis import pack_command
from redis import BlockingConnectionPool, Redis
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from service.store.connections.cluster_client import ClusterClient
from service.store.connections.commands import Client
from service.store.connections.sentinel_pool import SentinelPool, Sentinels
from service.store.connections.topologies import Topology, parse_topology

#: Timeouts in seconds: for an answer, for connecting, and for a free connection of the pool.
_ANSWER_S: Final = 5.0
#: Timeout for an answer of one of several nodes, so that it does not delay the others.
_NODE_ANSWER_S: Final = 3.0
_CONNECT_S: Final = 2.0
_POOL_S: Final = 5.0


class DirectPool(BlockingConnectionPool):
    """A pool that hands out an open connection without checking it.

    The library polls the socket and reports to telemetry first, which under gevent takes longer than the command: 6 %
    of a play (decision 40). Here, a connection closed by the server costs one retry instead.
    """

    def get_connection(self, *_args: object, **_options: object) -> Any:
        """Return a free connection; see `redis.BlockingConnectionPool.get_connection`."""
        pool: Any = self.pool
        try:
            connection = pool.get(timeout=self.timeout)
        except Empty:
            raise RedisConnectionError("every connection is in use") from None
        if connection is not None and connection.is_connected and connection.pid == os.getpid():
            return connection
        # Let the library open a connection.
        pool.put_nowait(connection)
        library: Any = super()
        try:
            return library.get_connection()
        except OSError as error:
            # E.g. no file descriptors left: the library reads files when it opens a connection.
            raise RedisConnectionError(f"cannot connect: {error}") from error

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        if connection.pid == self.pid and not connection.should_reconnect():
            self.pool.put_nowait(connection)
        else:
            library: Any = super()
            library.release(connection)


class DirectRedis(Redis):
    """A client that only sends a command over a pooled connection and reads the reply.

    The library also times each command for telemetry, prepares its retry and inspects all arguments: 5 % of a play
    (decision 40). A command that loses its connection is sent again by the library.
    """

    def execute_command(self, *args: Any, **options: object) -> Any:
        """Send a command and return its answer; see `redis.Redis.execute_command`."""
        library: Any = super()
        pool: Any = self.connection_pool
        # Command names of two words (CONFIG GET) are sent as two arguments.
        packed = pack_command((*args[0].split(), *args[1:]))
        connection = pool.get_connection()
        try:
            connection.send_packed_command((packed,))
            return library.parse_response(connection, args[0], **options)
        except RedisConnectionError:
            # Sent again below.
            pass
        finally:
            pool.release(connection)
        return library.execute_command(*args, **options)


def command_client(url: str, *, connections: int = 64, retries: int = 3, answer_s: float = _ANSWER_S) -> Client:
    """Return a client for commands that are answered at once. It connects on first use; a cluster client now.

    A lost connection is retried three times within a second, which bridges a restart of the server. Commands are safe
    to repeat even if they were executed before the answer was lost: every write of the store compares first, or is
    idempotent.

    Args:
        url: URL of one server (`redis://`, `rediss://`, `unix://`), or one for `parse_topology`.
        connections: most connections; callers wait for a free one.
        retries: number of retries after a lost connection.
        answer_s: timeout for an answer (s).
    """
    backoff = EqualJitterBackoff(base=0.1, cap=0.4) if retries > 1 else NoBackoff()
    options: dict[str, Any] = {
        "socket_timeout": answer_s,
        "socket_connect_timeout": _CONNECT_S,
        "retry": Retry(backoff, retries, supported_errors=(RedisConnectionError,)),
    }
    topology = parse_topology(url)
    if topology is not None:
        return _client_of(topology, options)
    pool = DirectPool.from_url(url, max_connections=connections, timeout=_POOL_S, **options)
    return cast("Client", DirectRedis.from_pool(pool))


def queue_client(url: str, *, blocking: bool = False) -> Redis:
    """Return a client for the job queues, which cannot be on a cluster.

    Args:
        blocking: whether the client waits for jobs, as a worker does. Other clients give up after one retry, since a
            player is waiting, and the clock will enqueue the job anyway.

    Raises:
        ValueError: the URL names a cluster.
    """
    client: object = listening_client(url) if blocking else command_client(url, retries=1)
    if not isinstance(client, Redis):
        raise ValueError("job queues cannot be on a cluster")  # noqa: TRY004 - the URL is wrong, not a type
    return client


def listening_client(url: str) -> Client:
    """Return a client for commands that may block indefinitely. It does not retry."""
    options = {"socket_timeout": None, "socket_connect_timeout": _CONNECT_S, "retry": Retry(NoBackoff(), 0)}
    topology = parse_topology(url)
    return cast("Client", Redis.from_url(url, **options)) if topology is None else _client_of(topology, options)


def _client_of(topology: Topology, options: dict[str, Any]) -> Client:
    if topology.kind == "cluster":
        nodes = [ClusterNode(*host) for host in topology.hosts]  # type: ignore[no-untyped-call]
        cluster = ClusterClient(
            startup_nodes=nodes,
            require_full_coverage=False,
            **topology.options,
            **{**options, "socket_timeout": min(options["socket_timeout"] or _NODE_ANSWER_S, _NODE_ANSWER_S)},
        )
        return cast("Client", cluster)
    # Sentinels are asked in turn, each with a timeout; they have no database.
    of_sentinels = {name: value for name, value in topology.options.items() if name != "db"} | {"socket_timeout": 1.0}
    sentinel = Sentinels(topology.hosts, sentinel_kwargs=of_sentinels)  # type: ignore[no-untyped-call]
    client: Client = sentinel.master_for(  # type: ignore[no-untyped-call]
        topology.service, connection_pool_class=SentinelPool, **topology.options, **options
    )
    return client
