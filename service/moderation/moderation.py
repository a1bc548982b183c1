"""Moderation by operators: reports, suspensions, names, tables, accounts (decision 161)."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from copy import copy
from hashlib import sha256
from typing import Final, Literal, Self, cast

import structlog

from service.common.errors import Refusal
from service.game.errors import NotFound
from service.game.events.types import Event
from service.game.ids import id_from
from service.game.state.types import State
from service.game.views.fields import timestamp
from service.matchmaking.quick_play import QuickPlay
from service.store.moderation.reports import Deed, ModerationStore
from service.store.players.inbox import InboxStore, Note
from service.store.port import Player, PlayerStore, StoreTooNew, Suspension
from service.tables import Tables

log: Final = structlog.get_logger("service.reports")

#: Most players shown for a name.
_MOST_NAMED: Final = 50
#: Chat stored with a report: period before it (ms), and most messages.
CHAT_MS: Final = 3_600_000
MOST_CHAT: Final = 50

#: How long a player cannot change a name that an operator has given (ms).
HELD_MS: Final = 90 * 24 * 3_600_000

Cause = Literal["chat", "display_name", "cheating", "stalling", "other"]


class Moderation:
    """See the module.

    Args:
        store: reports and logged actions.
        players, inbox: the stores.
        tables: acts at tables.
        quick_play: ends tickets.
        erase: deletes all data of a player who has left all tables.
        rename_entries: changes the name of a player (id) in events.
        step_down: make others the hosts of the rooms, and the owners of the clubs, of a player (id).
        now: returns milliseconds since the epoch.
    """

    def __init__(
        self,
        store: ModerationStore,
        players: PlayerStore,
        inbox: InboxStore,
        tables: Tables,
        quick_play: QuickPlay,
        erase: Callable[[str], None],
        rename_entries: Callable[[str, str], None],
        step_down: Iterable[Callable[[str], None]],
        now: Callable[[], int],
    ) -> None:
        self.store: Final = store
        self._rename_entries: Final = rename_entries
        self._step_down: Final = tuple(step_down)
        self._players: Final = players
        self._inbox: Final = inbox
        self._tables: Final = tables
        self._quick_play: Final = quick_play
        self._erase: Final = erase
        self._now: Final = now
        self._by = ""

    def by(self, operator: str) -> Self:
        """Return the same for an operator with this name, who is named in each deed; "": without a name."""
        acting = copy(self)
        acting._by = operator  # noqa: SLF001 (its own)
        return acting

    # --- reports ------------------------------------------------------------------------------------------------------

    def report(
        self, by: str, about: Mapping[str, object], details: Mapping[str, object], chat: list[dict[str, object]]
    ) -> dict[str, object]:
        """Store a report with the chat at its table, and log it; return its public part.

        Further reports of the same reporter about the same subject for the same reason are counted, and open it again.

        Args:
            by: id of the reporter.
            about: the subject: `player`, `name`, and perhaps `event`, `team`, `room` or `club` (ids).
            details: `reason`, and optionally `table` and `text`.
            chat: see `chat_of`.
        """
        now = self._now()
        about = {**dict.fromkeys(("event", "team", "room", "club", "comment")), **about}
        kinds = ("club", "room", "comment", "team", "event", "player")
        subject = next(filter(None, (about[kind] for kind in kinds)), "")
        name = report_id(by, str(subject), str(details["reason"]))
        before = self.store.report(name) or {}
        record = {
            "id": name,
            "at": timestamp(now),
            "by": by,
            **about,
            "reason": details["reason"],
            "table": details.get("table") or before.get("table"),
            "text": details.get("text") or before.get("text"),
        }
        more = {"said": chat or before.get("said", []), "count": before.get("count", 0) + 1, "closed_at": None}
        self.store.add_report({**record, "at": now, **more})
        # Logged as an error, so that no LOG_LEVEL drops it.
        log.error("player reported", **_logged(record))
        return as_author_sees(record)

    def reports(self, player: str | None = None, *, is_open: bool | None = None) -> list[dict[str, object]]:
        """Return reports, the newest first: all, or those about a player (id), and those that are open or not."""
        return [
            report
            for report in self.store.reports()
            if player in (None, report["player"]) and is_open in (None, report["closed_at"] is None)
        ]

    def close_report(self, report: str, *, is_closed: bool, answer: str | None = None) -> dict[str, object]:
        """Close or reopen a report, and return it. One that is open has no answer: nobody has decided.

        Args:
            report: its id.
            is_closed: whether to close it.
            answer: what its author reads, if it is an appeal and closed; None: as before.

        Raises:
            NotFound: there is none.
        """
        record = self.store.report(report)
        if record is None:
            raise NotFound(what="report", id=report)
        changed = {**record, "closed_at": self._now() if is_closed else None}
        if not is_closed:
            changed.pop("answer", None)
        elif answer:
            changed["answer"] = answer
        self.store.add_report(changed)
        self.note("close_report" if is_closed else "open_report", report, {"player": record["player"]})
        return changed

    # --- players ------------------------------------------------------------------------------------------------------

    def named(self, name: str) -> list[Player]:
        """Return players whose name contains a text, at most `_MOST_NAMED`."""
        return self.store.named(name, _MOST_NAMED)

    def tables_of(self, player: str) -> list[str]:
        """Return the tables at which a player sits or is the host."""
        traces = self._players.traces(player)
        return [*{**traces.sits, **traces.hosts}]

    def suspend(self, player: str, until: int, cause: Cause, note: str | None) -> Player:
        """Suspend a player until a time (ms): end streams and tickets, and let an AI play the seats.

        Others become hosts of the player's rooms and owners of the player's clubs, since nobody else can change those.

        Raises:
            NotFound: there is no such player.
        """
        now = self._now()
        suspension: Suspension = {"since": now, "until": until, "cause": cause, "note": note}
        notice = Note("suspended", now, {"until": timestamp(until), "cause": cause, "note": note, "since": now})
        self._inbox.put(player, notice, "since")
        record = self._change(player, {"suspension": suspension})
        self._quick_play.withdraw(player)
        self._leave_tables(player)
        self._end_offices(player)
        self.note("suspend", player, {"until": timestamp(until), "cause": cause, "note": note})
        return record

    def lift(self, player: str) -> Player:
        """End a suspension. Raises as `suspend`."""
        record = self._change(player, {"suspension": None})
        self.note("lift", player, {})
        return record

    def rename(self, player: str, name: str) -> Player:
        """Rename a player, who cannot change the name for `HELD_MS`. Raises as `suspend`.

        Tables where the player sits keep showing the old name.
        """
        before = self._players.get(player)
        record = self._change(player, {"name": name, "name_held_until": self._now() + HELD_MS})
        self._rename_entries(player, name)
        self.note("rename", player, {"before": before["name"] if before else None, "name": name})
        return record

    def erase(self, player: str) -> None:
        """Delete a player as players delete themselves. Raises as `suspend`."""
        if self._players.get(player) is None:
            raise NotFound(what="player", id=player)
        self.delete(player)
        self.note("erase", player, {})

    def delete(self, player: str) -> None:
        """Make a player leave all tables and quick play, and delete all data of the player."""
        self._leave_tables(player)
        # Before the account goes, so that nobody who is suspended becomes host.
        self._end_offices(player)
        self._quick_play.forget(player)
        self._erase(player)

    def close_table(self, table: str) -> State:
        """Close a table; a running game ends as abandoned.

        Raises:
            NotFound: there is no such table.
        """
        state = self._tables.act(table, {"type": "close", "player": "", "by_operator": True}).state
        self.note("close_table", table, {"host": state["host"]})
        return state

    def _end_offices(self, player: str) -> None:
        for step_down in self._step_down:
            step_down(player)

    def _leave_tables(self, player: str) -> None:
        for table in self._players.tables_of(player):
            # At a table that needs a later release, an AI takes the seat over when time is up.
            with suppress(Refusal, StoreTooNew):
                self._tables.act(table, {"type": "leave", "player": player})

    def _change(self, player: str, changes: Mapping[str, object]) -> Player:
        def changed(record: Player) -> Player:
            after = {name: value for name, value in {**record, **changes}.items() if value is not None}
            return cast("Player", after)

        record = self._players.update(player, changed)
        if record is None:
            raise NotFound(what="player", id=player)
        return record

    def deeds(self, before: str | None, limit: int) -> list[Deed]:
        """Return at most `limit` of what operators did before a deed (id), the newest first."""
        return self.store.deeds(before, limit)

    def note(self, deed: str, about: str, details: Mapping[str, object]) -> None:
        """List and log what an operator did."""
        # Among the details, where the release before shows it as well.
        details = {**details, **({"operator": self._by} if self._by else {})}
        self.store.note(self._now(), deed, about, details)
        # Logged like a report.
        log.error("operator acted", deed=deed, about=about, **_logged(details))


def report_id(by: str, subject: str, reason: str) -> str:
    """Return the id of a report: the same for the same author (id), subject (id) and reason."""
    return id_from("rp_", sha256(f"{by} {subject} {reason}".encode()).digest())


def as_author_sees(report: Mapping[str, object]) -> dict[str, object]:
    """Return a report without what its author must not learn by it: who owns a club."""
    return {**report, "player": "" if report.get("club") else report["player"]}


def _logged(details: Mapping[str, object]) -> dict[str, object]:
    """Return details as fields of a line of the log, in which `event` is its message."""
    return {"team_event" if name == "event" else name: value for name, value in details.items()}


def chat_of(log_of_table: list[Event], now: int) -> list[dict[str, object]]:
    """Return the chat at a table in the last hour: time (ms), player, name and message."""
    lines = [
        {"at": event["at"], "player": data.get("player"), "name": data.get("name"), "text": data["text"]}
        for event in log_of_table
        if event["type"] == "chat" and event["at"] >= now - CHAT_MS and (data := event["data"]).get("text")
    ]
    return lines[-MOST_CHAT:]
