"""Rulesets and options: defaults are valid, contradictions are refused, pointless defaults are replaced."""

from typing import Any

import pytest

from service.common.errors import InvalidOption, InvalidRequest
from service.rules.cards import CARDS, counts_of
from service.rules.composition import cards_of, composition, deck_of
from service.rules.games import RULESETS, ruleset_of
from service.rules.options.catalogue import catalogue, summary
from service.rules.options.constraints import CONSTRAINTS
from service.rules.options.rulesets import defaults, effective_options
from service.rules.options.table import OPTIONS
from tests.support.sorting import by_day, ends_of

GAMES = [(rules.id, players) for rules in RULESETS.values() for players in rules.players]
SAMPLES = {
    "special_decks": [[], [{"from": "6"}], [{"little_joker": False}, {"big_joker": False}]],
    "level_ladder": [[], ["2", "6", "T", "A"], ["8", "A"]],
    "misdeal": [{}, {"no_points": True}, {"points_below": 10}, {"no_trumps": True, "no_points": False}],
    "points_per_level": [None, 5, 10, 20, 40],
    "must_play": [[], ["2", "5", "T", "J", "K"], ["A"]],
    "hooks": [{}, {"J": "2", "Q": "6", "A": "J"}],
}


def attempt(ruleset: str, players: int, overrides: dict[str, Any]) -> dict[str, Any] | InvalidOption:
    try:
        return effective_options(ruleset, players, overrides)
    except InvalidOption as refused:
        return refused


def refusal(ruleset: str, players: int, overrides: dict[str, Any]) -> dict[str, Any]:
    with pytest.raises(InvalidOption) as caught:
        effective_options(ruleset, players, overrides)
    return dict(caught.value.params)


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_the_effective_options_of_a_game_can_be_sent_back(ruleset: str, players: int) -> None:
    options = effective_options(ruleset, players, {})
    assert effective_options(ruleset, players, options) == options


@pytest.mark.parametrize(("ruleset", "players"), by_day(ends_of(GAMES), GAMES))
def test_every_value_is_accepted_or_refused_with_accepted_values(ruleset: str, players: int) -> None:
    for name in defaults(RULESETS[ruleset]):
        for value in OPTIONS[name].values or SAMPLES[name]:
            outcome = attempt(ruleset, players, {name: value})
            if isinstance(outcome, InvalidOption):
                assert outcome.params["option"] == name
                for accepted in outcome.params["accepted"]:
                    if isinstance(outcome.params["accepted"], dict):
                        continue
                    assert effective_options(ruleset, players, {name: accepted})[name] == accepted
            else:
                settled = value is None or (name == "level_ladder" and value == [])
                assert outcome[name] == value or settled
                assert effective_options(ruleset, players, outcome) == outcome


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_the_deck_matches_the_composition(ruleset: str, players: int) -> None:
    composed = composition(ruleset, players, {})
    deck = deck_of(composed)
    counts = counts_of(deck)
    assert len(deck) == composed.total == players * composed.hand + composed.kitty
    assert counts[CARDS.index("BJ")] == composed.big_jokers
    assert counts[CARDS.index("LJ")] == composed.little_jokers
    assert sum(counts[:52]) == 52 * composed.decks - len(composed.removed)
    assert {composed.decks - counts[kind] for kind in composed.removed} <= {1}
    assert len({CARDS[kind][1] for kind in composed.removed}) == len(composed.removed)


def test_questions_with_other_decks_use_full_decks() -> None:
    cards = cards_of("zhaopengyou", 8, {}, 6)
    assert (cards.decks, cards.big_jokers, cards.little_jokers, cards.total) == (6, 6, 6, 324)
    assert cards_of("zhaopengyou", 8, {}, 3) == composition("zhaopengyou", 8, {})
    assert effective_options("shengji", 4, {"points_per_level": 60}, decks=3)["points_per_level"] == 60


def test_a_choice_replaces_pointless_defaults() -> None:
    options = effective_options("zhaopengyou", 6, {"overcall": "none"})
    assert options["defence"] == "none"
    options = effective_options("shengji", 4, {"joker_declaration": "none"})
    assert (options["overcall"], options["little_joker_declaration"]) == ("longer", False)
    options = effective_options("zhaopengyou", 6, {"predetermined_declarer": True})
    assert (options["declarer_by"], options["declare_rank"]) == ("rotation", "round_level")
    assert options["no_declaration"] == "flip_kitty"
    options = effective_options("finding_friends", 6, {"declarer_by": "trump_maker"})
    assert options["declare_rank"] == "own_level"
    assert effective_options("tractor", 4, {"declarer_by": "trump_maker"})["first_declarer"] == "last"


