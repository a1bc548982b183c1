"""The texts of the page fit the situation."""

import json
import re

import pytest

from tests.web.beside import asks, is_scored, leads

pytestmark = pytest.mark.browser


def test_a_player_of_arms_length_leads_one_card(person):
    lin = person()
    lin.begins("arms_length", 4, until=leads)
    lin.page.wait_for_selector(".panel .ask >> text=Lead any card.")
    assert "several" not in lin.page.inner_text(".panel .ask")


def test_an_ended_round_asks_nobody(person):
    lin = person()
    lin.begins("sishifen", 4, until=is_scored)
    lin.page.wait_for_selector("dialog.summary")
    lin.page.keyboard.press("Escape")
    lin.page.wait_for_selector(".reopen")
    assert lin.page.inner_text(".status") == "The round is over"


def test_the_lobby_says_when_no_table_matches(person):
    lin = person()
    lin.registers()
    lin.page.goto(f"{lin.url}/#/lobby")
    lin.page.wait_for_selector(".filters select")
    selects = lin.page.locator(".filters select")
    tops = selects.evaluate_all("(all) => all.map((each) => each.getBoundingClientRect().top)")
    assert tops == tops[:1] * 2, "both are in one row, on a phone too"
    lin.page.select_option(".filters select >> nth=0", "shengji_six")
    lin.page.wait_for_selector("text=No public table has a free seat")
    lin.page.select_option(".filters select >> nth=1", "playing")
    lin.page.wait_for_selector("text=No public game is running")


def test_names_and_numbers_are_listed_as_chinese_does(person):
    lin = person(locale="zh-CN")
    lin.registers()
    page = lin.page
    page.wait_for_selector(".games li button")
    assert "4、6、8 人" in page.inner_text(".games")
    status = page.evaluate(
        """import("/app/round/explain.js").then(({ waitingFor }) => waitingFor({
          decision: { kind: "play", seats: [0, 1] },
          seats: [{ occupant: { name: "Lin" } }, { occupant: { name: "AI 2" } }],
        }))"""
    )
    assert status == "轮到 Lin和AI 2 出牌"


def test_sentences_of_the_rules_have_a_space_between_them(person):
    lin = person()
    lin.page.goto(f"{lin.url}/#/rules/finding_friends")
    lin.page.wait_for_selector(".rules section")
    assert ". The declarer calls" in lin.page.inner_text(".rules section >> nth=0")


def test_the_rules_of_a_table_lead_back_to_it(person):
    lin = person()
    table = lin.begins("sishifen", 4)
    lin.page.click("header button >> nth=-1")
    lin.page.click("dialog.menu a.button")
    lin.page.click("header.bar a")
    lin.page.wait_for_selector("main.table")
    assert lin.page.url.endswith(f"#/table/{table}")


def test_the_summary_names_the_threshold_and_what_its_columns_are(person):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    lin.page.wait_for_selector("dialog.summary")
    # The page asks for the rules of the table, which name the threshold, after it has shown the result.
    # Points below the first threshold have a name instead.
    lin.result.get_by_text(re.compile("threshold of|^Under half: fewer than|^Shut-out$")).wait_for()
    assert lin.page.locator(".levels thead th").all_inner_texts() == ["Player", "Side", "Points", "Level"]
    # Levels that have changed are shown with the ones before, after a reload too.
    while True:
        view = lin.finishes(table)
        record = lin.api("GET", f"/games/{view['game']['id']}/rounds/{view['round']['number']}")
        levels = [*zip((each["level"] for each in record["standings"]), record["levels"], strict=True)]
        if any(before != after for before, after in levels):
            break
        lin.page.click("dialog.summary .main")
        lin.page.wait_for_selector("dialog.summary", state="detached")
        lin.beside.plays_on(table, asks("play"))
    lin.page.wait_for_selector("dialog.summary")
    changes = [after if before == after else f"{before} → {after}" for before, after in levels]
    for _ in range(2):
        lin.comes_true(
            f"""JSON.stringify([...document.querySelectorAll(".levels tbody tr")].map((row) =>
                row.cells[3].querySelector("[aria-hidden]")?.textContent ?? row.cells[3].textContent))
                === JSON.stringify({json.dumps(changes)})"""
        )
        lin.page.reload()
        lin.page.wait_for_selector("dialog.summary")


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
