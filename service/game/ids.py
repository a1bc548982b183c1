"""Ids of tables and games, and the codes that open tables."""

import base64
from collections.abc import Callable
from typing import Final

#: Letters and digits of the codes of tables, which are not easily confused.
CODE: Final = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
CODE_LENGTH: Final = 8


def new_id(prefix: str, random_bytes: Callable[[int], bytes]) -> str:
    """Return a new id: the prefix and twelve characters (60 bits)."""
    return id_from(prefix, random_bytes(8))


def id_from(prefix: str, digest: bytes) -> str:
    """Derive an id from a digest, so that creating a thing again gives the same id."""
    return prefix + base64.b32encode(digest[:8]).decode().lower()[:12]


def new_code(random_bytes: Callable[[int], bytes]) -> str:
    """Return a new code of eight letters and digits (39 bits); those of tables of earlier releases have six."""
    return "".join(CODE[byte % len(CODE)] for byte in random_bytes(CODE_LENGTH))


def game_id(table: str, number: int) -> str:
    """Return the id of a table's game; it contains the id of the table."""
    return f"gm_{table.removeprefix('tb_')}_{number}"


def table_of_game(game: str) -> str:
    """Return the id of the table of a game."""
    return "tb_" + game.removeprefix("gm_").rpartition("_")[0]
