"""Feeds: the streams of a table in this process share one read of new events, and one encoding per viewer."""

from collections import deque
from typing import Final

from service.api.streams.account_reader import AccountReader
from service.api.streams.follower import Follower, Frame
from service.api.streams.heartbeats import HEARTBEAT_S
from service.api.streams.rendering import event_messages, has_final, is_over
from service.api.visibility import access_of
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.state.types import State
from service.game.state.watching import Delay, delay_of
from service.game.views.muting import authors
from service.game.views.types import Viewer
from service.game.views.view import watcher_of
from service.store.port import StoreTooNew


class _Batch:
    """Events of a table, in order and without a gap, and a state at least as new. One frame for each viewer.

    Attributes:
        has_come: whether there may be somebody whom a player has blocked.
        called_away: seats that have been set to away.
    """

    def __init__(self, events: list[Event], state: State) -> None:
        self.state: Final = state
        self.has_come: Final = any(event["type"] in _COMING for event in events)
        self.called_away: Final = {event["data"]["seat"] for event in events if _calls_away(event)}
        self._events: Final = events
        self._is_over: Final = is_over(state) and state["version"] == events[-1]["seq"]
        self._frames: Final[dict[Viewer, Frame]] = {}

    def frame(self, viewer: Viewer) -> Frame:
        """Return the events as a viewer may see them."""
        if viewer not in self._frames:
            events, last = self._events, self._events[-1]
            texts = event_messages(events, viewer, self.state)
            final, by = has_final(events), authors(events)
            self._frames[viewer] = Frame(events[0]["seq"], last["seq"], last["at"], texts, final, self._is_over, by)
        return self._frames[viewer]


class Feed:
    """The streams of a table, and those of the accounts of its players.

    Nothing here blocks, and nothing hidden is stored: each frame is for one viewer.

    Attributes:
        table: id of the table.
        version: seq of the last event passed to the followers.
        at: time of that event (ms).
        announced: highest announced version.
        writing: number of this process's appends in progress or not yet passed to the followers.
        followers: open streams, in the order of opening.
        watchers: readers of accounts.
        heartbeat_s: shortest interval of heartbeats requested by a follower (s).
        beats_at: when the next heartbeat is sent (s, monotonic).
    """

    __slots__ = (
        "_delay",
        "_held",
        "announced",
        "at",
        "beats_at",
        "followers",
        "heartbeat_s",
        "table",
        "version",
        "watchers",
        "writing",
    )

    def __init__(self, table: str) -> None:
        self.table: Final = table
        self.version = self.announced = self.writing = self.at = 0
        self.followers: Final[dict[Follower, None]] = {}
        self.watchers: Final[dict[AccountReader, None]] = {}
        self.heartbeat_s = HEARTBEAT_S
        self.beats_at = 0.0
        self._delay: Delay | None = None
        #: Frames of single events that spectators may not see yet.
        self._held: Final[deque[Frame]] = deque()

    @property
    def is_open(self) -> bool:
        """Whether there are streams, which get heartbeats."""
        return bool(self.followers)

    def begin(self, state: State) -> None:
        """Start with the first follower, which has a state of the table."""
        self._know(state)
        self.heartbeat_s = HEARTBEAT_S
        self._delay = delay_of(state)
        self._held.clear()

    def _know(self, state: State) -> None:
        if state["version"] >= self.version:
            self.version, self.at = state["version"], state["at"]
        self.announced = max(self.announced, self.version)

    def show(self, state: State) -> None:
        """Pass a state to the watchers. Without followers, nothing else needs to be done."""
        if not self.followers:
            self._know(state)
        for watcher in list(self.watchers):
            watcher.saw(state)

    def advance(self, events: list[Event], state: State, now: int) -> None:
        """Pass the events after `version`, without a gap, to the followers, redacted by their access in `state`.

        Args:
            state: at least as new as the events, so that lost access takes effect at once.
            now: milliseconds since the epoch.
        """
        self.version, self.at = events[-1]["seq"], events[-1]["at"]
        self._delay = delay_of(state)
        batch = _Batch(events, state)
        delayed = [follower for follower in list(self.followers) if self._pass(batch, follower)]
        if delayed:
            self._held.extend(_Batch([event], state).frame(watcher_of(state)) for event in events)
        self.release(now)
        self.show(state)

    def _pass(self, batch: "_Batch", follower: Follower) -> bool:
        """Pass events to a follower; return whether it may only see them later."""
        before, access = follower.viewer, access_of(batch.state, follower.player)
        follower.viewer, follower.is_delayed = access.viewer, access.is_delayed
        if access.refusal is not None and not (access.by_invitation and follower.is_invited):
            follower.end(access.refusal)
            return False
        if access.is_delayed:
            follower.state = batch.state
            follower.must_meet |= batch.has_come
            if not isinstance(before, int):
                return True
        follower.was_called_away |= access.viewer in batch.called_away
        if self._delay is None or not access.is_delayed:
            follower.push(batch.frame(access.viewer))
        if isinstance(before, int) and access.seat is None:
            follower.end("seat-left")
        return False

    def remind(self, event: Event, now: int) -> None:
        """Make delayed followers read the log for an event that spectators may see but that is not held."""
        if not self._held or self._held[0].first > event["seq"]:
            seq = event["seq"]
            self._held.appendleft(Frame(seq, seq, event["at"], None, has_final=False, is_over=False))
        self.release(now)

    def release(self, now: int) -> None:
        """Pass the events that spectators may see by now to the delayed followers."""
        while self._held:
            frame = self._held[0]
            if self._delay is not None and self._delay.hides(frame.first, frame.at, now):
                return
            self._held.popleft()
            for follower in list(self.followers):
                if follower.is_delayed:
                    follower.push(frame)

    @property
    def next_release(self) -> int | None:
        """When the next event becomes visible to spectators (ms); None if that does not depend on time."""
        if not self._held:
            return None
        frame = self._held[0]
        if self._delay is None:
            return frame.at
        return None if self._delay.is_held(frame.first) else frame.at + self._delay.ms

    def lose(self, state: State | None) -> None:
        """Reset the followers, since the table has lost events that were sent; `state` None: the table is gone."""
        for follower in list(self.followers):
            if state is None:
                follower.end(NotFound(what="table", id=self.table))
            else:
                follower.is_lost = True
                follower.wake()
        for watcher in list(self.watchers):
            if state is None:
                watcher.gone(self.table)
            else:
                watcher.saw(state, is_lost=True)
        if state is not None:
            self.version = self.announced = state["version"]
            self.at = state["at"]

    def break_off(self, error: StoreTooNew) -> None:
        """Break off all streams, since this process does not understand the table any more.

        Clients resume at a process that does, or get the error here; the streams of accounts without the table.
        """
        for follower in list(self.followers):
            follower.end(error)
        for watcher in list(self.watchers):
            watcher.left(self.table, error)

    def send_beat(self, server_time: bytes) -> None:
        """Request a heartbeat from every follower."""
        for follower in list(self.followers):
            follower.beat = server_time
            follower.wake()

    def check(self, player: str | None = None) -> None:
        """Make all followers, or those of one player, check their token."""
        for follower in list(self.followers):
            if player is None or follower.player == player:
                follower.must_check = True
                follower.wake()


#: Types of events by which somebody may come to a table, or become its host.
_COMING: Final = frozenset({"seat_taken", "host_changed"})


def _calls_away(event: Event) -> bool:
    return event["type"] == "presence" and event["data"]["presence"] == "away"
