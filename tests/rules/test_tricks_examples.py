"""Examples of tricks that random cards seldom produce."""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from service.common.errors import IllegalPlay, TooComplex
from service.rules.cards import KIND, counts_of, kinds_in, kinds_of, names_of
from service.rules.tricks import units as units_module
from service.rules.tricks import winning
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump
from tests.rules.trick_cases import PLAIN, rules_with


def test_a_search_for_units_gives_up_before_it_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_with(trump_throw_compare="all_units")
    hand = [2, 2, 2, 0, 2, 2, 2, 0, 2, 2, 0, 0]
    assert rules.lines[0].fit(hand, ((2, 2),) * 4) is None
    lead = rules.lead(kinds_of(["AS", "AS", "QS", "QS", "TS"]))
    plays = [kinds_of(["9H", "9H", "6H", "6H", "AH"]), kinds_of(["TH", "TH", "5H", "5H", "KH"])]
    assert not rules.beats(lead, *plays)
    for module in (units_module, winning):
        monkeypatch.setattr(module, "MOST_STATES", 0)
    with pytest.raises(TooComplex):
        rules.lines[0].fit(hand, ((2, 2),) * 4)
    with pytest.raises(TooComplex):
        rules.beats(lead, *plays)


def test_hands_are_sorted_with_trumps_first_and_high_to_low() -> None:
    order = rules_with().order
    hand = kinds_of(["2S", "AS", "8S", "8D", "8H", "2H", "BJ", "LJ", "KC", "3D", "3D", "AH"])
    assert names_of(order.sort_hand(counts_of(hand))) == [
        *("BJ", "LJ", "8H", "8S", "8D", "AH", "2H"),
        *("AS", "2S", "3D", "3D", "KC"),
    ]


@pytest.mark.parametrize(
    ("led", "units", "rule"),
    [
        ([], None, "no_cards"),
        (["3S", "3H"], None, "one_suit"),
        (["3S", "8S"], None, "one_suit"),
        (["3S", "3S", "4S"], [["3S", "3S"]], "units_not_cards"),
        (["3S", "3S"], [["3S", "3S"], []], "no_unit"),
        (["3S", "4S"], [["3S", "4S"]], "no_unit"),
        (["3S", "3S", "4S"], None, "throw_same_count"),
    ],
)
def test_a_refused_lead_names_its_rule(led: list[str], units: list[list[str]] | None, rule: str) -> None:
    rules = trick_rules(Trump("8", "D"), PLAIN | {"throw_same_count": True}, frozenset())
    with pytest.raises(IllegalPlay) as refusal:
        rules.lead(kinds_of(led), units and [kinds_of(unit) for unit in units])
    assert refusal.value.rule == rule


def test_identical_cards_are_one_unit_unless_the_leader_names_several() -> None:
    rules, pair = rules_with(), kinds_of(["3S", "3S"])
    assert rules.lead(pair, [pair]) == rules.lead(pair)
    assert rules.lead(pair, [pair[:1], pair[1:]]).kind == "throw"
    for wrong in ([kinds_of(["4S", "4S"])], [pair * 2], []):
        with pytest.raises(IllegalPlay):
            rules.lead(pair, wrong)


@pytest.mark.parametrize(
    ("hand", "play", "rule"),
    [
        (["9S", "9S", "TS", "TS"], ["9S"], "card_count"),
        (["9S", "9S", "TS", "3C", "4C"], ["9S", "9S", "3C", "4C"], "follow_suit"),
        (["9S", "9S", "TS", "TS", "KS", "KS"], ["9S", "9S", "KS", "KS"], "follow_tractors"),
        (["9S", "9S", "JS", "JS", "KS", "KS"], ["9S", "JS", "KS", "KS"], "follow_tuples"),
    ],
)
def test_a_refused_follow_names_its_rule_and_shows_a_way(hand: list[str], play: list[str], rule: str) -> None:
    rules = rules_with(follow_tractors=True, follow_smaller="always")
    lead, counts = rules.lead(kinds_of(["4S", "4S", "5S", "5S"])), counts_of(kinds_of(hand))
    with pytest.raises(IllegalPlay) as refusal:
        rules.follow(lead, counts, kinds_of(play))
    assert refusal.value.rule == rule
    assert refusal.value.required == rules.required(lead, counts)
    rules.follow(lead, counts, kinds_of(refusal.value.example or []))


def test_equal_rules_share_one_object() -> None:
    rules = trick_rules(Trump("8", "H"), PLAIN, frozenset())
    assert rules is trick_rules(Trump("8", "H"), dict(PLAIN), frozenset())
    assert rules is not trick_rules(Trump("8", "H"), PLAIN, frozenset({KIND["LJ"]}))
    assert KIND["8H"] in kinds_in(counts_of(rules.order.groups[TRUMPS]))


