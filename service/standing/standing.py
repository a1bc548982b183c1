"""The use cases of standing orders: setting them, and letting them act.

An order acts once a decision has waited for its seat for the time of `delays.py`, by the same command as its player
would send. It acts for the player who gave it, in the game in which it was given, and orders that name cards in their
round; whoever takes the seat later starts without any.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from service.common.errors import Refusal
from service.game.commands.decide import decide
from service.game.commands.transaction import Decided, RandomBytes
from service.game.errors import NotYourSeat, WrongPhase
from service.game.events.types import Event
from service.game.state.queries import decision_of, game_of, seat_of
from service.game.state.types import State
from service.standing.acting import Command, answers
from service.standing.delays import delay_ms, seats_with_delays
from service.standing.orders import StandingOrder, check_orders
from service.store.players.standing_orders import Act, SeatOrders, StandingOrderStore, StoredOrders
from service.tables import Tables
from service.tables.ports import Look


class OwnOrders(NamedTuple):
    """The orders of a seat that are in force, since when (ms), and what they have done."""

    seat: int
    orders: Sequence[StandingOrder]
    set_at: int | None
    acts: Sequence[Act]


class StandingOrders:
    """See the module.

    Args:
        store: has the orders.
        tables: for tables and times.
        entropy: returns random bytes from the operating system.
    """

    def __init__(self, store: StandingOrderStore, tables: Tables, entropy: RandomBytes) -> None:
        self._store: Final = store
        self._tables: Final = tables
        self._entropy: Final = entropy

    # --- for players ----------------------------------------------------------------------------------------------

    def own(self, table: str, player: str) -> OwnOrders:
        """Return a player's orders at a table.

        Raises:
            NotFound: there is no such table.
            NotYourSeat: the player has no seat there.
        """
        state = self._tables.stored(table)
        return self._own(state, _seat(state, player), player)

    def set(self, table: str, player: str, orders: Sequence[StandingOrder]) -> OwnOrders:
        """Replace a player's orders at a table; none: withdraw them. Those of before do not act any more.

        Raises:
            NotFound, NotYourSeat: see `own`.
            WrongPhase, InvalidRequest, CardsNotHeld: see `check_orders`; nothing has changed.
        """
        state = self._tables.load(table)
        seat, now = _seat(state, player), self._tables.now()
        if orders and state["game"] is None:
            raise WrongPhase(action="orders", expected=None, reason="orders_need_a_game")
        check_orders(state, seat, orders)
        self._store.put(table, seat, _stored(state, player, orders, now) if orders else None)
        if orders and seat in seats_with_delays(state):
            self._tables.postpone(state, now + delay_ms(state, seat))
        return self._own(state, seat, player)

    def would(self, table: str, player: str, orders: Sequence[StandingOrder]) -> tuple[int, Command] | None:
        """Return which of these orders would answer the open decision, and how; None: they leave it to the player.

        Raises:
            NotFound, NotYourSeat, WrongPhase, InvalidRequest, CardsNotHeld: see `set`.
        """
        state = self._tables.load(table)
        seat = _seat(state, player)
        check_orders(state, seat, orders)
        if seat not in seats_with_delays(state):
            return None
        first = self._first(state, seat, player, enumerate(orders), self._tables.now())
        return None if first is None else first[:2]

    def _own(self, state: State, seat: int, player: str) -> OwnOrders:
        stored, acts = self._store.of_seat(state["id"], seat)
        acts = [act for act in acts if act["player"] == player]
        if stored is None or not _is_in_force(state, seat, stored):
            return OwnOrders(seat, [], None, acts)
        return OwnOrders(seat, stored["orders"], stored["set_at"], acts)

    # --- for tables (`service.tables.ports.Standing`) -------------------------------------------------------------

    def due_at(self, state: State) -> int | None:
        """Return when to look first in the open decision (ms); None: never."""
        delays = seats_with_delays(state)
        return decision_of(state)["opened_at"] + min(delays.values()) if delays else None

    def look(self, state: State, now: int) -> Look:
        """Return what the orders of a seat do now, or when those of another are due."""
        delays, later = seats_with_delays(state), list[int]()
        for seat, orders in self._store.of_table(state["id"], list(delays)).items():
            if not _is_in_force(state, seat, orders.stored):
                continue
            at = max(decision_of(state)["opened_at"], orders.stored["set_at"]) + delays[seat]
            if at > now:
                later.append(at)
                continue
            look = self._act(state, seat, orders, now)
            if look is not None:
                return look
        return Look(again=min(later, default=None))

    def _act(self, state: State, seat: int, orders: SeatOrders, now: int) -> Look | None:
        stored = orders.stored
        first = self._first(state, seat, stored["player"], _of_this_round(state, stored), now)
        if first is None or not self._store.take(state["id"], seat, orders.raw):
            return None
        number, _, decided = first
        return Look(decided, end=partial(self._end, state, seat, stored, number))

    def _first(
        self, state: State, seat: int, player: str, orders: Iterable[tuple[int, StandingOrder]], now: int
    ) -> tuple[int, Command, Decided] | None:
        """Return the number, command and events of the first order with an answer that is allowed."""
        for number, command in answers(state, seat, orders):
            signed = {**command, "player": player, "decision_id": decision_of(state)["id"]}
            try:
                return number, command, decide(state, signed, now, self._entropy)
            except Refusal:
                continue
        return None

    def _end(self, state: State, seat: int, stored: StoredOrders, number: int, events: Sequence[Event]) -> None:
        act: Act | None = None
        if events:
            act = {
                "player": stored["player"],
                "round": state["game"]["round"] if state["game"] else 0,
                "order": number,
                "do": stored["orders"][number]["do"],
                "seq": events[0]["seq"],
                "at": events[0]["at"],
            }
        self._store.done(state["id"], seat, act)


def _seat(state: State, player: str) -> int:
    seat = seat_of(state, player)
    if seat is None:
        raise NotYourSeat
    return seat


def _stored(state: State, player: str, orders: Sequence[StandingOrder], now: int) -> StoredOrders:
    game = game_of(state)
    return {"player": player, "game": game["id"], "round": game["round"], "set_at": now, "orders": list(orders)}


def _is_in_force(state: State, seat: int, stored: StoredOrders) -> bool:
    """Return whether orders are those of the player who has the seat, in this game."""
    game = state["game"]
    return game is not None and stored["game"] == game["id"] and seat_of(state, stored["player"]) == seat


def _of_this_round(state: State, stored: StoredOrders) -> Iterator[tuple[int, StandingOrder]]:
    """Yield the numbers and orders that may act: those that name cards in their round only."""
    is_later = game_of(state)["round"] != stored["round"]
    return ((number, order) for number, order in enumerate(stored["orders"]) if not (is_later and "cards" in order))
