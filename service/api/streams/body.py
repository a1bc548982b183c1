"""Base of the bodies of all streams: wait, send what is new, end with a reason."""

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
    """The body of a stream's response: messages until the last one, or until the player's access ends.

    A plain iterator instead of a generator, since there are thousands of streams, and each layer takes memory.

    Args:
        reader: its reader.
        coding: encodes the messages.
        on_close: called when the stream ends, for any reason.
    """

    __slots__ = ("_coding", "_is_done", "_is_new", "_on_close", "_reader")

    def __init__(self, reader: _ReaderT, coding: Coding, on_close: Callable[[], None]) -> None:
        self._reader: Final = reader
        self._coding: Final = coding
        self._on_close: Final = on_close
        self._is_new = True
        #: Whether the stream has ended.
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
        """End the stream; the server always calls this."""
        self._on_close()

    def _next_texts_or_end(self) -> Sequence[Text]:
        try:
            return self._next_texts()
        except Refusal as refusal:
            return [self._end(refusal.code)]
        except StoreUnavailable:
            # Break off the stream; the client gets the error when it reconnects.
            self._is_done = True
            return []

    def _end(self, reason: str) -> Text:
        self._is_done = True
        return rendering.end_message(reason, self._last())

    @abstractmethod
    def _next_texts(self) -> Sequence[Text]:
        """Return the messages to send now, if any."""

    @abstractmethod
    def _last(self) -> int | str:
        """Return the id of the last event sent."""
