"""Follows of simulated seats to a pair."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf

from service.rules.trumps import TRUMPS
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import IndexHand
from workers.ai.simulation.selection import cheapest, discard, most_points, pairs_in, several
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
#: Points of two cards -> column.
_TWO = {0: 0, 5: 1, 10: 2, 15: 3, 20: 4}


def _different(plays: Iterable[list[int]]) -> list[list[int]]:
    """Return plays without repetitions, each ascending."""
    return [list(play) for play in dict.fromkeys([tuple(sorted(play)) for play in plays])]


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
        group = trick.lead.group
        suit = world.hands[seat][group]
        if len(suit) < 2:
            world.voids[seat] |= 1 << group
        elif len(suit) == 2:
            return suit[:], suit[0] == suit[1] and self._beats(trick, suit[0])
        best: tuple[list[int], bool] = ([], False)
        luck, at = self.luck, self._lucky(world, trick.size, seat)
        most = -inf
        for score, cards, wins in self.pairs(world, trick, seat):
            lucky = score + luck[at + (cards[0] + _SECOND * cards[1]) % LASTS]
            if lucky > most:
                best, most = (cards, wins), lucky
        return best

    def pairs(self, world: World, trick: Trick, seat: int) -> list[Option]:
        """Return the cards with which a seat may follow a pair, with their scores."""
        hand, points = world.hands[seat], self.points
        group = trick.lead.group
        suit = hand[group]
        if len(suit) < 2:
            plays = _different(self._short(hand, suit, trick))
        else:
            key = tuple(suit)
            plays = self._answers.get(key) or self._answers.setdefault(key, _different(self._in_suit_pairs(suit)))
        if world.calls:
            called = self.called(world, seat, group)
            if called >= 0:
                plays = _different(self._joining(hand, suit, called)) or plays
        score_of = self._pair_score(world, trick, seat)
        options: list[Option] = []
        for cards in plays:
            wins = cards[0] == cards[1] and self._beats(trick, cards[0])
            if wins:
                act = WIN if len(suit) >= 2 else RUFF
            else:
                act = LOSE_POINTS if points[cards[0]] or points[cards[1]] else LOSE
            options.append((score_of(cards, act), cards, wins))
        return options

    def _in_suit_pairs(self, suit: list[int]) -> Iterator[list[int]]:
        points = self.points
        pairs = sorted(set(pairs_in(suit)))
        if pairs:
            few = len(pairs) < 4
            for index in pairs if few else (cheapest(pairs, points), most_points(pairs, points), pairs[-1]):
                yield [index, index]
            return
        for first in (cheapest, most_points):
            one = first(suit, points)
            rest = suit[:]
            rest.remove(one)
            for second in (cheapest, most_points):
                yield [one, second(rest, points)]

    def _joining(self, hand: IndexHand, suit: list[int], called: int) -> Iterator[list[int]]:
        """Yield follows by which a seat joins the declarer; none if it has no choice or must play another pair."""
        points = self.points
        if pairs_in(suit):
            if suit.count(called) > 1:
                yield [called, called]
        elif len(suit) > 1:
            rest = [index for index in suit if index != called]
            for pick in (cheapest, most_points):
                yield [called, pick(rest, points)]
        elif not suit:
            others = [[index for index in cards if index != called] for cards in hand]
            for feed in (False, True) if any(others) else ():
                yield [called, discard(others, points, self.level, feed=feed)]

    def _short(self, hand: IndexHand, suit: list[int], trick: Trick) -> Iterator[list[int]]:
        points = self.points
        if not suit and trick.lead.group != TRUMPS:
            higher = [index for index in sorted(set(pairs_in(hand[TRUMPS]))) if self._beats(trick, index)]
            if higher:
                for index in (higher[0], higher[-1], most_points(higher, points)):
                    yield [index, index]
        for feed in (False, True):
            yield several(hand, suit[:], 2, points, self.level, feed=feed)
        for other in hand[:TRUMPS]:
            if not suit and len(other) >= 2:
                one = cheapest(other, points)
                rest = other[:]
                rest.remove(one)
                yield [one, cheapest(rest, points)]

    def _pair_score(self, world: World, trick: Trick, seat: int) -> Callable[[list[int], int], float]:
        """Return a function (cards, effect) -> score."""
        hand, lead, group_of, points_of = world.hands[seat], trick.lead.group, self.group, self.points
        trumps, to_come = lead == TRUMPS, self._to_come(trick.to_come)
        if world.declarers[seat] != world.open_declarers[trick.best_seat]:
            whose = THEIRS
        else:
            whose = OURS_SURE if trick.to_come == 1 or group_of[trick.best[0]] != lead else OURS
        scene = (trumps, whose, to_come, STAKE[trick.points], PHASE[trick.size], world.role(seat))
        row = self.weights.pair.get(scene) or self._pair_row(scene)
        weights, left, ruffs = self.weights.each, world.left, bool(hand[TRUMPS])

        def score_of(cards: list[int], act: int) -> float:
            score = row[act * 5 + _TWO[points_of[cards[0]] + points_of[cards[1]]]]
            for index in cards:
                group = group_of[index]
                out, length = left[group], len(hand[group])
                beaten = BEATEN[len(out) - bisect_right(out, index)]
                if group in (TRUMPS, lead):
                    score += weights[_BEATEN + ((group == TRUMPS) * 6 + beaten) * 4 + LENGTH[length]]
                else:
                    score += weights[_GIVEN + (beaten * 4 + min(3, length - 1)) * 2 + ruffs]
            return score

        return score_of

    def _pair_row(self, scene: Scene) -> Sequence[float]:
        """Return the scores of following a pair in this scene, for each effect and column of points."""
        weights = self.weights.each
        trumps, whose, to_come, at_stake, phase, role = scene
        place = trumps * 4 + whose
        row = [
            weights[_STAKE + ((place * 4 + to_come) * 5 + act) * 4 + at_stake]
            + weights[_POINTS + ((place * 5 + points) * 5 + act) * 4 + to_come]
            + weights[_PHASE + (act * 6 + phase) * 2 + trumps]
            + weights[_ROLE + (((role * 4 + whose) * 4 + to_come) * 4 + act) * 5 + points]
            for act in range(4)
            for points in range(5)
        ]
        return self.weights.pair.setdefault(scene, row)
