"""Ids of tables and games."""

import base64
from collections.abc import Callable


def new_id(prefix: str, chance: Callable[[int], bytes]) -> str:
    """Return a new id: the prefix and twelve characters (60 bits)."""
    return prefix + base64.b32encode(chance(8)).decode().lower()[:12]


def game_id(table: str, number: int) -> str:
    """Return the id of a table's game; it contains the id of the table."""
    return f"gm_{table.removeprefix('tb_')}_{number}"


def table_of_game(game: str) -> str:
    """Return the id of the table that a game is or was played at."""
    return "tb_" + game.removeprefix("gm_").rpartition("_")[0]
