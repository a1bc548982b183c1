"""Waiting until replicas have what was written, before it is acknowledged (`APPEND_REPLICAS`).

A server acknowledges a write before its replicas have it. If it is lost then and a replica takes over, the write is
lost, too. `WAIT` tells how many replicas have what was written over the same connection. An event is looked for at the
same time, since it may have been appended to another server, which was lost in between.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import ResponseError

from service.game.events.types import Event
from service.store import codec, keys
from service.store.connections.clients import Client
from service.store.connections.lines import Server
from service.store.port import StoreUnavailable
from service.store.scripts import Script

#: How long replicas may take (ms).
WAIT_MS: Final = 1_000
#: Within so many seconds no replica takes over.
_PROMPT_S: Final = 0.5
_CONFIRM: Final = Script("confirm")


def confirm(client: Client, table: str, event: Event, replicas: int) -> None:
    """Return when so many replicas have an event of a table.

    Raises:
        StoreUnavailable: they do not have it in time, or the server itself has lost it.
    """
    names = [keys.head(table), keys.log(table)]
    found = copied(client, names[0], replicas, lambda pipeline: _CONFIRM.add_to(pipeline, names, event["seq"]))
    if found == -1 or (found and not _is_same(found[0], event, table)):
        raise StoreUnavailable(TimeoutError(f"{table} has lost event {event['seq']}"))


def copied(client: Client, key: str, replicas: int, add: Callable[[Any], None]) -> Any:
    """Return the answer to a command once so many replicas have what it wrote.

    Args:
        key: tells which server it goes to.
        add: adds it to a pipeline.

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
        # It is a replica now, or the slot has moved: another server has taken over.
        raise StoreUnavailable(error) from error
    if time.monotonic() - began > _PROMPT_S and not server.is_named_by_all():
        # It may have hung. For a moment other replicas follow it although one has been promoted.
        raise StoreUnavailable(TimeoutError(f"another server may have taken over from that of {key}"))
    if copies < replicas:
        raise StoreUnavailable(TimeoutError(f"{copies} replicas have the last write to {key}, not {replicas}"))
    return answer


def _is_same(entry: Any, event: Event, table: str) -> bool:
    name, fields = entry
    found = codec.decode_event({fields[0]: fields[1]}, f"event {name.decode()} of {table}")
    return (found["at"], found["type"], found["by"]) == (event["at"], event["type"], event["by"])
