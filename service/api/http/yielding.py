"""Long work in a process that serves many: it stops again and again to let others have their turn."""

import time
from typing import Final

#: A sleep of no time at all lets other greenlets go on, but has nobody look for requests that have come in.
_PAUSE_S: Final = 0.001


def give_way() -> None:
    """Let the other requests of this process go on. To be called every few milliseconds of work."""
    time.sleep(_PAUSE_S)
