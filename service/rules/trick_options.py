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

#: Most decks of a question: a tuple cannot be wider, a rainbow not larger than four times as much.
_MOST_DECKS: Final = 24
_MOST_LENGTH: Final = 12

LEADS: Final = (
    choice(
        "trump_tractors",
        "000 l.307-311; 001 §4.1; 003 l.185-191; B",
        "suit_only full suit_and_jokers",
        "full",
        but={ZHAOPENGYOU: "suit_only", SISHIFEN: "suit_only"},
        applies=PAIR_GAMES,
    ),
    choice(
        "equal_rank_tractors",
        "001 §4.1, fn 5; 003 l.190",
        "no yes no_gap",
        "no",
        but={ZHAOPENGYOU_80: "yes"},
        applies=PAIR_GAMES,
    ),
    number("tractor_min_width", "R", 2, _MOST_DECKS, 2, applies=PAIR_GAMES),
    number("tractor_min_length", "R", 2, _MOST_LENGTH, 2, applies=PAIR_GAMES),
    number("rainbow", "R", 4, 4 * _MOST_DECKS, None),
    choice("throws", "E; J", "any side_suits none", "any"),
    flag("proven_throws", "E"),
    choice(
        "throw_test",
        "000 l.203-209; 001 §4.2; 003 l.253; S",
        "units cards units_or_ruff",
        "units",
        but={ZHAOPENGYOU_80: "cards"},
    ),
    choice(
        "throw_failure",
        "000 l.207, l.317, l.328-331; 001 §3.7.5; 003 l.253; 80; S; R",
        "beaten_unit lowest_card end_round penalty_levels lowest_top_unit smallest_unit first_seat",
        "beaten_unit",
        but={ZHAOPENGYOU_80: "lowest_card"},
    ),
    choice(
        "end_round",
        "000 l.317, l.330",
        "one_level unplayed_to_others lost_round_one_level",
        "one_level",
    ),
    choice(
        "throw_penalty",
        "000 l.207; 001 §3.7.5",
        "none flat per_unit per_card per_withdrawn",
        "none",
        but={ZHAOPENGYOU: "per_withdrawn"},
    ),
    flag("throw_same_count", "000 l.319"),
)

FOLLOWING: Final = (
    choice("follow_structure", "R", "units suit_only", "units", applies=PAIR_GAMES),
    flag(
        "follow_tractors",
        "000 l.185, l.315; 001 §4.3; 003 l.209",
        FINDING_FRIENDS,
        SHENGJI,
        SHENGJI_SIX,
        TRACTOR,
        applies=PAIR_GAMES,
    ),
    choice(
        "follow_smaller",
        "000 l.315; 001 §4.3, §6.5; 003 l.133",
        "never single_set always",
        "always",
        but={ZHAOPENGYOU: "never", ZHAOPENGYOU_80: "single_set", SISHIFEN: "never"},
        applies=PAIR_GAMES,
    ),
    flag("protect_larger", "001 fn 11; 003 l.133, l.209", ZHAOPENGYOU_80, applies=PAIR_GAMES),
    Option(
        "shorter_tractors",
        True,
        "80",
        (True, False),
        applies=PAIR_GAMES,
    ),
    flag("tuple_draws_tractors", "R", applies=PAIR_GAMES),
    choice("throw_structure", "A; Y; S", "units added_up tuples", "units", applies=PAIR_GAMES),
    flag("protect_by_rungs", "R", applies=PAIR_GAMES),
    choice("ruff_must_match", "S", "no tuples all", "no", applies=PAIR_GAMES),
)

WINNING: Final = (
    choice(
        "trump_throw_compare",
        "001 §4.4, fn 7; R; 80",
        "largest_unit all_units highest_card longest_first",
        "largest_unit",
    ),
    flag("throw_answer_exact", "80; J", applies=PAIR_GAMES),
    flag("quad_beats_tractor", "000 l.313", applies=PAIR_GAMES),
    choice("bombs", "R", "none any_time follow_suit", "none", applies=PAIR_GAMES),
)
