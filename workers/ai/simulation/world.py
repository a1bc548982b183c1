"""A round from here to its end, with all hands known: what is simulated."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from service.rules.cards import KIND
from service.rules.composition import Composition
from service.rules.rounds.friends import OTHER_COPY
from service.rules.rounds.kitty import kitty_bonus
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, attackers_total, bands, in_steps, points_to_win, score
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules
from workers.ai.simulation.card_indices import CardIndices, IndexHand

#: Share of a round's value that comes from its points, the rest from the levels that they bring: points make the value
#: smoother, so that fewer worlds suffice to tell plays apart.
POINTS_SHARE = 0.35
#: Role of a seat. Against the declarer: no call is open; one is. For the declarer, known to all: no call is open; one
#: is. For the declarer, known to nobody yet.
ALONE, ALONE_OPEN, FOUND, FOUND_OPEN, HIDDEN = range(5)


class Call(NamedTuple):
    """A call: the index of its card, and which copy counts."""

    card: int
    ordinal: int


def calls_of(calls: Iterable[Mapping[str, Any]], indices: CardIndices) -> list[Call]:
    """Return calls of a view."""
    return [
        Call(indices.index[KIND[call["card"]]], OTHER_COPY if "other" in call else call["ordinal"]) for call in calls
    ]


#: Of a call.
_ORDINAL = attrgetter("ordinal")


class Game(NamedTuple):
    """What is constant throughout a round.

    Attributes:
        ruleset, options, cards: of the table.
        rules: of its tricks.
        indices: of its ranking.
        players: number of seats.
        declarer: the seat that called the friends; -1: the sides are fixed.
        revealed: the kitty was shown before the first lead.
        penalties: (side that threw, points) of the failed throws so far.
    """

    ruleset: str
    options: Mapping[str, Any]
    cards: Composition
    rules: TrickRules
    indices: CardIndices
    players: int
    declarer: int
    revealed: bool
    penalties: tuple[tuple[str, int], ...]

    @property
    def weights(self) -> str:
        """The name of the weights for it: `teams` for fixed teams, `friends` for games in which friends are found."""
        return "friends" if self.declarer >= 0 else "teams"

    def value(self, points: int, declarers: int, last_trick: str) -> float:
        """Return what so many points of the attackers are worth to them, in levels; below 0 for the declarers.

        Args:
            points: of the attackers, with the kitty.
            declarers: number of players on the declarer's side.
            last_trick: the side that won the last trick.
        """
        friends = self.declarer >= 0
        gained = score(self.ruleset, self.options, self.cards, points, declarers if friends else None, last_trick)
        levels = float(gained.levels if gained.side == ATTACKERS else -gained.levels if gained.side else 0)
        win = points_to_win(self.ruleset, self.cards.decks, self.options)
        return (1.0 - POINTS_SHARE) * levels + POINTS_SHARE * (points - win) / self.step

    @property
    def step(self) -> float:
        """Points that make about one level."""
        if in_steps(self.options):
            return float(self.options["points_per_level"])
        table = bands(self.ruleset, self.cards.decks, self.options)
        return max(5.0, (table[-1].points - table[2].points) / max(1, len(table) - 3))

    def end(self, world: "World", lead: Lead, winner: int, winning: Sequence[int]) -> float:
        """Return the value of a finished round for the attackers; see `total`."""
        side = DECLARERS if world.shown[winner] else ATTACKERS
        return self.value(self.total(world, lead, winner, winning), sum(world.shown), side)

    def total(self, world: "World", lead: Lead, winner: int, winning: Sequence[int]) -> int:
        """Return the attackers' points of a finished round.

        Args:
            world: at its end.
            lead: of the last trick.
            winner: the seat that won it.
            winning: the kinds with which it did.
        """
        side = [DECLARERS if shown else ATTACKERS for shown in world.shown]
        options = self.options
        bonus = 0
        if side[winner] == ATTACKERS and world.kitty:
            won = None
            if options["kitty_unit_of"] != "lead" or options["kitty_side_suit"] != "full":
                won = self.rules.read_play(winning)
            bonus = kitty_bonus(options, lead, world.kitty, ATTACKERS, self.revealed, winning=won).bonus
        tricks = sum([points for points, shown in zip(world.taken, world.shown, strict=True) if not shown])
        penalties = [*self.penalties, *((side[seat], points) for seat, points in world.penalties)]
        return attackers_total(tricks, bonus, penalties, negative=options["negative_points"])


class World:
    """One possible deal of the cards that are still held, and how the round goes on in it.

    Attributes:
        hands: of each seat.
        left: suit group -> all its cards that are not played, ascending: what everybody knows by counting.
        kitty: kinds that were buried.
        taken: points taken by each seat.
        declarers: seats that play for the declarer, known or not.
        shown: those of them that are known.
        voids: for each seat, as bits, the suit groups that it has shown to be void of.
        calls: that nobody has filled.
        seen: index -> copies played, of the cards that were called.
        penalties: (seat, points) of the throws that failed in this world.
        luck: where its luck starts: with the same luck, seats that choose by chance choose alike.
    """

    __slots__ = (
        "calls", "declarers", "hands", "kitty", "left", "luck", "penalties", "seen", "shown", "taken", "voids",
    )  # fmt: skip

    def __init__(
        self,
        hands: list[IndexHand],
        left: list[list[int]],
        kitty: Sequence[int],
        taken: list[int],
        shown: list[bool],
        voids: list[int],
        calls: list[Call],
        seen: dict[int, int],
        luck: int = 0,
    ) -> None:
        self.hands, self.left, self.kitty = hands, left, kitty
        self.taken, self.shown, self.voids = taken, shown, voids
        self.calls, self.seen, self.luck = calls, seen, luck
        self.penalties: list[tuple[int, int]] = []
        self.declarers = shown

    def copy(self) -> "World":
        """Return a copy that may be played independently."""
        shared = not self.calls
        other = World(
            [[suit[:] for suit in hand] for hand in self.hands],
            [suit[:] for suit in self.left],
            self.kitty,
            self.taken[:],
            self.shown if shared else self.shown[:],
            self.voids[:],
            self.calls[:],
            self.seen if shared else dict(self.seen),
            self.luck,
        )
        other.declarers = self.declarers if shared else self.declarers[:]
        return other

    def role(self, seat: int) -> int:
        """Return the role of a seat, as far as it knows."""
        if not self.calls:
            return FOUND if self.declarers[seat] else ALONE
        if self.shown[seat]:
            return FOUND_OPEN
        return HIDDEN if self.declarers[seat] else ALONE_OPEN

    def find_friends(self, game: Game) -> None:
        """Work out who plays for the declarer: those known to, and those who hold a called card."""
        self.declarers = self.shown[:]
        for call in self.calls:
            group = game.indices.group[call.card]
            for seat, hand in enumerate(self.hands):
                if seat != game.declarer and call.card in hand[group]:
                    self.declarers[seat] = True

    def called_played(self, game: Game, seat: int, index: int, copies: int) -> None:
        """Note that a seat has played copies of a card that is called."""
        before = self.seen.get(index, 0)
        self.seen[index] = before + copies
        by_declarer = seat == game.declarer
        reached = [call for call in self.calls if call.card == index and call.ordinal <= before + copies]
        if game.options["double_join"]:
            filled = [call for call in reached if call.ordinal != OTHER_COPY or not by_declarer]
        else:
            # One outsider fills one call; if friends play the copy that counts, the next outsider does.
            filled = [] if by_declarer or self.shown[seat] else sorted(reached, key=_ORDINAL)[:1]
        for call in filled:
            self.calls.remove(call)
            if not by_declarer:
                self.shown[seat] = True
        self.find_friends(game)
