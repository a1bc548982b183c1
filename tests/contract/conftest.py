"""Fixtures of the contract tests: those of `tests.api`, and tools of client developers."""

import pytest

from tests.api.conftest import anybody, lin, world
from tests.clients.tools import Tools, installed_or_skip

__all__ = ["anybody", "lin", "tools", "world"]


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Linters, generators and compilers."""
    return installed_or_skip()
