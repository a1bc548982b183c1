"""Every level answers every decision with something legal, in every game and with any options.

A command that may not be done raises a refusal in `Table.step`, which fails the test and shows it.
"""

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.ai_table import Table
from service.errors import InvalidOption
from service.rules.options.rulesets import RULESETS, defaults, effective_options
from service.rules.options.table import OPTIONS
from tests.workers.players import choose
from workers.ai import LEVELS, playing
from workers.ai.sight import Sight

SIZES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players]
#: Values for the options that have no list of them.
OTHERS = {
    "special_decks": [{"from": "6"}],
    "misdeal": {"points_below": 30},
    "points_per_level": 5,
    "level_ladder": ["2", "6", "T", "A"],
    "must_play": ["5", "K"],
    "hooks": {"J": "2"},
}


def play_a_round(ruleset: str, players: int, options: dict[str, Any], deal: int, first: int = 0) -> Table:
    """Play a round with all levels at one table, one seat after the other, beginning with the level `first`."""
    table, levels = Table(ruleset, players, options, deal), list(LEVELS)

    def answer(seat: int, view: dict[str, Any]) -> dict[str, Any]:
        level = levels[(first + seat) % len(levels)]
        return choose(view, f"{deal}:{view['version']}:{seat}".encode(), level)

    for _ in range(5_000):
        table.step(answer)
        if table.results:
            return table
    raise AssertionError("the round does not end")


def some_options(ruleset: str, players: int, number: int, seed: int) -> dict[str, Any]:
    """Return up to so many options at random that make sense together."""
    chance = random.Random(seed)
    options: dict[str, Any] = {}
    for name in chance.sample(sorted(defaults(RULESETS[ruleset])), number):
        wider = {**options, name: chance.choice(OPTIONS[name].values or (OTHERS[name],))}
        try:
            effective_options(ruleset, players, wider)
        except InvalidOption:
            continue
        options = wider
    return options


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
@pytest.mark.parametrize("first", [0, 2])
def test_every_level_plays_every_game_to_the_end_of_a_round(ruleset: str, players: int, first: int) -> None:
    pace = {} if ruleset == "arms_length" else {"deal_pace": "instant"}
    table = play_a_round(ruleset, players, pace, 1, first)
    assert table.results[0]["round"] == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    size=st.sampled_from([size for size in SIZES if size[0] != "arms_length"]),
    number=st.integers(0, 14),
    seed=st.integers(0, 2**32),
)
def test_every_level_plays_with_any_options(size: tuple[str, int], number: int, seed: int) -> None:
    ruleset, players = size
    play_a_round(ruleset, players, some_options(ruleset, players, number, seed), seed, seed)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    size=st.sampled_from([size for size in SIZES if size[0] != "arms_length"]),
    number=st.integers(0, 14),
    seed=st.integers(0, 2**32),
)
def test_all_that_a_search_compares_may_be_played(size: tuple[str, int], number: int, seed: int) -> None:
    ruleset, players = size
    table = Table(ruleset, players, some_options(ruleset, players, number, seed), seed)

    def answer(seat: int, view: dict[str, Any]) -> dict[str, Any]:
        if view["decision"]["kind"] == "play":
            sight = Sight(view, memory=True)
            for _, play in playing.rated(sight, widely=True) if sight.lead else ():
                sight.rules.follow(sight.lead, sight.hand, play)
        return choose(view, f"{seed}:{view['version']}:{seat}".encode(), "normal")

    while not table.results:
        table.step(answer)


@pytest.mark.parametrize(
    "options",
    [
        {"chao_di": True},
        {"chao_di": True, "deal_pace": "instant"},
        {"defence": "immediate", "deal_pace": "instant"},
        {"throw_same_count": True, "deal_pace": "instant"},
        {"throw_test": "cards", "throw_failure": "lowest_card", "protect_larger": True, "deal_pace": "instant"},
        {"twos_always_trump": True, "start_level": "2", "deal_pace": "instant"},
        {"throw_failure": "end_round", "deal_pace": "instant"},
        {"misdeal": {"points_below": 30}, "deal_pace": "instant"},
    ],
    ids="+".join,
)
@pytest.mark.parametrize("first", range(len(LEVELS)))
def test_every_level_plays_the_rarer_phases(options: dict[str, Any], first: int) -> None:
    for ruleset, players in (("shengji", 4), ("finding_friends", 6)):
        play_a_round(ruleset, players, options, first, first)


@pytest.mark.parametrize(("ruleset", "level"), [("tractor", "NT"), ("zhaopengyou", "joker")])
def test_every_level_plays_a_round_in_which_only_jokers_are_trumps(ruleset: str, level: str) -> None:
    laps = {"laps": True} if level == "joker" else {}
    options = {"deal_pace": "instant", "start_level": level, **laps}
    play_a_round(ruleset, RULESETS[ruleset].players[0], options, 3)


def test_the_same_view_and_seed_give_the_same_answer() -> None:
    table = Table("shengji", 4, {"deal_pace": "instant"}, 5)
    answers = []

    def twice(_: int, view: dict[str, Any]) -> dict[str, Any]:
        first = choose(view, b"seed")
        assert choose(view, b"seed") == first
        answers.append(first)
        return first

    while not table.results:
        table.step(twice)
    assert len(answers) > 50
