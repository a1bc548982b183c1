"""A test client that checks every response against `openapi.yaml`.

Every response in every test goes through `check`: its status and its code must be documented for the operation, and its
body must match the schema, without additional fields. A request that the service accepts must match its schema too.
"""

import copy
import json
import re
from functools import cache

import pytest
from jsonschema_rs import Draft202012Validator, Registry

from harness.document import document
from service.api.http.problems import FAULTS, REASONS

_URN = "urn:openapi"
#: Pages for people; everything else is in the document.
PAGES = {
    "/",
    "/docs",
    "/docs/problems",
    "/schemas/record-1.json",
    "/openapi.yaml",
    "/.well-known/security.txt",
    "/.well-known/oauth-authorization-server",
}
#: Where the pages keep their scripts, styles and images.
FILES = (
    "/alone/",
    "/assets/",
    "/en/",
    "/zh/",
    "/app/",
    "/style/",
    "/art/",
    "/vendor/",
    "/service-worker.js",
    "/manifest.webmanifest",
    "/docs/rulesets",
    "/docs/guides/",
)


def _closed(value):
    """The same schema, without room for what later versions may add: other fields, values and variants."""
    if isinstance(value, list):
        return [_closed(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if "discriminator" in value:
        return _by_tag(**value["discriminator"])
    closed = {name: _closed(entry) for name, entry in value.items()}
    if closed.get("type") == "object" and isinstance(closed.get("properties"), dict):
        closed["additionalProperties"] = False
    if "x-extensible-enum" in closed:
        closed["enum"] = closed["x-extensible-enum"]
    return closed


def _by_tag(propertyName, mapping):  # noqa: N803 (the names of OpenAPI)
    """A choice of schemas as a schema that checks only the variant of the tag: faster, with clearer errors."""
    chosen = [
        {"if": {"properties": {propertyName: {"const": tag}}}, "then": {"$ref": reference}}
        for tag, reference in mapping.items()
    ]
    return {"required": [propertyName], "properties": {propertyName: {"enum": [*mapping]}}, "allOf": chosen}


@cache
def requested():
    """Names of the schemas of requests, and of those that they refer to."""
    operations = [operation for item in document()["paths"].values() for operation in item.values()]
    return referenced([operation.get(part) for operation in operations for part in ("requestBody", "parameters")])


def referenced(values):
    """Names of the schemas that these parts of the document refer to, directly or not."""
    names, left = set(), list(values)
    while left:
        value = left.pop()
        if isinstance(value, dict):
            reference = value.get("$ref", "")
            name = reference.removeprefix("#/components/schemas/")
            if name != reference and name not in names:
                names.add(name)
                left.append(document()["components"]["schemas"][name])
        if isinstance(value, dict | list):
            left.extend(value.values() if isinstance(value, dict) else value)
    return names


@cache
def _registry():
    closed = copy.deepcopy(document())
    schemas = closed["components"]["schemas"]
    schemas |= {name: _closed(schema) for name, schema in schemas.items() if name not in requested()}
    return Registry([(_URN, {"$schema": "https://json-schema.org/draft/2020-12/schema", **closed})])


@cache
def validator(pointer):
    """A validator for the schema at this pointer of the document."""
    return Draft202012Validator({"$ref": f"{_URN}#{pointer}"}, registry=_registry(), validate_formats=True)


def _deepest(error):
    """The error of the variant that came nearest to matching."""
    while nearer := [each for choice in getattr(error.kind, "context", None) or () for each in choice]:
        error = max(nearer, key=lambda each: (len(each.instance_path), each.kind.name != "type"))
    return error


def assert_is(name, value):
    """Assert that a value matches the schema of this name."""
    for error in validator(f"/components/schemas/{name}").iter_errors(value):
        deepest = _deepest(error)
        pytest.fail(f"{name} at /{'/'.join(map(str, deepest.instance_path))}: {deepest.message}")


@cache
def _paths():
    """Pattern and template of each path; those with fewer parameters first."""
    paths = []
    for template in document()["paths"]:
        parts = re.split(r"\{(\w+)\}", template)
        names = parts[1::2]
        paths.append((len(names), re.compile("".join(map(_part, enumerate(parts)))), template))
    return [(pattern, template) for _, pattern, template in sorted(paths, key=lambda each: (each[0], each[2]))]


def _part(numbered):
    at, text = numbered
    if at % 2 == 0:
        return re.escape(text)
    return {"seat": r"\d+", "n": r"\d+", "seq": r"\d+", "code": r"[^/]+"}.get(text, r"[A-Za-z0-9_-]{1,60}")


def operation_of(method, path):
    """Path template and Operation Object of a request; None for what is not documented."""
    for pattern, template in _paths():
        if pattern.fullmatch(path):
            item = document()["paths"][template]
            return template, item.get(method.lower())
    return None, None


def resolved(value):
    """Follow references to the value that they stand for."""
    while "$ref" in value:
        target = document()
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        value = target
    return value


#: Headers that successful responses may lack, because they depend on the settings or the request.
_OPTIONAL = {"Link", "Preference-Applied", "Retry-After", "RateLimit", "RateLimit-Policy"}


#: Headers that only one problem of a status has: (status, header) -> code of the problem.
_OF_ONE_PROBLEM = {(403, "WWW-Authenticate"): "insufficient-scope"}

#: Headers that HTTP or browsers define for any response.
_EVERYWHERE = {
    "Content-Type",
    "Content-Length",
    "Content-Encoding",
    "Content-Language",
    "Content-Security-Policy",
    "Cache-Control",
    "Vary",
    "X-Accel-Buffering",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Resource-Policy",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
}


def check(method, path, sent, answer):
    """Check one response against the document.

    Args:
        sent: the JSON body of the request, or None.
        answer: the response; a stream is not read.
    """
    where = f"{method} {path} -> {answer.status_code}"
    assert answer.headers["X-Request-Id"], where
    assert answer.headers["Access-Control-Allow-Origin"] == "*", where
    assert answer.headers["X-Content-Type-Options"] == "nosniff", where
    if answer.status_code >= 400:
        _check_problem(where, answer)
    if method in ("HEAD", "OPTIONS") or path in PAGES or path.startswith(FILES):
        return
    template, operation = operation_of(method, path)
    if operation is None:
        assert answer.status_code in (400, 405 if template else 404), f"{where}: not documented"
        return
    assert str(answer.status_code) in operation["responses"], f"{where}: this status is not documented"
    documented = resolved(operation["responses"][str(answer.status_code)])
    if answer.status_code >= 400:
        known = documented["content"]["application/problem+json"]["examples"]
        assert answer.json["code"] in known, f"{where}: code {answer.json['code']} is not documented"
    else:
        _check_good(where, answer, documented)
        if sent is not None and "requestBody" in operation:
            name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]
            assert_is(name, sent)
        if "Authorization" not in answer.request.headers:
            needed = operation.get("security", document()["security"])
            assert not needed or {} in needed, f"{where}: answered without the token that is documented"
        assert set(answer.headers.keys()) <= {*documented["headers"], *_EVERYWHERE}, (
            f"{where}: a header is not documented"
        )
    _check_headers(where, answer, documented["headers"])


def _check_headers(where, answer, documented):
    """Check that a response has the headers that the document promises for its status."""
    for header in documented:
        optional = answer.status_code < 400 and header in _OPTIONAL
        only = _OF_ONE_PROBLEM.get((answer.status_code, header))
        if only is not None and answer.json["code"] != only:
            assert header not in answer.headers, f"{where}: {header} is for {only}"
            continue
        assert optional or header in answer.headers, f"{where}: no {header}"


def assert_etag(answer):
    """Assert that an ETag holds the version and the viewer of the view, and nothing else."""
    view = answer.json.get("view", answer.json)
    # Views of replays have other ETags: they change only when a player is deleted.
    replays = ("/v1/games/", "/v1/shared-rounds/", "/v1/team-events/")
    if "viewer" not in view or answer.request.path.startswith(replays):
        return
    watcher = "open" if "hands" in view else "w"
    assert answer.headers["ETag"] == f'"{view["version"]}.{view["viewer"].get("seat", watcher)}"'


def _check_good(where, answer, documented):
    content = documented.get("content")
    if content is None:
        assert "Content-Type" not in answer.headers, f"{where}: a body that is not documented"
        return
    media = answer.mimetype
    assert media in content, f"{where}: {media} is not documented"
    if media != "application/json":
        return
    assert_is(content[media]["schema"]["$ref"].rsplit("/", 1)[1], answer.json)
    if "ETag" in answer.headers:
        assert_etag(answer)


def _check_problem(where, answer):
    """Check what all errors have in common (docs/contract.md §1)."""
    if answer.request.method == "HEAD":
        return
    assert answer.content_type == "application/problem+json", f"{where}: {answer.content_type}"
    body = answer.json
    assert_is("Problem", body)
    assert body["status"] == answer.status_code, where
    assert body["request_id"] == answer.headers["X-Request-Id"], where
    assert body["type"] == f"/docs/problems#{body['code']}", where
    for fault in body["errors"]:
        assert fault["code"] in FAULTS or fault["code"] in REASONS, f"{where}: no such fault: {fault}"
    for text in (body["title"], body["detail"], *(fault["detail"] for fault in body["errors"])):
        assert text, where
        assert "…" not in text, f"{where}: a value that the text mentions is missing: {text}"
        assert not re.search(r"\{[a-z_]+\}", text), f"{where}: a placeholder is left: {text}"


class Client:
    """A client of the API that checks every response."""

    def __init__(self, app, token=None):
        self._flask = app.test_client()
        self._app = app
        self.token = token

    def with_token(self, token):
        """A client of the same API with another token."""
        return Client(self._app, token)

    def send(self, method, path, body=None, *, headers=None, **more):
        """Send a request; `body` goes as JSON."""
        sent = dict(headers or {})
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            more |= {"data": json.dumps(body), "content_type": "application/json"}
        answer = self._flask.open(path, method=method, headers=sent, **more)
        if answer.mimetype != "text/event-stream":
            answer.get_data()
        check(method, path.partition("?")[0], body, answer)
        return answer

    def get(self, path, **more):
        return self.send("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.send("POST", path, body, **more)

    def put(self, path, body=None, **more):
        return self.send("PUT", path, body, **more)

    def patch(self, path, body=None, **more):
        return self.send("PATCH", path, body, **more)

    def delete(self, path, **more):
        return self.send("DELETE", path, **more)


def assert_problem(answer, code, **params):
    """Assert that a response is the problem with this code and these params; return its body."""
    assert answer.status_code >= 400, answer.get_data(as_text=True)[:300]
    assert answer.json["code"] == code, answer.json
    for name, value in params.items():
        assert answer.json["params"][name] == value, answer.json
    return answer.json
