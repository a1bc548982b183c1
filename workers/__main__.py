"""`python -m workers ROLE`: start a worker, searcher, clock or messenger; `all` is a worker with a clock.

A searcher only makes the moves of AI seats that search, computes hints and analyses rounds. A messenger sends notices.
`past-games` puts the games of all records on the lists of their players, and exits; `failed-jobs` lists the jobs that
failed in the last day; `wake-tables` wakes all sleeping tables, for an earlier release.

Only this module of the workers opens connections. On SIGTERM or SIGINT a worker finishes its current job.
"""

import argparse
import gc
import signal
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from redis.exceptions import RedisError

from service.common import logs, reports, traces
from service.common.settings import Settings, SettingsError
from service.common.traces import traces_of
from service.jobs.failed import failed_jobs
from service.jobs.queues import Questions
from service.jobs.several import SeveralQuestions, SeveralQueues, queues_of
from service.jobs.worker_status import Heartbeat, JobMetrics, alive
from service.store.cache import CACHED_TABLES
from service.store.connections.clients import command_client, queue_client
from service.store.connections.commands import Client
from service.store.connections.opening import CannotStartError, open_queues, open_tables
from service.store.connections.preconditions import check
from service.store.port import StoreUnavailable
from service.store.shared_clock import SharedClock
from service.store.stores import Stores
from service.tables.past_games import relist
from service.tables.results import expire_guests
from service.wiring import UseCases
from workers.ai import COMPILED
from workers.answering import Games
from workers.aof_rewrite import rewrite_after_errors
from workers.clock import Clock, Part
from workers.conducting import Conductor, RiddleRounds, conduct
from workers.jobs import Worker
from workers.matching import match_people
from workers.messenger import messenger_of
from workers.several_redis import serve_others
from workers.sleeping import put_tables_to_sleep
from workers.watching import watch_preconditions

log: Final = structlog.get_logger("workers")

#: Seconds to wait before restarting a worker that lost its Redis connection.
RESTART_S: Final = 1.0
#: Most connections of a messenger; more requests seldom end at the same moment.
MESSENGER_CONNECTIONS: Final = 64
#: What may be started.
ROLES: Final = ("worker", "searcher", "clock", "messenger", "all", "past-games", "failed-jobs", "wake-tables")
#: Number of idle guests that a clock examines at a time.
_GUESTS_PER_TIDY: Final = 50


def run_worker(settings: Settings, stop: threading.Event, role: str = "worker") -> None:
    """Run the jobs of one Redis until `stop` is set; while it is down, keep trying to reconnect."""
    number = settings.served[0]
    url = settings.queue_urls[number - 1]
    client = command_client(settings.redis_url)
    now = SharedClock(client)
    traces = traces_of(settings, f"shengji-{role}")
    queues = SeveralQueues(queues_of(map(queue_client, settings.queue_urls), now, traces))
    use = use_cases(settings, client, now, queues)
    games = Games(use.stores.archive, use.stores.analyses, use.boards, use.deal_links, use.riddles)
    while True:
        try:
            queue, its = queue_client(url, blocking=True), queues.parts[number - 1]
            work = settings.search_percent / 100
            worker = Worker(queue, use.tables, stop, its, _alive_file(settings), role, games, traces, work)
            worker.work(logging_level="WARNING")
        except RedisError as error:
            log.warning("lost connection to the queues", error=str(error))
        # An RQ worker also returns when Redis fails during a job, and it has replaced our signal handlers by then.
        handle_signals(stop)
        if stop.wait(RESTART_S):
            return


def run_clock(settings: Settings, stop: threading.Event) -> None:
    """Run a clock until `stop` is set."""
    redises = [queue_client(url) for url in settings.queue_urls]
    client = command_client(settings.redis_url)
    now = SharedClock(client)
    heartbeats = [Heartbeat(redis, "clock", now, _alive_file(settings)) for redis in redises]
    threading.Thread(target=rewrite_after_errors, args=(client, stop), daemon=True).start()
    if not settings.accept_loss:
        threading.Thread(target=watch_preconditions, args=(client, stop, settings.append_replicas), daemon=True).start()
    queues = SeveralQueues(queues_of(redises, now))
    use = use_cases(settings, client, now, queues, cached_tables=0)
    stores = use.stores
    threading.Thread(target=match_people, args=(use.quick_play, stop), daemon=True).start()
    sleeping = (stores.sleeping, settings.sleep_after_s, stop)
    threading.Thread(target=put_tables_to_sleep, args=sleeping, daemon=True).start()
    questions = SeveralQuestions(
        [
            Questions(redis, its, lambda redis=redis: alive(redis, "searcher", now()))  # type: ignore[misc]
            for redis, its in zip(redises, queues.parts, strict=True)
        ]
    )
    riddle_rounds = RiddleRounds(use.riddles, questions.riddle)
    conductor = Conductor(use.team_events, use.director, use.boards, questions.field, riddle_rounds)
    threading.Thread(target=conduct, args=(conductor, stop), daemon=True).start()
    Clock(
        stores.tables,
        [Part(*part) for part in zip(queues.parts, heartbeats, strict=True)],
        now,
        tidy=lambda: expire_guests(stores.players, stores.results, stores.past_games, now(), _GUESTS_PER_TIDY),
        interrupted=now.interruptions,
    ).run(stop)
    for heartbeat in heartbeats:
        with suppress(RedisError):
            heartbeat.end()


