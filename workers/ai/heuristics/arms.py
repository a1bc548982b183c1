"""Arm's Length (docs/rules.md §11): choosing a road, and the card to play.

Each trick changes the scores of both teams, depending on the winner's road. The value of a card is the expected change
in favour of this seat's team, computed from the probabilities that later seats beat the card.
"""

from collections.abc import Sequence
from typing import NamedTuple

from service.rules.cards import RANKS, SUITS, Counts, kinds_of
from service.rules.rounds import arms_length
from workers.ai.knowledge.seat import View, hand_of, pool_of

SIZE = len(RANKS)
#: Expected tricks of cards: ace, king, queen, jack.
TRICKS = {12: 0.9, 11: 0.6, 10: 0.35, 9: 0.15}
#: Expected tricks from which a hand takes the high road, and up to which the low one; the average is 3.25.
HIGH_FROM = 2.6
LOW_TO = 1.4
#: Gain of a team when its high or low player wins a trick. The score is ten times the difference of their tricks, plus
#: the tricks of the high player.
GAIN = {"high": 11.0, "low": -10.0}
#: Value of keeping a card, per rank: high cards on the high road, low ones on the low.
KEEP = 1.0


def road(view: View) -> tuple[str, float]:
    """Return the road that suits the hand, and the hand's expected tricks."""
    hand = hand_of(view)
    tricks = sum(count * TRICKS.get(kind % SIZE, 0.0) for kind, count in enumerate(hand))
    return "high" if tricks >= HIGH_FROM else "low" if tricks <= LOW_TO else "either", tricks


def plays(view: View) -> list[tuple[float, int]]:
    """Return all legal cards with their expected gains, best first."""
    before, trump = trick_of(view)
    hand = hand_of(view)
    table = _Table(view, before, trump, pool_of(view, hand, memory=True))
    return sorted(((table.value(kind), kind) for kind in arms_length.legal(trump, before, hand)), reverse=True)


def legal_plays(view: View) -> list[int]:
    """Return the kinds of card that may be played now."""
    before, trump = trick_of(view)
    return arms_length.legal(trump, before, hand_of(view))


def trick_of(view: View) -> tuple[list[int], str | None]:
    """Return the cards on the table in order of play, and the trump suit."""
    trick, trump = view["round"]["trick"], view["round"]["trump"]
    before = kinds_of([play["cards"][0] for play in trick["plays"]]) if trick else []
    return before, trump["suit"] if trump else None


class _Table:
    """The trick on the table, and the value of each possible winner and card."""

    def __init__(self, view: View, before: Sequence[int], trump: str | None, pool: Counts) -> None:
        self.seat: int = view["my"]["seat"]
        self.before, self.trump, self.pool = before, trump, pool
        self.roads = {int(seat): taken for seat, taken in view["round"]["roads"]["set"].items()}
        self.held = [place["hand_count"] for place in view["seats"]]
        self.high = self.roads[self.seat] == "high"

    def gain(self, seat: int) -> float:
        """Return what this seat's team gains when `seat` wins the trick."""
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
        """Return the expected gain while the seats of `later` still have to play."""
        if not later:
            return self.gain(winner)
        seat, rest = later[0], later[1:]
        miss = 1.0 - min(1.0, self.held[seat] / max(1, sum(self.pool)))
        void: float = miss**trick.suit
        follow: float = 0.0 if trick.trumped else 1.0 - miss**trick.above
        if trick.trumps is None:
            # Before there are trumps, the first discard of a void hand makes its suit trumps, and so wins.
            ruff = 0.0 if trick.trumped else void
        else:
            ruff = void * (1.0 - miss ** (trick.above if trick.trumped else trick.trumps))
        ruff = min(ruff, 1.0 - follow)
        value = (1.0 - follow - ruff) * self._expect(rest, winner, trick)
        # A seat that must beat the best card may use any higher one; on average half of them remain above it.
        if follow:
            value += follow * self._expect(rest, seat, trick._replace(above=trick.above / 2))
        if ruff:
            value += ruff * self._expect(rest, seat, trick._replace(trumped=True, above=(trick.trumps or 0) / 2))
        return value


class _Trick(NamedTuple):
    """What later seats have to beat. Counts are those of cards in other hands.

    Attributes:
        suit: cards of the suit led.
        trumps: trumps that can ruff; None: there are no trumps yet.
        trumped: whether a trump is winning a trick of a side suit.
        above: cards that beat the winning card.
    """

    suit: float
    trumps: float | None
    trumped: bool
    above: float
