"""Fit the weights of `workers/ai/friends.py`: who probably holds a called card, by public play.

    python -m laboratory.friends --deals 300

Rounds are played by seats of all levels, drawn by chance; those that search do a tenth of their work. In each trick
one seat, drawn by chance, says of all seats of unknown side whether they hold a called card. A logistic model with a
small penalty is fitted. Rounds from `--held-out` on, which it has not seen, test it, for 'holds a called card' and 'is
a friend in the end', and for the seat that people are told of: AUC, and how often each tenth of the probabilities came
true.
"""

import argparse
import json
import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from harness.ai_table import Table, quick_options
from harness.calibration import Pair, auc, error, reliability
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
    """A seat of unknown side: the inputs of the model, whether it holds a called card, and is a friend in the end."""

    inputs: list[float]
    holds: bool
    friend: bool


class Look(NamedTuple):
    """What one seat says at a decision: of which seats, with how many open calls, and whether it may join too."""

    examples: list[Example]
    calls: int
    is_rival: bool


def looks(game: tuple[str, int], deal: int) -> list[Look]:
    """Return the examples of a round."""
    chance = random.Random(f"friends {deal}")
    table = Table(*game, quick_options(game[0], deal), deal)
    levels = [chance.choice(AI_LEVELS) for _ in range(game[1])]
    found: list[tuple[dict[int, tuple[list[float], bool]], int, bool]] = []

    def play(seat: int, view: dict[str, Any]) -> Command:
        if view["decision"]["kind"] == "play" and chance.random() < 1 / game[1]:
            knowledge, calls = Knowledge(view, memory=True), open_calls(view)
            hands = table.state["round"]["hands"]
            seen = {
                other: (each.inputs(), any(hands[other][KIND[call["card"]]] for call in calls))
                for other, each in friends.evidence(view, knowledge).items()
            }
            found.append((seen, len(calls), friends.is_rival(view, knowledge)))
        return choose(view, f"{deal}:{view['version']}:{seat}".encode(), levels[seat], WORK)

    while not table.results:
        table.step(play)
    joined = table.results[0].get("declarers") or ()
    return [
        Look([Example(*example, seat in joined) for seat, example in seen.items()], calls, is_rival)
        for seen, calls, is_rival in found
        if seen
    ]


def rounds(first: int, number: int) -> list[Look]:
    """Return the examples of so many rounds, game after game."""
    deals = range(first, first + number)
    return [look for deal in deals for look in looks(GAMES[deal % len(GAMES)], deal)]


def fitted(cases: Iterable[Example]) -> Mapping[Hashable, float]:
    """Return input -> weight: each example is a choice between the seat holding a card, with its inputs, and not."""
    choices = [
        [
            Option(dict(zip(friends.INPUTS, case.inputs, strict=True)), float(case.holds)),
            Option({}, float(not case.holds)),
        ]
        for case in cases
    ]
    return imitated(choices, PENALTY)


def report(tests: Iterable[Look], weights: Sequence[float]) -> None:
    """Print AUC and calibration."""
    pairs: dict[str, list[Pair]] = {
        "holds a called card": [],
        "is a friend": [],
        "is a friend, the likeliest of its table": [],
    }
    holds, friend, likeliest = pairs.values()
    for look in tests:
        said = [friends.probability(each.inputs, weights) for each in look.examples]
        joins = friends.joining(look.calls, sum(said) + look.is_rival)
        holds += [(chance, each.holds) for chance, each in zip(said, look.examples, strict=True)]
        friend += [(joins * chance, each.friend) for chance, each in zip(said, look.examples, strict=True)]
        likeliest.append(max(friend[-len(said) :], key=itemgetter(0)))
    for what, of_what in pairs.items():
        print(f"\n{what}: {len(of_what)} seats, AUC {auc(of_what) or 0:.3f}, off {error(of_what):.3f}\n  said, true")
        for tenth in filter(None, reliability(of_what)):
            print(f"  {tenth.said:.3f}  {tenth.true:.3f}  ({tenth.pairs})")


def main() -> None:
    """Fit the weights, test them on other rounds, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300, help="rounds to fit on")
    parser.add_argument("--first", type=int, default=9_000_000, help="number of the first deal")
    parser.add_argument("--held-out", type=int, default=9_500_000, help="number of the first deal of the test")
    parser.add_argument("--tests", type=int, default=300, help="rounds of the test")
    options = parser.parse_args()
    found = fitted(case for look in rounds(options.first, options.deals) for case in look.examples)
    weights = {name: round(found[name], 3) for name in friends.INPUTS}
    WEIGHTS.write_text(json.dumps(weights, indent=2) + "\n", encoding="utf-8")
    report(rounds(options.held_out, options.tests), list(weights.values()))


if __name__ == "__main__":
    main()
