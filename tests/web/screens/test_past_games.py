"""Past games, profiles and leaderboards show what the API says, and lead to replays and analyses."""

import re

import pytest

from tests.web.looking import faults
from tests.web.past import ended_early, whole
from tests.web.person import DESKTOP, until

pytestmark = pytest.mark.browser

DAY_MS = 86_400_000
#: 26 November 2025, noon in UTC.
NOON = 1_764_158_400_000
SHOWN = 20


def guest(lin, name):
    account = lin.api("POST", "/players", {"name": name, "kind": "human"})
    return account["player"]["id"], name


def me(lin):
    return lin.account["player"], lin.name


def shows(lin, count):
    lin.comes_true(f"document.querySelectorAll('.past > li').length === {count}")


def test_my_games_are_filtered_and_lead_to_replay_and_analysis(person):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    page.goto(f"{lin.url}/#/games")
    page.wait_for_selector("text=No finished game yet")
    mei = guest(lin, "Mei")
    for day in range(SHOWN + 1):
        lin.beside.keeps(whole(), [me(lin), mei], NOON + day * DAY_MS)
    sishifen = lin.beside.keeps(ended_early(), [me(lin)], NOON - DAY_MS)
    page.reload()
    shows(lin, SHOWN)
    page.click("button >> text=More")
    shows(lin, SHOWN + 2)
    listed = page.evaluate(
        "[...document.querySelectorAll('.past > li a.button')].map((link) => link.hash.split('/')[2])"
    )
    games = [game["game"] for game in lin.api("GET", "/me/games?limit=100")["items"]]
    assert [*dict.fromkeys(listed)] == games
    assert page.locator("button >> text=More").count() == 0
    for name, value, count in (
        ("rated", "true", SHOWN),
        ("rated", "false", 1),
        ("rated", "", SHOWN),
        ("with", mei[0], SHOWN),
        ("ruleset", "sishifen", 0),
        ("with", "", 1),
        ("ruleset", "", SHOWN),
    ):
        page.select_option(f"select[name={name}]", value)
        shows(lin, count)
        if count == 0:
            page.wait_for_selector("text=No such game")
    page.fill("input[name=until]", "2025-11-26")
    shows(lin, 2)
    page.reload()  # the filters are in the address
    shows(lin, 2)
    assert page.input_value("input[name=until]") == "2025-11-26"
    last = page.locator(".past > li").last
    assert "ended early" in last.inner_text()
    last.locator("a >> text=Replay").click()
    page.wait_for_selector(".replay .hand .card")
    assert f"#/replay/{sishifen}/1?" in page.url
    page.go_back()
    shows(lin, 2)
    with page.expect_request("**/analysis") as request_info:
        page.locator(".past > li").first.locator("a >> text=Analysis").click()
    assert request_info.value.post_data_json == {"round": 1}
    page.wait_for_selector(".replay :is(.analysis, .reason)")


def is_answered(page, what, does):
    """Do something, and return what the service answers to a request of the page (a pattern) meanwhile."""
    with page.expect_response(what) as answer:
        does()
    return answer.value.json()


def rows_of(leaderboard):
    """The rows of the leaderboard, as the page shows this answer of the service."""
    levels = {"easy": "简单", "normal": "普通", "hard": "困难", "expert": "专家"}
    rated = [
        (each["result"]["rating"], [str(each["place"]), each["name"] + marks(each["result"]), *numbers(each["result"])])
        for each in leaderboard["items"]
    ] + [
        (rating, ["–", f"电脑 {levels[level]}", "–", "–", f"{rating:.1f}"])
        for level, rating in leaderboard["ai_ratings"].items()
    ]
    return [row for _, row in sorted(rated, key=lambda each: -each[0])]


#: The page's request for everybody on the leaderboard, without `hide`.
EVERYBODY = re.compile(r"/v1/leaderboard\?ruleset=arms_length&limit=\d+$")
ROWS = "[...document.querySelectorAll('.results tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))"


@pytest.fixture
def rated(person, own):
    """Lin, who has played two rated games, and with whom: (id, name)."""
    lin = person(locale="zh-CN", size=DESKTOP)
    lin.registers()
    mei = guest(lin, own("Mei"))
    for day in range(2):
        lin.beside.keeps(whole(), [me(lin), mei], NOON + day * DAY_MS)
    return lin, mei


def test_the_leaderboard_and_profiles_show_what_the_api_says(rated, axe, picture):
    lin, (player, name) = rated
    page = lin.page
    page.goto(f"{lin.url}/#/")
    page.click("a >> text=排行榜")
    nobody = {"items": [], "ai_ratings": {}, "next_cursor": None}
    page.route("**/v1/leaderboard?*", lambda route: route.fulfill(json={**route.fetch().json(), **nobody}))
    page.select_option("select[name=ruleset]", "arms_length")
    page.wait_for_selector("text=这个玩法还没有人的积分既已确定又是近期的。")
    page.unroute("**/v1/leaderboard?*")
    page.check("input[name=provisional]")
    told = is_answered(page, EVERYBODY, lambda: page.check("input[name=inactive]"))
    assert name in [each["name"] for each in told["items"]]
    until(page, "the leaderboard of the other game", lambda: page.evaluate(ROWS) == rows_of(told))
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "leaderboard.png")
    page.click(f".results a.player[href*='{player}']")
    profile = is_answered(page, f"**/v1/players/{player}", lambda: page.click("dialog.person >> text=资料"))
    page.wait_for_selector(f"h1 >> text={name}")
    expected = [
        [*numbers(result, marks), str(profile["places"][ruleset])] for ruleset, result in profile["results"].items()
    ]
    until(page, "the results", lambda: [row[1:] for row in page.evaluate(ROWS)] == expected)
    page.wait_for_selector("text=计分的牌局满十场之前，积分为暂定。")
    course = lin.api("GET", f"/players/{player}/ratings?ruleset=arms_length")["items"]
    drawn = page.wait_for_selector(".course svg").get_attribute("aria-label")
    assert f"2 场：从 {course[0]['rating']:.1f} 到 {course[1]['rating']:.1f}" in drawn
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "profile.png", full_page=True)
    shows(lin, 2)
    page.click("header.bar a")
    page.wait_for_selector(".results a.player")


def test_a_seat_at_a_table_leads_to_the_profile_and_back(person):
    lin = person(locale="zh-CN", size=DESKTOP)
    lin.registers()
    page = lin.page
    table = lin.makes("sishifen", 4, ai=False)
    lin.invites(table, 2)
    lin.opens(table)
    for place in (".lobby-table a.player", ".seat a.chip"):
        page.locator(place, has_text="Guest 1").click()
        page.click("dialog.person >> text=资料")
        page.wait_for_selector("h1 >> text=Guest 1")
        page.wait_for_selector("text=还没有打完的牌局")
        page.click("header.bar a")
        page.wait_for_selector("main.table")
        for seat in (2, 3) if place.startswith(".lobby") else ():
            lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    assert page.url.endswith(f"#/table/{table}")


def marks(result):
    return "\n暂定" * result["provisional"] + "\n久未上场" * result["inactive"]


def numbers(result, mark=lambda _: ""):
    rating = result["rating"]
    figure = "–" if rating is None else f"{rating:.1f}{mark(result)}"
    return [str(result["games"]), str(result["wins"]), figure]
