"""The start page: its doors on one screen of a phone, one choice of the game that is remembered, and nothing moves."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.looking import faults, looks
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: Sum of the layout shifts so far, as Chromium counts them, without those that follow a tap.
SHIFTS = """new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries()
  .filter((each) => !each.hadRecentInput).reduce((sum, { value }) => sum + value, 0)))
  .observe({ type: "layout-shift", buffered: true }) ?? setTimeout(resolve, 500, 0))"""
#: Slow 3G: latency in ms, bytes per second.
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def waits_for_a_table(lin):
    """Give a player two tables and a room."""
    for ruleset in ("sishifen", "shengji"):
        table = lin.api("POST", "/tables", {"ruleset": ruleset, "players": 4})["id"]
        lin.api("POST", f"/tables/{table}/seats", {})
    lin.api("POST", "/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}})


def is_shown_alone(page, table):
    """Leave out of what a page reads the games of other tests, which are public too."""

    def answer(route):
        response = route.fetch()
        items = [each for each in response.json()["items"] if each["table"] == table]
        route.fulfill(response=response, json={**response.json(), "items": items})

    page.route("**/v1/tables?status=playing*", answer)


def going_on(lin):
    """The links to what waits."""
    return lin.all("region", re.compile("^(Go on|接着打)$")).get_by_role("link")


@pytest.mark.parametrize("returns", [False, True], ids=["visitor", "player"])
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_all_doors_are_on_one_screen_of_a_phone(person, returns, locale):
    lin = person(fresh=True, locale=locale)
    lin.page.goto(lin.url)
    if returns:
        lin.registers()
        waits_for_a_table(lin)
        lin.page.reload()
        expect(going_on(lin)).to_have_count(3)
    expect(lin.control("Play" if locale == "en-GB" else "开始")).to_be_enabled()
    last = lin.all("region", re.compile("^(Alone|一个人打)$"))
    expect(last.get_by_role("link")).to_have_count(3)
    box = last.bounding_box()
    assert box["y"] + box["height"] <= PHONE[1]


def test_one_choice_of_the_game_is_remembered_and_has_ways_to_play(person):
    lin = person(fresh=True)
    lin.tolerated = ("status of 409",)
    page = lin.page
    page.goto(lin.url)
    expect(lin.control("Play")).to_be_enabled()
    game, way = (page.get_by_role("combobox", name=name) for name in ("Game", "Way to play"))
    expect(way).to_have_count(0)
    expect(game.get_by_role("option", name="friends")).to_have_count(1)
    game.select_option("Finding friends (3 ways)")
    expect(way.get_by_role("option")).to_have_text(
        ["Looking for Friends", "Finding Friends", "Looking for Friends (80)"]
    )
    way.select_option("Finding Friends")
    page.reload()
    expect(way).to_have_value("finding_friends")
    page.get_by_role("button", name="Against AI players").click()
    lin.is_playing()
    view = lin.api("GET", f"/tables/{page.url.rpartition('/')[2]}")
    assert (view["ruleset"], view["players"]) == ("finding_friends", 5)
    page.goto(f"{lin.url}/#/")
    game.select_option("Sheng Ji, 4 players")
    expect(way).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("returns", [False, True], ids=["visitor", "player"])
def test_hardly_anything_moves_on_a_slow_network(person, returns, size):
    lin = person(fresh=True, size=size)
    lin.page.goto(lin.url)
    if returns:
        lin.registers()
        waits_for_a_table(lin)
        lin.page.reload()
        expect(going_on(lin)).to_have_count(3)
    lin.context.new_cdp_session(lin.page).send("Network.emulateNetworkConditions", SLOW)
    lin.page.goto(f"{lin.url}/healthz")
    lin.page.goto(lin.url)
    expect(lin.control("Play")).to_be_enabled()
    if returns:
        expect(going_on(lin)).to_have_count(3)
    lin.is_still()
    assert lin.page.evaluate(SHIFTS) < 0.1


def test_the_start_page_is_accessible_and_shows_who_is_there(person, axe, picture):
    lin, mei = person(fresh=True), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    waits_for_a_table(lin)
    for one, other in ((lin, mei), (mei, lin)):
        one.api("PUT", f"/me/friends/{other.account['player']}")
    lin.beside.is_there(mei.account["player"])
    lin.page.reload()
    expect(lin.page.get_by_text("Here now: Mei")).to_be_visible()
    for number in range(2):
        for look, chinese in looks(lin, number):
            picture(lin.page, f"doors-{look}.png")
            assert list(faults(lin.page, axe, chinese=chinese)) == [], look
    lin.page.get_by_role("link", name="Today's boards").click()
    lin.page.get_by_role("heading", name="Today's boards", level=1).wait_for()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_a_table_where_people_play_is_watched_from_the_start_page_and_a_seat_of_an_ai_taken_after_the_round(
    person, locale
):
    host = person(fresh=True)
    host.page.goto(host.url)
    host.registers()
    spec = {"ruleset": "shengji", "players": 4, "visibility": "public", "spectators": "open"}
    table = host.api("POST", "/tables", spec)["id"]
    host.api("POST", f"/tables/{table}/seats", {})
    for seat in (1, 2, 3):
        host.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    host.api("PUT", f"/tables/{table}/seats/me/ready", {})
    lin = person(fresh=True, locale=locale)
    is_shown_alone(lin.page, table)
    lin.page.goto(lin.url)
    lin.registers()
    lin.page.reload()
    link = lin.all("region", re.compile("^(1 person plays just now|现在有 1 人在打牌)$")).get_by_role("link")
    expect(link).to_contain_text("a seat after the round" if locale == "en-GB" else "本局后可入座")
    link.click()
    expect(lin.page).to_have_url(re.compile(f"#/table/{table}$"))
