"""Follows of simulated seats to a pair."""

from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import bits, tables
from workers.ai.simulation.hands import Planes, size_of
from workers.ai.simulation.singles import Singles
from workers.ai.simulation.tables import BEATEN, LENGTH, OURS, OURS_SURE, PHASE, STAKE, THEIRS
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Score and indices of a follow, and whether they win so far.
Option = tuple[float, list[int], bool]

_AT = tables.first_of()
_STAKE, _POINTS, _BEATEN = _AT["pair stake"], _AT["pair points"], _AT["pair beaten"]
_PHASE, _GIVEN, _ROLE = _AT["pair phase"], _AT["pair given"], _AT["pair role"]
#: Effect of the cards: lose, lose points, win in suit, win by a ruff.
LOSE, LOSE_POINTS, WIN, RUFF = range(4)
#: Offset between the luck of two pairs of cards that differ in the second one: more than the indices of a suit.
_SECOND: Final = 17
#: Fewest pairs of a hand of which only some are compared.
_MANY: Final = 4


class Pairs(Singles):
    """Follows pairs in the worlds of one game.

    The follows of a decision share these properties, which are columns of the tables and digits of the number of a row:
    whether trumps were led; who wins so far; number of later seats; points of the trick; phase of the round; role of
    the seat (`World.role`).
    """

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        super().__init__(game, weights, luck)
        #: The cards with which the seat follows.
        self.first = self.second = 0

    def pair(self, world: World, trick: Trick, seat: int) -> None:
        """Choose the two cards with which a seat follows a pair, `first` and `second`, ascending."""
        group, planes, at, depth = trick.group, world.planes, seat * self.depth, self.depth
        suit = planes[at] & self.suits[group]
        size = size_of(planes, at, depth, suit)
        if size == 2:
            self.first, self.second = bits.low(suit), bits.high(suit)
            return
        if size < 2:
            planes[world.voids + group] |= 1 << seat
        self._weigh_pairs(world, trick, seat)
        best = self.best(world, trick.size, seat)
        self.first, self.second = self.cards[best], self.seconds[best]

    def pairs(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a pair, with their scores."""
        self._weigh_pairs(world, trick, seat)
        plays = [[self.cards[number], self.seconds[number]] for number in range(self.number)]
        return [
            (self.scores[number], play, play[0] == play[1] and self.beats(trick, play[0]))
            for number, play in enumerate(plays)
        ]

    def _weigh_pairs(self, world: World, trick: Trick, seat: int) -> None:
        """Make the follows of a seat to a pair the options."""
        planes, at, lead = world.planes, seat * self.depth, trick.group
        suit = planes[at] & self.suits[lead]
        self.number = 0
        if world.called:
            called = self.called(world, seat, lead)
            if called >= 0:
                self._join(planes, at, suit, called)
        if not self.number:
            if size_of(planes, at, self.depth, suit) < 2:
                self._short(planes, at, suit, trick)
            else:
                self._of_pairs(planes, at, suit)
        self._score_pairs(world, trick, seat)

    def _add_pair(self, one: int, other: int) -> None:
        """Add a follow, unless it is there."""
        if one > other:
            one, other = other, one
        number, cards, seconds = self.number, self.cards, self.seconds
        for known in range(number):
            if cards[known] == one and seconds[known] == other:
                return
        cards[number], seconds[number], self.marks[number] = one, other, one + _SECOND * other
        self.number = number + 1

    def _of_pairs(self, planes: Planes, at: int, suit: int) -> None:
        """Add the follows in suit, of which the hand has more than two cards."""
        picking = self.picking
        twice = planes[at + 1] & suit
        if twice:
            if bits.count(twice) < _MANY:
                while twice:
                    card = bits.low(twice)
                    self._add_pair(card, card)
                    twice &= twice - 1
                return
            for card in (picking.cheapest(twice), picking.most_points(twice), bits.high(twice)):
                self._add_pair(card, card)
            return
        for card in (picking.cheapest(suit), picking.most_points(suit)):
            rest = suit ^ bits.one(card)
            self._add_pair(card, picking.cheapest(rest))
            self._add_pair(card, picking.most_points(rest))

    def _join(self, planes: Planes, at: int, suit: int, called: int) -> None:
        """Add follows by which a seat joins the declarer; none if it has no choice or must play another pair."""
        picking, twice = self.picking, planes[at + 1]
        if twice & suit:
            if twice & suit & bits.one(called):
                self._add_pair(called, called)
        elif suit & (suit - 1):
            rest = suit & ~bits.one(called)
            self._add_pair(called, picking.cheapest(rest))
            self._add_pair(called, picking.most_points(rest))
        elif not suit and planes[at] & ~bits.one(called):
            for feed in (False, True):
                for other in picking.discards(planes, at, bits.one(called), 1, feed):
                    self._add_pair(called, other)

    def _short(self, planes: Planes, at: int, suit: int, trick: Trick) -> None:
        """Add the follows of a hand with fewer than two cards of the suit led."""
        picking, top = self.picking, trick.top
        hand = planes[at]
        twice = planes[at + 1]
        if not suit and trick.group != TRUMPS:
            higher = twice & self.suits[TRUMPS]
            if self.group[top] == TRUMPS:
                higher &= self.higher[top]
            if higher:
                for card in (bits.low(higher), bits.high(higher), picking.most_points(higher)):
                    self._add_pair(card, card)
        for feed in (False, True):
            number = 1 if suit else 2
            cards = picking.discards(planes, at, suit, number, feed)
            self._add_pair(bits.low(suit) if suit else cards[0], cards[number - 1])
        if suit:
            return
        for group in range(TRUMPS):
            other = hand & self.suits[group]
            if other & (other - 1) or twice & other:
                card = picking.cheapest(other)
                rest = other if twice >> card & 1 else other ^ bits.one(card)
                self._add_pair(card, picking.cheapest(rest))

    def _score_pairs(self, world: World, trick: Trick, seat: int) -> None:
        """Set the scores of the options."""
        planes, depth, at, left, lead = world.planes, self.depth, seat * self.depth, world.left, trick.group
        hand = planes[at]
        row, weights = self._row_of(world, trick, seat), self.weights.each
        ruffs = 1 if hand & self.suits[TRUMPS] else 0
        in_suit = size_of(planes, at, depth, self.suits[lead]) >= 2
        for number in range(self.number):
            one, other = self.cards[number], self.seconds[number]
            worth = self.points[one] + self.points[other]
            act = LOSE_POINTS if worth else LOSE
            if one == other and self.beats(trick, one):
                act = WIN if in_suit else RUFF
            score = row.values[act * 5 + worth // 5]
            for card in (one, other):
                group = self.group[card]
                length = size_of(planes, at, depth, self.suits[group])
                beaten = BEATEN[size_of(planes, left, depth, self.above[card])]
                if group in (TRUMPS, lead):
                    place = _BEATEN + ((6 if group == TRUMPS else 0) + beaten) * 4 + LENGTH[length]
                else:
                    place = _GIVEN + (beaten * 4 + (length - 1 if length < 4 else 3)) * 2 + ruffs
                score += weights[place]
            self.scores[number] = score

    def _row_of(self, world: World, trick: Trick, seat: int) -> tables.Row:
        """Return the scores of following a pair in this decision, for each effect and column of points."""
        lead = trick.group
        if world.declarers >> seat & 1 != world.open_declarers >> trick.best_seat & 1:
            whose = THEIRS
        else:
            whose = OURS_SURE if trick.to_come == 1 or self.group[trick.top] != lead else OURS
        scene = ((1 if lead == TRUMPS else 0) * 4 + whose) * 4 + self.to_come[trick.to_come]
        scene = ((scene * 4 + STAKE[trick.points]) * 6 + PHASE[trick.size]) * 5 + world.role(seat)
        return self.weights.pair[scene] or self._pair_row(scene)

    def _pair_row(self, scene: int) -> tables.Row:
        """Return the scores of following a pair in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, role = tables.digits("pair", scene)
        place = trumps * 4 + whose
        row = [
            weights[_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
            + weights[_POINTS + ((place * 5 + points) * 5 + act) * 4 + to_come]
            + weights[_PHASE + (act * 6 + phase) * 2 + trumps]
            + weights[_ROLE + (((role * 4 + whose) * 4 + to_come) * 4 + act) * 5 + points]
            for act in range(4)
            for points in range(5)
        ]
        return self.weights.keep(self.weights.pair, scene, row)
