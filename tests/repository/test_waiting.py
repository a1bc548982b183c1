"""Tests wait in one way: `harness.waiting.wait_until`, which says what has not come."""

import ast
from collections.abc import Iterator

import pytest

from harness.waiting import wait_until
from tests.repository.test_imports import modules

#: Loops that sleep, but wait for nothing: they act again and again, at a pace or for a time. Programs in
#: `tools` do little else.
PACED = {
    ("tests.clients.programs.breakable_client", "follow"),
    ("tests.clients.programs.breakable_client", "request"),
    ("tests.deployment.test_run", "watch_for_ever"),
    ("tests.faults.test_lifetimes", "test_a_table_with_activity_does_not_expire"),
    ("tests.faults.test_notices", "test_no_due_notice_is_lost_whatever_is_killed"),
    ("tests.web.beside", "plays_on"),
}


def sleeping() -> Iterator[tuple[str, str]]:
    """Module and function of each loop that sleeps."""
    for module, path in modules("tests", "harness").items():
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and any(map(_sleeps, _own(function))):
                yield module, function.name


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions in it."""
    ahead: list[ast.AST] = list(function.body)
    while ahead:
        node = ahead.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            ahead += ast.iter_child_nodes(node)


def _sleeps(node: ast.AST) -> bool:
    return isinstance(node, (ast.While, ast.For)) and any(
        isinstance(inner, ast.Call) and ast.unparse(inner.func) == "time.sleep" for inner in ast.walk(node)
    )


def test_nobody_else_waits_in_a_loop() -> None:
    assert set(sleeping()) == PACED


def test_a_wait_says_what_has_not_come() -> None:
    answers = iter([0, OSError("down"), 7])

    def number_of_questions() -> int:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    assert wait_until(number_of_questions, despite=(OSError,), pause=lambda: None) == 7
    with pytest.raises(AssertionError, match="the moon"):
        wait_until(lambda: False, "the moon", seconds=0)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        wait_until(lambda: 1 / 0, despite=(ZeroDivisionError,), seconds=0)
