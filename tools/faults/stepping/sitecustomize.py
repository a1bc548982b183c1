"""A wall clock that a test can step. Python imports this at its start if the folder is in PYTHONPATH.

The file named by CLOCK_STEP_FILE has the offset of the clock in milliseconds. The monotonic clock is not affected, as
when the clock of a machine is set.
"""

import contextlib
import os
import time
from pathlib import Path

#: How long a value read from the file is used (s).
FRESH_S = 0.05


class SteppedClock:
    """`time.time_ns` with the offset of the file."""

    def __init__(self, file: Path) -> None:
        self._file, self._real = file, time.time_ns
        self._offset, self._read_at = 0, float("-inf")

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self._read_at > FRESH_S:
            self._read_at = now
            with contextlib.suppress(OSError, ValueError):
                self._offset = int(self._file.read_text()) * 1_000_000
        return self._real() + self._offset


if path := os.environ.get("CLOCK_STEP_FILE"):
    time.time_ns = SteppedClock(Path(path))
    time.time = lambda: time.time_ns() / 1e9

if mutant := os.environ.get("MUTANT"):
    import mutants

    mutants.install(mutant)
