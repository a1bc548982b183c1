"""Holidays: so many days a year, for all games of days or for one."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from service.calendars.holidays import DAYS_A_YEAR, MOST_HOLIDAYS, days_left, with_holiday, without_holiday
from service.common.errors import InvalidRequest
from service.game.errors import NotFound

ZONE = "Asia/Shanghai"
NOW = int(datetime(2026, 12, 10, 1, 0, tzinfo=ZoneInfo(ZONE)).timestamp() * 1000)
NONE = {"zone": ZONE, "holidays": []}
DAY_MS = 24 * 3_600_000


def asked(first, last, table=None, name="hd_1"):
    holiday = {"id": name, "first": first, "last": last, "since": 0, "until": 0}
    return holiday if table is None else {**holiday, "table": table}


def refused(calendar, *holiday, now=NOW):
    before = repr(calendar)
    with pytest.raises(InvalidRequest) as refusal:
        with_holiday(calendar, asked(*holiday), now)
    assert repr(calendar) == before
    return refusal.value.params["reason"]


def test_a_holiday_lasts_from_midnight_to_midnight_where_its_player_lives():
    (holiday,) = with_holiday(NONE, asked("2026-12-24", "2026-12-26"), NOW)["holidays"]
    moments = [datetime.fromtimestamp(holiday[name] / 1000, ZoneInfo(ZONE)) for name in ("since", "until")]
    assert [moment.isoformat() for moment in moments] == ["2026-12-24T00:00:00+08:00", "2026-12-27T00:00:00+08:00"]


def test_a_holiday_from_today_begins_now():
    # In Shanghai it is the tenth already, in UTC still the ninth.
    (holiday,) = with_holiday(NONE, asked("2026-12-10", "2026-12-10"), NOW)["holidays"]
    assert holiday["since"] == NOW
    assert refused(NONE, "2026-12-09", "2026-12-12") == "holiday_in_the_past"


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        ("2026-12-24", "2026-12-23", "holiday_ends_first"),
        ("2026-02-30", "2026-12-23", "no_such_day"),
        ("0000-01-01", "2026-12-23", "no_such_day"),
        ("2026-12-24", "2026-13-01", "no_such_day"),
        ("0001-01-01", "9999-12-31", "holiday_in_the_past"),
        ("2026-12-24", "9999-12-31", "holiday_too_far"),
        ("2026-12-24", "2027-02-05", "holidays_used_up"),
        ("2027-03-01", "2027-03-31", "holidays_used_up"),
    ],
)
def test_a_holiday_that_cannot_be_is_refused(first, last, reason):
    assert refused(NONE, first, last) == reason


def test_each_year_has_its_days_and_a_day_counts_once():
    over_new_year = with_holiday(NONE, asked("2026-12-24", "2027-01-02"), NOW)
    assert [days_left(over_new_year, year) for year in (2026, 2027)] == [DAYS_A_YEAR - 8, DAYS_A_YEAR - 2]
    at_a_table = with_holiday(over_new_year, asked("2026-12-30", "2027-01-04", "tb_1"), NOW)
    assert [days_left(at_a_table, year) for year in (2026, 2027)] == [DAYS_A_YEAR - 8, DAYS_A_YEAR - 4]
    # Twenty-six days are left of 2027.
    assert refused(at_a_table, "2027-06-01", "2027-06-27") == "holidays_used_up"
    assert days_left(with_holiday(at_a_table, asked("2027-06-01", "2027-06-26"), NOW), 2027) == 0


def test_the_same_holiday_is_taken_once():
    once = with_holiday(NONE, asked("2026-12-24", "2026-12-26"), NOW)
    assert with_holiday(once, asked("2026-12-24", "2026-12-26", name="hd_2"), NOW + 5) == once


def test_one_that_has_not_begun_gives_its_days_back_and_one_that_has_those_to_come():
    ahead = with_holiday(NONE, asked("2026-12-24", "2026-12-26"), NOW)
    assert without_holiday(ahead, "hd_1", NOW) == NONE
    running = with_holiday(NONE, asked("2026-12-10", "2026-12-20"), NOW)
    ended = without_holiday(running, "hd_1", NOW + 2 * DAY_MS)
    assert ended["holidays"][0]["until"] == NOW + 2 * DAY_MS
    assert days_left(ended, 2026) == DAYS_A_YEAR - 3
    again = with_holiday(ended, asked("2026-12-12", "2026-12-12", name="hd_2"), NOW + 2 * DAY_MS + 1)
    assert days_left(again, 2026) == DAYS_A_YEAR - 3


def test_one_that_is_over_or_was_never_taken_cannot_be_ended():
    calendar = with_holiday(NONE, asked("2026-12-10", "2026-12-11"), NOW)
    with pytest.raises(InvalidRequest) as refusal:
        without_holiday(calendar, "hd_1", NOW + 3 * DAY_MS)
    assert refusal.value.params["reason"] == "holiday_over"
    with pytest.raises(NotFound):
        without_holiday(calendar, "hd_2", NOW)


def test_a_player_has_a_bounded_number_of_them():
    calendar = NONE
    for number in range(MOST_HOLIDAYS):
        day = date(2027, 3, 1 + number).isoformat()
        calendar = with_holiday(calendar, asked(day, day, name=f"hd_{number}"), NOW)
    assert refused(calendar, "2027-05-01", "2027-05-01") == "too_many_holidays"
    later = NOW + 330 * DAY_MS
    assert len(with_holiday(calendar, asked("2027-11-20", "2027-11-20"), later)["holidays"]) == 1
