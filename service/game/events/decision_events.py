"""Decisions and their deadlines."""

from collections.abc import Mapping
from typing import Final

from service.game.events import fields as f
from service.game.events.rows import Needs, event
from service.game.events.types import ClockAdvanced, DeadlineMoved, DecisionOpened, DecisionTimedOut, Event
from service.game.events.updates import change_seat
from service.game.state.interruptions import Moved
from service.game.state.queries import ai_level, decision_of, game_of, round_of
from service.game.state.table_types import Decision, DecisionKind
from service.game.state.types import Phase, State

#: Kind of decision -> its phase, if there is only one. Declaring spans two phases, dealing and declaring.
PHASES: Final[Mapping[DecisionKind, Phase]] = {
    "discard": "kitty",
    "overcall-kitty": "kitty",
    "call": "calling",
    "road": "roads",
    "play": "playing",
}


@event(
    "A decision was opened. It comes after every event that it depends on.",
    "changes_hints",
    id=f.text("Id of the decision.", example="dc_481"),
    kind=f.extensible("Its kind.", f.DECISIONS),
    seats=f.array(f.integer(""), "The seats that are asked."),
    phase=f.phase(),
    hints=f.mapping(f.HINTS, optional=True),
    on_timeout=f.text("What happens when time is up."),
    deadline_at=f.time("The deadline.", nullable=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", nullable=True),
)
def decision_opened(state: State, data: DecisionOpened, event: Event) -> State:
    changed = state.copy()
    changed["decision"] = {
        "id": f"dc_{event['seq']}",
        "kind": data["kind"],
        "seats": data["seats"],
        "opened_seq": event["seq"],
        "opened_at": event["at"],
        "deadline": data["deadline"],
        "on_timeout": data["on_timeout"],
    }
    phase, table_round = PHASES.get(data["kind"]), state["round"]
    if phase is not None and table_round is not None and table_round["phase"] != phase:
        changed["round"] = {**table_round, "phase": phase}
    return changed


@event(
    "Nobody could reach the service for a while: deadlines move, and a timed deal goes on where it stopped.",
    Needs({"game_ends_at": "0.4"}),
    ms=f.integer("Milliseconds for which nobody could reach it.", example=67000),
    deadline_at=f.time("The new deadline of the open decision, if it has one.", optional=True),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then.", optional=True),
    closes_at=f.time("When the open vote now fails, if there is one.", optional=True),
    pause_until=f.time("When the game now resumes at the latest, if it is paused.", optional=True),
    game_ends_at=f.game_ends_at("when they are over now."),
)
def interrupted(state: State, data: Moved, event: Event) -> State:
    changed: State = {**state, "moved_at": max(data["until"], event["at"])}
    if "deadline" in data:
        changed["decision"] = {**decision_of(state), "deadline": data["deadline"]}
    if "closes_at" in data and state["vote"] is not None:
        changed["vote"] = {**state["vote"], "closes_at": data["closes_at"]}
    if "game_ends_at" in data:
        game = game_of(state)
        since = game["time"]["since"]
        changed["game"] = {**game, "time": {"since": since, "left_ms": data["game_ends_at"] - since}}
    if "deal_ms" in data:
        table_round = round_of(state)
        deal = table_round["deal"]
        changed["round"] = {**table_round, "deal": {**deal, "from": deal["from"] + data["deal_ms"]}}
    if "pause_until" in data:
        pause, until = state["pause"], data["pause_until"]
        longer = pause.get("longer_ms", 0) + until - pause["until"]
        changed["pause"] = {**pause, "until": until, "longer_ms": longer}
    if "asked_at" in data:
        table_round = round_of(state)
        request = table_round["take_back"]
        if request is not None:
            changed["round"] = {**table_round, "take_back": {**request, "asked_at": data["asked_at"]}}
    for number, since in data.get("away_since", {}).items():
        changed = change_seat(changed, int(number), {**changed["seats"][int(number)], "away_since": since})
    return changed


@event(
    "By correspondence: the time of the open decision ends at another time, since somebody has given more of it, or "
    "for quiet hours, weekends and holidays of those who are asked.",
    Needs({"": "0.4"}),
    by_seat=f.integer("The seat that has given more time; null: none has.", nullable=True),
    deadline_at=f.time("The new deadline."),
    remaining_ms=f.integer("Milliseconds from the event's `at` until then."),
    away=f.array(f.nested("Away"), "Holidays of seats that are asked, until the deadline."),
)
def deadline_moved(state: State, data: DeadlineMoved, _: Event) -> State:
    decision: Decision = {
        **decision_of(state),
        "deadline": data["deadline"],
        "stops": data["stops"],
        "away": data["away"],
    }
    return {**state, "decision": decision}


@event(
    "Time ran out.",
    decision=f.text("Id of the decision."),
    seats=f.array(f.integer(""), "The seats that were late."),
    action=f.text("What happens now."),
)
def decision_timed_out(state: State, data: DecisionTimedOut, event: Event) -> State:
    seats = list(state["seats"])
    alone = len(data["seats"]) == 1
    for number in data["seats"]:
        seat = seats[number]
        if ai_level(state, number) is None:
            bank = 0 if alone else seat["bank_ms"]
            since = seat.get("away_since", event["at"]) if seat["presence"] == "away" else event["at"]
            seats[number] = {
                **seat,
                "timeouts": seat["timeouts"] + 1,
                "presence": "away",
                "away_since": since,
                "bank_ms": bank,
            }
    decision = state["decision"]
    if data["action"] == "pause" and decision is not None:
        decision = {**decision, "deadline": None}
    return {**state, "seats": seats, "decision": decision}


@event(
    "In a sandbox: its time has advanced to the event's `at`.",
    ms=f.integer("Milliseconds since the previous event.", example=30000),
)
def clock_advanced(state: State, _data: ClockAdvanced, _event: Event) -> State:
    return state.copy()
