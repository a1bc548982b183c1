"""Whole rounds of every ruleset, played by the controls of the page beside AI players."""

import pytest

from service.rules.options.rulesets import RULESETS
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser

#: Where the fewest players do not show the game best.
PLAYERS = {"zhaopengyou": 6, "zhaopengyou_80": 8, "finding_friends": 5}


@pytest.mark.parametrize(
    ("ruleset", "size"),
    [(ruleset, PHONE) for ruleset in RULESETS] + [("shengji", DESKTOP), ("finding_friends", DESKTOP)],
    ids=lambda value: {PHONE: "phone", DESKTOP: "desktop"}.get(value, value),
)
def test_a_whole_round_is_played_by_the_controls_of_the_page(person, ruleset, size):
    lin = person(size=size)
    lin.begins(ruleset, PLAYERS.get(ruleset, RULESETS[ruleset].players[0]))
    answered = lin.plays_until("summary")
    assert "play" in answered
    page = lin.page
    assert page.locator("dialog.summary table.score tr").count() >= 2
    # Where there are no levels and no sides to gain them, points say all.
    text = page.inner_text("dialog.summary")
    assert [word in text for word in ("Level", "Side")] == [ruleset != "arms_length"] * 2
    # Nothing sticks out of the window.
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("dialog.summary .main")
    page.wait_for_selector("dialog.summary", state="detached")
