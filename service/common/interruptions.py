"""The times when nobody could reach the service, as recorded by the shared clock (decision 137)."""

from math import inf
from typing import Final, NamedTuple

#: Longest time without a sign of life of the API that is ordinary (ms). It gives one every half second.
UNHEARD_MS: Final = 900
#: An interruption of this length moves a window at once (ms); a shorter one when the window would close.
NOTICED_MS: Final = 3_000


class Interruptions(NamedTuple):
    """What a process knows of the interruptions of the service.

    Attributes:
        heard_at: when the API last gave a sign of life (ms); infinity: it never has, so nobody waits for it.
        gaps: (since, until) of the latest interruptions, in order (ms).
    """

    heard_at: float = inf
    gaps: tuple[tuple[int, int], ...] = ()

    def is_going_on(self, now: int) -> bool:
        """Tell whether, for all this process knows, nobody can reach the service."""
        return now - self.heard_at > UNHEARD_MS

    def lost_since(self, at: int) -> int:
        """Return for how much of the time since `at` nobody could reach the service (ms)."""
        return sum(max(0, until - max(since, at)) for since, until in self.gaps)

    def noticed_until(self) -> int:
        """Return when the latest interruption ended that moves windows at once (ms); 0: there was none."""
        return max((until for since, until in self.gaps if until - since >= NOTICED_MS), default=0)


NO_INTERRUPTIONS: Final = Interruptions()
