"""The spectator delay: while a game is on, spectators see the table late, so that they cannot help a player."""

from typing import Final

from service.game.events.types import Event
from service.game.state.queries import game_of
from service.game.state.types import State
from service.store.port import TableStore
from service.tables.ports import Now

#: Events read per page when searching backwards for the last visible one.
_PAGE_EVENTS: Final = 200


class SpectatorDelay:
    """Which events of a table spectators see. Events before the game are visible at once.

    Args:
        store: holds the logs.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: TableStore, now: Now) -> None:
        self._store: Final = store
        self._now: Final = now

    def version(self, state: State) -> int:
        """Return the seq of the last visible event."""
        last: int = state["version"]
        if state["status"] != "playing":
            return last
        until, started = self._visible_until(state), game_of(state)["started_seq"]
        while last >= started:
            first = max(started, last - _PAGE_EVENTS + 1)
            for event in reversed(self._store.events(state["id"], first - 1, last - first + 1)):
                if event["at"] <= until:
                    return int(event["seq"])
            last = first - 1
        return started - 1

    def events(self, state: State, events: list[Event]) -> tuple[list[Event], int | None]:
        """Return the visible ones of `events`, and when the next becomes visible (ms), or None if all are.

        `events` must have been read before `state`.
        """
        if state["status"] == "playing":
            until, started = self._visible_until(state), game_of(state)["started_seq"]
            for number, event in enumerate(events):
                if event["seq"] >= started and event["at"] > until:
                    return events[:number], event["at"] + self._now() - until
        return events, None

    def _visible_until(self, state: State) -> int:
        return self._now() - state["settings"]["spectator_delay_ms"]
