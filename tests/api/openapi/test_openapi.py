"""The OpenAPI document: up to date, valid, complete, and usable by generators."""

import json
import re
import subprocess
import sys
from http import HTTPStatus
from importlib import import_module
from typing import get_args

import pytest
from jsonschema_rs import Draft202012Validator, Registry

from harness.document import DOCUMENT, document
from service.api.http.problems import STATUS
from service.api.operations import Operation
from service.api.resources import RESOURCES
from service.game.events.evolve import EVENT_TYPES
from service.game.state.table_types import DecisionKind
from tests.api.contract import assert_is, referenced, requested, resolved, validator

DECISION_KINDS = get_args(DecisionKind)
OPERATIONS: list[Operation] = [operation for resource in RESOURCES for operation in resource.operations]
DOCUMENTED = [
    (f"{method.upper()} {path}", operation)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
]


def test_the_committed_document_is_the_generated_one(pytestconfig):
    process = subprocess.run(
        [sys.executable, "-m", "service.api.openapi"],
        capture_output=True,
        check=True,
        cwd=pytestconfig.rootpath,
    )
    assert process.stdout.decode() == DOCUMENT.read_text(encoding="utf-8"), "run `make openapi`"


@pytest.mark.nightly
def test_the_document_is_valid():
    """By day, Redocly says so (`tests/contract/test_lint.py`)."""
    import_module("openapi_spec_validator").validate(document())


def test_the_start_page_shows_how_a_card_is_played():
    """The example on top of `/docs` fits the operation."""
    (path, example) = re.search(
        r"To play a card\*\*.*?`POST (\S+)`:\s+`(\{.*?\})`", document()["info"]["description"], re.DOTALL
    ).groups()
    body = document()["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    assert_is(body.rpartition("/")[2], json.loads(example))


def test_documented_paths_and_routes_are_the_same(world):
    routes = set()
    for rule in world.app.url_map.iter_rules():
        if rule.endpoint.startswith(("pages.", "client.", "oauth.", "alone.", "shared.")):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        routes |= {f"{method} {path}" for method in rule.methods - {"HEAD", "OPTIONS"}}
    assert routes == {where for where, _ in DOCUMENTED}


def test_every_operation_has_a_unique_id():
    ids = [operation["operationId"] for _, operation in DOCUMENTED]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z][A-Za-z]+", each) for each in ids)


@pytest.mark.parametrize(("where", "operation"), DOCUMENTED, ids=lambda value: value if isinstance(value, str) else "")
def test_an_operation_is_described_for_people(where, operation):
    assert operation["summary"]
    assert operation["tags"]
    for parameter in operation.get("parameters", ()):
        assert parameter.get("description"), parameter["name"]
    for status, answer in operation["responses"].items():
        assert resolved(answer)["description"], status


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.id)
def test_every_body_has_a_valid_example(operation):
    if operation.body is None:
        return
    assert operation.example is not None
    operation.body.load(operation.example)
    assert_is(type(operation.body).__name__, operation.example)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.id)
def test_every_documented_code_exists(operation):
    assert set(operation.errors) <= set(STATUS)


SCHEMAS = document()["components"]["schemas"]


@pytest.mark.parametrize(("name", "tags"), [("Event", EVENT_TYPES), ("OpenDecision", DECISION_KINDS)])
def test_variants_by_type_are_named_schemas(name, tags):
    choice, mapping = SCHEMAS[name]["oneOf"], SCHEMAS[name]["discriminator"]["mapping"]
    assert set(mapping) == set(tags)
    *references, other = [each["$ref"] for each in choice]
    assert references == [*mapping.values()]
    tag = SCHEMAS[name]["discriminator"]["propertyName"]
    for value, reference in mapping.items():
        assert resolved({"$ref": reference})["properties"][tag]["enum"] == [value]
    assert resolved({"$ref": other})["properties"][tag]["not"]["enum"] == [*mapping]


def test_the_data_of_every_event_and_the_hints_of_every_decision_have_a_schema():
    for name, part, untyped in (("Event", "data", set()), ("OpenDecision", "hints", {"ready"})):
        for tag, reference in SCHEMAS[name]["discriminator"]["mapping"].items():
            field = resolved({"$ref": reference})["properties"][part]
            assert ("$ref" in field) == (tag not in untyped), tag


def test_events_of_later_versions_are_valid_and_those_with_the_data_of_another_type_are_not():
    """For clients, an unknown type is an `OtherEvent`; a known one must match its own schema."""
    registry = Registry([("urn:as-it-is", document())])
    fits = Draft202012Validator({"$ref": "urn:as-it-is#/components/schemas/Event"}, registry=registry).is_valid
    won = {
        "seq": 7,
        "type": "trick_won",
        "at": "2026-11-20T19:30:00.000Z",
        "round": 1,
        "by": "player",
        "data": {"seat": 1, "number": 4, "points": 15},
    }
    assert fits(won)
    assert fits({**won, "colour": "red", "data": {**won["data"], "colour": "red"}})
    assert fits({**won, "type": "weather_changed", "data": {"rain": True}})
    assert not fits({**won, "data": {"seat": 1}})
    assert not fits({**won, "type": "seat_ready"})


