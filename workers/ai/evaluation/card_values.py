"""The value of keeping a card, in card points: the price of playing it."""

from service.rules.trumps import TRUMPS
from workers.ai.knowledge.probabilities import Probabilities

#: Value of a side card that nothing beats, and factor for each card in other hands that beats it.
SIDE_BOSS = 1.0
SIDE_FADE = 0.72
#: Value of the lowest trump, additional value of the highest, and factor on that for each higher trump in other hands.
TRUMP_BASE = 1.0
TRUMP_BOSS = 2.5
TRUMP_FADE = 0.88
#: Additional value of each further copy of a card if no tuple beats it.
SIDE_TUPLE = 1.0
TRUMP_TUPLE = 1.5


class CardValues:
    """Values of the cards of one hand; `of(kind, n)` is the value of holding n copies."""

    __slots__ = ("_known", "probabilities")

    def __init__(self, probabilities: Probabilities) -> None:
        self.probabilities = probabilities
        self._known: dict[int, tuple[float, float]] = {}

    def of(self, kind: int, copies: int) -> float:
        """Return the value of holding a number of copies of a card."""
        if copies <= 0:
            return 0.0
        single, more = self._known.get(kind) or self._price(kind)
        return single * copies + more * (copies - 1)

    def _price(self, kind: int) -> tuple[float, float]:
        probabilities, order = self.probabilities, self.probabilities.order
        group, level = order.group_of[kind], order.level_of[kind]
        above = probabilities.above(group, level)
        pairs = sum(
            1 for other in order.groups[group] if order.level_of[other] > level and probabilities.pool[other] > 1
        )
        if group == TRUMPS:
            price = TRUMP_BASE + TRUMP_BOSS * TRUMP_FADE**above, TRUMP_TUPLE * (0.4 + 0.6 * 0.7**pairs)
        else:
            price = SIDE_BOSS * SIDE_FADE**above, SIDE_TUPLE * (0.25 + 0.75 * 0.7**pairs)
        self._known[kind] = price
        return price

    def price(self, hand: list[int], used: dict[int, int]) -> float:
        """Return the value that a hand loses by playing `used` (kind -> copies)."""
        return sum(self.of(kind, hand[kind]) - self.of(kind, hand[kind] - copies) for kind, copies in used.items())
