"""Backups: `python -m service.backup save|check|restore FILE`; `-` is standard input or output.

`python -m service.backup keep FOLDER` saves to a new file there, checks it, notes for `/metrics` when it was made, and
deletes those that are older than `--days`; with `--every`, again after so many hours.

A backup is taken from a running service and contains everything acknowledged before it began. It does not depend on
server, version or cluster, so it can also move data between them.

The file is gzip of JSON lines, strings in latin-1, so that each character is a byte:

    {"backup": 1, "at": ms, "version": "0.2.0"}
    entries: see `service.store.values`
    {"end": number of lines between the first and this}

The clock comes first, so that deadlines count from then on, even if games went on during the backup. All keys of a
table are read in one transaction. Tables come before results: a game that ends meanwhile is settled again after a
restore, which counts it once; in the reverse order it could be lost.
"""

import argparse
import contextlib
import gzip
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any, Final

from redis.exceptions import RedisError

from service.common.settings import VERSION, Settings, SettingsError
from service.game.events.evolve import fold
from service.jobs import worker_status
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError
from service.store import codec, keys
from service.store.connections.clients import command_client, queue_client
from service.store.connections.commands import Client
from service.store.connections.opening import NEWER, CannotStartError, newer_release, open_tables
from service.store.port import StoreCorrupt, StoreTooNew
from service.store.stores import Stores
from service.store.values import PART, Line, entries, names_of, restore_clock, restore_key, restore_table, text

FORMAT: Final = 1
#: Number of events read at a time when checking a backup.
PAGE: Final = 1_000
#: What `check` calls tables and games that it could not check.
OF_NEWER: Final = "of them changed by a newer release and not checked"
#: Names of the files of `keep`, by the time at which they were begun.
NAME: Final = "shengji-%Y%m%dT%H%M%SZ.backup"
#: Seconds after which `keep --every` tries again after a failure.
AGAIN_S: Final = 600.0


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
        for count, line in enumerate(entries(client), start=1):  # noqa: B007 - only the last value is used
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
    names = map(text, client.scan_iter(match="sj:*", count=PART))
    if any(keys.is_saved(name) and name != keys.CLOCK for name in names):
        raise BackupError("This Redis holds data of the service; restore into an empty one. Nothing was changed.")
    client.set(keys.BUCKETS, keys.buckets())
    count, clock = 0, None
    for line in _lines(file):
        count += 1
        if "table" in line:
            restore_table(client, line)
        elif line["key"] == keys.CLOCK:
            clock = line
            restore_clock(client, line)
        else:
            restore_key(client, line["key"], line["type"], line["ttl"], line["value"])
    if clock is not None:
        # Once more: for waiting processes, the outage lasted until now.
        restore_clock(client, clock)
    return count


def check(file: IO[bytes]) -> dict[str, int]:
    """Restore a backup into a temporary Redis and load everything; return the numbers by kind.

    Raises:
        BackupError: the file is not a complete backup, or something in it cannot be loaded.
        EmbeddedRedisError: the Redis does not start.
    """
    with (
        tempfile.TemporaryDirectory(prefix="shengji-backup-") as folder,
        EmbeddedRedis(Path(folder), {"appendonly": "no"}) as server,
    ):
        client = command_client(server.url)
        restore(client, file)
        stores = Stores(client, cached_tables=0)
        counts: dict[str, int] = {"tables": 0, "events": 0, "games": 0, "players": 0}
        try:
            for table in names_of(client, keys.TABLES):
                counts["tables"] += 1
                with _left(counts):
                    counts["events"] += _check_table(stores.tables, table)
            for game in names_of(client, keys.GAMES):
                counts["games"] += 1
                with _left(counts):
                    stores.archive.load_archive(game)
            for game in names_of(client, keys.PAST_GAMES):
                listed: Any = client.get(keys.past_game(game))
                codec.decode(codec.PAST_GAME, listed, keys.past_game(game))
            for player, _ in client.hscan_iter(keys.RECORDS):
                stores.players.get(text(player))
                counts["players"] += 1
            for token_hash, grant in client.hscan_iter(keys.GRANTS):
                codec.decode(codec.TOKEN, grant, f"token {text(token_hash)}")
        except StoreCorrupt as error:
            raise BackupError(f"The backup holds something that cannot be loaded: {error}") from None
        finally:
            client.close()
        return counts


