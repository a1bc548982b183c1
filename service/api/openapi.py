"""`openapi.yaml`, made from the declared operations and their schemas: `python -m service.api.openapi`."""

import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from service.api.examples import problem_examples
from service.api.http.idempotency import PATTERN as KEY_PATTERN
from service.api.http.operations import PATH_PARTS, Operation, Resource
from service.api.http.problems import MEDIA_TYPE, STATUS
from service.api.schemas.common import Problem
from service.api.schemas.events import DataByType
from service.api.schemas.fields import CardName
from service.settings import VERSION
from service.texts.problems import PROBLEMS

_CARD: Final = {
    "type": "string",
    "description": "A card: rank `2`–`9`, `T`, `J`, `Q`, `K`, `A` and suit `S`, `H`, `D`, `C`; `LJ` little joker, "
    "`BJ` big joker.",
    "pattern": "^([2-9TJQKA][SHDC]|LJ|BJ)$",
    "examples": ["TS"],
}

_ABOUT: Final = """\
Games of the Sheng Ji family, played by people, AI seats and outside programs.

**In short**: `POST /v1/players` gives you a token. Make a table (`POST /v1/tables`), sit down, put AIs on the other
seats, be `ready`. Then follow the table (`GET …/events`) and answer its **decisions**: whenever the table waits for
you, its view has a `decision` with your seat in it, and with `hints` that include a legal answer.

**Conventions**: JSON in snake_case, UTF-8. Times are RFC 3339 in UTC with milliseconds, durations end in `_ms`. Cards
are two characters (`TS`, `LJ`), seats numbers in order of play. Every error is `application/problem+json` with a stable
`code`; `title` and `detail` follow `Accept-Language` (`en`, `zh-Hans`). Every request may be sent twice: the second
time changes nothing.
"""

#: Request headers that operations name, as parameters.
_HEADERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "Idempotency-Key": {
        "description": "A word of your own, a UUID say: the same request with the same key within 24 hours is done "
        "once, and answered alike.",
        "schema": {"type": "string", "pattern": KEY_PATTERN.replace("\\x21", "!").replace("\\x7e", "~")},
        "example": "5f0c7a52-6f0e-4f3c-9a55-3b9d1f6c2a10",
    },
    "If-Match": {
        "required": True,
        "description": "ETag of the table as it was last read.",
        "schema": {"type": "string", "pattern": '^(W/)?"[0-9]{1,15}[.][0-9a-z]+"$'},
        "example": '"481.2"',
    },
    "If-None-Match": {
        "description": "ETag of the table as it was last read: 304 if that is still so.",
        "schema": {"type": "string"},
        "example": '"481.2"',
    },
    "Last-Event-ID": {
        "description": "Go on after the event with this seq, whatever `after` says. Browsers send it by themselves.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,15}$"},
        "example": "481",
    },
}
#: Headers of answers.
_ANSWER_HEADERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "ETag": {"description": "Who sees the table, and its version.", "schema": {"type": "string"}},
    "Location": {"description": "Where the new thing is.", "schema": {"type": "string", "format": "uri-reference"}},
    "RateLimit": {
        "description": "What is left of the budget: `r` requests for `t` seconds.",
        "schema": {"type": "string"},
        "example": '"act";r=5999;t=60',
    },
    "RateLimit-Policy": {
        "description": "The budget: `q` requests in `w` seconds.",
        "schema": {"type": "string"},
        "example": '"act";q=6000;w=60',
    },
    "Retry-After": {"description": "Try again after so many seconds.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "What is needed: a bearer token.", "schema": {"type": "string"}},
    "X-Request-Id": {"description": "The request's own id, or the one it was given.", "schema": {"type": "string"}},
}
_EXAMPLES: Final = problem_examples()
_EVERYWHERE: Final = ("X-Request-Id",)
_OF_STATUS: Final[Mapping[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit-Policy"),
    503: ("Retry-After",),
}


def document(resources: Iterable[Resource]) -> dict[str, Any]:
    """Return the whole document as JSON values, in a fixed order."""
    resources = tuple(resources)
    plugin = MarshmallowPlugin(schema_name_resolver=_name_of)
    spec = APISpec(title="Sheng Ji service", version=VERSION, openapi_version="3.1.0", plugins=[plugin])
    converter: Any = plugin.converter
    named: dict[str, Any] = {"Card": dict(_CARD)}
    converter.add_attribute_function(lambda _, field, ret: _by_name(named, field, ret))
    converter.add_attribute_function(_property_names)
    spec.components.schema("Problem", schema=Problem)
    converter.resolve_nested_schema(DataByType)
    writer = _Writer(converter)
    paths: dict[str, dict[str, Any]] = {}
    for resource in resources:
        for operation in resource.operations:
            paths.setdefault(operation.template, {})[operation.method.lower()] = writer.operation(operation)
    made: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Sheng Ji service",
            "version": VERSION,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The service that this document comes from."}],
        "security": [{"token": []}],
        "tags": [{"name": resource.tag, "description": resource.about} for resource in resources],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "The token that POST /v1/players gave."}
            },
            "headers": {name: dict(header) for name, header in _ANSWER_HEADERS.items()},
            "examples": {code: writer.examples[code] for code in STATUS if code in writer.examples},
            "responses": dict(sorted(writer.responses.items())),
            "schemas": dict(sorted({**named, **spec.to_dict()["components"]["schemas"]}.items())),
        },
    }
    made["components"]["schemas"]["Event"]["properties"]["data"]["x-data-by-type"] = _reference("DataByType")
    _open_answers(made)
    written: dict[str, Any] = _without_type_lists(made)
    return written


