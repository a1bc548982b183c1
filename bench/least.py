"""The least work for a round in plain Python, for comparing aims for the rules.

This is no part of the service: no units, no throws, no checks. Cards are kinds, hands are lists of cards by suit.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from service.game.state.types import State
from service.rules.cards import POINTS, kinds_in
from service.rules.trumps import TRUMPS, Order

#: Returns a number from 0 to 1.
Chance = Callable[[], float]
#: Seat -> group of suits -> cards.
Hands = list[list[list[int]]]


def by_suit(order: Order, hands: list[list[int]]) -> Hands:
    """Return hands, given as counts, as lists of cards by suit."""
    cards = [kinds_in(hand) for hand in hands]
    return [[[kind for kind in held if order.group_of[kind] == group] for group in range(TRUMPS + 1)] for held in cards]


def draw(hands: list[list[int]], chance: Chance) -> None:
    """Draw all cards of all hands randomly, and do nothing with them."""
    for hand in hands:
        while hand:
            hand.pop(int(chance() * len(hand)))


def play(order: Order, hands: Hands, chance: Chance) -> int:
    """Play a round of random single cards, following suit if possible; return the leader's points."""
    group_of, level_of, players = order.group_of, order.level_of, len(hands)
    leader, points = 0, [0] * players
    for _ in range(sum(map(len, hands[0]))):
        led, best, winner, taken = -1, -1, leader, 0
        for seat in (*range(leader, players), *range(leader)):
            hand = hands[seat]
            suit = hand[led] if led >= 0 else None
            if not suit:
                held = [cards for cards in hand if cards]
                suit = held[int(chance() * len(held))]
            card = suit.pop(int(chance() * len(suit)))
            taken += POINTS[card]
            group = group_of[card]
            if led < 0:
                led, best = group, card
            elif level_of[card] > level_of[best] if group == group_of[best] else group == TRUMPS:
                best, winner = card, seat
        points[winner] += taken
        leader = winner
    return points[0]


def record(state: State, random: Random) -> list[dict[str, Any]]:
    """Return two events of a play, and copy the changed parts of an immutable state, without decisions or checks."""
    seat, card = 0, random.getrandbits(5)
    events: list[dict[str, Any]] = []
    for kind in ("played", "decision_opened"):
        data = {"seat": seat, "cards": [card], "units": [], "throw": None, "winning": seat}
        version = state["version"] + 1
        events.append({"seq": version, "type": kind, "at": 0, "round": 1, "by": "ai", "tx": version, "data": data})
        state = state.copy()
        state["version"] = version
        if kind == "played" and state["round"] is not None:
            table_round = state["round"] = state["round"].copy()
            table_round["hands"] = table_round["hands"].copy()
            table_round["hands"][seat] = table_round["hands"][seat].copy()
            table_round["hands"][seat][card] -= 1
            table_round["played"] = table_round["played"].copy()
            table_round["played"][card] += 1
        else:
            state["decision"] = {**data, "id": version}  # type: ignore[typeddict-item]
    return events