@contextlib.contextmanager
def _left(counts: dict[str, int]) -> Iterator[None]:
    """Count what only a newer release can check."""
    try:
        yield
    except StoreTooNew:
        counts[OF_NEWER] = counts.get(OF_NEWER, 0) + 1


def keep(client: Client, folder: Path, days: int, now: datetime) -> str:
    """Save a backup into a folder and check it; return what it holds, for people.

    Files of `keep` that are more than `days` old are deleted, once the new one has been checked.

    Raises:
        BackupError: the new backup is not right; its file ends in `.failed`, and nothing is deleted.
        EmbeddedRedisError, OSError, RedisError: it could not be made or checked.
    """
    path = folder / now.strftime(NAME)
    _save_to(client, str(path))
    try:
        with path.open("rb") as file:
            counts = check(file)
    except BackupError:
        path.rename(path.with_name(f"{path.name}.failed"))
        raise
    for other in folder.glob("shengji-*"):
        with contextlib.suppress(ValueError):
            created_at = datetime.strptime(other.name.partition(".backup")[0] + ".backup", NAME).replace(tzinfo=UTC)
            # Parts of backups that were killed, and failed ones, go in the same way.
            if now - created_at > timedelta(days=days):
                other.unlink()
    return f"{path} holds {_counted(counts)}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def _check_table(store: Any, table: str) -> int:
    stored = store.load(table)
    log: list[Any] = []
    while page := store.events(table, len(log), PAGE):
        log += page
    if stored is None or stored.version != len(log) or json.loads(json.dumps(fold(log))) != stored.state:
        raise BackupError(f"The backup holds table {table} with a log that does not tell its state.")
    return len(log)


# --- the file ---------------------------------------------------------------------------------------------------------


def _write(out: IO[bytes] | gzip.GzipFile, line: Line) -> None:
    out.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def _lines(file: IO[bytes]) -> Iterator[Line]:
    """Yield the entries of a backup.

    Raises:
        BackupError: it is not a backup, is of a later version, or is incomplete.
    """
    count, ended = -1, False
    try:
        with gzip.GzipFile(fileobj=file, mode="rb") as opened:
            for read in opened:
                line = json.loads(read)
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


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m service.backup", description=__doc__.partition("\n")[0])
    parser.add_argument("command", choices=["save", "check", "restore", "keep"])
    parser.add_argument("file", help="- for standard input or output; for `keep` a folder")
    parser.add_argument("--days", type=int, default=14, help="keep: delete backups that are older (default: 14)")
    parser.add_argument("--every", type=float, metavar="HOURS", help="keep: go on, with a new one after so many hours")
    options = parser.parse_args(arguments)
    while True:
        try:
            sys.stderr.write(f"backup: {_done(options)}\n")
            wait_s = (options.every or 0) * 3_600
        except (BackupError, SettingsError, CannotStartError, EmbeddedRedisError, RedisError, OSError) as error:
            if not options.every:
                sys.exit(f"backup: {error}")
            sys.stderr.write(f"backup: {error} Next try in {AGAIN_S / 60:g} minutes.\n")
            wait_s = AGAIN_S
        if not options.every:
            return 0
        time.sleep(wait_s)


def _done(options: argparse.Namespace) -> str:
    """Run the command once; return what it did, for people."""
    if options.command == "check":
        with _opened(options.file) as file:
            return _counted(check(file))
    settings = Settings.for_processes()
    open_tables(settings.redis_url, settings.buckets, wait_s=0)
    with contextlib.closing(command_client(settings.redis_url)) as client:
        if options.command == "save":
            return f"{_save_to(client, options.file)} entries saved"
        if options.command == "restore":
            with _opened(options.file) as file:
                count = restore(client, file)
            if needed := newer_release(client):
                sys.stderr.write(f"backup: {NEWER.format(release=needed)}\n")
            return f"{count} entries restored"
        now = datetime.now(UTC)
        report = keep(client, Path(options.file), options.days, now)
    with contextlib.closing(queue_client(settings.queue_urls[0])) as jobs:
        worker_status.note_backup(jobs, int(now.timestamp() * 1_000))
    return report


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
