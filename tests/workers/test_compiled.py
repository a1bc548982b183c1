"""Compiled AI players answer as plain ones do, and results of other sources are not used."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sorting import by_day
from workers.ai import compiled

#: Decisions of each ruleset that are compared, each by all levels: by day, and in `make nightly`.
BY_DAY = 8
NIGHTLY = 1_300


def copy(folder: Path) -> Path:
    """Return a folder with the sources alone."""
    for source in compiled.typed():
        for path in (source, source.with_suffix(".pxd")):
            copied = folder / path.relative_to(compiled.ROOT)
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copied)
    return folder


def make(root: Path, folder: Path) -> None:
    """Make empty results of the sources."""
    for name in compiled.names(root):
        path = folder / compiled.digest(root) / f"{name.replace('.', '/')}{compiled.SUFFIX}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


@pytest.mark.parametrize("module", ["trick", "bits"])
@pytest.mark.parametrize("suffix", [".py", ".pxd"])
def test_results_of_changed_sources_are_not_used(tmp_path: Path, suffix: str, module: str) -> None:
    root, folder = copy(tmp_path), tmp_path / "made"
    assert compiled.results(root, folder) == {}
    make(root, folder)
    assert set(compiled.results(root, folder)) == set(compiled.names())
    changed = next(path for path in compiled.typed(root) if path.stem == module).with_suffix(suffix)
    before = changed.read_bytes()
    changed.write_bytes(before + b"\n")
    assert compiled.results(root, folder) == {}
    changed.write_bytes(before)
    some_result = next(folder.rglob(f"*{compiled.SUFFIX}"))
    assert compiled.results(root, folder)
    some_result.unlink()
    assert compiled.results(root, folder) == {}


def test_a_module_with_results_is_imported_from_them() -> None:
    spec = compiled.Finder({"workers.ai.simulation.trick": Path("made.so")}).find_spec("workers.ai.simulation.trick")
    assert spec
    assert Path(str(spec.origin)).name == "made.so"
    assert compiled.Finder({}).find_spec("workers.ai.simulation.trick") is None


@pytest.mark.parametrize("decisions", by_day([BY_DAY], [BY_DAY, NIGHTLY]))
def test_compiled_players_answer_as_plain_ones_do(decisions: int) -> None:
    if not compiled.results():
        if decisions == BY_DAY:
            pytest.skip("not compiled: make compiled")
        command = [sys.executable, "scripts/compiled.py"]
        done = subprocess.run(command, cwd=compiled.ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(done.stderr)
        assert len((done.stdout + done.stderr).splitlines()) == 2, "it says what it does and how long it took"
    plain, fast = (answers(decisions, how) for how in "01")
    assert (plain[0], fast[0]) == ("plain", "compiled")
    assert plain[1:] == fast[1:]
    assert len({line.split()[-1] for line in plain}) > len(plain) // 2


def answers(decisions: int, how: str) -> list[str]:
    """Return what `tests.workers.answers` prints; `how`: "1" if compiled."""
    command = [sys.executable, "-m", "tests.workers.answers", str(decisions)]
    environment = {**os.environ, "COMPILED": how}
    return subprocess.run(
        command, cwd=compiled.ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()
