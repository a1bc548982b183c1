"""Messages between the pages of players, which are passed on and never stored."""

from typing import Final

from service.store import keys
from service.store.connections.commands import Client
from service.store.scripts import translate_errors


class SignalStore:
    """Passes messages on to the open streams of accounts, in all processes. Who has none does not get them."""

    def __init__(self, client: Client) -> None:
        self._redis: Final = client

    @translate_errors
    def send(self, player: str, message: str) -> None:
        """Send a message (JSON) to the streams of a player (id)."""
        self._redis.publish(keys.SIGNALS, f"{player} {message}")
