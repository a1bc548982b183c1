"""Leads of a suit, and their scores by the cards of the suit."""

from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import bits, tables
from workers.ai.simulation.hands import Planes, size_of
from workers.ai.simulation.options import Options
from workers.ai.simulation.tables import BEATEN, LEADS, POINTS_OUT, STAKE
from workers.ai.simulation.world import Game

_AT = tables.first_of()
_SIZE, _POINTS = _AT["lead size"], _AT["lead points"]
_ELSEWHERE, _BEATEN, _REST = _AT["lead elsewhere"], _AT["lead beaten"], _AT["lead rest"]
(
    BOSS, BOSS_POINTS, TUPLE_BOSS, TUPLE, TRACTOR_BOSS, TRACTOR, THROW, LOW, LOW_POINTS, TOP,
    TRUMP_BOSS, TRUMP_TOP, TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_TUPLE_BOSS, TRUMP_TUPLE, TRUMP_TRACTOR, TRUMP_THROW,
) = range(len(LEADS))  # fmt: skip
#: Offset between the luck of two leads with the same highest card.
_LONGER: Final = 59
#: Greatest distance of the levels of neighbours in a tractor.
_NEIGHBOURS: Final = 2
#: Number of cards of a lead beyond which more make no difference.
_LARGEST: Final = 7


