"""Packages of `clients` as their users have them: from a built wheel, without the repository."""

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Final

_BUILD: Final = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


def installed(package: Path, folder: Path) -> tuple[Path, Path]:
    """Build the wheel of a package, and return the interpreter and the packages of an environment with nothing but it.

    Args:
        package: folder of its `pyproject.toml`.
        folder: an empty folder.
    """
    shutil.copytree(package, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    # In a process of its own, as setuptools changes the folder, loggers and distutils.
    subprocess.run([sys.executable, "-c", _BUILD, folder], cwd=folder / "source", capture_output=True, check=True)
    [wheel] = folder.glob("*.whl")
    venv.create(folder / "environment", symlinks=True)
    [packages] = (folder / "environment").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:  # a pure Python wheel is installed by unpacking it
        archive.extractall(packages)
    return folder / "environment" / "bin" / "python", packages
