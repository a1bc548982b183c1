"""A player at many tables who acts on the stream of the account."""

import http.client
import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import requests

from demo.answers import answer_to
from harness.processes import RunningService
from harness.waiting import wait_until
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables import Tables

SPEC = {
    "ruleset": "shengji",
    "players": 4,
    "options": {"deal_pace": "instant"},
    "ai_pace_ms": 0,
    "clock": {f"{kind}_ms": 3_600_000 for kind in ("play", "declare", "defence", "discard", "call", "ready")},
}
Turn = tuple[str, str | None]


class Bot:
    """A player at many tables with AI players, who answers the turns of the stream of the account.

    Attributes:
        told: turns in order, from snapshots and events.
        doubled: repeated events of turns.
        opened: number of times the stream was opened.
        answered: number of answered decisions.
    """

    def __init__(self, service: RunningService, tables: int) -> None:
        self.url, self._port = f"http://127.0.0.1:{service.port}", service.port
        account = requests.post(f"{self.url}/v1/players", json={"name": "Lin", "kind": "bot"}, timeout=30).json()
        self.headers = {"Authorization": f"Bearer {account['token']}"}
        self.tables = _seat(service, account["player"]["id"], tables)
        self.notices: dict[Turn, None] = {}
        self.doubled: list[Turn] = []
        self.opened = self.answered = 0
        self.most = 0
        self._place = ""
        self._stopped = threading.Event()
        self._actors = ThreadPoolExecutor(4)
        self._reader = threading.Thread(target=self._run, daemon=True)

    def play(self, most: int) -> None:
        """Answer at most a number of decisions."""
        self.most = most
        self._reader.start()

    def stop(self) -> None:
        self._stopped.set()
        self._actors.shutdown(cancel_futures=True)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._read()
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)

    def _read(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=15)
        place = {"Last-Event-ID": self._place} if self._place else {}
        connection.request("GET", "/v1/me/events", headers={**self.headers, "Accept": "text/event-stream", **place})
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(answer.status)
        self.opened += 1
        message: dict[str, str] = {}
        while (line := answer.readline().decode()) and not self._stopped.is_set():
            if line == "\n":
                self._take(message)
                message = {}
            else:
                name, _, value = line.rstrip("\n").partition(": ")
                message[name] = value
        connection.close()

    def _take(self, message: dict[str, str]) -> None:
        """Handle a complete message. Incomplete ones will be repeated."""
        data = json.loads(message.get("data", "{}"))
        if message.get("event") == "snapshot":
            for row in data["items"]:
                if row["my_turn"] and (row["table"], row["decision_id"]) not in self.notices:
                    self._turn((row["table"], row["decision_id"]))
        elif message.get("event") == "end":
            raise AssertionError(data)
        elif data.get("type") == "turn":
            turn = (data["data"]["table"], data["data"]["decision_id"])
            if turn in self.notices:
                self.doubled.append(turn)
            else:
                self._turn(turn)
        self._place = message.get("id", self._place)

    def _turn(self, turn: Turn) -> None:
        self.notices[turn] = None
        self._actors.submit(self._answer, *turn)

    def _answer(self, table: str, decision: str | None) -> None:
        """Answer a decision, retrying as needed."""
        path = f"/v1/tables/{table}"
        while not self._stopped.is_set() and self.answered < self.most:
            view = self._send("GET", path).json()
            if (view["decision"] or {}).get("id") != decision:
                return
            action, body = answer_to(view)
            method = "PUT" if view["decision"]["kind"] == "ready" else "POST"
            # A retry after a lost response may be stale.
            if self._send(method, f"{path}/{action}", {"decision_id": decision, **body}).status_code in (200, 409):
                self.answered += 1
                return

    def _send(self, method: str, path: str, body: Any = None) -> requests.Response:
        while True:
            try:
                answer = requests.request(method, self.url + path, json=body, headers=self.headers, timeout=30)
            except requests.RequestException:
                answer = None
            if answer is not None and answer.status_code != 503:
                return answer
            if self._stopped.wait(0.05):
                raise InterruptedError


def _seat(service: RunningService, player: str, count: int) -> list[str]:
    """Seat a player at new tables with AI players, and start the games."""
    with command_client(service.redis.url) as redis:
        stores = Stores(redis)
        tables, table_ids = Tables(stores.tables), []
        for _ in range(count):
            state = tables.create({"id": player}, SPEC).state
            table = state["id"]
            tables.act(table, {"type": "sit", "player": player, "name": "Lin", "kind": "bot", "seat": 0})
            for seat in (1, 2, 3):
                tables.act(table, {"type": "seat_ai", "player": player, "seat": seat, "level": "easy"})
            tables.act(table, {"type": "ready", "player": player})
            stores.players.add_table(player, table, tables.now())
            table_ids.append(table)
    return table_ids


def _open_turns(service: RunningService, tables: list[str]) -> dict[Turn, None]:
    """Every decision that asked seat 0, by the logs."""
    with command_client(service.redis.url) as redis:
        stored = Tables(Stores(redis).tables)
        return {
            (table, f"dc_{event['seq']}"): None
            for table in tables
            for event in stored.log(table)
            if event["type"] == "decision_opened" and 0 in event["data"]["seats"]
        }


def kill_api(service: RunningService, which: int) -> None:
    process = service.api[which % len(service.api)]
    children = process.children()
    process.kill()
    for child in children:
        service.kill_child(child)
    process.start()


def restart_redis(service: RunningService, _: int) -> None:
    with command_client(service.redis.url) as redis:
        # While an earlier sync is still running, acknowledged writes wait in the server. A turn whose answer is lost
        # with it is told again, rightly (decision 3). From here on, none waits.
        redis.config_set("appendfsync", "always")
    service.redis.kill()
    service.redis.start()


def kill_a_child(service: RunningService, _: int) -> None:
    """Kill the oldest API process, so that each stream is cut off after a number of kills."""
    service.kill_child(service.api[0].children()[0])


def check_that_every_turn_is_told_once(
    service: RunningService, tables: int, decisions: int, faults: Sequence[Callable[[RunningService, int], None]]
) -> None:
    """Let a bot answer a number of decisions, with faults in between."""
    bot = Bot(service, tables)
    try:
        bot.play(decisions)
        for number, fault in enumerate(faults, 1):
            enough = number * decisions // (len(faults) + 1)
            wait_until(lambda enough=enough: bot.answered >= enough, seconds=300)  # type: ignore[misc]
            fault(service, number)
        wait_until(lambda: bot.answered >= decisions, seconds=300)
        open_turns = _open_turns(service, bot.tables)
        # The stream also has the decisions open at the end.
        wait_until(lambda: open_turns.keys() <= bot.notices.keys())
        notified = set(bot.notices)
        known = _open_turns(service, bot.tables).keys()
    finally:
        bot.stop()
    print(
        f"{len(notified)} turns told, {len(open_turns)} asked before, "
        f"{len(bot.doubled)} doubled, {bot.opened} streams opened"
    )
    assert bot.doubled == []
    assert notified <= known, "a turn that no log knows"
    assert len(notified) >= len(open_turns) >= decisions
    assert bot.opened > 1
