"""Follows of simulated seats to a single card."""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.leading import SIDE_SUITS, Leading
from workers.ai.simulation.selection import cheap, cheapest, distinct
from workers.ai.simulation.tables import BEATEN, LENGTH, PHASE, STAKE, TRUMP_LENGTH
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Score and index of a follow, and whether it wins so far.
Option = tuple[float, int, bool]

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
        #: Seat -> the seats after it, in order of play.
        self._after = [tuple((seat + step) % players for step in range(1, players)) for seat in range(players)]
        #: Cards of a suit -> result of `cheap`.
        self._gifts: dict[tuple[int, ...], list[int]] = {}

    def _single(self, world: World, trick: Trick, seat: int) -> tuple[int, bool]:
        """Return the card with which a seat follows a single card, and whether it wins so far."""
        group = trick.lead.group
        suit = world.hands[seat][group]
        if not suit:
            world.voids[seat] |= 1 << group
        elif suit[0] == suit[-1]:
            return suit[0], self._beats(trick, suit[0])
        if world.calls:
            called = self.called(world, seat, group)
            if called >= 0:
                return called, self._beats(trick, called)
        luck, at = self.luck, self._lucky(world, trick.size, seat)
        best, wins, most = -1, False, -inf
        for score, card, takes in self.singles(world, trick, seat):
            lucky = score + luck[at + card]
            if lucky > most:
                best, wins, most = card, takes, lucky
        return best, wins

    def singles(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a single card, with their scores."""
        hand, group = world.hands[seat], trick.lead.group
        scene = self._scene_of(world, trick, seat)
        if hand[group]:
            return self._of_suit(hand[group], world.left[group], trick, scene)
        return self._void(world, hand, trick, scene)

    def _cheap(self, cards: list[int]) -> list[int]:
        """Return `cheap` of the cards, cached."""
        key = tuple(cards)
        return self._gifts.get(key) or self._gifts.setdefault(key, cheap(cards, self.points))

    def _beats(self, trick: Trick, index: int) -> bool:
        """Return whether identical cards, as many as were led, win so far."""
        best = trick.best[0]
        group, standing = self.group[index], self.group[best]
        return self.level[index] > self.level[best] if group == standing else group == TRUMPS

    def _to_come(self, to_come: int) -> int:
        """Return the column of the number of seats still to play, including this one."""
        if to_come > 4:
            return 3
        return (to_come + 1) // 2 if self.game.players > 4 and to_come > 1 else to_come - 1

    def _scene_of(self, world: World, trick: Trick, seat: int) -> Scene:
        """Return the scene of a decision."""
        lead, best, to_come = trick.lead.group, trick.best[0], trick.to_come
        mine, sides, voids, out = world.declarers[seat], world.open_declarers, world.voids, world.left[lead]
        trumped = self.group[best] != lead
        if mine != sides[trick.best_seat]:
            whose = THEIRS
        elif to_come == 1 or trumped:
            whose = OURS_SURE
        else:
            whose = OURS_HIGHEST if not out or self.level[best] >= self.level[out[-1]] else OURS
        risk = helped = foes = 0
        if to_come > 1:
            follows = 2 if len(out) < 2 * (self.game.players - 1) else 1
            for later in self._after[seat][: to_come - 1]:
                void = voids[later]
                foe = sides[later] != mine
                foes += foe
                if not void >> lead & 1:
                    if foe:
                        risk = max(risk, follows)
                    elif not helped:
                        helped = 1
                elif lead != TRUMPS and not void >> TRUMPS & 1:
                    if foe:
                        risk = 3
                    else:
                        helped = 2
        return (
            lead == TRUMPS,
            whose,
            self._to_come(to_come),
            STAKE[trick.points],
            PHASE[trick.size],
            risk,
            helped,
            world.role(seat),
            min(foes, 3),
        )

    def _of_suit(self, suit: list[int], out: list[int], trick: Trick, scene: Scene) -> list[Option]:
        level, columns = self.level, self.column
        trumps, to_come, phase = scene[0], scene[2], scene[4]
        beaten = 99 if self.group[trick.best[0]] != trick.lead.group else level[trick.best[0]]
        cards = self._cheap(suit)
        if level[suit[-1]] > beaten:
            winners = [card for card in suit if level[card] > beaten]
            cards = distinct([*cards, winners[-1], winners[0], winners[(len(winners) - 1) // 2]])
        row = self.weights.suit.get(scene) or self._suit_row(scene)
        weights, highest, number = self.weights.each, level[out[-1]], len(out)
        beaten_at = _SUIT_BEATEN + (trumps * 4 + to_come) * 48 + LENGTH[len(suit)] * 2
        breaks = _SUIT_BREAKS + (trumps * 6 + phase) * 5
        options: list[Option] = []
        for card in cards:
            points = columns[card]
            wins = level[card] > beaten
            if wins:
                act = WIN_LAST if trick.to_come == 1 else WIN_HIGHEST if level[card] >= highest else WIN_SO_FAR
            else:
                act = LOSE_POINTS if points else LOSE
            beaten_by = BEATEN[number - bisect_right(out, card)]
            score = row[act * 3 + points] + weights[beaten_at + beaten_by * 8 + wins]
            if suit.count(card) > 1:
                score += weights[breaks + act]
            options.append((score, card, wins))
        return options

    def _suit_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of following suit in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, helped, role, foes = scene
        place = trumps * 4 + whose
        row = [
            weights[_SUIT_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
            + weights[_SUIT_POINTS + ((place * 3 + points) * 5 + act) * 4 + to_come]
            + weights[_SUIT_PHASE + (trumps * 6 + phase) * 5 + act]
            + weights[_SUIT_RISK + ((act * 4 + risk) * 4 + whose) * 3 + points]
            + weights[_SUIT_MATES + ((act * 3 + helped) * 4 + at_stake) * 2 + trumps]
            + weights[_SUIT_FOES + (((role * 4 + foes) * 4 + whose) * 5 + act) * 3 + points]
            + weights[_SUIT_ROLE + (((role * 6 + phase) * 4 + whose) * 5 + act) * 3 + points]
            for act in range(5)
            for points in range(3)
        ]
        return self.weights.suit.setdefault(scene, row)

    def _void(self, world: World, hand: IndexHand, trick: Trick, scene: Scene) -> list[Option]:
        trumps_led, whose, to_come, at_stake, phase, risk, _, role, foes = scene
        trumps, trumped = hand[TRUMPS], self.group[trick.best[0]] != trick.lead.group
        # By who wins: a trick ruffed by foes is harder to win; one of a mate may still be ruffed.
        whose = (int(trumped), 2, 2, OURS_SURE)[whose]
        # Possible acts of mates make no difference here, so there is a single row.
        scene = (trumps_led, whose, to_come, at_stake, phase, risk, 0, role, foes)
        row = self.weights.void.get(scene) or self._void_row(scene)
        discards = self._discards(hand, world.left, row, phase)
        if trumps_led or not trumps:
            return discards
        level = self.level
        over = level[trick.best[0]] if trumped else -1
        higher = [card for card in trumps if level[card] > over]
        ruffs: list[tuple[int, int, bool]] = []
        if higher:
            cards = distinct([*self._cheap(higher), higher[-1], higher[(len(higher) - 1) // 2]])
            ruffs = [(card, OVERRUFF if trumped else RUFF, True) for card in cards]
        if not discards and (card := cheapest(trumps, self.points)) not in [other for other, _, _ in ruffs]:
            ruffs.append((card, GIVE, False))
        weights, columns, out = self.weights.each, self.column, world.left[TRUMPS]
        price = _VOID_TRUMP + phase * 36 + TRUMP_LENGTH[len(trumps)]
        risked = _VOID_RISK + (risk * 4 + whose) * 6
        options: list[Option] = []
        for card, act, wins in ruffs:
            beaten = BEATEN[len(out) - bisect_right(out, card)]
            score = row[act * 3 + columns[card]] + weights[price + beaten * 6]
            if trumps.count(card) > 1:
                score += weights[_VOID_BREAKS + act * 6 + phase]
            options.append((score + weights[risked + act * 96 + beaten] if act >= RUFF else score, card, wins))
        return options + discards

    def _discards(self, hand: IndexHand, left: list[list[int]], row: Sequence[float], phase: int) -> list[Option]:
        """Return side cards to discard, with their scores; `row`: see `_void_row`."""
        columns, weights = self.column, self.weights.each
        options: list[Option] = []
        for group in SIDE_SUITS:
            suit = hand[group]
            if suit:
                out = left[group]
                price = _VOID_GIVEN + phase * 48 + min(3, len(suit) - 1) * 2 + bool(hand[TRUMPS])
                for card in self._cheap(suit):
                    points = columns[card]
                    # The columns without points are those of GIVE, the others those of GIVE_POINTS.
                    score = row[3 + points if points else 0]
                    if suit.count(card) > 1:
                        score += weights[_VOID_BREAKS + (6 if points else 0) + phase]
                    options.append(
                        (score + weights[price + BEATEN[len(out) - bisect_right(out, card)] * 8], card, False)
                    )
        return options

    def _void_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of ruffing and discarding in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, risk, _, role, foes = scene
        place = trumps * 4 + whose
        row = [
            weights[_VOID_STAKE + ((place * 4 + to_come) * 4 + act) * 4 + at_stake]
            + weights[_VOID_POINTS + ((place * 3 + points) * 4 + act) * 4 + to_come]
            + weights[_VOID_PHASE + act * 6 + phase]
            + weights[_VOID_FOES + (((role * 4 + foes) * 4 + whose) * 4 + act) * 3 + points]
            + weights[_VOID_ROLE + (((role * 6 + phase) * 4 + whose) * 4 + act) * 3 + points]
            # The fate of a ruff depends on its card.
            + (weights[_VOID_RISK + ((act * 4 + risk) * 4 + whose) * 6 + points] if act < RUFF else 0.0)
            for act in range(4)
            for points in range(3)
        ]
        return self.weights.void.setdefault(scene, row)
