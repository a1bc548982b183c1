"""The plan of faults: which, and when. It depends only on the seed, so that a failing run can be repeated."""

import random
from typing import Final, NamedTuple

#: Kind -> how often it comes, relative to the others. `late` stops processes for a while instead of killing them,
#: `long` for ten seconds.
KINDS: Final = {
    "kill_api": 3,
    "kill_api_child": 3,
    "kill_worker": 4,
    "kill_clock": 3,
    "kill_redis": 3,
    "late_clocks": 2,
    "late_worker": 3,
    "late_redis": 1,
    "cut_connections": 3,
    "cut_answers": 3,
    "kill_everything": 1,
    "kill_supervisor": 2,
    "long_stop": 2,
    "full_disk": 1,
    "full_memory": 1,
    "step_clock": 2,
    "few_descriptors": 2,
    "change_rights": 3,
}


class Fault(NamedTuple):
    """One thing that goes wrong.

    Attributes:
        after_s: how long after the fault before it.
        kind: see `KINDS`.
        which: picks one process among those of a kind.
        for_s: how long what was killed or stopped stays away.
    """

    after_s: float
    kind: str
    which: int
    for_s: float


def plan(seed: int, count: int, *, every_s: float) -> list[Fault]:
    """Return so many faults, each kind at least once if there are enough of them."""
    rng = random.Random(f"plan:{seed}")
    kinds = list(KINDS)[:count]
    kinds += rng.choices(list(KINDS), list(KINDS.values()), k=count - len(kinds))
    rng.shuffle(kinds)
    return [
        Fault(rng.uniform(0.2, 2 * every_s - 0.2), kind, rng.randrange(1_000), round(rng.uniform(0.1, 2.5), 2))
        for kind in kinds
    ]
