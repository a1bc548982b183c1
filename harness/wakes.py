"""Waiting for announcements of tables, for tests and benchmarks that use Redis instead of a stream."""

import threading
from typing import Final, Self

from service.store.live import Announcements


class Wake:
    """A subscription to a table; closed by `close` or at the end of a `with` block.

    Attributes:
        version: latest announced version; 0 before the first, and after the table was deleted.
    """

    def __init__(self, wakes: "Wakes", table: str) -> None:
        self._wakes: Final = wakes
        self._news: Final = threading.Event()
        self.table: Final = table
        self.version = 0

    def wait(self, seconds: float | None) -> bool:
        """Wait, at most for a time; return whether there may be news."""
        if not self._news.wait(seconds):
            return False
        self._news.clear()
        return True

    def wake(self, version: int | None) -> None:
        """End the current `wait`, or the next one."""
        if version is not None:
            self.version = version
        self._news.set()

    def close(self) -> None:
        """End the subscription. Closing twice does nothing."""
        self._wakes.lose(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Wakes:
    """A listener (`service.store.live.Listener`) that wakes waiting threads.

    Attributes:
        of_tables: wakes by table.
        opened: tables whose channel has been opened, from when on announcements are received.
        players: players whose tokens have become void, in order.
    """

    def __init__(self, announcements: Announcements) -> None:
        self._announcements: Final = announcements
        self.of_tables: Final[dict[str, set[Wake]]] = {}
        self.opened: Final[set[str]] = set()
        self.players: Final[list[str]] = []

    def subscribe(self, table: str) -> Wake:
        """Return a wake for a table, which wakes at every announcement from now on."""
        wake = Wake(self, table)
        self.of_tables.setdefault(table, set()).add(wake)
        self._announcements.follow(table)
        self._announcements.listen(self)
        return wake

    def lose(self, wake: Wake) -> None:
        """Remove a wake; after the last one of a table, leave the table."""
        wakes = self.of_tables.get(wake.table, set())
        wakes.discard(wake)
        if not wakes:
            self.of_tables.pop(wake.table, None)
            self._announcements.leave(wake.table)

    def close(self) -> None:
        """End the announcements and wake everybody once more."""
        self._announcements.close()
        self.missed()

    def announced(self, table: str, version: int) -> None:
        """Wake all that wait for a table."""
        for wake in list(self.of_tables.get(table, ())):
            wake.wake(version)

    def revoked(self, player: str) -> None:
        """Note a player."""
        self.players.append(player)

    def news(self, player: str, token: str, number: str) -> None:
        """Do nothing."""

    def signalled(self, player: str, message: str) -> None:
        """Do nothing."""

    def deaf(self) -> None:
        """Do nothing."""

    def missed(self, table: str | None = None) -> None:
        """Wake all, or those that wait for a table."""
        for wakes in [self.of_tables.get(table, set())] if table else list(self.of_tables.values()):
            for wake in list(wakes):
                wake.wake(None)
        if table:
            self.opened.add(table)
