"""The tools of client developers, and what these tools generate from the document."""

from pathlib import Path

import pytest

from tests.clients.tools import Tools, installed_or_skip
from tests.document import DOCUMENT


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Linters, generators and compilers."""
    return installed_or_skip()


@pytest.fixture(scope="session")
def python_client(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the package that openapi-python-client makes; it has made all of it, without a word of warning."""
    folder = tmp_path_factory.mktemp("generated") / "python"
    said = tools.run("openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", folder)
    assert said.split() == ["Generating", str(folder)]
    return folder


@pytest.fixture(scope="session")
def typescript_types(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with `api.ts`, made by openapi-typescript."""
    folder = tmp_path_factory.mktemp("generated")
    tools.npm("openapi-typescript", DOCUMENT, "--output", folder / "api.ts")
    return folder
