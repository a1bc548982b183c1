"""Build the service, or a package of `clients`, as a wheel.

    scripts/wheel.py FOLDER [clients/python]
    scripts/wheel.py FOLDER --compiled [PLATFORM]

The wheel of the service is for all platforms. With `--compiled` it has the AI players as `make compiled` has made them,
and is for this Python and for a platform, such as `manylinux_2_28_x86_64`; by default for this machine.

Setuptools works on a copy, in which the files of the repository stand in the places of the links to them, and leaves
nothing behind here.
"""

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from compiled import layout

ROOT = Path(__file__).parents[1]
#: What the wheel of the service is made from.
OF_SERVICE = ("service", "workers", "pyproject.toml", "README.md", "LICENSE")


#: Built in a process of its own, as setuptools changes loggers and distutils.
BUILD = "import json, sys; from setuptools import build_meta; print(build_meta.build_wheel(*json.loads(sys.argv[1])))"


def build(folder: Path, package: Path | None, platform: str | None) -> Path:
    """Build a wheel into a folder, and return its path.

    Args:
        folder: where to put it.
        package: a folder of `clients`; None: the service.
        platform: where the compiled AI players run; None: without them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = [ROOT / name for name in OF_SERVICE] if package is None else [*package.iterdir()]
    with tempfile.TemporaryDirectory() as copy:
        for part in parts:
            if part.is_dir():
                shutil.copytree(part, Path(copy, part.name), ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(part, copy)
        options = []
        if platform:
            where = layout()
            shutil.copytree(where.RESULTS, Path(copy, where.PACKED.relative_to(ROOT)))
            options = [f"--python-tag=cp{sys.version_info.major}{sys.version_info.minor}", f"--plat-name={platform}"]
        arguments = json.dumps([str(folder.absolute()), {"--build-option": options}])
        command = [sys.executable, "-c", BUILD, arguments]
        built = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=True)
    return folder / built.stdout.splitlines()[-1]


def main() -> None:
    """Build the wheel that the command line asks for, and print its path."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where to put the wheel")
    parser.add_argument("package", type=Path, nargs="?", help="a folder of clients; default: the service")
    parser.add_argument("--compiled", metavar="PLATFORM", nargs="?", const=sysconfig.get_platform(), help="see above")
    options = parser.parse_args()
    if options.compiled and options.package:
        parser.error("Only the service has something to compile: leave out the package or --compiled.")
    if options.compiled and not layout().results():
        parser.error("AI players are not compiled: run `make compiled` first.")
    sys.stdout.write(f"{build(options.folder, options.package, options.compiled)}\n")


if __name__ == "__main__":
    main()
