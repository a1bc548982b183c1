"""Values of options that make no sense together, as data.

A row says which values of an option make no sense when. A value that was asked for is then refused with the row's
reason; a ruleset's own default yields instead, so that choosing one variant does not oblige a client to unset
everything it makes pointless (`overcall: none` is enough to play without defence).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from service.rules.games import STEP_GAMES, TRACTOR


class Setting(NamedTuple):
    """What a row looks at: the options so far, and the cards of the game."""

    ruleset: str
    players: int
    decks: int
    big_jokers: int
    little_jokers: int
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Constraint:
    """One row.

    Attributes:
        bad: the values of `option` that make no sense `when`.
        instead: the value a default yields to.
        reason: id of the sentence for a refusal; None: only the default changes, asking for the value is fine.
    """

    option: str
    bad: tuple[Any, ...]
    when: Callable[[Setting], bool]
    instead: Any
    reason: str | None

    def hits(self, setting: Setting) -> bool:
        """Tell whether the option has a value here that makes no sense."""
        return setting.options[self.option] in self.bad and self.when(setting)


def _is(name: str, *values: Any) -> Callable[[Setting], bool]:
    return lambda setting: setting.options[name] in values


def _not(name: str, *values: Any) -> Callable[[Setting], bool]:
    return lambda setting: setting.options[name] not in values


def may_ask_redeal(options: Mapping[str, Any]) -> bool:
    """Tell whether the option `misdeal` allows anything at all."""
    return any(options["misdeal"].values())


#: What a throw that fails can bring besides the weakest unit that can be beaten, and a penalty.
_OTHER_FAILURES: Final = (
    "lowest_card",
    "end_round",
    "penalty_levels",
    "lowest_top_unit",
    "smallest_unit",
    "first_seat",
)
_PENALTIES: Final = ("flat", "per_unit", "per_card", "per_withdrawn")


def _without_throws(option: str, instead: Any, *bad: Any) -> tuple[Constraint]:
    """Return the row of an option about throws, of which there are none under `throws: none`."""
    return (Constraint(option, bad, _is("throws", "none"), instead, "needs_throws"),)


def _without_smaller_tractors(setting: Setting) -> bool:
    options = setting.options
    return not options["follow_tractors"] or options["follow_smaller"] != "always"


#: Rows are read from top to bottom: what another row looks at comes first.
CONSTRAINTS: Final[tuple[Constraint, ...]] = (
    Constraint("joker_policy", ("kitty_six",), lambda s: s.players != 5, "table", "five_players_only"),
    # Who declares, and with which rank
    Constraint("declarer_by", ("trump_maker",), _is("predetermined_declarer", True), "rotation", "declarer_is_fixed"),
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
    # 000 l.322 has the kitty turned; a redeal may still be asked for
    Constraint("no_declaration", ("redeal",), _is("predetermined_declarer", True), "flip_kitty", None),
    # Declarations
    Constraint(
        "joker_declaration",
        ("pair",),
        lambda s: max(s.big_jokers, s.little_jokers) < 2,
        "none",
        "needs_joker_pair",
    ),
    Constraint("little_joker_declaration", (True,), _is("joker_declaration", "none"), False, "needs_joker_declaration"),
    Constraint("little_joker_declaration", (True,), lambda s: s.little_jokers < 2, False, "needs_joker_pair"),
    Constraint(
        "overcall", ("longer_or_jokers",), _is("joker_declaration", "none"), "longer", "needs_joker_declaration"
    ),
    Constraint("overcall_by", ("other_team",), _is("overcall", "none"), "anyone", "needs_overcall"),
    Constraint("self_overcall", (True,), _is("overcall", "none"), False, "needs_overcall"),
    Constraint("self_overcall", (True,), _is("overcall_by", "other_team"), False, "other_team_only"),
    Constraint("defence", ("immediate",), _is("overcall", "none"), "none", "needs_overcall"),
    Constraint("misdeal_starter", ("caller",), lambda s: not may_ask_redeal(s.options), "same", "needs_misdeal"),
    # Friends
    Constraint("call_other_copy", (True,), lambda s: s.decks != 2, False, "needs_two_decks"),
    # Leads
    Constraint(
        "equal_rank_tractors",
        ("yes", "no_gap"),
        _not("trump_tractors", "full"),
        "no",
        "needs_full_trump_tractors",
    ),
    Constraint(
        "rainbow", tuple(range(5, 97)), lambda s: s.options["rainbow"] > 4 * s.decks, None, "needs_cards_enough"
    ),
    Constraint("proven_throws", (True,), _is("throws", "none"), False, "needs_throws"),
    *_without_throws("throw_test", "units", "cards", "units_or_ruff"),
    Constraint("throw_test", ("units_or_ruff",), _is("proven_throws", True), "units", "throws_are_proven"),
    *_without_throws("throw_failure", "beaten_unit", *_OTHER_FAILURES),
    Constraint("throw_failure", _OTHER_FAILURES, _is("proven_throws", True), "beaten_unit", "throws_are_proven"),
    Constraint(
        "end_round",
        ("unplayed_to_others", "lost_round_one_level"),
        _not("throw_failure", "end_round"),
        "one_level",
        "needs_throw_failure_end_round",
    ),
    *_without_throws("throw_penalty", "none", *_PENALTIES),
    Constraint("throw_penalty", _PENALTIES, _is("proven_throws", True), "none", "throws_are_proven"),
    *_without_throws("throw_same_count", False, True),
    # Following
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
            ("ruff_must_match", "no", ("tuples", "all")),
        )
    ),
    Constraint("shorter_tractors", (False,), _without_smaller_tractors, True, "needs_smaller_tractors"),
    Constraint("tuple_draws_tractors", (True,), _without_smaller_tractors, False, "needs_smaller_tractors"),
    *_without_throws("throw_structure", "units", "added_up", "tuples"),
    Constraint(
        "throw_structure", ("added_up", "tuples"), _is("follow_tractors", False), "units", "needs_follow_tractors"
    ),
    Constraint("protect_by_rungs", (True,), _is("protect_larger", False), False, "needs_protect_larger"),
    # Winning
    *_without_throws("trump_throw_compare", "largest_unit", "all_units", "highest_card", "longest_first"),
    *_without_throws("throw_answer_exact", False, True),
    Constraint("quad_beats_tractor", (True,), lambda s: s.decks < 4, False, "needs_four_decks"),
    Constraint("quad_beats_tractor", (True,), _not("bombs", "none"), False, "bombs_do_it"),
    # Levels
    Constraint("short_laps", (True,), _is("laps", False), False, "needs_laps"),
    Constraint("start_level", ("joker",), _is("laps", False), "2", "not_on_the_ladder"),
    Constraint("start_level", ("NT",), lambda s: s.ruleset != TRACTOR, "2", "not_on_the_ladder"),
    Constraint("must_play_attempt_enough", (True,), lambda s: not s.options["must_play"], False, "needs_must_play"),
)


def threshold(decks: int) -> int:
    """Return the points at which attackers win a game counted in steps: 40 a deck (001 §3.8, §6.3-6.5)."""
    return 40 * decks


def points_per_level(ruleset: str, decks: int) -> int | None:
    """Return the step of the ruleset itself, 20 points a deck; None: the game has a table of its own."""
    return 20 * decks if ruleset in STEP_GAMES else None


def steps_accepted(decks: int) -> list[int]:
    """Return the values of `points_per_level`: whole steps lead to the threshold, or a won round would gain nothing."""
    return [step for step in range(5, threshold(decks) + 1, 5) if threshold(decks) % step == 0]
