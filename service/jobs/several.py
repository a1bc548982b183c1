"""Job queues on several Redis servers, one of which is chosen by the id of a table, game or event (decision 172).

All jobs of a table are on one server. If it is lost, its tables wait and the others go on; when it is back, even empty,
the clock enqueues what is due.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar
from zlib import crc32

from redis import Redis
from redis.exceptions import RedisError

from service.jobs.asked import Asker, Question
from service.jobs.queues import Questions, Queues
from service.jobs.worker_status import Times, WorkerStatus, alive, read
from service.store.port import TableStore
from service.store.scripts import translate_errors

_T = TypeVar("_T")

#: How long one of several servers is left out after it did not answer (s).
LEFT_OUT_S: Final = 2.0
#: Roles of processes that serve all servers, and send heartbeats to more than one.
_OF_ALL: Final = ("clock", "messenger")


def one_of(parts: Sequence[_T], key: str) -> _T:
    """Return the one that belongs to a table, game or event."""
    return parts[crc32(key.encode()) % len(parts)] if len(parts) > 1 else parts[0]


def queues_of(redises: Iterable[Redis], now: Callable[[], int], traces: Any = None) -> list[Queues]:
    """Return the queues on each server."""
    servers = list(redises)
    return [Queues(redis, now, traces, left_out_s=LEFT_OUT_S if len(servers) > 1 else 0.0) for redis in servers]


class SeveralQueues:
    """Enqueues jobs on their server; see `Queues`."""

    def __init__(self, parts: Sequence[Queues]) -> None:
        self.parts: Final = parts

    def enqueue(self, table: str, version: int, queue: str) -> None:
        """See `Queues.enqueue`."""
        one_of(self.parts, table).enqueue(table, version, queue)


class SeveralQuestions:
    """Asks the AI on the server of a table, game or event; see `Questions`.

    Raises `StoreUnavailable` while that server does not answer.
    """

    def __init__(self, parts: Sequence[Questions]) -> None:
        self._parts: Final = parts

    @translate_errors
    def hint(self, client: str, table: str, seat: int, decision: str, moment: int) -> Mapping[str, Any] | None:
        """See `Questions.hint`."""
        return one_of(self._parts, table).hint(client, table, seat, decision, moment)

    @translate_errors
    def seconds(self, asker: Asker, question: Question, steps: int) -> float:
        """See `Questions.seconds`."""
        return one_of(self._parts, question.game).seconds(asker, question, steps)

    @translate_errors
    def ask(self, asker: Asker, question: Question) -> bool:
        """See `Questions.ask`."""
        return one_of(self._parts, question.game).ask(asker, question)

    @translate_errors
    def field(self, event: str, number: int, deal: int) -> bool:
        """See `Questions.field`."""
        return one_of(self._parts, event).field(event, number, deal)

    @translate_errors
    def sent_deal(self, code: str) -> bool:
        """See `Questions.sent_deal`."""
        return one_of(self._parts, code).sent_deal(code)

    @translate_errors
    def riddle(self, game: str, number: int) -> bool:
        """See `Questions.riddle`."""
        return one_of(self._parts, game).riddle(game, number)


def all_served(redises: Iterable[Redis], role: str, now: int, *, is_trusted: Callable[[], bool]) -> bool | None:
    """Return whether each server has a live process in this role; None if that is unknown.

    Args:
        is_trusted: returns whether processes could send heartbeats.
    """
    try:
        served = all(alive(redis, role, now) > 0 for redis in redises)
    except RedisError:
        return None
    return served if served or is_trusted() else None


def read_all(
    redises: Sequence[Redis],
    store: TableStore,
    queues: tuple[str, ...],
    now: int,
    oldest_notice: Callable[[], int | None],
) -> WorkerStatus:
    """Return the state of workers and queues of all servers together; see `read`."""
    first = read(redises[0], store, queues, now, oldest_notice)
    for redis in redises[1:]:
        its = read(redis, None, queues, now)
        first = WorkerStatus(
            {
                role: max(count, its.processes[role]) if role in _OF_ALL else count + its.processes[role]
                for role, count in first.processes.items()
            },
            _sum(first.waiting, its.waiting),
            first.overdue,
            {of: _both(times, its.jobs[of]) for of, times in first.jobs.items()},
            _sum(first.searches, its.searches),
            _sum(first.notices, its.notices),
            first.notice_due,
            first.backup_at,
            first.newer_release,
        )
    return first


def _sum(one: Mapping[_T, int], other: Mapping[_T, int]) -> dict[_T, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def _both(one: Times, other: Times) -> Times:
    return Times(_sum(one.counts, other.counts), one.sum + other.sum)
