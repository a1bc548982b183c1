"""Vectors that test a value of an option: those of a kind that reads the option, with that value."""

import json
from collections import defaultdict
from functools import cache

from service.rules.options.rulesets import effective_options
from service.rules.options.table import OPTIONS
from tests.rules.vectors import cases

_DECLARING = ("declare",)
_LEVELS = ("levels", "order", "round")

#: Option -> kinds of vectors whose answer depends on it, or would if the option affected the rules.
READ_BY: dict[str, tuple[str, ...]] = {
    "joker_policy": ("setup",),
    "direction": ("next",),
    "decks": ("setup",),
    "special_decks": ("setup",),
    "kitty_size": ("setup",),
    "deal_pace": _DECLARING,
    "first_starter": ("cut",),
    "first_draw": ("next",),
    "declare_rank": _DECLARING,
    "declarer_by": ("next", "declare"),
    "predetermined_declarer": ("next", "flip_kitty"),
    "first_declarer": _DECLARING,
    "next_declarer": ("next",),
    "joker_declaration": _DECLARING,
    "little_joker_declaration": _DECLARING,
    "joker_beside": ("declare", "chao_di"),
    "jokers_open": _DECLARING,
    "overcall": _DECLARING,
    "overcall_rank": _DECLARING,
    "overcall_by": _DECLARING,
    "suit_order": ("chao_di", "chao_order", "declare"),
    "self_overcall": _DECLARING,
    "reinforce": _DECLARING,
    "defence": _DECLARING,
    "no_declaration": ("declare", "flip_kitty"),
    "turned_joker": ("flip_kitty",),
    "misdeal": ("misdeal",),
    "misdeal_starter": ("misdeal",),
    "chao_di": ("chao_di", "chao_order"),
    "chao_di_rule": ("chao_di", "declare"),
    "twos_always_trump": ("order",),
    "red_fives": ("order", "adjacent", "trick", "lead"),
    "kitty_factor": ("kitty",),
    "kitty_unit_of": ("kitty",),
    "kitty_side_suit": ("kitty",),
    "kitty_reveal": ("kitty",),
    "kitty_shown": ("kitty",),
    "friend_by": ("friends",),
    "friend_calls": ("setup",),
    "call_cards": ("call",),
    "double_join": ("friends",),
    "call_other_copy": ("call", "friends"),
    "trump_tractors": ("lead", "adjacent", "trick"),
    "equal_rank_tractors": ("lead", "adjacent"),
    "tractor_min_width": ("lead",),
    "tractor_min_length": ("lead",),
    "rainbow": ("lead", "follow", "throw", "trick"),
    "throws": ("lead",),
    "proven_throws": ("lead",),
    "throw_test": ("throw",),
    "throw_failure": ("throw", "levels"),
    "throw_forfeit": ("throw",),
    "throw_penalty_levels": ("levels",),
    "throw_penalty": ("throw", "total"),
    "throw_same_count": ("lead",),
    "follow_structure": ("follow",),
    "follow_tractors": ("follow",),
    "follow_smaller": ("follow",),
    "protect_larger": ("follow",),
    "shorter_tractors": ("follow",),
    "tuple_draws_tractors": ("follow",),
    "throw_structure": ("follow",),
    "protect_by_rungs": ("follow",),
    "ruff_must_match": ("follow",),
    "trump_throw_compare": ("trick",),
    "throw_answer_exact": ("trick",),
    "quad_beats_tractor": ("trick",),
    "bombs": ("follow", "trick"),
    "start_level": ("declare",),
    "points_per_level": ("score",),
    "steps_to_win": ("score",),
    "dead_zone": ("score",),
    "shut_out_level": ("score",),
    "negative_points": ("score",),
    "levels_cap": ("score",),
    "short_team_bonus": ("score",),
    "short_team_gain": ("score",),
    "auto_level": ("score",),
    "last_trick_to_gain": ("score",),
    "level_ladder": ("levels",),
    "last_level": ("levels",),
    "last_level_by": ("levels",),
    "last_level_played": ("levels",),
    "after_last": ("levels",),
    "one_level_per_round": ("levels",),
    "must_play": ("levels",),
    "must_play_attempt_enough": ("levels",),
    "hooks": ("hook", "levels"),
    "hook_rule": ("hook", "levels"),
    "take_back_level": ("levels",),
    "hook_fall": ("hook", "levels"),
    "laps": _LEVELS,
    "short_laps": _LEVELS,
    "active_passive": ("active_passive", "score", "next", "declare"),
}


@cache
def pins() -> dict[str, dict[str, list[str]]]:
    """Return option -> value as JSON -> ids of vectors; those that set the option explicitly come first."""
    pinned: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in OPTIONS}
    for set_by_case in (True, False):
        for case in cases():
            options = effective_options(case["ruleset"], case["players"], case["options"], case["decks"])
            for name, value in options.items():
                if case["kind"] in READ_BY[name] and (name in case["options"]) is set_by_case:
                    pinned[name][json.dumps(value)].append(case["id"])
    return pinned
