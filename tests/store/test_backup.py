"""Backups: taken from a running service, complete or refused, and restored into any Redis."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from harness.make_run import ROOT
from service import backup
from service.backup import BackupError
from service.common.settings import Settings
from service.processes.embedded_redis import EmbeddedRedis
from service.store import compaction, keys, values
from service.store.connections.clients import command_client
from service.store.shared_clock import SharedClock
from service.store.stores import Stores
from tests.api.conftest import World
from tests.store.conftest import START, put, some_events
from workers import ai


@pytest.fixture(scope="module")
def world(module_redis: str) -> Iterator[World]:
    """A service with tables in play and in the lobby, a long log, a finished game, players and their results."""
    new_world = World(module_redis, Settings())
    finished = new_world.table(ruleset="arms_length")
    while finished.state()["status"] == "playing":
        finished.step()
    new_world.tables.advance(finished.id, None, ai.choose)
    playing = new_world.table(clock={"declare_ms": 3_600_000})
    for _ in range(compaction.LONG_LOG):
        playing.clients[0].post(f"{playing.path}/chat", {"text": "hello"})
    host = new_world.player()
    host.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"})
    host.post("/v1/clubs", {"name": "Lakeside"})
    host.post("/v1/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}})
    host.post("/v1/me/recovery-code")
    host.post("/v1/me/tokens", {"name": "Score board", "scopes": ["tables:read"]})
    yield new_world
    new_world.close()


@pytest.fixture
def target(tmp_path: Path) -> Iterator[backup.Client]:
    with EmbeddedRedis(tmp_path / "target") as server, command_client(server.url) as client:
        yield client


def saved(world: World) -> bytes:
    file = io.BytesIO()
    backup.save(world.redis, file)
    return file.getvalue()


def everything(client: backup.Client) -> dict[str, object]:
    """All keys of the service with values, except data of running processes."""
    values: dict[str, object] = {}
    for key in client.scan_iter(match="sj:*"):
        kind = client.type(key).decode()
        values[key.decode()] = {
            "string": client.get,
            "hash": client.hgetall,
            "set": client.smembers,
            "zset": lambda one: client.zrange(one, 0, -1, withscores=True),
            "stream": client.xrange,
            "list": lambda one: client.lrange(one, 0, -1),
        }[kind](key)
    return {key: value for key, value in values.items() if keys.is_saved(key)}


def test_restored_data_equal_saved_data(world: World, target: backup.Client) -> None:
    assert backup.restore(target, io.BytesIO(saved(world))) > 10
    assert everything(target) == everything(world.redis)
    assert any(":inbox:" in key for key in everything(target))
    kinds = {key.rpartition(":")[2] for key in everything(target)}
    assert any(key.startswith("sj:past:") for key in everything(target))
    assert any(key.startswith("sj:circle:") for key in everything(target))
    assert any(target.type(key) == b"list" for key in everything(target))
    assert any(key.startswith("sj:{players}:games:") for key in everything(target))
    assert {"head", "log", "due", "owed", "long", "lobby", "record", "leaders", "token", "grant", "recovery"} <= kinds
    for key in everything(world.redis):
        assert (target.pttl(key) < 0) == (world.redis.pttl(key) < 0), key


def test_checking_a_backup_loads_all_of_it(world: World) -> None:
    report = backup.check(io.BytesIO(saved(world)))
    assert report["tables"] == 3
    assert report["games"] == 1
    assert report["players"] >= 9
    assert report["events"] > 100


def test_large_keys_are_read_in_parts(world: World, target: backup.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "PART", 2)
    backup.restore(target, io.BytesIO(saved(world)))
    assert everything(target) == everything(world.redis)


def test_tables_are_restored_to_their_current_buckets(
    world: World, target: backup.Client, request: pytest.FixtureRequest
) -> None:
    table = next(key.split(":")[2] for key in everything(world.redis) if key.endswith(":head"))
    world.redis.sadd(keys.watchers(table, "abcdefgh"), "pl_1")
    file = saved(world)
    keys.use_buckets(64)
    request.addfinalizer(lambda: keys.use_buckets(keys.USUAL_BUCKETS))
    backup.restore(target, io.BytesIO(file))
    assert target.get(keys.BUCKETS) == b"64"
    assert target.smembers(keys.watchers(table, "abcdefgh")) == {b"pl_1"}
    tables = {key.split(":")[2] for key in everything(world.redis) if key.endswith(":head")}
    for table in tables:
        assert target.hget(keys.head(table), "v") is not None
        members = [target.zscore(keys.due(bucket), table) for bucket in range(64) if bucket != keys.bucket_of(table)]
        assert members == [None] * 63
    due = [member for bucket in range(64) for member in target.zrange(keys.due(bucket), 0, -1)]
    assert len(due) == sum(world.redis.zcard(key) for key in world.redis.scan_iter(match="*:due"))


def test_other_data_prevent_a_restore(world: World) -> None:
    before = everything(world.redis)
    with pytest.raises(BackupError, match="into an empty one"):
        backup.restore(world.redis, io.BytesIO(saved(world)))
    assert everything(world.redis) == before


def test_waiting_processes_do_not_prevent_a_restore(world: World, target: backup.Client) -> None:
    target.zadd("sj:alive:clock", {"one": 1})
    with closing(SharedClock(target)) as clock:
        clock()
    assert backup.restore(target, io.BytesIO(saved(world))) > 10


def test_the_time_since_a_backup_counts_as_an_outage(target: backup.Client) -> None:
    hour_ago = time.time_ns() // 1_000_000 - 3_600_000
    with closing(SharedClock(target, is_api=True)) as api, closing(SharedClock(target)) as worker:
        api()
        target.hset(keys.CLOCK, mapping={"last": hour_ago, "ahead": 0, "heard": hour_ago, "gaps": ""})
        file = io.BytesIO()
        backup.save(target, file)
        target.delete(keys.CLOCK)
        api.read()
        # The processes wait for the data and run on during the restore.
        backup.restore(target, io.BytesIO(file.getvalue()))
        worker.read()
        api.read()
        [(since, until)] = api.interruptions().gaps
        assert since == hour_ago
        assert until >= hour_ago + 3_600_000


@pytest.mark.parametrize("remaining", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_backup_is_refused(world: World, remaining: float) -> None:
    whole = saved(world)
    with pytest.raises(BackupError, match="take another one"):
        backup.check(io.BytesIO(whole[: int(len(whole) * remaining)]))


def changed(file: bytes, change: dict[str, object]) -> bytes:
    lines = [json.loads(line) for line in gzip.decompress(file).splitlines()]
    lines[0 if "backup" in change else -1].update(change)
    return gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines))


@pytest.mark.parametrize("change", [{"backup": 2}, {"end": 1}])
def test_a_backup_of_another_format_or_count_is_refused(world: World, change: dict[str, object]) -> None:
    with pytest.raises(BackupError):
        backup.check(io.BytesIO(changed(saved(world), change)))


def test_a_backup_whose_log_tells_another_state_is_refused(world: World) -> None:
    lines = [json.loads(line) for line in gzip.decompress(saved(world)).splitlines()]
    broken = next(line for line in lines if "table" in line and "log" in line["keys"])
    broken["keys"]["log"][2].pop()
    file = gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines))
    with pytest.raises(BackupError, match=f"table {broken['table']} with a log"):
        backup.check(io.BytesIO(file))


def test_a_backup_with_a_token_that_cannot_be_read_is_refused(world: World) -> None:
    lines = [json.loads(line) for line in gzip.decompress(saved(world)).splitlines()]
    broken = next(line for line in lines if line.get("key") == keys.GRANTS)
    broken["value"] = {"hash": "t1:{"}
    file = gzip.compress(b"\n".join(json.dumps(line).encode() for line in lines))
    with pytest.raises(BackupError, match="token hash"):
        backup.check(io.BytesIO(file))


def run(url: str, *command: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "REDIS_URL": url}
    return subprocess.run(
        [sys.executable, "-m", "service.backup", *command],
        cwd=ROOT,
        env=environment,
        input=stdin,
        capture_output=True,
        check=False,
    )


def test_the_commands_save_check_and_restore(world: World, module_redis: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    assert run(module_redis, "save", str(file)).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]
    assert file.stat().st_mode & 0o777 == 0o600
    checked = run("", "check", str(file))
    assert b"3 tables" in checked.stderr
    with EmbeddedRedis(tmp_path / "redis") as server:
        restored = run(server.url, "restore", "-", stdin=run(module_redis, "save", "-").stdout)
        assert restored.returncode == 0, restored.stderr
        with command_client(server.url) as client:
            assert everything(client) == everything(world.redis)


def metrics(world: World) -> str:
    return str(world.anybody.get("/metrics").get_data(as_text=True))


def test_keeping_saves_checks_notes_the_time_and_deletes_old_ones(
    world: World, module_redis: str, tmp_path: Path
) -> None:
    old = [f"shengji-20200101T000000Z.backup{ending}" for ending in ("", ".part", ".failed")]
    others = ["notes.txt", "shengji-mine.backup"]
    for name in [*old, *others]:
        (tmp_path / name).touch()
    assert "backup_age_seconds +Inf" in metrics(world)
    done = run(module_redis, "keep", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert b"holds 3 tables" in done.stderr
    [backup_name] = {path.name for path in tmp_path.iterdir()} - set(others)
    assert datetime.strptime(backup_name, backup.NAME).replace(tzinfo=UTC) <= datetime.now(UTC)
    [age] = re.findall(r"^backup_age_seconds (\S+)$", metrics(world), re.MULTILINE)
    assert 0 <= float(age) < 600


def test_a_backup_that_is_not_right_is_kept_aside_and_deletes_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shengji-20200101T000000Z.backup").touch()
    broken = saved(world)[:200]
    monkeypatch.setattr(backup, "save", lambda _client, file: file.write(broken))
    with pytest.raises(BackupError):
        backup.keep(world.redis, tmp_path, 14, datetime(2026, 1, 2, tzinfo=UTC))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "shengji-20200101T000000Z.backup",
        "shengji-20260102T000000Z.backup.failed",
    ]


@pytest.mark.parametrize(
    ("url", "command", "sentence"),
    [
        ("", ("save", "there"), b"REDIS_URL is not set"),
        ("unix:///nowhere.sock", ("save", "-"), b"No such file"),
        ("unix:///nowhere.sock", ("keep", "/nowhere"), b"No such file"),
        ("unix:///nowhere.sock", ("check", "/nowhere"), b"No such file"),
    ],
)
def test_missing_things_are_reported_in_a_sentence(url: str, command: tuple[str, ...], sentence: bytes) -> None:
    done = run(url, *command)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.startswith(b"backup: ")
    assert done.stderr.count(b"\n") == 1


def test_a_backup_of_a_cluster_holds_its_tables_awake_and_asleep(cluster: backup.Client, target: backup.Client) -> None:
    stores = Stores(cluster, lambda: START)
    put(stores.tables, "tb_asleep", count=50, wake_at=START)
    assert list(stores.sleeping.put_to_sleep(0)) == [True]
    put(stores.tables, "tb_awake", count=50, wake_at=START)
    assert stores.tables.tidy(9) + stores.tables.tidy(9) == 1
    stores.tables.add_watcher("tb_awake", "abcdefgh", "pl_1", 60_000)
    put(stores.tables, "tb_long", count=compaction.LONG_LOG)
    file = io.BytesIO()
    backup.save(cluster, file)
    file.seek(0)
    backup.restore(target, file)
    assert everything(target) == everything(cluster)
    restored = Stores(target, lambda: START).tables
    for table in ("tb_asleep", "tb_awake"):
        assert restored.events(table, 0, 99) == some_events(0, 50)
    assert {due.table for due in restored.lease_due(START, 3_000, 9)} == {"tb_asleep", "tb_awake"}
