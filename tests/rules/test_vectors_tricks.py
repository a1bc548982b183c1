"""Every vector of the kinds order, adjacent, lead, throw, follow and trick (see tests/vectors/README.md)."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from service.errors import IllegalPlay
from service.rules.cards import KIND, KINDS, counts_of, kinds_of, names_of
from service.rules.rulesets import effective_options
from service.rules.tricks import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump

VECTORS = Path(__file__).parents[1] / "vectors"
Case = dict[str, Any]


def cases(kind: str) -> list[Any]:
    found = [
        pytest.param(case, id=case["id"])
        for file in sorted(VECTORS.glob("*.json"))
        if file.name != "schema.json"
        for case in json.loads(file.read_text())
        if case["kind"] == kind
    ]
    assert found, kind
    return found


def rules_of(case: Case) -> TrickRules:
    if case["ruleset"] == "arms_length":
        # Its cards rank as everybody's without trumps; of the options of tricks it has none.
        options = effective_options("shengji", 4, {})
    else:
        options = effective_options(case["ruleset"], case["players"], case["options"])
    return trick_rules(Trump(**case["trump"]), options)


def multisets(groups: list[list[str]]) -> list[list[str]]:
    return sorted(sorted(group) for group in groups)


@pytest.mark.parametrize("case", cases("order"))
def test_cards_rank_as_the_seed_says(case: Case) -> None:
    order = rules_of(case).order
    group = TRUMPS if case["scope"] == "trumps" else "SHDC".index(case["scope"])
    listed = [kinds_of(tier) for tier in case["descending"]]
    levels = [{order.level_of[kind] for kind in tier} for tier in listed]
    assert all(order.group_of[kind] == group for tier in listed for kind in tier)
    assert all(len(level) == 1 for level in levels)
    assert all(high > low for (high,), (low,) in pairwise(levels))
    listed_kinds = {kind for tier in listed for kind in tier}
    in_deck = set(range(KINDS)) - ({KIND["LJ"], KIND["BJ"]} - listed_kinds)
    assert {kind for kind in in_deck if order.group_of[kind] == group} == listed_kinds


@pytest.mark.parametrize("case", cases("adjacent"))
def test_two_tuples_are_a_tractor_when_they_are_consecutive(case: Case) -> None:
    rules = rules_of(case)

    def tractor(pair: list[str]) -> bool:
        try:
            return rules.lead(kinds_of(pair * 2)).kind == "tractor"
        except IllegalPlay:
            return False

    assert [pair for pair in case["consecutive"] if not tractor(pair)] == []
    assert [pair for pair in case["not_consecutive"] if tractor(pair)] == []


@pytest.mark.parametrize("case", cases("lead"))
def test_a_lead_is_read_as_the_seed_says(case: Case) -> None:
    rules, expect = rules_of(case), case["expect"]
    if not expect["valid"]:
        with pytest.raises(IllegalPlay):
            rules.lead(kinds_of(case["cards"]))
        return
    lead = rules.lead(kinds_of(case["cards"]))
    assert lead.kind == expect["kind"]
    if "units" in expect:
        units = [names_of(unit.cards) for unit in lead.units]
        assert multisets(units) == multisets(expect["units"])
        assert [len(unit) for unit in units] == [len(unit) for unit in expect["units"]]


@pytest.mark.parametrize("case", cases("throw"))
def test_a_throw_holds_or_fails_as_the_seed_says(case: Case) -> None:
    rules, expect = rules_of(case), case["expect"]
    lead = rules.lead(kinds_of(case["lead"]))
    assert lead.kind == "throw"
    throw = rules.throw(lead, [counts_of(kinds_of(hand)) for hand in case["hands"]])
    assert throw.ok == expect["ok"]
    assert sorted(names_of(throw.forced)) == sorted(expect.get("forced", []))
    assert throw.penalty == expect.get("penalty", 0)
    assert throw.ends_round == expect.get("ends_round", False)
    assert throw.penalty_levels == expect.get("penalty_levels", {}).get("leader", 0)


@pytest.mark.parametrize("case", cases("follow"))
def test_a_follow_is_legal_as_the_seed_says(case: Case) -> None:
    rules = rules_of(case)
    lead, hand = rules.lead(kinds_of(case["lead"])), counts_of(kinds_of(case["hand"]))

    def legal(play: list[str]) -> bool:
        try:
            rules.follow(lead, hand, kinds_of(play))
        except IllegalPlay as refusal:
            rules.follow(lead, hand, kinds_of(refusal.example or []))
            return False
        return True

    assert [play for play in case["legal"] if not legal(play)] == []
    assert [play for play in case["illegal"] if legal(play)] == []
    plays, complete = rules.plays(hand, lead, limit=10_000)
    assert complete
    listed = [sorted(kinds_of(play)) for play in case["legal"]]
    if case["complete"]:
        assert sorted(map(list, plays)) == sorted(listed)
    else:
        assert [play for play in listed if tuple(play) not in plays] == []


@pytest.mark.parametrize("case", cases("trick"))
def test_a_trick_is_won_as_the_seed_says(case: Case) -> None:
    rules = rules_of(case)
    plays = [kinds_of(play) for play in case["plays"]]
    lead = rules.lead(plays[0])
    winner = rules.winner(lead, plays)
    assert winner == case["expect"]["winner"]
    assert rules.winning_unit(lead, plays[winner]) is not None
