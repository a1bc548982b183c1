"""The commands of the operators' pages run as they are written, and the Redis of compose lets operators in."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError, NoPermissionError

from harness.make_run import ROOT, Service, free_port
from harness.waiting import wait_until
from service.processes.redis_programs import programs
from tools.compose.commands import COMMANDS, Here, Inside, NotHere, commands_of, documented

FOLDER = ROOT / "deploy" / "redis"
#: The server of the image, and one of another dialect if there is one (Debian 12 has 7.0).
SERVERS = {"valkey": programs()[0].path, "redis": shutil.which("redis-server")}


@dataclass
class Container:
    """The container `redis`, as a process that was started by its script."""

    port: int
    environment: dict[str, str]

    @property
    def url(self) -> str:
        return f"redis://shengji:secret@127.0.0.1:{self.port}/0"

    def user(self, name: str = "shengji") -> Redis:
        return Redis(port=self.port, username=name, password=self.environment["REDIS_PASSWORD"])

    def admin(self, *command: str) -> subprocess.CompletedProcess[str]:
        command_line = [FOLDER / "admin", *command]
        return subprocess.run(command_line, env=self.environment, capture_output=True, text=True, check=False)


@pytest.fixture(params=SERVERS)
def container(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Container]:
    server = SERVERS[request.param]
    if server is None:
        pytest.skip("needs redis-server (Debian: redis-server)")
    port, data, program = free_port(), tmp_path / "data", tmp_path / "valkey-server"
    data.mkdir()
    # The script starts whatever has this name; the server listens at a free port of this machine only.
    program.write_text(
        f"#!/bin/sh\nexec sed 's/^port .*/port {port}/; s/^bind .*/bind 127.0.0.1/' > {tmp_path}/config\n"
    )
    program.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "AOF_HOLES": str(ROOT / "service" / "processes" / "aof_holes.py"),
        "DATA_DIR": str(data),
        "ADMIN_FILE": str(tmp_path / "redis-admin"),
        "REDIS_PASSWORD": "secret",
        "PORT": str(port),
    }
    subprocess.run([FOLDER / "start"], env=environment, check=True)
    process = subprocess.Popen([server, str(tmp_path / "config")], stdout=(tmp_path / "log").open("w"))
    started = Container(port, environment)
    try:
        wait_until(lambda: process.poll() is not None or "eady to accept" in (tmp_path / "log").read_text())
        assert process.poll() is None, (tmp_path / "log").read_text()
        yield started
    finally:
        process.terminate()
        process.wait()


def test_every_command_of_the_operators_pages_is_listed_with_how_it_is_run() -> None:
    commands = {command for _, command in documented(ROOT)}
    assert commands - set(COMMANDS) == set(), "add these to tools/compose/commands.py: run them, or say why not"
    assert set(COMMANDS) - commands == set(), "no page has these any more"
    assert all(how.reason for how in COMMANDS.values() if isinstance(how, NotHere))


def test_commands_are_found_in_blocks_and_in_lines() -> None:
    page = "```\nA=1 tool --x \\\n    y   # why\nPORT=1\n```\n"
    page += "Run `make it\nso`, `deploy/new --now`, `INFO all`, `no command`."
    assert list(commands_of(page)) == ["A=1 tool --x y", "make it so", "deploy/new --now", "INFO all"]


def test_the_administrator_looks_into_redis_and_changes_it(container: Container) -> None:
    assert container.admin("CONFIG", "SET", "maxmemory", "300mb").stdout == "OK\n"
    assert container.admin("CONFIG", "GET", "maxmemory").stdout == f"maxmemory\n{300 << 20}\n"
    assert container.admin("SLOWLOG", "GET", "10").returncode == 0
    assert "role:master" in container.admin("INFO", "replication").stdout
    assert container.admin("GET", "sj:none").stdout == "(nil)\n"


@pytest.mark.parametrize("command", ["FLUSHALL", "FLUSHDB", "SHUTDOWN", "NONSENSE"])
def test_what_the_administrator_may_not_do_ends_with_a_sentence(container: Container, command: str) -> None:
    container.user().set("sj:kept", 1)
    done = container.admin(command)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert container.user().get("sj:kept") == b"1"


def test_nobody_else_is_the_administrator(container: Container) -> None:
    file = Path(container.environment["ADMIN_FILE"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(AuthenticationError):
        container.user("admin").ping()
    for command in (["CONFIG", "GET", "*"], ["SLOWLOG", "GET"], ["ACL", "LIST"], ["FLUSHALL"], ["KEYS", "*"]):
        with pytest.raises(NoPermissionError):
            container.user().execute_command(*command)
    file.write_text("wrong\n")
    assert "WRONGPASS" in container.admin("PING").stderr


def test_admin_without_a_server_says_so(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("x\n")
    environment = {"PATH": os.environ["PATH"], "ADMIN_FILE": str(tmp_path / "password"), "PORT": str(free_port())}
    command_line = [FOLDER / "admin", "PING"]
    done = subprocess.run(command_line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("Redis does not answer: ")


def test_the_rights_for_a_redis_of_ones_own_are_those_of_the_container() -> None:
    def rights(text: str) -> list[str]:
        return [line.partition(" ~")[2] for line in text.splitlines() if line.startswith("user shengji on >")]

    page = rights((ROOT / "docs" / "operations.md").read_text())
    assert len(page) == 1
    assert page == rights((FOLDER / "start").read_text())


@pytest.mark.nightly
def test_commands_that_can_run_here_do(container: Container, tmp_path: Path) -> None:
    """With a service on the Redis of the container, and the environment that containers of the service have."""
    (tmp_path / "python").symlink_to(sys.executable)
    (tmp_path / "redis-admin").rename(tmp_path / "password")
    (tmp_path / "redis-admin").symlink_to(FOLDER / "admin")
    service = Service(tmp_path, REDIS_URL=container.url, OPERATOR_TOKEN="t" * 32)
    python = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "REDIS_URL": container.url,
        "PORT": str(service.port),
        "OPERATOR_TOKEN": "t" * 32,
        "FOLDER": str(tmp_path),
    }
    admin = container.environment | {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "ADMIN_FILE": str(tmp_path / "password"),
    }
    failed = []
    try:
        service.wait_until_ready()
        for command, how in COMMANDS.items():
            if isinstance(how, Here) and (not how.needs or shutil.which(how.needs)):
                run, environment = how.command or command, python
            elif isinstance(how, Inside):
                where, run = how.of(command)
                environment = admin if where == "redis" else python
            else:
                continue
            done = subprocess.run(
                ["sh", "-c", run], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
            )
            print(f"{done.returncode} {command}")
            if done.returncode or "Traceback" in done.stderr:
                failed.append(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    finally:
        service.stop()
    assert not failed, "\n".join(failed)
