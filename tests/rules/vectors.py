"""The rule vectors, and how they are handed to tests: one case each, by its id."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "vectors"
Case = dict[str, Any]


def cases() -> list[Case]:
    """Return every case of every file."""
    files = sorted(path for path in FOLDER.glob("*.json") if path.name != "schema.json")
    return [case for path in files for case in json.loads(path.read_text(encoding="utf-8"))]


def parametrised(kinds: Iterable[str], chosen: Iterable[Case] | None = None) -> pytest.MarkDecorator:
    """Return the decorator that runs a test with each case of these kinds as `case`."""
    wanted = set(kinds)
    matching = [case for case in (cases() if chosen is None else chosen) if case["kind"] in wanted]
    return pytest.mark.parametrize("case", matching, ids=[case["id"] for case in matching])
