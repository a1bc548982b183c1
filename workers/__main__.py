"""`python -m workers worker|clock|all`: the processes that run jobs and find what is due.

The one module of the workers that opens connections. On SIGTERM and SIGINT the current job is finished first.
"""

import argparse
import signal
import sys
import threading
from contextlib import suppress
from typing import Final

import structlog
from redis.exceptions import RedisError

from service import logs
from service.queues import Queues
from service.results import Keeper
from service.settings import Settings, SettingsError
from service.store.clients import command_client, queue_client
from service.store.redis_store import redis_stores
from service.store.redis_tables import RedisTableStore
from service.store.results import RedisResultStore
from service.tables import Tables, wall_clock
from service.worker_status import Heartbeat
from workers.clock import Clock
from workers.jobs import Worker

log: Final = structlog.get_logger("workers")

#: Seconds before a worker that lost its Redis starts again.
RESTART_S: Final = 1.0


def run_worker(settings: Settings, stop: threading.Event) -> None:
    """Run jobs until told to stop; when Redis goes away, wait for it to come back."""
    client = command_client(settings.redis_url)
    # Jobs load each table anyway: nothing to cache here.
    stores = redis_stores(client, cached_tables=0)
    tables = Tables(
        stores.tables,
        enqueue=Queues(queue_client(settings.queue_url), wall_clock).enqueue,
        keep=Keeper(stores.archive, RedisResultStore(client), stores.players.get).keep,
    )
    while True:
        try:
            Worker(queue_client(settings.queue_url, blocking=True), tables, stop).work(logging_level="WARNING")
        except RedisError as error:
            log.warning("lost the queues", error=str(error))
        # An RQ worker returns when it is stopped, and when Redis fails in the middle of a job. It replaces the signal
        # handlers.
        handle_signals(stop)
        if stop.wait(RESTART_S):
            return


def run_clock(settings: Settings, stop: threading.Event) -> None:
    """Tick until told to stop."""
    queues = queue_client(settings.queue_url)
    store = RedisTableStore(command_client(settings.redis_url))
    heartbeat = Heartbeat(queues, "clock", wall_clock)
    Clock(store, Queues(queues, wall_clock), heartbeat).run(stop)
    with suppress(RedisError):
        heartbeat.end()


def handle_signals(stop: threading.Event) -> None:
    """Let SIGTERM and SIGINT set `stop`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


def main(arguments: list[str]) -> int:
    """Run the role named on the command line until a signal; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("role", choices=["worker", "clock", "all"])
    role = parser.parse_args(arguments).role
    try:
        settings = Settings.from_env()
    except SettingsError as error:
        parser.error(str(error))
    logs.configure(settings)
    stop = threading.Event()
    handle_signals(stop)
    log.info("started", role=role)
    if role == "clock":
        run_clock(settings, stop)
    else:
        if role == "all":
            threading.Thread(target=run_clock, args=(settings, stop), daemon=True).start()
        run_worker(settings, stop)
    log.info("stopped", role=role)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
