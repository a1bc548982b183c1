"""Playing a world to its end by simple rules that use only what each seat could know.

A seat knows its own hand and side, the remaining cards of each suit, shown voids, and the known members of the
declarer's side. Follows to single cards and pairs, nearly all tricks, are chosen here; everything else goes through
`service.rules`.
"""

from collections.abc import Sequence

from service.common.errors import IllegalPlay
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW
from service.rules.tricks.units import Line
from service.rules.trumps import TRUMPS
from workers.ai.candidates.following import arrange
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.pairs import Pairs
from workers.ai.simulation.selection import several
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
                trick = self.led(world, leader, self.lead(world, leader), safe=self._safe_throws)
            lead = trick.lead
            self.finish(world, trick)
            leader = trick.best_seat
            world.taken[leader] += trick.points
            if not any(hands[leader]):
                winning = [self.kind[index] for index in trick.best]
                return self.game.end(world, lead, leader, winning)
            trick = None

    def led(self, world: World, leader: int, cards: list[int], *, safe: bool = False) -> Trick:
        """Lead cards, and return the trick.

        Throws are tested unless declared safe; if one fails, the forced cards are led.
        """
        kind = self.kind
        if cards[0] == cards[-1]:
            lead = self.rules.alike(kind[cards[0]], len(cards))
        else:
            key = tuple(cards)
            lead = self._read.get(key) or self._read.setdefault(key, self.rules.lead([kind[index] for index in cards]))
            if lead.kind == "throw" and not safe:
                lead = self.tested(world, leader, lead)
                cards = self.game.indices.indices_of(lead.cards)
        size = sum(map(len, world.hands[leader]))
        self.remove(world, leader, cards)
        points = sum([self.points[index] for index in cards])
        players = self.game.players
        return Trick(lead, cards, leader, points, (leader + 1) % players, players - 1, size)

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
        lead, plays = trick.lead, trick.to_come + 1
        if world.calls:
            plays += plays // _CALLED
        if lead.size == 1:
            self.work += plays
            self._singles(world, trick)
        elif self.weighs(lead):
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
            for index in set(cards):
                if any(call.card == index for call in world.calls):
                    world.called_played(self.game, seat, index, list(cards).count(index))

    # --- following --------------------------------------------------------------------------------------------------

    def _singles(self, world: World, trick: Trick) -> None:
        points_of, group_of = self.points, self.group
        hands, left, calls = world.hands, world.left, world.calls
        seat, players, choose = trick.seat, self.game.players, self._single
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            card, wins = choose(world, trick, seat)
            group = group_of[card]
            hands[seat][group].remove(card)
            left[group].remove(card)
            trick.points += points_of[card]
            if wins:
                trick.best, trick.best_seat = [card], seat
            if calls and any(call.card == card for call in calls):
                world.called_played(self.game, seat, card, 1)
            seat += 1
            if seat == players:
                seat = 0

    def _pairs(self, world: World, trick: Trick) -> None:
        seat, players = trick.seat, self.game.players
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
        players, kind = self.game.players, self.kind
        seat, lead = trick.seat, trick.lead
        for to_come in range(trick.to_come, 0, -1):
            trick.to_come = to_come
            cards = self._answer(world, trick, seat)
            groups = {self.group[index] for index in cards}
            if lead.group != RAINBOW and groups != {lead.group}:
                world.voids[seat] |= 1 << lead.group
            # Cards of several suits win only under rules of their own.
            if len(groups) == 1 or not self.plain or lead.group == RAINBOW:
                played = [kind[index] for index in cards]
                if self.rules.beats(lead, [kind[index] for index in trick.best], played):
                    trick.best, trick.best_seat = cards, seat
            self.remove(world, seat, cards)
            trick.points += sum([self.points[index] for index in cards])
            seat = (seat + 1) % players

    def weighs(self, lead: Lead) -> bool:
        """Return whether follows to a lead are chosen by weights, as for single cards and pairs."""
        return lead.size == 1 or (lead.size == 2 and lead.kind == "tuple" and self.plain)

    def follow(self, world: World, trick: Trick) -> list[int]:
        """Return the indices with which the next seat follows."""
        lead = trick.lead
        if lead.size == 1:
            return [self._single(world, trick, trick.seat)[0]]
        if self.weighs(lead):
            return self._pair(world, trick, trick.seat)[0]
        return self._answer(world, trick, trick.seat)

    def _answer(self, world: World, trick: Trick, seat: int) -> list[int]:
        """Return a follow to a lead of any kind."""
        indices, rules, kind = self.game.indices, self.rules, self.kind
        hand, lead = world.hands[seat], trick.lead
        best = [kind[index] for index in trick.best]
        mate = world.declarers[seat] == world.open_declarers[trick.best_seat]
        cards: list[int] = []
        if lead.group != RAINBOW:
            suit = hand[lead.group]
            if len(suit) == lead.size:
                cards = suit[:]
            elif len(suit) > lead.size:
                cards = self._in_suit(hand, lead, best, mate=mate)
            else:
                if not suit and lead.group != TRUMPS and not mate:
                    cards = self._ruff(hand, lead, best)
                cards = cards or several(hand, suit[:], lead.size, self.points, self.level, feed=mate)
        if cards and self.plain:
            return cards
        counts = indices.counts(hand)
        if cards:
            try:
                rules.follow(lead, counts, [kind[index] for index in cards])
            except IllegalPlay:
                cards = []
        return cards or indices.indices_of(rules.example(counts, lead))

    def _held(self, group: int, suit: list[int]) -> tuple[int, ...]:
        counts = [0] * len(self.rules.lines[group].kinds)
        first = self.game.indices.first[group]
        for index in suit:
            counts[index - first] += 1
        return tuple(counts)

    def _in_suit(self, hand: IndexHand, lead: Lead, best: list[int], *, mate: bool) -> list[int]:
        rules = self.rules
        line = rules.lines[lead.group]
        held = self._held(lead.group, hand[lead.group])
        if not mate and len(lead.units) == 1:
            higher = self._highest(line, held, lead)
            if higher and rules.beats(lead, best, higher):
                return self.game.indices.indices_of(higher)
        whole = [0] * len(self.kind)
        for number, count in zip(line.kinds, held, strict=True):
            whole[number] = count
        for need in rules.needs(lead, whole) or [None]:
            shapes, exact = (need.shapes, need.whole) if need else ((), False)
            play = arrange(line, held, shapes, lead.size, self._ours if mate else self._theirs, exact)
            if play is not None:
                return self.game.indices.indices_of(play)
        return []

    def _highest(self, line: Line, held: tuple[int, ...], lead: Lead) -> tuple[int, ...]:
        places = line.places(held, lead.shapes[0])
        return line.unit(lead.shapes[0][0], max(places, key=line.key)).cards if places else ()

    def _ruff(self, hand: IndexHand, lead: Lead, best: list[int]) -> list[int]:
        line, trumps = self.rules.lines[TRUMPS], hand[TRUMPS]
        if len(trumps) < lead.size:
            return []
        held = self._held(TRUMPS, trumps)
        shapes = tuple(shape for shape in lead.shapes if shape != (1, 1))
        if len(lead.units) == 1:
            plays = [line.unit(shapes[0][0], place).cards for place in line.places(held, shapes[0])]
        else:
            low = arrange(line, held, shapes, lead.size, self._theirs, exact=False)
            high = arrange(line, held, shapes, lead.size, self._dear, exact=False)
            plays = [play for play in (low, high) if play]
        for play in plays:
            if self.rules.beats(lead, best, play):
                return self.game.indices.indices_of(play)
        return []
