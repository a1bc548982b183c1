"""All vectors of the kinds order, adjacent, lead, throw, claim, follow and trick (see tests/vectors/README.md)."""

from itertools import pairwise
from typing import Any

import pytest

from service.common.errors import CardsNotHeld, IllegalPlay, InvalidRequest
from service.rules.cards import KIND, KINDS, absent_from, counts_of, kinds_of, names_of
from service.rules.options.rulesets import cards_of, deck_of, effective_options
from service.rules.oracle import questions
from service.rules.tricks.claims import cost_of_false_claim
from service.rules.tricks.trick_rules import TrickRules, trick_rules
from service.rules.trumps import TRUMPS, Trump
from tests.rules.vectors import Case, cases, parametrised


def rules_of(case: Case) -> TrickRules:
    if case["ruleset"] == "arms_length":
        # Its cards rank like those of other games without trumps, and it has no options of tricks.
        options = effective_options("shengji", 4, {})
    else:
        options = effective_options(case["ruleset"], case["players"], case["options"], case["decks"])
    deck = deck_of(cards_of(case["ruleset"], case["players"], options, case["decks"]))
    return trick_rules(Trump(**case["trump"]), options, absent_from(deck))


def multisets(groups: list[list[str]]) -> list[list[str]]:
    return sorted(sorted(group) for group in groups)


@parametrised(["order"])
def test_cards_rank_as_in_the_source(case: Case) -> None:
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


@parametrised(["adjacent"])
def test_two_tuples_are_a_tractor_when_they_are_consecutive(case: Case) -> None:
    rules = rules_of(case)

    def tractor(pair: list[str]) -> bool:
        try:
            return rules.lead(kinds_of(pair * 2)).kind == "tractor"
        except IllegalPlay:
            return False

    assert [pair for pair in case["consecutive"] if not tractor(pair)] == []
    assert [pair for pair in case["not_consecutive"] if tractor(pair)] == []


@parametrised(["lead"])
def test_a_lead_is_read_as_in_the_source(case: Case) -> None:
    rules, expect = rules_of(case), case["expect"]
    units = [kinds_of(unit) for unit in case["units"]] if "units" in case else None
    unseen = counts_of(kinds_of(case["unseen"])) if "unseen" in case else None
    if not expect["valid"]:
        with pytest.raises(IllegalPlay):
            rules.lead(kinds_of(case["cards"]), units, unseen)
        return
    lead = rules.lead(kinds_of(case["cards"]), units, unseen)
    assert lead.kind == expect["kind"]
    if "units" in expect:
        read = [names_of(unit.cards) for unit in lead.units]
        assert multisets(read) == multisets(expect["units"])
        assert read == sorted(read, key=len, reverse=True)


@parametrised(["throw"])
def test_a_throw_succeeds_or_fails_as_in_the_source(case: Case) -> None:
    rules, expect = rules_of(case), case["expect"]
    lead = rules.lead(kinds_of(case["lead"]))
    assert lead.kind == "throw"
    throw = rules.throw(lead, [counts_of(kinds_of(hand)) for hand in case["hands"]])
    assert throw.ok == expect["ok"]
    assert sorted(names_of(throw.forced)) == sorted(expect.get("forced", []))
    assert throw.penalty == expect.get("penalty", 0)
    assert throw.ends_round == expect.get("ends_round", False)
    assert throw.penalty_levels == expect.get("penalty_levels", {}).get("leader", 0)


@parametrised(["claim"])
def test_a_claim_is_right_or_costs_what_its_vector_says(case: Case) -> None:
    hands = [counts_of(kinds_of(hand)) for hand in (case["hand"], *case["hands"])]
    assert (rules_of(case).certain_leads(hands[0], hands[1:]) is not None) == case["expect"]["ok"]
    options = effective_options(case["ruleset"], case["players"], case["options"], case["decks"])
    if not case["expect"]["ok"]:
        assert cost_of_false_claim(options) == (case["expect"]["penalty"], case["expect"]["levels"])


@parametrised(["follow"])
def test_a_follow_is_legal_as_in_the_source(case: Case) -> None:
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


@parametrised(["trick"])
def test_a_trick_is_won_as_in_the_source(case: Case) -> None:
    rules = rules_of(case)
    plays = [kinds_of(play) for play in case["plays"]]
    lead = rules.lead(plays[0])
    winner = rules.winner(lead, plays)
    assert winner == case["expect"]["winner"]
    assert rules.winning_unit(lead, plays[winner]) is not None


# The same through the rule oracle.


def ask(case: Case, kind: str | None = None, **more: Any) -> dict[str, Any]:
    outputs = ("id", "source", "ruleset", "kind", "note", "expect", "legal", "illegal", "complete", "descending")
    body = {name: value for name, value in case.items() if name not in outputs}
    return questions.answer(case["ruleset"], kind or case["kind"], body | more)


@parametrised(["order"], [case for case in cases() if case["ruleset"] != "arms_length"])
def test_the_oracle_ranks_cards(case: Case) -> None:
    answer = ask(case)
    assert [sorted(tier) for tier in answer["descending"]] == [sorted(tier) for tier in case["descending"]]
    assert "trumps_in_deck" not in case or answer["trumps_in_deck"] == case["trumps_in_deck"]


@parametrised(["adjacent"])
def test_the_oracle_tells_what_is_consecutive(case: Case) -> None:
    answer = ask(case, pairs=case["consecutive"] + case["not_consecutive"])
    assert answer == {"consecutive": case["consecutive"], "not_consecutive": case["not_consecutive"]}


