"""After a round, one tap: the browser checks the shuffle and says what that showed."""

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_one_tap_after_a_round_tells_that_it_was_dealt_fairly(person, axe, picture):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    page.click("dialog.summary a >> text=Dealt fairly?")
    page.wait_for_selector("[role=status] >> text=Dealt fairly: your browser shuffled all 54 cards again")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "dealt.png")
    page.click("header.bar a")
    page.wait_for_selector("dialog.summary")
    assert page.url.endswith(f"#/table/{table}")


def test_a_doctored_record_is_called_unfair(person, axe):
    lin = person(locale="zh-CN")
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page

    def shows(change, sentence):
        def answer(route):
            record = route.fetch().json()
            change(record["rounds"][0])
            route.fulfill(json=record)

        page.route("**/record", answer)
        page.goto(f"{lin.url}/#/")
        page.goto(f"{lin.url}/#/dealt/{game}/1")
        page.wait_for_selector(f"[role=status] >> text={sentence}")
        page.unroute("**/record")

    def swap(record):
        first, second = [action for action in record["actions"] if action["type"] == "play"][:2]
        first["cards"], second["cards"] = second["cards"], first["cards"]

    shows(lambda record: record["shuffle"].update(server_seed="00" * 32), "种子与封印不符")
    shows(lambda record: record["shuffle"].update(entropy={"0": "00ff"}), "这张牌不在他手里")
    shows(swap, "这张牌不在他手里")
    shows(lambda record: record.update(deals=[{"hands": [], "kitty": []}]), "这一局没有洗牌")
    shows(lambda record: None, "发牌公平")
    assert list(faults(page, axe, chinese=True)) == []
