"""Provable shuffles (docs/shuffle.md).

The server commits to a seed of 256 bits before the players' entropy for the round is closed. All randomness of the
round is derived from seed, entropy, table and round by HMAC-SHA-256. The seed is revealed at the end of the round, so
anybody can verify it.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Mapping

SEED_BYTES = 32

#: A block of HMAC-SHA-256 as numbers.
_EIGHT = struct.Struct(">8I")


def commitment(server_seed: bytes) -> str:
    """Return the commitment to a server seed, published before its round: `"sha256:"` and 64 hex digits."""
    return "sha256:" + hashlib.sha256(server_seed).hexdigest()


def message(table: str, round_number: int, entropy: Mapping[int, str], purpose: str) -> bytes:
    """Return the message that the server seed signs: table, round, entropy of each seat (hex, by seat) and purpose."""
    parts = ["sj1", table, str(round_number), *(f"{seat}={entropy[seat]}" for seat in sorted(entropy)), purpose]
    return "|".join(parts).encode()


def _words(server_seed: bytes, signed: bytes) -> Iterator[int]:
    """Yield an endless stream of 32-bit words: HMAC-SHA-256 in counter mode, eight big-endian words a block."""
    counter = 0
    while True:
        yield from _EIGHT.unpack(hmac.digest(server_seed, b"%b|%d" % (signed, counter), "sha256"))
        counter += 1


def below(words: Iterator[int], bound: int) -> int:
    """Return an unbiased number in 0…bound−1, by rejecting words past the largest multiple of `bound`."""
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
