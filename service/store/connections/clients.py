"""Connections to Redis.

There are two kinds of client, since their timeouts differ: a command must fail within seconds, while a subscriber waits
as long as nothing happens.
"""

import os
from queue import Empty
from typing import Any, Final

from hiredis import pack_command
from redis import BlockingConnectionPool, Redis
from redis.backoff import EqualJitterBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from service.store.connections.cluster_client import ClusterClient
from service.store.connections.sentinel_pool import SentinelPool, Sentinels
from service.store.connections.topologies import Topology, parse_topology

#: What the store can be built on. All keys of one script share a hash tag, so a cluster serves as well.
Client = Redis | ClusterClient

#: Seconds: for an answer, for a connection, and for a connection of the pool to become free.
_ANSWER_S: Final = 5.0
#: For an answer of one node among several, so that it does not hold up what others have.
_NODE_ANSWER_S: Final = 3.0
_CONNECT_S: Final = 2.0
_POOL_S: Final = 5.0


class DirectPool(BlockingConnectionPool):
    """A pool that hands out an open connection without checking it.

    The library first polls the socket and reports to telemetry, which under gevent takes longer than the command
    itself: 6 % of a play (decision 40). Here, a connection that the server has closed costs one retry instead.
    """

    def get_connection(self, *_args: Any, **_options: Any) -> Any:
        """Return a connection that nobody else uses; see `redis.BlockingConnectionPool.get_connection`."""
        pool: Any = self.pool
        try:
            connection = pool.get(timeout=self.timeout)
        except Empty:
            raise RedisConnectionError("every connection is in use") from None
        if connection is not None and connection.is_connected and connection.pid == os.getpid():
            return connection
        # Opening a connection is left to the library.
        pool.put_nowait(connection)
        library: Any = super()
        try:
            return library.get_connection()
        except OSError as error:
            # E.g. out of file descriptors: the library reads files of its own when it opens a connection.
            raise RedisConnectionError(f"cannot connect: {error}") from error

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        if connection.pid == self.pid and not connection.should_reconnect():
            self.pool.put_nowait(connection)
        else:
            library: Any = super()
            library.release(connection)


class DirectRedis(Redis):
    """A client that sends a command over a connection of the pool and reads the reply, and does nothing else.

    The library times each command for telemetry, prepares its retry and inspects all its arguments: 5 % of a play
    (decision 40). A command that loses its connection is sent again by the library.
    """

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send a command and return its answer; see `redis.Redis.execute_command`."""
        library: Any = super()
        pool: Any = self.connection_pool
        # Some command names of the library have two words (CONFIG GET), which are sent as two arguments.
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


def command_client(url: str, *, connections: int = 64, retries: int = 3) -> Client:
    """Return a client for commands that are answered at once; it connects when first used (one of a cluster: now).

    A lost connection is retried three times within a second, which bridges a restart of the server. A command that may
    have been executed before its answer was lost is safe to repeat: every write of the store compares first, or sets
    what it would set anyway.

    Args:
        url: of one server (`redis://`, `rediss://`, `unix://`), or as `parse_topology` reads it.
        connections: maximum number; callers wait for a free one.
        retries: after a lost connection.
    """
    backoff = EqualJitterBackoff(base=0.1, cap=0.4) if retries > 1 else NoBackoff()
    options: dict[str, Any] = {
        "socket_timeout": _ANSWER_S,
        "socket_connect_timeout": _CONNECT_S,
        "retry": Retry(backoff, retries, supported_errors=(RedisConnectionError,)),
    }
    topology = parse_topology(url)
    if topology is not None:
        return _client_of(topology, options)
    return DirectRedis.from_pool(DirectPool.from_url(url, max_connections=connections, timeout=_POOL_S, **options))


def queue_client(url: str, *, blocking: bool = False) -> Redis:
    """Return a client for the job queues, which cannot be on a cluster.

    Args:
        blocking: waits for jobs, as a worker does. Other clients give up after one retry: a player is waiting for the
            answer, and the clock enqueues the job again.

    Raises:
        ValueError: the URL is that of a cluster.
    """
    client = listening_client(url) if blocking else command_client(url, retries=1)
    if not isinstance(client, Redis):
        raise ValueError("job queues cannot be on a cluster")  # noqa: TRY004 - it is the URL that is wrong
    return client


def listening_client(url: str) -> Client:
    """Return a client whose answers may take any time, such as those of blocking commands. It does not retry."""
    options = {"socket_timeout": None, "socket_connect_timeout": _CONNECT_S, "retry": Retry(NoBackoff(), 0)}
    topology = parse_topology(url)
    return Redis.from_url(url, **options) if topology is None else _client_of(topology, options)


def _client_of(topology: Topology, options: dict[str, Any]) -> Client:
    if topology.kind == "cluster":
        nodes = [ClusterNode(*host) for host in topology.hosts]  # type: ignore[no-untyped-call]
        return ClusterClient(
            startup_nodes=nodes,
            require_full_coverage=False,
            **topology.options,
            **{**options, "socket_timeout": _NODE_ANSWER_S},
        )
    # Sentinels are asked in turn, each with its own timeout; they have no database.
    of_sentinels = {name: value for name, value in topology.options.items() if name != "db"} | {"socket_timeout": 1.0}
    sentinel = Sentinels(topology.hosts, sentinel_kwargs=of_sentinels)  # type: ignore[no-untyped-call]
    client: Redis = sentinel.master_for(  # type: ignore[no-untyped-call]
        topology.service, connection_pool_class=SentinelPool, **topology.options, **options
    )
    return client
