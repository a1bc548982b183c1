"""Rounds of every ruleset, played by the controls of the page beside AI players: how they begin and how they end."""

import pytest
from playwright.sync_api import expect

from service.rules.options.rulesets import RULESETS
from tests.support.sorting import by_day
from tests.web.beside import holds
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: Numbers of players where the fewest do not show the game best.
PLAYERS = {"zhaopengyou": 6, "zhaopengyou_80": 8, "finding_friends": 5}
#: These are like `shengji` and `zhaopengyou`, which are played on a phone.
ON_DESKTOP = ("tractor", "zhaopengyou_80")


@pytest.mark.parametrize(
    ("ruleset", "size"),
    by_day(
        [("finding_friends", PHONE), ("tractor", DESKTOP), ("arms_length", PHONE)],
        [(ruleset, DESKTOP if ruleset in ON_DESKTOP else PHONE) for ruleset in RULESETS],
    ),
    ids=lambda value: {PHONE: "phone", DESKTOP: "desktop"}.get(value, value),
)
def test_a_whole_round_is_played_by_the_controls_of_the_page(person, ruleset, size):
    lin = person(size=size)
    table = lin.begins(ruleset, PLAYERS.get(ruleset, RULESETS[ruleset].players[0]), until=None)
    lin.plays_until("play")
    lin.answers()
    # The tricks in between look the same.
    lin.beside.plays_on(table, holds(1))
    expect(lin.hand.get_by_role("button")).to_have_count(1)
    assert lin.plays_until("summary") == ["play"]
    page = lin.page
    assert lin.result.get_by_role("table").first.get_by_role("row").count() >= 2
    # Without levels and sides, points are all there is to show.
    text = lin.result.inner_text()
    assert [word in text for word in ("Level", "Side")] == [ruleset != "arms_length"] * 2
    # Nothing is wider than the window.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    lin.result.get_by_role("button", name="Next round").click()
    expect(lin.result).to_have_count(0)