@parametrised(["lead"])
def test_the_oracle_reads_a_lead(case: Case) -> None:
    answer, expect = ask(case), case["expect"]
    assert answer["valid"] == expect["valid"]
    assert answer.get("kind") == expect.get("kind")
    assert "units" not in expect or multisets(answer["units"]) == multisets(expect["units"])


@parametrised(["throw"])
def test_the_oracle_tests_a_throw(case: Case) -> None:
    answer, expect = ask(case), case["expect"]
    assert sorted(answer.pop("forced", [])) == sorted(expect.get("forced", []))
    assert answer == {name: value for name, value in expect.items() if name != "forced"}


@parametrised(["follow"])
def test_the_oracle_judges_a_follow_and_lists_the_legal_ones(case: Case) -> None:
    for play in case["legal"]:
        assert ask(case, play=play) == {"legal": True, "rule": None, "required": None, "example": None}
    for play in case["illegal"]:
        answer = ask(case, play=play)
        assert not answer["legal"]
        assert answer["required"]["cards"] == len(case["lead"])
        assert ask(case, play=answer["example"])["legal"]
    answer = ask(case, "plays", limit=1000)
    assert answer["complete"]
    if case["complete"]:
        assert multisets(answer["plays"]) == multisets(case["legal"])


@parametrised(["trick"])
def test_the_oracle_tells_who_wins_a_trick(case: Case) -> None:
    assert ask(case) == case["expect"]


TRUMP = {"trump": {"rank": "8", "suit": "H"}}
FOLLOW = {**TRUMP, "lead": ["4S", "4S"], "hand": ["5S", "6S"], "play": ["5S", "6S"]}


@pytest.mark.parametrize(
    ("kind", "body", "reason"),
    [
        ("order", {**TRUMP, "scope": "H2"}, "choice"),
        ("order", {"trump": {"rank": "8", "suit": "hearts"}, "scope": "S"}, "choice"),
        ("lead", {**TRUMP, "cards": []}, "list"),
        ("lead", {**TRUMP, "cards": ["4S"] * 3}, "more_copies_than_decks"),
        ("lead", {**TRUMP, "cards": ["4S"] * 161}, "list"),
        ("throw", {**TRUMP, "lead": ["AS", "KS"], "hands": []}, "list"),
        ("lead", {**TRUMP, "cards": ["AS"], "unseen": ["KS"] * 3}, "more_copies_than_decks"),
        ("throw", {**TRUMP, "lead": ["AS", "KS"], "hands": [["KS", "KS"]]}, "more_copies_than_decks"),
        ("follow", {**FOLLOW, "hand": ["5S"]}, "list"),
        ("follow", {**FOLLOW, "hand": ["4S", "5S"]}, "more_copies_than_decks"),
        ("plays", {**FOLLOW, "limit": 0}, "number"),
        ("trick", {**TRUMP, "plays": [["4S"], ["5S", "6S"]]}, "unequal_plays"),
        ("adjacent", {**TRUMP, "pairs": [["4S"]]}, "list"),
    ],
)
def test_invalid_questions_about_tricks_are_refused(kind: str, body: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        questions.answer("shengji", kind, body)
    assert refusal.value.params["reason"] == reason


def test_a_follow_must_be_in_the_hand() -> None:
    with pytest.raises(CardsNotHeld):
        questions.answer("shengji", "follow", FOLLOW | {"play": ["5S", "7S"]})


def test_questions_may_have_up_to_twenty_four_decks() -> None:
    identical = {**TRUMP, "cards": ["4S"] * 24, "decks": 24}
    assert questions.answer("shengji", "lead", identical)["kind"] == "tuple"
    with pytest.raises(InvalidRequest):
        questions.answer("shengji", "lead", identical | {"decks": 25})


def test_the_hands_that_a_throw_is_tested_against_may_differ_in_length() -> None:
    body = {**TRUMP, "lead": ["AS", "KS"]}
    assert questions.answer("shengji", "throw", body | {"hands": [[], ["QS"], ["JS", "TS", "3C"]]}) == {"ok": True}
    failed = questions.answer("shengji", "throw", body | {"hands": [[], [], ["AS"]]})
    assert failed == {"ok": False, "forced": ["KS"], "penalty": 0}


def test_a_question_may_give_the_units_of_the_lead() -> None:
    body = {**TRUMP, "decks": 3, "cards": ["3S", "3S", "3S", "4S", "4S"], "units": [["3S"] * 3, ["4S"] * 2]}
    assert questions.answer("shengji", "lead", body)["units"] == [["3S"] * 3, ["4S"] * 2]
    plays = [body.pop("cards"), ["9S", "9S", "TS", "TS", "KS"], ["5S", "5S", "5S", "6S", "6S"]]
    assert questions.answer("shengji", "trick", body | {"plays": plays}) == {"winner": 2}
    body["units"] = [["3S", "4S"] * 2, ["3S"]]
    assert questions.answer("shengji", "trick", body | {"plays": plays}) == {"winner": 1}


def test_leads_are_listed_without_a_lead() -> None:
    body = {**TRUMP, "hand": ["4S", "4S", "5S"], "limit": 10}
    answer = questions.answer("shengji", "plays", body)
    assert answer == questions.answer("shengji", "plays", body | {"lead": None})
    assert multisets(answer["plays"]) == multisets([["4S"], ["5S"], ["4S"] * 2, ["4S", "5S"], ["4S", "4S", "5S"]])
