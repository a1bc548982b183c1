"""Evenings of many: how long a round takes to begin, and what reading the standings costs.

    python -m bench.bench_evenings [--rounds 13] [--seconds 20] [--rate 50]

Entries are put into the store, since they are not measured. A director begins the first round of 64 teams and of 100
pairs over HTTP, while a player reads their own account: the begin is over when the clock's process has opened all
tables. Then the standings of 100 pairs, all of whose rounds but the last have been played, are read at a rate over
several connections, compressed as for browsers, and so is the reader's account. The clock, a worker and the only API
process share the machine with the readers.
"""

import argparse
import http.client
import itertools
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from redis import Redis

from bench import report
from bench.bench_events import result
from bench.servers import cpu_of, percentile
from demo.connection import register
from harness.processes import RunningService
from harness.waiting import wait_until
from service.api.http.auth import hash_of, new_salt, token_of
from service.game.ids import new_id
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.store.tournaments.teams import Member, Progress, Team
from service.tournaments import forms, teams
from service.tournaments.standings import room
from shengji_client import Client

#: Limits: of the longest request while a round begins, and of the 99th percentile of reads of standings (ms); of
#: commands to Redis for each table that is opened, about; of CPU of a read of standings, by that of one of an account.
LONGEST_MS: Final = 250
READ_MS: Final = 100
COMMANDS: Final = 150
CPU_SHARE: Final = 2
_CONNECTIONS: Final = 8
_IDLE_S: Final = 2.0


class Begun(NamedTuple):
    """What the begin of a round took: ms of the request and until all tables were open, CPU of the clock's process
    (ms), commands to Redis without those of idle processes, and ms of requests of somebody else meanwhile, in order.
    """

    tables: int
    request_ms: float
    all_ms: float
    cpu_ms: float
    commands: float
    others_ms: list[float]


def enter(stores: Stores, event: str, units: int, size: int) -> None:
    """Enter complete teams or pairs, each of one player and AI players."""
    entries: dict[str, Team] = {}
    for number in range(units):
        player = new_id("pl_", os.urandom)
        record = {"id": player, "name": f"P{number}", "kind": "human", "locale": "en", "created_at": 0}
        stores.players.create(cast("Any", record), hash_of(token_of(new_salt(), None)))
        person: Member = {"player": player, "name": f"P{number}", "kind": "human", "level": None, "is_confirmed": True}
        others: Member = {"player": None, "name": "", "kind": "ai", "level": "easy", "is_confirmed": True}
        entries[new_id("tm_", os.urandom)] = {
            "name": f"Team number {number}",
            "captain": player,
            "members": [person, *[others] * (size - 1)],
            "is_withdrawn": False,
            "is_house": False,
        }
    stores.boards.teams.change(event, lambda progress: {**progress, "teams": entries}, 0)


def create(director: Client, **setup: object) -> str:
    """Create an event and return its id. Nobody plays: AI players take an hour for each move."""
    spec = {"name": "Cup", "ruleset": "sishifen", "players": 4, "boards": 2, "ai_pace_ms": 10_000, **setup}
    return str(director.request("POST", "/v1/team-events", spec)["event"])


def begin(service: RunningService, redis: Redis, director: Client, event: str) -> Begun:
    """Begin the first round, while somebody reads their account all the time."""
    path, reader = f"/v1/team-events/{event}", register(f"http://127.0.0.1:{service.port}", "Reader")
    others, is_over = list[float](), threading.Event()

    def read() -> None:
        while not is_over.wait(0.01):
            others.append(spent(lambda: reader.request("GET", "/v1/me")))

    beside = threading.Thread(target=read)
    beside.start()
    clock = [each.popen.pid for each in service.clocks if each.popen is not None]
    # What runs anyway: clock, worker, messenger, and the reader.
    commands, began = _commands(redis), time.perf_counter()
    time.sleep(_IDLE_S)
    idle = (_commands(redis) - commands) / (time.perf_counter() - began)
    others.clear()
    commands, cpu, began = _commands(redis), cpu_of(clock), time.perf_counter()
    request_ms = spent(lambda: director.request("POST", f"{path}/rounds", {"round": 1}))

    def pending() -> object:
        return director.request("GET", path)["played"][-1]["pending"]

    wait_until(lambda: pending() is None, "tables", seconds=300)
    all_ms, cpu_ms = 1000 * (time.perf_counter() - began), 1000 * (cpu_of(clock) - cpu)
    sent = _commands(redis) - commands - idle * all_ms / 1000
    is_over.set()
    beside.join()
    event_now = director.request("GET", path)
    tables = len(event_now["played"][-1]["matches"]) * (2 if event_now["size"] == 4 else 1)
    return Begun(tables, request_ms, all_ms, cpu_ms, sent, sorted(others))


def _commands(redis: Redis) -> int:
    return int(cast("Mapping[str, Any]", redis.info("stats"))["total_commands_processed"])


def spent(do: Callable[[], object]) -> float:
    """Return how long something takes (ms)."""
    began = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - began)


