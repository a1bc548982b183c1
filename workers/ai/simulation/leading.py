"""Leads of simulated seats, by rules that use only what the seat could know."""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf
from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.selection import size_of
from workers.ai.simulation.suits import TRUMP_BOSS, Suits
from workers.ai.simulation.tables import CARD_POINTS, LASTS, LEADS, LENGTH, LUCK, PHASE, TRUMP_LENGTH
from workers.ai.simulation.world import FOUND, Game, World

#: Score and indices of a lead.
Option = tuple[float, list[int]]

#: Properties shared by the leads of a suit, as columns of the tables: phase of the round, role of the seat
#: (`World.role`), own trumps, trumps of foes. For a side suit also: likelihood of a ruff, length and whether mates may
#: ruff, whether a card of it is called. For trumps also: trumps of foes if any are out, balance of trumps, side suits
#: won.
Scene = tuple[int, int, int, int, int, int, int]
#: Offsets between the luck of two decisions, and of two leads with the same highest card.
_APART: Final = 97
_LONGER: Final = 59
#: Bounds of how many more trumps a seat has than others on average; unbeaten side cards -> column.
_BALANCE: Final = (-1.5, 0.0, 1.5, 3.5)
_WON: Final = (0, 1, 2, 3, 3, *[4] * 2000)

_AT = tables.first_of()
_KINDS: Final = len(LEADS)
_RUFFS, _PHASE, _LENGTH = _AT["lead ruffs"], _AT["lead phase"], _AT["lead length"]
_SIZE, _TRUMPS = _AT["lead size"], _AT["lead trumps"]
_OWN, _OUT = _AT["lead own trumps"], _AT["lead trumps out"]
_ROLE, _RUFFS_ROLE, _CALLED = _AT["lead role"], _AT["lead ruffs role"], _AT["lead called"]


