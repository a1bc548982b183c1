"""After a round, one tap: the browser checks the shuffle and says what that showed."""

import re

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults

pytestmark = pytest.mark.browser


def test_one_tap_after_a_round_tells_that_it_was_dealt_fairly(person, axe, picture):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    page = lin.page
    lin.presses("Dealt fairly?")
    lin.sees("Dealt fairly: your browser shuffled all 54 cards again")
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "dealt.png")
    lin.presses("Back")
    lin.result.wait_for()
    assert page.url.endswith(f"#/table/{table}")


def test_a_doctored_record_is_called_unfair(person, axe):
    lin = person(locale="zh-CN")
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    page = lin.page

    changes = []

    def answer(route):
        record = route.fetch().json()
        changes[-1](record["rounds"][0])
        route.fulfill(json=record)

    def shows(change, sentence):
        changes.append(change)
        # Otherwise the page may get both addresses at once, and keep what it shows.
        lin.goes_home()
        lin.goes_to(f"dealt/{game}/1")
        lin.sees(sentence)

    page.route("**/record", answer)

    def swap(record):
        first, second = [action for action in record["actions"] if action["type"] == "play"][:2]
        first["cards"], second["cards"] = second["cards"], first["cards"]

    shows(lambda record: record["shuffle"].update(server_seed="00" * 32), "种子与封印不符")
    shows(lambda record: record["shuffle"].update(entropy={"0": "00ff"}), "这张牌不在他手里")
    shows(swap, "这张牌不在他手里")
    shows(lambda record: record.update(deals=[{"hands": [], "kitty": []}]), "这一局没有洗牌")
    shows(lambda record: None, "发牌公平")
    assert list(faults(page, axe, chinese=True)) == []


def test_everybody_can_see_how_all_cards_were_dealt(person, axe, picture):
    lin = person()
    page = lin.page
    hands = {"hands": 400, "pairs": [0, 0, 0, 0, 0, 0, 400], "jokers": [200, 0, 200], "longest": [0] * 9 + [400]}
    chance = {"pairs": [0, 0, 0, 0, 0, 0, 1], "jokers": [0.3, 0.4, 0.3], "longest": [0] * 9 + [1]}
    unlucky = {**hands, "jokers": [400, 0, 0]}
    told = {
        "ruleset": "shengji",
        "players": 4,
        "deals": 400,
        "chance": chance,
        "seats": [{"seat": seat, **hands} for seat in range(4)],
        "kinds": [{"kind": "human", **hands}, {"kind": "bot", **unlucky}, {"kind": "ai", **hands, "hands": 0}],
    }
    page.route("**/shengji/deals/4", lambda route: route.fulfill(json=told))
    lin.goes_to("dealt")
    tables = lin.all("table")
    tables.first.wait_for(state="attached")
    verdicts = lin.text(re.compile("As chance would have it|Further from chance"))
    assert verdicts.all_inner_texts() == [
        "As chance would have it.",
        "Further from chance than one time in 400: Programs.",
        "As chance would have it.",
    ]
    assert "AI players" not in tables.nth(2).inner_text()
    page.locator("main summary").nth(1).click()
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "dealt-all.png", full_page=True)
    lin.all("combobox").select_option("arms_length 4")
    tables.or_(lin.all("status")).first.wait_for(state="attached")
