"""The rule vectors, and parametrised tests by kind."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

FOLDER = Path(__file__).parents[1] / "vectors"
Case = dict[str, Any]

#: Options with other names or values than in the vectors: those of the vectors -> those of a table.
NAMES: Final[Mapping[str, str]] = {"end_round": "throw_forfeit"}
VALUES: Final[Mapping[tuple[str, str], str]] = {
    ("equal_rank_tractors", "no"): "apart",
    ("equal_rank_tractors", "yes"): "adjacent",
    ("ruff_must_match", "no"): "never",
    ("kitty_factor", "by_lead_2^n"): "by_lead_power",
}


def options_said(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a vector with the names of this service."""
    return {
        NAMES.get(name, name): VALUES.get((name, value), value) if isinstance(value, str) else value
        for name, value in options.items()
    }


@cache
def cases() -> list[Case]:
    """Return all cases of all files; copy one before modifying it."""
    files = sorted(path for path in FOLDER.glob("*.json") if path.name != "schema.json")
    all_cases = [case for path in files for case in json.loads(path.read_text(encoding="utf-8"))]
    return [{**case, "options": options_said(case["options"])} for case in all_cases]


def parametrised(
    kinds: Iterable[str], chosen: Iterable[Case] | None = None
) -> Callable[[Callable[[Case], None]], Callable[[str], None]]:
    """Return a decorator that makes a test for each kind, which runs all its cases and reports those that fail."""

    def decorate(test: Callable[[Case], None]) -> Callable[[str], None]:
        @pytest.mark.parametrize("kind", sorted({case["kind"] for case in cases()} & {*kinds}))
        def run(kind: str) -> None:
            matching = [case for case in (cases() if chosen is None else chosen) if case["kind"] == kind]
            failed = [error for case in matching if (error := failure(test, case))]
            if failed:
                raise ExceptionGroup(f"{len(failed)} of {len(matching)} vectors", failed)

        run.__name__, run.__module__ = test.__name__, test.__module__
        return run

    return decorate


def failure(test: Callable[[Case], None], case: Case) -> Exception | None:
    """Return the exception of the test with this case, with the case's id as a note."""
    try:
        test(case)
    except Exception as error:  # noqa: BLE001 - raised later together with those of other cases
        error.add_note(f"vector {case['id']}")
        return error
    return None
