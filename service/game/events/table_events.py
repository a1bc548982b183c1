"""Events around the game: seats, settings, decisions, chat and votes."""

from collections.abc import Mapping
from typing import Final

from service.game.events.pause_events import without_pause
from service.game.events.types import (
    BankUsed,
    Chat,
    ClockAdvanced,
    DecisionOpened,
    DecisionTimedOut,
    EntropyGiven,
    Event,
    HostChanged,
    PresenceChanged,
    SeatData,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SeatTakenOver,
    SettingsChanged,
    TableClosed,
    TableCreated,
    VoteCast,
    VoteClosed,
    VoteOpened,
)
from service.game.events.updates import change_occupant, change_seat, ready_anew, with_readiness
from service.game.state.interruptions import Moved
from service.game.state.queries import ai_level, decision_of, round_of
from service.game.state.table_types import DecisionKind, Seat, Vote
from service.game.state.types import SCHEMA, Phase, State

#: Kind of decision -> its phase, if there is only one. Declaring spans two phases, dealing and declaring.
PHASES: Final[Mapping[DecisionKind, Phase]] = {
    "discard": "kitty",
    "overcall-kitty": "kitty",
    "call": "calling",
    "road": "roads",
    "play": "playing",
}


#: Most kicked players that a table remembers.
MOST_KICKED: Final = 50


def table_created(_: State, data: TableCreated, event: Event) -> State:
    players = data["players"]
    free: Seat = {
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
        "version": event["seq"],
    }


def seat_taken(state: State, data: SeatTaken, _: Event) -> State:
    seat: Seat = {
        **state["seats"][data["seat"]],
        "occupant": data["occupant"],
        "ready": False,
        "presence": "online",
        "autopilot": None,
        "timeouts": 0,
    }
    return change_occupant(state, data["seat"], seat)


def seat_left(state: State, data: SeatLeft, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": data["autopilot"], "presence": "gone"}
    if data["autopilot"]:
        return with_readiness(state, data["seat"], {**seat, "ready": True})
    changed = change_occupant(state, data["seat"], {**seat, "occupant": None, "ready": False})
    if data["reason"] == "kicked" and seat["occupant"] is not None and seat["occupant"]["player"] is not None:
        others = [player for player in state.get("kicked", []) if player != seat["occupant"]["player"]]
        changed["kicked"] = [*others, seat["occupant"]["player"]][-MOST_KICKED:]
    return changed


def ai_seated(state: State, data: SeatTaken, _: Event) -> State:
    seat: Seat = {
        **state["seats"][data["seat"]],
        "occupant": data["occupant"],
        "ready": True,
        "presence": "online",
        "autopilot": None,
        "timeouts": 0,
    }
    return change_occupant(state, data["seat"], seat)


def seat_ready(state: State, data: SeatReady, _: Event) -> State:
    return with_readiness(state, data["seat"], {**state["seats"][data["seat"]], "ready": data["ready"]})


def entropy_given(state: State, data: EntropyGiven, _: Event) -> State:
    return {**state, "entropy": {**state["entropy"], str(data["seat"]): data["entropy"]}}


def settings_changed(state: State, data: SettingsChanged, _: Event) -> State:
    changes = data["changes"]
    changed: State = {**state, **changes}
    if "options" in changes:
        # Players were ready for a game with other options.
        changed["seats"] = ready_anew(state)
    return changed


def presence(state: State, data: PresenceChanged, event: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "presence": data["presence"]}
    if data["presence"] == "away":
        seat["away_since"] = event["at"]
    return change_seat(state, data["seat"], seat)


def host_changed(state: State, data: HostChanged, _: Event) -> State:
    return {**state, "host": data["host"]}


def table_closed(state: State, data: TableClosed, _: Event) -> State:
    closed = without_pause(state)
    return {**closed, "status": "finished", "decision": None, "vote": None, "settings": data["settings"]}


def seat_taken_over(state: State, data: SeatTakenOver, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": data["level"], "ready": True}
    return with_readiness(state, data["seat"], seat)


def seat_resumed(state: State, data: SeatData, _: Event) -> State:
    seat: Seat = {**state["seats"][data["seat"]], "autopilot": None, "timeouts": 0, "presence": "online"}
    return change_seat(state, data["seat"], seat)


def chat(state: State, data: Chat, _: Event) -> State:
    chats = list(state.get("chats", (0, 0)))
    chats[data["seat"] is None] += 1
    return {**state, "chats": chats}


def vote_opened(state: State, data: VoteOpened, event: Event) -> State:
    vote: Vote = {
        "id": f"vt_{event['seq']}",
        "kind": data["kind"],
        "seat": data["seat"],
        "votes": {str(data["by_seat"]): True},
        "by_seat": data["by_seat"],
    }
    if "closes_at" in data:
        vote["closes_at"] = data["closes_at"]
    return {**state, "vote": vote}


def vote_cast(state: State, data: VoteCast, _: Event) -> State:
    vote = state["vote"]
    if vote is None:
        raise AssertionError("no vote is open")
    return {**state, "vote": {**vote, "votes": {**vote["votes"], str(data["seat"]): data["approve"]}}}


def vote_closed(state: State, data: VoteClosed, event: Event) -> State:
    changed: State = {**state, "vote": None}
    vote = state["vote"]
    if vote is not None and "by_seat" in vote and not data["passed"]:
        asker: Seat = {**state["seats"][vote["by_seat"]], "vote_lost_at": event["at"]}
        return change_seat(changed, vote["by_seat"], asker)
    return changed


def bank_used(state: State, data: BankUsed, _: Event) -> State:
    return change_seat(state, data["seat"], {**state["seats"][data["seat"]], "bank_ms": data["bank_ms"]})


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


def interrupted(state: State, data: Moved, event: Event) -> State:
    changed: State = {**state, "moved_at": max(data["until"], event["at"])}
    if "deadline" in data:
        changed["decision"] = {**decision_of(state), "deadline": data["deadline"]}
    if "closes_at" in data and state["vote"] is not None:
        changed["vote"] = {**state["vote"], "closes_at": data["closes_at"]}
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


def clock_advanced(state: State, _data: ClockAdvanced, _event: Event) -> State:
    return state.copy()


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
    interrupted,
    clock_advanced,
)
