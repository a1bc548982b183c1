"""The source of the last release, from the history of the repository."""

from pathlib import Path

import pytest

from harness.make_run import ROOT, need
from tools.compatibility import last_commit
from tools.faults.upgrades import Build, last_released


def last_release_or_skip(folder: Path, *rooms: str) -> Build:
    """Return the last release as `last_released`; skip the test where there is no history."""
    need("git")
    if not (ROOT / ".git").exists() or not last_commit():
        pytest.skip("no history of the repository: the last release is unknown")
    folder.mkdir(exist_ok=True)
    return last_released(folder, *rooms)
