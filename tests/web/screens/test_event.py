"""The boards of an event: played by the controls of the page, and compared when it is over."""

import os
import re
import time

import pytest
from playwright.sync_api import expect
from redis import Redis

from service.boards.deals import BOARDS, new_event
from service.boards.scoring import standings
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.boards.events import BoardStore
from tests.web.beside import holds
from tests.web.person import PHONE, until
from tests.web.sight import Sight
from workers import ai

pytestmark = pytest.mark.browser
DAY = 86_400_000


def at_random(view, seed, _level):
    """Decide without hints: a board has none."""
    return ai.choose(view, seed, "random")


def is_finished(state):
    return state["status"] == "finished"


def store_of(service):
    return BoardStore(Redis.from_url(EmbeddedRedis(service.folder / "var" / "redis").url))


def test_a_board_is_played_once_from_the_start_page_to_its_result(person):
    lin = person(name="Board player")
    lin.tolerated = ("status of 409",)
    lin.registers()
    page = lin.page
    # The event of the day, which the service has made.
    today = lin.items("Today's boards").filter(has_text="0 of 8 boards played").get_by_role("link").first
    today.wait_for()
    lin.is_still()  # what is still being loaded may move it
    today.tap()
    boards = lin.items("Equal deals")
    expect(boards).to_have_count(BOARDS)
    other = Sight(lin.context.new_page())
    other.place.goto(page.url)
    other.items("Equal deals").first.get_by_role("button", name="Play").wait_for()
    boards.first.get_by_role("button", name="Play").tap()
    lin.is_playing()
    table = page.url.rpartition("/table/")[2].partition("?")[0]
    # Most tricks look as at any table. The last ones may be thrown together.
    lin.beside.plays_on(table, holds(8), by=at_random, hurries=True)
    lin.has_caught_up(table)
    assert lin.answers() == "play"
    lin.beside.plays_on(table, is_finished, by=at_random, hurries=True)
    lin.beside.notes(table)
    lin.result.wait_for()
    assert lin.control("Replay").count() == 0, "the cards are sealed"
    lin.control("Back to the event").tap()
    played = re.compile(r"Played as (attackers, who|declarers; the attackers) took \d+ points")
    expect(boards.first).to_contain_text(played)
    expect(boards.get_by_role("button")).to_have_count(BOARDS - 1)
    # Who has played it is compared at once; the replays are still sealed.
    expect(boards.first).to_contain_text("played these cards")
    assert boards.first.get_by_role("link", include_hidden=True).count() == 0
    # A second try, from a page that was loaded before the first.
    other.control("Play").first.tap()
    other.part("alert").sees("You have played this board", "2, 3, 4, 5, 6, 7, 8")
    other.place.close()


