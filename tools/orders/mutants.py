"""Stores of tables with a fault put in by hand, which comes out only in some orders, and what is told of each."""

from contextlib import suppress

from harness.memory import MemoryTableStore
from service.store.port import VersionConflict


class LosesAppends(MemoryTableStore):
    """An append that comes too late is acknowledged, and not stored."""

    def append(self, table, expected, events, state, **options):
        with suppress(VersionConflict):
            super().append(table, expected, events, state, **options)


class AnswersTwice(MemoryTableStore):
    """An append that comes too late is put behind the others, as if what it was decided on were still so."""

    def append(self, table, expected, events, state, **options):
        actual = self.load(table).version if self.load(table) else 0
        more = actual - expected
        if more > 0 and any("answers" in event for event in events):
            events = [{**event, "seq": event["seq"] + more, "tx": event["tx"] + more} for event in events]
            expected, state = actual, {**state, "version": state["version"] + more}
        super().append(table, expected, events, state, **options)


class ShowsOldTables(MemoryTableStore):
    """A process that has written a table shows what it has written, whatever others have written since."""

    def load(self, table):
        written = self.cached(table)
        state = super().load(table)
        return state if written is None or state is None else state._replace(version=written["version"], state=written)


class DropsLeases(MemoryTableStore):
    """A leased table does not become due again when its lease ends."""

    def lease_due(self, now, lease_ms, limit):
        leased = super().lease_due(now, lease_ms, limit)
        for due in leased:
            del self._due[due.table]
        return leased


class ForgetsTimes(MemoryTableStore):
    """An append leaves a leased table to its lease, and does not set the time for which it is given."""

    def append(self, table, expected, events, state, *, wake_at, **options):
        leased = self._due.get(table) != self._owed.get(table)
        before = self._due.get(table)
        super().append(table, expected, events, state, wake_at=wake_at, **options)
        if leased and before is not None:
            self._due[table] = before + 3_600_000


#: Class -> what is told of it.
FINDS = {
    LosesAppends: "which the log does not have",
    AnswersTwice: "was answered by seat",
    ShowsOldTables: "had been shown",
    DropsLeases: "will be looked at None",
    ForgetsTimes: "will be looked at",
}
