"""A league on the page: it is made, those who meet agree on a time, and they begin as soon as both are ready."""

from datetime import datetime, timedelta

import pytest

from tests.web.person import DESKTOP, PHONE, until
from tests.web.screens.test_teams import comes, looks_right  # noqa: F401

pytestmark = pytest.mark.browser


def test_two_make_a_league_agree_on_a_time_and_play_when_both_are_ready(comes, axe, picture):  # noqa: F811
    lin, mei = comes("Lin", size=DESKTOP), comes("Mei", size=PHONE, locale="zh-CN")
    lin.goes_to("teams")
    lin.presses("Make a team event")
    lin.selects("Game", "sishifen")
    lin.fills("Name of the event", "Autumn League")
    lin.selects("Form", "howell")
    lin.selects("When it is played", "agreed")
    lin.sees("You begin the first one; the others follow by themselves.")
    lin.selects("Length of a fixture", "3")
    looks_right(lin, axe, picture, "new-league")
    lin.presses("Make a team event")
    lin.sees("League: those who meet agree on a time")
    event = lin.page.url.split("/")[-2]
    path = f"/team-events/{event}"
    for who in (lin, mei):
        members = [{"player": who.account["player"]}, {"level": "easy"}]
        who.api("POST", f"{path}/teams", {"teams": [{"name": f"Pair of {who.name}", "members": members}]})
    lin.page.reload()
    lin.presses("Begin round 1")
    lin.sees("at the latest on")
    lin.goes_to(f"teams/{event}")
    lin.sees("You have not agreed on a time yet.")
    mei.goes_to()
    day = datetime.now() + timedelta(days=1)  # noqa: DTZ005 - the browser's time zone is that of the machine
    lin.field("Another time").fill(f"{day:%Y-%m-%dT20:00}")
    lin.presses("Propose it")
    lin.sees("the others have not agreed yet")
    looks_right(lin, axe, picture, "proposed")
    # Mei is told on any page, and agrees on that of the event.
    mei.sees("提议您在Autumn League的比赛于")
    mei.presses("去看看")
    mei.sees("「Pair of Lin」提议")
    looks_right(mei, axe, picture, "fixture-zh", chinese=True)
    mei.page.get_by_role("button", name="同意").tap()
    mei.sees("届时自动开桌")
    lin.sees("The tables open by themselves then.")
    lin.presses("I am ready to play now")
    lin.sees("You wait for Mei.")
    mei.page.reload()
    mei.sees("现在可以开始：Lin")
    mei.control("我现在可以开始").tap()
    until(mei.page, "a table", lambda: mei.api("GET", path)["mine"]["table"])
    mei.page.reload()
    mei.control("开打").wait_for()
    lin.control("Play").wait_for()
    lin.api("POST", f"{path}/closing")
