"""Inject faults into the service and check that no data is lost: `python -m tools.faults --seed N --faults F`."""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path

from tools.faults.plan import KINDS_OF
from tools.faults.soak import Run


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the plan of faults and of the guests")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--every", type=float, default=1.5, metavar="S", help="seconds between faults, on average")
    parser.add_argument("--folder", type=Path, help="where data and log of the service go, and stay")
    parser.add_argument("--topology", choices=list(KINDS_OF), default="one", help="of the Redis of the tables")
    parser.add_argument(
        "--replicas",
        type=int,
        default=0,
        help="of several Redis: number of replicas of each master, which all must have an action that is acknowledged; "
        "0: there is one, and it need not",
    )
    parser.add_argument(
        "--min-replicas", type=int, default=0, help="of several Redis: min-replicas-to-write, with a lag of two seconds"
    )
    parser.add_argument("--kinds", nargs="+", metavar="KIND", help="the only kinds of faults; see tools/faults/plan.py")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no fault begins")
    parser.add_argument("--report", type=Path, metavar="FILE", help="to which the report is added, as Markdown")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="shengji-faults-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {options.seed}; data and log in {folder}", flush=True)
    run = Run(
        folder,
        seed=options.seed,
        tables=options.tables,
        faults=options.faults,
        every_s=options.every,
        most_stuck_s=5.0,
        topology=options.topology,
        replicas=options.replicas,
        min_replicas=options.min_replicas,
        kinds=options.kinds,
        at_most_s=60 * options.minutes,
        say=lambda text: print(text, flush=True),
    )
    report = run.run()
    print("\n".join(f"{name:>16} {value:,}" for name, value in report.figures.items()))
    many = f"{len(report.wrong)} things are wrong, all of them in {folder / 'wrong.txt'}"
    print("\n".join(["", *report.wrong[:50], many if report.wrong else "nothing is wrong"]))
    print(f"report: {folder / 'report.md'}")
    if options.report:
        if not options.report.exists():
            options.report.write_text("# Soaks\n\nWritten by `python -m tools.faults --report`.\n", encoding="utf-8")
        with options.report.open("a", encoding="utf-8") as file:
            file.write(f"\n#{report.text()}")
    return bool(report.wrong)


if __name__ == "__main__":
    sys.exit(main())
