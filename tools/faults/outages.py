"""A bot of the package's runner through long outages: `python -m tools.faults.outages --minutes 60`.

It keeps ten fast tables, two of them of one ruleset; its config has a stale join code and a spec that is refused. The
service has its usual limits, and is out of reach for two minutes at a time: its API or its Redis is gone. Then the log
of the bot must tell of all of it, and of the result of every game, once.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import demo  # noqa: F401 (it puts the package on the path)
from harness.processes import RunningService
from service.common.settings import Settings
from service.rules.options.rulesets import RULESETS
from shengji_client import Client, Table

ROOT: Final = Path(__file__).parents[2]
CHOOSE: Final = "from shengji_client import example\n\n\ndef choose(view):\n    return example(view['decision'])\n"
TABLES: Final = 10
#: Games and seats of the tables: every ruleset, and two of one.
GAMES: Final = (("zhaopengyou", 5), ("zhaopengyou", 8), *((name, rules.players[0]) for name, rules in RULESETS.items()))
#: A spec that no service takes: `shengji` is for four.
REFUSED: Final = ("shengji", 5)
#: Time before the end in which the last game may end without being told of, s.
LAST_S: Final = 20.0
#: How long a bot may take for the first game of each table.
PATIENCE_S: Final = 240.0


class Run:
    """See the module.

    Attributes:
        figures: measurements by name.
        wrong: faults.
    """

    def __init__(self, folder: Path, *, minutes: float, outages: int, outage_s: float, pace_ms: int) -> None:
        self.folder = folder
        self._seconds, self._outages, self._outage_s, self._pace_ms = 60 * minutes, outages, outage_s, pace_ms
        self.wrong: list[str] = []
        self.figures: dict[str, object] = {}

    def run(self) -> None:
        usual = Settings()
        budgets = {"LIMIT_CREATE": usual.limit_create, "LIMIT_ACT": usual.limit_act, "LIMIT_READ": usual.limit_read}
        limits = {name: f"{budget.limit}/{budget.window_s}" for name, budget in budgets.items()}
        limits["HOST_TABLES"] = str(usual.host_tables)
        with RunningService(self.folder, limits, servers=1, workers=1, clocks=1) as service:
            url = f"http://127.0.0.1:{service.port}"
            self._configure(url, self._stale_code(url))
            environment = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python")}
            command = [sys.executable, "-m", "shengji_client", "bot", "--config", str(self.folder / "bot.toml")]
            with (self.folder / "bot.log").open("ab") as log:
                bot = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log, stderr=log)
            try:
                self._play(service, bot)
                stopped = time.time()
                bot.send_signal(signal.SIGTERM)
                try:
                    status: object = bot.wait(150)
                except subprocess.TimeoutExpired:
                    status = "no status, in 150 s"
                if status != 0:
                    self.wrong.append(f"the bot ended with {status} when it was told to stop")
            finally:
                bot.kill()
                bot.wait()
            self._audit(Client(url, (self.folder / "bot.token").read_text().strip()), stopped)

    @staticmethod
    def _stale_code(url: str) -> str:
        """Return the join code of a table that is closed."""
        table = Table.create(host := Client.register(url, "Host"), {"ruleset": "shengji", "players": 4})
        code: str = host.request("GET", table.path)["join_code"]
        table.close()
        return code

    def _configure(self, url: str, stale: str) -> None:
        (self.folder / "ten_lines.py").write_text(CHOOSE)
        lines = [f'service = "{url}"', 'name = "Outages"', 'choose = "ten_lines:choose"', "drain_s = 120.0"]
        lines += [f'join = ["{stale}"]', "accepts = { concurrent = 1 }"]
        for number in range(TABLES + 1):
            # The refused one is neither the first nor the last.
            ruleset, players = REFUSED if number == 2 else GAMES[(number - (number > 2)) % len(GAMES)]
            options = "" if ruleset == "arms_length" else 'deal_pace = "instant", start_level = "A"'
            lines += ["[[tables]]", f'ruleset = "{ruleset}"', f"players = {players}"]
            lines += [f"options = {{ {options} }}", f"ai_pace_ms = {self._pace_ms}"]
        (self.folder / "bot.toml").write_text("\n".join(lines) + "\n")

    def _play(self, service: RunningService, bot: subprocess.Popen[bytes]) -> None:
        began = time.monotonic()
        gap = (self._seconds - self._outages * self._outage_s) / (self._outages + 1)
        kinds = (_without_api, _without_redis)
        for number in range(self._outages):
            self._wait(bot, began + (number + 1) * gap + number * self._outage_s)
            kinds[number % len(kinds)](service, lambda: time.sleep(self._outage_s))
        self._wait(bot, began + self._seconds)
        # On a busy machine the games may take longer.
        self._wait(bot, time.monotonic() + PATIENCE_S, until=lambda: len(set(self._games_over())) >= TABLES)

    def _wait(self, bot: subprocess.Popen[bytes], end: float, until: Callable[[], bool] = lambda: False) -> None:
        while time.monotonic() < end and not until():
            if bot.poll() is not None:
                raise RuntimeError(f"the bot ended by itself with {bot.returncode}: {self._log()[-2_000:]}")
            time.sleep(1)

    def _log(self) -> str:
        return (self.folder / "bot.log").read_text()

    def _games_over(self) -> Iterator[str]:
        """Yield the table of each result in the log."""
        return (match[1] for match in re.finditer(r"table (tb_\w+): game gm_\w+ is over", self._log()))

    # --- what the log must tell ---

    def _audit(self, client: Client, stopped: float) -> None:
        text = self._log()
        games = list(_games(client))
        counts = Counter(re.findall(r"game (gm_\w+) is over: \w+, \d+ rounds? on seat 0: \w+", text))
        self.wrong += _told_otherwise_than_once(games, counts, stopped)
        opened = re.findall(r"(tb_\w+): (\w+) for (\d+) players", text)
        played = Counter((game["ruleset"], game["players"]) for game in games)
        self.wrong += [f"no game of {kind} was played" for kind in set(GAMES) if not played[kind]]
        replaced = text.count("closed after its last game")
        if len(opened) != TABLES + replaced:
            self.wrong.append(f"{len(opened)} tables were opened, {replaced} of them in place of others")
        wanted = {
            r"table 3 of the config \(shengji, 5 players\): refused, and not tried again: ": 1,
            r"join code \w+: refused, and not tried again: ": 1,
        }
        for pattern, times in wanted.items():
            if len(re.findall(pattern, text)) != times:
                self.wrong.append(f"the log does not say {times} times: {pattern}")
        self.wrong += [line for line in text.splitlines() if "Traceback" in line or "a fault of" in line]
        answers_again = [float(each) for each in re.findall(r"answers again, after (\d+) s", text)]
        long = [seconds for seconds in answers_again if seconds > self._outage_s / 2]
        if len(long) < self._outages:
            self.wrong.append(f"the log tells of outages of {answers_again} s")
        again = Counter(game["table"] for game in games)
        self.figures |= {
            "games": len(games),
            "games told": sum(counts.values()),
            "games at the same table, most": max(again.values(), default=0),
            "tables opened": len(opened),
            "outages told, s": [int(seconds) for seconds in answers_again],
            "lines of the log": len(text.splitlines()),
        }


def _told_otherwise_than_once(games: Sequence[Any], told: Mapping[str, int], stopped: float) -> Iterator[str]:
    """Yield a sentence for each game that the log does not tell once; one of the last may not be told yet."""
    for game in games:
        times, ended = told.get(game["game"], 0), datetime.fromisoformat(game["ended_at"]).timestamp()
        if times != 1 and ended < stopped - LAST_S:
            yield f"{game['game']} of {game['ruleset']} is told {times} times"
    # The list has the latest 2,000 games.
    yield from (f"{game} is told {times} times" for game, times in told.items() if times != 1)


def _without_api(service: RunningService, during: Callable[[], None]) -> None:
    """Requests reach nobody: the socket is open, and no answer comes."""
    for process in service.api:
        children = process.children()
        process.kill()
        for child in children:
            service.kill_child(child)
    during()
    for process in service.api:
        process.start()


def _without_redis(service: RunningService, during: Callable[[], None]) -> None:
    """Requests are answered with 503."""
    service.redis.stop()
    during()
    service.redis.start()


def _games(client: Client) -> Iterator[Any]:
    cursor: str | None = None
    while True:
        page = client.request("GET", "/v1/me/games", query={"limit": 100} | ({"cursor": cursor} if cursor else {}))
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.faults.outages", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--outages", type=int, default=6)
    parser.add_argument("--outage", type=float, default=120, metavar="S", help="seconds that each lasts")
    parser.add_argument("--pace", type=int, default=0, help="time AI players take for a move, ms")
    parser.add_argument("--folder", type=Path, help="where data and logs go, and stay")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="shengji-outages-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"data and logs in {folder}", flush=True)
    run = Run(folder, minutes=options.minutes, outages=options.outages, outage_s=options.outage, pace_ms=options.pace)
    run.run()
    print(json.dumps(run.figures, indent=1))
    print("\n".join(["", *run.wrong[:50], f"{len(run.wrong)} things are wrong" if run.wrong else "nothing is wrong"]))
    return bool(run.wrong)


if __name__ == "__main__":
    sys.exit(main())
