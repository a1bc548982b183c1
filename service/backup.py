"""Backups: `python -m service.backup save|check|restore FILE`; `-` is standard input or output.

A backup is taken from a running service and contains everything acknowledged before it began. It does not depend on
server, version or cluster, so it can also move data between them.

The file is gzip of JSON lines, strings in latin-1, so that each character is a byte:

    {"backup": 1, "at": ms, "version": "0.2.0"}
    {"table": id, "keys": {"head": [type, milliseconds to live, value], …}, "index": {"due": score, "long": true, …}}
    {"key": name, "type": type, "ttl": milliseconds to live, "value": value}
    {"end": number of lines between the first and this}

The clock comes first, so that deadlines count from then on, even if games went on during the backup. All keys of a
table are read in one transaction. Tables come before results: a game that ends meanwhile is settled again after a
restore, which counts it once; in the reverse order it could be lost.
"""

import argparse
import gzip
import json
import os
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from redis.exceptions import RedisError

from service.common.settings import VERSION, Settings, SettingsError
from service.game.events.evolve import fold
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError
from service.store import codec, keys
from service.store.connections.clients import Client, command_client
from service.store.connections.opening import CannotStartError, open_tables
from service.store.port import StoreCorrupt
from service.store.redis_store import redis_stores

FORMAT: Final = 1
#: Number of elements of a large key read or written at a time.
PART: Final = 500
#: Number of events read at a time when checking a backup.
PAGE: Final = 1_000
#: Keys that are not backed up: data of running processes.
_OF_PROCESSES: Final = ("sj:alive:", "sj:jobs:", keys.LOOKS, keys.BUCKETS)
_OF_TABLE: Final = re.compile(r"sj:\{b\d+\}:([^:]+):([^:]+)")
_INDEX: Final = re.compile(r"sj:\{b\d+\}:([^:]+)")

_Line = dict[str, Any]


class BackupError(Exception):
    """A backup cannot be made, read or restored. The message says why and what to do."""


