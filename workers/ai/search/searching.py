"""Choosing a play by simulation: the rules nominate, possible deals decide.

The rule player proposes a play and some others. All are played out on the same possible deals, and the best one is
compared with the proposal on fresh deals. It is played only if its gain is significant.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, Protocol

from service.common.errors import IllegalPlay
from service.rules.cards import KIND, kinds_of
from service.rules.options.rulesets import RULESETS, composition
from service.rules.tricks.inferences import inferred
from workers.ai.candidates.following import Play
from workers.ai.deals.beliefs import Beliefs, load
from workers.ai.deals.dealing import Deal, DealConstraints, Dealer
from workers.ai.deals.likelihood import Likelihood
from workers.ai.deals.past import knows_all
from workers.ai.knowledge.seat import Knowledge, View, open_calls, revealed_in
from workers.ai.simulation import tables
from workers.ai.simulation.card_indices import indices_for
from workers.ai.simulation.hands import Planes, planes_of
from workers.ai.simulation.playout import Playout
from workers.ai.simulation.trick import Trick
from workers.ai.simulation.world import Game, World, calls_of

#: Interval in worlds at which plays that have fallen behind are dropped; fewest worlds of a nomination and of a
#: confirmation; lag of a dropped play in standard errors.
_LOOK_EVERY = 8
_LEAST = 4
_CONFIRM_LEAST = 8
_CLEARLY = 2.0
#: Share of the work reserved for the confirmation.
_KEPT = 0.4
#: Weight of a nomination world in the confirmation: less than of a fresh one, since it selected the play.
_FOUND = 0.5
#: Number of dealt cards that cost as much work as one simulated play.
_DEALT = 4
#: Standard errors below zero at which the confirmation of a gain is given up.
_HOPELESS = 1.5
#: Number of deals from which a thorough search picks each world.
_DEALS = 4
#: Exponent on the likelihood of a deal, since nobody plays exactly like simulated seats.
_TRUST = 0.5
#: Offset between the luck of consecutive worlds.
_LUCK_APART = 1009
#: Cost in levels of a throw that ends the round.
_STOPPED = 3.0


@dataclass(frozen=True)
class Effort:
    """The work for a play.

    Attributes:
        candidates: most compared plays.
        nominate: number of deals on which they are compared.
        confirm: number of fresh deals on which the best one is compared with the rule player's.
        surety: standard errors by which the gain must exceed zero.
        plays: most simulated plays (one seat, one single card) in total; with more seats there are fewer deals.
        arms: the same in Arm's Length.
        thorough: whether each world is sampled from several by the likelihood of the plays so far, simulated seats
            choose randomly, and a seat that cannot follow suit compares more plays. Worlds then take longer, and more
            are needed.
    """

    candidates: int
    nominate: int
    confirm: int
    surety: float
    plays: int
    arms: int = 0
    thorough: bool = False

    def scaled(self, share: float) -> "Effort":
        """Return an effort with a share of the work."""
        return replace(self, plays=int(self.plays * share), arms=int(self.arms * share))


class Found(NamedTuple):
    """The outcome of a search.

    Attributes:
        play: the best play.
        gain: its gain over the rule player's in levels; 0.0 if that is the best.
        worlds: number of simulated deals.
        others: other compared plays, best first, each with its gain over `play` in levels.
    """

    play: Play
    gain: float
    worlds: int
    others: Sequence[tuple[Play, float]] = ()


class Simulated(Protocol):
    """The possible worlds of a view, and the values of plays in them."""

    @property
    def work(self) -> int:
        """Work done so far, in simulated plays of single cards."""

    def indices_of(self, play: Play) -> list[int]:
        """Return a play in the form that the simulation uses."""

    def world(self) -> Any:
        """Return a possible world."""

    def value(self, world: Any, indices: list[int]) -> float:
        """Return the value of a play in a world for this seat's side."""


def game_of(view: View, knowledge: Knowledge) -> Game:
    """Return the constants of the round of a view."""
    table_round = view["round"]
    return Game(
        view["ruleset"],
        knowledge.options,
        composition(view["ruleset"], len(view["seats"]), knowledge.options),
        knowledge.rules,
        indices_for(knowledge.order),
        knowledge.players,
        table_round["declarer"] if RULESETS[view["ruleset"]].teams == "friends" else -1,
        bool(table_round["kitty"]["revealed"]),
        (),
    )


def known_of(view: View, knowledge: Knowledge, game: Game) -> DealConstraints:
    """Return a seat's knowledge of the hidden cards."""
    table_round, indices = view["round"], game.indices
    most = dict(knowledge.alike)
    holds = {int(seat): kinds_of(cards) for seat, cards in revealed_in(view, "holds").items()}
    _hear_trick(table_round["trick"], knowledge, most, holds)
    pool = list(knowledge.probabilities.pool)
    kitty = table_round["kitty"]
    buried = kinds_of(view["my"]["discard"] or (kitty["cards"] if kitty["revealed"] else ()))
    if buried and not view["my"]["discard"]:
        for kind in buried:
            pool[kind] -= 1
    return DealConstraints(
        indices,
        knowledge.seat,
        knowledge.hand,
        pool,
        knowledge.held,
        0 if buried else kitty["count"],
        buried,
        knowledge.voids,
        most,
        holds,
    )


