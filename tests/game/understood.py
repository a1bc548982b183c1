"""What the data of events may hold, by type of event, as the parts that `service.game.events.needs` names."""

from collections.abc import Iterator
from inspect import signature
from typing import Any, Literal, NotRequired, Required, get_args, get_origin, get_type_hints, is_typeddict

from service.game.events.catalogue import ROWS
from service.game.events.types import Event, Origin
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS
from service.rules.options.table import OPTIONS

#: Where an event holds the options of a table.
_OPTIONS = (("table_created", "options"), ("settings_changed", "changes.options"))


def held_by_events() -> dict[str, list[str]]:
    """Return type of event -> parts of its data, in order; `*` has the fields of every event."""
    held = {"*": {*get_type_hints(Event), *get_type_hints(Origin)}}
    for event, row in ROWS.items():
        hints = get_type_hints(row.evolve)
        data = next(hints[name] for name in signature(row.evolve).parameters if _is_data(hints[name]))
        held[event] = {"", *_parts(data, "")}
    held["table_created"] |= {f"ruleset={ruleset}" for ruleset in RULESETS}
    for event, path in _OPTIONS:
        for option in OPTIONS.values():
            held[event] |= {f"{path}.{option.name}", *(f"{path}.{option.name}={value}" for value in option.values)}
    return {event: sorted(parts) for event, parts in sorted(held.items())}


def _is_data(hint: Any) -> bool:
    return is_typeddict(hint) and hint not in (State, Event)


def _parts(hint: Any, path: str) -> Iterator[str]:
    while get_origin(hint) in (NotRequired, Required):
        hint = get_args(hint)[0]
    if is_typeddict(hint):
        for name, its in get_type_hints(hint).items():
            yield f"{path}.{name}".removeprefix(".")
            yield from _parts(its, f"{path}.{name}".removeprefix("."))
    elif get_origin(hint) is Literal:
        yield from (f"{path}={value}" for value in get_args(hint))
    elif get_origin(hint) is not None and get_origin(hint) not in (list, dict, tuple):
        for member in get_args(hint):
            yield from _parts(member, path)