def save(client: Client, file: IO[bytes]) -> int:
    """Write a backup; return the number of its entries.

    Raises:
        RedisError: the connection failed.
    """
    count = 0
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6) as out:
        _write(out, {"backup": FORMAT, "at": time.time_ns() // 1_000_000, "version": VERSION})
        for count, line in enumerate(_entries(client), start=1):  # noqa: B007 - only the last value is used
            _write(out, line)
        _write(out, {"end": count})
    return count


def restore(client: Client, file: IO[bytes]) -> int:
    """Restore a backup into an empty Redis; return the number of entries.

    Tables are put into their current buckets, which may differ from those in the backup.

    Raises:
        BackupError: the Redis is not empty, or the file is not a complete backup.
    """
    # Processes that wait for the data may already be running.
    if any(
        not _text(key).startswith((*_OF_PROCESSES, keys.CLOCK)) for key in client.scan_iter(match="sj:*", count=PART)
    ):
        raise BackupError("This Redis holds data of the service; restore into an empty one. Nothing was changed.")
    client.set(keys.BUCKETS, keys.buckets())
    count, clock = 0, None
    for line in _lines(file):
        count += 1
        if "table" in line:
            _restore_table(client, line)
        elif line["key"] == keys.CLOCK:
            clock = line
            _restore_clock(client, line)
        else:
            _restore_key(client, line["key"], line["type"], line["ttl"], line["value"])
    if clock is not None:
        # Once more: for waiting processes, the outage lasted until now.
        _restore_clock(client, clock)
    return count


def check(file: IO[bytes]) -> dict[str, int]:
    """Restore a backup into a temporary Redis and load everything; return the numbers by kind.

    Raises:
        BackupError: the file is not a complete backup, or something in it cannot be loaded.
        EmbeddedRedisError: the Redis does not start.
    """
    with tempfile.TemporaryDirectory(prefix="shengji-backup-") as folder, EmbeddedRedis(Path(folder)) as server:
        client = command_client(server.url)
        restore(client, file)
        stores = redis_stores(client, cached_tables=0)
        found: dict[str, int] = {"tables": 0, "events": 0, "games": 0, "players": 0}
        try:
            for key in client.scan_iter(match="sj:{b*}:*:head"):
                table = _text(key).split(":")[2]
                found["tables"] += 1
                found["events"] += _check_table(stores.tables, table)
            for key in client.scan_iter(match="sj:game:*"):
                stores.archive.load_archive(_text(key).removeprefix("sj:game:"))
                found["games"] += 1
            for key in client.scan_iter(match="sj:past:*"):
                listed: Any = client.get(key)
                codec.decode(codec.PAST_GAME, listed, _text(key))
            for player, _ in client.hscan_iter(keys.RECORDS):
                stores.players.get(_text(player))
                found["players"] += 1
            for token_hash, grant in client.hscan_iter(keys.GRANTS):
                codec.decode(codec.TOKEN, grant, f"token {_text(token_hash)}")
        except StoreCorrupt as error:
            raise BackupError(f"The backup holds something that cannot be loaded: {error}") from None
        finally:
            client.close()
        return found


def _check_table(store: Any, table: str) -> int:
    stored = store.load(table)
    log: list[Any] = []
    while page := store.events(table, len(log), PAGE):
        log += page
    if stored is None or stored.version != len(log) or json.loads(json.dumps(fold(log))) != stored.state:
        raise BackupError(f"The backup holds table {table} with a log that does not tell its state.")
    return len(log)


# --- reading ----------------------------------------------------------------------------------------------------------


def _entries(client: Client) -> Iterator[_Line]:
    tables: dict[str, dict[str, str]] = defaultdict(dict)
    others: list[str] = []
    indexes: dict[str, list[str]] = defaultdict(list)
    for found in client.scan_iter(match="sj:*", count=PART):
        key = _text(found)
        if match := _OF_TABLE.fullmatch(key):
            tables[match[1]][match[2]] = key
        elif _INDEX.fullmatch(key):
            indexes[key.rpartition(":")[0]].append(key)
        elif not key.startswith(_OF_PROCESSES):
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


def _read_table(client: Any, table: str, its_keys: dict[str, str], indexes: list[str]) -> _Line | None:
    types = {name: _text(client.type(key)) for name, key in its_keys.items()}
    kinds = {key: _text(client.type(key)) for key in indexes}
    pipeline = client.pipeline(transaction=True)
    wanted = [(name, key) for name, key in its_keys.items() if types[name] in _READ]
    for name, key in wanted:
        _READ[types[name]](pipeline, key)
        pipeline.pttl(key)
    ranked = [key for key in indexes if kinds[key] in ("zset", "set")]
    for key in ranked:
        (pipeline.zscore if kinds[key] == "zset" else pipeline.sismember)(key, table)
    answers = iter(pipeline.execute())
    read = {name: [types[name], _plain(types[name], next(answers)), next(answers)] for name, _ in wanted}
    index = {key.rpartition(":")[2]: next(answers) for key in ranked}
    for key in ranked:
        # Membership for a set; score, or nothing, for a sorted set.
        if kinds[key] == "set":
            index[key.rpartition(":")[2]] = bool(index[key.rpartition(":")[2]]) or None
    # The key may have expired since its name was read.
    if "head" not in read or not read["head"][1]:
        return None
    return {
        "table": table,
        "keys": {name: [kind, ttl, value] for name, (kind, value, ttl) in read.items() if value},
        "index": {name: found for name, found in index.items() if found is not None},
    }


#: Type -> function that reads a whole key, by a client or a pipeline. The service has no other types.
_READ: Final[dict[str, Callable[[Any, str], Any]]] = {
    "string": lambda pipeline, key: pipeline.get(key),
    "hash": lambda pipeline, key: pipeline.hgetall(key),
    "zset": lambda pipeline, key: pipeline.zrange(key, 0, -1, withscores=True),
    "set": lambda pipeline, key: pipeline.smembers(key),
    "stream": lambda pipeline, key: pipeline.xrange(key),
    "list": lambda pipeline, key: pipeline.lrange(key, 0, -1),
}


def _read_key(client: Any, key: str) -> Iterator[_Line]:
    """Read a key, a large one in parts, so that it does not block the server."""
    kind, ttl = _text(client.type(key)), client.pttl(key)
    if kind == "hash":
        parts: Iterator[Any] = _parts(client.hscan_iter(key, count=PART), dict)
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


def _parts(elements: Iterable[Any], gather: Callable[[list[Any]], Any]) -> Iterator[Any]:
    part: list[Any] = []
    for element in elements:
        part.append(element)
        if len(part) == PART:
            yield gather(part)
            part = []
    yield gather(part)


def _plain(kind: str, value: Any) -> Any:
    """Return a value of Redis as JSON."""
    if not value:
        return None
    if kind == "hash":
        return {_latin(name): _latin(held) for name, held in value.items()}
    if kind == "zset":
        return [[_latin(member), score] for member, score in value]
    if kind in ("set", "list"):
        return [_latin(member) for member in value]
    if kind == "stream":
        return [[_latin(one), {_latin(name): _latin(held) for name, held in fields.items()}] for one, fields in value]
    return _latin(value)


# --- writing ----------------------------------------------------------------------------------------------------------


def _restore_table(client: Any, line: _Line) -> None:
    table = line["table"]
    bucket = keys.head(table).partition(f":{table}:")[0]
    for name, (kind, ttl, value) in line["keys"].items():
        _restore_key(client, f"{bucket}:{table}:{name}", kind, ttl, value)
    for name, score in line["index"].items():
        if score is True:
            client.sadd(f"{bucket}:{name}", table)
        else:
            client.zadd(f"{bucket}:{name}", {table: score})


def _restore_clock(client: Any, line: _Line) -> None:
    client.delete(keys.CLOCK)
    _restore_key(client, line["key"], line["type"], line["ttl"], line["value"])


def _restore_key(client: Any, key: str, kind: str, ttl: int, value: Any) -> None:
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


# --- the file ---------------------------------------------------------------------------------------------------------


def _write(out: IO[bytes] | gzip.GzipFile, line: _Line) -> None:
    out.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def _lines(file: IO[bytes]) -> Iterator[_Line]:
    """Yield the entries of a backup.

    Raises:
        BackupError: it is not a backup, is of a later version, or is incomplete.
    """
    count, ended = -1, False
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as opened:
            for text in opened:
                line = json.loads(text)
                if count == -1:
                    if line.get("backup") != FORMAT:
                        raise BackupError(f"This is no backup of format {FORMAT}; a newer version may have written it.")
                elif "end" in line:
                    ended = line["end"] == count
                    break
                else:
                    yield line
                count += 1
    except (OSError, EOFError, ValueError, AttributeError) as error:
        raise BackupError(f"The backup cannot be read ({error}); take another one.") from None
    if not ended:
        raise BackupError(f"The backup breaks off after {max(count, 0)} entries; take another one.")


def _text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key


def _latin(value: bytes | str | int) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _bytes(text: str) -> bytes:
    return text.encode("latin-1")


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m service.backup", description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=["save", "check", "restore"])
    parser.add_argument("file", help="- for standard input or output")
    given = parser.parse_args(arguments)
    try:
        if given.command == "check":
            with _opened(given.file) as file:
                told = ", ".join(f"{count} {what}" for what, count in check(file).items())
        else:
            settings = Settings.for_processes()
            open_tables(settings.redis_url, settings.buckets, wait_s=0)
            client = command_client(settings.redis_url)
            if given.command == "save":
                told = f"{_save_to(client, given.file)} entries saved"
            else:
                with _opened(given.file) as file:
                    told = f"{restore(client, file)} entries restored"
    except (BackupError, SettingsError, CannotStartError, EmbeddedRedisError, RedisError, OSError) as error:
        sys.exit(f"backup: {error}")
    sys.stderr.write(f"backup: {told}\n")
    return 0


def _save_to(client: Client, name: str) -> int:
    """Write to a temporary file first, so that the named file is always complete. Only its owner may read it."""
    if name == "-":
        return save(client, sys.stdout.buffer)
    path = Path(name)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        count = save(client, file)
    part.replace(path)
    return count


def _opened(name: str) -> IO[bytes]:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
