"""A brute-force implementation of the rules of tricks, written directly from `docs/rules.md` §3, §6, §7 and §8.

It uses card names and shares no code with `service.rules`. It tries all decompositions, so hands must be small.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any

RANKS, SUITS = "23456789TJQKA", "SHDC"
ALL = [rank + suit for suit in SUITS for rank in RANKS] + ["LJ", "BJ"]
JOKERS = {"LJ", "BJ"}
Cards = tuple[str, ...]
Shape = tuple[int, int]


def is_lone_tuple(shapes: Sequence[Shape]) -> bool:
    """Is a lead of these shapes (width, length) a single card, pair or wider tuple?"""
    return len(shapes) == 1 and shapes[0][1] == 1


def first_of(missing: Sequence[int], least: int) -> int:
    """At which place are at least so many cards missing, first?"""
    return next(at for at, each in enumerate(missing) if each >= least)


class Reference:
    def __init__(
        self, rank: str | None, suit: str | None, options: dict[str, Any], absent: frozenset[str] = frozenset()
    ) -> None:
        self.rank, self.trump_suit, self.options, self.absent = rank, suit, options, absent
        #: The highest trumps, ascending.
        self.top = ["LJ", "BJ", "5D", "5H"] if options["red_fives"] else ["LJ", "BJ"]

    # Ranking

    def suit(self, card: str) -> str:
        if card[1] == self.trump_suit or self.ranked(card):
            return "trumps"
        return card[1]

    def ranked(self, card: str) -> bool:
        """Is this a joker, a card of the trump rank, or always a trump?"""
        return card in self.top or card[0] == self.rank or (bool(self.options["twos_always_trump"]) and card[0] == "2")

    def strength(self, card: str) -> tuple[int, int]:
        in_trump_suit = card[1] == self.trump_suit
        if card in self.top:
            return (9, self.top.index(card))
        if card[0] == self.rank:
            return (8, in_trump_suit)
        if self.ranked(card):
            return (7, in_trump_suit)
        return (0, RANKS.index(card[0]))

    # Units

    def is_tractor(self, kinds: Sequence[str], width: int = 24) -> bool:
        """Do tuples of one width, one of each of these different cards, make a tractor?"""
        options = self.options
        wide_and_long = width >= options["tractor_min_width"] and len(kinds) >= options["tractor_min_length"]
        if not wide_and_long or len({self.suit(kind) for kind in kinds}) != 1 or set(kinds) & self.absent:
            return False
        tops = set(self.top) if options["trump_tractors"] == "suit_and_jokers" else set[str]()
        if options["trump_tractors"] != "full" and any(map(self.ranked, kinds)) and not set(kinds) <= tops:
            return False
        row = [card for card in ALL if self.suit(card) == self.suit(kinds[0]) and card not in self.absent]
        levels = sorted({self.strength(card) for card in row})
        own = sorted(levels.index(self.strength(kind)) for kind in kinds)
        steps = {high - low for low, high in pairwise(own)}
        if options["equal_rank_tractors"] != "no_gap":
            return steps <= {0, 1} if options["equal_rank_tractors"] == "adjacent" else steps == {1}
        between = [card for card in row if own[0] < levels.index(self.strength(card)) < own[-1]]
        return set(between) <= set(kinds)

    def places(self, cards: Counter[str], shape: Shape, exact: bool = False) -> Iterator[Cards]:
        width, length = shape
        kinds = [card for card, count in cards.items() if (count == width if exact else count >= width)]
        for chosen in combinations(sorted(kinds), length):
            if length == 1 or self.is_tractor(chosen, width):
                yield chosen

    def key(self, kinds: Sequence[str]) -> list[tuple[int, int]]:
        return sorted((self.strength(kind) for kind in kinds), reverse=True)

    # Following

    def requirements(self, shapes: Sequence[Shape]) -> list[Shape]:
        """The shapes that a lead of these shapes asks for."""
        wanted = [shape for shape in shapes if shape[0] > 1]
        if len(shapes) > 1 and self.options["throw_structure"] == "tuples":
            wanted = [(width, 1) for width, length in wanted for _ in range(length)]
        elif len(shapes) > 1 and self.options["throw_structure"] == "added_up":
            widths = {width for width, _ in wanted}
            wanted = [(each, sum(length for width, length in wanted if width == each)) for each in widths]
        return sorted(wanted, key=lambda shape: (shape[0] * shape[1], shape[0]), reverse=True)

    def draws_tractors(self, shapes: Sequence[Shape]) -> bool:
        """Do tractors of the hand have to answer a lead of these shapes?"""
        options = self.options
        return bool(options["follow_tractors"]) and not (len(shapes) > 1 and options["throw_structure"] == "tuples")

    def draws_smaller(self, shapes: Sequence[Shape]) -> bool:
        """Do narrower tuples have to answer, where as wide ones are missing?"""
        narrower = self.options["follow_smaller"]
        return narrower == "always" or (narrower == "single_set" and is_lone_tuple(shapes))

    def rung(self, cards: Counter[str], shapes: Sequence[Shape], exact: bool) -> list[tuple[int, int, int]]:
        """How well cards answer a lead; the greater list is the better answer.

        It has for each unit, and each width in which it may be answered: (width, length of the tractor, single tuples).
        """
        tractors, smaller = self.draws_tractors(shapes), self.draws_smaller(shapes)
        draws = self.options["tuple_draws_tractors"]
        states = {frozenset(cards.items())}
        reached: list[tuple[int, int, int]] = []

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

        for width, length in self.requirements(shapes):
            missing = [width] * length
            for narrow in range(width, 1, -1):
                if narrow < width and not smaller:
                    break
                room = sum(each // narrow for each in missing) if draws else missing.count(width)
                shortest = 2 if smaller and self.options["shorter_tractors"] else max(2, length)
                lengths = range(room, shortest - 1, -1) if tractors else range(0)
                best = next((number for number in lengths if take((narrow, number))), 0)
                for _ in range(best):
                    # A tuple of the tractor answers an untouched tuple of the lead; with `draws` also the rest of one.
                    missing[missing.index(width) if not draws else first_of(missing, narrow)] -= narrow
                singles = 0
                for at in range(len(missing)):
                    while missing[at] >= narrow and take((narrow, 1)):
                        missing[at] -= narrow
                        singles += 1
                reached.append((narrow, best, singles))
        return reached

    def structured(self, shapes: Sequence[Shape], held: Counter[str], played: Counter[str]) -> bool:
        """Do played cards of one suit answer the structure of the lead, when more of that suit are held?"""
        options = self.options
        if options["follow_structure"] == "suit_only" or held.total() <= played.total():
            return True
        if options["protect_by_rungs"]:
            return self.keeps_rung(shapes, held, played)
        if self.rung(played, shapes, exact=False) == self.rung(held, shapes, exact=False):
            return True
        whole = Counter({card: count for card, count in played.items() if count == held[card]})
        protected = self.rung(whole, shapes, exact=True) == self.rung(held, shapes, exact=True)
        return bool(options["protect_larger"] and protected)

    def keeps_rung(self, shapes: Sequence[Shape], held: Counter[str], played: Counter[str]) -> bool:
        if len(held) == 1:
            return True
        reached = self.rung(played, shapes, exact=False)
        if reached < self.rung(held, shapes, exact=True):
            return False
        rest = list((held - played).values())
        for each in {width for width, _, _ in reached}:
            parts = sum(singles for width, _, singles in reached if width == each) - list(played.values()).count(each)
            if parts > 0 and rest.count(each) >= parts:
                return False
        return True

    def is_bomb(self, play: Sequence[str]) -> bool:
        return self.options["bombs"] != "none" and len(play) >= 4 and len(set(play)) == 1

    def legal(self, shapes: Sequence[Shape], suit: str, hand: Sequence[str], play: Sequence[str]) -> bool:
        """May `play`, out of `hand`, follow a lead of units of these shapes?"""
        size = sum(width * length for width, length in shapes)
        if len(play) != size:
            return False
        held, played = self.of_suit(suit, hand), self.of_suit(suit, play)
        anywhere = self.options["bombs"] == "any_time" or not held
        if self.is_bomb(play) and (anywhere or self.suit(play[0]) in (suit, "trumps")):
            return True
        if played.total() != min(size, held.total()):
            return False
        if held:
            return self.structured(shapes, held, played)
        trumps = self.of_suit("trumps", play)
        must_match = self.options["ruff_must_match"]
        matches = must_match == "all" or (must_match == "tuples" and is_lone_tuple(shapes) and size > 1)
        if suit == "trumps" or not matches or trumps.total() < size:
            return True
        return self.structured(shapes, self.of_suit("trumps", hand), trumps)

    def of_suit(self, suit: str, cards: Sequence[str]) -> Counter[str]:
        """The cards of a suit among these."""
        return Counter(card for card in cards if self.suit(card) == suit)

    # Rainbows

    def is_rainbow(self, cards: Sequence[str]) -> bool:
        """Do the cards of each rank make a rainbow?"""
        least = self.options["rainbow"]
        if least == "none" or set(cards) & JOKERS:
            return False
        ranks = [[card for card in cards if card[0] == rank] for rank in {card[0] for card in cards}]
        return all(len(same) >= least and len({self.suit(card) for card in same}) >= 4 for same in ranks)

    def rainbow_ranks(self, cards: Sequence[str], sizes: Sequence[int]) -> list[int] | None:
        """The ranks, high to low, that answer rainbows of these sizes, the largest first, each as high as possible."""
        held = Counter(RANKS.index(card[0]) for card in cards if card not in JOKERS)
        order = sorted(sizes, reverse=True)
        serving = [
            ranks
            for ranks in product(range(len(RANKS) - 1, -1, -1), repeat=len(order))
            if all(
                sum(size for size, taken in zip(order, ranks, strict=True) if taken == rank) <= held[rank]
                for rank in set(ranks)
            )
        ]
        return sorted(max(serving), reverse=True) if serving else None

    def legal_on_rainbow(self, sizes: Sequence[int], hand: Sequence[str], play: Sequence[str]) -> bool:
        if len(play) != sum(sizes):
            return False
        return self.rainbow_ranks(hand, sizes) is None or self.rainbow_ranks(play, sizes) is not None

    def beats_rainbow(self, sizes: Sequence[int], best: Sequence[str], play: Sequence[str]) -> bool:
        mine, theirs = self.rainbow_ranks(play, sizes), self.rainbow_ranks(best, sizes)
        return mine is not None and theirs is not None and mine > theirs

    # Leading and winning

    def read(self, cards: Sequence[str]) -> list[tuple[Shape, Cards]]:
        """Take the unit with most cards (on a tie the wider, then the higher one), then read the rest."""
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
        """The keys of the units, for all ways to split the cards into units of these shapes."""
        if not shapes:
            yield []
            return
        for place in self.places(cards, shapes[0]):
            for rest in self.readings(cards - Counter(dict.fromkeys(place, shapes[0][0])), shapes[1:]):
                yield [self.key(place), *rest]

    def bomb_key(self, play: Sequence[str]) -> tuple[bool, tuple[int, int]]:
        trump = self.suit(play[0]) == "trumps"
        return trump, self.strength(play[0]) if trump else (0, RANKS.index(play[0][0]))

    def group(self, suit: str, cards: Sequence[str]) -> int:
        suits = {self.suit(card) for card in cards}
        return 2 if suits == {"trumps"} else 1 if suits == {suit} else 0

    def is_quad(self, shapes: Sequence[Shape], cards: Sequence[str]) -> bool:
        return bool(self.options["quad_beats_tractor"]) and list(shapes) == [(2, 2)] and len(set(cards)) == 1

    def answers(self, shapes: Sequence[Shape], suit: str, play: Sequence[str]) -> bool:
        """Does a play match the lead, so that it can win?"""
        if not self.group(suit, play):
            return False
        exact = len(shapes) > 1 and self.options["throw_answer_exact"]
        if exact and [shape for shape, _ in self.read(play)] != list(shapes):
            return False
        return self.is_quad(shapes, play) or any(True for _ in self.readings(Counter(play), shapes))

    def beats(self, shapes: Sequence[Shape], suit: str, best: Sequence[str], play: Sequence[str]) -> bool:
        """Does `play` beat `best`, which answers the lead? Shapes are longest first."""
        if self.is_bomb(play) and self.is_bomb(best):
            return self.bomb_key(play) > self.bomb_key(best)
        if self.is_bomb(play) or self.is_bomb(best) or not self.answers(shapes, suit, play):
            return self.is_bomb(play)
        if self.group(suit, play) != self.group(suit, best):
            return self.group(suit, play) > self.group(suit, best)
        quads = self.is_quad(shapes, play), self.is_quad(shapes, best)
        return (
            (quads[0], self.key(play)) > (quads[1], self.key(best)) if any(quads) else self.higher(shapes, best, play)
        )

    def higher(self, shapes: Sequence[Shape], best: Sequence[str], play: Sequence[str]) -> bool:
        """Is an answer to the lead higher than another one of the same suit?"""
        mine, theirs = (list(self.readings(Counter(cards), shapes)) for cards in (play, best))
        match self.options["trump_throw_compare"] if len(shapes) > 1 else "largest_unit":
            case "all_units":
                highest = max(theirs)
                return any(all(a > b for a, b in zip(reading, highest, strict=True)) for reading in mine)
            case "highest_card":
                return max(self.key(play)) > max(self.key(best))
            case "longest_first":
                counted = len([shape for shape in shapes if shape[0] > 1]) or len(shapes)
                return max(reading[:counted] for reading in mine) > max(reading[:counted] for reading in theirs)
        return max(reading[0] for reading in mine) > max(reading[0] for reading in theirs)

    # Throws

    def beaten_by(self, units: Sequence[tuple[Shape, Cards]], suit: str, hand: Sequence[str]) -> list[int]:
        """The indices of the thrown units that a hand can beat."""
        test, beaten = self.options["throw_test"], []
        own = Counter(card for card in hand if self.suit(card) == suit)
        trumps = Counter(card for card in hand if self.suit(card) == "trumps")
        for number, (shape, place) in enumerate(units):
            if test == "cards":
                beats = any(self.strength(card) > min(map(self.strength, place)) for card in own)
            else:
                beats = any(self.key(each) > self.key(place) for each in self.places(own, shape))
            four = own
            if test == "units_or_ruff" and not own and suit != "trumps":
                beats, four = any(self.places(trumps, shape)), trumps
            if self.options["quad_beats_tractor"] and shape == (2, 2) and max(four.values(), default=0) >= 4:
                beats = True
            if beats:
                beaten.append(number)
        return beaten

    def rainbows_beaten_by(self, units: Sequence[Cards], hand: Sequence[str]) -> list[int]:
        beaten = []
        for number, unit in enumerate(units):
            higher = RANKS[RANKS.index(unit[0][0]) + 1 :]
            if any(sum(card[0] == rank and card not in JOKERS for card in hand) >= len(unit) for rank in higher):
                beaten.append(number)
        return beaten

    def forced(
        self, units: Sequence[tuple[Shape, Cards]], beaten: Sequence[Sequence[int]]
    ) -> tuple[Shape, list[tuple[int, int]]] | None:
        """Shape and key of the unit led instead of a failed throw, or None if the throw succeeds.

        `beaten` has the indices of the units that each hand beats, in order of play.
        """
        by_anybody = sorted({number for numbers in beaten for number in numbers})
        if not by_anybody:
            return None
        keys = {number: self.key(place) for number, (_, place) in enumerate(units)}

        def size(number: int) -> int:
            return units[number][0][0] * units[number][0][1]

        def weakest(number: int) -> tuple[Any, ...]:
            width, length = units[number][0]
            return length > 1, width, length, keys[number]

        match self.options["throw_failure"]:
            case "lowest_card":
                return (1, 1), [min(key[-1] for key in keys.values())]
            case "lowest_top_unit":
                chosen = min(keys, key=lambda number: (keys[number][0], size(number), keys[number]))
            case "smallest_unit":
                chosen = min(keys, key=weakest)
            case "first_seat":
                first = next(numbers for numbers in beaten if numbers)
                chosen = min(first, key=lambda number: (size(number), keys[number]))
            case _:
                chosen = min(by_anybody, key=weakest)
        return units[chosen][0], keys[chosen]

    def all_plays(self, hand: Sequence[str], size: int) -> set[Cards]:
        return set(combinations(sorted(hand), size))
