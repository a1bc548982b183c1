"""Choosers, which decide for a bot: a function, or a program with JSON lines."""

import importlib
import itertools
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from shengji_client.bot.config import Config, ConfigError
from shengji_client.examples import Action
from shengji_client.models import View
from shengji_client.protocol import pause_before

Choose = Callable[[View], Action]

#: Timeout of a program if a decision has no deadline, s.
LONGEST: Final = 60.0
#: Time before the deadline reserved for sending the answer, s.
SPARE: Final = 1.0

log = logging.getLogger(__name__)


def chooser_of(config: Config) -> Choose:
    """Return the chooser of a config.

    Raises:
        ConfigError: there is no such function.
    """
    if config.program:
        return Program(config.program, str(config.folder)).choose
    module, _, name = config.choose.partition(":")
    sys.path.insert(0, str(config.folder))
    try:
        choose: Choose = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"choose = {config.choose!r}: {error}") from error
    return choose


class Died(Exception):
    """The program has ended."""


class Program:
    """A program that answers each line `{"id", "view"}` on its input by a line `{"id", "action"}` on its output.

    Answers may come in any order. A program that exits is restarted, with growing delays, and asked again.
    """

    def __init__(self, command: list[str], folder: str) -> None:
        self._command = command
        self._folder = folder
        self._lock = threading.Lock()
        self._ids = itertools.count(1)
        self._pending: dict[int, Future[Action]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._failures = 0
        self._not_before = 0.0
        self._heard_at = 0.0

    def choose(self, view: View) -> Action:
        """Return the action of the program.

        Raises:
            TimeoutError: it did not answer in time.
        """
        decision = view["decision"]
        left = decision["remaining_ms"] if decision else None
        until = time.monotonic() + (LONGEST if left is None else max(SPARE, left / 1000 - SPARE))
        while True:
            time.sleep(max(0.0, min(until, self._not_before) - time.monotonic()))
            if time.monotonic() >= until:
                raise TimeoutError("the program has not answered in time")
            number, answer, asked_at = next(self._ids), Future[Action](), time.monotonic()
            try:
                process = self._ask(number, view, answer)
                return answer.result(until - asked_at)
            except Died:
                continue
            except TimeoutError:
                if self._heard_at < asked_at:
                    log.warning("the program answers nothing; it is killed")
                    process.kill()
                raise
            finally:
                self._pending.pop(number, None)

    def _ask(self, number: int, view: View, answer: Future[Action]) -> subprocess.Popen[str]:
        with self._lock:
            process = self._running()
            self._pending[number] = answer
            try:
                print(json.dumps({"id": number, "view": view}), file=process.stdin, flush=True)
            except OSError as error:
                # It has stopped reading. The thread that reads its output will notice the exit, and count it.
                process.kill()
                self._not_before = time.monotonic() + pause_before(self._failures + 1)
                raise Died from error
            return process

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(  # noqa: S603 (the command of the bot's owner)
                    self._command, cwd=self._folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            except OSError as error:
                log.warning("the program cannot be started: %s", error)
                self._postpone()
                raise Died from error
            threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        return self._process

    def _postpone(self) -> None:
        self._failures += 1
        self._not_before = time.monotonic() + pause_before(self._failures)

    def _read(self, process: subprocess.Popen[str]) -> None:
        for line in process.stdout or ():
            try:
                message = json.loads(line)
                answer, action = self._pending.pop(int(message["id"]), None), dict(message["action"])
            except (ValueError, TypeError, KeyError):
                log.warning("the program wrote what is no answer: %s", line.strip()[:200])
                continue
            self._failures, self._heard_at = 0, time.monotonic()
            if answer is not None:
                answer.set_result(action)
        code = process.wait()
        with self._lock:
            self._postpone()
            self._process = None
            lost, self._pending = self._pending, {}
        log.warning("the program has ended with %s; it is started again", code)
        for answer in lost.values():
            answer.set_exception(Died())
