"""Games from elsewhere over HTTP: imported as JSON or text, replayed, and refused with line and reason."""

import copy
import json
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator

from harness.document import document
from harness.driver import Driver
from scripts.client_models import RECORD_SCHEMA, record_schema
from service.api.http.problems import REASONS
from service.common.settings import Budget, Settings
from service.game.records import record as records
from service.game.records.again import after_auction
from service.game.records.decisions import decisions_of
from service.game.records.text import written
from service.rules.options.rulesets import RULESETS
from tests.api.conftest import World
from tests.api.contract import assert_problem
from workers import analysing, pars

GUIDE = (Path(__file__).parents[3] / "docs" / "records.md").read_text(encoding="utf-8")
[EXAMPLE] = re.findall(r"^```text\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
DAY_MS = 86_400_000


def game_record(ruleset="shengji", players=4, rounds=1, options=None):
    driver = Driver(ruleset, players, {"start_level": "A"} if options is None else options, seed=3)
    for _ in driver.rounds(rounds):
        pass
    log = records.game_log(driver.log, driver.state["game"]["id"])
    record = json.loads(json.dumps(records.record(log, driver.now)))
    return record, written(record, records.deals_of(log))


RECORD, TEXT = game_record()


@pytest.fixture(scope="module")
def shared(module_redis):
    """One service for all tests of this module."""
    world = World(module_redis, Settings())
    yield world
    world.close()


@pytest.fixture
def world(shared):
    """The service with all budgets full."""
    shared.counter.counts.clear()
    return shared


@pytest.fixture
def lin(world):
    return world.player("Lin", "human")


def check_of(client, body):
    answer = client.post("/v1/records", body)
    assert answer.status_code == 201, answer.json
    return answer.json["game"]


@pytest.mark.parametrize("body", [{"record": RECORD}, {"text": TEXT}], ids=["json", "text"])
def test_an_imported_game_can_be_replayed_by_its_importer_alone(world, lin, body):
    game = check_of(lin, body)
    assert check_of(lin, body) == game  # A retry.
    path = f"/v1/games/{game}"
    record = lin.get(f"{path}/record").json
    assert record["rounds"][0]["result"] == RECORD["rounds"][0]["result"]
    assert [action.get("cards") for action in record["rounds"][0]["actions"]] == [
        action.get("cards") for action in RECORD["rounds"][0]["actions"]
    ]
    assert lin.post("/v1/record-checks", record).json["ok"]
    assert lin.get(path).json["status"] == "finished"
    assert lin.get(f"{path}/rounds/1/events?hands=open").status_code == 200
    assert lin.post(f"{path}/analysis", {"round": 1}).status_code == 202
    assert lin.post(f"{path}/rounds/1/par").status_code == 202
    assert_problem(world.player().get(f"{path}/record"), "private-table")
    [item] = lin.get("/v1/me/games").json["items"]
    assert (item["game"], item["imported"], item["rated"], item["result"]) == (game, True, False, None)
    assert lin.get(f"/v1/players/{lin.player['id']}").json["results"] == {}


def test_a_record_exported_as_text_can_be_imported_again(lin):
    game = check_of(lin, {"text": TEXT})
    answer = lin.get(f"/v1/games/{game}/record", headers={"Accept": "text/plain"})
    text = answer.get_data(as_text=True)
    assert answer.mimetype == "text/plain"
    assert text.partition("[Round")[2] == TEXT.partition("[Round")[2]
    again = lin.get(f"/v1/games/{check_of(lin, {'text': text})}/record", headers={"Accept": "text/plain"})
    assert again.get_data(as_text=True).partition("[Round")[2] == text.partition("[Round")[2]


def test_a_record_with_rounds_after_the_end_of_the_game_is_refused(lin):
    record, _ = game_record(rounds=50)
    over = record["rounds"][-1]
    record["rounds"].append({**over, "round": over["round"] + 1})
    assert_problem(lin.post("/v1/records", {"record": record}), "invalid-request", reason="record_over")


def test_an_imported_round_can_be_analysed_and_replayed_for_par(world, lin):
    game = check_of(lin, {"text": EXAMPLE})
    log = analysing.log_of(world.tables, world.stores.archive, game)
    taken = decisions_of(log, 1)
    assert len([each for each in taken if each.action["type"] == "play"]) == 52
    assert analysing.judged(taken[-1], game)["type"] == "play"
    assert len(pars.replayed(after_auction(log, 1), 0)) == 2


def changed(change):
    record = copy.deepcopy(RECORD)
    change(record, record["rounds"][0])
    return record


def first_play(played):
    return next(number for number, action in enumerate(played["actions"]) if action["type"] == "play")


def misplay(_, played):
    played["actions"][first_play(played)]["cards"] = ["BJ"] * 9


BROKEN = [
    (misplay, "record_illegal", f"/record/rounds/0/actions/{first_play(RECORD['rounds'][0])}"),
    (lambda _, played: played["result"].update(points=7), "record_result", "/record/rounds/0"),
    (lambda _, played: played["levels"].__setitem__(0, "3"), "record_levels", "/record/rounds/0"),
    (lambda _, played: played["shuffle"].update(server_seed="00" * 32), "record_commitment", "/record/rounds/0"),
    (lambda _, played: played.pop("shuffle"), "record_deal", "/record/rounds/0"),
    (lambda _, played: played["actions"].pop(), "record_unfinished", "/record/rounds/0"),
    (lambda record, played: record["rounds"].append(played), "record_order", "/record"),
    (lambda record, played: record["rounds"].append({**played, "round": 2}), "record_start", "/record/rounds/1"),
    (lambda _, played: played["standings"].append(played["standings"][0]), "record_fit", "/record"),
    (lambda _, played: played.update(opened_at="2026-02-30T00:00:00.000Z"), "record_fit", "/record"),
]


@pytest.mark.parametrize(("change", "reason", "pointer"), BROKEN)
def test_a_broken_record_is_refused_with_pointer_and_reason(lin, change, reason, pointer):
    problem = assert_problem(lin.post("/v1/records", {"record": changed(change)}), "invalid-request", reason=reason)
    assert problem["errors"][0]["pointer"] == pointer


LINES = TEXT.splitlines()


def line_of(start):
    return next(number for number, line in enumerate(LINES, 1) if line.startswith(start))


@pytest.mark.parametrize(
    ("start", "line", "reason"),
    [
        ("1. ", "1. 0 BJ BJ BJ", "record_illegal"),
        ("2. ", "2. what is this", "record_line"),
        ("hand 1", "hand 1: 1S", "record_line"),
        ("kitty", "kitty: BJ", "record_deal"),
        ("[Starter", "[Starter 77]", "record_value"),
        ("[Players", "[Players 3]", "record_value"),
        ("[Ruleset", "[Ruleset shengji]", "record_line"),
        ("[Standings", "[Starter 1]", "record_line"),
    ],
)
def test_a_broken_text_is_refused_with_line_and_reason(lin, start, line, reason):
    number = line_of(start)
    text = "\n".join([*LINES[: number - 1], line, *LINES[number:]])
    problem = assert_problem(lin.post("/v1/records", {"text": text}), "invalid-request", reason=reason)
    assert problem["params"]["line"] == (line_of("[Round") if reason == "record_deal" else number)
    assert problem["errors"][0]["pointer"] == "/text"


@pytest.mark.parametrize("body", [{}, {"text": TEXT, "record": RECORD}])
def test_a_request_with_no_record_or_with_two_is_refused(lin, body):
    assert_problem(lin.post("/v1/records", body), "invalid-request", reason="record_or_text")


def test_an_imported_game_is_kept_for_thirty_days_and_imports_are_limited(world, lin):
    game = check_of(lin, {"text": TEXT})
    left = {world.redis.pttl(key) for key in (f"sj:game:{game}", f"sj:past:{game}")}
    assert all(29 * DAY_MS < ms <= 30 * DAY_MS for ms in left)
    assert Settings().limit_import == Budget(200, 86_400)
    for _ in range(199):
        world.app.extensions["services"].rate_limiter.charge("import", lin.player["id"])
    assert_problem(lin.post("/v1/records", {"text": TEXT}), "rate-limited", budget="import")


def test_the_record_schema_is_that_of_the_document_and_accepts_records_of_the_service(world):
    assert RECORD_SCHEMA.read_text(encoding="utf-8") == record_schema(document()), "run `make openapi`"
    schema = world.anybody.get("/schemas/record-1.json").json
    validator = Draft202012Validator(schema)
    assert validator.is_valid(RECORD)
    assert not validator.is_valid(changed(lambda record, _: record.update(players=3)))
    assert not validator.is_valid(changed(lambda _, played: played["actions"][0].update(type="fly")))


def spots(value, at=()):
    """The paths of all values in a record."""
    yield at
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from spots(inner, (*at, name))


@cache
def game_of(ruleset):
    """A round of a ruleset as a record, the paths in it, and the lines of its text."""
    record, text = game_record(ruleset, RULESETS[ruleset].players[0], options={})
    return record, [*spots(record)][1:], text.splitlines()


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 120), st.sampled_from(["", "BJ", "play", "pass", "2", "A", "reveal"]),
    st.lists(st.sampled_from(["2S", "KD", "BJ"]), max_size=3), st.builds(dict),
)  # fmt: skip


