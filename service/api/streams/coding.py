"""How the texts of a stream become bytes: as they are, or as gzip that keeps next to nothing (decision 53).

A zlib compressor holds up to 256 KB for as long as its stream is open. Here each text is compressed by a compressor of
its own, which is shown the last bytes that were sent before it and thrown away. Two streams that have sent the same
share the work and those bytes.
"""

import struct
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

#: How many of the bytes before a text it may refer to.
_WINDOW: Final = 2048
_LEVEL: Final = 6
#: Bits of zlib's own window, negative for deflate without a header, and how much memory it may take.
_WINDOW_BITS, _MEMORY_LEVEL = -12, 4
#: RFC 1952 §2.3: no name, no time, no system.
_HEADER: Final = b"\x1f\x8b\x08" + bytes(6) + b"\xff"
#: A last block without anything in it.
_LAST_BLOCK: Final = b"\x03\x00"


class Text(NamedTuple):
    """Some messages of a stream.

    Attributes:
        body: their bytes.
        is_alone: whether they must not be compressed together with others, because somebody chose words in them: a
            guess at what the others say would show in the size.
    """

    body: bytes
    is_alone: bool = False


class Coding(Protocol):
    """Encodes the texts of one stream."""

    def encode(self, texts: Iterable[Text]) -> bytes:
        """Return the bytes of the next texts, from which a client can read all of them at once."""

    def finish(self) -> bytes:
        """Return what comes after the last text."""


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
    """Texts in one gzip member, each ending on a byte (RFC 1952)."""

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
    """Return a text as blocks of deflate after the bytes of a window, and the window after it."""
    writer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, window)
    return writer.compress(body) + writer.flush(zlib.Z_SYNC_FLUSH), (window + body)[-_WINDOW:]


#: Streams that have sent the same are told the same one right after the other.
_deflated_once: Final = lru_cache(maxsize=256)(_deflated)
