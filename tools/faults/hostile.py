"""A malicious player: floods, garbage, and everything that a host may do to a table. Others must not be affected."""

import contextlib
import http.client
import random
import threading
from typing import Any, Final

from tools.faults.guests import Line, Notes, StoppedError
from tools.faults.injection import FragileService

#: Seconds between two hostile acts, and number of streams it keeps open.
PAUSE_S: Final = 0.1
STREAMS: Final = 20


class Hostile:
    """Creates tables and does random things there; every response below 500 is right."""

    def __init__(self, service: FragileService, notes: Notes, stop: threading.Event, seed: int) -> None:
        self._service, self._notes, self._stop = service, notes, stop
        self._rng = random.Random(f"hostile:{seed}")
        self._line = Line(service, notes, stop, lambda: self._rng.random() < 0.02)
        self._streams: list[Line] = []
        self._table = ""

    def play(self) -> None:
        """Do harm until the run is stopped."""
        acts = (self._chat, self._rubbish, self._settings, self._seats, self._votes, self._stream, self._huge, self._go)
        with contextlib.suppress(StoppedError):
            self._register()
            while not self._stop.wait(PAUSE_S):
                self._rng.choice(acts)()
        for line in [self._line, *self._streams]:
            line.close()

    def _register(self) -> None:
        _, account = self._line.ask("POST", "/v1/players", {"name": "Mallory", "kind": "human"})
        self._line.token, self._line.player = account["token"], account["player"]["id"]
        self._open()

    def _open(self) -> None:
        spec = {"ruleset": "shengji", "players": 4, "ai_pace_ms": 0, "take_back": True, "visibility": "public"}
        key = f"hostile-{self._rng.getrandbits(128):032x}"
        status, table = self._line.ask("POST", "/v1/tables", spec, Idempotency_Key=key)
        if status == 201:
            self._table = f"/v1/tables/{table['id']}"
            self._notes.hostile.add(table["id"])
            for seat in (1, 2, 3):
                self._ask("PUT", f"/seats/{seat}/ai", {"level": "easy"})
            self._ask("POST", "/seats", {"seat": 0})
            self._ask("PUT", "/seats/me/ready", {"ready": True})

    def _ask(self, method: str, path: str, body: Any = None) -> None:
        status, answer = self._line.ask(method, self._table + path, body)
        if status == 200 and isinstance(answer, dict):
            # An answer shows the table, or has its view.
            view = answer.get("view", answer)
            if "game" in view:
                self._line.plays(view)
        if status == 401:
            # A replica without the account has taken over.
            self._register()

    def _chat(self) -> None:
        for _ in range(20):
            self._ask("POST", "/chat", {"text": "升" * 200})

    def _rubbish(self) -> None:
        body = self._rng.choice(
            [[], None, {"cards": ["XX"] * 500}, {"decision_id": "dc_1", "cards": "AS"}, "x" * 1_000]
        )
        for path in ("/play", "/discard", "/declare", "/call", "/votes", "/seats"):
            self._ask("POST", path, body)

    def _settings(self) -> None:
        self._ask("PATCH", "", {"visibility": self._rng.choice(["public", "private"])})
        self._ask("PATCH", "", {"clock": {"play_ms": self._rng.choice([1_000, 60_000])}})

    def _seats(self) -> None:
        seat = self._rng.randrange(4)
        self._ask("DELETE", f"/seats/{seat}/ai")
        self._ask("PUT", f"/seats/{seat}/ai", {"level": "easy"})
        self._ask("POST", f"/seats/{seat}/kick")
        self._ask("PUT", "/seats/me/ready", {"ready": True})

    def _votes(self) -> None:
        for kind in ("end_early", "abandon"):
            self._ask("POST", "/votes", {"kind": kind})
        self._ask("POST", "/take-back")

    def _stream(self) -> None:
        """Open one more stream that is never read, and close the oldest."""
        line = Line(self._service, self._notes, self._stop, lambda: False)
        line.token = self._line.token
        self._streams.append(line)
        with contextlib.suppress(OSError, http.client.HTTPException):
            line.open("GET", f"{self._table}/events", Accept="text/event-stream")
        if len(self._streams) > STREAMS:
            self._streams.pop(0).close()

    def _huge(self) -> None:
        self._ask("POST", "/play", {"decision_id": "dc_1", "cards": ["AS"] * 8_000})

    def _go(self) -> None:
        """Leave the table as it is, and create another one."""
        if self._rng.random() < 0.1:
            self._ask("POST", "/leave")
            self._open()
