"""How strong the AI levels are, from matches that were saved.

    python -m bench.ai_match hard normal --deals 400 --save bench/matches     plays, and goes on where it stopped
    python -m bench ai                                                        writes what there is

Matches take hours, so this plays none.
"""

import json
import re
from pathlib import Path

from bench import report
from bench.ai_match import cpu, summary

MATCHES = Path(__file__).parent / "matches"
#: Players -> what the lower 95 % bound of the first one's gain must exceed, in levels a round.
GATES = {
    ("easy", "random"): 0.8,
    ("normal", "normal@e3a26f4"): 0.1,
    ("normal", "easy-without-noise"): 0.2,
    ("hard", "normal"): 0.12,
    ("expert", "hard"): 0.08,
}
#: Level -> most CPU milliseconds of a play at the 95th percentile.
MOST_MS = {"easy": 5.0, "normal": 5.0, "hard": 150.0, "expert": 1500.0}


def _level(player: str) -> str:
    """Return the level of a player, without its revision."""
    return player.partition("@")[0]


def _gate(first: str, second: str) -> float | None:
    """Return what a match must show; players of one revision stand for those of today."""
    return GATES.get((first, second)) or GATES.get((_level(first), _level(second)))


def main() -> None:
    """Print a table of all saved matches, and which aims they reach."""
    rows, aims = [], []
    for file in sorted(MATCHES.glob("*.jsonl")):
        samples = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        found = re.fullmatch(r"(\w+)-(\d+)(-play|-side)?-([\w@]+)-([\w@-]+)", file.stem)
        if found is None or len(samples) < 2:
            continue
        ruleset, players, only, first, second = found.groups()
        seen, times = summary(samples), cpu(samples)
        how = {"-play": ", play only", "-side": ", whole sides"}.get(only, "")
        game = f"{ruleset} with {players}{how}"
        took = times.get(first) or times.get(_level(first))
        level = f"{seen.level:+.3f} ± {seen.half:.3f}"
        cpu_ms = f"{took[0]:.1f} / {took[1]:.1f}" if took else ""
        rows.append((f"{first} against {second}, {game}", str(seen.deals), level, cpu_ms))
        # Points of Arm's Length are no levels.
        gate = None if ruleset == "arms_length" else _gate(first, second)
        if gate is not None:
            aims.append((f"lower bound of {first} against {second}, {game}", seen.least, gate, None))
        most_ms = MOST_MS.get(_level(first))
        if most_ms is not None and took:
            aims.append((f"CPU ms a play of {first} at p95, {game}", took[1], None, most_ms))
    report.table(
        ("levels a round (Arm's Length: points), 95 % interval", "deals", "gain", "CPU ms a play, p50 / p95"), rows
    )
    for what, measured, least, most in aims:
        report.aim(what, measured, at_least=least, at_most=most)


if __name__ == "__main__":
    main()
