"""What players settle among themselves: chat, votes, taking back a play."""

from collections.abc import Mapping
from typing import Any

from service.errors import InvalidRequest
from service.game.commands import dealing, scoring
from service.game.commands.transaction import Turn
from service.game.errors import NotFound, NotYourSeat, WrongPhase
from service.game.state.queries import persons, seat_of
from service.game.state.types import State

#: Characters that a chat message may have.
LONGEST_CHAT = 200
#: What can be said without typing, in any language: clients translate the names.
PRESETS = ("hello", "good_luck", "well_played", "sorry", "thanks", "hurry", "one_moment", "good_game")
#: What can be voted on. `replace` names the seat of somebody who is not there.
VOTES = ("abandon", "replace", "end_early")


def _person(state: State, player: str) -> int:
    seat = seat_of(state, player)
    if seat is None:
        raise NotYourSeat
    return seat


# --- chat --------------------------------------------------------------------------------------------------------


def chat(turn: Turn, command: Mapping[str, Any]) -> None:
    """Say something: players to players, spectators to spectators. In Arm's Length not before the round has ended."""
    state = turn.state
    seat = seat_of(state, command["player"])
    if not state["settings"]["chat"] or (seat is None and state["settings"]["spectators"] == "off"):
        raise WrongPhase(action="chat", expected=None, reason="no_chat")
    if seat is not None or state["host"] == command["player"]:
        keep_silence(state)
    text, preset = command.get("text"), command.get("preset")
    if (text is None) == (preset is None):
        raise InvalidRequest(reason="text_or_preset")
    if preset is not None and preset not in PRESETS:
        raise InvalidRequest(reason="no_such_preset", accepted=list(PRESETS))
    if text is not None and not 0 < len(text.strip()) <= LONGEST_CHAT:
        raise InvalidRequest(reason="chat_length", longest=LONGEST_CHAT)
    turn.emit("chat", seat=seat, name=command["name"], text=text, preset=preset)


def keep_silence(state: State) -> None:
    """Refuse talk during a round of Arm's Length: partners may say no more than their roads (002 l.8).

    `state` is the table as who wants to speak sees it: of spectators, as it was some time ago, since a refusal must
    not tell them how the game stands now.
    """
    table_round = state["round"]
    if table_round is not None and table_round["roads"] is not None and table_round["phase"] != "scored":
        raise WrongPhase(action="chat", expected="scored", reason="silence")


# --- votes -------------------------------------------------------------------------------------------------------


def open_vote(turn: Turn, command: Mapping[str, Any]) -> None:
    """Ask the others to abandon the game, to end it now, or to let an AI replace somebody who is not there."""
    state = turn.state
    seat = _person(state, command["player"])
    if state["status"] != "playing":
        raise WrongPhase(action="vote", expected=None)
    kind, target = command["kind"], command.get("seat")
    if kind not in VOTES:
        raise InvalidRequest(reason="no_such_vote", accepted=list(VOTES))
    if (kind == "replace") != (target is not None) or (target is not None and target not in persons(state)):
        raise InvalidRequest(reason="vote_seat", accepted=persons(state))
    vote = state["vote"]
    if vote is not None:
        if (vote["kind"], vote["seat"]) != (kind, target):
            raise WrongPhase(action="vote", expected="vote")
        return
    turn.emit("vote_opened", kind=kind, seat=target, by_seat=seat)
    count(turn)


def cast_vote(turn: Turn, command: Mapping[str, Any]) -> None:
    """Answer the open vote. The last word counts until it is decided."""
    state = turn.state
    seat = _person(state, command["player"])
    vote = state["vote"]
    if vote is None or vote["id"] != command["vote"]:
        raise NotFound(what="vote", id=command["vote"])
    if vote["votes"].get(str(seat)) == command["approve"]:
        return
    turn.emit("vote_cast", vote=vote["id"], seat=seat, approve=command["approve"])
    count(turn)


def count(turn: Turn) -> None:
    """Close the open vote when it is decided: `replace` by a majority of the others, the rest by everybody."""
    state = turn.state
    vote = state["vote"]
    voters = [str(seat) for seat in persons(state) if seat != vote["seat"]]
    needed = len(voters) // 2 + 1 if vote["kind"] == "replace" else len(voters)
    yes = sum(vote["votes"].get(seat) is True for seat in voters)
    no = sum(vote["votes"].get(seat) is False for seat in voters)
    if yes < needed <= len(voters) - no:
        return
    passed = yes >= needed
    turn.emit("vote_closed", "server", vote=vote["id"], kind=vote["kind"], passed=passed)
    if not passed:
        return
    if vote["kind"] == "replace":
        turn.emit("seat_taken_over", "server", seat=vote["seat"], level="easy", reason="vote")
        dealing.go_on_when_all_are_ready(turn)
    elif vote["kind"] == "abandon":
        turn.emit("game_ended", "server", winners=[], reason="abandoned")
    else:
        turn.emit("game_ended", "server", winners=scoring.leaders(state), reason="ended_early")


# --- taking back -------------------------------------------------------------------------------------------------


def take_back(turn: Turn, command: Mapping[str, Any]) -> None:
    """Ask to take one's last play back: the last card on the table, while nothing hidden has been shown since."""
    state = turn.state
    seat = _person(state, command["player"])
    if not state["settings"]["take_back"]:
        raise WrongPhase(action="take_back", expected=None, reason="no_take_back")
    table_round = state["round"]
    if table_round is not None and table_round["take_back"] is not None and table_round["take_back"]["seat"] == seat:
        return
    if not may_take_back(state, seat):
        raise WrongPhase(action="take_back", expected=state["decision"]["kind"] if state["decision"] else None)
    turn.emit("take_back", seat=seat, stage="asked")
    _settle_take_back(turn)


def may_take_back(state: State, seat: int) -> bool:
    """Tell whether the last thing that happened is a plain play of this seat in a trick that goes on."""
    table_round = state["round"]
    if state["status"] != "playing" or table_round is None or table_round["trick"] is None:
        return False
    last = table_round["trick"]["plays"][-1]
    return bool(last["seat"] == seat and table_round["plain_play"])


def answer_take_back(turn: Turn, command: Mapping[str, Any]) -> None:
    """Let somebody take a play back, or not."""
    state = turn.state
    seat = _person(state, command["player"])
    table_round = state["round"]
    asked = table_round["take_back"] if table_round else None
    if asked is None:
        raise WrongPhase(action="take_back_answer", expected=state["decision"]["kind"] if state["decision"] else None)
    if seat == asked["seat"] or seat in asked["accepted"]:
        return
    if not command["accept"]:
        turn.emit("take_back", seat=asked["seat"], stage="refused", by_seat=seat)
        return
    turn.emit("take_back", seat=asked["seat"], stage="accepted", by_seat=seat)
    _settle_take_back(turn)


def _settle_take_back(turn: Turn) -> None:
    """When all other persons agree, the cards go back; AI seats do not mind."""
    state = turn.state
    asked = state["round"]["take_back"]
    if all(seat in asked["accepted"] for seat in persons(state) if seat != asked["seat"]):
        play = state["round"]["trick"]["plays"][-1]
        turn.emit("take_back", "server", seat=asked["seat"], stage="done", cards=play["cards"])
        turn.open_decision("play", [asked["seat"]])
