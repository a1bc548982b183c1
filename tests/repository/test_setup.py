"""The setup of a fresh clone needs only make and Python, installs exactly the locked versions, and runs once."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from harness.make_run import ROOT

#: Files read by `make .venv/.runtime`.
NEEDED = ("Makefile", "pyproject.toml", "uv.lock", "requirements.txt", "requirements-dev.txt", "scripts")
#: Programs of a bare Debian in addition to make and Python. uv is not among them.
BARE = (
    "sh",
    "awk",
    "basename",
    "cat",
    "cp",
    "date",
    "dirname",
    "env",
    "find",
    "grep",
    "ls",
    "mkdir",
    "mv",
    "rm",
    "sed",
    "touch",
)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with the files for the setup, in a folder whose name contains a space."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment with make, Python and the programs of a bare Debian on PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("make", *BARE):
        if path := shutil.which(name):
            (programs / name).symlink_to(path)
    (programs / "python3").symlink_to(sys._base_executable)  # type: ignore[attr-defined]
    variables = ("HOME", "LANG", "TMPDIR", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE")
    registry = {name: value for name, value in os.environ.items() if name in variables or name.startswith("PIP_")}
    return {**registry, "PATH": str(programs)}


def make(folder: Path, environment: dict[str, str], *targets: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "-j2", *targets]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


#: Packages that suffice here: `.ci/run` itself installs all of them.
FEW = ("blinker", "click", "flask", "itsdangerous", "jinja2", "markupsafe", "werkzeug")


def test_the_setup_needs_only_make_and_python_and_runs_once(clone: Path, bare: dict[str, str]) -> None:
    listed = re.findall(r"^\S+==(?:.*\\\n)*.*\n", (clone / "requirements.txt").read_text(), re.MULTILINE)
    (clone / "requirements.txt").write_text("".join(each for each in listed if each.startswith(FEW)))
    first = make(clone, bare, ".venv/.runtime")
    assert first.returncode == 0, first.stderr
    said = r"Setting up \.venv \(runtime\): \d+ packages\. The first time, .*\nDone in \d+ s\.\n"
    assert re.fullmatch(said, first.stdout + first.stderr), "it says what takes long and how long it took, and no more"
    python = [str(clone / ".venv/bin/python"), "-c"]
    subprocess.run([*python, "import flask"], check=True)
    assert subprocess.run([*python, "import pytest"], capture_output=True, check=False).returncode == 1
    assert subprocess.run([*python, "import pip"], capture_output=True, check=False).returncode == 1
    again = make(clone, bare, ".venv/.runtime")
    assert "Setting up" not in again.stdout + again.stderr
    (clone / "uv.lock").touch()
    (clone / "requirements.txt").write_text("flask==3.1.3 --hash=sha256:" + 64 * "0" + "\n")
    shutil.rmtree(clone / ".venv")
    forged = make(clone, bare, ".venv/.runtime")
    assert forged.returncode != 0
    assert "DO NOT MATCH" in forged.stderr
    assert not (clone / ".venv/.runtime").exists(), "what failed is tried again"


def test_without_a_python_it_says_what_to_install(clone: Path, bare: dict[str, str]) -> None:
    (Path(bare["PATH"]) / "python3").unlink()
    done = make(clone, bare, "run")
    assert done.returncode != 0
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "apt install python3" in done.stderr


def python_that_notes(folder: Path, *, is_optimized: bool) -> Path:
    """Put a Python into a folder that says how it was built; return the file to which it writes its arguments."""
    folder.mkdir(exist_ok=True)
    program = folder / "python3"
    program.unlink(missing_ok=True)
    program.write_text(
        f"""#!/bin/sh
echo "$*" >>'{folder}/used'
case "$*" in *--enable-optimizations*) exit {int(not is_optimized)} ;; esac
exec '{sys._base_executable}' "$@"
"""  # type: ignore[attr-defined]
    )
    program.chmod(0o755)
    return folder / "used"


@pytest.mark.parametrize(
    ("other", "named", "is_used"), [(True, False, False), (False, False, True), (True, True, True)]
)
def test_the_first_optimized_python_is_used_unless_one_is_named(
    clone: Path, bare: dict[str, str], tmp_path: Path, other: bool, named: bool, is_used: bool
) -> None:
    by_hand = python_that_notes(tmp_path / "built by hand", is_optimized=False)
    python_that_notes(Path(bare["PATH"]), is_optimized=other)
    environment = {**bare, "PATH": f"{by_hand.parent}:{bare['PATH']}"}
    if named:
        environment["PYTHON"] = str(by_hand.with_name("python3"))
    # Which Python is used says the environment that it makes; nothing need be installed there.
    for wheel in (clone / "scripts").glob("pip-*.whl"):
        wheel.unlink()
        wheel.mkdir()
        (wheel / "pip").touch()
    done = make(clone, environment, ".venv/.runtime")
    assert done.returncode == 0, done.stderr
    assert ("-m venv" in by_hand.read_text()) == is_used


def test_help_lists_every_target_for_people() -> None:
    text = (ROOT / "Makefile").read_text()
    targets = set(re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE).group(1).split())  # type: ignore[union-attr]
    process = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert {line.split()[1] for line in process.splitlines()} == targets


def lock() -> dict[str, Any]:
    return tomllib.loads((ROOT / "uv.lock").read_text())


def test_the_requirements_files_match_the_lock() -> None:
    hashes = {
        f"{package['name']}=={package['version']}": {
            file["hash"] for file in [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        }
        for package in lock()["package"]
        if "registry" in package["source"]
    }
    listed = set()
    for name in ("requirements.txt", "requirements-image.txt", "requirements-dev.txt", "requirements-compile.txt"):
        for entry in (ROOT / name).read_text().replace("\\\n", " ").splitlines():
            if entry.strip() and not entry.strip().startswith("#"):
                pinned = entry.split()[0]
                listed.add(pinned.partition("==")[0])
                assert set(re.findall(r"sha256:\w+", entry)) == hashes[pinned], f"{name}: {pinned}; run `make lock`"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [*project["dependency-groups"]["dev"], *project["dependency-groups"]["docs"]]
    wanted = [*project["project"]["dependencies"], *(text for text in groups if isinstance(text, str))]
    assert {re.match(r"[\w-]+", text)[0].lower() for text in wanted} <= listed  # type: ignore[index]


def test_the_image_has_the_packages_for_traces_and_sentry() -> None:
    def listed(name: str) -> set[str]:
        return set(re.findall(r"^([\w.-]+)==", (ROOT / name).read_text(), re.MULTILINE))

    groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    extra = {text.partition(">=")[0] for name in ("traces", "sentry") for text in groups[name]}
    assert extra | listed("requirements.txt") <= listed("requirements-image.txt")
    assert "scripts/setup image" in (ROOT / "Dockerfile").read_text()


def test_the_bundled_pip_is_the_published_one() -> None:
    (wheel,) = (ROOT / "scripts").glob("pip-*.whl")
    assert wheel.name == "pip-26.3-py3-none-any.whl"
    known = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == known


@pytest.mark.parametrize(
    "lock",
    [
        "uv.lock",
        "requirements.txt",
        "requirements-image.txt",
        "requirements-dev.txt",
        "requirements-compile.txt",
        "tools/clients/tools.txt",
    ],
)
def test_locks_name_only_the_public_registry(lock: str) -> None:
    hosts = set(re.findall(r"https?://([^/\s\"]+)", (ROOT / lock).read_text(encoding="utf-8")))
    assert hosts <= {"pypi.org", "files.pythonhosted.org"}
