"""Matching of quick play tickets, every half second while somebody waits.

It runs in its own thread of the clock process, so that deadlines of tables never wait for it.
"""

from threading import Event
from typing import Final

import structlog

from service.matchmaking.quick_play import QuickPlay
from service.store.port import StoreCorrupt, StoreUnavailable

log: Final = structlog.get_logger("workers.matching")

#: Seconds between two runs, and after a failed one.
EVERY_S: Final = 0.5
RETRY_S: Final = 2.0


def match_people(quick_play: QuickPlay, stop: Event) -> None:
    """Match until `stop` is set. Safe to run in several processes, since a ticket is taken only once."""
    pause = EVERY_S
    while not stop.wait(pause):
        try:
            quick_play.tick()
            pause = EVERY_S
        except (StoreUnavailable, StoreCorrupt) as error:
            log.warning("cannot match; trying again", error=f"{type(error).__name__}: {error}", in_s=RETRY_S)
            pause = RETRY_S
        except Exception:
            # The thread must not end, or nobody would find a game.
            log.exception("a match failed", in_s=RETRY_S)
            pause = RETRY_S