@pytest.mark.parametrize("levels", [["5"], ["A", "2"], ["2", "2", "A"], ["2", "1"], "25"])
def test_a_ladder_has_at_least_two_ranks_in_ascending_order(levels: object) -> None:
    assert refusal("shengji", 4, {"level_ladder": levels})["option"] == "level_ladder"


def test_a_replaced_default_may_still_be_requested() -> None:
    options = {"predetermined_declarer": True, "no_declaration": "redeal"}
    assert effective_options("zhaopengyou", 6, options)["no_declaration"] == "redeal"


CONTRADICTIONS = [
    ("zhaopengyou", 6, {"joker_policy": "kitty_six"}, "joker_policy", "five_players_only"),
    (
        "zhaopengyou",
        6,
        {"predetermined_declarer": True, "declarer_by": "trump_maker"},
        "declarer_by",
        "declarer_is_fixed",
    ),
    ("zhaopengyou", 6, {"predetermined_declarer": True, "active_passive": True}, "active_passive", "needs_trump_maker"),
    ("zhaopengyou", 6, {"declare_rank": "any_active_level"}, "declare_rank", "needs_active"),
    ("shengji", 4, {"declare_rank": "own_level"}, "declare_rank", "rank_is_fixed_before"),
    ("zhaopengyou", 6, {"declare_rank": "round_level"}, "declare_rank", "rank_is_not_fixed"),
    ("zhaopengyou", 6, {"first_declarer": "first"}, "first_declarer", "needs_rotation"),
    ("zhaopengyou", 6, {"next_declarer": "next_seat"}, "next_declarer", "needs_rotation"),
    ("zhaopengyou", 7, {"joker_declaration": "pair"}, "joker_declaration", "needs_joker_pair"),
    (
        "zhaopengyou",
        8,
        {"joker_declaration": "pair", "little_joker_declaration": True},
        "little_joker_declaration",
        "needs_joker_pair",
    ),
    (
        "zhaopengyou",
        6,
        {"little_joker_declaration": True},
        "little_joker_declaration",
        "needs_joker_declaration",
    ),
    ("shengji", 4, {"kitty_size": 2, "no_declaration": "fourth_kitty_card"}, "no_declaration", "needs_fourth_card"),
    ("shengji", 4, {"turned_joker": "names_suit"}, "turned_joker", "needs_turned_joker"),
    ("shengji", 4, {"suit_order": "diamonds_over_clubs"}, "suit_order", "needs_ranked_suits"),
    ("shengji", 4, {"overcall_rank": "first"}, "overcall_rank", "needs_own_level"),
    ("zhaopengyou", 6, {"overcall": "none", "overcall_rank": "first"}, "overcall_rank", "needs_overcall"),
    ("finding_friends", 5, {"friend_by": "shown_card"}, "friend_by", "needs_trump_maker"),
    ("zhaopengyou", 6, {"friend_by": "shown_card"}, "friend_by", "needs_one_call"),
    ("zhaopengyou", 5, {"friend_by": "shown_card", "decks": 3}, "friend_by", "needs_two_decks"),
    ("shengji", 4, {"hook_fall": "by_cards"}, "hook_fall", "needs_hooks"),
    ("zhaopengyou", 6, {"jokers_open": False}, "jokers_open", "needs_joker_declaration"),
    ("shengji", 4, {"jokers_open": False, "overcall": "none"}, "jokers_open", "needs_overcall"),
    ("zhaopengyou", 8, {"joker_beside": "matching"}, "joker_beside", "needs_both_jokers"),
    ("zhaopengyou", 7, {"joker_beside": "any"}, "joker_beside", "needs_jokers"),
    ("zhaopengyou", 6, {"overcall": "longer_or_jokers"}, "overcall", "needs_joker_declaration"),
    ("shengji", 4, {"overcall": "none", "overcall_by": "other_team"}, "overcall_by", "needs_overcall"),
    ("shengji", 4, {"overcall": "none", "self_overcall": True}, "self_overcall", "needs_overcall"),
    ("tractor", 4, {"self_overcall": True}, "self_overcall", "other_team_only"),
    ("shengji", 4, {"overcall": "none", "defence": "immediate"}, "defence", "needs_overcall"),
    ("shengji", 4, {"misdeal_starter": "caller"}, "misdeal_starter", "needs_misdeal"),
    ("zhaopengyou", 8, {"call_other_copy": True}, "call_other_copy", "needs_two_decks"),
    ("zhaopengyou", 6, {"equal_rank_tractors": "adjacent"}, "equal_rank_tractors", "needs_full_trump_tractors"),
    ("zhaopengyou", 6, {"throw_forfeit": "unplayed_to_others"}, "throw_forfeit", "needs_throw_failure_end_round"),
    ("zhaopengyou", 8, {"quad_beats_tractor": True}, "quad_beats_tractor", "needs_four_decks"),
    ("zhaopengyou", 12, {"quad_beats_tractor": True, "bombs": "any_time"}, "quad_beats_tractor", "bombs_do_it"),
    ("shengji", 4, {"rainbow": 9}, "rainbow", "needs_cards_enough"),
    ("shengji", 4, {"throws": "none", "throw_penalty": "flat"}, "throw_penalty", "needs_throws"),
    ("shengji", 4, {"throws": "none", "proven_throws": True}, "proven_throws", "needs_throws"),
    ("shengji", 4, {"proven_throws": True, "throw_failure": "first_seat"}, "throw_failure", "throws_are_proven"),
    ("shengji", 4, {"proven_throws": True, "throw_test": "units_or_ruff"}, "throw_test", "throws_are_proven"),
    ("shengji", 4, {"follow_structure": "suit_only", "follow_tractors": True}, "follow_tractors", "needs_structure"),
    (
        "shengji",
        4,
        {"follow_smaller": "never", "shorter_tractors": False},
        "shorter_tractors",
        "needs_smaller_tractors",
    ),
    ("zhaopengyou", 6, {"throw_structure": "added_up"}, "throw_structure", "needs_follow_tractors"),
    ("shengji", 4, {"protect_by_rungs": True}, "protect_by_rungs", "needs_protect_larger"),
    ("zhaopengyou", 6, {"short_laps": True}, "short_laps", "needs_laps"),
    ("zhaopengyou", 6, {"start_level": "joker"}, "start_level", "not_on_the_ladder"),
    ("shengji", 4, {"start_level": "NT"}, "start_level", "not_on_the_ladder"),
    ("shengji", 4, {"must_play_attempt_enough": True}, "must_play_attempt_enough", "needs_must_play"),
    ("shengji", 4, {"points_per_level": 85}, "points_per_level", "step_must_reach_threshold"),
    ("zhaopengyou", 7, {"decks": 3, "joker_policy": "all_jokers"}, "joker_policy", "decks_are_listed"),
    ("shengji", 4, {"decks": 9}, "decks", "too_many_decks"),
    ("shengji", 4, {"special_decks": [{}, {}, {}]}, "special_decks", "more_entries_than_decks"),
    ("sishifen", 4, {"kitty_size": 46}, "kitty_size", "hands_too_small"),
    # With only aces no kitty is small enough.
    (
        "zhaopengyou_80",
        6,
        {"kitty_size": 8, "special_decks": [{"from": "A"}] * 2},
        "special_decks",
        "hands_too_small",
    ),
    (
        "zhaopengyou",
        7,
        {"joker_declaration": "single", "special_decks": [{"little_joker": False, "big_joker": False}] * 2},
        "joker_declaration",
        "needs_jokers",
    ),
    ("shengji", 4, {"decks": 1, "joker_declaration": "all_decks"}, "joker_declaration", "needs_second_deck"),
    ("shengji", 4, {"kitty_size": 0, "no_declaration": "flip_kitty"}, "no_declaration", "needs_kitty"),
    ("shengji", 4, {"kitty_size": 0, "chao_di": True}, "chao_di", "needs_kitty"),
    ("shengji", 4, {"kitty_size": 0, "kitty_shown": True}, "kitty_shown", "needs_kitty"),
    (
        "zhaopengyou",
        6,
        {"active_passive": True, "last_trick_to_gain": True},
        "last_trick_to_gain",
        "active_passive_scores",
    ),
    ("shengji", 4, {"chao_di_rule": "overcall"}, "chao_di_rule", "needs_chao_di"),
    ("zhaopengyou", 6, {"kitty_unit_of": "winning_play"}, "kitty_unit_of", "needs_kitty_unit"),
    ("zhaopengyou", 6, {"friend_calls": 0, "call_other_copy": True}, "call_other_copy", "needs_calls"),
    ("zhaopengyou", 6, {"friend_calls": 5}, "friend_calls", "too_many_calls"),
    (
        "finding_friends",
        12,
        {"special_decks": [{"from": "K"}] * 6, "call_cards": "no_highest"},
        "special_decks",
        "too_few_cards_to_call",
    ),
    (
        "shengji",
        4,
        {"throw_failure": "end_round", "throw_penalty_levels": True},
        "throw_penalty_levels",
        "play_must_go_on",
    ),
    (
        "finding_friends",
        6,
        {"active_passive": True, "dead_zone": 2},
        "dead_zone",
        "active_passive_scores",
    ),
    ("zhaopengyou_80", 6, {"short_team_gain": "one_level"}, "short_team_gain", "needs_short_team_bonus"),
    ("shengji", 4, {"decks": 3, "special_decks": [{"from": "A"}] * 2}, "special_decks", "not_enough_points"),
    ("shengji", 4, {"steps_to_win": 10}, "steps_to_win", "not_enough_points"),
    ("shengji", 4, {"laps": True, "last_level": "NT"}, "last_level", "laps_have_no_end"),
    ("shengji", 4, {"laps": True, "special_decks": [{"from": "6"}] * 2}, "laps", "laps_need_all_ranks"),
    ("shengji", 4, {"must_play": ["5"], "special_decks": [{"from": "6"}] * 2}, "must_play", "off_the_ladder"),
    ("shengji", 4, {"hooks": {"J": "2"}, "special_decks": [{"from": "6"}] * 2}, "hooks", "rank_in_no_deck"),
    ("shengji", 4, {"level_ladder": ["2", "A"], "start_level": "5"}, "start_level", "not_on_the_ladder"),
    ("shengji", 4, {"hook_rule": "lone_card"}, "hook_rule", "needs_hooks"),
]


