"""Connections that listen to the channels of one server.

This replaces the library's subscriptions. On a cluster those read the nodes in turn, waiting for each, and never notice
that a slot has moved unless commands are sent (decision 80).
"""

import threading
from typing import Any, Final

from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.store.connections.cluster_client import ClusterClient
from service.store.connections.commands import Client
from service.store.connections.sentinel_pool import SentinelPool

#: How long `read` waits (s), and the numbers of such waits without a message after which it pings the server, and after
#: which the connection is lost.
CHECK_S: Final = 0.25
_PING_AFTER: Final = 8
_LOST_AFTER: Final = 20
#: Timeout of an answer to a command (s).
_ANSWER_S: Final = 5.0


class Line:
    """A connection that listens to channels of one server.

    One thread reads; another one opens, subscribes and closes.

    Args:
        server: result of `server_of`.
        is_of_cluster: whether it is a node of a cluster.

    Attributes:
        is_broken: whether the connection is lost.
        knows_shards: whether the server has sharded channels (a cluster of Redis 7).

    Raises:
        RedisError: the server does not answer.
    """

    def __init__(self, server: "Server", *, is_of_cluster: bool) -> None:
        self._pool: Final = server.pool
        self._connection: Final = server.connect()
        self._sending: Final = threading.Lock()
        self._silent = 0
        self.is_broken = False
        self.knows_shards: Final = is_of_cluster and self._knows("SSUBSCRIBE")

    def _knows(self, command: str) -> bool:
        self._connection.send_command("COMMAND", "INFO", command)
        return bool(self._connection.read_response(timeout=_ANSWER_S)[0])

    def send(self, command: str, *channels: str) -> None:
        """Send a command; `read` returns the answer. A failure breaks the line."""
        try:
            with self._sending:
                self._connection.send_command(command, *channels, check_health=False)
        except (RedisError, OSError):
            self.is_broken = True

    def read(self) -> tuple[bytes, bytes, bytes] | None:
        """Return the next message (kind, channel and data), or None after `CHECK_S` without one.

        Raises:
            RedisError: the connection is lost, or a command was refused.
        """
        try:
            read = self._connection.read_response
            answer = read(disconnect_on_error=False, push_request=True, timeout=CHECK_S)
        except RedisTimeoutError:
            self._silent += 1
            if self._silent == _PING_AFTER:
                self.send("PING")
            elif self._silent > _LOST_AFTER:
                raise ConnectionAbortedError("no answer to a ping") from None
            return None
        self._silent = 0
        return tuple(answer) if isinstance(answer, list) and len(answer) == 3 else None

    def close(self) -> None:
        """Close the connection. Nobody may be reading it."""
        self._connection.disconnect()
        self._pool.release(self._connection)


class Server:
    """One server, or a node of a cluster.

    Attributes:
        name: identifies it.
        redis: a client.
        pool: pool of connections.
        address: address given by the sentinels; None without sentinels, or before the first connection.
    """

    def __init__(self, client: Client, channel: str) -> None:
        node: Any = client
        self._client: Final = node
        self._node: Final = node.get_node_from_key(channel) if isinstance(client, ClusterClient) else None
        self.name: Final[str] = self._node.name if self._node else ""
        self.redis: Final = node.get_redis_connection(self._node) if self._node else node
        self.pool: Final[Any] = self.redis.connection_pool
        self.address: Final = self.pool.master_address if isinstance(self.pool, SentinelPool) else None

    def connect(self) -> Any:
        """Return a connection.

        Raises:
            RedisError: it does not answer, or did not answer recently.
        """
        self.admit()
        try:
            return self.pool.get_connection()
        except RedisTimeoutError:
            self.leave_out()
            raise

    def admit(self) -> None:
        """Check that the server is not left out.

        Raises:
            RedisConnectionError: it did not answer recently.
        """
        if self._node is not None:
            self._client.admit(self._node)

    def is_named_by_all(self) -> bool:
        """Return whether all sentinels name this server; true without sentinels. Another may have taken over."""
        return self.address is None or self.pool.named() == self.address

    def leave_out(self) -> None:
        """Leave out the server, since it does not answer."""
        if self._node is not None:
            self._client.leave_out(self._node)


def look_for_servers(client: Client) -> None:
    """Refresh the assignment of slots on a cluster."""
    if isinstance(client, ClusterClient):
        client.look_around()
