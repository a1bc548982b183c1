"""Finding a game that takes days: a place is taken at once, and others find the table in the list."""

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_the_first_opens_a_table_and_the_second_finds_it(person, axe, picture):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    lin.goes_to("lobby")
    lin.presses("Games that take days")
    lin.selects("Game", "tractor")
    lin.presses("Take a place")
    lin.is_waiting()
    lin.sees("played by an AI player until they are back")
    mei.goes_to("days")
    for locale, label, since in (("en-GB", "Open tables", "open since"), ("zh-CN", "公开牌桌", "起等人")):
        mei.speaks(locale)
        table = mei.items(label).filter(has_text="Lin")
        expect(table).to_contain_text(since)
        assert list(faults(mei.page, axe, chinese=locale == "zh-CN")) == []
        picture(mei.page, f"days-{locale}.png")
    table.get_by_role("link").click()
    mei.is_waiting()
    assert mei.page.url.split("#/table/")[1] in lin.page.url
