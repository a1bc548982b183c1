"""When something is due at a table, as a function of its state and the time."""

from collections.abc import Sequence
from typing import Final

from service.game.state.queries import ai_level, decision_of, is_deserted, round_of, waited_for
from service.game.state.settings import game_ends_by_itself_at, runs_on_bank
from service.game.state.table_types import Decision, DecisionKind
from service.game.state.types import State

#: Kinds of decisions that count as missed when they time out; after three in a row, an AI takes over.
COUNTED_DECISIONS: Final = frozenset({"discard", "call", "road", "play"})
#: How late an AI seat may be with such a decision before it is treated like an absent person (ms).
AI_LATE_MS: Final = 60_000
#: How long AI seats wait for answers to a request to take back a play (ms), which their play would void.
ANSWER_MS: Final = 15_000


# --- the deal ----------------------------------------------------------------------------------------------------


def circles_in_deal(state: State) -> int:
    """Return the number of circles of a deal, each with one card per seat."""
    return round_of(state)["deal"]["of"] // state["players"]


def deal_ends_at(state: State) -> int:
    """Return when the last circle of a timed deal is due."""
    deal = round_of(state)["deal"]
    return deal["from"] + deal["interval"] * circles_in_deal(state)


def next_circle_at(state: State) -> int | None:
    """Return when the next circle of cards is due; None if there is no running deal."""
    table_round = state["round"]
    if table_round is None or table_round["phase"] != "dealing":
        return None
    deal = table_round["deal"]
    if deal["paused_at"] is not None:
        return None
    return deal["from"] + deal["interval"] * (deal["count"] // state["players"] + 1)


def deal_is_due(state: State, now: int) -> bool:
    """Tell whether cards are due to be dealt."""
    at = next_circle_at(state)
    return at is not None and at <= now


# --- decisions ---------------------------------------------------------------------------------------------------


def bank_of(state: State) -> int:
    """Return the time bank of the open decision beyond its deadline: 0 unless it asks a single seat."""
    decision = decision_of(state)
    if len(decision["seats"]) > 1 or decision["kind"] not in COUNTED_DECISIONS or runs_on_bank(state):
        return 0
    return state["seats"][decision["seats"][0]]["bank_ms"]


def is_on_bank(state: State, kind: DecisionKind, seats: Sequence[int]) -> bool:
    """Return whether a decision runs on the bank of its seat, to which each decision adds."""
    return len(seats) == 1 and kind in COUNTED_DECISIONS and runs_on_bank(state)


def left_ms(decision: Decision, at: int) -> int:
    """Return how much of the time of a decision with a deadline is left at a time (ms), without what stands still."""
    deadline = decision["deadline"]
    if deadline is None:
        raise AssertionError("the decision has no limit")
    stops = decision.get("stops", ())
    return deadline - at - sum(max(0, min(until, deadline) - max(since, at)) for since, until in stops)


def times_out_at(state: State) -> int | None:
    """Return when the open decision times out: its deadline, plus the time bank, plus the grace.

    AI seats get extra time, since workers may be late. A clock that only reminds acts for nobody else.
    """
    decision = state["decision"]
    if decision is None or decision["deadline"] is None:
        return None
    if state["settings"]["clock"]["on_timeout"] == "remind" and not _ai_seats_deciding(state):
        return None
    at = decision["deadline"] + bank_of(state) + state["settings"]["clock"]["grace_ms"]
    return at + AI_LATE_MS if _ai_seats_deciding(state) else at


def timeout_is_due(state: State, now: int) -> bool:
    """Tell whether the open decision has timed out."""
    at = times_out_at(state)
    return at is not None and at <= now


def vote_ends_at(state: State) -> int | None:
    """Return when the open vote is over, or None."""
    return state["vote"].get("closes_at") if state["vote"] is not None else None


def vote_is_over(state: State, now: int) -> bool:
    """Return whether the time of the open vote is over."""
    at = vote_ends_at(state)
    return at is not None and at <= now


def pause_is_over(state: State, now: int) -> bool:
    """Return whether the time of the pause is over."""
    at = pause_ends_at(state)
    return at is not None and at <= now


def pause_ends_at(state: State) -> int | None:
    """Return when the pause is over, or None: there is none, or it waits for somebody, however long that takes."""
    pause = state.get("pause")
    return None if pause is None or "reason" in pause else pause["until"]


def game_is_up(state: State, now: int) -> bool:
    """Return whether the game ends now because its time is up."""
    game = state["game"]
    at = game_ends_by_itself_at(state) if game is not None and "time" in game else None
    return at is not None and at <= now


def wait_is_due(state: State) -> bool:
    """Return whether a round would go on without any of its players: the table is then paused until one is back.

    Between rounds, and for a decision without a deadline, a table waits anyway.
    """
    if state["status"] != "playing" or "pause" in state or not is_deserted(state):
        return False
    decision = state["decision"]
    if decision is None:
        return next_circle_at(state) is not None
    return decision["kind"] != "ready" and (decision["deadline"] is not None or bool(ai_seats_asked(state)))


# --- AI seats ----------------------------------------------------------------------------------------------------


def ai_seats_asked(state: State) -> list[int]:
    """Return the AI seats that the open decision waits for; none during a timed deal, where they only watch."""
    decision = state["decision"]
    if decision is None or decision["kind"] == "ready":
        return []
    if decision["kind"] == "declare" and round_of(state)["phase"] == "dealing":
        return []
    return [seat for seat in waited_for(state) if ai_level(state, seat) is not None]


def ai_seats_watching(state: State) -> list[int]:
    """Return the AI seats that may declare while cards are dealt."""
    decision = state["decision"]
    if decision is None or decision["kind"] != "declare" or round_of(state)["phase"] != "dealing":
        return []
    return [seat for seat in decision["seats"] if ai_level(state, seat) is not None]


def ai_due_at(state: State) -> int | None:
    """Return when the next AI seat moves, or None."""
    if not ai_seats_asked(state):
        return None
    decision = decision_of(state)
    since = decision["opened_at"]
    if decision["kind"] == "declare":
        since = max(since, deal_ends_at(state))
    return max(since + state["settings"]["ai_pace_ms"], request_ends_at(state))


def request_ends_at(state: State) -> int:
    """Return until when AI seats wait for answers to a request to take back a play; 0 if there is none."""
    table_round = state["round"]
    request = table_round["take_back"] if table_round is not None else None
    return request.get("asked_at", 0) + ANSWER_MS if request is not None else 0


def ai_is_late(state: State, seat: int, now: int) -> bool:
    """Return whether an AI seat has missed the deadline of a counted decision."""
    if seat not in _ai_seats_deciding(state):
        return False
    deadline = decision_of(state)["deadline"]
    return deadline is not None and now > deadline


def _ai_seats_deciding(state: State) -> list[int]:
    """Return the AI seats that a counted decision waits for."""
    seats = ai_seats_asked(state)
    return seats if seats and decision_of(state)["kind"] in COUNTED_DECISIONS else []


# --- the table ---------------------------------------------------------------------------------------------------


def keeping_is_due(state: State) -> bool:
    """Return whether a game is over but not archived yet."""
    game = state["game"]
    return game is not None and game["ended"] is not None and not game["kept"]


def time_at(state: State, now: int) -> int:
    """Return the time at the table (ms): now, or in a sandbox the time of the last event."""
    return state["at"] if "sandbox" in state["settings"] else now


def wake_at(state: State) -> int | None:
    """Return when the next job for the table is due (ms), or None.

    In a sandbox everything happens within requests, except for archiving games.
    """
    if "sandbox" in state["settings"]:
        return 0 if keeping_is_due(state) else None
    return due_at(state)


def due_at(state: State) -> int | None:
    """Return when something is next due at the table; None if it only waits for people, without a deadline."""
    game = state["game"]
    if game is not None and keeping_is_due(state):
        return game["ended_at"]
    if state["status"] != "playing":
        return None
    if wait_is_due(state):
        return state.get("at", 0)
    candidates = (
        next_circle_at(state),
        times_out_at(state),
        ai_due_at(state),
        vote_ends_at(state),
        pause_ends_at(state),
        # Most games have no limit, and this is part of every play.
        game_ends_by_itself_at(state) if game is not None and "time" in game else None,
    )
    times = [at for at in candidates if at is not None]
    return min(times) if times else None
