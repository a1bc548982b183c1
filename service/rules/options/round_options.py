"""All options but those of tricks: cards, deal, declaring, kitty, friends, scores and levels."""

from collections.abc import Callable
from typing import Final

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
from service.rules.option import Option, choice, flag, number

#: Source of options that players ask for but no published rules mention.
PLAYERS: Final = "players' reports"
#: Source of options that are in the published rules of contests.
CONTESTS: Final = "contests"
_RANK_SCHEMA: Final = {"enum": list(RANKS)}
#: Upper limits: cards of a kitty, players of a table, decks per player.
_MOST_KITTY: Final = 60
_MOST_PLAYERS: Final = 16
MOST_DECKS_PER_PLAYER: Final = 2


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1


def _is_step(value: object) -> bool:
    return value is None or (type(value) is int and value > 0 and value % 5 == 0)


def _is_rank(value: object) -> bool:
    return isinstance(value, str) and len(value) == 1 and value in RANKS


def _is_rank_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_rank, value)) and len(set(value)) == len(value)


def _is_ladder(value: object) -> bool:
    """Return whether a value is an empty list, or two or more ranks in ascending order."""
    if not _is_rank_list(value) or not isinstance(value, list):
        return False
    return not value or (len(value) > 1 and value == sorted(value, key=RANKS.index))


def _is_hooks(value: object) -> bool:
    """Return whether a value maps ranks to lower ranks."""
    return isinstance(value, dict) and all(
        _is_rank(high) and _is_rank(low) and RANKS.index(low) < RANKS.index(high) for high, low in value.items()
    )


#: Field of an object -> function that returns whether a value is allowed.
_Fields = dict[str, Callable[[object], bool]]

_DECK: Final[_Fields] = {"from": _is_rank, "little_joker": _is_flag, "big_joker": _is_flag}
_MISDEAL: Final[_Fields] = {
    "no_points": _is_flag,
    "points_below": _is_count,
    "no_trumps": _is_flag,
    "trumps_below": _is_count,
    "most": lambda value: value == 0 or _is_count(value),
}


def _is_object(value: object, fields: _Fields) -> bool:
    return isinstance(value, dict) and all(name in fields and fields[name](each) for name, each in value.items())


def _is_deck_list(value: object) -> bool:
    return isinstance(value, list) and all(_is_object(each, _DECK) for each in value)


_FLAG_SCHEMA: Final = {"type": "boolean"}
_COUNT_SCHEMA: Final = {"type": "integer", "minimum": 1}


def _object_schema(**fields: object) -> dict[str, object]:
    return {"type": "object", "properties": fields, "additionalProperties": False}


CARDS: Final[tuple[Option, ...]] = (
    choice(
        "joker_policy",
        "Pagat, The Players and Cards; Variations",
        "table all_jokers kitty_six",
        "table",
        applies=frozenset({ZHAOPENGYOU}),
    ),
    number("decks", "rbtying/shengji; jding92", 1, MOST_DECKS_PER_PLAYER * _MOST_PLAYERS, None, applies=PAIR_GAMES),
    Option(
        "special_decks",
        [],
        "rbtying/shengji",
        schema={
            "type": "array",
            "items": _object_schema(**{"from": _RANK_SCHEMA, "little_joker": _FLAG_SCHEMA, "big_joker": _FLAG_SCHEMA}),
        },
        check=_is_deck_list,
    ),
    number("kitty_size", "rbtying/shengji; ChannonTian/80fen", 0, _MOST_KITTY, None),
)

