"""Values as they are stored: JSON with the name of its schema.

An event lies in a field named after its schema, any other value begins with the schema's name and a colon. Whoever
finds a name that this code does not know says so, rather than reading it as something else. What a schema means for
the data inside is the matter of `service.game`; a new one is added here together with the function that lifts it.
"""

import zlib
from collections.abc import Mapping
from typing import Any, Final

from service.fastjson import dumps, loads
from service.store.port import StoreCorrupt

EVENT: Final = b"e1"
STATE: Final = b"s1"
PLAYER: Final = b"p1"
GAME: Final = b"g1"
ANSWER: Final = b"a1"
RESULT: Final = b"r1"


def encode(schema: bytes, value: Any) -> bytes:
    """Return `schema:json`."""
    return b"%b:%b" % (schema, dumps(value))


def decode(schema: bytes, stored: bytes | None, what: str) -> Any:
    """Return what `encode` was given.

    Raises:
        StoreCorrupt: the value is missing or truncated, or of another schema; the text names `what`.
    """
    name, colon, text = (stored or b"").partition(b":")
    if not colon:
        raise StoreCorrupt(f"{what}: {'a truncated value' if stored else 'a value is missing'}")
    if name != schema:
        raise StoreCorrupt(f"{what}: unknown schema {name[:40]!r}, not {schema!r}")
    return _parse(text, what)


def encode_event(event: Mapping[str, Any]) -> bytes:
    """Return the value of an event's field `EVENT`."""
    return dumps(event)


def decode_event(fields: Mapping[bytes, bytes], what: str) -> dict[str, Any]:
    """Return the event of a log entry. Raises as `decode`."""
    if EVENT not in fields:
        raise StoreCorrupt(f"{what}: unknown schema {sorted(fields)!r}, not {EVENT!r}")
    event: dict[str, Any] = _parse(fields[EVENT], what)
    return event


def pack(schema: bytes, value: Any) -> bytes:
    """Return `schema:` and compressed JSON."""
    return b"%b:%b" % (schema, zlib.compress(dumps(value), 9))


def unpack(schema: bytes, stored: bytes, what: str) -> Any:
    """Return what `pack` was given. Raises as `decode`."""
    name, _, packed = stored.partition(b":")
    try:
        return decode(schema, name + b":" + zlib.decompress(packed), what)
    except zlib.error as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error


def _parse(text: bytes, what: str) -> Any:
    try:
        return loads(text)
    except ValueError as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
