"""The running service, and the faults that can be injected into it."""

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from harness.processes import ENVIRONMENT, STARTUP_S, RunningService, ServiceProcess
from harness.stepping import SteppedClock
from harness.waiting import wait_until
from service.processes.embedded_redis import EmbeddedRedis
from service.run import listen
from service.store.connections.clients import command_client
from service.store.shared_clock import SharedClock
from tools.faults.history.checking import Takeover
from tools.faults.losses import Loss
from tools.faults.plan import Fault

#: Duration of a long stop (s), and largest step of the clock (ms).
LONG_S = 10.0
STEPS_MS = (20_000, -20_000, 3_600_000, -3_600_000)
#: Seconds until a process has loaded its code.
STARTED_S = 20.0
#: Size of the small disk of Redis.
DISK_MB = 512


class FragileService(RunningService):
    """The service with fault injection; see `RunningService`. `make run` also runs, with the same Redis.

    Attributes:
        outages: when Redis was unavailable (monotonic seconds, begin and end), and for which slots (None: all). A
            response may be 503 only then.
        settled: called when a fault is over for the tables, if that is before its end.
        ports: ports of the API: of the processes started here, and of `make run`.
        small_disk: whether Redis has its own small disk, which can be filled. Mounting one needs root.
        steps_redis: whether the clock of Redis can be stepped too. That needs libfaketime (Debian: `libfaketime`).
        recoveries: kinds of recovery that were seen, and how often.
        longest_start_s: longest time from a start of all processes to the heartbeats of a worker and a clock.
    """

    #: Whether a replica without the last writes may take over.
    has_replicas = False
    #: Number of replicas that must have an action before it is acknowledged, and number of replicas of each master.
    replicas = count = 0
    #: How much longer a table may wait now (s): while a lost master does not answer, after it was replaced too.
    patience_s = 0.0
    #: When acknowledged writes may have been lost.
    losses: Sequence[Loss] = ()

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._clock_file, self._stepped_ms = folder / "clock", 0
        self._redis_clock = SteppedClock(folder / "clock.redis")
        self.steps_redis = self._redis_clock.works
        stepping = {"PYTHONPATH": str(Path(__file__).parent / "stepping"), "CLOCK_STEP_FILE": str(self._clock_file)}
        super().__init__(folder, {**stepping, **(environment or {})})
        self.redis = EmbeddedRedis(folder / "redis", environment=self._redis_clock.environment)
        self._clock = SharedClock(command_client(self.tables_url))
        self.outages: list[tuple[float, float, frozenset[int] | None]] = []
        self.settled: Callable[[], None] = lambda: None
        with listen("127.0.0.1", 0) as free:
            port = int(free.getsockname()[1])
        self.ports = (self.port, port)
        run = {"PORT": str(port), "REDIS_URL": self.tables_url, "JOB_WORKERS": "1", "PYTHONUNBUFFERED": "1"}
        self.supervisor = ServiceProcess(
            "make run",
            [sys.executable, "-m", "service.run"],
            {**ENVIRONMENT, **stepping, **(environment or {}), **run},
            (),
            self.log,
        )
        self.small_disk = False
        self.recoveries: Counter[str] = Counter()
        self.longest_start_s = 0.0

    def __enter__(self) -> Self:
        self.small_disk = self._mount()
        try:
            return super().__enter__()
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            super().__exit__(*error)
        finally:
            self._clock.close()
            if self.small_disk:
                subprocess.run(["umount", "--lazy", self.redis.folder], check=True)

    def _mount(self) -> bool:
        if os.geteuid() or not sys.platform.startswith("linux"):
            return False
        self.redis.folder.mkdir(parents=True, exist_ok=True)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=700", "tmpfs", self.redis.folder]
        return subprocess.run(mount, check=False, capture_output=True).returncode == 0

    @property
    def tables_url(self) -> str:
        """Return the URL of the Redis of the tables."""
        return self.redis.url

    @property
    def queues_url(self) -> str:
        """Return the URL of the Redis of the queues."""
        return self.redis.url

    @property
    def processes(self) -> list[ServiceProcess]:
        """All processes, including `make run`."""
        return [*super().processes, self.supervisor]

    def now(self) -> int:
        """Return the time of the service (ms since the epoch)."""
        return self._clock()

    def gaps(self) -> tuple[tuple[int, int], ...]:
        """Return the outages as noted by the service (ms since the epoch)."""
        return self._clock.interruptions().gaps

    def some_port(self) -> int:
        """Return a random port of the API."""
        return random.choice(self.ports)

    def redis_was_away(self, path: str, begin: float, end: float, needed: Sequence[str] = ()) -> bool:
        """Return whether the Redis that a request needs was unavailable at any moment between two times.

        Args:
            needed: keys that it needs in addition to those of its path.
        """
        return any(
            begin <= until and since <= end and self._needs(path, needed, lost) for since, until, lost in self.outages
        )

    def _needs(self, path: str, needed: Sequence[str], lost: frozenset[int] | None) -> bool:
        return True

    def may_be_lost(self, key: str, at_ms: int) -> bool:
        """Return whether a write to a key at a time of the service may be lost."""
        return False

    def takeovers_of(self, key: str) -> list[Takeover]:
        """Return when a replica may have taken over without writes to a key."""
        return []

    def note_recovery(self, recovery: str) -> None:
        """Count a recovery."""
        self.recoveries[recovery] += 1

    def figures(self) -> dict[str, float]:
        """Return figures of the faults."""
        return {}

    def kill_tables(self) -> None:
        """Kill the Redis of the tables and start it again."""
        self.redis.kill()
        self.redis.start()

    def inject(self, fault: Fault) -> None:
        """Inject a fault and wait for its end. Connections are cut by the guests."""
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
        self._wait_for_heartbeats()

    def late_redis(self, fault: Fault) -> None:
        with self._outage():
            pid = int((self.redis.folder / "redis.pid").read_text())
            os.kill(pid, signal.SIGSTOP)
            time.sleep(fault.for_s)
            os.kill(pid, signal.SIGCONT)

    def kill_supervisor(self, fault: Fault) -> None:
        self._restart([self.supervisor], fault)

    def long_stop(self, fault: Fault) -> None:
        """Stop a process for ten seconds: of either API, a worker, a clock, the supervisor, or Redis."""
        api = self.api[fault.which // 6 % len(self.api)]
        worker, clock = self.workers[fault.which // 6 % len(self.workers)], self.clocks[0]
        which = fault.which % 6
        if which == 5:
            self.late_redis(fault._replace(for_s=LONG_S))
        elif which == 4 and api.children():
            with self._stopped(api.children()[0]):
                time.sleep(LONG_S)
        else:
            self._suspend([(api, worker, clock, self.supervisor, api)[which]], fault._replace(for_s=LONG_S / 2))

    def full_disk(self, fault: Fault) -> None:
        """Fill the disk of Redis, and make room again. Acknowledged writes survive, in memory meanwhile."""
        if not self.small_disk:
            return
        filler = self.redis.folder / "filler"
        with self._outage(after_s=2.0):
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 20))
            time.sleep(fault.for_s * 2)
            filler.unlink()

    def full_memory(self, fault: Fault) -> None:
        with self._outage(), self._some_redis(fault) as client:
            client.config_set("maxmemory", 1)
            time.sleep(fault.for_s)
            client.config_set("maxmemory", 0)

    def _some_redis(self, fault: Fault) -> contextlib.closing[Any]:
        return contextlib.closing(command_client(self.redis.url))

    def step_clock(self, fault: Fault) -> None:
        """Step the clock of the whole service, by seconds or by an hour."""
        self._stepped_ms += STEPS_MS[fault.which % len(STEPS_MS)]
        self._set_clock()

    def _set_clock(self) -> None:
        """Set the clocks of Redis and of all other processes."""
        self._redis_clock.set(self._stepped_ms // 1000)
        part = self._clock_file.with_suffix(".new")
        part.write_text(str(self._stepped_ms))
        part.replace(self._clock_file)

    def few_descriptors(self, fault: Fault) -> None:
        """Limit the descriptors of an API's processes for a while, except starting ones, which could not start."""
        children = [child for child in self.api[fault.which % len(self.api)].children() if _age_s(child) > STARTED_S]
        before = {}
        with self._outage(after_s=1.0):
            for child in children:
                with contextlib.suppress(OSError):
                    before[child] = resource.prlimit(child, resource.RLIMIT_NOFILE)
                    there = len(list(Path(f"/proc/{child}/fd").iterdir()))
                    resource.prlimit(child, resource.RLIMIT_NOFILE, (there + fault.which % 3, before[child][1]))
            time.sleep(fault.for_s * 2)
            for child, limits in before.items():
                with contextlib.suppress(OSError):
                    resource.prlimit(child, resource.RLIMIT_NOFILE, limits)

    @contextlib.contextmanager
    def _stopped(self, process: int) -> Iterator[None]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)

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

    def _wait_for_heartbeats(self) -> None:
        """Wait until a worker and a clock are alive. About twenty interpreters starting at once take seconds."""
        began, since = time.monotonic(), self.now()
        with contextlib.closing(command_client(self.queues_url)) as client:
            wait_until(
                lambda: all(client.zcount(f"sj:alive:{role}", since, "+inf") for role in ("worker", "clock")),
                "a worker and a clock at work after a start",
                seconds=STARTUP_S,
            )
        self.longest_start_s = max(self.longest_start_s, time.monotonic() - began)

    @contextlib.contextmanager
    def _outage(self, after_s: float = 0.0, lost: frozenset[int] | None = None) -> Iterator[None]:
        """Context manager for an outage of these slots, which allows 503 during it and for some seconds afterwards."""
        began = time.monotonic()
        self.outages.append((began, float("inf"), lost))
        try:
            yield
        finally:
            self.outages[-1] = (began, time.monotonic() + after_s, lost)


def _age_s(process: int) -> float:
    """Return the age of a process in seconds; 0 if it does not run."""
    try:
        since = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
        now = Path("/proc/uptime").read_text().split()[0]
    except OSError:
        return 0.0
    return float(now) - int(since) / os.sysconf("SC_CLK_TCK")
