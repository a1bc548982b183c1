"""Combinations of option values that make no sense, as data.

Each row says in which case some values of an option make no sense. If a client asked for such a value, it is refused
with the row's reason. If it is only the ruleset's default, it is replaced. So a client that chooses one option need not
unset others that depend on it: `overcall: none` is enough to play without defence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from service.rules.cards import RANKS
from service.rules.games import STEP_GAMES
from service.rules.option import Options, OwnOptions


class Setting(NamedTuple):
    """What constraints depend on: the options so far, and the cards of the game.

    Attributes:
        ranks: the ranks that are in at least one deck, ascending.
        calls: number of friends that are called.
    """

    ruleset: str
    players: int
    decks: int
    big_jokers: int
    little_jokers: int
    options: OwnOptions
    ranks: str = RANKS
    calls: int = 0


@dataclass(frozen=True)
class Constraint:
    """One row.

    Attributes:
        bad: the values of `option` that make no sense, or a function that returns whether a value is one of them.
        when: returns whether the row applies.
        instead: the value that replaces a default.
        reason: id of the text of the refusal; None: clients may ask for the value, only a default is replaced.
    """

    option: str
    bad: tuple[object, ...] | Callable[[Any], bool]
    when: Callable[[Setting], bool]
    instead: object
    reason: str | None

    def hits(self, setting: Setting) -> bool:
        """Return whether the option's value makes no sense here."""
        value = setting.options[self.option]
        bad = self.bad(value) if callable(self.bad) else value in self.bad
        return bad and self.when(setting)


def _is(name: str, *values: object) -> Callable[[Setting], bool]:
    return lambda setting: setting.options[name] in values


def _not(name: str, *values: object) -> Callable[[Setting], bool]:
    return lambda setting: setting.options[name] not in values


def may_ask_redeal(options: Options) -> bool:
    """Return whether the option `misdeal` has any condition for a new deal."""
    return any(value for name, value in options["misdeal"].items() if name != "most")


def _all(*tests: Callable[[Setting], bool]) -> Callable[[Setting], bool]:
    return lambda setting: all(test(setting) for test in tests)


def _jokers(setting: Setting) -> int:
    return max(setting.big_jokers, setting.little_jokers)


def _other_than(value: object) -> Callable[[object], bool]:
    return lambda option: bool(option != value)


def _some(value: object) -> bool:
    return bool(value)


#: The values of `joker_declaration` that allow declaring with a single joker.
_ONE_JOKER: Final = ("single", "all_decks", "all_but_one_big")
_BY_UNIT: Final = ("by_lead", "by_lead_2n", "by_lead_power", "table_248")
_JOKER_DECIDES: Final = ("flip_kitty_or_joker", "first_kitty_card", "fourth_kitty_card")
_TURNS_KITTY: Final = ("flip_kitty", *_JOKER_DECIDES)

_CARDS: Final = (
    Constraint("joker_policy", ("kitty_six",), lambda s: s.players != 5, "table", "five_players_only"),
    Constraint(
        "joker_policy",
        ("all_jokers", "kitty_six"),
        lambda s: s.options["decks"] is not None or bool(s.options["special_decks"]),
        "table",
        "decks_are_listed",
    ),
)

_DECLARER: Final = (
    Constraint("declarer_by", ("trump_maker",), _is("predetermined_declarer", True), "rotation", "declarer_is_fixed"),
    Constraint(
        "declarer_by",
        ("rotation",),
        _all(_is("active_passive", True), _is("predetermined_declarer", False)),
        "trump_maker",
        None,
    ),
    Constraint("active_passive", (True,), _is("declarer_by", "rotation"), False, "needs_trump_maker"),
    Constraint("declare_rank", ("any_active_level",), _is("active_passive", False), "own_level", "needs_active"),
    Constraint(
        "declare_rank",
        ("own_level", "any_active_level"),
        _is("declarer_by", "rotation"),
        "round_level",
        "rank_is_fixed_before",
    ),
    Constraint("declare_rank", ("round_level",), _is("declarer_by", "trump_maker"), "own_level", "rank_is_not_fixed"),
    Constraint("first_declarer", ("first",), _is("declarer_by", "trump_maker"), "last", "needs_rotation"),
    Constraint("next_declarer", ("next_seat",), _is("declarer_by", "trump_maker"), "by_result", "needs_rotation"),
    # The Heli variants turn up the kitty (docs/rules.md §12), but a table may ask for a redeal.
    Constraint("no_declaration", ("redeal",), _is("predetermined_declarer", True), "flip_kitty", None),
)

