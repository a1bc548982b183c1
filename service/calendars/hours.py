"""When a clock that stands still at times has counted so many hours. Pure."""

import heapq
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from service.store.port import Calendar, Holiday

#: The calendar of a player who has none.
NO_CALENDAR: Final[Calendar] = {"zone": "UTC", "holidays": []}
_SATURDAY: Final = 5
_DAY: Final = timedelta(days=1)

#: When a clock stands still: since and until (ms).
Stop = tuple[int, int]


def zone_of(calendar: Calendar) -> ZoneInfo:
    """Return the time zone of a calendar; UTC if there is none of this name any more."""
    try:
        return ZoneInfo(calendar["zone"])
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def day_of(calendar: Calendar, at: int) -> date:
    """Return the day at a time (ms)."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(zone_of(calendar)).date()


def begin_of(zone: ZoneInfo, day: date, minute: int = 0) -> int:
    """Return when the clocks show a minute of a day for the first time (ms).

    If they skip it, it counts as if they had not been put forward yet.
    """
    return min(_moments(zone, day, minute))


def end_of(zone: ZoneInfo, day: date, minute: int = 0) -> int:
    """Return when the clocks show a minute of a day for the last time (ms).

    If they skip it, it counts as if they had not been put forward yet.
    """
    return max(_moments(zone, day, minute))


def _moments(zone: ZoneInfo, day: date, minute: int) -> tuple[int, int]:
    wall = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone)
    first, second = (int(wall.replace(fold=fold).timestamp() * 1000) for fold in (0, 1))
    # A minute that is skipped comes out of this later with the offset of before than with that of afterwards.
    return (first, first) if second < first else (first, second)


def counts_for(holiday: Holiday, table: str) -> bool:
    """Return whether a holiday counts at a table."""
    return holiday.get("table", table) == table


def stops_of(calendar: Calendar, since: int, table: str, *, weekends_off: bool) -> Iterator[Stop]:
    """Yield when the clock of a player stands still at a table from `since` (ms) on, in order; they may overlap.

    With quiet hours or weekends, this never ends.
    """
    zone, first = zone_of(calendar), day_of(calendar, since) - 2 * _DAY
    kinds = [iter(sorted((each["since"], each["until"]) for each in calendar["holidays"] if counts_for(each, table)))]
    if "quiet" in calendar:
        kinds.append(_nights(zone, first, *calendar["quiet"]))
    if weekends_off:
        kinds.append(_weekends(zone, first))
    return heapq.merge(*kinds)


def _nights(zone: ZoneInfo, first: date, start: int, end: int) -> Iterator[Stop]:
    last = _DAY if end < start else timedelta()
    for day in _days(first):
        yield begin_of(zone, day, start), end_of(zone, day + last, end)


def _weekends(zone: ZoneInfo, first: date) -> Iterator[Stop]:
    for day in _days(first):
        if day.weekday() == _SATURDAY:
            yield begin_of(zone, day), begin_of(zone, day + 2 * _DAY)


def _days(first: date) -> Iterator[date]:
    return (first + number * _DAY for number in count())


def ends_at(since: int, time_ms: int, stops: Iterator[Stop]) -> tuple[int, list[list[int]]]:
    """Return when a clock that runs from `since` (ms) has counted `time_ms`, and when it has stood still until then."""
    at, left, passed = since, time_ms, list[list[int]]()
    for begin, end in stops:
        if end <= at:
            continue
        if begin - at >= left:
            break
        left -= max(0, begin - at)
        if passed and begin <= passed[-1][1]:
            passed[-1][1] = end
        else:
            passed.append([max(begin, since), end])
        at = end
    return at + left, passed
