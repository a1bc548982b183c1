"""Write files generated from openapi.yaml (`make openapi`).

These are the types, tables of events, problems and version of the client packages, and the schema of records.
"""

import json
import keyword
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).parents[1]
DOCUMENT: Final = ROOT / "openapi.yaml"
#: Schema of records for import, and its file.
RECORD: Final = "AskedGameRecord"
RECORD_SCHEMA: Final = ROOT / "service" / "web" / "schemas" / "record-1.json"
MODULE: Final = ROOT / "clients" / "python" / "shengji_client" / "models.py"
#: Files with the version of the package for JavaScript; the other one takes it from `MODULE`.
NPM: Final = tuple(ROOT / "clients" / "typescript" / name for name in ("package.json", "package-lock.json"))
#: File with an example of each problem, for tests of clients.
PROBLEMS: Final = MODULE.parent / "recorded" / "problems.json"
#: Files of the conformance kit: its version, the problems, and a case for each of them.
KIT: Final = ROOT / "clients" / "conformance" / "shengji_conformance"
#: Problems after which the same request may succeed later, and the one that may be sent again once.
PASSING: Final = frozenset({429, 503})
AGAIN_ONCE: Final = 500
#: Tables of events that need no code to be folded, for both packages.
PYTHON_EVENTS: Final = MODULE.parent / "events.py"
PAGE_EVENTS: Final = ROOT / "service" / "web" / "client" / "app" / "table" / "events.js"
#: Schemas that the package reads, in addition to those they refer to.
ROOTS: Final = ("View", "Outcome", "EventPage", "MyTables")
#: Schemas for variants of later versions. A union with them would hide the others.
OPEN_ENDS: Final = frozenset({"OtherEvent", "OtherDecision"})
#: Schemas written without their details, which depend on `type`.
SHORT: Final = {"Event": "OtherEvent"}
HEAD: Final = '''"""Types of the service's answers. Generated from openapi.yaml by `make openapi`; do not edit it.

Later versions add fields, kinds of decisions, and values where a type is `str`.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NotRequired, TypedDict

#: Version of the service for which the package was made.
MADE_FOR: Final = "{version}"
'''

#: First lines of the tables of events, and what is said of each.
EVENTS_TEXT: Final = "How events change a view. Generated from openapi.yaml by `make openapi`; do not edit it."
ENDS_TEXT: Final = "Events that end the open decision; another one may be opened at once."
SETS_TEXT: Final = (
    "Type of event -> path in the view -> its value afterwards; `=name` is the value of a field of the event. "
    "`seat` is the seat of the event."
)

Schema = dict[str, Any]
PLAIN: Final = {"integer": "int", "number": "float", "boolean": "bool", "string": "str", "null": "None"}


def annotation(schema: Schema, used: list[str]) -> str:
    """Return the type of a value as text; add the names of referenced schemas to `used`."""
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        used.append(name)
        return name
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(annotation(part, used) for part in schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(annotation({**schema, "type": one}, used) for one in kind))
    if kind == "array":
        text = f"list[{annotation(schema.get('items', {}), used)}]"
    elif kind == "object":
        values = schema.get("additionalProperties")
        text = f"dict[str, {annotation(values, used) if isinstance(values, dict) else 'Any'}]"
    elif "enum" in schema:
        text = f"Literal[{json.dumps(schema['enum'])[1:-1]}]"
    else:
        text = PLAIN.get(str(kind), "Any")
    return text


def definition(name: str, schema: Schema, used: list[str]) -> Iterator[str]:
    """Yield the lines that define a schema."""
    if "oneOf" in schema:
        names = [part["$ref"].rpartition("/")[2] for part in schema["oneOf"]]
        names = [each for each in names if each not in OPEN_ENDS]
        used += names
        yield f"{name} = ("
        yield from (f"    {'| ' if at else ''}{each}" for at, each in enumerate(names))
        yield ")"
    elif "properties" in schema:
        required = schema.get("required", ())
        fields = {field: annotation(value, used) for field, value in schema["properties"].items()}
        fields = {field: kind if field in required else f"NotRequired[{kind}]" for field, kind in fields.items()}
        text = schema["description"].partition(". ")[0].removesuffix(".") + "."
        if any(keyword.iskeyword(field) for field in fields):
            # This is not a valid field name in a class.
            yield f"# {text}"
            yield from (f"{name} = TypedDict(", f'    "{name}",', "    {")
            yield from (f'        "{field}": {kind},' for field, kind in fields.items())
            yield from ("    },", ")")
        else:
            yield f"class {name}(TypedDict):"
            yield f'    """{text}"""'
            yield ""
            yield from (f"    {field}: {kind}" for field, kind in fields.items())
    else:
        yield f"{name} = {annotation(schema, used)}"


