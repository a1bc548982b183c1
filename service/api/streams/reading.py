"""Reading the log of a table page by page, as far as a player may see it."""

from typing import NamedTuple

from service.api.visibility import Perspective
from service.game.events.types import Event
from service.wiring import UseCases


class Page(NamedTuple):
    """Some events of a log.

    Attributes:
        events: events that the player may know of, not redacted yet.
        perspective: the player's perspective on the table, at least as new as the events.
        hidden: the next event, if the player may not know of it yet, or None.
    """

    events: list[Event]
    perspective: Perspective
    hidden: Event | None


def first_after(use: UseCases, table: str, after: int) -> list[Event]:
    """Return the first event after a seq, if there is one."""
    return use.tables.store.events(table, after, 1)


def read_page(use: UseCases, table: str, player: str, after: int, limit: int) -> Page:
    """Return the events after a seq.

    Raises:
        NotFound: the table is gone.
        PrivateTable: the player may not see the table (or no longer may).
    """
    # In this order, the state that decides on access is at least as new as the events.
    events = use.tables.store.events(table, after, limit)
    perspective = Perspective.load(use, table, player)
    visible = perspective.visible_events(events)
    return Page(visible, perspective, events[len(visible)] if len(visible) < len(events) else None)
