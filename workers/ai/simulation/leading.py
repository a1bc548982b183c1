"""Leads of simulated seats, by rules that use only what the seat could know."""

from array import array
from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.hands import cards_of, copies_of, size_of
from workers.ai.simulation.suits import Suits
from workers.ai.simulation.tables import LEADS, LENGTH, PHASE, TRUMP_LENGTH
from workers.ai.simulation.world import FOUND, Game, World

#: Score and indices of a lead.
Option = tuple[float, list[int]]

#: Bounds of how many more trumps a seat has than others on average; number of unbeaten side cards -> column.
_BALANCE: Final = array("d", [-1.5, 0.0, 1.5, 3.5])
_WON: Final = array("i", [0, 1, 2, 3, 3, *[4] * 2000])

_AT = tables.first_of()
_KINDS: Final = len(LEADS)
#: The first kind of lead of trumps.
_OF_TRUMPS: Final = LEADS.index("trump boss")
_RUFFS, _PHASE, _LENGTH = _AT["lead ruffs"], _AT["lead phase"], _AT["lead length"]
_SIZE, _TRUMPS = _AT["lead size"], _AT["lead trumps"]
_OWN, _OUT = _AT["lead own trumps"], _AT["lead trumps out"]
_ROLE, _RUFFS_ROLE, _CALLED = _AT["lead role"], _AT["lead ruffs role"], _AT["lead called"]


