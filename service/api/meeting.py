"""Commands by which people meet at a table: refused like at a full table if one has blocked another."""

from contextlib import suppress
from typing import Any

from service.api.services import Services
from service.common.errors import Refusal
from service.people.errors import Apart
from service.tables import Outcome


def sit(services: Services, table: str, command: dict[str, Any]) -> Outcome:
    """Let a player sit down, list the table, and have it looked at for notices. Raises as `Tables.act`."""
    player: str = command["player"]
    outcome = services.tables.act(table, command, services.people.to_sit(player, command.get("seat")))
    services.players.add_table(player, table, services.tables.now())
    services.notices.sat(player, table)
    return outcome


def act(services: Services, table: str, command: dict[str, Any]) -> Outcome:
    """Carry out a command with which a game may begin.

    If one at the table has blocked another since they sat down, one of them loses the seat, and there is no game yet.

    Raises:
        TableFull: that is the player of the command.
        Refusal: as `Tables.act`.
    """
    while True:
        try:
            return services.tables.act(table, command, services.people.to_start)
        except Apart as apart:
            with suppress(Refusal):
                services.tables.act(table, {"type": "leave", "player": apart.player})
            if apart.player == command["player"]:
                raise
