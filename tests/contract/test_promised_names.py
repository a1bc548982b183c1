"""Names outside the document that docs/stability.md promises: none of the last release has gone without a note."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.make_run import ROOT
from tests.support.releases import last_release_or_skip
from tools.compatibility import CHANGELOG, last_release, unnoted
from workers.__main__ import ROLES

#: Prints the public names of the package on the path: what it exports, its methods and parameters, its types' fields.
PUBLIC = """
import importlib, inspect, json, typing
names = set()

def parameters(name, function):
    for each in inspect.signature(function).parameters.values():
        # `**options` of a type that names them.
        more = [field for kind in typing.get_args(each.annotation) for field in getattr(kind, "__annotations__", ())]
        open = (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        shown = more or ([] if each.kind in open or each.name in ("self", "cls") else [each.name])
        names.update(f"{name}({part})" for part in shown)

for module in ("shengji_client", "shengji_client.testing", "shengji_client.models"):
    for name, value in vars(importlib.import_module(module)).items():
        origin = getattr(value, "__module__", module)
        if name.startswith("_") or inspect.ismodule(value) or not str(origin).startswith("shengji_client"):
            continue
        names.add(f"{module}.{name}")
        if typing.is_typeddict(value):
            names.update(f"{name}.{field}" for field in value.__annotations__)
        elif inspect.isfunction(value):
            parameters(name, value)
        elif inspect.isclass(value):
            parameters(name, value.__init__)
            for part, method in vars(value).items():
                method = inspect.unwrap(getattr(method, "__func__", method))
                if not part.startswith("_"):
                    names.add(f"{name}.{part}")
                    if inspect.isfunction(method):
                        parameters(f"{name}.{part}", method)
print(json.dumps(sorted(names)))
"""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the last release."""
    return last_release_or_skip(tmp_path_factory.mktemp("earlier"), "docs", "deploy", "clients/python").folder


def gone(before: set[str], now: set[str]) -> list[str]:
    """Return which names of the last release are neither there now nor in the changelog."""
    lost = before - now
    # Parameters go with what has them.
    breaks = [(name, "is gone") for name in sorted(lost) if name.partition("(")[0] not in lost - {name}]
    noted = unnoted(breaks, CHANGELOG.read_text(encoding="utf-8"), last_release().version)
    return [name for name, _ in noted]


def rows(folder: Path, heading: str) -> Iterator[tuple[str, str]]:
    """Yield the first cell and the rest of each row of a table in the operations page."""
    text = (folder / "docs" / "operations.md").read_text(encoding="utf-8")
    part = text.partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    yield from ((row[1], row[2]) for row in re.finditer(r"^\| (`[^|]*) \| (.*)", part, re.MULTILINE))


def test_no_setting_has_gone(earlier: Path) -> None:
    def settings(folder: Path) -> set[str]:
        return {first.strip("`") for first, _ in rows(folder, "## Settings")}

    assert {"PORT", "LIMIT_ACT"} < settings(earlier)
    assert gone(settings(earlier), settings(ROOT)) == []


def test_no_metric_label_or_alert_has_gone(earlier: Path) -> None:
    def metrics(folder: Path) -> set[str]:
        names: set[str] = set()
        for first, rest in rows(folder, "## Metrics"):
            of_row = re.findall(r"`(\w+)`", first)
            labels = re.match(r"by ((?:`\w+`(?: \([^)]*\))?(?:, | and )?)+)", rest)
            names |= {*of_row}
            if labels:
                by = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", labels[1]))
                names |= {f"{name}{{{label}}}" for name in of_row for label in by}
        return names

    def alerts(folder: Path) -> set[str]:
        files = (folder / "deploy" / "prometheus").glob("*.y*ml")
        return {name for file in files for name in re.findall(r"alert: (\w+)", file.read_text(encoding="utf-8"))}

    assert {"job_seconds{queue}", "code_guesses_total{outcome}"} < metrics(earlier)
    assert gone(metrics(earlier), metrics(ROOT)) == []
    assert gone(alerts(earlier), alerts(ROOT)) == []


def test_no_command_has_gone(earlier: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (earlier / "docs").glob("*.md"))
    commands = {*re.findall(r"python -m ((?:service|workers)[\w.]*(?: [a-z][a-z-]*)?)", pages)}
    assert {"workers clock", "service.backup restore"} <= commands
    backup = [sys.executable, "-m", "service.backup", "--help"]
    told = subprocess.run(backup, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [choices] = re.findall(r"\{([a-z,]+)\} file", told)
    now = {f"workers {role}" for role in ROLES} | {f"service.backup {choice}" for choice in choices.split(",")}
    now |= {f"service.{file.stem}" for file in (ROOT / "service").glob("*.py")}
    assert gone(commands, now) == []


def public_names(folder: Path) -> set[str]:
    """Return the public names of the package for Python in a source tree."""
    program = [sys.executable, "-c", PUBLIC]
    done = subprocess.run(program, cwd=folder / "clients" / "python", capture_output=True, text=True, check=True)
    return {*json.loads(done.stdout)}


def test_no_public_name_of_the_package_for_python_has_gone(earlier: Path) -> None:
    before = public_names(earlier)
    assert {"shengji_client.Client", "Table.act(action)", "View.seats", "RecordedGame.until"} < before
    assert gone(before, public_names(ROOT)) == []


def test_every_problem_has_the_status_and_the_params_of_before(earlier: Path) -> None:
    recorded = Path("clients", "python", "shengji_client", "recorded", "problems.json")
    before, now = (json.loads((folder / recorded).read_text(encoding="utf-8")) for folder in (earlier, ROOT))
    parts = [
        {f"{code}.{name}" for code, each in told.items() for name in (each["status"], *each.get("params", {}))}
        for told in (before, now)
    ]
    assert "seat-taken.409" in parts[0]
    assert gone(*parts) == []