class Leading(Suits):
    """Chooses leads in the worlds of one game.

    The leads of a suit share these properties, which are columns of the tables and digits of the number of a row: phase
    of the round, role of the seat (`World.role`), own trumps, trumps of foes. For a side suit also: likelihood of a
    ruff, length and whether mates may ruff, whether a card of it is called. For trumps also: trumps of foes if any are
    out, balance of trumps, side suits won.
    """

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        super().__init__(game, weights, luck)
        #: The set of all seats.
        self.everybody = (1 << game.players) - 1

    def lead(self, world: World, seat: int) -> list[int]:
        """Return the indices that a seat leads, ascending."""
        called = self.called(world, seat)
        if called >= 0:
            return [called]
        return self.lead_of(world, seat, self.chosen_lead(world, seat))

    def chosen_lead(self, world: World, seat: int) -> int:
        """Return the number of the option that a seat leads."""
        self.weigh_leads(world, seat)
        planes, at = world.planes, seat * self.depth
        return self.best(world, size_of(planes, at, self.depth, planes[at]), seat)

    def lead_of(self, world: World, seat: int, number: int) -> list[int]:
        """Return the indices of an option of `weigh_leads`, ascending."""
        return cards_of(world.planes, seat * self.depth, self.copies[number], self.sets[number])

    def leads(self, world: World, seat: int) -> list[Option]:
        """Return leads with their scores, of which only differences matter."""
        self.weigh_leads(world, seat)
        return [(self.scores[number], self.lead_of(world, seat, number)) for number in range(self.number)]

    def called(self, world: World, seat: int, led: int = -1) -> int:
        """Return the card with which a seat joins the declarer now, before another seat can; -1: none.

        Args:
            world: the world.
            seat: the seat to play.
            led: the suit to follow; -1: it leads.
        """
        if not world.called or world.is_open(seat):
            return -1
        planes, at, depth = world.planes, seat * self.depth, self.depth
        hand = planes[at]
        if not hand & world.called:
            return -1
        for call in world.calls:
            index, group = call[0], self.group[call[0]]
            fills = call[1] <= world.called_counts.get(index, 0) + 1
            if not fills or not hand >> index & 1 or (group != led >= 0 and hand & self.suits[led]):
                continue
            if copies_of(planes, world.left, depth, index) > copies_of(planes, at, depth, index):
                return int(index)
        return -1

    def weigh_leads(self, world: World, seat: int) -> None:
        """Make the leads of a seat the options."""
        planes, depth, at, left = world.planes, self.depth, seat * self.depth, world.left
        hand = planes[at]
        others = self.everybody & ~(1 << seat)
        side = others & world.open_declarers
        if not world.declarers >> seat & 1:
            side ^= others
        may_ruff = others & ~planes[world.voids + TRUMPS]
        foes, mates = may_ruff & ~side, may_ruff & side
        trumps = self.suits[TRUMPS]
        own = size_of(planes, at, depth, trumps)
        out = self.share(size_of(planes, left, depth, trumps) - own) if foes else 0
        length = TRUMP_LENGTH[own]
        scene = ((PHASE[size_of(planes, at, depth, hand)] * 5 + world.role(seat)) * 6 + length) * 5 + out
        winners = 0
        self.number = 0
        for group in range(TRUMPS):
            cards = self.suits[group]
            if not hand & cards:
                continue
            void = planes[world.voids + group]
            held = size_of(planes, at, depth, cards)
            hidden = 0 if void & others == others else size_of(planes, left, depth, cards) - held
            self._look(planes, at, left, cards, held, hidden)
            ruffs = self._ruff_column(1 if foes & void else 0, hidden) if out else 0
            suited = (4 if mates & void else 0) + LENGTH[held]
            number = ((scene * 7 + ruffs) * 8 + suited) * 2 + (1 if world.called & cards else 0)
            row = self.weights.side[number] or self._side_row(number)
            winners += self._side_leads(planes, row)
        if own:
            void = planes[world.voids + TRUMPS]
            hidden = 0 if void & others == others else size_of(planes, left, depth, trumps) - own
            self._look(planes, at, left, trumps, own, hidden)
            drawn = out if hidden else 0
            number = ((scene * 5 + drawn) * 5 + self._balance(own - hidden / self.other_seats)) * 5 + _WON[winners]
            self._trump_leads(planes, self.weights.trumps[number] or self._trump_row(number))

    def _balance(self, more: float) -> int:
        """Return the column of how many more trumps a seat has than others on average."""
        column = 0
        while column < len(_BALANCE) and _BALANCE[column] <= more:
            column += 1
        return column

    def _scene_row(self, phase: int, role: int, own: int, out: int) -> list[float]:
        """Return kind of lead -> score by phase, role, own trumps and trumps out."""
        weights, found = self.weights.each, 1 if role >= FOUND else 0
        row: list[float] = []
        for kind in range(_KINDS):
            drawn = out if kind < _OF_TRUMPS else 0
            row.append(
                weights[_PHASE + kind * 12 + phase * 2 + found]
                + weights[_OWN + kind * 6 + own]
                + weights[_OUT + kind * 6 + drawn]
                + weights[_ROLE + ((kind * 6 + phase) * 5 + role) * 6 + out]
            )
        return row

    def _side_row(self, scene: int) -> tables.Row:
        weights = self.weights.each
        phase, role, own, out, ruffs, length, called = tables.digits("side", scene)
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
        return self.weights.keep(self.weights.side, scene, row)

    def _trump_row(self, scene: int) -> tables.Row:
        weights = self.weights.each
        phase, role, own, out, drawn, balance, won = tables.digits("trumps", scene)
        row = self._scene_row(phase, role, own, out)
        for kind in range(_KINDS):
            row[kind] = (
                row[kind]
                + weights[_RUFFS + kind * 7 + drawn]
                + weights[_LENGTH + kind * 8 + balance]
                + weights[_TRUMPS + ((kind * 6 + own) * 5 + won) * 7 + balance]
                + weights[_SIZE + kind * 8 + won]
            )
        return self.weights.keep(self.weights.trumps, scene, row)

    def _ruff_column(self, foes: int, others: int) -> int:
        """Return the column for the likelihood that a lead of a side suit is ruffed if the other side has trumps.

        Args:
            foes: whether a seat of the other side that may ruff is void of the suit.
            others: number of cards of the suit that other hands may have.
        """
        seats = self.other_seats
        if others <= 0:
            return 6
        if foes:
            return 5
        return 4 if others < seats else 3 if others < 2 * seats else 2 if others < 3 * seats else 1
