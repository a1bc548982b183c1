"""How the open time windows of a table move after an outage of the service (decision 63)."""

from typing import Final, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

from service.common.interruptions import NOTICED_MS, Interruptions
from service.game.state.clock import ANSWER_MS
from service.game.state.queries import GONE_AFTER_MS, game_of, waits_for_people
from service.game.state.settings import game_ends_at
from service.game.state.table_types import SeatText
from service.game.state.types import State

#: Least time of an open decision after an outage (ms), or its whole time if that is less.
LEAST_MS: Final = 10_000


class Moved(TypedDict):
    """How the windows of a table move after `ms` of outage that ended at `until`.

    New values: `deadline` of the open decision, `closes_at` of the open vote, `pause_until` (latest end of the pause),
    `game_ends_at` (when the time of the game is up), `asked_at` (from when on AI players wait for answers to a
    take-back), `away_since` (by seat). `deal_ms`: delay of the timed deal.
    """

    ms: int
    until: int
    deadline: NotRequired[int]
    closes_at: NotRequired[int]
    deal_ms: NotRequired[int]
    pause_until: NotRequired[int]
    game_ends_at: NotRequired[int]
    asked_at: NotRequired[int]
    away_since: NotRequired[dict[SeatText, int]]


#: Windows of which a table has at most one, by their names in `Moved`.
_Window: TypeAlias = Literal["deadline", "closes_at", "deal_ms", "pause_until", "game_ends_at", "asked_at"]


class _Move(NamedTuple):
    """How a window moves: its value in `Moved`, the time lost (ms), and its end without the move (ms)."""

    value: int
    lost: int
    ends: int


def moved(state: State, now: int, interruptions: Interruptions, vote_ms: int) -> Moved | None:
    """Return how the windows of a table move, or None if none does now.

    Lost time is counted from the beginning of a window, or from its last move.

    Args:
        vote_ms: how long a vote is open.
    """
    if not interruptions.gaps:
        return None
    move_of: dict[_Window, _Move | None] = {
        "deadline": _decision(state, interruptions),
        "closes_at": _vote(state, interruptions, vote_ms),
        "deal_ms": _deal(state, interruptions),
        "pause_until": _pause(state, interruptions),
        "game_ends_at": _game(state, interruptions),
        "asked_at": _request(state, interruptions),
    }
    windows = {name: move for name, move in move_of.items() if move is not None and move.lost > 0}
    away = {seat: move for seat, move in _away(state, interruptions).items() if move.lost > 0}
    moves = [*windows.values(), *away.values()]
    if not any(move.lost >= NOTICED_MS or move.ends <= now for move in moves):
        return None
    data: Moved = {"ms": max(move.lost for move in moves), "until": interruptions.gaps[-1][1]}
    for name, move in windows.items():
        data[name] = move.value
    if away:
        data["away_since"] = {seat: move.value for seat, move in away.items()}
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
    return _Move(max(deadline + lost, least), lost, deadline)


def _vote(state: State, interruptions: Interruptions, vote_ms: int) -> _Move | None:
    vote = state["vote"]
    if vote is None or "closes_at" not in vote:
        return None
    return _later(state, interruptions, vote["closes_at"] - vote_ms, vote["closes_at"])


def _deal(state: State, interruptions: Interruptions) -> _Move | None:
    table_round = state["round"]
    if table_round is None or table_round["phase"] != "dealing" or table_round["deal"]["paused_at"] is not None:
        return None
    deal = table_round["deal"]
    dealt_at = deal["from"] + deal["interval"] * (deal["count"] // state["players"])
    # Cards dealt before the outage was noticed stay dealt, and the next ones come an interval later.
    lost = min(_lost(state, interruptions, deal["from"]), interruptions.gaps[-1][1] - dealt_at)
    return _Move(lost, lost, dealt_at + deal["interval"])


def _pause(state: State, interruptions: Interruptions) -> _Move | None:
    pause = state.get("pause")
    if pause is None or waits_for_people(state):
        return None
    return _later(state, interruptions, pause["since"], pause["until"])


def _game(state: State, interruptions: Interruptions) -> _Move | None:
    ends_at = game_ends_at(state)
    if ends_at is None:
        return None
    lost = _lost(state, interruptions, game_of(state)["time"]["since"])
    return _Move(ends_at + lost, lost, ends_at)


def _request(state: State, interruptions: Interruptions) -> _Move | None:
    table_round = state["round"]
    request = table_round["take_back"] if table_round is not None else None
    # The end of a pause moves this, and `away_since`, anyway.
    if request is None or "asked_at" not in request or "pause" in state:
        return None
    move = _later(state, interruptions, request["asked_at"], request["asked_at"] + ANSWER_MS)
    return move._replace(value=move.value - ANSWER_MS)


def _later(state: State, interruptions: Interruptions, since: int, ends: int) -> _Move:
    """Return how a window moves by the time lost `since` it began, so that at least `LEAST_MS` are left."""
    lost = _lost(state, interruptions, since)
    return _Move(max(ends + lost, interruptions.gaps[-1][1] + LEAST_MS), lost, ends)


def _away(state: State, interruptions: Interruptions) -> dict[SeatText, _Move]:
    """Return how `away_since` of each seat moves, since players keep their seats for a limited time."""
    moves: dict[SeatText, _Move] = {}
    for number, seat in enumerate(state["seats"]):
        stops = "pause" in state and not waits_for_people(state)
        if seat["presence"] == "away" and "away_since" in seat and not stops:
            since = seat["away_since"]
            lost = _lost(state, interruptions, since)
            moves[str(number)] = _Move(since + lost, lost, since + GONE_AFTER_MS)
    return moves
