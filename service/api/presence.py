"""Presence: whether the player of a seat is online, judged by open streams and by what the player does.

A player whose last stream closes is away after a grace period, which covers page reloads, changes of network and short
absences of phone apps. Clients that poll need not poll again: their players are away once they miss a decision. Every
process knows only its own streams: a process that still has a player's stream contradicts one that calls the player
away.
"""

import threading
from collections import Counter
from contextlib import suppress
from typing import Final, Literal, Protocol

from service.common.errors import Refusal
from service.game.state.queries import seat_of
from service.game.state.types import State
from service.store.port import StoreUnavailable
from service.tables import Tables

#: Seconds from the end of a player's last stream until the player is away.
GRACE_S: Final = 15.0


class Looks(Protocol):
    """Where it is noted for all processes whose streams are open (`service.store.notices.lookers`)."""

    def opened(self, table: str, player: str) -> None:
        """Note that a player has opened the first stream of a table here."""

    def closed(self, table: str, player: str) -> None:
        """Note that a player has closed the last one."""


class Presence:
    """The open streams of this process, by table and player.

    Args:
        tables: use cases of tables.
        looks: is told of the streams of those who sit there.
    """

    def __init__(self, tables: Tables, looks: Looks) -> None:
        self._tables = tables
        self._looks: Final = looks
        self._lock: Final = threading.Lock()
        self._streams: Counter[tuple[str, str]] = Counter()
        #: The grace periods that run.
        self._timers: Final[dict[tuple[str, str], threading.Timer]] = {}

    def stream_opened(self, state: State, player: str) -> None:
        """Count a player's new stream, which ends the grace period."""
        with self._lock:
            self._streams[state["id"], player] += 1
            is_first = self._streams[state["id"], player] == 1
            timer = self._timers.pop((state["id"], player), None)
        if timer is not None:
            timer.cancel()
        if is_first:
            self._looks.opened(state["id"], player)
        self.seen(state, player)

    def stream_closed(self, table: str, player: str) -> None:
        """Discount a player's stream; after the last one the grace period begins."""
        with self._lock:
            self._streams[table, player] -= 1
            if self._streams[table, player] > 0:
                return
            del self._streams[table, player]
            timer = self._timers[table, player] = threading.Timer(GRACE_S, self._grace_over, (table, player))
        timer.daemon = True
        timer.start()
        self._looks.closed(table, player)

    def seen(self, state: State, player: str) -> None:
        """Note a sign of life: a player who was away is online again."""
        seat = seat_of(state, player)
        if seat is not None and state["seats"][seat]["presence"] == "away":
            self._set(state["id"], player, "online")

    def _grace_over(self, table: str, player: str) -> None:
        with self._lock:
            # Not if a stream has been opened since, even if that has been closed again.
            if self._timers.get((table, player)) is not threading.current_thread():
                return
            del self._timers[table, player]
        with suppress(Refusal, StoreUnavailable):
            state = self._tables.load(table)
            seat = seat_of(state, player)
            if seat is not None and state["seats"][seat]["presence"] == "online":
                self._set(table, player, "away")

    def _set(self, table: str, player: str, presence: Literal["online", "away"]) -> None:
        # A player who has left the seat, and a table that is gone, need no update; an outage must not fail the request.
        with suppress(Refusal, StoreUnavailable):
            self._tables.act(table, {"type": "presence", "player": player, "presence": presence})
