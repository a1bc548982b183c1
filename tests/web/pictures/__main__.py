"""See the package."""

import argparse
import sys
import tempfile
from pathlib import Path

from harness.client import CLIENT, chromium
from harness.make_run import running
from tests.conftest import SETTINGS
from tests.web.pictures import __doc__ as about
from tests.web.pictures.drawing import differences, draw, unused
from tests.web.pictures.recording import read, written
from tests.web.pictures.screens import record

#: What is drawn anew is drawn as a whole: otherwise, edges depend on what was drawn before.
STILL = ("--disable-partial-raster", "--disable-gpu-rasterization", "--disable-lcd-text", "--num-raster-threads=1")
RECORDING = Path("var") / "pictures" / "recording.json"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recording", type=Path, default=RECORDING, help="file with the answers of the service")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("record")
    for name in ("draw", "unused"):
        command = commands.add_parser(name)
        command.add_argument("--client", type=Path, default=CLIENT, help="folder with the files of the page")
        command.add_argument("--only", default="", help="begin of the names of screens, or several with commas")
        if name == "draw":
            command.add_argument("folder", type=Path)
    compare = commands.add_parser("compare")
    compare.add_argument("one", type=Path)
    compare.add_argument("other", type=Path)
    return parser.parse_args()


def main() -> None:
    asked = _arguments()
    with chromium(*STILL) as browser:
        if asked.command == "record":
            with tempfile.TemporaryDirectory() as folder, running(Path(folder), **SETTINGS) as service:
                written(record(browser, service), asked.recording)
            return
        if asked.command == "compare":
            found = differences(browser, asked.one, asked.other)
            print("\n".join(f"{name}: {how}" for name, how in found.items()) or "All pictures are equal.")
            sys.exit(1 if found else None)
        wanted = tuple(asked.only.split(","))
        recordings = [each for each in read(asked.recording) if each.screen.name.startswith(wanted)]
        if asked.command == "draw":
            print(draw(browser, asked.client, recordings, asked.folder), "pictures")
        else:
            for file, selectors in unused(browser, asked.client, recordings).items():
                print("\n".join(f"{file}: {selector}" for selector in selectors))


if __name__ == "__main__":
    main()
