"""Arm's Length beyond the vectors: there is always a legal card, and the roads are always agreed."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.common.errors import IllegalPlay, InvalidRequest
from service.rules.cards import CARDS, KIND, SUITS, counts_of
from service.rules.rounds.arms_length import CLASHES, ROADS, check, check_road, legal, resolve, winner

KINDS = st.integers(0, 51)
TRUMPS = st.sampled_from([None, *SUITS])


@st.composite
def turns(draw: st.DrawFn) -> tuple[str | None, list[int], list[int]]:
    cards = draw(st.lists(KINDS, min_size=4, max_size=16, unique=True))
    played = draw(st.integers(0, 3))
    return draw(TRUMPS), cards[:played], counts_of(cards[played:])


@given(turns())
def test_a_legal_card_exists_and_check_refuses_exactly_the_others(
    turn: tuple[str | None, list[int], list[int]],
) -> None:
    trump, trick, hand = turn
    allowed = legal(trump, trick, hand)
    assert allowed
    for kind in [kind for kind, count in enumerate(hand) if count]:
        if kind in allowed:
            check(trump, trick, hand, kind)
            continue
        with pytest.raises(IllegalPlay) as caught:
            check(trump, trick, hand, kind)
        assert caught.value.required["cards"] == [CARDS[each] for each in allowed]
        assert KIND[caught.value.example[0]] in allowed


@given(turns())
def test_a_player_who_can_win_must_win(turn: tuple[str | None, list[int], list[int]]) -> None:
    trump, trick, hand = turn
    wins = [kind for kind in legal(trump, trick, hand) if winner(trump, [*trick, kind])[0] == len(trick)]
    could = [kind for kind, count in enumerate(hand) if count and winner(trump, [*trick, kind])[0] == len(trick)]
    if not trick:
        assert wins == could
    follows = any(hand[kind] for kind in range(52) if trick and CARDS[kind][1] == CARDS[trick[0]][1])
    able = [kind for kind in could if not follows or CARDS[kind][1] == CARDS[trick[0]][1]]
    assert bool(wins) == bool(able)


def test_the_broken_rule_is_named() -> None:
    hand = counts_of([KIND["AS"], KIND["2S"], KIND["3H"], KIND["4D"]])
    for trick, kind, rule in (("9S", "4D", "arms_follow_suit"), ("9S", "2S", "arms_beat"), ("9C", "4D", "arms_trump")):
        with pytest.raises(IllegalPlay) as caught:
            check("H", [KIND[trick]], hand, KIND[kind])
        assert caught.value.rule == rule


@pytest.mark.parametrize(("near", "far"), list(product(ROADS, ROADS)))
def test_roads_are_agreed_asked_again_once_or_given(near: str, far: str) -> None:
    clash = near == far != "either"
    first, last = resolve([near, far], 0), resolve([near, far], CLASHES - 1)
    assert (first is None) is clash
    assert last in (0, 1)
    if clash or near == far == "either":
        assert last == 0
    else:
        assert first == last == (0 if near == "high" or far == "low" else 1)


def test_only_roads_are_stated() -> None:
    for road in ROADS:
        check_road(road)
    for other in ("middle", None, 1, ["high"]):
        with pytest.raises(InvalidRequest):
            check_road(other)