class Suits(Options):
    """Finds the leads of a suit in the worlds of one game.

    The methods of a suit share what they depend on, which `_look` sets.
    """

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        super().__init__(game, weights, luck)
        self.other_seats = game.players - 1
        # Throws under `throw_same_count`, which are rare, are left to the rules.
        throws = "none" if game.options["throw_same_count"] else game.options["throws"]
        self._throws_sides, self._throws_trumps = throws != "none", throws == "any"
        #: Pairs of a suit -> the highest tractor of pairs; 0: none.
        self._tractors: dict[int, int] = {}
        #: Where the hand and the cards not played begin in the planes.
        self._at = self._left = 0
        #: The seat's cards of the suit, and those that it has twice; the cards that other hands have, and have twice.
        self._suit = self._twice = self._single = self._pair = 0
        #: Number of the seat's cards, and of those in other hands; columns for these and for their points.
        self._length = self._away = self._far = self._worth = 0

    def share(self, cards: int) -> int:
        """Return the column for a number of cards in other hands: none; fewer than 1, 2 and 4 per hand; more."""
        seats = self.other_seats
        if cards <= 0:
            return 0
        return 1 if cards < seats else 2 if cards < 2 * seats else 3 if cards < 4 * seats else 4

    def _look(self, planes: Planes, at: int, left: int, cards: int, length: int, others: int) -> None:
        """Note what the leads of a suit depend on.

        Args:
            planes: those of the world.
            at, left: see the attributes.
            cards: all cards of the suit.
            length: number of the seat's cards of it.
            others: number of its cards that other hands may have.
        """
        depth = self.depth
        self._at, self._left, self._length, self._away = at, left, length, others
        self._suit = planes[at] & cards
        self._twice = planes[at + 1] & cards
        self._single = self._pair = 0
        self._far = self._worth = 0
        if others <= 0:
            return
        self._far = self.share(others)
        single = pair = points = 0
        for plane in range(depth):
            every = planes[left + plane] & cards
            if not every:
                break
            hidden = every & ~planes[at + plane]
            single |= hidden
            points += self._points_in(hidden)
            if plane:
                pair |= every & ~planes[at + plane - 1]
        self._single, self._pair, self._worth = single, pair, POINTS_OUT[points]

    def _points_in(self, cards: int) -> int:
        """Return the card points of one copy of each card of a set."""
        rich = cards & self.rich
        return 5 * (bits.count(rich) + bits.count(rich & self.richest)) if rich else 0

    def _safe(self) -> int:
        """Return the seat's cards that no other hand can beat."""
        safe = self._suit
        if self._single:
            safe &= self.equals[bits.high(self._single)]
            twice = self._twice
            if twice:
                safe |= twice & self.equals[bits.high(self._pair)] if self._pair else twice
        return safe

    def _side_leads(self, planes: Planes, row: tables.Row) -> int:
        """Add the leads of a side suit, and return the number of its safe cards; `row`: scores of kinds of leads."""
        suit, twice = self._suit, self._twice
        safe = self._safe()
        number = size_of(planes, self._at, self.depth, safe) if safe else 0
        if self._throws_sides and safe & (safe - 1):
            self._add(planes, row, THROW, safe, self.depth, -1)
        if twice:
            self._tuples(planes, row)
        top = bits.high(suit)
        boss = not self._single & self.higher[top]
        if boss:
            kind = BOSS_POINTS if self.points[top] else BOSS
            self._add(planes, row, kind, bits.one(top), 1, 1 if twice >> top & 1 else 0)
        elif suit != bits.one(top) or twice:
            beaten = BEATEN[size_of(planes, self._left, self.depth, self.above[top])]
            self._add(planes, row, TOP, bits.one(top), 1, beaten)
        low = self.picking.cheapest(suit)
        if low != top or not boss:
            self._low_sides(planes, row, low, 4 if boss else 0)
        return number

    def _low_sides(self, planes: Planes, row: tables.Row, low: int, size: int) -> None:
        """Add leads of single side cards below the highest.

        Args:
            planes, row: see `_side_leads`.
            low: the cheapest card.
            size: the first of four columns of its own; see `_add`.
        """
        suit = self._suit
        if self._away:
            size += self._height(planes, low)
        self._add(planes, row, LOW_POINTS if self.points[low] else LOW, bits.one(low), 1, size)
        rich = suit & self.rich
        if rich and bits.low(rich) not in (low, bits.high(suit)):
            self._add(planes, row, LOW_POINTS, bits.one(bits.low(rich)), 1, size)

    def _height(self, planes: Planes, low: int) -> int:
        """Return the column of the share of remaining cards of a suit that are lower than one of them."""
        depth, left = self.depth, self._left
        cards = self.suits[self.group[low]]
        upper = size_of(planes, left, depth, self.above[low] | bits.one(low))
        every = size_of(planes, left, depth, cards)
        return min(3, 4 * (every - upper) // every)

    def _trump_leads(self, planes: Planes, row: tables.Row) -> None:
        """Add the leads of trumps; see `_side_leads`."""
        trumps, others = self._suit, self._away
        top, low = bits.high(trumps), self.picking.cheapest(trumps)
        several = trumps & (trumps - 1)
        if self._throws_trumps:
            if not others:
                if several:
                    self._add(planes, row, TRUMP_THROW, trumps, self.depth, 3)
            else:
                safe = self._safe()
                if safe & (safe - 1):
                    self._add(planes, row, TRUMP_THROW, safe, self.depth, -1)
        if self._twice:
            self._tuples(planes, row)
        boss = not self._single & self.higher[top]
        if boss or top != low:
            self._add(planes, row, TRUMP_BOSS if boss else TRUMP_TOP, bits.one(top), 1, -1)
        if low != top or not boss:
            self._low_trumps(planes, row, top, low)

    def _low_trumps(self, planes: Planes, row: tables.Row, top: int, low: int) -> None:
        """Add leads of single trumps below the highest; `low`: the cheapest one."""
        trumps = self._suit
        rich, alone = trumps & self.rich, trumps & ~self.rich & ~self._twice
        rich_one = bits.low(rich) if rich else -1
        lone = bits.low(alone) if alone else -1
        self._add(planes, row, TRUMP_LOW_POINTS if self.points[low] else TRUMP_LOW, bits.one(low), 1, -1)
        if rich_one not in (-1, low, top):
            self._add(planes, row, TRUMP_LOW_POINTS, bits.one(rich_one), 1, -1)
        if lone not in (-1, low, top):
            self._add(planes, row, TRUMP_LOW, bits.one(lone), 1, -1)
        below = trumps & ~bits.one(top)
        if below and bits.high(below) not in (low, rich_one, lone):
            self._add(planes, row, TRUMP_TOP, bits.one(bits.high(below)), 1, -1)

    def _tuples(self, planes: Planes, row: tables.Row) -> None:
        """Add the leads of tuples: the best one, which may be a tractor, and the lowest if that is another."""
        twice, pair = self._twice, self._pair
        is_trumps = self.group[bits.low(twice)] == TRUMPS
        run = self._tractor(twice) if twice & (twice - 1) else 0
        best = run or bits.one(bits.high(twice))
        boss = not pair & self.higher[bits.high(best)]
        if is_trumps:
            kind = TRUMP_TRACTOR if run else TRUMP_TUPLE_BOSS if boss else TRUMP_TUPLE
        elif run:
            kind = TRACTOR_BOSS if boss else TRACTOR
        else:
            kind = TUPLE_BOSS if boss else TUPLE
        self._add(planes, row, kind, best, 2 if run else self.depth, -1)
        lowest = twice & -twice
        if not lowest & best:
            self._add(planes, row, TRUMP_TUPLE if is_trumps else TUPLE, lowest, self.depth, -1)

    def _tractor(self, pairs: int) -> int:
        """Return the cards of the highest tractor of pairs; 0 if there is none."""
        tractor = self._tractors.get(pairs)
        if tractor is None:
            tractor = self._tractors[pairs] = self._found_tractor(pairs)
        return tractor

    def _found_tractor(self, pairs: int) -> int:
        level, group = self.level, self.group[bits.low(pairs)]
        first, line = self.game.indices.first[group], self.game.rules.lines[group]
        indices = [index for index in range(bits.high(pairs), -1, -1) if pairs >> index & 1]
        for at, highest in enumerate(indices):
            run = [highest]
            for index in indices[at + 1 :]:
                if level[run[-1]] - level[index] > _NEIGHBOURS:
                    break
                if line.is_unit(2, tuple([each - first for each in (index, *reversed(run))])):
                    run.append(index)
            if len(run) > 1:
                return sum([1 << index for index in run])
        return 0

    def _add(self, planes: Planes, row: tables.Row, kind: int, cards: int, copies: int, size: int) -> None:
        """Add a lead.

        Args:
            planes: those of the world.
            row: scores of the kinds of leads.
            kind: kind of the lead.
            cards: its cards.
            copies: most copies of each that are led.
            size: column of its own for each kind of lead; for trumps that of its points; -1: those of its cards.
        """
        at, depth, weights = self._at, self.depth, self.weights.each
        number = points = 0
        for plane in range(at, at + copies):
            held = planes[plane] & cards
            if not held:
                break
            number += bits.count(held)
            points += self._points_in(held)
        top = bits.high(cards)
        rest = self._suit & ~cards
        if copies < depth:
            rest |= planes[at + copies] & cards
        score = self._of_cards(planes, kind, top, number, rest)
        if kind < TRUMP_BOSS:
            size = min(number, _LARGEST) if size < 0 else size
            score += weights[_SIZE + kind * 8 + size] + weights[_POINTS + kind * 4 + STAKE[points]]
        else:
            score += weights[_POINTS + kind * 4 + (STAKE[points] if size < 0 else size)]
        here = self.number
        self.scores[here] = row.values[kind] + score
        self.marks[here] = top + _LONGER * number
        self.sets[here], self.copies[here] = cards, copies
        self.number = here + 1

    def _of_cards(self, planes: Planes, kind: int, top: int, number: int, rest: int) -> float:
        """Return the score of a lead by its cards and the others of the suit; `rest`: those that the seat keeps."""
        weights, depth, beaten = self.weights.each, self.depth, 0
        if self._far:
            # Remaining higher cards and pairs, including the seat's own.
            above, left = self.above[top], self._left
            if number == 1:
                beaten = BEATEN[size_of(planes, left, depth, above)]
            else:
                beaten = min(5, size_of(planes, left + 1, depth - 1, above))
        kept = keeps = again = 0
        if rest:
            kept = min(3, self._length - number)
            keeps = 0 if self._single & self.higher[bits.high(rest)] else 1
            again = 1 if rest >> top & 1 else 0
        row = ((kind * 4 + kept) * 2 + keeps) * 2 + again
        return (
            weights[_ELSEWHERE + (kind * 5 + self._far) * 5 + self._worth]
            + weights[_BEATEN + (kind * 6 + beaten) * 5 + self._far]
            + weights[_REST + row]
        )
