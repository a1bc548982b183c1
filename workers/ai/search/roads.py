"""Playing Arm's Length (docs/rules.md §11) by simulation: possible deals, played to their end by simple rules.

A simulated seat knows its own hand, the remaining cards of each suit, and all roads. Cards are kinds; a hand is a list
of four suits, each ascending.
"""

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Final

from service.rules.cards import RANKS, SUITS
from service.rules.rounds import arms_length
from service.rules.trumps import Trump, order_of
from workers.ai.candidates.following import Play
from workers.ai.deals.dealing import DealConstraints, Dealer
from workers.ai.heuristics.arms import trick_of
from workers.ai.knowledge.seat import View, hand_of, pool_of, voids_of
from workers.ai.simulation.card_indices import indices_for

_SIZE: Final = len(RANKS)
_SEATS: Final = 4
#: The ranking without trumps, for which indices are kinds.
_ORDER: Final = order_of(Trump(None, None))
#: No trumps yet.
_NONE: Final = -1


class Round:
    """A possible deal, and the state of the round in it.

    Attributes:
        hands: for each seat its suits.
        left: suit -> ranks of its remaining cards, as bits.
        trump: the trump suit, or -1.
        tricks: tricks won by each seat.
    """

    __slots__ = ("hands", "left", "tricks", "trump")

    def __init__(self, hands: list[list[list[int]]], left: list[int], trump: int, tricks: list[int]) -> None:
        self.hands, self.left, self.trump, self.tricks = hands, left, trump, tricks

    def copy(self) -> "Round":
        """Return a copy that may be played independently."""
        hands = [[suit[:] for suit in hand] for hand in self.hands]
        return Round(hands, self.left[:], self.trump, self.tricks[:])


def _suits_of(cards: Sequence[int]) -> list[list[int]]:
    """Return the suits of a hand."""
    suits: list[list[int]] = [[] for _ in SUITS]
    for card in sorted(cards):
        suits[card // _SIZE].append(card)
    return suits


class Roads:
    """The possible deals of a view of Arm's Length, and the values of cards in them, in points of the score."""

    def __init__(self, view: View, random: Random) -> None:
        hand = hand_of(view)
        indices = indices_for(_ORDER)
        seats = view["seats"]
        self.seat: int = view["my"]["seat"]
        pool = pool_of(view, hand, memory=True)
        voids = voids_of(view, _ORDER, memory=True)
        held = [place["hand_count"] for place in seats]
        self._dealer = Dealer(DealConstraints(indices, self.seat, hand, pool, held, 0, (), voids, {}, {}), random)
        self._left = [
            sum([hand[kind] + pool[kind] << kind % _SIZE for kind in kinds]) for kinds in _ORDER.groups[: len(SUITS)]
        ]
        roads = view["round"]["roads"]["set"]
        self._high = [roads[str(seat)] == "high" for seat in range(_SEATS)]
        self._tricks: list[int] = [place["tricks"] for place in seats]
        self._before, trump = trick_of(view)
        self._trump = _NONE if trump is None else SUITS.index(trump)
        self.work = 0

    def indices_of(self, play: Play) -> list[int]:
        """Return a play in the form used by the simulation."""
        return list(play)

    def world(self) -> Round:
        """Return a possible deal."""
        hands = [_suits_of(hand) for hand in self._dealer.deal().hands]
        return Round(hands, self._left, self._trump, self._tricks)

    def value(self, world: Round, cards: Sequence[int]) -> int:
        """Return the gain of this team minus that of the other if the seat plays a card, in points of the score."""
        world = world.copy()
        trick = [*self._before, cards[0]]
        self._take(world, self.seat, cards[0])
        at, trump = arms_length.winner(None if world.trump == _NONE else SUITS[world.trump], trick)
        world.trump = _NONE if trump is None else SUITS.index(trump)
        to_come, leader = _SEATS - len(trick), self.seat - len(self._before)
        leader = self._trick(world, (leader + at) % _SEATS, trick[0] // _SIZE, trick[at], self.seat + 1, to_come)
        while any(world.hands[leader]):
            card = self.lead(world, leader)
            self._take(world, leader, card)
            leader = self._trick(world, leader, card // _SIZE, card, leader + 1, 3)
        return self._score(world, self.seat) - self._score(world, self.seat + 1)

    def _score(self, world: Round, seat: int) -> int:
        one, other = seat % _SEATS, (seat + 2) % _SEATS
        high, low = (one, other) if self._high[one] else (other, one)
        return arms_length.score(world.tricks[high], world.tricks[low])

    def _take(self, world: Round, seat: int, card: int) -> None:
        world.hands[seat][card // _SIZE].remove(card)
        world.left[card // _SIZE] ^= 1 << card % _SIZE

    def _trick(self, world: Round, best_seat: int, led: int, best: int, seat: int, to_come: int) -> int:
        """Let the others follow, and return who wins the trick."""
        self.work += to_come
        for behind in range(to_come - 1, -1, -1):
            seat %= _SEATS
            card, wins = self.follow(world, seat, led, best, behind)
            self._take(world, seat, card)
            if wins:
                best, best_seat = card, seat
                if card // _SIZE != led:
                    world.trump = card // _SIZE
            seat += 1
        world.tricks[best_seat] += 1
        return best_seat

    def follow(self, world: Round, seat: int, led: int, best: int, behind: int) -> tuple[int, bool]:
        """Return the card with which a seat follows, and whether it wins so far.

        Args:
            world: the world.
            seat: the seat to play.
            led: the suit led.
            best: the best card so far.
            behind: number of seats that play after this one.
        """
        hand, high, trump = world.hands[seat], self._high[seat], world.trump
        suit, top = hand[led], best // _SIZE
        if suit:
            if top == led and suit[-1] > best:
                return self._beating(world, [card for card in suit if card > best], behind, high=high), True
            return suit[0 if high else -1], False
        if trump == _NONE:
            return hand[self._trumps_of(hand, high=high)][0], True
        trumps = hand[trump]
        if trumps and (top != trump or trumps[-1] > best):
            higher = trumps if top != trump else [card for card in trumps if card > best]
            return higher[0 if high or behind else -1], True
        cards = list(chain.from_iterable(hand))
        return (min if high else max)(cards, key=lambda card: card % _SIZE), False

    @staticmethod
    def _trumps_of(hand: Sequence[Sequence[int]], *, high: bool) -> int:
        """Return the suit of which a void hand gives the first card, which makes it trumps.

        Having many of them is good only on the high road.
        """
        return max(range(len(SUITS)), key=lambda at: len(hand[at]) if high else -(len(hand[at]) or _SIZE))

    def _beating(self, world: Round, higher: list[int], behind: int, *, high: bool) -> int:
        """Return the card to play among those of the suit led that beat the best one."""
        if not behind:
            return higher[0 if high else -1]
        return higher[-1] if high and self._is_boss(world, higher[-1]) else higher[0]

    def _is_boss(self, world: Round, card: int) -> bool:
        """Return whether no higher card of its suit is left."""
        return not world.left[card // _SIZE] >> card % _SIZE + 1

    def lead(self, world: Round, seat: int) -> int:
        """Return the card that a seat leads."""
        hand = world.hands[seat]
        if self._high[seat]:
            bosses = [suit[-1] for suit in hand if suit and self._is_boss(world, suit[-1])]
            if bosses:
                return bosses[0]
        return min([suit[0] for suit in hand if suit], key=lambda card: card % _SIZE)
