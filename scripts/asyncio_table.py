"""Write the table of `shengji_client.asyncio`: that of `shengji_client` with its requests awaited.

`python -m scripts.asyncio_table`. It differs in nothing else, so it is written once.
"""

import re
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parents[1] / "clients" / "python" / "shengji_client"
TABLE: Final = PACKAGE / "asyncio" / "table.py"
NOTE: Final = "# Written by scripts/asyncio_table.py from `shengji_client/table.py`: change that.\n"
#: Methods that send nothing themselves.
PLAIN: Final = ("__init__", "follow")


def table() -> str:
    """Return the text of `TABLE`."""
    text = (PACKAGE / "table.py").read_text(encoding="utf-8")
    text = text.replace('"""A table for a player."""', '"""A table for a player, for asyncio."""')
    text = text.replace("from shengji_client.client import", "from shengji_client.asyncio.client import")
    text = text.replace("Iterator", "AsyncIterator")
    text = re.sub(rf"    def (?!{'|'.join(PLAIN)})", "    async def ", text)
    text = re.sub(
        r"(= |return |^ +)((?:self\.)?client\.(?:request|send)|self\._outcome|self\.ready)\(",
        r"\1await \2(",
        text,
        flags=re.MULTILINE,
    )
    return NOTE + text


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
