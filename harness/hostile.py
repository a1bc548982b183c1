"""Hostile requests: for each operation of `openapi.yaml`, the bodies that cost the most to refuse."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

Json = Any

#: What path parameters are: things that do not exist, except the ruleset.
_IDS: Final = {"ruleset": "shengji", "code": "ABCDEF", "n": "1", "seat": "1", "seq": "1"}
#: Entries that arrays and objects are filled with, as JSON.
_ENTRIES: Final = ("0", "{}", "[]", '""', '"AS"', "null", "1e308")
#: Characters of long strings: plain, spaces, marks, invisible ones, and what regular expressions backtrack on.
_CHARACTERS: Final = ("a", " ", "e\u0301\u0301", "\u200d", "0", "\U0001f3b4", "ab-", "{", '\\"', "\\u0041")
_DEPTH: Final = 900


class Hostile(NamedTuple):
    """A request; `name` says what is wrong with it."""

    operation: str
    method: str
    path: str
    name: str
    body: bytes
    headers: Mapping[str, str] = {}
    query: str = ""


def hostile_requests(document: Json, size: int, operations: frozenset[str] = frozenset()) -> Iterator[Hostile]:
    """Yield the hostile requests of all operations, or of those with the given ids, with bodies up to `size` bytes."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or (operations and operation["operationId"] not in operations):
                continue
            filled = re.sub(r"\{(\w+)\}", lambda match: _IDS.get(match[1], "xx_nothing"), path)
            place = (operation["operationId"], method.upper(), filled)
            for name, query, headers in _heads():
                yield Hostile(*place, name, b"", headers, query)
            if method == "get":
                continue
            bodies = dict(_of_any_schema(size))
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is not None:
                bodies |= _of_schema(document, content["schema"], size)
            for name, body in bodies.items():
                yield Hostile(*place, name, body.encode("utf-8", "surrogatepass"))


