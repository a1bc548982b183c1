"""The plays that a simulated seat compares, with their scores."""

from array import array
from math import inf
from typing import Final

from workers.ai.simulation import tables
from workers.ai.simulation.hands import Picking
from workers.ai.simulation.tables import LASTS, LUCK
from workers.ai.simulation.world import Game, World

#: Most plays that a seat compares.
_MOST: Final = 128
#: Offset between the luck of two decisions.
_APART: Final = 97


class Options:
    """Holds the plays that a seat compares, and knows the cards of one game.

    Args:
        game: the game.
        weights: weights of the seats; None: those of the game.
        luck: numbers added to the scores of options: `tables.STEADY` or `tables.BY_CHANCE`.
    """

    def __init__(self, game: Game, weights: tables.Weights | None = None, luck: tables.Doubles = tables.STEADY) -> None:
        self.game, self.players, self.depth = game, game.players, game.depth
        self.weights = weights or tables.load(game.weights)
        indices = game.indices
        #: Index -> suit group, strength, card points, and column of these.
        self.group, self.level, self.points = (
            array("i", each) for each in (indices.group, indices.level, indices.points)
        )
        self.column = array("i", [tables.CARD_POINTS[points] for points in indices.points])
        #: Suit group -> its cards; index -> cards of the group with a higher index, and those that are stronger.
        self.suits, self.above, self.higher, self.equals = (
            indices.suits, indices.above, indices.higher, indices.equals,
        )  # fmt: skip
        self.rich, self.richest = indices.rich, indices.richest
        self.picking = Picking(self.depth, self.suits, self.rich, self.richest, self.level, self.points)
        self.picked = self.picking.picked
        self.luck = luck
        #: Whether luck makes no difference.
        self.steady = luck is tables.STEADY
        #: Number of options. For each: its score, and the place of its luck; a single card, or the lower one of a pair,
        #: and the higher one; the cards of a lead, and how many copies of each at most.
        self.number = 0
        self.scores = self.weights.pack([0.0] * _MOST)
        self.marks, self.cards, self.seconds, self.copies = (array("i", [0] * _MOST) for _ in range(4))
        self.sets = array("Q", [0] * _MOST)

    def best(self, world: World, size: int, seat: int) -> int:
        """Return the number of the best option of a seat with so many cards: the first one of equal ones.

        The luck of a decision depends in a world only on the seat and the size of its hand, so that plays are compared
        with equal luck.
        """
        best, most = -1, -inf
        scores = self.scores
        if self.steady:
            for number in range(self.number):
                if scores[number] > most:
                    best, most = number, scores[number]
            return best
        luck, marks, at = self.luck, self.marks, (world.luck + _APART * (16 * size + seat)) % LUCK
        for number in range(self.number):
            lucky = scores[number] + luck[at + marks[number] % LASTS]
            if lucky > most:
                best, most = number, lucky
        return best
