"""Parsing and validation of request bodies and query strings."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final, NoReturn, TypeAlias, cast

from flask import Request
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import RequestEntityTooLarge

from service.api.http.problems import BodyTooLarge, Fault, FaultCode, InvalidFields, UnsupportedMediaType
from service.common.errors import InvalidRequest


def parse_body(request: Request, schema: Schema, too_large: str | None = None) -> dict[str, Any]:
    """Load the request's JSON object with a schema. An empty body counts as an empty object.

    `too_large` is the reason for refusing a body beyond the size limit; None: the general one.

    Raises:
        BodyTooLarge: the body exceeds the size limit.
        UnsupportedMediaType: its media type is not JSON, or it is compressed.
        InvalidRequest: it is not JSON in UTF-8, or beyond a limit of the parser.
        InvalidFields: the schema does not accept it.
    """
    raw = _read(request, {"reason": too_large} if too_large else {})
    if not raw:
        return load(schema, {})
    coding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").strip()
    if coding.lower() not in ("", "identity"):
        raise UnsupportedMediaType(reason="content_encoding", encoding=coding)
    if not _is_json(request):
        raise UnsupportedMediaType
    return load(schema, parse_json(raw))


def parse_query(arguments: MultiDict[str, str], schema: Schema) -> dict[str, Any]:
    """Load the query parameters with a schema.

    Raises:
        InvalidFields: the schema does not accept them, or one is repeated.
    """
    repeated = [name for name, values in arguments.lists() if len(values) > 1]
    if repeated:
        raise InvalidFields([Fault(f"?{name}", "repeated", {}) for name in repeated])
    return load(schema, arguments.to_dict(), "?")


def _read(request: Request, too_large: Mapping[str, str]) -> bytes:
    """Read the body, directly from the server's stream if its length is known (decision 36)."""
    limit, length = request.max_content_length or 0, request.content_length
    if (length or 0) > limit:
        raise BodyTooLarge(limit=limit, **too_large)
    stream: BinaryIO = request.environ["wsgi.input"]
    try:
        raw = request.get_data(cache=False) if length is None else stream.read(length)
    except RequestEntityTooLarge:
        raise BodyTooLarge(limit=limit, **too_large) from None
    except ConnectionError:
        raise InvalidRequest(reason="too_slow", seconds=10) from None
    except Exception as error:
        # The server's stream raises various errors, for example on malformed chunks.
        raise InvalidRequest(reason="bad_http") from error
    # Werkzeug truncates a chunked body at the limit without an error.
    if length is None and len(raw) >= limit:
        raise BodyTooLarge(limit=limit, **too_large)
    return raw


def _is_json(request: Request) -> bool:
    # The usual value needs no parsing (decision 36).
    if request.environ.get("CONTENT_TYPE") == "application/json":
        return True
    charset = request.mimetype_params.get("charset", "utf-8")
    return request.mimetype == "application/json" and charset.lower() == "utf-8"


def parse_json(raw: bytes) -> object:
    """Parse a JSON text, more strictly by RFC 8259 than `json.loads`.

    Raises:
        InvalidRequest: reason `not_utf8`, `not_json` or `duplicate_name`; beyond the limits of the parser: `too_deep`,
            `number_too_large` or `lone_surrogate`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRequest(reason="not_utf8") from None
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            # A lone surrogate can be parsed, but not encoded again.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except _DuplicateName as error:
        raise InvalidRequest(reason="duplicate_name", name=str(error)) from None
    except json.JSONDecodeError as error:
        # `_reject_constant` has no position. The error is at the first constant, since everything before it is JSON.
        at = error if error.doc is text else json.JSONDecodeError(error.msg, text, _first_constant(text))
        raise InvalidRequest(reason="not_json", line=at.lineno, column=at.colno) from None
    except UnicodeEncodeError:
        raise InvalidRequest(reason="lone_surrogate") from None
    except RecursionError:
        raise InvalidRequest(reason="too_deep") from None
    except ValueError:
        # Raised by `_parse_number`, or by `int`, which accepts at most 4,300 digits.
        raise InvalidRequest(reason="number_too_large") from None
    return value


#: A string, or one of the constants that Python accepts in JSON.
_STRING_OR_CONSTANT: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(NaN|-?Infinity)')


def _first_constant(text: str) -> int:
    return next(match.start() for match in _STRING_OR_CONSTANT.finditer(text) if match[1])


def _reject_constant(name: str) -> NoReturn:
    """Refuse `NaN` and `Infinity`, which are not JSON."""
    raise json.JSONDecodeError(name, name, 0)


def _parse_number(text: str) -> float | int:
    """Parse a number with a point or an exponent. `1.0` and `1e0` are the integer 1, as in JSON."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(text)
    return int(value) if value.is_integer() else value


class _DuplicateName(ValueError):
    """An object repeats a name, for which RFC 8259 §4 leaves the value unspecified."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateName(next(name for name in names if names.count(name) > 1))
    return members


_DECODER: Final = json.JSONDecoder(
    parse_constant=_reject_constant, parse_float=_parse_number, object_pairs_hook=_object
)


def load(schema: Schema, value: object, root: str = "/") -> dict[str, Any]:
    """Load a value with a schema; `root` is the prefix of the pointers of its faults.

    Raises:
        InvalidFields: the schema does not accept it.
    """
    try:
        loaded: dict[str, Any] = schema.load(cast("Mapping[str, Any]", value))
    except ValidationError as error:
        faults = _faults(cast("_Messages", error.messages_dict), root)
        # marshmallow reports unknown fields in the order of a set, which differs between processes.
        raise InvalidFields(
            sorted(faults, key=lambda fault: fault.pointer if fault.code == "unknown" else "")
        ) from None
    return loaded


#: Keys of marshmallow's errors that are not fields: errors of an object itself, and of keys and values of a mapping.
_NOT_FIELDS: Final = ("_schema", "key", "value")


#: marshmallow's error messages: field name or index -> codes, or nested messages.
_Messages: TypeAlias = Mapping[str | int, "_Messages | list[str]"]


def _faults(messages: _Messages, root: str) -> Iterator[Fault]:
    """Flatten marshmallow's nested messages; `root` is the JSON pointer of their object."""
    for key, entry in messages.items():
        escaped = str(key).replace("~", "~0").replace("/", "~1")
        pointer = root[:-1] if key in _NOT_FIELDS else root + escaped
        if isinstance(entry, Mapping):
            yield from _faults(entry, pointer + "/")
        else:
            for code in entry:
                yield Fault(pointer, str(code), code.params if isinstance(code, FaultCode) else {})
