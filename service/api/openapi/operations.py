"""Operation Objects of `openapi.yaml`."""

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, TypeAlias

from marshmallow import Schema

from service.api.http.problems import MEDIA_TYPE, STATUS
from service.api.idempotency import PATTERN as KEY_PATTERN
from service.api.operations import NDJSON, PATH_PARAMETERS, Operation
from service.api.problem_examples import problem_examples
from service.api.schemas.analyses import Analysis
from service.api.schemas.events.envelope import Outcome
from service.api.schemas.fields import Field
from service.api.schemas.view import View
from service.api.streams.cursor import PATTERN
from service.texts.problems import PROBLEMS

#: Any JSON value. A recursive alias would only add casts.
Json: TypeAlias = Any
JsonObject: TypeAlias = dict[str, Json]

#: Request headers as parameters. Some have no examples, since tools send them: two people with the same
#: `Idempotency-Key` would share an answer, and a stream would resume at a place it never reached.
_REQUEST_HEADERS: Final[Mapping[str, JsonObject]] = {
    "Idempotency-Key": {
        "description": "A unique key, such as a UUID. For 24 hours, requests with the same key are carried out once "
        "and get the same answer.",
        "schema": {"type": "string", "pattern": KEY_PATTERN.replace("\\x21", "!").replace("\\x7e", "~")},
    },
    "If-Match": {
        "required": True,
        "description": "ETag of the table as last read; `*`: any.",
        "schema": {"type": "string", "pattern": '^([*]|(W/)?"[0-9]{1,15}[.][0-9a-z]+")$'},
        "example": '"481.2"',
    },
    "If-None-Match": {
        "description": "ETag of the last response; 304 if nothing has changed since. `W/` makes no difference.",
        "schema": {"type": "string"},
        "example": '"481.2"',
    },
    "Last-Event-ID": {
        "description": "Resume after the event with this seq, whatever `after` says. Browsers send it automatically.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,15}$"},
    },
    "Prefer": {
        "description": "`return=minimal`: no `view` in the response; its events say what has changed.",
        "schema": {"type": "string"},
    },
}
#: Overrides, by operation id.
_HEADERS_OF: Final[Mapping[tuple[str, str], JsonObject]] = {
    ("listMyEvents", "Last-Event-ID"): {
        "description": "Resume after the event with this id, whatever `after` says. Browsers send it automatically.",
        "schema": {"type": "string", "pattern": PATTERN},
    },
    ("listMyTables", "If-None-Match"): {"example": '"9f86d081884c7d65"'},
}
_CHALLENGE: Final = (
    "What is missing (RFC 6750): `Bearer` without more: a token; `error` is `invalid_token`, or with 403 "
    "`insufficient_scope`, with the `scope` that is needed. Of the answers with 403, those with the code "
    "`insufficient-scope` have this header."
)
#: Response headers.
RESPONSE_HEADERS: Final[Mapping[str, JsonObject]] = {
    "Deprecation": {
        "description": "Since when the operation is deprecated, in seconds since 1970 (RFC 9745).",
        "schema": {"type": "string"},
        "example": "@1798761600",
    },
    "ETag": {
        "description": "Stays the same as long as the content does; of a table: version and viewer.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": "Of a stream of records: the next page, relative to this URL; left out on the last one.",
        "schema": {"type": "string"},
        "example": '<?limit=20&cursor=Z2FtZXM6>; rel="next"',
    },
    "Location": {"description": "Path of what was created.", "schema": {"type": "string", "format": "uri-reference"}},
    "Preference-Applied": {
        "description": "`return=minimal`, if the response has no `view` because of `Prefer`.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left of the budget: `r` requests in the next `t` seconds.",
        "schema": {"type": "string"},
        "example": '"act";r=5999;t=60',
    },
    "RateLimit-Policy": {
        "description": "The budget: `q` requests in `w` seconds.",
        "schema": {"type": "string"},
        "example": '"act";q=6000;w=60',
    },
    "Retry-After": {
        "description": "Seconds to wait before a retry; of an analysis, while it is `working`.",
        "schema": {"type": "integer"},
    },
    "Sunset": {
        "description": "Until when the operation is promised (RFC 8594).",
        "schema": {"type": "string"},
        "example": "Fri, 31 Dec 2027 00:00:00 GMT",
    },
    "WWW-Authenticate": {"description": _CHALLENGE, "schema": {"type": "string"}},
    "X-Request-Id": {"description": "The id that the request came with, or a new one.", "schema": {"type": "string"}},
}
#: Those of deprecated operations alone.
OF_DEPRECATED: Final = ("Deprecation", "Sunset")
_EXAMPLES: Final = problem_examples()
#: Status -> name of the problem response. Generators name types after it, so it does not depend on the codes.
_SHARED: Final[Mapping[int, str]] = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    412: "PreconditionFailed",
    413: "ContentTooLarge",
    415: "UnsupportedMediaType",
    428: "PreconditionRequired",
    429: "TooManyRequests",
    500: "InternalServerError",
    503: "ServiceUnavailable",
}
#: Status of a response with the same body for results still being computed.
_ACCEPTED: Final = 202
#: Response schemas that always have an ETag.
_TAGGED: Final = (Analysis, Outcome, View)
_PROBLEM_HEADERS: Final[Mapping[int, tuple[str, ...]]] = {
    401: ("WWW-Authenticate",),
    403: ("WWW-Authenticate",),
    429: ("Retry-After", "RateLimit-Policy"),
    503: ("Retry-After",),
}
#: The response with any other status, by its name: later versions may refuse with more.
DEFAULT: Final[Mapping[str, JsonObject]] = {
    "AnyProblem": {
        "description": "Any other problem: go by its `code`, or if you do not know that, by the status.",
        "headers": {"X-Request-Id": {"$ref": "#/components/headers/X-Request-Id"}},
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}


def schema_reference(name: str) -> JsonObject:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


class SchemaConverter(Protocol):
    """The used part of apispec's `OpenAPIConverter`, which is not typed."""

    def add_attribute_function(self, func: Callable[..., JsonObject]) -> None:
        """Add a function (converter, field, ret) that returns additional attributes of a field's schema."""

    def field2property(self, field: Field) -> JsonObject:
        """Return the schema of a field."""

    def resolve_nested_schema(self, schema: Schema | type[Schema]) -> JsonObject:
        """Return a reference to a schema, and add that schema to the document."""


class OperationWriter:
    """Writes Operation Objects.

    Attributes:
        responses: problem responses that the operations refer to.
        examples: examples of problems that these refer to.
    """

    def __init__(self, converter: SchemaConverter) -> None:
        self._converter = converter
        self.responses: Final[JsonObject] = {}
        self.examples: Final[JsonObject] = {}

    def operation(self, operation: Operation) -> JsonObject:
        """Return an Operation Object; summary and description come from the handler's docstring."""
        summary, _, description = (operation.handler.__doc__ or "").partition("\n")
        written: JsonObject = {
            "operationId": operation.id,
            "tags": [operation.tag],
            "summary": summary.strip().rstrip("."),
        }
        if description.strip():
            written["description"] = "\n".join(line.strip() for line in description.strip().splitlines())
        if operation.scope is None:
            written["security"] = []
        else:
            needs = f"Needs the scope `{operation.scope}`."
            written["description"] = "\n\n".join(filter(None, [written.get("description"), needs]))
            written["security"] = [{"token": [operation.scope]}]
            if operation.query is not None and "ticket" in operation.query.fields:
                # The ticket replaces the token.
                written["security"].append({})
        if operation.deprecated is not None:
            written["deprecated"] = True
            written["description"] = f"{operation.deprecated.text}\n\n{written.get('description', '')}".rstrip()
        parameters = [
            *_path_parameters(operation),
            *self._query_parameters(operation.query),
            *_header_parameters(operation),
        ]
        if parameters:
            written["parameters"] = parameters
        if operation.body is not None:
            written["requestBody"] = self._request_body(operation.body, operation.example)
        written["responses"] = self._responses(operation)
        return written

    def _schema(self, schema: Schema) -> JsonObject:
        return self._converter.resolve_nested_schema(schema)

    def _query_parameters(self, query: Schema | None) -> list[JsonObject]:
        parameters = []
        for name, field in (query.fields if query is not None else {}).items():
            schema = self._converter.field2property(field)
            parameter = {"name": field.data_key or name, "in": "query", "required": field.required}
            if "description" in schema:
                parameter["description"] = schema.pop("description")
            parameters.append({**parameter, "schema": schema})
        return parameters

    def _request_body(self, body: Schema, example: Json) -> JsonObject:
        content: JsonObject = {"schema": self._schema(body)}
        if example is not None:
            content["example"] = example
        required = any(field.required for field in body.fields.values())
        return {"required": required, "content": {"application/json": content}}

    def _responses(self, operation: Operation) -> JsonObject:
        responses: JsonObject = {str(operation.status): self._success(operation)}
        for status, description in operation.other_statuses.items():
            answer = self._success(operation) if status == _ACCEPTED else {}
            headers = _response_headers(operation, status)
            responses[str(status)] = {**answer, "description": description, "headers": headers}
        by_status: dict[int, list[str]] = {}
        for code in operation.all_errors:
            by_status.setdefault(STATUS[code], []).append(code)
        for status, codes in by_status.items():
            self.examples.update({code: _EXAMPLES[code] for code in codes})
            # Operations for operators have their own 403; all others share one.
            is_shared = status != STATUS["insufficient-scope"] or operation.scope is not None
            responses[str(status)] = self._problem(status, codes, _SHARED.get(status) if is_shared else None)
        return {**dict(sorted(responses.items())), "default": {"$ref": f"#/components/responses/{next(iter(DEFAULT))}"}}

    def _problem(self, status: int, codes: list[str], name: str | None) -> JsonObject:
        """Return the response with a status, as a reference if the named response is the same."""
        response = _problem_response(status, codes)
        if name is None or self.responses.setdefault(name, response) != response:
            return response
        return {"$ref": f"#/components/responses/{name}"}

    def _success(self, operation: Operation) -> JsonObject:
        content: JsonObject = {}
        descriptions = list(operation.media_types.values())
        if operation.response is not None:
            content["application/json"] = {"schema": self._schema(operation.response)}
            descriptions.insert(0, (operation.response.__doc__ or "").strip())
        for media_type, description in operation.media_types.items():
            content[media_type] = {"schema": {"type": "string", "description": description}}
        response: JsonObject = {
            "description": descriptions[0] if descriptions else "Done.",
            "headers": _response_headers(operation, operation.status),
        }
        if content:
            response["content"] = content
        return response


def _path_parameters(operation: Operation) -> list[JsonObject]:
    schemas = {"id": {"type": "string"}, "code": {"type": "string"}, "int": {"type": "integer", "minimum": 0}}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_PARAMETERS[name],
            "schema": schemas[converter],
        }
        for name, converter in operation.path_parameters
    ]


