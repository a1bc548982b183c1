"""All feeds of a process, and the one thread that advances them (decision 80).

What happens between an append and the bytes in the sockets is done here once per table and process: the process that
wrote passes its events on, all others read the log once when they hear of it. Then the messages of each distinct viewer
are encoded once. The same thread times heartbeats and the spectator delay, so that a stream needs no timer.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from service.api.streams.account_reader import AccountReader, Readers
from service.api.streams.feed import Feed
from service.api.streams.follower import Follower
from service.api.streams.heartbeats import HEARTBEAT_S, Heartbeats
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.game.views.types import Viewer
from service.store.live import Announcements
from service.store.port import StoreUnavailable, TableStore
from service.tables.ports import Announce, Now, tell_nobody

_log: Final = logging.getLogger(__name__)

#: How soon the log is read again after a read that failed (s).
_RETRY_S: Final = 0.5
#: Events read at once.
_PAGE_SIZE: Final = 200


class Feeds:
    """See the module.

    Args:
        announcements: of all processes; it connects when the first stream is opened.
        store: holds logs and snapshots.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, announcements: Announcements, store: TableStore, now: Now) -> None:
        self._announcements: Final = announcements
        self._store: Final = store
        self._now: Final = now
        self._lock: Final = threading.Lock()
        self._feeds: Final[dict[str, Feed]] = {}
        #: What the thread has to do, in order.
        self._inbox: Final[deque[Callable[[], None]]] = deque()
        self._news: Final = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._readers: Final = Readers()
        self._beats: Final = Heartbeats()
        #: Feeds that hold events for spectators.
        self._holding: Final[dict[Feed, None]] = {}
        #: Feeds whose log must be read, not before a time (s, monotonic).
        self._unread: Final[dict[Feed, None]] = {}
        self._retry_at = 0.0

    # --- streams ------------------------------------------------------------------------------------------------------

    def follow(
        self,
        state: State,
        player: str,
        token_hash: str,
        viewer: Viewer,
        *,
        is_delayed: bool,
        heartbeat_s: float | None = None,
    ) -> Follower:
        """Return a new follower of a table, which gets everything from now on; the log has what came before.

        Args:
            state: the table as it was when the player was admitted.
            player, token_hash, viewer, is_delayed: see `Follower`.
            heartbeat_s: how often it wants heartbeats at least, the first one at once; None: as often as the others.
        """
        follower = Follower(player, token_hash, viewer, is_delayed=is_delayed)
        with self._lock:
            feed = self._feed(state["id"])
            if not feed.followers:
                feed.begin(state)
                # What the feed counts as known from now on, the watchers may not know yet.
                self._tell(lambda: feed.show(state))
                self._tell(lambda: self._beats.soon(feed, HEARTBEAT_S))
            feed.followers[follower] = None
            if heartbeat_s is not None:
                follower.beat = timestamp(self._now()).encode()
                if heartbeat_s < feed.heartbeat_s:
                    self._tell(lambda: self._beats.soon(feed, heartbeat_s))
        self._start()
        return follower

    def _feed(self, table: str) -> Feed:
        feed = self._feeds.get(table)
        if feed is None:
            feed = self._feeds[table] = Feed(table)
        return feed

    def _start(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="feeds", daemon=True)
                self._thread.start()
        self._announcements.listen(self)

    def leave(self, table: str, follower: Follower) -> None:
        """End a follower. Ending twice does nothing."""
        with self._lock:
            feed = self._feeds.get(table)
            if feed is not None:
                feed.followers.pop(follower, None)
                self._drop_if_unused(feed)

    def _drop_if_unused(self, feed: Feed) -> None:
        if not feed.followers and not feed.watchers:
            del self._feeds[feed.table]

    # --- accounts -----------------------------------------------------------------------------------------------------

    def attend(self, reader: AccountReader, heartbeat_s: float | None = None) -> None:
        """Let a reader be told of its account; `heartbeat_s`: as for `follow`."""
        self._readers.add(reader)
        if heartbeat_s is not None:
            reader.beat = timestamp(self._now()).encode()
        self._tell(lambda: self._beats.soon(reader, heartbeat_s or HEARTBEAT_S))
        self._start()

    def dismiss(self, reader: AccountReader) -> None:
        """End a reader and all that it watches. Ending twice does nothing."""
        reader.is_open = False
        self._readers.remove(reader)
        for table in list(reader.rows):
            self.unwatch(table, reader)

    def watch(self, table: str, reader: AccountReader) -> None:
        """Show a reader each state of a table that is written from now on."""
        with self._lock:
            self._feed(table).watchers[reader] = None

    def unwatch(self, table: str, reader: AccountReader) -> None:
        """End `watch`."""
        with self._lock:
            feed = self._feeds.get(table)
            if feed is not None:
                feed.watchers.pop(reader, None)
                self._drop_if_unused(feed)

    def remind(self, table: str, event: Event) -> None:
        """Let the delayed followers of a table read on when spectators may know of an event."""
        feed = self._feeds.get(table)
        if feed is not None:
            self._tell(lambda: self._hold(feed, lambda: feed.remind(event, self._now())))

    def close(self) -> None:
        """End the thread."""
        self._is_closed = True
        self._news.set()
        if self._thread is not None:
            self._thread.join()

    # --- appends of this process --------------------------------------------------------------------------------------

    @contextmanager
    def appending(self, table: str) -> Iterator[Announce]:
        """See `Streams.appending`."""
        feed = self._feeds.get(table)
        if feed is None:
            yield tell_nobody
            return
        announced: list[tuple[list[Event], State]] = []
        with self._lock:
            feed.writing += 1
        try:
            yield lambda events, state: announced.append((events, state))
        finally:
            events, state = announced[0] if announced else ([], None)
            with self._lock:
                feed.announced = max(feed.announced, state["version"] if state else 0)
            self._tell(lambda: self._written(feed, events, state))

    # --- announcements of all processes -------------------------------------------------------------------------------

    def announced(self, table: str, version: int) -> None:
        """See `Listener.announced`."""
        feed = self._feeds.get(table)
        if feed is None or 0 < version <= feed.announced:
            return
        with self._lock:
            feed.announced = max(feed.announced, version)
            # Otherwise the append in progress checks when it is done: it is probably the one that is announced.
            is_news = not feed.writing or not version
        if is_news:
            self._tell(lambda: self._read(feed))

    def revoked(self, player: str) -> None:
        """See `Listener.revoked`."""
        self._tell(lambda: self._check(player))

    def news(self, player: str, token: str, number: str) -> None:
        """See `Listener.news`."""
        if token:
            self._readers.replace(player, token, number)
        else:
            self._readers.look(player)

    def missed(self) -> None:
        """See `Listener.missed`."""
        self._tell(self._look_at_all)

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _tell(self, task: Callable[[], None]) -> None:
        self._inbox.append(task)
        self._news.set()

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
        due = [beat for beat in (self._beats.next_in(),) if beat is not None]
        due += [(at - self._now()) / 1000 for feed in self._holding if (at := feed.next_release) is not None]
        if self._unread:
            due.append(self._retry_at - time.monotonic())
        return max(0.001, min(due)) if due else None

    def _do_what_is_due(self) -> None:
        if self._unread and time.monotonic() >= self._retry_at:
            self._attempt(self._read_again)
        for feed in list(self._holding):
            self._release(feed)
        self._beats.send(timestamp(self._now()).encode())

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

    def _written(self, feed: Feed, events: list[Event], state: State | None) -> None:
        """Pass on what this process has appended, or read the log after a failure: the append may have succeeded."""
        with self._lock:
            feed.writing -= 1
        if state is not None and not feed.followers:
            if state["version"] > feed.version:
                feed.show(state)
        elif state is not None and events[0]["seq"] == feed.version + 1:
            self._advance(feed, events, state)
        elif state is None or events[-1]["seq"] > feed.version:
            self._read(feed)
        if feed.announced > feed.version and not feed.writing:
            self._read(feed)

    def _read(self, feed: Feed) -> None:
        """Read what is new in the log of a table, and pass it on. Without followers, the state is enough."""
        if not feed.followers and not feed.watchers:
            return
        try:
            full = True
            while full:
                before, has_followers = feed.version, bool(feed.followers)
                # In this order, what each may see is decided by a state that is at least as new as the events.
                events = self._store.events(feed.table, before, _PAGE_SIZE) if has_followers else []
                snapshot = self._store.load(feed.table)
                full = len(events) == _PAGE_SIZE
                if (feed.version, bool(feed.followers)) != (before, has_followers):
                    # A first follower has come, or the last one has left, while this was read.
                    full = True
                elif snapshot is None or snapshot.version < feed.version:
                    feed.lose(snapshot.state if snapshot else None)
                elif events:
                    self._advance(feed, events, snapshot.state)
                elif not feed.followers:
                    feed.show(snapshot.state)
        except StoreUnavailable:
            self._unread[feed] = None
            self._retry_at = time.monotonic() + _RETRY_S
            raise

    def _read_again(self) -> None:
        while self._unread:
            self._read(self._unread.popitem()[0])

    def _check(self, player: str) -> None:
        for feed in list(self._feeds.values()):
            feed.check(player)
        self._readers.check(player)

    def _look_at_all(self) -> None:
        for feed in list(self._feeds.values()):
            feed.check()
            self._unread[feed] = None
        self._readers.check()
        self._readers.look()
        self._retry_at = 0.0
