"""Break the code at random places, one at a time, and see whether the tests of its room notice.

`python -m tests.mutants --seed 1 --each 30` samples mutants of rules, game, store and api, and prints for each whether
it was killed, and by which test. `--save FILE` notes that; `--known FILE` tries the mutants of that file again, each
first with the test that killed it, and fails if one that was killed now survives. `--before COMMIT` samples from code
that is the same in that commit, gives survivors to the tests of that commit, and fails if those kill one.

Each mutant first meets some of the room's tests, chosen by chance, in a process that is forked when these are collected
and exchanges the code of one function. Those that survive meet all tests together, in files.

The tree is not touched: mutants live in a copy.
"""

import argparse
import ast
import compileall
import gc
import json
import os
import py_compile
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("rules", "game", "store", "api")
#: What a mutant that never ends may take; a room's tests take a fraction of it.
LIMIT_S = 3600
#: How many tests a mutant meets alone, and their processor time if it never ends.
FIRST = 200
FIRST_S = 120

SWAPPED: dict[type[ast.AST], Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
}


class Mutant(NamedTuple):
    """One change of one file: the characters from `start` to `end` become `text`."""

    room: str
    path: str
    start: int
    end: int
    name: str
    text: str
    #: The function around it (or the statement of the module), and where in it the change begins.
    around: str
    at: int

    @property
    def twin(self) -> tuple[Any, ...]:
        """What it has in common with the same mutant of another revision."""
        return self.around, self.at, self.text


def mutants(path: Path, room: str, root: Path = ROOT) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    content = source.encode()
    tree = ast.parse(source)

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or 0, node.end_col_offset or 0
        return starts[node.lineno - 1] + node.col_offset, starts[end_line - 1] + end_column

    hints = {
        id(inner)
        for node in ast.walk(tree)
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if hint
        for inner in ast.walk(hint)
    }
    around: dict[int, ast.stmt] = {}
    for outer in (*tree.body, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))):
        around |= dict.fromkeys(map(id, ast.walk(outer)), outer)
    seen: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)) and id(node) not in hints and (changed := _changed(node)):
            start, end = span(node)
            first, last = span(around[id(node)])
            where = str(path.relative_to(root))
            name = f"{where}: {_short(content[start:end].decode())} → {_short(changed)}"
            # Told apart by their code, not by their line, so that they are found again after a change elsewhere.
            seen[name] += 1
            known = content[first:last].decode()
            yield Mutant(room, where, start, end, f"{name} ({seen[name]})", changed, known, start - first)


