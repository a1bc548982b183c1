"""`clients/conformance`: our clients pass, broken ones fail at the case meant for them, and the data are of today."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema_rs
import pytest

from harness.document import document
from scripts import client_models
from scripts.tables import KIT
from service.common.settings import VERSION
from service.rules.options.rulesets import RULESETS
from shengji_conformance import clients, rules
from shengji_conformance.__main__ import main
from shengji_conformance.cases import SUBJECTS, account, all_cases, chosen, recording, subject_of
from shengji_conformance.world import World, changed
from tests.clients.programs.breakable_client import ALSO, FAULTS, GOALS
from tests.rules.vectors import cases
from tests.support.wheels import built, installed
from tools.clients.toolchain import ROOT

PACKAGE = ROOT / "clients" / "conformance"
ADAPTERS = PACKAGE / "adapters"
BREAKABLE = ROOT / "tests" / "clients" / "programs" / "breakable_client.py"
CASES = {case["id"]: case for case in all_cases()}
RECORDINGS = sorted(str(path.relative_to(KIT)).removesuffix(".json.gz") for path in KIT.glob("*/*.json.gz"))


@pytest.fixture(autouse=True)
def packages(monkeypatch):
    """Adapters find the packages."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "clients" / "python"))


def failures(command, cases, jobs=4):
    """Case -> what is wrong with it, of those that do not pass."""
    outcome = clients.run([str(part) for part in command], cases, jobs, lambda _: None)
    return {each.case["id"]: each.reasons for each in outcome.verdicts if each.status != clients.PASSED}


# --- our clients --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("adapter", ["python_client.py", "asyncio_client.py"])
def test_the_package_for_python_passes(adapter):
    assert failures([sys.executable, ADAPTERS / adapter], chosen([], slow=False), 6) == {}


@pytest.mark.nightly
@pytest.mark.parametrize("adapter", ["python_client.py", "asyncio_client.py"])
def test_the_package_for_python_passes_what_takes_long(adapter):
    slow = [case for case in all_cases() if case.get("slow")]
    assert failures([sys.executable, ADAPTERS / adapter], slow, len(slow)) == {}


def test_a_client_without_a_package_passes():
    assert failures([sys.executable, BREAKABLE], chosen([], slow=False), 6) == {}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_client_fails_at_the_case_that_is_meant_for_it(fault):
    meant = CASES[FAULTS[fault]]
    # And passes those of other subjects: it is broken in one way.
    others = [CASES["problems/not-found"], CASES["fold/phase-call"], CASES["phases/discard"], CASES["pages/limit"]]
    elsewhere = {case["id"] for case in chosen(ALSO.get(fault, ["-"]))}
    others = [case for case in others if subject_of(case) != subject_of(meant) and case["id"] not in elsewhere]
    assert list(failures([sys.executable, BREAKABLE, fault], [meant, *others], 1)) == [meant["id"]]


def test_at_every_quick_case_a_broken_client_fails():
    left = {case["id"]: case for case in chosen([], slow=False) if case["id"] not in FAULTS.values()}
    for fault, patterns in ALSO.items():
        meant = [case for case in chosen(patterns, slow=False) if case["id"] in left]
        failed = failures([sys.executable, BREAKABLE, fault], meant, 6)
        assert [case["id"] for case in meant if case["id"] not in failed] == []
        left = {name: case for name, case in left.items() if name not in failed}
    assert list(left) == []


def test_a_client_is_broken_in_twenty_ways_and_more_and_in_all_subjects():
    assert len(FAULTS) >= 20
    assert {subject_of(CASES[case]) for case in FAULTS.values()} == set(SUBJECTS)


# --- the runner ---------------------------------------------------------------------------------------------------


def adapter(tmp_path, loop, head='{"client": "odd", "can": ["view", "act"]}'):
    """The command of an adapter with a loop of its own."""
    file = tmp_path / "adapter.py"
    file.write_text(f"import json, os, sys, time\nprint({head!r}, flush=True)\nfor line in sys.stdin:\n    {loop}\n")
    return [sys.executable, file]


def test_a_client_that_does_nothing_passes_no_case(tmp_path):
    can = json.dumps({"client": "idle", "can": list(GOALS)})
    idle = adapter(tmp_path, "print('{}', flush=True)", can)
    assert set(failures(idle, all_cases())) == set(CASES)


