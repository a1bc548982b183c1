"""`python -m workers ROLE`: start a worker, searcher, clock or messenger; `all` is a worker with a clock.

A searcher only makes the moves of AI seats that search, computes hints and analyses rounds. A messenger sends notices.
`past-games` puts the games of all records on the lists of their players, and exits; `failed-jobs` lists the jobs that
failed in the last day.

Only this module of the workers opens connections. On SIGTERM or SIGINT a worker finishes its current job.
"""

import argparse
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from redis.exceptions import RedisError

from service.accounts.inbox import Inbox
from service.boards.boards import Boards
from service.boards.keeping import BoardKeeper
from service.boards.rooms import Rooms
from service.common import logs, reports, traces
from service.common.settings import Settings, SettingsError
from service.common.traces import Traces, traces_of
from service.jobs.failed import failed_jobs
from service.jobs.several import SeveralQueues, queues_of
from service.jobs.worker_status import Heartbeat, JobMetrics
from service.people import People
from service.people.quick_play import QuickPlay
from service.store.analyses import RedisAnalysisStore
from service.store.boards.events import RedisBoardStore
from service.store.connections.clients import Client, command_client, queue_client
from service.store.connections.opening import CannotStartError, open_queues, open_tables
from service.store.connections.preconditions import check
from service.store.players.inbox import RedisInboxStore
from service.store.players.past_games import RedisPastGameStore
from service.store.players.people import RedisPeopleStore
from service.store.players.players import RedisPlayerStore
from service.store.players.results import RedisResultStore
from service.store.port import Stores, StoreUnavailable
from service.store.quick_play.tickets import RedisTicketStore
from service.store.redis_store import RedisArchiveStore, redis_stores
from service.store.redis_tables import RedisTableStore
from service.store.shared_clock import SharedClock
from service.tables import Tables
from service.tables.past_games import relist
from service.tables.results import Keeper, expire_guests, rating_of
from workers.answering import Games
from workers.clock import Clock, Part
from workers.jobs import Worker
from workers.matching import match_people
from workers.messenger import messenger_of
from workers.rewriting import rewrite_after_errors
from workers.serving import serve_others
from workers.watching import watch_preconditions

log: Final = structlog.get_logger("workers")

#: Seconds to wait before restarting a worker that lost its Redis connection.
RESTART_S: Final = 1.0
#: Most connections of a messenger; more requests seldom end at the same moment.
MESSENGER_CONNECTIONS: Final = 64
#: What may be started.
ROLES: Final = ("worker", "searcher", "clock", "messenger", "all", "past-games", "failed-jobs")
#: Number of idle guests that a clock examines at a time.
_GUESTS_PER_TIDY: Final = 50


def run_worker(settings: Settings, stop: threading.Event, role: str = "worker") -> None:
    """Run the jobs of one Redis until `stop` is set; while it is down, keep trying to reconnect."""
    number = settings.served[0]
    url = settings.queue_urls[number - 1]
    client = command_client(settings.redis_url)
    stores = redis_stores(client)
    now = SharedClock(client)
    traces = traces_of(settings, f"shengji-{role}")
    queues = _queues(settings, now, traces)
    tables = _tables(settings, stores, client, now, queues)
    boards = Boards(RedisBoardStore(client), tables, stores.players)
    games = Games(stores.archive, RedisAnalysisStore(client), boards)
    while True:
        try:
            queue, its = queue_client(url, blocking=True), queues.parts[number - 1]
            work = settings.search_percent / 100
            worker = Worker(queue, tables, stop, its, _alive_file(settings), role, games, traces, work)
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
    players, results, past_games = RedisPlayerStore(client), RedisResultStore(client), RedisPastGameStore(client)
    threading.Thread(target=rewrite_after_errors, args=(client, stop), daemon=True).start()
    if not settings.accept_loss:
        threading.Thread(target=watch_preconditions, args=(client, stop, settings.append_replicas), daemon=True).start()
    queues = SeveralQueues(queues_of(redises, now))
    quick_play = _quick_play(settings, client, now, queues)
    threading.Thread(target=match_people, args=(quick_play, stop), daemon=True).start()
    Clock(
        RedisTableStore(client),
        [Part(*part) for part in zip(queues.parts, heartbeats, strict=True)],
        now,
        tidy=lambda: expire_guests(players, results, past_games, now(), _GUESTS_PER_TIDY),
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

    messenger_of(settings, client, now, metrics, beat).run(stop)
    with suppress(RedisError):
        metrics.flush()
        heartbeat.end()


def _quick_play(settings: Settings, client: Client, now: SharedClock, queues: SeveralQueues) -> QuickPlay:
    stores, results, inbox = redis_stores(client, cached_tables=0), RedisResultStore(client), RedisInboxStore(client)
    tables = _tables(settings, stores, client, now, queues)
    people = People(RedisPeopleStore(client), inbox, now)
    tickets = RedisTicketStore(client)
    return QuickPlay(tickets, people, stores.players, results, inbox, tables, rating_of, now)


def _queues(settings: Settings, now: SharedClock, traces: Traces | None) -> SeveralQueues:
    return SeveralQueues(queues_of(map(queue_client, settings.queue_urls), now, traces))


def _tables(settings: Settings, stores: Stores, client: Client, now: SharedClock, queues: SeveralQueues) -> Tables:
    boards, inbox = RedisBoardStore(client), RedisInboxStore(client)
    boards_over = BoardKeeper(boards)
    keeper = Keeper(
        # Records wait for replicas; moves of AI players do not.
        RedisArchiveStore(client, settings.append_replicas),
        RedisResultStore(client),
        RedisPastGameStore(client),
        stores.players.get,
        settings.record_days,
        tell=Inbox(inbox, now).game_kept,
        note=boards_over.note,
    )
    tables = Tables(
        stores.tables,
        now=now,
        enqueue=queues.enqueue,
        keep=keeper.keep,
        interrupted=now.interruptions,
    )
    boards_over.rooms = Rooms(boards, tables, stores.players, inbox)
    return tables


def list_past_games(settings: Settings) -> int:
    """Put the games of all records on the lists of their players, and print how many; return the exit status."""
    client = command_client(settings.redis_url)
    archive = redis_stores(client, cached_tables=0).archive
    try:
        done = relist(archive, RedisPastGameStore(client), lambda listed: _tell(f"{listed} games listed so far"))
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
    given = parser.parse_args(arguments)
    role = given.role
    try:
        settings = Settings.for_processes()
        reports.check(settings)
        traces.check(settings)
        told = open_tables(settings.redis_url, settings.buckets)
        told += check(settings.redis_url, accepts_loss=bool(settings.accept_loss), replicas=settings.append_replicas)
        told += open_queues(settings.queue_urls if settings.queue_redis_url else ())
    except (SettingsError, CannotStartError) as error:
        sys.exit(f"python -m workers {role} cannot start: {error}")
    logs.configure(settings)
    for text in told:
        log.warning(text)
    if role == "past-games":
        return list_past_games(settings)
    if role == "failed-jobs":
        return list_failed_jobs(settings)
    stop = threading.Event()
    handle_signals(stop)
    log.info("started", role=role)
    if role == "clock":
        if given.messenger:
            threading.Thread(target=run_messenger, args=(settings, stop), daemon=True).start()
        run_clock(settings, stop)
    elif role == "messenger":
        run_messenger(settings, stop)
    else:
        if role == "all":
            threading.Thread(target=run_clock, args=(settings, stop), daemon=True).start()
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
