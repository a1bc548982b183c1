"""Who may come in, as each process of the API knows it: the blocked networks, and who may register.

They are read from the store at the first request, whenever a change is announced, and every few seconds, in the thread
of the streams. So a request takes no round trip; while nothing is blocked, it takes one look at a variable.
"""

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from ipaddress import ip_network
from time import monotonic
from typing import Final, get_args

from flask import Request

from service.api.http.problems import AddressBlocked
from service.api.http.rate_limits import client_of
from service.api.streams.limits import Streams
from service.common.addresses import Client
from service.store import keys
from service.store.moderation.admission import Block, Doors, Registration
from service.store.port import StoreUnavailable

#: How often the doors are read even if no change is announced (s).
READ_S: Final = 5.0
#: While they cannot be read, the next attempt is made after this time (s).
_RETRY_S: Final = 1.0
_MOST_VERDICTS: Final = 20_000

_EMPTY: Final = Doors(None, [])


class Gate:
    """See the module. It is told of changes as the authenticator is (`Feeds.guard`), and beats as a stream does.

    Args:
        read: returns what is stored.
        usual: who may register unless an operator has said otherwise.
        streams: the open streams of this process.
        now: returns milliseconds since the epoch.
        begin: has `again` called in the thread of the streams every `READ_S`.
        soon: has a function called in that thread.
    """

    is_open = True

    def __init__(
        self,
        read: Callable[[], Doors],
        usual: Registration,
        streams: Streams,
        now: Callable[[], int],
        begin: Callable[["Gate"], None],
        soon: Callable[[Callable[[], None]], None],
    ) -> None:
        self.heartbeat_s = self.beats_at = 0.0
        self._read: Final = read
        self._usual: Final = usual
        self._streams: Final = streams
        self._now: Final = now
        self._begin: Final = begin
        self._soon: Final = soon
        self._lock: Final = threading.Lock()
        self._doors = _EMPTY
        #: Networks that are blocked now; None: not read yet.
        self._blocked: frozenset[str] | None = None
        #: Lengths of the prefixes among them, by version of IP.
        self._lengths: dict[int, list[int]] = {}
        #: Key of a client -> whether it is blocked.
        self._verdicts: dict[str, bool] = {}
        self._next_try = 0.0

    # --- asked by requests --------------------------------------------------------------------------------------------

    def check(self, raw: Request, open_to_all: Collection[str]) -> None:
        """Refuse a request from a blocked address.

        Args:
            open_to_all: names of routes (endpoints and blueprints) that blocked addresses may use.

        Raises:
            AddressBlocked: without any details.
        """
        if not self._blocked and self._blocked is not None:
            return
        if raw.endpoint in open_to_all or raw.blueprint in open_to_all:
            return
        if self._blocked is None:
            self._first()
        if self.is_blocked(client_of(raw)):
            raise AddressBlocked

    def is_blocked(self, client: Client) -> bool:
        """Return whether a client is in a blocked network."""
        blocked = self._blocked
        if not blocked:
            return False
        verdict = self._verdicts.get(client.key)
        if verdict is None:
            verdict = self._looked_up(client, blocked)
            if len(self._verdicts) >= _MOST_VERDICTS:
                self._verdicts = {}
            # Not kept if the blocks have changed meanwhile.
            if blocked is self._blocked:
                self._verdicts[client.key] = verdict
        return verdict

    def _looked_up(self, client: Client, blocked: frozenset[str]) -> bool:
        with suppress(ValueError):  # a client without an address
            network = ip_network(client.key.removeprefix("ip:"))
            lengths = self._lengths.get(network.version, [])
            return any(str(network.supernet(new_prefix=length)) in blocked for length in lengths)
        return False

    @property
    def registration(self) -> Registration:
        """Who may register now."""
        if self._blocked is None:
            self._first()
        switch = self._doors.switch
        chosen = switch and switch["registration"]
        # A later release may know more of them; nobody comes in by what this one does not understand.
        return (chosen if chosen in get_args(Registration) else "closed") if chosen else self._usual

    # --- reading ------------------------------------------------------------------------------------------------------

    def _first(self) -> None:
        with self._lock:
            if self._blocked is None and self._next_try <= monotonic():
                if not self._next_try:
                    self._begin(self)
                self._next_try = monotonic() + _RETRY_S
                self.again()

    def again(self) -> None:
        """Read the doors; if that fails, what was known before holds on."""
        with suppress(StoreUnavailable):
            self._take(self._read())

    def _take(self, doors: Doors) -> None:
        now = self._now()
        blocked = frozenset(each["network"] for each in doors.blocks if _holds(each, now))
        self._doors = doors
        if blocked == self._blocked:
            return
        networks = [ip_network(each) for each in blocked]
        self._lengths = {
            version: sorted({each.prefixlen for each in networks if each.version == version}) for version in (4, 6)
        }
        self._blocked, self._verdicts = blocked, {}
        if blocked:
            self._streams.end(self.is_blocked, AddressBlocked())

    # --- called by the feeds ------------------------------------------------------------------------------------------

    def forget(self, player: str) -> None:
        """See `Guard.forget`: changes are announced under a name that no player has."""
        if player == keys.DOORS and self._blocked is not None:
            self._soon(self.again)

    def hears(self, *, everything: bool) -> None:
        """See `Guard.hears`."""
        if everything and self._blocked is not None:
            self._soon(self.again)

    def send_beat(self, _: bytes) -> None:
        """See `Beating.send_beat`."""
        self.again()


def _holds(block: Block, now: int) -> bool:
    return block["until"] is None or block["until"] > now
