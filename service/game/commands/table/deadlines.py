"""The deadline of an open decision in a game of days: more time that others give, and what calendars make of it."""

from collections.abc import Sequence
from typing import Final

from service.common.errors import InvalidRequest
from service.game.commands.table.seats import numbered_seat, own_seat
from service.game.commands.transaction import Decided, RandomBytes, Transaction
from service.game.commands.types import GiveTime
from service.game.errors import WrongPhase
from service.game.events.types import DeadlineMoved
from service.game.state.clock import left_ms
from service.game.state.queries import ai_level, waited_for
from service.game.state.rules import has_fixed_teams
from service.game.state.settings import HOUR_MS, MOST_HOURS, correspondence_of
from service.game.state.table_types import Away
from service.game.state.types import State

_MOST_MS: Final = MOST_HOURS * HOUR_MS


def give_time(tx: Transaction, command: GiveTime) -> None:
    """Give a seat that is waited for more time: any other seat may, with fixed teams only one of the other side.

    Raises:
        WrongPhase: reason `time_needs_days`, `time_not_asked` or `time_for_own_side`.
        InvalidRequest: reason `too_much_time`: it would have more than two weeks.
    """
    state, seat = tx.state, command["seat"]
    mine = own_seat(state, command["player"])
    numbered_seat(state, seat)
    if correspondence_of(state) is None:
        raise WrongPhase(action="give_time", expected=None, reason="time_needs_days")
    decision = state["decision"]
    if decision is None or decision["deadline"] is None or not _is_waited_for(state, seat):
        raise WrongPhase(action="give_time", expected=None, reason="time_not_asked", seat=seat)
    if seat == mine or (has_fixed_teams(state) and seat % 2 == mine % 2):
        raise WrongPhase(action="give_time", expected=None, reason="time_for_own_side")
    more_ms = command["hours"] * HOUR_MS
    if max(0, left_ms(decision, tx.now)) + more_ms > _MOST_MS:
        raise InvalidRequest(reason="too_much_time", field="hours", most=MOST_HOURS)
    data: DeadlineMoved = {
        "by_seat": mine,
        "deadline": max(decision["deadline"], tx.now) + more_ms,
        "stops": decision.get("stops", []),
        "away": decision.get("away", []),
    }
    tx.emit("deadline_moved", data)


def _is_waited_for(state: State, seat: int) -> bool:
    return seat in waited_for(state) and ai_level(state, seat) is None


def move_deadline(
    state: State, deadline: int, stops: list[list[int]], away: Sequence[Away], now: int, random_bytes: RandomBytes
) -> Decided:
    """Return the event with which the open decision ends at `deadline` (ms), since its clock stands still in between.

    Args:
        stops, away: see `Decision`.
    """
    tx = Transaction(state, now, random_bytes)
    data: DeadlineMoved = {"by_seat": None, "deadline": deadline, "stops": stops, "away": [*away]}
    tx.emit("deadline_moved", data)
    return tx.result()
