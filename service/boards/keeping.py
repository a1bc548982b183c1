"""Storing the result of a board when its game is over."""

from collections.abc import Sequence
from typing import Final

from service.boards.deals import SEAT, deal_of
from service.boards.scoring import result_of
from service.game.events.types import Event
from service.game.state.queries import game_of, seated_at_start
from service.game.state.types import State
from service.store.boards.events import BoardStore


class BoardKeeper:
    """Stores results of single players. Called when a game is over, perhaps twice (`Tables.on_finished`)."""

    def __init__(self, store: BoardStore) -> None:
        self._store: Final = store

    def keep(self, state: State, log: Sequence[Event]) -> None:
        """Store the result of a game if it was a board of single players and ended before its event."""
        board = state["settings"].get("board")
        if board is None or "room" in board or "link" in board:
            return
        event = self._store.event(board["event"])
        entrant = seated_at_start(state)[SEAT]
        player = entrant["player"] if entrant is not None else None
        ended_at = game_of(state)["ended_at"]
        if event is None or player is None or ended_at is None or ended_at >= event["closes_at"]:
            return
        # Players who deleted their account no longer have an entry.
        entry = self._store.entry(event["id"], player)
        if entry is not None:
            deal = deal_of(event, board["number"], player, fresh=entry.get("fresh", False))
            result = result_of(state, log, deal)
            self._store.add_result(event["id"], board["number"], player, result)
