"""The web client in a browser: the browser, a service, and the size of the client."""

import gzip
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserType, sync_playwright

from harness.processes import RunningService

CLIENT: Final = Path(__file__).parents[1] / "service" / "web" / "client"

#: A name of this machine for which browsers do not trust plain HTTP.
LAN: Final = "lan.test"


class NoBrowserError(Exception):
    """There is no Chromium on PATH."""


#: Names of the program; the first one has no window and takes a fifth less time.
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "google-chrome", "chromium-browser")


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """Run the Chromium of this machine; `flags`: further options of the program.

    Raises:
        NoBrowserError: there is none.
    """
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium, *flags)
        yield browser
        browser.close()


def launched(kind: BrowserType, *flags: str) -> Browser:
    """Start the Chromium of this machine: the program that the variable CHROMIUM names, else the first of `PROGRAMS`.

    Args:
        kind: of a running Playwright.
        flags: further options of the program.

    Raises:
        NoBrowserError: there is none.
    """
    wanted = (os.environ["CHROMIUM"],) if os.environ.get("CHROMIUM") else PROGRAMS
    program = next(filter(None, map(shutil.which, wanted)), None)
    if program is None:
        raise NoBrowserError(f"no Chromium on PATH; install one of {', '.join(wanted)}")
    # Chromium has no sandbox for root; the pages are our own.
    args = ["--no-sandbox", f"--host-resolver-rules=MAP {LAN} 127.0.0.1", *flags]
    return kind.launch(executable_path=program, args=args)


def weight() -> int:
    """Return the compressed size of all files that the client may load; pictures of links are for other programs."""
    files = [
        path
        for path in CLIENT.rglob("*")
        if path.is_file() and path.suffix not in (".ts", ".md") and not path.name.startswith("share-")
    ]
    return sum(len(gzip.compress(path.read_bytes())) for path in files)


@contextmanager
def service_and_chromium() -> Iterator[tuple[str, Browser]]:
    """Run the service with one process of each kind, and Chromium; yield the URL and the browser.

    Raises:
        NoBrowserError: there is no Chromium.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        RunningService(Path(folder), servers=1, workers=1, clocks=1) as service,
        chromium() as browser,
    ):
        yield f"http://127.0.0.1:{service.port}", browser
