"""Stored values: JSON with the name of its schema.

An event is stored in a field named after its schema; any other value begins with the schema's name and a colon. Unknown
names are errors. `service.game` defines the data inside. Add new schemas here, with a function that migrates the old
one.

What holds events that need a later release than 0.3 (`service.game.events.needs`) says so in the name: `s2>0.4`. A
process that does not understand that release refuses it, as it refuses later numbers of a schema.
"""

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from service.common.fastjson import dumps, loads
from service.game.events.needs import is_understood, latest, needs_of
from service.game.events.types import Event
from service.game.state.types import State
from service.store import chunks
from service.store.port import ArchivedGame, JsonObject, StoreCorrupt, StoreTooNew

EVENT: Final = b"e1"
STATE: Final = b"s2"
SETUP: Final = b"o1"
PLAYER: Final = b"p1"
GAME: Final = b"g2"
#: States including their set-up, as written by version 0.2.0.
_WHOLE_STATE: Final = b"s1"
_SETUP_FIELDS: Final = ("options", "settings")
#: Number of cached set-ups, about 10 KB each: nearly all loads of a table have the same one.
_SETUPS_KEPT: Final = 512
ANSWER: Final = b"a1"
RESULT: Final = b"r1"
TOKEN: Final = b"t1"
PAST_GAME: Final = b"l1"
NOTE: Final = b"n1"
SUBSCRIPTION: Final = b"w1"
DELIVERY: Final = b"d1"
CHOICE: Final = b"h1"
TICKET: Final = b"q1"
MATCH: Final = b"m1"
CHALLENGE: Final = b"v1"
REPORT: Final = b"f1"
DEED: Final = b"d1"
IDENTITY: Final = b"i1"
DOOR: Final = b"x1"
INVITE: Final = b"y1"
CIRCLE: Final = b"k1"
CIRCLE_HISTORY: Final = b"j1"
OBJECTION: Final = b"u1"
DEAL_LINK: Final = b"z1"
PAST_ROUND: Final = b"b1"
RIDDLE: Final = b"g1"
CLUB: Final = b"c1"
SEASON: Final = b"s1"
SEASON_EVENT: Final = b"e1"


_NAME: Final = re.compile(rb"([a-z])([0-9]{1,4})(?:>([0-9]{1,6}(?:[.][0-9]{1,6}){0,3}))?")


def named(schema: bytes, needs: str) -> bytes:
    """Return the name of a schema for data that need a release; "": 0.3."""
    return b"%b>%b" % (schema, needs.encode()) if needs else schema


def check_name(name: bytes, schema: bytes, what: str) -> None:
    """Check that this process understands data whose schema has this name.

    Raises:
        StoreTooNew: a later release has written them.
        StoreCorrupt: it is another schema; the message names `what`.
    """
    if name == schema:
        return
    parts = _NAME.fullmatch(name)
    if parts is not None:
        letter, number, needs = parts[1], int(parts[2]), (parts[3] or b"").decode()
        if not is_understood(needs) or (letter == schema[:1] and number > int(schema[1:])):
            raise StoreTooNew(what, needs)
        if name == named(schema, needs):
            return
    raise StoreCorrupt(f"{what}: unknown schema {name[:40]!r}, not {schema!r}")


def needs_in(name: bytes) -> str:
    """Return the release that data with this name of a schema need."""
    return name.partition(b">")[2].decode()


def encode(schema: bytes, value: object) -> bytes:
    """Return `schema:json`."""
    return b"%b:%b" % (schema, dumps(value))


def encode_state(state: State) -> bytes:
    """Return a state without its set-up, which `encode_setup` returns."""
    rest: JsonObject = {**state}
    for name in _SETUP_FIELDS:
        del rest[name]
    return encode(named(STATE, state.get("needs", "")), rest)


