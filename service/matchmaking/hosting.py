"""Opening a table as its host."""

from typing import Final

from service.game.commands.table.seats import ai_occupant
from service.game.state.levels import TAKEOVER_LEVEL
from service.game.state.occupants import occupant_of
from service.game.state.table_types import TableSpec
from service.game.state.types import State
from service.matchmaking.errors import TooManyTables
from service.notices.notices import Notices
from service.store.port import Player, PlayerStore, StoreTooNew
from service.tables import Tables


class Hosting:
    """See the module.

    Args:
        tables: use cases of tables.
        players: stores the tables of each player.
        notices: of the turns at a sandbox.
        most: most tables that a player hosts at a time; 0: any number.
        least_pace_ms: least pause before an AI player acts.
    """

    def __init__(self, tables: Tables, players: PlayerStore, notices: Notices, most: int, least_pace_ms: int) -> None:
        self._tables: Final = tables
        self._players: Final = players
        self._notices: Final = notices
        self._most: Final = most
        self._least_pace_ms: Final = least_pace_ms

    def open(self, player: Player, spec: TableSpec, table: str) -> State:
        """Open a table for its host, who has a seat at a sandbox; return it.

        Raises:
            TooManyTables: the host has reached the limit.
            InvalidOption, InvalidRequest: see `Tables.create`.
        """
        self._check_number(player["id"], table)
        spec = _with_occupants(player, self.with_pace(spec))
        state = self._tables.create(player, spec, table).state
        self._players.add_table(player["id"], state["id"], self._tables.now())
        if "occupants" in spec:
            self._notices.sat(player["id"], state["id"])
        return state

    def with_pace(self, spec: TableSpec) -> TableSpec:
        """Return settings of a table, with the AI pace limited to what this service allows."""
        return {**spec, "ai_pace_ms": max(spec["ai_pace_ms"], self._least_pace_ms)} if "ai_pace_ms" in spec else spec

    def _check_number(self, player: str, table: str) -> None:
        """Count a new table among those whose game is not over.

        It is counted first, so that concurrent requests cannot create too many tables.
        """
        if not self._most:
            return
        hosted = self._players.add_hosted(player, table, self._tables.now())
        others = [other for other in hosted if other != table]
        if len(others) < self._most:
            return
        over = [other for other in others if not self._is_held(other, player)]
        if len(others) - len(over) >= self._most:
            over.append(table)
        self._players.remove_hosted(player, *over)
        if table in over:
            raise TooManyTables(limit=self._most)

    def _is_held(self, table: str, host: str) -> bool:
        try:
            stored = self._tables.store.load(table)
        except StoreTooNew:
            return True
        return stored is not None and stored.state["host"] == host and stored.state["status"] != "finished"


def _with_occupants(player: Player, spec: TableSpec) -> TableSpec:
    """Return settings of a table with the occupants of a sandbox: the player, and AI players except on free seats."""
    if "sandbox" not in spec:
        return spec
    free = spec["sandbox"].get("free", ())
    others = [None if seat in free else ai_occupant(seat, TAKEOVER_LEVEL) for seat in range(1, spec["players"])]
    return {**spec, "occupants": [occupant_of(player), *others]}
