"""The inbox, which stores some of the events of an account, and who may get them."""

from collections.abc import Callable, Collection, Iterable
from typing import Final

from service.account_events.catalogue import ROWS
from service.store.players.inbox import INBOX_MS, InboxStore, Note

#: By how much the clock of a process that adds an event may be behind, or its write late (ms).
_LATE_MS: Final = 60_000


class Inbox:
    """The inboxes of all accounts.

    Args:
        store: stores them.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, store: InboxStore, now: Callable[[], int]) -> None:
        self._store: Final = store
        self._now: Final = now

    def end(self, player: str) -> int:
        """Return a seq that is below those of all future events of an inbox."""
        return self._store.extent(player).last or max(0, self._now() - _LATE_MS)

    def is_whole_after(self, player: str, seq: int) -> bool:
        """Return whether no events after a seq can have been dropped; for seq 0 always."""
        first, _, is_full = self._store.extent(player)
        return not seq or (seq >= self._now() - INBOX_MS and not (is_full and first > seq))

    def after(self, player: str, seq: int, limit: int) -> list[Note]:
        """Return at most `limit` events after a seq, in order."""
        return self._store.after(player, seq, limit)

    def game_kept(self, players: Iterable[str], table: str, game: str) -> None:
        """Notify players that the record of their game can be read. Idempotent."""
        for player in players:
            self._store.put(player, Note("game_kept", self._now(), {"table": table, "game": game}), "game")

    def stream_opened(self, player: str, token: str, number: str) -> None:
        """See `InboxStore.opened`."""
        self._store.opened(player, token, number)


def may_tell(kind: str, scopes: Collection[str] | None) -> bool:
    """Return whether a token with these scopes (None: all) may get a type of event; no token gets unknown types."""
    return kind in ROWS and (scopes is None or ROWS[kind].scope in scopes)
