"""Which players have open streams of which tables, over all API processes.

Each process keeps the list of its own streams alive. The list of a killed process expires within `ALIVE_MS`.
"""

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from service.store import keys
from service.store.connections.commands import Client
from service.store.port import StoreUnavailable
from service.store.scripts import translate_errors

#: How long a process counts as alive after a heartbeat (ms), and the interval of heartbeats (s).
ALIVE_MS: Final = 15_000
SIGN_S: Final = 4.0
#: Most members added by one command.
_PART: Final = 1_000


class OpenStreams:
    """The open streams of all processes, and those of this process.

    Args:
        client: for commands.
        now: returns milliseconds since the epoch.
    """

    def __init__(self, client: Client, now: Callable[[], int]) -> None:
        self._redis: Final = client
        self._now: Final = now
        self._lock: Final = threading.Lock()
        self._open: Final[dict[str, None]] = {}
        self._process = ""
        self._closed: Final = threading.Event()

    # --- this process -------------------------------------------------------------------------------------------------

    def opened(self, table: str, player: str) -> None:
        """Note that a player has opened a stream of a table. Ignores an outage of the store."""
        member = _member(table, player)
        with self._lock:
            self._open[member] = None
            is_first = not self._process
            if is_first:
                self._process = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"
        with suppress(StoreUnavailable):
            if is_first:
                self.sign()
            else:
                self._add([member])
        if is_first:
            threading.Thread(target=self._keep_up, name="open-streams", daemon=True).start()

    def closed(self, table: str, player: str) -> None:
        """Note that a player has closed the last stream of a table in this process."""
        member = _member(table, player)
        with self._lock:
            self._open.pop(member, None)
        with suppress(StoreUnavailable):
            self._remove(member)

    @translate_errors
    def sign(self) -> None:
        """Send a heartbeat, and list all streams again, since the list may have expired."""
        now, key = self._now(), keys.open_streams_of(self._process)
        with self._lock:
            members = list(self._open)
        pipeline = self._redis.pipeline(transaction=False)
        for at in range(0, len(members), _PART):
            pipeline.sadd(key, *members[at : at + _PART])
        pipeline.pexpire(key, ALIVE_MS)
        pipeline.zadd(keys.OPEN_STREAMS, {self._process: now})
        pipeline.zremrangebyscore(keys.OPEN_STREAMS, "-inf", now - ALIVE_MS)
        pipeline.pexpire(keys.OPEN_STREAMS, ALIVE_MS)
        pipeline.execute()
        with self._lock:
            gone = [member for member in members if member not in self._open]
        # Remove streams that were closed meanwhile, which may have been added again.
        if gone:
            self._redis.srem(key, *gone)

    @translate_errors
    def _add(self, members: Iterable[str]) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.sadd(keys.open_streams_of(self._process), *members)
        pipeline.pexpire(keys.open_streams_of(self._process), ALIVE_MS)
        pipeline.execute()

    @translate_errors
    def _remove(self, member: str) -> None:
        self._redis.srem(keys.open_streams_of(self._process), member)

    def _keep_up(self) -> None:
        while not self._closed.wait(SIGN_S):
            with suppress(StoreUnavailable):
                self.sign()

    def close(self) -> None:
        """End the thread that sends heartbeats."""
        self._closed.set()

    # --- all processes ------------------------------------------------------------------------------------------------

    @translate_errors
    def of_pairs(self, pairs: list[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the pairs of table and player for which the player has an open stream of the table.

        One round trip, and a second one if any process has streams.
        """
        processes = self._redis.zrangebyscore(keys.OPEN_STREAMS, self._now() - ALIVE_MS, "+inf") if pairs else []
        if not processes:
            return set()
        pipeline = self._redis.pipeline(transaction=False)
        for process in processes:
            for pair in pairs:
                pipeline.sismember(keys.open_streams_of(process.decode()), _member(*pair))
        answers = pipeline.execute()
        return {pair for at, pair in enumerate(pairs) if any(answers[at :: len(pairs)])}


def _member(table: str, player: str) -> str:
    return f"{table} {player}"
