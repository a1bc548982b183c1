"""Events as messages of a stream (server-sent events, HTML standard §9.2)."""

from collections.abc import Iterable, Sequence
from typing import Final

from service import fastjson
from service.game.events.types import Event
from service.game.state import clock
from service.game.state.types import State
from service.game.views.telling import tell
from service.game.views.types import View, Viewer

RETRY: Final = b"retry: 1000\n\n"

#: A game is over with one of these, once its record has been kept.
FINAL_EVENTS: Final = frozenset({"game_kept", "table_closed"})


def event_messages(events: Sequence[Event], viewer: Viewer, state: State) -> bytes:
    """Return the messages of some events as the viewer is told them (`service.game.views.telling`).

    Args:
        events: at least one.
        viewer: who is told.
        state: the table after these events, or later.
    """
    told = tell(events, viewer, state)
    return b"".join([b"id: %d\ndata: %b\n\n" % (event["seq"], fastjson.dumps(event)) for event in told])


def reset_message(view: View) -> bytes:
    """Return the message that shows the table anew."""
    return b"event: reset\nid: %d\ndata: %b\n\n" % (view["version"], fastjson.dumps({"view": view}))


def heartbeat_message(server_time: bytes, after: int) -> bytes:
    """Return a heartbeat."""
    return b'event: heartbeat\ndata: {"server_time":"%b","after":%d}\n\n' % (server_time, after)


def end_message(reason: str, after: int) -> bytes:
    """Return the last message of a stream that ends on purpose."""
    return b"event: end\ndata: %b\n\n" % fastjson.dumps({"reason": reason, "after": after})


def has_final(events: Iterable[Event]) -> bool:
    """Tell whether one of the events ends a game or its table."""
    return any(event["type"] in FINAL_EVENTS for event in events)


def is_over(state: State) -> bool:
    """Tell whether nothing more will be written at a table, unless a new game begins."""
    return state["status"] == "finished" and not clock.keeping_is_due(state)
