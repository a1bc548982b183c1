"""Votes: to abandon the game, to end it now, or to let an AI replace somebody who is not there."""

from typing import Final, get_args

from service.errors import InvalidRequest
from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game
from service.game.commands.table.seats import own_seat
from service.game.commands.transaction import Transaction
from service.game.commands.types import CastVote, OpenVote
from service.game.errors import NotFound, WrongPhase
from service.game.events.types import SeatTakenOver, VoteCast, VoteClosed, VoteOpened
from service.game.state.families import family_of
from service.game.state.levels import takeover_level
from service.game.state.queries import persons
from service.game.state.types import Vote, VoteKind

#: What can be voted on. `replace` names the seat of somebody who is not there.
VOTES: Final[tuple[VoteKind, ...]] = get_args(VoteKind)


def open_vote(tx: Transaction, command: OpenVote) -> Milestone | None:
    """Ask for a vote. Whoever asks is in favour."""
    state = tx.state
    seat = own_seat(state, command["player"])
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
        return None
    data: VoteOpened = {"kind": kind, "seat": target, "by_seat": seat}
    tx.emit("vote_opened", data)
    return count(tx)


def cast_vote(tx: Transaction, command: CastVote) -> Milestone | None:
    """Answer the open vote. The last answer of a seat counts, until the vote is decided."""
    seat = own_seat(tx.state, command["player"])
    vote = tx.state["vote"]
    if vote is None or vote["id"] != command["vote"]:
        raise NotFound(what="vote", id=command["vote"])
    if vote["votes"].get(str(seat)) == command["approve"]:
        return None
    data: VoteCast = {"vote": vote["id"], "seat": seat, "approve": command["approve"]}
    tx.emit("vote_cast", data)
    return count(tx)


def count(tx: Transaction) -> Milestone | None:
    """Close the open vote if it is decided: `replace` by a majority of the others, the rest by everybody."""
    vote = tx.state["vote"]
    if vote is None:
        raise AssertionError("there is no vote to count")
    passed = _verdict(vote, persons(tx.state))
    if passed is None:
        return None
    data: VoteClosed = {"vote": vote["id"], "kind": vote["kind"], "passed": passed}
    tx.emit("vote_closed", data, "server")
    return _carry_out(tx, vote) if passed else None


def _verdict(vote: Vote, seats: list[int]) -> bool | None:
    """Return whether the vote is passed, or None while it is open."""
    voters = [str(seat) for seat in seats if seat != vote["seat"]]
    needed = len(voters) // 2 + 1 if vote["kind"] == "replace" else len(voters)
    in_favour = sum(vote["votes"].get(seat) is True for seat in voters)
    against = sum(vote["votes"].get(seat) is False for seat in voters)
    if in_favour >= needed:
        return True
    return None if needed <= len(voters) - against else False


def _carry_out(tx: Transaction, vote: Vote) -> Milestone | None:
    if vote["kind"] == "replace" and vote["seat"] is not None:
        data: SeatTakenOver = {"seat": vote["seat"], "level": takeover_level(tx.state), "reason": "vote"}
        tx.emit("seat_taken_over", data, "server")
        return "seats_changed"
    if vote["kind"] == "abandon":
        end_game(tx, [], "abandoned")
    else:
        end_game(tx, family_of(tx.state).leaders(tx.state), "ended_early")
    return None
