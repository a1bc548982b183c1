"""Team events: captains and members enter, play and read results; a director runs them; refusals are explained."""

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.person import DESKTOP, PATIENCE, PHONE, until
from tests.web.screens.test_event import store_of

pytestmark = pytest.mark.browser

SETUP = {"ruleset": "sishifen", "players": 4, "rounds": 2, "boards": 2, "ai_pace_ms": 0, "clock": {"play_ms": 600_000}}
ROUND_OVER = {"closes_at": "2023-01-01T00:00:00Z"}


class Cup:
    """A team event, which its director runs by the API."""

    def __init__(self, asker, name, **setup):
        self._asker = asker
        self.director = self.joins("Director")
        self.id = self.directs("POST", "", {**SETUP, "name": name, **setup})["event"]

    def joins(self, name):
        return self._asker.api("POST", "/players", {"name": name, "kind": "human"})

    def directs(self, method, path, body=None):
        place = f"/{self.id}{path}" if hasattr(self, "id") else path
        return self._asker.api(method, f"/team-events{place}", body, token=self.director["token"])

    def enters(self, name, *players):
        """Enter a team of players (ids) and AI players as the director; return its id."""
        members = [{"player": player} for player in players] + [{"level": "easy"}] * (4 - len(players))
        return self.directs("POST", "/teams", {"teams": [{"name": name, "members": members}]})["entries"][-1]["team"]

    def enters_complete(self, name):
        """Enter a team whose captain has agreed, with AI players; return its id."""
        captain = self.joins(f"Captain of {name}")
        team = self.enters(name, captain["player"]["id"])
        self._asker.api("PUT", f"/team-events/{self.id}/teams/{team}/confirmation", token=captain["token"])
        return team

    def begins(self, number=1):
        return self.directs("POST", "/rounds", {"round": number})["played"][-1]


@pytest.fixture
def comes(person):
    """Makes a person with an account; refused requests are no errors of the page."""

    def come(name, **how):
        who = person(name=name, **how)
        who.tolerated = ("status of 4",)
        who.registers()
        return who

    return come


def me(who):
    return who.account["player"]


def looks_right(who, axe, picture, name, chinese=False):
    who.is_still()
    assert list(faults(who.page, axe, chinese=chinese)) == []
    picture(who.page, f"teams-{name}.png", full_page=True)


def test_a_captain_enters_a_friend_agrees_and_both_get_to_their_table(comes, own, axe, picture):
    lin, mei = comes("Lin", size=PHONE), comes("Mei", size=DESKTOP, locale="zh-CN")
    lin.api("PUT", f"/me/friends/{me(mei)}")
    mei.api("PUT", f"/me/friends/{me(lin)}")
    name = own("Spring Cup")
    cup = Cup(lin, name)
    cup.enters_complete("Phoenix")
    page = lin.page
    # The start page has read its list before; what is still being loaded may move the new one.
    page.goto(f"{lin.url}/#/")
    page.reload()
    page.wait_for_selector(".team-events a")
    lin.is_still()
    page.tap(f".team-events a >> text={name}")
    page.fill("input[name=team]", "Dragons")
    page.select_option("select[name=place-1]", me(mei))
    looks_right(lin, axe, picture, "entry")
    page.tap("form button.main")
    page.wait_for_selector("text=You play for Dragons. Still to agree: Mei.")
    # Mei is told on any page.
    mei.page.wait_for_selector(f".arrivals >> text=Lin 请您代表「Dragons」队参加{name}。")
    mei.page.click(".arrivals >> text=去看看")
    mei.page.wait_for_selector("main >> text=谢绝")
    looks_right(mei, axe, picture, "asked-zh", chinese=True)
    # She may decline; asked once more, she agrees.
    [dragons] = [team for team in cup.directs("GET", "")["entries"] if team["name"] == "Dragons"]
    mei.page.click("main >> text=谢绝")
    until(mei.page, "the team is not hers", lambda: mei.api("GET", f"/team-events/{cup.id}")["mine"]["team"] is None)
    members = [{name: each[name]} for each in dragons["members"] for name in ("player", "level") if each[name]]
    lin.api("PUT", f"/team-events/{cup.id}/teams/{dragons['team']}", {"name": "Dragons", "members": members})
    mei.page.reload()
    mei.page.click("main >> text=同意参赛")
    mei.page.wait_for_selector("text=您代表「Dragons」参赛。")
    cup.begins()
    for who in (lin, mei):
        who.page.wait_for_selector(".box a.button[href^='#/table/']")
    looks_right(lin, axe, picture, "playing")
    page.tap(".box a.button.main")
    page.wait_for_selector("main.table.playing")
    cup.directs("POST", "/closing")


