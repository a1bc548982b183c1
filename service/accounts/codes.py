"""Link codes and recovery codes: letters and digits of Crockford's base 32, which are hard to confuse."""

import hashlib
import unicodedata
from collections.abc import Callable
from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: Letters that people confuse, and separators of groups.
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})

#: 50 bits, enough for five minutes and a limited number of guesses (docs/operations.md).
LINK_LENGTH: Final = 10
#: The same for the code of a device, for ten minutes.
DEVICE_LENGTH: Final = 10
#: 130 bits, enough without any limit of time.
RECOVERY_LENGTH: Final = 26


def new_code(length: int, random_bytes: Callable[[int], bytes]) -> str:
    """Return a new code."""
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in random_bytes(length))


def hash_of(code: str) -> str:
    """Return the SHA-256 of a code in normalised form; phones may type wide letters, digits and hyphens."""
    code = unicodedata.normalize("NFKC", code)
    return hashlib.sha256(code.upper().translate(_READ_AS).encode("utf-8", "replace")).hexdigest()