def run_messenger(settings: Settings, stop: threading.Event) -> None:
    """Run a messenger until `stop` is set."""
    client, queues = (
        command_client(settings.redis_url, connections=MESSENGER_CONNECTIONS),
        queue_client(settings.queue_urls[0]),
    )
    now = SharedClock(client)
    heartbeat = Heartbeat(queues, "messenger", now, _alive_file(settings))
    metrics = JobMetrics(queues)

    def beat() -> None:
        heartbeat.beat()
        metrics.flush_if_due()

    messenger_of(UseCases(settings, Stores(client, now, cached_tables=0), now), metrics, beat).run(stop)
    with suppress(RedisError):
        metrics.flush()
        heartbeat.end()


def use_cases(
    settings: Settings, client: Client, now: SharedClock, queues: SeveralQueues, cached_tables: int = CACHED_TABLES
) -> UseCases:
    """Return the use cases of a process that changes tables."""
    # Records wait for replicas; moves of AI players do not.
    stores = Stores(client, now, cached_tables=cached_tables, record_replicas=settings.append_replicas)
    return UseCases(settings, stores, now, enqueue=queues.enqueue, interrupted=now.interruptions)


def list_past_games(settings: Settings) -> int:
    """Put the games of all records on the lists of their players, and print how many; return the exit status."""
    client = command_client(settings.redis_url)
    stores = Stores(client, cached_tables=0)
    try:
        done = relist(stores.archive, stores.past_games, lambda listed: _tell(f"{listed} games listed so far"))
    except StoreUnavailable as error:
        sys.exit(f"past-games: {error}; run it again, nothing is counted twice")
    _tell(f"{done.listed} games listed, {done.forgotten} lists of erased players deleted")
    for game in done.unreadable:
        _tell(f"the record of {game} cannot be read; left out")
    return 1 if done.unreadable else 0


def list_failed_jobs(settings: Settings) -> int:
    """Print each failed job with its traceback; return the exit status."""
    count = 0
    for url in settings.queue_urls:
        try:
            for text in failed_jobs(queue_client(url)):
                count += 1
                sys.stdout.write(f"{text}\n\n")
        except RedisError as error:
            sys.exit(f"failed-jobs: {error}")
    sys.stderr.write(f"failed-jobs: {count} jobs failed in the last day\n")
    return 0


def wake_tables(settings: Settings) -> int:
    """Wake all sleeping tables, and print how many; return the exit status."""
    stores = Stores(command_client(settings.redis_url), cached_tables=0)
    try:
        done = Counter(is_awake for _, is_awake in stores.sleeping.wake_all())
    except (StoreUnavailable, RedisError) as error:
        sys.exit(f"wake-tables: {error}; run it again")
    sys.stderr.write(f"wake-tables: {done[True]} tables woken; {done[False]} cannot be read\n")
    if settings.sleep_after_s:
        sys.stderr.write("wake-tables: clocks put them to sleep again unless they run with SLEEP_AFTER_S=0\n")
    return 1 if done[False] else 0


def _tell(line: str) -> None:
    sys.stderr.write(f"past-games: {line}\n")


def _alive_file(settings: Settings) -> Path | None:
    return Path(settings.alive_file) if settings.alive_file else None


def handle_signals(stop: threading.Event) -> None:
    """Set `stop` on SIGTERM and SIGINT."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())


def main(arguments: list[str]) -> int:
    """Run the role named on the command line until a signal; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m workers", description=__doc__)
    parser.add_argument("role", choices=ROLES)
    parser.add_argument("--messenger", action="store_true", help="with `clock`: be a messenger besides")
    options = parser.parse_args(arguments)
    role = options.role
    try:
        settings = Settings.for_processes()
        reports.check(settings)
        traces.check(settings)
        warnings = open_tables(settings.redis_url, settings.buckets)
        warnings += check(
            settings.redis_url, accepts_loss=bool(settings.accept_loss), replicas=settings.append_replicas
        )
        warnings += open_queues(settings.queue_urls if settings.queue_redis_url else ())
    except (SettingsError, CannotStartError) as error:
        sys.exit(f"python -m workers {role} cannot start: {error}")
    logs.configure(settings)
    for text in warnings:
        log.warning(text)
    if role == "past-games":
        return list_past_games(settings)
    if role == "failed-jobs":
        return list_failed_jobs(settings)
    if role == "wake-tables":
        return wake_tables(settings)
    stop = threading.Event()
    handle_signals(stop)
    log.info("started", role=role, compiled=COMPILED)
    if role == "clock":
        if options.messenger:
            threading.Thread(target=run_messenger, args=(settings, stop), daemon=True).start()
        run_clock(settings, stop)
    elif role == "messenger":
        run_messenger(settings, stop)
    else:
        if role == "all":
            threading.Thread(target=run_clock, args=(settings, stop), daemon=True).start()
        # A search allocates much and leaves no cycles: looking for garbage as often as usual took a fifth of its time.
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        try:
            of = "searcher" if role == "searcher" else "worker"
            serve_others(of, settings.served[1:], stop)
            run_worker(settings, stop, of)
        except SettingsError as error:
            sys.exit(f"python -m workers {role} cannot start: {error}")
    log.info("stopped", role=role)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
