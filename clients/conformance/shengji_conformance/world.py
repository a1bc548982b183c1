"""A recorded game as a service shows it: where it stands, and what a request changes."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from shengji_conformance.cases import Json, maps, problems, recording, registered

#: The token of the player.
TOKEN: Final = "sjt_conformance"
#: How long a read of the log that waits for events is held, s. They come with the client's own action, if at all.
_HELD: Final = 0.1
#: Fields of actions that list cards, whose order means nothing.
_CARDS: Final = frozenset({"cards"})


def refusal(code: str, detail: str, **members: object) -> tuple[int, Json]:
    """Return a problem of the service with a text and other members of its own."""
    problem = {**problems()[code], "detail": detail, **members}
    return problem["status"], problem


class World:
    """What was recorded, and how far it has gone. Thread-safe.

    Args:
        spec: `game` (such as `games/shengji`), and `at`: `start` (by default), `turn` (the player has become ready), or
            `end`.

    Attributes:
        made: tables and players that were made, each once for a key.
        is_closed: whether the case is over.
        wrong: what clients have done wrong, a sentence each.
    """

    def __init__(self, spec: Mapping[str, Any]) -> None:
        recorded = recording(spec["game"])
        self.table: str = recorded["table"]
        self.steps: list[Json] = recorded["steps"]
        self.events: list[Json] = recorded["events"]
        self.last: Json = recorded["last"]
        self.changed = threading.Condition(threading.RLock())
        self.is_closed = False
        self.made: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._by_key: dict[tuple[str, str], Json] = {}
        self._place = {"start": 0, "turn": 1, "end": len(self.steps)}[spec.get("at", "start")]

    @property
    def view(self) -> Json:
        """The view of the player."""
        return self.steps[self._place]["view"] if self._place < len(self.steps) else self.last

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens."""
        return self._place == len(self.steps)

    def shown(self, after: int) -> list[Json]:
        """Return the events after a seq that have happened."""
        return self.events[after : self.view["version"]]

    def page(self, query: Mapping[str, str]) -> tuple[int, Json]:
        """Answer a read of the log."""
        after, limit = int(query.get("after", 0)), int(query.get("limit", 100))
        version = self.view["version"]
        if after > version:
            errors = [{"pointer": "/after", "code": "beyond_log", "detail": "The log is not that long."}]
            return refusal("invalid-request", "Some fields are invalid; see `errors`.", errors=errors)
        events = self.shown(after)[:limit]
        if not events and int(query.get("wait", 0)):
            time.sleep(_HELD)
        reached = events[-1]["seq"] if events else after
        return 200, {
            "events": events, "next_after": reached, "version": version, "server_time": self.view["server_time"],
        }  # fmt: skip

    def create(self, what: str, key: str) -> tuple[int, Json]:
        """Make a table or a player, the same one for the same key."""
        if not key or (what, key) not in self._by_key:
            self.made[what] += 1
            number = self.made[what]
            made = {**(registered() if what == "player" else self.steps[0]["view"])}
            if number > 1 and what == "table":
                made["id"] = f"{self.table}{number}"
            self._by_key[what, key] = made
        return 201, self._by_key[what, key]

    def act(self, method: str, path: str, body: Json) -> tuple[int, Json]:
        """Answer an action, or the repetition of one."""
        with self.changed:
            expected = None if self.is_over else self.steps[self._place]["answer"]
            if expected is not None and _same(expected, method, path, body):
                self._place += 1
                self.changed.notify_all()
                return 200, self.steps[self._place - 1]["outcome"]
            for step in reversed(self.steps[: self._place]):
                if _same(step["answer"], method, path, body):
                    return 200, step["outcome"]
            decision = self.view["decision"]
            if "decision_id" in body and (decision is None or body["decision_id"] != decision["id"]):
                self.wrong.append(f"{method} {path} answers {body['decision_id']}, which is not open")
                return refusal("stale-decision", "This decision is over.", decision=decision)
            self.wrong.append(f"the hints say {expected}, but the client sent {method} {path} {body}")
            return refusal("illegal-play", "This is not the answer that the hints name.")


def _same(answer: Json, method: str, path: str, body: Json) -> bool:
    """Return whether a request is a recorded answer."""
    if (answer["method"], answer["path"]) != (method, path):
        return False
    if path.endswith("/ready"):
        return bool(body.get("ready", True))
    return _settled(answer["body"]) == _settled(body)


def _settled(body: Json) -> Json:
    return {name: sorted(value) if name in _CARDS else value for name, value in body.items() if value is not None}


def changed(body: Json, changes: Sequence[Json]) -> Json:
    """Return a copy of a body with changes: `add` to every object in it, or `set` the value at a `path`."""
    copied: Json = json.loads(json.dumps(body))
    for change in changes:
        if "add" in change:
            for each in list(_objects(copied)):
                each.update(json.loads(json.dumps(change["add"])))
        else:
            *parts, last = (int(part) if part.isdigit() else part for part in change["path"].split("/"))
            target: Any = copied
            for part in parts:
                target = target[part]
            target[last] = change["set"]
    return copied


def _objects(value: Any, field: str = "") -> Iterator[Json]:
    """Yield the objects whose fields a schema names."""
    if isinstance(value, list):
        for inner in value:
            yield from _objects(inner, field)
    elif isinstance(value, dict):
        is_map = field in maps()
        if not is_map:
            yield value
        for name, inner in value.items():
            # Values of a map may be maps themselves.
            yield from _objects(inner, field if is_map else name)
