"""What each client of a soak sent and saw, and when: a line of JSON for each call, in `history.jsonl`."""

import json
import re
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

_TABLE: Final = re.compile(r"/v1/tables/(tb_[^/?]+)/?([^?]*)")

#: An event without what only some seats may see: seq, type, and when it was appended (ms, time of the service).
Seen = tuple[int, str, int]


def ms_of(at: str) -> int:
    """Parse a time of the service, in ms since the epoch."""
    return round(1000 * datetime.fromisoformat(at).timestamp())


class Call(NamedTuple):
    """A call whose answer arrived, or events of a stream.

    Attributes:
        client: who called; the requests of a client are one after the other, and so are the events of its stream.
        kind: `act` (events are appended), `view` (of the table), `page`, `stream`, or `reset` (a stream begins anew).
        began, ended: monotonic seconds. An action that was sent again began with the first attempt, since each of them
            may be the one that was carried out; a read with the last, and an event of a stream when that was opened.
        version: of the table, as far as the answer tells; 0 if it does not.
        showed: id of the open decision at this version; None if the answer does not tell, "" if there was none.
        action: what makes an action the same when it is sent again: decision or key, and its body.
        events: events of the answer.
    """

    client: str
    table: str
    kind: str
    began: float
    ended: float
    status: int
    version: int = 0
    showed: str | None = None
    action: str = ""
    events: Sequence[Seen] = ()


class History:
    """The calls of a run, kept in a file too if there is one. Threads may note at the same time."""

    def __init__(self, file: Path | None = None) -> None:
        self._calls: list[Call] = []
        self._lock = threading.Lock()
        self._file = file.open("a", encoding="utf-8") if file else None

    def note(self, call: Call) -> None:
        with self._lock:
            self._calls.append(call)
            if self._file is not None:
                self._file.write(json.dumps(call, ensure_ascii=False, separators=(",", ":")) + "\n")

    def calls(self) -> list[Call]:
        with self._lock:
            return list(self._calls)

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def answered(
        self, client: str, method: str, path: str, body: Any, times: tuple[float, float], status: int, answer: Any
    ) -> None:
        """Note the answer to a request, if it is about a table and tells something of it."""
        match = _TABLE.match(path)
        if match is None or not isinstance(answer, Mapping):
            return
        table, rest = match.groups()
        call = Call(client, table, "act", *times, status)
        if method == "GET" and rest == "" and status == 200:
            call = call._replace(kind="view", version=answer["version"], showed=_showed(answer))
        elif method == "GET" and rest == "events" and status == 200:
            events_seen = seen_in(answer["events"])
            call = call._replace(kind="page", version=answer["version"], events=events_seen)
        elif method != "GET" and isinstance(answer.get("view"), Mapping) and "events" in answer:
            view = answer["view"]
            call = call._replace(version=view["version"], showed=_showed(view), events=seen_in(answer["events"]))
            call = call._replace(action=_action(rest, body))
        else:
            return
        self.note(call)


def read_history(file: Path) -> list[Call]:
    """Return the calls of a file."""
    with file.open(encoding="utf-8") as lines:
        rows = [Call(*json.loads(line)) for line in lines]
    return [row._replace(events=tuple((seq, kind, at) for seq, kind, at in row.events)) for row in rows]


def seen_in(events: Sequence[Mapping[str, Any]]) -> tuple[Seen, ...]:
    return tuple((event["seq"], event["type"], ms_of(event["at"])) for event in events)


def _showed(view: Mapping[str, Any]) -> str:
    return view["decision"]["id"] if view["decision"] else ""


def _action(path: str, body: Any) -> str:
    """Return what is the same for each attempt, or "" for an action that may be done again (`ready`)."""
    if not isinstance(body, Mapping) or "decision_id" not in body or path == "pass":
        return ""
    return f"{path} {json.dumps(body, sort_keys=True, ensure_ascii=False)}"
