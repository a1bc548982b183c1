"""Choosing the cards to bury by simulation."""

from random import Random

from service.rules.cards import KIND, counts_of
from workers.ai.heuristics.calling import call
from workers.ai.knowledge.seat import Knowledge, View, deck_counts
from workers.ai.search.searching import Simulation
from workers.ai.simulation.world import Call, World


class Discards(Simulation):
    """The worlds of a seat that has to bury cards, and the values of choices in them.

    In games with friends, the seat then makes the calls of its rules.
    """

    def __init__(self, view: View, knowledge: Knowledge, random: Random) -> None:
        super().__init__(view, knowledge, random)
        self._deck = deck_counts(view)
        self._calls_after: dict[tuple[int, ...], list[Call]] = {}

    def value(self, world: World, indices: list[int]) -> float:
        """Return the value of burying these cards in a world for this seat's side, in levels."""
        world = world.copy()
        seat, game = self.knowledge.seat, self.game
        self.playout.remove(world, seat, indices)
        world.bury(game.indices.kinds_of(indices))
        if game.declarer >= 0:
            world.called_counts = {}
            world.call(self._called(indices)[:])
            world.find_friends(game)
        value = self.playout.run(world, seat)
        return -value if world.is_open(seat) else value

    def _called(self, indices: list[int]) -> list[Call]:
        key, game = tuple(indices), self.game
        if key not in self._calls_after:
            buried = counts_of(game.indices.kinds_of(indices))
            hand = [held - gone for held, gone in zip(self.knowledge.hand, buried, strict=True)]
            calls = call(hand, buried, self.knowledge.order, self._deck, game.cards.calls, game.options["call_cards"])
            self._calls_after[key] = [Call(game.indices.index[KIND[each["card"]]], each["ordinal"]) for each in calls]
        return self._calls_after[key]