def _open_answers(made: dict[str, Any]) -> None:
    """Let answers have more fields than are documented: later versions may add some. What is sent may not."""
    schemas = made["components"]["schemas"]
    sent: set[str] = set()
    left = [
        operation["requestBody"]
        for item in made["paths"].values()
        for operation in item.values()
        if "requestBody" in operation
    ]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            name = value.get("$ref", "").rpartition("/")[2]
            if name and name not in sent:
                sent.add(name)
                left.append(schemas[name])
        if isinstance(value, dict | list):
            left.extend(value.values() if isinstance(value, dict) else value)
    for name, schema in schemas.items():
        if name not in sent:
            schema.pop("additionalProperties", None)


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _name_of(schema: Any) -> Any:
    """Return the name of a schema in the document; one that leaves fields out is written where it stands."""
    if isinstance(schema, Schema) and (schema.exclude or schema.only):
        return None
    return (schema if isinstance(schema, type) else type(schema)).__name__.lstrip("_")


def _by_name(named: dict[str, Any], field: Any, ret: dict[str, Any]) -> dict[str, Any]:
    """Write cards, and fields that say so (`named`), as references to a schema with that name."""
    name = "Card" if isinstance(field, CardName) else field.metadata.get("named")
    if name is None:
        return {}
    about: dict[str, Any] = {key: ret.pop(key) for key in ("description", "examples", "default") if key in ret}
    named.setdefault(name, dict(ret))
    ret.clear()
    return {**_reference(name), **about}


def _property_names(converter: Any, field: Any, **_: Any) -> dict[str, Any]:
    """Write what the names in an object must be, where that matters."""
    names = getattr(field, "key_field", None)
    return {"propertyNames": converter.field2property(names)} if names is not None else {}


