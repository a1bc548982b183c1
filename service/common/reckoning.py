"""What a process knows of the shared time between two readings of the shared clock (`lua/clock.lua`).

It counts on by its own monotonic clock, and loses as much as the shared time does while that is ahead of the server's
clock. So the processes agree within `TOLERANCE_MS`, however long ago they have read it.
"""

from typing import Final, NamedTuple

#: Most by which the clocks of two processes differ (ms): of what one takes for the present, another may be as much
#: short. Readings differ by less than a request takes.
TOLERANCE_MS: Final = 50
#: While it is ahead of the server's clock, the shared time loses one ms in this many.
LEAVES_OUT_ONE_OF: Final = 50
#: Longest usual pause between two readings by any processes, and longest usual delay of a request (ms).
USUAL_PAUSE_MS: Final = 2_000
_DOUBT: Final = b"doubt"
_MS: Final = 1_000_000


class Said(NamedTuple):
    """An answer of the shared clock; see `lua/clock.lua`."""

    at: int
    heard: bytes
    gaps: bytes
    server: int
    unnoted: bytes


class _Line(NamedTuple):
    """The shared time as a function of the monotonic clock (all ns): `since + origin` at `since`."""

    origin: int
    since: int
    ahead: int

    def at(self, moment: int) -> int:
        lost = min(self.ahead, max(0, moment - self.since) // LEAVES_OUT_ONE_OF)
        return moment + self.origin - lost


class Reckoning:
    """See the module.

    Args:
        moment: of the monotonic clock (ns).
        guess: of the time at that moment, until the shared clock has been read (ns since the epoch).
    """

    def __init__(self, moment: int, guess: int) -> None:
        self._line = _Line(guess - moment, moment, 0)
        self._last_server: int | None = None
        self.is_known = False

    def at(self, moment: int) -> int:
        """Return the shared time (ms) at a moment of the monotonic clock (ns)."""
        return self._line.at(moment) // _MS

    def question(self, at: int) -> tuple[int | str, int | str]:
        """Return the first two arguments of a reading that begins at a moment of the monotonic clock (ns)."""
        server, self._last_server = self._last_server, None
        return self.at(at) if self.is_known else "", "" if server is None else server

    def take(self, sent: int, received: int, answer: Said) -> bool:
        """Take an answer to what was asked and received at these moments (ns); False: it must be asked again at once.

        An answer was true at some moment since the request, so whatever lies within that range will do.
        """
        if answer.unnoted == _DOUBT and self.is_known:
            self._last_server = answer.server
            return False
        earliest, latest = answer.at * _MS - received, (answer.at + 1) * _MS - sent
        origin = self._line.at(received) - received
        origin = min(max(origin, earliest), latest) if self.is_known else earliest
        self._line, self.is_known = _Line(origin, received, max(0, answer.at - answer.server) * _MS), True
        return True
