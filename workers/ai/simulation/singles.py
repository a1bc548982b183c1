"""Follows of simulated seats to a single card."""

from array import array

from service.rules.trumps import TRUMPS
from workers.ai.simulation import bits, tables
from workers.ai.simulation.hands import Planes, middle_of, size_of
from workers.ai.simulation.leading import Leading
from workers.ai.simulation.tables import (
    BEATEN,
    LENGTH,
    OURS,
    OURS_HIGHEST,
    OURS_SURE,
    PHASE,
    STAKE,
    THEIRS,
    TRUMP_LENGTH,
)
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Score and index of a follow, and whether it wins so far.
Option = tuple[float, int, bool]

_AT = tables.first_of()
_SUIT_STAKE, _SUIT_POINTS, _SUIT_BEATEN = _AT["suit stake"], _AT["suit points"], _AT["suit beaten"]
_SUIT_PHASE, _SUIT_RISK, _SUIT_MATES = _AT["suit phase"], _AT["suit risk"], _AT["suit mates"]
_VOID_STAKE, _VOID_POINTS, _VOID_TRUMP = _AT["void stake"], _AT["void points"], _AT["void trump beaten"]
_VOID_GIVEN, _VOID_PHASE, _VOID_RISK = _AT["void given"], _AT["void phase"], _AT["void risk"]
_SUIT_BREAKS, _VOID_BREAKS = _AT["suit breaks"], _AT["void breaks"]
_SUIT_ROLE, _SUIT_FOES = _AT["suit role"], _AT["suit foes"]
_VOID_ROLE, _VOID_FOES = _AT["void role"], _AT["void foes"]
#: Effect of a card. In suit: loses; loses points; wins as highest of the suit; wins for now; wins as last card of the
#: trick. Out of suit: is discarded; is discarded with points; ruffs; overruffs.
LOSE, LOSE_POINTS, WIN_HIGHEST, WIN_SO_FAR, WIN_LAST = range(5)
GIVE, GIVE_POINTS, RUFF, OVERRUFF = range(4)


