"""Scores and levels beyond the vectors: fewer points never gain more, and nobody passes a must-play level."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.common.errors import IllegalCall, InvalidOption, InvalidRequest
from service.rules.cards import KIND, KINDS, counts_of
from service.rules.composition import composition
from service.rules.games import RULESETS
from service.rules.options.rulesets import effective_options
from service.rules.rounds.friends import OTHER_COPY, check_calls, joins, unseen_friends
from service.rules.rounds.levels import (
    advance,
    check_level,
    debts,
    game_points,
    height,
    hook,
    ladder,
    last_level,
    level_after,
    next_round,
    rank_of_level,
)
from service.rules.rounds.scoring import attackers_total, bands, score
from service.rules.trumps import Trump, order_of

SHENGJI = [rules for rules in RULESETS.values() if rules.family == "shengji"]
GAMES = [(rules.id, players) for rules in SHENGJI for players in rules.players]
LADDERS = st.sampled_from(
    [
        ("zhaopengyou", 6, {}),
        ("zhaopengyou", 6, {"laps": True}),
        ("zhaopengyou", 6, {"laps": True, "short_laps": True, "must_play": ["T", "K"]}),
        ("shengji", 4, {"must_play": ["2", "5", "T", "J", "K"]}),
        ("shengji", 4, {"must_play": ["5", "K"], "must_play_attempt_enough": True}),
        ("shengji", 4, {"laps": True}),
        ("tractor", 4, {}),
    ]
)


def climbed(options: dict[str, Any], start: str, steps: int) -> list[str]:
    levels = [start]
    for _ in range(steps):
        after = level_after(options, levels[-1])
        if after is None:
            break
        levels.append(after)
    return levels


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_more_points_are_never_better_for_the_declarers(ruleset: str, players: int) -> None:
    options, cards = effective_options(ruleset, players, {}), composition(ruleset, players, {})
    sign = {"declarers": -1, None: 0, "attackers": 1}
    gains = [score(ruleset, options, cards, points, cards.declarers_max) for points in range(cards.points + 200)]
    values = [(sign[gain.side], sign[gain.side] * gain.levels) for gain in gains]
    assert values == sorted(values)


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_bands_ascend_from_0_points(ruleset: str, players: int) -> None:
    options, cards = effective_options(ruleset, players, {}), composition(ruleset, players, {})
    table = bands(ruleset, cards.decks, options)
    assert [band.points for band in table] == sorted({band.points for band in table})
    assert table[0].points == 0
    assert [band.every for band in table[:-1]] == [None] * (len(table) - 1)


@given(LADDERS, st.integers(0, 30), st.integers(0, 40), st.sampled_from(["declarers", "attackers"]), st.integers(0, 5))
def test_levels_are_gained_one_by_one_and_never_past_an_unwon_must_play_level(
    game: tuple[str, int, dict[str, Any]], start: int, gained: int, role: str, penalty: int
) -> None:
    ruleset, players, overrides = game
    options = effective_options(ruleset, players, overrides)
    level = climbed(options, "2", start)[-1]
    after = advance(options, level, gained, role, penalty=penalty)
    way = climbed(options, level, gained)
    assert after.level in way
    assert after.penalty == max(0, penalty - gained)
    assert way.index(after.level) <= max(0, gained - penalty)
    passed = way[: way.index(after.level)]
    for at, each in enumerate(passed):
        here = at == 0 and role == "declarers"
        assert here or rank_of_level(each) not in options["must_play"]
        held = options["last_level_by"] == "declarers_there" and each.rstrip("+") == last_level(options)
        assert here or not held
    if after.won:
        assert level_after(options, after.level) is None


@given(LADDERS, st.integers(0, 60))
def test_every_level_reached_is_a_level_of_the_game(game: tuple[str, int, dict[str, Any]], steps: int) -> None:
    ruleset, players, overrides = game
    options = effective_options(ruleset, players, overrides)
    levels = climbed(options, "2", steps)
    heights = [height(options, level) for level in levels]
    assert heights == sorted(set(heights))
    for level in levels:
        assert check_level(options, level) == level


@pytest.mark.parametrize("level", ["joker", "2+", "NT", "1", "", "22", "+", "2-", None, 2, ["2"], "2" + "+" * 100])
def test_a_level_must_be_on_the_ladder(level: Any) -> None:
    options = effective_options("shengji", 4, {})
    with pytest.raises(InvalidRequest) as caught:
        check_level(options, level)
    assert caught.value.params["accepted"] == list(ladder(options))


def test_short_laps_skip_two_to_nine_only_in_later_laps() -> None:
    options = effective_options("zhaopengyou", 6, {"laps": True, "short_laps": True})
    assert check_level(options, "9") == "9"
    with pytest.raises(InvalidRequest):
        check_level(options, "9+")


def test_an_attempt_as_declarers_is_remembered_once() -> None:
    options = effective_options("shengji", 4, {"must_play": ["5"], "must_play_attempt_enough": True})
    lost = advance(options, "5", 0, "declarers")
    assert lost.attempted == ("5",)
    assert advance(options, "5", 0, "declarers", attempted=lost.attempted).attempted == ("5",)
    assert advance(options, "6", 0, "declarers").attempted == ()
    assert advance(options, "5", 0, "attackers").attempted == ()


def test_a_hook_stays_within_the_lap() -> None:
    unit = (KIND["JS"],)
    won = {"trump": Trump("J", "S"), "side": "attackers", "winner_side": "attackers", "unit": unit}
    laps = effective_options("zhaopengyou", 6, {"hooks": {"J": "2"}, "laps": True})
    assert hook(laps, "J+", **won) == "2+"
    assert hook(laps, "Q", **won) is None  # a friend on another level stays there
    short = effective_options("zhaopengyou", 6, {"hooks": {"J": "2"}, "laps": True, "short_laps": True})
    assert hook(short, "J+", **won) == "T+"
    assert hook(laps, "J", **{**won, "unit": None}) is None
    assert hook(laps, "J", **{**won, "side": None}) is None


def test_partners_of_a_fixed_team_share_one_debt_and_stay_on_one_level() -> None:
    owed = debts(2, [0, 2], fixed_teams=True)
    assert owed == {0: 2, 2: 2}
    options = effective_options("shengji", 4, {"throw_failure": "penalty_levels"})
    after = {advance(options, "2", 3, "attackers", penalty=levels) for levels in owed.values()}
    assert len(after) == 1
    assert after.pop()[:3] == ("3", False, 0)


def test_friends_owe_separately() -> None:
    assert debts(4, [1, 4, 5], fixed_teams=False) == {1: 1, 4: 2, 5: 1}


def test_levels_may_be_owed_while_play_goes_on() -> None:
    assert effective_options("shengji", 4, {"throw_penalty_levels": True})["throw_penalty_levels"] is True
    for failure in ("end_round", "penalty_levels"):
        with pytest.raises(InvalidOption) as caught:
            effective_options("shengji", 4, {"throw_failure": failure, "throw_penalty_levels": True})
        assert caught.value.params["accepted"] == [False]


def test_a_must_play_level_that_was_won_is_remembered_until_the_next_lap() -> None:
    options = effective_options("shengji", 4, {"must_play": ["5", "A"], "after_last": "wrap"})
    won = advance(options, "5", 1, "declarers")
    assert won.defended == ("5",)
    assert advance(options, "4", 3, "attackers", defended=won.defended).level == "7"
    around = advance(options, "A", 2, "declarers", defended=won.defended)
    assert (around.level, around.won, around.laps, around.defended) == ("3", True, 1, ())


def test_a_hook_comes_before_the_gain_and_lower_levels_stay() -> None:
    options = effective_options("finding_friends", 6, {"hooks": {"J": "6"}, "hook_rule": "lone_card"})
    last = {"trump": Trump("J", "S"), "side": "declarers", "winner_side": "attackers", "unit": None, "played": "J"}
    jack = [KIND["JD"]]
    assert hook(options, "9", winning=jack, **last) == "6"
    assert hook(options, "4", winning=jack, **last) is None
    assert hook(options, "9", winning=jack * 2, **last) is None
    assert advance(options, "9", 2, "declarers", sent_back="6", played="J").level == "8"


def test_a_friend_who_has_not_joined_yet_is_still_a_friend() -> None:
    nine, king = KIND["9D"], KIND["KC"]
    calls = [{"card": nine, "ordinal": 2}, {"card": king, "ordinal": 1}]
    hands = [counts_of(held) for held in ([king], [], [nine], [], [nine])]
    counts = counts_of([nine])
    friends = unseen_friends(calls, [], counts, hands, declarer=0, leader=3)
    assert friends == {4}, "the second nine, counted from the leader; the declarer's own king makes no friend"
    assert unseen_friends(calls, [0], counts, hands, declarer=0, leader=3) == set()
    assert unseen_friends(calls, [], counts, [counts_of([])] * 5, declarer=0, leader=3) == set()


def test_without_double_join_a_friend_does_not_count_as_an_unseen_friend() -> None:
    nine, king = KIND["9D"], KIND["KC"]
    calls = [{"card": nine, "ordinal": 1}, {"card": king, "ordinal": 1}, {"card": king, "ordinal": 2}]
    hands = [counts_of(held) for held in ([], [king, king], [king], [nine, king])]

    def unseen(filled: list[int], side: list[int], *, double_join: bool) -> set[int]:
        nothing = counts_of([])
        return unseen_friends(calls, filled, nothing, hands, declarer=0, leader=1, side=side, double_join=double_join)

    assert unseen([0], [0, 1], double_join=True) == {1}, "who has joined plays the first two kings"
    assert unseen([0], [0, 1], double_join=False) == {2, 3}
    assert unseen([], [0], double_join=False) == {1, 2, 3}
    assert unseen([0, 1], [0, 1, 2, 3], double_join=False) == set()


def test_without_double_join_a_call_waits_for_somebody_from_outside() -> None:
    nine = KIND["9D"]
    calls = [{"card": nine, "ordinal": 1}, {"card": nine, "ordinal": 2}]
    played = counts_of([nine])

    def single(cards: list[int], filled: list[int], *, on_side: bool = False) -> list[int]:
        return joins(calls, played, cards, by_declarer=False, on_side=on_side, filled=filled, double_join=False)

    assert single([nine], []) == [0]
    assert single([nine], [0]) == [1]
    assert single([nine, nine], []) == [0]
    assert single([nine], [], on_side=True) == []


@given(st.data())
def test_fewer_points_never_pay_whatever_the_steps(data: st.DataObject) -> None:
    overrides = {
        "steps_to_win": data.draw(st.sampled_from([None, 1, 2, 3, 4])),
        "dead_zone": data.draw(st.integers(0, 10)),
        "shut_out_level": data.draw(st.booleans()),
        "negative_points": data.draw(st.booleans()),
        "levels_cap": data.draw(st.sampled_from(["none", 1, 3])),
    }
    options, cards = effective_options("shengji", 4, overrides), composition("shengji", 4, {})
    sign = {"declarers": -1, None: 0, "attackers": 1}
    gains = [score("shengji", options, cards, points, None) for points in range(-200, 400, 5)]
    values = [(sign[gain.side], sign[gain.side] * gain.levels) for gain in gains]
    assert values == sorted(values)
    if not options["negative_points"]:
        assert {gains[at] for at in range(41)} == {gains[0]}
    if overrides["levels_cap"] != "none":
        assert max(gain.levels for gain in gains) <= overrides["levels_cap"]


def test_a_first_point_makes_active_and_gains_nothing() -> None:
    assert game_points(False, True, 1) == (True, 0)
    assert game_points(False, True, 3) == (True, 2)
    assert game_points(True, True, 2) == (True, 2)
    assert game_points(True, False, 2) == (False, 0)


def test_penalties_never_leave_a_total_below_0() -> None:
    assert attackers_total(0, 0, [("attackers", 30), ("declarers", 10)]) == 0
    assert attackers_total(0, 0, [("attackers", 10), ("declarers", 30)]) == 20


@given(st.data())
def test_the_next_to_declare_is_on_the_side_that_gained(data: st.DataObject) -> None:
    ruleset, players = data.draw(st.sampled_from(GAMES))
    options = effective_options(ruleset, players, {})
    declarer = data.draw(st.integers(0, players - 1))
    if RULESETS[ruleset].teams == "fixed":
        declarers = {seat for seat in range(players) if (seat - declarer) % 2 == 0}
    else:
        declarers = {declarer, *data.draw(st.sets(st.integers(0, players - 1), max_size=players // 2 - 1))}
    side = data.draw(st.sampled_from(["declarers", "attackers"]))
    after = next_round(ruleset, options, players, declarer=declarer, declarers=declarers, side=side, starter=declarer)
    assert (after.declarer is None) == (options["declarer_by"] == "trump_maker")
    if after.declarer is not None:
        assert (after.declarer in declarers) is (side == "declarers")
        assert after.starter == after.declarer


def test_the_other_copy_is_the_one_that_the_declarer_does_not_play() -> None:
    ace = KIND["AC"]
    calls = [{"card": ace, "ordinal": OTHER_COPY}]
    counts = [0] * KINDS
    assert joins(calls, counts, [ace], by_declarer=True) == []
    assert joins(calls, counts, [ace], by_declarer=False) == [0]


def test_one_play_may_fill_two_calls() -> None:
    ace = KIND["AC"]
    calls = [{"card": ace, "ordinal": 2}, {"card": KIND["KC"], "ordinal": 1}, {"card": ace, "ordinal": 1}]
    assert joins(calls, [0] * KINDS, [ace, ace], by_declarer=False) == [0, 2]


def test_a_call_for_no_copy_at_all_is_refused() -> None:
    options = effective_options("zhaopengyou", 5, {})
    order = order_of(Trump("2", "S"))
    for ordinal in (-1, 0, 3):
        with pytest.raises(IllegalCall) as caught:
            check_calls(
                [{"card": KIND["AC"], "ordinal": ordinal}],
                order,
                composition("zhaopengyou", 5, {}),
                options,
                counts_of([]),
            )
        assert caught.value.rule == "call_ordinal"
