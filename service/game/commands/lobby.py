"""Before and around the game: who sits where, who is host, who is ready."""

from collections.abc import Mapping
from typing import Any

from service.errors import InvalidRequest
from service.game.commands import dealing, together
from service.game.commands.transaction import Turn
from service.game.errors import (
    AlreadySeated,
    GameRunning,
    NotFound,
    NotHost,
    NotYourSeat,
    PrivateTable,
    SeatTaken,
    TableFull,
    VersionMismatch,
    WrongPhase,
)
from service.game.state.queries import ai_level, persons, seat_of
from service.game.state.settings import PUBLIC_SETTINGS
from service.game.state.types import State
from service.rules.rulesets import effective_options

AI_LEVELS = ("easy",)


def _own_seat(state: State, player: str) -> int:
    seat = seat_of(state, player)
    if seat is None:
        raise NotYourSeat
    return seat


def _host_only(state: State, player: str) -> None:
    if state["host"] != player:
        raise NotHost


def _seat_number(state: State, seat: int) -> dict[str, Any]:
    if not 0 <= seat < state["players"]:
        raise NotFound(what="seat", seat=seat)
    place: dict[str, Any] = state["seats"][seat]
    return place


def _between_games(state: State) -> None:
    if state["status"] == "playing":
        raise GameRunning


def sit(turn: Turn, command: Mapping[str, Any]) -> None:
    """Take a seat: the one named, or the first that is free. Sitting where one sits already changes nothing."""
    state = turn.state
    wanted = command.get("seat")
    mine = seat_of(state, command["player"])
    if mine is not None:
        if wanted in (None, mine):
            return
        raise AlreadySeated(seat=mine)
    if state["settings"]["visibility"] == "private" and command["player"] != state["host"]:
        given = str(command.get("join_code") or "")
        if given.upper() != state["settings"]["join_code"]:
            raise PrivateTable
    _between_games(state)
    if wanted is not None and _seat_number(state, wanted)["occupant"] is not None:
        raise SeatTaken(seat=wanted)
    free = [number for number, seat in enumerate(state["seats"]) if seat["occupant"] is None]
    if not free:
        raise TableFull
    occupant = {"kind": command["kind"], "player": command["player"], "name": command["name"], "level": None}
    turn.emit("seat_taken", seat=free[0] if wanted is None else wanted, occupant=occupant)


def leave(turn: Turn, command: Mapping[str, Any]) -> None:
    """Give up the seat. In a game an AI plays on, and the player may resume."""
    state = turn.state
    seat = _own_seat(state, command["player"])
    if state["status"] != "playing":
        turn.emit("seat_left", seat=seat, reason="left", autopilot=None)
        if state["host"] == command["player"]:
            _pass_host_on(turn)
        return
    if state["seats"][seat]["autopilot"] and state["seats"][seat]["presence"] == "gone":
        return
    turn.emit("seat_left", seat=seat, reason="left", autopilot="easy")
    if state["vote"] is not None:
        together.count(turn)
    dealing.go_on_when_all_are_ready(turn)


def _pass_host_on(turn: Turn) -> None:
    for seat in turn.state["seats"]:
        if seat["occupant"] and seat["occupant"]["kind"] != "ai":
            turn.emit("host_changed", "server", host=seat["occupant"]["player"])
            return


def kick(turn: Turn, command: Mapping[str, Any]) -> None:
    """The host empties a seat before the start."""
    state = turn.state
    _host_only(state, command["player"])
    _between_games(state)
    if _seat_number(state, command["seat"])["occupant"] is not None:
        turn.emit("seat_left", seat=command["seat"], reason="kicked", autopilot=None)


