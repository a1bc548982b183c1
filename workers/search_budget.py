"""The AI player of a worker: how much it searches under load, and what happens when a search fails."""

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

import structlog

from service.jobs.queues import SEARCH
from service.jobs.worker_status import JobMetrics
from workers import ai

log: Final = structlog.get_logger("workers.search_budget")

#: Level whose rules decide when there is no time to search, or a search fails.
RULES: Final = "normal"
#: Number of waiting searches up to which each gets the full work of its level; with twice as many it gets half, etc.
FULL_UP_TO: Final = 2
#: Share of the time left for a decision that a search may take, and share of its work below which rules decide.
IN_TIME: Final = 0.5
LEAST: Final = 0.05
#: Initial estimate of simulated plays per second, and factor by which a stored maximum decays per search.
_FIRST_PACE: Final = 200_000
_FORGETS: Final = 0.98

#: What determines the duration of a search: level, kind of the decision, ruleset, number of seats.
_Kind: TypeAlias = tuple[str, str, str, int]


class Chooser:
    """Answers decisions of AI seats.

    Args:
        waiting: returns the number of waiting searches.
        metrics: counts moves with less than full work.
        clock: returns seconds, for timing searches.
        work: share of the usual work of a level that counts as its full work here.
    """

    def __init__(
        self,
        waiting: Callable[[], int],
        metrics: JobMetrics,
        clock: Callable[[], float] = time.monotonic,
        work: float = 1.0,
    ) -> None:
        self._waiting, self._metrics, self._clock, self.work = waiting, metrics, clock, work
        # Recent maximum duration of a search with full work (s).
        self._full_s: dict[_Kind, float] = {}

    def search(self, view: Any, seed: bytes, level: str) -> ai.Command:
        """Return a command of the level, with less work the more searches wait and the less time is left.

        At a practice table the same actions must lead to the same round, so there the work is always the same.
        """
        return _command(self.advise(view, seed, level, always_full=bool(view.get("practice")))[0])

    def advise(self, view: Any, seed: bytes, level: str, *, always_full: bool = False) -> tuple[ai.Advice, str]:
        """Return the advice of a level, computed as in `search`, and the level that was really used."""
        if level not in ai.SEARCHING or view["decision"]["kind"] not in ai.SEARCHED:
            return self._advise(view, seed, level, 1.0)
        kind = level, view["decision"]["kind"], view["ruleset"], len(view["seats"])
        share = 1.0 if always_full else self._share(_time_left(view), kind)
        if share < 1.0:
            self._metrics.event(SEARCH, "reduced")
        if share < LEAST:
            # The estimate also decays without a search, so that one long search does not prevent all others of its
            # kind.
            self._full_s[kind] = _FORGETS * self._full_of(kind)
            return ai.advise(view, seed, RULES), RULES
        began = self._clock()
        advice = self._advise(view, seed, level, share)
        # The estimate decays instead of following the last value, since searches may end early.
        self._full_s[kind] = max((self._clock() - began) / share, _FORGETS * self._full_of(kind))
        return advice

    def _share(self, remaining_ms: int | None, kind: _Kind) -> float:
        """Return the share of its full work that a search gets."""
        share = min(1.0, FULL_UP_TO / max(1, self._waiting()))
        if remaining_ms is None:
            return share
        return min(share, IN_TIME * remaining_ms / 1000 / self._full_of(kind))

    def _full_of(self, kind: _Kind) -> float:
        """Return the estimated duration of a search with full work (s)."""
        return self._full_s.get(kind) or ai.EFFORTS[kind[0]].plays / _FIRST_PACE

    def _advise(self, view: Any, seed: bytes, level: str, share: float) -> tuple[ai.Advice, str]:
        try:
            return ai.advise(view, seed, level, share * self.work), level
        except Exception as error:  # noqa: BLE001 - after any error, the seat plays by rules
            # Log neither the message nor variables, which may contain cards.
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


def _time_left(view: Any) -> int | None:
    """Return the milliseconds left for the open decision, with the time bank if only one seat is asked."""
    decision = view["decision"]
    left: int | None = decision["remaining_ms"]
    if left is not None and len(decision["seats"]) == 1:
        left += view["seats"][decision["seats"][0]]["bank_ms"]
    return left


def _command(advice: ai.Advice) -> ai.Command:
    """Return a command with its reason, which is stored in the record of the round."""
    return advice.command if advice.reason is None else {**advice.command, "reason": advice.reason}
