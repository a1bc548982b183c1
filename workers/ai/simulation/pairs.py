"""Follows of simulated seats to a pair."""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.selection import cheapest, discard, distinct, most_points, pairs_in, several
from workers.ai.simulation.singles import OURS, OURS_SURE, THEIRS, Singles
from workers.ai.simulation.tables import BEATEN, LASTS, LENGTH, PHASE, STAKE
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World

#: Score and indices of a follow, and whether they win so far.
Option = tuple[float, list[int], bool]

#: Properties shared by all follows of a decision, as columns of the tables: whether trumps were led; who wins so far;
#: number of later seats; points of the trick; phase of the round; role of the seat (`World.role`).
Scene = tuple[bool, int, int, int, int, int]

_AT = tables.first_of()
_STAKE, _POINTS, _BEATEN = _AT["pair stake"], _AT["pair points"], _AT["pair beaten"]
_PHASE, _GIVEN, _ROLE = _AT["pair phase"], _AT["pair given"], _AT["pair role"]
#: Effect of the cards: lose, lose points, win in suit, win by a ruff.
LOSE, LOSE_POINTS, WIN, RUFF = range(4)
#: Offset between the luck of two pairs of cards that differ in the second one: more than the indices of a suit.
_SECOND = 17


def _different(plays: Sequence[list[int]]) -> list[list[int]]:
    """Return pairs of cards without repetitions, each ascending."""
    different: list[list[int]] = []
    for play in plays:
        if play[0] > play[1]:
            play.reverse()
        if play not in different:
            different.append(play)
    return different


class Pairs(Singles):
    """Follows pairs in the worlds of one game."""

    def __init__(
        self, game: Game, weights: tables.Weights | None = None, luck: Sequence[float] = tables.STEADY
    ) -> None:
        super().__init__(game, weights, luck)
        #: Cards of the suit led -> possible follows.
        self._answers: dict[tuple[int, ...], list[list[int]]] = {}

    def _pair(self, world: World, trick: Trick, seat: int) -> tuple[list[int], bool]:
        """Return the cards with which a seat follows a pair, and whether they win so far."""
        group = trick.group
        suit = world.hands[seat][group]
        if len(suit) < 2:
            world.voids[seat] |= 1 << group
        elif len(suit) == 2:
            return suit[:], suit[0] == suit[1] and self._beats(trick, suit[0])
        best: tuple[list[int], bool] = ([], False)
        steady, luck, at = self.steady, self.luck, self._lucky(world, trick.size, seat)
        most = -inf
        for score, cards, wins in self.pairs(world, trick, seat):
            lucky = score if steady else score + luck[at + (cards[0] + _SECOND * cards[1]) % LASTS]
            if lucky > most:
                best, most = (cards, wins), lucky
        return best

    def pairs(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a pair, with their scores."""
        hand, points, group_of, lead = world.hands[seat], self.points, self.group, trick.group
        suit, left = hand[lead], world.left
        if len(suit) < 2:
            plays = self._short(hand, suit, trick)
        else:
            key = tuple(suit)
            plays = self._answers.get(key) or self._answers.setdefault(key, _different(self._in_suit_pairs(suit)))
        if world.calls:
            called = self.called(world, seat, lead)
            if called >= 0:
                plays = _different(self._joining(hand, suit, called)) or plays
        row, weights, ruffs = self._pair_scores(world, trick, seat), self.weights.each, 1 if hand[TRUMPS] else 0
        options: list[Option] = []
        for cards in plays:
            one, other = cards
            wins = one == other and self._beats(trick, one)
            worth = points[one] + points[other]
            act = LOSE_POINTS if worth else LOSE
            if wins:
                act = WIN if len(suit) >= 2 else RUFF
            score = row[act * 5 + worth // 5]
            for index in cards:
                group = group_of[index]
                out, length = left[group], len(hand[group])
                beaten = BEATEN[len(out) - bisect_right(out, index)]
                if group in (TRUMPS, lead):
                    at = _BEATEN + ((6 if group == TRUMPS else 0) + beaten) * 4 + LENGTH[length]
                else:
                    at = _GIVEN + (beaten * 4 + (length - 1 if length < 4 else 3)) * 2 + ruffs
                score += weights[at]
            options.append((score, cards, wins))
        return options

    def _in_suit_pairs(self, suit: list[int]) -> list[list[int]]:
        points = self.points
        pairs = distinct(pairs_in(suit))
        if pairs:
            few = pairs if len(pairs) < 4 else [cheapest(pairs, points), most_points(pairs, points), pairs[-1]]
            return [[index, index] for index in few]
        plays: list[list[int]] = []
        for one in (cheapest(suit, points), most_points(suit, points)):
            rest = suit[:]
            rest.remove(one)
            plays += [[one, cheapest(rest, points)], [one, most_points(rest, points)]]
        return plays

    def _joining(self, hand: IndexHand, suit: list[int], called: int) -> list[list[int]]:
        """Return follows by which a seat joins the declarer; none if it has no choice or must play another pair."""
        points = self.points
        if pairs_in(suit):
            return [[called, called]] if suit.count(called) > 1 else []
        if len(suit) > 1:
            rest = [index for index in suit if index != called]
            return [[called, cheapest(rest, points)], [called, most_points(rest, points)]]
        others = [[index for index in cards if index != called] for cards in hand]
        if suit or not any(others):
            return []
        return [[called, discard(others, points, self.level, feed)] for feed in (False, True)]

    def _short(self, hand: IndexHand, suit: list[int], trick: Trick) -> list[list[int]]:
        points = self.points
        plays: list[list[int]] = []
        if not suit and trick.group != TRUMPS:
            higher = [index for index in distinct(pairs_in(hand[TRUMPS])) if self._beats(trick, index)]
            if higher:
                plays = [[index, index] for index in (higher[0], higher[-1], most_points(higher, points))]
        plays += [several(hand, suit[:], 2, points, self.level, feed) for feed in (False, True)]
        for group in range(0 if suit else TRUMPS):
            other = hand[group]
            if len(other) >= 2:
                one = cheapest(other, points)
                rest = other[:]
                rest.remove(one)
                plays.append([one, cheapest(rest, points)])
        return _different(plays)

    def _pair_scores(self, world: World, trick: Trick, seat: int) -> Sequence[float]:
        """Return the scores of following a pair in this decision, for each effect and column of points."""
        lead = trick.group
        if world.declarers[seat] != world.open_declarers[trick.best_seat]:
            whose = THEIRS
        else:
            whose = OURS_SURE if trick.to_come == 1 or self.group[trick.best[0]] != lead else OURS
        to_come = self._to_come[trick.to_come]
        scene = (lead == TRUMPS, whose, to_come, STAKE[trick.points], PHASE[trick.size], world.role(seat))
        return self.weights.pair.get(scene) or self._pair_row(scene)

    def _pair_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of following a pair in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, role = scene
        place = trumps * 4 + whose
        row = [0.0] * 20
        for act in range(4):
            for points in range(5):
                row[act * 5 + points] = (
                    weights[_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
                    + weights[_POINTS + ((place * 5 + points) * 5 + act) * 4 + to_come]
                    + weights[_PHASE + (act * 6 + phase) * 2 + trumps]
                    + weights[_ROLE + (((role * 4 + whose) * 4 + to_come) * 4 + act) * 5 + points]
                )
        return self.weights.pair.setdefault(scene, row)
