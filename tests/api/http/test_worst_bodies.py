"""The worst that a client can send: what is looked at is bounded first, long work gives way, and both are charged."""

import json
import threading
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from marshmallow import Schema, ValidationError, fields

from harness.document import document
from harness.hostile import hostile_requests
from harness.waiting import wait_until
from service.api.http import yielding
from service.api.http.problems import MOST_FAULTS, Unavailable
from service.api.http.rate_limits import RateLimiter
from service.api.http.yielding import Turns, current_work
from service.api.resources import RESOURCES
from service.api.schemas.bounded import Contract, Length, StrictList, StrictObject
from service.common.settings import Budget, Settings
from service.game.records.by_record import Time
from service.game.records.text import read
from tests.api.conftest import MemoryCounter, World
from tests.api.contract import assert_problem
from tests.api.http.test_limits import left

#: Ten times what the worst of them take.
MOST_S = 0.05
OPERATOR = "x" * 32
OPERATIONS = [operation for resource in RESOURCES for operation in resource.operations]
UNLIMITED = {name: Budget(0, 60) for name in vars(Settings()) if name.startswith("limit_")}


@pytest.fixture(scope="module")
def unlimited(module_redis):
    """A service without limits, and the headers of a player and of an operator."""
    world = World(module_redis, replace(Settings(), operator_token=OPERATOR, **UNLIMITED))
    yield world, lambda path: OPERATOR if path.startswith("/v1/operator") else world.player().token
    world.close()


@pytest.mark.parametrize("tag", [resource.tag for resource in RESOURCES])
def test_the_worst_that_any_operation_can_be_sent_holds_up_others_for_milliseconds(unlimited, tag, monkeypatch):
    world, token_for = unlimited
    stops = []
    monkeypatch.setattr(yielding, "give_way", lambda: stops.append(time.thread_time()))
    mine = frozenset(operation.id for operation in OPERATIONS if operation.tag == tag)
    client, token = world.app.test_client(), None
    for hostile in hostile_requests(document(), 65_536, mine):
        token = token or token_for(hostile.path)
        took = []
        while len(took) < 3 and (not took or took[-1] > MOST_S):
            stops[:] = [time.thread_time()]
            answer = client.open(
                f"{hostile.path}?{hostile.query}",
                method=hostile.method,
                data=hostile.body,
                content_type="application/json",
                headers={"Authorization": f"Bearer {token}", **hostile.headers},
            )
            stops.append(time.thread_time())
            took.append(max(end - begin for begin, end in pairwise(stops)))
            if answer.status_code == 401:
                token = token_for(hostile.path)
        assert min(took) < MOST_S, (hostile.operation, hostile.name, took)
        assert answer.status_code < 500, (hostile.operation, hostile.name, answer.get_data())


def fields_of(field_or_schema, path):
    """Yield the fields of a schema with their places."""
    if isinstance(field_or_schema, Schema):
        for name, field in field_or_schema.fields.items():
            yield from fields_of(field, f"{path}/{name}")
        return
    field = field_or_schema
    yield path, field
    inner = {
        fields.Nested: lambda: (field.schema,),
        fields.List: lambda: (field.inner,),
        fields.Mapping: lambda: (field.key_field, field.value_field),
    }
    for kind, parts in inner.items():
        if isinstance(field, kind):
            for part in filter(None, parts()):
                yield from fields_of(part, f"{path}/*")


def test_every_array_and_object_of_a_request_has_a_bound_that_is_checked_first():
    count = 0
    for operation in OPERATIONS:
        for schema in filter(None, (operation.body, operation.query)):
            assert isinstance(schema, Contract), operation.id
            for path, field in fields_of(schema, operation.id):
                assert not isinstance(field, fields.Nested) or isinstance(field.schema, Contract), path
                assert type(field) not in (fields.Raw, fields.Field, fields.Tuple), path
                if isinstance(field, fields.List):
                    [length] = field.validators
                    assert type(field) is StrictList, path
                    assert isinstance(length, Length), path
                    assert length.max, path
                    count += 1
                if isinstance(field, fields.Mapping):
                    assert type(field) is StrictObject, path
                    assert field.high, path
                    count += 1
    assert count > 100


class Counting(fields.Integer):
    """An integer that counts how often it is looked at, and refuses all."""

    looks = 0

    def _deserialize(self, value, *_, **__):
        type(self).looks += 1
        raise self.make_error("invalid")