def _answered():
    """Names of the schemas that the service sends, in responses and webhooks."""
    answers = [operation["responses"] for _, operation in DOCUMENTED] + [document()["components"]["responses"]]
    return referenced(answers + [item["post"]["requestBody"] for item in document()["webhooks"].values()])


def test_requests_and_responses_share_no_schema_of_objects():
    """Requests stay strict, while responses may get more fields."""
    assert {name for name in requested() & _answered() if SCHEMAS[name]["type"] != "string"} == set()
    assert set(SCHEMAS) == requested() | _answered(), "a schema is in neither"


def test_responses_may_have_more_fields_in_later_versions():
    for name in _answered():
        if SCHEMAS[name].get("properties"):
            assert SCHEMAS[name]["additionalProperties"] is True, name


def test_no_schema_has_a_name_that_generators_reserve():
    """Such as `Option` in Rust, `Record` in Java, Dart and TypeScript, and `NewVote`, Go's constructor of `Vote`."""
    taken = {"Option", "Record", "Result", "Error", "Set", "Map", "List", "Object", "String", "Date", "Data", "Any"}
    taken |= {"Export"}  # A keyword of Dart.
    names = {*SCHEMAS, *document()["components"]["responses"]}
    assert names & taken == set()
    assert {name for name in names if name.removeprefix("New") != name} == set()
    assert len({name.lower() for name in names}) == len(SCHEMAS) + len(document()["components"]["responses"])


def test_names_of_responses_do_not_depend_on_their_codes():
    names = set(document()["components"]["responses"])
    assert names <= {re.sub("[ -]", "", status.phrase) for status in HTTPStatus} | {"ContentTooLarge", "AnyProblem"}


def test_defaults_of_requests_are_documented_and_their_fields_are_optional():
    defaults = {
        f"{name}.{field}": about["x-default"]
        for name in requested()
        for field, about in SCHEMAS[name].get("properties", {}).items()
        if "x-default" in about
    }
    assert defaults["TableSetup.visibility"] == "private"
    assert defaults["ReadyState.ready"] is True
    for where, value in defaults.items():
        name, field = where.split(".")
        assert (
            f"`{value if isinstance(value, str) else json.dumps(value)}`"
            in SCHEMAS[name]["properties"][field]["description"]
        )
        assert field not in SCHEMAS[name].get("required", ())
    assert not any("default" in entry for _, entry in _walk(SCHEMAS) if isinstance(entry, dict) and "type" in entry)


def test_idempotency_key_and_last_event_id_have_no_example_that_tools_would_fill_in():
    for where, operation in DOCUMENTED:
        for parameter in operation.get("parameters", ()):
            if parameter["name"] in ("Idempotency-Key", "Last-Event-ID"):
                assert not {"example", "examples"} & {*parameter, *parameter["schema"]}, where


def _walk(value, path=""):
    yield path, value
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from _walk(entry, f"{path}/{name}")
    elif isinstance(value, list):
        for at, entry in enumerate(value):
            yield from _walk(entry, f"{path}/{at}")


def test_no_schema_uses_what_generators_cannot_handle():
    for path, value in _walk(document()["components"]["schemas"]):
        if isinstance(value, dict) and "examples" not in path:
            assert not isinstance(value.get("type"), list), path
            assert ("oneOf" in value) == ("discriminator" in value), path
            assert "allOf" not in value, path


def test_request_bodies_have_no_alternative_schemas():
    """Except for values that may be null in questions to the rule oracle."""
    schemas = document()["components"]["schemas"]
    visited = set()

    def visit(name):
        if name in visited:
            return
        visited.add(name)
        for path, value in _walk(schemas[name]):
            if isinstance(value, dict):
                if "anyOf" in value:
                    assert name.startswith("Asked") or name.endswith("Question"), f"{name}{path}"
                    assert [each.get("type") for each in value["anyOf"]][1:] == ["null"], f"{name}{path}"
                if "$ref" in value:
                    visit(value["$ref"].rsplit("/", 1)[1])

    for _, operation in DOCUMENTED:
        if "requestBody" in operation:
            visit(operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1])


def test_every_field_has_a_description():
    for name, schema in document()["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items():
            described = "description" in about or "$ref" in about
            assert described, f"{name}.{field}"


def test_every_example_in_a_schema_is_valid():
    for name, schema in document()["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items():
            required = schema.get("required", [])
            for example in about.get("examples", ()):
                faults = list(validator(f"/components/schemas/{name}/properties/{field}").iter_errors(example))
                assert not faults, f"{name}.{field}: {faults[0].message}"
        assert set(required) <= set(schema.get("properties", {})) if schema.get("properties") else True
