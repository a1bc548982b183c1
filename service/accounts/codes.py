"""Link codes and recovery codes: letters and digits of Crockford's base 32, which are hard to confuse."""

import hashlib
from collections.abc import Callable
from typing import Final

from service.accounts.errors import VoidCode
from service.common import typed

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
#: Letters that people confuse.
_READ_AS: Final = str.maketrans({"O": "0", "I": "1", "L": "1"})

#: 50 bits, enough for five minutes and a limited number of guesses (docs/operations.md).
LINK_LENGTH: Final = 10
#: The same for the code of a device, for ten minutes.
DEVICE_LENGTH: Final = 10
#: 130 bits, enough without any limit of time.
RECOVERY_LENGTH: Final = 26

#: 60 bits, enough for a year (docs/operations.md).
REGISTRATION_LENGTH: Final = 12


def new_code(length: int, random_bytes: Callable[[int], bytes]) -> str:
    """Return a new code."""
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in random_bytes(length))


def grouped(code: str) -> str:
    """Return a code in groups of four, as people read it."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def hash_of(code: str) -> str:
    """Return the SHA-256 of a code as it was meant."""
    return hashlib.sha256(_meant(code).encode()).hexdigest()


def void(code: str, length: int, reason: str) -> VoidCode:
    """Return the refusal of a code that was not found: what is wrong with it, if one can see that, else a reason."""
    return VoidCode(**{"what": "code", "reason": reason, **typed.fault(_meant(code), _ALPHABET, length)})


def _meant(code: str) -> str:
    return typed.code(code).translate(_READ_AS)