_DECLARING: Final = (
    Constraint("joker_declaration", ("pair",), lambda s: _jokers(s) < 2, "none", "needs_joker_pair"),
    Constraint("joker_declaration", _ONE_JOKER, lambda s: _jokers(s) < 1, "none", "needs_jokers"),
    Constraint("joker_declaration", _ONE_JOKER[1:], lambda s: s.decks < 2, "none", "needs_second_deck"),
    Constraint("little_joker_declaration", (True,), _is("joker_declaration", "none"), False, "needs_joker_declaration"),
    Constraint(
        "little_joker_declaration",
        (True,),
        _all(_is("joker_declaration", "pair"), lambda s: s.little_jokers < 2),
        False,
        "needs_joker_pair",
    ),
    Constraint("little_joker_declaration", (True,), lambda s: s.little_jokers < 1, False, "needs_jokers"),
    Constraint(
        "joker_beside",
        ("matching",),
        lambda s: min(s.big_jokers, s.little_jokers) < 1,
        "none",
        "needs_both_jokers",
    ),
    Constraint("joker_beside", ("any",), lambda s: _jokers(s) < 1, "none", "needs_jokers"),
    Constraint(
        "overcall",
        ("longer_or_jokers", "jokers_first"),
        _is("joker_declaration", "none"),
        "longer",
        "needs_joker_declaration",
    ),
    Constraint("jokers_open", (False,), _is("joker_declaration", "none"), True, "needs_joker_declaration"),
    Constraint("jokers_open", (False,), _is("overcall", "none"), True, "needs_overcall"),
    Constraint("overcall_rank", ("first",), _not("declare_rank", "own_level"), "own", "needs_own_level"),
    Constraint("overcall_rank", ("first",), _is("overcall", "none"), "own", "needs_overcall"),
    Constraint("overcall_by", ("other_team",), _is("overcall", "none"), "anyone", "needs_overcall"),
    Constraint("self_overcall", (True,), _is("overcall", "none"), False, "needs_overcall"),
    Constraint("self_overcall", (True,), _is("overcall_by", "other_team"), False, "other_team_only"),
    Constraint("defence", ("immediate", "any_time"), _is("overcall", "none"), "none", "needs_overcall"),
    Constraint("misdeal_starter", ("caller",), lambda s: not may_ask_redeal(s.options), "same", "needs_misdeal"),
)

_KITTY: Final = (
    Constraint("no_declaration", _TURNS_KITTY, _is("kitty_size", 0), "redeal", "needs_kitty"),
    Constraint("no_declaration", ("fourth_kitty_card",), _is("kitty_size", 1, 2, 3), "redeal", "needs_fourth_card"),
    Constraint(
        "turned_joker", ("names_suit",), _not("no_declaration", *_JOKER_DECIDES), "no_suit", "needs_turned_joker"
    ),
    Constraint("chao_di", (True,), _is("kitty_size", 0), False, "needs_kitty"),
    Constraint("kitty_reveal", (True,), _is("kitty_size", 0), False, "needs_kitty"),
    Constraint("kitty_shown", (True,), _is("kitty_size", 0), False, "needs_kitty"),
    Constraint("chao_di_rule", ("overcall",), _is("chao_di", False), "pairs_by_suit", "needs_chao_di"),
    Constraint("chao_di_rule", ("overcall",), _is("overcall", "none"), "pairs_by_suit", "needs_overcall"),
    Constraint(
        "suit_order",
        ("diamonds_over_clubs",),
        lambda s: (
            s.options["overcall"] != "longer_or_suit"
            and not (s.options["chao_di"] and s.options["chao_di_rule"] == "pairs_by_suit")
        ),
        "clubs_over_diamonds",
        "needs_ranked_suits",
    ),
    Constraint("kitty_unit_of", ("winning_play",), _not("kitty_factor", *_BY_UNIT), "lead", "needs_kitty_unit"),
)

