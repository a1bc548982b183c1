"""Announcements of other processes, over the channels of `service.store.keys`.

An announcement carries no data: it only says that a table or an account may have news, or that a token may be void. So
a spurious one does no harm, and reading the store makes up for a lost one. Signals alone carry data, which is kept
nowhere: pages send lost ones again.

A process hears of the tables it follows, and of all accounts.
"""

from typing import Final, Protocol

from service.store import keys
from service.store.connections.channels import Channels
from service.store.connections.commands import Client

#: How long the channel of a table stays open after its last follower has left (s), since pollers return.
LINGER_S: Final = 20.0


class Listener(Protocol):
    """The receiver of announcements. Its methods must not block."""

    def announced(self, table: str, version: int) -> None:
        """Called when a table has reached a version; 0: it was deleted."""

    def revoked(self, player: str) -> None:
        """Called when a token of the player has become void."""

    def news(self, player: str, token: str, number: str) -> None:
        """Called when the account of a player may have news.

        With a token (id): the token has opened the stream of the account with this number.
        """

    def signalled(self, player: str, message: str) -> None:
        """Called with a message (JSON) to the streams of a player's account."""

    def missed(self, table: str | None = None) -> None:
        """Called when announcements of a table (None: of any) may have been missed; from now on they are heard."""

    def deaf(self) -> None:
        """Called when announcements of void tokens are no longer heard, until `missed` is called without a table."""


class Announcements:
    """The announcements that reach this process.

    Args:
        client: see `service.store.connections.clients.listening_client`; not used before `listen`, i.e. only after a
            server has forked.
    """

    def __init__(self, client: Client) -> None:
        self._channels: Final = Channels(client, self)
        self._listener: Listener | None = None

    def listen(self, listener: Listener) -> None:
        """Pass all announcements from now on to the only listener; a second call does nothing."""
        if self._listener is None:
            self._listener = listener
            for channel in (keys.NEWS, keys.SIGNALS, keys.REVOKED):
                self._channels.want(channel, is_global=True)
        self._channels.start()

    def follow(self, table: str) -> None:
        """Follow a table. Announcements before its channel is open count as missed."""
        self._channels.want(keys.live(table))

    def leave(self, table: str) -> None:
        """End `follow`."""
        self._channels.want_for(keys.live(table), LINGER_S)

    def close(self) -> None:
        """Close all connections."""
        self._channels.close()

    # --- announcements ------------------------------------------------------------------------------------------------

    def opened(self, channel: str) -> None:
        """See `Receiver.opened`."""
        if channel == keys.REVOKED:
            # The last of the global channels.
            self._required_listener().missed()
        elif (table := keys.table_of_channel(channel)) is not None:
            self._required_listener().missed(table)

    def lost(self, channel: str) -> None:
        """See `Receiver.lost`."""
        if channel == keys.REVOKED:
            self._required_listener().deaf()

    def heard(self, channel: str, text: str) -> None:
        """See `Receiver.heard`."""
        if channel == keys.REVOKED:
            self._required_listener().revoked(text)
        elif channel == keys.NEWS:
            player, *opened = text.split(" ")
            self._required_listener().news(player, *(opened or ("", "")))
        elif channel == keys.SIGNALS:
            player, _, message = text.partition(" ")
            self._required_listener().signalled(player, message)
        else:
            table, _, version = text.partition(" ")
            self._required_listener().announced(table, int(version))

    def _required_listener(self) -> Listener:
        if self._listener is None:
            raise AssertionError("nothing is heard before somebody listens")
        return self._listener
