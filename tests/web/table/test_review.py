"""Looking back at a round: my mistakes with what they cost, open hands, the points as a curve, and arrow keys."""

import json

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, until
from tests.web.test_layout import COVERED

pytestmark = pytest.mark.browser

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


def at(page):
    return page.evaluate("Number(document.querySelector('.replay input[type=range]').value)")


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
    page.click("dialog.summary a >> text=My mistakes")
    page.wait_for_selector(".replay progress")
    assert "5 of" in page.inner_text(".replay .progress")
    analyst.done = len(actions)
    # Only my mistakes are listed, with what they cost.
    page.wait_for_selector(".mistakes li")
    assert page.locator(".mistakes li").count() == 2
    assert all(f"−{GAIN}" in each for each in page.locator(".mistakes li").all_inner_texts())
    assert "2 mistakes of yours: 0.42 levels" in page.inner_text(".analysis h3")
    assert page.locator(".curve .mistake").count() == 2
    for wanted in (mine[1], mine[4], mine[1]):
        page.click(".replay .next-mistake")
        assert at(page) == wanted
    page.locator(".mistakes button").nth(1).click()
    assert at(page) == mine[4]
    page.locator("h1").click()
    for key, wanted in (("ArrowRight", mine[4] + 1), ("ArrowLeft", mine[4]), ("Home", 0), ("End", len(actions) - 1)):
        page.keyboard.press(key)
        assert at(page) == wanted
    # At the beginning, the open hands and the kitty hold all cards.
    page.keyboard.press("Home")
    page.get_by_label("All hands open").check()
    lin.comes_true("document.querySelectorAll('.open-hands [data-hand]').length >= 4")
    assert page.locator(".open-hands .card").count() == 54
    for size, locale, colours in (
        ((360, 740), "en-GB", "light"),
        (PHONE, "en-GB", "dark"),
        ((844, 390), "zh-CN", "light"),
        (DESKTOP, "zh-CN", "light"),
    ):
        lin.has_window(size)
        lin.speaks(locale)
        page.emulate_media(color_scheme=colours)
        page.locator(".replay input[type=range]").fill(str(mine[1]))
        page.wait_for_selector(".played .card")
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"review-{size[0]}.png")
        for step in plays[3:24:4]:  # four cards are on the table
            page.locator(".replay input[type=range]").fill(str(step))
            page.wait_for_selector(".played.winning .card")
            lin.is_drawn()
            assert page.evaluate(COVERED) == [], (size, step)
    page.click(".topbar a")
    page.wait_for_selector("dialog.summary")
    assert page.url.endswith(f"#/table/{table}")


def test_an_analysis_without_progress_is_requested_again_and_then_reported_as_stopped(person):
    lin = person(fresh=True)
    _, game, actions = scored_game(lin)
    page = lin.page
    analyst = Analyst(actions, [])
    page.route("**/analysis*", analyst.answer)
    page.clock.install()
    page.goto(f"{lin.url}/#/replay/{game}/1?seat=0&analysis=1")
    page.wait_for_selector(".replay progress")

    alert = page.locator(".analysis [role=alert]")

    def asks_again() -> bool:
        page.clock.run_for(2_000)
        return len(analyst.requests) > known or bool(alert.count())

    # Some 90 requests, each with as much patience as anything else.
    while not alert.count():
        known = len(analyst.requests)
        until(page, "another request, or a sentence that it has stopped", asks_again)
        assert analyst.requests.count("POST") <= 6
    assert analyst.requests.count("POST") == 6
    assert "stopped at 5 of" in page.inner_text(".analysis [role=alert]")
    analyst.done = len(actions)
    page.click(".analysis .suggest >> text=Ask again")
    page.wait_for_selector(".no-mistakes >> text=No mistake of yours was found.")


def test_no_analysis_is_offered_before_the_end_of_a_game_with_others(person):
    lin = person()
    _, game, _ = scored_game(lin)
    page = lin.page
    summary = lin.api("GET", f"/games/{game}")
    summary["seats"][1]["occupant"] = {"kind": "human", "player": "pl_1", "name": "Mei", "level": None}
    page.route(f"**/v1/games/{game}", lambda route: route.fulfill(json=summary))
    page.goto(f"{lin.url}/#/replay/{game}/1?seat=0")
    page.wait_for_selector(".replay .panel .ask")
    lin.is_still()
    assert page.locator(".replay .suggest").count() == 0
    page.unroute_all()
    page.reload()
    page.wait_for_selector(".replay .suggest")
