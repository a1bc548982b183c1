"""The real service as child processes on loopback, with its own Redis."""

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

from service.common.settings import Settings
from service.processes.embedded_redis import EmbeddedRedis
from service.run import Child, children, listen

#: No rate limits, since tests and benchmarks send far more requests than people.
ENVIRONMENT = {
    **{
        f"LIMIT_{name}": "0"
        for name in (
            *("REGISTER", "CREATE", "CHAT", "ACT", "READ", "POLL"),
            *("FAILED", "HINT", "ORACLE", "KEEP", "KEEP_ADDRESS"),
        )
    },
    "HOST_TABLES": "0",
    "LOG_LEVEL": "warning",
    "API_WORKERS": "1",
}
#: Timeout for a process to install its signal handlers, on a busy machine (s).
STARTUP_S = 30.0


@dataclass
class ServiceProcess:
    """A process of the service, which can be restarted after a kill.

    Attributes:
        folder: its working directory, from which it takes the source; None: this one.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    inherited: tuple[int, ...]
    log: IO[bytes]
    popen: subprocess.Popen[bytes] | None = field(default=None)
    started: float = 0.0
    folder: Path | None = None

    def start(self) -> None:
        self.started = time.monotonic()
        self.popen = subprocess.Popen(
            self.command,
            cwd=self.folder,
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
        """Ids of the child processes (on Linux; elsewhere an empty list)."""
        assert self.popen is not None
        listed = Path(f"/proc/{self.popen.pid}/task/{self.popen.pid}/children")
        return [int(one) for one in listed.read_text().split()] if listed.exists() else []


class RunningService:
    """All processes of the service, with a Redis; the API servers share a port.

    Args:
        folder: folder of the data of Redis and the common log file.
        environment: settings of the processes, in addition to `ENVIRONMENT`.
        servers, workers, clocks, searchers: number of processes of each kind.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        servers: int = 2,
        workers: int = 2,
        clocks: int = 2,
        searchers: int = 0,
    ) -> None:
        self.redis = EmbeddedRedis(folder / "redis", {"maxmemory": "4gb"})
        self.log = (folder / "log").open("ab")
        self.listening: socket.socket = listen("127.0.0.1", 0)
        self.port = int(self.listening.getsockname()[1])
        settings = Settings(redis_url=self.redis.url, job_workers=workers)
        # No searchers by default, since most tables of the harness have AI seats that play by rules.
        api, *job_workers, searcher, clock = children(settings, self.listening.fileno())
        extra = {**ENVIRONMENT, **(environment or {})}

        def process(name: str, child: Child) -> ServiceProcess:
            return ServiceProcess(name, child.command, {**child.environment, **extra}, child.inherited, self.log)

        self.api = [process(f"api {number + 1}", api) for number in range(servers)]
        self.workers = [process(child.name, child) for child in job_workers]
        self.searchers = [process(f"searcher {number + 1}", searcher) for number in range(searchers)]
        self.clocks = [process(f"clock {number + 1}", clock) for number in range(clocks)]

    @property
    def processes(self) -> list[ServiceProcess]:
        return [*self.api, *self.workers, *self.searchers, *self.clocks]

    def __enter__(self) -> Self:
        self.redis.start()
        for process in self.processes:
            process.start()
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self) -> None:
        """The listening socket is open from the start, so a request waits until a server accepts it."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200

    def __exit__(self, *_: object) -> None:
        self.stop_processes()
        self.redis.stop()
        self.listening.close()
        self.log.close()

    def stop_processes(self) -> dict[str, int]:
        """Stop every process; return the exit status of those that ran long enough to handle the signal."""
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
        """Restart crashed processes, and return a line about each."""
        crashed = []
        for process in self.processes:
            assert process.popen is not None
            if (status := process.popen.poll()) is not None:
                crashed.append(f"{process.name} ended by itself with {status}")
                process.start()
        return crashed

    def kill_child(self, pid: int) -> None:
        """Kill a child of one of our processes."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
