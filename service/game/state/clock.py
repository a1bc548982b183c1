"""What the clock owes a table, as a function of state and time. Nothing here waits or ticks."""

from service.game.commands.dealing import deal_end, next_circle_at
from service.game.state.queries import ai_level, waited_for
from service.game.state.types import State

#: Kinds of decisions that a seat is held to answer: letting one go by counts towards the three that bring an AI.
HELD_TO_ANSWER = frozenset({"discard", "call", "road", "play"})


def bank_of(state: State) -> int:
    """Return the time bank that the open decision may draw on: that of a seat which alone is held to answer."""
    decision = state["decision"]
    if len(decision["seats"]) > 1 or decision["kind"] not in HELD_TO_ANSWER:
        return 0
    return int(state["seats"][decision["seats"][0]]["bank_ms"])


def limit_of(state: State) -> int | None:
    """Return when the open decision is decided for those who have not answered.

    That is its deadline, the time bank, and the grace.
    """
    decision = state["decision"]
    if decision is None or decision["deadline"] is None:
        return None
    return int(decision["deadline"] + bank_of(state) + state["settings"]["clock"]["grace_ms"])


def deal_is_due(state: State, now: int) -> bool:
    """Tell whether cards are due to be dealt."""
    at = next_circle_at(state)
    return at is not None and at <= now


def timeout_is_due(state: State, now: int) -> bool:
    """Tell whether the time for the open decision is over."""
    limit = limit_of(state)
    return limit is not None and limit <= now


def ai_seats_asked(state: State) -> list[int]:
    """Return the AI seats that the open decision waits for. While cards are dealt they only watch."""
    decision = state["decision"]
    if decision is None or decision["kind"] == "ready":
        return []
    if decision["kind"] == "declare" and state["round"]["phase"] == "dealing":
        return []
    return [seat for seat in waited_for(state) if ai_level(state, seat) is not None]


def ai_seats_watching(state: State) -> list[int]:
    """Return the AI seats that may declare while cards are dealt."""
    decision = state["decision"]
    if decision is None or decision["kind"] != "declare" or state["round"]["phase"] != "dealing":
        return []
    return [seat for seat in decision["seats"] if ai_level(state, seat) is not None]


def ai_due_at(state: State) -> int | None:
    """Return when the next AI seat is to move, or None."""
    if not ai_seats_asked(state):
        return None
    since = int(state["decision"]["opened_at"])
    if state["decision"]["kind"] == "declare":
        since = max(since, deal_end(state))
    return since + int(state["settings"]["ai_pace_ms"])


def keeping_is_due(state: State) -> bool:
    """Tell whether a game is over whose record has not been kept yet."""
    game = state["game"]
    return game is not None and game["ended"] is not None and not game["kept"]


def wake_at(state: State) -> int | None:
    """Return when something is next owed to the table, or None: it waits for persons only, without a deadline."""
    if keeping_is_due(state):
        return int(state["game"]["ended_at"])
    if state["status"] != "playing":
        return None
    times = [at for at in (next_circle_at(state), limit_of(state), ai_due_at(state)) if at is not None]
    return min(times) if times else None
