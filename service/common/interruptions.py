"""Outages of the service, as recorded by the shared clock (decision 63)."""

from math import inf
from typing import Final, NamedTuple

#: Longest time without a heartbeat of the API that does not count as an outage (ms). It sends one every half second.
UNHEARD_MS: Final = 900
#: An outage of this length moves a window at once (ms); a shorter one when the window would close.
NOTICED_MS: Final = 3_000


class Interruptions(NamedTuple):
    """The outages of the service, as far as a process knows.

    Attributes:
        heard_at: last heartbeat of the API (ms); infinity if there has never been one, so that nobody waits for it.
        gaps: (since, until) of the latest outages, in order (ms).
    """

    heard_at: float = inf
    gaps: tuple[tuple[int, int], ...] = ()

    def is_going_on(self, now: int) -> bool:
        """Return whether there is an outage now, as far as this process knows."""
        return now - self.heard_at > UNHEARD_MS

    def lost_since(self, at: int) -> int:
        """Return the total length of outages since `at` (ms)."""
        return sum(max(0, until - max(since, at)) for since, until in self.gaps)

    def ended_at(self) -> int:
        """Return the end of the latest outage (ms), or 0."""
        return self.gaps[-1][1] if self.gaps else 0

    def noticed_until(self) -> int:
        """Return the end of the latest outage that moves windows at once (ms), or 0."""
        return max((until for since, until in self.gaps if until - since >= NOTICED_MS), default=0)


NO_INTERRUPTIONS: Final = Interruptions()
