"""The tables of a player for `GET /v1/me/tables`, and the account events derived from them."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, NotRequired, TypedDict

from service.common import fastjson
from service.game.state.queries import game_of, is_board, seat_of, waited_for, wanted_for_rematch
from service.game.state.types import State
from service.game.views.fields import closed_view, timestamp
from service.game.views.types import ClosedView

#: Sort key of tables that do not wait for the player.
_STATUS_ORDER: Final = {"playing": 1, "lobby": 2, "finished": 3}

#: Fields of an entry in the event `turn`.
_OF_TURN: Final = frozenset({"table", "ruleset", "seat", "decision_id", "decision", "deadline_at", "remaining_ms"})
#: `mark` of a closed table.
CLOSED: Final = "c"


class MyTable(TypedDict):
    """An entry of `GET /v1/me/tables`."""

    table: str
    ruleset: str
    players: int
    status: str
    closed: ClosedView | None
    round: int | None
    seat: int | None
    my_turn: bool
    decision: str | None
    decision_id: str | None
    deadline_at: str | None
    remaining_ms: int | None
    version: int
    board: NotRequired[bool]


class Row(NamedTuple):
    """A compact row of a player's table, as a process has many. Nothing in it is hidden from the table's players.

    Attributes:
        table: id of the table.
        deadline: deadline of the open decision (ms).
        mark: the news for the account: the player's turn, or `CLOSED`; "": none.

    For the others see `MyTable`.
    """

    table: str
    ruleset: str
    players: int
    status: str
    closed: ClosedView | None
    round: int | None
    seat: int | None
    my_turn: bool
    decision: str | None
    decision_id: str | None
    deadline: int | None
    version: int
    mark: str
    board: bool


def row_of(state: State, player: str) -> Row | None:
    """Return the row of a table; None if it is not the player's."""
    seat, closed = seat_of(state, player), closed_view(state["settings"])
    if seat is None and (closed or state["host"] != player):
        return None
    decision = state["decision"]
    is_turn = seat in (*waited_for(state), *wanted_for_rematch(state))
    mark = CLOSED if closed else ""
    if is_turn:
        # The question for another game is identified by the finished one.
        mark = f"g{game_of(state)['started_seq']}" if decision is None else decision["id"].removeprefix("dc_")
    return Row(
        table=state["id"],
        ruleset=state["ruleset"],
        players=state["players"],
        status=state["status"],
        closed=closed,
        round=state["game"]["round"] if state["game"] else None,
        seat=seat,
        my_turn=is_turn,
        decision=decision["kind"] if decision else None,
        decision_id=decision["id"] if decision else None,
        # In a sandbox time stands still, and the list has a single current time.
        deadline=decision["deadline"] if decision and "sandbox" not in state["settings"] else None,
        version=state["version"],
        mark=mark,
        board=is_board(state),
    )


def item_of(row: Row, now: int) -> MyTable:
    """Return a table as shown."""
    item: MyTable = {
        "table": row.table,
        "ruleset": row.ruleset,
        "players": row.players,
        "status": row.status,
        "closed": row.closed,
        "round": row.round,
        "seat": row.seat,
        "my_turn": row.my_turn,
        "decision": row.decision,
        "decision_id": row.decision_id,
        "deadline_at": timestamp(row.deadline),
        "remaining_ms": None if row.deadline is None else max(0, row.deadline - now),
        "version": row.version,
    }
    return {**item, "board": True} if row.board else item


def items_of(rows: Iterable[Row], now: int, *, turns_only: bool = False) -> list[MyTable]:
    """Return tables as shown: first those that wait for the player, by deadline."""
    items = [item_of(row, now) for row in rows if row.my_turn or not turns_only]
    items.sort(key=lambda item: (not item["my_turn"], _STATUS_ORDER[item["status"]], item["deadline_at"] or "~"))
    return items


def tables_page(items: list[MyTable], now: int) -> dict[str, object]:
    """Return the body of `GET /v1/me/tables`."""
    return {"items": items, "next_cursor": None, "server_time": timestamp(now)}


def etag_of(items: Iterable[MyTable]) -> str:
    """Return the ETag of a list of tables; the remaining time does not count."""
    content = fastjson.dumps([{**item, "remaining_ms": None} for item in items])
    return f'"{hashlib.sha256(content).hexdigest()[:16]}"'


# --- events derived from changes -----------------------------------------------------------------------------------


class Change(NamedTuple):
    """An account event derived from a table: type, data, and `mark` after it."""

    type: str
    data: Mapping[str, object]
    mark: str


def changes(table: str, before: str, row: Row | None, now: int) -> list[Change]:
    """Return the account events for a table whose `mark` was `before`."""
    after = row.mark if row is not None else ""
    if before == after:
        return []
    differences: list[Change] = []
    if before not in ("", CLOSED):
        differences.append(Change("turn_over", {"table": table, "decision_id": _decision_id(before)}, ""))
    if row is None or not after:
        return differences
    if after == CLOSED:
        data = {"table": table, "ruleset": row.ruleset, **(row.closed or {})}
        return [*differences, Change("table_closed", data, after)]
    turn = {name: value for name, value in item_of(row, now).items() if name in _OF_TURN}
    return [*differences, Change("turn", turn, after)]


def _decision_id(mark: str) -> str | None:
    return None if mark.startswith("g") else f"dc_{mark}"
