"""An evening of a club: it is founded, and four people on phones play a pairs event, which a wall shows."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.sorting import by_day
from tests.web.beside import holds
from tests.web.person import DESKTOP, PHONE, until
from tests.web.screens.test_event import at_random
from tests.web.screens.test_hall import WALL
from tests.web.screens.test_teams import comes, looks_right

__all__ = ("comes",)
pytestmark = pytest.mark.browser

#: What is read on the pages, in English and in Chinese.
WORDS = {
    "agree": ("Agree to play", "同意参赛"),
    "agreed": ("You play for", "您代表"),
    "all played": ("All rounds have been played", "各轮已全部打完"),
    "begin": ("Begin round 1", "开始第 1 轮"),
    "boards": ("Boards a round", "每轮几副牌"),
    "club": ("Lakeside", "西湖"),
    "clubs": ("Clubs", "俱乐部"),
    "code": ("Code or link of somebody", "对方的好友码或链接"),
    "event": ("Friday Pairs", "周五双人赛"),
    "event name": ("Name of the event", "比赛名称"),
    "events": ("Events", "比赛"),
    "enter": ("Enter a pair", "为一对报名"),
    "for members": ("Make an event for members", "为会员办比赛"),
    "game": ("Game", "玩法"),
    "join": ("Join", "加入"),
    "link": ("Link to the club", "俱乐部的链接"),
    "make club": ("Make a club", "创建俱乐部"),
    "make event": ("Make a team event", "举办团体赛"),
    "members": ("Members", "会员"),
    "name": ("Name of the club", "俱乐部名称"),
    "no entry": ("0 entered", "已报名 0"),
    "over": ("The event is over", "比赛结束"),
    "partner": ("Player 2", "队员 2"),
    "play": ("Play", "开打"),
    "ranks": ("Ranks", "名次"),
    "round": ("Round 1 of 1", "第 1 轮，共 1 轮"),
    "rounds": ("Rounds", "轮数"),
    "slip": ("Your table in round 1", "第 1 轮您的牌桌"),
    "somebody": ("Somebody who is not among your friends", "不在好友列表中的人"),
    "add": ("Add", "添加"),
    "standings": ("Standings", "名次"),
    "template": ("Pairs evening", "双人赛之夜"),
    "time left": ("Time left in this round", "本轮剩余时间"),
    "close": ("Close the event", "关闭比赛"),
    "close for good": ("Close it for good?", "确定永久关闭？"),
}
NAMES = {"en-GB": ("Lin", "Mei", "Bo", "Cy"), "zh-CN": ("小林", "小梅", "小波", "小赛")}


class Evening:
    """The people of the evening, all of whom read one language."""

    def __init__(self, comes, locale):
        self._comes, self._locale = comes, locale
        self._language = 0 if locale == "en-GB" else 1
        self.director = comes("Dora", size=DESKTOP, locale=locale)
        self.guests = [comes(name, size=PHONE, locale=locale) for name in NAMES[locale]]

    def says(self, what):
        return WORDS[what][self._language]

    def is_founded(self):
        """The director makes a club, and everybody joins it by its link."""
        dora, says = self.director, self.says
        dora.goes_home()
        dora.presses(says("clubs"))
        dora.control(says("make club")).first.click()
        dora.fills(says("name"), says("club"))
        dora.all("button", says("make club")).click()
        link = dora.field(says("link")).input_value()
        self.club = dora.page.url.rpartition("/")[2]
        for guest in self.guests:
            guest.page.goto(link)
            guest.all("button", says("join")).tap()
            expect(guest.part("region", says("members")).all("listitem").first).to_be_visible()
        people = dora.part("region", says("members")).all("listitem")
        expect(people).to_have_count(5)

    def is_announced(self):
        """The director makes an event for members from the template; it gets its id."""
        dora, says = self.director, self.says
        dora.presses(says("for members"))
        dora.selects(says("game"), "sishifen")
        dora.presses(re.compile(f"^{says('template')}"))
        dora.fills(says("event name"), says("event"))
        dora.fills(says("rounds"), "1")
        dora.fills(says("boards"), "1")
        dora.presses(says("make event"))
        dora.control(says("begin")).wait_for()
        self.event = re.findall(r"#/teams/(\w+)", dora.page.url)[0]

    def is_on_the_wall(self):
        wall = self._comes("Wall", size=WALL, locale=self._locale)
        wall.goes_to(f"hall/{self.event}")
        wall.sees(self.says("event"), self.says("no entry"))
        return wall

    def has_entries(self):
        """One of each pair enters it on a phone, from the page of the club; the other one agrees there."""
        says = self.says
        for first, second in ((self.guests[0], self.guests[1]), (self.guests[2], self.guests[3])):
            # The page of the club, which is still open, has heard of the event.
            first.part("list", says("events")).all("link", re.compile(says("event"))).tap()
            first.control(says("somebody")).tap()
            first.fills(says("code"), second.account["player"])
            first.presses(says("add"))
            expect(first.field(says("partner"))).to_have_value(second.account["player"])
            first.presses(says("enter"))
            second.goes_to(f"teams/{self.event}")
            second.presses(says("agree"))
            second.sees(says("agreed"))

    def begins(self):
        self.director.page.reload()
        self.director.presses(self.says("begin"))

    def plays(self, beside):
        """Everybody goes to the table, and the board is played to its end."""
        for guest in self.guests:
            guest.part("region", self.says("slip")).is_there()
            guest.control(self.says("play")).tap()
            guest.is_playing()
        [table] = {re.findall(r"#/table/([^?]+)", guest.page.url)[0] for guest in self.guests}
        beside.plays_on(table, holds(1), by=at_random)
        # The service has to see the end, since `beside` stores no results of boards.
        of = {guest.account["player"]: guest for guest in self.guests}
        while (state := beside.state(table))["status"] == "playing":
            guest = of[state["seats"][state["decision"]["seats"][0]]["occupant"]["player"]]
            last = {"cards": guest.api("GET", f"/tables/{table}")["my"]["hand"]}
            guest.api("POST", f"/tables/{table}/play", {**last, "decision_id": state["decision"]["id"]})


@pytest.mark.parametrize("locale", by_day(["zh-CN"], NAMES))
def test_a_club_holds_a_pairs_evening(comes, axe, picture, beside, locale):
    evening, is_chinese = Evening(comes, locale), locale == "zh-CN"
    says, dora = evening.says, evening.director
    evening.is_founded()
    evening.is_announced()
    wall = evening.is_on_the_wall()
    evening.has_entries()
    pairs = [" / ".join(NAMES[locale][at : at + 2]) for at in (0, 2)]
    # The wall follows by itself, and so do the phones.
    wall.sees(*pairs)
    evening.begins()
    wall.sees(says("round"))
    expect(wall.all("timer", says("time left"))).to_be_visible()
    evening.plays(beside)
    # A worker stores the game, which ends the round, and then the wall looks again.
    expect(wall.text(says("all played")).first).to_be_visible(timeout=60_000)
    ranks = wall.part("list", says("ranks")).is_there()
    for pair in pairs:
        ranks.sees(pair)
    looks_right(wall, axe, picture, f"evening-{locale}", chinese=is_chinese)
    for guest in evening.guests:
        guest.goes_to(f"teams/{evening.event}")
        guest.part("table", says("standings")).sees(*pairs)
    looks_right(evening.guests[0], axe, picture, f"evening-phone-{locale}", chinese=is_chinese)
    results = dora.api("GET", f"/team-events/{evening.event}/results")
    [[board]] = [match["boards"] for match in results["matches"]]
    assert board["counted"] == "played"
    until(dora.page, "the close", lambda: dora.control(says("close")).count())
    dora.presses(says("close"))
    dora.presses(says("close for good"))
    wall.sees(says("over"))
