"""Lateness of AI players at the tables of others, next to a host with a hundred busy tables.

    python -m bench.bench_shares [--hostile 100] [--others 12] [--seconds 30]

One worker, one clock, Redis and an API. The others' tables have a person who never answers and three AI players at a
pace of 600 ms; those of the hostile host have only AI players, at pace 0. The lateness of a move is computed from the
log: from its decision, plus the pace, until it was written. The baseline is the same without the hostile host, measured
first in the same run.
"""

import argparse
import os
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bench import report
from bench.servers import percentile
from demo.connection import Client, register
from harness.processes import RunningService
from service.store.connections.clients import command_client
from service.store.redis_tables import RedisTableStore
from service.tables import Tables

PACE_MS: Final = 600
#: Limit of the 95th percentile of lateness (ms).
LATE_MS: Final = 250
_TIMES: Final = dict.fromkeys(("play_ms", "declare_ms", "discard_ms", "ready_ms"), 1_000)
_CLOCK: Final = {**_TIMES, "grace_ms": 0, "bank_ms": 0}


def open_table(host: Client, *, people: int, pace: int) -> str:
    """Open and start a table of four, and return its id."""
    spec = {
        "ruleset": "shengji",
        "players": 4,
        "ai_pace_ms": pace,
        "clock": _CLOCK,
        "options": {"deal_pace": "instant"},
    }
    table = str(host.request("POST", "/v1/tables", spec)["id"])
    path = f"/v1/tables/{table}"
    for seat in range(people):
        host.request("POST", f"{path}/seats", {"seat": seat})
    for seat in range(people, 4):
        host.request("PUT", f"{path}/seats/{seat}/ai", {"level": "easy"})
    if people:
        host.request("PUT", f"{path}/seats/me/ready", {"ready": True})
    return table


def lateness(log: list[Any], since: int) -> list[int]:
    """Return the lateness of each AI move at a table (ms), from a time on."""
    late = []
    for question, answer in pairwise(log):
        is_play = question["type"] == "decision_opened" and question["data"]["kind"] == "play" and answer["by"] == "ai"
        if is_play and question["at"] >= since:
            late.append(answer["at"] - question["at"] - PACE_MS)
    return late


def measure(tables: Tables, ids: list[str], seconds: float) -> list[int]:
    """Let the tables play for some time, and return the lateness of each move."""
    since = time.time_ns() // 1_000_000
    time.sleep(seconds)
    return sorted(late for table in ids for late in lateness(tables.log(table), since))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.bench_shares", description=__doc__)
    parser.add_argument("--hostile", type=int, default=100, help="tables of the hostile host")
    parser.add_argument("--others", type=int, default=12, help="tables of others, each with its own host")
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="shengji-shares-") as folder,
        RunningService(Path(folder), servers=1, workers=1, clocks=1) as service,
    ):
        url = f"http://127.0.0.1:{service.port}"
        hosts = [register(url, f"Host {number}") for number in range(options.others)]
        ids = [open_table(host, people=1, pace=PACE_MS) for host in hosts]
        tables = Tables(RedisTableStore(command_client(service.redis.url)))
        alone = measure(tables, ids, options.seconds)
        mallory = register(url, "Mallory")
        for _ in range(options.hostile):
            open_table(mallory, people=0, pace=0)
        beside = measure(tables, ids, options.seconds)
    rows = []
    for name, late in (("alone", alone), (f"beside {options.hostile} tables of one host", beside)):
        quantiles = (percentile(late, share) for share in (50, 95, 99))
        rows.append([name, f"{len(late)}", *(f"{each:.0f}" for each in quantiles)])
    report.table(["moves of AI players", "number", "late, ms: median", "95 %", "99 %"], rows)
    report.aim("95 % of the moves beside it come after so many ms", percentile(beside, 95), at_most=LATE_MS)
    print(f"load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
