"""The levels of AI seats with minimal searches: the same code in little time."""

from random import Random
from typing import Any

import pytest

from workers.ai import COMPILED, LEVELS, Effort, answer, by_search

#: Marks tests that patch or extend a class of a search, which is not possible with COMPILED=1.
interpreted = pytest.mark.skipif(COMPILED, reason="the class is compiled")

LITTLE = {
    "hard": Effort(candidates=3, nominate=1, confirm=1, surety=0.5, plays=0),
    "expert": Effort(candidates=4, nominate=2, confirm=2, surety=0.0, plays=0, thorough=True),
}
QUICK = {**LEVELS, **{level: by_search(effort) for level, effort in LITTLE.items()}}
#: Share of the plays at which tests of all levels ask the searching ones, which take by far the longest.
SEARCHES = 0.08


def choose(view: Any, seed: bytes, level: str = "easy") -> Any:
    """Return the command of a level, like `workers.ai.choose`."""
    return answer(QUICK[level], view, seed)


def levels_asked(view: Any, chance: Random) -> list[str]:
    """Return the levels to ask in a decision; searching ones only in some of the slow plays."""
    searches = view["decision"]["kind"] != "play" or view["round"]["roads"] is not None or chance.random() < SEARCHES
    return [level for level in QUICK if searches or level not in LITTLE]
