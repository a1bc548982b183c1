"""Presets: named sets of options with which a table can start."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from service.common.errors import InvalidRequest
from service.rules import games
from service.rules.games import RULESETS
from service.rules.option import Options, OwnOptions


@dataclass(frozen=True)
class Preset:
    """A named set of options.

    Attributes:
        options: those that differ from the ruleset's defaults.
        source: where it comes from, by the short names of `docs/rules.md` §12.
        players: numbers of players; empty: all numbers of the ruleset.
    """

    id: str
    ruleset: str
    source: str
    options: Options
    players: tuple[int, ...] = ()

    def suits(self, players: int) -> bool:
        """Return whether the preset is for this number of players."""
        return players in (self.players or RULESETS[self.ruleset].players)


_HELI: Final = {"predetermined_declarer": True, "laps": True}
#: The usual must-play levels according to Zhang.
_MUST_PLAY: Final = ["2", "5", "T", "J", "K"]
_R_UNRESTRICTED: Final = {"last_level": "NT", "after_last": "wrap", "must_play": ["A"]}
_R_POINTS: Final = {"last_level": "NT", "after_last": "wrap", "must_play": ["5", "T", "K", "A"]}

_LISTED: Final = (
    # The sources without changes
    Preset("pagat", games.ZHAOPENGYOU, "Pagat", {}),
    Preset("eighty", games.ZHAOPENGYOU_80, "80", {}),
    Preset("zhang_friends", games.FINDING_FRIENDS, "Zhang §6.5", {}),
    Preset("zhang", games.SHENGJI, "Zhang", {}),
    Preset("zhang_six", games.SHENGJI_SIX, "Zhang §6.4", {}),
    Preset("forty_points", games.SISHIFEN, "Zhang §6.3", {}),
    Preset("no_trump_ladder", games.TRACTOR, "No-trump", {}),
    Preset("parlett", games.ARMS_LENGTH, "Parlett", {}),
    # Variants of Looking for Friends
    Preset(
        "heli_lost_round",
        games.ZHAOPENGYOU,
        "Pagat, Variations (Heli 1)",
        {**_HELI, "throw_failure": "end_round", "throw_forfeit": "lost_round_one_level"},
    ),
    Preset(
        "heli_penalty_levels",
        games.ZHAOPENGYOU,
        "Pagat, Variations (Heli 2)",
        {**_HELI, "throw_failure": "penalty_levels"},
    ),
    Preset(
        "heli_play_on",
        games.ZHAOPENGYOU,
        "Pagat, Variations (Heli 2, play goes on)",
        {**_HELI, "throw_penalty_levels": True},
    ),
    Preset(
        "heli_short_laps",
        games.ZHAOPENGYOU,
        "Pagat, Variations (Heli)",
        {**_HELI, "short_laps": True, "throw_failure": "penalty_levels"},
    ),
    Preset("active_and_passive", games.ZHAOPENGYOU, "Pagat, Variations", {"active_passive": True}),
    Preset(
        "any_active_rank",
        games.ZHAOPENGYOU,
        "Pagat, Variations",
        {"active_passive": True, "declare_rank": "any_active_level"},
    ),
    Preset("first_exposure", games.ZHAOPENGYOU, "Pagat, Variations (Jin Li)", {"overcall": "none"}),
    Preset("all_jokers", games.ZHAOPENGYOU, "Pagat, Variations", {"joker_policy": "all_jokers"}),
    Preset("five_kitty_six", games.ZHAOPENGYOU, "Pagat, Variations", {"joker_policy": "kitty_six"}, players=(5,)),
    Preset(
        "patterns",
        games.ZHAOPENGYOU,
        "Pagat, Variations",
        {"follow_tractors": True, "follow_smaller": "always"},
    ),
    Preset("long_trump_tractors", games.ZHAOPENGYOU, "Pagat, Variations", {"trump_tractors": "full"}),
    # Variants of Sheng Ji
    *(
        preset
        for suffix, ruleset in (("", games.SHENGJI), ("_six", games.SHENGJI_SIX))
        for preset in (
            Preset(f"must_play{suffix}", ruleset, "Zhang §6.1.2", {"must_play": _MUST_PLAY}),
            Preset(f"hooked{suffix}", ruleset, "Zhang §6.1.3, §6.1.4", {"hooks": {"J": "2", "Q": "6"}}),
            Preset(f"bidding_for_land{suffix}", ruleset, "Zhang §6.2", {"chao_di": True}),
            Preset(
                f"poor_hands{suffix}",
                ruleset,
                "Zhang §3.5.7",
                {"misdeal": {"no_trumps": True, "points_below": 10}, "no_declaration": "redeal_open"},
            ),
        )
    ),
    Preset("triples_protected", games.SHENGJI_SIX, "Zhang fn 11", {"protect_larger": True}),
    Preset("accelerated", games.SHENGJI, "Zhang §6.1.1", {"points_per_level": 20}),
    Preset(
        "own_levels", games.FINDING_FRIENDS, "Zhang §6.5", {"declarer_by": "trump_maker", "declare_rank": "own_level"}
    ),
    Preset("auto_level", games.FINDING_FRIENDS, "Zhang §6.5", {"auto_level": True}, players=tuple(range(4, 13, 2))),
    # Servers
    Preset("rbtying", games.SHENGJI, "rbtying/shengji", _R_UNRESTRICTED),
    Preset("rbtying_points", games.SHENGJI, "rbtying/shengji", _R_POINTS),
    Preset("rbtying_friends", games.FINDING_FRIENDS, "rbtying/shengji", _R_UNRESTRICTED),
    Preset("rbtying_friends_points", games.FINDING_FRIENDS, "rbtying/shengji", _R_POINTS),
    Preset(
        "eighty_fen",
        games.SHENGJI,
        "ChannonTian/80fen",
        {
            "kitty_factor": "by_play_2n",
            "no_declaration": "no_trump",
            "last_level_by": "anyone",
            "throw_failure": "lowest_top_unit",
            "trump_throw_compare": "highest_card",
            "shorter_tractors": False,
            "throw_answer_exact": True,
        },
    ),
    Preset(
        "jokers_first",
        games.SHENGJI,
        "sunbin1998can",
        {
            "overcall_by": "other_team",
            "joker_declaration": "single",
            "overcall": "jokers_first",
            "throw_test": "units_or_ruff",
            "throw_failure": "smallest_unit",
        },
    ),
    Preset("negative_points", games.SHENGJI, "jding92", {"negative_points": True, "throw_answer_exact": True}),
    Preset(
        "kitty_by_winner",
        games.SHENGJI,
        "abadcafe",
        {
            "chao_di": True,
            "chao_di_rule": "overcall",
            "kitty_unit_of": "winning_play",
            "kitty_side_suit": "half",
            "throw_structure": "added_up",
        },
    ),
    Preset("kitty_by_cards", games.SHENGJI, "jerryyyu", {"kitty_factor": "by_play_2n"}),
    Preset("proven_throws", games.SHENGJI, "ejfn", {"throws": "side_suits", "proven_throws": True}),
    Preset("joker_tractors", games.SHENGJI, "Botzone", {"trump_tractors": "suit_and_jokers"}),
    Preset("bombs", games.FINDING_FRIENDS, "rbtying/shengji", {"bombs": "any_time"}, players=tuple(range(8, 13))),
    Preset("round_and_round", games.SHENGJI, "Weipp7", {"after_last": "wrap"}),
)

#: Id -> preset.
PRESETS: Final[Mapping[str, Preset]] = MappingProxyType({preset.id: preset for preset in _LISTED})


def presets_of(ruleset: str) -> list[Preset]:
    """Return the presets of a ruleset; the first one has no changes."""
    return [preset for preset in _LISTED if preset.ruleset == ruleset]


def with_preset(ruleset: str, players: int, preset: str | None, overrides: Options) -> OwnOptions:
    """Return the options of a preset, changed by `overrides`.

    Raises:
        InvalidRequest: reason `no_such_preset`: not for this ruleset, or not for this number of players.
    """
    if preset is None:
        return dict(overrides)
    suitable = {each.id: each for each in presets_of(ruleset) if each.suits(players)}
    if preset not in suitable:
        raise InvalidRequest(reason="no_such_preset", field="preset", accepted=list(suitable))
    return {**suitable[preset].options, **overrides}
