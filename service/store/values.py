"""Keys of Redis as JSON, so that they can be written to a backup and read from it.

    {"table": id, "keys": {"head": [type, milliseconds to live, value], …}, "index": {"due": score, "long": true, …}}
    {"key": name, "type": type, "ttl": milliseconds to live, "value": value}

Strings are in latin-1, so that each character is a byte.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeVar

from service.store import keys
from service.store.connections.commands import Client, Pipeline

T = TypeVar("T")
#: Number of elements of a large key read or written at a time.
PART: Final = 500
_OF_TABLE: Final = re.compile(r"sj:\{b\d+\}:([^:]+):(.+)")
_INDEX: Final = re.compile(r"sj:\{b\d+\}:([^:]+)")

#: See the module.
Line = dict[str, Any]


def entries(client: Client) -> Iterator[Line]:
    """Yield all data: the clock first, then tables, then the rest. All keys of a table are read in one transaction."""
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    others: list[str] = []
    indexes: dict[str, list[str]] = defaultdict(list)
    for stored in client.scan_iter(match="sj:*", count=PART):
        key = text(stored)
        if match := _OF_TABLE.fullmatch(key):
            tables[match[1]][match[2]] = key
        elif _INDEX.fullmatch(key):
            indexes[key.rpartition(":")[0]].append(key)
        elif keys.is_saved(key):
            others.append(key)
    if keys.CLOCK in others:
        others.remove(keys.CLOCK)
        yield from _read_key(client, keys.CLOCK)
    for table, its_keys in tables.items():
        bucket = next(iter(its_keys.values())).rpartition(f":{table}:")[0]
        if (line := _read_table(client, table, its_keys, sorted(indexes[bucket]))) is not None:
            yield line
    for key in sorted(others):
        yield from _read_key(client, key)


#: Names of keys that nearly every table has, with their types.
_USUAL: Final = {"head": "hash", "log": "stream", "old": "stream", "orders": "hash"}


def _read_table(client: Client, table: str, its_keys: dict[str, str], indexes: list[str]) -> Line | None:
    bucket = next(iter(its_keys.values())).rpartition(f":{table}:")[0]
    usual = {f"{bucket}:{table}:{name}": kind for name, kind in _USUAL.items()}
    # It may be put to sleep or woken meanwhile, which deletes some of its keys or makes them.
    its_keys = {**{name.rpartition(":")[2]: name for name in usual}, **its_keys}
    kinds = {key: text(client.type(key)) for key in (*its_keys.values(), *indexes)}
    kinds |= {name: kind for name, kind in usual.items() if kinds[name] == "none"}
    pipeline = client.pipeline(transaction=True)
    whole = [(name, key) for name, key in its_keys.items() if kinds[key] in _READ]
    for _, key in whole:
        _READ[kinds[key]](pipeline, key)
        pipeline.pttl(key)
    listing = [key for key in indexes if kinds[key] in _READ_ENTRY]
    for key in listing:
        _READ_ENTRY[kinds[key]](pipeline, key, table)
    answers = iter(pipeline.execute())
    read = {}
    for name, key in whole:
        value, ttl = _plain(kinds[key], next(answers)), next(answers)
        if value:
            read[name] = [kinds[key], ttl, value]
    if "head" not in read:
        # It has expired since its name was read.
        return None
    entries = {key.rpartition(":")[2]: _entry(kinds[key], next(answers)) for key in listing}
    return {"table": table, "keys": read, "index": {name: at for name, at in entries.items() if at is not None}}


def _entry(kind: str, answer: Any) -> float | bool | None:
    """Return the score of a table in a sorted set, or True for a member of a set; None: it is not there."""
    if kind == "set":
        return bool(answer) or None
    return None if answer is None else float(answer)


#: Type of an index -> function that reads what it has of a table.
_READ_ENTRY: Final[dict[str, Callable[[Pipeline, str, str], object]]] = {
    "zset": lambda pipeline, key, table: pipeline.zscore(key, table),
    "set": lambda pipeline, key, table: pipeline.sismember(key, table),
}

#: Type -> function that reads a whole key, by a client or a pipeline. The service has no other types.
_READ: Final[dict[str, Callable[[Client, str], object]]] = {
    "string": lambda pipeline, key: pipeline.get(key),
    "hash": lambda pipeline, key: pipeline.hgetall(key),
    "zset": lambda pipeline, key: pipeline.zrange(key, 0, -1, withscores=True),
    "set": lambda pipeline, key: pipeline.smembers(key),
    "stream": lambda pipeline, key: pipeline.xrange(key),
    "list": lambda pipeline, key: pipeline.lrange(key, 0, -1),
}


def _read_key(client: Client, key: str) -> Iterator[Line]:
    """Read a key, a large one in parts, so that it does not block the server."""
    kind, ttl = text(client.type(key)), client.pttl(key)
    if kind == "hash":
        parts: Iterator[object] = _parts(client.hscan_iter(key, count=PART), dict)
    elif kind == "zset":
        parts = _parts(client.zscan_iter(key, count=PART), list)
    elif kind == "set":
        parts = _parts(client.sscan_iter(key, count=PART), list)
    elif kind in _READ:
        parts = iter([_READ[kind](client, key)])
    else:  # it has expired
        return
    for part in parts:
        if part:
            yield {"key": key, "type": kind, "ttl": ttl, "value": _plain(kind, part)}


def _parts(elements: Iterable[T], gather: Callable[[list[T]], object]) -> Iterator[object]:
    part: list[T] = []
    for element in elements:
        part.append(element)
        if len(part) == PART:
            yield gather(part)
            part = []
    yield gather(part)


def _plain(kind: str, value: Any) -> object:
    """Return a value of Redis as JSON."""
    if not value:
        return None
    if kind == "hash":
        return {_latin(name): _latin(held) for name, held in _pairs(value)}
    if kind == "zset":
        return [[_latin(member), score] for member, score in value]
    if kind in ("set", "list"):
        return [_latin(member) for member in value]
    if kind == "stream":
        return [[_latin(one), {_latin(name): _latin(held) for name, held in _pairs(fields)}] for one, fields in value]
    return _latin(value)


def _pairs(fields: Any) -> Iterable[tuple[Any, Any]]:
    """Return names and values, which the library leaves in one list in transactions on a cluster."""
    return fields.items() if isinstance(fields, dict) else zip(fields[::2], fields[1::2], strict=True)


def restore_table(client: Client, line: Line) -> None:
    """Write a table into its current bucket, which may differ from that in which it was read."""
    table = line["table"]
    bucket = keys.head(table).partition(f":{table}:")[0]
    for name, (kind, ttl, value) in line["keys"].items():
        restore_key(client, f"{bucket}:{table}:{name}", kind, ttl, value)
    for name, score in line["index"].items():
        if score is True:
            client.sadd(f"{bucket}:{name}", table)
        else:
            client.zadd(f"{bucket}:{name}", {table: score})


def restore_clock(client: Client, line: Line) -> None:
    """Replace the clock."""
    client.delete(keys.CLOCK)
    restore_key(client, line["key"], line["type"], line["ttl"], line["value"])


def restore_key(client: Client, key: str, kind: str, ttl: int, value: Any) -> None:
    """Write a key, or a part of a large one; it lives for `ttl` milliseconds, or for ever if that is not positive."""
    pipeline = client.pipeline(transaction=False)
    if kind == "hash":
        pipeline.hset(key, mapping={_bytes(name): _bytes(held) for name, held in value.items()})
    elif kind == "zset":
        pipeline.zadd(key, {_bytes(member): score for member, score in value})
    elif kind == "set":
        pipeline.sadd(key, *map(_bytes, value))
    elif kind == "list":
        pipeline.rpush(key, *map(_bytes, value))
    elif kind == "stream":
        for one, fields in value:
            pipeline.xadd(key, {_bytes(name): _bytes(held) for name, held in fields.items()}, id=_bytes(one))
    else:
        pipeline.set(key, _bytes(value))
    if ttl > 0:
        pipeline.pexpire(key, ttl)
    pipeline.execute()


def names_of(client: Client, key: keys.Key) -> Iterator[str]:
    """Yield, of all keys of a row, the part in which they differ."""
    for name in client.scan_iter(match=key.glob(), count=PART):
        if match := key.matching().fullmatch(text(name)):
            yield match[1]


def text(key: bytes | str) -> str:
    """Return the name of a key."""
    return key.decode() if isinstance(key, bytes) else key


def _latin(value: bytes | str | int) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _bytes(value: str) -> bytes:
    return value.encode("latin-1")