def put(record, spot, value):
    *way, last = spot
    for name in way:
        record = record[name]
    record[last] = value


FUZZ = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(data=st.data())
def test_any_changed_record_is_imported_or_refused(world, data):
    world.counter.counts.clear()
    whole, places, _ = game_of(data.draw(st.sampled_from([*RULESETS])))
    record = copy.deepcopy(whole)
    for spot, value in data.draw(st.lists(st.tuples(st.sampled_from(places), ODD), min_size=1, max_size=3)):
        try:
            put(record, spot, value)
        except (TypeError, KeyError, IndexError):
            continue  # An earlier change has removed this path.
    answered(world, {"record": record})


@FUZZ
@given(data=st.data())
def test_any_changed_text_is_imported_or_refused(world, data):
    world.counter.counts.clear()
    lines = list(game_of(data.draw(st.sampled_from([*RULESETS])))[2])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        kind = data.draw(st.sampled_from(["cut", "double", "swap", "letter", "else"]))
        if kind == "cut" and len(lines) > 1:
            del lines[at]
        elif kind == "double":
            lines.insert(at, lines[at])
        elif kind == "swap":
            lines[at], lines[0] = lines[0], lines[at]
        elif kind == "letter" and lines[at]:
            place = data.draw(st.integers(0, len(lines[at]) - 1))
            letter = data.draw(st.sampled_from('0123456789SHDCJ@+|:.[]{}" '))
            lines[at] = lines[at][:place] + letter + lines[at][place + 1 :]
        else:
            lines[at] = data.draw(st.text(max_size=30))
    answered(world, {"text": "\n".join(lines)})


def answered(world, body):
    """Assert that the service imports the record or refuses it with a documented reason."""
    answer = importer(world).post("/v1/records", body)
    assert answer.status_code in (201, 400, 422), answer.json
    if answer.status_code == 400:
        assert answer.json["params"]["reason"] in REASONS


@cache
def importer(world):
    """A player for all examples."""
    return world.player()
