"""The stream of an account: a snapshot of its tables unless it resumes, then its events."""

from collections.abc import Callable
from typing import Final

from service.account_events.catalogue import ROWS
from service.api.streams.account import Telling
from service.api.streams.account_reader import AccountReader
from service.api.streams.body import Body
from service.api.streams.coding import Coding, Text
from service.api.streams.messages import check_rights, heartbeat
from service.common import fastjson
from service.wiring import UseCases


class AccountStream(Body[AccountReader]):
    """The body of an account's stream.

    Args:
        use: the dependencies.
        reader: its reader.
        telling: the events.
        coding, on_close: see `Body`.
    """

    __slots__ = ("_begins", "_telling", "_use")

    def __init__(
        self,
        use: UseCases,
        reader: AccountReader,
        telling: Telling,
        coding: Coding,
        on_close: Callable[[], None],
    ) -> None:
        super().__init__(reader, coding, on_close)
        self._use: Final = use
        self._telling: Final = telling
        self._begins = True

    def _next_texts(self) -> list[Text]:
        reader, telling, texts = self._reader, self._telling, list[Text]()
        check_rights(self._use, reader)
        if self._begins:
            self._begins = False
            texts += _beginning(telling)
        texts += [
            Text(_message(b"", event.place, event.body), is_alone=ROWS[event.type].has_words)
            for event in telling.events()
        ]
        texts += heartbeat(reader, self._use.tables.now, telling.place)
        if isinstance(reader.ended, str):
            texts.append(self._end(reader.ended))
        return texts

    def _last(self) -> str:
        return self._telling.place


def _beginning(telling: Telling) -> list[Text]:
    texts = []
    if telling.is_reset:
        texts.append(Text(_message(b"event: reset\n", telling.place, {"after": telling.place})))
    if telling.snapshot is not None:
        texts.append(Text(_message(b"event: snapshot\n", telling.place, telling.snapshot)))
        telling.snapshot = None
    return texts


def _message(name: bytes, place: str, data: object) -> bytes:
    return b"%bid: %b\ndata: %b\n\n" % (name, place.encode(), fastjson.dumps(data))
