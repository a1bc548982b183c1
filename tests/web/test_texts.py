"""The texts of the page fit the situation."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import asks, is_scored, leads

pytestmark = pytest.mark.browser


def test_a_player_of_arms_length_leads_one_card(person):
    lin = person()
    lin.begins("arms_length", 4, until=leads)
    lin.sees("Lead any card.")
    lin.sees_no("several")


def test_an_ended_round_asks_nobody(person):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    lin.result.wait_for()
    lin.page.keyboard.press("Escape")
    lin.control("Result of the round").wait_for()
    lin.sees("The round is over")


def test_the_lobby_says_when_no_table_matches(person):
    lin = person()
    lin.registers()
    lin.goes_to("lobby")
    selects = lin.all("combobox")
    expect(selects).to_have_count(2)
    tops = selects.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)")
    assert tops == tops[:1] * 2, "both are in one row, on a phone too"
    lin.selects("Game", "shengji_six")
    lin.sees("No public table has a free seat")
    lin.selects("Show", "playing")
    lin.sees("No public game is running")


def test_names_and_numbers_are_listed_as_chinese_does(person):
    lin = person(locale="zh-CN")
    lin.registers()
    page = lin.page
    lin.goes_to("rules/zhaopengyou_80")
    lin.sees("4、6、8 人")
    status = page.evaluate(
        """import("/app/round/explain.js").then(({ waitingFor }) => waitingFor({
          decision: { kind: "play", seats: [0, 1] },
          seats: [{ occupant: { name: "Lin" } }, { occupant: { name: "AI 2" } }],
        }))"""
    )
    assert status == "轮到 Lin和AI 2 出牌"


def test_sentences_of_the_rules_have_a_space_between_them(person):
    lin = person()
    lin.goes_to("rules/finding_friends")
    lin.sees(". The declarer calls")


def test_the_rules_of_a_table_lead_back_to_it(person):
    lin = person()
    table = lin.begins("sishifen", 4)
    lin.presses("Menu")
    lin.presses("Rules")
    lin.presses("Back")
    lin.is_at_a_table()
    assert lin.page.url.endswith(f"#/table/{table}")


def test_the_summary_names_the_threshold_and_what_its_columns_are(person):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    lin.result.wait_for()
    # The page asks for the rules of the table, which name the threshold, after it has shown the result.
    # Points below the first threshold have a name instead.
    lin.result.get_by_text(re.compile("threshold of|^Under half: fewer than|^Shut-out$")).wait_for()
    levels_of = lin.part("table", "Levels")
    assert levels_of.all("columnheader").all_inner_texts() == ["Player", "Side", "Points", "Level"]
    # Levels that have changed are shown with the ones before, after a reload too.
    while True:
        view = lin.finishes(table)
        record = lin.api("GET", f"/games/{view['game']['id']}/rounds/{view['round']['number']}")
        levels = [*zip((each["level"] for each in record["standings"]), record["levels"], strict=True)]
        if any(before != after for before, after in levels):
            break
        lin.presses("Next round")
        expect(lin.result).to_have_count(0)
        lin.beside.plays_on(table, asks("play"))
    lin.result.wait_for()
    changes = [after if before == after else f"from {before} to {after}" for before, after in levels]
    for _ in range(2):
        rows = levels_of.all("row").filter(has=lin.page.get_by_role("rowheader"))
        expect(rows).to_have_count(len(changes))
        for row, change in zip(rows.all(), changes, strict=True):
            expect(row.get_by_role("cell", name=change, exact=True)).to_have_count(1)
        lin.page.reload()
        lin.result.wait_for()


@pytest.mark.parametrize(
    ("locale", "ordinals", "points", "names", "numbers"),
    [
        ("en-GB", ["1st", "2nd", "3rd", "11th", "22nd"], ["1 point", "0 points"], "Lin, Mei and Bo", ["+2", "1.50"]),
        ("zh-CN", [f"第 {at} 张" for at in (1, 2, 3, 11, 22)], ["1 分", "0 分"], "Lin、Mei和Bo", ["+2", "1.50"]),
    ],
)
def test_numbers_and_lists_follow_the_rules_of_the_language(person, locale, ordinals, points, names, numbers):
    lin = person(locale=locale)
    lin.registers()
    shown = lin.page.evaluate(
        """import("/app/texts/texts.js").then(({ decimal, enumerated, ordinal, signed, t }) => [
          [1, 2, 3, 11, 22].map(ordinal),
          [1, 0].map((count) => t("seat.points", { count })),
          enumerated(["Lin", "Mei", "Bo"]),
          [signed(2), decimal(1.5, 2)],
        ])"""
    )
    assert shown == [ordinals, points, names, numbers]