def _hear_trick(
    trick: Any, knowledge: Knowledge, most: dict[tuple[int, int], int], holds: dict[int, list[int]]
) -> None:
    """Add what the plays on the table tell: `most` alike cards of a suit, and cards that a seat `holds`."""
    for number, play in enumerate(trick["plays"] if trick else ()):
        cards = kinds_of(play["cards"])
        for kind in cards:
            if kind in holds.get(play["seat"], ()):
                holds[play["seat"]].remove(kind)
        if number and knowledge.lead:
            heard = inferred(knowledge.order, knowledge.rules.duty, knowledge.lead, cards)
            if heard.most_alike is not None:
                at = (play["seat"], knowledge.lead.group)
                most[at] = min(heard.most_alike, most.get(at, heard.most_alike))
        elif play["throw"] and not play["throw"]["ok"]:
            left = kinds_of(play["throw"]["cards"])
            for kind in cards:
                left.remove(kind)
            holds[play["seat"]] = left


class Simulation:
    """The worlds of a view, and the values of plays in them.

    Args:
        view: view of the seat.
        knowledge: the seat's knowledge.
        random: random generator.
        thorough: see `Effort`.
    """

    def __init__(self, view: View, knowledge: Knowledge, random: Random, *, thorough: bool = False) -> None:
        self.knowledge = knowledge
        self.game = game_of(view, knowledge)
        self.known = known_of(view, knowledge, self.game)
        self.playout = Playout(self.game, luck=tables.BY_CHANCE if thorough else tables.STEADY)
        beliefs = Beliefs(view, self.game.indices, self.known.pool, load(self.game.weights))
        self.dealer = Dealer(self.known, random, beliefs)
        indices = self.game.indices
        self._taken: list[int] = [place["points"] for place in view["seats"]]
        self._open_declarers = sum([(place["side"] == "declarers") << at for at, place in enumerate(view["seats"])])
        calls = open_calls(view)
        self._calls = calls_of(calls, indices)
        played = dict(view["round"]["played"])
        self._called_counts = {indices.index[KIND[call["card"]]]: played.get(call["card"], 0) for call in calls}
        self._deal_work = sum(self.known.pool) // _DEALT
        self._random, self._worlds = random, 0
        self._likelihood: Likelihood | None = None
        left = self.dealer.own + indices.listed(self.known.pool)
        if thorough and knows_all(view):
            self._likelihood = Likelihood(view, self.playout, left)
        #: What everybody knows of a world; see `World.planes`.
        voids = [
            sum([(of_seat >> group & 1) << seat for seat, of_seat in enumerate(knowledge.voids)])
            for group in range(len(indices.suits))
        ]
        self._public = planes_of([left], self.game.depth) + array("Q", voids)
        self.trick: Trick | None = None
        if knowledge.lead is not None:
            best = indices.indices_of(knowledge.best)
            to_come = knowledge.players - len(knowledge.plays)
            self.trick = Trick(
                knowledge.lead, best, knowledge.best_seat, knowledge.points, knowledge.seat, to_come, knowledge.size
            )

    @property
    def work(self) -> int:
        """Work done so far, in simulated plays of single cards."""
        return self.playout.work

    def indices_of(self, play: Play) -> list[int]:
        """Return the indices of a play."""
        return self.game.indices.indices_of(play)

    def world(self) -> World:
        """Return a possible world."""
        deal, hands = self._deal()
        self._worlds += 1
        world = World(
            hands + self._public,
            self.game.players,
            self.game.depth,
            self._taken,
            self._open_declarers,
            self._calls,
            self._called_counts,
            _LUCK_APART * self._worlds,
        )
        world.bury(deal.kitty)
        if self._calls:
            world.find_friends(self.game)
        return world

    def _deal(self) -> tuple[Deal, Planes]:
        """Return a deal and the planes of its hands; deals that explain the plays so far better are more frequent."""
        likelihood, depth = self._likelihood, self.game.depth
        if likelihood is None:
            self.playout.work += self._deal_work
            deal = self.dealer.deal()
            return deal, planes_of(deal.hands, depth)
        deals = [self.dealer.deal() for _ in range(_DEALS)]
        self.playout.work += _DEALS * (self._deal_work + likelihood.telling)
        planes = [planes_of(deal.hands, depth) for deal in deals]
        logs = [likelihood.of(hands) for hands in planes]
        most = max(logs)
        number = self._random.choices(range(_DEALS), [exp(_TRUST * (each - most)) for each in logs])[0]
        return deals[number], planes[number]

    def value(self, world: World, indices: list[int]) -> float:
        """Return the value of a play in a world for this seat's side, in levels."""
        world = world.copy()
        seat, playout = self.knowledge.seat, self.playout
        try:
            if self.trick is None:
                trick = playout.led(world, seat, indices)
            else:
                trick = self.trick.copy()
                if playout.wins(trick, indices):
                    trick.win(indices, seat)
                trick.points += sum([self.game.indices.points[index] for index in indices])
                playout.remove(world, seat, indices)
                trick.seat, trick.to_come = (seat + 1) % self.game.players, trick.to_come - 1
            value = playout.run(world, seat, trick)
        except IllegalPlay:
            return -_STOPPED
        return -value if world.is_open(seat) else value