def _header_parameters(operation: Operation) -> list[JsonObject]:
    """Return the header parameters, except `Accept`, for which OpenAPI has media types."""
    return [
        {
            "name": name,
            "in": "header",
            "required": False,
            **_REQUEST_HEADERS[name],
            **_HEADERS_OF.get((operation.id, name), {}),
        }
        for name in (*operation.headers, *(("Prefer",) if isinstance(operation.response, Outcome) else ()))
        if name in _REQUEST_HEADERS
    ]


def _problem_response(status: int, codes: list[str]) -> JsonObject:
    """Return the problem response with a status, for these codes."""
    headers = ("X-Request-Id", *_PROBLEM_HEADERS.get(status, ()))
    return {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].title['en']}." for code in sorted(codes)),
        "headers": {name: _header_reference(name) for name in headers},
        "content": {
            MEDIA_TYPE: {
                "schema": schema_reference("Problem"),
                "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in sorted(codes)},
            }
        },
    }


def _response_headers(operation: Operation, status: int) -> JsonObject:
    names = ["X-Request-Id"]
    if status == 201:
        names.append("Location")
    answer, is_conditional = operation.response, "If-None-Match" in operation.headers
    if status == _ACCEPTED or (isinstance(answer, Analysis) and is_conditional):
        names.append("Retry-After")
    if is_conditional or isinstance(answer, _TAGGED):
        names.append("ETag")
    if isinstance(answer, Outcome):
        names.append("Preference-Applied")
    if NDJSON in operation.media_types:
        names.append("Link")
    if operation.budget:
        names += ["RateLimit", "RateLimit-Policy"]
    if operation.deprecated is not None:
        names += OF_DEPRECATED
    return {name: _header_reference(name) for name in names}


def _header_reference(name: str) -> JsonObject:
    return {"$ref": f"#/components/headers/{name}"}
