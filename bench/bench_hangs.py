"""Hangs of Redis after its clock was set: how long actions are refused, and how long AI seats wait.

    python -m bench.bench_hangs [--hangs 5 12 40] [--minutes 2]

The whole service runs as processes: an API, two workers, two clocks, Redis. Somebody chats at a table, and tables of AI
players play by themselves. Redis is stopped for some seconds with its clock level, set back by a minute and set forward
by a minute; afterwards the tables of AI players play for some minutes while the shared time is ahead. Setting its clock
needs libfaketime (Debian: `libfaketime`). The hang itself is the baseline: so long nobody can answer.
"""

import argparse
import os
import queue
import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import requests

from bench import report
from bench.servers import SLOW_CLOCK
from harness.processes import RunningService
from harness.stepping import SteppedClock
from service.game.state.clock import wake_at
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client, listening_client
from service.store.shared_clock import SharedClock
from service.store.stores import Stores
from service.tables import Tables

STEP_S = 60
SETTLE_S, ASK_S = 3.0, 0.05
AI_TABLES, AI_PACE_MS = 4, 500
#: An AI seat that moves later than this after its time has waited for a lease (ms).
LATE_MS = 1_000


class Chatter(threading.Thread):
    """Acts at a table again and again, and notes when it was refused."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._url, self._over = f"http://127.0.0.1:{port}", threading.Event()
        account = requests.post(f"{self._url}/v1/players", json={"name": "Lin", "kind": "bot"}, timeout=60).json()
        self._headers = {"Authorization": f"Bearer {account['token']}"}
        spec = {"ruleset": "shengji", "players": 4, "visibility": "public", "clock": SLOW_CLOCK}
        table = requests.post(f"{self._url}/v1/tables", json=spec, headers=self._headers, timeout=60).json()
        self._path = f"{self._url}/v1/tables/{table['id']}"
        seat = {"seat": 0, "join_code": table["join_code"]}
        assert requests.post(f"{self._path}/seats", json=seat, headers=self._headers, timeout=60).ok
        self.refused: list[float] = []
        self.start()

    def run(self) -> None:
        while not self._over.wait(ASK_S):
            answer = requests.post(f"{self._path}/chat", json={"text": "hi"}, headers=self._headers, timeout=60)
            if answer.status_code == 503:
                self.refused.append(time.monotonic())

    def stop(self) -> None:
        self._over.set()
        self.join()


class Late(NamedTuple):
    """Moves of AI seats that were watched, and the lateness of those that were late (ms)."""

    moves: int
    ms: list[int]


def ai_lateness(url: str, tables: Tables, now: SharedClock, names: list[str], seconds: float) -> Late:
    """Watch tables of AI players: how late each step is by the shared time."""
    due = {name: wake_at(tables.load(name)) for name in names}
    channel = listening_client(url).pubsub()
    channel.psubscribe("sj:{*}:*:live")
    heard: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
    until, moves, late = time.monotonic() + seconds, 0, []
    while time.monotonic() < until:
        message = channel.get_message(timeout=0.25)
        if message is not None and message["type"] == "pmessage":
            heard.put((now(), message["data"].decode().split()[0]))
        while not heard.empty():
            at, name = heard.get()
            if name not in due:
                continue
            limit, due[name] = due[name], wake_at(tables.load(name))
            moves += 1
            if limit is not None and at - limit > LATE_MS:
                late.append(at - limit)
    channel.close()
    return Late(moves, late)


def hang(service: RunningService, chatter: Chatter, seconds: float) -> float:
    """Stop Redis for so long; return for how long after its begin an action was refused (s)."""
    process = int((service.redis.folder / "redis.pid").read_text())
    began = time.monotonic()
    os.kill(process, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(process, signal.SIGCONT)
    # Longer than it would be refused if the time of all stood still for as long as the hang.
    time.sleep(seconds + SETTLE_S)
    return max((at - began for at in chatter.refused if at > began), default=0.0)


def seat_ai(tables: Tables, number: int) -> str:
    """Open a table of AI players, which play by themselves."""
    host = {"id": f"pl_host{number}"}
    table = tables.create(
        host,
        {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "ai_pace_ms": AI_PACE_MS},
    )
    for seat in range(4):
        tables.act(table.state["id"], {"type": "seat_ai", "player": host["id"], "seat": seat, "level": "easy"})
    return str(table.state["id"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hangs", type=float, nargs="+", default=[5, 12, 40])
    parser.add_argument("--minutes", type=float, default=2)
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stepped = SteppedClock(folder / "step")
        service = RunningService(folder, {"LOG_LEVEL": "warning"}, servers=1)
        service.redis = EmbeddedRedis(folder / "redis", environment=stepped.environment)
        stack.enter_context(service)
        client = command_client(service.redis.url)
        now = SharedClock(client)
        stack.callback(now.close)
        tables = Tables(Stores(client, cached_tables=0).tables, now=now)
        chatter = Chatter(service.port)
        stack.callback(chatter.stop)
        if not stepped.works:
            print("Without libfaketime the clock of Redis stays level.")
        offset, rows, most = 0, [], 0.0
        for name, step in (("level", 0), ("ahead of Redis", -STEP_S), ("Redis set forward", STEP_S)):
            offset += step
            if stepped.works:
                stepped.set(offset)
            time.sleep(SETTLE_S)
            for seconds in options.hangs:
                before = now()
                refused = hang(service, chatter, seconds)
                noted = now.interruptions().lost_since(before) / 1000
                rows.append([f"{name}, {seconds:g} s", f"{refused:.1f}", f"{noted:.1f}"])
                most = max(most, refused - seconds)
        if stepped.works:
            stepped.set(offset - STEP_S)
            time.sleep(SETTLE_S)
        names = [seat_ai(tables, number) for number in range(AI_TABLES)]
        late = ai_lateness(service.redis.url, tables, now, names, 60 * options.minutes)
        ahead: Any = client.hget("sj:clock", "ahead")
    report.table(("hang", "s of 503", "s in the gaps"), rows)
    print(f"AI seats: {late.moves} steps in {options.minutes:g} minutes, {float(ahead) / 1000:.1f} s ahead at the end.")
    report.aim("s of 503 after the end of a hang", most, at_most=1)
    report.aim("steps of AI seats more than a second late while ahead", len(late.ms), at_most=0)


if __name__ == "__main__":
    main()
