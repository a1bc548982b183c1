"""Open streams and long polls: the reader, the reasons to wake up, and, at a table, the queue of frames."""

import threading
import time
from typing import Final, NamedTuple

from service.api.streams.coding import Text
from service.game.state.types import State
from service.game.views.types import Viewer

#: Most frames queued for a stream with a slow client; beyond that the stream reads the log to catch up.
MOST_FRAMES: Final = 32


class Frame(NamedTuple):
    """Consecutive events encoded for a viewer, shared by all followers who see the same.

    Attributes:
        first, last: seqs of the first and the last event.
        at: time of the last event (ms).
        texts: their messages; None: read the log instead.
        has_final: whether one of them ends a game.
        is_over: whether no events will follow unless a new game begins.
        authors: players with chat in them. A follower that has muted one of these reads the log instead.
    """

    first: int
    last: int
    at: int
    texts: tuple[Text, ...] | None
    has_final: bool
    is_over: bool
    authors: frozenset[str] = frozenset()


class Reader:
    """A stream or long poll.

    Feeds write, its own thread reads. Each flag is only set by one and only cleared by the other, and the reader clears
    it before looking, so no lock is needed.

    Attributes:
        player: id of the player.
        token_hash: hash of the token with which the stream was opened.
        muted: players muted by the player.
        expires_at: when the token expires (ms); None: never.
        must_check: whether the token may have become void.
        beat: the time (RFC 3339) of a due heartbeat, or None.
        ended: why the stream must end; an error breaks it off; None: it continues.
    """

    __slots__ = ("_news", "beat", "ended", "expires_at", "must_check", "muted", "player", "token_hash")

    def __init__(self, player: str, token_hash: str) -> None:
        self.player: Final = player
        self.token_hash: Final = token_hash
        self.muted: frozenset[str] = frozenset()
        self.expires_at: int | None = None
        self.must_check = False
        self.beat: bytes | None = None
        self.ended: Exception | str | None = None
        self._news: Final = threading.Event()

    def end(self, reason: Exception | str) -> None:
        """End the stream."""
        self.ended = reason
        self._news.set()

    def wake(self) -> None:
        """Make the stream check its attributes."""
        self._news.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is something to check; return whether there is."""
        if not self._news.wait(seconds):
            return False
        # Cleared before the caller checks, so that anything newer sets it again.
        self._news.clear()
        return True


class Follower(Reader):
    """A stream or long poll at one table.

    Attributes:
        viewer: the viewer at the last access check.
        is_delayed: whether the player sees the table with the spectator delay.
        is_invited: whether the player has sent the watch code of a private table.
        is_behind: whether the log must be read: at the beginning, after a gap, and after too many queued frames.
        was_called_away: whether another process has marked the player as away.
        is_lost: whether the table has lost events that were sent, so that the stream must be reset.
        state: the table, for a player without a part in it.
        must_meet: whether blocks between that player and the people in `state` must be looked up.
    """

    __slots__ = (
        "_frames",
        "is_behind",
        "is_delayed",
        "is_invited",
        "is_lost",
        "must_meet",
        "state",
        "viewer",
        "was_called_away",
    )

    def __init__(self, player: str, token_hash: str, viewer: Viewer, *, is_delayed: bool) -> None:
        super().__init__(player, token_hash)
        self.viewer = viewer
        self.is_delayed = is_delayed
        self.is_invited = False
        self.state: State | None = None
        self.must_meet = False
        self.is_behind = True
        self.was_called_away = self.is_lost = False
        self._frames: Final[list[Frame]] = []

    # --- called by the feed -------------------------------------------------------------------------------------------

    def push(self, frame: Frame) -> None:
        """Queue a frame."""
        if frame.texts is None or len(self._frames) >= MOST_FRAMES:
            self._frames.clear()
            self.is_behind = True
        else:
            self._frames.append(frame)
        self._news.set()

    def end(self, reason: Exception | str) -> None:
        """End the stream: at once for a refusal or an error, after the queued frames for any other reason."""
        if isinstance(reason, Exception):
            self._frames.clear()
        super().end(reason)

    # --- called by the stream -----------------------------------------------------------------------------------------

    def wait_for_frame(self, seconds: float) -> None:
        """Wait until the log may have more, the access may have ended, or the timeout."""
        until = time.monotonic() + seconds
        while self.wait(until - time.monotonic()):
            if self._frames or self.is_behind or self.must_check or self.must_meet or self.ended:
                self._frames.clear()
                self.is_behind = False
                return

    def frame(self) -> Frame | None:
        """Return the next queued frame."""
        try:
            return self._frames.pop(0)
        except IndexError:
            return None

    def drop_frames(self) -> None:
        """Drop the queued frames, since the log is read instead."""
        self._frames.clear()