class Bounded(Contract):
    """Schemas of arrays and objects."""

    array = StrictList(Counting(), validate=[Length(None, 1_000)])
    arrays = StrictList(StrictList(Counting(), validate=[Length(None, 1_000)]), validate=[Length(None, 1_000)])
    names = StrictObject(1_000, values=Counting())


@pytest.mark.parametrize(
    ("value", "looks"),
    [
        ({"array": [0] * 1_001}, 0),
        ({"names": {str(number): 0 for number in range(1_001)}}, 0),
        ({"array": [0] * 1_000}, MOST_FAULTS + 1),
        ({"names": {str(number): 0 for number in range(1_000)}}, MOST_FAULTS + 1),
        ({"arrays": [[0] * 1_000] * 1_000}, MOST_FAULTS + 1),
        ({"arrays": [[0] * 5] * 1_000}, MOST_FAULTS + 5),
    ],
)
def test_length_comes_first_and_no_more_faults_are_sought_than_are_shown(value, looks):
    Counting.looks = 0
    with pytest.raises(ValidationError):
        Bounded().load(value)
    assert Counting.looks == looks


def test_of_many_unknown_names_only_some_are_looked_at():
    with pytest.raises(ValidationError) as refused:
        Bounded().load({f"x{number}": 0 for number in range(5_000)})
    assert len(refused.value.messages) == MOST_FAULTS + 1


@pytest.mark.parametrize("body", [b"[%b]" % b",".join([b"0"] * 9_000), b"{%b}" % b",".join([b'"a":{}'] * 4_500)])
def test_a_body_with_too_many_values_is_refused_before_it_is_parsed(lin, body):
    answer = lin.post("/v1/tables", data=body, content_type="application/json")
    assert_problem(answer, "invalid-request", reason="too_many_values", limit=8_000)


def test_a_ruleset_that_does_not_exist_is_told_before_the_contents(lin):
    answer = lin.post("/v1/rulesets/nothing/order", data=b"{" * 60_000, content_type="application/json")
    assert_problem(answer, "not-found")


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=a"])
@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/revoke", "/oauth/device"])
def test_the_worst_forms_of_apps_take_milliseconds(unlimited, path, content_type):
    client = unlimited[0].app.test_client()
    part = b'--a\r\nContent-Disposition: form-data; name="x"\r\n\r\n\r\n'
    for body in (b"a&" * 8_000, b"%" * 16_000, b"scope=" + b"+" * 16_000, b"code=" + b"%C3" * 5_000, part * 300):
        took = []
        while len(took) < 3 and (not took or took[-1] > MOST_S):
            begun = time.thread_time()
            answer = client.post(path, data=body, content_type=content_type)
            took.append(time.thread_time() - begun)
        assert answer.status_code in (400, 401), answer.get_data()
        assert min(took) < MOST_S, (path, body[:20], took)
    assert client.post(path, data=b"a" * 70_000, content_type=content_type).status_code == 413


# --- what it costs -----------------------------------------------------------------------------------------------


def test_a_body_that_takes_long_costs_more(world, monkeypatch):
    lin = world.player()
    clock = iter(range(100))
    monkeypatch.setattr("service.api.operations.time.thread_time", lambda: next(clock) / 100)
    before = left(lin.get("/v1/me"))[1]
    # Ten milliseconds of work, and one request covers two.
    lin.post("/v1/me/tokens", {"name": "x" * 2_000})
    assert left(lin.patch("/v1/me", {"name": "Lin"}))[0] == "act"
    answer = left(lin.patch("/v1/me", {"name": "x" * 2_000}))
    assert answer[1] == left(lin.patch("/v1/me", {"name": "Lin"}))[1] + 1
    assert left(lin.patch("/v1/me", {"name": "x" * 2_000}))[1] == answer[1] - 1 - 5
    assert left(lin.get("/v1/me"))[1] == before - 1


def test_work_that_is_done_takes_what_is_left_at_most():
    limiter = RateLimiter(MemoryCounter(), {"act": Budget(100, 60)}, lambda: 1000.0)
    limiter.charge("act", "pl_x", 90)
    assert limiter.charge_done("act", "pl_x", 500).startswith('"act";r=0;')
    assert limiter.charge_done("act", "pl_y", 30).startswith('"act";r=70;')


# --- long work ---------------------------------------------------------------------------------------------------


