"""evolve(state, event) -> state: what each event means.

An event is a fact: nothing here refuses or decides. The new state shares the unchanged parts of the old one, which is
not modified. A table changes only by events, so folding its log from the first event gives its state.
"""

from collections.abc import Callable, Iterable
from typing import Final, cast

from service.game.events.catalogue import ROWS
from service.game.events.needs import NEEDS, latest, needs_of
from service.game.events.types import Event
from service.game.state.table_types import Seat
from service.game.state.types import State

#: Number of latest answers remembered per seat, so that a retry gets its result.
REMEMBERED_ANSWERS: Final = 8

#: A table before its first event.
NO_TABLE: Final = cast("State", {})

#: Type of event -> the function that applies it.
_EVOLVE: Final[dict[str, Callable[..., State]]] = {name: row.evolve for name, row in ROWS.items()}

#: All types of events.
EVENT_TYPES: Final = frozenset(_EVOLVE)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event; before the first one `state` is `NO_TABLE`."""
    changed = _EVOLVE[event["type"]](state, event["data"], event)
    changed["version"] = event["seq"]
    changed["at"] = event["at"]
    if "answers" in event:
        _remember(changed, event)
    if "actor" in event:
        commands = changed.get("commands", {})
        changed["commands"] = {**commands, event["actor"]: commands.get(event["actor"], 0) + 1}
    if event["type"] in NEEDS:
        _note_needs(changed, event)
    return changed


def _note_needs(changed: State, event: Event) -> None:
    """Note the release that understands the table from now on, if it is later than that of the earlier events."""
    before = changed.get("needs", "")
    if (needs := latest([before, needs_of(event)])) != before:
        changed["needs"] = needs


def _remember(changed: State, event: Event) -> None:
    """Remember the answer, to recognise a retry, and reset the timeouts of the seat."""
    seat, name, digest = event["answers"]
    seat = int(seat)
    answers = changed["answers"].copy()
    answers[seat] = [*answers[seat], [name, digest, event["tx"]]][-REMEMBERED_ANSWERS:]
    changed["answers"] = answers
    if changed["seats"][seat]["timeouts"] and event["type"] != "chat":
        seats = changed["seats"].copy()
        seats[seat] = cast("Seat", {**seats[seat], "timeouts": 0})
        changed["seats"] = seats


def fold(events: Iterable[Event]) -> State:
    """Return the state after a whole log."""
    state = NO_TABLE
    for event in events:
        state = evolve(state, event)
    return state
