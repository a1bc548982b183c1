"""Subscriptions to channels that survive failures of servers.

On a cluster, a channel belongs to the slot of its hash tag, and is subscribed to at the node of that slot
(`SSUBSCRIBE`, since Redis 7); otherwise at the single server. Messages are missed before a channel is open, while a
connection is lost, and while a slot moves; so the receiver is called whenever a channel has been opened.

Threads are `threading.Thread`s, i.e. greenlets if gevent has patched them.
"""

import logging
import threading
import time
from collections import defaultdict
from typing import Final, Protocol

from redis import RedisCluster
from redis.crc import key_slot
from redis.exceptions import RedisClusterException, RedisError

from service.store.connections.commands import Client
from service.store.connections.lines import Line, Server, look_for_servers

_log: Final = logging.getLogger(__name__)

#: Delay before reconnecting (s).
_RECONNECT_S: Final = 0.25
#: Interval of closing unwanted channels (s).
SWEEP_S: Final = 5.0


class Receiver(Protocol):
    """The receiver of messages. Its methods run in the reading threads, so they must not block."""

    def opened(self, channel: str) -> None:
        """Called when a channel has been opened: earlier messages may have been missed."""

    def lost(self, channel: str) -> None:
        """Called when the connection of a channel is lost: until `opened`, messages are missed."""

    def heard(self, channel: str, text: str) -> None:
        """Called with each message. If it raises, the connection is reopened."""


class _Want:
    """A wanted channel.

    Attributes:
        is_global: whether it belongs to no slot.
        until: end (s, monotonic); None: no end.
        line: the connection on which it is open or being opened.
    """

    __slots__ = ("is_global", "line", "until")

    def __init__(self, *, is_global: bool, until: float | None) -> None:
        self.is_global: Final = is_global
        self.until = until
        self.line: Line | None = None


class Channels:
    """See the module.

    Args:
        client: see `service.store.connections.clients.command_client`; not used before `start`.
        receiver: gets all messages.
    """

    def __init__(self, client: Client, receiver: Receiver) -> None:
        self._redis: Final = client
        self._is_cluster: Final = isinstance(client, RedisCluster)
        self._receiver: Final = receiver
        self._lock: Final = threading.Lock()
        self._keeper: threading.Thread | None = None
        self._changes: Final = threading.Event()
        self._closed: Final = threading.Event()
        self._wanted: Final[dict[str, _Want]] = {}
        #: Name of a server -> its line, and the thread that reads it.
        self._lines: Final[dict[str, tuple[Line, threading.Thread]]] = {}
        self._may_have_moved = False

    def want(self, channel: str, *, is_global: bool = False) -> None:
        """Open a channel, or keep it open. Global channels are opened at one server, in order."""
        with self._lock:
            want = self._wanted.setdefault(channel, _Want(is_global=is_global, until=None))
            want.until = None
        if want.line is None:
            self._changes.set()

    def want_for(self, channel: str, seconds: float) -> None:
        """Close a channel after `seconds`, unless it is wanted again before."""
        with self._lock:
            want = self._wanted.get(channel)
            if want is not None:
                want.until = time.monotonic() + seconds

    def start(self) -> None:
        """Start the subscribing thread, once."""
        with self._lock:
            if self._keeper is None:
                self._keeper = threading.Thread(target=self._keep, name="live", daemon=True)
                self._keeper.start()

    def close(self) -> None:
        """Close all connections."""
        self._closed.set()
        self._changes.set()
        if self._keeper is not None:
            self._keeper.join()

    # --- subscribing thread -------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        while not self._closed.is_set():
            self._changes.clear()
            try:
                self._drop_lines()
                self._unsubscribe()
                self._subscribe()
            except Exception as error:  # noqa: BLE001 - if this thread ended, all streams of the process would stall
                _log.warning("cannot subscribe; trying again: %s", error)
                self._closed.wait(_RECONNECT_S)
            else:
                self._changes.wait(SWEEP_S)
        for line, reader in self._lines.values():
            line.send("PING")  # The answer wakes the reader.
            reader.join()
            line.close()

    def _drop_lines(self) -> None:
        """Drop broken lines, and look up the servers of their channels."""
        broken = [server for server, (line, _) in self._lines.items() if line.is_broken]
        if broken:
            self._closed.wait(_RECONNECT_S)
            self._may_have_moved = True
        for server in broken:
            line, reader = self._lines.pop(server)
            reader.join()
            line.close()
        with self._lock:
            for want in self._wanted.values():
                if want.line is not None and want.line.is_broken:
                    want.line = None
        if self._may_have_moved:
            look_for_servers(self._redis)
            self._may_have_moved = False

    def _unsubscribe(self) -> None:
        now, over = time.monotonic(), {}
        with self._lock:
            for channel, want in list(self._wanted.items()):
                if want.until is not None and want.until <= now:
                    over[channel] = self._wanted.pop(channel)
        self._send("UNSUBSCRIBE", over)

    def _subscribe(self) -> None:
        with self._lock:
            missing = {channel: want for channel, want in self._wanted.items() if want.line is None}
            first = next((channel for channel, want in self._wanted.items() if want.is_global), "")
        failed: dict[str, Exception] = {}
        for channel, want in missing.items():
            want.line = self._line(first if want.is_global else channel, failed)
        self._send("SUBSCRIBE", missing)
        for error in failed.values():
            self._may_have_moved = True
            raise error

    def _send(self, command: str, channels: dict[str, _Want]) -> None:
        """Send a command for channels, once per line, and on a cluster once per slot."""
        groups = defaultdict(list)
        for channel, want in channels.items():
            if want.line is not None:
                is_sharded = want.line.knows_shards and not want.is_global
                slot = key_slot(channel.encode()) if is_sharded else None
                groups[want.line, is_sharded, slot].append(channel)
        for (line, is_sharded, _), named in groups.items():
            line.send(f"S{command}" if is_sharded else command, *named)

    def _line(self, channel: str, failed: dict[str, Exception]) -> Line | None:
        """Return the line for a channel, opening it if needed; None if its server has failed."""
        server = ""
        try:
            place = Server(self._redis, channel)
            server = place.name
            if server in self._lines:
                return self._lines[server][0]
            if server in failed:
                return None
            line = Line(place, is_of_cluster=self._is_cluster)
        except (RedisError, RedisClusterException, OSError) as error:
            failed[server] = error
            return None
        reader = threading.Thread(target=self._read, args=(line,), name="live line", daemon=True)
        self._lines[server] = line, reader
        reader.start()
        return line

    # --- reading threads ----------------------------------------------------------------------------------------------

    def _read(self, line: Line) -> None:
        try:
            while not self._closed.is_set() and not line.is_broken:
                message = line.read()
                if message is not None:
                    self._pass_on(line, *message)
        except Exception:  # noqa: BLE001 - after any error, another line takes its place
            _log.warning("lost a subscription; reconnecting", exc_info=True)
        line.is_broken = True
        with self._lock:
            lost = [channel for channel, want in self._wanted.items() if want.line is line]
        for channel in lost:
            self._receiver.lost(channel)
        self._changes.set()

    def _pass_on(self, line: Line, kind: bytes, name: bytes, data: bytes) -> None:
        channel = name.decode()
        if kind in (b"message", b"smessage"):
            self._receiver.heard(channel, data.decode())
        elif kind in (b"subscribe", b"ssubscribe"):
            self._receiver.opened(channel)
        elif kind == b"sunsubscribe":
            want = self._wanted.get(channel)
            if want is not None and want.line is line:
                # An unsubscription that was not requested: the slot has moved to another node.
                want.line, self._may_have_moved = None, True
                self._changes.set()
