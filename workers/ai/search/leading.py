"""What a simulated seat leads, by rules that use what it could know."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import inf
from typing import Final, NamedTuple

from service.rules.rounds.friends import OTHER_COPY
from service.rules.trumps import TRUMPS
from workers.ai.search import tables
from workers.ai.search.picks import cheapest, least_points, lone, pairs_in
from workers.ai.search.tables import BEATEN, CARD_POINTS, LEADS, LENGTH, PHASE, POINTS_OUT, STAKE, TRUMP_LENGTH
from workers.ai.search.world import FOUND, Game, World

#: What a lead is worth, and its slots.
Option = tuple[float, list[int]]

#: What the leads of a suit share, as columns of the tables: phase of the round, role of the seat (`World.role`), own
#: trumps, trumps of foes. Then of a side suit: how likely it is ruffed, its length and whether mates may ruff it, and
#: whether a card of it is called. Of trumps: trumps of foes if any are out, the balance of trumps, side suits won.
Scene = tuple[int, int, int, int, int, int, int]
#: Groups before the trumps.
SIDE_SUITS: Final = range(TRUMPS)
#: Suits whose leads are kept, for a search: some megabytes.
_SUITS_KEPT: Final = 8_000

_AT = tables.first_of()
_RUFFS, _PHASE, _LENGTH = _AT["lead ruffs"], _AT["lead phase"], _AT["lead length"]
_SIZE, _POINTS, _TRUMPS = _AT["lead size"], _AT["lead points"], _AT["lead trumps"]
_ELSEWHERE, _BEATEN, _REST = _AT["lead elsewhere"], _AT["lead beaten"], _AT["lead rest"]
_OWN, _OUT = _AT["lead own trumps"], _AT["lead trumps out"]
_ROLE, _RUFFS_ROLE, _CALLED = _AT["lead role"], _AT["lead ruffs role"], _AT["lead called"]
(
    BOSS, BOSS_POINTS, TUPLE_BOSS, TUPLE, TRACTOR_BOSS, TRACTOR, THROW, LOW, LOW_POINTS, TOP,
    TRUMP_BOSS, TRUMP_TOP, TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_TUPLE_BOSS, TRUMP_TUPLE, TRUMP_TRACTOR, TRUMP_THROW,
) = range(len(LEADS))  # fmt: skip


class SuitLeads(NamedTuple):
    """The leads of one suit that a hand may choose from.

    Attributes:
        safe: number of its cards that nothing in other hands beats.
        others: number of cards of the suit that other hands may have.
        leads: kind of lead, slots, and what the cards themselves are worth.
    """

    safe: int
    others: int
    leads: Sequence[tuple[int, list[int], float]]


class Leading:
    """Chooses leads in the worlds of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.weights = tables.load(game.weights)
        slots = game.slots
        self.group, self.level, self.points, self.lines = slots.group, slots.level, slots.points, game.rules.lines
        #: Slot -> column of its card points.
        self.column = tuple(CARD_POINTS[points] for points in slots.points)
        # Which cards make a throw of one count only is left to the rules: such throws are rare.
        self.throws: str = "none" if game.options["throw_same_count"] else game.options["throws"]
        #: Group -> its first slot.
        self.first = [0] * len(slots.order.groups)
        for group in range(1, len(self.first)):
            self.first[group] = self.first[group - 1] + len(slots.order.groups[group - 1])
        self._suits: dict[tuple[tuple[int, ...], tuple[int, ...], int], SuitLeads] = {}

    def lead(self, world: World, seat: int) -> list[int]:
        """Return the slots that a seat leads; they must not be changed."""
        called = self.called(world, seat)
        if called >= 0:
            return [called]
        best: list[int] = []
        most = -inf
        for row, leads in self._choices(world, seat):
            for kind, cards, own in leads:
                worth = row[kind] + own
                if worth > most:
                    best, most = cards, worth
        return best

    def called(self, world: World, seat: int, led: int = -1) -> int:
        """Return the card by which a seat joins the declarer now, before another hand can; -1: none.

        Args:
            world: as it is.
            seat: whose turn it is.
            led: the suit to follow; -1: it leads.
        """
        if not world.calls or world.shown[seat]:
            return -1
        hand = world.hands[seat]
        for slot, ordinal in world.calls:
            group = self.group[slot]
            fills = ordinal in (OTHER_COPY, world.seen.get(slot, 0) + 1)
            if not fills or slot not in hand[group] or (group != led >= 0 and hand[led]):
                continue
            if world.left[group].count(slot) > hand[group].count(slot):
                return slot
        return -1

    def leads(self, world: World, seat: int) -> list[Option]:
        """Return leads with their worth; only differences count."""
        return [(row[kind] + own, cards) for row, leads in self._choices(world, seat) for kind, cards, own in leads]

    def _choices(
        self, world: World, seat: int
    ) -> Iterator[tuple[Sequence[float], Sequence[tuple[int, list[int], float]]]]:
        """Yield for each suit what the scene says of each kind of lead, and the leads."""
        hand, left, mine, shown = world.hands[seat], world.left, world.declarers[seat], world.shown
        # Suits of which a seat of the other side, or of this one, is void while it may ruff; of which all are void.
        foes = mates = out = 0
        nobody = -1
        foes_have_trumps = False
        for other, voids in enumerate(world.voids):
            if other == seat:
                continue
            nobody &= voids
            if not voids >> TRUMPS & 1:
                if mine == shown[other]:
                    mates |= voids
                else:
                    foes |= voids
                    foes_have_trumps = True
        own, seats = hand[TRUMPS], self.game.players - 1
        if foes_have_trumps:
            others = len(left[TRUMPS]) - len(own)
            if others > 0:
                out = 1 if others < seats else 2 if others < 2 * seats else 3 if others < 4 * seats else 4
        phase, role, length = PHASE[sum(map(len, hand))], world.role(seat), TRUMP_LENGTH[len(own)]
        called = 0
        for call in world.calls:
            called |= 1 << self.group[call.slot]
        suits, rows = self._suits, self.weights.side
        winners = 0
        for group in SIDE_SUITS:
            suit = hand[group]
            if not suit:
                continue
            key = (tuple(suit), tuple(left[group]), nobody >> group & 1)
            found = suits.get(key) or self._keep(key, self._side(*key, group))
            winners += found.safe
            ruffs = self._ruffs(foes >> group & 1, found.others) if out else 0
            suited = (mates >> group & 1) * 4 + LENGTH[len(suit)]
            scene = (phase, role, length, out, ruffs, suited, called >> group & 1)
            yield rows.get(scene) or self._side_row(scene), found.leads
        if own:
            key = (tuple(own), tuple(left[TRUMPS]), nobody >> TRUMPS & 1)
            found = suits.get(key) or self._keep(key, self._trumps(*key))
            more = len(own) - found.others / seats
            balance = 0 if more < -1.5 else 1 if more < 0 else 2 if more < 1.5 else 3 if more < 3.5 else 4
            won = winners if winners < 3 else 3 if winners < 5 else 4
            drawn = out if found.others else 0
            scene = (phase, role, length, out, drawn, balance, won)
            yield self.weights.trumps.get(scene) or self._trump_row(scene), found.leads

    def _keep(self, key: tuple[tuple[int, ...], tuple[int, ...], int], found: SuitLeads) -> SuitLeads:
        """Keep the leads of a suit: the playouts of a search meet the same ones again and again."""
        if len(self._suits) >= _SUITS_KEPT:
            self._suits.clear()
        self._suits[key] = found
        return found

    def _scene_row(self, phase: int, role: int, own: int, out: int) -> list[float]:
        """Return kind of lead -> what phase, role, own trumps and trumps out say of it."""
        weights = self.weights.each
        return [
            weights[_PHASE + kind * 12 + phase * 2 + (role >= FOUND)]
            + weights[_OWN + kind * 6 + own]
            + weights[_OUT + kind * 6 + (out if kind < TRUMP_BOSS else 0)]
            + weights[_ROLE + ((kind * 6 + phase) * 5 + role) * 6 + out]
            for kind in range(len(LEADS))
        ]

    def _side_row(self, scene: Scene) -> Sequence[float]:
        weights = self.weights.each
        phase, role, own, out, ruffs, length, called = scene
        row = [
            worth
            + weights[_RUFFS + kind * 7 + ruffs]
            + weights[_LENGTH + kind * 8 + length]
            + weights[_TRUMPS + ((kind * 6 + own) * 5 + out) * 7 + ruffs]
            + weights[_RUFFS_ROLE + ((kind * 7 + ruffs) * 6 + out) * 5 + role]
            + weights[_CALLED + ((kind * 6 + phase) * 5 + role) * 2 + called]
            for kind, worth in enumerate(self._scene_row(phase, role, own, out))
        ]
        return self.weights.side.setdefault(scene, row)

    def _trump_row(self, scene: Scene) -> Sequence[float]:
        weights = self.weights.each
        phase, role, own, out, drawn, balance, won = scene
        row = [
            worth
            + weights[_RUFFS + kind * 7 + drawn]
            + weights[_LENGTH + kind * 8 + balance]
            + weights[_TRUMPS + ((kind * 6 + own) * 5 + won) * 7 + balance]
            + weights[_SIZE + kind * 8 + won]
            for kind, worth in enumerate(self._scene_row(phase, role, own, out))
        ]
        return self.weights.trumps.setdefault(scene, row)

    def _ruffs(self, foes: int, others: int) -> int:
        """Return the column that says how likely a lead of a side suit is ruffed if the other side has trumps.

        Args:
            foes: a seat of the other side that may ruff is void of the suit.
            others: cards of the suit that other hands may have.
        """
        seats = self.game.players - 1
        if others <= 0:
            return 6
        if foes:
            return 5
        return 4 if others < seats else 3 if others < 2 * seats else 2 if others < 3 * seats else 1

    def _side(self, held: tuple[int, ...], left: tuple[int, ...], nobody: int, group: int) -> SuitLeads:
        """Return the leads of a side suit.

        Args:
            held: cards in hand.
            left: all that are left, those included.
            nobody: all others are void of it.
        """
        suit, out = list(held), list(left)
        level, points = self.level, self.points
        number = len(suit)
        others = 0 if nobody else len(out) - number
        single, pair = self._highest_elsewhere(suit, out, others)
        elsewhere = self._elsewhere(suit, out, others)
        weights = self.weights.each
        found: list[tuple[int, list[int], float]] = []

        def add(kind: int, cards: list[int], size: int, at_stake: int) -> None:
            worth = self._of_cards(kind, cards, suit, out, elsewhere, single)
            worth += weights[_SIZE + kind * 8 + size] + weights[_POINTS + kind * 4 + at_stake]
            found.append((kind, cards, worth))

        safe, units, pairs = self._safe(suit, single, pair)
        if units > 1 and self.throws != "none":
            add(THROW, safe[::-1], min(len(safe), 7), STAKE[sum([points[slot] for slot in safe])])
        if pairs:
            cards, boss = self._best_tuple(group, pairs, pair)
            kind = (TUPLE_BOSS if boss else TUPLE) if cards[0] == cards[-1] else TRACTOR_BOSS if boss else TRACTOR
            add(kind, cards, min(len(cards), 7), STAKE[sum([points[slot] for slot in cards])])
            slot, width = pairs[-1]
            if slot not in cards:
                add(TUPLE, [slot] * width, min(width, 7), STAKE[points[slot] * width])
        top = suit[-1]
        boss = level[top] >= single
        if boss:
            add(BOSS_POINTS if points[top] else BOSS, [top], int(suit.count(top) > 1), CARD_POINTS[points[top]])
        elif number > 1:
            add(TOP, [top], BEATEN[len(out) - bisect_right(out, top)], CARD_POINTS[points[top]])
        low = cheapest(suit, points)
        if low != top or not boss:
            size = (4 if boss else 0) + (min(3, 4 * bisect_left(out, low) // len(out)) if others else 0)
            add(LOW_POINTS if points[low] else LOW, [low], size, CARD_POINTS[points[low]])
            rich = least_points(suit, points)
            if -1 != rich not in (low, top):
                add(LOW_POINTS, [rich], size, CARD_POINTS[points[rich]])
        return SuitLeads(len(safe), others, found)

    def _trumps(self, held: tuple[int, ...], left: tuple[int, ...], nobody: int) -> SuitLeads:
        """Return the leads of trumps; see `_side`."""
        trumps, out = list(held), list(left)
        level, points = self.level, self.points
        others = 0 if nobody else len(out) - len(trumps)
        single, pair = self._highest_elsewhere(trumps, out, others)
        elsewhere = self._elsewhere(trumps, out, others)
        weights = self.weights.each
        found: list[tuple[int, list[int], float]] = []

        def add(kind: int, cards: list[int], at_stake: int) -> None:
            worth = self._of_cards(kind, cards, trumps, out, elsewhere, single)
            found.append((kind, cards, worth + weights[_POINTS + kind * 4 + at_stake]))

        top, low = trumps[-1], cheapest(trumps, points)
        if not others and trumps[0] != top and self.throws == "any":
            add(TRUMP_THROW, trumps, 3)
        safe, units, pairs = self._safe(trumps, single, pair)
        if others and units > 1 and self.throws == "any":
            add(TRUMP_THROW, safe[::-1], STAKE[sum([points[slot] for slot in safe])])
        if pairs:
            cards, boss = self._best_tuple(TRUMPS, pairs, pair)
            kind = (TRUMP_TUPLE_BOSS if boss else TRUMP_TUPLE) if cards[0] == cards[-1] else TRUMP_TRACTOR
            add(kind, cards, STAKE[sum([points[slot] for slot in cards])])
            slot, width = pairs[-1]
            if slot not in cards:
                add(TRUMP_TUPLE, [slot] * width, STAKE[points[slot] * width])
        boss = level[top] >= single
        if boss or top != low:
            add(TRUMP_BOSS if boss else TRUMP_TOP, [top], CARD_POINTS[points[top]])
        if low != top or not boss:
            add(TRUMP_LOW_POINTS if points[low] else TRUMP_LOW, [low], CARD_POINTS[points[low]])
            rich, alone = least_points(trumps, points), lone(trumps, points)
            if -1 != rich not in (low, top):
                add(TRUMP_LOW_POINTS, [rich], CARD_POINTS[points[rich]])
            if -1 != alone not in (low, top):
                add(TRUMP_LOW, [alone], 0)
            at = bisect_left(trumps, top)
            if at and trumps[at - 1] not in (low, rich, alone):
                add(TRUMP_TOP, [trumps[at - 1]], CARD_POINTS[points[trumps[at - 1]]])
        return SuitLeads(0, others, found)

    def _of_cards(
        self, kind: int, cards: list[int], suit: list[int], out: list[int], elsewhere: tuple[int, int], single: int
    ) -> float:
        """Return what the cards of a lead and the rest of the suit say of it.

        Args:
            kind: of the lead.
            cards: the lead.
            suit, out: see `_highest_elsewhere`.
            elsewhere: see `_elsewhere`.
            single: level of the highest card in other hands.
        """
        weights, level = self.weights.each, self.level
        far, points = elsewhere
        size, number, top = len(cards), len(suit), cards[-1]
        beaten = 0
        if far:
            # Higher cards, and higher pairs, that are left: the seat's own count as well.
            at = bisect_right(out, top)
            beaten = BEATEN[len(out) - at] if size == 1 else min(5, len(pairs_in(out[at:])))
        if size == 1:
            breaks = suit.count(top) > 1
            highest = -1 if number == 1 else suit[-2 if top == suit[-1] else -1]
        else:
            rest = suit[:]
            for slot in cards:
                rest.remove(slot)
            breaks = top in rest
            highest = rest[-1] if rest else -1
        keeps = highest >= 0 and level[highest] >= single
        return (
            weights[_ELSEWHERE + (kind * 5 + far) * 5 + points]
            + weights[_BEATEN + (kind * 6 + beaten) * 5 + far]
            + weights[_REST + ((kind * 4 + min(3, number - size)) * 2 + int(keeps)) * 2 + int(breaks)]
        )

    def _elsewhere(self, suit: list[int], out: list[int], others: int) -> tuple[int, int]:
        """Return the columns of how many cards of a suit other hands hold, and of their points.

        Args:
            suit, out, others: see `_highest_elsewhere`.
        """
        if others <= 0:
            return 0, 0
        seats, points = self.game.players - 1, self.points
        far = 1 if others < seats else 2 if others < 2 * seats else 3 if others < 4 * seats else 4
        return far, POINTS_OUT[sum([points[slot] for slot in out]) - sum([points[slot] for slot in suit])]

    def _highest_elsewhere(self, suit: list[int], out: list[int], others: int) -> tuple[int, int]:
        """Return the levels of the highest card and of the highest pair in other hands; -1: there is none.

        Args:
            suit: the seat's cards; `out`: all that are left.
            others: number of cards that others may have.
        """
        if others <= 0:
            return -1, -1
        level = self.level
        single = -1
        at, own = len(out) - 1, len(suit) - 1
        while at >= 0:
            slot, copies = out[at], 0
            while at >= 0 and out[at] == slot:
                copies += 1
                at -= 1
            while own >= 0 and suit[own] == slot:
                copies -= 1
                own -= 1
            if copies and single < 0:
                single = level[slot]
            if copies > 1:
                return single, level[slot]
        return single, -1

    def _safe(self, suit: list[int], single: int, pair: int) -> tuple[list[int], int, list[tuple[int, int]]]:
        """Return the cards that nothing elsewhere beats, the number of their kinds, and all tuples (slot, width).

        Args:
            suit: the seat's cards of a suit.
            single, pair: levels of the highest ones elsewhere.
        """
        level = self.level
        safe: list[int] = []
        units = 0
        tuples = []
        at = len(suit) - 1
        while at >= 0:
            slot = suit[at]
            width = 1
            while at >= width and suit[at - width] == slot:
                width += 1
            at -= width
            if width > 1:
                tuples.append((slot, width))
            if level[slot] >= single or (width > 1 and level[slot] >= pair):
                safe += [slot] * width
                units += 1
        return safe, units, tuples

    def _best_tuple(self, group: int, tuples: list[tuple[int, int]], pair: int) -> tuple[list[int], bool]:
        """Return the highest tractor of pairs, or else the highest tuple, and whether no pair elsewhere is higher."""
        level, first, line = self.level, self.first[group], self.lines[group]
        for at in range(len(tuples) - 1):
            run = [tuples[at][0]]
            for slot, _ in tuples[at + 1 :]:
                if level[run[-1]] - level[slot] > 2:
                    break
                if line.is_unit(2, tuple([each - first for each in (slot, *reversed(run))])):
                    run.append(slot)
            if len(run) > 1:
                return sorted(run * 2), level[run[0]] >= pair
        slot, width = tuples[0]
        return [slot] * width, level[slot] >= pair
