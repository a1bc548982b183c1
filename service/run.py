"""Everything on one machine (`make run`, `shengji run`): Redis, the API, workers and a clock, supervised until Ctrl-C.

1. The supervisor owns the listening socket and passes it to gunicorn. While the API restarts, requests wait.
2. Children have their own process groups, so that Ctrl-C reaches only the supervisor. It stops them in order, Redis
   last, so that no writes are lost.
3. A child that dies is restarted, with a line in the log. The run ends only if a child fails several times in a row at
   its start; a killed child is always restarted (decision 23).
4. A killed supervisor does not block the next `make run`: on Linux its children get SIGTERM; Redis keeps running and
   is adopted (`service.processes.embedded_redis`).

Decision 23 explains why there is no process manager.
"""

import argparse
import base64
import contextlib
import ctypes
import errno
import importlib.util
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Final, Self

from gunicorn.systemd import sd_notify  # type: ignore[import-untyped] # it has no types

from service.common.settings import Settings, SettingsError
from service.processes.embedded_redis import EmbeddedRedis, EmbeddedRedisError

#: Seconds between two checks of the children.
_TICK_S: Final = 0.1
#: A child that exits with an error within this time has failed at its start, which doubles the delay before a restart.
_STARTUP_S: Final = 5.0
_FIRST_DELAY_S: Final = 0.5
_LONGEST_DELAY_S: Final = 8.0
_MOST_FAILURES: Final = 5
#: When to report that the service is not ready yet.
_READY_S: Final = 30.0
#: Time for stopping: more than gunicorn's `graceful_timeout`, and enough for a worker to finish its job.
_STOP_S: Final = 10.0
#: How often systemd is told that the supervisor lives.
_ALIVE_S: Final = 5.0
#: How long the children of a killed supervisor may still hold the port.
_PORT_S: Final = 3.0

_PR_SET_PDEATHSIG: Final = 1
#: Why a folder cannot be written -> what to do; otherwise it belongs to somebody else.
_REMEDIES: Final = {
    errno.EROFS: "Mount a volume there",
    errno.ENOSPC: "Make room there",
    errno.EDQUOT: "Make room there",
}


class CannotRunError(RuntimeError):
    """The service cannot start or continue. The message says why and what to do."""


