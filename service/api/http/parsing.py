"""From bytes and query strings to checked values, or a refusal that points at what is wrong."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

from flask import Request
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException

from service.api.http.problems import BodyTooLarge, Fault, InvalidFields, UnsupportedMediaType
from service.api.schemas.fields import Code
from service.errors import InvalidRequest


def body_of(request: Request, schema: Schema) -> dict[str, Any]:
    """Return the request's JSON object as the schema reads it. No body at all is an empty object.

    Raises:
        BodyTooLarge: it has more bytes than the application takes.
        UnsupportedMediaType: it is not said to be JSON.
        InvalidRequest: it is no JSON in UTF-8, or not what the schema takes.
    """
    raw = _read(request)
    if not raw:
        return _load(schema, {})
    if request.environ.get("CONTENT_TYPE") != "application/json" and not _is_json(request):
        raise UnsupportedMediaType
    return _load(schema, json_of(raw))


def _read(request: Request) -> bytes:
    """Return the bytes of the body. Where its length is told, the server's stream is read without a detour."""
    most = request.max_content_length or 0
    length = request.content_length
    if (length or 0) > most:
        raise BodyTooLarge(limit=most)
    try:
        raw: bytes = request.get_data(cache=False) if length is None else request.environ["wsgi.input"].read(length)
    except HTTPException:
        raise
    except Exception as error:
        # Whatever the server stumbles over in the bytes that follow, such as chunks that are none.
        raise InvalidRequest(reason="bad_http") from error
    # What is longer than the most is cut off there without a word, if nobody has told how long it is.
    if length is None and len(raw) >= most:
        raise BodyTooLarge(limit=most)
    return raw


def _is_json(request: Request) -> bool:
    charset = request.mimetype_params.get("charset", "utf-8")
    return request.mimetype == "application/json" and charset.lower() == "utf-8"


def json_of(raw: bytes) -> Any:
    """Return the value of JSON text as RFC 8259 has it, which Python's reader takes too lightly.

    Raises:
        InvalidRequest: reason `not_utf8` or `not_json`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRequest(reason="not_utf8") from None
    try:
        value = _read_json(text)
        if "\\u" in text:
            # Half of a surrogate pair is no character: it could be read, but never be written again.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise InvalidRequest(reason="not_json") from None
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _number(text: str) -> float | int:
    """Read a number with a point or an exponent. `1.0` and `1e0` are 1, to which JSON knows no difference."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return int(value) if value.is_integer() else value


#: Made once: `json.loads` would make a reader of its own for each text.
_read_json: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_number).decode


def query_of(arguments: MultiDict[str, str], schema: Schema) -> dict[str, Any]:
    """Return the parameters of a query as the schema reads them. A parameter may come once."""
    repeated = [name for name, values in arguments.lists() if len(values) > 1]
    if repeated:
        raise InvalidFields([Fault(f"?{name}", "invalid", {}) for name in repeated])
    return _load(schema, arguments.to_dict(), "?")


def _load(schema: Schema, value: Any, root: str = "/") -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(value)
    except ValidationError as error:
        raise InvalidFields(list(_faults(error.messages_dict, root))) from None
    return loaded


def _faults(messages: Mapping[Any, Any], root: str) -> Iterator[Fault]:
    """Flatten marshmallow's nested messages.

    `_schema` is about the object itself; `key` and `value` are about an entry of a mapping: no field is called so.
    """
    for key, entry in messages.items():
        pointer = (
            root[:-1] if key in ("_schema", "key", "value") else root + str(key).replace("~", "~0").replace("/", "~1")
        )
        if isinstance(entry, Mapping):
            yield from _faults(entry, pointer + "/")
        else:
            for code in entry:
                yield Fault(pointer, str(code), code.params if isinstance(code, Code) else {})
