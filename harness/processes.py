"""The service as it really runs: child processes on loopback, over a Redis of their own."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

from service.embedded_redis import EmbeddedRedis
from service.run import Child, children, listen
from service.settings import Settings

#: No rate limits: tests and benchmarks ask far more often than people do.
ENVIRONMENT = {
    **{f"LIMIT_{name}": "0" for name in ("REGISTER", "CREATE", "ACT", "READ", "ORACLE")},
    "LOG_LEVEL": "warning",
    "API_WORKERS": "1",
}
#: Seconds that a process may take until its signal handlers are installed.
STARTUP_S = 10.0


@dataclass
class ServiceProcess:
    """One process of the service; it may be started again after it was killed."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    inherited: tuple[int, ...]
    log: IO[bytes]
    popen: subprocess.Popen[bytes] | None = field(default=None)
    started: float = 0.0

    def start(self) -> None:
        self.started = time.monotonic()
        self.popen = subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            pass_fds=self.inherited,
        )

    def send(self, number: signal.Signals) -> None:
        assert self.popen is not None
        self.popen.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        assert self.popen is not None
        self.popen.wait()

    def children(self) -> list[int]:
        """Ids of the processes that this one started (Linux; elsewhere none are known)."""
        assert self.popen is not None
        listed = Path(f"/proc/{self.popen.pid}/task/{self.popen.pid}/children")
        return [int(one) for one in listed.read_text().split()] if listed.exists() else []


class RunningService:
    """All processes of the service: as many of each as are asked for, all API servers on one port, one Redis.

    Args:
        folder: for the data of Redis and the log of all.
        environment: settings of the processes, besides those of `ENVIRONMENT`.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        servers: int = 2,
        workers: int = 2,
        clocks: int = 2,
    ) -> None:
        self.redis = EmbeddedRedis(folder / "redis")
        self.log = (folder / "log").open("ab")
        self.listening: socket.socket = listen("127.0.0.1", 0)
        self.port = int(self.listening.getsockname()[1])
        settings = Settings(redis_url=self.redis.url, job_workers=workers)
        api, *job_workers, clock = children(settings, self.listening.fileno())
        extra = {**ENVIRONMENT, **(environment or {})}

        def process(name: str, child: Child) -> ServiceProcess:
            return ServiceProcess(name, child.command, {**child.environment, **extra}, child.inherited, self.log)

        self.api = [process(f"api {number + 1}", api) for number in range(servers)]
        self.workers = [process(child.name, child) for child in job_workers]
        self.clocks = [process(f"clock {number + 1}", clock) for number in range(clocks)]

    @property
    def processes(self) -> list[ServiceProcess]:
        return [*self.api, *self.workers, *self.clocks]

    def __enter__(self) -> Self:
        self.redis.start()
        for process in self.processes:
            process.start()
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self) -> None:
        """The listening socket is there from the start: a request waits until a server takes it."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200

    def __exit__(self, *_: object) -> None:
        self.stop_processes()
        self.redis.stop()
        self.listening.close()
        self.log.close()

    def stop_processes(self) -> dict[str, int]:
        """Ask every process to stop; return the exit status of each that was up long enough to handle the signal."""
        starting = time.monotonic() - STARTUP_S
        for process in self.processes:
            process.send(signal.SIGTERM)
        ended = {}
        for process in self.processes:
            assert process.popen is not None
            try:
                ended[process.name] = process.popen.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                ended[process.name] = -signal.SIGKILL
            if process.started > starting and ended[process.name] == -signal.SIGTERM:
                del ended[process.name]
        return ended

    def restart_crashed(self) -> list[str]:
        """Start processes again that ended without being asked to, and return what ended."""
        crashed = []
        for process in self.processes:
            assert process.popen is not None
            if (status := process.popen.poll()) is not None:
                crashed.append(f"{process.name} ended by itself with {status}")
                process.start()
        return crashed

    def kill_child(self, pid: int) -> None:
        """Kill a process that one of ours has started."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
