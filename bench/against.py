"""Compare this checkout with another one by running a benchmark in both, alternately.

Machines are shared and their speed drifts, so figures of different days cannot be compared. Here the two runs of a pair
are minutes apart, their order alternates, and the output has the median of each figure and of its ratios. Figures are
parsed from the tables and aims that a benchmark prints, so this works with any benchmark. Figures printed by only one
checkout are left out.
"""

import re
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bench import report

HERE: Final = Path(__file__).parents[1]

#: (title of the table, row, column) -> value.
Figures = Mapping[tuple[str, str, str], float]


def figures_in(printed: str) -> dict[tuple[str, str, str], float]:
    """Return the figures of all tables and aims in the output of a benchmark."""
    figures = {}
    heads: list[str] = []
    for line in printed.splitlines():
        if aim := re.fullmatch(r"- .*?reached\W*: (.*): ([\d.,-]+) \(aim: .*\)", line):
            figures["", aim[1], ""] = float(aim[2].replace(",", ""))
        if not line.startswith("|"):
            heads = []
            continue
        title, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not heads:
            heads = [title, *cells]
            continue
        for head, cell in zip(heads[1:], cells, strict=True):
            value = _value(cell)
            if value is not None:
                figures[heads[0], title, head] = value
    return figures


def _value(cell: str) -> float | None:
    """Return the number in a cell, or None; numbers joined by `+` are added up."""
    numbers = re.findall(r"-?\d[\d,]*(?:\.\d+)?", cell)
    parts = [float(number.replace(",", "")) for number in numbers]
    return sum(parts) if len(parts) == 1 or (parts and cell.count("+") == len(parts) - 1) else None


def compare(name: str, other: Path, pairs: int, arguments: Sequence[str]) -> None:
    """Run a benchmark in both checkouts, alternately, and print the figures that both have.

    Args:
        name: name of the benchmark.
        other: folder of the other checkout.
        pairs: number of runs in each checkout.
        arguments: arguments of the benchmark.
    """
    before: list[Figures] = []
    after: list[Figures] = []
    for pair in range(pairs):
        sides = [(other, before), (HERE, after)]
        for checkout, runs in sides if pair % 2 == 0 else reversed(sides):
            runs.append(figures_in(_printed(name, checkout, arguments)))
            print(f"{name}: pair {pair + 1} of {pairs}, {checkout}", file=sys.stderr, flush=True)
    rows = []
    for figure in before[0]:
        figures = [
            (one[figure], two[figure])
            for one, two in zip(before, after, strict=True)
            if {figure} <= one.keys() & two.keys()
        ]
        if figures:
            ratios = [two / one for one, two in figures if one]
            medians = (statistics.median(side) for side in zip(*figures, strict=True))
            ratio = f"{statistics.median(ratios):.3f}" if ratios else ""
            rows.append([", ".join(part for part in figure if part), *(f"{each:,.5g}" for each in medians), ratio])
    report.table((f"{name}, medians of {pairs} pairs", "before", "after", "after / before"), rows)


def _printed(name: str, checkout: Path, arguments: Sequence[str]) -> str:
    command = [sys.executable, "-m", f"bench.bench_{name}", *arguments]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed in {checkout}:\n{done.stderr}")
    return done.stdout
