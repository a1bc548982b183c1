"""Format the sources of the page and check their style and types: `python -m tools.page format|lint|types`.

Nobody needs this to run the service or to change a text. The tools are pinned by `package-lock.json` and run on the
Node that the tests of clients use; both are installed into `var/tools` the first time.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.clients.toolchain import ROOT, Tools, installed

_HERE: Final = Path(__file__).parent
CLIENT: Final = ROOT / "service" / "web" / "client"
_TYPES: Final = ROOT / "tests" / "web" / "programs" / "tsconfig.json"
#: Written by a program, or from elsewhere.
_NOT_OURS: Final = ("vendor",)


def sources(*endings: str) -> list[Path]:
    """Return the sources of the page with these endings."""
    paths = sorted(path for path in CLIENT.rglob("*") if path.suffix in endings)
    return [path for path in paths if path.relative_to(CLIENT).parts[0] not in _NOT_OURS]


class PageTools:
    """Formatter and linters. Each method returns what it has found, empty if nothing."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._folder = tools.modules_of(_HERE).parent
        # Modules are looked up beside the file that imports them.
        for each in _HERE.glob("*.mjs"):
            shutil.copy(each, self._folder)

    def _node(self, program: str, *arguments: str | Path) -> str:
        """Run a program, and return what it says if it fails."""
        path = self._folder / program
        done = subprocess.run(
            (self._tools.node, path, *arguments),
            cwd=ROOT,
            env=self._tools.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        output = done.stdout + done.stderr
        return output or f"{program} ended with {done.returncode}" if done.returncode else ""

    def format(self, *options: str) -> str:
        """Format all sources, or with `--check` name those that are not formatted."""
        return self.formatted(*options, *sources(".js", ".ts", ".css"))

    def formatted(self, *what: str | Path) -> str:
        """Format files, or with `--check` in front of them say which are not formatted."""
        return self._node("format.mjs", _HERE / ".prettierrc.json", *what)

    def scripts(self, *options: str) -> str:
        """Lint the modules."""
        config = ("--config", self._folder / "eslint.config.mjs", "--max-warnings", "0")
        return self._node("node_modules/eslint/bin/eslint.js", *config, *options, *sources(".js"))

    def styles(self, *options: str) -> str:
        """Lint the styles."""
        config = ("--config", self._folder / "stylelint.config.mjs")
        return self._node("node_modules/stylelint/bin/stylelint.mjs", *config, *options, *sources(".css"))

    def types(self) -> str:
        """Check the types in comments, among them those of `openapi.yaml`."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "client"
            shutil.copytree(CLIENT, place)
            shutil.copy(_TYPES, place)
            self._tools.npm("openapi-typescript", ROOT / "openapi.yaml", "--output", place / "api.d.ts")
            return self._tools.tsc("--project", place / "tsconfig.json", check=False).replace(f"{place}{os.sep}", "")


def _run(tools: PageTools, what: str) -> Iterator[str]:
    if what == "format":
        yield tools.scripts("--fix")
        yield tools.styles("--fix")
        yield tools.format()
    elif what == "lint":
        yield tools.format("--check")
        yield tools.scripts()
        yield tools.styles()
    elif what == "types":
        yield tools.types()
    else:
        yield __doc__ or ""


def main() -> None:
    faults = "\n".join(each for each in _run(PageTools(installed()), "".join(sys.argv[1:2])) if each)
    sys.exit(faults or None)


if __name__ == "__main__":
    main()
