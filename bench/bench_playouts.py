"""Simulated plays of AI players a second, and what a deal takes, plain and compiled

    python -m bench.bench_playouts [--pairs 3]      needs `make compiled`

Views of rounds of `normal`; in each, some deals are sampled and six plays are played out in all of them, as a search
does. Plain and compiled runs alternate, each in a process of its own; the table has medians of CPU time.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from bench import report
from harness.ai_table import Table
from workers.ai import COMPILED, choose
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge
from workers.ai.search.searching import Simulation

#: Ruleset, players, and whether deals are picked, as `hard` and `expert` search, or likely ones.
GAMES: Final = (
    ("shengji", 4, False),
    ("shengji", 4, True),
    ("zhaopengyou", 6, False),
    ("zhaopengyou", 6, True),
    ("zhaopengyou", 12, False),
)
DEALS, PLAYS, EVERY = 8, 6, 5
#: Aim: compiled by plain, in plays a second.
FASTER: Final = 5.0


def views(ruleset: str, players: int) -> Iterator[dict[str, Any]]:
    """Yield some of the decisions of a round to lead and follow."""
    table = Table(ruleset, players, {"deal_pace": "instant"}, 0)
    noted: list[dict[str, Any]] = []

    def note(_: int, view: dict[str, Any]) -> Any:
        if view["decision"]["kind"] == "play":
            noted.append(view)
        return choose(view, b"x", "normal")

    while not table.results:
        table.step(note)
    yield from noted[::EVERY]


def measured(ruleset: str, players: int, thorough: bool) -> tuple[float, float]:
    """Return simulated plays a second, and microseconds a deal."""
    dealing = playing = 0.0
    plays = deals = 0
    for number, view in enumerate(views(ruleset, players)):
        knowledge = Knowledge(view, memory=True)
        simulation = Simulation(view, knowledge, Random(number), thorough=thorough)
        indices = [simulation.indices_of(play) for play in ranked(knowledge)[:PLAYS]]
        began = time.process_time()
        worlds = [simulation.world() for _ in range(DEALS)]
        dealt, work = time.process_time(), simulation.work
        for world in worlds:
            for each in indices:
                simulation.value(world, each)
        dealing, playing = dealing + dealt - began, playing + time.process_time() - dealt
        plays, deals = plays + simulation.work - work, deals + DEALS
    return plays / playing, 1e6 * dealing / deals


def run(how: str) -> list[tuple[float, float]]:
    """Return the figures of all games, measured in another process; `how`: "1" if compiled."""
    command = [sys.executable, "-m", "bench.bench_playouts", "--measure"]
    process = subprocess.run(command, env={**os.environ, "COMPILED": how}, capture_output=True, text=True, check=True)
    compiled, figures = json.loads(process.stdout)
    if compiled != (how == "1"):
        sys.exit("Nothing is compiled: run `make compiled` first.")
    return [(plays, deal) for plays, deal in figures]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--measure", action="store_true", help="print the figures of this process as JSON")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps([COMPILED, [measured(*game) for game in GAMES]]))
        return
    runs = {how: [run(how)] for how in "01"}
    for pair in range(1, options.pairs):
        for how in "01"[:: -1 if pair % 2 else 1]:
            runs[how].append(run(how))
    rows, ratios = [], []
    for number, (ruleset, players, thorough) in enumerate(GAMES):
        (plain, deal), (fast, fast_deal) = (
            [statistics.median(each[number][column] for each in runs[how]) for column in (0, 1)] for how in "01"
        )
        name = f"{ruleset} with {players}, {'picked' if thorough else 'likely'} deals"
        rows.append((name, f"{plain:,.0f}", f"{fast:,.0f}", f"{deal:.0f}", f"{fast_deal:.0f}"))
        ratios.append(fast / plain)
    report.table(("simulated plays a second; µs a deal", "plain", "compiled", "deal, plain", "deal, compiled"), rows)
    report.aim("compiled by plain, plays a second, median of the games", statistics.median(ratios), at_least=FASTER)


if __name__ == "__main__":
    main()
