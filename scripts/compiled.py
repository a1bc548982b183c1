"""Compile the rules of tricks and the AI players with mypyc, in a copy of the repository in build/compiled.

Compiled modules are imported like the originals, so that everything works in the copy, for instance `make -C
build/compiled run`. This needs a C compiler.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

ROOT = Path(__file__).parents[1]
COPY = ROOT / "build" / "compiled"
#: The modules in which a search spends its time. Others are not worth the time for compiling.
COMPILED = (
    "service/rules/cards.py",
    "service/rules/trumps.py",
    "service/rules/rounds/kitty.py",
    "service/rules/rounds/scoring.py",
    "service/rules/tricks/*.py",
    "workers/ai/[!_]*.py",
    "workers/ai/*/*.py",
)
_LEFT_OUT = ("build", "var", "node_modules", "__pycache__", ".git", ".venv", ".*_cache", ".hypothesis", "htmlcov")


def modules() -> Iterator[str]:
    """Return the files to be compiled, relative to the repository."""
    for pattern in COMPILED:
        paths = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))
        if not paths:
            sys.exit(f"scripts/compiled.py: there is no {pattern} any more.")
        yield from paths


def main() -> None:
    """Copy the repository and compile the copy in place."""
    files = list(modules())
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, symlinks=True, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    (COPY / ".venv").symlink_to(ROOT / ".venv")
    os.chdir(COPY)
    extensions = mypycify(files, debug_level="0")
    setup(name="compiled", ext_modules=extensions, script_args=["--quiet", "build_ext", "--inplace"])


if __name__ == "__main__":
    main()
