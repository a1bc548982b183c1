"""Connections to the server that sentinels name, and to none that they named before.

The library (redis 8.1) asks the sentinels when it opens a connection. One that is open goes on: when a server that hung
is back after a replica has taken over, it takes writes for ten seconds more, until a sentinel makes it a replica, and
all of them are lost. And who waits for an answer of such a server without an end never learns that there is another.

Nor does it give up a connection of this kind whose answer did not come in time: that would be read as the answer to the
next command.
"""

import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from redis import Sentinel
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.sentinel import (
    MasterNotFoundError,
    SentinelConnectionPool,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

Address = tuple[str, int]

#: How often the sentinels are asked (s).
LOOK_S: Final = 0.5


class Sentinels(Sentinel):
    """Sentinels that name a server as soon as it is promoted, and as long as it is not down."""

    def discover_master(self, service_name: str) -> Address:
        """Return the address that the first one names that knows; see `redis.Sentinel.discover_master`."""
        for address in self.named(service_name):
            return address
        raise MasterNotFoundError(f"No master found for {service_name!r}")

    def named(self, service_name: str) -> Iterator[Address]:
        """Yield what each of them names; nothing for one that does not answer or knows that its server is down."""
        sentinel: Any
        for sentinel in list(self.sentinels):
            try:
                state = sentinel.sentinel_masters().get(service_name)
                # Of these two only this one names a replica that is promoted, while the others learn of it.
                address = sentinel.sentinel_get_master_addr_by_name(service_name)
            except (RedisConnectionError, RedisTimeoutError):
                # It is asked last from now on.
                self.sentinels = [*(each for each in self.sentinels if each is not sentinel), sentinel]
                continue
            if state is None or address is None:
                continue
            check: Any = self.check_master_state
            if address != (state["ip"], state["port"]) or check(state, service_name):
                yield address


class _GivenUp:
    """Makes a connection give up after an error, as others do by default."""

    def read_response(self, *args: Any, disconnect_on_error: bool = True, **options: Any) -> Any:
        library: Any = super()
        return library.read_response(*args, disconnect_on_error=disconnect_on_error, **options)


class _Connection(_GivenUp, SentinelManagedConnection):  # type: ignore[misc]
    pass


class _TlsConnection(_GivenUp, SentinelManagedSSLConnection):  # type: ignore[misc]
    pass


class SentinelPool(SentinelConnectionPool):
    """See the module. A thread asks the sentinels for all pools of a process, from the first connection on."""

    def __init__(self, service_name: str, sentinel_manager: Sentinels, *, ssl: bool = False, **options: Any) -> None:
        library: Any = super()
        kind = _TlsConnection if ssl else _Connection
        library.__init__(service_name, sentinel_manager, connection_class=kind, **options)
        self._made: Final = weakref.WeakSet[Any]()
        #: Which sentinels and service; the sentinels may change their order later.
        self.key: Final = f"{sentinel_manager} {service_name}"

    def make_connection(self) -> Any:
        """Return a new connection; see `redis.ConnectionPool.make_connection`."""
        library: Any = super()
        connection = library.make_connection()
        with _LOCK:
            self._made.add(connection)
            _watch(self)
        return connection

    def named(self) -> Address | None:
        """Return the address that all sentinels that answer name; None if there is none, or they do not agree."""
        named = set(self.sentinel_manager.named(self.service_name))
        return named.pop() if len(named) == 1 else None

    def leave_others(self, master: Address) -> None:
        """Break the connections to other servers."""
        with _LOCK:
            made = [connection for connection in self._made if connection.pid == os.getpid()]
        for connection in made:
            opened = connection._sock  # noqa: SLF001 - closing it from another thread confuses who reads
            if opened is not None and (connection.host, connection.port) != master:
                with suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)


_LOCK: Final = threading.Lock()
#: The pools of each set of sentinels and service, and the thread that asks them.
_POOLS: Final[dict[str, weakref.WeakSet[SentinelPool]]] = {}
_THREADS: Final[dict[str, threading.Thread]] = {}


def _watch(pool: SentinelPool) -> None:
    key = pool.key
    _POOLS.setdefault(key, weakref.WeakSet()).add(pool)
    # A process that was forked has no threads.
    if key not in _THREADS or not _THREADS[key].is_alive():
        _THREADS[key] = threading.Thread(target=_look, args=(key,), name="sentinels", daemon=True)
        _THREADS[key].start()


def _look(key: str) -> None:
    while _leave_others(key):
        time.sleep(LOOK_S)


def _leave_others(key: str) -> bool:
    """Break the connections to other servers than the one that is named, and tell whether there are any pools."""
    with _LOCK:
        pools = list(_POOLS[key])
        if not pools:
            del _POOLS[key], _THREADS[key]
            return False
    # A sentinel that refuses the question must not end the thread.
    with suppress(RedisError):
        if master := pools[0].named():
            for pool in pools:
                pool.leave_others(master)
    return True
