"""What the page loads to play without a network: Python, and the modules of this service that it runs.

There is one source of rules, game and AI players. The page gets a copy of it, made when it is first asked for: an entry
and all that it imports, without comments.
"""

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import brotli  # type: ignore[import-untyped] # it has no types

ROOT: Final = Path(__file__).parents[3]
ENTRY: Final = "service.api.alone.engine"
_TOPS: Final = ("service", "workers")
#: Files that modules read, beside them.
DATA: Final = ("service/game/confusables.txt",)

#: Python for browsers, compressed (`service/web/python/README.md`), and the worker that runs it.
_PYTHON: Final = ROOT / "service" / "web" / "python"
_WORKER: Final = ROOT / "service" / "web" / "client" / "alone" / "worker.js"
_MODULES: Final = "modules.json"
#: The files, and the list of them with their size.
NAMES: Final = (_WORKER.name, _MODULES, "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LIST: Final = "files.json"


class Sent(NamedTuple):
    """A file as it is sent.

    Attributes:
        packed: its content, compressed with br.
        mark: changes with the content.
    """

    packed: bytes
    mark: str

    @classmethod
    def of(cls, content: bytes) -> "Sent":
        """Compress a file."""
        return cls.ready(brotli.compress(content, quality=9))

    @classmethod
    def ready(cls, packed: bytes) -> "Sent":
        """Return a file that is compressed already."""
        return cls(packed, hashlib.sha256(packed).hexdigest()[:16])

    def plain(self) -> bytes:
        """Return the content. Every browser that can store the files takes them compressed."""
        content: bytes = brotli.decompress(self.packed)
        return content


@cache
def sent() -> Mapping[str, Sent]:
    """Return name -> file, for all `NAMES` and the list."""
    made = {_WORKER.name: _WORKER.read_bytes(), _MODULES: json.dumps(files(), ensure_ascii=False).encode()}
    every = {
        name: Sent.of(made[name]) if name in made else Sent.ready((_PYTHON / f"{name}.br").read_bytes())
        for name in NAMES
    }
    mark = hashlib.sha256("".join(file.mark for file in every.values()).encode()).hexdigest()[:16]
    size = sum(len(file.packed) for file in every.values())
    listed = {"mark": mark, "bytes": size, "files": [f"alone/{name}" for name in NAMES]}
    return {**every, LIST: Sent.of(json.dumps(listed).encode())}


@cache
def modules(entry: str = ENTRY) -> Mapping[str, str]:
    """Return name -> source of a module and all that it imports, each after its imports.

    A package has an empty source unless something is imported from the package itself: what it offers to others besides
    is not needed.
    """
    sources: dict[str, str] = {}
    _add(entry, sources)
    packages = {".".join(name.split(".")[:depth]) for name in sources for depth in range(1, name.count(".") + 1)}
    return {**{package: "" for package in sorted(packages) if package not in sources}, **sources}


@cache
def files() -> Mapping[str, str]:
    """Return path -> content of the modules and of what they read."""
    sources = modules()
    packages = {name.rpartition(".")[0] for name in sources}
    paths = {name: name.replace(".", "/") + ("/__init__.py" if name in packages else ".py") for name in sources}
    return {paths[name]: source for name, source in sources.items()} | {
        path: (ROOT / path).read_text("utf-8") for path in DATA
    }


def _add(name: str, sources: dict[str, str]) -> None:
    if name in sources:
        return
    sources[name] = ""
    tree = ast.parse(_path(name).read_text("utf-8"))
    for imported in _imported(tree):
        _add(imported, sources)
    del sources[name]
    sources[name] = ast.unparse(_Bare().visit(tree))


def _imported(tree: ast.Module) -> Iterator[str]:
    """Yield the modules of the project that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in _TOPS:
            inside = [f"{node.module}.{each.name}" for each in node.names]
            yield from (name for name in inside if _is_module(name))
            if not all(map(_is_module, inside)):
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.split(".")[0] in _TOPS)


def _is_module(name: str) -> bool:
    return _path(name).is_file()


def _path(name: str) -> Path:
    path = ROOT.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


class _Bare(ast.NodeTransformer):
    """Removes docstrings, and annotations of functions: nothing reads them at run time."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            each.annotation = None
        for optional in (arguments.vararg, arguments.kwarg):
            if optional is not None:
                optional.annotation = None
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._without_docstring(node)

    def visit_Module(self, node: ast.Module) -> ast.AST:
        return self._without_docstring(node)

    def _without_docstring(self, node: ast.FunctionDef | ast.ClassDef | ast.Module) -> ast.AST:
        self.generic_visit(node)
        first = node.body[0] if node.body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
        return node
