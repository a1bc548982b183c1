"""Interleavings by seed: actors run one at a time, and at each call of the store a scheduler chooses who goes on.

An actor is a function in a greenlet: a player, a worker, a clock. It stops before each call of the store, so between
two stops it only computes, and an order of the stops is all that can differ between two runs of the same actors. The
scheduler draws that order from a seed, moves the time, loses answers, and lets processes die. The same seed makes the
same run.
"""

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from greenlet import getcurrent, greenlet

#: Chances of going on with the actor of the last step: orders with few changes find other faults than those with many.
_STAY: Final = (0.0, 0.5, 0.9)
#: Most steps of an order. More than any needs: then something goes round in circles.
_MOST_STEPS: Final = 5_000


class Killed(BaseException):
    """Raised in an actor whose process dies. No call of the store that it makes afterwards has an effect."""


class Stuck(AssertionError):
    """An order does not end."""


class Step(NamedTuple):
    """A step of an order: who went on at which call, and when (ms)."""

    actor: str
    call: str
    at: int


class _Actor:
    def __init__(self, name: str, run: Callable[[], object], main: greenlet) -> None:
        self.name, self.call = name, "start"
        self.wakes_at = 0
        self.is_dead = False
        self.greenlet = greenlet(run, main)


class Order:
    """One run of some actors.

    Args:
        seed: of all choices.
        start: time at the start (ms).
        jumps: by how much the time may move between two steps (ms).
        most_ms: by how much the time may move in this way in all (ms).
        kills: how many actors may die; `mortal` says which.
        losses: how many answers of the store may be lost, or requests to it.
        moved: called after the time has moved, with by how much (ms).

    Attributes:
        now: the time (ms).
        rng: for the choices of the actors, too.
        steps: what was done.
        lost: how many answers were lost.
    """

    def __init__(
        self,
        seed: object,
        *,
        start: int,
        jumps: Sequence[int] = (),
        most_ms: float = math.inf,
        kills: int = 0,
        losses: int = 0,
        moved: Callable[[int], object] = lambda _ms: None,
    ) -> None:
        self.rng: Final = random.Random(f"order:{seed}")
        self.now = start
        self.steps: list[Step] = []
        self.lost = 0
        self._jumps: Final = jumps
        self._left_ms = most_ms
        self._moved: Final = moved
        self._kills = kills
        self._losses = losses
        self._stay: Final = self.rng.choice(_STAY)
        self._moves: Final = self.rng.choice((0.0, 0.05, 0.3)) if jumps else 0.0
        self._main: Final = getcurrent()
        self._actors: list[_Actor] = []
        self._mortal: set[str] = set()
        self._running: _Actor | None = None

    def actor(self, name: str, run: Callable[[], object], *, mortal: bool = False) -> None:
        """Add an actor; the process of a `mortal` one may die at any call."""

        def guarded() -> None:
            with suppress(Killed):
                run()

        self._actors.append(_Actor(name, guarded, self._main))
        if mortal:
            self._mortal.add(name)

    @property
    def is_stepping(self) -> bool:
        """Whether an actor runs here: what prepares or checks an order is not interrupted, nor are threads."""
        return self._running is not None and getcurrent() is self._running.greenlet

    @property
    def running(self) -> str:
        """The name of the actor that runs; "" outside."""
        return self._running.name if self._running is not None else ""

    def point(self, call: str) -> None:
        """Let the scheduler choose who goes on, before the actor makes a call."""
        actor = self._running
        if actor is None or not self.is_stepping:
            return
        if not actor.is_dead:
            actor.call = call
            self._main.switch()
        if actor.is_dead:
            raise Killed

    def sleep(self, ms: int) -> None:
        """Let the actor go on after a time (ms)."""
        if self._running is not None:
            self._running.wakes_at = self.now + ms
        self.point("sleep")

    def loses(self) -> bool:
        """Return whether an answer is lost now."""
        if self._losses and self.is_stepping and self.rng.random() < 0.1:
            self._losses -= 1
            self.lost += 1
            return True
        return False

    def run(self) -> None:
        """Run all actors to their end.

        Raises:
            Exception: whatever an actor raised.
        """
        left, last = list(self._actors), None
        while left:
            if len(self.steps) > _MOST_STEPS:
                raise Stuck(f"no end after {_MOST_STEPS} steps: {self.steps[-5:]}")
            if self._moves and self.rng.random() < self._moves:
                self._move_time(self.rng.choice(self._jumps))
            awake = [actor for actor in left if actor.wakes_at <= self.now]
            if not awake:
                self.pass_time(min(actor.wakes_at for actor in left) - self.now)
                continue
            if last not in awake or self.rng.random() >= self._stay:
                last = self.rng.choice(awake)
            if self._kills and last.name in self._mortal and last.call != "start" and self.rng.random() < 0.1:
                self._kills -= 1
                last.is_dead, last.call = True, "dies"
            self.steps.append(Step(last.name, last.call, self.now))
            self._running = last
            try:
                last.greenlet.switch()
            finally:
                self._running = None
            if last.greenlet.dead:
                left.remove(last)

    def _move_time(self, ms: int) -> None:
        if ms <= self._left_ms:
            self._left_ms -= ms
            self.pass_time(ms)

    def pass_time(self, ms: int) -> None:
        """Let time pass (ms), whatever the actors do."""
        self.now += ms
        self._moved(ms)


class Stepped:
    """A port of the store whose methods are calls of an order. `free` names those without a round trip.

    Where answers may be lost, a call raises `error()` before or after it has taken effect.
    """

    def __init__(
        self, port: Any, order: Order, error: Callable[[], Exception] | None = None, free: Sequence[str] = ()
    ) -> None:
        self._port, self._order, self._error, self._free = port, order, error, frozenset(free)

    def __getattr__(self, name: str) -> Any:
        plain = getattr(self._port, name)
        if name in self._free or not callable(plain):
            return plain

        def call(*args: Any, **options: Any) -> Any:
            order = self._order
            order.point(name)
            if self._error is None or not order.loses():
                return plain(*args, **options)
            if order.rng.random() < 0.5:
                plain(*args, **options)
            raise self._error()

        self.__dict__[name] = call
        return call
