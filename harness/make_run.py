"""The whole service as started by `make run`."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from harness.waiting import wait_until

ROOT = Path(__file__).parents[1]
RUN = (sys.executable, "-m", "service", "run")


def need(program: str) -> None:
    """Skip a test if a program is missing; fail in CI."""
    if shutil.which(program) is None:
        assert "CI" not in os.environ, f"{program} is missing"
        pytest.skip(f"needs {program}")


class Service:
    """A run of `python -m service run`, or of another command, with its own port and data folder."""

    def __init__(
        self, folder: Path, port: int | None = None, command: Sequence[str | Path] = RUN, **environment: str
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.log = folder / f"{time.monotonic_ns()}.log"
        inherited = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "QUEUE_REDIS_URL")}
        mine = {"PORT": str(self.port), "DATA_DIR": str(folder / "var"), "JOB_WORKERS": "1", "API_WORKERS": "1"}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT if command is RUN else folder,
                env=inherited | mine | environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.pid = self.process.pid

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def output(self) -> str:
        return self.log.read_text()

    def wait_until_ready(self) -> None:
        self.wait_for(lambda: f"Game      {self.url}/" in self.output(), "readiness")

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = 60) -> None:
        def holds() -> bool:
            assert not self.has_ended(), f"ended while waiting for {what}:\n{self.output()}"
            return condition()

        wait_until(holds, lambda: f"{what}\n{self.output()}", seconds=seconds)

    def wait_for_end(self, seconds: float = 60) -> int:
        return self.process.wait(seconds)

    def stop(self) -> int:
        if not self.has_ended():
            os.kill(self.pid, signal.SIGTERM)
        return self.wait_for_end()

    def processes(self) -> dict[int, str]:
        """Process id -> command: the supervisor, gunicorn with its workers, job worker, clock, Redis (Linux)."""
        data = self.folder / "var"
        commands = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                # Redis overwrites its environment by its title, and runs in its data folder.
                ours = f"DATA_DIR={data}\0".encode() in (process / "environ").read_bytes()
                if ours or (process / "cwd").readlink().is_relative_to(data):
                    commands[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return commands

    def clear_away(self) -> None:
        """Stop it, and kill processes left by a failed test."""
        self.stop()
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@contextmanager
def running(folder: Path, **environment: str) -> Iterator[Service]:
    """A running service, which is stopped afterwards."""
    service = Service(folder, **environment)
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.clear_away()


def api_worker(service: Service) -> int:
    """The process that serves requests: a gunicorn child of gunicorn."""
    workers = [number for number, command in service.processes().items() if "gunicorn" in command]
    parents = {}
    for number in workers:
        with suppress(OSError):  # it has just ended
            parents[number] = int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
    return next(number for number, parent in parents.items() if parent in parents)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
