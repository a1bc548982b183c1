"""Reading the log of a table as far as one player may see it, page by page."""

from typing import NamedTuple

from service.api.visibility import Perspective
from service.game.events.types import Event
from service.tables import Tables


class Page(NamedTuple):
    """Some events of a log.

    Attributes:
        events: those that the player may know of; not redacted yet.
        perspective: the player's perspective on the table, which is at least as new as the events.
        hidden: the next event, if there is one that the player may not know of yet.
    """

    events: list[Event]
    perspective: Perspective
    hidden: Event | None


def read_page(tables: Tables, table: str, player: str, after: int, limit: int) -> Page:
    """Return the events after a seq.

    Raises:
        NotFound: the table is gone.
        PrivateTable: the player may not see the table, or not any more.
    """
    # In this order, what the player may see is decided by a state that is at least as new as the events.
    events = tables.store.events(table, after, limit)
    perspective = Perspective.load(tables, table, player)
    visible = perspective.visible_events(events)
    return Page(visible, perspective, events[len(visible)] if len(visible) < len(events) else None)