class Singles(Leading):
    """Follows single cards in the worlds of one game.

    The follows of a decision share these properties, which are columns of the tables and digits of the number of a row:
    whether trumps were led; who wins so far; number of later seats; points of the trick; phase of the round; possible
    acts of later foes (nothing, follow, perhaps void, ruff) and of later mates (nothing, follow, ruff; only in suit);
    role of the seat (`World.role`); number of later foes.
    """

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        super().__init__(game, weights, luck)
        #: Number of seats still to play, including this one -> column.
        self.to_come = array("i", [0, *[self._column(to_come) for to_come in range(1, game.players + 1)]])
        #: Properties of the decision.
        self._trumps = self._whose = self._to_come = self._stake = self._phase = 0
        self._risk = self._helped = self._role = self._foes = 0

    def single(self, world: World, trick: Trick, seat: int) -> int:
        """Return the card with which a seat follows a single card."""
        group, planes = trick.group, world.planes
        suit = planes[seat * self.depth] & self.suits[group]
        if not suit:
            planes[world.voids + group] |= 1 << seat
        elif not suit & (suit - 1):
            return bits.low(suit)
        if world.called:
            called = self.called(world, seat, group)
            if called >= 0:
                return called
        self._weigh_singles(world, trick, seat)
        return self.cards[self.best(world, trick.size, seat)]

    def singles(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a single card, with their scores."""
        self._weigh_singles(world, trick, seat)
        cards = [self.cards[number] for number in range(self.number)]
        return [(self.scores[number], card, self.beats(trick, card)) for number, card in enumerate(cards)]

    def beats(self, trick: Trick, card: int) -> bool:
        """Return whether a card, or alike cards, as many as were led, beat the alike cards that win so far."""
        best = trick.top
        group, standing = self.group[card], self.group[best]
        return self.level[card] > self.level[best] if group == standing else group == TRUMPS

    def _column(self, to_come: int) -> int:
        """Return the column of the number of seats still to play, including this one."""
        if to_come > 4:
            return 3
        return (to_come + 1) // 2 if self.players > 4 and to_come > 1 else to_come - 1

    def _weigh_singles(self, world: World, trick: Trick, seat: int) -> None:
        """Make the follows of a seat to a single card the options."""
        self._look_at(world, trick, seat)
        self.number = 0
        planes, at = world.planes, seat * self.depth
        suit = planes[at] & self.suits[trick.group]
        if suit:
            self._of_suit(planes, at, world.left, suit, trick)
        else:
            self._void(planes, at, world.left, trick)

    def _look_at(self, world: World, trick: Trick, seat: int) -> None:
        """Note the properties of a decision."""
        lead, best, to_come, planes = trick.group, trick.top, trick.to_come, world.planes
        trumped = self.group[best] != lead
        mine = world.declarers >> seat & 1
        if mine != world.open_declarers >> trick.best_seat & 1:
            self._whose = THEIRS
        elif to_come == 1 or trumped:
            self._whose = OURS_SURE
        else:
            self._whose = OURS if planes[world.left] & self.higher[best] else OURS_HIGHEST
        self._trumps = 1 if lead == TRUMPS else 0
        self._to_come, self._stake, self._phase = self.to_come[to_come], STAKE[trick.points], PHASE[trick.size]
        self._role = world.role(seat)
        self._risk = self._helped = self._foes = 0
        if to_come > 1:
            self._look_at_later(world, seat, lead, to_come - 1)

    def _look_at_later(self, world: World, seat: int, lead: int, number: int) -> None:
        """Note the possible acts of so many seats that play later."""
        planes, players = world.planes, self.players
        later = ((1 << number) - 1) << (seat + 1)
        later = (later | later >> players) & self.everybody
        mates = later & (world.open_declarers if world.declarers >> seat & 1 else ~world.open_declarers)
        foes = later ^ mates
        void = planes[world.voids + lead]
        ruff = 0 if lead == TRUMPS else void & ~planes[world.voids + TRUMPS]
        if foes & ruff:
            self._risk = 3
        elif foes & ~void:
            self._risk = 2 if size_of(planes, world.left, self.depth, self.suits[lead]) < 2 * (players - 1) else 1
        if mates & ruff:
            self._helped = 2
        elif mates & ~void:
            self._helped = 1
        self._foes = min(3, bits.count(foes))

    def _of_suit(self, planes: Planes, at: int, left: int, suit: int, trick: Trick) -> None:
        """Add the follows in suit."""
        depth, best, lead = self.depth, trick.top, trick.group
        trumps, whose, to_come, stake, phase = self._trumps, self._whose, self._to_come, self._stake, self._phase
        twice = planes[at + 1] & suit
        picked = self.picked
        number = self.picking.cheap(suit, twice)
        winners = suit & self.higher[best] if self.group[best] == lead else 0
        if winners:
            picked[number], picked[number + 1] = bits.high(winners), bits.low(winners)
            picked[number + 2] = middle_of(planes, at, depth, winners)
            number += 3
        scene = (((trumps * 4 + whose) * 4 + to_come) * 4 + stake) * 6 + phase
        scene = (((scene * 4 + self._risk) * 3 + self._helped) * 5 + self._role) * 4 + self._foes
        row = self.weights.suit[scene] or self._suit_row(scene)
        beaten_at = _SUIT_BEATEN + (trumps * 4 + to_come) * 48 + LENGTH[size_of(planes, at, depth, suit)] * 2
        breaks = _SUIT_BREAKS + (trumps * 6 + phase) * 5
        weights, last, out, seen = self.weights.each, trick.to_come == 1, planes[left], 0
        for each in range(number):
            card = picked[each]
            if seen >> card & 1:
                continue
            seen |= bits.one(card)
            points = self.column[card]
            beaten = beaten_at + BEATEN[size_of(planes, left, depth, self.above[card])] * 8
            if winners >> card & 1:
                act = WIN_LAST if last else WIN_SO_FAR if out & self.higher[card] else WIN_HIGHEST
                beaten += 1
            else:
                act = LOSE_POINTS if points else LOSE
            score = row.values[act * 3 + points] + weights[beaten]
            if twice >> card & 1:
                score += weights[breaks + act]
            self._add_card(score, card)

    def _add_card(self, score: float, card: int) -> None:
        """Add a follow."""
        number = self.number
        self.scores[number], self.marks[number], self.cards[number] = score, card, card
        self.number = number + 1

    def _void(self, planes: Planes, at: int, left: int, trick: Trick) -> None:
        """Add ruffs and discards."""
        hand, trumps = planes[at], planes[at] & self.suits[TRUMPS]
        trumped = self.group[trick.top] != trick.group
        # By who wins: a trick ruffed by foes is harder to win; one of a mate may still be ruffed.
        whose = self._whose
        whose = (1 if trumped else 0) if whose == THEIRS else OURS_SURE if whose == OURS_SURE else 2
        scene = (((self._trumps * 4 + whose) * 4 + self._to_come) * 4 + self._stake) * 6 + self._phase
        scene = ((scene * 4 + self._risk) * 5 + self._role) * 4 + self._foes
        row = self.weights.void[scene] or self._void_row(scene)
        if self._trumps or not trumps:
            self._discards(planes, at, left, row)
            return
        self._ruffs(planes, at, left, trick, row, whose)
        if hand != trumps:
            self._discards(planes, at, left, row)
        else:
            self._give_trump(planes, at, left, row)

    def _ruffs(self, planes: Planes, at: int, left: int, trick: Trick, row: tables.Row, whose: int) -> None:
        """Add ruffs; `row`, `whose`: see `_void`."""
        depth, best, phase, trumps = self.depth, trick.top, self._phase, planes[at] & self.suits[TRUMPS]
        trumped = self.group[best] != trick.group
        higher = trumps & self.higher[best] if trumped else trumps
        if not higher:
            return
        twice = planes[at + 1] & trumps
        act = OVERRUFF if trumped else RUFF
        price = _VOID_TRUMP + phase * 36 + TRUMP_LENGTH[size_of(planes, at, depth, trumps)]
        risked = _VOID_RISK + (self._risk * 4 + whose) * 6 + act * 96
        weights, picked, seen = self.weights.each, self.picked, 0
        number = self.picking.cheap(higher, twice)
        picked[number] = bits.high(higher)
        picked[number + 1] = middle_of(planes, at, depth, higher)
        for each in range(number + 2):
            card = picked[each]
            if seen >> card & 1:
                continue
            seen |= bits.one(card)
            beaten = BEATEN[size_of(planes, left, depth, self.above[card])]
            score = row.values[act * 3 + self.column[card]] + weights[price + beaten * 6]
            if twice >> card & 1:
                score += weights[_VOID_BREAKS + act * 6 + phase]
            self._add_card(score + weights[risked + beaten], card)

    def _give_trump(self, planes: Planes, at: int, left: int, row: tables.Row) -> None:
        """Add the cheapest trump as a discard, unless it is a ruff already; `row`: see `_void`."""
        depth, phase = self.depth, self._phase
        trumps = planes[at] & self.suits[TRUMPS]
        card = self.picking.cheapest(trumps)
        for number in range(self.number):
            if self.cards[number] == card:
                return
        weights, beaten = self.weights.each, BEATEN[size_of(planes, left, depth, self.above[card])]
        price = _VOID_TRUMP + phase * 36 + TRUMP_LENGTH[size_of(planes, at, depth, trumps)]
        score = row.values[GIVE * 3 + self.column[card]] + weights[price + beaten * 6]
        if planes[at + 1] >> card & 1:
            score += weights[_VOID_BREAKS + GIVE * 6 + phase]
        self._add_card(score, card)

    def _discards(self, planes: Planes, at: int, left: int, row: tables.Row) -> None:
        """Add the discards of side cards; `row`: see `_void_row`."""
        depth, phase, picked, weights = self.depth, self._phase, self.picked, self.weights.each
        hand = planes[at]
        ruffs = 1 if hand & self.suits[TRUMPS] else 0
        for group in range(TRUMPS):
            suit = hand & self.suits[group]
            if not suit:
                continue
            length = size_of(planes, at, depth, suit)
            twice = planes[at + 1] & suit
            price = _VOID_GIVEN + phase * 48 + (length - 1 if length < 4 else 3) * 2 + ruffs
            for each in range(self.picking.cheap(suit, twice)):
                card = picked[each]
                points = self.column[card]
                # The columns without points are those of GIVE, the others those of GIVE_POINTS.
                score = row.values[3 + points if points else 0]
                if twice >> card & 1:
                    score += weights[_VOID_BREAKS + (6 if points else 0) + phase]
                score += weights[price + BEATEN[size_of(planes, left, depth, self.above[card])] * 8]
                self._add_card(score, card)

    def _suit_row(self, scene: int) -> tables.Row:
        """Return the scores of following suit in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, helped, role, foes = tables.digits("suit", scene)
        place = trumps * 4 + whose
        row = [
            weights[_SUIT_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
            + weights[_SUIT_POINTS + ((place * 3 + points) * 5 + act) * 4 + to_come]
            + weights[_SUIT_PHASE + (trumps * 6 + phase) * 5 + act]
            + weights[_SUIT_RISK + ((act * 4 + risk) * 4 + whose) * 3 + points]
            + weights[_SUIT_MATES + ((act * 3 + helped) * 4 + at_stake) * 2 + trumps]
            + weights[_SUIT_FOES + (((role * 4 + foes) * 4 + whose) * 5 + act) * 3 + points]
            + weights[_SUIT_ROLE + (((role * 6 + phase) * 4 + whose) * 5 + act) * 3 + points]
            for act in range(5)
            for points in range(3)
        ]
        return self.weights.keep(self.weights.suit, scene, row)

    def _void_row(self, scene: int) -> tables.Row:
        """Return the scores of ruffing and discarding in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, role, foes = tables.digits("void", scene)
        place = trumps * 4 + whose
        row = [
            weights[_VOID_STAKE + ((place * 4 + to_come) * 4 + act) * 4 + at_stake]
            + weights[_VOID_POINTS + ((place * 3 + points) * 4 + act) * 4 + to_come]
            + weights[_VOID_PHASE + act * 6 + phase]
            + weights[_VOID_FOES + (((role * 4 + foes) * 4 + whose) * 4 + act) * 3 + points]
            + weights[_VOID_ROLE + (((role * 6 + phase) * 4 + whose) * 4 + act) * 3 + points]
            # The fate of a ruff depends on its card.
            + (weights[_VOID_RISK + ((act * 4 + risk) * 4 + whose) * 6 + points] if act < RUFF else 0.0)
            for act in range(4)
            for points in range(3)
        ]
        return self.weights.keep(self.weights.void, scene, row)
