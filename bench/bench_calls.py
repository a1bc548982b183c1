"""Function calls and Redis commands per play, which do not depend on the load of the machine.

    python -m bench.bench_calls [--rounds 3]

Rounds of `shengji` are played over the WSGI interface in this process, with a profiler that counts calls, including
those of built-in functions. Time is not measured. Compare two checkouts to see the effect of a change: `make bench
ARGS="calls --against ../before"`.
"""

import argparse
import cProfile
import pstats
import statistics
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench import report
from bench.servers import seat_bots
from service.app import build
from service.common import logs
from service.common.settings import Budget, Settings
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables

PLAYS: Final = 100
#: Rooms of the project, by the folder of a function's file.
ROOMS: Final = ("api", "game", "rules", "store", "tables", "common")


class Round(NamedTuple):
    """Figures of a round: function calls by room, and Redis commands."""

    calls: dict[str, int]
    commands: int


def play(app: Any, client: Any, tables: Tables, players: Any) -> Round:
    """Play a round and count."""
    seated = seat_bots(tables, players)
    path, http, counting = f"/v1/tables/{seated.table}/play", app.test_client(), cProfile.Profile()
    plays = list(seated.plays())[:PLAYS]
    before = commands_of(client)
    for seat, body in plays:
        headers = {"Authorization": f"Bearer {seated.tokens[seat]}"}
        counting.enable()
        answer = http.post(path, json=body, headers=headers)
        counting.disable()
        assert answer.status_code == 200, answer.json
    commands = commands_of(client) - before
    calls = dict.fromkeys([*ROOMS, "all"], 0)
    for (file, _, _), (_, count, *_) in pstats.Stats(counting).stats.items():  # type: ignore[attr-defined]
        calls["all"] += count
        _, is_ours, path_of = file.rpartition("/service/")
        room = path_of.partition("/")[0]
        if is_ours and room in calls:
            calls[room] += count
    return Round(calls, commands)


def commands_of(client: Any) -> int:
    """Return the number of commands executed by the server, without those of scripts and of this query."""
    done = client.info("commandstats")
    return sum(each["calls"] for name, each in done.items() if name != "cmdstat_info")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as redis:
        client = command_client(redis.url)
        stores = Stores(client)
        settings = Settings(redis_url=redis.url, log_level="warning", limit_act=Budget(0, 60))
        logs.configure(settings)
        app = build(settings)
        # The first round fills caches.
        rounds = [play(app, client, Tables(stores.tables), stores.players) for _ in range(options.rounds + 1)][1:]
        client.close()
    median = {name: statistics.median(each.calls[name] for each in rounds) / PLAYS for name in [*ROOMS, "all"]}
    rows = [[name, f"{value:,.1f}"] for name, value in median.items()]
    rows.append(["commands of Redis", f"{statistics.median(each.commands for each in rounds) / PLAYS:.2f}"])
    report.table(["for a play", "calls"], rows)


if __name__ == "__main__":
    main()
