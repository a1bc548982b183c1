"""`openapi.yaml` as a value, from the declared operations and their schemas."""

from collections.abc import Iterable
from typing import Any, Final, cast

from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from service.accounts.scopes import SCOPES
from service.api.http.problems import STATUS
from service.api.openapi.operations import (
    DEFAULT,
    OF_DEPRECATED,
    RESPONSE_HEADERS,
    Json,
    JsonObject,
    OperationWriter,
    SchemaConverter,
    schema_reference,
)
from service.api.openapi.schemas import open_answers, split
from service.api.openapi.webhooks import TAG, webhooks
from service.api.operations import Resource
from service.api.schemas.account_events import ACCOUNT_EVENTS, AccountEnd, AccountHeartbeat, AccountReset
from service.api.schemas.common import DECISIONS, Problem
from service.api.schemas.events.envelope import EVENTS, OPENED_DECISIONS, StreamEnd, StreamHeartbeat, StreamReset
from service.api.schemas.fields import CardName, Field
from service.api.schemas.players import MyTables
from service.apps.clients import APP_SCOPES
from service.common.settings import VERSION

_CARD: Final = {
    "type": "string",
    "description": "A card: rank `2`–`9`, `T`, `J`, `Q`, `K`, `A` and suit `S`, `H`, `D`, `C`; `LJ` little joker, "
    "`BJ` big joker.",
    "pattern": "^([2-9TJQKA][SHDC]|LJ|BJ)$",
    "examples": ["TS"],
}

_DESCRIPTION: Final = """\
Games of the Sheng Ji family for people, AI seats and bots.

**In short**: `POST /v1/players` returns a token. Create a table (`POST /v1/tables`), sit down, put AIs on the other
seats, be `ready`. Then follow the table (`GET …/events`) and answer its **decisions**: whenever the table waits for
you, its view has a `decision` with your seat in it, and `hints` that include a legal answer.

**To play a card**, send the `id` of the decision and cards of your hand to `POST /v1/tables/{table}/play`:
`{"decision_id": "dc_481", "cards": ["KD"]}`.
For a decision of another kind, see the operation of that kind: `declare`, `discard`, `call` or `road`.

**Conventions**: JSON in snake_case, UTF-8. Times are RFC 3339 in UTC with milliseconds, durations end in `_ms`. Cards
are two characters (`TS`, `LJ`), seats numbers in order of play. Every error is `application/problem+json` with a stable
`code`; `title` and `detail` follow `Accept-Language` (`en`, `zh-Hans`, `zh-Hant`). Every request may be retried:
sending it twice has the effect of sending it once.

**Guides**, at `/docs/guides/…` and in the folder `docs` of the source code: `clients.md` says how the operations work
together, `bots.md` makes a first bot in ten minutes, `app.md` a first app in thirty, `testing.md` how to test them.

**Apps that act for a player** use OAuth 2.1 with PKCE: the browser goes to `/oauth/authorize`, and `POST /oauth/token`,
`/oauth/revoke` and `/oauth/device` take forms (`application/x-www-form-urlencoded`). The security scheme `app` has the
addresses, fields and scopes. The answer with a token has `access_token`, `token_type`, `expires_in`, `scope`, and
`player` (id) and `name` of the player; a refusal has `error` and `error_description`. A code that is used twice revokes
the token of its first use.
"""

_APP: Final = """\
How an app gets a `token` for a player: OAuth 2.1 for public clients, which need no registration and have no secret.
Libraries find all of this in `/.well-known/oauth-authorization-server` (RFC 8414).

- `GET /oauth/authorize`: where the app leads the browser, with `response_type=code`, `client_id`, `redirect_uri`,
  `scope`, `state`, `code_challenge` and `code_challenge_method=S256`. It leads back with `code`, `state` and `iss`.
- `POST /oauth/token`: `grant_type=authorization_code`, `client_id`, `code`, `redirect_uri` and `code_verifier`, or
  `grant_type=urn:ietf:params:oauth:grant-type:device_code`, `client_id` and `device_code`.
  200: `access_token`, `token_type` (`Bearer`), `expires_in` (s), `scope`, `player` (id) and `name` of the player.
- `POST /oauth/device`: `client_id` and `scope`, for an app without a browser (RFC 8628). 200: `device_code`,
  `user_code`, `verification_uri`, `verification_uri_complete`, `expires_in` (s) and `interval` (s).
- `POST /oauth/revoke`: `client_id` and `token` (RFC 7009). 200: `{}`.

The last three take `application/x-www-form-urlencoded`. They refuse with 400 and JSON: `error` (RFC 6749 5.2) and
`error_description`.
"""

