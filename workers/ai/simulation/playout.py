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
from workers.ai.simulation import bits, tables
from workers.ai.simulation.hands import Planes, cards_of, drop, size_of
from workers.ai.simulation.pairs import Pairs
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

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        super().__init__(game, weights, luck)
        indices, rules = game.indices, game.rules
        self.kind = indices.kind
        self.rules, self.plain = rules, rules.has_plain_follows
        level, index = indices.order.level_of, indices.index
        #: Kind -> price of giving it away, in a trick of the other side, where points cost, and in one of ours.
        self._theirs = [level[kind] * 0.3 + indices.points[index[kind]] for kind in range(len(index))]
        self._ours = [level[kind] * 0.3 - indices.points[index[kind]] for kind in range(len(index))]
        self._dear = [-price for price in self._theirs]
        #: The same by index.
        self._price_theirs = [self._theirs[kind] for kind in self.kind]
        self._price_ours = [self._ours[kind] for kind in self.kind]
        self._quads = game.options["quad_beats_tractor"]
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
        #: Points of the attackers, number of declarers, and whether they won the last trick -> value without penalties.
        self._values: dict[tuple[int, int, int], float] = {}
        #: Lead and best play of the last trick -> factor of the kitty.
        self._factors: dict[tuple[Lead, tuple[int, ...]], int] = {}
        #: Card -> its lead as read.
        self._cards_read: list[Lead | None] = [None] * len(index)
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
        planes, depth = world.planes, self.depth
        while True:
            if trick is None:
                trick = self._leads(world, leader)
            self.finish(world, trick)
            leader = trick.best_seat
            world.taken[leader] += trick.points
            if not planes[leader * depth]:
                return self._value(world, trick)
            trick = None

    def _leads(self, world: World, seat: int) -> Trick:
        """Let a seat lead, and return the trick."""
        card = self.called(world, seat)
        if card < 0:
            number = self.chosen_lead(world, seat)
            cards = self.sets[number]
            if self.copies[number] > 1 or cards & (cards - 1):
                return self.led(world, seat, self.lead_of(world, seat, number), self._safe_throws)
            card = bits.low(cards)
        lead = self._cards_read[card]
        if lead is None:
            lead = self._cards_read[card] = self.rules.lead([self.kind[card]])
        return self._led_by(world, seat, lead, [card])

    def _value(self, world: World, trick: Trick) -> float:
        """Return the value of a finished round to the attackers."""
        game, is_open = self.game, world.open_declarers >> trick.best_seat & 1
        points = 0
        for seat in range(self.players):
            if not world.open_declarers >> seat & 1:
                points += world.taken[seat]
        if not is_open and world.kitty_points:
            points += self._factor(trick) * world.kitty_points
        key = (points, bits.count(world.open_declarers), is_open)
        value = None if world.penalties else self._values.get(key)
        if value is None:
            side = DECLARERS if is_open else ATTACKERS
            value = game.value(game.total(world, points), bits.count(world.open_declarers), side)
            if not world.penalties:
                self._values[key] = value
        return value

    def _factor(self, trick: Trick) -> int:
        """Return the factor of the points in the kitty if this is the last trick, won by attackers."""
        best = trick.best
        key = (trick.lead, tuple(best))
        factor = self._factors.get(key)
        if factor is None:
            factor = self._factors[key] = self.game.factor(trick.lead, [self.kind[index] for index in best])
        return factor

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
        return self._led_by(world, leader, lead, cards)

    def _led_by(self, world: World, leader: int, lead: Lead, cards: list[int]) -> Trick:
        """Return the trick after a lead, with its cards."""
        planes, at = world.planes, leader * self.depth
        size = size_of(planes, at, self.depth, planes[at])
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
        hands = [indices.counts(world.hand((leader + step) % players)) for step in range(1, players)]
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
        if world.called:
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
        planes, depth, left = world.planes, self.depth, world.left
        for index in cards:
            drop(planes, seat * depth, depth, index)
            drop(planes, left, depth, index)
        if world.called:
            for index in set(cards):
                if world.called >> index & 1:
                    world.called_played(self.game, seat, index, cards.count(index))

    # --- following --------------------------------------------------------------------------------------------------

    def _singles(self, world: World, trick: Trick) -> None:
        planes, depth, left = world.planes, self.depth, world.left
        seat, players = trick.seat, self.players
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            card = self.single(world, trick, seat)
            if self.beats(trick, card):
                trick.win_alike(card, seat)
            drop(planes, seat * depth, depth, card)
            drop(planes, left, depth, card)
            trick.points += self.points[card]
            if world.called >> card & 1:
                world.called_played(self.game, seat, card, 1)
            seat += 1
            if seat == players:
                seat = 0

    def _pairs(self, world: World, trick: Trick) -> None:
        seat, players = trick.seat, self.players
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            self.pair(world, trick, seat)
            first, second = self.first, self.second
            if first == second and self.beats(trick, first):
                trick.win_alike(first, seat)
            trick.points += self.points[first] + self.points[second]
            self.remove(world, seat, [first, second])
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
                world.planes[world.voids + group] |= 1 << seat
            # Cards of several suits win only under rules of their own.
            if (alike or not self.plain or group == RAINBOW) and self.wins(trick, cards):
                trick.win(cards, seat)
            self.remove(world, seat, cards)
            trick.points += self._points_of(cards)
            seat += 1
            if seat == self.players:
                seat = 0

    def wins(self, trick: Trick, cards: list[int]) -> bool:
        """Return whether cards beat the best play so far, cached."""
        if self.plain and trick.group != RAINBOW and self._cannot_win(trick, cards):
            return False
        key = (trick.lead, tuple(trick.best), tuple(cards))
        wins = self._beaten.get(key)
        if wins is None:
            kinds_of = self.game.indices.kinds_of
            wins = self._beaten[key] = self.rules.beats(trick.lead, kinds_of(trick.best), kinds_of(cards))
        return wins

    def _cannot_win(self, trick: Trick, cards: list[int]) -> bool:
        """Return whether cards obviously do not beat the best play so far: nearly all that do not."""
        group, standing = self.group[cards[0]], self.group[trick.top]
        if group not in (trick.group, TRUMPS) or (standing == TRUMPS != group):
            return True
        if self._form(trick.lead)[1] > len(cards) - len(set(cards)):
            return True
        if group != standing or self._quads:
            return False
        level = self.level
        highest, least = level[cards[0]], level[trick.top]
        for index in cards:
            highest = max(highest, level[index])
        for index in trick.best:
            least = min(least, level[index])
        # No unit can be higher than one of the best play.
        return highest <= least

    def weighs(self, lead: Lead) -> bool:
        """Return whether follows to a lead are chosen by weights, as for single cards and pairs."""
        return lead.size == 1 or (lead.size == 2 and lead.kind == "tuple" and self.plain)

    def follow(self, world: World, trick: Trick) -> list[int]:
        """Return the indices with which the next seat follows."""
        if trick.number == 1:
            return [self.single(world, trick, trick.seat)]
        if self.weighs(trick.lead):
            self.pair(world, trick, trick.seat)
            return [self.first, self.second]
        return self._answer(world, trick, trick.seat)

    def _answer(self, world: World, trick: Trick, seat: int) -> list[int]:
        """Return a follow to a lead of any kind."""
        indices, rules = self.game.indices, self.rules
        planes, at, depth = world.planes, seat * self.depth, self.depth
        lead, size, group = trick.lead, trick.number, trick.group
        mate = world.declarers >> seat & 1 == world.open_declarers >> trick.best_seat & 1
        cards: list[int] = []
        if group != RAINBOW:
            suit = cards_of(planes, at, depth, self.suits[group])
            if len(suit) == size:
                cards = suit
            elif len(suit) > size:
                cards = self._in_suit(suit, trick, mate)
            else:
                if not suit and group != TRUMPS and not mate:
                    cards = self._ruff(planes, at, trick)
                cards = cards or suit + self.picking.discards(planes, at, self.suits[group], size - len(suit), mate)
        if cards and self.plain:
            return cards
        counts = indices.counts(world.hand(seat))
        if cards:
            try:
                rules.follow(lead, counts, indices.kinds_of(cards))
            except IllegalPlay:
                cards = []
        return cards or indices.indices_of(rules.example(counts, lead))

    def _held(self, group: int, suit: list[int]) -> tuple[int, ...]:
        """Return cards of a suit as counts of its kinds."""
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

    def _in_suit(self, held: list[int], trick: Trick, mate: bool) -> list[int]:
        """Return cards of the suit led, of which the hand has more than must be played."""
        group, (shapes, doublings) = trick.group, self._form(trick.lead)
        if not doublings or len(set(held)) == len(held):
            # There is no unit to answer with.
            prices = self._price_ours if mate else self._price_theirs
            return sorted(sorted(held, key=prices.__getitem__)[: trick.number])
        suit = tuple(held)
        if not mate and len(shapes) == 1:
            unit = (group, shapes, suit)
            higher = self._highest.get(unit)
            if higher is None:
                higher = self._highest[unit] = self._highest_unit(group, held, shapes[0])
            if higher and self.wins(trick, higher):
                return higher
        key = (group, shapes, suit, mate)
        cards = self._cheapest.get(key)
        if cards is None:
            cards = self._cheapest[key] = self._cheapest_in_suit(held, trick.lead, mate)
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

    def _ruff(self, planes: Planes, at: int, trick: Trick) -> list[int]:
        """Return trumps that win the trick for a void hand; empty if there are none."""
        trumps = cards_of(planes, at, self.depth, self.suits[TRUMPS])
        shapes, doublings = self._form(trick.lead)
        if len(trumps) >= trick.number and doublings <= len(trumps) - len(set(trumps)):
            key = (shapes, tuple(trumps))
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
