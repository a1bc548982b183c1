"""Provable shuffles (docs/shuffle.md).

The server commits to a seed of 256 bits before the players' entropy for the round is closed. Everything that chance
decides in the round then follows from seed, entropy, table and round by HMAC-SHA-256; the seed is revealed when the
round has ended, and anybody can check it.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Mapping

SEED_BYTES = 32

#: A block of HMAC-SHA-256 as numbers.
_EIGHT = struct.Struct(">8I")


def commitment(server_seed: bytes) -> str:
    """Return what is published of a server seed before its round: `"sha256:"` and 64 hex digits."""
    return "sha256:" + hashlib.sha256(server_seed).hexdigest()


def message(table: str, round_number: int, entropy: Mapping[int, str], purpose: str) -> bytes:
    """Return what the server seed signs: table, round, each seat's entropy (hex, in order of seats) and the purpose."""
    parts = ["sj1", table, str(round_number), *(f"{seat}={entropy[seat]}" for seat in sorted(entropy)), purpose]
    return "|".join(parts).encode()


def _words(server_seed: bytes, signed: bytes) -> Iterator[int]:
    """Yield 32-bit words without end: HMAC-SHA-256 blocks under a counter, eight big-endian words each."""
    counter = 0
    while True:
        yield from _EIGHT.unpack(hmac.digest(server_seed, b"%b|%d" % (signed, counter), "sha256"))
        counter += 1


def below(words: Iterator[int], bound: int) -> int:
    """Return an unbiased number in 0…bound−1: words past the largest multiple of `bound` are passed over."""
    limit = (1 << 32) // bound * bound
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % bound


def permutation(server_seed: bytes, signed: bytes, size: int) -> list[int]:
    """Return 0…size−1 in shuffled order: Fisher–Yates from the top, one number for each step."""
    order = list(range(size))
    words = _words(server_seed, signed)
    for top in range(size - 1, 0, -1):
        at = below(words, top + 1)
        order[top], order[at] = order[at], order[top]
    return order


def pick(server_seed: bytes, signed: bytes, bound: int) -> int:
    """Return one unbiased number in 0…bound−1."""
    return below(_words(server_seed, signed), bound)
