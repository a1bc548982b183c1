"""Event streams that resume: of a table, and of the account."""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final

from shengji_client.client import Client, pause_before
from shengji_client.problems import PASSING, Problem

#: Heartbeats come every ten seconds; without one for so long, the connection is dead, s.
SILENCE: Final = 25.0
#: A connection that has lasted so long counts as a success: the next pause is short again, s.
STABLE: Final = 10.0


@dataclass(frozen=True)
class Message:
    """A message of a stream.

    `name` is `message` for an event. Others are `heartbeat`, `reset`, `snapshot` and `end`. `id` is the place to resume
    after; empty: as before.
    """

    name: str
    data: dict[str, Any]
    id: str = ""


def follow(client: Client, path: str, after: str | None = None) -> Iterator[Message]:
    """Yield the messages of a stream, each event once, over as many connections as it takes.

    It ends after the message `end`, whose `reason` tells why, and where nothing more is to come. After `reset`, discard
    what you have and continue with what it, or the `snapshot` after it, brings.

    Args:
        client: whose player reads.
        path: `/v1/tables/{table}/events` or `/v1/me/events`.
        after: id of the last message that was read; None: begin with what is now.

    Raises:
        Problem: the service refuses the stream for good.
    """
    failures = 0
    while True:
        began = time.monotonic()
        pause = None
        try:
            with client.open_stream(path, after, SILENCE) as answer:
                if answer.status == 204:
                    return
                for message in messages(answer):
                    after = message.id or _place(message) or after
                    yield message
                    if message.name == "end":
                        return
        except Problem as problem:
            if problem.status == 400 and after is not None:
                # The service has lost what came before this place, in an outage.
                after = None
            elif problem.status not in PASSING:
                raise
            pause = problem.retry_after
        except (OSError, HTTPException, ValueError):
            # A lost connection: as if the stream had broken off.
            pass
        failures = 0 if time.monotonic() - began > STABLE else failures
        client.sleep(pause_before(failures) if pause is None else pause)
        failures += 1


def _place(message: Message) -> str:
    return str(message.data["after"]) if message.name == "heartbeat" and "after" in message.data else ""


def messages(lines: Iterable[bytes]) -> Iterator[Message]:
    """Yield the messages of server-sent events; one that is cut off is dropped.

    Raises:
        ValueError: the data of a message is not JSON.
    """
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name:
            fields[name] = fields["data"] + "\n" + value[1:] if name == "data" in fields else value.removeprefix(" ")
        elif line.endswith(b"\n") and not value:
            if "data" in fields:
                yield Message(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))
            fields = {}