def test_a_client_that_reports_what_is_expected_without_a_request_fails(tmp_path):
    """What arrives at the server counts, too."""
    liar = adapter(tmp_path, "print('{\"version\": 12}', flush=True)")
    case = CASES["retries/answer-lost"]
    assert case["expect"]["report"] == {"version": 12}
    assert failures(liar, [case])[case["id"]] == [
        "POST /v1/tables/{table}/pass: must be sent 2 times, but was sent 0 times"
    ]


@pytest.mark.parametrize(
    ("loop", "reason"),
    [
        ("print('hello', flush=True)", "must write an object as one line of JSON, not 'hello"),
        ("sys.exit('no such table')", "has ended without a report\n    no such table"),
        ("time.sleep(60)", "no report within 1 s"),
    ],
)
def test_an_adapter_that_fails_is_started_again_for_the_next_case(tmp_path, monkeypatch, loop, reason):
    monkeypatch.setattr(clients, "_PATIENCE", 1.0)
    cases = [CASES["phases/play"], CASES["phases/call"]]
    failed = failures(adapter(tmp_path, loop), cases, 1)
    assert list(failed) == ["phases/play", "phases/call"]
    assert all(reason in "".join(reasons) for reasons in failed.values())


def test_goals_that_an_adapter_does_not_know_are_not_tried(tmp_path, capsys):
    odd = [str(part) for part in adapter(tmp_path, "print('{}', flush=True)", '{"client": "odd", "can": []}')]
    assert main(["clients", "--only", "phases/*", "--only", "fold/shengji", "--", *odd]) == 0
    output = capsys.readouterr().out
    assert "phases        0 passed    0 failed    8 not tried" in output
    assert f"odd: 0 of 0 cases of shengji-conformance {VERSION} pass, without act, fold (" in output


def test_the_command_tells_what_failed_and_the_badge(tmp_path, capsys):
    broken = [sys.executable, str(BREAKABLE), "answers with all cards"]
    assert main(["clients", "--only", "phases/*", "--", *broken]) == 1
    output = capsys.readouterr().out
    assert "FAILED phases/play: A decision of the kind `play` is answered" in output
    assert f"a client that can be broken: 7 of 8 cases of shengji-conformance {VERSION} pass (20" in output
    assert main(["clients", "--only", "phases/*", "--json", "--", *broken]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["case"]: row["status"] for row in rows}["phases/play"] == "failed"
    assert main(["list", "--only", "pages/limit"]) == 0
    assert capsys.readouterr().out == f"pages/limit: {CASES['pages/limit']['shows']}\n"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["/no/such/program"], "No such file"),
        ([sys.executable, "-c", "print('hello')"], "must write an object"),
        ([sys.executable, "-c", "print('{}')"], "the first line must be"),
        ([sys.executable, "-c", "raise SystemExit('broken')"], "has ended without a report\n    broken"),
    ],
)
def test_a_command_that_is_no_adapter_is_told(capsys, command, reason):
    assert main(["clients", "--", *command]) == 2
    assert reason in capsys.readouterr().err


def test_the_runner_needs_nothing_but_python():
    for path in (PACKAGE / "shengji_conformance").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            tops = {name.partition(".")[0] for name in names}
            assert tops <= {*sys.stdlib_module_names, "shengji_conformance"}, path


# --- servers of the rules -----------------------------------------------------------------------------------------

OWN_RULES = ROOT / "tests" / "clients" / "programs" / "own_rules.py"


