"""Two requests at the same moment: the second is sent between two commands of the first, at each place in turn.

What a request reads may be out of date when it writes. Threads find such a fault now and then; this finds it always.
"""

from collections.abc import Callable
from contextlib import contextmanager
from threading import get_ident

from redis.client import Pipeline

from service.store.connections.clients import DirectRedis


class _Counting:
    """Counts the round trips of this thread to Redis, and calls a function after one of them.

    Those of other threads are none of the request's: applications of earlier tests may still look at their Redis.
    """

    def __init__(self, after: int, call: Callable[[], object]) -> None:
        self._thread = get_ident()
        self._left = after
        self._call = call
        self.is_called = False

    def count(self) -> None:
        if get_ident() != self._thread:
            return
        self._left -= 1
        if self._left == 0:
            self.is_called = True
            self._call()


@contextmanager
def _counted(monkeypatch, counting):
    def counted(run):
        def wrapped(*args, **options):
            answer = run(*args, **options)
            counting.count()
            return answer

        return wrapped

    with monkeypatch.context() as patched:
        patched.setattr(DirectRedis, "execute_command", counted(DirectRedis.execute_command))
        patched.setattr(Pipeline, "execute", counted(Pipeline.execute))
        yield


def interleavings(monkeypatch, prepare):
    """Yield the answers to two requests, and whatever else was prepared, for each place where the second may come.

    Args:
        monkeypatch: the fixture.
        prepare: called for each place; returns two functions that send a request, and anything else.
    """
    place = 0
    while True:
        place += 1
        first, second, *rest = prepare()
        answers = []
        counting = _Counting(place, lambda: answers.append(second()))  # noqa: B023 (called before the next turn)
        with _counted(monkeypatch, counting):
            answer = first()
        if not counting.is_called:
            assert place > 1, "the first request sent no command"
            return
        yield answer, answers[0], *rest