def play(stores: Stores, event: str, rounds: int) -> None:
    """Store results of all boards of all rounds but the last, which stays open."""
    stored = stores.boards.event(event)
    assert stored is not None
    draw = [*(stores.boards.teams.progress(event) or {"teams": {}})["teams"]]
    now = time.time_ns() // 1_000_000

    def all_played(progress: Progress) -> Progress:
        progress = {**progress, "rounds": [], "draw": draw}
        for number in range(1, rounds + 1):
            field = forms.Field(number, rounds, draw, draw, [], [], [], one_winner=True)
            progress = forms.with_round(stored, progress, forms.seating(stored, field), now, now + 3_600_000)
            if number < rounds:
                progress = teams.scored(teams.round_closed(progress, number, now), number)
        return progress

    stores.boards.teams.change(event, all_played, now)
    each = stored["teams"]["boards"]
    for board, table in itertools.product(range(1, (rounds - 1) * each + 1), range(1, len(draw) // 2 + 1)):
        stores.boards.add_result(event, board, room(table, 0), result(0, now))


def read_at_rate(service: RunningService, token: str, path: str, rate: int, seconds: float) -> tuple[list[float], int]:
    """Read at a rate; return how long each read took since it was due (ms), in order, and the bytes of an answer."""
    numbers, taken, sizes = itertools.count(), list[float](), list[int]()
    began, total = time.perf_counter() + 0.1, int(rate * seconds)
    headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "gzip"}

    def run() -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)) as connection:
            while (number := next(numbers)) < total:
                due = began + number / rate
                time.sleep(max(0.0, due - time.perf_counter()))
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status == 200, body
                taken.append(1000 * (time.perf_counter() - due))
                sizes.append(len(body))

    threads = [threading.Thread(target=run) for _ in range(_CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(taken), sizes[-1]


def measure_begins(service: RunningService, redis: Redis, stores: Stores, director: Client) -> None:
    """Measure and print the begin of a round of 64 teams and of 100 pairs."""
    rows, longest, most = [], 0.0, 0.0
    for name, units, setup in (
        ("16 teams", 16, {"form": "swiss", "rounds": 7}),
        ("100 pairs", 100, {"form": "mitchell", "rounds": 13}),
        ("64 teams", 64, {"form": "swiss", "rounds": 7}),
    ):
        event = create(director, **setup)
        enter(stores, event, units, 4 if setup["form"] == "swiss" else 2)
        begun = begin(service, redis, director, event)
        others = [f"{percentile(begun.others_ms, 50):.0f}", f"{begun.others_ms[-1]:.0f}"]
        each = begun.commands / begun.tables
        took = (begun.request_ms, begun.all_ms, begun.cpu_ms / begun.tables, each)
        rows.append([name, f"{begun.tables}", *(f"{figure:,.0f}" for figure in took), *others])
        longest, most = max(longest, begun.request_ms, begun.others_ms[-1]), max(most, each)
    heads = ("begin of a round", "tables", "ms of the request", "ms of all tables", "CPU a table", "commands")
    report.table((*heads, "ms of others", "at most"), rows)
    report.aim("ms of the longest request while a round begins", longest, at_most=LONGEST_MS)
    report.aim("commands to Redis for each table, about", most, at_most=COMMANDS)


def measure_reads(
    service: RunningService, stores: Stores, director: Client, rounds: int, rate: int, seconds: float
) -> None:
    """Measure and print reads of the standings of 100 pairs."""
    event = create(director, form="mitchell", rounds=rounds)
    enter(stores, event, 100, 2)
    play(stores, event, rounds)
    reader = register(f"http://127.0.0.1:{service.port}", "Reader")
    rows, costs, slowest = [], list[float](), 0.0
    for name, path in (
        ("the account", "/v1/me"),
        (f"standings of 100 pairs, {rounds - 1} rounds", f"/v1/team-events/{event}/standings"),
        ("the event of the pairs", f"/v1/team-events/{event}"),
    ):
        pids = service.api[0].children()
        # Once a round, a process counts the results up.
        first = spent(lambda path=path: reader.request("GET", path))
        before, began = cpu_of(pids), time.perf_counter()
        taken, size = read_at_rate(service, reader.token, path, rate, seconds)
        cpu_s, took_s = cpu_of(pids) - before, time.perf_counter() - began
        ms = [f"{figure:.0f}" for figure in (first, percentile(taken, 50), percentile(taken, 99))]
        rows.append(
            [name, *ms, f"{100 * cpu_s / took_s:.0f}", f"{1000 * cpu_s / len(taken):.1f}", f"{size / 1000:.1f}"]
        )
        costs.append(cpu_s / len(taken))
        if "standings" in path:
            slowest = percentile(taken, 99)
    report.table((f"{rate} reads a second", "ms, first", "median", "99 %", "% of a core", "ms of CPU", "KB"), rows)
    report.aim("CPU of a read of standings, by that of the account", costs[1] / costs[0], at_most=CPU_SHARE)
    report.aim("ms that 99 % of the reads of standings take at most", slowest, at_most=READ_MS)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=13, help="of the event whose standings are read")
    parser.add_argument("--seconds", type=float, default=20, help="of reading")
    parser.add_argument("--rate", type=int, default=50, help="reads a second")
    options = parser.parse_args()
    random.seed(1)
    with (
        tempfile.TemporaryDirectory(prefix="shengji-evenings-") as folder,
        RunningService(Path(folder), servers=1, workers=1, clocks=1) as service,
    ):
        redis = command_client(service.redis.url)
        stores, director = Stores(redis), register(f"http://127.0.0.1:{service.port}", "Director")
        measure_begins(service, redis, stores, director)
        measure_reads(service, stores, director, options.rounds, options.rate, options.seconds)


if __name__ == "__main__":
    main()
