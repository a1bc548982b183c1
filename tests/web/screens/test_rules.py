"""The rules page of every ruleset and preset says what the service plays by."""

import re

import pytest

from service.rules.composition import composition
from service.rules.options.catalogue import catalogue
from service.rules.options.rulesets import RULESETS, effective_options
from service.rules.rounds.scoring import bands
from tests.support.sorting import by_day
from tests.web.person import until

pytestmark = pytest.mark.browser


def shown_by(page):
    """Return the numbers of decks, cards in hand and in the kitty, and the points in the score table."""
    cards = page.inner_text(".rules section >> nth=0")
    points = page.locator(".rules table tbody td.number").all_inner_texts()
    numbers = [int(number) for number in re.findall(r"\d+", cards)]
    return numbers[:3], [int(number) for number in points]


@pytest.mark.parametrize("ruleset", by_day({"finding_friends", "arms_length", "tractor"}, RULESETS))
def test_the_page_says_which_cards_points_and_options_a_preset_has(person, ruleset):
    lin = person()
    lin.registers()
    page = lin.page
    page.goto(f"{lin.url}/#/rules/{ruleset}")
    for preset in catalogue(ruleset)["presets"]:
        for players in {preset["players"][0], preset["players"][-1]}:
            page.select_option(".pair select >> nth=0", str(players))
            page.select_option(".pair select >> nth=1", preset["id"])
            page.wait_for_selector(f".rules .hint >> text={preset['meaning']['en']}")
            options = effective_options(ruleset, players, preset["options"])
            cards = composition(ruleset, players, options)
            table = bands(ruleset, cards.decks, options) if RULESETS[ruleset].family == "shengji" else ()
            wanted = [cards.decks, cards.hand, *([cards.kitty] if cards.kitty else [])], [band.points for band in table]
            lin.comes_true(f"document.querySelectorAll('.rules .options .changed').length === {len(preset['options'])}")
            until(page, f"{preset['id']} {players} {wanted}", lambda wanted=wanted: shown_by(page) == wanted)
    pictures = page.locator(".pictures .cards").count()
    assert pictures == 0 if ruleset == "arms_length" else pictures >= 1
    # Nobody declares in Arm's Length, so its deal has no pace.
    assert page.locator(".options dt >> text=Pace of the deal").count() == (ruleset != "arms_length")
    assert page.locator("section h2 >> text=/^Friends$/").count() == (RULESETS[ruleset].teams == "friends")


def test_an_option_without_a_value_says_none(person):
    lin = person()
    lin.registers()
    lin.page.goto(f"{lin.url}/#/rules/shengji")
    lin.page.wait_for_selector(".rules .options dd")
    for locale, none in (("en-GB", "None"), ("zh-CN", "无")):
        lin.speaks(locale)
        values = lin.page.locator(".rules .options dd").all_inner_texts()
        assert "–" not in values
        assert none in values


def test_rules_and_house_rules_can_be_read_without_a_name(person):
    lin = person(fresh=True)
    lin.page.goto(f"{lin.url}/#/rules/finding_friends")
    lin.page.wait_for_selector(".rules table")
    assert lin.page.locator(".pictures .cards").count() == 5
    lin.page.locator(".pair select >> nth=1").select_option(index=1)
    lin.page.wait_for_selector(".rules .options .changed")
    # The cards and points that follow from house rules are shown to registered players only.
    lin.page.wait_for_selector(".rules table", state="detached")
