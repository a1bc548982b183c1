"""Likely places of the hidden cards, inferred from how others bury, declare, lead and follow.

A deal has features, each a row of a table, for instance: how many cards of a side suit a seat holds, how many of a suit
are buried given how many the declarer holds, whether a card could have beaten the trick to which its holder gave
another one. The weight of a row is the log-likelihood of such deals. `laboratory/fit_deals.py` fits the weights to
rounds of `normal`. A random deal is turned into a likely one by exchanging cards (`exchanges`).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, Final

from service.rules.trumps import TRUMPS
from workers.ai.deals.past import tricks_of
from workers.ai.simulation.card_indices import CardIndices
from workers.ai.simulation.tables import first_of, read

#: Number of age classes of tricks: this one or the last, the four before, older ones.
AGES: Final = 3
#: Tricks ago -> column.
_AGE: Final = (0, 0, 1, 1, 1, 1, *[2] * 200)
#: Table -> its dimensions.
TABLES: Final[Mapping[str, tuple[int, ...]]] = {
    # Role of the holder, phase, class of the card.
    "card": (4, 3, 7),
    # Role, phase, share of trumps; length of each side suit.
    "trumps": (3, 3, 12),
    "suit": (3, 3, 6),
    # Phase, buried cards of a side suit, and how many of it the declarer still holds.
    "buried": (3, 5, 4),
    # A seat has followed suit: age, whether trumps were led, whose trick it was, whether it played last, whether its
    # card had points; another card of the suit in its hand: its effect, and whether it has points.
    "followed": (AGES, 2, 3, 2, 2, 3, 2),
    # A seat has discarded or ruffed: age, whose trick it was, whether it played last, points; another card in its hand.
    "given": (AGES, 3, 2, 2, 5),
    "given suit": (AGES, 3, 2),
    # A seat has led: age, whether trumps, whether on the declarer's side; another card in its hand.
    "led": (AGES, 2, 2, 6),
}
WEIGHTS: Final = sum(map(prod, TABLES.values()))
#: Roles: the burier, seats known to be on the declarer's side, other seats, and the kitty.
BURIER, MATE, OTHER, KITTY = range(4)
#: Shares of cards still held above which the round is early, and above which it is not late.
_EARLY, _MIDDLE = 0.68, 0.36
#: Whose trick it was after a seat's play: its own, its side's, the other side's.
WON, OURS, THEIRS = range(3)
_AT: Final = first_of(TABLES)


def _row(table: str, *columns: int) -> int:
    """Return the index of a weight."""
    at = 0
    for column, size in zip(columns, TABLES[table], strict=True):
        at = at * size + column
    return _AT[table] + at


@cache
def load(name: str) -> Sequence[float]:
    """Return weights by name: `teams` for fixed teams, `friends` for games with friends."""
    return read(f"deals-{name}", TABLES)


class Beliefs:
    """The beliefs of a seat about the hidden cards."""

    def __init__(
        self, view: Mapping[str, Any], indices: CardIndices, pool: Sequence[int], weights: Sequence[float]
    ) -> None:
        self.indices, self.weights = indices, weights
        seats = view["seats"]
        self.me: int = view["my"]["seat"]
        kitty = view["round"]["kitty"]
        self.burier: int = -1 if kitty["seat"] is None else kitty["seat"]
        self.held = [place["hand_count"] for place in seats]
        share = max(self.held) * len(seats) / max(1, view["round"]["dealt"]["of"])
        self.phase = 0 if share > _EARLY else 1 if share > _MIDDLE else 2
        self.sides = [place["side"] for place in seats]
        self.roles = [*map(self._role, range(len(seats))), KITTY]
        self.out = [index for index, kind in enumerate(indices.kind) if pool[kind]]
        self.top = [-1] * len(indices.order.groups)
        for index in self.out:
            group = indices.group[index]
            self.top[group] = max(self.top[group], indices.level[index])
        self.card_rows = self._card_rows(view)
        #: Place -> index -> weight of holding a card there.
        self.cards = [[self._sum(each.get(index, ())) for index in range(len(indices.kind))] for each in self.card_rows]
        longest = max(self.held)
        most = max(longest, kitty["count"]) + 2
        self.counts = [self._counts(place, most) for place in range(len(self.roles))]
        #: Whether the kitty is hidden and another seat has buried it.
        self.joins = self.burier not in (-1, self.me) and not kitty["revealed"]
        self.joint = self._joint(most) if self.joins else []

    def _role(self, seat: int) -> int:
        if seat == self.burier:
            return BURIER
        return MATE if self.sides[seat] == "declarers" else OTHER

    def _counts(self, place: int, most: int) -> list[list[float]]:
        """Return group -> number of cards, below `most` -> weight of holding them at a place."""
        return [
            [self._weight(self._count_row(place, group, number)) for number in range(most)]
            for group in range(len(self.top))
        ]

    def _joint(self, most: int) -> list[list[list[float]]]:
        """Return group -> number of buried cards, and of those that the burier still holds, below `most` -> weight."""
        side = [[self._weight(self._buried_row(0, buried, held)) for held in range(most)] for buried in range(most)]
        return [[[0.0] * most] * most if group == TRUMPS else side for group in range(len(self.top))]

    def _sum(self, rows: Sequence[int]) -> float:
        return sum([self.weights[row] for row in rows])

    def _weight(self, row: int) -> float:
        return 0.0 if row < 0 else self.weights[row]

    def _buried_row(self, group: int, buried: int, held: int) -> int:
        """Return the row for a number of buried cards of a group of which the burier still holds `held`; -1: none."""
        return -1 if group == TRUMPS else _row("buried", self.phase, min(4, buried), min(3, held))

    def _count_row(self, place: int, group: int, number: int) -> int:
        """Return the row for holding a number of cards of a group; -1: none."""
        role = self.roles[place]
        if role == KITTY:
            return -1
        if group == TRUMPS:
            share = min(11, 16 * number // max(1, self.held[place]))
            return _row("trumps", role, self.phase, share)
        return _row("suit", role, self.phase, min(5, number))

    def rows(self, places: Sequence[Sequence[int]]) -> list[int]:
        """Return the weights of a deal, whose sum is its log-likelihood up to a constant.

        Args:
            places: the hands and the kitty, as indices.
        """
        numbers = self.numbers(places)
        numbers_of_rows: list[int] = []
        for place, cards in enumerate(places):
            if place != self.me:
                for index in cards:
                    numbers_of_rows += self.card_rows[place].get(index, ())
                numbers_of_rows += [
                    self._count_row(place, group, number) for group, number in enumerate(numbers[place])
                ]
        if self.joins:
            held = numbers[self.burier]
            numbers_of_rows += [
                self._buried_row(group, buried, held[group]) for group, buried in enumerate(numbers[-1])
            ]
        return [row for row in numbers_of_rows if row >= 0]

    def _class(self, index: int) -> int:
        indices = self.indices
        points = indices.points[index]
        if indices.group[index] == TRUMPS:
            return 1 if points else 2 if indices.level[index] >= self.top[TRUMPS] - 3 else 0
        if indices.level[index] >= self.top[indices.group[index]]:
            return 3
        return 4 if points == 10 else 5 if points else 6

    def _card_rows(self, view: Mapping[str, Any]) -> list[dict[int, list[int]]]:
        """Return for each place index -> weights of holding a card."""
        classes = {index: self._class(index) for index in self.out}
        rows_of: list[dict[int, list[int]]] = [
            {index: [_row("card", role, self.phase, column)] for index, column in classes.items()}
            for role in self.roles
        ]
        tricks = tricks_of(view)
        # Without a trick on the table, the last one has age 1.
        now = len(tricks) - (view["round"]["trick"] is not None)
        for number, trick in enumerate(tricks):
            plays = [(seat, self.indices.index[cards[0]]) for seat, cards in trick.plays if len(cards) == 1]
            if plays:
                self._tell(plays, _AGE[now - number], rows_of)
        return rows_of

    def _tell(self, plays: Sequence[tuple[int, int]], age: int, rows_of: Sequence[dict[int, list[int]]]) -> None:
        """Add rows for the cards that seats still hold after a trick of single cards.

        Args:
            plays: seats and indices.
            age: age class of the trick.
            rows_of: see `_card_rows`; extended.
        """
        indices = self.indices
        led = indices.group[plays[0][1]]
        best = best_seat = -1
        for number, (seat, card) in enumerate(plays):
            worth = self._strength(card, led)
            if seat != self.me:
                if not number:
                    rows = self._of_lead(card, seat, age)
                else:
                    mate = self.sides[seat] == self.sides[best_seat] != "unknown"
                    whose = WON if worth > best else OURS if mate else THEIRS
                    scene = (age, whose, int(number == len(self.held) - 1), int(indices.points[card] > 0))
                    tell = self._of_follow if indices.group[card] == led else self._of_gift
                    rows = tell(card, led, best, scene)
                for index, row in rows:
                    rows_of[seat][index].append(row)
            if worth > best:
                best, best_seat = worth, seat

    def _strength(self, index: int, led: int) -> int:
        """Return the strength of a card in a trick; -1: neither of the suit led nor a trump."""
        group = self.indices.group[index]
        return self.indices.level[index] + 1000 * (group == TRUMPS) if group in (led, TRUMPS) else -1

    def _of_lead(self, card: int, seat: int, age: int) -> Iterator[tuple[int, int]]:
        """Yield other cards, each with the row for holding it when the seat led a card."""
        group_of, level = self.indices.group, self.indices.level
        led = group_of[card]
        side = int(self.sides[seat] == "declarers")
        for index in self.out:
            group = group_of[index]
            boss = level[index] >= self.top[group]
            if group == led:
                what = 0 if index == card else 1 if index < card else 2 if boss else 3
                yield index, _row("led", age, int(led == TRUMPS), side, what)
            elif boss and group != TRUMPS:
                yield index, _row("led", age, int(led == TRUMPS), side, 4)

    def _of_follow(self, card: int, led: int, best: int, scene: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
        """Yield other cards, each with the row for holding it when the seat followed suit with a card.

        Args:
            card: the card; `led`: the suit.
            best: strength of the best card before.
            scene: age, whose trick it was, whether the seat played last, and whether the card has points.
        """
        age, whose, *place = scene
        won = whose == WON
        for index in self.out:
            if self.indices.group[index] == led:
                beats, higher = self._strength(index, led) > best, index > card
                what = 0 if won and not beats else 1 + higher if won else 2 if beats else int(higher)
                rich = int(self.indices.points[index] > 0)
                yield index, _row("followed", age, int(led == TRUMPS), whose, *place, what, rich)

    def _of_gift(self, card: int, led: int, best: int, scene: tuple[int, int, int, int]) -> Iterator[tuple[int, int]]:
        """Yield other cards, each with the row for holding it when the seat discarded or ruffed; see `_of_follow`."""
        indices = self.indices
        worth = self._strength(card, led)
        for index in self.out:
            group, strength = indices.group[index], self._strength(index, led)
            rich = int(indices.points[index] > 0)
            if group != TRUMPS:
                if group == indices.group[card]:
                    yield index, _row("given suit", *scene[:2], rich)
                yield index, _row("given", *scene, rich)
            else:
                what = 2 if strength <= best else 4 if scene[1] == WON and strength >= worth else 3
                yield index, _row("given", *scene, what)

    def numbers(self, places: Sequence[Sequence[int]]) -> list[list[int]]:
        """Return the number of cards of each group in each place."""
        group_of, groups = self.indices.group, len(self.top)
        numbers: list[list[int]] = []
        for cards in places:
            number = [0] * groups
            for index in cards:
                number[group_of[index]] += 1
            numbers.append(number)
        return numbers

    def pairs(self, free: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of places that exchange cards; the most informative pairs are repeated.

        Args:
            free: places with movable cards, ascending.
        """
        pairs = [(one, other) for one in free for other in free if one < other]
        kitty = len(self.roles) - 1
        if self.joins and {self.burier, kitty} <= set(free):
            pairs += [(self.burier, kitty)] * (len(pairs) // 2) + [pair for pair in pairs if pair[1] == kitty]
        return pairs
