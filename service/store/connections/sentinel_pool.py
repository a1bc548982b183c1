"""Connections only to the server that sentinels name now.

The library (redis 8.1) asks the sentinels only when it opens a connection. When a server that hung returns after a
replica has taken over, it accepts writes over open connections for ten more seconds, until a sentinel makes it a
replica, and all of these writes are lost. And a client that waits for such a server without a timeout never learns of
the new one.

The library also keeps using such a connection after a timeout, so that a late answer would be read as that of the next
command.
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

#: Interval of asking the sentinels (s).
LOOK_S: Final = 0.5


class Sentinels(Sentinel):
    """Sentinels that return a server as soon as it is promoted, and only while it is up."""

    def discover_master(self, service_name: str) -> Address:
        """Return the first address that a sentinel names; see `redis.Sentinel.discover_master`."""
        for address in self.named(service_name):
            return address
        raise MasterNotFoundError(f"No master found for {service_name!r}")

    def named(self, service_name: str) -> Iterator[Address]:
        """Yield the address from each sentinel, skipping those that do not answer or consider the server down."""
        sentinel: Any
        for sentinel in list(self.sentinels):
            try:
                state = sentinel.sentinel_masters().get(service_name)
                # Only this command returns a promoted replica while the other sentinels still learn of it.
                address = sentinel.sentinel_get_master_addr_by_name(service_name)
            except (RedisConnectionError, RedisTimeoutError):
                # Ask it last from now on.
                self.sentinels = [*(each for each in self.sentinels if each is not sentinel), sentinel]
                continue
            if state is None or address is None:
                continue
            check: Any = self.check_master_state
            if address != (state["ip"], state["port"]) or check(state, service_name):
                yield address


class _GivenUp:
    """Makes a connection disconnect after an error, as other connections do by default."""

    def read_response(self, *args: Any, disconnect_on_error: bool = True, **options: Any) -> Any:
        library: Any = super()
        return library.read_response(*args, disconnect_on_error=disconnect_on_error, **options)


class _Connection(_GivenUp, SentinelManagedConnection):  # type: ignore[misc]
    pass


class _TlsConnection(_GivenUp, SentinelManagedSSLConnection):  # type: ignore[misc]
    pass


class SentinelPool(SentinelConnectionPool):
    """See the module. From the first connection on, one thread asks the sentinels for all pools of a process."""

    def __init__(self, service_name: str, sentinel_manager: Sentinels, *, ssl: bool = False, **options: Any) -> None:
        library: Any = super()
        kind = _TlsConnection if ssl else _Connection
        library.__init__(service_name, sentinel_manager, connection_class=kind, **options)
        self._connections: Final = weakref.WeakSet[Any]()
        #: Identifies sentinels and service; the order of the sentinels may change later.
        self.key: Final = f"{sentinel_manager} {service_name}"

    def make_connection(self) -> Any:
        """Return a new connection; see `redis.ConnectionPool.make_connection`."""
        library: Any = super()
        connection = library.make_connection()
        with _LOCK:
            self._connections.add(connection)
            _watch(self)
        return connection

    def named(self) -> Address | None:
        """Return the address on which all answering sentinels agree, or None."""
        named = set(self.sentinel_manager.named(self.service_name))
        return named.pop() if len(named) == 1 else None

    def leave_others(self, master: Address) -> None:
        """Break connections to servers other than `master`."""
        with _LOCK:
            own = [connection for connection in self._connections if connection.pid == os.getpid()]
        for connection in own:
            opened = connection._sock  # noqa: SLF001 - closing it from another thread would confuse the reading thread
            if opened is not None and (connection.host, connection.port) != master:
                with suppress(OSError):
                    opened.shutdown(socket.SHUT_RDWR)


_LOCK: Final = threading.Lock()
#: Pools by sentinels and service, and the threads that ask them.
_POOLS: Final[dict[str, weakref.WeakSet[SentinelPool]]] = {}
_THREADS: Final[dict[str, threading.Thread]] = {}


def _watch(pool: SentinelPool) -> None:
    key = pool.key
    _POOLS.setdefault(key, weakref.WeakSet()).add(pool)
    # A forked process has no threads.
    if key not in _THREADS or not _THREADS[key].is_alive():
        _THREADS[key] = threading.Thread(target=_look, args=(key,), name="sentinels", daemon=True)
        _THREADS[key].start()


def _look(key: str) -> None:
    while _leave_others(key):
        time.sleep(LOOK_S)


def _leave_others(key: str) -> bool:
    """Break connections to servers other than the named one; return whether any pools are left."""
    with _LOCK:
        pools = list(_POOLS[key])
        if not pools:
            del _POOLS[key], _THREADS[key]
            return False
    # A sentinel that refuses the command must not end the thread.
    with suppress(RedisError):
        if master := pools[0].named():
            for pool in pools:
                pool.leave_others(master)
    return True
