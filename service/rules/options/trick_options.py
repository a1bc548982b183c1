"""The options of tricks: leads, throws, following, winning (`docs/rules.md` §6 to §8)."""

from typing import Final

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
from service.rules.option import Option, choice, flag, number

#: Most decks in a question to the oracle, and so the widest tuple. A rainbow has at most four times as many cards.
_MOST_DECKS: Final = 24
_MOST_LENGTH: Final = 12

LEADS: Final[tuple[Option, ...]] = (
    choice(
        "trump_tractors",
        "Pagat, Variations; Zhang §4.1; 80, Leading a Sequence of Sets; Botzone",
        "suit_only full suit_and_jokers",
        "full",
        but={ZHAOPENGYOU: "suit_only", SISHIFEN: "suit_only"},
        applies=PAIR_GAMES,
    ),
    choice(
        "equal_rank_tractors",
        "Zhang §4.1, fn 5; 80, Leading a Sequence of Sets",
        "apart adjacent no_gap",
        "apart",
        but={ZHAOPENGYOU_80: "adjacent"},
        applies=PAIR_GAMES,
    ),
    number("tractor_min_width", "rbtying/shengji", 2, _MOST_DECKS, 2, applies=PAIR_GAMES),
    number("tractor_min_length", "rbtying/shengji", 2, _MOST_LENGTH, 2, applies=PAIR_GAMES),
    number("rainbow", "rbtying/shengji", 4, 4 * _MOST_DECKS, "none"),
    choice("throws", "ejfn; jding92", "any side_suits none", "any"),
    flag("proven_throws", "ejfn"),
    choice(
        "throw_test",
        "Pagat, Leading a Group of Top Cards; Zhang §4.2; 80, Leading a Group of Top Cards; sunbin1998can",
        "units cards units_or_ruff",
        "units",
        but={ZHAOPENGYOU_80: "cards"},
    ),
    choice(
        "throw_failure",
        "Pagat, Leading a Group of Top Cards, Variations; Zhang §3.7.5; 80, Leading a Group of Top Cards; "
        "ChannonTian/80fen; sunbin1998can; rbtying/shengji",
        "beaten_unit lowest_card end_round penalty_levels lowest_top_unit smallest_unit first_seat",
        "beaten_unit",
        but={ZHAOPENGYOU_80: "lowest_card"},
    ),
    choice(
        "throw_forfeit",
        "Pagat, Variations",
        "one_level unplayed_to_others lost_round_one_level",
        "one_level",
    ),
    choice(
        "throw_penalty",
        "Pagat, Leading a Group of Top Cards; Zhang §3.7.5",
        "none flat per_unit per_card per_withdrawn",
        "none",
        but={ZHAOPENGYOU: "per_withdrawn"},
    ),
    flag("throw_penalty_levels", "Pagat, Variations (Heli)"),
    flag("throw_same_count", "Pagat, Variations"),
)

FOLLOWING: Final[tuple[Option, ...]] = (
    choice("follow_structure", "rbtying/shengji", "units suit_only", "units", applies=PAIR_GAMES),
    flag(
        "follow_tractors",
        "Pagat, Leading a Sequence of Sets, Variations; Zhang §4.3; 80, Leading a Sequence of Sets",
        FINDING_FRIENDS,
        SHENGJI,
        SHENGJI_SIX,
        TRACTOR,
        applies=PAIR_GAMES,
    ),
    choice(
        "follow_smaller",
        "Pagat, Variations; Zhang §4.3, §6.5; 80, Leading a Set of Identical Cards",
        "never single_set always",
        "always",
        but={ZHAOPENGYOU: "never", ZHAOPENGYOU_80: "single_set", SISHIFEN: "never"},
        applies=PAIR_GAMES,
    ),
    flag(
        "protect_larger",
        "Zhang fn 11; 80, Leading a Set of Identical Cards, Leading a Sequence of Sets",
        ZHAOPENGYOU_80,
        applies=PAIR_GAMES,
    ),
    Option(
        "shorter_tractors",
        True,
        "ChannonTian/80fen",
        (True, False),
        applies=PAIR_GAMES,
    ),
    flag("tuple_draws_tractors", "rbtying/shengji", applies=PAIR_GAMES),
    choice(
        "throw_structure", "abadcafe; jerryyyu; sunbin1998can", "units added_up tuples", "units", applies=PAIR_GAMES
    ),
    flag("protect_by_rungs", "rbtying/shengji", applies=PAIR_GAMES),
    choice("ruff_must_match", "sunbin1998can", "never tuples all", "never", applies=PAIR_GAMES),
)

WINNING: Final[tuple[Option, ...]] = (
    choice(
        "trump_throw_compare",
        "Zhang §4.4, fn 7; rbtying/shengji; ChannonTian/80fen",
        "largest_unit all_units highest_card longest_first",
        "largest_unit",
    ),
    flag("throw_answer_exact", "ChannonTian/80fen; jding92", applies=PAIR_GAMES),
    flag("quad_beats_tractor", "Pagat, Variations", applies=PAIR_GAMES),
    choice("bombs", "rbtying/shengji", "none any_time follow_suit", "none", applies=PAIR_GAMES),
)
