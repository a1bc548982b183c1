"""Sandboxes: chosen cards, scripted opponents, a clock that clients move; and every example of `docs/testing.md`."""

import json
import re
from pathlib import Path

import pytest

from service.api.http.problems import STATUS
from service.common.settings import Settings
from service.game.state.settings import TIME_LIMITS
from shengji_client.folding import fold
from tests.api.conftest import World
from tests.api.contract import assert_problem

GUIDE = (Path(__file__).parents[3] / "docs" / "testing.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^#### ([a-z-]+)\n```\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL))
LINE = re.compile(r"(\w+) (?:\[([\w-]+): (.*?)\] )?(GET|POST|PUT|PATCH|DELETE) (/\S+)(?: (.*))?$")
MOST_CALLS = 10
#: A table whose first decision asks seat 0.
TABLE = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}}


@pytest.fixture(scope="module")
def shared(module_redis):
    """One service for all tests of this module."""
    new_world = World(module_redis, Settings())
    yield new_world
    new_world.close()


@pytest.fixture
def world(shared):
    """The service with all budgets full."""
    shared.counter.counts.clear()
    yield shared
    assert shared.caches_what_is_stored()


@pytest.fixture
def lin(world):
    return world.player("Lin")


def sandbox(client, table=TABLE, **setup):
    answer = client.post("/v1/tables", {**table, "sandbox": setup})
    assert answer.status_code == 201, answer.json
    return answer.json


def act(client, view, action, **body):
    path = f"/v1/tables/{view['id']}/{action}"
    answer = client.post(path, {"decision_id": view["decision"]["id"], **body})
    assert answer.status_code == 200, answer.json
    return answer.json["view"]


def wait(client, view, elapsed_ms):
    answer = client.put(f"/v1/tables/{view['id']}/clock", {"elapsed_ms": elapsed_ms})
    assert answer.status_code == 200, answer.json
    return answer.json


def log(client, view):
    events = []
    while len(events) < view["version"]:
        page = client.get(f"/v1/tables/{view['id']}/events?after={len(events)}&limit=200").json["events"]
        events += page
    return events


class Reader:
    """Sends the requests of an example; `told` has values of earlier responses for later requests."""

    def __init__(self, world):
        self.world, self.calls, self.values = world, 0, {}
        self.clients = {"nobody": world.anybody}

    def client(self, name):
        if name == "helper":
            return self.world.anybody.with_token(self.values["helper"])
        if name not in self.clients:
            self.calls += 1
            self.clients[name] = self.world.player(name.capitalize())
            self.values[name] = self.clients[name].player["id"]
        return self.clients[name]

    def send(self, line):
        who, header, value, method, path, body = LINE.match(line).groups()
        client = self.client(who)
        for name in ("lin", "wei"):
            if f"{{{name}}}" in line:
                self.client(name)
        filled = re.sub(r"\{(\w+)\}", lambda match: self.values[match[1]], f"{path} {body or ''}")
        path, _, body = filled.partition(" ")
        self.calls += 1
        if header == "Content-Type":
            answer = client.send(method, f"/v1{path}", data=body, content_type=value)
        else:
            sent = json.loads(body) if body else None
            answer = client.send(method, f"/v1{path}", sent, headers={header: value} if header else None)
        self._note(answer.json or {})
        return answer

    def _note(self, body):
        view = body.get("view", body)
        if "join_code" in view:
            self.values["table"], self.values["code"] = view["id"], view["join_code"]
        if view.get("game"):
            self.values["game"] = view["game"]["id"]
        if view.get("decision"):
            self.values["decision"] = view["decision"]["id"]
            self.values["example"] = json.dumps(view["decision"].get("hints", {}).get("example"))
        if "token" in body:
            self.values["helper"] = body["token"]
        if "links" in body:
            self.values["room"] = body["room"]
            self.values["table"] = (body["table"] or {}).get("table")
        if "challenge" in body:
            self.values["challenge"] = body["challenge"]
        if "event" in body or "items" in body:
            self.values["event"] = (body["items"][0] if "items" in body else body)["event"]


