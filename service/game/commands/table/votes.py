"""Votes: to abandon the game, to end it now, to win it by forfeit, to pause it, or to replace an absent player.

Only a player who is away can be replaced. Everybody who plays now votes on a pause. Everybody seated at the start votes
on ending the game, even if an AI plays for them now, unless they are gone; and one side alone can end a rated
game (decision 60) only when a round is finished and all its opponents are gone. It may then win by forfeit, too: so
whoever ends the game without a result takes nothing from those who have left.
"""

from typing import Final, get_args

from service.common.errors import InvalidRequest
from service.game.commands.milestones import Milestone
from service.game.commands.round.ending import end_game
from service.game.commands.table import pauses
from service.game.commands.table.seats import own_seat
from service.game.commands.table.take_backs import settle
from service.game.commands.transaction import Transaction
from service.game.commands.types import CastVote, OpenVote
from service.game.errors import NotFound, WrongPhase
from service.game.events.types import SeatTakenOver, VoteCast, VoteClosed, VoteOpened
from service.game.state.families import family_of
from service.game.state.levels import takeover_level
from service.game.state.queries import (
    counts_for_ratings,
    game_of,
    is_gone,
    is_practice,
    persons,
    seated_at_start,
    starters,
)
from service.game.state.table_types import Vote, VoteKind
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS

#: Kinds of votes. `replace` names the seat of an absent player.
VOTES: Final[tuple[VoteKind, ...]] = get_args(VoteKind)

#: Kinds that end the game.
_ENDINGS: Final = frozenset({"abandon", "end_early", "forfeit"})

#: How long a vote is open, and how long a player waits after losing one before opening another (ms).
VOTE_MS: Final = 60_000
COOL_DOWN_MS: Final = 120_000


def open_vote(tx: Transaction, command: OpenVote) -> Milestone | None:
    """Open a vote, or join the same vote if it is open already. The player votes in favour."""
    state = tx.state
    seat = own_seat(state, command["player"])
    if state["status"] != "playing":
        raise WrongPhase(action="vote", expected=None)
    kind, target = command["kind"], command.get("seat")
    if kind == "pause":
        pauses.check_may_pause(state)
    if kind not in VOTES:
        raise InvalidRequest(reason="no_such_vote", accepted=list(VOTES))
    if (kind == "replace") != (target is not None) or (target is not None and target not in persons(state)):
        raise InvalidRequest(reason="vote_seat", accepted=persons(state))
    vote = state["vote"]
    if vote is not None:
        if (vote["kind"], vote["seat"]) != (kind, target):
            raise WrongPhase(action="vote", expected="vote")
        if str(seat) not in vote["votes"]:
            _vote(tx, vote, seat, approve=True)
        return count(tx)
    _check_that_it_may_pass(tx, seat, kind, target)
    data: VoteOpened = {"kind": kind, "seat": target, "by_seat": seat, "closes_at": tx.now + VOTE_MS}
    tx.emit("vote_opened", data)
    return count(tx)


