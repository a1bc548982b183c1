"""An arena on the page: it is made from a template, people come in, and their table opens by itself."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.web.person import DESKTOP, PHONE, until
from tests.web.screens.test_teams import comes, looks_right  # noqa: F401

pytestmark = pytest.mark.browser


def test_people_come_into_an_arena_get_a_table_by_themselves_and_take_a_break(comes, axe, picture):  # noqa: F811
    lin, mei = comes("Lin", size=DESKTOP), comes("Mei", size=PHONE, locale="zh-CN")
    lin.goes_to("teams/new")
    lin.selects("Game", "sishifen")
    lin.page.get_by_role("button", name="Arena").click()
    lin.selects("When nobody else waits", "20000")
    lin.sees("after two wins in a row, twice as many")
    looks_right(lin, axe, picture, "new-arena")
    lin.page.get_by_role("button", name="Make a team event").click()
    lin.control("Begin the arena").wait_for()
    event = lin.page.url.split("/")[-2]
    path = f"/team-events/{event}"
    lin.goes_to(f"teams/{event}")
    lin.presses("Enter yourself")
    lin.sees("It begins when the director says so.")
    mei.goes_to(f"teams/{event}")
    mei.sees("可随时加入或离开")
    mei.control("自己报名").tap()
    mei.sees("您已报名")
    mei.control("退赛").wait_for()
    assert lin.api("POST", f"{path}/rounds", {"round": 1})["status"] == "playing"
    mei.page.reload()
    mei.sees("等候开桌")
    looks_right(mei, axe, picture, "arena-waits-zh", chinese=True)
    # AI players take two seats, and the page goes to the table.
    until(mei.page, "a table", lambda: mei.api("GET", path)["mine"]["table"], 60_000)
    table = mei.api("GET", path)["mine"]["table"]
    for who in (mei, lin):
        until(who.page, "the page at the table", lambda who=who: f"#/table/{table}" in who.page.url, 30_000)
    # Back on the page of the arena, nobody is sent to the same table again.
    mei.goes_to(f"teams/{event}")
    mei.control("开打").wait_for()
    mei.control("休息").tap()
    mei.sees("已得的分保留")
    mei.control("继续参赛").wait_for()
    looks_right(mei, axe, picture, "arena-break-zh", chinese=True)
    lin.goes_to(f"hall/{event}")
    lin.sees("Come in at any time")
    looks_right(lin, axe, picture, "arena-wall")
    # No new tables begin, while theirs goes on.
    ends_at = datetime.now(UTC) + timedelta(minutes=10)
    lin.api("PATCH", f"{path}/rounds/1", {"closes_at": ends_at.isoformat().replace("+00:00", "Z")})
    lin.page.reload()
    lin.sees("The last tables are being played")
    mei.page.reload()
    mei.sees("不再开新桌")
    assert mei.control("继续参赛").count() == 0
    lin.api("POST", f"{path}/closing")
