"""The simulation of Arm's Length plays by the rules, and deals only possible hands."""

import random
from typing import Any

from service.rules.cards import SUITS, counts_of, kinds_in, kinds_of
from service.rules.rounds import arms_length
from tests.workers.players import LITTLE, interpreted
from tests.workers.rounds import played, plays_asked
from workers.ai import advice_of, by_search
from workers.ai.search.roads import Roads, Round

SIZE = 13


def hand_of(world: Round, seat: int) -> list[int]:
    return counts_of([card for suit in world.hands[seat] for card in suit])


class Strict(Roads):
    """Checks each simulated play, and each winner of a trick, by the rules."""

    played = 0

    def value(self, world: Round, cards: Any) -> int:
        self.trick = [*self._before]
        self.trump = None if world.trump < 0 else SUITS[world.trump]
        self.winner = (self.seat - len(self._before)) % 4
        return super().value(world, cards)

    def _take(self, world: Round, seat: int, card: int) -> None:
        assert card in arms_length.legal(self.trump, self.trick, hand_of(world, seat))
        assert world.left[card // SIZE] >> card % SIZE & 1
        super()._take(world, seat, card)
        self.trick.append(card)
        Strict.played += 1

    def _trick(self, world: Round, *rest: Any) -> int:
        winner = super()._trick(world, *rest)
        at, self.trump = arms_length.winner(self.trump, self.trick)
        assert winner == (self.winner + at) % 4
        assert world.trump == (-1 if self.trump is None else SUITS.index(self.trump))
        self.trick, self.winner = [], winner
        return winner


@interpreted
def test_simulated_rounds_keep_the_rules() -> None:
    for deal in range(2):
        for _, view in plays_asked("arms_length", 4, {}, deal):
            roads = Strict(view, random.Random(deal))
            for card in view["decision"]["hints"].get("example", []):
                world = roads.world()
                roads.value(world, kinds_of([card]))
    assert Strict.played > 1_000


def test_deals_are_possible_and_worlds_are_not_modified() -> None:
    for _, view in plays_asked("arms_length", 4, {}, 7):
        roads = Roads(view, random.Random(1))
        world = roads.world()
        for seat, place in enumerate(view["seats"]):
            assert sum(map(len, world.hands[seat])) == place["hand_count"]
        for letter, seats in view["round"]["seen"].get("voids", {}).items():
            assert not any(world.hands[seat][SUITS.index(letter)] for seat in seats)
        assert sorted(kinds_in(hand_of(world, roads.seat))) == sorted(kinds_of(view["my"]["hand"]))
        before = str(world.hands), world.left[:], world.tricks[:], world.trump
        roads.value(world, kinds_of(view["decision"]["hints"]["example"]))
        assert (str(world.hands), world.left, world.tricks, world.trump) == before


def test_the_last_cards_are_worth_what_the_round_then_scores() -> None:
    state, view = next(each for each in plays_asked("arms_length", 4, {}, 5) if len(each.view["my"]["hand"]) == 1)
    roads = Roads(view, random.Random(1))
    world = roads.world()
    world.hands = [
        [[kind for kind in kinds_in(hand) if kind // SIZE == suit] for suit in range(4)]
        for hand in state["round"]["hands"]
    ]
    even, odd = played("arms_length", 4, {}, 5).result["scores"]
    gained = roads.value(world, kinds_of(view["my"]["hand"]))
    assert gained == (odd - even if roads.seat % 2 else even - odd)


def test_a_search_may_overrule_the_rules_with_a_gain_in_points() -> None:
    moves = {
        reason["code"]
        for _, view in plays_asked("arms_length", 4, {}, 3)
        for reason in [advice_of(by_search(LITTLE["expert"]), view, b"x").reason]
        if reason
    }
    assert moves >= {"best-chance", "search-points"}
