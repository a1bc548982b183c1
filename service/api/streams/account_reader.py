"""Readers of an account's events, with rows of the player's tables kept up to date by the feeds."""

import threading
from collections import deque
from typing import Final

from service.api.streams.follower import Reader
from service.api.streams.my_tables import Row, row_of
from service.game.state.types import State
from service.store.players.tokens import Token
from service.store.port import StoreTooNew

#: Most messages of other pages that wait for a stream; further ones replace the oldest.
_MOST_SIGNALS: Final = 64
#: Reason for ending a stream when another one is opened with the same token.
NEWER_STREAM: Final = "newer-stream"


class AccountReader(Reader):
    """A stream or long poll of an account, with the state of the player's tables.

    Feeds pass it each new state of the tables it watches; it keeps a row of each.

    Attributes:
        token: id of the token with which it was opened.
        scopes: scopes of that token; None: all.
        number: orders streams by time of opening; "": a long poll, which neither ends streams nor is ended by them.
        heartbeat_s, beats_at: see `Feeds`.
        is_open: whether it has not ended.
        every_version: whether each event at a table counts as a change, or only events of the account.
        must_look: whether the list of tables or the inbox may have changed.
        rows: table -> its row; None: watched, but no longer the player's.
        changed: changed tables, in order.
        signals: messages (JSON) of other players' pages, in order.
        unreadable: tables that need a later release: what was told of them still holds.
    """

    __slots__ = (
        "_lock",
        "_versions",
        "beats_at",
        "changed",
        "every_version",
        "heartbeat_s",
        "is_open",
        "must_look",
        "number",
        "rows",
        "scopes",
        "signals",
        "token",
        "unreadable",
    )

    def __init__(self, token: Token, token_hash: str, number: str, *, every_version: bool = False) -> None:
        super().__init__(token["player"], token_hash)
        self.token: Final = token["id"]
        self.scopes: Final = token["scopes"]
        self.number: Final = number
        self.heartbeat_s = self.beats_at = 0.0
        self.is_open = True
        self.every_version: Final = every_version
        self.must_look = True
        self.rows: Final[dict[str, Row | None]] = {}
        self.changed: Final[dict[str, None]] = {}
        self.signals: Final[deque[str]] = deque(maxlen=_MOST_SIGNALS)
        self.unreadable: Final[set[str]] = set()
        #: The version of the state of each table seen last. A state loaded by the stream may arrive after a newer one
        #: from the feed, also one without a row.
        self._versions: Final[dict[str, int]] = {}
        self._lock: Final = threading.Lock()

    # --- called by feeds, so they must not block ---------------------------------------------------------------------

    def saw(self, state: State, *, is_lost: bool = False) -> None:
        """Update the row of a table; with `is_lost`, even to an older version."""
        table, version, row = state["id"], state["version"], row_of(state, self.player)
        with self._lock:
            if table not in self.rows:
                # The table was dropped while the feed passed its state.
                return
            if self._versions.get(table, version) > version and not is_lost:
                return
            self._versions[table] = version
            before = self.rows[table]
            self.rows[table] = row
            if before and row and row.mark == before.mark and not self.every_version:
                return
            self.changed[table] = None
        self.wake()

    def gone(self, table: str) -> None:
        """Note that a table no longer exists."""
        with self._lock:
            if table not in self.rows:
                return
            self.rows[table] = self.changed[table] = None
        self.wake()

    def left(self, table: str, error: StoreTooNew) -> None:
        """Break off a stream, since this process does not understand a table any more; a long poll leaves it out."""
        if self.number:
            self.end(error)
            return
        with self._lock:
            if table in self.rows:
                self.rows[table] = self.changed[table] = None
                self.unreadable.add(table)
        self.wake()

    def send_beat(self, server_time: bytes) -> None:
        """Request a heartbeat."""
        self.beat = server_time
        self.wake()

    def look(self) -> None:
        """Request a check of the list of tables and of the inbox."""
        self.must_look = True
        self.wake()

    def signal(self, message: str) -> None:
        """Take a message of another player's page."""
        self.signals.append(message)
        self.wake()

    # --- called by the stream -----------------------------------------------------------------------------------------

    def drop(self, table: str) -> None:
        """Forget a table, which is no longer watched."""
        with self._lock:
            self.rows.pop(table, None)
            self._versions.pop(table, None)

    def shown_rows(self) -> list[Row]:
        """Return the rows of the player's tables."""
        return [row for row in list(self.rows.values()) if row is not None]


class Readers:
    """All readers of accounts in a process."""

    def __init__(self) -> None:
        self._lock: Final = threading.Lock()
        self._of: Final[dict[str, dict[AccountReader, None]]] = {}

    def add(self, reader: AccountReader) -> None:
        """Add a reader."""
        with self._lock:
            self._of.setdefault(reader.player, {})[reader] = None

    def remove(self, reader: AccountReader) -> None:
        """Remove a reader. Removing twice does nothing."""
        with self._lock:
            readers = self._of.get(reader.player, {})
            readers.pop(reader, None)
            if not readers:
                self._of.pop(reader.player, None)

    def players(self) -> set[str]:
        """Return the players whose accounts are read."""
        with self._lock:
            return set(self._of)

    def check(self, player: str | None = None) -> None:
        """Make all readers, or those of one player, check their token."""
        for reader in self._some(player):
            reader.must_check = True
            reader.wake()

    def look(self, player: str | None = None) -> None:
        """Make all readers, or those of one player, check list of tables and inbox."""
        for reader in self._some(player):
            reader.look()

    def signal(self, player: str, message: str) -> None:
        """Pass a message on to the readers of a player."""
        for reader in self._some(player) if player else ():
            reader.signal(message)

    def replace(self, player: str, token: str, number: str) -> None:
        """End the streams opened with a token before the one with this number."""
        for reader in self._some(player):
            if reader.token == token and reader.number and reader.number < number:
                reader.end(NEWER_STREAM)

    def _some(self, player: str | None) -> list[AccountReader]:
        with self._lock:
            chosen = self._of.values() if player is None else [self._of.get(player, {})]
            return [reader for readers in chosen for reader in readers]
