"""Beliefs about hidden cards: exchanges follow the weights, and beliefs are closer to the truth."""

import random
from collections.abc import Iterator, Sequence
from itertools import chain
from math import prod
from typing import Any

import pytest

from service.rules.trumps import TRUMPS
from tests.workers.rounds import FAST, plays_asked
from workers.ai.deals.beliefs import AGES, TABLES, WEIGHTS, Beliefs, load
from workers.ai.deals.dealing import Deal, Dealer
from workers.ai.deals.past import tricks_of
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.searching import game_of, known_of
from workers.ai.simulation.tables import first_of


def beliefs_asked(
    ruleset: str, players: int, deal: int, share: float, weights: Sequence[float]
) -> Iterator[tuple[dict[str, Any], Beliefs, Dealer]]:
    """Yield some decisions of a round: view, beliefs of the seat, and dealer."""
    chance = random.Random(deal)
    for _, view in plays_asked(ruleset, players, FAST, deal):
        if chance.random() < share:
            knowledge = Knowledge(view, memory=True)
            game = game_of(view, knowledge)
            known = known_of(view, knowledge, game)
            beliefs = Beliefs(view, game.indices, known.pool, weights)
            yield view, beliefs, Dealer(known, chance, beliefs)


def places_of(beliefs: Beliefs, deal: Deal) -> list[list[int]]:
    """Return the hands and the kitty as indices."""
    return [
        *deal.hands,
        beliefs.indices.indices_of(deal.kitty),
    ]


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_the_gain_of_an_exchange_is_the_difference_of_the_weights(ruleset: str, players: int) -> None:
    chance = random.Random(1)
    weights = [chance.gauss(0.0, 1.0) for _ in range(WEIGHTS)]
    exchanged = joined = 0
    for _, beliefs, dealer in beliefs_asked(ruleset, players, 7, 0.2, weights):
        places = places_of(beliefs, dealer.deal())
        if dealer.known.buried:
            places[-1] = []
        free = [place for place, cards in enumerate(places) if cards and place != beliefs.me]
        for _ in range(20 if len(free) > 1 else 0):
            one, other = sorted(chance.sample(free, 2))
            mine, theirs = places[one], places[other]
            at, there = chance.randrange(len(mine)), chance.randrange(len(theirs))
            give, get = mine[at], theirs[there]
            cards, (give_group, got) = beliefs.cards, (beliefs.indices.group[index] for index in (give, get))
            gain = cards[one][get] - cards[one][give] + cards[other][give] - cards[other][get]
            if give_group != got:
                dealer.exchanges.count(places)
                gain += dealer.exchanges.gain(one, other, give_group, got)
            before = sum(weights[row] for row in beliefs.rows(places))
            mine[at], theirs[there] = get, give
            assert gain == pytest.approx(sum(weights[row] for row in beliefs.rows(places)) - before)
            exchanged += 1
            joined += beliefs.joins and give_group != got
    assert exchanged > 100
    assert joined > 50


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_the_information_of_a_trick_of_single_cards_depends_on_its_age(ruleset: str, players: int) -> None:
    """This trick and the last have the same age, and so do the four before, and all older ones."""
    first = first_of(TABLES)
    met: set[int] = set()
    rounds = [beliefs_asked(ruleset, players, deal, 0.3, [0.0] * WEIGHTS) for deal in range(4)]
    for view, beliefs, _ in chain(*rounds):
        tricks = tricks_of(view)[::-1]
        ago = [number + (view["round"]["trick"] is None) for number in range(len(tricks))]
        expected = {
            0 if number < 2 else 1 if number < 6 else 2
            for number, trick in zip(ago, tricks, strict=True)
            if len(trick.plays[0][1]) == 1 and any(seat != beliefs.me for seat, _ in trick.plays)
        }
        rows = {row for place in beliefs.card_rows for each in place.values() for row in each}
        information = {
            (row - first[table]) * AGES // prod(TABLES[table])
            for table in ("followed", "given", "given suit", "led")
            for row in rows
            if 0 <= row - first[table] < prod(TABLES[table])
        }
        if len(beliefs.out) > 8:
            assert information == expected
            met |= information
    assert met == {0, 1, 2}


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_beliefs_about_kitties_and_voids_are_realistic(ruleset: str, players: int) -> None:
    """Declarers bury no trumps, and with fixed teams they empty side suits, which is more frequent in likely deals."""
    name = "friends" if ruleset == "zhaopengyou" else "teams"
    trumps, voids = [], []
    for weights in ([0.0] * WEIGHTS, load(name)):
        buried = empty = deals = 0
        for deal in range(33, 39):
            for _, beliefs, dealer in beliefs_asked(ruleset, players, deal, 0.1, weights):
                if not beliefs.joins or dealer.known.buried:
                    continue
                for _ in range(4):
                    dealt = dealer.deal()
                    deals += 1
                    buried += sum(
                        beliefs.indices.group[index] == TRUMPS for index in beliefs.indices.indices_of(dealt.kitty)
                    )
                    held = {beliefs.indices.group[index] for index in dealt.hands[beliefs.burier]}
                    empty += TRUMPS - len(held - {TRUMPS})
        trumps.append(buried / deals)
        voids.append(empty / deals)
    assert trumps[1] < trumps[0] / 5
    assert name == "friends" or voids[1] > voids[0]
