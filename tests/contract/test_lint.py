"""Linters find nothing wrong with the document."""

import json
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from harness.document import DOCUMENT, document
from tests.support.sorting import by_day
from tools.clients.toolchain import Tools

HERE = Path(__file__).parent


def redocly(tools: Tools, file: Path) -> list[str]:
    output = tools.npm("redocly", "lint", file, "--config", HERE / "redocly.yaml", "--format=json", check=False)
    problems = json.JSONDecoder().raw_decode(output[output.index("{") :])[0]["problems"]
    return [f"{each['ruleId']}: {each['message']} at {each['location'][0]['pointer']}" for each in problems]


def spectral(tools: Tools, file: Path) -> list[str]:
    output = tools.npm("spectral", "lint", "--ruleset", HERE / "spectral.yaml", "-q", "-f", "json", file, check=False)
    problems = json.JSONDecoder().raw_decode(output[output.index("[") :])[0]
    return [f"{each['code']}: {each['message']} at {'/'.join(each['path'])}" for each in problems]


#: Spectral takes ten times as long as Redocly and finds little more, so it runs only nightly.
LINTERS = by_day([redocly], [redocly, spectral])


@pytest.mark.parametrize("linter", LINTERS)
def test_linters_report_nothing(tools, linter):
    assert linter(tools, DOCUMENT) == []


@pytest.mark.parametrize("linter", LINTERS)
def test_linters_report_a_defect(tools, linter, tmp_path):
    """They report a missing summary and an invalid example, so their rules are in force."""
    broken = deepcopy(document())
    broken["paths"] = {"/v1": broken["paths"]["/v1"]}  # A small document is linted in a second.
    about = broken["paths"]["/v1"]["get"]
    del about["summary"], about["description"], about["operationId"]
    broken["components"]["examples"]["internal-error"]["value"]["status"] = "forbidden"
    file = tmp_path / "openapi.yaml"
    file.write_text(yaml.safe_dump(broken), encoding="utf-8")
    complaints = "\n".join(linter(tools, file))
    assert "operation-operationId" in complaints or "operation-summary" in complaints
    assert "example" in complaints
