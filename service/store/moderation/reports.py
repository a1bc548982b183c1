"""Data for operators: reports, and a log of operators' actions."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from service.common import typed
from service.store import codec, keys
from service.store.connections.commands import Client
from service.store.port import JsonObject, Player
from service.store.scripts import Script, translate_errors

#: Most reports, and most logged actions; `add_bounded.lua` says which reports are dropped, of actions the oldest are.
MOST_REPORTS: Final = 1_000
#: Most reports of a reporter.
MOST_REPORTS_BY: Final = 50
MOST_DEEDS: Final = 2_000
#: Number of players read at a time when searching by name.
_PAGE: Final = 1_000

_ADD: Final = Script("add_bounded")


class Deed(NamedTuple):
    """A logged action of an operator: number, time (ms), type, player or table, and details."""

    id: str
    at: int
    deed: str
    about: str
    details: Mapping[str, Any]


class ModerationStore:
    """See the module. A report is a JSON object with `id`, `at` (ms), `by` (reporter) and its subject.

    The subject is the first of `room`, `team`, `event` and `player` that it has.
    """

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def add_report(self, report: Mapping[str, Any]) -> None:
        """Store or replace a report."""
        stored = codec.encode(codec.REPORT, report)
        names = (keys.REPORTS, keys.REPORT_ORDER, keys.REPORT_MARKS)
        subjects = (report.get(kind) for kind in ("room", "team", "event", "player"))
        subject = next(filter(None, subjects), report["id"])
        most = (MOST_REPORTS, MOST_REPORTS_BY)
        by = report.get("by") or report["id"]
        _ADD.run(self._redis, names, report["id"], stored, report["at"], *most, by, subject)

    @translate_errors
    def report(self, report: str) -> JsonObject | None:
        """Return a report by id."""
        stored = self._redis.hget(keys.REPORTS, report)
        return None if stored is None else codec.decode(codec.REPORT, stored, report)

    @translate_errors
    def reports(self) -> list[JsonObject]:
        """Return all reports, newest first."""
        names = self._redis.zrevrange(keys.REPORT_ORDER, 0, -1)
        stored = self._redis.hmget(keys.REPORTS, names) if names else []
        return [codec.decode(codec.REPORT, value, "a report") for value in stored if value is not None]

    @translate_errors
    def note(self, at: int, deed: str, about: str, details: Mapping[str, Any]) -> None:
        """Log an action of an operator."""
        stored = codec.encode(codec.DEED, {"at": at, "deed": deed, "about": about, "details": details})
        self._redis.xadd(keys.DEEDS, {"d": stored}, maxlen=MOST_DEEDS, approximate=False)

    @translate_errors
    def deeds(self, before: str | None, limit: int) -> list[Deed]:
        """Return at most `limit` actions before one (id), newest first."""
        # One more, since the range includes `before`.
        entries = self._redis.xrevrange(keys.DEEDS, before or "+", "-", limit + 1)
        deeds = [Deed(name.decode(), **codec.decode(codec.DEED, fields[b"d"], "a deed")) for name, fields in entries]
        return [deed for deed in deeds if deed.id != before][:limit]

    @translate_errors
    def named(self, name: str, limit: int) -> list[Player]:
        """Return at most `limit` players whose name contains a text, ignoring case."""
        wanted, players = typed.sought(name), list[Player]()
        for player, stored in self._redis.hscan_iter(keys.RECORDS, count=_PAGE):
            record: Player = codec.decode(codec.PLAYER, stored, player.decode())
            if wanted in typed.sought(record["name"]):
                players.append(record)
                if len(players) == limit:
                    break
        return players
