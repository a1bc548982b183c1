"""Break the code at random places, one at a time, and check whether the tests of its room notice.

`python -m tools.mutants --seed 1 --each 30` samples mutants of rules, game, store and api, and prints for each whether
it was killed, and by which test. `--save FILE` saves this; `--known FILE` tries the mutants of that file again, each
first with the test that killed it, and fails if a killed one survives now. `--before COMMIT` samples from code that is
the same in that commit, runs the tests of that commit on survivors, and fails if they kill one.

The tree is not touched: mutants live in a copy.
"""

import argparse
import ast
import compileall
import json
import py_compile
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
ROOMS = ("rules", "game", "store", "api")
#: Timeout for mutants that never end; a room's tests take a fraction of it.
LIMIT_S = 3600

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
    """A change of a file: the characters from `start` to `end` become `text`."""

    room: str
    path: str
    start: int
    end: int
    name: str
    text: str
    #: The enclosing function (or statement of the module), and the offset of the change in it.
    around: str
    at: int

    @property
    def twin(self) -> tuple[Any, ...]:
        """Its identity across revisions."""
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

    without_effect = {
        id(inner)
        for node in ast.walk(tree)
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None), *_tuning(node))
        if part
        for inner in ast.walk(part)
    }
    around: dict[int, ast.stmt] = {}
    for outer in (*tree.body, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))):
        around |= dict.fromkeys(map(id, ast.walk(outer)), outer)
    counts: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)) and id(node) not in without_effect and (changed := _changed(node)):
            start, end = span(node)
            first, last = span(around[id(node)])
            where = str(path.relative_to(root))
            name = f"{where}: {_short(content[start:end].decode())} → {_short(changed)}"
            # Identified by their code, not by their line, so that they are found again after changes elsewhere.
            counts[name] += 1
            known = content[first:last].decode()
            yield Mutant(room, where, start, end, f"{name} ({counts[name]})", changed, known, start - first)


def _tuning(node: ast.AST) -> Iterator[ast.AST]:
    """What changes no result: how many a cache keeps, and whether commands that need no transaction have one."""
    match node:
        case ast.Call() if ast.unparse(node.func).endswith("lru_cache"):
            yield node
        case ast.keyword(arg="transaction", value=ast.Constant(value=False)):
            yield node.value


def _changed(node: ast.AST) -> str | None:
    """The node's source after the change, in parentheses if it is an expression; None if it is not mutated."""
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


def killer(mutant: Mutant, tree: Path, first: str | None = None) -> str | None:
    """The test that fails for this mutant ("import" if imports fail, "hang" if it never ends), or None."""
    file = tree / mutant.path
    whole = file.read_bytes()
    file.write_bytes(whole[: mutant.start] + mutant.text.encode() + whole[mutant.end :])
    try:
        near = [first] if first else nearest(mutant, tree)
        return (near and failing(tree, *near)) or failing(tree, f"tests/{mutant.room}")
    finally:
        file.write_bytes(whole)


def nearest(mutant: Mutant, tree: Path) -> list[str]:
    """The room's test files that have the module's name in theirs, or import it: they usually kill it, and soon."""
    file = Path(mutant.path)
    module = ".".join(file.with_suffix("").parts)
    tests = sorted((tree / "tests" / mutant.room).rglob("test_*.py"))
    near = [test for test in tests if file.stem in test.stem or f"from {module} import" in test.read_text("utf-8")]
    return [str(test.relative_to(tree)) for test in near]


def failing(tree: Path, *what: str) -> str | None:
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", "--assert=plain", "--timeout=120"]
    command += ["-p", "no:cacheprovider", *what]
    try:
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return "hang"
    if done.returncode in (0, 4, 5):  # passed; test no longer exists; nothing collected
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (\S+?)(?: - |$)", done.stdout, re.MULTILINE)
    return failed[1] if failed else "import"


def sites(room: str, root: Path = ROOT) -> list[Mutant]:
    return [mutant for file in sorted((root / "service" / room).rglob("*.py")) for mutant in mutants(file, room, root)]


@contextmanager
def copied(commit: str | None) -> Iterator[Path]:
    """A modifiable copy of the working tree, or of the tree of a commit."""
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
        # Check bytecode by hash, since a mutant may have the same size and time as the code.
        by_content = py_compile.PycInvalidationMode.CHECKED_HASH
        for room in ("service", "workers", "harness", "tools", "tests"):
            if (tree / room).exists():
                compileall.compile_dir(tree / room, quiet=1, invalidation_mode=by_content)
        yield tree


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS, help=f"of {', '.join(ROOMS)}; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=30, help="mutants of each room")
    parser.add_argument("--save", type=Path, help="note what was killed by what")
    parser.add_argument("--known", type=Path, help="what an earlier run saved")
    parser.add_argument("--before", metavar="COMMIT", help="compare with the tests of this commit")
    return parser.parse_args()


def sample(room: str, arguments: argparse.Namespace, known: Container[str], twins: Container[Any]) -> list[Mutant]:
    """The mutants of a room to try: known ones again, or some that are the same in the commit to compare with."""
    candidates = sites(room)
    if known:
        return [mutant for mutant in candidates if mutant.name in known]
    candidates = [mutant for mutant in candidates if not arguments.before or mutant.twin in twins]
    return random.Random(f"{arguments.seed} {room}").sample(candidates, arguments.each)


def main() -> None:
    arguments = options()
    known: dict[str, str | None] = json.loads(arguments.known.read_text()) if arguments.known else {}
    results: dict[str, str | None] = {}
    before: dict[str, str] = {}
    print(f"seed {arguments.seed}, {arguments.each} mutants of each of {', '.join(arguments.rooms)}")
    with ExitStack() as stack:
        tree = stack.enter_context(copied(None))
        old = stack.enter_context(copied(arguments.before)) if arguments.before else None
        for room in arguments.rooms:
            twins = {mutant.twin: mutant for mutant in sites(room, old)} if old else {}
            for mutant in sample(room, arguments, known, twins):
                results[mutant.name] = killer(mutant, tree, known.get(mutant.name))
                print(f"{mutant.name}: {results[mutant.name] or 'SURVIVED'}", flush=True)
                twin = twins.get(mutant.twin)
                if old and twin and not results[mutant.name] and (test := killer(twin, old)):
                    before[mutant.name] = test
                if arguments.save:
                    arguments.save.write_text(json.dumps(results, ensure_ascii=False, indent=1))
    sys.exit(report(arguments.rooms, known, results, before))


def report(
    rooms: Iterable[str], known: dict[str, str | None], results: dict[str, str | None], before: dict[str, str]
) -> bool:
    """Print what was killed and what was killed only before; return whether there is any of that."""
    killed_now = sum(test is not None for test in results.values())
    folders = tuple(f"service/{room}/" for room in rooms)
    gone = [f"its code has gone: {name}" for name in known if name.startswith(folders) and name not in results]
    before = before | {name: test for name, test in known.items() if test and name in results and not results[name]}
    lost = [f"survives, was killed before by {test}: {name}" for name, test in before.items()]
    print(f"{killed_now} of {len(results)} killed", *gone, *lost, sep="\n")
    return bool(lost)


if __name__ == "__main__":
    main()