DEAL: Final[tuple[Option, ...]] = (
    choice(
        "direction",
        "Pagat, Making Trumps; Zhang §3.7; Parlett; 80, The Deal",
        "anticlockwise clockwise",
        "anticlockwise",
        but={ZHAOPENGYOU_80: "clockwise", ARMS_LENGTH: "clockwise"},
        applies=SHENGJI_FAMILY | {ARMS_LENGTH},
    ),
    choice("deal_pace", "this service", "timed instant", "timed", but={ARMS_LENGTH: "instant"}),
    choice(
        "first_starter",
        "Pagat, Making Trumps; Zhang §3.5.3; 80, The Deal",
        "draw_high_card cut_and_count",
        "cut_and_count",
        but={ZHAOPENGYOU: "draw_high_card", ZHAOPENGYOU_80: "draw_high_card"},
    ),
    choice(
        "first_draw",
        "Pagat, Making Trumps, Variations; Zhang §3.6.3, §6.5; 80, The Deal",
        "by_result pass_right",
        "by_result",
    ),
    Option(
        "misdeal",
        {},
        "80, The Deal; Zhang §3.5.7; ChannonTian/80fen; sunbin1998can",
        but={ZHAOPENGYOU_80: {"no_points": True}},
        schema=_object_schema(
            no_points=_FLAG_SCHEMA,
            points_below=_COUNT_SCHEMA,
            no_trumps=_FLAG_SCHEMA,
            trumps_below=_COUNT_SCHEMA,
            most={"type": "integer", "minimum": 0},
        ),
        check=lambda value: _is_object(value, _MISDEAL),
    ),
    choice("misdeal_starter", "80, The Deal; Zhang §3.5.7", "same caller", "same", but={ZHAOPENGYOU_80: "caller"}),
)

DECLARING: Final[tuple[Option, ...]] = (
    choice(
        "declare_rank",
        "Pagat, Making Trumps, Variations; Zhang §3.6.1, §6.5; 80, The Deal; No-trump",
        "own_level round_level any_active_level",
        "round_level",
        but={ZHAOPENGYOU: "own_level", ZHAOPENGYOU_80: "own_level"},
    ),
    choice(
        "declarer_by",
        "Pagat, Discarding; Zhang §3.5.5, §3.6.1, §6.5; 80, Discarding; No-trump",
        "trump_maker rotation",
        "rotation",
        but={ZHAOPENGYOU: "trump_maker", ZHAOPENGYOU_80: "trump_maker"},
    ),
    flag("predetermined_declarer", "Pagat, Variations (Heli)", applies=frozenset({ZHAOPENGYOU, ZHAOPENGYOU_80})),
    choice("first_declarer", "Zhang §3.5.5; No-trump", "last first", "last", but={TRACTOR: "first"}),
    choice("next_declarer", f"Zhang §3.6.3; {PLAYERS}", "by_result next_seat", "by_result"),
    choice(
        "joker_declaration",
        "Zhang §3.5.5, §6.3; No-trump; sunbin1998can; rbtying/shengji",
        "none pair single all_decks all_but_one_big",
        "pair",
        but={ZHAOPENGYOU: "none", ZHAOPENGYOU_80: "none", SISHIFEN: "none"},
        applies=PAIR_GAMES,
    ),
    flag("little_joker_declaration", "Zhang fn 10", *PAIR_GAMES, applies=PAIR_GAMES),
    choice("joker_beside", f"qian-loong; LeoDreamer2004; {CONTESTS}", "none matching any", "none", since="0.4"),
    flag("jokers_open", f"LeoDreamer2004; {CONTESTS}", *SHENGJI_FAMILY, applies=PAIR_GAMES, since="0.4"),
    choice(
        "overcall",
        "Pagat, Making Trumps, Variations; Zhang §3.5.5, §6.5; 80, The Deal; No-trump; rbtying/shengji; sunbin1998can",
        "none longer longer_or_jokers longer_or_suit jokers_first",
        "longer_or_jokers",
        but={ZHAOPENGYOU: "longer", ZHAOPENGYOU_80: "longer", SISHIFEN: "none"},
        applies=PAIR_GAMES,
    ),
    choice("overcall_rank", PLAYERS, "own first", "own", applies=PAIR_GAMES, since="0.4"),
    choice(
        "overcall_by",
        "Zhang §3.5.5; No-trump",
        "anyone other_team",
        "anyone",
        but={TRACTOR: "other_team"},
        applies=FIXED_GAMES - {SISHIFEN},
    ),
    choice(
        "suit_order",
        f"Zhang §6.2; rbtying/shengji; {CONTESTS}",
        "clubs_over_diamonds diamonds_over_clubs",
        "clubs_over_diamonds",
        applies=PAIR_GAMES,
        since="0.4",
    ),
    flag("self_overcall", "Pagat, Making Trumps; Zhang §3.5.5; 80, The Deal", ZHAOPENGYOU_80, applies=PAIR_GAMES),
    flag("reinforce", "Zhang §3.5.5; 80, The Deal", *(PAIR_GAMES - {ZHAOPENGYOU}), applies=PAIR_GAMES),
    choice(
        "defence",
        "Pagat, Making Trumps; Zhang §3.5.5; rbtying/shengji",
        "none immediate any_time",
        "none",
        but={ZHAOPENGYOU: "immediate"},
        applies=PAIR_GAMES,
    ),
    choice(
        "no_declaration",
        "Pagat, Making Trumps, Variations; Zhang §3.5.5, §3.5.7; 80, The Deal; No-trump; rbtying/shengji; "
        f"ChannonTian/80fen; {PLAYERS}",
        "redeal redeal_open flip_kitty random_suit first_kitty_card fourth_kitty_card flip_kitty_or_joker no_trump",
        "flip_kitty",
        but={ZHAOPENGYOU: "redeal", ZHAOPENGYOU_80: "redeal", TRACTOR: "random_suit"},
        later={"fourth_kitty_card": "0.4"},
    ),
    choice("turned_joker", CONTESTS, "no_suit names_suit", "no_suit", since="0.4"),
    flag("twos_always_trump", "Zhang fn 2"),
    flag("red_fives", "JimYuhaoWu"),
)

