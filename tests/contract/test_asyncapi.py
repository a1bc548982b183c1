"""asyncapi.yaml follows from openapi.yaml, is valid AsyncAPI, and names what streams send."""

import json
from copy import deepcopy

import pytest
from jsonschema import Draft7Validator

from harness.document import document
from scripts.asyncapi import FILE, STREAMS, WEBHOOKS, asyncapi, text
from tests.api.streams.test_account_stream import MyStream
from tests.api.streams.test_events import Stream

SPEC = "@asyncapi/specs/schemas/3.0.0-without-$id.json"


@pytest.fixture(scope="module")
def described():
    return asyncapi(document())


@pytest.fixture(scope="module")
def validator(tools):
    """The schema that the makers of AsyncAPI publish; it comes with a linter."""
    return Draft7Validator(json.loads((tools.folder / "node_modules" / SPEC).read_text("utf-8")))


def test_the_committed_file_is_up_to_date():
    assert FILE.read_text("utf-8") == text(document()), "run `make openapi`"


def test_it_is_valid_asyncapi(described, validator):
    assert [error.message for error in validator.iter_errors(described)] == []


def test_a_defect_is_noticed(described, validator):
    broken = deepcopy(described)
    broken["operations"]["send_table"]["action"] = "sends"
    assert list(validator.iter_errors(broken))


def test_every_payload_is_a_schema_of_openapi_and_every_webhook_is_there(described):
    schemas = document()["components"]["schemas"]
    for name, message in described["components"]["messages"].items():
        file, _, place = message["payload"]["schema"]["$ref"].partition("#/components/schemas/")
        assert file == "openapi.yaml", name
        assert place in schemas, name
    assert len(described["channels"][WEBHOOKS]["messages"]) == len(document()["webhooks"])
    streams = {path for path, item in document()["paths"].items() if "text/event-stream" in str(item.get("get", ""))}
    assert streams == set(STREAMS)


def test_streams_send_the_messages_that_are_named(described, lin):
    table = lin.post("/v1/tables", json={"ruleset": "shengji", "players": 4}).get_json()["id"]
    with Stream(lin, f"/v1/tables/{table}/events?after=0") as stream:
        _, _, event = stream.next()
    assert event["type"] in described["channels"]["table"]["messages"]
    with Stream(lin, f"/v1/tables/{table}/events") as stream:
        assert stream.next()[0] in described["channels"]["table"]["messages"]
    with MyStream(lin) as stream:
        assert stream.next()[0] in described["channels"]["account"]["messages"]
