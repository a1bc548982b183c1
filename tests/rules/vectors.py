"""The rule vectors as test parameters: one case each, named by its id."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER = Path(__file__).parents[1] / "vectors"
Case = dict[str, Any]

#: Options whose names or values are others here than in the vectors: what the vectors say -> what a table says.
NAMES: Final[Mapping[str, str]] = {"end_round": "throw_forfeit"}
VALUES: Final[Mapping[tuple[str, str], str]] = {
    ("equal_rank_tractors", "no"): "apart",
    ("equal_rank_tractors", "yes"): "adjacent",
    ("ruff_must_match", "no"): "never",
    ("kitty_factor", "by_lead_2^n"): "by_lead_power",
}


def options_said(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a vector by the names of this service."""
    return {
        NAMES.get(name, name): VALUES.get((name, value), value) if isinstance(value, str) else value
        for name, value in given.items()
    }


def cases() -> list[Case]:
    """Return every case of every file."""
    files = sorted(path for path in FOLDER.glob("*.json") if path.name != "schema.json")
    found = [case for path in files for case in json.loads(path.read_text(encoding="utf-8"))]
    return [{**case, "options": options_said(case["options"])} for case in found]


def parametrised(kinds: Iterable[str], chosen: Iterable[Case] | None = None) -> pytest.MarkDecorator:
    """Return the decorator that runs a test with each case of these kinds as `case`."""
    wanted = set(kinds)
    matching = [case for case in (cases() if chosen is None else chosen) if case["kind"] in wanted]
    return pytest.mark.parametrize("case", matching, ids=[case["id"] for case in matching])
