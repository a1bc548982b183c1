"""The plan of faults and their times. It depends only on the seed, so that a failing run can be repeated."""

import random
from collections.abc import Collection
from typing import Final, NamedTuple

#: Kind -> relative frequency. `late` stops processes for a while instead of killing them, `long` for ten seconds.
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


#: Kinds for several Redis servers. `stop` lets a master hang until a replica has taken over, `late` for less than that.
_OF_ONE: Final = ("kill_redis", "late_redis", "full_disk")
_OF_SEVERAL: Final = {"kill_master": 9, "stop_master": 5, "late_master": 3, "kill_replica": 2}
#: Cuts of the network between these servers, their sentinels and the service.
PARTITIONS: Final = {
    "cut_master": 5,
    "cut_side": 3,
    "mute_master": 4,
    "deaf_master": 2,
    "cut_replica": 2,
    "cut_clients": 3,
}

#: Topology -> its kinds.
KINDS_OF: Final = {
    "one": KINDS,
    "sentinel": {**{kind: often for kind, often in KINDS.items() if kind not in _OF_ONE}, **_OF_SEVERAL, **PARTITIONS},
    "cluster": {
        **{kind: often for kind, often in KINDS.items() if kind not in _OF_ONE},
        **_OF_SEVERAL,
        "kill_queues": 2,
        "move_slots": 6,
        "add_node": 3,
        **PARTITIONS,
    },
}


class Fault(NamedTuple):
    """A fault.

    Attributes:
        after_s: delay after the previous fault.
        kind: see `KINDS_OF`.
        which: selects a process among those of a kind.
        for_s: how long a killed or stopped process stays away.
    """

    after_s: float
    kind: str
    which: int
    for_s: float


def plan(
    seed: int, count: int, *, every_s: float, topology: str = "one", kinds: Collection[str] | None = None
) -> list[Fault]:
    """Return a number of faults, each kind at least once if there are enough.

    Args:
        kinds: the only ones to choose from; all of the topology by default.
    """
    rng = random.Random(f"plan:{seed}")
    often = {kind: often for kind, often in KINDS_OF[topology].items() if kinds is None or kind in kinds}
    chosen = list(often)[:count]
    chosen += rng.choices(list(often), list(often.values()), k=count - len(chosen))
    rng.shuffle(chosen)
    return [
        Fault(rng.uniform(0.2, 2 * every_s - 0.2), kind, rng.randrange(1_000), round(rng.uniform(0.1, 2.5), 2))
        for kind in chosen
    ]
