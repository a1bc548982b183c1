"""Steps of the clock of Redis' machine, seen by Redis alone: libfaketime (Debian: `libfaketime`) sets it."""

from pathlib import Path


class SteppedClock:
    """The clock of a Redis server that can be set while it runs.

    Args:
        file: where libfaketime reads the offset (s), within a second.

    Attributes:
        works: whether libfaketime is installed; without it nothing is stepped.
        environment: for the process of Redis.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        self.works = bool(libraries)
        self.environment: dict[str, str] = {}
        if libraries:
            self.set(0)
            self.environment = {
                "LD_PRELOAD": str(libraries[0]),
                "FAKETIME_TIMESTAMP_FILE": str(file),
                "FAKETIME_CACHE_DURATION": "1",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "DONT_FAKE_MONOTONIC": "1",
            }

    def set(self, seconds: int) -> None:
        """Set the clock by so many seconds against that of this machine."""
        part = self._file.with_suffix(".new")
        part.write_text(f"{seconds:+d}\n")
        part.replace(self._file)
