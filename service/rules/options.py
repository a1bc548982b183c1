"""The options of a table, by phase of the game.

Engine, validation, catalogue and docs all read `OPTIONS`; a new house rule is one more row here or in
`service.rules.round_options`, its sentences in `service.texts.option_texts`, and the line of the engine that reads it.
Which values make no sense together is data as well: `service.rules.constraints`. Clock settings (`*_ms`) are not
options.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from service.rules import round_options
from service.rules.games import (
    FINDING_FRIENDS,
    PAIR_GAMES,
    SHENGJI,
    SHENGJI_SIX,
    SISHIFEN,
    TRACTOR,
    ZHAOPENGYOU,
    ZHAOPENGYOU_80,
)
from service.rules.option import Option
from service.rules.option import choice as _choice
from service.rules.option import flag as _flag

_LEADS: Final = (
    _choice(
        "trump_tractors",
        "000 l.307-311; 001 §4.1; 003 l.185-191",
        "suit_only full",
        "full",
        but={ZHAOPENGYOU: "suit_only", SISHIFEN: "suit_only"},
        applies=PAIR_GAMES,
    ),
    _choice(
        "equal_rank_tractors",
        "001 §4.1, fn 5; 003 l.190",
        "apart adjacent no_gap",
        "apart",
        but={ZHAOPENGYOU_80: "adjacent"},
        applies=PAIR_GAMES,
    ),
    _choice("throw_test", "000 l.203-209; 001 §4.2; 003 l.253", "units cards", "units", but={ZHAOPENGYOU_80: "cards"}),
    _choice(
        "throw_failure",
        "000 l.207, l.317, l.328-331; 001 §3.7.5; 003 l.253",
        "beaten_unit lowest_card end_round penalty_levels",
        "beaten_unit",
        but={ZHAOPENGYOU_80: "lowest_card"},
    ),
    _choice(
        "throw_forfeit",
        "000 l.317, l.330",
        "one_level unplayed_to_others lost_round_one_level",
        "one_level",
    ),
    _choice(
        "throw_penalty",
        "000 l.207; 001 §3.7.5",
        "none flat per_unit per_card per_withdrawn",
        "none",
        but={ZHAOPENGYOU: "per_withdrawn"},
    ),
    _flag("throw_penalty_levels", "Pagat, Variations (Heli)"),
    _flag("throw_same_count", "000 l.319"),
)

_FOLLOWING: Final = (
    _flag(
        "follow_tractors",
        "000 l.185, l.315; 001 §4.3; 003 l.209",
        FINDING_FRIENDS,
        SHENGJI,
        SHENGJI_SIX,
        TRACTOR,
        applies=PAIR_GAMES,
    ),
    _flag(
        "follow_smaller",
        "000 l.315; 001 §4.3, §6.5; 003 l.209",
        *(PAIR_GAMES - {ZHAOPENGYOU}),
        applies=PAIR_GAMES,
    ),
    _flag("protect_larger", "001 fn 11; 003 l.209", ZHAOPENGYOU_80, applies=PAIR_GAMES),
)

_WINNING: Final = (
    _choice("trump_throw_compare", "001 §4.4, fn 7", "largest_unit all_units", "largest_unit"),
    _flag("quad_beats_tractor", "000 l.313", applies=PAIR_GAMES),
)

#: Phase -> its options, in the order in which a game meets them.
PHASES: Final[Mapping[str, tuple[Option, ...]]] = MappingProxyType(
    {
        "cards": round_options.CARDS,
        "deal": round_options.DEAL,
        "declaring": round_options.DECLARING,
        "kitty": round_options.KITTY,
        "friends": round_options.FRIENDS,
        "leads": _LEADS,
        "following": _FOLLOWING,
        "winning": _WINNING,
        "scoring": round_options.SCORING,
        "levels": round_options.LEVELS,
    }
)

#: name -> option, phase by phase.
OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({row.name: row for rows in PHASES.values() for row in rows})
