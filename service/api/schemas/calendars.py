"""Calendars: time zone, quiet hours and holidays of a player in games of days."""

from service.api.schemas import fields as f
from service.api.schemas.notices import MINUTE
from service.calendars.holidays import DAYS_A_YEAR
from service.game.state.settings import MOST_HOURS

_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_TABLE = "The only table for which it counts; left out: all where a decision takes days."


class SleepingHours(f.Contract):
    """Hours of the day in which the clock stands still."""

    start = f.text("When they begin.", example="23:00")
    end = f.text("When they end; on the next day if that is earlier.", example="07:30")


class AskedSleepingHours(f.Contract):
    """Hours of the day in which the clock is to stand still, at most twelve; none if they end when they begin."""

    start = f.text("When they begin.", pattern=MINUTE, example="23:00")
    end = f.text("When they end; on the next day if that is earlier.", pattern=MINUTE, example="07:30")


class Holiday(f.Contract):
    """Days on which the clock stands still."""

    id = f.text("Its id.", example="hd_7h2kx5q2m4na")
    first = f.text("The first day.", example="2026-12-24")
    last = f.text("The last day.", example="2027-01-02")
    since = f.time("When it begins.")
    until = f.time("When it ends.")
    table = f.text(_TABLE, optional=True, example="tb_7h2kx5q2m4na")


class HolidayRequest(f.Contract):
    """A holiday to take."""

    first = f.text("The first day: today, or later.", pattern=_DAY, example="2026-12-24")
    last = f.text("The last day.", pattern=_DAY, example="2027-01-02")
    table = f.text(_TABLE, 1, 60, optional=True, example="tb_7h2kx5q2m4na")


class YearsHolidays(f.Contract):
    """What is left of a year's days of holiday."""

    year = f.integer("The year.", example=2026)
    days_left = f.integer(f"How many of its {DAYS_A_YEAR} days are left.", 0, DAYS_A_YEAR, example=22)


class Calendar(f.Contract):
    """When the clock of the caller stands still at tables where a decision takes days."""

    time_zone = f.text("Name of a time zone (IANA).", example="Europe/Berlin")
    quiet_hours = f.nested(SleepingHours, "Hours of every day; null: none.", nullable=True)
    holidays = f.array(f.nested(Holiday), "Holidays, the earliest first, with those that may still count.")
    years = f.array(f.nested(YearsHolidays), "What is left this year and in the next.")


class CalendarChanges(f.Contract):
    """Changes of the caller's calendar; what is left out stays."""

    time_zone = f.text("Name of a time zone (IANA).", 1, 60, optional=True, example="Europe/Berlin")
    quiet_hours = f.nested(AskedSleepingHours, "Hours of every day.", optional=True)


class MoreTime(f.Contract):
    """More time for a decision."""

    hours = f.integer("How many hours more.", 1, MOST_HOURS, example=24)
