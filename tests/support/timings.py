"""A pytest plugin: CPU seconds and waiting times of folders, files, tests and fixtures, printed by `--slowest`.

CPU time covers the test process and all its descendants (servers, browsers, compilers), alive or reaped. The cost of a
file includes the fixtures that were set up while its tests ran; a session's Redis or browser therefore counts for the
first file, and again under its own name.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from _pytest.fixtures import FixtureDef, SubRequest
from _pytest.terminal import TerminalReporter

ROWS = 20
TICKS = os.sysconf("SC_CLK_TCK")

#: Cost of a file or fixture: CPU seconds, wall clock seconds, number of tests or set-ups.
Spent = tuple[float, float, int]


def processor_seconds() -> float:
    """CPU time of this process and all descendants since their start; without /proc, only of reaped ones."""
    if not Path("/proc/self/stat").exists():
        return sum(os.times()[:4])
    total, row = 0.0, [os.getpid()]
    while row:
        pid = row.pop()
        try:
            # The name in parentheses may contain anything, so count from the last parenthesis.
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            tasks = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - a Path for each thread costs more than reading it
        except OSError:
            continue  # ended since it was listed
        for task in tasks:
            with suppress(OSError):  # this thread may have ended since, but not the process
                row += map(int, _children(pid, task))
        total += sum(map(int, fields[11:15])) / TICKS
    return total


def _children(pid: int, task: str) -> list[str]:
    return Path(f"/proc/{pid}/task/{task}/children").read_text().split()


class Timings:
    """Sums up the costs of tests and fixtures; with xdist, in each test process, and then in the printing one."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.files: dict[str, Spent] = {}
        self.tests: dict[str, Spent] = {}
        self.fixtures: dict[str, Spent] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        began, used = time.perf_counter(), processor_seconds()
        result = yield
        spent = (max(0.0, processor_seconds() - used), time.perf_counter() - began, 1)
        _add(self.files, item.nodeid.partition("::")[0], spent)
        _add(self.tests, item.nodeid, spent)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: FixtureDef[object], request: SubRequest) -> Iterator[None]:
        began, used = time.perf_counter(), processor_seconds()
        try:
            return (yield)
        finally:
            spent = (max(0.0, processor_seconds() - used), time.perf_counter() - began, 1)
            _add(self.fixtures, f"{fixturedef.argname} ({fixturedef.baseid or 'plugin'})", spent)

    def pytest_sessionfinish(self) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["timings"] = [self.files, self.tests, self.fixtures]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        sent = getattr(node, "workeroutput", {}).get("timings", [{}, {}, {}])
        for mine, theirs in zip((self.files, self.tests, self.fixtures), sent, strict=True):
            for name, spent in theirs.items():
                _add(mine, name, tuple(spent))

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        folders: dict[str, Spent] = {}
        for file, spent in self.files.items():
            _add(folders, file.rpartition("/")[0], spent)
        tables = {"folders": folders, "files": self.files, "tests": self.tests, "fixtures": self.fixtures}
        for title, spent in tables.items():
            terminalreporter.section(f"slowest {title}")
            terminalreporter.write_line("processor s   waiting s    count")
            rows = sorted(spent.items(), key=lambda row: -row[1][1])
            for name, (used, clock, count) in [*rows[:ROWS], ("all", _total(spent))]:
                terminalreporter.write_line(f"{used:11.1f} {max(0.0, clock - used):11.1f} {count:8}  {name}")


def _add(table: dict[str, Spent], name: str, spent: Spent) -> None:
    used, clock, count = table.get(name, (0.0, 0.0, 0))
    table[name] = (used + spent[0], clock + spent[1], count + spent[2])


def _total(table: dict[str, Spent]) -> Spent:
    return (
        sum(spent[0] for spent in table.values()),
        sum(spent[1] for spent in table.values()),
        sum(spent[2] for spent in table.values()),
    )
