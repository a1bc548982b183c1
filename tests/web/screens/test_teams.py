"""Team events: captains and members enter, play and read results; a director runs them; refusals are explained."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, until
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
    lin.goes_to()
    page.reload()
    cups = lin.items("Team events")
    cups.first.wait_for()
    lin.is_still()
    cups.filter(has_text=name).get_by_role("link").tap()
    lin.fills("Name of the team", "Dragons")
    lin.selects("Player 2", me(mei))
    looks_right(lin, axe, picture, "entry")
    lin.control("Enter a team").tap()
    lin.sees("You play for Dragons. Still to agree: Mei.")
    # Mei is told on any page.
    mei.sees(f"Lin 请您代表「Dragons」队参加{name}。")
    mei.presses("去看看")
    mei.control("谢绝").wait_for()
    looks_right(mei, axe, picture, "asked-zh", chinese=True)
    # She may decline; asked once more, she agrees.
    [dragons] = [team for team in cup.directs("GET", "")["entries"] if team["name"] == "Dragons"]
    mei.presses("谢绝")
    until(mei.page, "the team is not hers", lambda: mei.api("GET", f"/team-events/{cup.id}")["mine"]["team"] is None)
    members = [{name: each[name]} for each in dragons["members"] for name in ("player", "level") if each[name]]
    lin.api("PUT", f"/team-events/{cup.id}/teams/{dragons['team']}", {"name": "Dragons", "members": members})
    mei.page.reload()
    mei.presses("同意参赛")
    mei.sees("您代表「Dragons」参赛。")
    cup.begins()
    for who, play in ((lin, "Play"), (mei, "开打")):
        who.control(play).wait_for()
    looks_right(lin, axe, picture, "playing")
    lin.control("Play").tap()
    lin.is_playing()
    cup.directs("POST", "/closing")


def renames(lin, team, name):
    """A team gets another name from its director."""
    lin.presses(f"Change {team}")
    lin.fills("Name of the team", name)
    lin.presses("Save the team")
    lin.control(f"Change {name}").wait_for()


def decides_more(lin, path):
    """Both teams forfeit, one gets a penalty, and both are taken back."""
    lin.selects("Board", "All boards of the match")
    lin.selects("It counts", "an award for each side")
    lin.selects("First side", "Forfeited")
    lin.selects("Second side", "Forfeited")
    lin.fills("Reason", "Nobody came")
    lin.presses("Decide")
    lin.sees("The match counts as you have decided.")
    lin.presses("Give a penalty")
    lin.selects("Whose", "Dragons")
    lin.fills("Victory points", "1.5")
    lin.fills("Reason of the penalty", "Late")
    lin.presses(re.compile("^Give the penalty"))
    lin.sees("The standings of Dragons have been changed.")
    lin.presses("What directors have done")
    # The penalty is the last act, then the ruling on the match.
    undo = lin.control(re.compile("^Take back number"))
    last = lin.api("GET", f"{path}/log")
    lin.fills(re.compile("^Why number"), "It was the other team")
    undo.click()
    until(lin.page, "the penalty taken back", lambda: lin.api("GET", f"{path}/log")["undo"] == last["undo"] - 1)
    lin.sees("It was the other team")
    lin.fills(re.compile("^Why number"), "They came in the end")
    lin.presses(re.compile("^Take back number"))
    lin.sees("They came in the end")


def exports(lin):
    """The results are saved as a file."""
    with lin.page.expect_download() as saved:
        lin.presses("Table (CSV)")
    assert "Wrong seats" in saved.value.path().read_text()


def closes(lin):
    """The event ends for good."""
    lin.presses("Close the event")
    lin.presses("Close it for good?")


def reads_the_log(lin):
    """Everybody reads what was done, and why."""
    lin.presses("What directors have done")
    lin.sees("It was the other team")
    lin.sees("Closed the event")


def test_a_director_runs_an_event_by_the_page_and_is_told_what_is_missing(comes, axe, picture):
    lin = comes("Lin", size=DESKTOP)
    page, captains = lin.page, [lin.api("POST", "/players", {"name": name, "kind": "human"}) for name in ("Ann", "Bo")]
    lin.goes_to("teams")
    lin.presses("Make a team event")
    lin.selects("Game", "sishifen")
    lin.fills("Name of the event", "Club Evening")
    lin.fills("Rounds", "1")
    lin.fills("Boards a round", "1")
    looks_right(lin, axe, picture, "new")
    lin.presses("Make a team event")
    lin.presses("Enter many teams at once")
    codes = [each["player"]["id"] for each in captains]
    lines = lin.field("A line for each team")
    lines.fill(f"Dragons: {codes[0]}\nPhoenix, Nobody")
    lin.presses("Enter these teams")
    lin.part("alert").sees("Line 2: Nobody is not known.")
    lines.fill(f"Dragons: {codes[0]}\nPhoenix： {lin.url}/#/friends/{codes[1]}")
    lin.presses("Enter these teams")
    lin.sees("Still to agree: Bo.")
    # While a member has not agreed, no round begins: the refusal names the team, and another player joins it.
    path = f"/team-events/{page.url.split('/')[-2]}"
    dragons = lin.api("GET", path)["entries"][0]["team"]
    lin.api("PUT", f"{path}/teams/{dragons}/confirmation", token=captains[0]["token"])
    lin.presses("Begin round 1")
    assert "tm_" not in lin.part("alert").sees("Phoenix").read()
    looks_right(lin, axe, picture, "direct")
    renames(lin, "Phoenix", "Fire Phoenix")
    phoenix = lin.api("GET", path)["entries"][1]["team"]
    lin.api("PUT", f"{path}/teams/{phoenix}/confirmation", token=captains[1]["token"])
    lin.page.reload()
    lin.sees_no("Still to agree")
    lin.presses("Begin round 1")
    lin.presses("+15 min")
    until(page, "a longer round", lambda: lin.api("GET", path)["played"][0]["remaining_ms"] > 74 * 60_000)
    lin.presses("Decide what a board counts")
    lin.selects("In favour of", "Fire Phoenix")
    lin.fills("Steps", "6")
    lin.fills("Reason", "Wrong seats")
    lin.presses("Decide")
    lin.sees("Board 1 counts as you have decided.")
    looks_right(lin, axe, picture, "ruling")
    decides_more(lin, path)
    looks_right(lin, axe, picture, "log")
    lin.presses("End the round")
    lin.presses("Really end round 1 now?")
    lin.sees("All rounds have been played.")
    exports(lin)
    closes(lin)
    expect(lin.control("Close the event")).to_have_count(0)
    lin.presses("Event")
    winner = lin.part("table", "Standings").all("row").nth(1)
    expect(winner).to_contain_text("1 board adjusted")
    assert winner.get_by_role("rowheader").inner_text().startswith("Fire Phoenix")
    lin.presses(re.compile("^Dragons – Fire Phoenix|^Fire Phoenix – Dragons"))
    lin.sees("Decided by the director: Wrong seats")
    reads_the_log(lin)
    looks_right(lin, axe, picture, "over")


def test_a_director_sees_the_pairing_before_the_round_begins_with_it(comes, axe, picture):
    lin = comes("Lin", size=PHONE, locale="zh-CN")
    cup = Cup(lin, "Pairs Cup", form="swiss_pairs")
    mates = [lin.api("POST", "/players", {"name": name, "kind": "human"}) for name in ("甲", "乙", "丙", "丁")]
    cup.directs("PUT", f"/directors/{lin.api('GET', '/me')['id']}")
    cup.directs(
        "POST",
        "/teams",
        {
            "teams": [
                {"name": mate["player"]["name"], "members": [{"player": mate["player"]["id"]}, {"level": "easy"}]}
                for mate in mates
            ]
        },
    )
    entries = lin.api("GET", f"/team-events/{cup.id}")["entries"]
    for mate, entry in zip(mates[:3], entries, strict=False):
        lin.api("PUT", f"/team-events/{cup.id}/teams/{entry['team']}/confirmation", token=mate["token"])
    lin.goes_to(f"teams/{cup.id}/direct")
    lin.control("对阵预览").tap()
    matches = lin.part("list", "对阵预览")
    matches.sees("AI", "甲", "乙", "丙")
    matches.sees_no("丁")
    looks_right(lin, axe, picture, "pairing-zh", chinese=True)
    # Somebody comes late: the round does not begin with another pairing than the one that is shown.
    lin.api("PUT", f"/team-events/{cup.id}/teams/{entries[3]['team']}/confirmation", token=mates[3]["token"])
    lin.control("开始第 1 轮").tap()
    lin.part("alert").sees("对阵已与之前读取的不同")
    matches.sees("甲", "乙", "丙", "丁")
    matches.sees_no("AI")
    shown = matches.read()
    lin.control("开始第 1 轮").tap()
    lin.control("结束本轮").wait_for()
    [begun] = lin.api("GET", f"/team-events/{cup.id}")["played"]
    names = {each["team"]: each["name"] for each in entries}
    assert [all(names[team] in shown for team in match["teams"]) for match in begun["matches"]] == [True, True]


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
    lin.goes_to(f"teams/{cup.id}")
    lin.part("table", "名次").sees("1 副牌经调整或裁定")
    lin.control(re.compile("飞龙.*凤凰|凤凰.*飞龙")).tap()
    boards = lin.items("同牌比赛")
    for at, texts in (
        (0, ("飞龙得 3 个级差", "作闲家，抓 85 分。")),
        (1, ("双方平手", "调整计分", "没有打完。", "没有按时打完。")),
    ):
        for text in texts:
            expect(boards.nth(at)).to_contain_text(text)
    looks_right(lin, axe, picture, "results-zh", chinese=True)


def test_a_late_entry_is_refused_and_the_page_says_what_is_possible(comes):
    lin = comes("Lin", size=PHONE)
    cup = Cup(lin, "Late Cup", rounds=1)
    lin.goes_to(f"teams/{cup.id}")
    lin.fills("Name of the team", "Latecomers")
    for name in ("Phoenix", "Dragons"):
        cup.enters_complete(name)
    cup.begins()
    lin.control("Enter a team").tap()
    lin.part("alert").sees("No team can enter any more", "Late Cup", "director can still change the members")


def test_a_team_is_entered_once_the_levels_of_ai_players_are_known(comes):
    lin, held = comes("Lin", size=PHONE, fresh=True), []
    cup = Cup(lin, "Early Cup")
    lin.goes_to(f"teams/{cup.id}")

    def holds(route):
        held.append(route)

    lin.page.route("**/v1", holds)  # what the service says of itself, which is read once
    lin.page.reload()
    lin.fills("Name of the team", "Early Birds")
    until(lin.page, "a request for the levels", lambda: held)
    expect(lin.control("Enter a team")).to_be_disabled()
    for each in held:
        each.continue_()
    lin.presses("Enter a team")
    lin.sees("You play for Early Birds")


def test_a_late_team_enters_from_the_page_and_plays_the_next_round(comes, axe, picture):
    mei = comes("Mei", size=PHONE, locale="zh-CN")
    cup = Cup(mei, "Open Cup")
    for name in ("Phoenix", "Dragons"):
        cup.enters_complete(name)
    cup.begins()
    mei.goes_to(f"teams/{cup.id}")
    mei.sees("现在报名，从下一轮起上场")
    mei.fills("队名", "后来")
    looks_right(mei, axe, picture, "late-zh", chinese=True)
    mei.control("为队伍报名").tap()
    mei.sees("后来")
    cup.directs("PATCH", "/rounds/1", ROUND_OVER)
    cup.begins(2)
    shown = mei.api("GET", f"/team-events/{cup.id}")
    assert shown["mine"]["team"] in str(shown["played"][1]["matches"])


def test_a_team_cannot_withdraw_from_an_event_of_which_all_rounds_are_played(comes):
    lin = comes("Lin")
    cup = Cup(lin, "Short Cup", rounds=1)
    cup.enters_complete("Phoenix")
    dragons = cup.enters("Dragons", me(lin))
    lin.api("PUT", f"/team-events/{cup.id}/teams/{dragons}/confirmation")
    lin.goes_to(f"teams/{cup.id}")
    withdraw = lin.control("Withdraw")
    expect(withdraw).to_be_visible()
    cup.begins()
    cup.directs("PATCH", "/rounds/1", ROUND_OVER)
    lin.page.reload()
    lin.sees("All rounds have been played")
    expect(withdraw).to_have_count(0)


def test_pairs_are_directed_and_ranked_by_the_page(comes, axe, picture, service):
    lin, mei = comes("Lin", size=DESKTOP), comes("Mei", size=PHONE, locale="zh-CN")
    lin.goes_to("teams")
    lin.presses("Make a team event")
    lin.selects("Game", "sishifen")
    lin.fills("Name of the event", "Pairs Evening")
    lin.selects("Form", "howell")
    lin.sees("Everybody meets everybody.")
    lin.presses("What decides the rank")
    lin.selects("First", "steps")
    lin.fills("Rounds", "3")
    lin.fills("Boards a round", "1")
    looks_right(lin, axe, picture, "new-pairs")
    lin.presses("Make a team event")
    lin.sees("The first round draws the teams for all rounds")
    event = lin.page.url.split("/")[-2]
    path = f"/team-events/{event}"
    mei.goes_to(f"teams/{event}")
    mei.sees("双人赛：豪威尔制")
    mei.presses("为一对报名")
    mei.sees("您代表「Mei")
    others = [lin.api("POST", "/players", {"name": name, "kind": "human"}) for name in ("Ann", "Bo", "Cy")]
    for other in others:
        members = [{"player": other["player"]["id"]}, {"level": "easy"}]
        lin.api("POST", f"{path}/teams", {"teams": [{"members": members}]}, token=other["token"])
    lin.page.reload()
    lin.presses("Order of the draw")
    lin.presses(re.compile("^Move Cy"))
    lin.presses("Begin round 1")
    lin.control("End the round").wait_for()
    [round_one] = lin.api("GET", path)["played"]
    entries = lin.api("GET", path)["entries"]
    assert [entries[0]["team"], entries[3]["team"]] != round_one["matches"][0]["teams"]
    results = store_of(service)
    played = {"deal": 0, "at": 1, "points": 85, "side": "attackers"}
    for at, value in ((1, 45), (2, 5)):
        results.add_result(event, 1, f"{at}a", {**played, "game": f"gm_{at}_1", "value": value})
    lin.presses("End the round")
    lin.presses("Really end round 1 now?")
    lin.control("Begin round 2").wait_for()
    lin.presses("Decide what a board counts")
    lin.sees("Percentage of the first side")
    looks_right(lin, axe, picture, "direct-pairs")
    mei.page.reload()
    mei.part("table", "名次").sees("级差")
    mei.control(re.compile("Mei.* – |– Mei")).tap()
    mei.sees("100%")
    looks_right(mei, axe, picture, "pairs-zh", chinese=True)
    lin.api("POST", f"{path}/closing")


def test_the_lead_of_an_event_is_passed_on_by_the_page(comes, axe, picture):
    lin, mei = comes("Lin", size=PHONE), comes("Mei", size=PHONE, locale="zh-CN")
    cup = lin.api("POST", "/team-events", {**SETUP, "name": "Two Directors"})["event"]
    path = f"/team-events/{cup}"
    lin.goes_to(f"teams/{cup}/direct")
    lin.presses("Directors")
    lin.fills("Friend code or link of another director", f"{lin.url}/#/friends/{me(mei)}")
    lin.presses("Name a director")
    lin.presses("Offer the lead to Mei")
    lin.sees("is offered the lead")
    looks_right(lin, axe, picture, "directors")
    mei.goes_to(f"teams/{cup}/direct")
    mei.presses("裁判名单")
    mei.presses("接任主裁判")
    until(mei.page, "the lead", lambda: mei.api("GET", path)["directors"][0]["player"] == me(mei))
    mei.presses("移除 Lin")
    looks_right(mei, axe, picture, "directors-zh", chinese=True)
    until(mei.page, "one director", lambda: len(mei.api("GET", path)["directors"]) == 1)
    mei.presses("裁判记录")
    mei.sees("移除裁判：Lin")
    lin.page.reload()
    expect(lin.control("Begin round 1")).to_have_count(0)


def test_a_director_sends_a_note_that_entrants_read_on_any_page_and_report(comes, axe, picture):
    lin, mei = comes("Lin", size=DESKTOP), comes("Mei", size=PHONE, locale="zh-CN")
    cup = Cup(lin, "Evening with Notes")
    members = [{"player": me(mei)}, *[{"level": "easy"}] * 3]
    mei.api("POST", f"/team-events/{cup.id}/teams", {"teams": [{"name": "Dragons", "members": members}]})
    lin.api("PUT", f"/team-events/{cup.id}/directors/{me(lin)}", token=cup.director["token"])
    mei.goes_to("account")
    lin.goes_to(f"teams/{cup.id}/direct")
    lin.fills("Note to all entrants", "The second half begins at nine.")
    lin.presses("Send the note")
    lin.control("Take the note back").wait_for()
    looks_right(lin, axe, picture, "notes")
    mei.sees("Evening with Notes的裁判向全体参赛者发了通知。")
    mei.presses("去看看")
    mei.sees("The second half begins at nine.")
    mei.presses("举报这条通知")
    mei.sees("已举报")
    looks_right(mei, axe, picture, "notes-zh", chinese=True)
    lin.presses("Take the note back")
    expect(lin.control("Take the note back")).to_have_count(0)
    lin.presses("What directors have done")
    lin.sees("Sent a note to all")


def test_entries_come_by_a_link_that_the_director_gives_away(comes, axe, picture):
    lin, mei = comes("Lin", size=PHONE), comes("Mei", size=PHONE, locale="zh-CN")
    cup = lin.api("POST", "/team-events", {**SETUP, "name": "Secret Cup"})["event"]
    mei.goes_to(f"teams/{cup}")
    mei.control("为自己的队伍报名").wait_for()
    lin.goes_to(f"teams/{cup}/direct")
    lin.presses("Take entries by a secret link alone")
    lin.sees("Only those who have this link may enter.")
    link = lin.field("Link to the event").input_value()
    looks_right(lin, axe, picture, "link")
    mei.page.reload()
    mei.sees("本比赛只接受通过裁判提供的链接报名。")
    looks_right(mei, axe, picture, "link-needed-zh", chinese=True)
    mei.goes_to(link.split("#/")[1])
    mei.fills("队名", "飞龙")
    mei.presses("为队伍报名")
    mei.sees("您代表「飞龙」参赛。")
    lin.page.reload()
    lin.presses("Make a new link")
    until(lin.page, "another link", lambda: lin.field("Link to the event").input_value() != link)
