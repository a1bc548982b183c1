"""Fit the weights of likely deals of the hidden cards, for `workers/ai/deals/beliefs.py`.

    python -m laboratory.fit_deals --ruleset shengji --players 4 --deals 400 --minutes 5
    python -m laboratory.fit_deals --ruleset zhaopengyou --players 6 --deals 150 --minutes 5

Rounds are played by `normal`. At each decision the true deal is compared with deals that the seat believes likely:
weights of features that are more frequent in true deals are raised, the others lowered. In the end, features are as
frequent in believed deals as in true ones. Every tenth round is held out for testing.
"""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import log, prod, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

from harness.ai_table import Table, quick_options
from service.rules.options.rulesets import RULESETS
from workers.ai import Command, choose
from workers.ai.deals import beliefs
from workers.ai.deals.beliefs import Beliefs
from workers.ai.deals.dealing import Dealer
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.searching import game_of, known_of

WEIGHTS: Final = Path(__file__).parent.parent / "workers" / "ai" / "simulation" / "weights"
#: Decisions per step, and deals compared with the true one.
BATCH, DEALS = 16, 2
#: Step sizes of the descent, at the beginning and at the end; they shrink with the sum of squares (AdaGrad).
FASTEST, SLOWEST = 0.35, 0.03
#: Regularization; and the largest weight, since larger ones would prevent exchanges of cards.
PENALTY, LARGEST = 0.004, 4.0
#: Interval of rounds for the test; decisions used there, and deals of each.
HELD_OUT, LOOKED_AT, LOOKS = 10, 200, 40


class Seen(NamedTuple):
    """A decision: the view, and all hands and the kitty, as counts and kinds."""

    view: Mapping[str, Any]
    hands: Sequence[Sequence[int]]
    kitty: Sequence[int]


def decisions(ruleset: str, players: int, deal: int) -> list[Seen]:
    """Return the decisions of a round of `normal`."""
    table = Table(ruleset, players, quick_options(ruleset, deal), deal)
    situations: list[Seen] = []

    def play(_: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] == "play":
            state = table.state["round"]
            situations.append(Seen(view, [list(hand) for hand in state["hands"]], list(state["discard"])))
        return choose(view, b"fit", "normal")

    while not table.results:
        table.step(play)
    return situations


class Guess:
    """The beliefs of the seat of a decision, and the true deal."""

    def __init__(self, situation: Seen, weights: Sequence[float], chance: random.Random) -> None:
        knowledge = Knowledge(situation.view, memory=True)
        game = game_of(situation.view, knowledge)
        known = known_of(situation.view, knowledge, game)
        self.seat, self._indices, self._hidden = knowledge.seat, game.indices, known.kitty > 0
        self.beliefs = Beliefs(situation.view, game.indices, known.pool, weights)
        self._dealer = Dealer(known, chance, self.beliefs)
        self.truth = self._places([game.indices.listed(hand) for hand in situation.hands], situation.kitty)

    def _places(self, hands: Sequence[list[int]], kitty: Sequence[int]) -> list[list[int]]:
        buried = self._indices.indices_of(kitty) if self._hidden else []
        return [*hands, buried]

    def deal(self) -> list[list[int]]:
        """Return the hands and the kitty of a deal that the seat believes likely."""
        return self._places(*self._dealer.deal())


def fitted(situations: Sequence[Seen], weights: list[float], seconds: float, chance: random.Random) -> None:
    """Improve weights for some seconds of CPU time."""
    squares = [1.0] * len(weights)
    begin = time.process_time()
    while (share := (time.process_time() - begin) / seconds) < 1.0:
        slope: defaultdict[int, float] = defaultdict(float)
        for each in chance.sample(situations, BATCH):
            guess = Guess(each, weights, chance)
            for row in guess.beliefs.rows(guess.truth):
                slope[row] += 1 / BATCH
            for _ in range(DEALS):
                for row in guess.beliefs.rows(guess.deal()):
                    slope[row] -= 1 / BATCH / DEALS
        pace = FASTEST * (1.0 - share) + SLOWEST
        for row, up in slope.items():
            step = up - PENALTY * weights[row]
            squares[row] += step * step
            weights[row] = max(-LARGEST, min(LARGEST, weights[row] + pace * step / sqrt(squares[row])))


def surprise(situations: Sequence[Seen], weights: Sequence[float] | None) -> float:
    """Return the mean surprise about the place of a hidden card: the negative logarithm of its probability.

    Args:
        situations: decisions.
        weights: None: all possible places are equally likely.
    """
    total, number = 0.0, 0
    chance = random.Random(1)
    for each in situations:
        guess = Guess(each, weights or [0.0] * beliefs.WEIGHTS, chance)
        times: defaultdict[tuple[int, int], int] = defaultdict(int)
        for _ in range(LOOKS):
            for place, held in enumerate(guess.deal()):
                for index in held:
                    times[place, index] += 1
        for place, held in enumerate(guess.truth):
            for index in held if place != guess.seat else ():
                copies = sum([cards.count(index) for other, cards in enumerate(guess.truth) if other != guess.seat])
                total -= log((times[place, index] + 0.5) / (LOOKS * copies + 2))
                number += 1
    return total / number


def main() -> None:
    """Fit the weights of the command line, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="shengji", choices=list(RULESETS))
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=5.0, help="of processor time, without playing the rounds")
    parser.add_argument("--first", type=int, default=5_000_000, help="number of the first deal")
    options = parser.parse_args()
    rounds = [decisions(options.ruleset, options.players, options.first + number) for number in range(options.deals)]
    situations = [each for number, of_round in enumerate(rounds) if number % HELD_OUT for each in of_round]
    chance = random.Random(1)
    weights = [0.0] * beliefs.WEIGHTS
    fitted(situations, weights, 60 * options.minutes, chance)
    rows = iter([round(weight, 2) for weight in weights])
    tables = {table: [next(rows) for _ in range(prod(shape))] for table, shape in beliefs.TABLES.items()}
    name = "friends" if RULESETS[options.ruleset].teams == "friends" else "teams"
    lines = ",\n".join(f'"{table}": {json.dumps(row, separators=(",", ":"))}' for table, row in tables.items())
    (WEIGHTS / f"deals-{name}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    others = [each for of_round in rounds[::HELD_OUT] for each in of_round]
    looked = chance.sample(others, min(LOOKED_AT, len(others)))
    before, after = surprise(looked, None), surprise(looked, weights)
    print(
        f"deals-{name}.json: {len(situations)} decisions; "
        f"surprise by a card {before:.3f}, with these weights {after:.3f}"
    )


if __name__ == "__main__":
    main()
