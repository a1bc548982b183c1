"""The tables of fields in `docs/record-format.md`, from the schema of records and the tags of the text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from service.game.records.text import OF_RECORD, OF_ROUND

SCHEMA: Final = Path(__file__).parents[1] / "service" / "web" / "schemas" / "record-1.json"
#: Fields that lines of the text have without a tag.
LINES: Final = {
    "deals": "`hand`, `kitty`",
    "actions": "actions, tricks",
    "closings": "`closed`",
    "rounds": "`Round`",
}
#: Definitions that the page leaves to the document.
ELSEWHERE: Final = {"RecordedClock": "as `clock` of a table", "AskedLength": "as `length` of a table", "Card": "card"}
_TAGS: Final = {"AskedGameRecord": OF_RECORD, "AskedPlayedRound": OF_ROUND}

Schema = dict[str, Any]


def of_record() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the fields of a record: field, in the text, value, meaning; the required ones are bold."""
    return _rows("AskedGameRecord")


def of_round() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the fields of a round, in the same way."""
    return _rows("AskedPlayedRound")


def of_parts() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the fields of all parts of records and rounds: field, value, meaning."""
    seen: set[str] = set()
    for owner in ("AskedGameRecord", "AskedPlayedRound", "AskedPlayedAction", "AskedSeat"):
        for name, schema in _definitions()[owner]["properties"].items():
            part = _part(schema)
            if part and part not in seen | {"AskedPlayedRound"}:
                seen.add(part)
                for field, _, value, meaning in _rows(part):
                    strong = "**" if field.startswith("**") else ""
                    yield f"{strong}`{name}.{field.strip('*`')}`{strong}", value, meaning


def _definitions() -> Schema:
    found: Schema = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    return found


def _rows(name: str) -> Iterator[tuple[str, ...]]:
    definition = _definitions()[name]
    tags = {field: f"`{tag}`" for tag, field in _TAGS.get(name, {}).items()}
    for field, schema in definition["properties"].items():
        strong = "**" if field in definition["required"] else ""
        value = _value(schema)
        text = tags.get(field) or LINES.get(field, "–")
        yield f"{strong}`{field}`{strong}", text, value, schema.get("description", "")


def _part(schema: Schema) -> str | None:
    """Return the definition of an object, or of the objects in a list, that has rows of its own."""
    for each in (schema, schema.get("items", {}), *schema.get("anyOf", ())):
        name = (each.get("$ref") or each.get("items", {}).get("$ref") or "").rpartition("/")[2]
        if name and name not in ELSEWHERE:
            return str(name)
    return None


def _value(schema: Schema) -> str:
    """Return what a value may be, in a few words."""
    if "anyOf" in schema:
        return " or ".join(_value(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    return _name(schema)


def _name(schema: Schema) -> str:
    if "$ref" in schema:
        return ELSEWHERE.get(schema["$ref"].rpartition("/")[2], "object")
    kind = schema["type"]
    if kind == "array":
        inner = _value(schema["items"])
        return f"list of {'lists of cards' if inner == 'list of cards' else _several(inner)}"
    if kind == "integer" and "minimum" in schema:
        return f"{schema['minimum']:,} to {schema['maximum']:,}"
    if schema.get("format") == "date-time":
        return "time"
    return {"string": "text", "boolean": "`true`, `false`"}.get(kind, kind)


def _several(value: str) -> str:
    return f"{value}s" if value in ("object", "card", "text", "time") else value
