"""The one thread that advances the feeds of a process (decision 80)."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from service.api.streams.account_reader import Readers
from service.api.streams.feed import Feed
from service.api.streams.heartbeats import Heartbeats
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.store.port import StoreTooNew, StoreUnavailable, TableStore
from service.tables.ports import Now

_log: Final = logging.getLogger(__name__)

#: Delay before reading the log again after a failure (s).
_RETRY_S: Final = 0.5
#: Events read at a time.
_PAGE_SIZE: Final = 200


class FeedThread:
    """See the module. Methods run in the thread, as tasks queued by `tell`, unless documented otherwise.

    Args:
        store, now: see `Feeds`.

    Attributes:
        lock: guards `feeds`, `Feed.announced` and `Feed.writing`.
        feeds: table -> its feed.
        readers: readers of accounts.
        beats: heartbeats of feeds and readers.
    """

    def __init__(self, store: TableStore, now: Now) -> None:
        self.lock: Final = threading.Lock()
        self.feeds: Final[dict[str, Feed]] = {}
        self.readers: Final = Readers()
        self.beats: Final = Heartbeats()
        self._store: Final = store
        self._now: Final = now
        #: The queue of tasks.
        self._inbox: Final[deque[Callable[[], None]]] = deque()
        self._news: Final = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        #: Feeds with held events for spectators.
        self._holding: Final[dict[Feed, None]] = {}
        #: Feeds whose log must be read, and the earliest time for it (s, monotonic).
        self._unread: Final[dict[Feed, None]] = {}
        self._retry_at = 0.0

    # --- called by other threads --------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread, once. May be called in any thread."""
        with self.lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="feeds", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End the thread. May be called in any other thread."""
        self._is_closed = True
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    def tell(self, task: Callable[[], None]) -> None:
        """Queue a task. May be called in any thread."""
        self._inbox.append(task)
        self._news.set()

    # --- tasks --------------------------------------------------------------------------------------------------------

    def remind(self, feed: Feed, event: Event) -> None:
        """See `Feed.remind`."""
        self._hold(feed, lambda: feed.remind(event, self._now()))

    def written(self, feed: Feed, events: list[Event], state: State | None) -> None:
        """Pass on this process's append. After a failure read the log, since the append may have succeeded."""
        with self.lock:
            feed.writing -= 1
        if state is not None and not feed.followers:
            if state["version"] > feed.version:
                feed.show(state)
        elif state is not None and events[0]["seq"] == feed.version + 1:
            self._advance(feed, events, state)
        else:
            # The events are known already if they were announced, or if a replica has taken over without the last
            # events.
            self.read(feed, may_differ=state is not None and events[-1]["seq"] <= feed.version)
        if feed.announced > feed.version and not feed.writing:
            self.read(feed)

    def read(self, feed: Feed, *, may_differ: bool = False) -> None:
        """Read new events of a table and pass them on. Without followers, load only the state.

        Args:
            may_differ: whether events read before may have been lost.
        """
        if not feed.followers and not feed.watchers:
            return
        try:
            full, is_lost = True, may_differ and self._lost_events(feed)
            while full:
                before, has_followers = feed.version, bool(feed.followers)
                # In this order, the state that decides on access is at least as new as the events.
                events = self._store.events(feed.table, before, _PAGE_SIZE) if has_followers else []
                snapshot = self._store.load(feed.table)
                full = len(events) == _PAGE_SIZE
                if (feed.version, bool(feed.followers)) != (before, has_followers):
                    # The first follower has come, or the last one has left, during the read.
                    full = True
                elif snapshot is None or snapshot.version < feed.version or is_lost:
                    is_lost = False
                    feed.lose(snapshot.state if snapshot else None)
                elif events:
                    self._advance(feed, events, snapshot.state)
                elif not feed.followers:
                    feed.show(snapshot.state)
        except StoreTooNew as error:
            # Reading again would not help: the streams would stay silent.
            feed.break_off(error)
        except StoreUnavailable:
            self._unread[feed] = None
            self._retry_at = time.monotonic() + _RETRY_S
            raise

    def check(self, player: str) -> None:
        """Make all readers of a player check their token."""
        for feed in list(self.feeds.values()):
            feed.check(player)
        self.readers.check(player)

    def look_at(self, feed: Feed) -> None:
        """Schedule reading a table, since announcements may have been missed."""
        self._unread[feed] = None
        self._retry_at = 0.0

    def look_at_all(self) -> None:
        """Schedule checking and reading everything, since announcements may have been missed."""
        for feed in list(self.feeds.values()):
            feed.check()
            self._unread[feed] = None
        self.readers.check()
        self.readers.look()
        self._retry_at = 0.0

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._is_closed:
            self._news.wait(self._idle_s())
            self._news.clear()
            while self._inbox:
                self._attempt(self._inbox.popleft())
            self._attempt(self._do_what_is_due)

    def _attempt(self, task: Callable[[], None]) -> None:
        try:
            task()
        except StoreUnavailable as error:
            _log.warning("the log of a table could not be read; trying again: %s", error)
        except Exception:  # noqa: BLE001 - if this thread ended, all streams of the process would stall
            _log.exception("a table's streams could not be told")

    def _idle_s(self) -> float | None:
        """Return how long the thread may sleep (s); None: until a task is queued."""
        due = [beat for beat in (self.beats.next_in(),) if beat is not None]
        due += [(at - self._now()) / 1000 for feed in self._holding if (at := feed.next_release) is not None]
        if self._unread:
            due.append(self._retry_at - time.monotonic())
        return max(0.001, min(due)) if due else None

    def _do_what_is_due(self) -> None:
        if self._unread and time.monotonic() >= self._retry_at:
            self._attempt(self._read_again)
        for feed in list(self._holding):
            self._release(feed)
        self.beats.send(timestamp(self._now()).encode())

    def _read_again(self) -> None:
        # Try each once, so that tables of a lost node of Redis do not block the others.
        for feed in list(self._unread):
            del self._unread[feed]
            self._attempt(partial(self.read, feed, may_differ=True))

    def _lost_events(self, feed: Feed) -> bool:
        """Return whether the last event sent has changed, since a replica without it has taken over."""
        last = self._store.events(feed.table, feed.version - 1, 1) if feed.followers and feed.version else []
        return bool(last) and last[0]["seq"] == feed.version and last[0]["at"] != feed.at

    def _hold(self, feed: Feed, change: Callable[[], None]) -> None:
        """Make a change of a feed, and update whether it holds events for spectators."""
        change()
        if feed.next_release is None or not feed.followers:
            self._holding.pop(feed, None)
        else:
            self._holding[feed] = None

    def _release(self, feed: Feed) -> None:
        self._hold(feed, lambda: feed.release(self._now()))

    def _advance(self, feed: Feed, events: list[Event], state: State) -> None:
        self._hold(feed, lambda: feed.advance(events, state, self._now()))
