"""Waking the streams of a process: one reader of the channel `sj:live` for all of them.

Only wake, never data: a subscription says that its table may have news, and the stream reads the log. So nothing can
overflow or be delivered twice, and a wake-up too many does no harm. One too few would, hence the order for a stream:
subscribe first, then read the log, then wait and read again, each time after the last seq that was sent.

The reader is a thread of the `threading` module: a real one, or a greenlet where gevent has patched the module. It
starts with the first subscription, so after a server has forked. When Redis goes away it connects again by itself and
then wakes everybody, since any table may have moved meanwhile.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any, Final, Self

from service.store.clients import Client
from service.store.keys import LIVE

_log: Final = logging.getLogger(__name__)

#: How often the reader looks whether it shall end (s), and after how many silent looks it asks whether Redis is there.
_LOOK_EVERY_S: Final = 0.25
_ASK_AFTER: Final = 60
#: How long the reader waits before it connects again (s).
_PAUSE_S: Final = 0.25


class Subscription:
    """The interest of one stream in one table; closed by `close` or at the end of a `with` block.

    Attributes:
        table: id of the table.
        version: the latest version that was announced; 0 before the first, and after the table was deleted.
    """

    __slots__ = ("_drop", "_news", "table", "version")

    def __init__(self, table: str, drop: Callable[["Subscription"], None]) -> None:
        self._news = threading.Event()
        self._drop = drop
        self.table = table
        self.version = 0

    def wait(self, timeout: float | None) -> bool:
        """Wait at most `timeout` seconds; return whether the log may hold more than when it was last read."""
        if not self._news.wait(timeout):
            return False
        # Cleared before the caller reads: what comes from now on wakes again.
        self._news.clear()
        return True

    def wake(self) -> None:
        """Let the one who waits, or waits next, go on."""
        self._news.set()

    def close(self) -> None:
        """End the subscription. Closing twice does nothing."""
        self._drop(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Hub:
    """All subscriptions of a process.

    Args:
        client: see `service.store.clients.listening_client`; not used before the first subscription.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final[Any] = client
        self._lock: Final = threading.Lock()
        self._tables: Final[dict[str, set[Subscription]]] = {}
        self._reader: threading.Thread | None = None
        self._closed: Final = threading.Event()

    def subscribe(self, table: str) -> Subscription:
        """Return a subscription that is woken by every append to the table from now on."""
        subscription = Subscription(table, self._drop)
        with self._lock:
            self._tables.setdefault(table, set()).add(subscription)
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="live", daemon=True)
                self._reader.start()
        return subscription

    def close(self) -> None:
        """End the reader and wake everybody a last time."""
        self._closed.set()
        if self._reader is not None:
            self._reader.join()
        self._wake_all()

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            those = self._tables.get(subscription.table, set())
            those.discard(subscription)
            if not those:
                self._tables.pop(subscription.table, None)

    def _read(self) -> None:
        while not self._closed.is_set():
            try:
                with self._redis.pubsub() as channel:
                    channel.subscribe(LIVE)
                    self._listen(channel)
            except Exception:  # noqa: BLE001 - without the reader no stream of the process would ever move again
                _log.warning("the channel of wake-ups is lost; connecting again", exc_info=True)
            self._closed.wait(_PAUSE_S)

    def _listen(self, channel: Any) -> None:
        """Hand on what is announced until the connection breaks or the hub is closed."""
        silent = 0
        while not self._closed.is_set():
            message = channel.get_message(timeout=_LOOK_EVERY_S)
            if message is None:
                silent += 1
                if silent == _ASK_AFTER:
                    channel.ping()
                elif silent > 2 * _ASK_AFTER:
                    raise ConnectionAbortedError("the connection died without a word")
                continue
            silent = 0
            if message["type"] == "message":
                table, _, version = message["data"].decode().partition(" ")
                self._wake(table, int(version))
            elif message["type"] == "subscribe":
                # What was announced before this moment has passed by unheard.
                self._wake_all()

    def _wake(self, table: str, version: int) -> None:
        with self._lock:
            for subscription in self._tables.get(table, ()):
                subscription.version = version
                subscription.wake()

    def _wake_all(self) -> None:
        with self._lock:
            for subscriptions in self._tables.values():
                for subscription in subscriptions:
                    subscription.wake()
