"""Where an account's events resume: after the last stored one, and with what has been sent of each table.

Events derived from tables are not stored. So a position in the events of an account contains what was sent and still
holds, and a client that resumes there, in any process, gets the difference: every turn, and none twice.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, Self

#: Of a request: digits, then `.<table>~<what was told>` for each table of which something holds.
PATTERN: Final = r"^[0-9]{1,15}([.][A-Za-z0-9_-]{1,60}~(c|g?[0-9]{1,9}))*$"
#: Longest text: 200 tables, each with a turn in a long game.
LONGEST: Final = 4_000
_PATTERN: Final = re.compile(PATTERN, re.ASCII)
_PREFIX: Final = "tb_"


class Cursor(NamedTuple):
    """A place in the events of an account.

    Attributes:
        seq: of the last event that is kept.
        told: table -> what has been told of it and still holds, as in `my_tables.Row`.
    """

    seq: int
    told: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Return the place that a text names; None: it names none."""
        if len(text) > LONGEST or _PATTERN.fullmatch(text) is None:
            return None
        seq, *parts = text.split(".")
        pairs = [part.split("~") for part in parts]
        return cls(int(seq), {_PREFIX + table: told for table, told in pairs})

    def __str__(self) -> str:
        told = (f".{table.removeprefix(_PREFIX)}~{told}" for table, told in self.told.items() if told)
        return f"{self.seq}{''.join(told)}"
