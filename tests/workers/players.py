"""The levels of AI seats, with next to no work for those that search: the same code in little time."""

from typing import Any

import pytest

from workers.ai import LEVELS, Effort, answer, by_search
from workers.ai.search import searching

#: For tests that change a class of a search, or extend it: `make compiled` leaves them out.
interpreted = pytest.mark.skipif(not searching.__file__.endswith(".py"), reason="the class is compiled")

LITTLE = {
    "hard": Effort(candidates=3, nominate=2, confirm=2, surety=0.5, plays=0),
    "expert": Effort(candidates=4, nominate=3, confirm=4, surety=0.0, plays=0, thorough=True),
}
QUICK = {**LEVELS, **{level: by_search(effort) for level, effort in LITTLE.items()}}


def choose(view: Any, seed: bytes, level: str = "easy") -> Any:
    """Return the command of a level, as `workers.ai.choose`."""
    return answer(QUICK[level], view, seed)
