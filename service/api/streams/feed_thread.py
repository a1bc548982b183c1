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
from service.store.port import StoreUnavailable, TableStore
from service.tables.ports import Now

_log: Final = logging.getLogger(__name__)

#: How soon the log is read again after a read that failed (s).
_RETRY_S: Final = 0.5
#: Events read at once.
_PAGE_SIZE: Final = 200


class FeedThread:
    """See the module. Methods run in the thread, as tasks that `tell` puts there, unless they say otherwise.

    Args:
        store, now: see `Feeds`.

    Attributes:
        lock: held while feeds come and go, and while `Feed.announced` and `Feed.writing` change.
        feeds: table -> its feed.
        readers: of accounts.
        beats: of feeds and readers.
    """

    def __init__(self, store: TableStore, now: Now) -> None:
        self.lock: Final = threading.Lock()
        self.feeds: Final[dict[str, Feed]] = {}
        self.readers: Final = Readers()
        self.beats: Final = Heartbeats()
        self._store: Final = store
        self._now: Final = now
        #: What is to be done, in order.
        self._inbox: Final[deque[Callable[[], None]]] = deque()
        self._news: Final = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        #: Feeds that hold events for spectators.
        self._holding: Final[dict[Feed, None]] = {}
        #: Feeds whose log must be read, not before a time (s, monotonic).
        self._unread: Final[dict[Feed, None]] = {}
        self._retry_at = 0.0

    # --- the side of others -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start, once; in any thread."""
        with self.lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="feeds", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End; in any other thread."""
        self._is_closed = True
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    def tell(self, task: Callable[[], None]) -> None:
        """Let something be done; in any thread."""
        self._inbox.append(task)
        self._news.set()

    # --- tasks --------------------------------------------------------------------------------------------------------

    def remind(self, feed: Feed, event: Event) -> None:
        """See `Feed.remind`."""
        self._hold(feed, lambda: feed.remind(event, self._now()))

    def written(self, feed: Feed, events: list[Event], state: State | None) -> None:
        """Pass on what this process has appended, or read the log after a failure: the append may have succeeded."""
        with self.lock:
            feed.writing -= 1
        if state is not None and not feed.followers:
            if state["version"] > feed.version:
                feed.show(state)
        elif state is not None and events[0]["seq"] == feed.version + 1:
            self._advance(feed, events, state)
        else:
            # It is known already if somebody has announced it, or if a replica has taken over without the last events.
            self.read(feed, may_differ=state is not None and events[-1]["seq"] <= feed.version)
        if feed.announced > feed.version and not feed.writing:
            self.read(feed)

    def read(self, feed: Feed, *, may_differ: bool = False) -> None:
        """Read what is new in the log of a table, and pass it on. Without followers, the state is enough.

        Args:
            may_differ: whether what was read before may have been lost.
        """
        if not feed.followers and not feed.watchers:
            return
        try:
            full, is_lost = True, may_differ and self._lost_events(feed)
            while full:
                before, has_followers = feed.version, bool(feed.followers)
                # In this order, what each may see is decided by a state that is at least as new as the events.
                events = self._store.events(feed.table, before, _PAGE_SIZE) if has_followers else []
                snapshot = self._store.load(feed.table)
                full = len(events) == _PAGE_SIZE
                if (feed.version, bool(feed.followers)) != (before, has_followers):
                    # A first follower has come, or the last one has left, while this was read.
                    full = True
                elif snapshot is None or snapshot.version < feed.version or is_lost:
                    is_lost = False
                    feed.lose(snapshot.state if snapshot else None)
                elif events:
                    self._advance(feed, events, snapshot.state)
                elif not feed.followers:
                    feed.show(snapshot.state)
        except StoreUnavailable:
            self._unread[feed] = None
            self._retry_at = time.monotonic() + _RETRY_S
            raise

    def check(self, player: str) -> None:
        """Let all readers of a player check whether their token is still valid."""
        for feed in list(self.feeds.values()):
            feed.check(player)
        self.readers.check(player)

    def look_at(self, feed: Feed) -> None:
        """Read a table soon: announcements of it have been missed."""
        self._unread[feed] = None
        self._retry_at = 0.0

    def look_at_all(self) -> None:
        """Check and read everything: announcements have been missed."""
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
        except Exception:  # noqa: BLE001 - without this thread no stream of the process would ever move again
            _log.exception("a table's streams could not be told")

    def _idle_s(self) -> float | None:
        """Return for how long there is nothing to do (s); None: until something is put into the inbox."""
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
        # Each once: those of a node of Redis that is lost must not hold up the others.
        for feed in list(self._unread):
            del self._unread[feed]
            self._attempt(partial(self.read, feed, may_differ=True))

    def _lost_events(self, feed: Feed) -> bool:
        """Tell whether the last event that was sent is another one now: a replica took over that did not have it."""
        last = self._store.events(feed.table, feed.version - 1, 1) if feed.followers and feed.version else []
        return bool(last) and last[0]["seq"] == feed.version and last[0]["at"] != feed.at

    def _hold(self, feed: Feed, change: Callable[[], None]) -> None:
        """Make a change after which events may have to be held for spectators."""
        change()
        if feed.next_release is None or not feed.followers:
            self._holding.pop(feed, None)
        else:
            self._holding[feed] = None

    def _release(self, feed: Feed) -> None:
        self._hold(feed, lambda: feed.release(self._now()))

    def _advance(self, feed: Feed, events: list[Event], state: State) -> None:
        self._hold(feed, lambda: feed.advance(events, state, self._now()))
