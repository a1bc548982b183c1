"""Matches the tickets of quick play, every half second while somebody waits.

In a thread of the clock process, so that deadlines of tables never wait for matching, however many people there are.
"""

from threading import Event
from typing import Final

import structlog

from service.people.quick_play import QuickPlay
from service.store.port import StoreCorrupt, StoreUnavailable

log: Final = structlog.get_logger("workers.matching")

#: Seconds between two looks, and after one that failed.
EVERY_S: Final = 0.5
RETRY_S: Final = 2.0


def match_people(quick_play: QuickPlay, stop: Event) -> None:
    """Match until `stop` is set. Any number of processes may: a ticket is taken once."""
    pause = EVERY_S
    while not stop.wait(pause):
        try:
            quick_play.tick()
            pause = EVERY_S
        except (StoreUnavailable, StoreCorrupt) as error:
            log.warning("cannot match; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
            pause = RETRY_S
        except Exception:
            # Without this thread nobody would find a game any more.
            log.exception("a match failed", in_s=RETRY_S)
            pause = RETRY_S
