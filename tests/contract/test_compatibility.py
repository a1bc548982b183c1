"""Clients of the last release still work, and the comparison of documents detects breaking changes."""

import copy
import subprocess

import pytest

from harness.document import document
from harness.make_run import ROOT, need
from tools.compatibility import CHANGELOG, breaks, last_release, unnoted


def test_every_breaking_change_since_the_last_release_is_in_the_changelog():
    need("git")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository: the last release is unknown")
    release = last_release()
    unnoted_breaks = unnoted(
        breaks(release.document, document()), CHANGELOG.read_text(encoding="utf-8"), release.version
    )
    assert unnoted_breaks == [], "see tools/compatibility.py"


def test_the_last_release_is_the_last_commit_that_changed_the_version(tmp_path):
    need("git")

    before = tmp_path / "service" / "settings.py"
    now = tmp_path / "service" / "common" / "settings.py"
    now.parent.mkdir(parents=True)

    def commit(version, more, title, settings):
        settings.write_text(f'VERSION: Final = "{version}"\n{more}\n')
        (tmp_path / "openapi.yaml").write_text(f"info: {{title: {title}}}\n")
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Add a commit"]):
            subprocess.run([*git, *command], cwd=tmp_path, check=True)

    def version_and_text():
        release = last_release(tmp_path)
        return release.version, release.document["info"]["title"]

    commit("0.1.0", "PORT = 1", "first", before)
    commit("0.2.0", "PORT = 1", "second", before)
    commit("0.2.0", "PORT = 2", "third", before)
    assert version_and_text() == ("0.2.0", "second")
    before.unlink()
    commit("0.2.0", "PORT = 2", "moved", now)
    assert version_and_text() == ("0.2.0", "second")
    commit("0.3.0", "PORT = 2", "fourth", now)
    assert version_and_text() == ("0.3.0", "fourth")


def schema(name, *fields):
    """The path of a field of a schema in the document."""
    path = ["components", "schemas", name]
    for field in fields:
        path += ["properties", field]
    return path


@pytest.fixture(scope="module")
def small():
    """A small document with all that the comparison looks at."""
    return {
        "paths": {
            "/tables": {
                "post": {
                    "operationId": "createTable",
                    "security": [],
                    "parameters": [
                        {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 9}},
                        {"name": "If-Match", "in": "header", "required": True, "schema": {"type": "string"}},
                    ],
                    "requestBody": {
                        "required": False,
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewTable"}}},
                    },
                    "responses": {
                        "200": {"$ref": "#/components/responses/Seen"},
                        "304": {"description": "Unchanged."},
                        "404": {"description": "Gone."},
                    },
                },
                "get": {"operationId": "listTables", "responses": {"204": {"description": "None."}}},
            }
        },
        "webhooks": {
            "turn": {
                "post": {
                    "parameters": [{"name": "webhook-id", "in": "header"}],
                    "requestBody": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TurnNotice"}}}
                    },
                }
            }
        },
        "components": {
            "responses": {
                "Seen": {
                    "headers": {"ETag": {}},
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/View"}}},
                }
            },
            "schemas": {
                "NewTable": {
                    "type": "object",
                    "required": ["ruleset"],
                    "additionalProperties": False,
                    "properties": {
                        "ruleset": {"type": "string", "enum": ["shengji", "tractor"]},
                        "name": {"type": "string", "maxLength": 40},
                        "seed": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                        "clock": {"$ref": "#/components/schemas/Clock"},
                        "chat": {"type": "boolean", "default": True},
                    },
                },
                "Clock": {"type": "object", "properties": {"play_ms": {"type": "number", "minimum": 100}}},
                "View": {
                    "type": "object",
                    "required": ["id", "side", "hand"],
                    "properties": {
                        "id": {"type": "string", "pattern": "^tb_"},
                        "side": {"type": "string", "enum": ["declarers", "attackers"]},
                        "phase": {"type": "string", "x-extensible-enum": ["kitty", "playing"]},
                        "hand": {"type": "array", "items": {"type": "string"}},
                        "trick": {"anyOf": [{"$ref": "#/components/schemas/Trick"}, {"type": "null"}]},
                        "event": {"$ref": "#/components/schemas/Event"},
                    },
                },
                "Trick": {
                    "type": "object",
                    "required": ["winner"],
                    "properties": {
                        "winner": {"type": "integer"},
                        "before": {"$ref": "#/components/schemas/Trick"},
                        "points": {"type": "object", "additionalProperties": {"type": "integer"}},
                    },
                },
                "Event": {
                    "oneOf": [{"$ref": "#/components/schemas/ChatEvent"}],
                    "discriminator": {"propertyName": "type", "mapping": {"chat": "#/components/schemas/ChatEvent"}},
                },
                "ChatEvent": {
                    "type": "object",
                    "required": ["type"],
                    "properties": {
                        "type": {"type": "string", "enum": ["chat"]},
                        "seq": {"type": "integer"},
                        "data": {"$ref": "#/components/schemas/ChatData"},
                    },
                },
                "TurnNotice": {"type": "object", "required": ["table"], "properties": {"table": {"type": "string"}}},
                "ChatData": {"type": "object", "properties": {"text": {"type": "string"}}},
            },
        },
    }


