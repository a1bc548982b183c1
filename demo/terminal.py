"""Styled text: ANSI sequences in a terminal, plain text everywhere else."""

import os
import re
from typing import Final, TextIO

_CODES: Final = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_SEQUENCE: Final = re.compile(r"\x1b\[[\d;]*m")


def styled(text: str, style: str) -> str:
    """Return text in a style such as `bold red`; unchanged if the style is empty."""
    if not style:
        return text
    return f"\x1b[{';'.join(_CODES[name] for name in style.split())}m{text}\x1b[0m"


def plain(text: str) -> str:
    """Return text without its styles."""
    return _SEQUENCE.sub("", text)


def write(text: str, out: TextIO) -> None:
    """Write a line, without styles unless `out` is a terminal with colours (https://no-color.org)."""
    coloured = out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    out.write(f"{text if coloured else plain(text)}\n")
    out.flush()
