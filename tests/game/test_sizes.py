"""Limits on the size of views and events, for phones on slow connections."""

import statistics

import pytest

from harness.driver import Driver
from service.common import fastjson
from service.game.state.rules import options_of
from service.game.views.redaction import redact
from service.game.views.view import view
from service.rules.options.rulesets import effective_options

#: For sixteen players, with all that a view can contain; a table of four needs a third.
VIEW_BYTES = 8_500
EVENT_BYTES = 300
#: By how much the id and the name of a player are longer at real tables than those of `Driver`.
LONGER = (len("pl_x5q2k7d3m4na") - len("p0")) + len("Alexandra")


def size(value):
    return len(fastjson.dumps(value))


@pytest.fixture(scope="module", params=[("zhaopengyou", 12), ("zhaopengyou", 16), ("finding_friends", 12)], ids=str)
def played(request):
    """A table of many seats after six rounds, and the size of the largest view during them."""
    ruleset, players = request.param
    driver = Driver(ruleset, players, {}, seed=3, spectators="delayed", take_back=True)
    driver.throws = 0.5
    largest = 0

    def look(table):
        nonlocal largest
        seat = table.state["decision"]["seats"][0] if table.state["decision"] else 0
        largest = max(largest, *(size(view(table.state, viewer, table.now)) for viewer in (seat, None)))

    driver.on_step = look
    for _ in driver.rounds(6):
        pass
    return driver, largest


def test_a_view_of_the_largest_tables_has_at_most_eight_and_a_half_kilobytes(played):
    driver, largest = played
    assert 4_000 < largest <= VIEW_BYTES - driver.state["players"] * LONGER - 40


def test_a_view_names_only_chosen_options():
    driver = Driver("shengji", 4, {"throw_test": "cards"})
    assert view(driver.state, 0, 0)["options"] == {"throw_test": "cards", "deal_pace": "instant"}
    assert view(Driver("arms_length", 4).state, 0, 0)["options"] == {}


def test_all_options_follow_from_those_that_a_view_names():
    """Here, the default of one option (`little_joker_declaration`) depends on another that was chosen."""
    request = {"joker_declaration": "single", "little_joker_declaration": False, "decks": 2}
    driver = Driver("zhaopengyou", 7, request)
    named = view(driver.state, 0, 0)["options"]
    assert effective_options("zhaopengyou", 7, named) == options_of(driver.state)
    assert named["little_joker_declaration"] is False


def test_a_view_does_not_grow_with_the_game(played):
    driver, _ = played
    table_view = view(driver.state, 0, driver.now)["game"]
    assert table_view["round"] == 6
    assert [each["round"] for each in table_view["results"]] == [4, 5, 6]
    assert len(driver.state["game"]["results"]) == 6


def test_nearly_all_events_have_at_most_three_hundred_bytes(played):
    driver, _ = played
    sizes = sorted(size(redact(event, viewer, driver.state["ruleset"])) for event in driver.log for viewer in (0, None))
    assert statistics.median(sizes) <= EVENT_BYTES * 2 / 3
    assert sizes[len(sizes) * 95 // 100] <= EVENT_BYTES


def test_only_a_lead_has_units_and_throw(played):
    driver, _ = played
    trick = view(driver.state, 0, driver.now)["round"]["last_trick"]
    lead, *others = trick["plays"]
    assert set(lead) == {"seat", "cards", "units", "throw"}
    assert all(set(play) == {"seat", "cards"} for play in others)