@dataclass
class Child:
    """A process of the service, restarted whenever it dies.

    Attributes:
        name: its name in the log.
        command: program and arguments.
        environment: variables in addition to those of the supervisor.
        inherited: inherited file descriptors.
        failures: number of failures in a row at its start. A child that was killed or asked to stop has not failed.
    """

    name: str
    command: Sequence[str]
    environment: dict[str, str]
    inherited: tuple[int, ...] = ()
    failures: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    started: float = 0.0
    restart_at: float = 0.0

    def start(self) -> None:
        """Start the process."""
        self.started = time.monotonic()
        self.process = subprocess.Popen(  # noqa: S603 - our own commands
            self.command,
            env={name: value for name, value in os.environ.items() if name != "NOTIFY_SOCKET"} | self.environment,
            stdin=subprocess.DEVNULL,
            pass_fds=self.inherited,
            start_new_session=True,
            preexec_fn=_stop_with_parent(),  # noqa: PLW1509 - the supervisor has a single thread
        )

    def watch(self) -> None:
        """Restart the process if it died, after a delay.

        Raises:
            CannotRunError: it failed at its start too often.
        """
        now = time.monotonic()
        if self.process is None:
            if now >= self.restart_at:
                self.start()
            return
        status = self.process.poll()
        if status is None:
            return
        failed = status > 0 and now - self.started < _STARTUP_S
        self.failures = self.failures + 1 if failed else 0
        if self.failures >= _MOST_FAILURES:
            raise CannotRunError(f"{self.name} failed {self.failures} times at its start; see its messages above.")
        delay = delay_after(self.failures)
        say(f"{self.name} (process {self.process.pid}) {_ending(status)}; restarting it in {delay:g} s")
        self.process = None
        self.restart_at = now + delay

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it is alive."""
        if self.process is not None and self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)

    def alive(self) -> bool:
        """Return whether the process is alive."""
        return self.process is not None and self.process.poll() is None


def redis_settings(settings: Settings) -> dict[str, str]:
    """Return the configuration of the Redis started here."""
    return {"maxmemory": f"{settings.redis_memory_mb}mb", "appendfsync": settings.redis_appendfsync}


class Supervisor:
    """All processes of the service on one machine.

    Args:
        settings: without a `redis_url`, a Redis is started in `data_dir`.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings: Final = settings
        self.redis: Final = (
            None if settings.redis_url else EmbeddedRedis(settings.data_dir / "redis", redis_settings(settings))
        )
        self._redis_failures = 0
        self._redis_restart_at = 0.0
        self._children: list[Child] = []
        self._listening: socket.socket | None = None
        self._interrupts = 0

    def __enter__(self) -> Self:
        """Start everything.

        Raises:
            CannotRunError: the service runs already, the port is in use or cannot be bound, or the folder for data
                cannot be written.
            EmbeddedRedisError: Redis cannot be started.
        """
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._interrupt)
        try:
            try:
                self._listening = listen(self.settings.host, self.settings.port)
            finally:
                # Looked at last: a run that is about to stop has port and data for a moment.
                self._check_alone()
            if self.redis is not None or not self.settings.vapid_private_key:
                check_folder(self.settings.data_dir)
            settings = self.settings
            if self.redis is not None:
                settings = replace(settings, redis_url=self.redis.start(serves=address(settings)))
            settings = replace(settings, vapid_private_key=settings.vapid_private_key or push_key(settings.data_dir))
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
        """Supervise until interrupted; print the addresses as soon as everything is ready.

        Raises:
            CannotRunError: a child keeps failing at its start.
        """
        greet_until: float | None = time.monotonic() + _READY_S
        alive_at = time.monotonic()
        while not self._interrupts:
            self._watch()
            if time.monotonic() >= alive_at:
                tell_systemd("WATCHDOG=1")
                alive_at += _ALIVE_S
            if greet_until is not None:
                trouble = not_ready(self.settings)
                if trouble is None:
                    greet(self.settings)
                    tell_systemd("READY=1")
                    greet_until = None
                elif time.monotonic() > greet_until:
                    say(f"not ready after {_READY_S:g} s ({trouble}); still trying")
                    greet_until = time.monotonic() + _READY_S
            time.sleep(_TICK_S)
        tell_systemd("STOPPING=1")

    def _check_alone(self) -> None:
        """Refuse to run beside another run on the same data, whatever its port."""
        owner = None if self.redis is None else self.redis.owner()
        if owner is not None and owner.serves:
            raise CannotRunError(
                f"The service runs already: at {owner.serves}/, process {owner.pid}, "
                f"DATA_DIR={self.settings.data_dir.absolute()}. Use that one, or stop it (kill {owner.pid}). "
                "A second one needs a PORT and a DATA_DIR of its own."
            ) from None

    def _watch(self) -> None:
        if self.redis is not None and not self.redis.running() and time.monotonic() >= self._redis_restart_at:
            self._restart(self.redis)
        for child in self._children:
            child.watch()

    def _restart(self, redis: EmbeddedRedis) -> None:
        """Restart Redis, or try again later, when a full disk may have room again."""
        say("Redis died; restarting it with all its data")
        redis.kill()
        try:
            redis.start(serves=address(self.settings))
        except EmbeddedRedisError as error:
            self._redis_failures += 1
            delay = delay_after(self._redis_failures)
            say(f"Redis does not start, next try in {delay:g} s: {error}")
            self._redis_restart_at = time.monotonic() + delay
        else:
            self._redis_failures = 0

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
        deadline = time.monotonic() + _STOP_S
        while any(child.alive() for child in self._children) and time.monotonic() < deadline:
            time.sleep(_TICK_S / 4)
        for child in self._children:
            if child.alive():
                say(f"{child.name} did not stop within {_STOP_S:g} s and is killed")
                child.signal(signal.SIGKILL)
        if self.redis is not None:
            self.redis.stop()


def children(settings: Settings, listening: int) -> list[Child]:
    """Return the processes of the service, not started yet.

    Args:
        settings: with the `redis_url` for all of them.
        listening: file descriptor of the listening socket.
    """
    environment = {
        "REDIS_URL": settings.redis_url,
        "VAPID_PRIVATE_KEY": settings.vapid_private_key,
        "PYTHONUNBUFFERED": "1",
    }
    api = ["gunicorn", "--config", "python:service.gunicorn_conf", "--bind", f"fd://{listening}", "service.wsgi:app"]
    # Each Redis of the queues gets a worker.
    several = max(1, len(settings.queue_urls))
    workers = max(settings.job_workers, several)

    def served(role: str, number: int, of: int) -> Child:
        serves = {"SERVE_QUEUES": str(number % several + 1)} if several > 1 else {}
        name = role if of == 1 else f"{role} {number + 1}"
        return Child(name, [sys.executable, "-m", "workers", role], environment | serves)

    return [
        Child("api", [sys.executable, "-m", *api], environment, inherited=(listening,)),
        *(served("worker", number, workers) for number in range(workers)),
        *(served("searcher", number, several) for number in range(several)),
        Child("clock", [sys.executable, "-m", "workers", "clock", "--messenger"], environment),
    ]


