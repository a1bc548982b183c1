"""The page of my tables: first those that wait for me, then the others."""

import pytest

from tests.web.beside import leads
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_a_table_that_waits_for_me_is_one_tap_away(person, axe, picture):
    lin = person()
    page = lin.page
    mine = lin.begins("arms_length", 4, until=leads)
    page.goto(f"{lin.url}/#/")
    page.click("nav.more a >> text=My tables")
    page.wait_for_selector(f"section:has(h2:text('They wait for me')) a[href='#/table/{mine}']")
    for locale in ("en-GB", "zh-CN"):
        lin.speaks(locale)
        page.wait_for_selector(".my-tables")
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"my-tables-{locale}.png")
    page.click(f".my-tables a[href='#/table/{mine}']")
    page.wait_for_selector("main.table")


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
    page.goto(f"{lin.url}/#/tables")
    page.wait_for_selector("h2 >> text=The others")
    assert page.locator("section:has(h2:text('They wait for me')) a").count() == 1
    assert "until 1 Jan 2030" in page.inner_text(".my-tables .badge")
    del items[0]
    page.goto(f"{lin.url}/#/")
    page.goto(f"{lin.url}/#/tables")
    page.wait_for_selector("text=No table waits for you.")
    items.clear()
    page.goto(f"{lin.url}/#/")
    page.goto(f"{lin.url}/#/tables")
    page.wait_for_selector("text=You sit at no table.")
