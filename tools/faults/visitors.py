"""Clients of a running service: a player at a table with AI seats, and a reader of its stream."""

import http.client
import threading
import time
from typing import Any, Self

import requests

from demo.answers import answer_to
from harness.processes import RunningService
from harness.waiting import wait_until

SPEC = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}, "visibility": "public"}


class Player:
    """A player at a table with three AI seats."""

    def __init__(self, service: RunningService, **spec: Any) -> None:
        self.url = f"http://127.0.0.1:{service.port}"
        self.port = service.port
        account = requests.post(f"{self.url}/v1/players", json={"name": "Lin", "kind": "bot"}, timeout=20).json()
        self.headers = {"Authorization": f"Bearer {account['token']}"}
        self.id = account["player"]["id"]
        table = self.send("POST", "/v1/tables", SPEC | spec).json()
        self.table = table["id"]
        self.path = f"/v1/tables/{self.table}"
        assert self.send("POST", f"{self.path}/seats", {"seat": 0, "join_code": table["join_code"]}).ok
        for seat in (1, 2, 3):
            assert self.send("PUT", f"{self.path}/seats/{seat}/ai", {"level": "easy"}).ok
        assert self.send("PUT", f"{self.path}/seats/me/ready", {}).ok

    def send(self, method: str, path: str, body: Any = None) -> requests.Response:
        return requests.request(method, self.url + path, json=body, headers=self.headers, timeout=20)

    def view(self) -> dict[str, Any]:
        return dict(self.send("GET", self.path).json())

    def wait_for_turn(self) -> dict[str, Any]:
        """Return the view in which this seat is asked; it may change at once."""

        def open_decision() -> dict[str, Any] | None:
            view = self.view()
            return view if 0 in ((view.get("decision") or {}).get("seats") or []) else None

        return dict(wait_until(open_decision))

    def act(self) -> requests.Response:
        """Answer the open decision of this seat."""
        view = self.wait_for_turn()
        path, body = answer_to(view)
        return self.send("POST", f"{self.path}/{path}", {"decision_id": view["decision"]["id"], **body})


class Reader(threading.Thread):
    """Follows the stream of a table during its `with` block, reopening it when it ends.

    `seqs`: seqs of the received events.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(daemon=True)
        self.player, self.seqs, self.opened = player, [0], 0
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stopped.set()

    def run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._read()
            except (OSError, http.client.HTTPException, ValueError):
                time.sleep(0.1)

    def _read(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.player.port, timeout=15)
        headers = {**self.player.headers, "Accept": "text/event-stream", "Last-Event-ID": str(self.seqs[-1])}
        connection.request("GET", f"{self.player.path}/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise OSError(answer.status)
        self.opened += 1
        while (line := answer.readline()) and not self._stopped.is_set():
            if line.startswith(b"id: "):
                self.seqs.append(int(line[4:]))
        connection.close()
