"""Make sure of the append-only file before a start: `python aof_holes.py FOLDER`.

A log without its manifest is refused: the server would ignore its files and start empty, as if everything were lost.
Holes left by a full disk are removed:

When a write does not fit on the disk, the server truncates the written part, and repeats the whole write later. But
logs that it began while running, after a rewrite, are opened without O_APPEND: the file offset stays at the end of the
truncated part, and zeros fill the gap. No server loads such a file, although no data is missing (decision 3).

Uses only the standard library, since the Redis container has nothing else.
"""

import os
import sys
from pathlib import Path


class LogError(RuntimeError):
    """The log cannot be used as it is. The message says what is missing and what to do."""


def mend(folder: Path) -> list[Path]:
    """Remove the holes from the logs of a data folder; return the changed files. Originals are kept as `.holes`.

    Raises:
        LogError: the log has no manifest.
    """
    log = folder / "appendonlydir"
    files = sorted([*log.glob("*.rdb"), *log.glob("*.aof")])
    if files and not any(log.glob("*.manifest")):
        raise LogError(
            f"{log} holds {', '.join(file.name for file in files)} but no manifest, without which the server ignores "
            f"them and starts empty. Nothing was changed. Put the manifest back (appendonly.aof.manifest), restore a "
            f"backup into an empty folder, or move {log} away to start empty."
        )
    mended = []
    for file in sorted(log.glob("*.incr.aof")):
        data = file.read_bytes()
        # Stored data contain no zero bytes, so most files need not be parsed.
        whole = without_holes(data) if b"\0" in data else data
        if len(whole) < len(data):
            part = file.with_name(f"{file.name}.part")
            with part.open("wb") as out:
                out.write(whole)
                out.flush()
                os.fsync(out.fileno())
            file.rename(file.with_name(f"{file.name}.holes"))
            part.rename(file)
            mended.append(file)
    return mended


def without_holes(data: bytes) -> bytes:
    """Return a log without the zeros between commands. Other damage is left for the server to report."""
    pieces, begin, at = [], 0, 0
    while 0 <= at < len(data):
        if data[at] == 0:
            pieces.append(data[begin:at])
            begin = at = _end_of_zeros(data, at)
        else:
            at = _end_of_command(data, at)
    return b"".join([*pieces, data[begin:]])


def _end_of_zeros(data: bytes, at: int) -> int:
    while at < len(data) and data[at] == 0:
        at += 1
    return at


def _end_of_command(data: bytes, at: int) -> int:
    """Return the end of the command that begins at `at`; -1 if it is incomplete."""
    try:
        line = data.index(b"\r\n", at, at + 32)
        count = int(data[at + 1 : line]) if data[at : at + 1] == b"*" else -1
        at = line + 2
        for _ in range(count):
            line = data.index(b"\r\n", at, at + 32)
            end = line + 2 + int(data[at + 1 : line])
            if data[at : at + 1] != b"$" or data[end : end + 2] != b"\r\n":
                return -1
            at = end + 2
    except ValueError:
        return -1
    return at if count >= 0 else -1


if __name__ == "__main__":
    try:
        mended_files = mend(Path(sys.argv[1]))
    except LogError as error:
        sys.exit(f"redis cannot start: {error}")
    for name in mended_files:
        sys.stderr.write(f"cut the holes that a full disk had left in {name}\n")
