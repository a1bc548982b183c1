"""The options of a table, by phase of the game.

Rules, validation, catalogue and docs all read `OPTIONS`. To add a house rule, add a row to `round_options` or
`trick_options`, its texts to `service.texts`, and the code that reads it. Values that make no sense together are listed
in `constraints`. Clock settings (`*_ms`) are not options.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from service.rules.option import Option
from service.rules.options import round_options, trick_options

#: Phase -> its options, in the order of a game.
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

#: Name -> option, phase by phase.
OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({row.name: row for rows in PHASES.values() for row in rows})