def test_long_work_runs_one_at_a_time_and_players_take_turns():
    turns, order = Turns(), []
    started, may_end = threading.Event(), threading.Event()

    def hold(owner, *, first=False):
        with turns.take(owner) as work:
            assert current_work() is work
            order.append(owner)
            if first:
                started.set()
                may_end.wait()

    threads = [threading.Thread(target=hold, args=("pl_a",), kwargs={"first": True})]
    threads[0].start()
    started.wait()
    threads += [threading.Thread(target=hold, args=(owner,)) for owner in ("pl_a", "pl_a", "pl_b")]
    for thread in threads[1:]:
        thread.start()
    assert order == ["pl_a"]
    may_end.set()
    for thread in threads:
        thread.join()
    assert sorted(order) == ["pl_a", "pl_a", "pl_a", "pl_b"]
    assert current_work() is None


def test_a_player_has_only_a_few_requests_with_long_work_under_way():
    turns = Turns()
    inside, may_end = threading.Semaphore(0), threading.Event()

    def hold():
        with turns.take("pl_a"):
            inside.release()
            may_end.wait()

    threads = [threading.Thread(target=hold) for _ in range(yielding.MOST_OF_A_PLAYER)]
    for thread in threads:
        thread.start()
    inside.acquire()
    wait_until(lambda: turns.under_way("pl_a") == yielding.MOST_OF_A_PLAYER)
    with pytest.raises(Unavailable), turns.take("pl_a"):
        pass
    may_end.set()
    for thread in threads:
        thread.join()
    with turns.take("pl_a"):
        pass
    assert turns.under_way("pl_a") == 0


def test_long_work_rests_while_a_body_is_parsed_and_checked(lin, monkeypatch):
    rests = []
    monkeypatch.setattr(yielding, "give_way", lambda: rests.append(1))
    monkeypatch.setattr(yielding, "SLICE_S", 0)
    action = {"seat": 0, "type": "pass"}
    body = {"record": {"ruleset": "shengji", "players": 4, "rounds": [{"round": 1, "actions": [action] * 900}]}}
    assert_problem(lin.post("/v1/records", body), "invalid-request")
    # Each object that is parsed, and every few entries that are checked.
    assert len(rests) > 900 + 900 // 32
    rests.clear()
    assert_problem(lin.post("/v1/records", {"text": "0 pass\n" * 3_000}), "invalid-request")
    rests.clear()
    text = '[Ruleset "shengji"]\n[Players 4]\n\n[Round 1]\n' + "0 pass\n" * 3_000
    assert_problem(lin.post("/v1/records", {"text": text}), "invalid-request")
    assert len(rests) > 3_000 * 7 // 2_000


@pytest.mark.parametrize(
    ("line", "reason"),
    [("{" * 19_000, "record_line"), ("0 pass " + "{}" * 9_000 + " x", "record_line"), ("x" * 30_000, "record_line")],
)
def test_a_text_of_braces_or_long_lines_is_refused_at_once(lin, line, reason):
    text = f'[Ruleset "shengji"]\n[Players 4]\n\n[Round 1]\n{line}\n'
    problem = assert_problem(lin.post("/v1/records", {"text": text}), "invalid-request", reason=reason, line=5)
    assert len(json.dumps(problem)) < 3_000


def test_comments_of_a_text_are_left_out():
    for recorded, expected in (("0 {a} pass {b}", [{"seat": 0, "type": "pass"}]), ("{all}", [])):
        assert read(f"[Round 1]\n{recorded}\n").record["rounds"][0]["actions"] == expected


def test_a_text_with_more_actions_than_are_replayed_is_refused_while_it_is_read(lin):
    text = '[Ruleset "shengji"]\n[Players 4]\n\n' + "[Round 1]\n" * 100_000
    assert_problem(lin.post("/v1/records", {"text": text}), "too-complex", reason="many_steps")


def test_pauses_of_a_record_may_overlap_and_come_in_any_order():
    def at(second):
        return f"2026-01-01T00:00:{second:02}.000Z"

    pauses = [(10, 20), (5, 12), (40, 30), (25, 25), (15, 18)]
    time_of = Time([{"from": at(since), "until": at(until)} for since, until in pauses])
    start = time_of.of(at(0))
    for second in range(60):
        lost = sum(max(0, min(second, until) - since) for since, until in pauses)
        assert (time_of.of(at(second)) - start) == (second - lost) * 1000