def _check_that_it_may_pass(tx: Transaction, seat: int, kind: VoteKind, target: int | None) -> None:
    """Refuse a vote on a player who is present, one that a single side could win, and one too soon after another."""
    state = tx.state
    if target is not None and not _is_away(state, target):
        raise WrongPhase(action="vote", expected=None, reason="vote_present", seat=target)
    if kind == "forfeit" and not counts_for_ratings(state):
        raise WrongPhase(action="vote", expected=None, reason="vote_unrated")
    if kind == "forfeit" and not _side_left(tx):
        raise WrongPhase(action="vote", expected=None, reason="vote_not_left")
    if kind in _ENDINGS and not may_vote_to_end(tx, seat):
        raise WrongPhase(action="vote", expected=None, reason="vote_one_side")
    wait = state["seats"][seat].get("vote_lost_at", 0) + COOL_DOWN_MS - tx.now
    if wait > 0:
        raise WrongPhase(action="vote", expected=None, reason="vote_too_soon", retry_after_s=-(-wait // 1000))


def cast_vote(tx: Transaction, command: CastVote) -> Milestone | None:
    """Answer the open vote. The last answer of a seat counts, until the vote is decided."""
    seat = own_seat(tx.state, command["player"])
    vote = tx.state["vote"]
    if vote is None or vote["id"] != command["vote"]:
        raise NotFound(what="vote", id=command["vote"])
    if vote["votes"].get(str(seat)) != command["approve"]:
        _vote(tx, vote, seat, approve=command["approve"])
    return count(tx)


def _vote(tx: Transaction, vote: Vote, seat: int, *, approve: bool) -> None:
    data: VoteCast = {"vote": vote["id"], "seat": seat, "approve": approve}
    tx.emit("vote_cast", data)


def count(tx: Transaction) -> Milestone | None:
    """Close the open vote if it is decided: `replace` by a majority of the others, the rest by everybody."""
    vote = tx.state["vote"]
    if vote is None:
        return None
    passed = _verdict(tx, vote)
    if passed is None:
        return None
    _close(tx, vote, passed)
    return _carry_out(tx, vote) if passed else None


def run_out(tx: Transaction) -> None:
    """Close the open vote when its time is over; missing answers count as against."""
    vote = tx.state["vote"]
    if vote is not None:
        _close(tx, vote, passed=False)


def may_end_alone(tx: Transaction, seat: int | None) -> bool:
    """Return whether this player can end the game without a vote of others."""
    state = tx.state
    others = [other for other in starters(state) if other != seat and not is_gone(state, other, tx.now)]
    return not others and _enough(tx, {seat})


def may_vote_to_end(tx: Transaction, seat: int | None) -> bool:
    """Return whether enough players are left, including this one, to end the game by a vote."""
    state = tx.state
    able = {other for other in starters(state) if other == seat or not is_gone(state, other, tx.now)}
    return _enough(tx, able)


def _close(tx: Transaction, vote: Vote, passed: bool) -> None:
    data: VoteClosed = {"vote": vote["id"], "kind": vote["kind"], "passed": passed}
    tx.emit("vote_closed", data, "server")


def _verdict(tx: Transaction, vote: Vote) -> bool | None:
    """Return whether the vote is passed, or None while it is open."""
    state, votes = tx.state, vote["votes"]
    if vote["kind"] == "forfeit" and not _side_left(tx):
        return False
    if vote["kind"] == "replace":
        if vote["seat"] not in persons(state) or not _is_away(state, vote["seat"]):
            return False
        voters = [seat for seat in persons(state) if seat != vote["seat"]]
        needed = len(voters) // 2 + 1
    else:
        able = persons(state) if vote["kind"] == "pause" else starters(state)
        voters = [seat for seat in able if not is_gone(state, seat, tx.now)]
        needed = len(voters)
    in_favour = sum(votes.get(str(seat)) is True for seat in voters)
    against = sum(votes.get(str(seat)) is False for seat in voters)
    if in_favour < needed:
        return None if needed <= len(voters) - against else False
    if vote["kind"] not in _ENDINGS:
        return bool(voters)
    return _enough(tx, {int(seat) for seat, approves in votes.items() if approves})


def _is_away(state: State, seat: int) -> bool:
    """Return whether the player of a seat is away, or missed the last decision."""
    place = state["seats"][seat]
    return place["presence"] != "online" or place["timeouts"] > 0


def _enough(tx: Transaction, seats: set[int | None] | set[int]) -> bool:
    """Return whether these seats suffice to end the game: those of both sides, or of the only one that is left."""
    return _both_sides(tx.state, seats) or not _side_left(tx).isdisjoint(seats)


def _side_left(tx: Transaction) -> set[int]:
    """Return the seats of the only side with players left in a rated game with a finished round; else none.

    On each other side, whoever started the game is gone or replaced. A seat that only AI players ever had does not
    make a side leave.
    """
    state = tx.state
    if not counts_for_ratings(state) or not game_of(state)["results"]:
        return set()
    sides = _sides(state)
    left = {sides[seat] for seat in starters(state) if not is_gone(state, seat, tx.now)}
    began = {sides[seat] for seat, who in enumerate(seated_at_start(state)) if who is not None and who["player"]}
    if len(left) != 1 or not began - left:
        return set()
    return {seat for seat, side in enumerate(sides) if side in left}


def _sides(state: State) -> list[int]:
    """Return the side of each seat, for the whole game: of two teams, or else its own."""
    separate = RULESETS[state["ruleset"]].teams == "friends"
    return [seat if separate else seat % 2 for seat in range(state["players"])]


def _both_sides(state: State, seats: set[int | None] | set[int]) -> bool:
    """Return whether these seats suffice to end the game: in a rated game with people on several sides, two sides.

    Otherwise a player who is about to lose could cancel the game as soon as the opponents have gone.
    """
    started = starters(state)
    if is_practice(state):
        return True
    sides = _sides(state)
    return len({sides[seat] for seat in started if seat in seats}) >= min(2, len({sides[seat] for seat in started}))


def _carry_out(tx: Transaction, vote: Vote) -> Milestone | None:
    if vote["kind"] == "replace" and vote["seat"] is not None:
        data: SeatTakenOver = {"seat": vote["seat"], "level": takeover_level(tx.state), "reason": "vote"}
        tx.emit("seat_taken_over", data, "server")
        settle(tx)
        return "seats_changed"
    if vote["kind"] == "pause":
        pauses.begin(tx, vote["by_seat"])
    elif vote["kind"] == "abandon":
        end_game(tx, [], "abandoned")
    elif vote["kind"] == "forfeit":
        end_game(tx, sorted(_side_left(tx)), "forfeited")
    else:
        end_game(tx, family_of(tx.state).leaders(tx.state), "ended_early")
    return None