def seat_ai(turn: Turn, command: Mapping[str, Any]) -> None:
    """The host puts an AI on a free seat, or gives a seated AI another level."""
    state = turn.state
    _host_only(state, command["player"])
    if command["level"] not in AI_LEVELS:
        raise InvalidRequest(reason="no_such_level", level=command["level"], accepted=list(AI_LEVELS))
    _between_games(state)
    seat = command["seat"]
    occupant = _seat_number(state, seat)["occupant"]
    if occupant is not None and occupant["kind"] != "ai":
        raise SeatTaken(seat=seat)
    if occupant is not None and occupant["level"] == command["level"]:
        return
    name = f"AI {seat + 1}"
    turn.emit("ai_seated", seat=seat, occupant={"kind": "ai", "player": None, "name": name, "level": command["level"]})
    dealing.go_on_when_all_are_ready(turn)


def resume(turn: Turn, command: Mapping[str, Any]) -> None:
    """Take one's seat back from the AI that plays it."""
    seat = _own_seat(turn.state, command["player"])
    if turn.state["seats"][seat]["autopilot"]:
        turn.emit("seat_resumed", seat=seat)


def ready(turn: Turn, command: Mapping[str, Any]) -> None:
    """Say that one is ready (or not yet). When all are, the game or its next round starts."""
    state = turn.state
    seat = _own_seat(state, command["player"])
    wanted = bool(command.get("ready", True))
    if state["status"] == "playing" and (state["decision"] is None or state["decision"]["kind"] != "ready"):
        # The round that this wish was for has begun: a retry finds what it asked for.
        if wanted:
            return
        raise WrongPhase(action="ready", expected=state["decision"]["kind"] if state["decision"] else None)
    if wanted and ai_level(state, seat) is not None:
        turn.emit("seat_resumed", seat=seat)
    if state["seats"][seat]["ready"] != wanted:
        turn.emit("seat_ready", seat=seat, ready=wanted)
    dealing.go_on_when_all_are_ready(turn)


def presence(turn: Turn, command: Mapping[str, Any]) -> None:
    """Note that the player is there, or has not been heard of for a while."""
    state = turn.state
    seat = _own_seat(state, command["player"])
    if state["seats"][seat]["presence"] != command["presence"]:
        turn.emit("presence", "server", seat=seat, presence=command["presence"])


def entropy(turn: Turn, command: Mapping[str, Any]) -> None:
    """Add bytes to the next shuffle."""
    state = turn.state
    seat = _own_seat(state, command["player"])
    if state["entropy"].get(str(seat)) != command["entropy"]:
        turn.emit("entropy_given", seat=seat, entropy=command["entropy"])


def settings(turn: Turn, command: Mapping[str, Any]) -> None:
    """The host changes settings or options before the start or between games, from the version that they saw.

    What is so already needs no change, whatever version is named: this may be a retry after a lost answer.
    """
    state = turn.state
    _host_only(state, command["player"])
    _between_games(state)
    wanted = command["changes"]
    changes: dict[str, Any] = {}
    kept = dict(state["settings"])
    if "options" in wanted:
        options = effective_options(state["ruleset"], state["players"], wanted["options"])
        if options != state["options"]:
            changes["options"] = options
    if "clock" in wanted:
        kept["clock"] = {**kept["clock"], **wanted["clock"]}
    kept |= {name: wanted[name] for name in PUBLIC_SETTINGS if name in wanted}
    if kept != state["settings"]:
        changes["settings"] = kept
    if not changes:
        return
    if command["version"] != state["version"]:
        raise VersionMismatch(expected=command["version"], actual=state["version"])
    turn.emit("settings_changed", changes=changes)


def close(turn: Turn, command: Mapping[str, Any]) -> None:
    """The host closes the table; a running game is not closed over the heads of other people."""
    state = turn.state
    _host_only(state, command["player"])
    mine = seat_of(state, command["player"])
    if state["status"] == "playing" and [seat for seat in persons(state) if seat != mine]:
        raise GameRunning
    if state["settings"]["closed"]:
        return
    if state["status"] == "playing":
        turn.emit("game_ended", "server", winners=[], reason="abandoned")
    turn.emit("table_closed", settings={**state["settings"], "closed": True})
