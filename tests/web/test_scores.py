"""The points that matter at a table with house rules: as the service counts them."""

import pytest

from service.rules.composition import composition
from service.rules.options.rulesets import effective_options
from service.rules.rounds.scoring import bands

pytestmark = pytest.mark.browser

TABLES = [
    ("shengji", 4, {}),
    ("shengji", 4, {"points_per_level": 20, "dead_zone": 2}),
    ("shengji", 4, {"dead_zone": 0, "shut_out_level": False}),
    ("shengji", 4, {"decks": 3}),
    ("finding_friends", 6, {"decks": 4}),
    ("finding_friends", 6, {"steps_to_win": 3}),
    ("finding_friends", 6, {"kitty_size": 6}),
    ("zhaopengyou", 6, {"active_passive": True}),
    ("zhaopengyou", 6, {"decks": 3}),
    ("zhaopengyou", 6, {"points_per_level": 20}),
    ("zhaopengyou_80", 6, {"decks": 3}),
]


def test_score_tables_are_those_of_the_service(person):
    lin = person()
    lin.page.goto(lin.url)
    for ruleset, players, options in TABLES:
        rules = lin.context.request.get(f"{lin.url}/v1/rulesets/{ruleset}").json()
        shown = lin.page.evaluate(
            "([rules, table]) => import('/app/game/scores.js').then(({ scoreTable }) => scoreTable(rules, table))",
            [rules, {"players": players, "options": options}],
        )
        effective = effective_options(ruleset, players, options)
        decks = composition(ruleset, players, effective).decks
        expected = [band._asdict() for band in bands(ruleset, decks, effective)]
        assert [{"every": None, **band} for band in shown] == expected, (ruleset, options)


def test_the_next_threshold_and_what_points_are_worth_are_shown(person):
    lin = person()
    lin.begins("finding_friends", 6, options={"decks": 4})
    lin.plays_until("play")
    page = lin.page
    points = page.locator(".topbar .points")
    assert points.locator(".next").inner_text() in ("/ 80", "/ 160")
    assert points.locator(".meter i").count() == 2
    points.tap()
    page.wait_for_selector(".topbar .points .meaning")
    assert "Declarers +" in points.inner_text()
