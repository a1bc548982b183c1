"""JSON to bytes and back, hiding which library does it.

orjson takes a tenth of the standard library's time on a table's state. It rejects lone surrogates and integers beyond
64 bits, which clients may send; these rare values take the slow path. It writes NaN as null, but NaN is never stored or
sent here.
"""

import json
from typing import Any, Final

import orjson

_slow_dumps: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def dumps(value: object) -> bytes:
    """Encode a JSON value as bytes, without spaces.

    Raises:
        TypeError, ValueError: it is not a JSON value.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return _slow_dumps(value).encode("ascii")


def loads(text: bytes | str) -> Any:
    """Decode a JSON text.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
