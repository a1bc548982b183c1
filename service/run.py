"""Everything on one machine (`make run`): Redis, the API, workers and a clock, watched until Ctrl-C.

What it holds to:

1. The supervisor owns the listening socket and hands it to gunicorn. While the API starts again, requests wait.
2. Children have process groups of their own: Ctrl-C reaches the supervisor alone, and it stops them in order, Redis
   last, so that whatever they still write is kept.
3. A child that dies is started again, with a line that says so. One that dies at once, again and again, ends the run.
4. Killed itself, the supervisor leaves nothing in the way of the next `make run`: on Linux its children are told to
   stop; Redis lives on and is taken over (`service.embedded_redis`).
"""

import contextlib
import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Final, Self

from service.embedded_redis import EmbeddedRedis, EmbeddedRedisError
from service.settings import Settings, SettingsError

#: Seconds. A child that lived shorter than `_SETTLED` died at once; the wait before a new start doubles each time.
_TICK: Final = 0.1
_SETTLED: Final = 5.0
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 8.0
_DEATHS_IN_A_ROW: Final = 5
_READY_WITHIN: Final = 30.0
#: More than gunicorn's own `graceful_timeout`; a worker finishes its job.
_STOP_WITHIN: Final = 10.0
#: How long a port may stay taken by the children of a supervisor that was killed just now.
_PORT_WITHIN: Final = 3.0

_PR_SET_PDEATHSIG: Final = 1


class CannotRunError(RuntimeError):
    """The service cannot start or go on; the text says why and what to do."""


@dataclass
class Child:
    """One process of the service, started again whenever it dies.

    Attributes:
        name: as it stands in the log.
        command: program and arguments.
        environment: what it finds there besides what the supervisor found.
        inherited: file descriptors that it takes over.
        deaths: how often in a row it died at once.
    """

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    inherited: tuple[int, ...] = ()
    deaths: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    started: float = 0.0
    start_again: float = 0.0

    def start(self) -> None:
        """Start the process."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - commands of our own
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            pass_fds=self.inherited,
            start_new_session=True,
            preexec_fn=_stop_with_parent(),  # noqa: PLW1509 - the supervisor has a single thread
        )

    def watch(self) -> None:
        """Start the process again if it died and its wait is over.

        Raises:
            CannotRunError: it died at once too often.
        """
        now = time.monotonic()
        if self.process is None:
            if now >= self.start_again:
                self.start()
            return
        status = self.process.poll()
        if status is None:
            return
        self.deaths = self.deaths + 1 if now - self.started < _SETTLED else 1
        if self.deaths >= _DEATHS_IN_A_ROW:
            raise CannotRunError(f"{self.name} died {self.deaths} times at its start; its last words are above.")
        wait = min(_FIRST_WAIT * 2 ** (self.deaths - 1), _LONGEST_WAIT)
        say(f"{self.name} (process {self.process.pid}) {_ending(status)}; starting it again in {wait:g} s")
        self.process = None
        self.start_again = now + wait

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it lives."""
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)

    def living(self) -> bool:
        """Return whether the process lives."""
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """All processes of the service on one machine.

    Args:
        settings: as read from the environment; without a `redis_url`, a Redis of its own is started in `data_dir`.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings: Final = settings
        self.redis: Final = None if settings.redis_url else EmbeddedRedis(settings.data_dir / "redis")
        self._children: list[Child] = []
        self._listening: socket.socket | None = None
        self._interrupts = 0

    def __enter__(self) -> Self:
        """Start everything.

        Raises:
            CannotRunError: the port is taken or cannot be had.
            EmbeddedRedisError: no Redis to start.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)
        try:
            self._listening = listen(self.settings.host, self.settings.port)
            settings = self.settings if self.redis is None else replace(self.settings, redis_url=self.redis.start())
            self._children = children(settings, self._listening.fileno())
            for child in self._children:
                child.start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Stop everything: API, workers and clock together, then Redis."""
        self._stop()

    def run(self) -> None:
        """Watch until interrupted; greet as soon as everything is ready.

        Raises:
            CannotRunError: a child does not stay alive.
        """
        greet_until: float | None = time.monotonic() + _READY_WITHIN
        while not self._interrupts:
            self._watch()
            if greet_until is not None:
                trouble = not_ready(self.settings)
                if trouble is None:
                    greet(self.settings)
                    greet_until = None
                elif time.monotonic() > greet_until:
                    say(f"not ready after {_READY_WITHIN:g} s ({trouble}); still trying")
                    greet_until = time.monotonic() + _READY_WITHIN
            time.sleep(_TICK)

    def _watch(self) -> None:
        if self.redis is not None and not self.redis.running():
            say("Redis died; starting it again with all its data")
            self.redis.kill()
            self.redis.start()
        for child in self._children:
            child.watch()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self._interrupts += 1
        if self._interrupts > 1:
            for child in self._children:
                child.signal(signal.SIGKILL)

    def _stop(self) -> None:
        if self._listening is not None:
            self._listening.close()
        for child in self._children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + _STOP_WITHIN
        while any(child.living() for child in self._children) and time.monotonic() < deadline:
            time.sleep(_TICK / 4)
        for child in self._children:
            if child.living():
                say(f"{child.name} did not stop within {_STOP_WITHIN:g} s and is killed")
                child.signal(signal.SIGKILL)
        if self.redis is not None:
            self.redis.stop()


def children(settings: Settings, listening: int) -> list[Child]:
    """Return the processes of the service, not started yet.

    Args:
        settings: with the `redis_url` that all of them use.
        listening: file descriptor of the socket that the API serves.
    """
    environment = {"REDIS_URL": settings.redis_url, "PYTHONUNBUFFERED": "1"}
    api = ["gunicorn", "--config", "python:service.gunicorn_conf", "--bind", f"fd://{listening}", "service.wsgi:app"]
    names = ["worker"] if settings.job_workers == 1 else [f"worker {n + 1}" for n in range(settings.job_workers)]
    return [
        Child("api", [sys.executable, "-m", *api], environment, inherited=(listening,)),
        *(Child(name, [sys.executable, "-m", "workers", "worker"], environment) for name in names),
        Child("clock", [sys.executable, "-m", "workers", "clock"], environment),
    ]


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket that children inherit.

    Raises:
        CannotRunError: the port is taken, or the address is not one of this machine.
    """
    deadline = time.monotonic() + _PORT_WITHIN
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, port), family=family, backlog=2048)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                if time.monotonic() < deadline:
                    time.sleep(_TICK)
                    continue
                raise CannotRunError(
                    f"Port {port} on {host} is taken by another program (or another `make run`). "
                    f"Stop that, or choose another port: make run PORT={port + 1 if port < 65535 else 8000}"
                ) from None
            raise CannotRunError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from None


