"""Who is there: players whose streams are open at a seat, or who do anything else.

A player who has closed the last stream is away after a while in which pages are loaded anew, and phones change from one
network to another or show another app for a moment. Who polls is not held to poll again: such a player is away when a
decision has been let go by. Every process knows its own streams alone: one that still has a stream of a player whom
another one has called away says that they are there.
"""

import threading
from collections import Counter
from contextlib import suppress
from typing import Final

from service.errors import Refusal
from service.game.state.queries import seat_of
from service.game.state.types import State
from service.store.port import StoreUnavailable
from service.tables import Tables

#: Seconds between the end of the last stream and being away.
GRACE_S: Final = 15.0


class Presence:
    """The streams of this process, by table and player."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock: Final = threading.Lock()
        self._open: Counter[tuple[str, str]] = Counter()

    def arrive(self, state: State, player: str) -> None:
        """Note that a player has opened a stream."""
        with self._lock:
            self._open[state["id"], player] += 1
        self.seen(state, player)

    def leave(self, table: str, player: str) -> None:
        """Note that a player's stream has ended."""
        with self._lock:
            self._open[table, player] -= 1
            if self._open[table, player] > 0:
                return
            del self._open[table, player]
        timer = threading.Timer(GRACE_S, self._away, (table, player))
        timer.daemon = True
        timer.start()

    def seen(self, state: State, player: str) -> None:
        """Note that a player does something: who was thought to be away is not."""
        seat = seat_of(state, player)
        if seat is not None and state["seats"][seat]["presence"] == "away":
            self._say(state["id"], player, "online")

    def _away(self, table: str, player: str) -> None:
        if self._open[table, player]:
            return
        with suppress(Refusal, StoreUnavailable):
            state = self._tables.load(table)
            seat = seat_of(state, player)
            if seat is not None and state["seats"][seat]["presence"] == "online":
                self._say(table, player, "away")

    def _say(self, table: str, player: str, presence: str) -> None:
        # Who has left the seat, or a table that is gone, needs no note; nor is one worth an error while nothing works.
        with suppress(Refusal, StoreUnavailable):
            self._tables.act(table, {"type": "presence", "player": player, "presence": presence})