def _changed(node: ast.AST) -> str | None:
    """The node's source after the change, in parentheses where it is an expression; None if it is left alone."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            text = ast.unparse(ast.Compare(node.left, [SWAPPED[type(op)]()], node.comparators))
        case ast.BoolOp():
            text = ast.unparse(ast.BoolOp(SWAPPED[type(node.op)](), node.values))
        case ast.BinOp() if type(node.op) in SWAPPED and not _is_text(node):
            text = ast.unparse(ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right))
        case ast.UnaryOp(op=ast.Not()):
            text = ast.unparse(node.operand)
        case ast.Constant(value=bool()):
            text = str(not node.value)
        case ast.Constant(value=int(number)):
            text = str(number + 1)
        case ast.IfExp():
            text = ast.unparse(ast.IfExp(node.test, node.orelse, node.body))
        case ast.Expr(value=ast.Call()):
            return "pass"
        case _:
            return None
    return f"({text})"


def _is_text(node: ast.BinOp) -> bool:
    return any(
        isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) or _is_string(side) for side in (node.left, node.right)
    )


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"


@contextmanager
def applied(chosen: list[Mutant], tree: Path) -> Iterator[None]:
    """The tree with these mutants, which must not overlap."""
    whole = {path: (tree / path).read_bytes() for path in {mutant.path for mutant in chosen}}
    try:
        for path, content in whole.items():
            changed = content
            for mutant in sorted((one for one in chosen if one.path == path), key=lambda one: -one.start):
                changed = changed[: mutant.start] + mutant.text.encode() + changed[mutant.end :]
            (tree / path).write_bytes(changed)
        yield
    finally:
        for path, content in whole.items():
            (tree / path).write_bytes(content)


def killer(mutant: Mutant, tree: Path, tests: list[str]) -> str | None:
    """The test that fails for this mutant ("import" if nothing can be imported, "hang" if it never ends), or None."""
    with applied([mutant], tree):
        return failing(tree, tests)


class Forking:
    """A plugin of pytest that tries each mutant in a process of its own, forked when all tests are collected."""

    def __init__(self, chosen: list[Mutant], test: str | None) -> None:
        self._chosen = chosen
        self._test = test
        self._failed = ""
        self.found: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for mutant in self._chosen:
            receiver, sender = os.pipe()
            if not (child := os.fork()):
                try:
                    resource.setrlimit(resource.RLIMIT_CPU, (FIRST_S, FIRST_S))
                    os.write(sender, self._killer(mutant, session).encode())
                finally:
                    os._exit(0)
            os.close(sender)
            with os.fdopen(receiver) as answer:
                test = answer.read()
            if os.waitpid(child, 0)[1]:
                test = "hang"
            if test:
                self.found[mutant.name] = test
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed = report.nodeid

    def _killer(self, mutant: Mutant, session: pytest.Session) -> str:
        if not exchanged(mutant):
            return ""
        tests = [test for test in session.items if self._test in {None, test.nodeid}]
        tests = random.Random(mutant.name).sample(tests, min(FIRST, len(tests)))
        for test, following in pairwise([*tests, None]):
            if test and not self._failed:
                session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        session._setupstate.teardown_exact(None)
        return self._failed


def exchanged(mutant: Mutant) -> bool:
    """Exchange the code of the functions that have this mutant; False if it is in none."""
    path = ROOT / mutant.path
    whole = path.read_bytes()
    before = list(codes(compile(whole, path, "exec", dont_inherit=True)))
    changed = whole[: mutant.start] + mutant.text.encode() + whole[mutant.end :]
    after = list(codes(compile(changed, path, "exec", dont_inherit=True)))
    if len(before) != len(after):
        return False
    others = {code: other for code, other in zip(before, after, strict=True) if code != other}
    gc.unfreeze()  # `tests/conftest.py` freezes what was imported
    functions = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    hit = [one for one in functions if one.__code__.co_filename == str(path) and one.__code__ in others]
    for function in hit:
        with suppress(ValueError):  # it has other variables of the function around it, which is exchanged, too
            function.__code__ = others[function.__code__]
    return bool(hit)


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code and all codes in it, always in the same order."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def forked(room: str, chosen: list[Mutant], test: str | None = None) -> dict[str, str]:
    """Which of some tests of the room, or of this one, kills each mutant alone, by name."""
    receiver, sender = os.pipe()
    if not (child := os.fork()):
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        trying = Forking(chosen, test)
        pytest.main(["-q", "--timeout=120", "-p", "no:cacheprovider", test or f"tests/{room}"], plugins=[trying])
        with os.fdopen(sender, "w") as answer:
            json.dump(trying.found, answer)
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver) as answer:
        found: dict[str, str] = json.load(answer)
    os.waitpid(child, 0)
    return found


def killers(chosen: list[Mutant], tree: Path, *, is_old: bool = False) -> dict[str, str]:
    """Which tests kill these mutants of a room, by name; those that survive are left out.

    They are applied together: one run without a failure shows that each of them survives.
    """
    together: list[Mutant] = []
    for mutant in chosen:
        if all(mutant.path != one.path or mutant.end <= one.start or one.end <= mutant.start for one in together):
            together.append(mutant)
    others = [mutant for mutant in chosen if mutant not in together]
    if not together:
        return {}
    with applied(together, tree):
        test = failing(tree, [f"tests/{together[0].room}"])
    if test is None:
        return killers(others, tree, is_old=is_old)
    if len(together) == 1:
        return {together[0].name: test} | killers(others, tree, is_old=is_old)
    if is_old:
        killed = {mutant.name: test for mutant in together if killer(mutant, tree, [test])}
    else:
        killed = forked(together[0].room, together, test)
    if killed:
        return killed | killers([mutant for mutant in chosen if mutant.name not in killed], tree, is_old=is_old)
    # None fails that test alone.
    half = len(together) // 2
    return (
        killers(together[:half], tree, is_old=is_old)
        | killers(together[half:], tree, is_old=is_old)
        | killers(others, tree, is_old=is_old)
    )


def failing(tree: Path, what: list[str]) -> str | None:
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "--assert=plain", "--timeout=120"]
    command += ["-p", "no:cacheprovider", *what]
    try:
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return "hang"
    if done.returncode in (0, 4, 5):  # passed; no such test any more; nothing collected
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (\S+?)(?: - |$)", done.stdout, re.MULTILINE)
    return failed[1] if failed else "import"


def sites(room: str, root: Path = ROOT) -> list[Mutant]:
    return [mutant for file in sorted((root / "service" / room).rglob("*.py")) for mutant in mutants(file, room, root)]


@contextmanager
def copied(commit: str | None) -> Iterator[Path]:
    """A copy of the tree, or of that of a commit, that may be changed."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        tree = Path(folder, ROOT.name)
        if commit:
            tree.mkdir()
            archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
            subprocess.run(["tar", "x"], cwd=tree, input=archive, check=True)
        else:
            ignored = shutil.ignore_patterns(".git", ".venv", "var", "build", "node_modules", "__pycache__", ".*_cache")
            shutil.copytree(ROOT, tree, ignore=ignored)
        (tree / ".venv").symlink_to(ROOT / ".venv")
        # Bytecode that is compared with its source by content: a mutant may be as long as the code, and as old.
        by_content = py_compile.PycInvalidationMode.CHECKED_HASH
        for room in ("service", "workers", "harness", "tests"):
            compileall.compile_dir(tree / room, quiet=1, invalidation_mode=by_content)
        yield tree


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS, help=f"of {', '.join(ROOMS)}; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=30, help="mutants of each room")
    parser.add_argument("--save", type=Path, help="note what was killed by what")
    parser.add_argument("--known", type=Path, help="what an earlier run saved")
    parser.add_argument("--before", metavar="COMMIT", help="compare with the tests of this commit")
    arguments = parser.parse_args()

    known: dict[str, str | None] = json.loads(arguments.known.read_text()) if arguments.known else {}
    found: dict[str, str | None] = {}
    before: dict[str, str] = {}
    print(f"seed {arguments.seed}, {arguments.each} mutants of each of {', '.join(arguments.rooms)}")
    with ExitStack() as stack:
        tree = stack.enter_context(copied(None))
        old = stack.enter_context(copied(arguments.before)) if arguments.before else None
        for room in arguments.rooms:
            candidates = sites(room)
            twins = {mutant.twin: mutant for mutant in sites(room, old)} if old else {}
            if known:
                chosen = [mutant for mutant in candidates if mutant.name in known]
            else:
                candidates = [mutant for mutant in candidates if not old or mutant.twin in twins]
                chosen = random.Random(f"{arguments.seed} {room}").sample(candidates, arguments.each)
            if known:
                tests = {mutant.name: test for mutant in chosen if (test := known[mutant.name])}
                found |= {m.name: killer(m, tree, [tests[m.name]]) for m in chosen if m.name in tests}
            else:
                found |= forked(room, chosen)
            left = [mutant for mutant in chosen if not found.get(mutant.name)]
            print(f"{room}: {len(left)} survive their first tests", flush=True)
            found |= dict.fromkeys(mutant.name for mutant in left) | killers(left, tree)
            for mutant in chosen:
                print(f"{mutant.name}: {found[mutant.name] or 'SURVIVED'}", flush=True)
            survivors = [mutant for mutant in left if not found[mutant.name]]
            if old:
                same = {twins[mutant.twin].name: mutant.name for mutant in survivors if mutant.twin in twins}
                killed = killers([twins[mutant.twin] for mutant in survivors if mutant.twin in twins], old, is_old=True)
                before |= {same[name]: test for name, test in killed.items()}
            if arguments.save:
                arguments.save.write_text(json.dumps(found, ensure_ascii=False, indent=1))
    killed_now = sum(test is not None for test in found.values())
    rooms = tuple(f"service/{room}/" for room in arguments.rooms)
    gone = [f"its code has gone: {name}" for name in known if name.startswith(rooms) and name not in found]
    before |= {name: test for name, test in known.items() if test and name in found and not found[name]}
    lost = [f"survives, was killed before by {test}: {name}" for name, test in before.items()]
    print(f"{killed_now} of {len(found)} killed", *gone, *lost, sep="\n")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