def search(simulation: Simulated, plays: Sequence[Play], effort: Effort, handicaps: Sequence[float] = ()) -> Found:
    """Return the best of the plays, which are in the rule player's order of preference.

    Args:
        simulation: simulation of the view.
        plays: kinds; at least one.
        effort: limits of the work.
        handicaps: gain in levels that each play needs over the first to count as better; empty: none.
    """
    indices = [simulation.indices_of(play) for play in plays[: effort.candidates]]
    if len(indices) == 1:
        return Found(plays[0], 0.0, 0)
    handicaps = handicaps or [0.0] * len(indices)
    end = simulation.work + effort.plays
    best, values = _nominated(simulation, indices, handicaps, effort.nominate, end - int(_KEPT * effort.plays))
    done = len(values[best])
    if best == 0:
        return Found(plays[0], 0.0, done, _others(plays, values, 0))
    gains = [one - other for one, other in zip(values[best], values[0], strict=True)]
    gain, error, worlds = _confirmed(simulation, indices[best], indices[0], gains, handicaps[best], effort.confirm, end)
    if gain - handicaps[best] - effort.surety * error > 0:
        return Found(plays[best], gain, done + worlds, _others(plays, values, best))
    return Found(plays[0], 0.0, done + worlds, _others(plays, values, 0))


def _others(plays: Sequence[Play], values: Sequence[Sequence[float]], best: int) -> list[tuple[Play, float]]:
    """Return the plays other than the best with their mean gain over it in levels, sorted by that gain."""
    gains = [
        (plays[number], fmean(one - other for one, other in zip(of_option, values[best], strict=False)))
        for number, of_option in enumerate(values)
        if number != best
    ]
    return sorted(gains, key=lambda other: -other[1])


def _nominated(
    simulation: Simulated, indices: list[list[int]], handicaps: Sequence[float], most: int, end: int
) -> tuple[int, list[list[float]]]:
    """Return the best play in common worlds, and the values of all plays in each world.

    Plays that fall clearly behind are dropped, except the first, so that close ones are compared in more worlds.

    Args:
        simulation: simulation of the view.
        indices: the plays.
        handicaps: see `search`.
        most: maximum number of worlds.
        end: work of the simulation after which no new world is begun.
    """
    values: list[list[float]] = [[] for _ in indices]
    left = list(range(len(indices)))
    worlds = 0

    def rank(number: int) -> tuple[float, int]:
        return sum(values[number]) - worlds * handicaps[number], -number

    while len(left) > 1 and worlds < most and (worlds < _LEAST or simulation.work < end):
        world = simulation.world()
        for number in left:
            values[number].append(simulation.value(world, indices[number]))
        worlds += 1
        if worlds % _LOOK_EVERY == 0:
            leader = max(left, key=rank)
            left = [number for number in left if not number or not _behind(values[number], values[leader])]
    return max(left, key=rank), values


def _behind(values: Sequence[float], leader: Sequence[float]) -> bool:
    """Return whether a play is clearly worse than another in the same worlds."""
    number = len(values)
    gains = [one - other for one, other in zip(leader, values, strict=True)]
    mean = sum(gains) / number
    variance = max(0.0, sum([gain * gain for gain in gains]) / number - mean * mean)
    return mean > _CLEARLY * float((variance / (number - 1)) ** 0.5) + 1e-9


def _confirmed(
    simulation: Simulated,
    better: list[int],
    usual: list[int],
    gains: Sequence[float],
    handicap: float,
    most: int,
    end: int,
) -> tuple[float, float, int]:
    """Return the mean gain of one play over another, its standard error, and the number of fresh worlds.

    Stops early when the fresh worlds are enough to decide whether the gain exceeds the handicap.

    Args:
        simulation: simulation of the view.
        better, usual: the plays.
        gains: gains in the worlds of the nomination.
        handicap: see `search`.
        most, end: see `_nominated`.
    """
    total = squares = 0.0
    worlds = 0
    while True:
        world = simulation.world()
        gain = simulation.value(world, better) - simulation.value(world, usual)
        total += gain
        squares += gain * gain
        worlds += 1
        over = worlds >= most or (worlds >= _CONFIRM_LEAST and simulation.work >= end)
        if worlds % 16 == 0 or over:
            mean, error = _mean(total, squares, worlds)
            if over or mean - handicap > 3.0 * error or mean - handicap + _HOPELESS * error < 0:
                break
    total += _FOUND * sum(gains)
    squares += _FOUND * sum([gain * gain for gain in gains])
    return (*_mean(total, squares, worlds + _FOUND * len(gains)), worlds)


def _mean(total: float, squares: float, number: float) -> tuple[float, float]:
    """Return the mean of values and its standard error, given their sum and sum of squares."""
    mean = total / number
    return mean, (max(1e-9, squares / number - mean * mean) / max(1.0, number - 1)) ** 0.5
