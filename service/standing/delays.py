"""How long a decision stays open before an order acts.

Whoever has to wait for others for hours must not learn from a quick answer that it was forced. So all orders wait for
a time that depends on nothing they say, drawn anew for each decision, like the time in which somebody answers who
happens to look.
"""

import math
from statistics import NormalDist
from typing import Final

from service.game.commands.ai_moves import seed_for
from service.game.state.queries import ai_level, decision_of, waited_for
from service.game.state.settings import correspondence_of
from service.game.state.types import State

#: Median of the delays, and their bounds (ms). Their logarithm is normal with this deviation.
MEDIAN_MS: Final = 180_000
LEAST_MS: Final = 20_000
MOST_MS: Final = 1_800_000
#: How long a worker may take to let orders act that are due, before their player is asked (ms).
_WORK_MS: Final = 10_000
_DEVIATION: Final = 0.9
_NORMAL: Final = NormalDist()


def delay_ms(state: State, seat: int) -> int:
    """Return how long the open decision stays open before an order of a seat acts (ms).

    It follows from a secret of the table that is independent of the cards, and from the course of the round.
    """
    drawn_by = seed_for(state, seat, "order")
    uniform = (int.from_bytes(drawn_by[:8], "big") + 1) / (2**64 + 2)
    drawn = MEDIAN_MS * math.exp(_DEVIATION * _NORMAL.inv_cdf(uniform))
    return round(min(max(drawn, LEAST_MS), MOST_MS))


def seats_with_delays(state: State) -> dict[int, int]:
    """Return seat -> delay (ms) of each person whom the open decision asks; none where orders do nothing."""
    if correspondence_of(state) is None or state["status"] != "playing" or "pause" in state:
        return {}
    if state["decision"] is None or state["round"] is None:
        return {}
    return {seat: delay_ms(state, seat) for seat in waited_for(state) if ai_level(state, seat) is None}


def answered_by(state: State, seat: int) -> int:
    """Return until when orders may answer the open decision for a seat (ms), with the time that a worker needs."""
    delay = seats_with_delays(state).get(seat)
    return 0 if delay is None else decision_of(state)["opened_at"] + delay + _WORK_MS
