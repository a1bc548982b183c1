"""A pytest plugin: `--changed` runs only the tests that a change since the last commit on main can reach.

A change reaches the modules that import a changed file, directly or indirectly, or name it: modules started or patched
by name count as imported, and other files belong to the modules that name them or their folder. This selects more than
what really depends on the change, but never less, as far as names go; CI runs everything. (pytest-testmon tracks lines
instead, but not in processes started by tests.)
"""

import ast
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
#: Files on which every test depends.
ALL = ("pyproject.toml", "uv.lock")
#: Folders on the import path, as in pyproject.toml.
IMPORTED_FROM = ("", "clients/python/", "clients/conformance/")


def changed_files(root: Path = ROOT) -> list[str]:
    """Paths that differ from the merge base with main, including new and deleted ones."""
    base = _git(root, "merge-base", "HEAD", "main")[0]
    return _git(root, "diff", "--name-only", base) + _git(root, "ls-files", "--others", "--exclude-standard")


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(("git", *arguments), cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise pytest.UsageError(f"--changed: git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def reached(changed: Iterable[str], root: Path = ROOT) -> set[str]:
    """Paths of all modules that depend on a changed file, including changed ones."""
    sources = {path: ast.parse((root / path).read_bytes()) for path in _git(root, "ls-files", "*.py")}
    sources |= {path: ast.parse((root / path).read_bytes()) for path in changed if path.endswith(".py")}
    users = defaultdict(set)
    for path, tree in sources.items():
        for used in _uses(path, tree, sources):
            users[used].add(path)
    names: set[str] = set()
    row = [path for path in changed if path in sources]
    for path in changed:
        if path in ALL:
            return set(sources)
        if path not in sources:
            row += _readers(PurePosixPath(path), sources)
    while row:
        path = row.pop()
        if path not in names:
            names.add(path)
            row += users[path]
    return names


def _uses(path: str, tree: ast.AST, sources: Mapping[str, object]) -> Iterator[str]:
    """Paths of the modules that a module imports or names, and of those loaded before it."""
    for folder in PurePosixPath(path).parents:
        yield from (str(folder / name) for name in ("__init__.py", "conftest.py"))
    for name in _names(tree):
        parts = name.partition(":")[0].split(".")
        for end in range(1, len(parts) + 1):
            for stem in (top + "/".join(parts[:end]) for top in IMPORTED_FROM):
                yield from (
                    each for each in (f"{stem}.py", f"{stem}/__init__.py", f"{stem}/__main__.py") if each in sources
                )


def _names(tree: ast.AST) -> Iterator[str]:
    """Dotted names imported by a module, and strings that may be such names."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{each.name}" for each in names)
            case ast.Constant(value=str(text)) if text and len(text) < 100 and " " not in text:
                yield text.removeprefix("python:")


def _readers(path: PurePosixPath, sources: Mapping[str, ast.AST]) -> Iterator[str]:
    """Paths of the modules that may read a file: those in its folder, and those that name it or one of its folders.

    A folder is named if all its parts are named, except the first, which only counts if it is the only one.
    """
    folders = [
        set(folder.parts[1:] or folder.parts) for folder in path.parents if folder.parts[1:] or folder == path.parent
    ]
    for source, tree in sources.items():
        named = {part for text in _names(tree) for part in PurePosixPath(text).parts}
        beside = PurePosixPath(source).parent == path.parent != PurePosixPath()
        if beside or path.name in named or any(folder and folder <= named for folder in folders):
            yield source


class Changed:
    """Deselects test files that no change reaches."""

    def __init__(self, files: set[str]) -> None:
        self.files = files

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        path = collection_path.relative_to(ROOT).as_posix()
        return True if collection_path.name.startswith("test_") and path not in self.files else None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: object) -> None:
        node.workerinput["changed"] = sorted(self.files)  # type: ignore[attr-defined]


def chosen(config: pytest.Config) -> Changed:
    """The test files to run; the first test process passes them to the others.

    Raises:
        pytest.UsageError: nothing has changed, or no test is reached.
    """
    if hasattr(config, "workerinput"):
        return Changed(set(config.workerinput["changed"]))
    changed = changed_files()
    if not changed:
        raise pytest.UsageError("--changed: nothing differs from the last commit on main; `make test` runs everything")
    files = {path for path in reached(changed) if PurePosixPath(path).name.startswith("test_")}
    if not files:
        raise pytest.UsageError(f"--changed: no test depends on {', '.join(changed)}; `make test` runs everything")
    return Changed(files)
