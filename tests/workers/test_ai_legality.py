"""Every level answers every decision legally, in all games and with any options.

An illegal command raises a refusal, which fails the test.
"""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ai_table import Table
from service.common.errors import InvalidOption
from service.game.commands.decide import decide_for_ai
from service.game.state import clock
from service.rules.options.rulesets import RULESETS, defaults, effective_options
from service.rules.options.table import OPTIONS
from tests.support.sorting import by_day, ends_of, is_day
from tests.workers.players import choose, levels_asked
from workers.ai.heuristics import playing
from workers.ai.knowledge.seat import Knowledge

SIZES = [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players]
#: Values of options that do not list them.
OTHERS = {
    "special_decks": [{"from": "6"}],
    "misdeal": {"points_below": 30},
    "points_per_level": 5,
    "level_ladder": ["2", "6", "T", "A"],
    "must_play": ["5", "K"],
    "hooks": {"J": "2"},
}


def play_a_round(ruleset: str, players: int, options: dict[str, Any], deal: int, *, widely: bool = False) -> Table:
    """Play a round with all levels: a random one makes each play, and all answer each other decision.

    Args:
        ruleset, players, options, deal: the table.
        widely: whether to check all candidates of a search too.
    """
    table, chance = Table(ruleset, players, options, deal), random.Random(deal)

    def answer(seat: int, view: dict[str, Any]) -> dict[str, Any]:
        levels = levels_asked(view, chance)
        if view["decision"]["kind"] == "play":
            levels = [chance.choice(levels)]
            knowledge = Knowledge(view, memory=True) if widely else None
            for _, play in playing.rated(knowledge, widely=True) if knowledge and knowledge.lead else ():
                knowledge.rules.follow(knowledge.lead, knowledge.hand, play)
        answers = [choose(view, f"{deal}:{view['version']}:{seat}".encode(), level) for level in levels]
        is_asked = seat in clock.ai_seats_asked(table.state)
        for command in answers if len(answers) > 1 else ():
            if is_asked or command["type"] != "pass":
                decide_for_ai(table.state, seat, command, table.now, chance.randbytes)
        return chance.choice(answers)

    for _ in range(5_000):
        table.step(answer)
        if table.results:
            return table
    raise AssertionError("the round does not end")


def some_options(ruleset: str, players: int, number: int, seed: int) -> dict[str, Any]:
    """Return up to a number of random options that are valid together."""
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


@pytest.mark.parametrize(("ruleset", "players"), by_day(ends_of(SIZES), SIZES))
def test_every_level_plays_every_game_to_the_end_of_a_round(ruleset: str, players: int) -> None:
    pace = {} if ruleset == "arms_length" else {"deal_pace": "instant"}
    table = play_a_round(ruleset, players, pace, 1)
    assert table.results[0]["round"] == 1


@settings(max_examples=settings.default.max_examples // 3)
@given(
    size=st.sampled_from([size for size in SIZES if size[0] != "arms_length"]),
    number=st.integers(0, 14),
    seed=st.integers(0, 2**32),
)
def test_every_level_plays_with_any_options(size: tuple[str, int], number: int, seed: int) -> None:
    ruleset, players = size
    play_a_round(ruleset, players, some_options(ruleset, players, number, seed), seed, widely=True)


@pytest.mark.parametrize(
    "options",
    [
        {"chao_di": True},
        {"chao_di": True, "deal_pace": "instant"},
        {"defence": "immediate", "deal_pace": "instant"},
        {"throw_same_count": True, "deal_pace": "instant"},
        {"throw_test": "cards", "throw_failure": "lowest_card", "protect_larger": True, "deal_pace": "instant"},
        {"twos_always_trump": True, "start_level": "2", "deal_pace": "instant"},
        {
            "red_fives": True,
            "kitty_shown": True,
            "last_trick_to_gain": True,
            "next_declarer": "next_seat",
            "deal_pace": "instant",
        },
        {"throw_test": "units_or_ruff", "throw_failure": "end_round", "deal_pace": "instant"},
        {"throw_test": "units_or_ruff", "throw_failure": "penalty_levels", "deal_pace": "instant"},
        {"ruff_must_match": "tuples", "deal_pace": "instant"},
        {"rainbow": 4, "deal_pace": "instant"},
        {"misdeal": {"points_below": 30}, "deal_pace": "instant"},
    ],
    ids="+".join,
)
@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("finding_friends", 6)])
def test_every_level_plays_rarer_phases_and_rules(ruleset: str, players: int, options: dict[str, Any]) -> None:
    for deal in range(1 if is_day() else 4):
        play_a_round(ruleset, players, options, deal, widely=True)


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
