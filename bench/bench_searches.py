"""Sixteen searching seats at one table, and the effect of their searches on people at other tables.

    python -m bench.bench_searches [--seconds 120] [--tables 200] [--level expert]

The service runs as processes, with one worker, one searcher and one clock, with default pace and clock. A bot plays the
person at tables with three AI seats of level `easy`; the baseline is the same without searches.
"""

import argparse
import time
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any, Final

from bench import report
from bench.bench_tables import PACE_MS, Running
from bench.servers import percentile
from service.game.events.types import Event

#: Events other than the answer between the opening of a decision and its answer.
_CHAT: Final = frozenset({"chat", "presence"})


def answered(log: Iterable[Event]) -> tuple[list[int], int]:
    """Return the times of AI seats for their plays, beyond the pace (ms), and the number of timeouts."""
    took, late, opened = [], 0, None
    for event in log:
        late += event["type"] == "decision_timed_out"
        if event["type"] == "played" and event["by"] == "ai" and opened is not None:
            took.append(event["at"] - opened - PACE_MS)
        if event["type"] not in _CHAT:
            opened = event["at"] if event["type"] == "decision_opened" and event["data"]["kind"] == "play" else None
    return took, late


def searching_table(running: Running, level: str) -> str:
    """Start a table with sixteen seats of a level, and return its id."""
    spec: dict[str, Any] = {"ruleset": "zhaopengyou", "players": 16, "options": {"deal_pace": "instant"}}
    table = str(running.tables.create({"id": "pl_bench"}, {**spec, "ai_pace_ms": PACE_MS}).state["id"])
    for seat in range(16):
        running.tables.act(table, {"type": "seat_ai", "player": "pl_bench", "seat": seat, "level": level})
    return table


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--level", default="expert")
    options = parser.parse_args()
    with ExitStack() as stack:
        running = Running(stack, searchers=1)
        table = searching_table(running, options.level)
        time.sleep(options.seconds)
        took, late = answered(running.tables.log(table))
        running.crowd(options.tables)
        time.sleep(5)
        beside = running.answers(options.seconds / 2)[PACE_MS]
    with ExitStack() as stack:
        running = Running(stack, searchers=1)
        running.crowd(options.tables)
        time.sleep(5)
        alone = running.answers(options.seconds / 2)[PACE_MS]
    report.table(
        ("ms from a decision to its answer, beyond the pace", "answers", "p50", "p95", "worst"),
        (
            (name, str(len(values)), *(f"{percentile(values or [0.0], percent):.0f}" for percent in (50, 95, 100)))
            for name, values in (
                (f"a seat of {options.level} of 16 at a table", [float(each) for each in took]),
                (f"people beside {options.tables} easy tables", alone),
                ("the same beside that table too", beside),
            )
        ),
    )
    report.aim(f"decisions of {options.level} past their deadline", late, at_most=0)
    more = percentile(beside, 95) - percentile(alone, 95)
    report.aim("ms that the searches add at p95 to answers for people", more, at_most=250)


if __name__ == "__main__":
    main()