def test_tractors_of_equal_ranks_are_compared_from_the_top() -> None:
    rules = rules_with(equal_rank_tractors="adjacent")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "6S", "6S"]))
    alike = kinds_of(["8C", "8C", "8D", "8D", "8S", "8S"])
    spread = kinds_of(["AH", "AH", "8C", "8C", "8H", "8H"])
    assert rules.winner(lead, [lead.cards, alike, spread]) == 2
    assert rules.winner(lead, [lead.cards, spread, alike]) == 1


def test_of_equal_kinds_a_tractor_takes_the_one_with_fewest_cards() -> None:
    lead = rules_with().lead(kinds_of(["AH", "AH", "8C", "8C", "8C", "8S", "8S"]))
    assert [names_of(unit.cards) for unit in lead.units] == [["8S", "8S", "AH", "AH"], ["8C", "8C", "8C"]]
    lead = rules_with().lead(kinds_of(["AH", "AH", "8C", "8C", "8S", "8S", "8S"]))
    assert [names_of(unit.cards) for unit in lead.units] == [["8C", "8C", "AH", "AH"], ["8S", "8S", "8S"]]


def test_a_quad_is_answered_by_two_pairs_before_odd_cards() -> None:
    rules = rules_with(follow_smaller="always")
    lead = rules.lead(kinds_of(["4S"] * 4))
    hand = counts_of(kinds_of(["9S", "9S", "JS", "JS", "KS", "AS"]))
    assert [unit["width"] for unit in rules.required(lead, hand)["required"]] == [2, 2]
    hand = counts_of(kinds_of(["9S", "9S", "9S", "JS", "JS", "KS", "AS"]))
    assert [unit["width"] for unit in rules.required(lead, hand)["required"]] == [3]


def test_without_answers_in_narrower_tuples_a_long_tractor_asks_for_its_own_length_or_for_tuples() -> None:
    rules = rules_with(follow_tractors=True)
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "6S", "6S"]))
    hand = counts_of(kinds_of(["9S", "9S", "TS", "TS", "QS", "QS", "AS", "AS"]))
    assert rules.required(lead, hand)["required"] == [{"kind": "tuple", "width": 2, "length": 1}] * 3
    hand = counts_of(kinds_of(["9S", "9S", "TS", "TS", "JS", "JS", "AS", "AS"]))
    assert rules.required(lead, hand)["required"] == [{"kind": "tractor", "width": 2, "length": 3}]


def test_an_answered_tuple_requires_no_further_part_of_a_tractor() -> None:
    rules = rules_with(follow_tractors=True, follow_smaller="always")
    lead = rules.lead(kinds_of(["4S", "4S", "4S", "5S", "5S", "5S"]))
    hand = counts_of(kinds_of(["KS", "KS", "KS", "9S", "9S", "TS", "TS", "2S"]))
    required = rules.required(lead, hand)["required"]
    assert [(unit["width"], unit["length"]) for unit in required] == [(3, 1), (2, 1)]


def test_all_units_are_compared_with_the_highest_reading_even_if_equal_kinds_give_several() -> None:
    rules = rules_with(trump_throw_compare="all_units")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "AS", "AS", "AS", "QS", "QS", "TS"]))
    assert [len(unit.cards) for unit in lead.units] == [4, 3, 2, 1]
    # The tractor with the eights of clubs leaves three eights of spades, a higher triple than the fives.
    best = kinds_of(["AH", "AH", "8C", "8C", "8S", "8S", "8S", "5H", "5H", "5H"])
    higher = kinds_of(["8H", "8H", "LJ", "LJ", "BJ", "BJ", "BJ", "6H", "6H", "7H"])
    assert rules.winner(lead, [lead.cards, best, higher]) == 2


def test_all_readings_are_searched_for_one_that_beats_every_unit() -> None:
    rules = rules_with(trump_throw_compare="all_units")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "QS", "QS", "AS"]))
    best = kinds_of(["2H", "2H", "3H", "3H", "5H", "5H", "AH"])
    # Either end of the three pairs may be the pair; the single stays too low, or is high enough.
    low = kinds_of(["9H", "9H", "TH", "TH", "JH", "JH", "7H"])
    high = kinds_of(["9H", "9H", "TH", "TH", "JH", "JH", "LJ"])
    assert rules.winner(lead, [lead.cards, best, low]) == 1
    assert rules.winner(lead, [lead.cards, best, high]) == 2


