"""Event streams of tables and of the account, which resume: the protocol without a connection."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shengji_client.problems import PASSING, Problem
from shengji_client.protocol import Send, Session, pause_before

#: Time without a heartbeat after which a stream is dead, s. Heartbeats come every ten seconds.
SILENCE: Final = 25.0
#: Duration from which a connection of a stream counts as a success, so that the next delay is short again, s.
STABLE: Final = 10.0


@dataclass(frozen=True)
class Message:
    """A message of a stream.

    Attributes:
        name: `message` for an event; others are `reset`, `snapshot`, `heartbeat` and `end`.
        data: what the README tells for each name, as `openapi.yaml` describes it.
        id: the position after which to resume; empty: unchanged.
    """

    name: str
    data: dict[str, Any]
    id: str = ""


class Stream:
    """An event stream over all its connections: where it resumes, after which pause, and whether it is over.

    Args:
        session: the player's.
        path: `/v1/tables/{table}/events` or `/v1/me/events`.
        after: id of the last message read; None: begin with the current state.
    """

    def __init__(self, session: Session, path: str, after: str | None) -> None:
        self._session = session
        self._path = path
        self._after = after
        self._failures = 0
        self._began = 0.0
        self._pause: float | None = None
        self._parser = Parser()
        self.is_over = False

    def connect(self) -> Send:
        """Return the request of the next connection."""
        self._began, self._pause, self._parser = time.monotonic(), None, Parser()
        after = {} if self._after is None else {"Last-Event-ID": self._after}
        headers = self._session.headers("text/event-stream") | after
        return Send("GET", self._session.url + self._path, headers, None, SILENCE)

    def receive(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that bytes of the connection complete, up to `end`.

        Raises:
            ValueError: the data of a message is not JSON.
        """
        for message in self._parser.feed(data):
            self._after = message.id or _place(message) or self._after
            self.is_over = message.name == "end"
            yield message
            if self.is_over:
                return

    def refused(self, problem: Problem) -> None:
        """Note that the service has refused a connection.

        Raises:
            Problem: it refuses the stream permanently.
        """
        if problem.status == 400 and self._after is not None:
            # The service has lost the events before this position in an outage.
            self._after = None
        elif problem.status not in PASSING:
            raise problem
        self._pause = problem.retry_after

    def pause(self) -> float:
        """Return the delay before the next connection, s, after one has ended."""
        self._failures = 0 if time.monotonic() - self._began > STABLE else self._failures
        pause = pause_before(self._failures) if self._pause is None else self._pause
        self._failures += 1
        return pause


class Parser:
    """Reads server-sent events from bytes as they come; an incomplete one is kept until it is whole."""

    def __init__(self) -> None:
        self._left = b""
        self._fields: dict[str, str] = {}

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the messages that these bytes complete.

        Raises:
            ValueError: the data of a message is not JSON.
        """
        *lines, self._left = (self._left + data).split(b"\n")
        for line in lines:
            text = line.decode().removesuffix("\r")
            name, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if name:
                fields = self._fields
                fields[name] = f"{fields['data']}\n{value}" if name == "data" in fields else value
            elif not text:
                fields, self._fields = self._fields, {}
                if "data" in fields:
                    yield Message(fields.get("event", "message"), json.loads(fields["data"]), fields.get("id", ""))


def _place(message: Message) -> str:
    return str(message.data["after"]) if message.name == "heartbeat" and "after" in message.data else ""
