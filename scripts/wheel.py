"""Build the service as one wheel.

    scripts/wheel.py FOLDER

Setuptools works on a copy, in which the files of the repository stand in the places of the links to them, and leaves
nothing behind here.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(folder: Path) -> None:
    """Put the wheel into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as copy:
        for name in ("service", "workers"):
            shutil.copytree(ROOT / name, Path(copy, name), ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        # In a process of its own, as setuptools changes loggers and distutils.
        build = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
        command = [sys.executable, "-c", build, str(folder.absolute())]
        built = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=True)
    sys.stdout.write(f"{folder / built.stdout.splitlines()[-1]}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
