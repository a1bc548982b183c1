"""Choosing the cards to bury: empty a side suit, keep trumps, and bury few points."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from service.rules.cards import POINTS, Counts
from service.rules.trumps import TRUMPS, Order
from workers.ai.evaluation.burial_features import BurialFeatures
from workers.ai.evaluation.card_values import CardValues
from workers.ai.knowledge.probabilities import Probabilities


class Prices(NamedTuple):
    """Prices for burying the kitty, in card points.

    Attributes:
        void: value of an empty side suit, every lead of which can be ruffed.
        point: cost of burying a point, which counts double or more, but only if the attackers win the last trick.
    """

    void: float
    point: float


#: Prices by the kind of teams, tuned in matches. With fixed teams, a declarer wins the last trick more often.
PRICES: Final[Mapping[str, Prices]] = {"fixed": Prices(12.0, 0.4), "friends": Prices(6.0, 0.9)}
#: Variations tried by `candidates`: other costs of burying a point, and a discount on the cards of one suit, to shorten
#: it.
_OTHER_RISKS: Final = (0.1, 1.2)
_SHORTER: Final = 2.0


class Burial:
    """A hand from which to bury cards.

    Args:
        hand: the hand, including the kitty.
        size: number of cards to bury.
        order: ranking of the round.
        deck: all cards of the game.
        players: number of seats.
        prices: one of `PRICES`.
        weights: weights of features of the rest (`workers/ai/evaluation/burial_features.py`); empty: only prices count.
    """

    def __init__(
        self,
        hand: Counts,
        size: int,
        order: Order,
        deck: Counts,
        players: int,
        prices: Prices,
        weights: Mapping[str, float],
    ) -> None:
        self.hand, self.size, self.order = hand, size, order
        self.prices, self.weights = prices, weights
        elsewhere = [copies - held for copies, held in zip(deck, hand, strict=True)]
        self.card_values = CardValues(Probabilities(order, elsewhere, [0] * len(order.groups)))
        self.burial_features = BurialFeatures(hand, order, deck, players)
        #: Group -> its cards.
        self.suits = [[kind for kind in kinds for _ in range(hand[kind])] for kinds in order.groups]

    def best(self) -> Sequence[int]:
        """Return the cards to bury.

        Tries every combination of side suits that can be emptied, and fills the rest of the kitty with the cheapest
        cards. With weights, it also tries other fillings.
        """
        return self.candidates()[0] if self.weights else max(self.choices(self.prices), key=self.value)

    def candidates(self) -> list[tuple[int, ...]]:
        """Return different sets of cards to bury, ascending, the best first."""
        chosen = [choice for group in range(TRUMPS) for choice in self.choices(self.prices, group)]
        chosen += [choice for point in _OTHER_RISKS for choice in self.choices(self.prices._replace(point=point))]
        chosen += self.choices(self.prices)
        return sorted(dict.fromkeys(tuple(sorted(choice)) for choice in chosen), key=self.value, reverse=True)

    def value(self, chosen: Sequence[int]) -> float:
        """Return the value of burying these cards, in card points."""
        groups = Counter(self.order.group_of[kind] for kind in chosen)
        emptied = sum(0 < len(suit) == groups[group] for group, suit in enumerate(self.suits[:TRUMPS]))
        # An empty suit is worth little to a hand with few trumps to ruff with.
        void = self.prices.void * min(1.0, len(self.suits[TRUMPS]) / (2.0 + self.size))
        points = sum(POINTS[kind] for kind in chosen)
        value = void * emptied - self.card_values.price(self.hand, Counter(chosen)) - self.prices.point * points
        if self.weights:
            features = self.burial_features.features(chosen)
            value += sum([self.weights.get(name, 0.0) * number for name, number in features.items()])
        return value

    def choices(self, prices: Prices, shorter: int | None = None) -> Iterator[list[int]]:
        """Yield sets of cards to bury, one per combination of side suits that can be emptied.

        Args:
            prices: the prices.
            shorter: a side suit to shorten.
        """
        short = [suit for suit in self.suits[:TRUMPS] if suit and len(suit) <= self.size]
        for number in range(len(short) + 1):
            for emptied in combinations(short, number):
                chosen = [kind for suit in emptied for kind in suit]
                if len(chosen) <= self.size:
                    yield chosen + self._cheapest(chosen, prices, shorter)

    def _cheapest(self, chosen: list[int], prices: Prices, shorter: int | None) -> list[int]:
        """Return the rest of the kitty, picking the cheapest card at each step."""
        gone = Counter(chosen)
        left = [held - gone[kind] for kind, held in enumerate(self.hand)]
        cheapest: list[int] = []

        def price(kind: int) -> float:
            less = _SHORTER if self.order.group_of[kind] == shorter else 0.0
            keep = self.card_values.of(kind, left[kind]) - self.card_values.of(kind, left[kind] - 1)
            return keep + prices.point * POINTS[kind] - less

        costs = {kind: price(kind) for kind, held in enumerate(left) if held}
        for _ in range(self.size - len(chosen)):
            kind = min(costs, key=lambda kind: (costs[kind], kind))
            cheapest.append(kind)
            left[kind] -= 1
            if left[kind]:
                costs[kind] = price(kind)
            else:
                del costs[kind]
        return cheapest
