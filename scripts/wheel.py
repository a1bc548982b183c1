"""Build the service, or a package of `clients`, as a wheel.

    scripts/wheel.py FOLDER [clients/python]

Setuptools works on a copy, in which the files of the repository stand in the places of the links to them, and leaves
nothing behind here.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What the wheel of the service is made from.
OF_SERVICE = ("service", "workers", "pyproject.toml", "README.md", "LICENSE")


def main(folder: Path, package: Path | None = None) -> None:
    """Put the wheel of a package (None: of the service) into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [ROOT / name for name in OF_SERVICE] if package is None else [*package.iterdir()]
    with tempfile.TemporaryDirectory() as copy:
        for part in parts:
            if part.is_dir():
                shutil.copytree(part, Path(copy, part.name), ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(part, copy)
        # In a process of its own, as setuptools changes loggers and distutils.
        build = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
        command = [sys.executable, "-c", build, str(folder.absolute())]
        built = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=True)
    sys.stdout.write(f"{folder / built.stdout.splitlines()[-1]}\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
