"""Moderation by operators: reports, suspensions, names, tables, accounts (decision 161)."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal, cast

import structlog

from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.ids import new_id
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.people.quick_play import QuickPlay
from service.people.seating import Hosting
from service.store.players.inbox import InboxStore, Note
from service.store.players.moderation import ModerationStore
from service.store.port import Player, PlayerStore, Suspension

log: Final = structlog.get_logger("service.reports")

#: Chat stored with a report: period before it (ms), and most messages.
CHAT_MS: Final = 3_600_000
MOST_CHAT: Final = 50

Cause = Literal["chat", "display_name", "cheating", "stalling", "other"]


class Moderation:
    """See the module.

    Args:
        store: reports and logged actions.
        players, inbox: the stores.
        tables: acts at tables.
        quick_play: ends tickets.
        erase: deletes all data of a player who has left all tables.
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: ModerationStore,
        players: PlayerStore,
        inbox: InboxStore,
        tables: Hosting,
        quick_play: QuickPlay,
        erase: Callable[[str], None],
        now: Callable[[], int],
    ) -> None:
        self.store: Final = store
        self._players: Final = players
        self._inbox: Final = inbox
        self._tables: Final = tables
        self._quick_play: Final = quick_play
        self._erase: Final = erase
        self._now: Final = now

    # --- reports ------------------------------------------------------------------------------------------------------

    def report(self, by: str, about: Player, details: Mapping[str, Any], said: list[dict[str, Any]]) -> dict[str, Any]:
        """Store a report with the chat at its table, and log it; return its public part.

        Args:
            by: id of the reporter.
            about: record of the reported player.
            details: `reason`, and optionally `table` and `text`.
            said: see `chat_of`.
        """
        now = self._now()
        made = {
            "id": new_id("rp_", os.urandom),
            "at": timestamp(now),
            "by": by,
            "player": about["id"],
            "name": about["name"],
            "reason": details["reason"],
            "table": details.get("table"),
            "text": details.get("text"),
        }
        self.store.add_report({**made, "at": now, "said": said, "closed_at": None})
        # Logged as an error, so that no LOG_LEVEL drops it.
        log.error("player reported", **made)
        return made

    def close_report(self, report: str, *, is_closed: bool) -> dict[str, Any]:
        """Close or reopen a report, and return it.

        Raises:
            NotFound: there is none.
        """
        found = self.store.report(report)
        if found is None:
            raise NotFound(what="report", id=report)
        changed = {**found, "closed_at": self._now() if is_closed else None}
        self.store.add_report(changed)
        self._note("close_report" if is_closed else "open_report", report, {"player": found["player"]})
        return changed

    # --- players ------------------------------------------------------------------------------------------------------

    def suspend(self, player: str, until: int, cause: Cause, note: str | None) -> Player:
        """Suspend a player until a time (ms): end streams and tickets, and let an AI play the seats.

        Raises:
            NotFound: there is no such player.
        """
        now = self._now()
        suspension: Suspension = {"since": now, "until": until, "cause": cause, "note": note}
        told = Note("suspended", now, {"until": timestamp(until), "cause": cause, "note": note, "since": now})
        self._inbox.put(player, told, "since")
        record = self._change(player, {"suspension": suspension})
        self._quick_play.withdraw(player)
        self._leave_tables(player)
        self._note("suspend", player, {"until": timestamp(until), "cause": cause, "note": note})
        return record

    def lift(self, player: str) -> Player:
        """End a suspension. Raises as `suspend`."""
        record = self._change(player, {"suspension": None})
        self._note("lift", player, {})
        return record

    def rename(self, player: str, name: str) -> Player:
        """Rename a player; tables where the player sits keep showing the old name. Raises as `suspend`."""
        before = self._players.get(player)
        record = self._change(player, {"name": name})
        self._note("rename", player, {"before": before["name"] if before else None, "name": name})
        return record

    def erase(self, player: str) -> None:
        """Delete a player as players delete themselves. Raises as `suspend`."""
        if self._players.get(player) is None:
            raise NotFound(what="player", id=player)
        self.delete(player)
        self._note("erase", player, {})

    def delete(self, player: str) -> None:
        """Make a player leave all tables and quick play, and delete all data of the player."""
        self._leave_tables(player)
        self._quick_play.forget(player)
        self._erase(player)

    def close_table(self, table: str) -> State:
        """Close a table; a running game ends as abandoned.

        Raises:
            NotFound: there is no such table.
        """
        state = self._tables.act(table, {"type": "close", "player": "", "by_operator": True}).state
        self._note("close_table", table, {"host": state["host"]})
        return state

    def _leave_tables(self, player: str) -> None:
        for table in self._players.tables_of(player):
            with suppress(Refusal):
                self._tables.act(table, {"type": "leave", "player": player})

    def _change(self, player: str, changes: Mapping[str, Any]) -> Player:
        def changed(record: Player) -> Player:
            after = {name: value for name, value in {**record, **changes}.items() if value is not None}
            return cast("Player", after)

        record = self._players.update(player, changed)
        if record is None:
            raise NotFound(what="player", id=player)
        return record

    def _note(self, deed: str, about: str, details: Mapping[str, Any]) -> None:
        self.store.note(self._now(), deed, about, details)
        # Logged like a report.
        log.error("operator acted", deed=deed, about=about, **details)


def chat_of(log_of_table: list[Event], now: int) -> list[dict[str, Any]]:
    """Return the chat at a table in the last hour: time (ms), player, name and message."""
    said = [
        {"at": event["at"], "player": data.get("player"), "name": data.get("name"), "text": data["text"]}
        for event in log_of_table
        if event["type"] == "chat" and event["at"] >= now - CHAT_MS and (data := event["data"]).get("text")
    ]
    return said[-MOST_CHAT:]