@pytest.mark.parametrize(("ruleset", "players", "overrides", "option", "reason"), CONTRADICTIONS)
def test_contradictory_options_are_refused_by_name(
    ruleset: str, players: int, overrides: dict[str, Any], option: str, reason: str
) -> None:
    refused = refusal(ruleset, players, overrides)
    assert (refused["option"], refused["reason"]) == (option, reason)
    if isinstance(refused["accepted"], dict):  # a schema for explaining invalid lists
        return
    assert overrides[option] not in refused["accepted"]
    for value in refused["accepted"]:
        settled = effective_options(ruleset, players, {**overrides, option: value})[option]
        assert settled == value or value in (None, [])


def test_every_constraint_has_a_case() -> None:
    assert {row.reason for row in CONSTRAINTS if row.reason} <= {reason for *_, reason in CONTRADICTIONS}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("overcall", "longest"),
        ("overcall", 1),
        ("overcall", ["longer"]),
        ("chao_di", 1),
        ("chao_di", "true"),
        ("points_per_level", 7),
        ("points_per_level", True),
        ("points_per_level", -5),
        ("must_play", "2"),
        ("must_play", ["2", "2"]),
        ("must_play", ["joker"]),
        ("hooks", {"J": "Q"}),
        ("hooks", {"J": ""}),
        ("hooks", ["J"]),
        ("misdeal", None),
        ("misdeal", {"no_points": 1}),
        ("misdeal", {"points_below": 0}),
        ("misdeal", {"points_below": True}),
        ("misdeal", {"no_tens": True}),
    ],
)
def test_values_of_another_kind_are_refused(option: str, value: Any) -> None:
    assert refusal("shengji", 4, {option: value})["reason"] == "no_such_value"


