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
from service.api.http.yielding import current_work
from service.common.errors import InvalidRequest


def parse_body(request: Request, raw: bytes, schema: Schema, most_values: int) -> dict[str, object]:
    """Load the JSON object of a body with a schema. An empty body counts as an empty object.

    Raises:
        UnsupportedMediaType: its media type is not JSON, or it is compressed.
        InvalidRequest: it is not JSON in UTF-8, has more than `most_values` values, or is beyond a limit of the parser.
        InvalidFields: the schema does not accept it.
    """
    if not raw:
        return load(schema, {})
    coding = request.environ.get("HTTP_CONTENT_ENCODING", "identity").strip()
    if coding.lower() not in ("", "identity"):
        raise UnsupportedMediaType(reason="content_encoding", encoding=coding)
    if not _is_json(request):
        raise UnsupportedMediaType
    return load(schema, parse_json(raw, most_values))


def parse_query(arguments: MultiDict[str, str], schema: Schema) -> dict[str, object]:
    """Load the query parameters with a schema.

    Raises:
        InvalidFields: the schema does not accept them, or one is repeated.
    """
    repeated = [name for name, values in arguments.lists() if len(values) > 1]
    if repeated:
        raise InvalidFields([Fault(f"?{name}", "repeated", {}) for name in repeated])
    return load(schema, arguments.to_dict(), "?")


def read_body(request: Request, too_large: str | None = None) -> bytes:
    """Read the body, directly from the server's stream if its length is known (decision 40).

    `too_large` is the reason for refusing a body beyond the size limit; None: the general one.

    Raises:
        BodyTooLarge: the body exceeds the size limit.
        InvalidRequest: it does not arrive, or not as HTTP.
    """
    why = {"reason": too_large} if too_large else {}
    limit, length = request.max_content_length or 0, request.content_length
    if length is None:
        # Read one byte more, to tell a chunked body that is too large from one that just fits.
        request.max_content_length = limit + 1
    elif length > limit:
        raise BodyTooLarge(limit=limit, **why)
    stream: BinaryIO = request.environ["wsgi.input"]
    try:
        raw = request.get_data(cache=False) if length is None else stream.read(length)
    except RequestEntityTooLarge:
        raise BodyTooLarge(limit=limit, **why) from None
    except ConnectionError:
        raise InvalidRequest(reason="too_slow", seconds=10) from None
    except Exception as error:
        # The server's stream raises various errors, for example on malformed chunks.
        raise InvalidRequest(reason="bad_http") from error
    # Werkzeug truncates a chunked body without an error.
    if len(raw) > limit:
        raise BodyTooLarge(limit=limit, **why)
    return raw


def _is_json(request: Request) -> bool:
    # The usual value needs no parsing (decision 40).
    if request.environ.get("CONTENT_TYPE") == "application/json":
        return True
    charset = request.mimetype_params.get("charset", "utf-8")
    return request.mimetype == "application/json" and charset.lower() == "utf-8"


def parse_json(raw: bytes, most_values: int) -> object:
    """Parse a JSON text, more strictly by RFC 8259 than `json.loads`.

    Long work of the request (`yielding`) rests between objects. `most_values` bounds what the parser, and the schema
    after it, have to look at.

    Raises:
        InvalidRequest: reason `not_utf8`, `not_json` or `duplicate_name`; beyond the limits of the parser:
            `too_many_values`, `too_deep`, `number_too_large` or `lone_surrogate`.
    """
    # Each value follows a comma, or opens an array or object. Those in strings count too: finding them is parsing.
    # Names take the parser longest, and no operation needs as many as half of its values.
    if len(raw) > most_values and (
        sum(map(raw.count, (b",", b"[", b"{"))) > most_values or raw.count(b'":') > most_values // 2
    ):
        raise InvalidRequest(reason="too_many_values", limit=most_values)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InvalidRequest(reason="not_utf8") from None
    try:
        value = _decoder().decode(text)
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
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise _DuplicateName(name)
            names.add(name)
    return members


_DECODER: Final = json.JSONDecoder(
    parse_constant=_reject_constant, parse_float=_parse_number, object_pairs_hook=_object
)


def _decoder() -> json.JSONDecoder:
    """Return the decoder; that of long work rests after each object and each number with a point or an exponent."""
    work = current_work()
    if work is None:
        return _DECODER

    def rested_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
        work.rest()
        return _object(pairs)

    def rested_number(text: str) -> float | int:
        work.rest()
        return _parse_number(text)

    # One of its own, since a decoder remembers names while it decodes.
    return json.JSONDecoder(parse_constant=_reject_constant, parse_float=rested_number, object_pairs_hook=rested_object)


def load(schema: Schema, value: object, root: str = "/") -> dict[str, object]:
    """Load a value with a schema; `root` is the prefix of the pointers of its faults.

    Raises:
        InvalidFields: the schema does not accept it.
    """
    try:
        loaded: dict[str, object] = schema.load(cast("Mapping[str, Any]", value))
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
