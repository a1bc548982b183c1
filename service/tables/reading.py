"""Reading the log of a table."""

from typing import Final

from service.game.events.types import Event
from service.store.port import TableStore

#: Events that are read at once.
_PAGE_EVENTS: Final = 1_000
#: More events than one transaction has.
_TRANSACTION_EVENTS: Final = 64


def whole_log(store: TableStore, table: str, until: int | None = None) -> list[Event]:
    """Return all events of a table, or those up to seq `until`."""
    events: list[Event] = []
    while page := store.events(table, len(events), _PAGE_EVENTS):
        events += page
    return events[:until]


def transaction(store: TableStore, table: str, tx: int) -> list[Event]:
    """Return the events of one transaction, by the seq of its first."""
    return [event for event in store.events(table, tx - 1, _TRANSACTION_EVENTS) if event["tx"] == tx]
