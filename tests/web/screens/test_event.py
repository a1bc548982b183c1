"""The boards of an event: played by the controls of the page, and compared when it is over."""

import os
import time

import pytest
from redis import Redis

from service.boards.deals import BOARDS, new_event
from service.boards.scoring import standings
from service.processes.embedded_redis import EmbeddedRedis
from service.store import keys
from service.store.boards.events import BoardStore
from tests.web.beside import holds
from tests.web.person import PHONE, until
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
    page.wait_for_selector(".events a[href^='#/event/ev_2']")
    lin.is_still()  # what is still being loaded may move it
    page.tap(".events a[href^='#/event/ev_2']")
    page.wait_for_selector(".boards li")
    assert page.locator(".boards li").count() == BOARDS
    other = lin.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(".boards button")
    page.tap(".boards li:first-child button")
    page.wait_for_selector(".table.playing")
    table = page.url.rpartition("/table/")[2].partition("?")[0]
    # The tricks before the last one look as at any table.
    lin.beside.plays_on(table, holds(1), by=at_random, hurries=True)
    lin.comes_true("document.querySelectorAll('.hand .card').length === 1")
    assert lin.answers() == "play"
    lin.beside.plays_on(table, is_finished, by=at_random, hurries=True)
    lin.beside.notes(table)
    page.wait_for_selector("dialog.summary")
    assert page.locator("dialog.summary >> text=Replay").count() == 0, "the cards are sealed"
    page.tap("dialog.summary >> text=Back to the event")
    played = r"/Played as (attackers, who|declarers; the attackers) took \d+ points/"
    page.wait_for_selector(f".boards li:first-child >> text={played}")
    assert page.locator(".boards button").count() == BOARDS - 1
    # A second try, from a page that was loaded before the first.
    other.locator(".boards button").first.tap()
    other.wait_for_selector(".refusal >> text=You have played this board")
    assert "2, 3, 4, 5, 6, 7, 8" in other.inner_text(".refusal")
    other.close()


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
    ("locale", "took", "compared"),
    [
        ("en-GB", "took {points} points", "3 played these cards. You: {value}. AI players on average: "),
        ("zh-CN", "得 {points} 分", "3 人打过这副牌。您：{value}。电脑平均："),
    ],
    ids=["en", "zh"],
)
def test_eight_boards_are_played_on_a_phone_and_compared(person, service, own, picture, locale, took, compared):
    lin = person(size=PHONE, locale=locale, name="Eight boards")
    lin.tolerated = ("status of 409",)
    lin.registers()
    page, me, store = lin.page, lin.account["player"], store_of(service)
    event = made_now(store, own("ev_eight"), (own("pl_ada"), own("pl_bea")))
    page.reload()
    page.wait_for_selector(f".events a[href='#/event/{event['id']}']")
    lin.is_still()
    page.tap(f".events a[href='#/event/{event['id']}']")
    for number in range(1, BOARDS + 1):
        page.tap(f".boards > li:nth-child({number}) button.main")
        page.wait_for_selector(".table.playing")
        answered = lin.plays_until("summary", seconds=300)
        assert answered.count("play") >= 5, answered  # pairs and throws are several cards
        page.tap("dialog.summary a.button.main")
        page.wait_for_selector(f".boards > li:nth-child({number}) p")
        result = store.results_of(event["id"], me, BOARDS)[number]
        text = page.inner_text(f".boards > li:nth-child({number})")
        assert took.format(points=result["points"]) in text
    assert page.locator(".boards button").count() == 0
    # The event is over.
    store._redis.delete(keys.event(event["id"]))
    store.create({**event, "closes_at": int(time.time() * 1000)}, DAY)
    page.reload()
    page.wait_for_selector(".boards svg.line")
    until(page, "the standings", lambda: is_counted(page), patience=120_000)
    assert page.locator("table.results tbody tr").count() == 3
    assert page.locator("table.results tr.me td").first.inner_text() in ("1", "2", "3")
    assert page.locator(".boards svg.line circle.me").count() == BOARDS
    results = store.results_of(event["id"], me, BOARDS)
    page.reload()
    page.wait_for_selector(f".boards > li:nth-child({BOARDS}) svg path.mean", state="attached")
    for number in range(1, BOARDS + 1):
        value = results[number]["value"]
        figure = f"+{value}" if value > 0 else f"{value}"
        assert compared.format(value=figure) in page.inner_text(f".boards > li:nth-child({number})")
        assert page.locator(f".boards > li:nth-child({number}) svg circle").count() == 3
    lin.is_still()
    picture(page, f"eight-{locale[:2]}.png", full_page=True)


def is_counted(page):
    """Tell whether the standings are there; ask again while AI players still play the boards for comparison."""
    again = page.locator("[role=status] button.plain")
    if again.count():
        again.first.click()
    return page.locator("table.results tr.me").count() == 1


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
    page = lin.page
    page.goto(f"{lin.url}/#/event/{name}")
    page.wait_for_selector("table.results tr.me")
    assert page.locator("table.results tbody tr").count() == 3
    page.wait_for_selector(".boards svg.line")
    assert page.locator(".boards svg.line path.mean").count() == 1
    first = page.locator(".boards > li:first-child")
    assert "3 人打过这副牌。您：0。电脑平均：+10。" in first.inner_text()
    assert "P1：作闲家，抓 90 分。" in first.text_content()
    # The standings are above the boards.
    assert page.locator("table.results ~ .boards").count() == 1
