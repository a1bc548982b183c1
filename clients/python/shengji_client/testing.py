"""Recorded games, for tests of bots and apps: a client with an in-process service, whose time stands still."""

import gzip
import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, BinaryIO, Final, Self
from urllib.parse import parse_qs, urlsplit

from shengji_client.client import Client
from shengji_client.folding import fold
from shengji_client.models import MADE_FOR, Event, View
from shengji_client.problems import Problem
from shengji_client.protocol import API, Json, Send
from shengji_client.table import Table

_FILES: Final = files("shengji_client") / "recorded"
ABOUT: Final = {"version": MADE_FOR, "api_versions": [API.strip("/")]}
#: Seat of the recorded player.
SEAT: Final = 0


def rulesets() -> list[str]:
    """Return the rulesets with a recorded game."""
    names = (file.name for file in _FILES.iterdir())
    return sorted(name.removesuffix(".json.gz") for name in names if name.endswith(".json.gz"))


def problems() -> dict[str, Json]:
    """Return an example of each problem of the service, by code."""
    examples: dict[str, Json] = json.loads((_FILES / "problems.json").read_text(encoding="utf-8"))
    return examples


class RecordedGame:
    """A recorded game, as seen by the player on seat 0, and its current position.

    It begins before the player is ready. The test advances it with `step`, `until` and `turn`; after `run`, actions of
    others follow at once. Requests of the player are stored in `sent`, and the game continues as recorded, whatever was
    sent; only an action for a decision that is not open is refused, with `stale-decision`.

    Args:
        ruleset: one of `rulesets()`.
    """

    def __init__(self, ruleset: str = "shengji") -> None:
        recording = json.loads(gzip.decompress((_FILES / f"{ruleset}.json.gz").read_bytes()))
        self._view: View = recording["first"]
        self._events: list[Event] = recording["events"]
        #: Decision answered by the player, and the version after it.
        self._answers = {answered: version for answered, _, version in recording["answers"]}
        self._first: int = self._view["version"]
        self._changed = threading.Condition()
        self._running = False
        self._refusals: list[str] = []
        #: Requests: method, path, and body.
        self.sent: list[tuple[str, str, Json | None]] = []
        #: Delays that clients would have made, s.
        self.slept: list[float] = []

    @property
    def view(self) -> View:
        """The current view."""
        return self._view

    @property
    def now(self) -> str:
        """The time of the last event."""
        return self._view["server_time"]

    @property
    def is_over(self) -> bool:
        """Whether all events have happened."""
        return self._position == len(self._events)

    def client(self) -> Client:
        """Return a client of the recorded player, without delays."""
        return _Client(self)

    def table(self) -> Table:
        """Return the table for a client."""
        return Table(self.client(), self._view["id"])

    def step(self) -> Event:
        """Advance by an event, and return it.

        Raises:
            IndexError: the game is over.
        """
        with self._changed:
            event = self._events[self._position]
            self._view = {**fold(self._view, event), "server_time": event["at"]}
            self._changed.notify_all()
        return event

    def until(self, kind: str) -> Event:
        """Advance to the next event of a type, and return it.

        Raises:
            IndexError: there is no further one.
        """
        while True:
            event = self.step()
            if event["type"] == kind:
                return event

    def turn(self) -> View:
        """Advance until a decision waits for the player, or the game is over; return the view."""
        with self._changed:
            while not self.is_over and not self._waits():
                self.step()
        return self._view

    def run(self) -> None:
        """From now on, let actions of others follow at once."""
        self._running = True
        self.turn()

    def refuse(self, code: str, times: int = 1) -> None:
        """Answer the next requests with an example of a problem.

        Raises:
            KeyError: there is no such problem.
        """
        self._refusals += [code] * times if problems()[code] else []

    @property
    def _position(self) -> int:
        version: int = self._view["version"]
        return version - self._first

    def _waits(self) -> bool:
        """Return whether the player is asked, and answered in the recording."""
        if not self._position:
            return True
        decision = self._view["decision"]
        return decision is not None and SEAT in decision["seats"] and decision["id"] in self._answers

    def answer(self, request: Send) -> "_Response":
        """Answer a request.

        Raises:
            Problem: it is refused.
        """
        url = urlsplit(request.url)
        if url.path == API:
            return _Response(200, io.BytesIO(json.dumps(ABOUT).encode()))
        query = {name: values[-1] for name, values in parse_qs(url.query).items()}
        body = json.loads(request.body) if request.body is not None else None
        with self._changed:
            self.sent.append((request.method, url.path, body))
            if self._refusals:
                raise _problem(self._refusals.pop(0))
            if request.headers["Accept"] == "text/event-stream":
                after = request.headers.get("Last-Event-ID", query.get("after"))
                if after is not None and int(after) - self._first == len(self._events):
                    return _Response(204, io.BytesIO())
                return _Response(200, io.BufferedReader(_Lines(self._messages(after, request.timeout))))
            version = self._answer_to(request.method, url.path, query, body or {})
        return _Response(200, io.BytesIO(json.dumps(version).encode()))

    def _answer_to(self, method: str, path: str, query: dict[str, str], body: Json) -> Any:
        here = f"/v1/tables/{self._view['id']}"
        seats: list[Any] = self._view["seats"]
        occupant = seats[SEAT]["occupant"]
        fixed: dict[tuple[str, str], Callable[[], Any]] = {
            ("GET", "/v1/me"): lambda: {"id": occupant["player"], "name": occupant["name"], "kind": occupant["kind"]},
            ("POST", "/v1/players"): lambda: {"player": {"id": occupant["player"]}, "token": "sjt_recorded"},
            ("POST", "/v1/tables"): lambda: self._view,
            ("GET", here): lambda: self._view,
            ("GET", f"{here}/events"): lambda: self._page(int(query.get("after", 0)), int(query.get("limit", 100))),
        }
        if (method, path) in fixed:
            return fixed[method, path]()
        if not path.startswith(f"{here}/") or method == "GET":
            raise _problem("not-found", detail=f"The recorded game has no answer to {method} {path}.")
        return self._outcome(path.endswith("/ready"), body.get("decision_id"))

    def _page(self, after: int, limit: int) -> Json:
        start = max(0, after - self._first)
        events = self._events[start : self._position][:limit]
        next_after = events[-1]["seq"] if events else max(after, self._first)
        return {"events": events, "next_after": next_after, "version": self._view["version"], "server_time": self.now}

    def _outcome(self, is_ready: bool, decision_id: str | None) -> Json:
        """Continue after an action of the player."""
        decision, before = self._view["decision"], self._position
        if decision_id is not None and (decision is None or decision["id"] != decision_id):
            raise _problem("stale-decision", decision=decision)
        answered = decision_id
        if is_ready:
            answered = decision["id"] if decision is not None and decision["kind"] == "ready" else ""
        while self._view["version"] < self._answers.get(answered or "", 0) and answered is not None:
            self.step()
        seq, events = self._view["version"], self._events[before : self._position]
        view = self._view
        if self._running:
            self.turn()
        return {"seq": seq, "version": seq, "server_time": self.now, "events": events, "view": view}

    def _messages(self, after: str | None, timeout: float) -> Iterator[bytes]:
        """Yield server-sent events up to the current position, and then as the game continues."""
        with self._changed:
            view = self._view
        if after is None:
            yield _message({"view": view}, "reset", view["version"])
        version = view["version"] if after is None else max(int(after), self._first)
        while True:
            with self._changed:
                while self._view["version"] == version:
                    if not self._changed.wait(timeout):
                        raise TimeoutError("nothing happens in the recorded game")
                events = self._events[version - self._first : self._position]
                version = self._view["version"]
                over = self.is_over
            for event in events:
                yield _message(event, None, event["seq"])
            if over:
                yield _message({"reason": "over", "after": version}, "end", version)
                return


class _Response:
    """A response of a recorded game: what clients use of `http.client.HTTPResponse`."""

    def __init__(self, status: int, body: BinaryIO | io.BufferedReader) -> None:
        self.status = status
        self.headers: dict[str, str] = {}
        self.read = body.read
        self.readline = body.readline
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._body)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._body.close()


class _Client(Client):
    def __init__(self, game: RecordedGame) -> None:
        super().__init__("http://recorded", "sjt_recorded")
        self._game = game

    def _open(self, request: Send) -> Any:
        return self._game.answer(request)

    def sleep(self, seconds: float) -> None:
        self._game.slept.append(seconds)
        time.sleep(0)


class _Lines(io.RawIOBase):
    """A file with the items of an iterator."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._left = self._left or next(self._parts, b"")
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def _message(data: object, name: str | None, place: int) -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}id: {place}\ndata: {json.dumps(data)}\n\n".encode()


def _problem(code: str, **changes: object) -> Problem:
    body = {**problems()[code], **changes}
    pause = body.get("params", {}).get("retry_after_s")
    return Problem(body["status"], body, None if pause is None else float(pause))
