"""Code shared by benchmarks over HTTP: servers with the service's settings, tables of bots, resource use."""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from service.api.http.auth import hash_of, new_salt, token_of
from service.game.commands.decide import decide
from service.game.state.fallback import fallback_action
from service.game.state.types import State
from service.tables import Tables

#: Limits that no benchmark reaches.
SLOW_CLOCK = {f"{kind}_ms": 3_600_000 for kind in ("play", "declare", "defence", "discard", "call", "ready")}


class Server:
    """A gunicorn process with the service's settings."""

    def __init__(self, app: str, workers: int, **environment: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "python:service.gunicorn_conf", app],
            env={
                **os.environ,
                "PORT": str(self.port),
                "API_WORKERS": str(workers),
                "LOG_FORMAT": "json",
                **environment,
            },
            stdout=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, f"{app} does not answer"
                time.sleep(0.1)
        time.sleep(1.5)  # every worker has loaded the application

    def pids(self) -> list[int]:
        """Process ids of the workers (Linux)."""
        return children_of(self._process.pid)

    def stop(self) -> None:
        """Stop the server."""
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(20)


def children_of(pid: int) -> list[int]:
    """Return the ids of the child processes of a process (on Linux; elsewhere an empty list)."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in children.read_text().split()] if children.exists() else []


def cpu_of(pids: list[int]) -> float:
    """Return the CPU seconds used by processes (Linux; elsewhere 0)."""
    ticks = 0
    for pid in pids:
        stat = Path(f"/proc/{pid}/stat")
        fields = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 13
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def waited_of(pids: list[int]) -> float:
    """Return the seconds for which processes were ready to run without a free core (Linux; elsewhere 0)."""
    stats = [Path(f"/proc/{pid}/schedstat") for pid in pids]
    return sum(int(each.read_text().split()[1]) for each in stats if each.exists()) / 1e9


def ran_of(pids: list[int]) -> float:
    """Return the CPU seconds of the main threads of processes, more precisely than `cpu_of` (Linux; elsewhere 0)."""
    stats = [Path(f"/proc/{pid}/schedstat") for pid in pids]
    return sum(int(each.read_text().split()[0]) for each in stats if each.exists()) / 1e9


def rss_of(pids: list[int]) -> int:
    """Return the memory of processes in bytes (Linux; elsewhere 0)."""
    pages = [Path(f"/proc/{pid}/statm") for pid in pids]
    return sum(int(each.read_text().split()[1]) for each in pages if each.exists()) * os.sysconf("SC_PAGE_SIZE")


def percentile(values: Sequence[float], percent: int) -> float:
    """Return a percentile of the values."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


class Seated(NamedTuple):
    """A table with a bot on every seat, at its first lead: its state, and the bots' ids and tokens by seat."""

    state: State
    ids: list[str]
    tokens: list[str]

    @property
    def table(self) -> str:
        """Its id."""
        return str(self.state["id"])

    def plays(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Play the round to its end in memory; yield seat and body of each play."""
        state = self.state
        while state["decision"]["kind"] == "play":
            seat = state["decision"]["seats"][0]
            command = answer(state, self.ids)
            yield seat, {"decision_id": command["decision_id"], "cards": command["cards"]}
            state = decide(state, command, 0, os.urandom).state


def seat_bots(tables: Tables, players: Any, clock: Mapping[str, Any] = SLOW_CLOCK) -> Seated:
    """Register four bots, seat them at a new table, and play up to its first lead."""
    tokens, ids = [], []
    for seat in range(4):
        token = token_of(new_salt(), None)
        player = {"id": "pl_" + secrets.token_hex(6), "name": f"Bot {seat}", "kind": "bot", "locale": "en"}
        players.create({**player, "created_at": 0}, hash_of(token))
        tokens.append(token)
        ids.append(player["id"])
    spec = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "clock": clock}
    state = tables.create({"id": ids[0]}, spec).state
    code, table = state["settings"]["join_code"], state["id"]
    for seat, player in enumerate(ids):
        sit = {"type": "sit", "player": player, "name": "Bot", "kind": "bot", "seat": seat, "join_code": code}
        tables.act(table, sit)
    for player in ids:
        state = tables.act(table, {"type": "ready", "player": player}).state
    while state["decision"]["kind"] != "play":
        state = tables.act(table, answer(state, ids)).state
    return Seated(state, ids, tokens)


def answer(state: State, ids: list[str]) -> dict[str, Any]:
    """Return the fallback action of the first seat asked, as taken on a timeout."""
    decision = state["decision"]
    seat = decision["seats"][0]
    return {**fallback_action(state, seat), "player": ids[seat], "decision_id": decision["id"]}


def request_for(path: str, token: str, body: Mapping[str, Any]) -> bytes:
    """Return a POST request as bytes."""
    sent = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        f"Content-Type: application/json\r\nAccept: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
    )
    return head.encode() + sent
