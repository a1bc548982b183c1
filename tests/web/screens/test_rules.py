"""The rules page of every ruleset and preset says what the service plays by."""

import re

import pytest
from playwright.sync_api import expect

from service.rules.composition import composition
from service.rules.options.catalogue import catalogue
from service.rules.options.rulesets import RULESETS, effective_options
from service.rules.rounds.scoring import bands
from tests.support.sorting import by_day
from tests.web.person import until

pytestmark = pytest.mark.browser


def shown_by(lin):
    """Return the numbers of decks, cards in hand and in the kitty, and the points in the score table."""
    cards = lin.text("Cards for each player").inner_text()
    points = lin.all("row").locator("td:first-child").all_inner_texts()
    numbers = [int(number) for number in re.findall(r"\d+", cards)]
    return numbers[:3], [int(number) for number in points]


@pytest.mark.parametrize("ruleset", by_day({"finding_friends", "arms_length", "tractor"}, RULESETS))
def test_the_page_says_which_cards_points_and_options_a_preset_has(person, ruleset):
    lin = person()
    lin.registers()
    lin.goes_to(f"rules/{ruleset}")
    for preset in catalogue(ruleset)["presets"]:
        for players in {preset["players"][0], preset["players"][-1]}:
            lin.selects("Players", str(players))
            lin.selects("Way to play", preset["id"])
            lin.sees(preset["meaning"]["en"])
            options = effective_options(ruleset, players, preset["options"])
            cards = composition(ruleset, players, options)
            table = bands(ruleset, cards.decks, options) if RULESETS[ruleset].family == "shengji" else ()
            wanted = [cards.decks, cards.hand, *([cards.kitty] if cards.kitty else [])], [band.points for band in table]
            expect(lin.all("emphasis")).to_have_count(len(preset["options"]))
            until(lin.page, f"{preset['id']} {players} {wanted}", lambda wanted=wanted: shown_by(lin) == wanted)
    pictures = lin.all("term").get_by_role("img").count()
    assert pictures == 0 if ruleset == "arms_length" else pictures >= 1
    # Nobody declares in Arm's Length, so its deal has no pace.
    assert lin.all("term").filter(has_text="Pace of the deal").count() == (ruleset != "arms_length")
    assert (lin.all("heading", "Friends").count() > 0) == (RULESETS[ruleset].teams == "friends")


def test_an_option_without_a_value_says_none(person):
    lin = person()
    lin.registers()
    lin.goes_to("rules/shengji")
    lin.all("definition").first.wait_for()
    for locale, none in (("en-GB", "None"), ("zh-CN", "无")):
        lin.speaks(locale)
        values = lin.all("definition").all_inner_texts()
        assert "–" not in values
        assert none in values


def test_rules_and_house_rules_can_be_read_without_a_name(person):
    lin = person(fresh=True)
    lin.goes_to("rules/finding_friends")
    lin.part("table").is_there()
    expect(lin.all("term").get_by_role("img")).to_have_count(5)
    lin.field("Way to play").select_option(index=1)
    lin.all("emphasis").first.wait_for()
    # The cards and points that follow from house rules are shown to registered players only.
    lin.part("table").is_gone()
