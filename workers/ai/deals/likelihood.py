"""The likelihood of the plays so far, given the hands of a possible deal.

Simulated seats choose about like `normal`, so their weights give the probability that a seat with a given hand makes a
play. A seat chooses by its hand and public information, so hands are judged independently.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import fsum, log
from typing import Any, Final, NamedTuple

from service.rules.tricks.inferences import inferred
from workers.ai.deals.past import SeenTrick, tricks_of
from workers.ai.simulation import real
from workers.ai.simulation.hands import Planes, add, drop, planes_of
from workers.ai.simulation.playout import Playout
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import World, calls_of

#: Probability of a play that simulated seats would not make, and the number of such plays assumed.
_ODD: Final = 0.02
_ODD_PLAYS: Final = 6


class Moment(NamedTuple):
    """A play, and the public information before it.

    Attributes:
        cards: indices, ascending.
        world: the world with empty hands; the seat's hand is filled in when the play is judged.
        trick: the trick before the play; None: the seat led.
        telling: whether simulated seats choose such plays by weights.
    """

    cards: list[int]
    world: World
    trick: Trick | None
    telling: bool


class Likelihood:
    """Computes the likelihood of the plays of a round.

    Attributes:
        telling: number of informative plays.

    Args:
        view: view of a seat.
        playout: playout of the game.
        left: cards not played.
    """

    def __init__(self, view: Mapping[str, Any], playout: Playout, left: Sequence[int]) -> None:
        self.playout, self.depth = playout, playout.depth
        seats = range(len(view["seats"]))
        self._moments: list[list[Moment]] = [[] for _ in seats]
        self._known: dict[tuple[int, ...], float] = {}
        self._hand = array("Q", [0] * self.depth)
        me: int = view["my"]["seat"]
        for seat, moment in self._moments_of(view, left):
            if seat != me:
                self._moments[seat].append(moment)
        for moments in self._moments:
            moments.reverse()
        self.telling = sum([moment.telling for moments in self._moments for moment in moments])

    def _moments_of(self, view: Mapping[str, Any], left: Sequence[int]) -> Iterator[tuple[int, Moment]]:
        """Yield seats with their plays, in order."""
        tricks, game = tricks_of(view), self.playout.game
        indices_of, players = game.indices.indices_of, game.players
        held = [place["hand_count"] for place in view["seats"]]
        before = list(left)
        for seat, cards in chain.from_iterable([trick.plays for trick in tricks]):
            held[seat] += len(cards)
            before += indices_of(cards)
        sides = [place["side"] == "declarers" for place in view["seats"]]
        if game.declarer >= 0:
            sides = [seat == game.declarer for seat in range(players)]
        calls = calls_of(view["round"]["calls"] or (), game.indices)
        store = planes_of([[] for _ in held] + [before], self.depth) + array("Q", [0] * len(game.indices.suits))
        world = World(
            store,
            players,
            self.depth,
            [0] * players,
            sum([is_open << seat for seat, is_open in enumerate(sides)]),
            calls,
            {},
        )
        for trick in tricks:
            yield from self._trick(trick, world, held[trick.plays[0][0]])
            for seat, cards in trick.plays:
                held[seat] -= len(cards)

    def _trick(self, past: SeenTrick, world: World, size: int) -> Iterator[tuple[int, Moment]]:
        """Yield the plays of a trick, and update the world; `size`: number of cards in the leader's hand."""
        playout, trick = self.playout, None
        rules, indices, players = playout.rules, playout.game.indices, playout.game.players
        for number, (seat, kinds) in enumerate(past.plays):
            cards = indices.indices_of(kinds)
            if trick is None:
                yield seat, Moment(cards, world.copy(), None, not past.forced)
                trick = Trick(rules.lead(kinds), cards, seat, 0, seat, players - 1, size)
            else:
                trick.seat, trick.to_come = seat, players - number
                yield seat, Moment(cards, world.copy(), trick.copy(), playout.weighs(trick.lead))
                if rules.beats(trick.lead, indices.kinds_of(trick.best), kinds):
                    trick.win(cards, seat)
                if inferred(indices.order, rules.duty, trick.lead, kinds).void:
                    world.store[world.voids + trick.lead.group] |= 1 << seat
            for index in cards:
                drop(world.store, world.left, self.depth, index)
                trick.points += indices.points[index]
            for index in {call.card for call in world.calls} & set(cards):
                world.called_played(playout.game, seat, index, cards.count(index))

    def of(self, planes: Planes) -> float:
        """Return the log-likelihood of all plays so far, given the planes of the current hands."""
        total, depth = 0.0, self.depth
        for seat, moments in enumerate(self._moments):
            if moments:
                key = (seat, *[planes[at] for at in range(seat * depth, seat * depth + depth)])
                value = self._known.get(key)
                if value is None:
                    value = self._known[key] = self._of_seat(seat, planes)
                total += value
        return total

    def _of_seat(self, seat: int, planes: Planes) -> float:
        """Return the log-likelihood of the plays of a seat, given the planes of the current hands."""
        depth, hand = self.depth, self._hand
        at = seat * depth
        for plane in range(depth):
            hand[plane] = planes[at + plane]
        total = 0.0
        for cards, world, trick, telling in self._moments[seat]:
            for index in cards:
                add(hand, 0, depth, index)
            if telling:
                for plane in range(depth):
                    world.planes[at + plane] = hand[plane]
                total += log((1.0 - _ODD) * self._chance(seat, cards, world, trick) + _ODD / _ODD_PLAYS)
        return total

    def _chance(self, seat: int, cards: list[int], world: World, trick: Trick | None) -> float:
        """Return the probability that a simulated seat makes a play with its hand in a moment's world."""
        playout = self.playout
        if world.calls:
            world.find_friends(playout.game)
            if trick is None or trick.lead.size == 1:
                called = playout.called(world, seat, -1 if trick is None else trick.lead.group)
                if called >= 0:
                    return 1.0 if cards == [called] else 0.0
        options: Any
        is_single = trick is not None and trick.number == 1
        if trick is None:
            options = playout.leads(world, seat)
        else:
            options = playout.singles(world, trick, seat) if is_single else playout.pairs(world, trick, seat)
        most: float = max([option[0] for option in options])
        weights: list[float] = []
        of_play: list[float] = []
        for option in options:
            weight = real.exp(option[0] - most)
            weights.append(weight)
            play = option[1]
            if trick is None:
                is_play = len(play) == len(cards) and sorted(play) == cards
            else:
                is_play = play == (cards[0] if is_single else cards)
            if is_play:
                of_play.append(weight)
        return fsum(of_play) / fsum(weights)
