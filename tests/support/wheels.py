"""What is published as its users have it: from a built wheel, without the repository."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Final

_BUILD: Final = Path(__file__).parents[2] / "scripts" / "wheel.py"


def built(folder: Path, *arguments: Path | str) -> Path:
    """Return the wheel of a package of `clients`, or of the service, built into an empty folder."""
    subprocess.run([sys.executable, _BUILD, folder, *arguments], capture_output=True, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def installed(wheel: Path, folder: Path) -> tuple[Path, Path]:
    """Make an environment with nothing but a wheel in an empty folder; return its interpreter and its packages."""
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:  # a wheel without scripts is installed by unpacking it
        archive.extractall(packages)
    return folder / "bin" / "python", packages
