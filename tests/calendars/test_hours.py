"""When a clock that stands still at times has counted so many hours, also where clocks are put forward and back."""

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.calendars.hours import begin_of, ends_at, stops_of

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
NIGHT = [23 * 60, 7 * 60]


def at(text, zone="UTC"):
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def local(ms, zone):
    return datetime.fromtimestamp(ms / 1000, ZoneInfo(zone)).isoformat(timespec="minutes")


def calendar(zone, quiet=None, holidays=()):
    made = {"zone": zone, "holidays": list(holidays)}
    return made if quiet is None else {**made, "quiet": quiet}


def end(chosen, since, hours, *, weekends_off=False, table="tb_1"):
    return ends_at(since, hours * HOUR_MS, stops_of(chosen, since, table, weekends_off=weekends_off))


def test_without_anything_hours_are_hours():
    assert end(calendar("Asia/Shanghai"), 5, 24) == (5 + DAY_MS, [])


def test_a_clock_stands_still_in_the_quiet_hours_of_its_player():
    since = at("2026-11-30T20:00", "Asia/Shanghai")
    deadline, stops = end(calendar("Asia/Shanghai", NIGHT), since, 8)
    # Three hours before the night, five after it.
    assert local(deadline, "Asia/Shanghai") == "2026-12-01T12:00+08:00"
    assert stops == [[at("2026-11-30T23:00", "Asia/Shanghai"), at("2026-12-01T07:00", "Asia/Shanghai")]]


def test_a_decision_that_opens_at_night_has_all_of_its_time_in_the_morning():
    since = at("2026-11-30T03:00", "Asia/Shanghai")
    deadline, stops = end(calendar("Asia/Shanghai", NIGHT), since, 1)
    assert local(deadline, "Asia/Shanghai") == "2026-11-30T08:00+08:00"
    assert stops[0][0] == since


@pytest.mark.parametrize(
    ("zone", "evening", "deadline"),
    [
        # The night in which an hour is missing is one shorter, and the one in which it comes twice is one longer: eight
        # hours that count are three in the evening and five in the morning.
        ("Europe/Berlin", "2027-03-27T20:00", "2027-03-28T12:00+02:00"),
        ("Europe/Berlin", "2026-10-24T20:00", "2026-10-25T12:00+01:00"),
        ("America/New_York", "2027-03-13T20:00", "2027-03-14T12:00-04:00"),
        ("America/New_York", "2026-10-31T20:00", "2026-11-01T12:00-05:00"),
    ],
)
def test_nights_in_which_clocks_change_end_by_the_clock_on_the_wall(zone, evening, deadline):
    assert local(end(calendar(zone, NIGHT), at(evening, zone), 8)[0], zone) == deadline


def test_in_one_week_two_time_zones_have_nights_of_different_lengths():
    since = at("2027-03-13T12:00", "UTC")
    nights = {
        zone: [until - begin for begin, until in end(calendar(zone, NIGHT), since, 17)[1]]
        for zone in ("Europe/Berlin", "America/New_York")
    }
    assert nights == {"Europe/Berlin": [8 * HOUR_MS], "America/New_York": [7 * HOUR_MS]}


def test_quiet_hours_that_begin_or_end_in_the_missing_hour_count_as_if_it_were_there():
    _, stops = end(calendar("Europe/Berlin", [22 * 60, 2 * 60 + 30]), at("2027-03-27T20:00", "Europe/Berlin"), 8)
    assert local(stops[0][1], "Europe/Berlin") == "2027-03-28T03:30+02:00"
    _, stops = end(calendar("Europe/Berlin", [2 * 60 + 30, 6 * 60]), at("2027-03-28T00:00", "Europe/Berlin"), 8)
    assert local(stops[0][0], "Europe/Berlin") == "2027-03-28T03:30+02:00"


def test_quiet_hours_in_the_repeated_hour_last_from_its_first_to_its_last_moment():
    chosen = calendar("Europe/Berlin", [2 * 60 + 15, 2 * 60 + 45])
    _, stops = end(chosen, at("2026-10-25T00:00", "Europe/Berlin"), 6)
    assert [local(moment, "Europe/Berlin") for moment in stops[0]] == [
        "2026-10-25T02:15+02:00",
        "2026-10-25T02:45+01:00",
    ]


def test_weekends_are_those_of_the_player():
    # Friday evening in Berlin is Saturday morning in Auckland.
    since = at("2026-11-27T20:00", "Europe/Berlin")
    berlin, _ = end(calendar("Europe/Berlin"), since, 8, weekends_off=True)
    auckland, _ = end(calendar("Pacific/Auckland"), since, 8, weekends_off=True)
    assert local(berlin, "Europe/Berlin") == "2026-11-30T04:00+01:00"
    assert local(auckland, "Pacific/Auckland") == "2026-11-30T08:00+13:00"


def holiday(first, last, **more):
    zone = ZoneInfo("UTC")
    since, until = (begin_of(zone, datetime.fromisoformat(day).date()) for day in (first, last))
    return {"id": "hd_1", "first": first, "last": last, "since": since, "until": until, **more}


def test_a_holiday_that_begins_within_the_time_moves_its_end_by_its_length():
    since = at("2026-12-23T12:00")
    away = holiday("2026-12-24", "2027-01-03")
    deadline, stops = end(calendar("UTC", holidays=[away]), since, 24)
    assert (deadline, stops) == (since + 11 * DAY_MS - DAY_MS + DAY_MS, [[away["since"], away["until"]]])


def test_a_holiday_of_one_table_counts_there_alone_and_one_that_is_over_counts_nowhere():
    since = at("2026-12-23T12:00")
    chosen = calendar(
        "UTC", holidays=[holiday("2026-12-24", "2027-01-03", table="tb_2"), holiday("2026-12-01", "2026-12-05")]
    )
    assert end(chosen, since, 24)[0] == since + DAY_MS
    assert end(chosen, since, 24, table="tb_2")[0] > since + 10 * DAY_MS


ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Shanghai",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Asia/Kathmandu",
]
CALENDARS = st.builds(
    lambda zone, start, length, away: calendar(
        zone,
        [start, (start + length) % 1440] if length else None,
        [{"id": "hd_1", "first": "", "last": "", "since": since, "until": since + lasts} for since, lasts in away],
    ),
    st.sampled_from(ZONES),
    st.integers(0, 1439),
    st.integers(0, 720),
    st.lists(
        st.tuples(st.integers(at("2026-01-01T00:00"), at("2028-01-01T00:00")), st.integers(1, 40 * DAY_MS)), max_size=4
    ),
)


@given(CALENDARS, st.integers(at("2026-01-01T00:00"), at("2028-01-01T00:00")), st.integers(1, 336), st.booleans())
def test_what_lies_between_and_does_not_stand_still_is_the_time_that_was_given(chosen, since, hours, weekends_off):
    deadline, stops = end(chosen, since, hours, weekends_off=weekends_off)
    assert deadline - since - sum(until - begin for begin, until in stops) == hours * HOUR_MS
    assert all(since <= begin < until <= deadline for begin, until in stops)
    assert all(one[1] < other[0] for one, other in pairwise(stops))
    assert not any(begin <= deadline - 1 < until for begin, until in stops), "the clock runs when the time ends"
