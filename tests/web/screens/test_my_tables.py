"""The page of my tables: first those that wait for me, then the others."""

import pytest
from playwright.sync_api import expect

from tests.web.beside import leads
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_table_that_waits_for_me_is_one_tap_away(person, axe, picture):
    lin = person()
    page = lin.page
    mine = lin.begins("arms_length", 4, until=leads)
    lin.goes_to()
    lin.presses("My tables")
    for locale, title in (("en-GB", "They wait for me"), ("zh-CN", "等我出手")):
        lin.speaks(locale)
        table = lin.items(title).get_by_role("link")
        expect(table).to_have_attribute("href", f"#/table/{mine}")
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"my-tables-{locale}.png")
    table.click()
    lin.is_at_a_table()


def test_tables_that_wait_for_me_come_first(person):
    lin = person()
    lin.registers()
    page = lin.page
    row = {"ruleset": "shengji", "players": 4, "status": "playing", "closed": None, "round": 2, "seat": 0}
    late = "2030-01-01T10:00:00.000Z"
    items = [
        {**row, "table": "tb_1", "my_turn": True, "deadline_at": late},
        {**row, "table": "tb_2", "my_turn": False, "deadline_at": None},
    ]
    page.route("**/v1/me/tables", lambda route: route.fulfill(json={"items": items}))
    lin.goes_to("tables")
    expect(lin.items("The others")).to_have_count(1)
    expect(lin.items("They wait for me")).to_have_count(1)
    expect(lin.items("They wait for me")).to_contain_text("until 1 Jan 2030")
    del items[0]
    lin.goes_to()
    lin.goes_to("tables")
    lin.sees("No table waits for you.")
    items.clear()
    lin.goes_to()
    lin.goes_to("tables")
    lin.sees("You sit at no table.")
