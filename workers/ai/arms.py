"""Arm's Length (docs/rules.md §11): which road to take, and which card to play on it.

Every trick is worth something to both sides, whoever wins it: what a winner gains or costs this seat's side follows
from the score. A card's value is the expected gain, from the chances that the seats still to play beat it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from service.rules import arms_length
from service.rules.cards import RANKS, SUITS, Counts, kinds_of
from workers.ai.sight import View, hand_of, pool_of

SIZE = len(RANKS)
#: What a high card is likely to win: ace, king, queen, jack.
TRICKS = {12: 0.9, 11: 0.6, 10: 0.35, 9: 0.15}
#: More tricks than the average of 3.25 make a high road, fewer a low one.
HIGH_FROM = 2.6
LOW_TO = 1.4
#: Gain to a side for a trick of its high player and of its low one: ten times the difference, and high's own tricks.
GAIN = {"high": 11.0, "low": -10.0}
#: A card kept for later, for each rank: high cards for the high road, low ones for the low.
KEEP = 1.0


def road(view: View) -> str:
    """Return the road that the hand is good for."""
    hand = hand_of(view)
    tricks = sum(count * TRICKS.get(kind % SIZE, 0.0) for kind, count in enumerate(hand))
    return "high" if tricks >= HIGH_FROM else "low" if tricks <= LOW_TO else "either"


def play(view: View) -> int:
    """Return the kind of the best expected gain."""
    before, trump = _trick(view)
    hand = hand_of(view)
    table = _Table(view, before, trump, pool_of(view, hand, memory=True))
    return max(arms_length.legal(trump, before, hand), key=lambda kind: (table.value(kind), kind))


def legal_plays(view: View) -> list[int]:
    """Return the kinds that may be played now."""
    before, trump = _trick(view)
    return arms_length.legal(trump, before, hand_of(view))


def _trick(view: View) -> tuple[list[int], str | None]:
    """Return the cards on the table in order of play, and the trump suit."""
    trick, made = view["round"]["trick"], view["round"]["trump"]
    before = kinds_of([each["cards"][0] for each in trick["plays"]]) if trick else []
    return before, made["suit"] if made else None


class _Table:
    """A trick on the table, and what each winner of it is worth."""

    def __init__(self, view: View, before: Sequence[int], trump: str | None, pool: Counts) -> None:
        self.seat: int = view["my"]["seat"]
        self.before, self.trump, self.pool = before, trump, pool
        self.roads = {int(seat): taken for seat, taken in view["round"]["roads"]["set"].items()}
        self.held = [place["hand_count"] for place in view["seats"]]
        self.high = self.roads[self.seat] == "high"

    def gain(self, seat: int) -> float:
        """Return what this seat's side gains when `seat` wins the trick."""
        gain = GAIN[self.roads[seat]]
        return gain if (seat - self.seat) % 2 == 0 else -gain

    def value(self, kind: int) -> float:
        """Return the expected gain of a card."""
        plays = [*self.before, kind]
        index, trump = arms_length.winner(self.trump, plays)
        leader = (self.seat - len(self.before)) % 4
        led, top = plays[0] // SIZE, plays[index]
        keep = kind % SIZE * KEEP
        trick = _Trick(
            suit=self._of(led),
            trumps=None if trump is None else 0 if SUITS[led] == trump else self._of(SUITS.index(trump)),
            trumped=top // SIZE != led,
            above=sum(self.pool[top + 1 : (top // SIZE + 1) * SIZE]),
        )
        later = [(self.seat + step) % 4 for step in range(1, 4 - len(self.before))]
        return self._expect(later, (leader + index) % 4, trick) + (-keep if self.high else keep)

    def _of(self, suit: int) -> int:
        return sum(self.pool[suit * SIZE : (suit + 1) * SIZE])

    def _expect(self, later: Sequence[int], winner: int, trick: "_Trick") -> float:
        """Return the expected gain when the seats of `later` are still to play."""
        if not later:
            return self.gain(winner)
        seat, rest = later[0], later[1:]
        miss = 1.0 - min(1.0, self.held[seat] / max(1, sum(self.pool)))
        void: float = miss**trick.suit
        follow: float = 0.0 if trick.trumped else 1.0 - miss**trick.above
        if trick.trumps is None:
            # With no trumps yet, whatever a void hand discards makes them, and so wins.
            ruff = 0.0 if trick.trumped else void
        else:
            ruff = void * (1.0 - miss ** (trick.above if trick.trumped else trick.trumps))
        ruff = min(ruff, 1.0 - follow)
        value = (1.0 - follow - ruff) * self._expect(rest, winner, trick)
        # Who must beat the best card does so with any that can: half of those above it are then left.
        if follow:
            value += follow * self._expect(rest, seat, trick._replace(above=trick.above / 2))
        if ruff:
            value += ruff * self._expect(rest, seat, trick._replace(trumped=True, above=(trick.trumps or 0) / 2))
        return value


class _Trick(NamedTuple):
    """What the seats still to play have to beat.

    Attributes:
        suit: cards of the suit led that are out.
        trumps: trumps that are out and can ruff; None: nothing is trumps yet.
        trumped: a trump is best, on a side suit.
        above: cards out that beat the best card.
    """

    suit: float
    trumps: float | None
    trumped: bool
    above: float