def test_each_problem_and_each_kind_of_decision_has_an_example():
    assert EXAMPLES.keys() == {*STATUS, *TIME_LIMITS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_leads_to_its_problem_or_decision(world, name):
    world.conduct()  # the events of the day are there
    reader = Reader(world)
    *before, last = EXAMPLES[name].splitlines()
    for line in before:
        answer = reader.send(line)
        assert answer.status_code < 300, (line, answer.json)
    answer = reader.send(last)
    assert reader.calls <= MOST_CALLS
    if name in STATUS:
        assert_problem(answer, name)
    else:
        assert answer.status_code < 300, answer.json
        decision = answer.json.get("view", answer.json)["decision"]
        assert (decision["kind"], decision["seats"]) == (name, decision["seats"][:1] or [0])
        assert "hints" in decision


def test_hands_are_dealt_as_chosen_and_scripts_are_followed(lin):
    hands = {"0": ["3S", "3S", "KD"], "1": ["2H", "AS", "AS", "KS"]}
    scripts = {"1": {"declare": [["2H"]], "plays": [["AS", "AS"], ["3S"]]}}
    view = sandbox(lin, hands=hands, kitty=["5D", "5D"], starter=1, scripts=scripts)
    assert {"3S", "KD"} <= {*view["my"]["hand"]}
    view = act(lin, view, "pass")
    assert view["round"]["trump"] == {"rank": "2", "suit": "H"}
    assert view["round"]["trick"]["plays"][0]["cards"] == ["AS", "AS"]
    assert view["decision"]["seats"] == [0]
    # Seat 1 does not hold the second play of its script: it plays as on a timeout.
    view = act(lin, view, "play", cards=view["decision"]["hints"]["example"])
    assert view["decision"]["seats"] == [0]
    assert {event["by"] for event in log(lin, view) if event["type"] == "played"} == {"ai", "player"}


def test_time_stands_still_until_a_client_moves_it(world, lin):
    view = sandbox(lin, {**TABLE, "clock": {"declare_ms": 8000, "grace_ms": 1000}})
    assert view["decision"]["remaining_ms"] == 8000
    world.now += 3_600_000
    again = lin.get(f"/v1/tables/{view['id']}").json
    assert (again["decision"], again["server_time"]) == (view["decision"], view["server_time"])
    assert lin.get("/v1/me/tables").json["items"][0]["remaining_ms"] is None
    moved = wait(lin, view, 5000)
    assert [event["type"] for event in moved["events"]] == ["clock_advanced"]
    assert moved["view"]["decision"]["remaining_ms"] == 3000
    assert wait(lin, view, 5000)["view"]["version"] == wait(lin, view, 1)["view"]["version"] == moved["version"]
    over = wait(lin, view, 9500)
    assert over["events"][0]["at"] < over["events"][-1]["at"] == over["server_time"]
    assert over["view"]["decision"]["id"] != view["decision"]["id"]


def test_moving_the_clock_continues_a_timed_deal(lin):
    view = sandbox(lin, {"ruleset": "shengji", "players": 4, "clock": {"deal_interval_ms": 400}}, hands={"0": ["2H"]})
    assert view["my"]["hand"] == []
    view = wait(lin, view, 400)["view"]
    assert len(view["my"]["hand"]) == 1
    view = wait(lin, view, 1999)["view"]
    assert len(view["my"]["hand"]) == 4
    # Chosen cards are dealt first.
    view = act(lin, view, "declare", cards=["2H"])
    assert view["phase"] == "dealing"
    assert wait(lin, view, 60_000)["view"]["phase"] in ("declaring", "kitty")


def test_a_request_that_is_sent_again_changes_nothing(lin):
    view = sandbox(lin)
    body = {"decision_id": view["decision"]["id"]}
    first = lin.post(f"/v1/tables/{view['id']}/pass", body).json
    again = lin.post(f"/v1/tables/{view['id']}/pass", body).json
    assert (again["seq"], again["events"], again["version"]) == (first["seq"], first["events"], first["version"])


def test_the_events_of_a_sandbox_give_its_view(lin):
    view = sandbox(lin, opponents="random", hands={"0": ["2H"]})
    table_view = view
    view = act(lin, view, "declare", cards=["2H"])
    view = act(lin, view, "discard", cards=view["decision"]["hints"]["example"])
    view = wait(lin, view, 200_000)["view"]
    lin.get(f"/v1/tables/{view['id']}")  # A player who reads is present again, which is an event.
    view = lin.get(f"/v1/tables/{view['id']}").json
    for event in log(lin, view)[table_view["version"] :]:
        table_view = fold(table_view, event)
    times = {"server_time", "remaining_ms"}
    without = json.loads(json.dumps(view), object_hook=lambda each: {n: v for n, v in each.items() if n not in times})
    assert json.loads(
        json.dumps(table_view), object_hook=lambda each: {n: v for n, v in each.items() if n not in times}
    ) == (without)


def test_a_seed_and_the_same_requests_reproduce_a_round_with_a_valid_record(world, lin):
    plays = []
    for _ in range(2):
        view = sandbox(lin, {**TABLE, "seed": "monday-k3v9x2q7m5d1"}, opponents="random", kitty=["KD"])
        view = wait(lin, view, 10_000_000)["view"]
        assert view["decision"]["kind"] == "ready"
        plays.append([event["data"]["cards"] for event in log(lin, view) if event["type"] == "played"])
    assert plays[0] == plays[1]
    assert lin.delete(f"/v1/tables/{view['id']}").status_code == 200
    world.advance(view["id"])
    record = lin.get(f"/v1/games/{view['game']['id']}/record").json
    assert record["practice"]
    [deal] = record["rounds"][0]["deals"]
    assert "KD" in deal["kitty"]
    assert lin.post("/v1/record-checks", record).json == {
        "ok": True, "rounds": [{"round": 1, "ok": True, "reason": None, "detail": None}],
    }  # fmt: skip
    deal["kitty"][0] = deal["kitty"][1]
    assert_problem(lin.post("/v1/record-checks", record), "invalid-request", reason="record_deal")


def test_a_sandbox_is_not_listed_and_hides_its_set_up(world, lin):
    view = sandbox(lin, {**TABLE, "visibility": "public", "spectators": "delayed"}, free=[3], hands={"3": ["2H"]})
    wei = world.player("Wei")
    for status in ("lobby", "playing"):
        listed = [item["table"] for item in wei.get(f"/v1/tables?status={status}").json["items"]]
        assert view["id"] not in listed
        wei.post(f"/v1/tables/{view['id']}/seats", {"seat": 3})
        wei.put(f"/v1/tables/{view['id']}/seats/me/ready", {})
    assert wei.get(f"/v1/tables/{view['id']}").json["practice"] == {"seed": None, "repeats": True, "sandbox": True}
    texts = json.dumps(log(lin, view))
    assert not {"known", "scripts", "kitty_cards"} & {*re.findall(r'"(\w+)":', texts)}


def test_only_the_clock_of_a_sandbox_can_be_moved(lin):
    table = lin.post("/v1/tables", TABLE).json["id"]
    assert_problem(lin.put(f"/v1/tables/{table}/clock", {"elapsed_ms": 1}), "not-found", what="sandbox")
    assert_problem(lin.post("/v1/problem-examples/no-such-problem"), "not-found", what="problem")


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({"hands": {"0": ["2H", "2H", "2H"]}}, "deal_cards"),
        ({"kitty": ["3H"] * 9}, "deal_size"),
        ({"hands": {"4": ["2H"]}}, "deal_for_more_seats"),
        ({"starter": 4}, "deal_for_more_seats"),
    ],
)
def test_cards_that_cannot_be_dealt_are_refused(lin, setup, reason):
    problem = assert_problem(lin.post("/v1/tables", {**TABLE, "sandbox": setup}), "invalid-request", reason=reason)
    assert problem["errors"][0]["pointer"] == "/sandbox"


def test_a_sandbox_cannot_repeat_another_deal(lin):
    body = {**TABLE, "sandbox": {}, "deal": {"server_seed": "00" * 32}}
    assert_problem(lin.post("/v1/tables", body), "invalid-request", reason="sandbox_or_deal")
