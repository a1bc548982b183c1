"""The use cases of events: enter, play each board once, compare results when the event is over."""

import os
from collections.abc import Callable, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from service.boards import deals, scoring
from service.boards.alike import Shared, shared, traits
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

#: Most listed events.
MOST_LISTED: Final = 20


class Outcome(NamedTuple):
    """The results of a finished event. `fields`: AI results of the deals played by AI players so far."""

    event: StoredEvent
    results: Results
    fields: Fields
    missing: list[tuple[int, int]]


class Boards:
    """See the module.

    Args:
        store: stores the events.
        tables, players: tables of boards, and their players.
        daily: games with a daily event (UTC), as `ruleset:players`.
        ladder: games with a nightly event for bots.
        games: returns how many games a player (id) has finished, up to a number.
        days: how long events are stored after their end; 0: forever.
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
        games: Callable[[str, int], int] = lambda _player, _most: 0,
    ) -> None:
        self._games: Final = games
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
        """Return the latest events, today's first: those for everybody, or those for bots with the coming ones."""
        today = [*self._begun_today(), *(self._coming() if bots else ())]
        known = {event["id"] for event in today}
        others = (self._store.event(event) for event in self._store.newest(2 * MOST_LISTED) if event not in known)
        # Skip those of the other kind; the number read is limited.
        wanted = (event for event in chain(today, others) if event is not None and event.get("bots", False) == bots)
        return list(islice(wanted, MOST_LISTED))

    def event(self, event: str) -> StoredEvent:
        """Return an event of single players.

        Raises:
            NotFound: there is none with this id.
        """
        board_event = self._store.event(event)
        if board_event is None or "teams" in board_event:
            raise NotFound(what="event", id=event)
        return board_event

    def _begun_today(self) -> list[StoredEvent]:
        """Return the events of today, as far as a clock or somebody who entered has created them."""
        day = self._tables.now() // deals.DAY_MS
        names = (deals.daily_id(day, ruleset, players, bots=bots) for ruleset, players, bots in self._daily)
        return [event for event in map(self._store.event, names) if event is not None]

    def open_today(self) -> None:
        """Create the events of today, unless they exist."""
        day = self._tables.now() // deals.DAY_MS
        for game in self._daily:
            self._of_day(day, *game)

    def _coming(self) -> list[StoredEvent]:
        """Return the next night of the ladder. It is made at midnight: only games and times of this are true."""
        day = self._tables.now() // deals.DAY_MS + 1
        return [
            deals.new_event(
                deals.daily_id(day, ruleset, number, bots=True),
                ruleset,
                number,
                day * deals.DAY_MS,
                self._random_bytes,
                bots=True,
            )
            for ruleset, number, bots in self._daily
            if bots
        ]

    def is_coming(self, event: StoredEvent) -> bool:
        """Return whether an event has not begun."""
        return self._tables.now() < event["opens_at"]

    def _of_day(self, day: int, ruleset: str, players: int, bots: bool) -> StoredEvent | None:
        """Return the event of a day; None if it would be over before anybody sees it."""
        name = deals.daily_id(day, ruleset, players, bots=bots)
        board_event = self._store.event(name)
        if board_event is not None:
            return board_event
        event = deals.new_event(name, ruleset, players, day * deals.DAY_MS, self._random_bytes, bots=bots)
        if self.is_over(event):
            return None
        return self._store.create(event, event["closes_at"] - self._tables.now() + self._kept_ms)

    def is_over(self, event: StoredEvent) -> bool:
        """Return whether the boards of an event are no longer sealed."""
        return self._tables.now() >= event["closes_at"]

    # --- entrants -----------------------------------------------------------------------------------------------------

    def count(self, event: StoredEvent) -> int:
        """Return the number of entries."""
        return self._store.count(event["id"])

    def entry(self, event: StoredEvent, player: str) -> Entry | None:
        """Return a player's entry."""
        return self._store.entry(event["id"], player)

    def results_of(self, event: StoredEvent, player: str) -> dict[int, BoardResult]:
        """Return a player's results, by number of the board."""
        return self._store.results_of(event["id"], player, len(event["boards"]))

    def enter(self, event: str, player: Player) -> tuple[StoredEvent, Entry]:
        """Enter an event. Idempotent.

        Raises:
            NotFound: there is no such event.
            EventClosed: it is over.
            BotsOnly: it is for bots, and the player is not one.
        """
        board_event = self._open(event)
        if board_event.get("bots") and player["kind"] != "bot":
            raise BotsOnly(event=event)
        entry: Entry = {"name": player["name"], "at": self._tables.now()}
        if deals.is_fresh(board_event, player["created_at"], self._games(player["id"], deals.FRESH_GAMES)):
            entry["fresh"] = True
        return board_event, self._store.enter(event, player["id"], entry)

    def begin(self, event: str, number: int, player: Player) -> State:
        """Return the table at which a player plays a board, creating it on the first call.

        Raises:
            NotFound: there is no such event or board.
            EventClosed: the event is over.
            NotEntered: the player has not entered.
            BoardPlayed: the player has played it.
        """
        board_event, who = self._open(event), player["id"]
        self.check_number(board_event, number)
        if self._store.entry(event, who) is None:
            raise NotEntered(event=event)
        deal = self.deal_of(board_event, number, who)
        done = self.results_of(board_event, who)
        if number in done:
            raise BoardPlayed(board=number, left=[each for each in self._numbers(board_event) if each not in done])
        spec = deals.spec_of(board_event, number, deal, occupant_of(player))
        table = deals.table_of(board_event, number, who)
        state = self._tables.create(player, spec, table).state
        self._players.add_table(who, table, self._tables.now())
        return state

    def deal_of(self, event: StoredEvent, number: int, player: str) -> int:
        """Return the index of the deal of a board that an entrant gets; of others, what they would get."""
        entry = self._store.entry(event["id"], player)
        return deals.deal_of(event, number, player, fresh=entry is not None and entry.get("fresh", False))

    def note(self, event: str, player: str, address: str, browser: str) -> None:
        """Note from where a player plays, for `alike`."""
        self._store.marks.note(event, player, traits(address, browser))

    def alike(self, event: str) -> tuple[list[Shared], dict[str, Entry]]:
        """Return the players of an event who may be one person, and all entries.

        Raises:
            NotFound: there is no such event.
        """
        board_event = self.event(event)
        return shared(self._store.marks.marks(board_event["id"])), self._store.entries(board_event["id"])

    def entries(self, event: StoredEvent) -> dict[str, Entry]:
        """Return player -> entry."""
        return self._store.entries(event["id"])

    def fields(self, event: str) -> Fields:
        """Return the AI results of the deals so far."""
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
        self.open_today()
        board_event = self.event(event)
        if self.is_over(board_event):
            raise EventClosed(event=event, closed_at=timestamp(board_event["closes_at"]))
        return board_event

    # --- results ------------------------------------------------------------------------------------------------------

    def outcome(self, event: str, number: int | None = None, player: str | None = None) -> Outcome:
        """Return the results of a finished event, or of one of its boards.

        Args:
            event: its id.
            number: of the board; None: all of them.
            player: who asks (id); to somebody who has played the board, it is open at once.

        Raises:
            NotFound: there is no such event.
            NotFinished: the event is not over.
        """
        board_event = self.event(event)
        if player is None or number not in self.results_of(board_event, player):
            board_event = self._over(event)
        if number is not None:
            self.check_number(board_event, number)
        numbers = self._numbers(board_event) if number is None else [number]
        results, fields = self._store.results(event, numbers), self._store.fields(event)
        wanted = {(number, result["deal"]) for (number, _), result in results.items()}
        return Outcome(board_event, results, fields, sorted(wanted - fields.keys()))

    def standings(self, event: str) -> tuple[StoredEvent, list[Standing] | None, list[tuple[int, int]]]:
        """Return the standings of a finished event; None until AI players have played all deals.

        The third value lists the missing deals, by number of the board and index of the deal. Changes nothing.

        Raises:
            NotFound, NotFinished: see `outcome`.
        """
        board_event = self._over(event)
        known: list[Standing] | None = self._store.standings(event)
        if known is not None:
            return board_event, known, []
        outcome = self.outcome(event)
        if outcome.missing:
            return board_event, None, outcome.missing
        return (
            board_event,
            scoring.standings(board_event, self._store.entries(event), outcome.results, outcome.fields),
            [],
        )

    def uncounted(self, limit: int, skipped: int) -> tuple[list[str], int]:
        """Return events that are over without stored standings, and how many of `limit` have been looked at.

        Args:
            limit: how many of the latest events to look at.
            skipped: how many of them to leave out first.
        """
        names = self._store.newest(limit, skipped)
        events = (self._store.event(name) for name in self._store.without_standings(names))
        return [event["id"] for event in events if event is not None and self.is_over(event)], len(names)

    def count_up(self, event: str) -> list[tuple[int, int]]:
        """Store the standings of an event that is over, or return the deals that AI players have yet to play."""
        _, rows, missing = self.standings(event)
        if rows is not None:
            self._store.set_standings(event, rows)
        return missing

    def _over(self, event: str) -> StoredEvent:
        board_event = self.event(event)
        if not self.is_over(board_event):
            raise NotFinished(what="event", event=event)
        return board_event

    def start_of(self, event: str, number: int, deal: int) -> State:
        """Return the table of a deal with AI players on all seats, for comparison.

        Raises:
            NotFound: there is no such event.
        """
        board_event = self.event(event)
        spec = deals.spec_of(board_event, number, deal, None)
        return self._tables.unstored(spec)

    def add_field(self, event: str, number: int, deal: int, values: list[int]) -> None:
        """Store the AI results of a deal."""
        self._store.add_field(event, number, deal, values)