#: Schema -> its name in ogen, where its own is that of the security scheme.
_OGEN_NAMES: Final = {"Token": "PlayerToken"}

#: Path of a stream -> name of a message that is not an event -> schema of its data.
_MESSAGES: Final[dict[str, dict[str, type[Schema]]]] = {
    "/v1/tables/{table}/events": {"heartbeat": StreamHeartbeat, "reset": StreamReset, "end": StreamEnd},
    "/v1/me/events": {
        "snapshot": MyTables,
        "heartbeat": AccountHeartbeat,
        "reset": AccountReset,
        "end": AccountEnd,
    },
}


def _token_description() -> str:
    scopes = "\n".join(f"- `{scope}`: {about}" for scope, about in SCOPES.items())
    return f"The token from POST /v1/players, which has all scopes, or another one of the player.\n\nScopes:\n{scopes}"


def _app() -> JsonObject:
    """Return how an app gets a token for a player.

    No operation asks for this one: what the app gets is a `token`, and clients would have two ways to send it.
    """
    scopes: JsonObject = {scope: SCOPES[scope] for scope in APP_SCOPES}
    flow: JsonObject = {
        "authorizationUrl": "/oauth/authorize",
        "tokenUrl": "/oauth/token",
        "scopes": scopes,
    }
    return {
        "type": "oauth2",
        "description": _APP,
        "flows": {"authorizationCode": flow},
        "x-metadata-url": "/.well-known/oauth-authorization-server",
        "x-device-authorization-url": "/oauth/device",
        "x-revocation-url": "/oauth/revoke",
    }


def document(resources: Iterable[Resource]) -> JsonObject:
    """Return the whole document, in a fixed order."""
    resources = tuple(resources)
    abouts: dict[str, str] = {}
    plugin = MarshmallowPlugin(schema_name_resolver=cast("Any", lambda schema: _schema_name(schema, abouts)))
    spec = APISpec(title="Sheng Ji service", version=VERSION, openapi_version="3.1.0", plugins=[plugin])
    converter = cast("SchemaConverter", plugin.converter)
    named: JsonObject = {"Card": dict(_CARD)}
    converter.add_attribute_function(lambda _, field, ret: _named_reference(named, field, ret))
    converter.add_attribute_function(_property_names)
    spec.components.schema("Problem", schema=Problem)
    writer = OperationWriter(converter)
    paths = _paths(resources, writer)
    # No schema describes a whole stream, so those of its messages would be unreferenced, which linters report.
    for path, messages in _MESSAGES.items():
        stream = paths[path]["get"]["responses"]["200"]["content"]["text/event-stream"]["schema"]
        stream["$defs"] = {name: converter.resolve_nested_schema(schema) for name, schema in messages.items()}
    called = webhooks(converter)
    schemas = _schemas(named, abouts, spec, converter)
    requests = [
        item[method]["requestBody"] for item in paths.values() for method in item if "requestBody" in item[method]
    ]
    open_answers(schemas, requests)
    generated: JsonObject = {
        "openapi": "3.1.0",
        "info": {
            "title": "Sheng Ji service",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The service that serves this document."}],
        "security": [{"token": []}],
        "tags": [*({"name": resource.tag, "description": resource.description} for resource in resources), dict(TAG)],
        "paths": paths,
        "webhooks": called,
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": _token_description()},
                "app": _app(),
            },
            "headers": _headers(resources),
            "examples": {code: writer.examples[code] for code in STATUS if code in writer.examples},
            "responses": dict(sorted({**writer.responses, **DEFAULT}.items())),
            "schemas": schemas,
        },
    }
    document: JsonObject = _without_type_lists(generated)
    return document


