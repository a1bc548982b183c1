"""The options of `rules.md` §4 as one table of data.

Engine, validation, catalogue and docs all read `OPTIONS`; a new house rule is one more row here, its sentences in
`service.texts.option_texts`, and the line of the engine that reads it. Which values make no sense together is data
as well: `service.rules.constraints`. Clock settings (`*_ms`) are not options.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from service.rules import trick_options
from service.rules.cards import RANKS
from service.rules.games import (
    ARMS_LENGTH,
    FINDING_FRIENDS,
    FIXED_GAMES,
    FRIENDS_GAMES,
    PAIR_GAMES,
    SHENGJI_FAMILY,
    SISHIFEN,
    STEP_GAMES,
    TRACTOR,
    ZHAOPENGYOU,
    ZHAOPENGYOU_80,
)
from service.rules.option import Option
from service.rules.option import choice as _choice
from service.rules.option import flag as _flag

_RANK_SCHEMA: Final = {"enum": list(RANKS)}


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_points(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0 and value % 5 == 0)


def _is_rank(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and value in RANKS


def _is_rank_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_rank(rank) for rank in value) and len(set(value)) == len(value)


def _is_hooks(value: object) -> bool:
    """Each rank may send back to a lower one only."""
    return isinstance(value, dict) and all(
        _is_rank(high) and _is_rank(low) and RANKS.index(low) < RANKS.index(high) for high, low in value.items()
    )


def _is_misdeal(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    points = value.get("points_below", 1)
    return (
        set(value) <= {"no_points", "points_below", "no_trumps"}
        and _is_flag(value.get("no_points", False))
        and _is_flag(value.get("no_trumps", False))
        and isinstance(points, int)
        and not isinstance(points, bool)
        and points >= 1
    )


_LISTED: Final = (
    # Cards (§1)
    _choice(
        "joker_policy",
        "000 l.27-36, l.261-263",
        "table all_jokers kitty_six",
        "table",
        applies=frozenset({ZHAOPENGYOU}),
    ),
    # Dealing and trumps (§4.1)
    _choice(
        "direction",
        "000 l.59; 001 §3.7; 002 l.8, l.22; 003 l.44",
        "anticlockwise clockwise",
        "anticlockwise",
        but={ZHAOPENGYOU_80: "clockwise", ARMS_LENGTH: "clockwise"},
        applies=SHENGJI_FAMILY | {ARMS_LENGTH},
    ),
    _choice(
        "deal_pace",
        "rules.md §4.1",
        "timed instant",
        "timed",
        but={ARMS_LENGTH: "instant"},
    ),
    _choice(
        "first_starter",
        "000 l.83; 001 §3.5.3; 003 l.54",
        "draw_high_card cut_and_count",
        "cut_and_count",
        but={ZHAOPENGYOU: "draw_high_card", ZHAOPENGYOU_80: "draw_high_card"},
    ),
    _choice("first_draw", "000 l.84, l.259; 001 §3.6.3, l.472; 003 l.56", "by_result pass_right", "by_result"),
    _choice(
        "declare_rank",
        "000 l.61, l.301; 001 §3.6.1, l.472; 003 l.48; 004 l.20",
        "own_level round_level any_active_level",
        "round_level",
        but={ZHAOPENGYOU: "own_level", ZHAOPENGYOU_80: "own_level"},
    ),
    _choice(
        "declarer_by",
        "000 l.92; 001 §3.5.5, §3.6.1, l.468-472; 003 l.66; 004 l.16-18",
        "trump_maker rotation",
        "rotation",
        but={ZHAOPENGYOU: "trump_maker", ZHAOPENGYOU_80: "trump_maker"},
    ),
    _flag(
        "predetermined_declarer",
        "000 l.322",
        applies=frozenset({ZHAOPENGYOU, ZHAOPENGYOU_80}),
    ),
    _choice("first_declarer", "001 §3.5.5; 004 l.17", "last first", "last", but={TRACTOR: "first"}),
    _choice(
        "joker_declaration",
        "001 §3.5.5, §6.3; 004 l.21-22",
        "none pair",
        "pair",
        but={ZHAOPENGYOU: "none", ZHAOPENGYOU_80: "none", SISHIFEN: "none"},
        applies=PAIR_GAMES,
    ),
    _flag(
        "little_joker_declaration",
        "001 fn 10",
        *PAIR_GAMES,
        applies=PAIR_GAMES,
    ),
    _choice(
        "overcall",
        "000 l.63-68, l.299; 001 §3.5.5, §6.3, §6.5; 003 l.48; 004 l.20-23",
        "none longer longer_or_jokers",
        "longer_or_jokers",
        but={ZHAOPENGYOU: "longer", ZHAOPENGYOU_80: "longer", SISHIFEN: "none"},
        applies=PAIR_GAMES,
    ),
    _choice(
        "overcall_by",
        "001 §3.5.5; 004 l.20",
        "anyone other_team",
        "anyone",
        but={TRACTOR: "other_team"},
        applies=FIXED_GAMES - {SISHIFEN},
    ),
    _flag("self_overcall", "000 l.77; 001 §3.5.5; 003 l.48", ZHAOPENGYOU_80, applies=PAIR_GAMES),
    _flag(
        "reinforce",
        "001 §3.5.5; 003 l.48",
        *(PAIR_GAMES - {ZHAOPENGYOU}),
        applies=PAIR_GAMES,
    ),
    _choice(
        "defence",
        "000 l.63-79; 001 §3.5.5",
        "none immediate",
        "none",
        but={ZHAOPENGYOU: "immediate"},
        applies=PAIR_GAMES,
    ),
    _choice(
        "no_declaration",
        "000 l.88, l.322; 001 §3.5.5; 003 l.60; 004 l.23",
        "redeal flip_kitty random_suit",
        "flip_kitty",
        but={ZHAOPENGYOU: "redeal", ZHAOPENGYOU_80: "redeal", TRACTOR: "random_suit"},
    ),
    Option(
        "misdeal",
        {},
        "003 l.62; 001 §3.5.7",
        but={ZHAOPENGYOU_80: {"no_points": True}},
        schema={
            "type": "object",
            "properties": {
                "no_points": {"type": "boolean"},
                "points_below": {"type": "integer", "minimum": 1},
                "no_trumps": {"type": "boolean"},
            },
            "additionalProperties": False,
        },
        check=_is_misdeal,
    ),
    _choice(
        "misdeal_starter",
        "003 l.62; 001 §3.5.7",
        "same caller",
        "same",
        but={ZHAOPENGYOU_80: "caller"},
    ),
    _flag("chao_di", "001 §6.2", applies=PAIR_GAMES),
    _flag("twos_always_trump", "001 fn 2"),
    # Kitty and friends (§4.2)
    _choice(
        "kitty_factor",
        "000 l.92, l.215; 001 §3.8, fn 3, §6.5; 003 l.66, l.274; 004 l.34-36",
        "fixed by_lead by_lead_2n by_lead_2^n table_248",
        "by_lead",
        but={ZHAOPENGYOU: "fixed", ZHAOPENGYOU_80: "fixed", TRACTOR: "table_248"},
    ),
    _flag("kitty_reveal", "003 l.66, l.274", ZHAOPENGYOU_80),
    _flag("call_other_copy", "000 l.304", applies=FRIENDS_GAMES),
    *trick_options.LEADS,
    *trick_options.FOLLOWING,
    *trick_options.WINNING,
    # Scoring and levels (§4.5)
    _choice(
        "start_level",
        "000 l.57; 001 §3.4; 003 l.46; 004 l.13",
        " ".join(RANKS) + " NT joker",
        "2",
    ),
    Option(
        "points_per_level",
        None,
        "001 §6.1.1",
        applies=STEP_GAMES,
        schema={"type": ["integer", "null"], "minimum": 5, "multipleOf": 5},
        check=_is_points,
    ),
    _flag(
        "short_team_bonus",
        "000 l.225; 001 §6.5",
        ZHAOPENGYOU,
        FINDING_FRIENDS,
        applies=FRIENDS_GAMES,
    ),
    _flag("auto_level", "001 §6.5", applies=frozenset({FINDING_FRIENDS})),
    Option(
        "must_play",
        [],
        "001 §6.1.2",
        schema={"type": "array", "items": _RANK_SCHEMA, "uniqueItems": True},
        check=_is_rank_list,
    ),
    _flag("must_play_attempt_enough", "001 §6.1.2"),
    Option(
        "hooks",
        {},
        "001 §6.1.3, §6.1.4, fn 8",
        schema={"type": "object", "propertyNames": _RANK_SCHEMA, "additionalProperties": _RANK_SCHEMA},
        check=_is_hooks,
    ),
    _flag("laps", "000 l.324", applies=SHENGJI_FAMILY - {TRACTOR}),
    _flag("short_laps", "000 l.326", applies=SHENGJI_FAMILY - {TRACTOR}),
    _flag("active_passive", "000 l.265-295", applies=frozenset({ZHAOPENGYOU, ZHAOPENGYOU_80})),
)

#: name -> option, in the order of rules.md §4.
OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({option.name: option for option in _LISTED})