def models(document: Schema) -> str:
    """Return the module."""
    schemas = document["components"]["schemas"]
    row, done = list(ROOTS), dict[str, list[str]]()
    while row:
        name = row.pop(0)
        if name not in done:
            done[name] = list(definition(name, schemas[SHORT.get(name, name)], row))
    plain = [lines[0] for lines in done.values() if len(lines) == 1]
    classes = [lines for lines in done.values() if lines[0].startswith("class ")]
    head = HEAD.replace("{version}", document["info"]["version"])
    # These are evaluated on import, so that names must be defined before.
    rest = [lines for lines in done.values() if len(lines) > 1 and lines not in classes]
    return "\n\n\n".join("\n".join(lines) for lines in ([head, *plain], *classes, *rest)) + "\n"


def record_schema(document: Schema) -> str:
    """Return the JSON Schema of records for import, served as `/schemas/record-1.json`."""
    text = json.dumps(document["components"]["schemas"])
    schemas: Schema = json.loads(text.replace("#/components/schemas/", "#/$defs/"))
    used, left = dict[str, Any](), [RECORD]
    while left:
        name = left.pop()
        if name not in used:
            used[name] = schemas[name]
            left += re.findall(r"#/\$defs/(\w+)", json.dumps(schemas[name]))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "shengji-record-1",
        "$ref": f"#/$defs/{RECORD}",
    }
    return json.dumps({**head, "$defs": dict(sorted(used.items()))}, indent=1, ensure_ascii=False) + "\n"


def problems(document: Schema) -> str:
    """Return an example of each problem, by its code."""
    examples = document["components"]["examples"]
    known = document["components"]["schemas"]["Problem"]["properties"]["code"]["x-extensible-enum"]
    return json.dumps({code: examples[code]["value"] for code in known}, indent=1, ensure_ascii=False) + "\n"


def kit_version(document: Schema) -> str:
    """Return the module of the conformance kit with its version."""
    return (
        '"""Generated from openapi.yaml by `make openapi`; do not edit it."""\n\nfrom typing import Final\n\n'
        "#: Version of the service for which the kit was made.\n"
        f'MADE_FOR: Final = "{document["info"]["version"]}"\n'
    )


def maps(document: Schema) -> str:
    """Return the names of fields whose objects have free keys, such as cards or seats."""
    found: set[str] = set()

    def look(schema: Any, field: str) -> None:
        if not isinstance(schema, dict):
            return
        if isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
            found.add(field)
        for name, inner in schema.get("properties", {}).items():
            look(inner, name)
        for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), schema.get("items")):
            look(inner, field)

    for name, schema in document["components"]["schemas"].items():
        look(schema, name)
    return json.dumps(sorted(found), indent=1) + "\n"