@pytest.fixture
def own_rules(monkeypatch):
    """The command of our own rules."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return [sys.executable, str(OWN_RULES)]


def asked(command, is_chosen=lambda _: True):
    return rules.run(command, rules.VECTORS, is_chosen, lambda *_: None)


def test_our_own_rules_pass_every_vector(own_rules):
    outcome = asked(own_rules)
    assert (outcome.failed, outcome.not_tried) == ({}, {})
    assert sum(outcome.passed.values()) == len(cases()) > 2_000


def test_no_vector_passes_without_an_answer(own_rules):
    kinds = {case["kind"] for case in cases()}
    outcome = asked([*own_rules, *kinds])
    assert outcome.passed == {}
    assert {kind: len(failed) for kind, failed in outcome.failed.items()} == Counter(case["kind"] for case in cases())


def test_a_question_does_not_give_its_answer_away():
    for vector in rules.vectors(rules.VECTORS):
        question = rules.question_of(vector)
        assert not {"expect", "legal", "consecutive", "descending", "final", "note"} & question.keys()
        assert "expect" not in json.dumps(question)


@pytest.mark.parametrize(
    ("expected", "got", "wrong"),
    [
        ({"legal": [["AS", "KS"], ["5H"]]}, {"legal": [["5H"], ["KS", "AS"]]}, []),
        ({"legal": [["AS"]]}, {"legal": [["AS"], ["KS"]]}, ["/legal must be [['AS']], not [['AS'], ['KS']]"]),
        ({"expect": {"levels": ["2", "3"]}}, {"expect": {"levels": ["3", "2"]}}, 1),
        ({"descending": [["8S", "8H"], ["AD"]]}, {"descending": [["8H", "8S"], ["AD"]]}, []),
        ({"descending": [["8S"], ["AD"]]}, {"descending": [["AD"], ["8S"]]}, 1),
        ({"expect": [{"accepted": True}, {"accepted": False}]}, {"expect": [{"accepted": True}]}, 1),
        ({"expect": {"ok": True}}, {"expect": {"ok": True, "penalty": 0}}, []),
        ({"final": None}, {}, ["/final must be None, not '(missing)'"]),
    ],
)
def test_answers_are_compared_without_the_order_of_cards(expected, got, wrong):
    found = list(rules.differences(expected, got))
    assert found == wrong if isinstance(wrong, list) else len(found) == wrong


def test_the_command_tells_which_vectors_fail_and_what_was_not_tried(own_rules, tmp_path, capsys):
    assert main(["rules", "--only", "cut/*", "--only", "total/*", "--", *own_rules, "cut"]) == 1
    output = capsys.readouterr().out
    assert output.count("FAILED ") == 16
    assert "/expect must be {'first': 1}, not '(missing)'" in output
    assert f"shengji-service: 7 of 23 vectors of shengji-conformance {VERSION} pass (20" in output
    idle = [str(part) for part in adapter(tmp_path, "print('{}', flush=True)", '{"client": "odd", "can": []}')]
    assert main(["rules", "--only", "cut/*", "--", *idle]) == 0
    assert "odd: 0 of 0 vectors" in (output := capsys.readouterr().out)
    assert "pass, without cut (" in output
    assert main(["rules", "--vectors", str(tmp_path), "--", *idle]) == 2
    assert "no vectors in" in capsys.readouterr().err


def test_the_wheel_has_all_cases_and_vectors(tmp_path, monkeypatch):
    python, _ = installed(built(tmp_path / "wheel", PACKAGE), tmp_path / "environment")
    # What the adapters import; the kit is in neither of these.
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'clients' / 'python'}")
    for arguments, adapter_file, count, what in (
        (["clients", "--quick"], BREAKABLE, len(chosen([], slow=False)), "cases"),
        (["rules"], OWN_RULES, len(cases()), "vectors"),
    ):
        kit = [python, "-m", "shengji_conformance", *arguments, "--", sys.executable, adapter_file]
        ran = subprocess.run(kit, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert f": {count} of {count} {what} of shengji-conformance {VERSION} pass" in ran.stdout, ran.stderr


# --- the data -----------------------------------------------------------------------------------------------------


def test_cases_match_their_schema_and_have_an_id_of_their_own():
    schema = json.loads((KIT / "cases.schema.json").read_text(encoding="utf-8"))
    jsonschema_rs.meta.validate(schema)
    errors = list(jsonschema_rs.validator_for(schema).iter_errors(all_cases()))
    assert [(error.instance_path, error.message) for error in errors] == []
    assert len(CASES) == len(all_cases())
    assert sorted(path.stem for path in (KIT / "cases").iterdir()) == sorted(SUBJECTS)
    for subject in SUBJECTS:
        assert {subject_of(case) for case in json.loads((KIT / "cases" / f"{subject}.json").read_text())} == {subject}


def test_the_stream_of_the_account_matches_the_document_of_today():
    components = {"components": document()["components"]}
    snapshot, event = (
        jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{schema}", **components})
        for schema in ("MyTables", "AccountEvent")
    )
    snapshot.validate(account()["snapshot"])
    for each in account()["messages"]:
        event.validate(each["event"])
    # Neither as numbers nor as texts are they in order, and no two are the same.
    places = [account()["begin"], *(each["id"] for each in account()["messages"])]
    [pattern] = (
        row["schema"]["pattern"]
        for row in document()["paths"]["/v1/me/events"]["get"]["parameters"]
        if row["name"] == "Last-Event-ID"
    )
    assert all(re.fullmatch(pattern, place) for place in places)
    assert len(set(places)) == len(places)
    assert places != sorted(places)


def test_there_is_a_game_of_each_ruleset_and_a_sandbox_at_each_kind_of_decision():
    assert {name.removeprefix("games/") for name in RECORDINGS if name.startswith("games/")} == set(RULESETS)
    kinds = set(document()["components"]["schemas"]["OpenDecision"]["discriminator"]["mapping"])
    reached = {
        recording(name)["steps"][0]["view"]["decision"]["kind"] for name in RECORDINGS if name.startswith("phases/")
    }
    assert reached == kinds
    used = {case["world"]["game"] for case in all_cases() if "world" in case}
    assert used == set(RECORDINGS)


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_was_recorded_matches_the_document_of_today(name):
    components = {"components": document()["components"]}
    view, event, outcome = (
        jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{schema}", **components})
        for schema in ("View", "Event", "Outcome")
    )
    recorded = recording(name)
    for step in recorded["steps"]:
        view.validate(step["view"])
        outcome.validate(step["outcome"])
    view.validate(recorded["last"])
    for each in recorded["events"]:
        event.validate(each)
    assert [each["seq"] for each in recorded["events"]] == list(range(1, recorded["last"]["version"] + 1))


def test_answers_in_cases_match_the_document_of_today():
    """An answer of a later version too: the document allows what it adds."""
    components = {"components": document()["components"]}
    schemas = {
        "application/problem+json": jsonschema_rs.validator_for({"$ref": "#/components/schemas/Problem", **components}),
        "application/json": jsonschema_rs.validator_for({"$ref": "#/components/schemas/EventPage", **components}),
    }
    registered = jsonschema_rs.validator_for({"$ref": "#/components/schemas/Registered", **components})
    registered.validate(json.loads((KIT / "registered.json").read_text(encoding="utf-8")))
    answers = [fault.get("answer", {}) for case in all_cases() for fault in case.get("faults", [])]
    bodies = [(each["headers"]["Content-Type"], each["body"]) for each in answers if isinstance(each.get("body"), dict)]
    assert {kind for kind, _ in bodies} == set(schemas)
    for kind, body in bodies:
        schemas[kind].validate(body)


def test_fields_are_added_to_objects_and_no_keys_to_maps():
    body = {"seen": {"most": {"H": {"2": 1}}, "voids": {"C": [1]}}, "seats": [{"seat": 0}], "played": {"1": ["AS"]}}
    assert changed(body, [{"add": {"later": 1}}, {"path": "seats/0/seat", "set": 3}]) == {
        "seen": {"most": {"H": {"2": 1}}, "voids": {"C": [1]}, "later": 1},
        "seats": [{"seat": 3, "later": 1}],
        "played": {"1": ["AS"]},
        "later": 1,
    }


def test_what_the_server_refuses_by_itself_matches_the_document_of_today():
    problem = jsonschema_rs.validator_for(
        {"$ref": "#/components/schemas/Problem", "components": document()["components"]}
    )
    world = World({"game": "games/shengji", "at": "turn"})
    refused = [
        world.page({"after": "9000"}),
        world.act("POST", "pass", {"decision_id": "dc_1"}),
        world.act("POST", "play", {"cards": ["AS"]}),
    ]
    assert [status for status, _ in refused] == [400, 409, 422]
    for _, body in refused:
        problem.validate(body)


def test_problems_and_the_version_are_those_of_the_document():
    parsed = document()
    generated = {
        KIT / "problems.json": client_models.problems(parsed),
        KIT / "maps.json": client_models.maps(parsed),
        KIT / "cases" / "problems.json": client_models.problem_cases(parsed),
        client_models.KIT / "made.py": client_models.kit_version(parsed),
    }
    for path, text in generated.items():
        assert Path(path).read_text(encoding="utf-8") == text, "run `make openapi`"


def test_the_readme_explains_every_goal():
    table = (PACKAGE / "README.md").read_text(encoding="utf-8").partition("| goal |")[2].partition("\n\n")[0]
    goals = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(goals) == sorted(GOALS) == sorted({case["goal"] for case in all_cases()})
