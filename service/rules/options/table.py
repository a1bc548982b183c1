"""The options of a table, by phase of the game.

Engine, validation, catalogue and docs all read `OPTIONS`. A new house rule is one more row in `round_options` or
`trick_options`, its sentences in `service.texts`, and the line of the engine that reads it. Which values make no sense
together is data as well: `constraints`. Clock settings (`*_ms`) are not options.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from service.rules.option import Option
from service.rules.options import round_options, trick_options

#: Phase -> its options, in the order in which a game meets them.
PHASES: Final[Mapping[str, tuple[Option, ...]]] = MappingProxyType(
    {
        "cards": round_options.CARDS,
        "deal": round_options.DEAL,
        "declaring": round_options.DECLARING,
        "kitty": round_options.KITTY,
        "friends": round_options.FRIENDS,
        "leads": trick_options.LEADS,
        "following": trick_options.FOLLOWING,
        "winning": trick_options.WINNING,
        "scoring": round_options.SCORING,
        "levels": round_options.LEVELS,
    }
)

#: name -> option, phase by phase.
OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({row.name: row for rows in PHASES.values() for row in rows})