def _heads() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield queries and headers as long as the server takes them."""
    yield "query of many names", "&".join(f"x{number}" for number in range(700)), {}
    yield "query that repeats names", "&".join("limit=1" for _ in range(480)), {}
    yield "query with a long number", f"limit={'9' * 3_900}", {}
    yield "query with a long text", f"cursor={'a' * 3_900}", {}
    yield "query of escapes", f"cursor={'%41' * 1_300}", {}
    values = {
        "Accept-Language": ",".join(f"x{number};q=0.5" for number in range(700)),
        "Accept-Encoding": ",".join(f"x{number};q=0.5" for number in range(700)),
        "Accept": ",".join(f"a/b{number};q=0.5" for number in range(600)),
        "If-None-Match": ",".join('"x"' for _ in range(1_900)),
        "If-Match": ",".join('"x"' for _ in range(1_900)),
        "Prefer": ";".join("a=b" for _ in range(1_900)),
        "Idempotency-Key": "a" * 8_000,
        "Last-Event-ID": "9" * 8_000,
        "X-Request-Id": "a" * 8_000,
    }
    for name, value in values.items():
        yield f"header {name}", "", {name: value}
        yield f"header {name} of commas", "", {name: "," * 8_000}
        yield f"header {name} of spaces", "", {name: '"' + " " * 7_990 + "x"}


def _repeated(entry: str, size: int, opening: str = "[", closing: str = "]") -> str:
    count = max(1, (size - len(opening) - len(closing) - 40) // (len(entry.encode()) + 1))
    return opening + ",".join([entry] * count) + closing


def _names(size: int, value: str = "0") -> str:
    """An object with as many different names as fit."""
    names: list[str] = []
    used = 42
    while used < size:
        names.append(f'"{len(names):x}":{value}')
        used += len(names[-1]) + 1
    return "{" + ",".join(names[:-1] or names) + "}"


def _of_any_schema(size: int) -> Iterator[tuple[str, str]]:
    unknown = _names(size - 40)
    yield "unknown names", unknown
    # The name that is repeated is the last one.
    yield "a repeated name", unknown[:-1] + ',"zz":1,"zz":2}'
    yield "repeated names", _repeated('"a":0', size, "{", "}")
    yield "a long name", json.dumps({"x" * (size - 20): 1})
    yield "deep arrays", "[" * (size // 2) + "]" * (size // 2)
    yield "deep objects", '{"a":' * (size // 6) + "1" + "}" * (size // 6)
    wide = _repeated("{}", size - 2 * _DEPTH - 20)
    yield "deep and wide", '{"x":' + "[" * _DEPTH + wide + "]" * _DEPTH + "}"
    yield "objects in objects", _names(size - 40, "{}")
    yield "many empty objects", '{"x":' + _repeated("{}", size - 10) + "}"
    yield "long numbers", '{"x":' + _repeated("9" * 4_000, size - 10) + "}"
    yield "a number without end", '{"x":' + "9" * (size - 10) + "}"
    yield "a fraction without end", '{"x":0.' + "9" * (size - 12) + "}"
    yield "large exponents", '{"x":' + _repeated("1e308", size - 10) + "}"
    yield "constants", '{"x":' + _repeated('"NaN"', size - 20) + ',"y":NaN}'
    yield "escapes", '{"x":"' + "\\u0041" * ((size - 10) // 6) + '"}'
    yield "lone surrogates", '{"x":"' + "\\ud800" * ((size - 10) // 6) + '"}'
    yield "no end", '{"x":[' * (size // 6)
    yield "a string without end", '{"x":"' + '\\"' * (size // 2 - 10)
    yield "lines", "\n" * (size - 10) + "x"


def _of_schema(document: Json, schema: Json, size: int) -> dict[str, str]:
    """Return bodies whose arrays, objects and strings are too long, each at the place that the schema has for it."""
    bodies: dict[str, str] = {}
    for path, part in _parts(document, schema):
        inner = size - sum(len(step) + 6 for step in path) - 40
        for name, value in _worst(document, part, inner):
            bodies[f"/{'/'.join(path)} {name}"] = _at(path, value)
        if "properties" in part and path:
            bodies[f"/{'/'.join(path)} unknown names"] = _at(path, _names(inner))
    return bodies


def _worst(document: Json, part: Json, size: int) -> Iterator[tuple[str, str]]:
    """Yield (name, JSON) of values of a part of a schema that are as long as `size` bytes allow."""
    kinds = part.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "array" in kinds:
        yield from _arrays(document, part, size)
    elif "string" in kinds:
        yield from _strings(part, size)
    elif "object" in kinds and not part.get("properties"):
        yield from ((f"names with {entry}", _names(size, entry)) for entry in _ENTRIES)
        example = _valid(document, part.get("additionalProperties", {}))
        yield "names with valid values", _names(size, json.dumps(example, ensure_ascii=False))


def _arrays(document: Json, part: Json, size: int) -> Iterator[tuple[str, str]]:
    valid = json.dumps(_valid(document, part.get("items", {})), ensure_ascii=False)
    yield from ((f"of {entry}", _repeated(entry, size)) for entry in _ENTRIES)
    yield "of valid entries", _repeated(valid, size)
    if most := part.get("maxItems"):
        for entry in (*_ENTRIES, valid):
            count = min(most, size // (len(entry.encode()) + 1))
            yield f"of {count} times {entry[:20]}", "[" + ",".join([entry] * count) + "]"


def _strings(part: Json, size: int) -> Iterator[tuple[str, str]]:
    for character in _CHARACTERS:
        count = size // len(character.encode())
        yield f"of {character!r}", f'"{character * count}"'
        if most := part.get("maxLength"):
            yield f"of few {character!r}", f'"{character * min(count, most)}"'


def _at(path: tuple[str, ...], value: str) -> str:
    for step in reversed(path):
        value = f"[{value}]" if step == "*" else f'{{"{"0" if step == "**" else step}":{value}}}'
    return value


def _resolved(document: Json, schema: Json) -> Json:
    if not isinstance(schema, dict):
        return {}
    while "$ref" in schema or "allOf" in schema or "anyOf" in schema:
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        else:
            choices = schema.get("allOf") or schema["anyOf"]
            schema = next((choice for choice in choices if choice.get("type") != "null"), choices[0])
    return schema


def _parts(document: Json, schema: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield the parts of a schema with their places; `*` is an entry of an array, `**` of an object."""
    schema = _resolved(document, schema)
    yield path, schema
    for name, part in schema.get("properties", {}).items():
        yield from _parts(document, part, (*path, name))
    if "items" in schema:
        yield from _parts(document, schema["items"], (*path, "*"))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _parts(document, schema["additionalProperties"], (*path, "**"))


def _valid(document: Json, schema: Json) -> Json:
    """Return a value that a schema accepts, or nearly so."""
    schema = _resolved(document, schema)
    if schema.get("examples"):
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    kinds = schema.get("type")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind == "array":
        return [_valid(document, schema["items"])] * max(1, schema.get("minItems", 1))
    if kind == "object":
        required = schema.get("required", ())
        return {name: _valid(document, part) for name, part in schema.get("properties", {}).items() if name in required}
    plain = {"integer": schema.get("minimum", 1), "boolean": True, "string": "x" * max(1, schema.get("minLength", 1))}
    return plain.get(str(kind))
