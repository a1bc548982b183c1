"""Compiled modules of AI players, used instead of their sources where `make compiled` or a wheel has them.

A module is compiled if a `.pxd` with the types of its variables lies beside it, except those of `NATIVE`: their
functions are then instructions of the processor, or functions of C. The folder of the results is named by a digest of
all these sources, so results of other sources, of another release or another Python are never used; the sources are,
silently. Importing this module makes all later imports use the results.
"""

import os
import sys
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
#: Folder of the results in a wheel (`scripts/wheel.py --compiled`).
PACKED: Final = Path(__file__).parent / "machine_code"
#: Folder of the results, for any sources.
RESULTS: Final = PACKED if PACKED.is_dir() else ROOT / "build" / "compiled"
#: End of the name of a result, such as `.cpython-311-x86_64-linux-gnu.so`: the Python and the platform.
SUFFIX: Final = EXTENSION_SUFFIXES[0]
#: Module of what all results share, such as how they reach arrays.
SHARED: Final = "workers.ai.simulation.shared"
#: Modules that compiled ones replace.
NATIVE: Final = {"bits", "real"}


def typed(root: Path = ROOT) -> list[Path]:
    """Return the modules with a `.pxd` in a copy of the repository."""
    return sorted(path.with_suffix(".py") for path in (root / "workers" / "ai").rglob("*.pxd"))


def sources(root: Path = ROOT) -> list[Path]:
    """Return the modules to be compiled in a copy of the repository."""
    return [path for path in typed(root) if path.stem not in NATIVE]


def name_of(source: Path, root: Path = ROOT) -> str:
    """Return the name of a module."""
    return ".".join(source.relative_to(root).with_suffix("").parts)


def names(root: Path = ROOT) -> list[str]:
    """Return the names of the modules that compiling makes."""
    return [*(name_of(source, root) for source in sources(root)), SHARED]


def digest(root: Path = ROOT) -> str:
    """Return the digest of what results depend on: the sources, the Python and the platform."""
    content = sha256(SUFFIX.encode())
    for source in typed(root):
        for path in (source, source.with_suffix(".pxd")):
            data = path.read_bytes()
            content.update(f"\n{name_of(source, root)} {path.suffix} {len(data)}\n".encode())
            content.update(data)
    return content.hexdigest()[:16]


def results(root: Path = ROOT, folder: Path = RESULTS) -> dict[str, Path]:
    """Return module -> its result, or nothing if the results do not belong to the sources."""
    if not folder.is_dir():
        return {}
    here = folder / digest(root)
    made = {name: here / f"{name.replace('.', '/')}{SUFFIX}" for name in names(root)}
    return made if all(path.is_file() for path in made.values()) else {}


class Finder(MetaPathFinder):
    """Finds the results of modules."""

    def __init__(self, results: dict[str, Path]) -> None:
        self._results = results

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:  # noqa: ARG002
        """Return how to import a module; None if it is not compiled."""
        result = self._results.get(fullname)
        return None if result is None else spec_from_file_location(fullname, result)


def _use() -> bool:
    """Make later imports use the results, and return whether there are any."""
    # The settings check the value; a module cannot wait for them.
    found = {} if os.environ.get("COMPILED", "1") == "0" else results()
    if found:
        sys.meta_path.insert(0, Finder(found))
    return bool(found)


#: Whether this process runs compiled modules.
ACTIVE: Final = _use()
