"""A Redis server for a single machine, with a data folder.

Two file locks in the folder show what is running, since process ids may be reused (decision 23):

- `supervisor.lock` is held by the process that called `start`, and says who that is. A second one on the same folder is
  refused.
- `server.lock` is inherited by the server, which holds it as long as it lives. A free lock proves that no server
  writes to the folder; a held one, that a server still runs and answers on the folder's socket.

No signal is ever sent to a process that this one did not start: a server left over from a killed supervisor is adopted,
and stopped by a command through its socket.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self
from urllib.parse import quote

from service.processes.aof_holes import LogError, mend
from service.processes.redis_programs import ProgramError, choose

#: Unix socket paths have at most 104 bytes on macOS and 108 on Linux, including the final zero.
_SOCKET_PATH_BYTES: Final = 100
#: The server's advice if its log is damaged.
_REPAIR: Final = "--fix"
#: Writes are passed to the kernel before they are acknowledged; a crash of the machine may lose the last second
#: (decision 3). Small nodes save memory for short logs (decision 7).
_SETTINGS: Final = {
    "port": "0",
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory-policy": "noeviction",
    "stream-node-max-bytes": "1024",
    "daemonize": "no",
    "logfile": "redis.log",
    "pidfile": "redis.pid",
}


class EmbeddedRedisError(RuntimeError):
    """A server could not be found, started, reached or stopped. The message says what to do."""


class Owner(NamedTuple):
    """The process that runs a server, as it has written into the lock.

    Attributes:
        pid: its process id; 0: it is an earlier release, and has written nothing.
        serves: what it does with the server, such as the URL of the API; may be empty.
    """

    pid: int
    serves: str


class EmbeddedRedis:
    """A server with a data folder; as a context manager, it is started and stopped.

    Args:
        folder: for data, log, locks and (if the path is short enough) the socket; created if missing. Only its owner
            may read it.
        settings: configuration that replaces or extends the default, e.g. `{"maxmemory": "2mb"}`.
        environment: variables of its process, in addition to those of this one.
    """

    def __init__(
        self, folder: Path, settings: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder: Final = folder.absolute()
        self.socket: Final = _socket_path(self.folder)
        self.url: Final = f"unix://{quote(str(self.socket))}"
        self._settings: Final = {
            **_SETTINGS,
            "unixsocket": str(self.socket),
            "dir": str(self.folder),
            **(settings or {}),
        }
        self._environment: Final = environment or {}
        self._supervisor_lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, timeout: float = 30.0, *, serves: str = "") -> str:
        """Start the server, or adopt one still running on the folder; return its URL once it answers.

        Args:
            timeout: for an answer (s).
            serves: what `owner` tells others.

        Raises:
            EmbeddedRedisError: no program was found, another supervisor is running, or no answer came within `timeout`
                seconds.
        """
        if self._supervisor_lock is not None:
            raise EmbeddedRedisError(f"The server on {self.folder} has been started already.")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Hands and seeds are in it. A folder that an earlier release made may be open to everybody.
        if self.folder.stat().st_mode & 0o77 and self.folder.stat().st_uid == os.getuid():
            self.folder.chmod(0o700)
        self._supervisor_lock = _take_lock(self.folder / "supervisor.lock")
        if self._supervisor_lock is None:
            raise EmbeddedRedisError(f"{self._named_owner()} runs the server on {self.folder}; stop that one first.")
        # A full disk must not keep the server from starting.
        with contextlib.suppress(OSError):
            os.truncate(self._supervisor_lock, 0)
            os.write(self._supervisor_lock, json.dumps({"pid": os.getpid(), "serves": serves}).encode())
        try:
            self._wait_for_answer(timeout)
        except BaseException:
            if self._process is not None:
                self.kill()
            self._unlock()
            raise
        return self.url

    def running(self) -> bool:
        """Return whether a server runs on the folder, whoever started it."""
        lock = _take_lock(self.folder / "server.lock")
        if lock is None:
            return True
        os.close(lock)
        return False

    def owner(self) -> Owner | None:
        """Return the process that called `start` and still lives; None: there is none. Changes nothing."""
        path = self.folder / "supervisor.lock"
        try:
            lock = os.open(path, os.O_RDONLY)
        except OSError:
            return None
        try:
            # A shared lock, so that two that look do not see each other.
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            with contextlib.suppress(ValueError, KeyError, TypeError):
                written = json.loads(os.read(lock, 1000))
                return Owner(int(written["pid"]), str(written["serves"]))
            return Owner(0, "")
        finally:
            os.close(lock)
        return None

    def stop(self, timeout: float = 30.0) -> None:
        """Stop the server: everything is on disk when this returns. Idempotent.

        Raises:
            EmbeddedRedisError: a server not started by this process still runs after `timeout` seconds.
        """
        if self._supervisor_lock is None:
            return
        self._send("SHUTDOWN NOSAVE")
        deadline = time.monotonic() + timeout
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.01)
        if self._process is not None:
            self.kill()
        elif self.running():
            raise EmbeddedRedisError(f"The server on {self.folder} does not stop{self._named_process()}.")
        self._unlock()

    def kill(self) -> None:
        """Kill the server started by this process, like a crash; `start` may follow."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._unlock()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def _launch_unless_running(self) -> None:
        lock = _take_lock(self.folder / "server.lock")
        if lock is None:
            return
        try:
            mend(self.folder)
            command = [str(choose(self.folder).path)]
        except (LogError, ProgramError) as error:
            os.close(lock)
            raise EmbeddedRedisError(str(error)) from None
        for name, value in self._settings.items():
            command += [f"--{name}", value]
        try:
            # In a separate session, since Ctrl-C in a terminal must not stop the server before its clients.
            self._process = subprocess.Popen(  # noqa: S603 - the program found above, with our own settings
                command,
                cwd=self.folder,
                env={**os.environ, **self._environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(lock,),
                start_new_session=True,
                umask=0o077,
            )
        finally:
            os.close(lock)

    def _wait_for_answer(self, timeout: float) -> None:
        """Wait until the server answers; launch it when none runs."""
        deadline = time.monotonic() + timeout
        while True:
            if self._process is None:
                # A server that was to be adopted may end meanwhile: one that was killed holds its lock for a moment.
                self._launch_unless_running()
            if self._send("PING") == b"+PONG\r\n":
                return
            if self._process is not None and self._process.poll() is not None:
                raise EmbeddedRedisError(f"The server on {self.folder} exited at its start: {self._end_of_log()}")
            if time.monotonic() > deadline:
                raise EmbeddedRedisError(f"The server on {self.folder} does not answer{self._named_process()}.")
            time.sleep(0.01)

    def _send(self, command: str) -> bytes:
        """Send a command and return the answer; empty if there is none."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2.0)
            connection.connect(str(self.socket))
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(512)
        return b""

    def _end_of_log(self) -> str:
        try:
            lines = (self.folder / "redis.log").read_text(errors="replace").splitlines()[-5:]
        except OSError:
            return "no log"
        if not any(_REPAIR in line for line in lines):
            return " | ".join(lines)
        # The server advises to truncate the log at the damage, which drops everything after it.
        texts = [line.split("make a backup")[0].split("You can:")[0].rstrip(" :.") for line in lines]
        return (
            f"{' | '.join(line for line in texts if line)}. The data are damaged: copy {self.folder} before anything "
            f"else, then restore the last backup into an empty DATA_DIR (docs/operations.md, Backups)."
        )

    def _named_process(self) -> str:
        try:
            return f" (process {int((self.folder / 'redis.pid').read_text())} according to redis.pid)"
        except (OSError, ValueError):
            return ""

    def _named_owner(self) -> str:
        owner = self.owner()
        if owner is None or not owner.pid:
            return "Another process"
        return f"Process {owner.pid}{f' ({owner.serves})' if owner.serves else ''}"

    def _unlock(self) -> None:
        if self._supervisor_lock is not None:
            # An earlier release, which writes nothing, must not pass for this process.
            os.truncate(self._supervisor_lock, 0)
            os.close(self._supervisor_lock)
            self._supervisor_lock = None


def _take_lock(path: Path) -> int | None:
    """Return a file descriptor with an exclusive lock, or None if the lock is held. Closing all its copies frees it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    return lock


def _socket_path(folder: Path) -> Path:
    """Return the path of the socket: in the folder, or if that is too long, in a private temporary folder."""
    path = folder / "redis.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    private = Path(tempfile.gettempdir()) / f"shengji-{os.getuid()}"
    private.mkdir(mode=0o700, exist_ok=True)
    if private.lstat().st_uid != os.getuid() or private.lstat().st_mode & 0o77:
        raise EmbeddedRedisError(f"{private} must belong to this user alone; remove it or set TMPDIR.")
    return private / f"{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}.sock"