def encode_setup(state: State) -> bytes:
    """Return the set-up of a table: its options and settings, which do not change during a game."""
    return encode(SETUP, [state["options"], state["settings"]])


def same_setup(one: State, other: State) -> bool:
    """Return whether two states share their set-up, by identity, since a change creates new objects (decision 1)."""
    return one["options"] is other["options"] and one["settings"] is other["settings"]


def decode_state(snapshot: bytes | None, setup: bytes | None, what: str) -> State:
    """Return the state that was encoded. Raises as `decode`."""
    if (snapshot or b"").startswith(_WHOLE_STATE + b":"):
        whole: State = decode(_WHOLE_STATE, snapshot, what)
        return whole
    state: State = decode(STATE, snapshot, what)
    state["options"], state["settings"] = _setup(setup, f"set-up in {what}")
    return state


@lru_cache(maxsize=_SETUPS_KEPT)
def _setup(stored: bytes | None, what: str) -> Any:
    """Return options and settings; unchanged ones are the same objects, since rules are cached by identity."""
    return decode(SETUP, stored, what)


def checksum(encoded: bytes, start: int = 0) -> int:
    """Return the CRC-32 of encoded values, continued from `start`. It distinguishes snapshots of one version."""
    return zlib.crc32(encoded, start)


def decode(schema: bytes, stored: bytes | None, what: str) -> Any:
    """Decode the result of `encode`.

    Raises:
        StoreCorrupt: the value is missing or truncated, or has another schema; the message names `what`.
        StoreTooNew: a later release has written it.
    """
    name, colon, text = (stored or b"").partition(b":")
    if not colon:
        raise StoreCorrupt(f"{what}: {'a truncated value' if stored else 'a value is missing'}")
    check_name(name, schema, what)
    return _parse(text, what)


def encode_event(event: Event) -> bytes:
    """Encode an event as value of the field `EVENT`."""
    return dumps(event)


def decode_event(fields: Mapping[bytes, bytes], what: str) -> Event:
    """Decode the event of a log entry. Raises as `decode`."""
    event: Event = decode_field(EVENT, fields, what)
    return event


def decode_field(schema: bytes, fields: Mapping[bytes, bytes], what: str) -> Any:
    """Decode the value of an entry's field named after its schema. Raises as `decode`."""
    return _parse(field_of(schema, fields, what), what)


def field_of(schema: bytes, fields: Mapping[bytes, bytes], what: str) -> bytes:
    """Return the value of an entry's field named after its schema. Raises as `check_name`."""
    if schema in fields:
        return fields[schema]
    name = next(iter(fields), b"")
    check_name(name, schema, what)
    return fields[name]


def encode_game(record: ArchivedGame) -> bytes:
    """Encode a game: `schema:length:`, `length` bytes of compressed JSON, a chunk.

    The chunk holds the events, at least one; the JSON holds the rest.
    """
    rest = zlib.compress(dumps({name: value for name, value in record.items() if name != "events"}), 9)
    needs = latest([record["base"].get("needs", ""), *map(needs_of, record["events"])])
    return b"%b:%d:%b%b" % (named(GAME, needs), len(rest), rest, chunks.pack(record["events"]))


def decode_game(stored: bytes, what: str) -> ArchivedGame:
    """Decode the result of `encode_game`. Raises as `decode`."""
    name, _, packed = stored.partition(b":")
    if GAME.startswith(name) and name != GAME:
        raise StoreCorrupt(f"{what}: a truncated value")
    check_name(name, GAME, what)
    length, _, packed = packed.partition(b":")
    try:
        split = int(length)
        rest = _parse(zlib.decompress(packed[:split]), what)
    except (ValueError, zlib.error) as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
    return {"base": rest["base"], "events": chunks.unpack(packed[split:], what)}


def _parse(text: bytes, what: str) -> Any:
    try:
        return loads(text)
    except ValueError as error:
        raise StoreCorrupt(f"{what}: a truncated value ({error})") from error
