"""Follows of simulated seats to a single card."""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf
from typing import Final

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.leading import Leading
from workers.ai.simulation.selection import cheap, distinct
from workers.ai.simulation.tables import BEATEN, LENGTH, PHASE, STAKE, TRUMP_LENGTH
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Score and index of a follow, and whether it wins so far.
Option = tuple[float, int, bool]
#: A card to give or to play, the column of its points, whether it wins so far, and whether the hand has another copy.
Choice = tuple[int, int, bool, bool]

_AT = tables.first_of()
_SUIT_STAKE, _SUIT_POINTS, _SUIT_BEATEN = _AT["suit stake"], _AT["suit points"], _AT["suit beaten"]
_SUIT_PHASE, _SUIT_RISK, _SUIT_MATES = _AT["suit phase"], _AT["suit risk"], _AT["suit mates"]
_VOID_STAKE, _VOID_POINTS, _VOID_TRUMP = _AT["void stake"], _AT["void points"], _AT["void trump beaten"]
_VOID_GIVEN, _VOID_PHASE, _VOID_RISK = _AT["void given"], _AT["void phase"], _AT["void risk"]
_SUIT_BREAKS, _VOID_BREAKS = _AT["suit breaks"], _AT["void breaks"]
_SUIT_ROLE, _SUIT_FOES = _AT["suit role"], _AT["suit foes"]
_VOID_ROLE, _VOID_FOES = _AT["void role"], _AT["void foes"]
#: Effect of a card. In suit: loses; loses points; wins as highest of the suit; wins for now; wins as last card of the
#: trick. Out of suit: is discarded; is discarded with points; ruffs; overruffs.
LOSE, LOSE_POINTS, WIN_HIGHEST, WIN_SO_FAR, WIN_LAST = range(5)
GIVE, GIVE_POINTS, RUFF, OVERRUFF = range(4)
#: Who wins the trick so far: the other side, or this side with a card that may be beaten, with the highest of its suit,
#: or for sure.
THEIRS, OURS, OURS_HIGHEST, OURS_SURE = range(4)

#: Higher than all levels.
_NEVER: Final = 99

#: Properties shared by all follows of a decision, as columns of the tables: whether trumps were led; who wins so far;
#: number of later seats; points of the trick; phase of the round; possible acts of later foes (nothing, follow, perhaps
#: void, ruff) and of later mates (nothing, follow, ruff); role of the seat (`World.role`); number of later foes.
Scene = tuple[bool, int, int, int, int, int, int, int, int]


