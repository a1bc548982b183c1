"""The program under test: started as a command, given cases as lines of JSON, asked for a report of each."""

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Final, Self

from shengji_conformance.cases import Json

#: Time until an adapter has said what it can, s. Some compile first.
_START: Final = 60.0
#: Lines of an adapter's error output that are shown.
_SHOWN: Final = 15


class AdapterFailed(Exception):
    """The adapter ended, was silent, or wrote something else than a line of JSON."""


class Adapter:
    """A running adapter.

    Args:
        command: the command with its arguments.

    Attributes:
        about: its first line: `client`, and `can`, the goals (or kinds of questions) that it knows.

    Raises:
        AdapterFailed: it does not begin with such a line.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (the command that the user names)
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: list[str] = []
        for pipe, take in ((self._process.stdout, self._lines.put), (self._process.stderr, self._said.append)):
            threading.Thread(target=_read, args=(pipe, take), daemon=True).start()
        try:
            self.about = self._line(_START)
        except AdapterFailed:
            self.close()
            raise
        if not isinstance(self.about.get("can"), list):
            self.close()
            raise AdapterFailed(f'the first line must be {{"client": "…", "can": […]}}, not {self.about}')

    def ask(self, task: Json, patience: float) -> Json:
        """Give it a task, and return its report.

        Raises:
            AdapterFailed: there is none within `patience` (s). The adapter has been ended.
        """
        try:
            assert self._process.stdin is not None  # noqa: S101 (for the type checker)
            self._process.stdin.write(json.dumps(task, ensure_ascii=False) + "\n")
            self._process.stdin.flush()
            return self._line(patience)
        except OSError as error:
            self.close()
            raise AdapterFailed(f"the adapter has ended{self._last_words()}") from error
        except AdapterFailed:
            self.close()
            raise

    def close(self) -> None:
        """End it."""
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _line(self, patience: float) -> Json:
        try:
            line = self._lines.get(timeout=patience)
        except queue.Empty:
            raise AdapterFailed(f"no report within {patience:.0f} s{self._last_words()}") from None
        if not line:
            raise AdapterFailed(f"the adapter has ended without a report{self._last_words()}")
        try:
            report = json.loads(line)
        except ValueError:
            report = None
        if not isinstance(report, dict):
            raise AdapterFailed(f"the adapter must write an object as one line of JSON, not {line[:200]!r}")
        return report

    def _last_words(self) -> str:
        return "".join(f"\n    {line.rstrip()}" for line in self._said[-_SHOWN:])


def _read(pipe: IO[str] | None, take: object) -> None:
    """Pass on the lines of a pipe, and an empty one at its end."""
    assert pipe is not None  # noqa: S101 (as above)
    assert callable(take)  # noqa: S101
    for line in pipe:
        take(line)
    take("")
