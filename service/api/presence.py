"""Presence: whether the player of a seat is online, judged by open streams and actions.

A player is away after a grace period from the end of the last stream, to allow for page reloads, changes of network and
short absences of phone apps. Players of polling clients are away once they miss a decision. Each process knows only its
own streams: if one marks a player as away, another that has a stream of the player corrects it.
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
    """The list of open streams of all processes (`service.store.notices.lookers`)."""

    def opened(self, table: str, player: str) -> None:
        """Note that a player has opened the first stream of a table here."""

    def closed(self, table: str, player: str) -> None:
        """Note that a player has closed the last stream of a table here."""


class Presence:
    """The open streams of this process, by table and player.

    Args:
        tables: use cases of tables.
        looks: notified of streams of seated players.
    """

    def __init__(self, tables: Tables, looks: Looks) -> None:
        self._tables = tables
        self._looks: Final = looks
        self._lock: Final = threading.Lock()
        self._streams: Counter[tuple[str, str]] = Counter()
        #: Running grace periods.
        self._timers: Final[dict[tuple[str, str], threading.Timer]] = {}

    def stream_opened(self, state: State, player: str) -> None:
        """Count a new stream of a player, and end the grace period."""
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
        """Remove a stream of a player; after the last one, start the grace period."""
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
        """Mark a player as online again after an action."""
        seat = seat_of(state, player)
        if seat is not None and state["seats"][seat]["presence"] == "away":
            self._set(state["id"], player, "online")

    def _grace_over(self, table: str, player: str) -> None:
        with self._lock:
            # Do nothing if a stream has been opened since, even if it has been closed again.
            if self._timers.get((table, player)) is not threading.current_thread():
                return
            del self._timers[table, player]
        with suppress(Refusal, StoreUnavailable):
            state = self._tables.load(table)
            seat = seat_of(state, player)
            if seat is not None and state["seats"][seat]["presence"] == "online":
                self._set(table, player, "away")

    def _set(self, table: str, player: str, presence: Literal["online", "away"]) -> None:
        # No update is needed if the player has left or the table is gone, and an outage must not fail the request.
        with suppress(Refusal, StoreUnavailable):
            self._tables.act(table, {"type": "presence", "player": player, "presence": presence})
