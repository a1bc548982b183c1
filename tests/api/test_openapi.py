"""The OpenAPI document: up to date, valid, complete, and usable by generators."""

import re
import subprocess
import sys

import pytest
from openapi_spec_validator import validate

from service.api.http.problems import STATUS
from service.api.operations import Operation
from service.app import RESOURCES
from service.game.events.evolve import EVENT_TYPES
from tests.api.contract import DOCUMENT, assert_is, document, resolved

OPERATIONS: list[Operation] = [operation for resource in RESOURCES for operation in resource.operations]
DOCUMENTED = [
    (f"{method.upper()} {path}", operation)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
]


def test_the_committed_document_is_the_generated_one(pytestconfig):
    made = subprocess.run(
        [sys.executable, "-m", "service.api.openapi"],
        capture_output=True,
        check=True,
        cwd=pytestconfig.rootpath,
    )
    assert made.stdout.decode() == DOCUMENT.read_text(encoding="utf-8"), "run `make openapi`"


def test_the_document_is_valid():
    validate(document())


def test_every_route_is_documented_and_every_documented_path_is_a_route(world):
    routes = set()
    for rule in world.app.url_map.iter_rules():
        if rule.endpoint.startswith(("pages.", "client.")):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        routes |= {f"{method} {path}" for method in rule.methods - {"HEAD", "OPTIONS"}}
    assert routes == {where for where, _ in DOCUMENTED}


def test_every_operation_has_an_id_of_its_own():
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


def test_every_type_of_event_has_a_schema():
    assert set(document()["components"]["schemas"]["DataByType"]["properties"]) == EVENT_TYPES


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
            assert "oneOf" not in value, path
            assert "allOf" not in value, path


def test_request_bodies_have_no_alternative_schemas():
    """No choice between schemas in a request body, but for what may be null in a question to the rule oracle."""
    schemas = document()["components"]["schemas"]
    seen = set()

    def visit(name):
        if name in seen:
            return
        seen.add(name)
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


def test_every_field_says_what_it_is():
    for name, schema in document()["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items():
            described = "description" in about or "$ref" in about
            assert described, f"{name}.{field}"


def test_every_example_in_a_schema_fits_it():
    for name, schema in document()["components"]["schemas"].items():
        for field, about in schema.get("properties", {}).items():
            required = schema.get("required", [])
            for example in about.get("examples", ()):
                from tests.api.contract import _validator

                faults = list(_validator(f"/components/schemas/{name}/properties/{field}").iter_errors(example))
                assert not faults, f"{name}.{field}: {faults[0].message}"
        assert set(required) <= set(schema.get("properties", {})) if schema.get("properties") else True
