"""What an opponent of another project is: a process that answers, and how views become its questions."""

import json
import os
import selectors
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workers.ai import Command
from workers.ai.knowledge.seat import View

HERE = Path(__file__).parent
#: Asks an engine: takes a request as JSON, returns what the engine answers.
Ask = Callable[[Any], Any]


class NoAnswer(Exception):
    """The engine failed, ended, or took too long."""


class Opponent(NamedTuple):
    """A player of another project, and the game that it knows.

    Attributes:
        ruleset, players: the game.
        options: number of a deal -> options of the table, set to the opponent's rules.
        runtime: program that runs the driver.
        driver: file that loads the opponent's code from a path, and answers requests by lines.
        decisions: kind of decision -> function that asks the engine and returns the command. Other decisions are
            made by `normal`.
    """

    ruleset: str
    players: int
    options: Callable[[int], dict[str, Any]]
    runtime: str
    driver: str
    decisions: Mapping[str, Callable[[Ask, View], Command]]


class Engine:
    """A process that answers requests, one a line. It is started when asked, and again after it has failed.

    Args:
        command: program and arguments.
        patience: seconds to wait for an answer.
    """

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self._command = command
        self._patience = patience
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, request: object) -> Any:
        """Return the engine's answer to a request.

        Raises:
            NoAnswer: it has none.
        """
        if self._process is None:
            # What it complains of goes to our own stderr.
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            answer = json.loads(self._line(self._process, json.dumps(request).encode() + b"\n"))
        except (OSError, ValueError, TimeoutError) as error:
            self.close()
            raise NoAnswer(f"{type(error).__name__}: {error}") from error
        if not isinstance(answer, dict) or "result" not in answer:
            raise NoAnswer(str(answer))
        return answer["result"]

    def _line(self, process: subprocess.Popen[bytes], request: bytes) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request)
        process.stdin.flush()
        line, until = b"", time.monotonic() + self._patience
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise TimeoutError(f"no answer within {self._patience} s")
                read = os.read(process.stdout.fileno(), 1 << 16)
                if not read:
                    raise OSError("the process ended")
                line += read
        return line

    def close(self) -> None:
        """End the process if it runs."""
        if self._process is not None:
            self._process.kill()
            # Closes the pipes as well.
            self._process.communicate()
            self._process = None


def tricks(view: View) -> list[tuple[int, list[list[str]]]]:
    """Return the leader and the plays of each trick so far, in order of play; the last one is not complete."""
    known = view["round"]
    past = [(each["leader"], each["plays"]) for each in known["earlier_tricks"]]
    latest = [trick for trick in (known["last_trick"], known["trick"]) if trick is not None]
    past += [(trick["plays"][0]["seat"], [each["cards"] for each in trick["plays"]]) for trick in latest]
    return past if known["trick"] is not None else [*past, (view["my"]["seat"], [])]


def seats_of(view: View) -> list[tuple[int, list[str]]]:
    """Return seat and cards of each play so far."""
    count = view["players"]
    return [((leader + at) % count, cards) for leader, plays in tricks(view) for at, cards in enumerate(plays)]


def declare(view: View, cards: Sequence[str]) -> Command:
    """Return the command that declares these cards; passes if there are none, or if this seat's cards stand.

    Only the seat's own longer declaration of the same suit may replace the one that stands.
    """
    standing = view["round"]["declarations"]
    own = bool(standing) and standing[-1]["seat"] == view["my"]["seat"]
    if not cards or (own and set(cards) != set(standing[-1]["cards"])):
        return {"type": "pass"}
    return {"type": "declare", "cards": list(cards)}
