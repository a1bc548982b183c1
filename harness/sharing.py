"""One service for all test processes of a run: the first process that needs it starts it, the main one stops it.

A service takes ten processor seconds to start and to idle during a run, so one for each test process costs half a
minute.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.make_run import Service
from harness.waiting import wait_until

#: In the folder of the service: written once it is ready.
RUNNING = "running.json"


class Attached(Service):
    """A service that another process started in this folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        running = json.loads((folder / RUNNING).read_text())
        self.port, self.pid, self.log = running["port"], running["pid"], Path(running["log"])

    def has_ended(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        return False

    def wait_for_end(self, _: float = 60) -> int:
        """Wait for its end; the status is known to the process that started it, so return 0."""
        wait_until(self.has_ended, "the end of the service")
        return 0


def shared(folder: Path, **environment: str) -> Service:
    """Return the service of a folder; start it with these settings if no process has."""
    folder.mkdir(exist_ok=True)
    with alone(folder / "lock"):
        if not (folder / RUNNING).exists():
            service = Service(folder, **environment)
            try:
                service.wait_until_ready()
            except BaseException:
                service.clear_away()
                raise
            running = {"port": service.port, "pid": service.pid, "log": str(service.log)}
            (folder / RUNNING).write_text(json.dumps(running))
    return Attached(folder)


def stop(folder: Path) -> None:
    """Stop the service of a folder, if there is one."""
    if (folder / RUNNING).exists():
        Attached(folder).clear_away()


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold a lock, which is a file, against all other processes."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
