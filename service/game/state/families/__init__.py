"""The families of games, which differ in some questions about a table.

`shengji` has declarers and attackers; `arms_length` has roads instead. The steps of each family are in
`service.game.commands.flow`.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from service.game.state.actions import PlayRequirements
from service.game.state.families import arms_length, shengji
from service.game.state.families.verdict import Verdict
from service.game.state.rules import level_rank
from service.game.state.types import State
from service.rules.options.rulesets import RULESETS
from service.rules.trumps import Trump


class Family(NamedTuple):
    """The functions in which families differ.

    Attributes:
        display_trump: state, seat -> trumps by which a hand is sorted; before they are fixed, those standing now.
        opening_rank: state, seat -> the trump rank by which a hand is sorted until somebody makes trumps.
        example_play: state, seat -> a legal play (kinds).
        legal_plays: state, seat, limit -> legal plays (kinds), and whether these are all.
        requirements: state, seat -> what a follow must contain; None when the seat leads.
        leaders: state -> the leading seats of the game.
        verdict: state -> who has won if its length ends the game.
        silent: whether chat is off during a round.
    """

    display_trump: Callable[[State, int], Trump]
    opening_rank: Callable[[State, int], str | None]
    example_play: Callable[[State, int], list[int]]
    legal_plays: Callable[[State, int, int], tuple[list[list[int]], bool]]
    requirements: Callable[[State, int], PlayRequirements | None]
    leaders: Callable[[State], list[int]]
    verdict: Callable[[State], Verdict]
    silent: bool


FAMILIES: Final[Mapping[str, Family]] = {
    "shengji": Family(
        display_trump=shengji.display_trump,
        opening_rank=level_rank,
        example_play=shengji.example_play,
        legal_plays=shengji.legal_plays,
        requirements=shengji.requirements,
        leaders=shengji.leaders,
        verdict=shengji.verdict,
        silent=False,
    ),
    "arms_length": Family(
        display_trump=arms_length.display_trump,
        opening_rank=lambda _, __: None,
        example_play=arms_length.example_play,
        legal_plays=arms_length.legal_plays,
        requirements=arms_length.requirements,
        leaders=arms_length.leaders,
        verdict=arms_length.verdict,
        silent=True,
    ),
}


def family_of(state: State) -> Family:
    """Return the family of the table's game."""
    return FAMILIES[RULESETS[state["ruleset"]].family]