def problem_cases(document: Schema) -> str:
    """Return the cases of the conformance kit about problems: each is answered to an action."""
    cases = []
    for code, problem in json.loads(problems(document)).items():
        status, times = problem["status"], [1, 1]
        report = {"problem": {"status": status, "code": code, "text": {"contains": problem["detail"]}}}
        shows = f"`{code}` ({status}) is told with its code and its text, and the request is not repeated."
        row: Schema = {"on": "POST /v1/tables/{table}/pass", "times": times}
        fault: Schema = {"on": row["on"], "times": 9, "answer": {"status": status, "problem": code}}
        if status in PASSING:
            shows = f"`{code}` ({status}) passes: the same request is sent again after `Retry-After`."
            report = {}
            row |= {"times": [2, 2], "same": ["body"], "pauses_s": [1]}
            fault |= {"times": 1, "answer": {**fault["answer"], "headers": {"Retry-After": "1"}}}
        elif status == AGAIN_ONCE:
            shows = f"`{code}` ({status}) is told with its code and its text, after one more attempt at most."
            row["times"] = [1, 2]
        world = {"game": "games/shengji", "at": "turn"}
        expect: Schema = {"report": report, "requests": [row]}
        head = {"id": f"problems/{code}", "shows": shows, "goal": "act", "world": world}
        cases.append({**head, "faults": [fault], "expect": expect})
    lines = (",\n  ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in c.items()) for c in cases)
    return "[\n" + ",\n".join(f" {{\n  {line}\n }}" for line in lines) + "\n]\n"


def marked(document: Schema, mark: str) -> dict[str, Any]:
    """Return the types of events with an `x-` field, and its value, in the order of the document."""
    schemas = document["components"]["schemas"]
    events = {
        kind: schemas[reference.rpartition("/")[2]]
        for kind, reference in schemas["Event"]["discriminator"]["mapping"].items()
    }
    return {kind: schema[mark] for kind, schema in events.items() if mark in schema}


def python_events(document: Schema) -> str:
    """Return the tables of events of the package for Python."""
    lines = [f'"""{EVENTS_TEXT}"""', "", "from typing import Any, Final", ""]
    lines += [f"#: {ENDS_TEXT}", "ENDS_DECISION: Final = frozenset(", "    {"]
    lines += [f'        "{kind}",' for kind in marked(document, "x-ends-decision")]
    lines += ["    }", ")", *(f"#: {line}" for line in textwrap.wrap(SETS_TEXT, 117))]
    lines.append("SETS: Final[dict[str, dict[str, Any]]] = {")
    for kind, sets in marked(document, "x-sets").items():
        values = {path: json.dumps(value) if isinstance(value, str) else value for path, value in sets.items()}
        entries = ", ".join(f'"{path}": {value}' for path, value in values.items())
        lines.append(f'    "{kind}": {{{entries}}},')
    return "\n".join([*lines, "}", ""])


def page_events(document: Schema) -> str:
    """Return the tables of events of the web client and of the package for TypeScript."""
    ends = "".join(f'  "{kind}",\n' for kind in marked(document, "x-ends-decision"))
    sets = "".join(f"  {kind}: {{ {_properties(value)} }},\n" for kind, value in marked(document, "x-sets").items())
    return (
        f"{_comment(EVENTS_TEXT)}\n{_comment(ENDS_TEXT, 'Set<string>')}"
        f"export const ENDS_DECISION = new Set([\n{ends}]);\n\n"
        f"{_comment(SETS_TEXT, 'Record<string, Record<string, any>>')}"
        f"export const SETS = {{\n{sets}}};\n"
    )


def _properties(value: Schema) -> str:
    """Return the properties of an object, in quotes only if the formatter of the page leaves them."""
    quoted = any(not name.isidentifier() for name in value)
    return ", ".join(f"{json.dumps(name) if quoted else name}: {json.dumps(each)}" for name, each in value.items())


def _comment(text: str, of_type: str = "") -> str:
    """Return a comment of JSDoc, as the formatter of the page leaves it."""
    lines = textwrap.wrap(text, 116) + ([f"@type {{{of_type}}}"] if of_type else [])
    return "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def with_version(text: str, parsed: Schema) -> str:
    """Return a file of `NPM` with the version of the document."""
    return re.sub(r'("name": "shengji-client",\s+"version": )"[^"]*"', rf'\g<1>"{parsed["info"]["version"]}"', text)


if __name__ == "__main__":
    parsed = yaml.safe_load(DOCUMENT.read_text(encoding="utf-8"))
    MODULE.write_text(models(parsed), encoding="utf-8")
    PYTHON_EVENTS.write_text(python_events(parsed), encoding="utf-8")
    PAGE_EVENTS.write_text(page_events(parsed), encoding="utf-8")
    PROBLEMS.write_text(problems(parsed), encoding="utf-8")
    (KIT / "made.py").write_text(kit_version(parsed), encoding="utf-8")
    (KIT / "data" / "problems.json").write_text(problems(parsed), encoding="utf-8")
    (KIT / "data" / "maps.json").write_text(maps(parsed), encoding="utf-8")
    (KIT / "data" / "cases" / "problems.json").write_text(problem_cases(parsed), encoding="utf-8")
    for path in NPM:
        path.write_text(with_version(path.read_text(encoding="utf-8"), parsed), encoding="utf-8")
    RECORD_SCHEMA.parent.mkdir(exist_ok=True)
    RECORD_SCHEMA.write_text(record_schema(parsed), encoding="utf-8")