_FRIENDS: Final = (
    Constraint("friend_by", ("shown_card",), lambda s: s.decks != 2, "call", "needs_two_decks"),
    Constraint("friend_by", ("shown_card",), lambda s: s.calls != 1, "call", "needs_one_call"),
    Constraint("friend_by", ("shown_card",), _not("declarer_by", "trump_maker"), "call", "needs_trump_maker"),
    Constraint("call_other_copy", (True,), lambda s: s.decks != 2, False, "needs_two_decks"),
    Constraint("call_other_copy", (True,), _is("friend_calls", 0), False, "needs_calls"),
)

#: The values of `throw_failure` other than `beaten_unit`, and of `throw_penalty` other than `none`.
_OTHER_FAILURES: Final = (
    "lowest_card",
    "end_round",
    "penalty_levels",
    "lowest_top_unit",
    "smallest_unit",
    "first_seat",
)
_PENALTIES: Final = ("flat", "per_unit", "per_card", "per_withdrawn")


def _without_throws(option: str, instead: object, *bad: object) -> tuple[Constraint]:
    """Return the row for an option of throws, which is pointless with `throws: none`."""
    return (Constraint(option, bad, _is("throws", "none"), instead, "needs_throws"),)


def _without_smaller_tractors(setting: Setting) -> bool:
    options = setting.options
    return not options["follow_tractors"] or options["follow_smaller"] != "always"


_LEADS: Final = (
    Constraint(
        "equal_rank_tractors",
        ("adjacent", "no_gap"),
        _not("trump_tractors", "full"),
        "apart",
        "needs_full_trump_tractors",
    ),
    Constraint(
        "rainbow",
        _other_than("none"),
        lambda s: s.options["rainbow"] > 4 * s.decks,
        "none",
        "needs_cards_enough",
    ),
    Constraint("proven_throws", (True,), _is("throws", "none"), False, "needs_throws"),
    *_without_throws("throw_test", "units", "cards", "units_or_ruff"),
    Constraint("throw_test", ("units_or_ruff",), _is("proven_throws", True), "units", "throws_are_proven"),
    *_without_throws("throw_failure", "beaten_unit", *_OTHER_FAILURES),
    Constraint("throw_failure", _OTHER_FAILURES, _is("proven_throws", True), "beaten_unit", "throws_are_proven"),
    Constraint(
        "throw_forfeit",
        ("unplayed_to_others", "lost_round_one_level"),
        _not("throw_failure", "end_round"),
        "one_level",
        "needs_throw_failure_end_round",
    ),
    *_without_throws("throw_penalty", "none", *_PENALTIES),
    Constraint("throw_penalty", _PENALTIES, _is("proven_throws", True), "none", "throws_are_proven"),
    *_without_throws("throw_penalty_levels", False, True),
    Constraint("throw_penalty_levels", (True,), _is("proven_throws", True), False, "throws_are_proven"),
    Constraint(
        "throw_penalty_levels",
        (True,),
        _is("throw_failure", "end_round", "penalty_levels"),
        False,
        "play_must_go_on",
    ),
    *_without_throws("throw_same_count", False, True),
)

_FOLLOWING: Final = (
    *(
        Constraint(name, bad, _is("follow_structure", "suit_only"), instead, "needs_structure")
        for name, instead, bad in (
            ("follow_tractors", False, (True,)),
            ("follow_smaller", "never", ("single_set", "always")),
            ("protect_larger", False, (True,)),
            ("shorter_tractors", True, (False,)),
            ("tuple_draws_tractors", False, (True,)),
            ("throw_structure", "units", ("added_up", "tuples")),
            ("protect_by_rungs", False, (True,)),
            ("ruff_must_match", "never", ("tuples", "all")),
        )
    ),
    Constraint("shorter_tractors", (False,), _without_smaller_tractors, True, "needs_smaller_tractors"),
    Constraint("tuple_draws_tractors", (True,), _without_smaller_tractors, False, "needs_smaller_tractors"),
    *_without_throws("throw_structure", "units", "added_up", "tuples"),
    Constraint(
        "throw_structure", ("added_up", "tuples"), _is("follow_tractors", False), "units", "needs_follow_tractors"
    ),
    Constraint("protect_by_rungs", (True,), _is("protect_larger", False), False, "needs_protect_larger"),
)

