"""The coach: past rounds, mistakes by theme, and the riddles of the day."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE
from tests.workers.rounds import FAST, plays_asked

pytestmark = pytest.mark.browser

RIDDLE = re.compile("^(Riddle|第) ?[1-3]")


def riddles(lin):
    return lin.page.get_by_role("region", name=RIDDLE)


@pytest.fixture(scope="module")
def positions():
    """Five views in which a seat leads or follows, with tricks before."""
    return [each.view for each in plays_asked("shengji", 4, FAST, 3)][41:46]


def test_rounds_are_listed_and_lead_to_the_replay_of_the_worst_mistakes(person, axe, picture):
    lin = person(size=PHONE)
    table = lin.begins("sishifen", 4, until=is_scored)
    page, game = lin.page, lin.api("GET", f"/tables/{table}")["game"]["id"]
    lin.goes_to("games")
    rounds = page.get_by_role("list", name="Rounds").get_by_role("listitem")
    expect(rounds).to_have_count(1)
    lin.sees("No finished game yet")
    lin.presses("My mistakes by theme")
    lin.sees(re.compile("^Have rounds of yours analysed"))
    record = lin.api("GET", f"/games/{game}/rounds/1")["actions"]
    [at] = [number for number, each in enumerate(record) if each["type"] == "play" and each["seat"] == 0][4:5]
    best = {"type": "play", "cards": ["AS"]}
    judged = {"seq": record[at]["seq"], "seat": 0, "type": "play", "level": "expert", "best": best, "gain": 0.31}
    rest = {"error": 0.05, "reason": {"code": "boss", "params": {}}, "theme": "trumps-late", "by": "player"}
    lin.beside.analyses(game, 1, [{**judged, **rest}])
    page.reload()
    lin.presses("My mistakes by theme")
    themes = page.get_by_role("table", name="My mistakes by theme")
    expect(themes.get_by_role("rowheader")).to_have_text(["Trumps not led"])
    expect(rounds.get_by_role("link", name="Analysis")).to_have_count(1)
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "rounds.png", full_page=True)
    themes.get_by_role("link", name="−0.31 levels").click()
    lin.sees(re.compile(rf"Step {at + 1} of {len(record)}"))
    lin.all("button", re.compile("^One step on")).first.click()
    lin.sees(re.compile(rf"Step {at + 2} of {len(record)}"))
    page.go_back()
    rounds.get_by_role("link", name="Replay").click()
    lin.field("Position").wait_for()


def test_riddles_are_answered_by_touch_and_say_what_each_play_is_worth(person, positions, axe, picture):
    lin = person(size=PHONE)
    lin.registers()
    lin.beside.cuts_riddles(positions)
    page = lin.page
    page.goto(f"{lin.url}/#/")
    lin.control("Riddles of the day").tap()
    expect(riddles(lin)).to_have_count(3)
    lin.is_still()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "riddles.png", full_page=True)
    first = riddles(lin).first
    first.get_by_text("The tricks so far").click()
    expect(first.get_by_text("Trick 1", exact=True)).to_be_visible()
    for number in range(3):
        one = riddles(lin).nth(number)
        choices = one.get_by_role("group", name="What do you play?").get_by_role("button")
        expect(choices).to_have_count(2)
        choices.nth(number % 2).tap()
        worth = one.get_by_role("table", name="What do you play?").get_by_role("row")
        expect(worth).to_have_count(3)
        said = "Right: that is the best play." if number % 2 == 0 else re.compile(r"Yours costs 0\.20 levels")
        expect(one.get_by_text(said)).to_be_visible()
        expect(one.get_by_role("rowheader").filter(has_text="yours")).to_have_count(1)
    lin.sees("All done for today. Come back tomorrow.")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "riddles-solved.png", full_page=True)
    page.reload()
    lin.sees("All done for today. Come back tomorrow.")


def test_riddles_are_answered_by_keyboard_in_chinese(person, positions, axe, picture):
    lin = person(size=DESKTOP, locale="zh-CN", colours="dark")
    lin.registers()
    lin.beside.cuts_riddles(positions)
    lin.goes_to("riddles")
    expect(riddles(lin)).to_have_count(3)
    first = riddles(lin).first
    first.get_by_role("group", name="您怎么出？").get_by_role("button").first.focus()
    lin.page.keyboard.press("Enter")
    verdict = first.get_by_role("status")
    expect(verdict).to_be_focused()
    assert list(faults(lin.page, axe, chinese=True)) == []
    picture(lin.page, "riddles-zh.png", full_page=True)