def made_now(store, name, players=()):
    """Make an event whose boards these players have all played; everybody gets the same deal."""
    now = int(time.time() * 1000)
    event = new_event(name, "sishifen", 4, now, os.urandom)
    for board in event["boards"]:
        del board["seeds"][1:]
    store.create(event, DAY)
    for at, player in enumerate(players):
        store.enter(name, player, {"name": f"Entrant {at}", "at": now})
        for number in range(1, BOARDS + 1):
            result = {"deal": 0, "game": f"gm_{at}{number}_1", "at": now, "value": 10 * at - 15, "points": 35}
            store.add_result(name, number, player, {**result, "side": "attackers"})
    return event


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "words", "took", "compared"),
    [
        (
            "en-GB",
            ("Equal deals", "Standings", "Play", "Back to the event"),
            "took {points} points",
            "3 played these cards. You: {value}. AI players on average: ",
        ),
        (
            "zh-CN",
            ("同牌比赛", "名次", "开打", "回到比赛"),
            "抓 {points} 分",
            "3 人打过这副牌。您：{value}。电脑平均：",
        ),
    ],
    ids=["en", "zh"],
)
def test_eight_boards_are_played_on_a_phone_and_compared(person, service, own, picture, locale, words, took, compared):
    lin = person(size=PHONE, locale=locale, name="Eight boards")
    lin.tolerated = ("status of 409",)
    lin.registers()
    page, me, store = lin.page, lin.account["player"], store_of(service)
    title, standings_, play, back = words
    event = made_now(store, own("ev_eight"), (own("pl_ada"), own("pl_bea")))
    page.reload()
    link = page.locator(f"a[href='#/event/{event['id']}']")
    link.wait_for()
    lin.is_still()
    link.tap()
    boards = lin.items(title)
    for board, number in ((boards.nth(at), at + 1) for at in range(BOARDS)):
        board.get_by_role("button", name=play).tap()
        lin.is_playing()
        answered = lin.plays_until("summary", seconds=300)
        assert answered.count("play") >= 5, answered  # pairs and throws are several cards
        lin.control(back).tap()
        board.get_by_role("paragraph").first.wait_for()
        result = store.results_of(event["id"], me, BOARDS)[number]
        expect(board).to_contain_text(took.format(points=result["points"]))
    expect(boards.get_by_role("button", name=play)).to_have_count(0)
    # The event is over.
    store._redis.delete(keys.event(event["id"]))
    store.create({**event, "closes_at": int(time.time() * 1000)}, DAY)
    page.reload()
    boards.first.get_by_role("img").wait_for()
    until(page, "the standings", lambda: is_counted(lin, standings_), patience=120_000)
    rows = lin.part("table", standings_).all("row")
    expect(rows).to_have_count(4)
    assert rows.filter(has_text=lin.name).get_by_role("cell").first.inner_text() in ("1", "2", "3")
    results = store.results_of(event["id"], me, BOARDS)
    page.reload()
    for board, number in ((boards.nth(at), at + 1) for at in range(BOARDS)):
        value = results[number]["value"]
        figure = f"+{value}" if value > 0 else f"{value}"
        expect(board).to_contain_text(compared.format(value=figure))
        assert board.get_by_role("img").locator("circle").count() == 3
    lin.is_still()
    picture(page, f"eight-{locale[:2]}.png", full_page=True)


def is_counted(lin, standings_):
    """Tell whether the standings are there; ask again while AI players still play the boards for comparison."""
    again = lin.all("status").get_by_role("button")
    if again.count():
        again.first.click()
    return lin.part("table", standings_).all("row").filter(has_text=lin.name).count() == 1


def test_after_the_event_each_board_shows_everybody_on_a_line(person, service, own):
    lin = person(locale="zh-CN", name="Board reader")
    lin.registers()
    me, store = lin.account["player"], store_of(service)
    now = int(time.time() * 1000)
    name = own("ev_past")
    event = new_event(name, "shengji", 4, now - 2 * DAY, bytes)
    for board in event["boards"]:
        del board["seeds"][1:]
    store.create(event, DAY)
    for at, player in enumerate((me, own("pl_ada"), own("pl_bea"))):
        store.enter(name, player, {"name": f"P{at}", "at": now - 2 * DAY})
        result = {"deal": 0, "game": f"gm_{at}_1", "at": now - DAY, "value": 10 * at, "points": 80 + 10 * at}
        store.add_result(name, 1, player, {**result, "side": "attackers"})
    for deal in range(4):
        store.add_field(name, 1, deal, [5, 15])
    rows = standings(event, store.entries(name), store.results(name, [1]), store.fields(name))
    store.set_standings(name, rows)
    lin.goes_to(f"event/{name}")
    table, boards = lin.part("table", "名次"), lin.items("同牌比赛")
    table.sees("P0")
    expect(table.all("row")).to_have_count(4)
    compared = "3 人打过这副牌。您：0。电脑平均：+10。"
    expect(boards.first.get_by_role("img", name=compared)).to_be_visible()
    expect(boards.first).to_contain_text(compared)
    expect(boards.first).to_contain_text("P1：作闲家，抓 90 分。")
    # The standings are above the boards.
    assert table.place.bounding_box()["y"] < boards.first.bounding_box()["y"]
