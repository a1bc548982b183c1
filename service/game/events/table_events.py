"""What the events around the game mean: seats, settings, decisions, what players settle among themselves."""

from typing import Any

from service.game.events.changes import Changes, asked_anew, in_round, in_seat
from service.game.state.queries import ai_level
from service.game.state.types import SCHEMA, Event, State

#: Decision kind -> the phase that it belongs to. Declaring goes on in the phases of dealing and of declaring.
_PHASE_OF = {"discard": "kitty", "overcall-kitty": "kitty", "call": "calling", "road": "roads", "play": "playing"}


def table_created(_: State, event: Event) -> Changes:
    data = event["data"]
    players = data["players"]
    free = {
        "occupant": None,
        "autopilot": None,
        "ready": False,
        "presence": "gone",
        "timeouts": 0,
        "bank_ms": data["settings"]["clock"]["bank_ms"],
        "level": data["options"].get("start_level", "2"),
        "active": True,
        "attempted": [],
        "penalty": 0,
    }
    return {
        "schema": SCHEMA,
        "id": data["table"],
        "created_at": event["at"],
        "ruleset": data["ruleset"],
        "players": players,
        "options": data["options"],
        "settings": data["settings"],
        "host": data["host"],
        "status": "lobby",
        "seats": [free] * players,
        "game": None,
        "next_seed": data["next_seed"],
        "next_commitment": data["next_commitment"],
        "entropy": {},
        "round": None,
        "decision": None,
        "vote": None,
        "answers": [[] for _ in range(players)],
    }


def seat_taken(state: State, event: Event) -> Changes:
    data = event["data"]
    return in_seat(
        state, data["seat"], occupant=data["occupant"], ready=False, presence="online", autopilot=None, timeouts=0
    )


def seat_left(state: State, event: Event) -> Changes:
    data = event["data"]
    if data["autopilot"]:
        return _readied(state, data["seat"], autopilot=data["autopilot"], presence="gone", ready=True)
    return in_seat(state, data["seat"], occupant=None, autopilot=None, ready=False, presence="gone")


def ai_seated(state: State, event: Event) -> Changes:
    data = event["data"]
    return in_seat(
        state, data["seat"], occupant=data["occupant"], ready=True, presence="online", autopilot=None, timeouts=0
    )


def seat_ready(state: State, event: Event) -> Changes:
    data = event["data"]
    return _readied(state, data["seat"], ready=data["ready"])


def _readied(state: State, at: int, **changes: Any) -> Changes:
    """Change a seat and with it whether it is ready; a question who is ready goes on with those who are not."""
    changed = in_seat(state, at, **changes)
    decision = state["decision"]
    if decision is not None and decision["kind"] == "ready":
        waiting = [seat for seat, place in enumerate(changed["seats"]) if not place["ready"]]
        changed["decision"] = {**decision, "seats": waiting}
    return changed


def entropy_given(state: State, event: Event) -> Changes:
    data = event["data"]
    return {"entropy": {**state["entropy"], str(data["seat"]): data["entropy"]}}


def settings_changed(state: State, event: Event) -> Changes:
    """Whoever was ready was so for a game by other options."""
    changes = event["data"]["changes"]
    return {**changes, "seats": asked_anew(state)} if "options" in changes else dict(changes)


def presence(state: State, event: Event) -> Changes:
    data = event["data"]
    return in_seat(state, data["seat"], presence=data["presence"])


def host_changed(_: State, event: Event) -> Changes:
    return {"host": event["data"]["host"]}


def table_closed(_: State, event: Event) -> Changes:
    return {"status": "finished", "decision": None, "vote": None, "settings": event["data"]["settings"]}


def seat_taken_over(state: State, event: Event) -> Changes:
    data = event["data"]
    return _readied(state, data["seat"], autopilot=data["level"], ready=True)


def seat_resumed(state: State, event: Event) -> Changes:
    return in_seat(state, event["data"]["seat"], autopilot=None, timeouts=0, presence="online")


def chat(_: State, __: Event) -> Changes:
    return {}


def vote_opened(_: State, event: Event) -> Changes:
    data = event["data"]
    votes = {str(data["by_seat"]): True}
    return {"vote": {"id": f"vt_{event['seq']}", "kind": data["kind"], "seat": data["seat"], "votes": votes}}


def vote_cast(state: State, event: Event) -> Changes:
    data = event["data"]
    vote = state["vote"]
    return {"vote": {**vote, "votes": {**vote["votes"], str(data["seat"]): data["approve"]}}}


def vote_closed(_: State, __: Event) -> Changes:
    return {"vote": None}


def bank_used(state: State, event: Event) -> Changes:
    data = event["data"]
    return in_seat(state, data["seat"], bank_ms=data["bank_ms"])


def decision_opened(state: State, event: Event) -> Changes:
    data = event["data"]
    changes: Changes = {
        "decision": {
            "id": f"dc_{event['seq']}",
            "kind": data["kind"],
            "seats": data["seats"],
            "opened_seq": event["seq"],
            "opened_at": event["at"],
            "deadline": data["deadline"],
            "on_timeout": data["on_timeout"],
        }
    }
    phase = _PHASE_OF.get(data["kind"])
    if phase is not None and state["round"]["phase"] != phase:
        changes |= in_round(state, phase=phase)
    return changes


def decision_timed_out(state: State, event: Event) -> Changes:
    data = event["data"]
    seats = list(state["seats"])
    alone = len(data["seats"]) == 1
    for seat in data["seats"]:
        place = seats[seat]
        if ai_level(state, seat) is None:
            bank = 0 if alone else place["bank_ms"]
            seats[seat] = {**place, "timeouts": place["timeouts"] + 1, "presence": "away", "bank_ms": bank}
    changes: Changes = {"seats": seats}
    if data["action"] == "pause":
        changes["decision"] = {**state["decision"], "deadline": None}
    return changes


#: The events of this module; each function carries the name of its event.
EVENTS = (
    table_created,
    seat_taken,
    seat_left,
    ai_seated,
    seat_ready,
    entropy_given,
    settings_changed,
    presence,
    host_changed,
    table_closed,
    seat_taken_over,
    seat_resumed,
    chat,
    vote_opened,
    vote_cast,
    vote_closed,
    bank_used,
    decision_opened,
    decision_timed_out,
)
