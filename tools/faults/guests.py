"""Clients that keep playing through the public API during faults, and record all responses."""

import contextlib
import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from demo.answers import answer_to
from service.store import keys
from tools.faults.history.calls import Call, History, ms_of, seen_in
from tools.faults.injection import FragileService

#: Seconds: timeout of a request before it is repeated, and delay of a guest after a 503.
PATIENCE_S: Final = 12.0
PAUSE_S: Final = 0.2
#: Seconds for which a lazy guest ignores a decision.
AWAY_S: Final = 5.0


class StoppedError(Exception):
    """The run is over."""


class Told(NamedTuple):
    """The last answer to an action.

    Attributes:
        decision: id of the answered decision, or key of a command that answers none.
        body: body sent, including `type`.
        status: 200 if it was acknowledged.
        answer: body of the answer.
        at: time of receipt (ms, time of the service).
    """

    table: str
    seat: int
    decision: str
    body: dict[str, Any]
    status: int
    answer: dict[str, Any]
    at: int = 0


class Notes:
    """Everything received by the guests of a run, and faults in it."""

    def __init__(self, history: History | None = None) -> None:
        self.history = history or History()
        self.answers: list[Told] = []
        #: Tables for which only the completeness of the log is checked.
        self.hostile: set[str] = set()
        #: (table, seat, way of following) -> received events, by seq.
        self.events: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
        self.tables: dict[str, str] = {}
        self.wrong: list[str] = []
        self.requests = 0
        self.sent_again = 0
        self.put_off = 0
        #: What a takeover by a replica lost of all that was acknowledged, seen or kept, as sentences.
        self.lost: list[str] = []
        #: Number of acknowledged actions that are not stored as they were acknowledged.
        self.lost_answers = 0
        #: How often a guest had to start over, since a table had lost events.
        self.resets = 0


class Line:
    """A connection to the API, which repeats requests until any process answers.

    Args:
        cut: returns before each request whether to hang up after sending it.
    """

    def __init__(self, service: FragileService, notes: Notes, stop: threading.Event, cut: Callable[[], bool]) -> None:
        self._service, self._notes, self._stop, self._cut = service, notes, stop, cut
        self._connection: http.client.HTTPConnection | None = None
        self.player = self.token = self.earlier = ""
        #: Name in the history; without one nothing is noted.
        self.client = ""
        #: Keys under which a game that ends at the table is archived before anything else happens there, also before a
        #: play that comes too late is refused.
        self.records: list[str] = []

    def hang_up(self) -> None:
        """Break the connection, from any thread, in the middle of any transfer."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with contextlib.suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def open(self, method: str, path: str, body: Any = None, **headers: str) -> http.client.HTTPResponse:
        """Send a request and return the beginning of the response. Raises OSError or HTTPException."""
        if self._connection is None:
            port = self._service.some_port()
            self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        all_headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None
        if body is not None:
            data, all_headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        self._connection.request(method, path, data, all_headers)
        return self._connection.getresponse()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Return status and body of the response. Raises StoppedError."""
        first: float | None = None
        while not self._stop.is_set():
            self._notes.requests += 1
            self._notes.sent_again += first is not None
            began = time.monotonic()
            first = began if first is None else first
            try:
                if self._cut():
                    self._send_only(method, path, body, headers)
                    continue
                answer = self.open(method, path, body, **headers)
                text = answer.read()
            except (OSError, http.client.HTTPException):
                self.close()
                self._stop.wait(PAUSE_S)
                continue
            if answer.status == 401 and self.earlier and self._service.has_replicas:
                # A replica without the new token has taken over.
                self._notes.lost.append("a token")
                self.token, self.earlier = self.earlier, ""
                continue
            if answer.status < 500:
                told = json.loads(text) if text else None
                if self.client:
                    times = began if method == "GET" else first, time.monotonic()
                    self._notes.history.answered(self.client, method, path, body, times, answer.status, told)
                return answer.status, told
            self.put_off(answer, text, method, path, began, headers.get("Idempotency_Key"))
        raise StoppedError

    def _send_only(self, method: str, path: str, body: Any, headers: dict[str, str]) -> None:
        """Send a request and hang up, so that it may be carried out without a response."""
        self.close()
        with contextlib.suppress(OSError, http.client.HTTPException):
            self._connection = http.client.HTTPConnection("127.0.0.1", self._service.port, timeout=0.001)
            self.open(method, path, body, **headers)
        self.close()

    def plays(self, view: dict[str, Any]) -> None:
        """Note the game of a view, which is archived when it ends."""
        if view["game"] is not None:
            game = view["game"]["id"]
            self.records = [keys.game(game), keys.past_game(game), keys.results(view["ruleset"])]

    def put_off(
        self,
        answer: http.client.HTTPResponse,
        text: bytes,
        method: str,
        path: str,
        began: float,
        key: str | None = None,
    ) -> None:
        """Note a response with 500 or more, which is only allowed while Redis is unavailable, and wait a moment.

        Args:
            key: the idempotency key of the request.
        """
        self._notes.put_off += 1
        ended = time.monotonic()
        right = answer.status == 503 and answer.headers.get("Retry-After", "").isdigit()
        # Messages are the only requests to a table whose answer is stored by key.
        needed = [keys.answer(self.player, key)] if key and path.endswith("/chat") else []
        if method != "GET" and "/v1/tables/" in path:
            needed += self.records
        if not right or not self._service.redis_was_away(path, began, ended, needed):
            self._notes.wrong.append(f"{method} {path}: {answer.status} {text[:400].decode(errors='replace')}")
        self._stop.wait(PAUSE_S)