_WINNING: Final = (
    *_without_throws("trump_throw_compare", "largest_unit", "all_units", "highest_card", "longest_first"),
    *_without_throws("throw_answer_exact", False, True),
    Constraint("quad_beats_tractor", (True,), lambda s: s.decks < 4, False, "needs_four_decks"),
    Constraint("quad_beats_tractor", (True,), _not("bombs", "none"), False, "bombs_do_it"),
)

_SCORES: Final = (
    *(
        Constraint(option, _other_than(plain), _is("active_passive", True), plain, "active_passive_scores")
        for option, plain in (
            ("points_per_level", None),
            ("steps_to_win", None),
            ("dead_zone", 1),
            ("shut_out_level", True),
            ("levels_cap", "none"),
            ("short_team_gain", "multiplied"),
        )
    ),
    Constraint("last_trick_to_gain", (True,), _is("active_passive", True), False, "active_passive_scores"),
    Constraint(
        "short_team_gain", ("one_level",), _is("short_team_bonus", False), "multiplied", "needs_short_team_bonus"
    ),
)

_LADDER: Final = (
    Constraint("laps", (True,), lambda s: s.ranks != RANKS, False, "laps_need_all_ranks"),
    Constraint("last_level", ("NT",), _is("laps", True), "A", "laps_have_no_end"),
    Constraint("after_last", ("wrap",), _is("laps", True), "end", "laps_have_no_end"),
    Constraint("level_ladder", _some, _is("laps", True), [], "laps_have_no_end"),
    Constraint("last_level_played", (True,), _is("laps", True), False, "laps_have_no_end"),
    Constraint("short_laps", (True,), _is("laps", False), False, "needs_laps"),
    Constraint(
        "level_ladder", _some, lambda s: not set(s.options["level_ladder"]) <= set(s.ranks), [], "rank_in_no_deck"
    ),
    Constraint("must_play", _some, lambda s: not set(s.options["must_play"]) <= set(rungs(s)), [], "off_the_ladder"),
    Constraint("hooks", _some, lambda s: not _hooked(s.options["hooks"]) <= set(s.ranks), {}, "rank_in_no_deck"),
    Constraint("hook_fall", ("by_cards",), lambda s: not s.options["hooks"], "to_level", "needs_hooks"),
    Constraint("hook_rule", ("lone_card",), lambda s: not s.options["hooks"], "trump_card", "needs_hooks"),
    Constraint(
        "start_level",
        lambda level: level in RANKS,
        lambda s: s.options["start_level"] not in rungs(s),
        None,
        "not_on_the_ladder",
    ),
    Constraint("start_level", ("joker",), _is("laps", False), "2", "not_on_the_ladder"),
    Constraint("start_level", ("NT",), _not("last_level", "NT"), "2", "not_on_the_ladder"),
    Constraint("must_play_attempt_enough", (True,), lambda s: not s.options["must_play"], False, "needs_must_play"),
)


def rungs(setting: Setting) -> tuple[str, ...]:
    """Return the ranks that are levels, ascending."""
    return tuple(setting.options["level_ladder"] or setting.ranks)


def _hooked(hooks: Mapping[str, str]) -> set[str]:
    return {*hooks, *hooks.values()}


#: Rows are applied from top to bottom, so an option comes before the options that depend on it.
CONSTRAINTS: Final[tuple[Constraint, ...]] = (
    *_CARDS,
    *_DECLARER,
    *_DECLARING,
    *_KITTY,
    *_FRIENDS,
    *_LEADS,
    *_FOLLOWING,
    *_WINNING,
    *_SCORES,
    *_LADDER,
)


def points_per_level(ruleset: str, decks: int) -> int | None:
    """Return the ruleset's default step, 20 points per deck; None: the game has a score table instead."""
    return 20 * decks if ruleset in STEP_GAMES else None


def steps_accepted(decks: int) -> list[int]:
    """Return the possible values of `points_per_level`: up to the threshold."""
    return [*range(5, 40 * decks + 1, 5)]
