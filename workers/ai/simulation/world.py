"""A world: the rest of a round with all hands known, for simulation."""

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

    def total(self, world: "World", lead: Lead, winner: int, winning: Sequence[int]) -> int:
        """Return the attackers' points of a finished round.

        Args:
            world: the world at its end.
            lead: lead of the last trick.
            winner: the seat that won it.
            winning: the winning kinds.
        """
        side = [DECLARERS if is_declarer else ATTACKERS for is_declarer in world.open_declarers]
        options = self.options
        bonus = 0
        if side[winner] == ATTACKERS and world.kitty:
            won = None
            if options["kitty_unit_of"] != "lead" or options["kitty_side_suit"] != "full":
                won = self.rules.read_play(winning)
            bonus = kitty_bonus(options, lead, world.kitty, ATTACKERS, self.revealed, winning=won).bonus
        tricks = sum(
            [points for points, is_declarer in zip(world.taken, world.open_declarers, strict=True) if not is_declarer]
        )
        penalties = [*self.penalties, *((side[seat], points) for seat, points in world.penalties)]
        return attackers_total(tricks, bonus, penalties, negative=options["negative_points"])


def copied(suits: list[list[int]]) -> list[list[int]]:
    """Return a copy of suits, such as those of a hand."""
    copies = suits[:]
    for group, suit in enumerate(suits):
        copies[group] = suit[:]
    return copies


class World:
    """A possible deal of the remaining cards, and the state of the round in it.

    Attributes:
        hands: hand of each seat.
        left: suit group -> its cards not played, ascending, which everybody knows by counting.
        kitty: buried kinds.
        taken: points taken by each seat.
        declarers: seats on the declarer's side, known or not.
        open_declarers: the known ones among them.
        voids: for each seat, as bits, the suit groups in which it has shown a void.
        calls: open calls.
        called_counts: index -> number of copies played, for called cards.
        penalties: (seat, points) of failed throws in this world.
        luck: offset of its luck; with the same luck, seats that choose randomly choose alike.
    """

    __slots__ = (
        "called_counts", "calls", "declarers", "hands", "kitty", "left", "luck", "open_declarers", "penalties", "taken",
        "voids",
    )  # fmt: skip

    def __init__(
        self,
        hands: list[IndexHand],
        left: list[list[int]],
        kitty: Sequence[int],
        taken: list[int],
        open_declarers: list[bool],
        voids: list[int],
        calls: list[Call],
        called_counts: dict[int, int],
        luck: int = 0,
    ) -> None:
        self.hands, self.left, self.kitty = hands, left, kitty
        self.taken, self.open_declarers, self.voids = taken, open_declarers, voids
        self.calls, self.called_counts, self.luck = calls, called_counts, luck
        self.penalties: list[tuple[int, int]] = []
        self.declarers = open_declarers

    def copy(self) -> "World":
        """Return a copy that may be played independently."""
        shared = not self.calls
        other = World(
            [copied(hand) for hand in self.hands],
            copied(self.left),
            self.kitty,
            self.taken[:],
            self.open_declarers if shared else self.open_declarers[:],
            self.voids[:],
            self.calls[:],
            self.called_counts if shared else dict(self.called_counts),
            self.luck,
        )
        other.declarers = self.declarers if shared else self.declarers[:]
        return other

    def role(self, seat: int) -> int:
        """Return the role of a seat from its own perspective."""
        if not self.calls:
            return FOUND if self.declarers[seat] else ALONE
        if self.open_declarers[seat]:
            return FOUND_OPEN
        return HIDDEN if self.declarers[seat] else ALONE_OPEN

    def find_friends(self, game: Game) -> None:
        """Set the declarer's side: known members, and holders of called cards."""
        self.declarers = self.open_declarers[:]
        for call in self.calls:
            group = game.indices.group[call.card]
            for seat, hand in enumerate(self.hands):
                if seat != game.declarer and call.card in hand[group]:
                    self.declarers[seat] = True

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
            filled = [] if by_declarer or self.open_declarers[seat] else sorted(reached, key=_ORDINAL)[:1]
        for call in filled:
            self.calls.remove(call)
            if not by_declarer:
                self.open_declarers[seat] = True
        self.find_friends(game)
