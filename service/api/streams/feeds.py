"""All feeds of a process (decision 80); `feed_thread` advances them.

The work between an append and the bytes in the sockets is done once per table and process: the process that appended
passes its events on, all others read the log once when they receive the announcement. Then messages are encoded once
for each distinct viewer. One thread does this, and also times heartbeats and the spectator delay, so that streams need
no timers.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from service.api.streams.account_reader import AccountReader
from service.api.streams.feed import Feed
from service.api.streams.feed_thread import FeedThread
from service.api.streams.follower import Follower
from service.api.streams.heartbeats import HEARTBEAT_S, Attendance, Beating
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.game.views.types import Viewer
from service.store.live import Announcements
from service.store.players.people import NOTE_HERE_S
from service.store.port import TableStore
from service.tables.ports import Announce, Now, tell_nobody


class Guard(Protocol):
    """What remembers callers for a while (`service.api.http.auth`). Its methods must not block."""

    def forget(self, player: str) -> None:
        """Called when a token of a player may have become void, or the record has changed."""

    def hears(self, *, everything: bool) -> None:
        """Called when this process begins to hear of each such change, or no longer does."""


class Feeds:
    """See the module.

    Args:
        announcements: announcements of all processes; connects when the first stream is opened.
        store: holds logs and snapshots.
        now: returns milliseconds since the epoch.
        note_here: notes that players are online.
    """

    def __init__(
        self,
        announcements: Announcements,
        store: TableStore,
        now: Now,
        note_here: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:
        self._announcements: Final = announcements
        self._now: Final = now
        self._thread: Final = FeedThread(store, now)
        self._lock: Final = self._thread.lock
        self._feeds: Final = self._thread.feeds
        self._readers: Final = self._thread.readers
        self._guards: Final[list[Guard]] = []
        self._is_hearing = False
        attendance = Attendance(self.players, note_here)
        self._thread.tell(lambda: self._thread.beats.soon(attendance, NOTE_HERE_S))

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
        """Return a new follower of a table, which gets all events from now on; earlier ones are in the log.

        Args:
            state: the table at the time of the access check.
            player, token_hash, viewer, is_delayed: see `Follower`.
            heartbeat_s: longest interval of heartbeats, the first of which comes at once; None: as for the other
                followers.
        """
        follower = Follower(player, token_hash, viewer, is_delayed=is_delayed)
        with self._lock:
            feed = self._feed(state["id"])
            if not feed.followers:
                feed.begin(state)
                # The watchers may not have this state yet.
                self._thread.tell(lambda: feed.show(state))
                self._thread.tell(lambda: self._thread.beats.soon(feed, HEARTBEAT_S))
            feed.followers[follower] = None
            if heartbeat_s is not None:
                follower.beat = timestamp(self._now()).encode()
                if heartbeat_s < feed.heartbeat_s:
                    self._thread.tell(lambda: self._thread.beats.soon(feed, heartbeat_s))
        self._start()
        return follower

    def _feed(self, table: str) -> Feed:
        feed = self._feeds.get(table)
        if feed is None:
            feed = self._feeds[table] = Feed(table)
            self._announcements.follow(table)
        return feed

    def _start(self) -> None:
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
            self._announcements.leave(feed.table)

    # --- accounts -----------------------------------------------------------------------------------------------------

    def attend(self, reader: AccountReader, heartbeat_s: float | None = None) -> None:
        """Add a reader of an account; `heartbeat_s`: see `follow`."""
        self._readers.add(reader)
        if heartbeat_s is not None:
            reader.beat = timestamp(self._now()).encode()
        self._thread.tell(lambda: self._thread.beats.soon(reader, heartbeat_s or HEARTBEAT_S))
        self._start()

    def dismiss(self, reader: AccountReader) -> None:
        """Remove a reader and its watches. Removing twice does nothing."""
        reader.is_open = False
        self._readers.remove(reader)
        for table in list(reader.rows):
            self.unwatch(table, reader)

    def watch(self, table: str, reader: AccountReader) -> None:
        """Pass each new state of a table to a reader from now on."""
        with self._lock:
            self._feed(table).watchers[reader] = None

    def unwatch(self, table: str, reader: AccountReader) -> None:
        """End `watch`."""
        with self._lock:
            feed = self._feeds.get(table)
            if feed is not None:
                feed.watchers.pop(reader, None)
                self._drop_if_unused(feed)

    def players(self) -> set[str]:
        """Return the players who follow tables or an account in this process."""
        with self._lock:
            followers = {follower.player for feed in self._feeds.values() for follower in feed.followers}
        return followers | self._readers.players()

    def remind(self, table: str, event: Event) -> None:
        """Make delayed followers of a table read on once spectators may see an event."""
        feed = self._feeds.get(table)
        if feed is not None:
            self._thread.tell(lambda: self._thread.remind(feed, event))

    def tell(self, task: Callable[[], None]) -> None:
        """Have a task carried out in the thread."""
        self._thread.tell(task)

    def beat(self, beating: Beating, every_s: float) -> None:
        """Send heartbeats at an interval, in the thread."""
        self._thread.tell(lambda: self._thread.beats.soon(beating, every_s))
        self._start()

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    # --- rights -------------------------------------------------------------------------------------------------------

    def guard(self, guard: Guard) -> None:
        """Tell a guard of changes of rights, from the first call of `listen` on."""
        self._guards.append(guard)
        guard.hears(everything=self._is_hearing)

    def listen(self) -> None:
        """Begin to hear announcements, also without a stream. Doing so twice does nothing."""
        self._start()

    def deaf(self) -> None:
        """See `Listener.deaf`."""
        self._hear(everything=False)

    def _hear(self, *, everything: bool) -> None:
        self._is_hearing = everything
        for guard in self._guards:
            guard.hears(everything=everything)

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
            self._thread.tell(lambda: self._thread.written(feed, events, state))

    # --- announcements of all processes -------------------------------------------------------------------------------

    def announced(self, table: str, version: int) -> None:
        """See `Listener.announced`."""
        feed = self._feeds.get(table)
        if feed is None or 0 < version <= feed.announced:
            return
        with self._lock:
            feed.announced = max(feed.announced, version)
            # Otherwise the append in progress checks when done: it is probably the announced one.
            is_news = not feed.writing or not version
        if is_news:
            self._thread.tell(lambda: self._thread.read(feed))

    def revoked(self, player: str) -> None:
        """See `Listener.revoked`."""
        for guard in self._guards:
            guard.forget(player)
        self._thread.tell(lambda: self._thread.check(player))

    def news(self, player: str, token: str, number: str) -> None:
        """See `Listener.news`."""
        if token:
            self._readers.replace(player, token, number)
        else:
            self._readers.look(player)

    def signalled(self, player: str, message: str) -> None:
        """See `Listener.signalled`."""
        self._readers.signal(player, message)

    def missed(self, table: str | None = None) -> None:
        """See `Listener.missed`."""
        if table is None:
            self._hear(everything=True)
            self._thread.tell(self._thread.look_at_all)
        elif (feed := self._feeds.get(table)) is not None:
            self._thread.tell(lambda: self._thread.look_at(feed))