POST = ["paths", "/tables", "post"]
LIMIT = [*POST, "parameters", 0, "schema"]
GONE = object()
BREAKING = [
    ([*POST], GONE, ("POST /tables", "is gone")),
    (["paths", "/tables"], GONE, ("GET /tables", "is gone")),
    ([*POST, "operationId"], "makeTable", ("POST /tables", "has another operationId: makeTable")),
    ([*POST, "deprecated"], True, ("POST /tables", "is deprecated")),
    ([*POST, "security"], GONE, ("POST /tables", "needs a token")),
    ([*POST, "parameters", 0], GONE, ("POST /tables?limit", "is gone")),
    ([*POST, "parameters", 0, "required"], True, ("POST /tables?limit", "is required")),
    ([*LIMIT, "maximum"], 8, ("POST /tables?limit", "has maximum 8")),
    ([*LIMIT, "minimum"], 2, ("POST /tables?limit", "has minimum 2")),
    ([*LIMIT, "type"], "string", ("POST /tables?limit", "is string, was integer")),
    ([*POST, "requestBody", "required"], True, ("POST /tables", "needs a body")),
    ([*POST, "requestBody"], GONE, ("POST /tables", "takes no body")),
    ([*POST, "responses", "304"], GONE, ("POST /tables", "never answers with 304")),
    ([*POST, "responses", "202"], {}, ("POST /tables", "answers with 202")),
    (
        ["components", "responses", "Seen", "headers", "ETag"],
        GONE,
        ("POST /tables", "answers 200 without the header ETag"),
    ),
    (["components", "responses", "Seen", "content"], {}, ("POST /tables", "has no application/json")),
    ([*schema("NewTable"), "required", 1], "name", ("NewTable.name", "is required")),
    ([*schema("NewTable", "name")], GONE, ("NewTable.name", "is gone")),
    ([*schema("NewTable", "name"), "maxLength"], 39, ("NewTable.name", "has maxLength 39")),
    ([*schema("NewTable", "name"), "minLength"], 1, ("NewTable.name", "has minLength 1")),
    ([*schema("NewTable", "name"), "pattern"], "^x", ("NewTable.name", "has another pattern")),
    ([*schema("NewTable", "name"), "enum"], ["x"], ("NewTable.name", "takes certain values only")),
    ([*schema("NewTable", "ruleset"), "enum", 0], GONE, ("NewTable.ruleset", "has no shengji")),
    ([*schema("NewTable", "seed")], {"type": "string"}, ("NewTable.seed", "may not be null")),
    ([*schema("NewTable", "chat"), "default"], False, ("NewTable.chat", "has the default False")),
    (
        [*schema("NewTable", "chat")],
        {"type": "boolean", "x-default": False},
        ("NewTable.chat", "has the default False"),
    ),
    ([*schema("Clock"), "additionalProperties"], False, ("Clock", "takes no other fields")),
    ([*schema("Clock", "play_ms"), "type"], "integer", ("Clock.play_ms", "is integer, was number")),
    ([*schema("View", "id")], GONE, ("View.id", "is gone")),
    ([*schema("View", "id"), "pattern"], GONE, ("View.id", "has another pattern")),
    ([*schema("View", "id")], {"anyOf": [{"type": "string"}, {"type": "null"}]}, ("View.id", "may be null")),
    ([*schema("View"), "required", 0], GONE, ("View.id", "may be left out")),
    ([*schema("View", "side"), "enum", 0], GONE, ("View.side", "has no declarers")),
    ([*schema("View", "side"), "enum", 2], "unknown", ("View.side", "has more values")),
    ([*schema("View", "side"), "enum"], GONE, ("View.side", "has more values")),
    ([*schema("View", "phase"), "x-extensible-enum", 0], GONE, ("View.phase", "has no kitty")),
    ([*schema("View", "phase"), "x-extensible-enum"], GONE, ("View.phase", "tells no values")),
    ([*schema("View", "hand"), "items", "type"], "integer", ("View.hand", "is integer, was string")),
    ([*schema("Trick", "winner"), "type"], "number", ("Trick.winner", "is number, was integer")),
    (
        [*schema("Trick", "points"), "additionalProperties", "type"],
        "string",
        ("Trick.points", "is string, was integer"),
    ),
    ([*schema("ChatData", "text")], GONE, ("ChatData.text", "is gone")),
    ([*schema("ChatEvent", "seq")], GONE, ("ChatEvent.seq", "is gone")),
    ([*schema("Event"), "discriminator", "mapping", "chat"], GONE, ("Event.type", "has no chat")),
    ([*schema("Event"), "discriminator"], GONE, ("Event", "has another choice of schemas")),
    (["webhooks", "turn"], GONE, ("webhook turn", "is gone")),
    (["webhooks", "turn", "post", "parameters"], [], ("webhook turn?webhook-id", "is gone")),
    ([*schema("TurnNotice", "table")], GONE, ("TurnNotice.table", "is gone")),
    ([*schema("TurnNotice"), "required"], [], ("TurnNotice.table", "may be left out")),
]
HARMLESS = [
    (["paths", "/players"], {"get": {}}),
    ([*POST, "parameters", 2], {"name": "page", "in": "query", "schema": {}}),
    ([*LIMIT, "maximum"], 10),
    ([*LIMIT, "minimum"], GONE),
    ([*LIMIT, "type"], "number"),
    ([*POST, "parameters", 1, "required"], False),
    ([*POST, "responses", "404"], GONE),
    ([*POST, "responses", "409"], {}),
    ([*schema("NewTable"), "required"], []),
    ([*schema("NewTable", "colour")], {"type": "string"}),
    ([*schema("NewTable", "ruleset"), "enum", 2], "arms_length"),
    ([*schema("NewTable", "name"), "maxLength"], 41),
    ([*schema("NewTable", "name")], {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ([*schema("View", "colour")], {"type": "string"}),
    ([*schema("View"), "required", 3], "phase"),
    ([*schema("View", "phase"), "x-extensible-enum", 2], "chatting"),
    ([*schema("View", "trick")], {"$ref": "#/components/schemas/Trick"}),
    ([*schema("View", "id"), "description"], "Its id."),
    ([*schema("NewTable", "chat")], {"type": "boolean", "x-default": True}),
    ([*schema("Event"), "discriminator", "mapping", "played"], "#/components/schemas/View"),
    (["webhooks", "invited"], {"post": {}}),
    ([*schema("TurnNotice", "colour")], {"type": "string"}),
]


def changed(document, path, value):
    duplicate = copy.deepcopy(document)
    at = duplicate
    for part in path[:-1]:
        at = at[part]
    if value is GONE:
        del at[path[-1]]
    elif isinstance(at, list) and path[-1] == len(at):
        at.append(value)
    else:
        at[path[-1]] = value
    return duplicate


@pytest.mark.parametrize(("path", "value", "expected"), BREAKING, ids=lambda value: "")
def test_breaking_changes_are_detected(small, path, value, expected):
    assert expected in breaks(small, changed(small, path, value))


@pytest.mark.parametrize(("path", "value"), HARMLESS, ids=lambda value: "")
def test_additions_are_not_breaking(small, path, value):
    assert breaks(small, changed(small, path, value)) == []


def test_variants_are_compared_with_an_earlier_common_schema(small):
    """As between 0.2.0 and its successor: before, there was a schema of data for each type, but one for all events."""
    old = copy.deepcopy(small)
    data = {"type": "object", "x-data-by-type": {"$ref": "#/components/schemas/DataByType"}}
    kinds = {"type": "string", "x-extensible-enum": ["chat"]}
    old["components"]["schemas"]["Event"] = {
        "type": "object",
        "required": ["type"],
        "properties": {"type": kinds, "seq": {"type": "integer"}, "data": data},
    }
    by_type = {"type": "object", "properties": {"chat": {"$ref": "#/components/schemas/ChatData"}}}
    old["components"]["schemas"]["DataByType"] = by_type
    assert breaks(old, small) == []
    assert ("ChatData.text", "is gone") in breaks(old, changed(small, schema("ChatData", "text"), GONE))
    assert ("Event.seq", "is gone") in breaks(old, changed(small, schema("ChatEvent", "seq"), GONE))
    kinds["x-extensible-enum"].append("played")
    assert breaks(old, small) == [("Event.type", "has no played")]


def test_identical_documents_have_no_breaking_changes(small):
    assert breaks(small, copy.deepcopy(small)) == []
    assert breaks(document(), copy.deepcopy(document())) == []


def test_schemas_of_responses_in_the_real_document_are_compared():
    """In schemas of responses and events, the removal of a field is detected."""
    whole = document()
    for name in (
        "View",
        "Round",
        "Outcome",
        "PlayedEvent",
        "PlayDecision",
        "Problem",
        "PlayedData",
        "RoundResult",
        "Lobby",
    ):
        field = next(iter(whole["components"]["schemas"][name]["properties"]))
        without = changed(whole, schema(name, field), GONE)
        assert (f"{name}.{field}", "is gone") in breaks(whole, without)


NOTES = """\
# Changelog

## Unreleased

### Changed
- {}

### Added
- `View.id`

## 1.1 - 2026-01-02

### Removed
- `View.phase`

## 1.0 - 2026-01-01

### Removed
- `View.side`
"""


def test_a_break_counts_as_noted_if_the_changelog_names_it_above_the_last_release():
    names = ("View.id", "View.side", "View.phase", "POST /tables")
    breaks = [(name, "is gone") for name in names]
    assert unnoted(breaks, NOTES.format("`POST /tables` is `PUT /tables` now"), "1.0") == breaks[:2]
    assert unnoted(breaks, NOTES.format("`POST /tables` is `PUT /tables` now"), "1.1") == breaks[:3]
    assert unnoted(breaks, NOTES.format("all of `View.id`, `View.side` and `POST /tables`"), "1.0") == []
    assert unnoted(breaks, "", "1.0") == breaks
