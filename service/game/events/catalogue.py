"""All types of events, in the order of the API's document."""

from types import ModuleType
from typing import Final

from service.game.events import (
    deal_events,
    decision_events,
    kitty_events,
    partner_events,
    pause_events,
    play_events,
    table_events,
    take_back_events,
)
from service.game.events.rows import DECLARED, Flag, Row

_OF_ROUND: Final = (deal_events, kitty_events, partner_events, play_events)
_MODULES: Final = (table_events, pause_events, take_back_events, decision_events, *_OF_ROUND)


def _rows_of(*modules: ModuleType) -> dict[str, Row]:
    """Return the rows of some modules, in their order."""
    return {
        name: row for module in modules for name, row in DECLARED.items() if row.evolve.__module__ == module.__name__
    }


#: Type -> row.
ROWS: Final = _rows_of(*_MODULES)
#: Types of the events of a game and its rounds.
OF_ROUND: Final = frozenset(_rows_of(take_back_events, *_OF_ROUND))


def with_flag(flag: Flag) -> frozenset[str]:
    """Return the types of events that have a flag."""
    return frozenset(name for name, row in ROWS.items() if flag in row.flags)