def test_a_director_runs_an_event_by_the_page_and_is_told_what_is_missing(comes, axe, picture):
    lin = comes("Lin", size=DESKTOP)
    page, captains = lin.page, [lin.api("POST", "/players", {"name": name, "kind": "human"}) for name in ("Ann", "Bo")]
    page.goto(f"{lin.url}/#/teams")
    page.click("text=Make a team event")
    page.select_option("select[name=ruleset]", "sishifen")
    page.fill("input[name=event]", "Club Evening")
    page.fill("input[name=rounds]", "1")
    page.fill("input[name=boards]", "1")
    looks_right(lin, axe, picture, "new")
    page.click("form.create button.main")
    page.click("summary >> text=Enter many teams at once")
    codes = [each["player"]["id"] for each in captains]
    page.fill("textarea", f"Dragons: {codes[0]}\nPhoenix {codes[1]}")
    page.click("text=Enter these teams")
    page.wait_for_selector("[role=alert] >> text=Line 2")
    page.fill("textarea", f"Dragons: {codes[0]}\nPhoenix： {lin.url}/#/friends/{codes[1]}")
    page.click("text=Enter these teams")
    page.wait_for_selector(".devices >> text=Still to agree: Bo.")
    # While a member has not agreed, no round begins: the refusal names the team, and another player joins it.
    path = f"/team-events/{page.url.split('/')[-2]}"
    dragons = lin.api("GET", path)["entries"][0]["team"]
    lin.api("PUT", f"{path}/teams/{dragons}/confirmation", token=captains[0]["token"])
    page.click("text=Begin round 1")
    page.wait_for_selector(".refusal >> text=Phoenix")
    assert "tm_" not in page.inner_text(".refusal")
    looks_right(lin, axe, picture, "direct")
    page.click("[aria-label='Change Phoenix']")
    page.select_option("select[name=place-0]", me(lin))
    page.click("text=Save the team")
    page.wait_for_selector(".devices .bad", state="detached")
    page.click("text=Begin round 1")
    page.click("text=+15 min")
    until(page, "a longer round", lambda: lin.api("GET", path)["played"][0]["remaining_ms"] > 74 * 60_000)
    page.click("summary >> text=Decide what a board counts")
    page.select_option("select[name=side]", label="Phoenix")
    page.fill("input[name=steps]", "6")
    page.fill("input[name=reason]", "Wrong seats")
    page.click("button >> text=Decide")
    page.wait_for_selector("text=Board 1 counts as you have decided.")
    looks_right(lin, axe, picture, "ruling")
    page.click("text=End the round")
    page.click("text=Really end round 1 now?")
    page.wait_for_selector("text=All rounds have been played.")
    with page.expect_download() as saved:
        page.click("text=Table (CSV)")
    assert "Wrong seats" in saved.value.path().read_text()
    page.click("button >> text=Close the event")
    page.click("text=Close it for good?")
    page.wait_for_selector("button >> text=Close the event", state="detached")
    page.click("nav >> text=Event")
    page.wait_for_selector("table.results tbody tr:first-child >> text=1 board adjusted")
    assert page.locator("table.results tbody th").first.inner_text().startswith("Phoenix")
    page.click(".played summary")
    page.wait_for_selector("text=Decided by the director: Wrong seats")
    looks_right(lin, axe, picture, "over")


def test_standings_and_boards_say_what_could_not_be_compared(comes, axe, picture, service):
    lin = comes("Lin", size=PHONE, locale="zh-CN", colours="dark")
    # Only AI players play in one of the rooms: they must not be there before the results that are stored here.
    cup = Cup(lin, "春季杯", ai_pace_ms=10_000)
    team = cup.enters("飞龙", me(lin))
    lin.api("PUT", f"/team-events/{cup.id}/teams/{team}/confirmation")
    cup.enters_complete("凤凰")
    [match] = cup.begins()["matches"]
    first = match["teams"].index(team)
    results = store_of(service)
    played = {"deal": 0, "at": 1, "points": 85, "side": "attackers"}
    results.add_result(cup.id, 1, "1a", {**played, "game": "gm_1_1", "value": 5})
    results.add_result(cup.id, 1, "1b", {**played, "game": "gm_2_1", "value": -25 if first == 0 else 35})
    # The second board broke off at one table, and was not over in time at the other.
    results.add_result(cup.id, 2, "1a", {"deal": 0, "at": 1, "game": "gm_3_1", "value": None})
    cup.directs("PATCH", "/rounds/1", ROUND_OVER)
    page = lin.page
    page.goto(f"{lin.url}/#/teams/{cup.id}")
    page.wait_for_selector("table.results tr.me >> text=1 副牌经调整或裁定")
    page.tap(".played summary")
    page.wait_for_selector(".boards li")
    boards = page.locator(".boards li")
    assert "飞龙得 3 个级差" in boards.nth(0).inner_text()
    assert "作闲家，抓 85 分。" in boards.nth(0).inner_text()
    for text in ("双方平手", "调整计分", "没有打完。", "没有按时打完。"):
        assert text in boards.nth(1).inner_text()
    looks_right(lin, axe, picture, "results-zh", chinese=True)


def test_a_late_entry_is_refused_and_the_page_says_what_is_possible(comes):
    lin = comes("Lin", size=PHONE)
    cup = Cup(lin, "Late Cup")
    page = lin.page
    page.goto(f"{lin.url}/#/teams/{cup.id}")
    page.fill("input[name=team]", "Latecomers")
    for name in ("Phoenix", "Dragons"):
        cup.enters_complete(name)
    cup.begins()
    page.tap("form button.main")
    page.wait_for_selector("text=No team can enter any more")
    refusal = page.inner_text(".refusal")
    assert "Late Cup" in refusal
    assert "director can still change the members" in refusal


def test_a_team_cannot_withdraw_from_an_event_of_which_all_rounds_are_played(comes):
    lin = comes("Lin")
    cup = Cup(lin, "Short Cup", rounds=1)
    cup.enters_complete("Phoenix")
    dragons = cup.enters("Dragons", me(lin))
    lin.api("PUT", f"/team-events/{cup.id}/teams/{dragons}/confirmation")
    page = lin.page
    page.goto(f"{lin.url}/#/teams/{cup.id}")
    withdraw = page.get_by_role("button", name="Withdraw")
    expect(withdraw).to_be_visible()
    cup.begins()
    cup.directs("PATCH", "/rounds/1", ROUND_OVER)
    page.reload()
    expect(page.get_by_text("All rounds have been played")).to_be_visible(timeout=PATIENCE)
    expect(withdraw).to_have_count(0)
