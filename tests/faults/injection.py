"""The running service, and the faults that can be injected into it."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.processes import RunningService, ServiceProcess
from tests.faults.plan import Fault


class FragileService(RunningService):
    """The service with faults to inject; see `RunningService`.

    Attributes:
        outages: when Redis was away (monotonic seconds, begin and end): only then may an answer be a 503.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        super().__init__(folder, environment)
        self.outages: list[tuple[float, float]] = []

    def redis_was_away(self, begin: float, end: float) -> bool:
        """Tell whether Redis was away at any moment between two times."""
        return any(begin <= until and since <= end for since, until in self.outages)

    def inject(self, fault: Fault) -> None:
        """Let one fault happen and be over. Connections are cut by the guests."""
        getattr(self, fault.kind)(fault)

    def kill_api(self, fault: Fault) -> None:
        self._restart([self.api[fault.which % len(self.api)]], fault)

    def kill_api_child(self, fault: Fault) -> None:
        children = self.api[fault.which % len(self.api)].children()
        if children:
            self.kill_child(children[fault.which % len(children)])

    def kill_worker(self, fault: Fault) -> None:
        self._restart([self.workers[fault.which % len(self.workers)]], fault)

    def kill_clock(self, fault: Fault) -> None:
        self._restart([self.clocks[fault.which % len(self.clocks)]], fault)

    def late_clocks(self, fault: Fault) -> None:
        self._suspend(self.clocks, fault)

    def late_worker(self, fault: Fault) -> None:
        self._suspend([self.workers[fault.which % len(self.workers)]], fault)

    def kill_redis(self, fault: Fault) -> None:
        self._restart_redis(fault, [])

    def kill_everything(self, fault: Fault) -> None:
        self._restart_redis(fault, self.processes)

    def late_redis(self, fault: Fault) -> None:
        with self._outage():
            pid = int((self.redis.folder / "redis.pid").read_text())
            os.kill(pid, signal.SIGSTOP)
            time.sleep(fault.for_s)
            os.kill(pid, signal.SIGCONT)

    def _restart(self, processes: Sequence[ServiceProcess], fault: Fault) -> None:
        for process in processes:
            process.kill()
        time.sleep(fault.for_s)
        for process in processes:
            process.start()

    def _suspend(self, processes: Sequence[ServiceProcess], fault: Fault) -> None:
        for process in processes:
            process.send(signal.SIGSTOP)
        time.sleep(fault.for_s * 2)
        for process in processes:
            process.send(signal.SIGCONT)

    def _restart_redis(self, fault: Fault, processes: Sequence[ServiceProcess]) -> None:
        with self._outage():
            for process in processes:
                process.kill()
            self.redis.kill()
            time.sleep(fault.for_s)
            self.redis.start()
        for process in processes:
            process.start()

    @contextlib.contextmanager
    def _outage(self) -> Iterator[None]:
        began = time.monotonic()
        self.outages.append((began, float("inf")))
        try:
            yield
        finally:
            self.outages[-1] = (began, time.monotonic())
