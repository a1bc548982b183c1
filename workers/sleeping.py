"""Puts tables to sleep at which nobody has acted or looked for a while.

It runs in its own thread of the clock process, so that deadlines of tables never wait for it.
"""

import time
from threading import Event
from typing import Final

import structlog
from redis.exceptions import RedisClusterException, RedisError

from service.store.port import StoreCorrupt, StoreUnavailable
from service.store.sleep.sleeping import SleepingTables

log: Final = structlog.get_logger("workers.sleeping")

#: Seconds between two questions whether it is time to look.
EVERY_S: Final = 1.0
#: How often all tables are looked at within the time after which they sleep.
LOOKS: Final = 4


def put_tables_to_sleep(tables: SleepingTables, after_s: int, stop: Event) -> None:
    """Put tables to sleep until `stop` is set; with `after_s` 0 none. Safe to run in several processes.

    It begins after that time, so that an upgrade is over: processes of a release before cannot read these tables.
    """
    if not after_s or stop.wait(after_s):
        return
    while not stop.wait(EVERY_S):
        try:
            if tables.begin(1_000 * after_s // LOOKS):
                _look(tables, after_s, stop)
        except (StoreUnavailable, StoreCorrupt, RedisError, RedisClusterException) as error:
            log.warning("cannot put tables to sleep; trying again", error=f"{type(error).__name__}: {error}")
        except Exception:
            # The thread must not end, or no table would sleep any more.
            log.exception("tables could not be put to sleep")


def _look(tables: SleepingTables, after_s: int, stop: Event) -> None:
    """Look at all tables once. As much time passes between two tables as one takes, so that others have the core."""
    count, began = 0, time.monotonic()
    for sleeps in tables.put_to_sleep(1_000 * after_s):
        count += sleeps
        if stop.wait(time.monotonic() - began):
            break
        began = time.monotonic()
    if count:
        log.info("tables sleep", tables=count)