KITTY: Final[tuple[Option, ...]] = (
    flag("chao_di", "Zhang §6.2", applies=PAIR_GAMES),
    choice(
        "chao_di_rule",
        "Zhang §6.2; rbtying/shengji; abadcafe; qian-loong",
        "pairs_by_suit overcall",
        "pairs_by_suit",
        applies=PAIR_GAMES,
    ),
    choice(
        "kitty_factor",
        "Pagat, The Scoring; Zhang §3.8, §6.5, fn 3; 80, The Scoring; No-trump; ChannonTian/80fen; jerryyyu",
        "fixed by_lead by_lead_2n by_lead_power table_248 by_play_2n",
        "by_lead",
        but={ZHAOPENGYOU: "fixed", ZHAOPENGYOU_80: "fixed", TRACTOR: "table_248"},
    ),
    choice("kitty_unit_of", "Zhang §3.8; abadcafe", "lead winning_play", "lead"),
    choice("kitty_side_suit", "abadcafe", "full half", "full"),
    flag("kitty_reveal", "80, Discarding, The Scoring", ZHAOPENGYOU_80),
    flag("kitty_shown", PLAYERS),
)

FRIENDS: Final[tuple[Option, ...]] = (
    choice("friend_by", PLAYERS, "call shown_card", "call", applies=FRIENDS_GAMES, since="0.4"),
    number("friend_calls", "rbtying/shengji", 0, _MOST_PLAYERS - 2, None, applies=FRIENDS_GAMES),
    choice(
        "call_cards",
        "Pagat, Discarding; Zhang §6.5; rbtying/shengji",
        "no_trumps any no_highest no_points",
        "no_trumps",
        applies=FRIENDS_GAMES,
    ),
    flag("call_other_copy", "Pagat, Variations", applies=FRIENDS_GAMES),
    flag("double_join", "Pagat, Discarding; Zhang §6.5; rbtying/shengji", *SHENGJI_FAMILY, applies=FRIENDS_GAMES),
)

