"""Looking back at a round: my mistakes with what they cost, open hands, the points as a curve, and arrow keys."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.web import pieces
from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, until
from tests.web.test_layout import covered

pytestmark = pytest.mark.browser

#: The slider of a replay.
POSITION = re.compile("^(Position|位置)$")
#: How much less a played card is worth than another, in the analysis below.
GAIN = 0.21


def judged(action, best=None):
    reason = {"code": "search", "params": {}, "text": "It gains more."}
    shared = {"seq": action["seq"], "seat": action["seat"], "type": action["type"], "level": "expert", "reason": reason}
    better = {"type": action["type"], "cards": [best]} if best else None
    return {**shared, "best": better, "gain": GAIN if best else 0.0, "error": 0.0}


class Analyst:
    """Stubs the analysis: at first it is in progress, then it has found some mistakes."""

    def __init__(self, actions, wrong):
        self.decisions = [judged(action, "AS" if at in wrong else None) for at, action in enumerate(actions)]
        self.done, self.requests = 5, []

    def answer(self, route):
        self.requests.append(route.request.method)
        of = len(self.decisions)
        progress = {"game": "", "round": 1, "level": "expert", "done": self.done, "of": of}
        progress |= {"status": "ready" if self.done == of else "working", "decisions": self.decisions[: self.done]}
        route.fulfill(body=json.dumps(progress), content_type="application/json")


def scored_game(lin):
    """Bring a game against AI players to the end of its first round; return the table, the game and its actions."""
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    return table, game, lin.api("GET", f"/games/{game}/rounds/1")["actions"]


def goes_to(lin, step):
    lin.fills(POSITION, str(step))


def at(lin):
    return int(lin.field(POSITION).input_value())


def test_after_a_round_against_ai_players_my_mistakes_are_shown(person, axe, picture):
    lin = person()
    table, _, actions = scored_game(lin)
    page = lin.page
    plays = [number for number, action in enumerate(actions) if action["type"] == "play"]
    mine = [number for number in plays if actions[number]["seat"] == 0]
    others = [number for number in plays if actions[number]["seat"] == 1]
    wrong = [others[0], mine[1], mine[4]]
    analyst = Analyst(actions, wrong)
    page.route("**/analysis*", analyst.answer)
    lin.presses("My mistakes")
    lin.all("progressbar", "How far the AI has come").wait_for()
    lin.sees("The AI is thinking: 5 of")
    analyst.done = len(actions)
    # Only my mistakes are listed, with what they cost.
    mistakes = lin.items("My mistakes")
    expect(mistakes).to_have_count(2)
    assert all(f"−{GAIN}" in each for each in mistakes.all_inner_texts())
    lin.all("heading", re.compile("2 mistakes of yours: 0.42 levels")).wait_for()
    assert page.locator(pieces.MISTAKE_ON_THE_CURVE).count() == 2
    for wanted in (mine[1], mine[4], mine[1]):
        lin.presses("To the next mistake")
        assert at(lin) == wanted
    mistakes.nth(1).get_by_role("button").click()
    assert at(lin) == mine[4]
    lin.all("heading", level=1).click()
    for key, wanted in (("ArrowRight", mine[4] + 1), ("ArrowLeft", mine[4]), ("Home", 0), ("End", len(actions) - 1)):
        page.keyboard.press(key)
        assert at(lin) == wanted
    # At the beginning, the open hands and the kitty hold all cards.
    page.keyboard.press("Home")
    lin.field("All hands open").check()
    hands = lin.part("region", "All hands").all("img")
    expect(hands).to_have_count(5)
    names = [name.split(", ") for name in hands.evaluate_all("(all) => all.map((each) => each.ariaLabel)")]
    assert sum(map(len, names)) == 54
    for size, locale, colours in (
        ((360, 740), "en-GB", "light"),
        (PHONE, "en-GB", "dark"),
        ((844, 390), "zh-CN", "light"),
        (DESKTOP, "zh-CN", "light"),
    ):
        lin.has_window(size)
        lin.speaks(locale)
        page.emulate_media(color_scheme=colours)
        goes_to(lin, mine[1])
        lin.seats.get_by_role("img").first.wait_for()
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"review-{size[0]}.png")
        for step in plays[3:24:4]:  # four cards are on the table
            goes_to(lin, step)
            lin.seats.get_by_role("img").first.wait_for()
            lin.is_drawn()
            assert covered(lin) == [], (size, step)
    lin.presses("回到牌桌")
    lin.result.wait_for()
    assert page.url.endswith(f"#/table/{table}")


def test_an_analysis_without_progress_is_requested_again_and_then_reported_as_stopped(person):
    lin = person(fresh=True)
    _, game, actions = scored_game(lin)
    page = lin.page
    analyst = Analyst(actions, [])
    page.route("**/analysis*", analyst.answer)
    page.clock.install()
    lin.goes_to(f"replay/{game}/1?seat=0&analysis=1")
    lin.all("progressbar").wait_for()

    alert = lin.all("alert")

    def asks_again() -> bool:
        page.clock.run_for(2_000)
        return len(analyst.requests) > known or bool(alert.count())

    # Some 90 requests, each with as much patience as anything else.
    while not alert.count():
        known = len(analyst.requests)
        until(page, "another request, or a sentence that it has stopped", asks_again)
        assert analyst.requests.count("POST") <= 6
    assert analyst.requests.count("POST") == 6
    expect(alert).to_contain_text("stopped at 5 of")
    analyst.done = len(actions)
    lin.presses("Ask again")
    lin.sees("No mistake of yours was found.")


def test_no_analysis_is_offered_before_the_end_of_a_game_with_others(person):
    lin = person()
    _, game, _ = scored_game(lin)
    page = lin.page
    summary = lin.api("GET", f"/games/{game}")
    summary["seats"][1]["occupant"] = {"kind": "human", "player": "pl_1", "name": "Mei", "level": None}
    page.route(f"**/v1/games/{game}", lambda route: route.fulfill(json=summary))
    lin.goes_to(f"replay/{game}/1?seat=0")
    lin.is_at_a_replay()
    lin.is_still()
    assert lin.control("My mistakes").count() == 0
    page.unroute_all()
    page.reload()
    lin.control("My mistakes").wait_for()
