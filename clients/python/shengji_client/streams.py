"""Event streams of tables and of the account, which resume automatically."""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final

from shengji_client.client import Client, pause_before
from shengji_client.problems import PASSING, Problem

#: Time without a heartbeat after which a connection is dead, s. Heartbeats come every ten seconds.
SILENCE: Final = 25.0
#: Duration from which a connection counts as a success, so that the next delay is short again, s.
STABLE: Final = 10.0


@dataclass(frozen=True)
class Message:
    """A message of a stream.

    `name` is `message` for an event. Others are `heartbeat`, `reset`, `snapshot` and `end`. `id` is the position after
    which to resume; empty: unchanged.
    """

    name: str
    data: dict[str, Any]
    id: str = ""


def follow(client: Client, path: str, after: str | None = None) -> Iterator[Message]:
    """Yield the messages of a stream, each event once, reconnecting as needed.

    It ends after the message `end`, which has a `reason`, and when no more events can come. After `reset`, discard the
    current state and continue with the state in the message, or in the `snapshot` after it.

    Args:
        client: client of the player.
        path: `/v1/tables/{table}/events` or `/v1/me/events`.
        after: id of the last message read; None: begin with the current state.

    Raises:
        Problem: the service refuses the stream permanently.
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
                # The service has lost the events before this position in an outage.
                after = None
            elif problem.status not in PASSING:
                raise
            pause = problem.retry_after
        except (OSError, HTTPException, ValueError):
            # Treat a lost connection like the end of the stream.
            pass
        failures = 0 if time.monotonic() - began > STABLE else failures
        client.sleep(pause_before(failures) if pause is None else pause)
        failures += 1


def _place(message: Message) -> str:
    return str(message.data["after"]) if message.name == "heartbeat" and "after" in message.data else ""


def messages(lines: Iterable[bytes]) -> Iterator[Message]:
    """Yield the messages of server-sent events; drop an incomplete one.

    Raises:
        ValueError: the data of a message is not JSON.
    """
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\r\n")
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name:
            fields[name] = f"{fields['data']}\n{value}" if name == "data" in fields else value
        elif line.endswith(b"\n") and not text:
            if "data" in fields:
                yield Message(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))
            fields = {}