def address(settings: Settings) -> str:
    """Return the URL at which this machine reaches the API."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def not_ready(settings: Settings) -> str | None:
    """Return None once API, Redis and workers are ready, else what `/readyz` says."""
    try:
        with urllib.request.urlopen(f"{address(settings)}/readyz", timeout=2):  # noqa: S310 - our own http address
            return None
    except urllib.error.HTTPError as error:
        return f"{error.code}: {error.read(500).decode(errors='replace').strip()}"
    except OSError as error:
        return str(error)


def greet(settings: Settings) -> None:
    """Write where everything is, and a first call."""
    url = address(settings)
    say(
        f"""ready

  Game      {url}/
  API docs  {url}/docs
  OpenAPI   {url}/openapi.yaml
  Demo      make demo{"" if settings.port == 8000 else f" PORT={settings.port}"}

  A first call:
    curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Lin", "kind": "human"}}'

  Ctrl-C stops everything; {_kept(settings)}
"""
    )


def say(text: str) -> None:
    """Write a line of the supervisor into the log that all processes share."""
    # The terminal may be gone (SIGHUP); stopping goes on.
    with contextlib.suppress(OSError):
        sys.stderr.write(f"[run] {text}\n")
        sys.stderr.flush()


def main() -> int:
    """Run until interrupted; return the exit status."""
    try:
        with Supervisor(Settings.from_env()) as supervisor:
            supervisor.run()
    except (CannotRunError, EmbeddedRedisError, SettingsError) as error:
        say(str(error))
        return 1
    say("stopped")
    return 0


def _kept(settings: Settings) -> str:
    if settings.redis_url:
        return "the tables stay in your Redis."
    return f"the tables stay in {settings.data_dir}/."


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    return f"was ended by {signal.Signals(-status).name}"


def _stop_with_parent() -> Callable[[], None] | None:
    """Return what a child does to be told when its parent dies (Linux only; elsewhere None)."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
