"""Fit the weights of `workers/ai/friends.py`: who probably holds a called card, by public play.

    python -m laboratory.friends --deals 120

Rounds are played by seats of all levels, drawn by chance; those that search do a tenth of their work. In each trick
one seat, drawn by chance, says of all seats of unknown side whether they hold a called card. A logistic model with a
small penalty is fitted. Rounds from `--held-out` on, which it has not seen, test it: AUC, and how often each tenth of
the probabilities came true.
"""

import argparse
import json
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from harness.ai_table import Table, quick_options
from harness.calibration import auc, error, reliability
from harness.fitting import Option, imitated
from service.game.state.levels import AI_LEVELS
from service.rules.cards import KIND
from workers.ai import Command, choose, friends
from workers.ai.knowledge.seat import Knowledge, open_calls

WEIGHTS: Final = Path(friends.__file__).parent / "evaluation" / "weights" / "signs.json"
GAMES: Final = (
    ("zhaopengyou", 6),
    ("zhaopengyou", 5),
    ("zhaopengyou", 8),
    ("zhaopengyou_80", 6),
    ("finding_friends", 7),
)
#: Share of their work that levels do which search.
WORK: Final = 0.1
#: On the square of each weight, in half examples.
PENALTY: Final = 1.0


class Example(NamedTuple):
    """The inputs of the model for a seat, and whether it holds a called card."""

    inputs: list[float]
    holds: bool


def examples(game: tuple[str, int], deal: int) -> list[Example]:
    """Return the examples of a round."""
    chance = random.Random(f"friends {deal}")
    table = Table(*game, quick_options(game[0], deal), deal)
    levels = [chance.choice(AI_LEVELS) for _ in range(game[1])]
    found: list[Example] = []

    def play(seat: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] == "play" and chance.random() < 1 / game[1]:
            called = {KIND[call["card"]] for call in open_calls(view)}
            for other, seen in friends.evidence(view, Knowledge(view, memory=True)).items():
                hand = table.state["round"]["hands"][other]
                found.append(Example(seen.inputs(), any(hand[kind] for kind in called)))
        return choose(view, f"{deal}:{view['version']}:{seat}".encode(), levels[seat], WORK)

    while not table.results:
        table.step(play)
    return found


def rounds(first: int, number: int) -> list[Example]:
    """Return the examples of so many rounds, game after game."""
    deals = range(first, first + number)
    return [example for deal in deals for example in examples(GAMES[deal % len(GAMES)], deal)]


def fitted(cases: Iterable[Example]) -> Mapping[Hashable, float]:
    """Return input -> weight: each example is a choice between the seat holding a card, with its inputs, and not."""
    choices = [
        [Option(dict(zip(friends.INPUTS, inputs, strict=True)), float(holds)), Option({}, float(not holds))]
        for inputs, holds in cases
    ]
    return imitated(choices, PENALTY)


def report(cases: Iterable[Example], weights: Sequence[float]) -> None:
    """Print AUC and calibration."""
    pairs = [(friends.probability(case.inputs, weights), case.holds) for case in cases]
    print(f"{len(pairs)} seats, AUC {auc(pairs) or 0:.3f}, off {error(pairs):.3f}\nsaid, true")
    for tenth in filter(None, reliability(pairs)):
        print(f"  {tenth.said:.3f}  {tenth.true:.3f}  ({tenth.pairs})")


def main() -> None:
    """Fit the weights, test them on other rounds, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=120, help="rounds to fit on")
    parser.add_argument("--first", type=int, default=9_000_000, help="number of the first deal")
    parser.add_argument("--held-out", type=int, default=9_500_000, help="number of the first deal of the test")
    parser.add_argument("--tests", type=int, default=60, help="rounds of the test")
    options = parser.parse_args()
    found = fitted(rounds(options.first, options.deals))
    weights = {name: round(found[name], 3) for name in friends.INPUTS}
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    report(rounds(options.held_out, options.tests), list(weights.values()))


if __name__ == "__main__":
    main()
