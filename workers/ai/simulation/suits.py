"""Leads of a suit, and their scores by the cards of the suit."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.selection import cheapest, lone, lowest_with_points, pairs_in
from workers.ai.simulation.tables import BEATEN, LEADS, POINTS_OUT, STAKE
from workers.ai.simulation.world import Game

#: Number of suits with cached leads: some megabytes.
_KEPT: Final = 8_000

_AT = tables.first_of()
_SIZE, _POINTS = _AT["lead size"], _AT["lead points"]
_ELSEWHERE, _BEATEN, _REST = _AT["lead elsewhere"], _AT["lead beaten"], _AT["lead rest"]
(
    BOSS, BOSS_POINTS, TUPLE_BOSS, TUPLE, TRACTOR_BOSS, TRACTOR, THROW, LOW, LOW_POINTS, TOP,
    TRUMP_BOSS, TRUMP_TOP, TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_TUPLE_BOSS, TRUMP_TUPLE, TRUMP_TRACTOR, TRUMP_THROW,
) = range(len(LEADS))  # fmt: skip
#: Tuples and tractors, each that may be beaten and that may not.
_SIDE_TUPLES: Final = (TUPLE, TUPLE_BOSS, TRACTOR, TRACTOR_BOSS)
_TRUMP_TUPLES: Final = (TRUMP_TUPLE, TRUMP_TUPLE_BOSS, TRUMP_TRACTOR, TRUMP_TRACTOR)


class SuitLeads:
    """The possible leads of a hand in a suit.

    Attributes:
        safe: number of its cards that no other hand can beat.
        others: number of cards of the suit that other hands may have.
        leads: kind of lead, indices, and score of the cards.
    """

    __slots__ = ("leads", "others", "safe")

    def __init__(self, safe: int, others: int, leads: Sequence[tuple[int, list[int], float]]) -> None:
        self.safe, self.others, self.leads = safe, others, leads


class Holding:
    """What the leads of a suit depend on.

    Attributes:
        suit: the seat's cards; `out`: all remaining ones.
        far, points: columns for the number of cards in other hands, and for their points.
        single, pair: levels of the highest card and of the highest pair in other hands; -1 if there is none.
    """

    __slots__ = ("far", "out", "pair", "points", "single", "suit")

    def __init__(self, suit: list[int], out: list[int]) -> None:
        self.suit, self.out = suit, out
        self.far = self.points = 0
        self.single = self.pair = -1


class Suits:
    """Finds the leads of a suit in the worlds of one game."""

    def __init__(self, game: Game, weights: tables.Weights) -> None:
        self.weights = weights
        indices = game.indices
        self.level, self.points, self.first, self.lines = indices.level, indices.points, indices.first, game.rules.lines
        self.other_seats = game.players - 1
        # Throws under `throw_same_count`, which are rare, are left to the rules.
        self.throws: str = "none" if game.options["throw_same_count"] else game.options["throws"]
        self._leads: dict[tuple[tuple[int, ...], tuple[int, ...], int], SuitLeads] = {}

    def leads(self, group: int, suit: Sequence[int], left: Sequence[int], nobody: int) -> SuitLeads:
        """Return the leads of a suit, cached since the playouts of a search repeat the same ones.

        Args:
            group: the suit.
            suit: the seat's cards of it, at least one.
            left: all its remaining cards, including these.
            nobody: 1 if all other seats are void of it, else 0.
        """
        key = (tuple(suit), tuple(left), nobody)
        known = self._leads.get(key)
        if known is None:
            if len(self._leads) >= _KEPT:
                self._leads.clear()
            held, out = list(suit), list(left)
            others = 0 if nobody else len(out) - len(held)
            known = self._trumps(held, out, others) if group == TRUMPS else self._side(group, held, out, others)
            self._leads[key] = known
        return known

    def share(self, cards: int) -> int:
        """Return the column for a number of cards in other hands: none; fewer than 1, 2 and 4 per hand; more."""
        seats = self.other_seats
        if cards <= 0:
            return 0
        return 1 if cards < seats else 2 if cards < 2 * seats else 3 if cards < 4 * seats else 4

    def _side(self, group: int, suit: list[int], out: list[int], others: int) -> SuitLeads:
        """Return the leads of a side suit.

        Args:
            group: the suit.
            suit: the seat's cards; `out`: all remaining ones.
            others: number of cards that others may have.
        """
        points, holding = self.points, self._holding(suit, out, others)
        leads: list[tuple[int, list[int], float]] = []
        safe, units, pairs = self._safe(suit, holding.single, holding.pair)
        if units > 1 and self.throws != "none":
            leads.append(self._side_lead(THROW, safe[::-1], min(len(safe), 7), holding))
        for kind, cards in self._tuples(group, pairs, holding.pair, _SIDE_TUPLES):
            leads.append(self._side_lead(kind, cards, min(len(cards), 7), holding))
        top = suit[-1]
        boss = self.level[top] >= holding.single
        if boss:
            doubled = 1 if len(suit) > 1 and suit[-2] == top else 0
            leads.append(self._side_lead(BOSS_POINTS if points[top] else BOSS, [top], doubled, holding))
        elif len(suit) > 1:
            leads.append(self._side_lead(TOP, [top], BEATEN[len(out) - bisect_right(out, top)], holding))
        low = cheapest(suit, points)
        if low != top or not boss:
            size = (4 if boss else 0) + (min(3, 4 * bisect_left(out, low) // len(out)) if others else 0)
            leads.append(self._side_lead(LOW_POINTS if points[low] else LOW, [low], size, holding))
            rich = lowest_with_points(suit, points)
            if rich not in (-1, low, top):
                leads.append(self._side_lead(LOW_POINTS, [rich], size, holding))
        return SuitLeads(len(safe), others, leads)

    def _side_lead(self, kind: int, cards: list[int], size: int, holding: Holding) -> tuple[int, list[int], float]:
        """Return a lead of a side suit; `size`: a column of its own for each kind of lead."""
        weights, score = self.weights.each, self._of_cards(kind, cards, holding)
        score += weights[_SIZE + kind * 8 + size] + weights[_POINTS + kind * 4 + self._stake(cards)]
        return kind, cards, score

    def _stake(self, cards: list[int]) -> int:
        """Return the column of the points of cards."""
        points, total = self.points, 0
        for index in cards:
            total += points[index]
        return STAKE[total]

    def _trumps(self, trumps: list[int], out: list[int], others: int) -> SuitLeads:
        """Return the leads of trumps; see `_side`."""
        points, holding = self.points, self._holding(trumps, out, others)
        leads: list[tuple[int, list[int], float]] = []
        top, low = trumps[-1], cheapest(trumps, points)
        if not others and trumps[0] != top and self.throws == "any":
            leads.append(self._trump_lead(TRUMP_THROW, trumps, 3, holding))
        safe, units, pairs = self._safe(trumps, holding.single, holding.pair)
        if others and units > 1 and self.throws == "any":
            leads.append(self._trump_lead(TRUMP_THROW, safe[::-1], self._stake(safe), holding))
        for kind, cards in self._tuples(TRUMPS, pairs, holding.pair, _TRUMP_TUPLES):
            leads.append(self._trump_lead(kind, cards, self._stake(cards), holding))
        boss = self.level[top] >= holding.single
        if boss or top != low:
            leads.append(self._trump_lead(TRUMP_BOSS if boss else TRUMP_TOP, [top], STAKE[points[top]], holding))
        if low != top or not boss:
            for kind, card in self._low_trumps(trumps, low):
                leads.append(self._trump_lead(kind, [card], STAKE[points[card]], holding))
        return SuitLeads(0, others, leads)

    def _trump_lead(self, kind: int, cards: list[int], at_stake: int, holding: Holding) -> tuple[int, list[int], float]:
        """Return a lead of trumps."""
        return kind, cards, self._of_cards(kind, cards, holding) + self.weights.each[_POINTS + kind * 4 + at_stake]

    def _low_trumps(self, trumps: list[int], low: int) -> list[tuple[int, int]]:
        """Return leads of single trumps below the highest: (kind, card); `low`: the cheapest one."""
        points, top = self.points, trumps[-1]
        leads = [(TRUMP_LOW_POINTS if points[low] else TRUMP_LOW, low)]
        rich, alone = lowest_with_points(trumps, points), lone(trumps, points)
        if rich not in (-1, low, top):
            leads.append((TRUMP_LOW_POINTS, rich))
        if alone not in (-1, low, top):
            leads.append((TRUMP_LOW, alone))
        at = bisect_left(trumps, top)
        if at and trumps[at - 1] not in (low, rich, alone):
            leads.append((TRUMP_TOP, trumps[at - 1]))
        return leads

    def _of_cards(self, kind: int, cards: list[int], holding: Holding) -> float:
        """Return the score of a lead by its cards and the other cards of the suit."""
        weights, suit, top, number = self.weights.each, holding.suit, cards[-1], len(cards)
        beaten = 0
        if holding.far:
            # Remaining higher cards and pairs, including the seat's own.
            out = holding.out
            at = bisect_right(out, top)
            beaten = BEATEN[len(out) - at] if number == 1 else min(5, len(pairs_in(out[at:])))
        left = len(suit) - number
        if number == 1:
            again = suit.count(top) > 1
            highest = suit[-1] if again or suit[-1] != top else suit[left - 1]
        else:
            rest = suit[:]
            for index in cards:
                rest.remove(index)
            again = top in rest
            highest = rest[-1] if left else -1
        keeps = 1 if left and self.level[highest] >= holding.single else 0
        row = ((kind * 4 + min(3, left)) * 2 + keeps) * 2 + (1 if again else 0)
        return (
            weights[_ELSEWHERE + (kind * 5 + holding.far) * 5 + holding.points]
            + weights[_BEATEN + (kind * 6 + beaten) * 5 + holding.far]
            + weights[_REST + row]
        )

    def _holding(self, suit: list[int], out: list[int], others: int) -> Holding:
        """Return what leads of a suit depend on.

        Args:
            suit, out, others: see `_side`.
        """
        holding = Holding(suit, out)
        if others <= 0:
            return holding
        level, points = self.level, self.points
        holding.far = self.share(others)
        total = 0
        for index in out:
            total += points[index]
        for index in suit:
            total -= points[index]
        holding.points = POINTS_OUT[total]
        at, own = len(out) - 1, len(suit) - 1
        while at >= 0:
            index, copies = out[at], 0
            while at >= 0 and out[at] == index:
                copies += 1
                at -= 1
            while own >= 0 and suit[own] == index:
                copies -= 1
                own -= 1
            if copies and holding.single < 0:
                holding.single = level[index]
            if copies > 1:
                holding.pair = level[index]
                break
        return holding

    def _safe(self, suit: list[int], single: int, pair: int) -> tuple[list[int], int, list[tuple[int, int]]]:
        """Return the cards that no other hand can beat, the number of their kinds, and all tuples (index, width).

        Args:
            suit: the seat's cards of a suit.
            single, pair: levels of the highest card and pair in other hands.
        """
        level = self.level
        safe: list[int] = []
        units = 0
        tuples = []
        at = len(suit) - 1
        while at >= 0:
            index = suit[at]
            width = 1
            while at >= width and suit[at - width] == index:
                width += 1
            at -= width
            if width > 1:
                tuples.append((index, width))
            if level[index] >= single or (width > 1 and level[index] >= pair):
                safe += [index] * width
                units += 1
        return safe, units, tuples

    def _tuples(
        self, group: int, tuples: list[tuple[int, int]], pair: int, kinds: Sequence[int]
    ) -> list[tuple[int, list[int]]]:
        """Return the leads of tuples: the best one, and the lowest if that is another.

        Args:
            group: the suit.
            tuples: (index, width) of each tuple, the highest first; `pair`: see `_safe`.
            kinds: kinds of leads: a tuple and a tractor, each that may be beaten and that may not.
        """
        if not tuples:
            return []
        cards, boss = self._best_tuple(group, tuples, pair)
        leads = [(kinds[(2 if cards[0] != cards[-1] else 0) + boss], cards)]
        index, width = tuples[-1]
        if index not in cards:
            leads.append((kinds[0], [index] * width))
        return leads

    def _best_tuple(self, group: int, tuples: list[tuple[int, int]], pair: int) -> tuple[list[int], bool]:
        """Return the highest tractor of pairs, or else tuple, and whether no pair in other hands is higher."""
        level, first, line = self.level, self.first[group], self.lines[group]
        for at in range(len(tuples) - 1):
            run = [tuples[at][0]]
            for index, _ in tuples[at + 1 :]:
                if level[run[-1]] - level[index] > 2:
                    break
                if line.is_unit(2, tuple([each - first for each in (index, *reversed(run))])):
                    run.append(index)
            if len(run) > 1:
                return sorted(run * 2), level[run[0]] >= pair
        index, width = tuples[0]
        return [index] * width, level[index] >= pair
