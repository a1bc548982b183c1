"""A bot of the package's runner at many tables, while it and the service are killed: `python -m tools.faults.bot`.

Then the logs of its tables show which decisions timed out. It is a fault if the bot could have answered one of them.
The memory of the bot is measured in each of its lives.
"""

import argparse
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from harness.processes import RunningService
from service.rules.options.rulesets import RULESETS
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables
from tools.faults.turns import kill_api, restart_redis

ROOT: Final = Path(__file__).parents[2]
CHOOSE: Final = "from shengji_client import example\n\n\ndef choose(view):\n    return example(view['decision'])\n"
#: Time during which bot and service must have run for a decision to be answerable, s.
ENOUGH_S: Final = 10.0
#: Time after a kill that does not count, until everything works again, s.
RECOVERY_S: Final = 10.0
#: First part of a life, in which a bot opens tables and imports modules, s.
YOUNG_S: Final = 60.0
LOOK_S: Final = 5.0
#: Growth of memory above which it is not flat, kB per minute.
MOST_GROWTH_KB: Final = 500.0


def kill_a_child(service: RunningService, number: int) -> None:
    """Kill a process that serves requests, if there is one yet, which may take a while on a busy machine."""
    for child in service.api[number % len(service.api)].children()[:1]:
        service.kill_child(child)


SERVICE_FAULTS: Final = (kill_api, kill_a_child, restart_redis)


class Life(NamedTuple):
    """The memory of a bot from its start to its kill."""

    began: float
    #: Seconds since the start, and resident memory in kB.
    looked: list[tuple[float, int]]

    def growth(self) -> float | None:
        """Return the growth of its memory in kB per minute after the first part; None if the life was too short."""
        grown = [(at, memory) for at, memory in self.looked if at > YOUNG_S]
        if len(grown) < 12:
            return None
        return 60 * statistics.linear_regression(*zip(*grown, strict=True)).slope