class Leading:
    """Chooses leads in the worlds of one game.

    Args:
        game: the game.
        weights: weights of the seats; None: those of the game.
        luck: numbers added to the scores of options: `tables.STEADY` or `tables.BY_CHANCE`.
    """

    def __init__(
        self, game: Game, weights: tables.Weights | None = None, luck: Sequence[float] = tables.STEADY
    ) -> None:
        self.game, self.players = game, game.players
        self.weights = weights or tables.load(game.weights)
        indices = game.indices
        self.group, self.level, self.points = indices.group, indices.level, indices.points
        #: Index -> column of its card points.
        self.column = tuple(CARD_POINTS[points] for points in indices.points)
        self.suits = Suits(game, self.weights)
        self.luck = luck
        #: Whether luck makes no difference.
        self.steady = luck is tables.STEADY

    def lead(self, world: World, seat: int) -> list[int]:
        """Return the indices that a seat leads; do not modify them."""
        called = self.called(world, seat)
        if called >= 0:
            return [called]
        best: list[int] = []
        most = -inf
        steady, luck, at = self.steady, self.luck, self._lucky(world, size_of(world.hands[seat]), seat)
        for row, leads in self._choices(world, seat):
            for kind, cards, own in leads:
                score = row[kind] + own
                if not steady:
                    score += luck[at + (cards[-1] + _LONGER * len(cards)) % LASTS]
                if score > most:
                    best, most = cards, score
        return best

    def _lucky(self, world: World, size: int, seat: int) -> int:
        """Return the offset of the luck of a decision.

        In a world it depends only on the seat and the size of its hand, so that plays are compared with equal luck.
        """
        return (world.luck + _APART * (16 * size + seat)) % LUCK

    def called(self, world: World, seat: int, led: int = -1) -> int:
        """Return the card with which a seat joins the declarer now, before another seat can; -1: none.

        Args:
            world: the world.
            seat: the seat to play.
            led: the suit to follow; -1: it leads.
        """
        if not world.calls or world.open_declarers[seat]:
            return -1
        hand = world.hands[seat]
        for call in world.calls:
            index, group = call[0], self.group[call[0]]
            fills = call[1] <= world.called_counts.get(index, 0) + 1
            if not fills or index not in hand[group] or (group != led >= 0 and hand[led]):
                continue
            if world.left[group].count(index) > hand[group].count(index):
                return index
        return -1

    def leads(self, world: World, seat: int) -> list[Option]:
        """Return leads with their scores, of which only differences matter."""
        return [(row[kind] + own, cards) for row, leads in self._choices(world, seat) for kind, cards, own in leads]

    def _choices(self, world: World, seat: int) -> list[tuple[Sequence[float], Sequence[tuple[int, list[int], float]]]]:
        """Return for each suit the scores of kinds of leads in this scene, and the leads."""
        hand, left, mine, sides = world.hands[seat], world.left, world.declarers[seat], world.open_declarers
        # Suits in which a void seat of the other side, or of this one, may ruff; suits in which all are void.
        foes = mates = out = 0
        nobody = -1
        foes_have_trumps = False
        for other, voids in enumerate(world.voids):
            if other == seat:
                continue
            nobody &= voids
            if not voids >> TRUMPS & 1:
                if mine == sides[other]:
                    mates |= voids
                else:
                    foes |= voids
                    foes_have_trumps = True
        own, suits = hand[TRUMPS], self.suits
        if foes_have_trumps:
            out = suits.share(len(left[TRUMPS]) - len(own))
        phase, role, length = PHASE[size_of(hand)], world.role(seat), TRUMP_LENGTH[len(own)]
        called = 0
        for call in world.calls:
            called |= 1 << self.group[call[0]]
        rows = self.weights.side
        winners = 0
        choices: list[tuple[Sequence[float], Sequence[tuple[int, list[int], float]]]] = []
        for group in range(TRUMPS):
            suit = hand[group]
            if not suit:
                continue
            leads = suits.leads(group, suit, left[group], nobody >> group & 1)
            winners += leads.safe
            ruffs = self._ruff_column(foes >> group & 1, leads.others) if out else 0
            suited = (mates >> group & 1) * 4 + LENGTH[len(suit)]
            scene = (phase, role, length, out, ruffs, suited, called >> group & 1)
            choices.append((rows.get(scene) or self._side_row(scene), leads.leads))
        if own:
            leads = suits.leads(TRUMPS, own, left[TRUMPS], nobody >> TRUMPS & 1)
            more = len(own) - leads.others / suits.other_seats
            drawn = out if leads.others else 0
            scene = (phase, role, length, out, drawn, bisect_right(_BALANCE, more), _WON[winners])
            choices.append((self.weights.trumps.get(scene) or self._trump_row(scene), leads.leads))
        return choices

    def _scene_row(self, phase: int, role: int, own: int, out: int) -> list[float]:
        """Return kind of lead -> score by phase, role, own trumps and trumps out."""
        weights, found = self.weights.each, 1 if role >= FOUND else 0
        row: list[float] = []
        for kind in range(_KINDS):
            drawn = out if kind < TRUMP_BOSS else 0
            row.append(
                weights[_PHASE + kind * 12 + phase * 2 + found]
                + weights[_OWN + kind * 6 + own]
                + weights[_OUT + kind * 6 + drawn]
                + weights[_ROLE + ((kind * 6 + phase) * 5 + role) * 6 + out]
            )
        return row

    def _side_row(self, scene: Scene) -> Sequence[float]:
        weights = self.weights.each
        phase, role, own, out, ruffs, length, called = scene
        row = self._scene_row(phase, role, own, out)
        for kind in range(_KINDS):
            row[kind] = (
                row[kind]
                + weights[_RUFFS + kind * 7 + ruffs]
                + weights[_LENGTH + kind * 8 + length]
                + weights[_TRUMPS + ((kind * 6 + own) * 5 + out) * 7 + ruffs]
                + weights[_RUFFS_ROLE + ((kind * 7 + ruffs) * 6 + out) * 5 + role]
                + weights[_CALLED + ((kind * 6 + phase) * 5 + role) * 2 + called]
            )
        return self.weights.side.setdefault(scene, row)

    def _trump_row(self, scene: Scene) -> Sequence[float]:
        weights = self.weights.each
        phase, role, own, out, drawn, balance, won = scene
        row = self._scene_row(phase, role, own, out)
        for kind in range(_KINDS):
            row[kind] = (
                row[kind]
                + weights[_RUFFS + kind * 7 + drawn]
                + weights[_LENGTH + kind * 8 + balance]
                + weights[_TRUMPS + ((kind * 6 + own) * 5 + won) * 7 + balance]
                + weights[_SIZE + kind * 8 + won]
            )
        return self.weights.trumps.setdefault(scene, row)

    def _ruff_column(self, foes: int, others: int) -> int:
        """Return the column for the likelihood that a lead of a side suit is ruffed if the other side has trumps.

        Args:
            foes: whether a seat of the other side that may ruff is void of the suit.
            others: number of cards of the suit that other hands may have.
        """
        seats = self.players - 1
        if others <= 0:
            return 6
        if foes:
            return 5
        return 4 if others < seats else 3 if others < 2 * seats else 2 if others < 3 * seats else 1
