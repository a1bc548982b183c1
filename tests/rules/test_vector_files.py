"""The vector files are valid, and no vector goes unused."""

import importlib.util
from types import ModuleType

import pytest

from tests.rules import test_vectors_rounds
from tests.rules.vectors import FOLDER, cases

#: Kinds on single tricks, run by `test_vectors_tricks.py`.
TRICKS = {"order", "adjacent", "lead", "throw", "claim", "follow", "trick"}


def checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_vectors", FOLDER / "check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_vector_files_pass_their_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert checker().main(FOLDER) == 0, capsys.readouterr().out


def test_a_case_of_an_unknown_kind_would_not_go_unnoticed() -> None:
    kinds = set()
    for test in vars(test_vectors_rounds).values():
        for mark in getattr(test, "pytestmark", []):
            kinds |= set(mark.args[1])
    assert {case["kind"] for case in cases()} == kinds | TRICKS
