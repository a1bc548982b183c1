"""Run benchmarks and write what they say into `bench/results.md`: `python -m bench [name …]`, all without a name.

Each runs in a process of its own, one after the other, and compares itself with a baseline in the same run. What a
benchmark that is not run has said before stays in the file.
"""

import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE / "results.md"
HEAD: Final = """# Results

Written by `make bench`; `python -m bench rules` does one part again. Machines differ and are shared: read ratios and
processor time first, elapsed time last. `load` is the load average when a benchmark began.

"""


def run(name: str) -> str:
    """Run a benchmark, showing what it prints, and return its part of the results."""
    module = f"bench.bench_{name}"
    title = (HERE / f"bench_{name}.py").read_text(encoding="utf-8").splitlines()[0].strip('".')
    print(f"== {module}: {title}", flush=True)
    load, began, lines = os.getloadavg()[0], time.monotonic(), []
    command = [sys.executable, "-m", module]
    with subprocess.Popen(command, cwd=HERE.parent, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        sys.exit(f"{module} failed")
    told = (
        f"`python -m {module}`, {time.strftime('%Y-%m-%d')}, {time.monotonic() - began:.0f} s, "
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}."
    )
    return f"## {name}: {title}\n\n{told}\n\n{''.join(lines).strip()}\n"


def main() -> None:
    """Run what is named."""
    names = sorted(file.stem.removeprefix("bench_") for file in HERE.glob("bench_*.py"))
    wanted = sys.argv[1:] or names
    if unknown := set(wanted) - set(names):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(names)}")
    before = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    parts = dict(re.findall(r"^(?=## (\w+): )(.*?)(?=^## \w+: |\Z)", before, re.MULTILINE | re.DOTALL))
    for name in wanted:
        parts[name] = run(name)
        told = [parts[each].strip() + "\n" for each in names if each in parts]
        RESULTS.write_text(HEAD + "\n".join(told), encoding="utf-8")


if __name__ == "__main__":
    main()
