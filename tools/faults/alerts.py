"""What an operator is told of each outage, by a real Prometheus: `python -m tools.faults.alerts --report FILE`.

Each outage has a service of its own, as containers run it (API, streams, worker, searcher, clock, messenger, Redis),
and a Prometheus (Debian: `prometheus`) with the rules, intervals and durations of `deploy/prometheus`. As with DNS,
what is gone is not a target any more. A table of AI players goes on all the while.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from redis import Redis
from redis.exceptions import RedisError

from harness.stepping import SteppedClock
from tools.faults.watched import Seen, Watched

#: Seconds after the begin of an outage at which everything is read.
MOMENTS_S: Final = (10.0, 120.0)

Begin = Callable[[Watched], Any]


class Outage(NamedTuple):
    """An outage.

    Attributes:
        begin: brings it about.
        alerts: what must fire at the last moment.
        summary: words that its summary needs.
        readyz: what `/readyz` must say at the last moment.
        besides: what may be pending or fire because of it, and blames no other part.
        apis: number of API processes.
    """

    begin: Begin
    alerts: Collection[str]
    readyz: str
    summary: str = ""
    besides: Collection[str] = ()
    apis: int = 1


def _send(watched: Watched, number: signal.Signals) -> None:
    os.kill(int((watched.redis.folder / "redis.pid").read_text()), number)


def _hang(watched: Watched) -> None:
    _send(watched, signal.SIGSTOP)
    # It cannot be stopped otherwise.
    watched.stack.callback(_send, watched, signal.SIGCONT)


def _command(*command: Any) -> Begin:
    def begin(watched: Watched) -> None:
        with Redis.from_url(watched.redis.url) as client:
            client.execute_command(*command)

    return begin


def _fill_disk(watched: Watched) -> None:
    with suppress(OSError), (watched.redis.folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4_096))


#: Requests of an outage that are refused, and what is missing from `EXPECTED`, are told more slowly.
_LATER: Final = ("ServerErrors", "FewerProcesses")
OUTAGES: Final[Mapping[str, Outage]] = {
    "worker gone": Outage(lambda w: w.kill("worker"), ["NoWorker"], "503 workers", "worker", _LATER),
    "searcher gone": Outage(lambda w: w.kill("searcher"), ["NoSearcher"], "503 searchers", "searcher", _LATER),
    "clock gone": Outage(lambda w: w.kill("clock"), ["NoClock"], "503 clock", "clock", _LATER),
    "messenger gone": Outage(lambda w: w.kill("messenger"), ["NoMessenger"], "503 messengers", "messenger", _LATER),
    "streams gone": Outage(lambda w: w.kill("streams"), ["NoStreams"], "200", "streams", _LATER),
    "one API process of two gone": Outage(
        lambda w: w.kill("api 2", stay=True), ["ApiDown"], "200", "API process", _LATER, apis=2
    ),
    "all API processes gone": Outage(lambda w: w.kill("api"), ["NoApi"], "200", "API process", _LATER),
    "all API processes and streams gone": Outage(
        lambda w: w.kill("api", "streams"), ["NoApi"], "no answer", "API process", _LATER
    ),
    "Redis gone": Outage(lambda w: w.redis.kill(), ["RedisDown"], "503 store gone", "gone", _LATER),
    "Redis full": Outage(
        _command("CONFIG", "SET", "maxmemory", 1), ["RedisDown"], "503 store memory-full", "memory-full", _LATER
    ),
    "Redis read-only": Outage(
        _command("REPLICAOF", "127.0.0.1", 1), ["RedisDown"], "503 store read-only", "read-only", _LATER
    ),
    "Redis hangs": Outage(_hang, ["RedisDown"], "503 store hanging", "hanging", _LATER),
    "disk full": Outage(_fill_disk, ["RedisDown"], "503 store disk-full", "disk-full", _LATER),
    "clock of Redis 60 s ahead": Outage(
        lambda w: w.stepped.set(60), ["PreconditionUnmet"], "503 time", "(time)", _LATER
    ),
    "clock of Redis 60 s behind": Outage(
        lambda w: w.stepped.set(-60), ["PreconditionUnmet"], "503 time", "(time)", _LATER
    ),
}

#: Alerts of which each names a part.
NAMING: Final = {alert for outage in OUTAGES.values() for alert in outage.alerts}


def missing(outage: str) -> str:
    """Return why an outage cannot be brought about here, or ""."""
    if shutil.which("prometheus") is None:
        return "needs prometheus (Debian: prometheus)"
    if outage == "disk full" and os.geteuid():
        return "a small disk cannot be mounted here"
    if outage.startswith("clock of") and not SteppedClock(Path(tempfile.mkdtemp()) / "step").works:
        return "needs libfaketime (Debian: libfaketime)"
    return ""


def bring_about(name: str) -> list[Seen]:
    """Bring an outage about and return what is seen of it, at each of `MOMENTS_S`."""
    outage, states = OUTAGES[name], []
    with (
        tempfile.TemporaryDirectory(prefix="shengji-outage-") as folder,
        Watched(Path(folder), NAMING, apis=outage.apis) as watched,
    ):
        began = time.monotonic()
        outage.begin(watched)
        for moment in MOMENTS_S:
            time.sleep(max(0.0, began + moment - time.monotonic()))
            states.append(watched.look())
    return states


def wrong(name: str, states: list[Seen]) -> list[str]:
    """Return what is wrong with what was seen at last: the part is not named, or another one is blamed."""
    outage, last = OUTAGES[name], states[-1]
    fire = {alert for alert, state in last.alerts.items() if state == "firing"}
    faults = [f"{name}: {alert} does not fire" for alert in outage.alerts if alert not in fire]
    for moment in states:
        others = [alert for alert, state in moment.alerts.items() if state == "firing"]
        others = [alert for alert in others if alert not in (*outage.alerts, *outage.besides)]
        faults += [f"{name}: {alert} fires too" for alert in others]
    if outage.summary and outage.summary not in " ".join(last.summaries):
        faults.append(f"{name}: no summary says {outage.summary!r}: {last.summaries}")
    if last.readyz != outage.readyz:
        faults.append(f"{name}: /readyz says {last.readyz!r} instead of {outage.readyz!r}")
    return faults


def rows(name: str, states: list[Seen]) -> list[str]:
    """Return what was seen of an outage as rows of a table."""
    lines = []
    for moment, at in zip(MOMENTS_S, states, strict=True):
        alerts = "; ".join(f"{alert} {state}" for alert, state in sorted(at.alerts.items())) or "none"
        alerts = "<br>".join([alerts, *at.summaries])
        lines.append(f"| {name} | {moment:g} s | {at.readyz} | {at.metrics} | {alerts} |")
    return lines


def page(states: Mapping[str, list[Seen]], before: str = "") -> str:
    """Return the report; what was not seen now stays as it was `before`."""
    lines = []
    for name in OUTAGES:
        other_lines = [line for line in before.splitlines() if line.startswith(f"| {name} |")]
        lines += rows(name, states[name]) if name in states else other_lines
    return HEAD + "\n".join(lines) + "\n"


HEAD: Final = """# Outages