def _without_type_lists(value: Any) -> Any:
    """Write what may be null as a choice of two schemas; some generators do not read a list of types."""
    if isinstance(value, list):
        return [_without_type_lists(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {name: _without_type_lists(entry) for name, entry in value.items()}
    types = made.get("type")
    if not isinstance(types, list):
        return made
    about = {name: made.pop(name) for name in ("description", "examples") if name in made}
    made["type"] = next(each for each in types if each != "null")
    if "enum" in made:
        made["enum"] = [each for each in made["enum"] if each is not None]
    return {**about, "anyOf": [made, {"type": "null"}]}


class _Writer:
    """Writes operations; collects the examples and answers that they refer to."""

    def __init__(self, converter: Any) -> None:
        self._converter = converter
        self.responses: dict[str, Any] = {}
        self.examples: dict[str, Any] = {}

    def operation(self, operation: Operation) -> dict[str, Any]:
        """Return an Operation Object."""
        title, _, about = (operation.carry_out.__doc__ or "").partition("\n")
        made: dict[str, Any] = {
            "operationId": operation.id,
            "tags": [operation.tag],
            "summary": title.strip().rstrip("."),
        }
        if about.strip():
            made["description"] = "\n".join(line.strip() for line in about.strip().splitlines())
        if operation.who is None:
            made["security"] = []
        parameters = [*self._path(operation), *self._query(operation), *_headers(operation)]
        if parameters:
            made["parameters"] = parameters
        if operation.takes is not None:
            made["requestBody"] = self._body(operation)
        made["responses"] = self._responses(operation)
        return made

    def _ref(self, schema: Schema) -> dict[str, Any]:
        found: dict[str, Any] = self._converter.resolve_nested_schema(schema)
        return found

    def _path(self, operation: Operation) -> list[dict[str, Any]]:
        kinds = {"id": {"type": "string"}, "int": {"type": "integer", "minimum": 0}}
        return [
            {"name": name, "in": "path", "required": True, "description": PATH_PARTS[name], "schema": kinds[kind]}
            for name, kind in operation.parts
        ]

    def _query(self, operation: Operation) -> list[dict[str, Any]]:
        if operation.asks is None:
            return []
        made = []
        for name, field in operation.asks.fields.items():
            schema = self._converter.field2property(field)
            parameter = {"name": name, "in": "query", "required": field.required}
            if "description" in schema:
                parameter["description"] = schema.pop("description")
            made.append({**parameter, "schema": schema})
        return made

    def _body(self, operation: Operation) -> dict[str, Any]:
        content: dict[str, Any] = {"schema": self._ref(_given(operation.takes))}
        if operation.example is not None:
            content["example"] = operation.example
        required = any(field.required for field in _given(operation.takes).fields.values())
        return {"required": required, "content": {"application/json": content}}

    def _responses(self, operation: Operation) -> dict[str, Any]:
        made: dict[str, Any] = {str(operation.status): self._answer(operation)}
        for status, about in operation.statuses.items():
            made[str(status)] = {
                "description": about,
                "headers": _answer_headers(operation, status),
            }
        by_status: dict[int, list[str]] = {}
        for code in operation.all_errors:
            by_status.setdefault(STATUS[code], []).append(code)
        for status, codes in by_status.items():
            name = "-or-".join(sorted(codes))
            self.responses.setdefault(name, _problem_answer(status, codes))
            self.examples |= {code: _EXAMPLES[code] for code in codes}
            made[str(status)] = {"$ref": f"#/components/responses/{name}"}
        return dict(sorted(made.items()))

    def _answer(self, operation: Operation) -> dict[str, Any]:
        content: dict[str, Any] = {}
        if operation.gives is not None:
            content["application/json"] = {"schema": self._ref(operation.gives)}
        for media, about in operation.media.items():
            content[media] = {"schema": {"type": "string", "description": about}}
        told = [(operation.gives.__doc__ or "").strip()] if operation.gives else list(operation.media.values())
        made: dict[str, Any] = {
            "description": told[0] if told else "Done.",
            "headers": _answer_headers(operation, operation.status),
        }
        if content:
            made["content"] = content
        return made


def _given(schema: Schema | None) -> Schema:
    if schema is None:
        raise TypeError("the operation has no such schema")
    return schema


def _headers(operation: Operation) -> list[dict[str, Any]]:
    """Return the header parameters; `Accept` is none (OpenAPI has media types for it)."""
    return [
        {"name": name, "in": "header", "required": False, **_HEADERS[name]}
        for name in operation.headers
        if name in _HEADERS
    ]


def _problem_answer(status: int, codes: list[str]) -> dict[str, Any]:
    """Return the answer of problems with one status."""
    headers = _EVERYWHERE + _OF_STATUS.get(status, ())
    return {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].title['en']}." for code in sorted(codes)),
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in sorted(codes)},
            }
        },
    }


def _answer_headers(operation: Operation, status: int) -> dict[str, Any]:
    names = list(_EVERYWHERE)
    if status == 201:
        names.append("Location")
    if status in (200, 304) and "If-None-Match" in operation.headers:
        names.append("ETag")
    if operation.budget:
        names += ["RateLimit", "RateLimit-Policy"]
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def to_yaml(made: dict[str, Any]) -> str:
    """Return the document as it is committed."""
    import yaml  # noqa: PLC0415 (only who writes the document needs it, not who serves it)

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as such."""

        def ignore_aliases(self, _: Any) -> bool:
            return True

    def represent(dumper: Dumper, text: str) -> yaml.Node:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)

    Dumper.add_representer(str, represent)
    text: str = yaml.dump(made, sort_keys=False, allow_unicode=True, width=120, Dumper=Dumper)
    return "# Made by `make openapi` from the operations and schemas in service/api. Do not edit.\n" + text


def main() -> None:
    """Write the document to standard output."""
    from service.app import RESOURCES  # noqa: PLC0415 (who imports this module may be imported by the application)

    sys.stdout.write(to_yaml(document(RESOURCES)))


if __name__ == "__main__":
    main()