def push_key(folder: Path) -> str:
    """Return the key for Web Push stored in a folder, created at the first start. It identifies us to browsers."""
    file = folder / "vapid_private_key"
    with contextlib.suppress(FileNotFoundError):
        return file.read_text("ascii").strip()
    # Any number except 0 below the order of the curve, which begins with 32 set bits.
    key = base64.urlsafe_b64encode(b"\x7f" + os.urandom(31)).decode("ascii").rstrip("=")
    folder.mkdir(parents=True, exist_ok=True)
    file.touch(0o600)
    file.write_text(key, "ascii")
    return key


def check_folder(folder: Path) -> None:
    """Check that files can be made in a folder, which is made if need be.

    Raises:
        CannotRunError: they cannot.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, "Give the folder to this user (chown)")
        raise CannotRunError(
            f"DATA_DIR={folder} cannot be written ({error.strerror}). {remedy}, or set DATA_DIR to another one."
        ) from None


def delay_after(failures: int) -> float:
    """Return the delay before a restart (s) after a number of failures in a row; 0 failures: it was killed."""
    return min(_FIRST_DELAY_S * 2.0 ** max(failures - 1, 0), _LONGEST_DELAY_S)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket that children inherit.

    Raises:
        CannotRunError: the port is in use, or the address is not one of this machine.
    """
    deadline = time.monotonic() + _PORT_S
    while True:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            # All addresses are those of both families, as for gunicorn in a container.
            both = host == "::" and socket.has_dualstack_ipv6()
            return socket.create_server((host, port), family=family, backlog=2048, dualstack_ipv6=both)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                if time.monotonic() < deadline:
                    time.sleep(_TICK_S)
                    continue
                raise CannotRunError(
                    f"Port {port} on {host} is in use by another program (or another run of the service). "
                    f"Stop that, or set another port: PORT={port + 1 if port < 65535 else 8000}"
                ) from None
            raise CannotRunError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from None


def address(settings: Settings) -> str:
    """Return the URL at which this machine reaches the API."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)  # noqa: S104
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"


def not_ready(settings: Settings) -> str | None:
    """Return None once API, Redis and workers are ready, else the answer of `/readyz`."""
    try:
        own = urllib.request.Request(f"{address(settings)}/readyz")  # noqa: S310 - our own http address
        # One of them, or none.
        own.add_header("Authorization", f"Bearer {next((each.token for each in settings.operators), '')}")
        with urllib.request.urlopen(own, timeout=2):  # noqa: S310
            return None
    except urllib.error.HTTPError as error:
        return f"{error.code}: {error.read(500).decode(errors='replace').strip()}"
    except OSError as error:
        return str(error)


def greet(settings: Settings) -> None:
    """Print the addresses, and a first call."""
    url = address(settings)
    say(
        f"""ready

  Game      {url}/
  API docs  {url}/docs
  OpenAPI   {url}/openapi.yaml
{_demo(settings)}
  A first call:
    curl -s {url}/v1/players -H 'Content-Type: application/json' -d '{{"name": "Lin", "kind": "human"}}'

  Ctrl-C stops everything; {_where_tables_are(settings)}
"""
    )


def _demo(settings: Settings) -> str:
    """Return a line on the demo, which comes with the repository, and not with the wheel."""
    if importlib.util.find_spec("demo") is None:
        return ""
    return f"  Demo      make demo{'' if settings.port == 8000 else f' PORT={settings.port}'}\n"


def say(text: str) -> None:
    """Print a line."""
    # The terminal may be gone (SIGHUP), which must not keep us from stopping.
    with contextlib.suppress(OSError):
        sys.stderr.write(f"[run] {text}\n")
        sys.stderr.flush()


def tell_systemd(state: str) -> None:
    """Tell the service manager how this process is; elsewhere than under systemd, do nothing. See sd_notify(3)."""
    sd_notify(state, logging.getLogger(__name__))


def main() -> int:
    """Run until interrupted; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="shengji run",
        description="Run the whole service on this machine until Ctrl-C: API, workers, clock and Redis.",
        epilog="Settings are variables of the environment, such as PORT; `shengji doctor` examines them.",
    )
    parser.parse_args()
    try:
        with Supervisor(Settings.from_env()) as supervisor:
            supervisor.run()
    except (CannotRunError, EmbeddedRedisError, SettingsError) as error:
        say(str(error))
        return 1
    say("stopped")
    return 0


def _where_tables_are(settings: Settings) -> str:
    if settings.redis_url:
        return "the tables stay in your Redis."
    return f"the tables stay in {settings.data_dir.absolute()}/."


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    return f"was ended by {signal.Signals(-status).name}"


def _stop_with_parent() -> Callable[[], None] | None:
    """Return a function that makes a child get SIGTERM when its parent dies (on Linux; elsewhere None)."""
    if not sys.platform.startswith("linux"):
        return None
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def stop_with_parent() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            # The parent died before the signal was requested, so it will never come, and the orphan would keep the
            # port.
            os.kill(os.getpid(), signal.SIGTERM)

    return stop_with_parent


if __name__ == "__main__":
    sys.exit(main())
