"""The eight rulesets (`docs/rules.md` §1): names, numbers of players, and teams."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from service.common.errors import InvalidRequest
from service.texts import text

ZHAOPENGYOU: Final = "zhaopengyou"
ZHAOPENGYOU_80: Final = "zhaopengyou_80"
FINDING_FRIENDS: Final = "finding_friends"
SHENGJI: Final = "shengji"
SHENGJI_SIX: Final = "shengji_six"
SISHIFEN: Final = "sishifen"
TRACTOR: Final = "tractor"
ARMS_LENGTH: Final = "arms_length"

FRIENDS_GAMES: Final = frozenset({ZHAOPENGYOU, ZHAOPENGYOU_80, FINDING_FRIENDS})
FIXED_GAMES: Final = frozenset({SHENGJI, SHENGJI_SIX, SISHIFEN, TRACTOR})
SHENGJI_FAMILY: Final = FRIENDS_GAMES | FIXED_GAMES
#: Games with pairs; only `sishifen` is played with one deck.
PAIR_GAMES: Final = SHENGJI_FAMILY - {SISHIFEN}
#: Games in which levels are counted in steps from a threshold; the others have score tables (`docs/rules.md` §9).
STEP_GAMES: Final = frozenset({FINDING_FRIENDS}) | FIXED_GAMES


@dataclass(frozen=True)
class Ruleset:
    """One game.

    Attributes:
        seed: number of the published source (`docs/rules.md` §12).
        players: possible numbers of players.
        teams: `friends` (found in each round), `fixed`, or `partners` (Arm's Length).
        names: language -> name.
    """

    id: str
    seed: str
    players: tuple[int, ...]
    teams: str
    names: Mapping[str, str]

    @property
    def family(self) -> str:
        """The family of rules: `shengji` or `arms_length`."""
        return "arms_length" if self.id == ARMS_LENGTH else "shengji"


def _ruleset(ruleset: str, seed: str, players: range, teams: str, english: str, chinese: str) -> Ruleset:
    names = MappingProxyType(text(english, chinese))
    return Ruleset(ruleset, seed, tuple(players), teams, names)


#: id -> ruleset.
RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {
        each.id: each
        for each in (
            _ruleset(ZHAOPENGYOU, "000", range(5, 17), "friends", "Looking for Friends", "找朋友"),
            _ruleset(ZHAOPENGYOU_80, "003", range(4, 9, 2), "friends", "Looking for Friends (80)", "找朋友（八十分）"),
            _ruleset(FINDING_FRIENDS, "001", range(4, 13), "friends", "Finding Friends", "升级找朋友"),
            _ruleset(SHENGJI, "001", range(4, 5), "fixed", "Sheng Ji", "升级"),
            _ruleset(SHENGJI_SIX, "001", range(6, 7), "fixed", "Sheng Ji for six", "六人升级"),
            _ruleset(SISHIFEN, "001", range(4, 5), "fixed", "Forty Points", "四十分"),
            _ruleset(TRACTOR, "004", range(4, 5), "fixed", "Tractor to no-trump", "拖拉机（打无主）"),
            _ruleset(ARMS_LENGTH, "002", range(4, 5), "partners", "Arm's Length", "一臂之遥"),
        )
    }
)


def ruleset_of(ruleset: object, players: object = None) -> Ruleset:
    """Return a ruleset by its id, and check that it is for `players` players if given.

    Raises:
        InvalidRequest: reason `no_such_ruleset` or `not_for_so_many`.
    """
    if not isinstance(ruleset, str) or ruleset not in RULESETS:
        raise InvalidRequest(reason="no_such_ruleset", accepted=list(RULESETS))
    rules = RULESETS[ruleset]
    if players is not None and (type(players) is not int or players not in rules.players):
        raise InvalidRequest(reason="not_for_so_many", field="players", accepted=list(rules.players))
    return rules
