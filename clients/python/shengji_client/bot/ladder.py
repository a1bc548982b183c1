"""The nightly ladder of bots."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from shengji_client.bot.chores import Chores
from shengji_client.client import Client
from shengji_client.problems import Problem
from shengji_client.protocol import Json

#: Interval of checking the ladder, s.
LADDER_S: Final = 600.0

log = logging.getLogger(__name__)


class Ladder:
    """Enters the nights of the ladder and begins their boards. The account's stream announces turns at their tables.

    Args:
        client: client of the bot's player.
        chores: where the work is done.
        look_at: makes the runner look at a table.
        draining: whether to begin no more boards.
    """

    def __init__(
        self, client: Client, chores: Chores, look_at: Callable[[str], None], draining: Callable[[], bool]
    ) -> None:
        self._client = client
        self._chores = chores
        self._look_at = look_at
        self._draining = draining
        #: Boards that were begun, and those whose result was told: event and number.
        self._begun: set[tuple[str, int]] = set()
        self._announcements: set[tuple[str, int]] = set()
        #: Table -> event and number of its board.
        self._boards: dict[str, tuple[str, int]] = {}
        self._statuses: dict[str, str] = {}

    def look(self) -> None:
        """Check the ladder now, and then regularly."""
        self._chores.add("the ladder", self._look, lasting=True)

    def is_board(self, table: str) -> bool:
        """Return whether a board of the ladder is played at a table."""
        return table in self._boards

    def _look(self) -> float | None:
        if self._draining():
            return None
        for event in self._client.request("GET", "/v1/events?for=bots")["items"]:
            name = event["event"]
            if self._statuses.get(name) != event["status"]:
                self._statuses[name] = event["status"]
                if event["status"] in ("coming", "open"):
                    log.info("ladder %s is %s: %s to %s", name, event["status"], event["opens_at"], event["closes_at"])
            if event["status"] == "open":
                self._chores.add(f"ladder {name}", partial(self._enter, name))
        return LADDER_S

    def _enter(self, event: str) -> None:
        try:
            boards = self._client.request("POST", f"/v1/events/{event}/entries")["items"]
        except Problem as problem:
            # It has just ended.
            if problem.code != "event-closed":
                raise
            return
        for board in boards:
            key = event, board["number"]
            if board["result"] is not None:
                self._tell(key, board["result"])
            elif key not in self._begun:
                self._chores.add(f"board {key[1]} of {event}", partial(self._begin, *key))

    def _tell(self, key: tuple[str, int], result: Json) -> None:
        if key in self._announcements:
            return
        self._announcements.add(key)
        points = f"{result['points']} points as {result['side']}" if result["scores"] is None else result["scores"]
        counts = "" if result["counts"] else "; it does not count"
        log.info("board %d of %s is over: %s%s", key[1], key[0], points, counts)

    def _begin(self, event: str, number: int) -> None:
        """Begin a board. This is idempotent: another run of the bot gets the same table."""
        if self._draining():
            return
        try:
            table = self._client.request("POST", f"/v1/events/{event}/boards/{number}/table")["table"]
            self._boards[table] = event, number
            log.info("table %s: board %d of %s", table, number, event)
            self._look_at(table)
        except Problem as problem:
            # The board has just been played, or the night is over.
            if problem.code not in ("board-played", "event-closed"):
                raise
        self._begun.add((event, number))
