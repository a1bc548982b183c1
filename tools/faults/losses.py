"""When acknowledged writes may have been lost, since a replica may have taken over without them."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from tools.faults.history.checking import Takeover

#: How long before the loss of a master acknowledged writes may not have reached its replica (ms).
UNCOPIED_MS: Final = 1_000


class Loss(NamedTuple):
    """A loss.

    Attributes:
        since, until: when the master was lost, and until when it may have accepted writes (ms, time of the service).
        slots: of the lost master.
        began, over: the same times in monotonic seconds. Until `over`, what is lost may still be seen.
    """

    since: int
    until: float
    slots: frozenset[int]
    began: float
    over: float = math.inf

    def takes(self, slot: int, at_ms: int) -> bool:
        """Return whether a write at a time of the service may be lost."""
        return self.since - UNCOPIED_MS <= at_ms <= self.until and slot in self.slots

    def takeover(self, slot: int) -> Takeover:
        """Return it for the checker of histories."""
        may_be_lost: Callable[[int], bool] = lambda at_ms: self.takes(slot, at_ms)  # noqa: E731
        return Takeover(self.began - UNCOPIED_MS / 1000, self.over, may_be_lost)
