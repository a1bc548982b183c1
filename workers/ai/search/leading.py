"""What a simulated seat leads, by rules that use what it could know."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from service.rules.trumps import TRUMPS
from workers.ai.search import tables
from workers.ai.search.picks import cheapest
from workers.ai.search.tables import BEATEN, CARD_POINTS, LEADS, LENGTH, PHASE, TRUMP_LENGTH, stake
from workers.ai.search.world import Game, World

#: What a lead is worth, and its slots.
Option = tuple[float, list[int]]

_AT = tables.first_of()
_RUFFS, _PHASE, _LENGTH = _AT["lead ruffs"], _AT["lead phase"], _AT["lead length"]
_SIZE, _POINTS = _AT["lead size"], _AT["lead points"]
_OWN, _OUT = _AT["lead own trumps"], _AT["lead trumps out"]
(
    BOSS, BOSS_POINTS, TUPLE_BOSS, TUPLE, TRACTOR_BOSS, TRACTOR, THROW, LOW, LOW_POINTS, TOP,
    TRUMP_BOSS, TRUMP_TOP, TRUMP_LOW, TRUMP_LOW_POINTS, TRUMP_TUPLE_BOSS, TRUMP_TUPLE, TRUMP_TRACTOR, TRUMP_THROW,
) = range(len(LEADS))  # fmt: skip


class Scene(NamedTuple):
    """What all leads of a decision share.

    Attributes:
        foes, mates: bits of the suits of which a seat of the other side, or of this one, is void while it may ruff.
        nobody: bits of the suits of which all others are void.
        out: column of the trumps that the other side may have.
        worth: kind of lead -> what it is worth in this phase, with so many trumps here and elsewhere.
    """

    foes: int
    mates: int
    nobody: int
    out: int
    worth: Sequence[float]


class Leading:
    """Chooses leads in the worlds of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.weights = tables.load("friends" if game.declarer >= 0 else "teams")
        slots = game.slots
        self.group, self.level, self.points, self.lines = slots.group, slots.level, slots.points, game.rules.lines
        self._worth: dict[int, Sequence[float]] = {}
        # Which cards make a throw of one count only is left to the rules: such throws are rare.
        self.throws: str = "none" if game.options["throw_same_count"] else game.options["throws"]
        #: Group -> its first slot.
        self.first = [0] * len(slots.order.groups)
        for group in range(1, len(self.first)):
            self.first[group] = self.first[group - 1] + len(slots.order.groups[group - 1])

    def lead(self, world: World, seat: int) -> list[int]:
        """Return the slots that a seat leads."""
        best: list[int] = []
        most = -1000.0
        for worth, cards in self.leads(world, seat):
            if worth > most:
                best, most = cards, worth
        return best

    def leads(self, world: World, seat: int) -> list[Option]:
        """Return leads with their worth, in levels; only differences count."""
        hand = world.hands[seat]
        scene = self._scene(world, seat)
        found: list[Option] = []
        winners = 0
        for group in range(TRUMPS):
            if hand[group]:
                winners += self._side(found, hand[group], world.left[group], group, scene)
        if hand[TRUMPS]:
            self._trumps(found, hand[TRUMPS], world.left[TRUMPS], winners, scene)
        return found

    def _scene(self, world: World, seat: int) -> Scene:
        hand, mine, shown = world.hands[seat], world.declarers[seat], world.shown
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
        if foes_have_trumps:
            others = len(world.left[TRUMPS]) - len(hand[TRUMPS])
            seats = self.game.players - 1
            if others > 0:
                out = 1 if others < seats else 2 if others < 2 * seats else 3 if others < 4 * seats else 4
        key = ((PHASE[sum(map(len, hand))] * 2 + mine) * 6 + TRUMP_LENGTH[len(hand[TRUMPS])]) * 6 + out
        worth = self._worth.get(key) or self._worth.setdefault(key, self._worth_of(key))
        return Scene(foes, mates, nobody, out, worth)

    def _worth_of(self, key: int) -> Sequence[float]:
        """Return kind of lead -> what phase, own trumps and trumps out say of it."""
        weights = self.weights
        phase, own, out = key // 36, key // 6 % 6, key % 6
        return [
            weights[_PHASE + kind * 12 + phase]
            + weights[_OWN + kind * 6 + own]
            + weights[_OUT + kind * 6 + (out if kind < TRUMP_BOSS else 0)]
            for kind in range(len(LEADS))
        ]

    def _ruffs(self, scene: Scene, group: int, others: int) -> int:
        """Return the column that says how likely a lead of a side suit is ruffed."""
        seats = self.game.players - 1
        if not scene.out:
            return 0
        if others <= 0:
            return 6
        if scene.foes >> group & 1:
            return 5
        return 4 if others < seats else 3 if others < 2 * seats else 2 if others < 3 * seats else 1

    def _side(self, found: list[Option], suit: list[int], out: list[int], group: int, scene: Scene) -> int:
        """Add leads of a side suit, and return how many of its cards nothing in other hands beats."""
        level, points = self.level, self.points
        number = len(suit)
        others = 0 if scene.nobody >> group & 1 else len(out) - number
        ruffs = self._ruffs(scene, group, others)
        length = (scene.mates >> group & 1) * 4 + LENGTH[number]
        single, pair = self._highest_elsewhere(suit, out, others)

        weights, worth = self.weights, scene.worth

        def add(kind: int, cards: list[int], size: int, at_stake: int) -> None:
            value = worth[kind] + weights[_RUFFS + kind * 7 + ruffs] + weights[_LENGTH + kind * 8 + length]
            found.append((value + weights[_SIZE + kind * 8 + size] + weights[_POINTS + kind * 4 + at_stake], cards))

        safe, units, pairs = self._safe(suit, single, pair)
        if units > 1 and self.throws != "none":
            add(THROW, safe[::-1], min(len(safe), 7), stake(sum([points[slot] for slot in safe])))
        if pairs:
            cards, boss = self._best_tuple(group, pairs, pair)
            kind = (TUPLE_BOSS if boss else TUPLE) if cards[0] == cards[-1] else TRACTOR_BOSS if boss else TRACTOR
            add(kind, cards, min(len(cards), 7), stake(sum([points[slot] for slot in cards])))
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
        return len(safe)

    def _trumps(self, found: list[Option], trumps: list[int], out: list[int], winners: int, scene: Scene) -> None:
        """Add leads of trumps; `winners`: side cards of this hand that nothing beats in their suits."""
        level, points = self.level, self.points
        number = len(trumps)
        others = 0 if scene.nobody >> TRUMPS & 1 else len(out) - number
        more = number - others / (self.game.players - 1)
        balance = 0 if more < -1.5 else 1 if more < 0 else 2 if more < 1.5 else 3 if more < 3.5 else 4
        won = winners if winners < 3 else 3 if winners < 5 else 4
        single, pair = self._highest_elsewhere(trumps, out, others)

        weights, worth, drawn = self.weights, scene.worth, scene.out if others else 0

        def add(kind: int, cards: list[int], at_stake: int) -> None:
            value = worth[kind] + weights[_RUFFS + kind * 7 + drawn] + weights[_LENGTH + kind * 8 + balance]
            found.append((value + weights[_SIZE + kind * 8 + won] + weights[_POINTS + kind * 4 + at_stake], cards))

        top, low = trumps[-1], cheapest(trumps, points)
        if not others and trumps[0] != top and self.throws == "any":
            add(TRUMP_THROW, trumps[:], 3)
        _, _, pairs = self._safe(trumps, single, pair)
        if pairs:
            cards, boss = self._best_tuple(TRUMPS, pairs, pair)
            kind = (TRUMP_TUPLE_BOSS if boss else TRUMP_TUPLE) if cards[0] == cards[-1] else TRUMP_TRACTOR
            add(kind, cards, stake(sum([points[slot] for slot in cards])))
            slot, width = pairs[-1]
            if slot != cards[0]:
                add(TRUMP_TUPLE, [slot] * width, stake(points[slot] * width))
        boss = level[top] >= single
        if boss or top != low:
            add(TRUMP_BOSS if boss else TRUMP_TOP, [top], CARD_POINTS[points[top]])
        if low != top or not boss:
            add(TRUMP_LOW_POINTS if points[low] else TRUMP_LOW, [low], CARD_POINTS[points[low]])

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
