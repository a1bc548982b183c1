"""Commands by which people meet at a table, refused if one has blocked another."""

from contextlib import suppress
from typing import Any

from service.api.services import Services
from service.common.errors import Refusal
from service.people.errors import Apart
from service.tables import Outcome


def sit(services: Services, table: str, command: dict[str, Any]) -> Outcome:
    """Seat a player, list the table, and schedule its notices. Raises as `Tables.act`.

    If there is a block between the player and somebody at the table, it is a private one to the player, and no code
    opens it.
    """
    player: str = command["player"]
    services.presence.heard(player)
    if services.people.is_barred(player, services.tables.load(table)):
        command = {**command, "is_barred": True}
    outcome = services.tables.act(table, command, services.people.to_sit(player, command.get("join_code")))
    services.stores.players.add_table(player, table, services.tables.now())
    services.notices.sat(player, table)
    return outcome


def act(services: Services, table: str, command: dict[str, Any]) -> Outcome:
    """Carry out a command that may start a game.

    If a player at the table has blocked another since they sat down, one of them loses the seat, and no game starts.

    Raises:
        NotYourSeat: the player of the command lost the seat.
        Refusal: see `Tables.act`.
    """
    while True:
        try:
            return services.tables.act(table, command, services.people.to_start)
        except Apart as apart:
            with suppress(Refusal):
                services.tables.act(table, {"type": "leave", "player": apart.player})
            if apart.player == command["player"]:
                raise
