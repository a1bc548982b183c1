"""Record what the conformance kit (`clients/conformance`) serves, from a running service.

`PYTHONPATH=clients/python python scripts/conformance.py http://127.0.0.1:8000`, while `make run` is running. It records
a game of every ruleset, and a sandbox at each kind of decision by the requests of `docs/testing.md`, as the player on
seat 0 sees them. Record again when the kit needs new data of the service.
"""

import gzip
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from shengji_client import Client, Table, example

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "clients" / "conformance" / "shengji_conformance" / "data"
GUIDE: Final = ROOT / "docs" / "testing.md"
#: The same cards each time, and a game that ends when a side has passed its level.
SEED: Final = "conformance-kit-one"
SHORT: Final = {"deal_pace": "instant", "start_level": "A"}
#: In the place of the real one.
TOKEN: Final = "sjt_conformance"  # noqa: S105 (it is valid nowhere)
_LINE: Final = re.compile(r"lin (POST|PUT) (/\S+) (.*)$")

Json = dict[str, Any]


def answer_of(view: Json) -> Json:
    """Return the request that answers the open decision of a view: `method`, `path` below the table, `body`."""
    action = example(view["decision"])
    if action["type"] == "ready":
        return {"method": "PUT", "path": "seats/me/ready", "body": {"ready": True}}
    fields = {name: value for name, value in action.items() if name != "type"}
    return {"method": "POST", "path": action["type"], "body": {"decision_id": view["decision"]["id"], **fields}}


class Recorder:
    """Plays at a table, and keeps each view that asks for an answer, the answer and its outcome."""

    def __init__(self, client: Client, table: str) -> None:
        self.client = client
        self.table = Table(client, table)
        self.events: list[Any] = []
        self.steps: list[Json] = []

    def read(self) -> Json:
        """Return the view when all that has happened has been read."""
        while True:
            self.events += self.table.events(len(self.events), limit=500)["events"]
            view: Any = self.table.view()
            if view["version"] == len(self.events):
                return dict(view)

    def step(self, view: Json, answer: Json) -> Json:
        """Answer, and return the outcome."""
        outcome: Json = self.client.request(answer["method"], f"{self.table.path}/{answer['path']}", answer["body"])
        self.steps.append({"view": view, "answer": answer, "outcome": outcome})
        return outcome

    def recorded(self, last: Json, **what: object) -> Json:
        """Return what is kept: `steps` (`view`, `answer`, `outcome`), `events` from the first one on, and `last`."""
        return {**what, "table": self.table.id, "steps": self.steps, "events": self.events, "last": last}


def played(client: Client, ruleset: str, players: int) -> Json:
    """Play a game, and return it."""
    options: Json = {} if ruleset == "arms_length" else SHORT
    spec = {"ruleset": ruleset, "players": players, "options": options, "seed": SEED, "ai_pace_ms": 0}
    recorder = Recorder(client, client.request("POST", "/v1/tables", spec)["id"])
    recorder.table.sit(0)
    for seat in range(1, players):
        recorder.table.seat_ai(seat)
    recorder.step(recorder.read(), {"method": "PUT", "path": "seats/me/ready", "body": {"ready": True}})
    answered = ""
    while not any(event["type"] == "game_kept" for event in recorder.events):
        recorder.table.events(len(recorder.events), wait=5)
        view = recorder.read()
        decision = view["decision"]
        if view["status"] == "playing" and decision and 0 in decision["seats"] and decision["id"] != answered:
            answered = decision["id"]
            recorder.step(view, answer_of(view))
    return recorder.recorded(recorder.read(), ruleset=ruleset, players=players)


def phases() -> dict[str, list[tuple[str, str, Json]]]:
    """Return the requests (method, path, body as text with `{…}`) that lead to each kind of decision."""
    part = GUIDE.read_text(encoding="utf-8").partition("\n### Decisions\n")[2].partition("\n### ")[0]
    examples = re.findall(r"^#### ([a-z-]+)\n```\n(.*?)^```", part, re.MULTILINE | re.DOTALL)
    return {kind: [match.groups() for match in map(_LINE.match, text.splitlines()) if match] for kind, text in examples}


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the values in the place of their names in braces."""
    return re.sub(r"\{(\w+)\}", lambda match: values[match[1]], text)


def reached(client: Client, kind: str) -> Json:
    """Bring a sandbox to a kind of decision, answer it, and return the table."""
    values: dict[str, str] = {}
    view: Json = {}
    for method, path, text in phases()[kind]:
        answered = client.request(method, f"/v1{filled_in(path, values)}", json.loads(filled_in(text, values)))
        view = answered.get("view", answered)
        values["table"] = view["id"]
        if view["decision"]:
            values["decision"] = view["decision"]["id"]
            values["example"] = json.dumps((view["decision"]["hints"] or {}).get("example"))
    recorder = Recorder(client, values["table"])
    view = recorder.read()
    if view["decision"]["kind"].replace("_", "-") != kind:
        raise ValueError(f"{kind}: the table asks for {view['decision']['kind']}")
    recorder.step(view, answer_of(view))
    return recorder.recorded(recorder.read(), ruleset=view["ruleset"], players=len(view["seats"]))


def _write(name: str, recorded: Json) -> None:
    text = json.dumps(recorded, ensure_ascii=False, separators=(",", ":")).encode()
    file = DATA / f"{name}.json.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(text, 9, mtime=0))
    print(f"{name}: {len(recorded['steps'])} answers, {len(recorded['events'])} events, {file.stat().st_size:,} bytes")


def main() -> None:
    """Record and write."""
    client = Client(sys.argv[1])
    registered: Json = client.request("POST", "/v1/players", {"name": "Lin", "kind": "bot"})
    client.token = registered["token"]
    text = json.dumps(registered | {"token": TOKEN}, indent=1, ensure_ascii=False)
    (DATA / "registered.json").write_text(f"{text}\n", encoding="utf-8")
    for kind in phases():
        _write(f"phases/{kind}", reached(client, kind))
    for ruleset in client.request("GET", "/v1/rulesets")["items"]:
        _write(f"games/{ruleset['id']}", played(client, ruleset["id"], ruleset["players"][0]))


if __name__ == "__main__":
    main()
