"""Functions are short and have few branches."""

import ast
from collections.abc import Iterator

from tests.repository.test_imports import ROOT

MOST_LINES, MOST_BRANCHES = 60, 15
TOPS = ("service", "workers", "clients", "tests", "tools", "harness", "bench", "laboratory", "demo", "scripts")
BRANCHES = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.BoolOp, ast.comprehension, ast.match_case)

#: Tables of data and lists of names, written as functions; no other function is beyond the bounds.
TABLES = {
    "service/wiring.py::__init__",
    "tests/contract/test_compatibility.py::small",
    "tests/web/screens/test_screens.py::screens_of",
    "tests/workers/seen.py::view_of",
}


def _own(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions in it."""
    ahead: list[ast.AST] = list(function.body)
    while ahead:
        node = ahead.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            ahead += ast.iter_child_nodes(node)


def sizes(tree: ast.AST) -> Iterator[tuple[str, int, int]]:
    """Name, lines and branches of each function; a chain of `and` or `or` is one branch."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield node.name, lines, sum(isinstance(inner, BRANCHES) for inner in _own(node))


def beyond() -> Iterator[str]:
    """Yield the functions with more lines or branches."""
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            for name, lines, branches in sizes(ast.parse(path.read_text(encoding="utf-8"))):
                if lines > MOST_LINES or branches > MOST_BRANCHES:
                    yield f"{path.relative_to(ROOT)}::{name}"


def test_functions_are_short_and_have_few_branches() -> None:
    assert set(beyond()) == TABLES


def test_a_function_with_too_many_branches_is_found() -> None:
    text = "def f(x):\n" + "".join(f"    if x == {n} and x:\n        return {n}\n" for n in range(8))
    assert list(sizes(ast.parse(text))) == [("f", 17, 16)]
