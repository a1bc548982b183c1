"""Write what follows from rows of the code into the pages that show it (`make tables`): the keys of Redis.

Each block begins after a comment that names it and ends at the next empty line.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from service.store.keys import KEYS

ROOT: Final = Path(__file__).parents[1]


def _row(*cells: str) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def keys(*, of_queues: bool) -> Iterator[str]:
    """Yield the table of the keys of the tables' Redis, or of those of the queues."""
    yield _row("key", "type", "what", "bound", "backup", "export", "erased with a player")
    yield "|---|---|---|---|---|---|---|"
    for key in KEYS.values():
        if key.is_of_queues == of_queues:
            exported, is_erased, why = key.personal
            saved = "yes" if key.is_saved and key.kind != "channel" else ""
            yield _row(
                f"`{key.pattern}`",
                key.kind,
                key.text,
                key.bound,
                saved,
                f"`{exported}`" if exported else "",
                "yes" if is_erased else "" if why in ("not personal", key.bound) else f"no: {why}",
            )


#: Page and block -> its lines.
BLOCKS: Final[dict[tuple[str, str], Callable[[], Iterator[str]]]] = {
    ("docs/architecture.md", "keys"): lambda: keys(of_queues=False),
    ("docs/architecture.md", "keys of the queues"): lambda: keys(of_queues=True),
}


def written(page: str, text: str) -> str:
    """Return a page with its blocks as they are to be."""
    for (name, block), lines in BLOCKS.items():
        if name == page:
            head = f"<!-- {block}: written by `make tables` -->\n\n"
            before, found, rest = text.partition(head)
            if not found:
                raise ValueError(f"{page} lacks the line {head}")
            _, end, after = rest.partition("\n\n")
            text = f"{before}{head}{chr(10).join(lines())}{end}{after}"
    return text


def main() -> None:
    """Write all pages."""
    for page in dict.fromkeys(page for page, _ in BLOCKS):
        path = ROOT / page
        path.write_text(written(page, path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
