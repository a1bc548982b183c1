"""Run benchmarks and write their output into `bench/results.md`, or compare two checkouts.

    python -m bench                                 all benchmarks, but `images`, which needs Docker and its images
    python -m bench rules http                      some of them
    python -m bench game http --against ../before   compare with another checkout, in alternating runs; writes nothing
    python -m bench http --against ../before --pairs 9 -- --passes 2

Arguments after `--` are passed to the benchmark. Each benchmark runs in its own process, one after the other, and
measures a baseline in the same run. Results of benchmarks that are not run stay in the file.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.against import compare

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.md"
#: Run only if they are named, since they need what has to be built before.
BY_NAME: Final = {"images"}
HEAD: Final = """# Results

Written by `make bench`; `python -m bench rules` does one part again. Machines differ and are shared: read ratios and
processor time first, elapsed time last. `load` is the load average when a benchmark began.

"""


def run(name: str, arguments: Sequence[str]) -> str:
    """Run a benchmark, echo its output, and return its section of the results."""
    module = f"bench.bench_{name}"
    title = (HERE / f"bench_{name}.py").read_text(encoding="utf-8").splitlines()[0].strip('".')
    print(f"== {module}: {title}", flush=True)
    load, began, lines = os.getloadavg()[0], time.monotonic(), []
    command = [sys.executable, "-m", module, *arguments]
    with subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        sys.exit(f"{module} failed")
    conditions = (
        f"`{' '.join(['python', *command[1:]])}`, {time.strftime('%Y-%m-%d')}, {time.monotonic() - began:.0f} s, "
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}."
    )
    return f"## {name}: {title}\n\n{conditions}\n\n{''.join(lines).strip()}\n"


def write(name: str, part: str, names: Sequence[str]) -> None:
    """Replace one section of the results; sections are in the order of `names`."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    parts = dict(re.findall(r"^(?=## (\w+): )(.*?)(?=^## \w+: |\Z)", text, re.MULTILINE | re.DOTALL))
    parts[name] = part
    RESULTS.write_text(
        HEAD + "\n".join(parts[title].strip() + "\n" for title in names if title in parts), encoding="utf-8"
    )


def main() -> None:
    """Run the benchmarks named on the command line."""
    names = sorted(file.stem.removeprefix("bench_") for file in HERE.glob("bench_*.py"))
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    passed_on = sys.argv[split + 1 :]
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(names))
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare with another checkout of the project")
    parser.add_argument("--pairs", type=int, default=5, help="how often each checkout runs with --against (default: 5)")
    options = parser.parse_args(sys.argv[1:split])
    if unknown := set(options.names) - set(names):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    if options.against and not (options.against / "bench").is_dir():
        parser.error(f"{options.against} is no checkout of the project")
    for name in options.names or [name for name in names if name not in BY_NAME]:
        if options.against:
            compare(name, options.against.resolve(), options.pairs, passed_on)
        else:
            write(name, run(name, passed_on), names)


if __name__ == "__main__":
    main()
