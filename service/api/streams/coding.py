"""Content codings of streams: identity, or gzip with almost no state per stream (decision 54).

A zlib compressor holds up to 256 KB while its stream is open. Here each text gets a short-lived compressor, primed with
the last bytes sent before. Streams that have sent the same bytes share the work and this window.
"""

import struct
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

#: Size of the window of earlier bytes that the compressor may refer to.
_WINDOW: Final = 2048
_LEVEL: Final = 6
#: Bits of zlib's own window, negative for raw deflate, and zlib's memory level.
_WINDOW_BITS, _MEMORY_LEVEL = -12, 4
#: RFC 1952 §2.3: no file name, no time, unknown system.
_HEADER: Final = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
#: An empty final block.
_LAST_BLOCK: Final = b"\x03\x00"


class Text(NamedTuple):
    """Some messages of a stream.

    Attributes:
        body: their bytes.
        is_alone: whether they must be compressed separately, since they contain words chosen by a person: the
            compressed size would reveal whether these occur in other messages.
    """

    body: bytes
    is_alone: bool = False


class Coding(Protocol):
    """Encodes the texts of one stream."""

    def encode(self, texts: Iterable[Text]) -> bytes:
        """Return the bytes of the next texts, flushed so that a client can decode all of them immediately."""

    def finish(self) -> bytes:
        """Return the bytes after the last text."""


class Identity:
    """Texts as they are."""

    __slots__ = ()

    def encode(self, texts: Iterable[Text]) -> bytes:
        """See `Coding`."""
        return b"".join([text.body for text in texts])

    def finish(self) -> bytes:
        """See `Coding`."""
        return b""


class Gzip:
    """A single gzip member in which each text ends on a byte boundary (RFC 1952)."""

    __slots__ = ("_checksum", "_size", "_window")

    def __init__(self) -> None:
        self._window = b""
        self._checksum = self._size = 0

    def encode(self, texts: Iterable[Text]) -> bytes:
        """See `Coding`."""
        blocks = [] if self._size else [_HEADER]
        for body, is_alone in texts:
            deflate = _deflated_once if len(body) <= _WINDOW else _deflated
            block, window = deflate(b"" if is_alone else self._window, body)
            self._window = b"" if is_alone else window
            self._checksum = zlib.crc32(body, self._checksum)
            self._size += len(body)
            blocks.append(block)
        return b"".join(blocks)

    def finish(self) -> bytes:
        """See `Coding`."""
        return _LAST_BLOCK + struct.pack("<LL", self._checksum, self._size & 0xFFFFFFFF)


def _deflated(window: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return a text as deflate blocks that may refer to a window of earlier bytes, and the next window."""
    writer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, window)
    return writer.compress(body) + writer.flush(zlib.Z_SYNC_FLUSH), (window + body)[-_WINDOW:]


#: Cached for streams that have sent the same bytes, which get the same next text in quick succession.
_deflated_once: Final = lru_cache(maxsize=256)(_deflated)
