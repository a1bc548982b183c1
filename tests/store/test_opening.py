"""Processes start only if servers answer and the number of buckets matches the data; otherwise they report why."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from redis.crc import key_slot

from service.store import keys
from service.store.connections import opening
from service.store.connections.opening import CannotStartError, open_tables
from tests.support.old_redis import UNKNOWN, old_redis

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def usual_buckets():
    yield
    keys.use_buckets(keys.USUAL_BUCKETS)


def refusal(url, buckets=16):
    with pytest.raises(CannotStartError) as refused:
        open_tables(url, buckets, wait_s=0)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_first_process_sets_the_number_of_buckets_and_others_are_refused(empty_redis, client):
    open_tables(empty_redis, 4_096)
    assert keys.buckets() == 4_096
    open_tables(empty_redis, 4_096)
    assert refusal(empty_redis, 64).startswith("BUCKETS=64, but the tables of this Redis are in 4096 buckets")
    assert keys.buckets() == 4_096
    assert client.get(keys.BUCKETS) == b"4096"


@pytest.mark.parametrize(("buckets", "nodes"), [(48, 3), (160, 10), (256, 16), (4_096, 100)])
def test_nodes_share_the_buckets_evenly(buckets, nodes):
    keys.use_buckets(buckets)
    slots = [key_slot(keys.due(bucket).encode()) for bucket in range(buckets)]
    shares = Counter(slot * nodes // 16_384 for slot in slots)
    assert len(shares) == nodes
    assert max(shares.values()) - min(shares.values()) <= 2


def test_data_of_releases_without_the_setting_are_in_sixteen_buckets(empty_redis, client):
    client.hset(keys.CLOCK, "last", 1)
    assert "set BUCKETS=16" in refusal(empty_redis, 64)
    open_tables(empty_redis, 16)


def test_processes_start_with_a_full_redis(empty_redis, client):
    client.hset(keys.CLOCK, "last", 1)
    client.config_set("maxmemory", 1)
    try:
        open_tables(empty_redis, 16)
        assert "set BUCKETS=16" in refusal(empty_redis, 64)
    finally:
        client.config_set("maxmemory", 0)


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path):
    text = refusal(f"unix://me:secret@{tmp_path}/none.sock")
    assert text.startswith(f"REDIS_URL: no answer from {tmp_path}/none.sock")
    assert "secret" not in text


def test_startup_waits_for_a_slow_server(empty_redis, monkeypatch):
    pauses = []
    connect = opening.command_client

    def not_yet(url):
        if len(pauses) < 3:
            raise ConnectionRefusedError("not yet")
        return connect(url)

    monkeypatch.setattr(opening, "command_client", not_yet)
    monkeypatch.setattr(opening.time, "sleep", pauses.append)
    open_tables(empty_redis, 16)
    assert len(pauses) == 3


def test_a_server_that_is_too_old_is_refused(empty_redis, monkeypatch):
    monkeypatch.setattr(opening, "_version", lambda _: "4.0.14")
    assert refusal(empty_redis).endswith("is Redis 4.0.14: install 6.0 or newer")


@pytest.mark.parametrize("version", UNKNOWN)
@pytest.mark.parametrize("password", ["", ":secret@"])
def test_a_server_that_does_not_know_the_first_command_is_too_old(version, password):
    with old_redis(version) as port:
        text = refusal(f"redis://{password}127.0.0.1:{port}")
    assert text == f"REDIS_URL: 127.0.0.1:{port} is older than Redis 6.0: install 6.0 or newer"


def test_a_cluster_without_all_slots_is_refused(cluster, cluster_port, monkeypatch):
    url = f"redis+cluster://127.0.0.1:{cluster_port}"
    open_tables(url, 16)
    monkeypatch.setattr(opening, "_SLOTS", 16_400)
    assert refusal(url).startswith("REDIS_URL: 16 slots of the cluster are on no node")


@pytest.mark.parametrize(
    "command",
    [
        ["gunicorn", "--config", "python:service.gunicorn_conf", "service.wsgi:app"],
        ["workers", "clock"],
        ["service.backup", "save", "-"],
    ],
    ids=lambda command: command[0],
)
def test_each_process_reports_a_wrong_number_in_one_sentence(command, empty_redis, client):
    client.set(keys.BUCKETS, 64)
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": empty_redis, "BUCKETS": "128", "PORT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "BUCKETS=128, but the tables of this Redis are in 64 buckets" in done.stderr
    assert done.stderr.count("\n") == 1