Written by `python -m tools.faults.alerts --report bench/outages.md`: each outage with a service and a Prometheus of
its own, the rules, intervals and durations as shipped in `deploy/prometheus`, a table of AI players going on. What is
gone is no target any more, as with DNS; only the API process of two stays one. There are no exporters of memory and
disks, and no gateway. What to do is in [the runbook](../docs/runbook.md).

| outage | after | `/readyz` | metrics | alerts, and what those that fire say |
|---|--:|---|---|---|
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.faults.alerts", description=__doc__)
    parser.add_argument("names", nargs="*", default=[], metavar="OUTAGE", help=", ".join(OUTAGES))
    parser.add_argument("--at-once", type=int, default=4, help="how many services run side by side")
    parser.add_argument("--report", type=Path, metavar="FILE", help="where the table goes")
    options = parser.parse_args()
    faults: list[str] = []
    names = []
    for name in options.names or OUTAGES:
        if reason := missing(name):
            print(f"{name}: {reason}")
        else:
            names.append(name)
    states: dict[str, list[Seen]] = {}

    def one(name: str) -> None:
        try:
            states[name] = bring_about(name)
        except (AssertionError, OSError, RuntimeError, RedisError) as error:
            faults.append(f"{name}: {error!r}")
            return
        faults.extend(wrong(name, states[name]))
        print("\n".join(rows(name, states[name])), flush=True)

    with ThreadPoolExecutor(options.at_once) as pool:
        list(pool.map(one, names))
    print("\n".join([*faults, f"{len(faults)} things are wrong" if faults else "nothing is wrong"]))
    if options.report:
        before = options.report.read_text(encoding="utf-8") if options.report.exists() else ""
        options.report.write_text(page(states, before), encoding="utf-8")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
