"""Saved deals: those of `laboratory.ai_match` and `laboratory.differing`.

New deals are lines of plain files in a folder ignored by git. This moves them into the archive in the repository:

    python -m laboratory.saved                               moves all of `var/laboratory` into `laboratory/saved.zip`
    python -m laboratory.saved --drop shengji-4-hard-normal  leaves a match out, because its players have changed since

Readers see both the archive and the folder. To rename a match, unpack the archive with `python -m zipfile -e
laboratory/saved.zip var/laboratory`, rename the file, and pack again with `--drop` and the old name.
"""

import argparse
import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

HERE: Final = Path(__file__).parent
ARCHIVE: Final = HERE / "saved.zip"
FOLDER: Final = HERE.parent / "var" / "laboratory"
ENDING: Final = ".jsonl"

#: The deals of a match: number of a deal -> its outcome.
Deals = dict[int, dict[str, Any]]


def names(folder: Path = FOLDER, archive: Path = ARCHIVE) -> list[str]:
    """Return the names of all saved matches, in order."""
    files = [file.name for file in folder.glob(f"*{ENDING}")]
    if archive.exists():
        with ZipFile(archive) as packed:
            files += packed.namelist()
    return sorted({file.removesuffix(ENDING) for file in files})


def read(name: str, folder: Path = FOLDER, archive: Path = ARCHIVE) -> Deals:
    """Return the saved outcomes of a name, by deal; the folder takes precedence over the archive."""
    text = ""
    if archive.exists():
        with ZipFile(archive) as packed:
            if name + ENDING in packed.namelist():
                text = packed.read(name + ENDING).decode()
    file = folder / (name + ENDING)
    if file.exists():
        text += file.read_text(encoding="utf-8")
    rows = map(json.loads, text.splitlines())
    return {row["deal"]: row for row in rows}


def append(name: str, folder: Path, row: Mapping[str, Any]) -> None:
    """Save the outcome of a deal in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / (name + ENDING)).open("a", encoding="utf-8") as out:
        out.write(_line(row))


def pack(folder: Path = FOLDER, archive: Path = ARCHIVE, drop: Collection[str] = ()) -> None:
    """Move all deals of the folder into the archive, and drop some names.

    The archive is reproducible: matches are in order of name, deals in order of number, and files have no date.
    """
    fresh = archive.with_suffix(".new")
    with ZipFile(fresh, "w", ZIP_LZMA) as packed:
        for name in names(folder, archive):
            if name not in drop:
                deals = read(name, folder, archive)
                entry = ZipInfo(name + ENDING)
                # Otherwise this depends on the operating system.
                entry.create_system = 3
                packed.writestr(entry, "".join(_line(deals[deal]) for deal in sorted(deals)), ZIP_LZMA)
    fresh.replace(archive)
    for file in folder.glob(f"*{ENDING}"):
        file.unlink()


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, separators=(",", ":")) + "\n"


def main() -> None:
    """Pack the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where deals were saved (default: var/laboratory)")
    parser.add_argument("--archive", type=Path, default=ARCHIVE, help="default: laboratory/saved.zip")
    parser.add_argument("--drop", nargs="+", default=[], metavar="NAME", help="matches to leave out")
    options = parser.parse_args()
    if unknown := set(options.drop) - set(names(options.folder, options.archive)):
        parser.error(f"nothing is saved as {', '.join(sorted(unknown))}")
    pack(options.folder, options.archive, options.drop)


if __name__ == "__main__":
    main()
