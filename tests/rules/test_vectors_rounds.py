"""Every vector about a round as a whole, asked of the functions that the game itself uses."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.errors import IllegalDeclaration
from service.rules.cards import KIND, POINTS, counts_of, kinds_of
from service.rules.declarations import (
    CHAO_SUITS,
    DeclareContext,
    chao_asked,
    chao_suit,
    cut,
    flip_kitty,
    judge,
    may_redeal,
    ranks_to_declare,
    trump_maker,
)
from service.rules.rulesets import RULESETS, cards_as_json, composition, effective_options
from service.rules.trumps import Trump
from tests.rules.vectors import Case, parametrised


def options_of(case: Case) -> dict[str, Any]:
    return effective_options(case["ruleset"], case["players"], case["options"])


def trump_of(value: Mapping[str, str | None]) -> Trump:
    return Trump(value["rank"], value["suit"])


@parametrised(["setup"])
def test_a_game_has_the_cards_its_seed_gives_it(case: Case) -> None:
    made = composition(case["ruleset"], case["players"], options_of(case))
    answer = cards_as_json(made, RULESETS[case["ruleset"]].teams)
    assert {name: answer[name] for name in case["expect"]} == case["expect"]
    assert made.decks == case["decks"]


@parametrised(["card_points"])
def test_a_card_counts_its_points(case: Case) -> None:
    assert POINTS[KIND[case["card"]]] == case["expect"]["points"]


def context_of(case: Case) -> DeclareContext:
    options = options_of(case)
    players = case["players"]
    levels = case.get("levels", [case.get("level")] * players)
    active = case.get("active", [True] * players)
    fixed = RULESETS[case["ruleset"]].teams == "fixed"
    return DeclareContext(
        options=options,
        decks=case["decks"],
        ranks=ranks_to_declare(options, levels, active, case.get("level", levels[0])),
        first_round=True,
        declarer=None,
        levels=tuple(levels),
        active=tuple(active),
        teams=tuple(seat % 2 for seat in range(players)) if fixed else None,
    )


@parametrised(["declare"])
def test_declarations_are_judged_one_after_the_other(case: Case) -> None:
    context = context_of(case)
    shown: list[dict[str, Any]] = []
    moment = False
    accepted = []
    for event in case["events"]:
        if "wait" in event:
            moment = False
            accepted.append(True)
            continue
        cards = kinds_of(event["cards"])
        try:
            meaning = judge(context, shown, event["seat"], cards, may_defend=moment, meant=event["as"])
        except IllegalDeclaration:
            accepted.append(False)
            continue
        shown.append({"seat": event["seat"], "cards": cards, "as": meaning})
        moment = meaning == "overcall"
        accepted.append(True)
    assert accepted == [answer["accepted"] for answer in case["expect"]]
    made = trump_maker(context, shown)
    if made is None:
        assert case["final"] is None
        assert context.options["no_declaration"] == case["then"]
    else:
        seat, trump = made
        assert {"seat": seat, "suit": trump.suit, "rank": trump.rank} == case["final"]


@parametrised(["flip_kitty"])
def test_the_kitty_is_turned_for_a_suit(case: Case) -> None:
    suit, turned = flip_kitty(case["rank"], kinds_of(case["kitty"]))
    assert {"suit": suit, "turned": turned} == case["expect"]


@parametrised(["chao_di"])
def test_pairs_overcall_for_the_kitty(case: Case) -> None:
    options = options_of(case)
    standing, holder = kinds_of(case["declaration"]["cards"]), case["declarer"]
    suit = trump_of({"rank": None, "suit": case["declaration"]["cards"][0][1]}).suit
    asked, accepted, overcalled = [], [], False
    for event in case["events"]:
        last = case["declaration"]["seat"]
        around = chao_asked(case["players"], holder=holder, declared_last=last, overcalled=overcalled)
        assert event["seat"] in around
        if event["seat"] not in asked:
            asked.append(event["seat"])
        if "pass" in event:
            accepted.append(True)
            continue
        try:
            suit = chao_suit(options, case["level"], standing, kinds_of(event["cards"]))
        except IllegalDeclaration:
            accepted.append(False)
            continue
        standing, holder, overcalled = kinds_of(event["cards"]), event["seat"], True
        accepted.append(True)
    assert accepted == [answer["accepted"] for answer in case["expect"]]
    assert {"suit": suit, "kitty": holder} == case["final"]
    assert asked == case.get("asked", asked)


@parametrised(["chao_order"])
def test_pairs_for_the_kitty_are_ordered_by_suit(case: Case) -> None:
    options = options_of(case)
    pairs = [kinds_of(pair) for pair in case["descending"]]
    single = [KIND[case["level"] + CHAO_SUITS[-1]]]
    for at, higher in enumerate(pairs):
        chao_suit(options, case["level"], single, higher)
        for lower in pairs[at:]:
            with pytest.raises(IllegalDeclaration):
                chao_suit(options, case["level"], higher, lower)
        for lower in pairs[at + 1 :]:
            chao_suit(options, case["level"], lower, higher)
    assert case["over_single"] is True


@parametrised(["misdeal"])
def test_a_poor_hand_may_ask_for_a_new_deal(case: Case) -> None:
    hand = counts_of(kinds_of(case["hand"]))
    assert may_redeal(options_of(case), trump_of(case["trump"]), hand) is case["expect"]["may_ask"]


@parametrised(["cut"])
def test_the_cut_card_counts_out_who_draws_first(case: Case) -> None:
    assert cut(case["shuffler"], case["rank"], case["players"]) == case["expect"]["first"]
