"""The ways in which a Redis does not take writes: state, as `/readyz` names it -> what brings it about."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from harness.waiting import wait_until
from service.processes.embedded_redis import EmbeddedRedis


@contextmanager
def full_memory(server: EmbeddedRedis) -> Iterator[None]:
    with Redis.from_url(server.url) as client:
        client.config_set("maxmemory", 1)
        yield
        client.config_set("maxmemory", 0)


@contextmanager
def read_only(server: EmbeddedRedis) -> Iterator[None]:
    """A replica whose master is away still answers reads."""
    with Redis.from_url(server.url) as client:
        client.replicaof("127.0.0.1", 1)
        yield
        client.replicaof("NO", "ONE")


@contextmanager
def full_disk(server: EmbeddedRedis) -> Iterator[None]:
    if not server.folder.is_mount():
        pytest.skip("a small disk cannot be mounted here")
    filler = server.folder / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4_096))
    with Redis.from_url(server.url) as client:
        wait_until(lambda: _refuses(client))
        yield
        filler.unlink()
        wait_until(lambda: client.info("persistence")["aof_last_write_status"] == "ok")


def _refuses(client: Redis) -> bool:
    try:
        client.set("filler", bytes(8_192))
    except ResponseError:
        return True
    return False


@contextmanager
def hanging(server: EmbeddedRedis) -> Iterator[None]:
    process = int((server.folder / "redis.pid").read_text())
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


@contextmanager
def gone(server: EmbeddedRedis) -> Iterator[None]:
    server.kill()
    yield
    server.start()


FAULTS = {"memory-full": full_memory, "read-only": read_only, "disk-full": full_disk, "hanging": hanging, "gone": gone}
#: In these, Redis still answers reads.
ANSWERING = ("memory-full", "read-only", "disk-full")


@contextmanager
def on_small_disk(folder: Path) -> Iterator[EmbeddedRedis]:
    """Run a server in a folder that is made, on a small disk if one can be mounted."""
    mounted = False
    folder.mkdir()
    if os.geteuid() == 0 and sys.platform.startswith("linux"):
        mount = ["mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", folder]
        mounted = not subprocess.run(mount, check=False, capture_output=True).returncode
    with ExitStack() as stack:
        if mounted:
            stack.callback(subprocess.run, ["umount", "--lazy", folder], check=True)
        yield stack.enter_context(EmbeddedRedis(folder))
