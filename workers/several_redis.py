"""Serving several Redis servers of job queues: a process serves one, and starts others like itself for the rest."""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Final

import structlog

log: Final = structlog.get_logger("workers.several_redis")

#: Seconds between two checks of the other processes, and for which they may finish their jobs.
_LOOK_S: Final = 1.0
_END_S: Final = 40.0


def serve_others(role: str, numbers: Sequence[int], stop: threading.Event) -> None:
    """Keep a process of this role running for each of these servers until `stop` is set, in a thread."""
    if numbers:
        threading.Thread(target=_keep, args=(role, numbers, stop), name="serving").start()


def _keep(role: str, numbers: Sequence[int], stop: threading.Event) -> None:
    running: dict[int, subprocess.Popen[bytes]] = {}
    while not stop.is_set():
        for number in numbers:
            process = running.get(number)
            if process is None or process.poll() is not None:
                if process is not None:
                    log.warning("restarting", role=role, queues=number, status=process.returncode)
                running[number] = _start(role, number)
        stop.wait(_LOOK_S)
    for process in running.values():
        process.terminate()
    for process in running.values():
        try:
            process.wait(_END_S)
        except subprocess.TimeoutExpired:
            process.kill()


def _start(role: str, number: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "SERVE_QUEUES": str(number), "ALIVE_FILE": ""}
    return subprocess.Popen([sys.executable, "-m", "workers", role], env=environment)  # noqa: S603 - this program
