"""The service as it really runs, as child processes on loopback, and every way in which the plan breaks it."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

from service.embedded_redis import EmbeddedRedis
from service.run import children, listen
from service.settings import Settings
from tests.faults.plan import Fault

#: No budgets: the guests ask far more often than people do.
ENVIRONMENT = {
    **{f"LIMIT_{name}": "0" for name in ("REGISTER", "CREATE", "ACT", "READ", "ORACLE")},
    "LOG_LEVEL": "warning",
    "API_WORKERS": "1",
}
#: Seconds from the start of a process within which it may not listen to signals yet.
YOUNG_S = 10.0


@dataclass
class Part:
    """One process of the service that is started again after it was killed."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    inherited: tuple[int, ...]
    log: IO[bytes]
    process: subprocess.Popen[bytes] | None = field(default=None)
    started: float = 0.0

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            pass_fds=self.inherited,
        )

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        self.send(signal.SIGKILL)
        assert self.process is not None
        self.process.wait()

    def children(self) -> list[int]:
        """Ids of the processes that this one started (Linux; elsewhere none are known)."""
        assert self.process is not None
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(one) for one in listed.read_text().split()] if listed.exists() else []


class House:
    """The processes of the service: as many of each as are asked for, all servers of the API on one port, one Redis.

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
        api, *moving, clock = children(settings, self.listening.fileno())
        extra = {**ENVIRONMENT, **(environment or {})}

        def part(name: str, like: object) -> Part:
            command, own, inherited = like.command, like.environment, like.inherited  # type: ignore[attr-defined]
            return Part(name, command, {**own, **extra}, inherited, self.log)

        self.api = [part(f"api {number + 1}", api) for number in range(servers)]
        self.workers = [part(child.name, child) for child in moving]
        self.clocks = [part(f"clock {number + 1}", clock) for number in range(clocks)]
        #: When Redis was not there (monotonic seconds): answers with 503 are right in these times only.
        self.away: list[tuple[float, float]] = []
        self._redis_lock = threading.Lock()

    @property
    def parts(self) -> list[Part]:
        return [*self.api, *self.workers, *self.clocks]

    def __enter__(self) -> Self:
        self.redis.start()
        for part in self.parts:
            part.start()
        self._wait_until_it_answers()
        return self

    def _wait_until_it_answers(self) -> None:
        """The listening socket is there from the start: a request waits until a server takes it."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            connection.request("GET", "/healthz")
            assert connection.getresponse().status == 200

    def __exit__(self, *_: object) -> None:
        self.stop_parts()
        self.redis.stop()
        self.listening.close()
        self.log.close()

    def stop_parts(self) -> dict[str, int]:
        """Ask every process to stop and return how each ended; not of those that were too young to hear it."""
        young = time.monotonic() - YOUNG_S
        for part in self.parts:
            part.send(signal.SIGTERM)
        ended = {}
        for part in self.parts:
            assert part.process is not None
            try:
                ended[part.name] = part.process.wait(20)
            except subprocess.TimeoutExpired:
                part.kill()
                ended[part.name] = -signal.SIGKILL
            if part.started > young and ended[part.name] == -signal.SIGTERM:
                del ended[part.name]
        return ended

    def fallen(self) -> list[str]:
        """Start processes that ended of their own accord again, and return what ended."""
        fallen = []
        for part in self.parts:
            assert part.process is not None
            if (status := part.process.poll()) is not None:
                fallen.append(f"{part.name} ended by itself with {status}")
                part.start()
        return fallen

    def was_away(self, begin: float, end: float) -> bool:
        """Tell whether Redis was not there at any moment between two times."""
        return any(begin <= until and since <= end for since, until in self.away)

    # --- faults ---------------------------------------------------------------------------------------------------

    def suffer(self, fault: Fault) -> None:
        """Let one fault happen and be over. Cuts of connections are the guests' to suffer."""
        getattr(self, fault.kind)(fault)

    def _again(self, parts: Sequence[Part], fault: Fault) -> None:
        for part in parts:
            part.kill()
        time.sleep(fault.for_s)
        for part in parts:
            part.start()

    def _late(self, parts: Sequence[Part], fault: Fault) -> None:
        for part in parts:
            part.send(signal.SIGSTOP)
        time.sleep(fault.for_s * 2)
        for part in parts:
            part.send(signal.SIGCONT)

    def kill_api(self, fault: Fault) -> None:
        self._again([self.api[fault.which % len(self.api)]], fault)

    def kill_api_child(self, fault: Fault) -> None:
        served = self.api[fault.which % len(self.api)].children()
        if served:
            self.kill_child(served[fault.which % len(served)])

    def kill_child(self, process: int) -> None:
        """Kill a process that one of ours has started."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    def kill_worker(self, fault: Fault) -> None:
        self._again([self.workers[fault.which % len(self.workers)]], fault)

    def kill_clock(self, fault: Fault) -> None:
        self._again([self.clocks[fault.which % len(self.clocks)]], fault)

    def late_clocks(self, fault: Fault) -> None:
        self._late(self.clocks, fault)

    def late_worker(self, fault: Fault) -> None:
        self._late([self.workers[fault.which % len(self.workers)]], fault)

    def kill_redis(self, fault: Fault) -> None:
        self._without_redis(fault, [])

    def kill_everything(self, fault: Fault) -> None:
        self._without_redis(fault, self.parts)

    def _without_redis(self, fault: Fault, parts: Sequence[Part]) -> None:
        with self._noting_that_redis_is_away():
            for part in parts:
                part.kill()
            self.redis.kill()
            time.sleep(fault.for_s)
            self.redis.start()
        for part in parts:
            part.start()

    def late_redis(self, fault: Fault) -> None:
        with self._noting_that_redis_is_away():
            process = int((self.redis.folder / "redis.pid").read_text())
            os.kill(process, signal.SIGSTOP)
            time.sleep(fault.for_s)
            os.kill(process, signal.SIGCONT)

    @contextlib.contextmanager
    def _noting_that_redis_is_away(self):  # type: ignore[no-untyped-def]
        began = time.monotonic()
        self.away.append((began, float("inf")))
        try:
            yield
        finally:
            self.away[-1] = (began, time.monotonic())
