"""The spectator delay (`service.game.state.watching`): the table as spectators see it during a game."""

from collections import OrderedDict
from typing import Final, NamedTuple

from service.game.events.evolve import NO_TABLE, evolve
from service.game.events.types import Event
from service.game.state.types import State
from service.game.state.watching import Delay, delay_of
from service.store.port import TableStore
from service.tables.ports import Now

#: Page sizes for advancing a cached state, and for replaying the whole log.
_PAGE_EVENTS: Final = 64
_FOLDED_EVENTS: Final = 1_000
#: Most tables whose delayed state is cached: about 25 KB each, 60 KB with twelve seats.
WATCHED_TABLES: Final = 300


class _Watched(NamedTuple):
    """A table as spectators last saw it: after the event `last`, the latest one up to the time `until`."""

    state: State
    last: Event
    until: int


class SpectatorDelay:
    """Selects the events of a table that spectators see. Events before the game are visible at once.

    The state that spectators see is cached and advanced by the events that become visible, so the cost does not grow
    with the length of the game.

    Args:
        store: holds the logs.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: TableStore, now: Now) -> None:
        self._store: Final = store
        self._now: Final = now
        self._watched: Final[OrderedDict[str, _Watched]] = OrderedDict()

    def table(self, state: State) -> State:
        """Return the table after the last visible event."""
        delay = delay_of(state)
        if delay is None:
            return state
        table, until = state["id"], self._now() - delay.ms
        watched = self._moved_on(table, self._watched.get(table), until, delay)
        watched = watched or self._moved_on(table, _Watched(NO_TABLE, _NO_EVENT, until), until, delay)
        if watched is None:
            raise AssertionError("a table has at least one event")
        self._watched[table] = watched
        self._watched.move_to_end(table)
        if len(self._watched) > WATCHED_TABLES:
            self._watched.popitem(last=False)
        return watched.state

    def _moved_on(self, table: str, watched: _Watched | None, until: int, delay: Delay) -> _Watched | None:
        """Advance what spectators see to the time `until`; None if it does not continue from `watched`."""
        if watched is None or until < watched.until or delay.is_held(watched.last["seq"]):
            return None
        state, last = watched.state, watched.last
        limit = _PAGE_EVENTS if state else _FOLDED_EVENTS
        # Read the last event again: if it has changed, Redis has lost its last writes, and the cached state is void.
        events = self._store.events(table, max(0, last["seq"] - 1), limit)
        if state and events[:1] != [last]:
            return None
        while True:
            for event in events:
                if delay.hides(event["seq"], event["at"], until + delay.ms):
                    return _Watched(state, last, until)
                if event["seq"] > last["seq"]:
                    state, last = evolve(state, event), event
            if len(events) < limit:
                return _Watched(state, last, until)
            events = self._store.events(table, events[-1]["seq"], limit)

    def events(self, state: State, events: list[Event]) -> list[Event]:
        """Return the visible ones of `events`, which must have been read before `state`."""
        delay, now = delay_of(state), self._now()
        if delay is not None:
            for number, event in enumerate(events):
                if delay.hides(event["seq"], event["at"], now):
                    return events[:number]
        return events


_NO_EVENT: Final[Event] = {"seq": 0, "type": "", "at": 0, "round": None, "by": "server", "tx": 0, "data": {}}
