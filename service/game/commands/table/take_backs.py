"""Taking back a play: the last card on the table, when all other persons agree."""

from service.game.commands.table.seats import own_seat
from service.game.commands.transaction import Transaction
from service.game.commands.types import AnswerTakeBack, Plain
from service.game.errors import WrongPhase
from service.game.events.round_types import TakeBack
from service.game.state.queries import persons, trick_of
from service.game.state.types import State


def ask_take_back(tx: Transaction, command: Plain) -> None:
    """Ask to take one's last play back, while nothing hidden has been shown since."""
    state = tx.state
    seat = own_seat(state, command["player"])
    if not state["settings"]["take_back"]:
        raise WrongPhase(action="take_back", expected=None, reason="no_take_back")
    table_round = state["round"]
    request = table_round["take_back"] if table_round else None
    if request is not None and request["seat"] == seat:
        return
    if not _may_take_back(state, seat):
        raise WrongPhase(action="take_back", expected=_expected(state))
    data: TakeBack = {"seat": seat, "stage": "asked"}
    tx.emit("take_back", data)
    settle(tx)


def _may_take_back(state: State, seat: int) -> bool:
    """Tell whether the last thing that happened is a plain play of this seat in an open trick."""
    table_round = state["round"]
    if state["status"] != "playing" or table_round is None or table_round["trick"] is None:
        return False
    return table_round["plain_play"] and table_round["trick"]["plays"][-1]["seat"] == seat


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
    """Return the cards that somebody has asked for once all other persons agree; AI players do not mind.

    Who leaves has no say any more, so this is to be settled again then. An AI does not ask for its player's cards.
    """
    state = tx.state
    request = state["round"]["take_back"] if state["status"] == "playing" and state["round"] else None
    left = persons(state)
    if request is None or request["seat"] not in left:
        return
    if all(seat in request["accepted"] for seat in left if seat != request["seat"]):
        *before, play = trick_of(tx.round)["plays"]
        winning = play["was_winning"] if before else None
        data: TakeBack = {"seat": request["seat"], "stage": "done", "cards": play["cards"], "winning": winning}
        tx.emit("take_back", data, "server")
        tx.open_decision("play", [request["seat"]])
