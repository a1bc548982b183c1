"""Events as sent to a viewer: redacted, and with hints for a seat that may answer the open decision.

Hints are computed from the state and not stored, so sending events takes the state too. Of several events sent
together, only the last one that changes the hints has them, since hints of a past decision are useless.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.game.events.catalogue import with_flag
from service.game.events.types import Event
from service.game.state.types import State
from service.game.views.hints import hints
from service.game.views.redaction import redact
from service.game.views.types import EventView, Hints, Viewer
from service.game.views.view import may_answer

_CHANGES_HINTS: Final = with_flag("changes_hints")


class HintsOf(NamedTuple):
    """Hints to be sent with the event `seq`."""

    seq: int
    hints: Hints


def hints_with(events: Sequence[Event], viewer: Viewer, state: State) -> HintsOf | None:
    """Return the hints to send with one of these events, or None.

    Args:
        events: consecutive events of a table.
        viewer: only seats get hints.
        state: the table after these events, or later.
    """
    decision = state["decision"]
    if not isinstance(viewer, int) or decision is None or not may_answer(decision, viewer):
        return None
    last = next((event["seq"] for event in reversed(events) if event["type"] in _CHANGES_HINTS), 0)
    return HintsOf(last, hints(state, viewer)) if last >= decision["opened_seq"] else None


def tell(events: Sequence[Event], viewer: Viewer, state: State) -> list[EventView]:
    """Return events as a viewer sees them. The arguments are those of `hints_with`."""
    views = [redact(event, viewer, state["ruleset"]) for event in events]
    brought = hints_with(events, viewer, state)
    if brought is not None:
        views[brought.seq - events[0]["seq"]]["data"]["hints"] = brought.hints
    return views
