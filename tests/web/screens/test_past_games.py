"""Past games, profiles and leaderboards show what the API says, and lead to replays and analyses."""

import re
from decimal import ROUND_HALF_UP, Decimal

import pytest
from playwright.sync_api import expect

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
    """Wait until so many past games are listed."""
    expect(lin.items(re.compile("^(Latest games|最近牌局)$"))).to_have_count(count)


def test_my_games_are_filtered_and_lead_to_replay_and_analysis(person):
    lin = person(fresh=True)
    lin.registers()
    page = lin.page
    lin.goes_to("games")
    lin.sees("No finished game yet")
    mei = guest(lin, "Mei")
    for day in range(SHOWN + 1):
        lin.beside.keeps(whole(), [me(lin), mei], NOON + day * DAY_MS)
    sishifen = lin.beside.keeps(ended_early(), [me(lin)], NOON - DAY_MS)
    page.reload()
    shows(lin, SHOWN)
    lin.presses("More")
    shows(lin, SHOWN + 2)
    replays = lin.all("link", re.compile("^(Replay|Analysis)"))
    listed = replays.evaluate_all("(all) => all.map((link) => link.hash.split('/')[2])")
    games = [game["game"] for game in lin.api("GET", "/me/games?limit=100")["items"]]
    assert [*dict.fromkeys(listed)] == games
    expect(lin.control("More")).to_have_count(0)
    for name, value, count in (
        ("Rating", "true", SHOWN),
        ("Rating", "false", 1),
        ("Rating", "", SHOWN),
        ("With", mei[0], SHOWN),
        ("Game", "sishifen", 0),
        ("With", "", 1),
        ("Game", "", SHOWN),
    ):
        lin.selects(name, value)
        shows(lin, count)
        if count == 0:
            lin.sees("No such game")
    lin.fills("Until", "2025-11-26")
    shows(lin, 2)
    page.reload()  # the filters are in the address
    shows(lin, 2)
    expect(lin.field("Until")).to_have_value("2025-11-26")
    games = lin.items("Latest games")
    expect(games.last).to_contain_text("ended early")
    games.last.get_by_role("link", name="Replay").click()
    lin.is_at_a_replay()
    assert f"#/replay/{sishifen}/1?" in page.url
    page.go_back()
    shows(lin, 2)
    with page.expect_request("**/analysis") as request_info:
        games.first.get_by_role("link", name="Analysis").click()
    assert request_info.value.post_data_json == {"round": 1}
    lin.is_at_a_replay()


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
        (rating, ["–", f"电脑 {levels[level]}", "–", "–", figure(rating)])
        for level, rating in leaderboard["ai_ratings"].items()
    ]
    return [row for _, row in sorted(rated, key=lambda each: -each[0])]


#: The page's request for everybody on the leaderboard, without `hide`.
EVERYBODY = re.compile(r"/v1/leaderboard\?ruleset=arms_length&limit=\d+$")
ROWS = "[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.innerText))"


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
    lin.goes_to()
    lin.presses("排行榜")
    nobody = {"items": [], "ai_ratings": {}, "next_cursor": None}
    page.route("**/v1/leaderboard?*", lambda route: route.fulfill(json={**route.fetch().json(), **nobody}))
    lin.selects("玩法", "arms_length")
    lin.sees("这个玩法还没有人的积分既已确定又是近期的。")
    page.unroute("**/v1/leaderboard?*")
    _of_days, provisional, inactive = lin.all("checkbox").all()
    provisional.check()
    told = is_answered(page, EVERYBODY, inactive.check)
    assert name in [each["name"] for each in told["items"]]
    until(page, "the leaderboard of the other game", lambda: page.evaluate(ROWS) == rows_of(told))
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "leaderboard.png")
    lin.presses(name)
    profile = is_answered(page, f"**/v1/players/{player}", lambda: lin.dialog(name).presses("资料"))
    lin.all("heading", name).wait_for()
    expected = [
        [*numbers(result, marks), str(profile["places"][ruleset])] for ruleset, result in profile["results"].items()
    ]
    until(page, "the results", lambda: [row[1:] for row in page.evaluate(ROWS)] == expected)
    lin.sees("计分的牌局满十场之前，积分为暂定。")
    course = lin.api("GET", f"/players/{player}/ratings?ruleset=arms_length")["items"]
    drawn = f"2 场：从 {figure(course[0]['rating'])} 到 {figure(course[1]['rating'])}"
    lin.all("img", re.compile(re.escape(drawn))).wait_for()
    assert list(faults(page, axe, chinese=True)) == []
    picture(page, "profile.png", full_page=True)
    shows(lin, 2)
    lin.control(re.compile("^(首页|返回)")).first.click()
    lin.part("table", "排行榜").sees(name)


def test_a_seat_at_a_table_leads_to_the_profile_and_back(person):
    lin = person(locale="zh-CN", size=DESKTOP)
    lin.registers()
    page = lin.page
    table = lin.makes("sishifen", 4, ai=False)
    lin.invites(table, 2)
    lin.opens(table)
    for place in (lin.items("座位").get_by_role("link"), lin.seats.get_by_role("link")):
        place.filter(has_text="Guest 1").click()
        lin.dialog("Guest 1").presses("资料")
        lin.all("heading", "Guest 1").wait_for()
        lin.sees("还没有打完的牌局")
        lin.control(re.compile("^(首页|返回)")).first.click()
        lin.is_at_a_table()
        for seat in (2, 3) if lin.items("座位").count() else ():
            lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "easy"})
    assert page.url.endswith(f"#/table/{table}")


def marks(result):
    return "\n暂定" * result["provisional"] + "\n久未上场" * result["inactive"]


def figure(rating):
    """A rating as the page rounds it: 5.85 to 5.9, which `f"{5.85:.1f}"` makes 5.8."""
    return str(Decimal(str(rating)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def numbers(result, mark=lambda _: ""):
    rating = result["rating"]
    shown = "–" if rating is None else figure(rating) + mark(result)
    return [str(result["games"]), str(result["wins"]), shown]
