"""The boards of a day: played by the controls of the page, and compared when it is over."""

import time

import pytest
from redis import Redis

from service.boards.deals import BOARDS, new_event
from service.boards.scoring import standings
from service.processes.embedded_redis import EmbeddedRedis
from service.store.boards.events import RedisBoardStore
from tests.web.person import until

pytestmark = pytest.mark.browser
DAY = 86_400_000


def store_of(service):
    return RedisBoardStore(Redis.from_url(EmbeddedRedis(service.folder / "var" / "redis").url))


def test_a_board_is_played_from_the_start_page_and_its_result_is_shown(person, service):
    lin = person(name="Board player")
    lin.registers()
    page = lin.page
    page.tap(".events li:first-child a")
    page.wait_for_selector(".boards li")
    assert page.locator(".boards li").count() == BOARDS
    event = page.evaluate("location.hash").split("/")[2]
    page.tap(".boards li:first-child button")
    page.wait_for_selector(".table.playing")
    result = {"deal": 0, "game": "gm_1", "at": 1, "value": 5, "points": 85, "side": "attackers"}
    store_of(service).add_result(event, 1, lin.account["player"], result)
    page.goto(f"{lin.url}/#/")
    page.tap(".events li:first-child a")
    until(page, "the result", lambda: "took 85 points" in page.inner_text(".boards li:first-child"))
    assert page.locator(".boards button").count() == BOARDS - 1


def test_when_it_is_over_everybody_is_on_a_line(person, service):
    lin = person(locale="zh-CN", name="Board reader")
    lin.registers()
    me, store = lin.account["player"], store_of(service)
    now = int(time.time() * 1000)
    event = new_event("ev_past", "shengji", 4, now - 2 * DAY, bytes)
    for board in event["boards"]:
        del board["seeds"][1:]
    store.create(event, DAY)
    for at, player in enumerate((me, "pl_other0000001", "pl_other0000002")):
        store.enter("ev_past", player, {"name": f"P{at}", "at": now - 2 * DAY})
        result = {"deal": 0, "game": f"gm_{at}_1", "at": now - DAY, "value": 10 * at, "points": 80 + 10 * at}
        store.add_result("ev_past", 1, player, {**result, "side": "attackers"})
    for deal in range(4):
        store.add_field("ev_past", 1, deal, [5, 15])
    rows = standings(event, store.entries("ev_past"), store.results("ev_past", [1]), store.fields("ev_past"))
    store.set_standings("ev_past", rows)
    page = lin.page
    page.goto(f"{lin.url}/#/event/ev_past")
    page.wait_for_selector("table.results tr.me")
    assert page.locator("table.results tbody tr").count() == 3
    page.wait_for_selector(".boards svg.line")
    assert page.locator(".boards svg.line path.mean").count() == 1
    assert "人打过这副牌" in page.inner_text(".boards li:first-child")
