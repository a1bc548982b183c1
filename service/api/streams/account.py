"""The events of an account: those stored in its inbox, and those derived from its tables (decision 147)."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from service.accounts.inbox import may_tell
from service.api.streams.account_reader import AccountReader
from service.api.streams.cursor import Cursor
from service.api.streams.feeds import Feeds
from service.api.streams.my_tables import changes, items_of, tables_page
from service.common.fastjson import loads
from service.game.errors import NotFound
from service.game.views.fields import timestamp
from service.store.players.inbox import MOST_NOTES
from service.store.port import StoreTooNew
from service.wiring import UseCases


def follow_tables(use: UseCases, feeds: Feeds, reader: AccountReader, *, watch: bool) -> None:
    """Load tables of the player that the reader does not have yet; with `watch`, also follow their changes."""
    listed = dict.fromkeys(use.stores.players.tables_of(reader.player))
    for table in [table for table in reader.rows if table not in listed]:
        _drop(feeds, reader, table)
        reader.changed[table] = None
    for table in listed:
        reader.rows.setdefault(table, None)
        if watch:
            # Watch first, so that no change is missed.
            feeds.watch(table, reader)
        if reader.rows.get(table) is not None:
            continue
        reader.unreadable.discard(table)
        try:
            reader.saw(use.tables.load(table))
        except StoreTooNew:
            reader.unreadable.add(table)
        except NotFound:
            pass
        if reader.rows.get(table) is None:
            _drop(feeds, reader, table)


def _drop(feeds: Feeds, reader: AccountReader, table: str) -> None:
    feeds.unwatch(table, reader)
    reader.drop(table)


class AccountEvent(NamedTuple):
    """An event of an account, and the position after it."""

    type: str
    body: Mapping[str, object]
    place: str


class Telling:
    """The events of an account from a position on.

    Args:
        use, feeds: the dependencies.
        reader: the reader; with `watch` it has been added to the feeds.
        cursor: the position; None: begin with a snapshot of the tables.
        watch: whether the reader waits for changes.
    """

    __slots__ = ("_feeds", "_is_behind", "_marks", "_reader", "_use", "_watch", "is_reset", "seq", "snapshot")

    def __init__(
        self, use: UseCases, feeds: Feeds, reader: AccountReader, cursor: Cursor | None, *, watch: bool
    ) -> None:
        self._use: Final = use
        self._feeds: Final = feeds
        self._reader: Final = reader
        self._watch: Final = watch
        self.is_reset = cursor is not None and not use.inbox.is_whole_after(reader.player, cursor.seq)
        #: The snapshot of the tables; None if it resumes.
        self.snapshot: dict[str, object] | None = None
        self._marks: dict[str, str] = {}
        #: Whether the inbox may have more events.
        self._is_behind = False
        if cursor is not None and not self.is_reset:
            self.seq, self._marks = cursor.seq, dict(cursor.marks)
            reader.changed.update(dict.fromkeys(self._marks))
        else:
            # Read the end of the inbox before the tables, so that nothing is missed.
            self.seq = use.inbox.end(reader.player)
            self._look()
            rows, now = reader.shown_rows(), use.tables.now()
            self._marks = {row.table: row.mark for row in rows if row.mark}
            self.snapshot = tables_page(items_of(rows, now), now)

    @property
    def place(self) -> str:
        """The current position, from which a client can resume."""
        return str(Cursor(self.seq, self._marks))

    def events(self, limit: int = MOST_NOTES) -> Iterator[AccountEvent]:
        """Yield the events up to now, at most `limit`."""
        if self._reader.must_look:
            self._look()
        for event in self._stored(limit):
            limit -= 1
            yield event
        for event in self._signals(limit):
            limit -= 1
            yield event
        for table in list(self._reader.changed):
            # Clear the mark before reading the row, so that later changes are seen next time.
            self._reader.changed.pop(table, None)
            if table in self._reader.unreadable:
                continue
            row, now = self._reader.rows.get(table), self._use.tables.now()
            for change in changes(table, self._marks.get(table, ""), row, now):
                if limit <= 0:
                    self._reader.changed[table] = None
                    return
                limit -= 1
                self._marks.pop(table, None)
                if change.mark:
                    self._marks[table] = change.mark
                yield self._event(change.type, now, change.data, None)
            if row is None or not row.mark:
                self._marks.pop(table, None)
            if row is None and self._reader.rows.get(table, row) is None:
                _drop(self._feeds, self._reader, table)

    def _stored(self, limit: int) -> Iterator[AccountEvent]:
        """Yield events of the inbox, at most `limit`."""
        while self._is_behind and limit > 0:
            notes = self._use.inbox.after(self._reader.player, self.seq, limit)
            self._is_behind = len(notes) == limit
            for note in notes:
                self.seq = note.seq
                if may_tell(note.type, self._reader.scopes):
                    limit -= 1
                    yield self._event(note.type, note.at, note.data, note.seq)

    def _signals(self, limit: int) -> Iterator[AccountEvent]:
        """Yield messages of other players' pages, at most `limit`; none is kept."""
        while self._reader.signals and limit > 0:
            message = self._reader.signals.popleft()
            if may_tell("voice", self._reader.scopes):
                limit -= 1
                yield self._event("voice", self._use.tables.now(), loads(message), None)

    def _look(self) -> None:
        self._reader.must_look = False
        self._is_behind = True
        follow_tables(self._use, self._feeds, self._reader, watch=self._watch)

    def _event(self, kind: str, at: int, data: Mapping[str, object], seq: int | None) -> AccountEvent:
        event = {"seq": seq, "type": kind, "at": timestamp(at), "data": data}
        return AccountEvent(kind, event, self.place)
