"""The use cases of events: enter, play each board once, and compare results when the event is over."""

import os
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from service.boards import deals, scoring
from service.boards.errors import BoardPlayed, BotsOnly, EventClosed, NotEntered
from service.boards.scoring import Standing
from service.game.errors import NotFinished, NotFound
from service.game.state.occupants import occupant_of
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.rules.games import ruleset_of
from service.store.boards.events import BoardResult, BoardStore, Entry, Fields, Results, StoredEvent
from service.store.port import Player, PlayerStore
from service.tables import Tables

#: Events that are listed.
MOST_LISTED: Final = 20


class Outcome(NamedTuple):
    """What has come of an event that is over. `fields`: of the deals that AI players have played so far."""

    event: StoredEvent
    results: Results
    fields: Fields
    missing: list[tuple[int, int]]


class Boards:
    """See the module.

    Args:
        store: of the events.
        tables, players: where boards are played, and who sits there.
        daily: games that have an event every day (UTC), as `ruleset:players`.
        ladder: those that have one for bots every night.
        days: for which events are kept after their end; 0: for ever.
        random_bytes: returns random bytes from the operating system.
    """

    def __init__(
        self,
        store: BoardStore,
        tables: Tables,
        players: PlayerStore,
        daily: Sequence[str] = (),
        days: int = 0,
        random_bytes: Callable[[int], bytes] = os.urandom,
        ladder: Sequence[str] = (),
    ) -> None:
        self._store: Final = store
        self._tables: Final = tables
        self._players: Final = players
        self._daily: Final = [
            (ruleset, int(number), bots)
            for games, bots in ((daily, False), (ladder, True))
            for ruleset, number in (game.split(":") for game in games)
        ]
        for ruleset, number, _ in self._daily:
            ruleset_of(ruleset, number)
        self._kept_ms: Final = (days or 36_500) * deals.DAY_MS
        self._random_bytes: Final = random_bytes

    # --- events -------------------------------------------------------------------------------------------------------

    def newest(self, *, bots: bool = False) -> list[StoredEvent]:
        """Return the latest events, those of today first: of everybody, or those for bots."""
        today = self._of_today()
        known = {event["id"] for event in today}
        others = (self._store.event(event) for event in self._store.newest(2 * MOST_LISTED) if event not in known)
        # Those of the other kind are passed over; no more are read than are listed.
        wanted = (event for event in chain(today, others) if event is not None and event.get("bots", False) == bots)
        return list(islice(wanted, MOST_LISTED))

    def event(self, event: str) -> StoredEvent:
        """Return an event in which everybody plays alone.

        Raises:
            NotFound: there is none with this id.
        """
        found = self._store.event(event)
        if found is None or "teams" in found:
            raise NotFound(what="event", id=event)
        return found

    def _of_today(self) -> list[StoredEvent]:
        """Return the events of today; whoever asks first on a day brings them about."""
        day = self._tables.now() // deals.DAY_MS
        events = (self._of_day(day, *game) for game in self._daily)
        return [event for event in events if event is not None]

    def _of_day(self, day: int, ruleset: str, players: int, bots: bool) -> StoredEvent | None:
        """Return the event of a day; None: it would be over before anybody has seen it."""
        name = deals.daily_id(day, ruleset, players, bots=bots)
        found = self._store.event(name)
        if found is not None:
            return found
        event = deals.new_event(name, ruleset, players, day * deals.DAY_MS, self._random_bytes, bots=bots)
        if self.is_over(event):
            return None
        return self._store.create(event, event["closes_at"] - self._tables.now() + self._kept_ms)

    def is_over(self, event: StoredEvent) -> bool:
        """Tell whether the boards of an event are sealed no longer."""
        return self._tables.now() >= event["closes_at"]

    # --- entrants -----------------------------------------------------------------------------------------------------

    def count(self, event: StoredEvent) -> int:
        """Return how many have entered."""
        return self._store.count(event["id"])

    def entry(self, event: StoredEvent, player: str) -> Entry | None:
        """Return a player's entry."""
        return self._store.entry(event["id"], player)

    def results_of(self, event: StoredEvent, player: str) -> dict[int, BoardResult]:
        """Return a player's own results, by number of the board."""
        return self._store.results_of(event["id"], player, len(event["boards"]))

    def enter(self, event: str, player: Player) -> tuple[StoredEvent, Entry]:
        """Enter an event. Idempotent.

        Raises:
            NotFound: there is no such event.
            EventClosed: it is over.
            BotsOnly: it is one for bots, and the player is none.
        """
        found = self._open(event)
        if found.get("bots") and player["kind"] != "bot":
            raise BotsOnly(event=event)
        return found, self._store.enter(event, player["id"], {"name": player["name"], "at": self._tables.now()})

    def begin(self, event: str, number: int, player: Player) -> State:
        """Return the table at which a player plays a board; it begins when it is first asked for.

        Raises:
            NotFound: there is no such event or board.
            EventClosed, NotEntered: the player may not play it, or not any more.
            BoardPlayed: the player has played it.
        """
        found, who = self._open(event), player["id"]
        self.check_number(found, number)
        if self._store.entry(event, who) is None:
            raise NotEntered(event=event)
        done = self.results_of(found, who)
        if number in done:
            raise BoardPlayed(board=number, left=[each for each in self._numbers(found) if each not in done])
        deal = deals.deal_of(found, number, who)
        spec = deals.spec_of(found, number, deal, occupant_of(player))
        table = deals.table_of(found, number, who)
        state = self._tables.create(player, spec, table).state
        self._players.add_table(who, table, self._tables.now())
        return state

    def entries(self, event: StoredEvent) -> dict[str, Entry]:
        """Return player -> entry."""
        return self._store.entries(event["id"])

    def fields(self, event: str) -> Fields:
        """Return what AI players have made of the deals so far."""
        return self._store.fields(event)

    def check_number(self, event: StoredEvent, number: int) -> None:
        """Check that an event has a board.

        Raises:
            NotFound: it has none with this number.
        """
        if number not in self._numbers(event):
            raise NotFound(what="board", id=number)

    def _numbers(self, event: StoredEvent) -> range:
        return range(1, len(event["boards"]) + 1)

    def _open(self, event: str) -> StoredEvent:
        self._of_today()
        found = self.event(event)
        if self.is_over(found):
            raise EventClosed(event=event, closed_at=timestamp(found["closes_at"]))
        return found

    # --- what has come of it ------------------------------------------------------------------------------------------

    def outcome(self, event: str, number: int | None = None) -> Outcome:
        """Return the results of an event that is over, or of one of its boards.

        Raises:
            NotFound: there is no such event.
            NotFinished: it is sealed.
        """
        found = self._over(event)
        if number is not None:
            self.check_number(found, number)
        numbers = self._numbers(found) if number is None else [number]
        results, fields = self._store.results(event, numbers), self._store.fields(event)
        wanted = {(number, result["deal"]) for (number, _), result in results.items()}
        return Outcome(found, results, fields, sorted(wanted - fields.keys()))

    def standings(self, event: str) -> tuple[StoredEvent, list[Standing] | None, list[tuple[int, int]]]:
        """Return the standings of an event that is over; None while AI players have not played some deals yet.

        The third value names these, by number of the board and deal.

        Raises:
            NotFound, NotFinished: see `outcome`.
        """
        found = self._over(event)
        known: list[Standing] | None = self._store.standings(event)
        if known is not None:
            return found, known, []
        outcome = self.outcome(event)
        if outcome.missing:
            return found, None, outcome.missing
        rows = scoring.standings(found, self._store.entries(event), outcome.results, outcome.fields)
        self._store.set_standings(event, rows)
        return found, rows, []

    def _over(self, event: str) -> StoredEvent:
        found = self.event(event)
        if not self.is_over(found):
            raise NotFinished(what="event", event=event)
        return found

    def start_of(self, event: str, number: int, deal: int) -> State:
        """Return the table of a deal with AI players on all seats, for them to be compared with.

        Raises:
            NotFound: there is no such event.
        """
        found = self.event(event)
        spec = deals.spec_of(found, number, deal, None)
        return self._tables.unstored(spec)

    def add_field(self, event: str, number: int, deal: int, values: list[int]) -> None:
        """Store what AI players made of a deal."""
        self._store.add_field(event, number, deal, values)
