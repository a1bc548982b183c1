"""The report of a soak: what was done, what came of it, and which recoveries were seen. As Markdown and as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple


class Report(NamedTuple):
    """The result of a run.

    Attributes:
        wrong: everything wrong.
        figures: by name.
        given: settings of the run, to repeat it.
        faults: kinds of faults that were injected, and how often.
        recoveries: kinds of recovery that were seen, and how often; 0 for one that was possible.
    """

    wrong: list[str]
    figures: dict[str, int | float]
    given: Mapping[str, Any] = {}
    faults: Mapping[str, int] = {}
    recoveries: Mapping[str, int] = {}

    def write(self, folder: Path) -> None:
        """Write `report.md`, `report.json`, and everything wrong, a line each, to `wrong.txt`."""
        (folder / "report.json").write_text(json.dumps(self._asdict(), indent=1) + "\n", encoding="utf-8")
        (folder / "report.md").write_text(self.text(), encoding="utf-8")
        (folder / "wrong.txt").write_text("".join(f"{each}\n" for each in self.wrong), encoding="utf-8")

    def text(self) -> str:
        """Return it as Markdown."""
        title = f"# Soak of {self.given.get('version', '?')}, seed {self.given.get('seed', '?')}"
        result = f"{len(self.wrong)} things are wrong" if self.wrong else "Nothing is wrong."
        parts = [title, "", result, *_table("run", self.given), *_table("figure", self.figures)]
        parts += [*_table("fault", self.faults), *_table("recovery", self.recoveries), ""]
        return "\n".join([*parts, *(f"- {each}" for each in self.wrong[:50])]).rstrip() + "\n"


def recoveries(faults: Mapping[str, int], figures: Mapping[str, float], counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often each kind of recovery was seen, of those that the faults call for."""
    killed = sum(count for kind, count in faults.items() if kind.startswith("kill_"))
    stopped = sum(count for kind, count in faults.items() if kind.startswith(("late_", "long_", "stop_")))
    ways = {
        **counts,
        "a killed process was replaced, and no table stood still": killed,
        "a process that hung went on": stopped,
        "a request without an answer was sent again, and taken once": int(figures["sent again"]),
        "a request that was put off (503) was taken later": int(figures["put off (503)"]),
        "windows moved by what an outage took": int(figures["windows moved"]),
        "a decision timed out, and the game went on": int(figures["timeouts"]),
        "a game ended and was kept": int(figures["games"]),
    }
    if "takeovers" in figures:
        ways["a stream or a client began anew after a takeover"] = int(figures["resets"])
    return ways


def _table(head: str, rows: Mapping[str, Any]) -> Sequence[str]:
    return ["", f"| {head} | |", "|---|--:|", *(f"| {name} | {value} |" for name, value in rows.items())]
