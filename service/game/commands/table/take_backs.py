"""Taking back a play and all plays since, if all other people agree."""

from service.game.commands.table.seats import own_seat
from service.game.commands.transaction import Transaction
from service.game.commands.types import AnswerTakeBack, Plain
from service.game.errors import WrongPhase
from service.game.events.round_types import TakeBack, TrickReopened
from service.game.state.queries import attackers_points, last_trick_of, persons, trick_of
from service.game.state.rules import options_of
from service.game.state.take_backs import allows_take_backs, may_take_back
from service.game.state.types import State


def ask_take_back(tx: Transaction, command: Plain) -> None:
    """Ask to take back the seat's last play, unless something hidden has been revealed since.

    Raises:
        WrongPhase: it is not possible; see the reason.
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
    """Return the reason why a seat cannot take back its last play, or None if it can."""
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
    """Agree or refuse to let another player take back a play."""
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
    """Take back the requested play and all plays since, once all other people agree; AI players always do.

    Call this again when somebody leaves, since their answer no longer counts. A request has no effect while an AI plays
    for the player who made it.
    """
    state = tx.state
    request = state["round"]["take_back"] if state["status"] == "playing" and state["round"] else None
    left = persons(state)
    if request is None or request["seat"] not in left or "pause" in state:
        return
    if all(seat in request["accepted"] for seat in left if seat != request["seat"]):
        while _return_last(tx) != request["seat"]:
            pass
        charge(tx, request["seat"])
        tx.open_decision("play", [request["seat"]])


def charge(tx: Transaction, seat: int) -> None:
    """Note that a take-back costs the side of `seat` a level, if the table wants that."""
    if options_of(tx.state).get("take_back_level"):
        data: TakeBack = {"seat": seat, "stage": "charged"}
        tx.emit("take_back", data, "server")


def _return_last(tx: Transaction) -> int:
    """Put the last play back into the hand of its seat, and return the seat."""
    if tx.round["trick"] is None:
        _reopen_trick(tx)
    *before, play = trick_of(tx.round)["plays"]
    returnable = tx.round.get("returnable", 1) - 1
    if "before" not in tx.round:
        # What the trick before this one replaced is no longer known.
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
