"""Values as they are stored: JSON with the name of its schema.

An event lies in a field named after its schema, any other value begins with the schema's name and a colon. Whoever
finds a name that this code does not know says so, rather than reading it as something else. What a schema means for
the data inside is the matter of `service.game`; a new one is added here together with the function that lifts it.
"""

import zlib
from collections.abc import Mapping
from typing import Any, Final

from service.fastjson import dumps, loads
from service.store import chunks
from service.store.port import StoreCorrupt

EVENT: Final = b"e1"
STATE: Final = b"s1"
PLAYER: Final = b"p1"
GAME: Final = b"g2"
ANSWER: Final = b"a1"
RESULT: Final = b"r1"


def encode(schema: bytes, value: Any) -> bytes:
    """Return `schema:json`."""
    return b"%b:%b" % (schema, dumps(value))


def seal(snapshot: bytes) -> int:
    """Return what tells one encoded snapshot from others of the same version."""
    return zlib.crc32(snapshot)


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


def encode_game(record: Mapping[str, Any]) -> bytes:
    """Return the log of a game as it is kept: `schema:length:`, so many bytes of compressed JSON, a chunk.

    The JSON is all of the record but its `events`, of which there is at least one; the chunk is these.
    """
    rest = zlib.compress(dumps({name: value for name, value in record.items() if name != "events"}), 9)
    return b"%b:%d:%b%b" % (GAME, len(rest), rest, chunks.pack(record["events"]))


def decode_game(stored: bytes, what: str) -> dict[str, Any]:
    """Return what `encode_game` was given. Raises as `decode`."""
    name, _, packed = stored.partition(b":")
    if GAME.startswith(name) and name != GAME:
        raise StoreCorrupt(f"{what}: a truncated value")
    if name != GAME:
        raise StoreCorrupt(f"{what}: unknown schema {name[:40]!r}, not {GAME!r}")
    length, _, packed = packed.partition(b":")
    try:
        split = int(length)
        rest = _parse(zlib.decompress(packed[:split]), what)
    except (ValueError, zlib.error) as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
    return {**rest, "events": chunks.unpack(packed[split:], what)}


def _parse(text: bytes, what: str) -> Any:
    try:
        return loads(text)
    except ValueError as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
