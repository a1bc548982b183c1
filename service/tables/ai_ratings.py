"""Ratings of AI players by level, measured once and then fixed as a scale for people's ratings (decision 168).

`python -m bench ratings` measures them again.
"""

from collections.abc import Mapping
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL: Final = PlackettLuce()
#: Standard deviation of every level. That of a person comes down to it in about a hundred games.
SIGMA: Final = 2.5
#: Ruleset -> level -> mean. `normal` has the initial mean of a new player in every ruleset. `expert` was not measured
#: in games with friends: it is set as far above `hard` as `hard` is above `normal`. With fixed teams it was measured
#: at a fifth of its work, so it is at least as strong.
STRENGTHS: Final[Mapping[str, Mapping[str, float]]] = {
    "zhaopengyou": {"easy": 19.8, "normal": 25.0, "hard": 27.1, "expert": 29.2},
    "zhaopengyou_80": {"easy": 19.9, "normal": 25.0, "hard": 27.1, "expert": 29.2},
    "finding_friends": {"easy": 16.8, "normal": 25.0, "hard": 28.3, "expert": 31.6},
    "shengji": {"easy": 13.2, "normal": 25.0, "hard": 31.8, "expert": 32.7},
    "shengji_six": {"easy": 15.5, "normal": 25.0, "hard": 30.4, "expert": 31.2},
    "sishifen": {"easy": 16.9, "normal": 25.0, "hard": 29.6, "expert": 30.3},
    "tractor": {"easy": 13.6, "normal": 25.0, "hard": 31.5, "expert": 32.5},
    "arms_length": {"easy": 22.2, "normal": 25.0, "hard": 27.3, "expert": 28.0},
}


def ai_rating(ruleset: str, level: str) -> PlackettLuceRating:
    """Return the rating of an AI player of a level in a ruleset."""
    return MODEL.rating(mu=STRENGTHS[ruleset][level], sigma=SIGMA)


def ai_ratings(ruleset: str) -> dict[str, float]:
    """Return level -> public rating in a ruleset: what an equally strong person has after about a hundred games."""
    return {level: round(float(ai_rating(ruleset, level).ordinal()), 2) for level in STRENGTHS[ruleset]}
