"""Waiting for replicas before a write is acknowledged (`APPEND_REPLICAS`).

A server acknowledges a write before its replicas have it. If it fails then and a replica takes over, the write is lost.
So each replica that may take over has to have it, not some of them: Sentinel compares offsets that may be ten seconds
old, and may choose one that lacks what another one has acknowledged.
`WAIT` returns how many replicas have all writes of the same connection. The event is read together with it, since it
may have been appended to another server that failed in between.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import ResponseError

from service.game.events.types import Event
from service.store import codec, keys
from service.store.connections.commands import Client, Pipeline
from service.store.connections.lines import Server
from service.store.port import StoreUnavailable
from service.store.scripts import Script

#: Timeout for replicas (ms).
WAIT_MS: Final = 1_000
#: Seconds within which no replica takes over.
_PROMPT_S: Final = 0.5
_CONFIRM: Final = Script("confirm")
#: What `confirm.lua` tells of a table that sleeps.
_SLEEPS: Final = -2


class SleepsError(Exception):
    """The table sleeps; nothing can be confirmed before it is woken."""


def confirm(client: Client, table: str, event: Event, replicas: int) -> None:
    """Wait until the given number of replicas have an event of a table.

    Raises:
        StoreUnavailable: they do not have it in time, or the server has lost it.
        SleepsError: the table sleeps.
    """
    names = [keys.head(table), keys.log(table)]
    version = copied(client, names[0], replicas, lambda pipeline: _CONFIRM.add_to(pipeline, names, event["seq"]))
    if version == _SLEEPS:
        raise SleepsError(table)
    if version == -1 or (version and not _is_same(version[0], event, table)):
        raise StoreUnavailable(TimeoutError(f"{table} has lost event {event['seq']}"))


def copied(client: Client, key: str, replicas: int, add: Callable[[Pipeline], None]) -> Any:
    """Return the answer to a command once the given number of replicas have its writes.

    Args:
        key: determines the server.
        add: adds the command to a pipeline.

    Raises:
        StoreUnavailable: they do not have it in time, or the server is a replica now.
    """
    server = Server(client, key)
    server.admit()
    pipeline = server.redis.pipeline(transaction=False)
    add(pipeline)
    pipeline.execute_command("WAIT", replicas, WAIT_MS)
    began = time.monotonic()
    try:
        answer, copies = pipeline.execute()
    except ResponseError as error:
        # The server is a replica now, or the slot has moved.
        raise StoreUnavailable(error) from error
    if time.monotonic() - began > _PROMPT_S and not server.is_named_by_all():
        # The server may have hung. Other replicas briefly keep following it after one was promoted.
        raise StoreUnavailable(TimeoutError(f"another server may have taken over from that of {key}"))
    if copies < replicas:
        raise StoreUnavailable(TimeoutError(f"{copies} replicas have the last write to {key}, not {replicas}"))
    return answer


def _is_same(entry: Any, event: Event, table: str) -> bool:
    name, fields = entry
    stored = codec.decode_event({fields[0]: fields[1]}, f"event {name.decode()} of {table}")
    return (stored["at"], stored["type"], stored["by"]) == (event["at"], event["type"], event["by"])