def _headers(resources: Iterable[Resource]) -> JsonObject:
    """Return the response headers that some operation has."""
    is_any_deprecated = any(operation.deprecated for resource in resources for operation in resource.operations)
    names = [name for name in RESPONSE_HEADERS if is_any_deprecated or name not in OF_DEPRECATED]
    return {name: dict(RESPONSE_HEADERS[name]) for name in names}


def _paths(resources: Iterable[Resource], writer: OperationWriter) -> dict[str, JsonObject]:
    paths: dict[str, JsonObject] = {}
    for resource in resources:
        for operation in resource.operations:
            paths.setdefault(operation.path_template, {})[operation.method.lower()] = writer.operation(operation)
    return paths


def _schemas(
    named: JsonObject, abouts: dict[str, str], spec: APISpec, converter: SchemaConverter
) -> dict[str, JsonObject]:
    """Return all schemas by name, in order, each with its variants."""
    variants = (EVENTS, ACCOUNT_EVENTS, DECISIONS, OPENED_DECISIONS)
    for part in (part for each in variants for part in each.parts.values() if part is not None):
        converter.resolve_nested_schema(part)
    schemas: dict[str, JsonObject] = {**named, **spec.to_dict()["components"]["schemas"]}
    for name, about in abouts.items():
        schemas[name] = {"description": about, **schemas[name]}
    for each in variants:
        split(schemas, each, converter)
    for name, ogen_name in _OGEN_NAMES.items():
        schemas[name]["x-ogen-name"] = ogen_name
    return dict(sorted(schemas.items()))


def _schema_name(schema: Schema | type[Schema], abouts: dict[str, str]) -> str | None:
    """Return the name of a schema in the document; None for a partial schema, which is written inline.

    Adds its docstring to `abouts`.
    """
    if isinstance(schema, Schema) and (schema.exclude or schema.only):
        return None
    kind = schema if isinstance(schema, type) else type(schema)
    name = kind.__name__.lstrip("_")
    abouts[name] = " ".join((kind.__doc__ or "").split())
    return name


def _named_reference(named: JsonObject, field: Field, schema: JsonObject) -> JsonObject:
    """Replace the schemas of cards and of named fields (`named`) by references to a schema of that name."""
    name = "Card" if isinstance(field, CardName) else field.metadata.get("named")
    if name is None:
        return {}
    annotations: JsonObject = {key: schema.pop(key) for key in ("description", "examples", "default") if key in schema}
    named.setdefault(name, dict(schema))
    schema.clear()
    return {**schema_reference(name), **annotations}


def _property_names(converter: SchemaConverter, field: Field, **_: object) -> JsonObject:
    """Return the constraint on the names in an object, if there is one."""
    names = getattr(field, "key_field", None)
    return {"propertyNames": converter.field2property(names)} if names is not None else {}


def _without_type_lists(value: Json) -> Json:
    """Write nullable schemas as a choice of two, since some generators do not support lists of types."""
    if isinstance(value, list):
        return [_without_type_lists(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    schema: JsonObject = {name: _without_type_lists(entry) for name, entry in value.items()}
    types = schema.get("type")
    if not isinstance(types, list):
        return schema
    annotations = {name: schema.pop(name) for name in ("description", "examples") if name in schema}
    schema["type"] = next(each for each in types if each != "null")
    if "enum" in schema:
        schema["enum"] = [each for each in schema["enum"] if each is not None]
    return {**annotations, "anyOf": [schema, {"type": "null"}]}


#: First line of `openapi.yaml`.
HEAD: Final = "# Made by `make openapi` from the operations and schemas in service/api. Do not edit.\n"


def to_yaml(document: JsonObject, head: str = HEAD) -> str:
    """Return a document as YAML, as committed, below its first line."""
    import yaml  # noqa: PLC0415 (only needed to generate the document)

    class Dumper(yaml.SafeDumper):
        """A dumper that writes multi-line texts as blocks, and repeats values instead of using aliases."""

        def ignore_aliases(self, _: object) -> bool:
            return True

    def represent(dumper: Dumper, text: str) -> yaml.Node:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)

    Dumper.add_representer(str, represent)
    text: str = yaml.dump(document, sort_keys=False, allow_unicode=True, width=120, Dumper=Dumper)
    return head + text
