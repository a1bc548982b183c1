"""gunicorn's settings, on one machine and in containers.

`gunicorn --config python:service.gunicorn_conf service.wsgi:app`; the names are gunicorn's.
"""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from gunicorn.sock import BaseSocket  # type: ignore[import-untyped] # it has no types

from service.common import reports, traces
from service.common.settings import Settings, SettingsError
from service.processes.descriptors import lacking, most_connections, raise_limit

try:
    _settings = Settings.from_env()
except SettingsError as error:
    # Otherwise gunicorn would print a traceback.
    sys.exit(f"gunicorn cannot start: {error}")

bind = f"{f'[{_settings.host}]' if ':' in _settings.host else _settings.host}:{_settings.port}"
workers = _settings.api_workers
# Greenlets serve thousands of open event streams, and twice as many short requests as threads do (decision 119).
worker_class = "service.processes.gunicorn_worker.Worker"
# By default gunicorn takes its parser in C if that is installed, which accepts what this one refuses (decision 119).
http_parser = "python"
# The children inherit the limit.
worker_connections = most_connections(raise_limit())
# Longer than the idle timeout of common proxies (60 s), so that they close first and no request meets a closed
# connection.
keepalive = 75
# ProxyFix handles forwarding headers, by the number of proxies (TRUSTED_PROXIES). By default gunicorn lets any process
# on the same host replace path and scheme. Without such headers it does not check addresses.
secure_scheme_headers: dict[str, str] = {}
forwarder_headers = ""
forwarded_allow_ips = "*"
# Actions take milliseconds. Requests that take longer are streams and polls, whose clients reconnect and resume.
graceful_timeout = 3
# The default is a socket in the home directory shared by all gunicorns of a user.
control_socket_disable = True
# Workers touch a file as heartbeat, which must not wait for a disk.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - the kernel's memory, not a disk
# The application logs each request; gunicorn logs only what goes wrong.
loglevel = "info" if _settings.log_level == "debug" else "warning"

# Workers write their counters into files, which any of them adds up for /metrics. The client library reads the variable
# on import, which is after this file. Each gunicorn starts from zero.
_metrics_dir = os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix="shengji-metrics-", dir=worker_tmp_dir)


def on_starting(_arbiter: object) -> None:
    """Refuse to start if the settings are not valid or the servers do not fit them; do not listen yet.

    A socket that listens takes connections before a worker can answer them, and a gateway that connects waits there
    instead of trying another process. So gunicorn only binds; the first worker that is ready listens.
    """
    BaseSocket._is_listening = staticmethod(lambda _sock: True)  # noqa: SLF001 - gunicorn has no setting for it
    try:
        settings = Settings.for_processes()
        reports.check(settings)
        traces.check(settings)
    except SettingsError as error:
        sys.exit(f"gunicorn cannot start: {error}")
    # Check in a separate process: modules imported here would not be patched by gevent, which patches only the workers.
    child = os.fork()
    if not child:
        os._exit(_open_servers(settings))
    if os.waitpid(child, 0)[1]:
        sys.exit(1)


def _open_servers(settings: Settings) -> int:
    from service.store.connections.opening import CannotStartError, open_queues, open_tables  # noqa: PLC0415 - see above
    from service.store.connections.preconditions import check  # noqa: PLC0415

    try:
        warnings = open_tables(settings.redis_url, settings.buckets)
        warnings += check(
            settings.redis_url, accepts_loss=bool(settings.accept_loss), replicas=settings.append_replicas
        )
        warnings += open_queues(settings.queue_urls if settings.queue_redis_url else ())
    except CannotStartError as error:
        sys.stderr.write(f"gunicorn cannot start: {error}\n")
        return 1
    for text in [*warnings, *lacking(settings.max_streams)]:
        sys.stderr.write(f"gunicorn: {text}\n")
    return 0


def post_fork(_arbiter: object, _worker: object) -> None:
    """Collect no garbage while the application is imported: it would take a tenth of that time."""
    gc.disable()


def post_worker_init(worker: Any) -> None:
    """Listen, now that requests can be answered.

    Exclude the application from full garbage collections, which would stop all requests for 35 ms (decision 80).
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    for sock in worker.sockets:
        sock.listen(worker.cfg.backlog)


def child_exit(_arbiter: Any, worker: Any) -> None:
    """Drop the gauges of a dead worker; its counters stay."""
    from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 - see above

    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(_arbiter: object) -> None:
    """Remove the counters."""
    shutil.rmtree(_metrics_dir, ignore_errors=True)
