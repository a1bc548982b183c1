"""Quiet hours and holidays on a phone: chosen, seen by the others at the table, and more time given."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.web.beside import is_asked_to_play
from tests.web.looking import faults
from tests.web.person import two_at_a_table, until

pytestmark = pytest.mark.browser

DAYS = {"correspondence": {"decision_hours": 24}}
TITLE = "Quiet hours and holidays"


def in_days(count):
    return (datetime.now(UTC) + timedelta(days=count)).date().isoformat()


def test_a_time_zone_quiet_hours_and_a_holiday_are_chosen_in_both_languages(person, axe, picture):
    lin = person()
    lin.registers()
    lin.goes_to("tables")
    lin.presses(TITLE)
    lin.selects("Time zone", "Asia/Shanghai")
    lin.field("Quiet hours from").fill("23:00")
    lin.field("until").fill("07:30")
    lin.sees_no("None. At most twelve hours a day.")
    lin.fills("First day", in_days(3))
    lin.fills("Last day", in_days(5))
    lin.presses("Take this holiday")
    lin.control("Take back").wait_for()
    calendar = lin.api("GET", "/me/calendar")
    assert (calendar["time_zone"], calendar["quiet_hours"]) == ("Asia/Shanghai", {"start": "23:00", "end": "07:30"})
    assert [(each["first"], each["last"]) for each in calendar["holidays"]] == [(in_days(3), in_days(5))]
    for locale, title in (("en-GB", TITLE), ("zh-CN", "休息时间和假期")):
        lin.speaks(locale)
        lin.all("heading", title).wait_for()
        assert list(faults(lin.page, axe, chinese=locale == "zh-CN")) == []
        picture(lin.page, f"calendar-{locale}.png")
    lin.presses("取消")
    expect(lin.control("取消")).to_have_count(0)
    assert lin.api("GET", "/me/calendar")["holidays"] == []


def test_both_ends_of_the_quiet_hours_count_however_late_the_first_one_arrives(person):
    lin, held = person(), []
    lin.registers()
    lin.goes_to("calendar")
    start = lin.field("Quiet hours from")
    start.wait_for()

    def delays_the_first(route):
        if route.request.method != "PATCH" or held:
            return route.continue_()
        return held.append(route)

    lin.page.route("**/v1/me/calendar", delays_the_first)
    start.fill("22:00")
    lin.field("until").fill("06:00")
    expect(lin.field("until")).to_have_value("06:00")
    until(lin.page, "the first change", lambda: held)
    lin.is_drawn()
    held[0].continue_()
    hours = {"start": "22:00", "end": "06:00"}
    until(lin.page, "both ends", lambda: lin.api("GET", "/me/calendar")["quiet_hours"] == hours)
    lin.is_still()
    assert lin.api("GET", "/me/calendar")["quiet_hours"] == hours
    expect(start).to_have_value("22:00")


def test_what_cannot_be_is_said_and_nothing_is_lost(person):
    lin = person()
    lin.tolerated = ("400",)
    lin.registers()
    lin.goes_to("calendar")
    lin.fills("First day", in_days(3))
    lin.fills("Last day", in_days(70))
    lin.presses("Take this holiday")
    lin.sees("Take fewer days.")
    expect(lin.field("Last day")).to_have_value(in_days(70))
    lin.fills("Last day", in_days(4))
    lin.presses("Take this holiday")
    lin.sees_no("Take fewer days.")
    lin.control("Take back").wait_for()


def test_everybody_sees_until_when_a_player_is_on_holiday_and_gives_more_time(person, picture):
    lin, mei, table = two_at_a_table(person, clock=DAYS)
    lin.tolerated = mei.tolerated = ("409",)
    lin.beside.plays_on(table, is_asked_to_play)
    before = lin.api("GET", f"/tables/{table}")["decision"]
    mei.presses("Menu")
    mei.presses(TITLE)
    mei.presses("Give Lin a day more")
    until(
        mei.page,
        "more time",
        lambda: mei.api("GET", f"/tables/{table}")["decision"]["deadline_at"] > before["deadline_at"],
    )
    # Her page may not have shown all that happened before.
    mei.goes_to(f"table/{table}")
    onward = mei.control("Go to the table")
    expect(onward.or_(mei.control("Menu")).first).to_be_attached()
    if onward.count():
        onward.click()
    mei.is_at_a_table()
    lin.goes_to(f"calendar/{table}")
    lin.fills("First day", in_days(0))
    lin.fills("Last day", in_days(2))
    lin.field("Only at the table from which I come").check()
    lin.presses("Take this holiday")
    lin.control("End now").wait_for()
    mei.sees("Waiting for Lin, on holiday until")
    picture(mei.page, "holiday-at-the-table.png")
    after = lin.api("GET", f"/tables/{table}")["decision"]
    (away,) = after["away"]
    assert away["seat"] == 0
    assert after["deadline_at"] > before["deadline_at"]
    mei.speaks("zh-CN")
    mei.sees("正在等 Lin，对方休假至")
    lin.presses("End now")
    mei.sees_no("对方休假至")
