"""Steps: what a difference in points is worth, like IMPs in bridge, so that a single wild board does not decide."""

from bisect import bisect_right
from typing import Final

#: Differences in points from which a board gives one more step.
STEPS: Final = (5, 15, 30, 45, 60, 80, 100, 125, 150, 180, 215, 250)
#: Steps of a board that cannot be compared, for the team not to blame; the other team gets the reverse. As many as the
#: worst result costs: otherwise it would pay to give up a board that goes badly.
FORFEIT: Final = len(STEPS)


def steps_of(points: float) -> int:
    """Return the steps for a difference in points."""
    steps = bisect_right(STEPS, abs(points))
    return steps if points > 0 else -steps
