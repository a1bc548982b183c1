"""Seats, host and readiness, before and between games."""

from typing import Final

from service.common.errors import InvalidRequest
from service.game.commands.milestones import Milestone
from service.game.commands.table import pauses, readiness, take_backs, votes
from service.game.commands.table.bounds import may_start_game
from service.game.commands.table.seats import (
    ai_occupant,
    check_host,
    check_no_round,
    check_no_vote,
    has_gone,
    numbered_seat,
    own_seat,
)
from service.game.commands.transaction import Transaction
from service.game.commands.types import Expel, GiveEntropy, Kick, NotePresence, Plain, Ready, SeatAi, Sit
from service.game.errors import AlreadySeated, GameRunning, PrivateTable, SeatTaken, TableFull, WrongPhase
from service.game.events import types as events
from service.game.ids import new_code
from service.game.names import distinct
from service.game.state import clock
from service.game.state.levels import AI_LEVELS, takeover_level
from service.game.state.occupants import chosen_of
from service.game.state.queries import circle_of, decision_of, is_between_rounds, is_missing, seat_of, waits_for_people
from service.game.state.settings import correspondence_of
from service.game.state.types import State

#: Most former join codes that go on working.
MOST_FORMER_CODES: Final = 20

# --- seats -------------------------------------------------------------------------------------------------------


def sit(tx: Transaction, command: Sit) -> Milestone | None:
    """Take the named seat, or the first free one. Do nothing if the player sits there already.

    Between the rounds of a game, the seats of AI players and of absent players may be taken too.
    """
    state = tx.state
    wanted = command.get("seat")
    mine = seat_of(state, command["player"])
    if mine is not None:
        if wanted in (None, mine):
            return None
        raise AlreadySeated(seat=mine)
    _check_not_kicked(state, command)
    _check_join_code(state, command)
    check_no_round(state, "sit")
    if is_between_rounds(state):
        check_no_vote(state, "sit")
    number = _seat_for(tx, wanted)
    has_left = has_gone(state, number, tx.now)
    if has_left:
        _empty(tx, number, "replaced")
    names = [
        seat["occupant"]["name"]
        for other, seat in enumerate(state["seats"])
        if seat["occupant"] is not None and other != number
    ]
    data: events.SeatTaken = {
        "seat": number,
        "occupant": {
            "kind": command["kind"],
            "player": command["player"],
            "name": distinct(command["name"], names),
            "level": None,
            **chosen_of(command),
        },
    }
    tx.emit("seat_taken", data)
    if has_left and state["host"] and seat_of(tx.state, state["host"]) is None:
        _pass_host_on(tx)
    return readiness.ask_again(tx)


def _seat_for(tx: Transaction, wanted: int | None) -> int:
    """Return the seat to take: preferably a free one, then one of an AI, then one of a player who has gone."""
    state = tx.state

    def preference(number: int) -> int | None:
        occupant = state["seats"][number]["occupant"]
        if occupant is None:
            return 0
        if not is_between_rounds(state):
            return None
        return 1 if occupant["kind"] == "ai" else 2 if has_gone(state, number, tx.now) else None

    if wanted is not None:
        numbered_seat(state, wanted)
        if preference(wanted) is None:
            raise SeatTaken(seat=wanted)
        return wanted
    possible = [(rank, number) for number in range(state["players"]) if (rank := preference(number)) is not None]
    if not possible:
        raise TableFull
    return min(possible)[1]


def _check_join_code(state: State, command: Sit) -> None:
    settings, is_barred = state["settings"], bool(command.get("is_barred"))
    if (settings["visibility"] == "private" or is_barred) and command["player"] != state["host"]:
        code = str(command.get("join_code") or "")
        if is_barred or code.upper() not in (settings["join_code"], *settings.get("former_codes", ())):
            raise PrivateTable(reason="wrong_join_code" if code else "no_join_code")