def test_options_of_other_games_are_refused_except_at_their_fixed_value() -> None:
    assert refusal("shengji", 4, {"call_other_copy": True})["reason"] == "not_in_this_ruleset"
    assert effective_options("shengji", 4, {"call_other_copy": False})["call_other_copy"] is False
    assert refusal("arms_length", 4, {"deal_pace": "timed"})["accepted"] == ["instant"]
    assert refusal("shengji", 4, {"jolly": True})["reason"] == "no_such_option"


def test_results_share_no_objects_with_tables_or_arguments() -> None:
    overrides: dict[str, Any] = {"hooks": {"J": "2"}}
    first = effective_options("zhaopengyou_80", 6, overrides)
    first["misdeal"]["no_points"] = False
    first["must_play"].append("2")
    first["hooks"]["Q"] = "2"
    second = effective_options("zhaopengyou_80", 6, overrides)
    assert second["misdeal"] == {"no_points": True}
    assert second["must_play"] == []
    assert second["hooks"] == {"J": "2"}


@pytest.mark.parametrize("ruleset", ["whist", "", None, 4, ["shengji"]])
def test_unknown_rulesets_are_refused(ruleset: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        ruleset_of(ruleset)
    assert caught.value.params["reason"] == "no_such_ruleset"


@pytest.mark.parametrize("players", [3, 17, True, "6", 6.0])
def test_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(InvalidRequest) as caught:
        composition("zhaopengyou", players, {})
    assert caught.value.params["accepted"] == list(range(5, 17))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_catalogue_lists_every_option_that_a_table_can_set(ruleset: str) -> None:
    rules = catalogue(ruleset)
    assert {option["name"]: option["default"] for option in rules["options"]} == defaults(RULESETS[ruleset])
    for players in RULESETS[ruleset].players:
        game = rules["games"][str(players)]
        assert game["options"] == effective_options(ruleset, players, {})
        assert game["composition"]["total"] == composition(ruleset, players, {}).total
    assert ruleset in [entry["id"] for entry in summary()]
