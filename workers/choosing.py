"""The AI player of a worker: how much it searches when there is much to do, and what happens when a search fails."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import structlog

from service.queues import SEARCH
from service.worker_status import JobMetrics
from workers import ai

log: Final = structlog.get_logger("workers.choosing")

#: Level whose rules a seat plays by when nobody has time to search, or a search fails.
RULES: Final = "normal"
#: Searches waiting up to which each gets all the work of its level; with twice as many it gets half, and so on.
FULL_UP_TO: Final = 2


class Chooser:
    """Answers decisions of AI seats.

    Args:
        waiting: returns how many searches are waiting.
        metrics: count the moves with less than full work.
    """

    def __init__(self, waiting: Callable[[], int], metrics: JobMetrics) -> None:
        self._waiting, self._metrics = waiting, metrics

    def search(self, view: Any, seed: bytes, level: str) -> ai.Command:
        """Return a command of the level, worked out with less effort the more searches are waiting."""
        return _command(self.advise(view, seed, level)[0])

    def advise(self, view: Any, seed: bytes, level: str) -> tuple[ai.Advice, str]:
        """Return the advice of a level, worked out as in `search`, and the level that it is of in the end."""
        share = min(1.0, FULL_UP_TO / max(1, self._waiting()))
        if share < 1.0:
            self._metrics.event(SEARCH, "reduced")
        try:
            return ai.advise(view, seed, level, share), level
        except Exception as error:  # noqa: BLE001 - whatever it is, the seat plays by rules
            # Neither the message nor variables are logged: they may name cards.
            where = traceback.extract_tb(error.__traceback__)[-1]
            self._metrics.event(SEARCH, "failed")
            log.error(  # noqa: TRY400
                "search failed",
                table=view["id"],
                version=view["version"],
                level=level,
                error=type(error).__name__,
                at=f"{Path(where.filename).name}:{where.lineno}",
            )
            return ai.advise(view, seed, RULES), RULES

    def by_rules(self, view: Any, seed: bytes, level: str) -> ai.Command:
        """Return a command of the level, or by the rules of `normal` if the level searches."""
        return _command(ai.advise(view, seed, RULES if level in ai.SEARCHING else level))


def _command(advice: ai.Advice) -> ai.Command:
    """Return a command with the reason that goes into the record of the round."""
    return advice.command if advice.reason is None else {**advice.command, "reason": advice.reason}
