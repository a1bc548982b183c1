"""Par: agreement of 16 replays of a round with 256, and their cost.

    python -m bench.bench_par [--rounds 24] [--replays 256]

Rounds are dealt, and trumps made, as at a table of `normal` players. The mean of the first 16 replays of each is
compared with the mean of the others.
"""

import argparse
import time
from statistics import fmean, stdev
from typing import Any, Final

from bench import report
from harness.ai_table import Table, quick_options
from service.game.records.again import OF_AUCTION
from service.game.state.types import State
from workers import ai, pars

GAMES: Final = (("shengji", 4), ("sishifen", 4), ("zhaopengyou", 6), ("arms_length", 4))


def after_auction(ruleset: str, players: int, deal: int) -> State:
    """Return a table at the first decision after trumps were made."""
    table = Table(ruleset, players, quick_options(ruleset, deal), deal)
    while table.state["decision"] is None or table.state["decision"]["kind"] in OF_AUCTION:
        table.step(lambda _, view: ai.choose(view, b"bench", "normal"))
    return table.state


def measure(ruleset: str, players: int, rounds: int, replays: int) -> tuple[Any, ...]:
    """Return a row: the spread of a replay, differences of means, and the CPU time of 16 replays."""
    spreads, apart, expected, spent = [], [], [], []
    for deal in range(rounds):
        start = after_auction(ruleset, players, deal)
        began = time.process_time()
        first = [pars.replayed(start, number)[0] for number in range(pars.REPLAYS)]
        spent.append(time.process_time() - began)
        others = [pars.replayed(start, number)[0] for number in range(pars.REPLAYS, replays)]
        spreads.append(stdev(others))
        apart.append(abs(fmean(first) - fmean(others)))
        expected.append(stdev(others) * (1 / pars.REPLAYS + 1 / len(others)) ** 0.5)
    within = sum(gap <= 2 * error for gap, error in zip(apart, expected, strict=True))
    return (
        f"{ruleset} {players}",
        f"{fmean(spreads):.1f}",
        f"{fmean(apart):.1f}",
        f"{max(apart):.1f}",
        f"{within} of {rounds}",
        f"{fmean(spent):.2f}",
        f"{max(spent):.2f}",
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=24)
    parser.add_argument("--replays", type=int, default=256)
    options = parser.parse_args()
    rows = [measure(*game, options.rounds, options.replays) for game in GAMES]
    head = ("rounds of", "spread", "16 from the rest", "most", "within two errors", "CPU s of 16", "most")
    report.table(head, rows)


if __name__ == "__main__":
    main()
