"""`python -m workers worker|clock|all`: processes that move what no person moves.

The one place of the workers where connections are opened. SIGTERM and SIGINT let the job in hand be finished.
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
from service.store.redis_store import RedisTableStore, redis_stores
from service.store.results import RedisResultStore
from service.tables import Tables, wall_clock
from service.worker_status import Pulse
from workers.clock import Clock
from workers.jobs import Worker

log: Final = structlog.get_logger("workers")

#: Seconds before a worker that lost its Redis tries again.
AGAIN_S: Final = 1.0


def run_worker(settings: Settings, stop: threading.Event) -> None:
    """Run jobs until told to stop; when Redis goes away, wait for it to come back."""
    client = command_client(settings.redis_url)
    stores = redis_stores(client)
    tables = Tables(
        stores.tables,
        enqueue=Queues(queue_client(settings.queue_url), wall_clock).enqueue,
        keep=Keeper(stores.archive, RedisResultStore(client), stores.players.get).keep,
    )
    while True:
        try:
            Worker(queue_client(settings.queue_url, waits=True), tables, stop).work(logging_level="WARNING")
        except RedisError as error:
            log.warning("queues away", error=str(error))
        # A worker of RQ ends when it is told to, and whenever Redis fails it in the middle of a job; it takes the
        # signals over while it lives.
        heed_signals(stop)
        if stop.wait(AGAIN_S):
            return


def run_clock(settings: Settings, stop: threading.Event) -> None:
    """Tick until told to stop."""
    queues = queue_client(settings.queue_url)
    store = RedisTableStore(command_client(settings.redis_url))
    pulse = Pulse(queues, "clock", wall_clock)
    Clock(store, Queues(queues, wall_clock), pulse).run(stop)
    with suppress(RedisError):
        pulse.end()


def heed_signals(stop: threading.Event) -> None:
    """Let SIGTERM and SIGINT set `stop`."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


def main(arguments: list[str]) -> int:
    """Run what the command line says until a signal; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("role", choices=["worker", "clock", "all"])
    role = parser.parse_args(arguments).role
    try:
        settings = Settings.from_env()
    except SettingsError as error:
        parser.error(str(error))
    logs.configure(settings)
    stop = threading.Event()
    heed_signals(stop)
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
