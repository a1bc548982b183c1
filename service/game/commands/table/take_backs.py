"""Taking back a play, with all that was played since, when all other persons agree."""

from service.game.commands.table.seats import own_seat
from service.game.commands.transaction import Transaction
from service.game.commands.types import AnswerTakeBack, Plain
from service.game.errors import WrongPhase
from service.game.events.round_types import TakeBack, TrickReopened
from service.game.state.queries import attackers_points, last_trick_of, persons, trick_of
from service.game.state.take_backs import allows_take_backs, may_take_back
from service.game.state.types import State


def ask_take_back(tx: Transaction, command: Plain) -> None:
    """Ask to take one's last play back, while nothing hidden has been shown since.

    Raises:
        WrongPhase: the reason says what is in the way.
    """
    state = tx.state
    seat = own_seat(state, command["player"])
    if not allows_take_backs(state):
        raise WrongPhase(action="take_back", expected=None, reason="no_take_back")
    table_round = state["round"]
    request = table_round["take_back"] if table_round else None
    if request is not None and request["seat"] == seat:
        return
    obstacle = _obstacle(state, seat)
    if obstacle is not None:
        raise WrongPhase(action="take_back", expected=_expected(state), reason=obstacle)
    data: TakeBack = {"seat": seat, "stage": "asked"}
    tx.emit("take_back", data)
    settle(tx)


def _obstacle(state: State, seat: int) -> str | None:
    """Return why a seat cannot take its last play back; None: it can."""
    table_round = state["round"]
    if state["status"] != "playing" or table_round is None or not any(table_round["played"]):
        return "take_back_nothing"
    if table_round["phase"] == "scored":
        return "take_back_round_over"
    if may_take_back(table_round, seat):
        return None
    settled_by = table_round.get("settled_by")
    return "take_back_nothing" if settled_by is None else f"take_back_{settled_by}"


def _expected(state: State) -> str | None:
    return state["decision"]["kind"] if state["decision"] else None


def answer_take_back(tx: Transaction, command: AnswerTakeBack) -> None:
    """Let somebody take a play back, or not."""
    state = tx.state
    seat = own_seat(state, command["player"])
    request = state["round"]["take_back"] if state["round"] else None
    if request is None:
        raise WrongPhase(action="take_back_answer", expected=_expected(state))
    if seat == request["seat"] or seat in request["accepted"]:
        return
    data: TakeBack = {
        "seat": request["seat"],
        "stage": "accepted" if command["accept"] else "refused",
        "by_seat": seat,
    }
    tx.emit("take_back", data)
    if command["accept"]:
        settle(tx)


def settle(tx: Transaction) -> None:
    """Return the play that somebody has asked for, and all since, once all other persons agree; AI players do not mind.

    Who leaves has no say any more, so this is to be settled again then. An AI does not ask for its player's cards.
    """
    state = tx.state
    request = state["round"]["take_back"] if state["status"] == "playing" and state["round"] else None
    left = persons(state)
    if request is None or request["seat"] not in left or "pause" in state:
        return
    if all(seat in request["accepted"] for seat in left if seat != request["seat"]):
        while _return_last(tx) != request["seat"]:
            pass
        tx.open_decision("play", [request["seat"]])


def _return_last(tx: Transaction) -> int:
    """Return the last play to the hand of its seat. Return the seat."""
    if tx.round["trick"] is None:
        _reopen_trick(tx)
    *before, play = trick_of(tx.round)["plays"]
    returnable = tx.round.get("returnable", 1) - 1
    if "before" not in tx.round:
        # What the trick before this one has replaced is not known any more.
        returnable = min(returnable, len(before))
    data: TakeBack = {
        "seat": play["seat"],
        "stage": "done",
        "cards": play["cards"],
        "winning": play["was_winning"] if before else None,
        "returnable": returnable,
    }
    tx.emit("take_back", data, "server")
    return play["seat"]


def _reopen_trick(tx: Transaction) -> None:
    """Undo the end of the last trick, but for its plays."""
    table_round = tx.round
    trick, before = last_trick_of(table_round), table_round["before"]
    winner, points = trick["winner"], trick["points"]
    from_attackers = points if table_round["sides"][winner] != "declarers" else 0
    data: TrickReopened = {
        "seat": winner,
        "number": trick["number"],
        "points": points,
        "attackers_points": attackers_points(tx.state) - from_attackers,
        "last_trick": before["last_trick"],
        "seen": before["memory"],
    }
    tx.emit("trick_reopened", data, "server")
