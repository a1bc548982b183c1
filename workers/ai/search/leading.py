"""What a simulated seat leads, by rules that use what it could know."""

from itertools import pairwise

from service.rules.trumps import TRUMPS
from workers.ai.search.picks import cheapest
from workers.ai.search.tuning import Tuning
from workers.ai.search.world import Game, World


class Leading:
    """Chooses leads in the worlds of one game."""

    tuning = Tuning()

    def __init__(self, game: Game) -> None:
        self.game = game
        slots = game.slots
        self.level, self.points, self.lines = slots.level, slots.points, game.rules.lines
        #: Group -> its first slot.
        self.first = [0] * len(slots.order.groups)
        for group in range(1, len(self.first)):
            self.first[group] = self.first[group - 1] + len(slots.order.groups[group - 1])

    def lead(self, world: World, seat: int) -> list[int]:
        """Return the slots that a seat leads."""
        hand, mine = world.hands[seat], world.declarers[seat]
        foes = mates = 0
        foes_have_trumps = False
        for other, voids in enumerate(world.voids):
            if other != seat and not voids >> TRUMPS & 1:
                if mine != world.shown[other]:
                    foes |= voids
                    foes_have_trumps = True
                else:
                    mates |= voids
        found: list[int] = []
        value = -1000.0
        for group in range(TRUMPS):
            suit = hand[group]
            if suit:
                ruffed, helped = foes >> group & 1, mates >> group & 1
                for cards, worth in self._side_leads(suit, world.left[group], group, ruffed, helped, foes_have_trumps):
                    if worth > value:
                        found, value = cards, worth
        if hand[TRUMPS]:
            for cards, worth in self._trump_leads(hand[TRUMPS], world.left[TRUMPS], mine, foes_have_trumps):
                if worth > value:
                    found, value = cards, worth
        return found

    def _side_leads(
        self, suit: list[int], out: list[int], group: int, ruffed: int, helped: int, foes_have_trumps: bool
    ) -> list[tuple[list[int], float]]:
        """Return leads of a side suit with their values.

        Args:
            suit: the seat's cards of it; `out`: all that are left.
            ruffed, helped: whether a seat of the other side, or of this one, is void of it and may have trumps.
        """
        tuning, level, points_of = self.tuning, self.level, self.points
        length, low, top = len(suit), suit[0], suit[-1]
        boss = level[top] >= level[out[-1]]
        found = []
        if length > 1:
            unit = self._tuple(group, suit, out)
            if unit:
                cards = len(unit) + (tuning.tractor if unit[0] != unit[-1] else 0.0)
                worth = cards * tuning.tuple_card + tuning.tuple_point * points_of[unit[0]]
                found.append((unit, worth - tuning.tuple_ruffed if ruffed else worth))
        if boss:
            worth = tuning.boss + tuning.boss_point * points_of[top] - tuning.boss_length * length
            if ruffed:
                worth -= tuning.boss_ruffed
            elif foes_have_trumps and len(out) - length < self.game.players - 1:
                worth -= tuning.boss_thin
            found.append(([top], worth))
        card = low if not points_of[low] else cheapest(suit, points_of)
        worth = tuning.low - tuning.low_point * points_of[card] - tuning.low_level * level[card]
        worth += tuning.low_length * length
        if boss:
            worth -= tuning.low_boss
        if helped:
            worth += tuning.mate_ruffs
        if ruffed:
            worth += tuning.foe_ruffs
        found.append(([card], worth))
        return found

    def _trump_leads(
        self, trumps: list[int], out: list[int], mine: bool, foes_have_trumps: bool
    ) -> list[tuple[list[int], float]]:
        """Return leads of trumps with their values; `mine`: the seat plays for the declarer."""
        tuning, level, points_of = self.tuning, self.level, self.points
        length, others = len(trumps), len(out) - len(trumps)
        drawing = tuning.drawn
        if foes_have_trumps:
            drawing = tuning.draw * (length - others / max(1, self.game.players - 1))
        drawing += tuning.draw_declarers if mine else tuning.draw_attackers
        found = []
        if length > 1:
            unit = self._tuple(TRUMPS, trumps, out)
            if unit:
                cards = len(unit) + (tuning.tractor if unit[0] != unit[-1] else 0.0)
                found.append((unit, tuning.trump_tuple * cards + drawing))
        if level[trumps[-1]] >= level[out[-1]]:
            found.append(([trumps[-1]], drawing + tuning.trump_boss - (tuning.keep_last if length < 3 else 0.0)))
        card = cheapest(trumps, points_of)
        found.append(([card], drawing + tuning.trump_low - 0.5 * points_of[card]))
        return found

    def _tuple(self, group: int, suit: list[int], out: list[int]) -> list[int]:
        """Return the best tuple or tractor of pairs that no tuple in other hands beats; empty: there is none."""
        pairs = []
        at = len(suit) - 1
        while at > 0:
            slot = suit[at]
            if suit[at - 1] == slot:
                width = 2
                while at >= width and suit[at - width] == slot:
                    width += 1
                pairs.append((slot, width))
                at -= width
            else:
                at -= 1
        if not pairs:
            return []
        level = self.level
        if len(pairs) > 1:
            for (upper, _), (lower, _) in pairwise(pairs):
                if level[upper] - level[lower] <= 2 and self.lines[group].is_unit(
                    2, (lower - self.first[group], upper - self.first[group])
                ):
                    return [lower, lower, upper, upper]
        slot, width = pairs[0]
        for at in range(len(out) - 1, 0, -1):
            other = out[at]
            if level[other] <= level[slot]:
                break
            if out[at - 1] == other and other != slot:
                return []
        return [slot] * width
