"""Event streams as the service sends them, and as they come over a bad line."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from shengji_conformance.cases import Json, account
from shengji_conformance.world import World, changed

#: Longest wait for the next event before a heartbeat, s.
_BEAT: Final = 1.0


class BreaksOff(Exception):
    """The connection is to be closed here."""


def message(data: object, name: str = "", place: object = None) -> str:
    """Return a server-sent event."""
    head = f"event: {name}\n" if name else ""
    head += "" if place is None else f"id: {place}\n"
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n"


class Stream:
    """The messages of one connection.

    Args:
        world: the table.
        after: where the client resumes; None: with a `reset`.
        script: what to send, step by step; then the rest as the service would. A number stands for so many messages of
            the table; a word for a `heartbeat`, a `reset`, `half` of the next message, to `break` off, `silence`;
            `crlf`, `lines`, `bytes` and `comments` change how the rest is written; an object is an event to insert, or
            a message with `event`, `data` and `id`; `end: reason` ends the stream.
        changes: changes of events and views, as `changed` makes them.
    """

    def __init__(
        self, world: World, after: int | None, script: Sequence[Any] = (), changes: Sequence[Json] = ()
    ) -> None:
        self._changes = changes
        self._world = world
        self._after = after
        self._script = script
        self._manner: set[str] = set()

    def chunks(self) -> Iterator[bytes]:
        """Yield what is to be written, piece by piece.

        Raises:
            BreaksOff: the connection is to be closed.
        """
        for step in self._script:
            if step in ("crlf", "lines", "bytes", "comments"):
                self._manner.add(step)
                continue
            for text in self._step(step):
                yield from self._written(text)
            if isinstance(step, str) and step.startswith("end: "):
                return
        for text in self._rest():
            yield from self._written(text)

    def _step(self, step: Any) -> Iterator[str]:
        if isinstance(step, int):
            for _ in range(step):
                yield self._next()
        elif isinstance(step, dict):
            yield self._inserted(step)
        elif step == "reset":
            self._after = None
            yield self._next()
        elif step == "heartbeat":
            yield self._heartbeat()
        elif step == "half":
            text = self._next()
            yield text[: len(text) // 2]
            raise BreaksOff
        elif step == "break":
            raise BreaksOff
        elif step == "silence":
            while not self._world.is_closed:
                time.sleep(0.1)
            raise BreaksOff
        elif step.startswith("end: "):
            yield self._end(step.removeprefix("end: "))

    def _inserted(self, step: Json) -> str:
        if "data" in step and "type" not in step:
            return message(step["data"], step.get("event", ""), step.get("id"))
        # An event of a later version in the place of the next one.
        event = self._events()[0]
        self._after = event["seq"]
        return message({**event, **step}, "", event["seq"])

    def _next(self) -> str:
        if self._after is None:
            view = self._world.view
            self._after = int(view["version"])
            return message(changed({"view": view}, self._changes), "reset", self._after)
        event = self._events()[0]
        self._after = int(event["seq"])
        return message(changed(event, self._changes), "", self._after)

    def _events(self) -> list[Json]:
        return self._world.shown(self._after or 0)

    def _heartbeat(self) -> str:
        return message({"server_time": self._world.view["server_time"], "after": self._after or 0}, "heartbeat")

    def _end(self, reason: str) -> str:
        return message({"reason": reason, "after": self._after or 0}, "end")

    def _rest(self) -> Iterator[str]:
        """Yield all messages until the game is over."""
        world = self._world
        if self._after is None:
            yield self._next()
        while True:
            with world.changed:
                if not self._events() and not world.is_over:
                    world.changed.wait(_BEAT)
                waiting, is_over = len(self._events()), world.is_over
            if world.is_closed:
                raise BreaksOff
            for _ in range(waiting):
                yield self._next()
            if is_over:
                yield self._end("over")
                return
            if not waiting:
                yield self._heartbeat()

    def _written(self, text: str) -> Iterator[bytes]:
        if "comments" in self._manner:
            text = f": still here\n\nretry: 100\n{text}"
        if "lines" in self._manner:
            head, _, rest = text.rpartition("data: ")
            text = f"{head}data: " + rest.replace(": ", ":\ndata: ", 1)
        if "crlf" in self._manner:
            text = text.replace("\n", "\r\n")
        data = text.encode()
        if "bytes" in self._manner:
            # Many writes for one message, some of them in the middle of a character.
            yield from (data[at : at + 7] for at in range(0, len(data), 7))
        else:
            yield data


class AccountStream(Stream):
    """The messages of one connection of the account: a `snapshot` unless it resumes, the events, and `newer-stream`.

    Args:
        world: whether the case is over.
        place: where the client resumes; None: with a `snapshot`. A place that the stream does not have is its begin.
        script: what to send, as in `Stream`; numbers stand for so many events, `snapshot` for itself.
        changes: changes of events.
    """

    def __init__(
        self, world: World, place: str | None, script: Sequence[Any] = (), changes: Sequence[Json] = ()
    ) -> None:
        places = [account()["begin"], *(each["id"] for each in account()["messages"])]
        super().__init__(world, None if place is None else _index(places, place), script, changes)
        self._places = places

    @property
    def _place(self) -> str:
        return str(self._places[self._after or 0])

    def _step(self, step: Any) -> Iterator[str]:
        if step == "snapshot":
            self._after = None
            yield self._next()
        else:
            yield from super()._step(step)

    def _inserted(self, step: Json) -> str:
        if "type" not in step:
            if "id" in step:
                self._after = _index(self._places, step["id"])
            return super()._inserted(step)
        self._after = (self._after or 0) + 1
        return message({**account()["messages"][self._after - 1]["event"], **step}, "", self._place)

    def _next(self) -> str:
        if self._after is None:
            self._after = 0
            return message(account()["snapshot"], "snapshot", self._place)
        self._after += 1
        return message(changed(account()["messages"][self._after - 1]["event"], self._changes), "", self._place)

    def _heartbeat(self) -> str:
        return message({"server_time": account()["snapshot"]["server_time"], "after": self._place}, "heartbeat")

    def _end(self, reason: str) -> str:
        return message({"reason": reason, "after": self._place}, "end")

    def _rest(self) -> Iterator[str]:
        if self._after is None:
            yield self._next()
        while self._place != self._places[-1]:
            yield self._next()
        yield self._end("newer-stream")


def _index(places: Sequence[str], place: str) -> int:
    return places.index(place) if place in places else 0