class Guest:
    """A seat that plays examples from its hints, and is occasionally late, chats, or hangs up.

    Args:
        follows: `poll`, `stream` or `reread`: how it follows the table.
        laziness: frequency of ignoring a decision.
    """

    def __init__(
        self,
        service: FragileService,
        notes: Notes,
        stop: threading.Event,
        name: str,
        follows: str,
        laziness: float,
        seed: str,
    ) -> None:
        self.rng = random.Random(seed)
        self.cutting = 0.0
        self.line = Line(service, notes, stop, lambda: self.rng.random() < self.cutting)
        self.stream = Line(service, notes, stop, lambda: False)
        self._service, self._notes, self._stop = service, notes, stop
        self._code = ""
        self.name, self.follows, self.laziness = name, follows, laziness
        self.table, self.seat = "", -1
        #: The last event that the guest has seen, and its time (ms, time of the service).
        self._after = self._after_at = 0
        self._let_go, self._until = "", 0.0
        self._chats = 0
        self._feed: http.client.HTTPResponse | None = None
        self._opened = 0.0
        #: Requests of other threads, handled between two answers: rotate the token, and change who may see the table.
        self.changes_rights = threading.Event()
        self._changes = 0
        _, account = self.line.ask("POST", "/v1/players", {"name": name, "kind": "bot"})
        self.line.token = self.stream.token = account["token"]
        self.line.player, self.line.client = account["player"]["id"], name

    # --- sitting down ---------------------------------------------------------------------------------------------

    def make_table(self, spec: dict[str, Any]) -> dict[str, Any]:
        """Create a table as host, and return its view."""
        key = f"table-{self.rng.getrandbits(128):032x}"
        status, view = self.line.ask("POST", "/v1/tables", spec, Idempotency_Key=key)
        assert status == 201, view
        self._notes.tables[view["id"]] = spec["ruleset"]
        return dict(view)

    def sit(self, table: str, seat: int, code: str) -> None:
        """Take a seat; from now on all events there are recorded."""
        self.table, self.seat, self._code = table, seat, code
        status, answer = self.line.ask("POST", f"/v1/tables/{table}/seats", {"seat": seat, "join_code": code})
        assert status == 200, answer
        self._notes.events.setdefault((table, seat), {})

    def seat_ai(self, table: str, seat: int) -> None:
        """Put an AI on a seat."""
        status, answer = self.line.ask("PUT", f"/v1/tables/{table}/seats/{seat}/ai", {"level": "easy"})
        assert status == 200, answer

    # --- playing --------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play until the run is stopped."""
        try:
            while True:
                status, view = self.line.ask("GET", f"/v1/tables/{self.table}")
                assert status == 200, view
                while view is not None:
                    view = self._answer(view)
                self._follow()
        except StoppedError:
            pass
        except Exception as error:  # noqa: BLE001 - told with the others at the end
            self._notes.wrong.append(f"{self.name}: {error!r}")
        finally:
            self.line.close()
            self.stream.close()

    def _answer(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Answer for this seat and return the view after that, or None if there was nothing to do."""
        if self.changes_rights.is_set():
            self.changes_rights.clear()
            self._change_rights(view)
        self.line.plays(view)
        self._deal_with_others(view)
        mine, decision = view["seats"][self.seat], view["decision"]
        if mine["autopilot"]:
            self._tell("", "POST", "seats/me/resume")
        if view["status"] != "playing":
            # After a game in which an AI replaced everybody, all are ready without having said so.
            wanted = not mine["ready"] or all(seat["ready"] for seat in view["seats"])
            return self._tell("", "PUT", "seats/me/ready", {"ready": True}) if wanted else None
        if decision is None or self.seat not in decision["seats"]:
            return None
        if decision["kind"] == "ready":
            return self._tell("", "PUT", "seats/me/ready", {"ready": True})
        if self._lets_go(view):
            return None
        if self.rng.random() < 0.02:
            self._chat()
        path, body = answer_to(view)
        if path == "discard":
            # Set explicitly, since the digest of an action includes defaults.
            body["reveal"] = False
        return self._tell(decision["id"], "POST", path, {"decision_id": decision["id"], **body})

    def _change_rights(self, view: dict[str, Any]) -> None:
        """Rotate the token while streams are open with the old one, and change who may watch."""
        self._changes += 1
        key = f"rights-of-{self.name}-{self._changes:08d}".replace(" ", "-")
        status, answer = self.line.ask("POST", "/v1/me/token", Idempotency_Key=key)
        if status != 200:
            self._notes.wrong.append(f"{self.name}: no new token: {status} {answer}")
            return
        self.line.earlier = self.line.token
        self.line.token = self.stream.token = answer["token"]
        if self.seat == 0:
            odd = self._changes % 2
            seen_by = {"spectators": "delayed" if odd else "off", "visibility": "public" if odd else "private"}
            self._try("PATCH", "", seen_by, If_Match=f'"{view["version"]}.0"')

    def _deal_with_others(self, view: dict[str, Any]) -> None:
        """Vote, and answer requests to take back a play; occasionally open one of these."""
        vote, request = view["vote"], (view["round"] or {}).get("take_back")
        if vote is not None and str(self.seat) not in vote["votes"]:
            self._try("PUT", f"/votes/{vote['id']}", {"approve": self.rng.random() < 0.7})
        if request is not None and request["seat"] != self.seat and self.seat not in request["accepted"]:
            self._try("POST", "/take-back/answer", {"accept": self.rng.random() < 0.7})
        if view["status"] == "playing" and self.rng.random() < 0.005:
            self._try("POST", "/votes", {"kind": "end_early"})
        if view["status"] == "playing" and self.rng.random() < 0.02:
            self._try("POST", "/take-back", None)

    def _try(self, method: str, path: str, body: Any, **headers: str) -> None:
        """Send a request that may be refused."""
        key = f"try-{self.rng.getrandbits(128):032x}"
        status, answer = self.line.ask(method, f"/v1/tables/{self.table}{path}", body, Idempotency_Key=key, **headers)
        if status not in (200, 403, 404, 409, 412, 422):
            self._notes.wrong.append(f"{self.name}: {method} {path} {body}: {status} {answer}")

    def _lets_go(self, view: dict[str, Any]) -> bool:
        """Return whether the guest ignores the decision, because it has passed already, or is lazy for a while."""
        decision = view["decision"]
        if decision["kind"] == "declare" and self.seat in view["round"]["passes"]:
            return True
        if decision["id"] != self._let_go and self.rng.random() < self.laziness:
            # Long enough for a timeout; a paused table continues when the guest is back.
            self._let_go, self._until = decision["id"], time.monotonic() + AWAY_S
        return decision["id"] == self._let_go and time.monotonic() < self._until

    def _chat(self) -> None:
        self._chats += 1
        key, message = (
            f"chat-of-{self.name}-{self._chats:08d}".replace(" ", "-"),
            {"text": f"{self.name}: {self._chats}"},
        )
        status, answer = self.line.ask("POST", f"/v1/tables/{self.table}/chat", message, Idempotency_Key=key)
        if status == 200:
            self._note_answer(key, {"type": "chat", **message}, status, answer)
        elif status != 409:
            self._notes.wrong.append(f"{self.name}: chat: {status} {answer}")

    def _tell(self, decision: str, method: str, path: str, body: Any = None) -> dict[str, Any] | None:
        status, answer = self.line.ask(method, f"/v1/tables/{self.table}/{path}", body)
        if decision:
            body = {"type": path.replace("-", "_"), **body}
            self._note_answer(decision, body, status, answer)
        if status == 200:
            return dict(answer["view"])
        if status == 403 and self._service.has_replicas:
            # A replica without the seat has taken over.
            self._notes.lost.append(f"{self.table}: seat {self.seat}")
            self.sit(self.table, self.seat, self._code)
            return None
        # The only allowed reasons are that somebody else was faster, or the time was over. In a shared window, an
        # earlier declaration may have made this one illegal.
        if status != 409 and (status, path) != (422, "declare"):
            self._notes.wrong.append(f"{self.name}: {method} {path} {body}: {status} {answer}")
        return None

    def _note_answer(self, decision: str, body: dict[str, Any], status: int, answer: Any) -> None:
        self._notes.answers.append(Told(self.table, self.seat, decision, body, status, answer, self._service.now()))

    # --- following ------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Wait for news."""
        if self.follows == "reread":
            self._stop.wait(PAUSE_S)
        elif self.follows == "poll":
            query = f"after={self._after}&wait=2"
            status, page = self.line.ask("GET", f"/v1/tables/{self.table}/events?{query}")
            if status == 400 and self._may_have_lost():
                self._begin_anew()
                return
            assert status == 200, page
            for event in page["events"]:
                self._saw(event)
        else:
            self._follow_stream()
        if self._stop.is_set():
            raise StoppedError

    def _follow_stream(self) -> None:
        """Read the stream until an event arrives, reopening it where it broke off."""
        try:
            if self._feed is None:
                path, began = f"/v1/tables/{self.table}/events", time.monotonic()
                self._opened = began
                self._feed = self.stream.open("GET", path, Accept="text/event-stream", Last_Event_ID=str(self._after))
                if self._feed.status != 200:
                    refused, self._feed = self._feed, None
                    text = refused.read()
                    if refused.status == 400 and self._may_have_lost():
                        self._begin_anew()
                    if refused.status >= 500:
                        self.stream.put_off(refused, text, "GET", path, began)
                    self._stop.wait(PAUSE_S)
                    return
            block: dict[str, str] = {}
            while line := self._feed.readline().decode().rstrip("\n"):
                name, _, value = line.partition(": ")
                block[name] = value
            if not block:
                raise http.client.IncompleteRead(b"")
            if block.get("event") == "reset":
                if not self._may_have_lost():
                    self._notes.wrong.append(f"{self.name}: the stream was reset after {self._after}")
                self._notes.resets += 1
                self._go_on_from(json.loads(block["data"])["view"])
            if "id" in block and "event" not in block:
                self._saw(json.loads(block["data"]))
        except (OSError, http.client.HTTPException):
            self.stream.close()
            self._feed = None
            self._stop.wait(PAUSE_S)

    def _may_have_lost(self) -> bool:
        """Return whether the last event that this guest has seen may be lost."""
        return self._service.may_be_lost(keys.head(self.table), self._after_at)

    def _begin_anew(self) -> None:
        """Continue from the current table, which has lost the last event."""
        status, view = self.line.ask("GET", f"/v1/tables/{self.table}")
        assert status == 200, view
        self._notes.resets += 1
        self._go_on_from(view)

    def _go_on_from(self, view: dict[str, Any]) -> None:
        self._note_stream("reset", view["version"], [])
        self._after, self._after_at = view["version"], ms_of(view["server_time"])

    def _saw(self, event: dict[str, Any]) -> None:
        if event["seq"] != self._after + 1:
            self._notes.wrong.append(f"{self.name}: event {event['seq']} came after {self._after} ({self.follows})")
        if self.follows == "stream":
            self._note_stream("stream", event["seq"], [event])
        self._after = event["seq"]
        self._notes.events[self.table, self.seat][event["seq"]] = event
        self._after_at = ms_of(event["at"])

    def _note_stream(self, kind: str, version: int, events: list[dict[str, Any]]) -> None:
        now, events_seen = time.monotonic(), seen_in(events)
        began = self._opened if kind == "stream" else now
        self._notes.history.note(Call(self.name, self.table, kind, began, now, 200, version, events=events_seen))
