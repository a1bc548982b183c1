"""Playing a world to its end by simple rules that use only what each seat could know.

A seat knows its own hand and side, the remaining cards of each suit, shown voids, and the known members of the
declarer's side. Follows to single cards and pairs, nearly all tricks, are chosen here; everything else goes through
`service.rules`.
"""

from collections.abc import Sequence

from service.common.errors import IllegalPlay
from service.rules.rounds.scoring import ATTACKERS, DECLARERS
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.units import Shape
from service.rules.trumps import TRUMPS
from workers.ai.candidates.following import arrange
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.pairs import Pairs
from workers.ai.simulation.selection import pairs_in, several, size_of
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Cost of following a pair, and anything else, relative to a single card.
_PAIR, _OTHER = 2, 4
#: Inverse of the additional cost of plays while a call is open, since hands are searched for called cards.
_CALLED = 3


class Playout(Pairs):
    """Plays worlds of one game to their end.

    Args:
        game: the game.
        weights, luck: see `Leading`.
    """

    def __init__(
        self, game: Game, weights: tables.Weights | None = None, luck: Sequence[float] = tables.STEADY
    ) -> None:
        super().__init__(game, weights, luck)
        indices, rules = game.indices, game.rules
        self.kind = indices.kind
        self.rules, self.plain = rules, rules.has_plain_follows
        level, index = indices.order.level_of, indices.index
        #: Kind -> price of giving it away, in a trick of the other side, where points cost, and in one of ours.
        self._theirs = [level[kind] * 0.3 + indices.points[index[kind]] for kind in range(len(index))]
        self._ours = [level[kind] * 0.3 - indices.points[index[kind]] for kind in range(len(index))]
        self._dear = [-price for price in self._theirs]
        #: Simulated seats throw what no unit beats, which may fail under other tests. If a failed throw ends the round,
        #: nobody risks it, so their throws count as safe too.
        self._safe_throws = game.options["throw_failure"] in {"end_round", "penalty_levels"} or (
            game.options["throw_test"] == "units" and not game.options["quad_beats_tractor"]
        )
        self._read: dict[tuple[int, ...], Lead] = {}
        #: Lead -> shapes of its units, and number of doublings: cards beside an identical one that a match must have.
        self._forms: dict[Lead, tuple[tuple[Shape, ...], int]] = {}
        #: Answers of the rules, which the playouts of a search ask again and again, by suit led, shapes, cards of the
        #: suit, and whether the trick is a mate's: the highest unit; the cheapest follow; by shapes and trumps: ruffs.
        self._highest: dict[tuple[int, tuple[Shape, ...], tuple[int, ...]], list[int]] = {}
        self._cheapest: dict[tuple[int, tuple[Shape, ...], tuple[int, ...], bool], list[int]] = {}
        self._matching_ruffs: dict[tuple[tuple[Shape, ...], tuple[int, ...]], list[list[int]]] = {}
        #: Lead, best play and play -> whether the play beats the best one.
        self._beaten: dict[tuple[Lead, tuple[int, ...], tuple[int, ...]], bool] = {}
        #: Points of the attackers, number of declarers, and side that won the last trick -> value.
        self._values: dict[tuple[int, int, str], float] = {}
        #: Work done so far: number of simulated plays, weighted by cost.
        self.work = 0

    # --- the round ------------------------------------------------------------------------------------------------

    def run(self, world: World, leader: int, trick: Trick | None = None) -> float:
        """Play a world to its end and return its value to the attackers.

        Args:
            world: the world, which is modified.
            leader: the seat that leads, if there is no trick.
            trick: the trick on the table.
        """
        hands = world.hands
        while True:
            if trick is None:
                trick = self.led(world, leader, self.lead(world, leader), self._safe_throws)
            lead = trick.lead
            self.finish(world, trick)
            leader = trick.best_seat
            world.taken[leader] += trick.points
            if not any(hands[leader]):
                return self._value(world, lead, leader, trick.best)
            trick = None

    def _value(self, world: World, lead: Lead, winner: int, winning: list[int]) -> float:
        """Return the value of a finished round to the attackers; see `Game.total`."""
        game, side = self.game, DECLARERS if world.open_declarers[winner] else ATTACKERS
        points = game.total(world, lead, winner, [self.kind[index] for index in winning])
        key = (points, sum(world.open_declarers), side)
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = game.value(*key)
        return value

    def led(self, world: World, leader: int, cards: list[int], safe: bool = False) -> Trick:
        """Lead cards, and return the trick.

        Throws are tested unless declared safe; if one fails, the forced cards are led.
        """
        key = tuple(cards)
        lead = self._read.get(key)
        if lead is None:
            lead = self._read[key] = self.rules.lead([self.kind[index] for index in cards])
        if not safe and lead.kind == "throw":
            lead = self.tested(world, leader, lead)
            cards = self.game.indices.indices_of(lead.cards)
        size = size_of(world.hands[leader])
        self.remove(world, leader, cards)
        seat = leader + 1 if leader + 1 < self.players else 0
        return Trick(lead, cards, leader, self._points_of(cards), seat, self.players - 1, size)

    def _points_of(self, cards: list[int]) -> int:
        points = 0
        for index in cards:
            points += self.points[index]
        return points

    def tested(self, world: World, leader: int, lead: Lead) -> Lead:
        """Return the cards led after testing a throw against the hands of this world."""
        players, indices = self.game.players, self.game.indices
        hands = [indices.counts(world.hands[(leader + step) % players]) for step in range(1, players)]
        test = self.rules.throw(lead, hands)
        if test.ok:
            return lead
        world.penalties.append((leader, test.penalty))
        if test.ends_round or not test.forced:
            raise IllegalPlay("throws")
        return self.rules.lead(test.forced)

    def finish(self, world: World, trick: Trick) -> None:
        """Let all remaining seats follow."""
        plays = trick.to_come + 1
        if world.calls:
            plays += plays // _CALLED
        if trick.number == 1:
            self.work += plays
            self._singles(world, trick)
        elif self.weighs(trick.lead):
            self.work += _PAIR * plays
            self._pairs(world, trick)
        else:
            self.work += _OTHER * plays
            self._others(world, trick)

    def remove(self, world: World, seat: int, cards: Sequence[int]) -> None:
        """Remove cards from a hand, and note calls that they fill."""
        hand, left, group_of = world.hands[seat], world.left, self.group
        for index in cards:
            group = group_of[index]
            hand[group].remove(index)
            left[group].remove(index)
        if world.calls:
            called = {call[0] for call in world.calls}
            for index in set(cards):
                if index in called:
                    world.called_played(self.game, seat, index, cards.count(index))

    # --- following --------------------------------------------------------------------------------------------------

    def _singles(self, world: World, trick: Trick) -> None:
        points_of, group_of = self.points, self.group
        hands, left, calls = world.hands, world.left, world.calls
        seat, players = trick.seat, self.players
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            card, wins = self._single(world, trick, seat)
            group = group_of[card]
            hands[seat][group].remove(card)
            left[group].remove(card)
            trick.points += points_of[card]
            if wins:
                trick.best, trick.best_seat = [card], seat
            if calls:
                for call in calls:
                    if call[0] == card:
                        world.called_played(self.game, seat, card, 1)
                        break
            seat += 1
            if seat == players:
                seat = 0

    def _pairs(self, world: World, trick: Trick) -> None:
        seat, players = trick.seat, self.players
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            cards, wins = self._pair(world, trick, seat)
            self.remove(world, seat, cards)
            trick.points += self.points[cards[0]] + self.points[cards[1]]
            if wins:
                trick.best, trick.best_seat = cards, seat
            seat += 1
            if seat == players:
                seat = 0

    def _others(self, world: World, trick: Trick) -> None:
        seat, group = trick.seat, trick.group
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            cards = self._answer(world, trick, seat)
            first, alike, suited = self.group[cards[0]], True, group != RAINBOW
            for index in cards:
                if self.group[index] != first:
                    alike = False
                if self.group[index] != group:
                    suited = False
            if group != RAINBOW and not suited:
                world.voids[seat] |= 1 << group
            # Cards of several suits win only under rules of their own.
            if (alike or not self.plain or group == RAINBOW) and self.wins(trick, cards):
                trick.best, trick.best_seat = cards, seat
            self.remove(world, seat, cards)
            trick.points += self._points_of(cards)
            seat += 1
            if seat == self.players:
                seat = 0

    def wins(self, trick: Trick, cards: list[int]) -> bool:
        """Return whether cards beat the best play so far, cached."""
        if self.plain and trick.group != RAINBOW and self._form(trick.lead)[1] > len(pairs_in(cards)):
            return False
        key = (trick.lead, tuple(trick.best), tuple(cards))
        wins = self._beaten.get(key)
        if wins is None:
            kinds_of = self.game.indices.kinds_of
            wins = self._beaten[key] = self.rules.beats(trick.lead, kinds_of(trick.best), kinds_of(cards))
        return wins

    def weighs(self, lead: Lead) -> bool:
        """Return whether follows to a lead are chosen by weights, as for single cards and pairs."""
        return lead.size == 1 or (lead.size == 2 and lead.kind == "tuple" and self.plain)

    def follow(self, world: World, trick: Trick) -> list[int]:
        """Return the indices with which the next seat follows."""
        if trick.number == 1:
            return [self._single(world, trick, trick.seat)[0]]
        if self.weighs(trick.lead):
            return self._pair(world, trick, trick.seat)[0]
        return self._answer(world, trick, trick.seat)

    def _answer(self, world: World, trick: Trick, seat: int) -> list[int]:
        """Return a follow to a lead of any kind."""
        indices, rules = self.game.indices, self.rules
        hand, lead, size, group = world.hands[seat], trick.lead, trick.number, trick.group
        mate = world.declarers[seat] == world.open_declarers[trick.best_seat]
        cards: list[int] = []
        if group != RAINBOW:
            suit = hand[group]
            if len(suit) == size:
                cards = suit[:]
            elif len(suit) > size:
                cards = self._in_suit(hand, trick, mate)
            else:
                if not suit and group != TRUMPS and not mate:
                    cards = self._ruff(hand, trick)
                cards = cards or several(hand, suit[:], size, self.points, self.level, mate)
        if cards and self.plain:
            return cards
        counts = indices.counts(hand)
        if cards:
            try:
                rules.follow(lead, counts, indices.kinds_of(cards))
            except IllegalPlay:
                cards = []
        return cards or indices.indices_of(rules.example(counts, lead))

    def _held(self, group: int, suit: list[int]) -> tuple[int, ...]:
        counts = [0] * len(self.rules.lines[group].kinds)
        first = self.game.indices.first[group]
        for index in suit:
            counts[index - first] += 1
        return tuple(counts)

    def _form(self, lead: Lead) -> tuple[tuple[Shape, ...], int]:
        form = self._forms.get(lead)
        if form is None:
            shapes = lead.shapes
            form = self._forms[lead] = shapes, sum([length * (width - 1) for width, length in shapes])
        return form

    def _in_suit(self, hand: IndexHand, trick: Trick, mate: bool) -> list[int]:
        """Return cards of the suit led, of which the hand has more than must be played."""
        group, shapes = trick.group, self._form(trick.lead)[0]
        suit = tuple(hand[group])
        if not mate and len(shapes) == 1:
            unit = (group, shapes, suit)
            higher = self._highest.get(unit)
            if higher is None:
                higher = self._highest[unit] = self._highest_unit(group, hand[group], shapes[0])
            if higher and self.wins(trick, higher):
                return higher
        key = (group, shapes, suit, mate)
        cards = self._cheapest.get(key)
        if cards is None:
            cards = self._cheapest[key] = self._cheapest_in_suit(hand[group], trick.lead, mate)
        return cards

    def _highest_unit(self, group: int, suit: list[int], shape: Shape) -> list[int]:
        """Return the highest unit of a shape; empty if there is none."""
        line = self.rules.lines[group]
        places = line.places(self._held(group, suit), shape)
        return self.game.indices.indices_of(line.unit(shape[0], max(places, key=line.key)).cards) if places else []

    def _cheapest_in_suit(self, suit: list[int], lead: Lead, mate: bool) -> list[int]:
        """Return the cheapest follow in suit; empty if only the rules know one."""
        rules, line, held = self.rules, self.rules.lines[lead.group], self._held(lead.group, suit)
        whole = [0] * len(self.kind)
        for number, count in zip(line.kinds, held, strict=True):
            whole[number] = count
        for need in rules.needs(lead, whole) or [None]:
            shapes, exact = (need.shapes, need.whole) if need else ((), False)
            play = arrange(line, held, shapes, lead.size, self._ours if mate else self._theirs, exact)
            if play is not None:
                return self.game.indices.indices_of(play)
        return []

    def _ruff(self, hand: IndexHand, trick: Trick) -> list[int]:
        """Return trumps that win the trick for a void hand; empty if there are none."""
        trumps = hand[TRUMPS]
        if len(trumps) >= trick.number:
            key = (self._form(trick.lead)[0], tuple(trumps))
            plays = self._matching_ruffs.get(key)
            if plays is None:
                plays = self._matching_ruffs[key] = self._ruffing(trumps, trick.lead)
            for cards in plays:
                if self.wins(trick, cards):
                    return cards
        return []

    def _ruffing(self, trumps: list[int], lead: Lead) -> list[list[int]]:
        """Return trumps that match a lead, the lowest first."""
        line, held = self.rules.lines[TRUMPS], self._held(TRUMPS, trumps)
        shapes = tuple(shape for shape in lead.shapes if shape != (1, 1))
        plays: list[tuple[int, ...] | None]
        if len(lead.units) == 1:
            plays = [line.unit(shapes[0][0], place).cards for place in line.places(held, shapes[0])]
        else:
            plays = [
                arrange(line, held, shapes, lead.size, prices, exact=False) for prices in (self._theirs, self._dear)
            ]
        return [self.game.indices.indices_of(play) for play in plays if play]
