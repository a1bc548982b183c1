"""Which plays may follow a lead (`docs/rules.md` §7)."""

from collections.abc import Sequence
from itertools import compress
from random import Random

from service.rules.cards import KINDS, POINTS
from service.rules.tricks import bombs
from service.rules.tricks.follows import Duty, Need, answer, keeps_rung, needs
from service.rules.tricks.leads import Lead
from service.rules.tricks.rainbows import RAINBOW, ranks_in, ranks_of, serve
from service.rules.tricks.searches import Play, Search
from service.rules.tricks.units import Line
from service.rules.tricks.ways import RainbowWay, RungWay, UnitsWay, Way, cost_of
from service.rules.trumps import TRUMPS, Order


class FollowRules:
    """The legal follows under one trump and one set of options.

    Args:
        order: the ranking.
        lines: the line of each group.
        duty: how far the lead's structure must be answered.
        ruff_must_match: on which leads a play of nothing but trumps must match the lead's structure.
        bombs_allowed: when bombs may be played.
    """

    def __init__(
        self, order: Order, lines: Sequence[Line], duty: Duty, ruff_must_match: str, bombs_allowed: str
    ) -> None:
        self._order, self._lines, self._duty = order, lines, duty
        self._ruffs, self._bombs = ruff_must_match, bombs_allowed

    def broken_rule(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> str | None:
        """Return the id of the rule that a play from a hand breaks, or None."""
        if len(play) != lead.size:
            return "card_count"
        if lead.group == RAINBOW:
            return self._broken_rainbow(lead, hand, play)
        group_of, group = self._order.group_of, lead.group
        suited = sum([group_of[kind] == group for kind in play])
        if self._is_bomb(lead, hand, play):
            return None
        held = self._order.suit_counts(hand, group)
        if suited == lead.size:
            return self._broken_structure(group, held, lead, play)
        total = sum(held)
        if suited < total:
            return "follow_suit"
        return None if total else self._broken_ruff(lead, hand, play)

    def needs(self, lead: Lead, hand: Sequence[int]) -> tuple[Need, ...]:
        """Return the units that a follow must contain in the suit led, as alternatives; empty: any cards will do.

        With `protect_by_rungs`, these are the units that the hand can give without breaking tuples.
        """
        if lead.group == RAINBOW:
            sizes = rainbow_sizes(lead)
            owed = serve(tuple(ranks_in(hand)), sizes) is not None
            return (Need(tuple((size, 1) for size in sizes)),) if owed else ()
        return self._needs(lead.group, self._order.suit_counts(hand, lead.group), lead)

    def ruff_needs(self, lead: Lead, hand: Sequence[int]) -> tuple[Need, ...]:
        """Return the units that a play of nothing but trumps must contain if the hand is void, as alternatives."""
        if not self._ruff_owes(lead) or any(self._order.suit_counts(hand, lead.group)):
            return ()
        return self._needs(TRUMPS, self._order.suit_counts(hand, TRUMPS), lead)

    def cheapest(self, lead: Lead, hand: Sequence[int]) -> Play:
        """Return a legal play of low cards, without card points if possible."""
        costs = cost_of(self._order)
        if lead.size == 1:
            return (min(self._singles(lead, hand), key=costs.__getitem__),)
        ways = self._ways(lead, hand)
        if len(ways) == 1:
            return ways[0].cheapest(costs)
        plays = [way.cheapest(costs) for way in ways]
        return min(plays, key=lambda play: (sum([POINTS[kind] for kind in play]), sum([costs[kind] for kind in play])))

    def random(self, lead: Lead, hand: Sequence[int], random: Random) -> Play:
        """Return a random legal play; every legal play is possible."""
        if lead.size == 1:
            options = self._singles(lead, hand)
            return (options[int(random.random() * len(options))],)
        ways = self._ways(lead, hand)
        way = ways[0] if len(ways) == 1 else ways[int(random.random() * len(ways))]
        return way.random(random)

    def plays(self, lead: Lead, hand: Sequence[int], limit: int, budget: int) -> tuple[list[Play], bool]:
        """Return distinct legal plays, each in ascending order of kinds, and whether they are all."""
        search = Search(limit, budget)
        plays, complete = search.run(play for way in self._ways(lead, hand) for play in way.plays(search))
        if not plays and limit > 0:
            plays.append(tuple(sorted(self.cheapest(lead, hand))))
        return plays, complete

    def _singles(self, lead: Lead, hand: Sequence[int]) -> list[int]:
        """Return the kinds of which one may follow the lead of a single."""
        held = self._order.suit_counts(hand, lead.group)
        return list(compress(self._lines[lead.group].kinds, held)) or list(compress(range(KINDS), hand))

    def _needs(self, group: int, held: tuple[int, ...], lead: Lead) -> tuple[Need, ...]:
        return needs(self._lines[group], held, lead.size, lead.shapes, self._duty)

    def _broken_rainbow(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> str | None:
        sizes = rainbow_sizes(lead)
        if serve(tuple(ranks_of(play)), sizes) is not None or serve(tuple(ranks_in(hand)), sizes) is None:
            return None
        return "follow_rainbow"

    def _broken_ruff(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> str | None:
        """Return the id of the rule that a play breaks if the hand is void of the suit led, or None."""
        if not self._ruff_owes(lead) or any(self._order.group_of[kind] != TRUMPS for kind in play):
            return None
        trumps = self._order.suit_counts(hand, TRUMPS)
        return "ruff_must_match" if self._broken_structure(TRUMPS, trumps, lead, play) else None

    def _broken_structure(self, group: int, held: tuple[int, ...], lead: Lead, play: Sequence[int]) -> str | None:
        """Return the id of the rule of structure that a play of one group breaks, or None."""
        line, duty = self._lines[group], self._duty
        if duty.protect_by_rungs:
            if sum(held) <= lead.size or keeps_rung(line, held, self._played(group, play), lead.shapes, duty):
                return None
            return "follow_rung"
        owed = self._needs(group, held, lead)
        if not owed:
            return None
        played = self._played(group, play)
        if any(answer(line, held, played, need) is not None for need in owed):
            return None
        first = owed[0]
        tractors = Need(tuple(shape for shape in first.shapes if shape[1] > 1), first.whole)
        return "follow_tractors" if answer(line, held, played, tractors) is None else "follow_tuples"

    def _played(self, group: int, play: Sequence[int]) -> tuple[int, ...]:
        counts = [0] * len(self._lines[group].kinds)
        slot_of = self._order.slot_of
        for kind in play:
            counts[slot_of[kind]] += 1
        return tuple(counts)

    def _ruff_owes(self, lead: Lead) -> bool:
        """Return whether a play of nothing but trumps must match the structure of this lead."""
        if self._ruffs == "never" or lead.size == 1 or lead.group in (TRUMPS, RAINBOW):
            return False
        return self._ruffs == "all" or lead.kind == "tuple"

    def _is_bomb(self, lead: Lead, hand: Sequence[int], play: Sequence[int]) -> bool:
        """Return whether a play is a legal bomb, which need not follow in any other way."""
        if self._bombs == "none" or lead.size < bombs.LEAST or play.count(play[0]) < len(play):
            return False
        if self._bombs == "any_time" or self._order.group_of[play[0]] in (lead.group, TRUMPS):
            return True
        return not any(self._order.suit_counts(hand, lead.group))

    def _ways(self, lead: Lead, hand: Sequence[int]) -> list[Way]:
        """Return sets of plays whose union is all legal plays."""
        if lead.group == RAINBOW:
            sizes = rainbow_sizes(lead)
            if serve(tuple(ranks_in(hand)), sizes) is not None:
                return [RainbowWay(hand, sizes)]
            return [Way((), range(KINDS), hand, lead.size)]
        held = self._order.suit_counts(hand, lead.group)
        total = sum(held)
        enough = total > lead.size
        ways = self._suit_ways(lead.group, held, lead) if enough else self._short_ways(lead, hand, total)
        if self._bombs != "none" and lead.size >= bombs.LEAST:
            for kind, count in enumerate(hand):
                if count >= lead.size and self._is_bomb(lead, hand, bomb := (kind,) * lead.size):
                    ways.append(Way(bomb, (), (), 0))
        return ways

    def _suit_ways(self, group: int, held: tuple[int, ...], lead: Lead) -> list[Way]:
        """Return the ways to follow from one suit of which the hand has more cards than were led."""
        line = self._lines[group]
        if self._duty.protect_by_rungs:
            return [RungWay(line, held, lead.size, lead.shapes, self._duty)]
        owed = needs(line, held, lead.size, lead.shapes, self._duty)
        return [UnitsWay(line, held, lead.size, need) for need in owed] or [Way((), line.kinds, held, lead.size)]

    def _short_ways(self, lead: Lead, hand: Sequence[int], total: int) -> list[Way]:
        """Return the ways to follow if the hand has no more cards of the suit than were led: all these, and others."""
        group_of, group, kinds = self._order.group_of, lead.group, self._lines[lead.group].kinds
        suited = tuple([kind for kind in kinds for _ in range(hand[kind])])
        others = [kind for kind, count in enumerate(hand) if count and group_of[kind] != group]
        trumps = self._order.suit_counts(hand, TRUMPS) if not total and self._ruff_owes(lead) else ()
        if sum(trumps) <= lead.size:
            return [Way(suited, others, [hand[kind] for kind in others], lead.size - total)]
        ways = self._suit_ways(TRUMPS, trumps, lead)
        # A play with a card of another side suit need not match: fix its lowest such card, add higher ones or trumps.
        side = [kind for kind in others if group_of[kind] != TRUMPS]
        for at, kind in enumerate(side):
            pool = [*side[at:], *(each for each in others if group_of[each] == TRUMPS)]
            held = [hand[each] - (each == kind) for each in pool]
            ways.append(Way((kind,), pool, held, lead.size - 1))
        return ways


def rainbow_sizes(lead: Lead) -> tuple[int, ...]:
    """Return the number of cards of each rainbow led, largest first."""
    return tuple([unit.width for unit in lead.units])
