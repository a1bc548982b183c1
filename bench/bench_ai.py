"""Strength of the AI levels, from saved matches, and CPU time of their plays.

    python -m laboratory.ai_match hard normal --deals 400 --save     plays, and resumes where it stopped
    python -m bench ai                                          writes the results so far

Matches take hours, so this plays none; for the CPU time it plays two deals of each game.
"""

import re

from bench import report
from laboratory import saved
from laboratory.ai_match import ONLY, Arm, cpu, sample, summary
from service.rules.options.rulesets import RULESETS

#: Players -> aim of the lower 95 % bound of the first one's gain with fixed teams, in levels per round. In games with
#: friends, where most sides are mixed, each level must only be above the one below it.
GATES = {
    ("easy", "random"): 0.8,
    ("normal", "normal@e3a26f4"): 0.1,
    ("normal", "easy-without-noise"): 0.2,
    ("hard@81fe89d3", "normal"): 0.12,
    ("expert@81fe89d3", "hard@81fe89d3"): 0.08,
    ("hard", "hard@81fe89d3"): 0.08,
    ("hard", "normal"): 0.12,
    ("expert", "hard"): 0.0,
}
#: Level -> limit of the 95th percentile of CPU milliseconds per play.
MOST_MS = {"easy": 5.0, "normal": 5.0, "hard": 150.0, "expert": 1500.0}
#: Levels at a table while their plays are timed.
TIMED = (("easy", "normal"), ("hard", "expert"))
#: Games in which plays are timed: ruleset and seats.
GAMES = (("shengji", 4), ("zhaopengyou", 8), ("zhaopengyou", 12), ("arms_length", 4))


def main() -> None:
    """Print both tables, and whether the aims are reached."""
    strength()
    cost()


def cost() -> None:
    """Print the CPU time of a play of each level in each game."""
    rows, aims = [], []
    for ruleset, players in GAMES:
        for names in TIMED:
            times = cpu([sample(Arm(names, ruleset, players, None), deal) for deal in range(2)])
            for level in names:
                median, late = times[level]
                rows.append((f"{level}, {ruleset} with {players}", f"{median:.1f}", f"{late:.1f}"))
                aims.append((f"CPU ms a play of {level} at p95, {ruleset} with {players}", late, MOST_MS[level]))
    report.table(("CPU ms of a play, two deals", "p50", "p95"), rows)
    for what, measured, most in aims:
        report.aim(what, measured, at_most=most)


def strength() -> None:
    """Print a table of all saved matches, and which current levels reach their aims."""
    rows, aims = [], []
    for name in saved.names():
        samples = list(saved.read(name).values())
        match = re.fullmatch(rf"(\w+)-(\d+)(?:-({'|'.join(ONLY)}))?-([\w@]+)-([\w@-]+)", name)
        if match is None or len(samples) < 2:
            continue
        ruleset, players, only, first, second = match.groups()
        estimate = summary(samples)
        title = Arm((first, second), ruleset, int(players), only).title
        level = f"{estimate.level:+.3f} ± {estimate.half:.3f}"
        rows.append((title, str(estimate.deals), level))
        gate = GATES.get((first, second))
        if gate is not None and RULESETS[ruleset].teams != "fixed":
            # The points of Arm's Length are not levels either.
            gate = 0.0
        if gate is not None:
            aims.append((f"lower bound of {title}", estimate.least, gate))
    report.table(("levels a round (Arm's Length: points), 95 % interval", "deals", "gain"), rows)
    for what, measured, least in aims:
        report.aim(what, measured, at_least=least)


if __name__ == "__main__":
    main()
