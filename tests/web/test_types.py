"""The types in the client's comments agree with those generated from `openapi.yaml`."""

import shutil

from harness.client import CLIENT
from harness.document import DOCUMENT
from tools.clients.toolchain import ROOT, Tools

CONFIG = ROOT / "tests" / "web" / "programs" / "tsconfig.json"


def test_the_client_has_no_type_errors(tools: Tools, tmp_path) -> None:
    shutil.copytree(CLIENT, tmp_path / "client")
    shutil.copy(CONFIG, tmp_path / "client")
    tools.npm("openapi-typescript", DOCUMENT, "--output", tmp_path / "client" / "api.d.ts")
    assert tools.tsc("--project", tmp_path / "client" / "tsconfig.json") == ""
