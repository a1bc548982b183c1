"""Wake-ups for the streams of a process: one reader of the channel `sj:live` for all of them.

A wake-up carries no data: it says that a table may have news, and the stream reads the log. So nothing can overflow or
be delivered twice, and a spurious wake-up does no harm. A missing one would, hence the order for a stream: subscribe,
read the log, then wait and read again, each time after the last seq that was sent.

The reader is a thread of the `threading` module: a greenlet where gevent has patched it. It starts with the first
subscription, that is after a server has forked. When Redis goes away the reader reconnects and then wakes everybody,
since any table may have moved meanwhile.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any, Final, Self

from service.store.clients import Client
from service.store.keys import LIVE

_log: Final = logging.getLogger(__name__)

#: How often the reader checks whether it is closed (s), and after how many silent checks it pings Redis.
_CHECK_S: Final = 0.25
_PING_AFTER: Final = 60
#: How long the reader waits before it reconnects (s).
_RECONNECT_S: Final = 0.25


class Subscription:
    """The interest of one stream in one table; closed by `close` or at the end of a `with` block.

    Attributes:
        table: id of the table.
        version: the latest version that was published; 0 before the first, and after the table was deleted.
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
        # Cleared before the caller reads: a wake-up from now on counts again.
        self._news.clear()
        return True

    def wake(self) -> None:
        """End the current `wait`, or the next one."""
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
        """End the reader and wake everybody once more."""
        self._closed.set()
        if self._reader is not None:
            self._reader.join()
        self._wake_all()

    def _drop(self, subscription: Subscription) -> None:
        with self._lock:
            subscriptions = self._tables.get(subscription.table, set())
            subscriptions.discard(subscription)
            if not subscriptions:
                self._tables.pop(subscription.table, None)

    def _read(self) -> None:
        while not self._closed.is_set():
            try:
                with self._redis.pubsub() as channel:
                    channel.subscribe(LIVE)
                    self._listen(channel)
            except Exception:  # noqa: BLE001 - without the reader no stream of the process would ever move again
                _log.warning("lost the subscription to %s; reconnecting", LIVE, exc_info=True)
            self._closed.wait(_RECONNECT_S)

    def _listen(self, channel: Any) -> None:
        """Pass wake-ups on until the connection breaks or the hub is closed."""
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
            if message["type"] == "message":
                table, _, version = message["data"].decode().partition(" ")
                self._wake(table, int(version))
            elif message["type"] == "subscribe":
                # Whatever was published before this moment has been missed.
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
