"""Holes in the log of Redis after a full disk, and their repair without loss of data."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError

from harness.waiting import wait_until
from service.processes.aof_holes import mend, without_holes
from service.processes.embedded_redis import EmbeddedRedis
from service.store.connections.clients import command_client
from workers.aof_rewrite import Rewriting

ONE = b"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$5\r\n1\r\n*3\r\n"
TWO = b"*2\r\n$3\r\nDEL\r\n$1\r\na\r\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() or not sys.platform.startswith("linux"):
        pytest.skip("only root may mount a small disk")
    folder = tmp_path / "redis"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m,mode=700", "tmpfs", folder]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1 << 16))


def rewritten(client: Redis) -> None:
    """Make the server rewrite its log, and wait for the end."""
    client.bgrewriteaof()

    def is_over() -> bool:
        info: Any = client.info("persistence")
        return not info["aof_rewrite_in_progress"] and not info["aof_rewrite_scheduled"]

    wait_until(is_over)


def write_until_refused(client: Redis, acknowledged: dict[str, bytes]) -> None:
    for number in range(10_000):
        name, value = f"k{len(acknowledged)}", os.urandom(700 + number % 300)
        try:
            client.set(name, value)
        except RedisConnectionError:
            raise
        except RedisError:
            return
        acknowledged[name] = value
    raise AssertionError("the disk is not full")


def test_zeros_between_commands_are_cut_out() -> None:
    assert without_holes(bytes(7) + ONE + bytes(3) + TWO + ONE + bytes(900)) == ONE + TWO + ONE
    assert without_holes(ONE + TWO) == ONE + TWO


@pytest.mark.parametrize(
    "broken", [ONE + b"+OK\r\n" + bytes(9) + TWO, ONE[:20] + bytes(9) + TWO, b"\0*", TWO + b"*x\r\n"]
)
def test_other_damage_is_left_to_the_server(broken: bytes) -> None:
    assert without_holes(broken) == broken.lstrip(b"\0")


def test_zeros_within_a_value_stay() -> None:
    value = b"*2\r\n$3\r\nDEL\r\n$9\r\n" + bytes(9) + b"\r\n"
    assert without_holes(value + TWO) == value + TWO


def test_a_log_with_holes_is_kept_next_to_the_repaired_one(tmp_path: Path) -> None:
    log = tmp_path / "appendonlydir" / "appendonly.aof.2.incr.aof"
    log.parent.mkdir()
    (log.parent / "appendonly.aof.manifest").write_text(f"file {log.name} seq 2 type i\n")
    log.write_bytes(ONE + bytes(5) + TWO)
    assert mend(tmp_path) == [log]
    assert log.read_bytes() == ONE + TWO
    assert log.with_name(log.name + ".holes").read_bytes() == ONE + bytes(5) + TWO
    assert mend(tmp_path) == []


def test_nothing_is_lost_by_a_full_disk_and_a_kill(small_disk: Path) -> None:
    acknowledged: dict[str, bytes] = {}
    with EmbeddedRedis(small_disk) as server:
        client: Any = command_client(server.url)
        rewritten(client)
        # So that the last page of the file is not full, and the next write fits partly.
        client.set("first", "1")
        fill(small_disk)
        write_until_refused(client, acknowledged)
        (small_disk / "filler").unlink()
        wait_until(lambda: client.info("persistence")["aof_last_write_status"] == "ok")
        client.set("later", "1")
        # While an earlier sync is still running, it is acknowledged before it is written (decision 3).
        wait_until(lambda: not client.info("persistence")["aof_buffer_length"])
        server.kill()
        server.start()
        for name, value in acknowledged.items():
            assert client.get(name) == value
        assert client.get("later") == b"1"


class Server:
    """Reports a number of times that it cannot write its log."""

    def __init__(self, *lines: str) -> None:
        self._said, self.rewrites = list(lines), 0

    def info(self, _: str) -> dict[str, str]:
        return {"aof_last_write_status": self._said.pop(0)}

    def bgrewriteaof(self) -> None:
        self.rewrites += 1


def test_a_log_is_rewritten_once_after_write_errors() -> None:
    server = Server("ok", "err", "err", "ok", "ok")
    rewriting = Rewriting(server)
    counts = []
    for _ in range(5):
        rewriting.watch()
        counts.append(server.rewrites)
    assert counts == [0, 0, 0, 1, 1]
