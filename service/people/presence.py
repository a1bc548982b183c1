"""Presence: whether the player of a seat is online, judged by open streams and actions.

A player is away after a grace period from the end of the last stream, to allow for page reloads, changes of network and
short absences of phone apps. Players of polling clients are away once they miss a decision. Each process knows only its
own streams: if one marks a player as away, another that has a stream of the player corrects it.

Without a game there are no decisions to miss: whoever looks at such a table marks as away who has not been heard of for
`HERE_MS`, by a stream, a long poll or a request, in any process.
"""

import threading
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from typing import Final, Literal

from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.state.queries import ai_level, is_board, persons, seat_of
from service.game.state.types import State
from service.store.notices.open_streams import OpenStreams
from service.store.players.people import NOTE_HERE_S, PeopleStore
from service.store.port import PlayerStore, StoreTooNew, StoreUnavailable
from service.tables import Tables

#: Seconds from the end of a player's last stream until the player is away.
GRACE_S: Final = 15.0
#: Most tables of a player that are examined for a game: the latest one, after boards.
_MOST_EXAMINED: Final = 20
#: Most players of whom a process knows when it has noted them.
_MOST_NOTED: Final = 20_000


class Presence:
    """The open streams of this process, by table and player.

    Args:
        tables: use cases of tables.
        open_streams: notified of streams of seated players.
        people: notes and tells who has been heard of lately.
        players: stores the tables of each player.
    """

    def __init__(self, tables: Tables, open_streams: OpenStreams, people: PeopleStore, players: PlayerStore) -> None:
        self._tables = tables
        self._people: Final = people
        self._players: Final = players
        #: Player -> when last noted by this process (ms).
        self._noted: Final[dict[str, int]] = {}
        self._open_streams: Final = open_streams
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
            self._open_streams.opened(state["id"], player)
        self.acted(state, player)

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
        self._open_streams.closed(table, player)

    def acted(self, state: State, player: str) -> None:
        """Mark a player as online again after an action."""
        seat = seat_of(state, player)
        if seat is not None and state["status"] != "playing":
            self.heard(player)
        if seat is not None and state["seats"][seat]["presence"] == "away":
            self._set(state["id"], player, "online")

    def heard(self, player: str) -> None:
        """Note that a player has been heard of. Ignores an outage of the store."""
        now = self._tables.now()
        if 0 <= now - self._noted.get(player, 0) < NOTE_HERE_S * 1000:
            return
        if len(self._noted) >= _MOST_NOTED:
            self._noted.clear()
        with suppress(StoreUnavailable):
            self._people.note_here([player], now)
            self._noted[player] = now

    def settle(self, state: State) -> State:
        """Mark as away who sits at a table without a game and has not been heard of lately; return the table then."""
        if state["status"] == "playing":
            return state
        seats = [state["seats"][seat] for seat in persons(state)]
        present = [seat["occupant"]["player"] for seat in seats if seat["occupant"] and seat["presence"] == "online"]
        silent = self.silent([player for player in present if player is not None])
        for player in silent:
            self._set(state["id"], player, "away")
        return self._tables.load(state["id"]) if silent else state

    def waits(self, table: str) -> bool:
        """Return whether no game is running at a table; if so, `settle` it."""
        with suppress(Refusal, StoreUnavailable):
            return self.settle(self._tables.load(table))["status"] != "playing"
        return True

    def game_of(self, player: str) -> State | None:
        """Return the latest table of a player if a game is running there that the player plays, or None.

        Boards are left out, since the end of a game there must not show.
        """
        for table in self._players.tables_of(player)[:_MOST_EXAMINED]:
            with suppress(NotFound, StoreTooNew):
                state = self._tables.load(table)
                if is_board(state):
                    continue
                seat = seat_of(state, player)
                is_playing = state["status"] == "playing" and seat is not None and ai_level(state, seat) is None
                return state if is_playing else None
            break
        return None

    def silent(self, players: Collection[str]) -> set[str]:
        """Return which players have not been heard of lately; none of them if the store does not answer."""
        with suppress(StoreUnavailable):
            return {*players} - self._people.here(players, self._tables.now()) if players else set()
        return set()

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
