"""Positions in the events of an account: the last stored event, and what was sent about each table.

Events derived from tables are not stored. So a position contains what was sent and still holds, and a client that
resumes there, in any process, gets the difference: every turn, and none twice.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, Self

#: Format: digits, then `.<table>~<what was sent>` for each table with something that holds.
PATTERN: Final = r"^[0-9]{1,15}([.][A-Za-z0-9_-]{1,60}~(c|g?[0-9]{1,9}))*$"
#: Most characters: 200 tables, each with a turn in a long game.
LONGEST: Final = 4_000
_PATTERN: Final = re.compile(PATTERN, re.ASCII)
_PREFIX: Final = "tb_"


class Cursor(NamedTuple):
    """A position in the events of an account.

    Attributes:
        seq: seq of the last stored event.
        marks: table -> what was sent about it and still holds, as in `my_tables.Row`.
    """

    seq: int
    marks: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> Self | None:
        """Parse a text; None if it is not a position."""
        if len(text) > LONGEST or _PATTERN.fullmatch(text) is None:
            return None
        seq, *parts = text.split(".")
        pairs = [part.split("~") for part in parts]
        return cls(int(seq), {_PREFIX + table: mark for table, mark in pairs})

    def __str__(self) -> str:
        marks = (f".{table.removeprefix(_PREFIX)}~{marks}" for table, marks in self.marks.items() if marks)
        return f"{self.seq}{''.join(marks)}"
