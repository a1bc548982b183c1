"""What each process gets: the same use cases on the same stores, but for differences that are named here."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

import pytest

from service.app import build
from service.common.settings import Settings
from service.store.connections.clients import command_client
from service.store.redis_store import redis_stores
from service.store.shared_clock import SharedClock
from tests.api.conftest import World
from workers import __main__ as workers
from workers.messenger import messenger_of

#: Settings that differ from what the constructors take by default, so that a forgotten one is seen.
SETTINGS = Settings(
    redis_url="redis://127.0.0.1:1/0",
    record_days=77,
    append_replicas=2,
    public_url="https://games.example",
    log_level="error",
)

#: Parts that only their own process has, or whose inside differs from moment to moment.
OPAQUE = {
    "SharedClock",
    "Feeds",
    "Settings",
    "SeveralQueues",
    "Queues",
    "StateCache",
    "Watched",
    "Outbound",
    "DirectRedis",
}


def parts(root: object, name: str) -> dict[str, str]:
    """Path -> what stands there, for an object and everything of the project that it holds."""
    return dict(_parts(root, name, {}))


def _parts(thing: object, path: str, known: dict[int, str]) -> Iterator[tuple[str, str]]:
    is_ours = type(thing).__module__.startswith(("service.", "workers.", "tests."))
    if path.rsplit(".", 1)[-1] in ("now", "_now"):
        yield path, "the clock"
    elif isinstance(thing, (str, int, float, bytes, type(None))):
        yield path, repr(thing)
    elif isinstance(thing, MethodType):
        yield path, thing.__func__.__qualname__
        yield from _parts(thing.__self__, f"{path}.of", known)
    elif isinstance(thing, FunctionType):
        yield path, thing.__qualname__.split(".")[-1]
    elif id(thing) in known:
        yield path, f"the same as {known[id(thing)]}"
    elif isinstance(thing, (list, tuple)) and not hasattr(thing, "_fields"):
        for number, item in enumerate(thing):
            yield from _parts(item, f"{path}.{number}", known)
    elif not is_ours or type(thing).__name__ in OPAQUE:
        yield path, type(thing).__name__
    else:
        known[id(thing)] = path
        yield path, type(thing).__name__
        held = thing._asdict() if hasattr(thing, "_asdict") else vars(thing)
        for key in held:
            yield from _parts(held[key], f"{path}.{key}", known)


def differences(one: object, other: object) -> set[tuple[str, str | None, str | None]]:
    """The last names of the paths at which two objects differ, with what stands there."""
    its, others = parts(one, ""), parts(other, "")
    return {
        (path.rsplit(".", 1)[-1] or "it", its.get(path), others.get(path))
        for path in its | others
        if its.get(path) != others.get(path)
    }


class Processes:
    """The parts of each process. Nothing connects: no server listens at the address of the settings."""

    def __init__(self) -> None:
        client = command_client(SETTINGS.redis_url)
        now = SharedClock(client)
        queues = workers._queues(SETTINGS, now, None)
        self.api = build(SETTINGS).extensions["services"]
        self.worker_tables = workers._tables(SETTINGS, redis_stores(client), client, now, queues)
        self.clock_quick_play = workers._quick_play(SETTINGS, client, now, queues)
        self.messenger: Any = messenger_of(SETTINGS, client, now, None, lambda: None)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def processes() -> Processes:
    return Processes()


#: Players' actions wait for replicas, moves of AI players do not; and only the API has streams.
OF_THE_API = {("_replicas", "2", "0"), ("_streams", "Feeds", "NoStreams")}


def test_api_and_workers_play_on_the_same_tables(processes: Processes) -> None:
    assert differences(processes.api.tables, processes.worker_tables) == OF_THE_API


def test_api_and_clock_match_people_alike(processes: Processes) -> None:
    # The clock has some stores twice, which have no state.
    twice = {
        ("_results", "the same as ._results", "RedisResultStore"),
        ("_inbox", "the same as ._people._inbox", "the same as ._tables._writer._archive.of._tell.of._store"),
        ("_store", "the same as ._people._inbox", "RedisInboxStore"),
        ("_redis", None, "DirectRedis"),
    }
    assert differences(processes.api.quick_play, processes.clock_quick_play) == OF_THE_API | twice


def test_api_and_messenger_look_alike(processes: Processes) -> None:
    assert differences(processes.api.notices._looking, processes.messenger._looking) == set()


#: What `World` replaces: its time stands still, its cards are the same in each run, and it enqueues no jobs.
OF_THE_TESTS = {
    ("_entropy", "builtin_function_or_method", "Random.randbytes"),
    ("entropy", "builtin_function_or_method", "Random.randbytes"),
    ("of", None, "Random"),
    ("_enqueue", "SeveralQueues.enqueue", "enqueue_nothing"),
    ("of", "SeveralQueues", None),
    ("_interrupted", "SharedClock.interruptions", "never_interrupted"),
    ("of", "SharedClock", None),
    ("_replicas", "2", "0"),
    ("_record_ttl_ms", "6652800000", "None"),
}
#: What it replaces in the HTTP layer.
REPLACED = {"rate_limiter", "metrics", "questions", "redis_states", "preconditions"}


def test_tests_have_the_use_cases_of_the_product(processes: Processes, empty_redis: str) -> None:
    world = World(empty_redis, replace(SETTINGS, redis_url=empty_redis))
    try:
        theirs = world.app.extensions["services"]
        found = {name: differences(its, getattr(theirs, name)) for name, its in vars(processes.api).items()}
    finally:
        world.close()
    del found["settings"]
    assert set[Any]().union(*(found[name] for name in found.keys() - REPLACED)) == OF_THE_TESTS
    assert {name for name in REPLACED if found[name]} == REPLACED


def test_no_process_starts_a_thread_before_it_serves(processes: Processes) -> None:
    assert processes
    assert {thread.name for thread in threading.enumerate()} & {"clock", "lookers", "feeds"} == set()


def test_a_difference_is_found(processes: Processes) -> None:
    client = command_client(SETTINGS.redis_url)
    assert differences(redis_stores(client, replicas=1), redis_stores(client)) == {("_replicas", "1", "0")}
