"""Sorted sets of all buckets, scored by time: what is due in any of them, at a cost independent of their number.

The server reports which sets have changed since they were read (`CLIENT TRACKING`, since Redis 6), so only these are
read again, plus one more in turn, which detects a lost connection (decision 4). On a cluster there is a connection
per node. If the server does not support tracking, all sets are read each time.
"""

import heapq
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import cycle
from typing import Final

from redis.exceptions import AskError, MovedError, RedisClusterException, RedisError, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from service.store import keys
from service.store.connections.cluster_client import answers_there_are
from service.store.connections.commands import Client
from service.store.connections.lines import Server, look_for_servers

#: Number of earliest members of a set read at a time.
_FIRST: Final = 8
#: How long the sets of a lost node are left out, if there are others (s).
_LEFT_OUT_S: Final = 1.0


class _CannotTrackError(Exception):
    """The server does not support tracking."""


class _Tracked:
    """A copy of the sets of one server."""

    def __init__(self, server: Server, names: Iterable[str]) -> None:
        self._pool: Final = server.pool
        self._connection: Final = server.connect()
        self._names: Final = frozenset(names)
        self._changed: Final = set(names)
        #: Sets for which the server redirected, since their slot is moving.
        self.astray: Final[set[str]] = set()
        self._turns: Final = cycle(self._names)
        #: Set -> earliest members with their times.
        self._first: Final[dict[str, list[tuple[bytes, float]]]] = {}
        #: Heap of (time, set) for the earliest member of each set; it also has outdated entries.
        self._ahead: Final[list[tuple[float, str]]] = []
        try:
            self._track()
        except BaseException:
            self.close()
            raise

    def _track(self) -> None:
        if str(self._connection.protocol) != "3":
            raise _CannotTrackError
        parser = self._connection._parser  # noqa: SLF001 - as the library's own cache does
        parser.set_invalidation_push_handler(self._note_changes)
        self._connection.send_command("CLIENT", "TRACKING", "ON")
        try:
            self._connection.read_response()
        except ResponseError:
            raise _CannotTrackError from None

    def due(self, now: int) -> dict[str, list[tuple[bytes, float]]]:
        """Return the sets with members up to now, each with its earliest ones.

        Includes all earlier writes, since their invalidations arrive before the answers to these reads.
        """
        self._changed.update(self.astray)
        self.astray.clear()
        self._read({*self._changed, next(self._turns)})
        while self._changed:
            self._read(set(self._changed))
        entries = {}
        while self._ahead and self._ahead[0][0] <= now:
            at, name = heapq.heappop(self._ahead)
            first = self._first.get(name)
            if first and first[0][1] == at:
                entries[name] = [(member, score) for member, score in first if score <= now]
                # Unless it changes, it will be due next time too.
                self._changed.add(name)
        if len(self._ahead) > 1_000 + 4 * len(self._first):
            self._ahead[:] = [(first[0][1], name) for name, first in self._first.items()]
            heapq.heapify(self._ahead)
        return entries

    def _read(self, names: set[str]) -> None:
        self._changed.difference_update(names)
        commands = [("ZRANGE", name, 0, _FIRST - 1, "WITHSCORES") for name in names]
        self._connection.send_packed_command(self._connection.pack_commands(commands))
        for _, name, *_ in commands:
            try:
                first = [(member, score) for member, score in self._connection.read_response()]
            except AskError as error:
                if isinstance(error, MovedError):
                    raise
                first = []
                self.astray.add(name)
            if first:
                self._first[name] = first
                heapq.heappush(self._ahead, (first[0][1], name))
            else:
                self._first.pop(name, None)

    def _note_changes(self, message: tuple[object, Iterable[bytes] | None]) -> None:
        _, names = message
        # None: the server was flushed, and has dropped all tracking.
        self._changed.update(self._names if names is None else map(bytes.decode, names))

    def close(self) -> None:
        """Close the connection, which also ends tracking."""
        self._connection.disconnect()
        self._pool.release(self._connection)


