"""The points that matter at a table with house rules: as the service counts them."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import is_scored

pytestmark = pytest.mark.browser


def test_the_next_threshold_and_what_points_are_worth_are_shown(person):
    lin = person()
    lin.begins("finding_friends", 6, options={"decks": 4})
    points = lin.control(re.compile(r"^points\s*0\s*\/ (80|160)"))
    expect(points.locator("i")).to_have_count(2)  # marks on the meter
    points.tap()
    lin.sees("Declarers +")


@pytest.mark.parametrize(
    ("locale", "sentence"),
    # A worker replays the cards sixteen times.
    [
        (
            "en-GB",
            r"Played as usual, these cards give the attackers about \d+ points \(\d+–\d+\); you (took|let them take) ",
        ),
        pytest.param(
            "zh-CN",
            r"这副牌正常打，闲家约抓 \d+ 分（\d+–\d+）；您这一方(让闲家)?抓了 \d+ 分。",
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_the_result_of_a_round_says_what_its_cards_were_worth(person, locale, sentence):
    lin = person(locale=locale)
    lin.begins("sishifen", 4, until=is_scored)
    expect(lin.result.get_by_text(re.compile(sentence))).to_be_visible(timeout=60_000)