def _check_not_kicked(state: State, command: Sit) -> None:
    """Refuse a kicked player, unless the host has told them the new join code."""
    if command["player"] in state.get("kicked", ()):
        code = str(command.get("join_code") or "")
        if command.get("is_barred") or code.upper() != state["settings"]["join_code"]:
            raise PrivateTable(reason="kicked")


def leave(tx: Transaction, command: Plain) -> Milestone | None:
    """Give up the seat. During a game an AI takes over, and the player may resume; in a circle the game pauses."""
    state = tx.state
    number = own_seat(state, command["player"])
    if state["status"] != "playing":
        _empty(tx, number, "left")
        if state["host"] == command["player"]:
            _pass_host_on(tx)
        return None
    seat = state["seats"][number]
    if seat["autopilot"] and seat["presence"] == "gone":
        return None
    data: events.SeatLeft = {"seat": number, "reason": "left", "autopilot": takeover_level(state)}
    tx.emit("seat_left", data)
    votes.count(tx)
    take_backs.settle(tx)
    if circle_of(state) is not None and "pause" not in state and not is_between_rounds(state):
        pauses.wait_for_leaver(tx, number)
    return "seats_changed"


def expel(tx: Transaction, command: Expel) -> Milestone | None:
    """End what a player has at a table of a circle or club to which the player no longer belongs: seat and host.

    During a round an AI player takes the seat for good, so that the others can play on.
    """
    state, player = tx.state, command["player"]
    if state["host"] == player:
        data: events.HostChanged = {"host": command["heir"]}
        tx.emit("host_changed", data, "server")
    number = seat_of(state, player)
    if number is None:
        return None
    if state["status"] != "playing" or is_between_rounds(state):
        _empty(tx, number, "kicked")
        votes.count(tx)
        return readiness.ask_again(tx)
    taken: events.SeatTaken = {"seat": number, "occupant": ai_occupant(number, takeover_level(state))}
    tx.emit("ai_seated", taken, "server")
    votes.count(tx)
    take_backs.settle(tx)
    return None


def _empty(tx: Transaction, number: int, reason: events.LeaveReason) -> None:
    data: events.SeatLeft = {"seat": number, "reason": reason, "autopilot": None}
    tx.emit("seat_left", data)


def _pass_host_on(tx: Transaction) -> None:
    for seat in tx.state["seats"]:
        occupant = seat["occupant"]
        if occupant and occupant["player"]:
            data: events.HostChanged = {"host": occupant["player"]}
            tx.emit("host_changed", data, "server")
            return


def kick(tx: Transaction, command: Kick) -> Milestone | None:
    """Empty a seat, as host: any seat before the game, between rounds one of an AI or of a player who has gone."""
    state, number = tx.state, command["seat"]
    check_host(state, command["player"])
    check_no_round(state, "kick")
    occupant = numbered_seat(state, number)["occupant"]
    if occupant is None:
        return None
    if is_between_rounds(state):
        check_no_vote(state, "kick")
        if occupant["kind"] != "ai" and not has_gone(state, number, tx.now):
            raise GameRunning(reason="seat_in_game", seat=number)
    _empty(tx, number, "kicked")
    if occupant["player"] is not None and occupant["player"] != command["player"]:
        # The kicked player knows the old join code, and needs the new one. For all others the old one goes on working:
        # it is in links that they have been sent.
        settings = tx.state["settings"]
        former = [*settings.get("former_codes", []), settings["join_code"]][-MOST_FORMER_CODES:]
        new = new_code(tx.random_bytes)
        data: events.SettingsChanged = {"changes": {"settings": {**settings, "join_code": new, "former_codes": former}}}
        tx.emit("settings_changed", data, "server")
    return readiness.ask_again(tx)


