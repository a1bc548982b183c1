"""A world: the rest of a round with all hands known, for simulation."""

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from service.rules.cards import KIND, points_of
from service.rules.composition import Composition
from service.rules.rounds.friends import OTHER_COPY
from service.rules.rounds.kitty import kitty_bonus
from service.rules.rounds.scoring import ATTACKERS, DECLARERS, attackers_total, bands, in_steps, points_to_win, score
from service.rules.tricks.leads import Lead
from service.rules.tricks.trick_rules import TrickRules
from workers.ai.simulation import bits
from workers.ai.simulation.card_indices import CardIndices
from workers.ai.simulation.hands import Planes, cards_of, planes_of

#: Share of a round's value that comes from its points; the rest comes from the levels gained. Points make the value
#: smoother, so that fewer worlds suffice to distinguish plays.
POINTS_SHARE = 0.35
#: Role of a seat: attacker, without and with an open call; known on the declarer's side, without and with an open call;
#: secretly on the declarer's side.
ALONE, ALONE_OPEN, FOUND, FOUND_OPEN, HIDDEN = range(5)


class Call(NamedTuple):
    """A call: index of its card, and number of the copy."""

    card: int
    ordinal: int


def calls_of(calls: Iterable[Mapping[str, Any]], indices: CardIndices) -> list[Call]:
    """Return calls of a view."""
    return [
        Call(indices.index[KIND[call["card"]]], OTHER_COPY if "other" in call else call["ordinal"]) for call in calls
    ]


#: Fields of a call.
_ORDINAL = attrgetter("ordinal")


class Game(NamedTuple):
    """What is constant throughout a round.

    Attributes:
        ruleset, options, cards: those of the table.
        rules: rules of tricks.
        indices: indices of the ranking.
        players: number of seats.
        declarer: the seat that called the friends; -1 with fixed teams.
        revealed: whether the kitty was shown before the first lead.
        penalties: (side that threw, points) of failed throws so far.
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
        """The name of its weights: `teams` for fixed teams, `friends` for games with friends."""
        return "friends" if self.declarer >= 0 else "teams"

    def value(self, points: int, declarers: int, last_trick: str) -> float:
        """Return the value of points for the attackers, in levels; negative if the declarers gain.

        Args:
            points: points of the attackers, with the kitty.
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
        """Points per level, approximately."""
        if in_steps(self.options):
            return float(self.options["points_per_level"])
        table = bands(self.ruleset, self.cards.decks, self.options)
        return max(5.0, (table[-1].points - table[2].points) / max(1, len(table) - 3))

    @property
    def depth(self) -> int:
        """Number of planes of a hand: the most copies of a card, and at least two, so that pairs have a plane."""
        return max(2, *self.cards.copies)

    def factor(self, lead: Lead, winning: Sequence[int]) -> int:
        """Return the factor of the points in the kitty if attackers win the last trick.

        Args:
            lead: lead of the trick.
            winning: the winning kinds.
        """
        options, won = self.options, None
        if options["kitty_unit_of"] != "lead" or options["kitty_side_suit"] != "full":
            won = self.rules.read_play(winning)
        return kitty_bonus(options, lead, (), ATTACKERS, self.revealed, winning=won).factor

    def total(self, world: "World", points: int) -> int:
        """Return the attackers' points of a finished round; `points`: theirs from tricks and kitty."""
        side = (ATTACKERS, DECLARERS)
        penalties = [*self.penalties, *((side[world.is_open(seat)], owed) for seat, owed in world.penalties)]
        return attackers_total(points, 0, penalties, negative=self.options["negative_points"])