class Run:
    """See the module.

    Attributes:
        figures: measurements by name.
        wrong: faults.
    """

    def __init__(self, folder: Path, *, seed: int, tables: int, minutes: float, pace_ms: int, lives: int) -> None:
        self.folder, self.tables = folder, tables
        self._rng = random.Random(seed)
        self._minutes, self._pace_ms, self._lives = minutes, pace_ms, lives
        #: Outages (begin and end, s since the epoch).
        self._down: list[tuple[float, float]] = []
        self.lives: list[Life] = []
        self.wrong: list[str] = []
        self.figures: dict[str, object] = {}

    def run(
        self, faults: Sequence[Callable[[RunningService, int], None]] = SERVICE_FAULTS, every_s: float = 20
    ) -> None:
        with RunningService(self.folder, servers=2, workers=2, clocks=1) as service, ExitStack() as leave:
            self._configure(f"http://127.0.0.1:{service.port}")
            bot = self._start(leave)
            began = time.monotonic()
            end = began + 60 * self._minutes
            next_fault, killed, number = began + YOUNG_S, 0, 0
            while (now := time.monotonic()) < end:
                time.sleep(LOOK_S)
                self._look(bot)
                if now - began > (killed + 1) * (end - began) / self._lives:
                    with self._outage():
                        killed += 1
                        bot.kill()
                        bot.wait()
                        bot = self._start(leave)
                elif now > next_fault:
                    with self._outage():
                        faults[number % len(faults)](service, number)
                    number += 1
                    next_fault = now + self._rng.uniform(0.5, 1.5) * every_s
            bot.send_signal(signal.SIGTERM)
            status = self._ended(bot)
            if status != 0:
                self.wrong.append(f"the bot ended with {status} when it was told to stop")
            self.figures |= {"minutes": self._minutes, "service killed": number, "bot killed": killed}
            self._audit(service, time.time())
        text = (self.folder / "bot.log").read_text()
        self.wrong += [line for line in text.splitlines() if " ERROR " in line or "Traceback" in line]
        self._measure()

    # --- the bot ---

    def _configure(self, url: str) -> None:
        (self.folder / "ten_lines.py").write_text(CHOOSE)
        lines = [f'service = "{url}"', 'name = "Endurance"', 'choose = "ten_lines:choose"', "drain_s = 5.0"]
        games = [*RULESETS.items()]
        for number in range(self.tables):
            ruleset, rules = games[number % len(games)]
            options = "" if ruleset == "arms_length" else 'deal_pace = "instant"'
            lines += ["[[tables]]", f'ruleset = "{ruleset}"', f"players = {rules.players[0]}"]
            lines += [f"options = {{ {options} }}", f"ai_pace_ms = {self._pace_ms}"]
        (self.folder / "bot.toml").write_text("\n".join(lines) + "\n")

    def _start(self, leave: ExitStack) -> subprocess.Popen[bytes]:
        self.lives.append(Life(time.monotonic(), []))
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python")}
        command = [sys.executable, "-m", "shengji_client", "bot", "--config", str(self.folder / "bot.toml")]
        with (self.folder / "bot.log").open("ab") as log:
            bot = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
        leave.callback(bot.kill)
        return bot

    @staticmethod
    def _ended(bot: subprocess.Popen[bytes]) -> int:
        try:
            return bot.wait(30)
        except subprocess.TimeoutExpired:
            bot.kill()
            return bot.wait()

    def _look(self, bot: subprocess.Popen[bytes]) -> None:
        """Record the memory of the bot."""
        if bot.poll() is not None:
            self.wrong.append(f"the bot ended by itself with {bot.returncode}")
            raise RuntimeError((self.folder / "bot.log").read_text()[-2_000:])
        status = Path(f"/proc/{bot.pid}/status").read_text()
        memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        self.lives[-1].looked.append((time.monotonic() - self.lives[-1].began, memory))

    @contextmanager
    def _outage(self) -> Iterator[None]:
        began = time.time()
        try:
            yield
        finally:
            self._down.append((began, time.time() + RECOVERY_S))

    # --- results ---

    def _audit(self, service: RunningService, ended: float) -> None:
        """Check the logs of all tables."""
        waits: list[float] = []
        opened_by_bot = re.findall(r"table (tb_\w+): \w+ for \d+ players", (self.folder / "bot.log").read_text())
        excused = rounds = games = 0
        with command_client(service.redis.url) as redis:
            tables = Tables(Stores(redis).tables)
            for table in opened_by_bot:
                opened: dict[str, Any] = {}
                for event in tables.log(table):
                    at, data = (
                        event["at"] / 1000 if isinstance(event["at"], int) else _seconds(event["at"]),
                        event["data"],
                    )
                    rounds += event["type"] == "round_ended"
                    games += event["type"] == "game_ended"
                    if event["type"] == "decision_opened":
                        opened = {"at": at, "kind": data["kind"]} if 0 in data["seats"] else {}
                    elif event["type"] == "decision_timed_out" and 0 in data["seats"] and opened and at < ended:
                        if self._up(opened["at"], at) < ENOUGH_S:
                            excused += 1
                        else:
                            self.wrong.append(f"{table}: {opened['kind']} at seq {event['seq']} ran out of time")
                    elif data.get("seat") == 0 and event["by"] == "player" and opened:
                        if self._up(opened["at"], at) == at - opened["at"]:
                            waits.append(at - opened["at"])
                        opened = {}
        waits.sort()
        self.figures |= {
            "tables": len(opened_by_bot),
            "rounds": rounds,
            "games": games,
            "answers without a fault meanwhile": len(waits),
            "decisions that ran out of time during a fault": excused,
        }
        for share in (50, 99, 100):
            self.figures[f"answer after, s, {share} %"] = round(
                waits[min(len(waits) - 1, len(waits) * share // 100)], 2
            )
        if len(opened_by_bot) < self.tables or len(waits) < self.tables:
            self.wrong.append("the bot hardly played")

    def _up(self, since: float, until: float) -> float:
        """Return how long everything ran between two times, s."""
        down = sum(max(0.0, min(until, end) - max(since, begin)) for begin, end in self._down)
        return until - since - down

    def _measure(self) -> None:
        grown = [growth for life in self.lives if (growth := life.growth()) is not None]
        self.wrong += [f"the memory of the bot grew by {kb:.0f} kB in a minute" for kb in grown if kb > MOST_GROWTH_KB]
        memory = [kb for life in self.lives for at, kb in life.looked if at > YOUNG_S]
        self.figures |= {
            "memory after a minute, MB": [round(kb / 1024, 1) for kb in (min(memory), max(memory))] if memory else None,
            "growth in a minute, kB, by life": [round(growth, 1) for growth in grown],
        }
        (self.folder / "memory.json").write_text(json.dumps([life.looked for life in self.lives]))


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.faults.bot", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--lives", type=int, default=3, help="how often the bot is started")
    parser.add_argument("--every", type=float, default=30, metavar="S", help="seconds between faults, on average")
    parser.add_argument("--pace", type=int, default=500, help="time AI players take for a move, ms")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder", type=Path, help="where data and logs go, and stay")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="shengji-bot-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {options.seed}; data and logs in {folder}", flush=True)
    run = Run(
        folder,
        seed=options.seed,
        tables=options.tables,
        minutes=options.minutes,
        pace_ms=options.pace,
        lives=options.lives,
    )
    run.run(every_s=options.every)
    print("\n".join(f"{name:>46} {value}" for name, value in run.figures.items()))
    print("\n".join(["", *run.wrong[:50], f"{len(run.wrong)} things are wrong" if run.wrong else "nothing is wrong"]))
    return bool(run.wrong)


if __name__ == "__main__":
    sys.exit(main())
