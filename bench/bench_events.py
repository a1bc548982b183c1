"""Equal deals: time for reading standings, memory for players and teams, and outcomes of matches of AI players.

    python -m bench.bench_events [--entrants 1000] [--reads 200] [--matches 40] [--seconds 60] [--levels hard:normal …]

A finished daily event and one with 64 teams are put into the store; their standings are read over HTTP from one API
process, and compared with the smallest read. Matches of AI players are played in this process, four boards each, up to
a number of matches or seconds of CPU. Their seeds are random, since with those of the service equal players play a
board alike. `normal` seldom decides randomly, so against itself it mostly plays alike here too.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from bench import report
from bench.servers import cpu_of, percentile
from demo.connection import register
from harness.processes import RunningService
from service.boards import deals
from service.boards.scoring import value_of
from service.game.commands.creation import create_table
from service.game.ids import new_id
from service.game.records.again import played_again
from service.game.state.types import State
from service.store.boards.events import BoardResult, BoardStore, StoredEvent
from service.store.connections.clients import command_client
from service.store.tournaments.teams import Progress, Team
from service.tournaments import teams
from service.tournaments.match_scores import board_score, victory_points
from service.tournaments.standings import room
from workers import ai

#: Limit of the 95th percentile of reads of standings (ms).
READ_MS: Final = 50
ENTRANT_KB: Final = 1.5
_RULES: Final[dict[str, Any]] = {"name": "Cup", "is_listed": True, "round_ms": 3_600_000, "options": {}, "clock": {}}
ROUNDS: Final = 15
BOARDS: Final = 8


def result(deal: int, at: int) -> BoardResult:
    """Return a result of a board."""
    points = random.randrange(0, 200, 5)
    return {"deal": deal, "game": new_id("gm_", os.urandom) + "_1", "at": at, "value": points - 80, "points": points}


def fill_day(store: BoardStore, entrants: int, now: int) -> StoredEvent:
    """Store an event of the day before, with all boards played."""
    event = deals.new_event("ev_day", "shengji", 4, now - 2 * deals.DAY_MS, os.urandom)
    store.create(event, deals.DAY_MS)
    for number in range(entrants):
        player = f"pl_{number:012}"
        store.enter("ev_day", player, {"name": f"Entrant {number}", "at": now})
        for board in range(1, len(event["boards"]) + 1):
            store.add_result("ev_day", board, player, result(deals.deal_of(event, board, player), now))
    for board in range(1, len(event["boards"]) + 1):
        for deal in range(deals.DEALS):
            store.add_field("ev_day", board, deal, [result(0, 0)["value"] or 0 for _ in range(16)])
    return event


def fill_cup(store: BoardStore, now: int) -> StoredEvent:
    """Store an event with the most teams possible, with all boards played."""
    names = [f"tm_{number:012}" for number in range(teams.MOST_TEAMS)]
    event: StoredEvent = {
        **deals.new_event("ev_cup", "shengji", 4, now, os.urandom),
        "closes_at": now + deals.DAY_MS,
        "boards": deals.new_boards(ROUNDS * BOARDS, 1, os.urandom),
        "teams": {**_RULES, "rounds": ROUNDS, "boards": BOARDS, "ai_pace_ms": 0},  # type: ignore[typeddict-item]
    }
    store.create(event, deals.DAY_MS)

    def all_played(progress: Progress) -> Progress:
        progress = {**progress, "director": "pl_director", "teams": {name: team(name) for name in names}}
        for _ in range(ROUNDS):
            pairs = list(zip(names[::2], names[1::2], strict=True))
            progress = teams.with_round(progress, pairs, now, now)
            progress = teams.scored(teams.round_closed(progress, len(progress["rounds"]), now), len(progress["rounds"]))
        return progress

    store.teams.change("ev_cup", all_played, now)
    for board in range(1, len(event["boards"]) + 1):
        for pair in range(1, len(names) // 2 + 1):
            for which in (0, 1):
                store.add_result("ev_cup", board, room(pair, which), result(0, now))
    return event


def team(name: str) -> Team:
    """Return a team of four players."""
    players = [f"pl_{name[3:]}{place}" for place in range(4)]
    return {
        "name": f"Team {name}",
        "captain": players[0],
        "members": [
            {"player": player, "name": f"Player {player}", "kind": "human", "level": None, "is_confirmed": True}
            for player in players
        ],
        "is_withdrawn": False,
        "is_house": False,
    }


def timed(read: Callable[[], object], reads: int) -> tuple[float, list[float]]:
    """Return the time of a first read and those of others, in order (ms)."""
    spent = []
    for _ in range(reads + 1):
        began = time.perf_counter()
        read()
        spent.append(1000 * (time.perf_counter() - began))
    return spent[0], sorted(spent[1:])


def measure_reads(entrants: int, reads: int) -> None:
    """Measure reads of standings and their parts."""
    with (
        tempfile.TemporaryDirectory(prefix="shengji-events-") as folder,
        RunningService(Path(folder), servers=1, workers=1, clocks=1) as service,
    ):
        redis = command_client(service.redis.url)
        store, now = BoardStore(redis), time.time_ns() // 1_000_000
        fill_day(store, entrants, now)
        fill_cup(store, now)
        client = register(f"http://127.0.0.1:{service.port}", "Reader")
        rows, slowest = [], 0.0
        pids = service.api[0].children()
        for name, path in (
            ("the player", "/v1/me"),
            (f"standings of {entrants:,} entrants", "/v1/events/ev_day/standings"),
            ("one of their boards", "/v1/events/ev_day/boards/1"),
            (f"standings of {teams.MOST_TEAMS} teams", "/v1/team-events/ev_cup/standings"),
            ("the event of the teams", "/v1/team-events/ev_cup"),
            ("a match", "/v1/team-events/ev_cup/matches/3-7"),
        ):
            before = cpu_of(pids)
            first, others = timed(lambda path=path: client.request("GET", path), reads)
            spent = 1000 * (cpu_of(pids) - before) / (reads + 1)
            quantiles = (f"{percentile(others, share):.1f}" for share in (50, 95))
            rows.append([name, f"{first:.0f}", *quantiles, f"{spent:.1f}"])
            if "standings" in path:
                slowest = max(slowest, percentile(others, 95))
        sizes = {
            event: sum(redis.memory_usage(key, samples=0) or 0 for key in redis.scan_iter(f"sj:{{event:{event}}}:*"))
            for event in ("ev_day", "ev_cup")
        }
    report.table(["ms of a read", "first", "median", "95 %", "CPU of the API"], rows)
    report.aim("ms that 95 % of the reads of standings take at most", slowest, at_most=READ_MS)
    report.aim("KB of an entrant with eight boards", sizes["ev_day"] / entrants / 1000, at_most=ENTRANT_KB)
    whole = f"{teams.MOST_TEAMS} teams, {ROUNDS} rounds of {BOARDS} boards"
    report.aim(f"MB of an event of {whole}", sizes["ev_cup"] / 1e6, at_most=3)


def table_of(event: StoredEvent, number: int, levels: tuple[str, str]) -> State:
    """Return the table of a board, with AI players of one level on each side."""
    occupants = [{**deals.ai_player(seat), "level": levels[seat % 2]} for seat in range(4)]
    spec = deals.spec_of_room(event, number, "1a", occupants)  # type: ignore[arg-type]
    return create_table(new_id("tb_", os.urandom), "", spec, 0, os.urandom).state


def match(levels: tuple[str, str], boards: int) -> tuple[float, int]:
    """Return victory points and steps of the first level in a match."""
    event: StoredEvent = {
        **deals.new_event(new_id("ev_", os.urandom), "shengji", 4, 0, os.urandom),
        "boards": deals.new_boards(boards, 1, os.urandom),
        "teams": {**_RULES, "rounds": 1, "boards": boards, "ai_pace_ms": 0},  # type: ignore[typeddict-item]
    }
    steps = 0
    for number in range(1, boards + 1):
        values = []
        for sides in (levels, levels[::-1]):
            start = table_of(event, number, sides)

            def answer(_: State, seat: int, table_view: Any, sides: tuple[str, str] = sides) -> Any:
                return ai.choose(table_view, os.urandom(32), sides[seat % 2])

            values.append(value_of(start, played_again(start, answer)))
        steps += board_score(values).steps
    return victory_points(steps, boards), steps


def measure_matches(pairs: list[str], matches: int, seconds: float, boards: int = 4) -> None:
    """Let AI players meet, each pair in at least two matches, and print their results with standard errors."""
    rows = []
    for pair in pairs:
        first, second = pair.split(":")
        measured: list[tuple[float, int]] = []
        until = time.process_time() + seconds
        while len(measured) < 2 or (len(measured) < matches and time.process_time() < until):
            measured.append(match((first, second), boards))
        points = [each for each, _ in measured]
        error = stdev(points) / len(measured) ** 0.5
        rows.append(
            [
                f"{first} against {second}",
                f"{len(measured)}",
                f"{fmean(points):.2f} ± {error:.2f}",
                f"{fmean(steps for _, steps in measured):.2f}",
            ]
        )
    report.table([f"matches of {boards} boards of shengji", "number", "victory points", "steps"], rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=1_000)
    parser.add_argument("--reads", type=int, default=200)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60, help="of CPU for each pair of levels")
    parser.add_argument("--levels", nargs="*", default=["easy:easy", "normal:easy", "normal:normal", "hard:normal"])
    options = parser.parse_args()
    measure_reads(options.entrants, options.reads)
    measure_matches(options.levels, options.matches, options.seconds)


if __name__ == "__main__":
    main()