class World:
    """A possible deal of the remaining cards, and the state of the round in it.

    Seats are sets, too: bit `seat` for each of them.

    Attributes:
        planes: the hand of each seat (`hands`); the cards not played, which everybody knows by counting; for each suit
            group the seats that have shown a void. `store` is the same.
        players, depth: number of seats, and of planes of a hand.
        left, voids: where the cards not played and the voids begin.
        kitty: buried kinds; `kitty_points`: their points.
        taken: points taken by each seat.
        declarers: seats on the declarer's side, known or not.
        open_declarers: the known ones among them.
        calls: open calls; `called`: their cards.
        called_counts: index -> number of copies played, for called cards.
        penalties: (seat, points) of failed throws in this world.
        luck: offset of its luck; with the same luck, seats that choose randomly choose alike.
    """

    __slots__ = (
        "called", "called_counts", "calls", "declarers", "depth", "kitty", "kitty_points", "left", "luck",
        "open_declarers", "penalties", "planes", "players", "store", "taken", "voids",
    )  # fmt: skip

    def __init__(
        self,
        store: Planes,
        players: int,
        depth: int,
        taken: list[int],
        open_declarers: int,
        calls: list[Call],
        called_counts: dict[int, int],
        luck: int = 0,
    ) -> None:
        self.store, self.planes = store, store
        self.players, self.depth = players, depth
        self.left = players * depth
        self.voids = self.left + depth
        self.taken, self.open_declarers, self.declarers = taken, open_declarers, open_declarers
        self.called_counts, self.luck = called_counts, luck
        self.kitty: Sequence[int] = ()
        self.kitty_points = 0
        self.penalties: list[tuple[int, int]] = []
        self.call(calls)

    def call(self, calls: list[Call]) -> None:
        """Set the open calls."""
        self.calls, self.called = calls, 0
        for each in calls:
            self.called |= bits.one(each.card)

    def bury(self, kitty: Sequence[int]) -> None:
        """Set the kinds in the kitty."""
        self.kitty, self.kitty_points = kitty, points_of(kitty)

    def copy(self) -> "World":
        """Return a copy that may be played independently."""
        other = World(
            self.store[:],
            self.players,
            self.depth,
            self.taken[:],
            self.open_declarers,
            self.calls[:],
            dict(self.called_counts) if self.calls else self.called_counts,
            self.luck,
        )
        other.kitty, other.kitty_points, other.declarers = self.kitty, self.kitty_points, self.declarers
        return other

    def deal(self, hands: Sequence[Iterable[int]]) -> None:
        """Set the cards of all seats."""
        self.store[: self.left] = planes_of(list(hands), self.depth)

    def remaining(self) -> list[int]:
        """Return the cards not played, ascending."""
        return cards_of(self.planes, self.left, self.depth, self.planes[self.left])

    def hand(self, seat: int) -> list[int]:
        """Return the cards of a seat, ascending."""
        return cards_of(self.planes, seat * self.depth, self.depth, self.planes[seat * self.depth])

    def is_open(self, seat: int) -> bool:
        """Return whether a seat is known to be on the declarer's side."""
        return bool(self.open_declarers >> seat & 1)

    def role(self, seat: int) -> int:
        """Return the role of a seat from its own perspective."""
        is_declarer = self.declarers >> seat & 1
        if not self.called:
            return FOUND if is_declarer else ALONE
        if self.open_declarers >> seat & 1:
            return FOUND_OPEN
        return HIDDEN if is_declarer else ALONE_OPEN

    def find_friends(self, game: Game) -> None:
        """Set the declarer's side: known members, and holders of called cards."""
        self.declarers = self.open_declarers
        for seat in range(self.players):
            if seat != game.declarer and self.planes[seat * self.depth] & self.called:
                self.declarers |= 1 << seat

    def called_played(self, game: Game, seat: int, index: int, copies: int) -> None:
        """Note that a seat has played copies of a called card."""
        before = self.called_counts.get(index, 0)
        self.called_counts[index] = before + copies
        by_declarer = seat == game.declarer
        reached = [call for call in self.calls if call.card == index and call.ordinal <= before + copies]
        if game.options["double_join"]:
            filled = [call for call in reached if call.ordinal != OTHER_COPY or not by_declarer]
        else:
            # An outsider fills a single call; if a friend plays the called copy, the next outsider fills it.
            filled = [] if by_declarer or self.is_open(seat) else sorted(reached, key=_ORDINAL)[:1]
        for call in filled:
            self.calls.remove(call)
            if not by_declarer:
                self.open_declarers |= 1 << seat
        self.call(self.calls)
        self.find_friends(game)
