"""Waiting until replicas have an event, before it is acknowledged (`APPEND_REPLICAS`).

A server acknowledges a write before its replicas have it. If it is lost then and a replica takes over, the write is
lost, too. `WAIT` tells how many replicas have what was written over the same connection. The event is looked for at the
same time, since it may have been appended to another server, which was lost in between.
"""

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
_CONFIRM: Final = Script("confirm")


def confirm(client: Client, table: str, event: Event, replicas: int) -> None:
    """Return when so many replicas have an event of a table.

    Raises:
        StoreUnavailable: they do not have it in time, or the server itself has lost it.
    """
    server = Server(client, keys.head(table))
    server.admit()
    pipeline = server.redis.pipeline(transaction=False)
    _CONFIRM.add_to(pipeline, [keys.head(table), keys.log(table)], event["seq"])
    pipeline.execute_command("WAIT", replicas, WAIT_MS)
    try:
        found, copies = pipeline.execute()
    except ResponseError as error:
        # It is a replica now, or the slot has moved: another server has taken over.
        raise StoreUnavailable(error) from error
    if found == -1 or (found and not _is_same(found[0], event, table)):
        raise StoreUnavailable(TimeoutError(f"{table} has lost event {event['seq']}"))
    if copies < replicas:
        raise StoreUnavailable(TimeoutError(f"{copies} replicas have event {event['seq']} of {table}, not {replicas}"))


def _is_same(entry: Any, event: Event, table: str) -> bool:
    name, fields = entry
    found = codec.decode_event({fields[0]: fields[1]}, f"event {name.decode()} of {table}")
    return (found["at"], found["type"], found["by"]) == (event["at"], event["type"], event["by"])