class Singles(Leading):
    """Follows single cards in the worlds of one game."""

    def __init__(
        self, game: Game, weights: tables.Weights | None = None, luck: Sequence[float] = tables.STEADY
    ) -> None:
        super().__init__(game, weights, luck)
        players = game.players
        #: Seat -> number of seats -> so many seats after it, in order of play.
        self._after = [
            [tuple((seat + step) % players for step in range(1, number + 1)) for number in range(players)]
            for seat in range(players)
        ]
        #: Number of seats still to play, including this one -> column.
        self._to_come = [0, *[self._column(to_come) for to_come in range(1, players + 1)]]
        #: Cards of a suit -> those worth giving away.
        self._gifts: dict[tuple[int, ...], list[Choice]] = {}
        #: Cards of a suit, and the level to beat -> those worth playing in suit, or as ruffs.
        self._answers_in_suit: dict[tuple[tuple[int, ...], int], list[Choice]] = {}
        self._ruffs_of: dict[tuple[tuple[int, ...], int], list[Choice]] = {}

    def _single(self, world: World, trick: Trick, seat: int) -> tuple[int, bool]:
        """Return the card with which a seat follows a single card, and whether it wins so far."""
        group = trick.group
        suit = world.hands[seat][group]
        if not suit:
            world.voids[seat] |= 1 << group
        elif suit[0] == suit[-1]:
            return suit[0], self._beats(trick, suit[0])
        if world.calls:
            called = self.called(world, seat, group)
            if called >= 0:
                return called, self._beats(trick, called)
        steady, luck, at = self.steady, self.luck, self._lucky(world, trick.size, seat)
        best, wins, most = -1, False, -inf
        for score, card, takes in self.singles(world, trick, seat):
            lucky = score if steady else score + luck[at + card]
            if lucky > most:
                best, wins, most = card, takes, lucky
        return best, wins

    def singles(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a single card, with their scores."""
        hand, group = world.hands[seat], trick.group
        scene = self._scene_of(world, trick, seat)
        if hand[group]:
            return self._of_suit(hand[group], world.left[group], trick, scene)
        return self._void(world, hand, trick, scene)

    def _choices_of(self, suit: list[int], cards: list[int], beaten: int) -> list[Choice]:
        """Return cards of a suit as choices; those above the level `beaten` win."""
        return [(card, self.column[card], self.level[card] > beaten, suit.count(card) > 1) for card in distinct(cards)]

    def _given(self, suit: list[int]) -> list[Choice]:
        """Return the cards of a suit that are worth giving away, cached."""
        key = tuple(suit)
        return self._gifts.get(key) or self._gifts.setdefault(
            key, self._choices_of(suit, cheap(suit, self.points), _NEVER)
        )

    def _in_suit_choices(self, suit: list[int], beaten: int) -> list[Choice]:
        """Return the cards of a suit that are worth playing in suit, cached; those above the level `beaten` win."""
        key = (tuple(suit), beaten)
        choices = self._answers_in_suit.get(key)
        if choices is None:
            cards = cheap(suit, self.points)
            winners = [card for card in suit if self.level[card] > beaten]
            if winners:
                cards += [winners[-1], winners[0], winners[(len(winners) - 1) // 2]]
            choices = self._answers_in_suit[key] = self._choices_of(suit, cards, beaten)
        return choices

    def _ruffs_above(self, trumps: list[int], over: int) -> list[Choice]:
        """Return the trumps above a level that are worth ruffing with, cached."""
        key = (tuple(trumps), over)
        choices = self._ruffs_of.get(key)
        if choices is None:
            higher = [card for card in trumps if self.level[card] > over]
            cards = [*cheap(higher, self.points), higher[-1], higher[(len(higher) - 1) // 2]] if higher else []
            choices = self._ruffs_of[key] = self._choices_of(trumps, cards, over)
        return choices

    def _beats(self, trick: Trick, index: int) -> bool:
        """Return whether identical cards, as many as were led, win so far."""
        best = trick.best[0]
        group, standing = self.group[index], self.group[best]
        return self.level[index] > self.level[best] if group == standing else group == TRUMPS

    def _column(self, to_come: int) -> int:
        """Return the column of the number of seats still to play, including this one."""
        if to_come > 4:
            return 3
        return (to_come + 1) // 2 if self.players > 4 and to_come > 1 else to_come - 1

    def _scene_of(self, world: World, trick: Trick, seat: int) -> Scene:
        """Return the scene of a decision."""
        lead, best, to_come = trick.group, trick.best[0], trick.to_come
        out = world.left[lead]
        trumped = self.group[best] != lead
        if world.declarers[seat] != world.open_declarers[trick.best_seat]:
            whose = THEIRS
        elif to_come == 1 or trumped:
            whose = OURS_SURE
        else:
            whose = OURS_HIGHEST if not out or self.level[best] >= self.level[out[-1]] else OURS
        risk = helped = foes = 0
        if to_come > 1:
            risk, helped, foes = self._later_acts(world, seat, lead, self._after[seat][to_come - 1])
        return (
            lead == TRUMPS,
            whose,
            self._to_come[to_come],
            STAKE[trick.points],
            PHASE[trick.size],
            risk,
            helped,
            world.role(seat),
            min(3, foes),
        )

    def _later_acts(self, world: World, seat: int, lead: int, after: Sequence[int]) -> tuple[int, int, int]:
        """Return the possible acts of later foes and of later mates, and the number of later foes; see `Scene`."""
        mine, sides, voids = world.declarers[seat], world.open_declarers, world.voids
        risk = helped = foes = 0
        follows = 2 if len(world.left[lead]) < 2 * (self.players - 1) else 1
        for later in after:
            void = voids[later]
            foe = sides[later] != mine
            if foe:
                foes += 1
            if not void >> lead & 1:
                if not foe:
                    helped = helped or 1
                elif risk < follows:
                    risk = follows
            elif lead != TRUMPS and not void >> TRUMPS & 1:
                if foe:
                    risk = 3
                else:
                    helped = 2
        return risk, helped, foes

    def _of_suit(self, suit: list[int], out: list[int], trick: Trick, scene: Scene) -> list[Option]:
        level, best, last = self.level, trick.best[0], trick.to_come == 1
        place, phase = (4 if scene[0] else 0) + scene[2], scene[4] + (6 if scene[0] else 0)
        choices = self._in_suit_choices(suit, level[best] if self.group[best] == trick.group else _NEVER)
        row = self.weights.suit.get(scene) or self._suit_row(scene)
        weights, highest, number = self.weights.each, level[out[-1]], len(out)
        beaten_at = _SUIT_BEATEN + place * 48 + LENGTH[len(suit)] * 2
        breaks = _SUIT_BREAKS + phase * 5
        options: list[Option] = []
        for card, points, wins, doubled in choices:
            at = beaten_at + BEATEN[number - bisect_right(out, card)] * 8
            if wins:
                act = WIN_LAST if last else WIN_HIGHEST if level[card] >= highest else WIN_SO_FAR
                at += 1
            else:
                act = LOSE_POINTS if points else LOSE
            score = row[act * 3 + points] + weights[at]
            if doubled:
                score += weights[breaks + act]
            options.append((score, card, wins))
        return options

    def _suit_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of following suit in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, helped, role, foes = scene
        place = trumps * 4 + whose
        row = [0.0] * 15
        for act in range(5):
            for points in range(3):
                row[act * 3 + points] = (
                    weights[_SUIT_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
                    + weights[_SUIT_POINTS + ((place * 3 + points) * 5 + act) * 4 + to_come]
                    + weights[_SUIT_PHASE + (trumps * 6 + phase) * 5 + act]
                    + weights[_SUIT_RISK + ((act * 4 + risk) * 4 + whose) * 3 + points]
                    + weights[_SUIT_MATES + ((act * 3 + helped) * 4 + at_stake) * 2 + trumps]
                    + weights[_SUIT_FOES + (((role * 4 + foes) * 4 + whose) * 5 + act) * 3 + points]
                    + weights[_SUIT_ROLE + (((role * 6 + phase) * 4 + whose) * 5 + act) * 3 + points]
                )
        return self.weights.suit.setdefault(scene, row)

    def _void(self, world: World, hand: IndexHand, trick: Trick, scene: Scene) -> list[Option]:
        trumps_led, whose, to_come, at_stake, phase, risk, _, role, foes = scene
        trumps, best = hand[TRUMPS], trick.best[0]
        trumped = self.group[best] != trick.group
        # By who wins: a trick ruffed by foes is harder to win; one of a mate may still be ruffed.
        whose = (1 if trumped else 0) if whose == THEIRS else OURS_SURE if whose == OURS_SURE else 2
        # Possible acts of mates make no difference here, so there is a single row.
        scene = (trumps_led, whose, to_come, at_stake, phase, risk, 0, role, foes)
        row = self.weights.void.get(scene) or self._void_row(scene)
        discards = self._discards(hand, world.left, row, phase)
        if trumps_led or not trumps:
            return discards
        options: list[Option] = []
        ruffs = self._ruffs_above(trumps, self.level[best] if trumped else -1)
        act, out = OVERRUFF if trumped else RUFF, world.left[TRUMPS]
        weights, number = self.weights.each, len(out)
        price = _VOID_TRUMP + phase * 36 + TRUMP_LENGTH[len(trumps)]
        risked = _VOID_RISK + (risk * 4 + whose) * 6 + act * 96
        for card, points, wins, doubled in ruffs:
            beaten = BEATEN[number - bisect_right(out, card)]
            score = row[act * 3 + points] + weights[price + beaten * 6]
            if doubled:
                score += weights[_VOID_BREAKS + act * 6 + phase]
            options.append((score + weights[risked + beaten], card, wins))
        if discards:
            return options + discards
        card, points, _, doubled = self._given(trumps)[0]
        for _, other, _ in options:
            if other == card:
                return options
        score = row[GIVE * 3 + points] + weights[price + BEATEN[number - bisect_right(out, card)] * 6]
        if doubled:
            score += weights[_VOID_BREAKS + GIVE * 6 + phase]
        options.append((score, card, False))
        return options

    def _discards(self, hand: IndexHand, left: list[list[int]], row: Sequence[float], phase: int) -> list[Option]:
        """Return side cards to discard, with their scores; `row`: see `_void_row`."""
        weights, ruffs = self.weights.each, 1 if hand[TRUMPS] else 0
        options: list[Option] = []
        for group in range(TRUMPS):
            suit = hand[group]
            if suit:
                out, length = left[group], len(suit)
                number = len(out)
                price = _VOID_GIVEN + phase * 48 + (length - 1 if length < 4 else 3) * 2 + ruffs
                for card, points, _, doubled in self._given(suit):
                    # The columns without points are those of GIVE, the others those of GIVE_POINTS.
                    score = row[3 + points if points else 0]
                    if doubled:
                        score += weights[_VOID_BREAKS + (6 if points else 0) + phase]
                    score += weights[price + BEATEN[number - bisect_right(out, card)] * 8]
                    options.append((score, card, False))
        return options

    def _void_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of ruffing and discarding in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, _, role, foes = scene
        place = trumps * 4 + whose
        row = [0.0] * 12
        for act in range(4):
            for points in range(3):
                # The fate of a ruff depends on its card.
                risked = weights[_VOID_RISK + ((act * 4 + risk) * 4 + whose) * 6 + points] if act < RUFF else 0.0
                row[act * 3 + points] = (
                    weights[_VOID_STAKE + ((place * 4 + to_come) * 4 + act) * 4 + at_stake]
                    + weights[_VOID_POINTS + ((place * 3 + points) * 4 + act) * 4 + to_come]
                    + weights[_VOID_PHASE + act * 6 + phase]
                    + weights[_VOID_FOES + (((role * 4 + foes) * 4 + whose) * 4 + act) * 3 + points]
                    + weights[_VOID_ROLE + (((role * 6 + phase) * 4 + whose) * 4 + act) * 3 + points]
                    + risked
                )
        return self.weights.void.setdefault(scene, row)