SCORING: Final[tuple[Option, ...]] = (
    Option(
        "points_per_level",
        None,
        "Zhang §6.1.1; Pagat, Variations",
        applies=STEP_GAMES | {ZHAOPENGYOU},
        schema={"anyOf": [{"const": None}, {"type": "integer", "minimum": 5, "multipleOf": 5}]},
        check=_is_step,
    ),
    number("steps_to_win", "rbtying/shengji", 1, 10, None, applies=STEP_GAMES),
    number("dead_zone", "rbtying/shengji", 0, 10, 1, applies=STEP_GAMES),
    flag("shut_out_level", "Zhang §3.8; rbtying/shengji", *SHENGJI_FAMILY, applies=STEP_GAMES),
    flag("negative_points", "rbtying/shengji; jding92"),
    number("levels_cap", "jding92; sunbin1998can", 1, 20, "none"),
    flag("short_team_bonus", "Pagat, The Scoring; Zhang §6.5", ZHAOPENGYOU, FINDING_FRIENDS, applies=FRIENDS_GAMES),
    choice(
        "short_team_gain",
        "Pagat, The Scoring; Zhang §6.5; rbtying/shengji",
        "multiplied one_level",
        "multiplied",
        applies=FRIENDS_GAMES,
    ),
    flag("auto_level", "Zhang §6.5; Pagat, Variations", applies=frozenset({FINDING_FRIENDS, ZHAOPENGYOU})),
    flag("active_passive", "Pagat, Variations", applies=FRIENDS_GAMES),
    flag("last_trick_to_gain", PLAYERS),
)

LEVELS: Final[tuple[Option, ...]] = (
    choice(
        "start_level", "Pagat, Making Trumps; Zhang §3.4; 80, The Deal; No-trump", f"{' '.join(RANKS)} NT joker", "2"
    ),
    Option(
        "level_ladder",
        [],
        f"ChannonTian/80fen; JimYuhaoWu; {PLAYERS}",
        schema={"type": "array", "items": _RANK_SCHEMA, "uniqueItems": True},
        check=_is_ladder,
    ),
    choice("last_level", "Zhang §3.9; No-trump; rbtying/shengji", "A NT", "A", but={TRACTOR: "NT"}),
    choice(
        "last_level_by",
        "Pagat, Making Trumps; Zhang §3.9; 80, The Scoring; rbtying/shengji; ChannonTian/80fen",
        "declarers_there anyone",
        "declarers_there",
        but={ZHAOPENGYOU: "anyone", ZHAOPENGYOU_80: "anyone"},
    ),
    flag("last_level_played", "rbtying/shengji", applies=FRIENDS_GAMES),
    choice("after_last", "rbtying/shengji; Weipp7", "end wrap", "end"),
    flag("one_level_per_round", "ChannonTian/80fen"),
    Option(
        "must_play",
        [],
        "Zhang §6.1.2",
        schema={"type": "array", "items": _RANK_SCHEMA, "uniqueItems": True},
        check=_is_rank_list,
    ),
    flag("must_play_attempt_enough", "Zhang §6.1.2"),
    Option(
        "hooks",
        {},
        "Zhang §6.1.3, §6.1.4, fn 8",
        schema={"type": "object", "propertyNames": _RANK_SCHEMA, "additionalProperties": _RANK_SCHEMA},
        check=_is_hooks,
    ),
    choice("hook_rule", "Zhang §6.1.3; rbtying/shengji", "trump_card lone_card", "trump_card"),
    flag("take_back_level", CONTESTS, applies=FIXED_GAMES, since="0.4"),
    choice("hook_fall", PLAYERS, "to_level by_cards", "to_level", since="0.4"),
    flag("laps", "Pagat, Variations (Heli)", applies=SHENGJI_FAMILY - {TRACTOR}),
    flag("short_laps", "Pagat, Variations (Heli)", applies=SHENGJI_FAMILY - {TRACTOR}),
)
