"""Announcements of other processes: one subscriber to the channels of `service.store.keys` per process.

An announcement carries no data: it says that a table or an account may have news, or that a token may be void. So
reading the store makes up for a lost one, and a spurious one does no harm.

The reader is a `threading.Thread`: a greenlet where gevent has patched it. It starts with the first `listen`, that is
after a server has forked. When Redis goes away, the reader reconnects and then reports that announcements may have been
missed.
"""

import logging
import threading
from typing import Any, Final, Protocol

from service.store.connections.clients import Client
from service.store.keys import LIVE, NEWS, REVOKED

_log: Final = logging.getLogger(__name__)

#: How often the reader checks whether it is closed (s), and after how many checks without a message it pings Redis.
_CHECK_S: Final = 0.25
_PING_AFTER: Final = 60
#: How long the reader waits before it reconnects (s).
_RECONNECT_S: Final = 0.25


class Listener(Protocol):
    """The receiver of announcements. Its methods run in the reader's thread, so they must not block."""

    def announced(self, table: str, version: int) -> None:
        """Take note that a table has reached a version; 0: it has been deleted."""

    def revoked(self, player: str) -> None:
        """Take note that a token of the player has become void."""

    def news(self, player: str, token: str, number: str) -> None:
        """Take note that the account of a player may have news.

        With a token (id): that it has opened the stream of the account with this number.
        """

    def missed(self) -> None:
        """Take note that announcements may have been missed until now."""


class Announcements:
    """The announcements that reach this process.

    Args:
        client: see `service.store.connections.clients.listening_client`; not used before somebody listens.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client
        self._lock: Final = threading.Lock()
        self._listener: Listener | None = None
        self._reader: threading.Thread | None = None
        self._closed: Final = threading.Event()

    def listen(self, listener: Listener) -> None:
        """Pass every announcement from now on to the listener. There is only one; a second call does nothing."""
        with self._lock:
            if self._reader is None:
                self._listener = listener
                self._reader = threading.Thread(target=self._read, name="live", daemon=True)
                self._reader.start()

    def close(self) -> None:
        """End the reader."""
        self._closed.set()
        if self._reader is not None:
            self._reader.join()

    def _read(self) -> None:
        while not self._closed.is_set():
            try:
                with self._redis.pubsub() as channel:
                    channel.subscribe(LIVE, NEWS, REVOKED)
                    self._listen(channel)
            except Exception:  # noqa: BLE001 - without the reader no stream of the process would ever move again
                _log.warning("lost the subscription to %s; reconnecting", LIVE, exc_info=True)
            self._closed.wait(_RECONNECT_S)

    def _listen(self, channel: Any) -> None:
        """Pass announcements on until the connection breaks or the reader is closed."""
        silent = 0
        while not self._closed.is_set():
            message = channel.get_message(timeout=_CHECK_S)
            if message is None:
                silent += 1
                if silent == _PING_AFTER:
                    channel.ping()
                elif silent > 2 * _PING_AFTER:
                    raise ConnectionAbortedError("no answer to a ping")
                continue
            silent = 0
            self._pass_on(message)

    def _pass_on(self, message: dict[str, Any]) -> None:
        if self._listener is None:
            raise AssertionError("the reader starts with its listener")
        kind, data = message["type"], message["data"]
        if kind == "message" and message["channel"] == _REVOKED:
            self._listener.revoked(data.decode())
        elif kind == "message" and message["channel"] == _NEWS:
            player, *opened = data.decode().split(" ")
            self._listener.news(player, *(opened or ("", "")))
        elif kind == "message":
            table, _, version = data.decode().partition(" ")
            self._listener.announced(table, int(version))
        elif kind == "subscribe" and message["channel"] == _REVOKED:
            # All channels are open now, this one last. Whatever was published before this moment has been missed.
            self._listener.missed()


_NEWS: Final = NEWS.encode()
_REVOKED: Final = REVOKED.encode()