def seat_ai(tx: Transaction, command: SeatAi) -> Milestone | None:
    """Put an AI on a free seat, as host, or change the level of a seated AI."""
    state, level, number = tx.state, command["level"], command["seat"]
    check_host(state, command["player"])
    if level not in AI_LEVELS:
        raise InvalidRequest(reason="no_such_level", level=level, accepted=list(AI_LEVELS))
    occupant = numbered_seat(state, number)["occupant"]
    if occupant is not None and occupant["kind"] == "ai" and occupant["level"] == level:
        # This may be a retry after the AI filled the last seat and the game began.
        return None
    check_no_round(state, "seat_ai")
    if occupant is not None and occupant["kind"] != "ai":
        raise SeatTaken(seat=number, **({"reason": "own_seat"} if occupant["player"] == command["player"] else {}))
    data: events.SeatTaken = {"seat": number, "occupant": ai_occupant(number, level)}
    tx.emit("ai_seated", data)
    if occupant is not None and is_between_rounds(state):
        return readiness.ask_others_anew(tx, command["player"])
    return "seats_changed"


# --- players -----------------------------------------------------------------------------------------------------


def resume(tx: Transaction, command: Plain) -> Milestone | None:
    """Take the seat back from the AI that plays it. If the AI is late with a decision, restart its time.

    This also ends the wait of a table at which nobody played.
    """
    seat = own_seat(tx.state, command["player"])
    if waits_for_people(tx.state):
        return pauses.come_back(tx, seat)
    if not tx.state["seats"][seat]["autopilot"]:
        return None
    is_late = clock.ai_is_late(tx.state, seat, tx.now)
    data: events.SeatData = {"seat": seat}
    tx.emit("seat_resumed", data)
    if is_late:
        decision = decision_of(tx.state)
        tx.open_decision(decision["kind"], decision["seats"])
    return readiness.ask_who_is_back(tx, seat)


def ready(tx: Transaction, command: Ready) -> Milestone | None:
    """Become ready, or unready. The game or the next round starts when all are ready."""
    state = tx.state
    seat = own_seat(state, command["player"])
    wanted = bool(command.get("ready", True))
    decision = state["decision"]
    if wanted and state["status"] != "playing" and not may_start_game(state):
        raise WrongPhase(action="ready", expected=None, reason="table_used_up")
    if state["status"] == "playing" and (decision is None or decision["kind"] != "ready"):
        if wanted:
            # A retry: the round has begun.
            return None
        raise WrongPhase(action="ready", expected=decision["kind"] if decision else None)
    if wanted and is_missing(state, seat):
        resumed: events.SeatData = {"seat": seat}
        tx.emit("seat_resumed", resumed)
    if state["seats"][seat]["ready"] != wanted:
        data: events.SeatReady = {"seat": seat, "ready": wanted}
        tx.emit("seat_ready", data)
    return readiness.check_or_ask(tx)


def presence(tx: Transaction, command: NotePresence) -> Milestone | None:
    """Note whether the player is online. A program that is back plays; a page may be open without its person.

    In a game that takes days nobody is away: that would tell which plays were made by standing orders. Nor is who waits
    for others to sit down, which takes days too.
    """
    seat = own_seat(tx.state, command["player"])
    if command["presence"] == "away" and correspondence_of(tx.state) is not None:
        return None
    if tx.state["seats"][seat]["presence"] != command["presence"]:
        data: events.PresenceChanged = {"seat": seat, "presence": command["presence"]}
        tx.emit("presence", data, "server")
        votes.count(tx)
    occupant = tx.state["seats"][seat]["occupant"]
    is_bot = occupant is not None and occupant["kind"] == "bot"
    if is_bot and command["presence"] == "online" and waits_for_people(tx.state):
        return pauses.come_back(tx, seat)
    return None


def entropy(tx: Transaction, command: GiveEntropy) -> None:
    """Add bytes to the next shuffle."""
    seat = own_seat(tx.state, command["player"])
    if tx.state["entropy"].get(str(seat)) != command["entropy"]:
        data: events.EntropyGiven = {"seat": seat, "entropy": command["entropy"]}
        tx.emit("entropy_given", data)
