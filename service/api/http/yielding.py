"""Cooperative scheduling: long computations yield to the other requests of their process."""

import time
from typing import Final

#: Sleep time. Zero would let other greenlets run, but not poll the sockets for new requests.
_PAUSE_S: Final = 0.001


def give_way() -> None:
    """Let other requests of this process run. Call it every few milliseconds of work."""
    time.sleep(_PAUSE_S)
