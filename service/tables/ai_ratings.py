"""Ratings of AI players by level: measured, and fixed, so that the ratings of people have a scale (decision 168).

`python -m bench ratings` measures them again.
"""

from collections.abc import Mapping
from typing import Final

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL: Final = PlackettLuce()
#: How certain the rating of a level is. A person's becomes as certain in about a hundred games.
SIGMA: Final = 2.0
#: Ruleset -> level -> mean strength. `normal` is what a newcomer is taken for, in every ruleset. In games of friends
#: nobody has measured `expert`: it is taken to be as far above `hard` as `hard` is above `normal`.
STRENGTHS: Final[Mapping[str, Mapping[str, float]]] = {
    "zhaopengyou": {"easy": 20.0, "normal": 25.0, "hard": 27.0, "expert": 29.0},
    "zhaopengyou_80": {"easy": 19.9, "normal": 25.0, "hard": 27.1, "expert": 29.2},
    "finding_friends": {"easy": 16.8, "normal": 25.0, "hard": 28.3, "expert": 31.6},
    "shengji": {"easy": 14.1, "normal": 25.0, "hard": 28.3, "expert": 32.1},
    "shengji_six": {"easy": 13.8, "normal": 25.0, "hard": 28.4, "expert": 32.3},
    "sishifen": {"easy": 17.5, "normal": 25.0, "hard": 27.3, "expert": 29.9},
    "tractor": {"easy": 14.5, "normal": 25.0, "hard": 28.2, "expert": 31.9},
    "arms_length": {"easy": 22.4, "normal": 25.0, "hard": 27.1, "expert": 27.7},
}


def ai_rating(ruleset: str, level: str) -> PlackettLuceRating:
    """Return the rating of an AI player of a level in a ruleset."""
    return MODEL.rating(mu=STRENGTHS[ruleset][level], sigma=SIGMA)


def ai_ratings(ruleset: str) -> dict[str, float]:
    """Return level -> public rating, of a ruleset: that of a person who plays as well, after about a hundred games."""
    return {level: round(float(ai_rating(ruleset, level).ordinal()), 2) for level in STRENGTHS[ruleset]}
