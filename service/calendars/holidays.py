"""Holidays of a player: a number of days a year, for all games of days at once or for one of them. Pure."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from service.calendars.hours import begin_of, day_of, zone_of
from service.common.errors import InvalidRequest
from service.game.errors import NotFound
from service.store.port import Calendar, Holiday

#: Days of a calendar year on which a player may be on holiday.
DAYS_A_YEAR: Final = 30
#: Most holidays of a player, with those that are over but may still count.
MOST_HOLIDAYS: Final = 24
#: How far ahead a holiday may end (days).
MOST_DAYS_AHEAD: Final = 366
#: How long a holiday is kept after its end (ms): longer than any decision may take.
KEPT_MS: Final = 200 * 24 * 3_600_000
_DAY: Final = timedelta(days=1)


def with_holiday(calendar: Calendar, asked: Holiday, now: int) -> Calendar:
    """Return a calendar with a holiday; as it is if it has the same one already, since it may be asked again.

    Args:
        asked: its `since` and `until` do not count.

    Raises:
        InvalidRequest: reason `no_such_day`, `holiday_ends_first`, `holiday_in_the_past`, `holiday_too_far`,
            `holidays_used_up` or `too_many_holidays`.
    """
    if like(calendar, asked, now) is not None:
        return calendar
    first, last = _day(asked["first"], "first"), _day(asked["last"], "last")
    today = day_of(calendar, now)
    if last < first:
        raise InvalidRequest(reason="holiday_ends_first", field="last")
    if first < today:
        raise InvalidRequest(reason="holiday_in_the_past", field="first", first=today.isoformat())
    if (last - today).days > MOST_DAYS_AHEAD:
        raise InvalidRequest(reason="holiday_too_far", field="last", days=MOST_DAYS_AHEAD)
    zone = zone_of(calendar)
    added: Holiday = {**asked, "since": max(now, begin_of(zone, first)), "until": begin_of(zone, last + _DAY)}
    kept = [each for each in calendar["holidays"] if each["until"] > now - KEPT_MS]
    if len(kept) >= MOST_HOLIDAYS:
        raise InvalidRequest(reason="too_many_holidays", most=MOST_HOLIDAYS)
    changed: Calendar = {**calendar, "holidays": [*kept, added]}
    for year in range(first.year, last.year + 1):
        if days_left(changed, year) < 0:
            left = days_left(calendar, year)
            raise InvalidRequest(reason="holidays_used_up", year=year, left=left, most=DAYS_A_YEAR)
    return changed


def like(calendar: Calendar, asked: Holiday, now: int) -> Holiday | None:
    """Return the holiday of the same days for the same games that is not over, or None."""
    wanted = [asked.get(name) for name in ("first", "last", "table")]
    return next(
        (
            each
            for each in calendar["holidays"]
            if [each.get(name) for name in ("first", "last", "table")] == wanted and each["until"] > now
        ),
        None,
    )


def _day(text: str, field: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidRequest(reason="no_such_day", field=field) from None


def without_holiday(calendar: Calendar, holiday: str, now: int) -> Calendar:
    """Return a calendar without a holiday (id); one that has begun ends now, and its days until today are used.

    Raises:
        NotFound: there is none.
        InvalidRequest: reason `holiday_over`.
    """
    found = next((each for each in calendar["holidays"] if each["id"] == holiday), None)
    if found is None:
        raise NotFound(what="holiday", id=holiday)
    if found["until"] <= now:
        raise InvalidRequest(reason="holiday_over")
    others = [each for each in calendar["holidays"] if each is not found]
    if found["since"] < now:
        ended: Holiday = {**found, "last": day_of(calendar, now).isoformat(), "until": now}
        others.append(ended)
    return {**calendar, "holidays": others}


def days_left(calendar: Calendar, year: int) -> int:
    """Return how many days of a year are left for holidays; a day counts once, for however many games."""
    used = {day for each in calendar["holidays"] for day in days_of(each) if day.year == year}
    return DAYS_A_YEAR - len(used)


def days_of(holiday: Holiday) -> Iterator[date]:
    """Yield the days of a holiday."""
    first, last = date.fromisoformat(holiday["first"]), date.fromisoformat(holiday["last"])
    return (first + number * _DAY for number in range((last - first).days + 1))
