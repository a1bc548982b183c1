"""Events as messages of a stream (server-sent events, HTML standard §9.2)."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from service.api.streams.coding import Text
from service.common import fastjson
from service.game.events.types import Event
from service.game.state import clock
from service.game.state.queries import wanted_for_rematch
from service.game.state.types import State
from service.game.views.telling import tell
from service.game.views.types import EventView, View, Viewer

RETRY: Final = Text(b"retry: 1000\n\n")

#: Events that end a game; one of them is the archiving of its record.
FINAL_EVENTS: Final = frozenset({"game_kept", "table_closed"})

#: Events with words chosen by a person: a message, a name.
_WORDED_EVENTS: Final = frozenset({"chat", "seat_taken"})


def event_messages(events: Sequence[Event], viewer: Viewer, state: State) -> tuple[Text, ...]:
    """Return events as messages for the viewer (`service.game.views.telling`).

    Args:
        events: at least one.
        viewer: the viewer.
        state: the table after these events, or later.
    """
    runs = groupby(tell(events, viewer, state), lambda event: event["type"] in _WORDED_EVENTS)
    return tuple(Text(b"".join(map(_message, run)), has_words) for has_words, run in runs)


def _message(event: EventView) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (event["seq"], fastjson.dumps(event))


def reset_message(view: View) -> Text:
    """Return the message that resets a client to the whole table."""
    body = b"event: reset\nid: %d\ndata: %b\n\n" % (view["version"], fastjson.dumps({"view": view}))
    return Text(body, is_alone=True)


def heartbeat_message(server_time: bytes, after: int | str) -> Text:
    """Return a heartbeat."""
    return Text(b'event: heartbeat\ndata: {"server_time":"%b","after":%b}\n\n' % (server_time, fastjson.dumps(after)))


def end_message(reason: str, after: int | str) -> Text:
    """Return the last message of a stream that ends on purpose."""
    return Text(b"event: end\ndata: %b\n\n" % fastjson.dumps({"reason": reason, "after": after}))


def has_final(events: Iterable[Event]) -> bool:
    """Return whether one of the events ends a game or its table."""
    return any(event["type"] in FINAL_EVENTS for event in events)


def is_over(state: State) -> bool:
    """Return whether no events will follow at a table unless somebody asks for another game."""
    return state["status"] == "finished" and not clock.keeping_is_due(state) and not wanted_for_rematch(state)
