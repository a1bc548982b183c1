"""Reading the log of a table."""

from typing import Final

from service.game.events.types import Event
from service.store.port import TableStore

#: Events read per page.
_PAGE_EVENTS: Final = 1_000
#: Upper bound on the events of one transaction.
_TRANSACTION_EVENTS: Final = 64


def whole_log(store: TableStore, table: str, until: int | None = None) -> list[Event]:
    """Return all events of a table, or those up to seq `until`."""
    events: list[Event] = []
    while page := store.events(table, len(events), _PAGE_EVENTS):
        events += page
    return events[:until]


def transaction(store: TableStore, table: str, tx: int) -> list[Event]:
    """Return the events of the transaction whose first event has the seq `tx`."""
    return [event for event in store.events(table, tx - 1, _TRANSACTION_EVENTS) if event["tx"] == tx]
