"""Fixtures of the contract tests: those of `tests.api`."""

from tests.api.conftest import anybody, lin, world

__all__ = ["anybody", "lin", "world"]
