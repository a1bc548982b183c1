"""A cluster client that does not wait for a failed node repeatedly.

The library (redis 8.1) waits for a hanging node once per command and attempt, and sends it the commands of a pipeline
one by one. Callers that serve many tables, such as the clock or the thread of the streams, would delay all of them
because of one node. Here, commands to a node that did not answer fail at once, until it answers a short probe, or the
cluster assigns its slots to another node.
"""

import math
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from redis import RedisCluster
from redis.cluster import PRIMARY, ClusterNode, NodeCommands, PipelineCommand
from redis.commands import CoreCommands
from redis.exceptions import (
    AskError,
    ClusterDownError,
    ClusterError,
    MovedError,
    RedisClusterException,
    RedisError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

T = TypeVar("T")
#: How long a node that did not answer is left out (s), and timeout of the probe after that (s).
_LEFT_OUT_S: Final = 0.5
_QUESTION_S: Final = 0.3
#: Errors of a node that redirects the command or has gone.
_SENT_AGAIN: Final = (MovedError, AskError, TryAgainError, ClusterDownError, RedisConnectionError)
#: Not typed in the library.
_Command: Final[Any] = PipelineCommand
_AtNode: Final[Any] = NodeCommands
_Node: Final[Any] = ClusterNode
_LOST: Final = (RedisConnectionError, RedisTimeoutError)


class ClusterClient(RedisCluster):
    """See the module."""

    def __init__(self, **options: Any) -> None:
        #: Node -> when it may be probed (s, monotonic).
        self._left_out: Final[dict[str, float]] = {}
        #: Node -> held by whoever probes it.
        self._asking: Final[dict[str, threading.Lock]] = {}
        super().__init__(**options)

    def pipeline(self, transaction: bool | None = None, shard_hint: object = None) -> Any:
        """Return a pipeline; see `redis.RedisCluster.pipeline`."""
        library: Any = super()
        return library.pipeline(transaction, shard_hint) if transaction else NodePipeline(self)

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> Any:
        """Return a node, even one without slots yet, to which another one redirects commands of a moving slot."""
        library: Any = super()
        node = library.get_node(host, port, node_name)
        if node is None and node_name:
            of_node, _, its_port = node_name.rpartition(":")
            node = _Node(of_node, int(its_port), PRIMARY)
        return node

    def admit(self, node: ClusterNode) -> None:
        """Check that a node is not left out; probe it if it is time, or wait for the answer to another caller's probe.

        A node may have been left out long ago, as a replica or under another master, and be well since.

        Raises:
            RedisConnectionError: it is left out.
        """
        if node.name not in self._left_out:
            return
        asking = self._asking.setdefault(node.name, threading.Lock())
        if self._is_time(node) and asking.acquire(timeout=_QUESTION_S):
            try:
                self._ask_again(node)
            finally:
                asking.release()
        if node.name in self._left_out:
            raise RedisConnectionError(f"{node.name} did not answer a moment ago")

    def _is_time(self, node: ClusterNode) -> bool:
        return time.monotonic() >= self._left_out.get(node.name, math.inf)

    def _ask_again(self, node: ClusterNode) -> None:
        if not self._is_time(node):
            return
        if _answers(node):
            self._left_out.pop(node.name, None)
        else:
            self.leave_out(node)

    def leave_out(self, node: ClusterNode) -> None:
        """Leave out a node that does not answer, and ask the others for the owners of its slots."""
        self._left_out[node.name] = time.monotonic() + _LEFT_OUT_S
        with suppress(RedisError, RedisClusterException):
            self.look_around()

    def look_around(self) -> None:
        """Refresh the assignment of slots, asking nodes that are left out last."""
        self.nodes_manager.initialize(last_failed_node_name=next(iter(self._left_out), None))

    def _execute_command(self, target_node: ClusterNode, *args: Any, **options: Any) -> Any:
        self.admit(target_node)
        library: Any = super()
        try:
            return library._execute_command(target_node, *args, **options)  # noqa: SLF001 - the library's own
        except RedisTimeoutError:
            # The library has refreshed the slots.
            self._left_out[target_node.name] = time.monotonic() + _LEFT_OUT_S
            raise


def _answers(node: ClusterNode) -> bool:
    pool = node.redis_connection.connection_pool
    times = {"socket_timeout": _QUESTION_S, "socket_connect_timeout": _QUESTION_S}
    connection = pool.connection_class(**{**pool.connection_kwargs, **times})
    try:
        connection.connect()
        connection.send_command("PING")
        connection.read_response()
    except (RedisError, OSError):
        return False
    finally:
        connection.disconnect()
    return True


class NodePipeline(CoreCommands):
    """A pipeline that sends the commands of all nodes at once.

    If a node does not answer, only its commands fail.
    """

    #: Required by the library, for subscriptions.
    _event_dispatcher: Any = None

    def __init__(self, client: ClusterClient) -> None:
        self._client: Final[Any] = client
        self._commands: list[PipelineCommand] = []

    def __len__(self) -> int:
        return len(self._commands)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Add a command."""
        self._commands.append(_Command(args, options, len(self._commands)))
        return self

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Send all commands and return their answers, in order; see `redis.client.Pipeline.execute`."""
        commands, self._commands = self._commands, []
        self._send(commands)
        for command in commands:
            if isinstance(command.result, _SENT_AGAIN):
                # Send it alone, so that the library follows redirections or gives up.
                try:
                    command.result = self._client.execute_command(*command.args, **command.options)
                except (RedisError, RedisClusterException) as error:
                    command.result = error
        answers = [command.result for command in commands]
        if raise_on_error:
            for answer in answers:
                if isinstance(answer, Exception):
                    raise answer
        return answers

    def _send(self, commands: Iterable[PipelineCommand]) -> None:
        nodes: dict[str, tuple[ClusterNode, list[PipelineCommand]]] = {}
        for command in commands:
            try:
                node = self._client.get_node_from_key(_key_of(command.args))
                nodes.setdefault(node.name, (node, []))[1].append(command)
            except RedisClusterException as error:
                command.result = error
        written = []
        for node, its in nodes.values():
            try:
                self._client.admit(node)
                redis = self._client.get_redis_connection(node)
                pool = redis.connection_pool
                at = _AtNode(redis.parse_response, pool, pool.get_connection())
            except _LOST as error:
                self._fail(node, its, error)
                continue
            at.commands = its
            at.write()
            written.append((node, at))
        for node, at in written:
            try:
                at.read()
                lost = next((each.result for each in at.commands if isinstance(each.result, _LOST)), None)
                if lost is not None:
                    at.connection.disconnect()
                    self._fail(node, at.commands, lost)
            except BaseException:
                # Pending answers would be read as those of other commands.
                at.connection.disconnect()
                raise
            finally:
                at.connection_pool.release(at.connection)

    def _fail(self, node: ClusterNode, commands: Iterable[PipelineCommand], error: Exception) -> None:
        for command in commands:
            command.result = error
        if isinstance(error, RedisTimeoutError):
            self._client.leave_out(node)


def _key_of(command: Sequence[T]) -> T:
    """Return the first key of a command."""
    return command[3] if command[0] in ("EVAL", "EVALSHA") else command[1]


def is_of_a_node(error: Exception) -> bool:
    """Return whether an error concerns one node (lost, or with moving slots), so that others may answer."""
    return isinstance(error, (*_SENT_AGAIN, RedisTimeoutError, ClusterError, RedisClusterException))


def answers_there_are(answers: Iterable[T]) -> list[T | None]:
    """Return the answers of a pipeline (`raise_on_error=False`), with None for those of lost nodes.

    Raises:
        RedisError: no node answered, or it is another error.
    """
    complete = list(answers)
    failed = [answer for answer in complete if isinstance(answer, Exception)]
    for error in failed:
        if len(failed) == len(complete) or not is_of_a_node(error):
            raise error
    return [None if isinstance(answer, Exception) else answer for answer in complete]
