"""Remove holes left in the append-only file by a full disk: `python aof_holes.py FOLDER`, before a start.

When a write does not fit on the disk, the server truncates the written part, and repeats the whole write later. But
logs that it began while running, after a rewrite, are opened without O_APPEND: the file offset stays at the end of the
truncated part, and zeros fill the gap. No server loads such a file, although no data is missing (decision 102).

Uses only the standard library, since the Redis container has nothing else.
"""

import os
import sys
from pathlib import Path


def mend(folder: Path) -> list[Path]:
    """Remove the holes from the logs of a data folder; return the changed files. Originals are kept as `.holes`."""
    mended = []
    for file in sorted((folder / "appendonlydir").glob("*.incr.aof")):
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
    kept, begin, at = [], 0, 0
    while 0 <= at < len(data):
        if data[at] == 0:
            kept.append(data[begin:at])
            begin = at = _end_of_zeros(data, at)
        else:
            at = _end_of_command(data, at)
    return b"".join([*kept, data[begin:]])


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
    for name in mend(Path(sys.argv[1])):
        sys.stderr.write(f"cut the holes that a full disk had left in {name}\n")
