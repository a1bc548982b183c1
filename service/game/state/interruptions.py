"""By how much the time in which nobody could reach the service moves the open windows of a table (decision 137)."""

from typing import Final, Literal, NamedTuple, NotRequired, TypedDict

from service.common.interruptions import NOTICED_MS, Interruptions
from service.game.state.types import State

#: After an interruption every decision has at least so much time, or its whole time if that is less (ms).
LEAST_MS: Final = 10_000


class Moved(TypedDict):
    """How the windows of a table move: nobody could reach the service for `ms`, the last time until `until`.

    `deadline` of the open decision, `closes_at` of the open vote; `deal_ms`: how much later the timed deal goes on.
    """

    ms: int
    until: int
    deadline: NotRequired[int]
    closes_at: NotRequired[int]
    deal_ms: NotRequired[int]


class _Move(NamedTuple):
    """How one window moves: what of `Moved` says so, what was lost of it (ms), and when it would have ended (ms)."""

    name: Literal["deadline", "closes_at", "deal_ms"]
    value: int
    lost: int
    ends: int


def moved(state: State, now: int, interruptions: Interruptions, vote_ms: int) -> Moved | None:
    """Return how the windows of a table move; None if nothing moves now.

    A window counts from its beginning, or from when the windows were last moved.

    Args:
        vote_ms: for how long a vote is open.
    """
    if not interruptions.gaps:
        return None
    found = (_decision(state, interruptions), _vote(state, interruptions, vote_ms), _deal(state, interruptions))
    moves = [move for move in found if move is not None and move.lost > 0]
    if not any(move.lost >= NOTICED_MS or move.ends <= now for move in moves):
        return None
    data: Moved = {"ms": max(move.lost for move in moves), "until": interruptions.gaps[-1][1]}
    for move in moves:
        data[move.name] = move.value
    return data


def _lost(state: State, interruptions: Interruptions, began: int) -> int:
    return interruptions.lost_since(max(began, state.get("moved_at", 0)))


def _decision(state: State, interruptions: Interruptions) -> _Move | None:
    decision = state["decision"]
    if decision is None or decision["deadline"] is None:
        return None
    opened_at, deadline = decision["opened_at"], decision["deadline"]
    lost = _lost(state, interruptions, opened_at)
    least = interruptions.gaps[-1][1] + min(LEAST_MS, deadline - opened_at)
    return _Move("deadline", max(deadline + lost, least), lost, deadline)


def _vote(state: State, interruptions: Interruptions, vote_ms: int) -> _Move | None:
    vote = state["vote"]
    if vote is None or "closes_at" not in vote:
        return None
    closes_at = vote["closes_at"]
    lost = _lost(state, interruptions, closes_at - vote_ms)
    return _Move("closes_at", max(closes_at + lost, interruptions.gaps[-1][1] + LEAST_MS), lost, closes_at)


def _deal(state: State, interruptions: Interruptions) -> _Move | None:
    table_round = state["round"]
    if table_round is None or table_round["phase"] != "dealing" or table_round["deal"]["paused_at"] is not None:
        return None
    deal = table_round["deal"]
    dealt_at = deal["from"] + deal["interval"] * (deal["count"] // state["players"])
    # What was dealt before anybody knew of the interruption stays dealt, and the next cards come an interval later.
    lost = min(_lost(state, interruptions, deal["from"]), interruptions.gaps[-1][1] - dealt_at)
    return _Move("deal_ms", lost, lost, dealt_at + deal["interval"])