class Watched:
    """See the module.

    Args:
        client: client of the tables.
        name_of: returns the key of the set of a bucket.
    """

    def __init__(self, client: Client, name_of: Callable[[int], str]) -> None:
        self._redis: Final = client
        self._names: Final = {name_of(bucket): bucket for bucket in range(keys.buckets())}
        self._lock: Final = threading.Lock()
        #: Name of a server -> the server and its sets; empty: to be looked up.
        self._servers: dict[str, tuple[Server, list[str]]] = {}
        self._tracked: Final[dict[str, _Tracked]] = {}
        #: Lost server -> until when it is left out (s, monotonic).
        self._left_out: Final[dict[str, float]] = {}
        self._can_track = True

    def due(self, now: int, limit: int) -> list[tuple[int, str, int]]:
        """Return (time, member, bucket) of the members due by now in all sets, the earliest first.

        On a cluster, the sets of lost nodes are left out.

        Raises:
            RedisError: no server can be read.
        """
        with self._lock:
            changed = self._changed_sets(now) if self._can_track else None
        if changed is None:
            read = self._members(self._names, now, limit)
        else:
            full = [name for name, members in changed.items() if len(members) == _FIRST]
            read = {**changed, **self._members(full, now, limit)}
        due = ((int(at), member.decode(), self._names[name]) for name, its in read.items() for member, at in its)
        return sorted(due)[:limit]

    def close(self) -> None:
        """Give the connections back that hear of changes. `due` takes them again."""
        with self._lock:
            self._forget()

    def _members(self, names: Iterable[str], now: int, limit: int) -> dict[str, list[tuple[bytes, float]]]:
        if not (wanted := list(names)):
            return {}
        pipeline = self._redis.pipeline(transaction=False)
        for name in wanted:
            pipeline.zrangebyscore(name, "-inf", now, 0, limit, withscores=True)
        answers = answers_there_are(pipeline.execute(raise_on_error=False))
        return {name: its for name, its in zip(wanted, answers, strict=True) if its}

    def _changed_sets(self, now: int) -> dict[str, list[tuple[bytes, float]]] | None:
        """Return the sets with members up to now; None if the server does not support tracking."""
        try:
            return self._look(now)
        except _CannotTrackError:
            self._can_track = False
            return None
        except RedisError:
            # Try again: the server was restarted, or slots have moved.
            self._forget()
            look_for_servers(self._redis)
            return self._look(now)

    def _look(self, now: int) -> dict[str, list[tuple[bytes, float]]]:
        moment, members, lost = time.monotonic(), {}, None
        if not self._servers or any(until <= moment for until in self._left_out.values()):
            self._left_out.clear()
            self._ask_for_servers()
        for name, (place, names) in self._servers.items():
            if name in self._left_out:
                continue
            try:
                if name not in self._tracked:
                    self._tracked[name] = _Tracked(place, names)
                members.update(self._tracked[name].due(now))
            except (RedisConnectionError, RedisTimeoutError) as error:
                if isinstance(error, RedisTimeoutError):
                    place.leave_out()
                self._forget(name)
                self._left_out[name], lost = moment + _LEFT_OUT_S, error
        if lost is not None and len(self._left_out) == len(self._servers):
            self._left_out.clear()
            raise lost
        astray = [name for tracked in self._tracked.values() for name in tracked.astray]
        return {**members, **self._members(astray, now, _FIRST)}

    def _ask_for_servers(self) -> None:
        with suppress(RedisError, RedisClusterException):
            look_for_servers(self._redis)
        self._servers.clear()
        for name in self._names:
            place = Server(self._redis, name)
            self._servers.setdefault(place.name, (place, []))[1].append(name)
        for server in [server for server in self._tracked if server not in self._servers]:
            self._forget(server)

    def _forget(self, server: str | None = None) -> None:
        """Drop the sets of a server, or of all servers."""
        for one in list(self._tracked) if server is None else [server]:
            tracked = self._tracked.pop(one, None)
            if tracked is not None:
                tracked.close()
        if server is None:
            self._servers.clear()
