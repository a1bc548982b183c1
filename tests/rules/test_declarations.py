"""Declaring beyond the vectors: the possible declarations are exactly the accepted ones."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.common.errors import IllegalDeclaration
from service.rules.cards import KIND, KINDS, LJ, counts_of, kinds_of
from service.rules.composition import composition
from service.rules.games import RULESETS
from service.rules.options.rulesets import effective_options
from service.rules.rounds.chao_di import chao_asked
from service.rules.rounds.declarations import (
    DeclareContext,
    defender,
    judge,
    laid_out,
    outcome,
    overcalled_seat,
    possible,
    ranks_to_declare,
    standing,
)
from service.rules.rounds.redeals import declarer_after_redeal, flip_kitty, may_redeal
from service.rules.trumps import Trump

GAMES = [
    ("zhaopengyou", 8, {}),
    ("zhaopengyou", 6, {"joker_declaration": "pair", "self_overcall": True}),
    ("zhaopengyou", 6, {"active_passive": True, "declare_rank": "any_active_level"}),
    ("zhaopengyou_80", 8, {"defence": "immediate"}),
    ("finding_friends", 12, {"defence": "immediate"}),
    ("shengji", 4, {}),
    ("sishifen", 4, {}),
    ("tractor", 4, {}),
    ("shengji", 4, {"overcall": "jokers_first", "joker_declaration": "single", "defence": "any_time"}),
    ("finding_friends", 8, {"overcall": "longer_or_suit", "joker_declaration": "all_but_one_big"}),
    ("shengji_six", 6, {"joker_declaration": "all_decks", "defence": "any_time", "self_overcall": True}),
    ("shengji", 4, {"joker_beside": "matching", "jokers_open": False}),
    ("zhaopengyou", 8, {"overcall_rank": "first", "active_passive": True, "declare_rank": "own_level"}),
    ("zhaopengyou", 6, {"joker_beside": "any", "joker_declaration": "pair"}),
]


def context_of(
    ruleset: str, players: int, overrides: dict[str, Any], levels: list[str], active: list[bool], **more: Any
) -> DeclareContext:
    options = effective_options(ruleset, players, overrides)
    fixed = RULESETS[ruleset].teams == "fixed"
    cards = composition(ruleset, players, options)
    return DeclareContext(
        options=options,
        decks=cards.decks,
        jokers=(cards.little_jokers, cards.big_jokers),
        ranks=ranks_to_declare(options, levels, active, levels[0]),
        levels=tuple(levels),
        active=tuple(active),
        teams=tuple(seat % 2 for seat in range(players)) if fixed else None,
        **{"first_round": True, "declarer": None, **more},
    )


@st.composite
def deals(draw: st.DrawFn) -> tuple[DeclareContext, list[dict[str, Any]]]:
    """A context and the declarations in it, made by showing possible sets one after the other."""
    ruleset, players, overrides = draw(st.sampled_from(GAMES))
    levels = [draw(st.sampled_from("2358")) for _ in range(players)]
    active = [draw(st.booleans()) for _ in range(players)] if overrides.get("active_passive") else [True] * players
    context = context_of(ruleset, players, overrides, levels, active)
    everything = [context.decks] * KINDS
    declarations: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(0, 4))):
        seat = draw(st.integers(0, players - 1))
        moment = draw(st.booleans())
        sets = possible(context, declarations, seat, everything, may_defend=moment)
        if sets:
            cards = draw(st.sampled_from(sets))
            declarations.append(
                {"seat": seat, "cards": cards, "as": judge(context, declarations, seat, cards, may_defend=moment)}
            )
    return context, declarations


@given(deals(), st.data())
def test_exactly_the_possible_declarations_are_accepted(
    deal: tuple[DeclareContext, list[dict[str, Any]]], data: st.DataObject
) -> None:
    context, declarations = deal
    seat = data.draw(st.integers(0, len(context.levels) - 1))
    hand = data.draw(st.lists(st.integers(0, context.decks), min_size=KINDS, max_size=KINDS))
    moment = data.draw(st.booleans())
    accepted = []
    for kind in range(KINDS):
        besides = [[], *([joker] for joker in range(LJ, KINDS) if joker != kind and hand[joker])]
        for number, beside in product(range(1, hand[kind] + 1), besides):
            cards = laid_out([kind] * number + beside)
            try:
                judge(context, declarations, seat, cards, may_defend=moment)
            except IllegalDeclaration:
                continue
            accepted.append(cards)
    assert sorted(possible(context, declarations, seat, hand, may_defend=moment)) == sorted(accepted)


@given(deals())
def test_after_any_declarations_somebody_takes_the_kitty(deal: tuple[DeclareContext, list[dict[str, Any]]]) -> None:
    context, declarations = deal
    result = outcome(context, declarations)
    if not declarations:
        assert result is None
        assert standing(declarations) is None
        return
    assert result is not None
    seat, trump = result
    assert 0 <= seat < len(context.levels)
    assert context.active[seat]
    assert (trump.suit is None) == (declarations[-1]["cards"][0] >= LJ)
    assert trump.rank in context.levels
    if context.options["declarer_by"] == "trump_maker":
        assert trump.rank == context.levels[seat]


def test_the_declarer_of_a_rotation_takes_the_kitty_whoever_declares() -> None:
    context = context_of("shengji", 4, {}, ["5"] * 4, [True] * 4, first_round=False, declarer=2)
    assert outcome(context, [{"seat": 1, "cards": kinds_of(["5H"]), "as": "declare"}]) == (2, Trump("5", "H"))


def test_only_the_overcalled_seat_may_defend() -> None:
    declarations = [{"seat": 0, "cards": [0], "as": "declare"}]
    assert overcalled_seat(declarations) is None
    declarations.append({"seat": 2, "cards": [13, 13], "as": "overcall"})
    assert overcalled_seat(declarations) == 0
    declarations.append({"seat": 0, "cards": [0, 0], "as": "defend"})
    assert overcalled_seat(declarations) is None
    assert overcalled_seat([*declarations, {"seat": 0, "cards": [1, 1, 1], "as": "overcall"}]) is None


OVERCALLS = [
    ("5S", "5H 5H", 0, "more cards can be matched"),
    ("5S", "BJ BJ", None, "rank cards do not defend against jokers"),
    ("5S 5S", "BJ BJ", None, "there is nothing to add"),
    ("LJ LJ", "5H 5H 5H", None, "there is no third little joker"),
]


@pytest.mark.parametrize(("before", "over", "seat", "why"), OVERCALLS, ids=[case[-1] for case in OVERCALLS])
def test_a_seat_is_asked_to_defend_only_if_copies_in_the_game_could(
    before: str, over: str, seat: int | None, why: str
) -> None:
    context = context_of("shengji", 4, {"defence": "immediate"}, ["5"] * 4, [True] * 4)
    declarations = [
        {"seat": 0, "cards": kinds_of(before.split()), "as": "declare"},
        {"seat": 2, "cards": kinds_of(over.split()), "as": "overcall"},
    ]
    assert defender(context, declarations) == seat
    assert defender(context_of("shengji", 4, {}, ["5"] * 4, [True] * 4), declarations) is None


@given(deals(), st.data())
def test_every_seat_that_could_defend_at_once_is_asked(
    deal: tuple[DeclareContext, list[dict[str, Any]]], data: st.DataObject
) -> None:
    context, declarations = deal
    seat = overcalled_seat(declarations)
    if context.options["defence"] != "immediate" or seat is None:
        return
    copies = [context.decks] * LJ + list(context.jokers)
    sets = possible(context, declarations, seat, copies, may_defend=True)
    defends = [cards for cards in sets if judge(context, declarations, seat, cards, may_defend=True) == "defend"]
    assert (defender(context, declarations) is not None) == bool(defends)


def test_a_new_deal_may_leave_the_place_of_declarer_open() -> None:
    plain, free = (effective_options("shengji", 4, {"no_declaration": how}) for how in ("redeal", "redeal_open"))
    assert declarer_after_redeal(plain, 2) == 2
    assert declarer_after_redeal(free, 2) is None


def test_declarations_after_the_discard_need_chao_di_rule_overcall() -> None:
    context = context_of("shengji", 4, {"chao_di": True}, ["5"] * 4, [True] * 4)
    with pytest.raises(IllegalDeclaration) as caught:
        judge(context, [], 0, [KIND["5S"]], may_defend=False, after_kitty=True)
    assert caught.value.rule == "no_kitty_overcalls"


def test_a_declaration_with_another_intended_meaning_is_refused() -> None:
    context = context_of("shengji", 4, {}, ["2"] * 4, [True] * 4)
    with pytest.raises(IllegalDeclaration) as caught:
        judge(context, [], 0, [KIND["2S"]], may_defend=False, meant="reinforce")
    assert caught.value.required == {"as": "declare"}


def test_a_level_without_a_trump_rank_declares_nothing() -> None:
    context = context_of("tractor", 4, {}, ["NT"] * 4, [True] * 4)
    assert context.ranks == (frozenset(),) * 4
    assert possible(context, [], 0, [2] * KINDS, may_defend=False) == []
    own = context_of("zhaopengyou", 6, {"laps": True}, ["joker", "2+", "A", "A", "A", "A"], [True] * 6)
    assert own.ranks[:2] == (frozenset(), frozenset("2"))


def test_a_kitty_of_only_jokers_makes_no_trump_suit() -> None:
    jokers = kinds_of(["BJ", "LJ", "LJ"])
    assert flip_kitty(effective_options("shengji", 4, {}), "2", jokers) == (None, jokers)


def test_before_there_are_trumps_no_hand_counts_as_having_none() -> None:
    options = effective_options("shengji", 4, {"misdeal": {"no_trumps": True}})
    hand = counts_of(kinds_of(["3S", "4S"]))
    assert not may_redeal(options, None, hand)
    assert may_redeal(options, Trump("2", "H"), hand)


def test_nobody_is_asked_twice_and_the_holder_never() -> None:
    for players in range(4, 13):
        for holder in range(players):
            around = chao_asked(players, holder=holder, declared_last=None, overcalled=False)
            assert sorted([*around, holder]) == list(range(players))
            assert chao_asked(players, holder=holder, declared_last=around[0], overcalled=False) == around[1:]
            assert chao_asked(players, holder=holder, declared_last=around[0], overcalled=True) == around
