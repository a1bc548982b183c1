"""The use cases of calendars: what players choose, and the deadlines that follow from it."""

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple, cast

from service.calendars import holidays
from service.calendars.hours import NO_CALENDAR, counts_for, ends_at, stops_of
from service.common.errors import InvalidRequest
from service.game.commands.table.deadlines import move_deadline
from service.game.commands.transaction import Decided, RandomBytes
from service.game.errors import NotFound
from service.game.ids import new_id
from service.game.state.clock import left_ms
from service.game.state.queries import ai_level, decision_of, seat_of
from service.game.state.settings import HOUR_MS, correspondence_of
from service.game.state.table_types import Away
from service.game.state.types import State
from service.store.port import Calendar, Holiday, Player, PlayerStore, StoreTooNew
from service.tables import Tables
from service.tables.ports import Look

#: Most minutes of a day in which the clock stands still.
MOST_QUIET: Final = 12 * 60
#: What is left at least of the time of a decision whose player takes back a holiday or other hours (ms).
LEAST_MS: Final = HOUR_MS


class _End(NamedTuple):
    """When the time of a decision ends for a seat that it asks, and when its clock stands still until then."""

    deadline: int
    stops: list[list[int]]


class Calendars:
    """See the module.

    Args:
        players: the store.
        records: returns the records of those of some players (ids) who exist.
        tables: for tables and times.
        entropy: returns random bytes from the operating system.
    """

    def __init__(
        self,
        players: PlayerStore,
        records: Callable[[Collection[str]], Mapping[str, Player]],
        tables: Tables,
        entropy: RandomBytes,
    ) -> None:
        self._players: Final = players
        self._records: Final = records
        self._tables: Final = tables
        self._entropy: Final = entropy

    # --- for players ----------------------------------------------------------------------------------------------

    def choose(self, player: str, zone: str | None, quiet: tuple[int, int] | None) -> Calendar:
        """Change the time zone of a player, or the quiet hours (minutes of the day); the same twice: none.

        Args:
            zone: name of a time zone that there is; None: as before.

        Raises:
            InvalidRequest: reason `too_many_quiet_hours`.
        """
        if quiet is not None and (quiet[1] - quiet[0]) % (24 * 60) > MOST_QUIET:
            raise InvalidRequest(reason="too_many_quiet_hours", field="quiet_hours", most=MOST_QUIET // 60)

        def change(before: Calendar) -> Calendar:
            changed: Calendar = {**before, "zone": zone or before["zone"]}
            if quiet is not None:
                changed.pop("quiet", None)
                if quiet[0] != quiet[1]:
                    changed["quiet"] = list(quiet)
            return changed

        return self._change(player, change)

    def add_holiday(self, player: str, first: str, last: str, table: str | None) -> Holiday:
        """Add a holiday from one day to another, for all games of days or those at one table.

        Raises:
            NotFound: the player does not sit at this table.
            InvalidRequest: see `holidays.with_holiday`.
        """
        if table is not None:
            state = self._tables.stored(table)
            if seat_of(state, player) is None or correspondence_of(state) is None:
                raise NotFound(what="table", id=table)
        asked: Holiday = {"id": new_id("hd_", self._entropy), "first": first, "last": last, "since": 0, "until": 0}
        if table is not None:
            asked["table"] = table
        now = self._tables.now()
        changed = self._change(player, lambda before: holidays.with_holiday(before, asked, now))
        return holidays.like(changed, asked, now) or asked

    def remove_holiday(self, player: str, holiday: str) -> Calendar:
        """End a holiday (id), or take it back if it has not begun.

        Raises:
            NotFound, InvalidRequest: see `holidays.without_holiday`.
        """
        return self._change(player, lambda before: holidays.without_holiday(before, holiday, self._tables.now()))

    def _change(self, player: str, change: Callable[[Calendar], Calendar]) -> Calendar:
        """Change the calendar of a player, and let the player's tables look at it."""
        record = self._players.update(player, lambda before: {**before, "calendar": change(calendar_of(before))})
        if record is None:
            raise NotFound(what="player", id=player)
        # A table that appends a decision from now on reads the new calendar; the others are told.
        for table in self._players.tables_of(player):
            self._tell(table, player)
        return calendar_of(record)

    def _tell(self, table: str, player: str) -> None:
        try:
            state = self._tables.stored(table)
        except (NotFound, StoreTooNew):
            return
        if self.due_at(state) is not None and seat_of(state, player) is not None:
            self._tables.postpone(state, self._tables.now())

    # --- for tables (`service.tables.ports.Standing`) -------------------------------------------------------------

    def due_at(self, state: State) -> int | None:
        """Return since when to look at the open decision (ms); None: it has no time, or asks no player."""
        decision = state["decision"]
        if decision is None or decision["deadline"] is None or "sandbox" in state["settings"]:
            return None
        if correspondence_of(state) is None or not _asked(state):
            return None
        return decision["opened_at"]

    def look(self, state: State, now: int) -> Look:
        """Return another deadline of the open decision, if it has to have one."""
        if self.due_at(state) is None:
            return Look()
        end, away = self._end(state)
        deadline = end.deadline
        before = decision_of(state)["deadline"] or 0
        if deadline < before:
            # Nobody loses a turn at the moment in which a holiday is taken back.
            deadline = max(deadline, min(before, now + LEAST_MS))
        return Look(self._moved(state, end._replace(deadline=deadline), away, now))

    def more_time(self, state: State, now: int) -> Decided | None:
        """Return a later deadline of a decision whose time seems to be over; None: it is over."""
        if self.due_at(state) is None:
            return None
        end, away = self._end(state)
        return self._moved(state, end, away, now) if end.deadline > now else None

    def _end(self, state: State) -> tuple[_End, list[Away]]:
        """Return when the time of the open decision ends, for the seat for which it ends last, and holidays."""
        asked, decision = _asked(state), decision_of(state)
        since, hours = decision["opened_at"], correspondence_of(state) or {}
        records = self._records(asked.values())
        calendars = {seat: calendar_of(records.get(player, {})) for seat, player in asked.items()}
        time_ms, weekends_off = left_ms(decision, since), hours.get("weekends_off", False)
        end = max(
            _End(*ends_at(since, time_ms, stops_of(calendar, since, state["id"], weekends_off=weekends_off)))
            for calendar in calendars.values()
        )
        away: list[Away] = [
            {"seat": seat, "since": each["since"], "until": each["until"]}
            for seat, calendar in calendars.items()
            for each in sorted(calendar["holidays"], key=lambda each: each["since"])
            if counts_for(each, state["id"]) and each["since"] < end.deadline and each["until"] > since
        ]
        return end, away

    def _moved(self, state: State, end: _End, away: list[Away], now: int) -> Decided | None:
        decision = decision_of(state)
        before = decision["deadline"], decision.get("stops", []), decision.get("away", [])
        if (end.deadline, end.stops, away) == before:
            return None
        return move_deadline(state, end.deadline, end.stops, away, now, self._entropy)


def calendar_of(player: Mapping[str, object]) -> Calendar:
    """Return the calendar of a player's record."""
    return cast("Calendar", player.get("calendar", NO_CALENDAR))


def _asked(state: State) -> dict[int, str]:
    """Return seat -> player (id) of those whom the open decision asks."""
    asked = {}
    for seat in decision_of(state)["seats"]:
        occupant = state["seats"][seat]["occupant"]
        if occupant is not None and occupant["player"] is not None and ai_level(state, seat) is None:
            asked[seat] = occupant["player"]
    return asked