def test_a_tractor_that_would_take_the_cards_of_another_unit_does_not_count() -> None:
    lead = rules_with().lead(kinds_of(["4S", "4S", "5S", "5S", "QS", "QS", "QS"]))
    # Tens and jacks would be higher, but the jacks are needed for the triple.
    best = kinds_of(["9H", "9H", "TH", "TH", "JH", "JH", "JH"])
    higher = kinds_of(["TH", "TH", "JH", "JH", "KH", "KH", "KH"])
    for compared in ("largest_unit", "all_units"):
        rules = rules_with(trump_throw_compare=compared)
        assert rules.winner(lead, [lead.cards, best, higher]) == 2
        assert rules.winning_unit(lead, best) == tuple(kinds_of(["TH", "TH", "9H", "9H"]))


def test_a_second_tractor_is_required_only_next_to_the_first() -> None:
    rules = rules_with(follow_tractors=True, follow_smaller="always")
    lead = rules.lead(kinds_of(["4S", "4S", "5S", "5S", "QS", "QS", "KS", "KS"]))
    hand = counts_of(kinds_of(["7S", "7S", "9S", "9S", "TS", "TS", "AS", "JS", "2S", "2S"]))
    required = rules.required(lead, hand)["required"]
    assert [(unit["width"], unit["length"]) for unit in required] == [(2, 2), (2, 1), (2, 1)]


def test_different_ways_to_the_same_remaining_cards_are_searched_once() -> None:
    line = rules_with().lines[0]
    nine_pairs = [2, 2, 2, 2, 2, 2, 2, 0, 2, 0, 2, 0]
    assert line.fit(nine_pairs, ((2, 4), (2, 3), (2, 2))) is None
    assert line.fit(nine_pairs, ((2, 4), (2, 3), (2, 1), (2, 1))) is not None


def test_identical_cards_that_leave_no_choice_may_follow_with_protect_by_rungs() -> None:
    rules = rules_with(protect_larger=True, protect_by_rungs=True)
    lead, hand = rules.lead(kinds_of(["KD", "KD", "AD"])), counts_of(kinds_of(["2D"] * 5))
    assert rules.plays(hand, lead, 5) == ([tuple(kinds_of(["2D"] * 3))], True)
    rules.follow(lead, hand, rules.example(hand, lead))


def test_rainbows_are_led_one_by_one_and_thrown_together() -> None:
    rules = rules_with(rainbow=5)
    hand = counts_of(kinds_of(["5S", "5H", "5D", "5C", "5C", "6S", "6S", "6H", "6D", "6C", "6C", "7S", "7H"]))
    options = set()
    for number in range(1, 12):
        options |= set(combinations(kinds_in(hand), number))
    expected = {play for play in map(tuple, map(sorted, options)) if leads_rainbows(rules, play)}
    leads, complete = rules.plays(hand, None, limit=100_000, budget=1_000_000)
    assert complete
    assert {play for play in leads if leads_rainbows(rules, play)} == expected
    assert () not in leads
    assert len(expected) == 7


def leads_rainbows(rules: TrickRules, play: tuple[int, ...]) -> bool:
    try:
        return rules.lead(play).group == RAINBOW
    except IllegalPlay:
        return False


@pytest.mark.parametrize(
    ("options", "plain"),
    [
        ({}, True),
        ({"protect_larger": True, "protect_by_rungs": True}, False),
        ({"ruff_must_match": "all"}, False),
        ({"bombs": "any_time"}, False),
    ],
)
def test_follows_are_plain_if_only_suit_and_units_decide(options: dict[str, Any], plain: bool) -> None:
    assert rules_with(**options).has_plain_follows == plain


def test_a_hand_that_may_ruff_or_discard_chooses_among_both() -> None:
    rules = rules_with(ruff_must_match="all")
    lead = rules.lead(kinds_of(["AS", "AS"]))
    hand = counts_of(kinds_of(["3C", "3C", "KH", "KH", "TH", "5H"]))
    assert names_of(rules.example(hand, lead)) == ["3C", "3C"]
    plays = {tuple(sorted(names_of(rules.random_play(hand, lead, Random(seed))))) for seed in range(100)}
    assert plays > {("KH", "KH"), ("3C", "3C"), ("3C", "KH")}


def test_a_rainbow_asks_for_as_many_cards_of_one_rank() -> None:
    rules = rules_with(rainbow=4)
    lead = rules.lead(kinds_of(["5S", "5H", "5D", "5C"]))
    required = rules.required(lead, counts_of(kinds_of(["9S", "9S", "9H", "9H", "AS"])))
    assert required["required"] == [{"kind": "rainbow", "width": 4, "length": 1}]
    assert rules.required(lead, counts_of(kinds_of(["9S", "9S", "9H", "TH", "AS"])))["required"] == []
