"""Whether riddles have one answer: positions that are found to be riddles are searched again with another seed.

    python -m laboratory.riddles --count 100

Rounds are played by `easy`, whose plays vary as those of people do. Where it plays otherwise than the rules would, as
mistakes do that an analysis finds, some decisions are tried by what workers do (`workers.ai.riddles`), until so many
riddles are found; of those, the best play of a third search is compared. It prints a line for each that differs, and
how many agree.
"""

import argparse
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from harness.ai_table import Table, quick_options
from laboratory.read_round import text_of_cards
from service.rules.cards import kinds_of, names_of
from service.rules.options.rulesets import RULESETS
from workers.ai import LEVELS, Command, answer
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge
from workers.ai.riddles import Choice, is_clear, riddle_in, valued

#: Share of these decisions that are tried.
SHARE = 0.5
#: Seed of the third search, after that of the decision.
THIRD = b"third"


class Found(NamedTuple):
    """A riddle: where, what the seat saw, and its plays, the best first."""

    where: str
    view: Mapping[str, Any]
    seed: bytes
    plays: list[Choice]


def is_odd(view: Mapping[str, Any], cards: Sequence[str]) -> bool:
    """Return whether the rules would have played otherwise."""
    return sorted(kinds_of(cards)) != sorted(ranked(Knowledge(view, memory=True))[0])


def decisions(ruleset: str, players: int, deal: int) -> Iterator[tuple[str, Mapping[str, Any], Command]]:
    """Yield some decisions to play of a round, with where they are and what was done."""
    table = Table(ruleset, players, quick_options(ruleset, deal), deal)
    chance = random.Random(deal)
    asked: list[tuple[str, Mapping[str, Any], Command]] = []

    def choose(seat: int, view: dict[str, Any]) -> Command:
        command = answer(LEVELS["easy"], view, f"{deal}:{view['version']}:{seat}".encode())
        if view["decision"]["kind"] == "play" and chance.random() < SHARE and is_odd(view, command["cards"]):
            asked.append((f"deal {deal} version {view['version']}", view, command))
        return command

    while not table.results:
        table.step(choose)
    yield from asked


def riddles(ruleset: str, players: int, first: int) -> Iterator[Found | None]:
    """Yield for each decision that is tried the riddle, or None."""
    deal = first
    while True:
        for where, view, command in decisions(ruleset, players, deal):
            seed = where.encode()
            plays = riddle_in(view, command["cards"], seed)
            yield None if plays is None else Found(where, view, seed, plays)
        deal += 1


def answer_again(found: Found) -> tuple[list[str], bool]:
    """Return the best play of a third search, and whether it is clear there too."""
    plays = [tuple(sorted(kinds_of(each.cards))) for each in found.plays]
    again = valued(found.view, plays, found.seed + THIRD, look=0)
    if again is None:
        raise AssertionError("a search that never gives up ends with an answer")
    return names_of(again[0].play), is_clear(again)


def main() -> None:
    """Look for riddles, answer them again, and print how many agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    fixed = [name for name, each in RULESETS.items() if each.teams == "fixed" and each.family == "shengji"]
    parser.add_argument("--ruleset", default="shengji", choices=fixed)
    parser.add_argument("--count", type=int, default=100, help="riddles")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    options = parser.parse_args()
    began = time.process_time()
    tried = same = clear = count = 0
    for found in riddles(options.ruleset, RULESETS[options.ruleset].players[0], options.first):
        tried += 1
        if found is None:
            continue
        count += 1
        best, is_clear_again = answer_again(found)
        one = sorted(best) == sorted(found.plays[0].cards)
        same, clear = same + one, clear + (one and is_clear_again)
        if not one:
            gap = found.plays[1]
            cards = [text_of_cards(each, found.view) for each in (found.plays[0].cards, best)]
            print(f"  {found.where}: {cards[0]}, then {cards[1]} ({gap.cost:.2f} ± {gap.error:.2f})", flush=True)
        if count == options.count:
            break
        if count % 10 == 0:
            print(f"  so far {same} of {count}, {tried} decisions tried", flush=True)
    print(f"{options.ruleset}: {same} of {count} riddles have the same answer under another seed")
    print(f"{clear} are as clear there; {tried} decisions tried, {time.process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
