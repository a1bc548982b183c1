"""evolve(state, event) -> state: what each event means.

An event is a fact, so nothing here can refuse and nothing here decides. The state that comes out shares everything
that did not change with the one that went in, which stays as it was. Folding the log of a table from its first event
gives its state; there is no other way in which a table changes.
"""

from collections.abc import Callable, Iterable

from service.game.events import deal_events, play_events, table_events
from service.game.events.changes import Changes, with_member
from service.game.state.types import Event, State

#: How many answered actions a seat may repeat and still be told what came of them.
REMEMBERED_ANSWERS = 8

_EVOLVE: dict[str, Callable[[State, Event], Changes]] = {
    function.__name__: function for module in (table_events, deal_events, play_events) for function in module.EVENTS
}

#: Every type of event there is.
EVENT_TYPES = frozenset(_EVOLVE)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event. `state` is `{}` before the first one."""
    changed = state | _EVOLVE[event["type"]](state, event)
    changed["version"] = event["seq"]
    if "answers" in event:
        _remember(changed, event)
    return changed


def _remember(changed: State, event: Event) -> None:
    """Keep what the action answered, so that a retry is known; whoever answers a decision is not away."""
    seat, decision, digest = event["answers"]
    kept = [*changed["answers"][seat], [decision, digest, event["tx"]]][-REMEMBERED_ANSWERS:]
    changed["answers"] = [*changed["answers"][:seat], kept, *changed["answers"][seat + 1 :]]
    if changed["seats"][seat]["timeouts"] and event["type"] != "chat":
        changed["seats"] = with_member(changed["seats"], seat, timeouts=0)


def fold(events: Iterable[Event]) -> State:
    """Return the state that a whole log tells."""
    state: State = {}
    for event in events:
        state = evolve(state, event)
    return state
