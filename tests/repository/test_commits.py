"""The check of commit subjects in `make lint`."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from harness.make_run import ROOT, need

SCRIPT = ROOT / "scripts" / "check_commits.py"
_spec = importlib.util.spec_from_file_location("check_commits", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
check_commits = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check_commits)


@pytest.mark.parametrize(
    "message",
    [
        "Add a lobby",
        "Pass the clock to the store",
        "Re-read the log after a reset",
        "Feed streams from the log\n\nPolling doubled the load.",
        "Add " + 68 * "x",
    ],
)
def test_a_subject_in_the_imperative_is_fine(message: str) -> None:
    assert list(check_commits.complaints(message)) == []


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("Add " + 69 * "x", "73 characters"),
        ("Add a lobby.", "full stop"),
        ("Add a lobby\nwith pages", "empty line"),
        ("Adds a lobby", "imperative"),
        ("Added a lobby", "imperative"),
        ("Adding a lobby", "imperative"),
        ("The lobby has pages", "imperative"),
        ("add a lobby", "imperative"),
        ("lobby: add pages", "imperative"),
        ("Lobby", "imperative"),
    ],
)
def test_any_other_subject_is_refused_with_the_reason(message: str, complaint: str) -> None:
    (reason,) = check_commits.complaints(message)
    assert complaint in reason


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT], cwd=folder, capture_output=True, text=True, check=False)


def test_a_shallow_clone_is_checked_completely_and_a_bad_subject_fails(tmp_path: Path) -> None:
    need("git")

    def commit(subject: str) -> None:
        git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], cwd=tmp_path, check=True)

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    commit("Add a lobby")
    assert run(tmp_path).returncode == 0
    commit("Some lobby")
    done = run(tmp_path)
    assert done.returncode == 1
    assert "Some lobby" in done.stdout
    assert "Add a lobby" not in done.stdout


def test_without_git_history_it_says_so_and_passes(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (0, "Commit subjects are not checked: no git history here.\n")
