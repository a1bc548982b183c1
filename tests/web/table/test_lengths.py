"""Games that end before the last level: chosen in the form, counted at the table, explained at the end."""

import re

import pytest
from playwright.sync_api import expect

from tests.support.sorting import by_day
from tests.web.beside import asks
from tests.web.person import PHONE

pytestmark = pytest.mark.browser

WORDS = {
    "en-GB": {
        "field": "Length of a game",
        "drop": "The round that has begun when the time is up does not count",
        "make": "Make the table",
        "waiting": "30 minutes, without the round that has begun",
        "of": "Round 1 of 2",
        "why": "The agreed rounds are played.",
        "by": re.compile("The higher level has decided.|whoever declares next has won."),
        "left": re.compile(r"\d+ min left"),
        "up": "The time of the game is up; the round that had begun does not count.",
        "draw": "A draw: nothing tells the sides apart.",
    },
    "zh-CN": {
        "field": "一场打多久",
        "drop": "时间到时未打完的一局作废",
        "make": "建桌",
        "waiting": "30 分钟",
        "of": "第 1 局，共 2 局",
        "why": "约定的局数已打完。",
        "by": re.compile("级别较高者胜。|下局庄家方胜。"),
        "left": re.compile(r"剩 \d+ 分钟"),
        "up": "约定的时间已到，未打完的一局作废。",
        "draw": "平局：双方不分高下。",
    },
}


@pytest.mark.parametrize("locale", by_day(["zh-CN"], WORDS))
def test_the_form_offers_how_long_games_are_and_the_table_says_it(person, locale):
    words = WORDS[locale]
    lin = person(locale=locale, size=PHONE)
    lin.registers()
    lin.goes_to("new?ruleset=shengji")
    lin.selects(words["field"], '{"minutes":30}')
    lin.field(words["drop"]).check()
    lin.presses(words["make"])
    lin.is_waiting()
    lin.sees(words["field"], words["waiting"])
    view = lin.api("GET", f"/tables/{lin.page.url.rpartition('/')[2]}")
    assert view["settings"]["length"] == {"minutes": 30, "last_round": "dropped"}


def test_levels_are_typed_as_people_write_them_and_the_host_changes_them_before_the_game(person):
    lin = person()
    lin.registers()
    lin.goes_to("new?ruleset=shengji")
    lin.selects("Length of a game", "listed")
    lin.fills("Levels, one a round", "２，3 10、a")
    lin.sees("Who has gained more levels wins, then who has more points.")
    lin.presses("Make the table")
    lin.is_waiting()
    lin.sees("on the levels 2 3 10 A")
    table = f"/tables/{lin.page.url.rpartition('/')[2]}"
    assert lin.api("GET", table)["settings"]["length"] == {"levels": ["2", "3", "T", "A"]}
    lin.presses("Change the rules and the clock")
    lin.selects("Length of a game", '{"rounds":4}')
    lin.sees("4 rounds")
    expect(lin.page.get_by_text("on the levels 2 3 10 A")).to_have_count(0)
    assert lin.api("GET", table)["settings"]["length"] == {"rounds": 4}


def test_levels_that_do_not_exist_are_refused_in_words(person):
    lin = person()
    lin.tolerated += ("status of 400",)
    lin.registers()
    lin.goes_to("new?ruleset=shengji")
    lin.selects("Length of a game", "listed")
    lin.fills("Levels, one a round", "2 3 1")
    lin.presses("Make the table")
    lin.sees(re.compile("2, 3, 4, 5, 6"))
    assert "#/new" in lin.page.url


@pytest.mark.parametrize("locale", by_day(["en-GB"], WORDS))
def test_the_table_counts_the_rounds_and_the_end_says_what_has_decided(person, locale):
    words = WORDS[locale]
    lin = person(locale=locale, size=PHONE)
    table = lin.begins("sishifen", 4, length={"rounds": 2}, options={"must_play": []})
    lin.sees(words["of"])
    lin.beside.plays_on(table, lambda state: state["status"] == "finished")
    expect(lin.result.get_by_text(words["why"])).to_be_visible()
    expect(lin.result.get_by_text(words["by"])).to_be_visible()


@pytest.mark.parametrize("locale", by_day(["zh-CN"], WORDS))
def test_the_table_counts_the_minutes_and_a_round_that_is_dropped_is_no_dead_end(person, locale):
    words = WORDS[locale]
    lin = person(locale=locale, size=PHONE)
    table = lin.begins("sishifen", 4, length={"minutes": 20, "last_round": "dropped"}, until=asks("play"))
    lin.sees(words["left"])
    lin.beside.lets_hours_pass(table, 0.4)
    lin.sees(words["draw"], words["up"])
