"""What cards are worth keeping, in card points: the price of playing them."""

from service.rules.trumps import TRUMPS
from workers.ai.odds import Odds

#: A side card that nothing beats, and how much less each card above it leaves.
SIDE_BOSS = 1.0
SIDE_FADE = 0.72
#: The lowest trump, what the highest is worth more, and how much less each trump above leaves of that.
TRUMP_BASE = 1.0
TRUMP_BOSS = 2.5
TRUMP_FADE = 0.88
#: Each further copy of a card makes a longer tuple, worth this much more if nothing beats it.
SIDE_TUPLE = 1.0
TRUMP_TUPLE = 1.5


class Worth:
    """Prices of the cards of one hand: `of(kind, n)` is what holding n copies is worth."""

    __slots__ = ("_known", "odds")

    def __init__(self, odds: Odds) -> None:
        self.odds = odds
        self._known: dict[int, tuple[float, float]] = {}

    def of(self, kind: int, copies: int) -> float:
        """Return the worth of holding so many copies of a card."""
        if copies <= 0:
            return 0.0
        single, more = self._known.get(kind) or self._price(kind)
        return single * copies + more * (copies - 1)

    def _price(self, kind: int) -> tuple[float, float]:
        odds, order = self.odds, self.odds.order
        group, level = order.group_of[kind], order.level_of[kind]
        above = odds.above(group, level)
        pairs = sum(1 for other in order.groups[group] if order.level_of[other] > level and odds.pool[other] > 1)
        if group == TRUMPS:
            price = TRUMP_BASE + TRUMP_BOSS * TRUMP_FADE**above, TRUMP_TUPLE * (0.4 + 0.6 * 0.7**pairs)
        else:
            price = SIDE_BOSS * SIDE_FADE**above, SIDE_TUPLE * (0.25 + 0.75 * 0.7**pairs)
        self._known[kind] = price
        return price

    def price(self, hand: list[int], used: dict[int, int]) -> float:
        """Return what a hand loses by giving up `used` (kind -> copies)."""
        return sum(self.of(kind, hand[kind]) - self.of(kind, hand[kind] - copies) for kind, copies in used.items())
