"""gunicorn's settings, the same on one machine and in containers.

`gunicorn --config python:service.gunicorn_conf service.wsgi:app`; names are those of gunicorn's documentation.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from service.settings import Settings

_settings = Settings.from_env()

bind = f"{_settings.host}:{_settings.port}"
workers = _settings.api_workers
# Greenlets serve thousands of open event streams, and twice as many short requests as threads do (decision 35).
worker_class = "gevent"
worker_connections = 10_000
# Longer than the idle time of the usual proxies (60 s): they close first, so no request meets a closed connection.
keepalive = 75
# Actions take milliseconds. What is still open after this are streams and polls, whose clients come back and resume.
graceful_timeout = 3
# The default is a socket in the home directory that all gunicorns of a user would share.
control_socket_disable = True
# Workers show that they live by touching a file, which must never wait for a disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - the kernel's memory, not a disk
# The application writes a line for each request; of gunicorn only what goes wrong.
loglevel = "info" if _settings.log_level == "debug" else "warning"

# Workers count into files that any of them can add up for /metrics. The client library reads this when it is imported,
# which is after this file; the counts of a gunicorn that has ended are of no use to the next.
_counts = os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="shengji-metrics-")


def child_exit(_arbiter: Any, worker: Any) -> None:
    """Forget what a dead worker held open; what it counted stays."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see above

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(_arbiter: Any) -> None:
    """Remove the counts."""
    shutil.rmtree(_counts, ignore_errors=True)
