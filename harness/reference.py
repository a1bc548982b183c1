"""The rules of tricks by brute force: slow, on card names, straight from `docs/rules.md` §3, §6, §7 and §8.

It shares no code with `service.rules`, and tries every decomposition, so only small hands are feasible.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

RANKS, SUITS = "23456789TJQKA", "SHDC"
ALL = [rank + suit for suit in SUITS for rank in RANKS] + ["LJ", "BJ"]
Cards = tuple[str, ...]
Shape = tuple[int, int]


class Reference:
    def __init__(self, rank: str | None, suit: str | None, options: dict[str, Any]) -> None:
        self.rank, self.trump_suit, self.options = rank, suit, options

    # Ranking

    def suit(self, card: str) -> str:
        if card in ("LJ", "BJ") or card[1] == self.trump_suit or self.ranked(card):
            return "trumps"
        return card[1]

    def ranked(self, card: str) -> bool:
        """A joker, of the trump rank, or a two where twos are trumps."""
        return (
            card in ("LJ", "BJ") or card[0] == self.rank or (bool(self.options["twos_always_trump"]) and card[0] == "2")
        )

    def strength(self, card: str) -> tuple[int, int]:
        in_trump_suit = card[1] == self.trump_suit
        if card in ("LJ", "BJ"):
            return (9, card == "BJ")
        if card[0] == self.rank:
            return (8, in_trump_suit)
        if self.ranked(card):
            return (7, in_trump_suit)
        return (0, RANKS.index(card[0]))

    # Units

    def is_tractor(self, kinds: Sequence[str]) -> bool:
        """Tuples of one width of these different cards: are they a tractor?"""
        if len(kinds) < 2 or len({self.suit(kind) for kind in kinds}) != 1:
            return False
        if self.options["trump_tractors"] == "suit_only" and any(self.ranked(kind) for kind in kinds):
            return False
        row = [card for card in ALL if self.suit(card) == self.suit(kinds[0])]
        levels = sorted({self.strength(card) for card in row})
        own = sorted(levels.index(self.strength(kind)) for kind in kinds)
        steps = {high - low for low, high in pairwise(own)}
        match self.options["equal_rank_tractors"]:
            case "no":
                return steps == {1}
            case "yes":
                return steps <= {0, 1}
        between = [card for card in row if own[0] < levels.index(self.strength(card)) < own[-1]]
        return set(between) <= set(kinds)

    def places(self, cards: Counter[str], shape: Shape, exact: bool = False) -> Iterator[tuple[str, ...]]:
        width, length = shape
        kinds = [card for card, count in cards.items() if (count == width if exact else count >= width)]
        for chosen in combinations(sorted(kinds), length):
            if length == 1 or self.is_tractor(chosen):
                yield chosen

    def key(self, kinds: Sequence[str]) -> list[tuple[int, int]]:
        return sorted((self.strength(kind) for kind in kinds), reverse=True)

    # Following

    def rung(self, cards: Counter[str], shapes: Sequence[Shape], exact: bool) -> list[tuple[int, ...]]:
        """How well cards of the suit led answer the units of a lead, as a vector to compare."""
        tractors, smaller = self.options["follow_tractors"], self.options["follow_smaller"]
        states = {frozenset(cards.items())}
        reached: list[tuple[int, ...]] = []

        def take(shape: Shape) -> bool:
            after = set()
            for state in states:
                left = Counter(dict(state))
                for place in self.places(left, shape, exact):
                    after.add(frozenset((left - Counter(dict.fromkeys(place, shape[0]))).items()))
            if after:
                states.clear()
                states.update(after)
            return bool(after)

        for width, length in sorted(shapes, key=lambda shape: (shape[0] * shape[1], shape[0]), reverse=True):
            missing = [width] * length
            for narrow in range(width, 1, -1):
                if narrow < width and not smaller:
                    break
                untouched = missing.count(width)
                best = 0
                if tractors:
                    lengths = range(untouched, 1, -1) if smaller else [untouched]
                    best = next((number for number in lengths if number > 1 and take((narrow, number))), 0)
                missing = [cards - narrow if index < best else cards for index, cards in enumerate(missing)]
                singles = 0
                for index in range(len(missing)):
                    while missing[index] >= narrow and take((narrow, 1)):
                        missing[index] -= narrow
                        singles += 1
                reached.append((best, singles))
        return reached

    def legal(self, shapes: Sequence[Shape], suit: str, hand: Sequence[str], play: Sequence[str]) -> bool:
        """May `play`, out of `hand`, follow a lead of units of these shapes?"""
        size = sum(width * length for width, length in shapes)
        held = Counter(card for card in hand if self.suit(card) == suit)
        played = Counter(card for card in play if self.suit(card) == suit)
        if len(play) != size or played.total() != min(size, held.total()):
            return False
        exact = self.options["protect_larger"]
        whole = Counter({card: count for card, count in played.items() if count == held[card]})
        answering = whole if exact else played
        return self.rung(answering, shapes, exact) == self.rung(held, shapes, exact) or held.total() <= size

    # Leading and winning

    def read(self, cards: Sequence[str]) -> list[tuple[Shape, tuple[str, ...]]]:
        """The longest unit first, at equal cards the wider, then the higher; then again on the rest."""
        left = Counter(cards)
        units = []
        while left.total():
            options = [
                ((width * length, width), self.key(place), -sum(left[kind] for kind in place), (width, length), place)
                for width in range(1, max(left.values()) + 1)
                for length in range(1, len(left) + 1 if width > 1 else 2)
                for place in self.places(left, (width, length))
            ]
            *_, shape, place = max(options)
            units.append((shape, place))
            left -= Counter(dict.fromkeys(place, shape[0]))
        return units

    def readings(self, cards: Counter[str], shapes: Sequence[Shape]) -> Iterator[list[list[tuple[int, int]]]]:
        """All ways to see units of these shapes in the cards: the keys of the units."""
        if not shapes:
            yield []
            return
        for place in self.places(cards, shapes[0]):
            for rest in self.readings(cards - Counter(dict.fromkeys(place, shapes[0][0])), shapes[1:]):
                yield [self.key(place), *rest]

    def beats(self, shapes: Sequence[Shape], suit: str, best: Sequence[str], play: Sequence[str]) -> bool:
        """Does `play` beat `best`, where shapes are longest first and `best` answers the lead?"""

        def group(cards: Sequence[str]) -> int:
            suits = {self.suit(card) for card in cards}
            return 2 if suits == {"trumps"} else 1 if suits == {suit} else 0

        def quad(cards: Sequence[str]) -> bool:
            return bool(self.options["quad_beats_tractor"]) and list(shapes) == [(2, 2)] and len(set(cards)) == 1

        if group(play) == 0:
            return False
        mine = list(self.readings(Counter(play), shapes))
        theirs = list(self.readings(Counter(best), shapes))
        if not mine and not quad(play):
            return False
        if group(play) != group(best):
            return group(play) > group(best)
        if quad(play) or quad(best):
            return (quad(play), self.key(play)) > (quad(best), self.key(best))
        if self.options["trump_throw_compare"] == "all_units" and len(shapes) > 1:
            highest = max(theirs)
            return any(all(a > b for a, b in zip(reading, highest, strict=True)) for reading in mine)
        return max(reading[0] for reading in mine) > max(reading[0] for reading in theirs)

    def all_plays(self, hand: Sequence[str], size: int) -> set[Cards]:
        return set(combinations(sorted(hand), size))
