"""Choosing the cards to bury by simulation."""

from random import Random

from service.rules.cards import KIND, counts_of
from workers.ai.heuristics.calling import call
from workers.ai.knowledge.seat import Sight, View, deck_counts
from workers.ai.search.searching import Simulation
from workers.ai.simulation.world import Call, World


class Discards(Simulation):
    """The worlds of a seat that has to bury cards, and what that is worth in them.

    In games of friends, the seat then calls what its rules call.
    """

    def __init__(self, view: View, sight: Sight, random: Random) -> None:
        super().__init__(view, sight, random)
        self._deck = deck_counts(view)
        self._calls_after: dict[tuple[int, ...], list[Call]] = {}

    def value(self, world: World, slots: list[int]) -> float:
        """Return what burying these slots is worth in a world to this seat's side, in levels."""
        world = world.copy()
        seat, game = self.sight.seat, self.game
        self.playout.remove(world, seat, slots)
        world.kitty = game.slots.kinds_of(slots)
        if game.declarer >= 0:
            world.calls, world.shown, world.seen = self._called(slots)[:], world.shown[:], {}
            world.find_friends(game)
        worth = self.playout.run(world, seat)
        return -worth if world.shown[seat] else worth

    def _called(self, slots: list[int]) -> list[Call]:
        key, game = tuple(slots), self.game
        if key not in self._calls_after:
            buried = counts_of(game.slots.kinds_of(slots))
            hand = [held - gone for held, gone in zip(self.sight.hand, buried, strict=True)]
            calls = call(hand, buried, self.sight.order, self._deck, game.cards.calls, game.options["call_cards"])
            self._calls_after[key] = [Call(game.slots.slot[KIND[each["card"]]], each["ordinal"]) for each in calls]
        return self._calls_after[key]
