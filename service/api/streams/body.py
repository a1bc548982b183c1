"""What the bodies of all streams have in common: they wait, send what is new, and end for a reason."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Final, Generic, Self, TypeVar

from service.api.streams import rendering
from service.api.streams.coding import Coding, Text
from service.api.streams.follower import Reader
from service.common.errors import Refusal
from service.store.port import StoreUnavailable

_ReaderT = TypeVar("_ReaderT", bound=Reader)


class Body(Generic[_ReaderT]):
    """The body of a stream's response: its messages until the player's right to them ends, or there are no more.

    A plain iterator rather than a generator: there are thousands, and each layer costs memory.

    Args:
        reader: who reads it.
        coding: encodes it.
        on_close: called when the stream ends, for whatever reason.
    """

    __slots__ = ("_coding", "_is_done", "_is_new", "_on_close", "_reader")

    def __init__(self, reader: _ReaderT, coding: Coding, on_close: Callable[[], None]) -> None:
        self._reader: Final = reader
        self._coding: Final = coding
        self._on_close: Final = on_close
        self._is_new = True
        #: Whether nothing more will be sent.
        self._is_done = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        if self._is_new:
            self._is_new = False
            return self._coding.encode([rendering.RETRY])
        while not self._is_done:
            texts = self._next_texts_or_end()
            if texts or self._is_done:
                encoded = self._coding.encode(texts)
                return encoded + self._coding.finish() if self._is_done else encoded
            self._reader.wait()
        raise StopIteration

    def close(self) -> None:
        """End the stream; the server calls this in any case."""
        self._on_close()

    def _next_texts_or_end(self) -> Sequence[Text]:
        try:
            return self._next_texts()
        except Refusal as refusal:
            return [self._end(refusal.code)]
        except StoreUnavailable:
            # The stream breaks off, and the client gets the error when it reconnects.
            self._is_done = True
            return []

    def _end(self, reason: str) -> Text:
        self._is_done = True
        return rendering.end_message(reason, self._last())

    @abstractmethod
    def _next_texts(self) -> Sequence[Text]:
        """Return what is to be sent now, perhaps nothing."""

    @abstractmethod
    def _last(self) -> int | str:
        """Return the id of the last event that was sent."""
