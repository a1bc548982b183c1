"""Ratings of the AI levels, from saved whole games.

    python -m laboratory.ai_games easy normal       plays, and resumes where it stopped
    python -m bench ratings                    writes the results so far

The strength of a level is the one at which the ratings of players of this level stay the same on average, given those
of the other level; an equally strong person would converge to it. Where searches make whole games too slow, it is
derived from matches of single rounds, with the ratio of strength to levels per round between `easy` and `normal`.
"""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bench import report
from laboratory import saved
from laboratory.ai_games import saved_games
from laboratory.ai_match import summary
from service.rules.options.rulesets import RULESETS
from service.tables.ai_ratings import MODEL, SIGMA, STRENGTHS
from service.tables.results import sides_of

#: Teams -> searching level -> saved matches of single rounds, from it down to `normal`, whose gains add up.
#: `expert` is taken for what it was at a fifth of its work.
MATCHES: Final = {
    "fixed": {
        "hard": ("shengji-4-hard-hard@81fe89d3", "shengji-4-hard@81fe89d3-normal"),
        "expert": ("shengji-4-expert@81fe89d3-hard@81fe89d3", "shengji-4-hard@81fe89d3-normal"),
    },
    "partners": {
        "hard": ("arms_length-4-hard-normal",),
        "expert": ("arms_length-4-expert-hard", "arms_length-4-hard-normal"),
    },
    "friends": {"hard": ("zhaopengyou-6-hard@d2fa05f-normal@d2fa05f",)},
}
#: Strengths are rounded to one digit.
ROUNDED: Final = 0.05


def strength_of(games: Sequence[Mapping[str, Any]], ruleset: str, level: str, other: float) -> tuple[float, float]:
    """Return the strength of a level, from games against one of known strength, and half of its 95 % interval."""
    low, high = other - 30.0, other + 30.0
    while high - low > 0.001:
        middle = (low + high) / 2
        if statistics.mean(_drifts(games, ruleset, level, middle, other)) > 0:
            low = middle
        else:
            high = middle
    at = (low + high) / 2
    drifts = _drifts(games, ruleset, level, at, other)
    slope = statistics.mean(_drifts(games, ruleset, level, at + 0.5, other)) - statistics.mean(
        _drifts(games, ruleset, level, at - 0.5, other)
    )
    # The two games of a seed are one sample.
    pairs = [statistics.mean(drifts[start : start + 2]) for start in range(0, len(drifts), 2)]
    return at, 1.96 * statistics.stdev(pairs) / len(pairs) ** 0.5 / abs(slope)


def _drifts(games: Sequence[Mapping[str, Any]], ruleset: str, level: str, strength: float, other: float) -> list[float]:
    """Return the change of the mean rating of a level's seats for each game."""
    drifts = []
    for game in games:
        levels, winners = game["levels"], set(game["winners"])
        sides = sides_of(ruleset, len(levels), winners)
        teams = [
            [MODEL.rating(mu=strength if levels[seat] == level else other, sigma=SIGMA) for seat in side]
            for side in sides
        ]
        after = MODEL.rate(teams, ranks=[float(winners.isdisjoint(side)) for side in sides])
        moved = {
            seat: rating.mu
            for side, team in zip(sides, after, strict=True)
            for seat, rating in zip(side, team, strict=True)
        }
        drifts.append(statistics.mean(moved[seat] - strength for seat in moved if levels[seat] == level))
    return drifts


def by_rounds(ruleset: str, gap: float, gains: Mapping[str, float]) -> dict[str, float]:
    """Return the strengths of the searching levels, from matches of single rounds.

    Args:
        ruleset: the ruleset.
        gap: difference of the strengths of `easy` and `normal` in it.
        gains: ruleset -> gain of `normal` over `easy` in whole games, in levels per round.
    """
    normal, strengths = STRENGTHS[ruleset]["normal"], {}
    for level, names in MATCHES[RULESETS[ruleset].teams].items():
        gain = sum(summary(list(saved.read(name).values())).level for name in names)
        strengths[level] = normal + gap * gain / gains[names[0].partition("-")[0]]
    return strengths


def main() -> None:
    """Print the measured strengths, and whether they are those of the service."""
    rows, aims, gaps, gains = [], [], {}, {}
    for kind, games in saved_games():
        weak, strong = kind.levels
        known, level = (strong, weak) if strong == "normal" else (weak, strong)
        base, ours = STRENGTHS[kind.ruleset][known], STRENGTHS[kind.ruleset][level]
        strength, half = strength_of(games, kind.ruleset, level, base)
        gain = -statistics.mean(game["gain"] for game in games)
        if kind.levels == ("easy", "normal"):
            gaps[kind.ruleset], gains[kind.ruleset] = base - strength, gain
        rows.append(
            (
                kind.ruleset,
                f"{strong} against {weak}",
                str(len(games)),
                f"{gain:+.3f}",
                f"{level}: {strength:.1f} ± {half:.1f}",
                f"{ours:.1f}",
            )
        )
        aims.append((f"strength of {level} in {kind.ruleset}, from what is measured", abs(strength - ours), half))
    report.table(("whole games", "levels", "games", "gain a round", "strength, 95 % interval", "in the service"), rows)
    rows = []
    for ruleset, gap in gaps.items():
        for level, strength in by_rounds(ruleset, gap, gains).items():
            ours = STRENGTHS[ruleset][level]
            rows.append((ruleset, level, f"{strength:.1f}", f"{ours:.1f}"))
            aims.append((f"strength of {level} in {ruleset}, from what rounds say", abs(strength - ours), ROUNDED))
    report.table(("single rounds", "level", "strength", "in the service"), rows)
    for what, measured, most in aims:
        report.aim(what, measured, at_most=most)


if __name__ == "__main__":
    main()
