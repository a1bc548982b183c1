"""Arenas: whoever waits gets a table as soon as enough do. Pure functions from one state of an event to the next."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

from service.rules.games import RULESETS
from service.store.boards.events import StoredEvent
from service.store.tournaments.teams import Progress, Round
from service.tournaments import forms, teams
from service.tournaments.schedules import waiting
from service.tournaments.schedules.waiting import Waiter, Wanted
from service.tournaments.teams import HOUSE

#: Most tables that begin in one step, so that others get their turn.
TABLES_AT_ONCE: Final = 8
#: How long after somebody has come or a table is over a clock looks (ms): once, however many come in the meantime.
HEEDED_AFTER_MS: Final = 500
#: How long somebody who would wait may be away before they take a break (ms), so that nobody looks for them any more.
LONGEST_AWAY_MS: Final = 3 * 60_000


def last_table_at(event: StoredEvent, entry: Round) -> int:
    """Return until when tables of an arena begin (ms)."""
    return entry["closes_at"] - forms.GRACE_MS * event["teams"]["boards"]


def latest_end(event: StoredEvent, entry: Round) -> int:
    """Return the latest end of an arena (ms), whatever its directors wish."""
    return entry["opened_at"] + forms.LONGEST_ARENA_MS + forms.GRACE_MS * event["teams"]["boards"]


def is_seating(event: StoredEvent, entry: Round, now: int) -> bool:
    """Return whether tables still begin in an arena."""
    return (
        entry["closed_at"] is None
        and now < last_table_at(event, entry)
        and len(teams.meetings_of(entry)) < forms.MOST_TABLES
    )


def open_tables(entry: Round) -> list[int]:
    """Return the numbers of the tables of a round that are not over."""
    over = {*entry.get("over", ())}
    return [pair for pair in range(1, len(teams.meetings_of(entry)) + 1) if pair not in over]


def playing(entry: Round) -> set[str]:
    """Return the units that sit at a table which is not over."""
    meetings = teams.meetings_of(entry)
    return {unit for pair in open_tables(entry) for unit in meetings[pair - 1]}


def over(progress: Progress, pairs: Collection[int], absent: Collection[str], now: int) -> Progress:
    """Return an event in which tables are over. Those who left theirs to AI players (units) play no more for now."""
    number = len(progress["rounds"])
    entry = progress["rounds"][-1]
    new = [pair for pair in pairs if pair not in entry.get("over", ())]
    if not new:
        return progress
    ended = {unit for pair in new for unit in teams.meetings_of(entry)[pair - 1]}
    progress = teams.with_entry(progress, number, {**entry, "over": [*entry.get("over", ()), *new]})
    for unit in ended & {*absent}:
        progress = teams.withdrawn(progress, unit, now)
    return progress


def units_waiting(progress: Progress) -> list[str]:
    """Return the units that play in the event and sit at no table."""
    busy = playing(progress["rounds"][-1])
    return [unit for unit in forms.units_of(progress) if unit not in busy]


def in_order(progress: Progress, entry: Round) -> list[str]:
    """Return the units that wait in a round, the longest first."""
    waits = entry.get("waiting", {})
    return sorted((unit for unit in waits if not progress["teams"][unit]["is_withdrawn"]), key=waits.__getitem__)


def seated(
    event: StoredEvent,
    progress: Progress,
    present: Collection[str],
    now: int,
    ranks: Mapping[str, int] = MappingProxyType({}),
    apart: Collection[frozenset[str]] = (),
) -> Progress:
    """Return an event in which those who wait have tables, as far as enough of them do.

    Who is not there does not wait, and takes a break after a while.

    Args:
        event, progress: the event.
        present: units that may be seated now.
        now: the time (ms).
        ranks: unit -> place, 0 is the best.
        apart: pairs of units that sit at no table together.
    """
    entry = progress["rounds"][-1]
    if not is_seating(event, entry, now):
        return _with_entry(progress, {**entry, "waiting": {}, "away": {}})
    before, away, free = entry.get("waiting", {}), entry.get("away", {}), units_waiting(progress)
    since = {unit: before.get(unit, now) for unit in free if unit in present}
    gone = {unit: away.get(unit, now) for unit in free if unit not in present}
    for unit in [unit for unit, at in gone.items() if now - at >= LONGEST_AWAY_MS]:
        progress = teams.withdrawn(progress, unit, now)
        del gone[unit]
    wanted = wanted_of(event, others_play=bool(open_tables(entry)))
    waiters = waiters_of(entry, since, ranks)
    meetings = teams.meetings_of(entry)
    most = min(TABLES_AT_ONCE, forms.MOST_TABLES - len(meetings))
    new = waiting.tables(waiters, wanted, apart, now, HOUSE)[:most]
    # Nobody always draws first.
    new = [_turned(units, len(meetings) + at) for at, units in enumerate(new)]
    taken = {unit for units in new for unit in units}
    if HOUSE in taken:
        progress = teams.with_house(progress, event["players"])
    rest = {unit: at for unit, at in since.items() if unit not in taken}
    return _with_entry(progress, {**entry, "tables": [*meetings, *new], "waiting": rest, "away": gone})


def ended(event: StoredEvent, progress: Progress, now: int) -> Progress:
    """Return an event whose arena is over if no table can begin any more and none is open."""
    entry = progress["rounds"][-1]
    if is_seating(event, entry, now) or open_tables(entry):
        return progress
    number = len(progress["rounds"])
    return teams.scored(teams.round_closed(progress, number, now), number)


def wanted_of(event: StoredEvent, *, others_play: bool) -> Wanted:
    """Return what the tables of an arena are like."""
    has_teams = RULESETS[event["ruleset"]].teams != "friends"
    return Wanted(event["players"], has_teams, others_play, forms.rules_of(event).get("ai_after_ms"))


def waiters_of(entry: Round, since: Mapping[str, int], ranks: Mapping[str, int]) -> list[Waiter]:
    """Return those who wait (unit -> since when), with their last tables."""
    last = {unit: units for units in teams.meetings_of(entry) for unit in units}
    return [Waiter(unit, at, ranks.get(unit, len(ranks)), last.get(unit, ())) for unit, at in since.items()]


def _turned(units: list[str], by: int) -> list[str]:
    """Return the units of seats, all moved on by as many seats."""
    by %= len(units)
    return [*units[by:], *units[:by]]


def _with_entry(progress: Progress, entry: Round) -> Progress:
    return teams.with_entry(progress, len(progress["rounds"]), entry)
