"""What each process gets: the same use cases on the same stores, but for differences that are named here."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

import pytest

from service.api.services import Services
from service.app import build, create_app
from service.common.settings import Settings
from service.jobs.several import SeveralQueues, queues_of
from service.store.connections.clients import command_client, queue_client
from service.store.shared_clock import SharedClock
from service.store.stores import Stores
from service.wiring import UseCases
from tests.api.conftest import World
from workers import __main__ as workers

#: Settings that differ from what the constructors take by default, so that a forgotten one is seen.
SETTINGS = Settings(
    redis_url="redis://127.0.0.1:1/0",
    record_days=77,
    append_replicas=2,
    public_url="https://games.example",
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
    """The last two names of each path at which two objects differ, with what stands there."""
    its, others = parts(one, ""), parts(other, "")
    return {
        (".".join(path.split(".")[-2:]), its.get(path), others.get(path))
        for path in its | others
        if its.get(path) != others.get(path)
    }


def of_all(one: UseCases, other: UseCases) -> set[tuple[str, str | None, str | None]]:
    """The differences of all use cases, without what the first has besides."""
    shared = vars(UseCases(SETTINGS, one.stores, one.now)).keys() - {"now", "settings"}
    return set[Any]().union(*(differences(vars(one)[name], vars(other)[name]) for name in shared))


class Processes:
    """The parts of each process. Nothing connects: no server listens at the address of the settings."""

    def __init__(self) -> None:
        client = command_client(SETTINGS.redis_url)
        now = SharedClock(client)
        queues = SeveralQueues(queues_of(map(queue_client, SETTINGS.queue_urls), now))
        self.api: Services = build(SETTINGS).extensions["services"]
        self.worker = workers.use_cases(SETTINGS, client, now, queues)
        self.clock = workers.use_cases(SETTINGS, client, now, queues, cached_tables=0)
        self.messenger = workers.messenger_of(UseCases(SETTINGS, Stores(client, now), now), None, lambda: None)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def processes() -> Processes:
    return Processes()


#: Players' actions wait for replicas, moves of AI players do not; and only the API has streams.
OF_THE_API = {
    ("tables._replicas", "2", "0"),
    ("store._replicas", "2", "0"),
    ("_writer._streams", "Feeds", "NoStreams"),
}


def test_api_and_workers_have_the_same_use_cases(processes: Processes) -> None:
    assert of_all(processes.api, processes.worker) == OF_THE_API


def test_workers_and_clock_have_the_same_use_cases(processes: Processes) -> None:
    assert of_all(processes.worker, processes.clock) == set()


def test_api_and_messenger_look_alike(processes: Processes) -> None:
    assert differences(processes.api.scanner, processes.messenger._scanner) == set()


#: What `World` replaces: its time stands still, its cards are the same in each run, and it enqueues no jobs.
OF_THE_TESTS = {
    ("._entropy", "builtin_function_or_method", "Random.randbytes"),
    ("._random_bytes", "builtin_function_or_method", "Random.randbytes"),
    ("of._random_bytes", "builtin_function_or_method", "Random.randbytes"),
    ("_circles._random_bytes", "builtin_function_or_method", "Random.randbytes"),
    ("_clubs._random_bytes", "builtin_function_or_method", "Random.randbytes"),
    ("_random_bytes.of", None, "Random"),
    ("0._entropy", "builtin_function_or_method", "Random.randbytes"),
    ("1._entropy", "builtin_function_or_method", "Random.randbytes"),
    ("_tables._entropy", "builtin_function_or_method", "Random.randbytes"),
    ("_writer.entropy", "builtin_function_or_method", "Random.randbytes"),
    ("_entropy.of", None, "Random"),
    ("entropy.of", None, "Random"),
    ("_writer._enqueue", "SeveralQueues.enqueue", "enqueue_nothing"),
    ("_enqueue.of", "SeveralQueues", None),
    ("_writer._interrupted", "SharedClock.interruptions", "never_interrupted"),
    ("_interrupted.of", "SharedClock", None),
    ("tables._replicas", "2", "0"),
    ("store._replicas", "2", "0"),
    ("archive._replicas", "2", "0"),
    ("_archive._replicas", "2", "0"),
}


def test_tests_have_the_use_cases_of_the_product(processes: Processes, empty_redis: str) -> None:
    world = World(empty_redis, replace(SETTINGS, redis_url=empty_redis))
    try:
        differences = of_all(processes.api, world.services)
    finally:
        world.close()
    assert differences == OF_THE_TESTS


def test_applications_of_a_process_share_their_routes_and_nothing_else(processes: Processes) -> None:
    one, other = create_app(processes.api), create_app(processes.api)
    assert one.url_map is other.url_map
    endpoints = {rule.endpoint for rule in one.url_map.iter_rules()}
    assert one.view_functions.keys() == other.view_functions.keys() == endpoints
    operations = [name for name, view in one.view_functions.items() if view.__module__ == "service.api.operations"]
    assert len(operations) > 100
    assert all(one.view_functions[name] is not other.view_functions[name] for name in operations)


def test_what_is_stored_is_kept_as_long_as_the_settings_say(processes: Processes) -> None:
    for use in (processes.api, processes.worker, processes.clock):
        held = {name: parts(getattr(use, name), "it") for name in ("tables", "boards", "team_events")}
        days = repr(77 * 24 * 3_600_000)
        assert held["tables"]["it._writer.listeners.0.of._record_ttl_ms"] == days
        assert held["boards"]["it._kept_ms"] == held["team_events"]["it._kept_ms"] == days


def test_no_process_starts_a_thread_before_it_serves(processes: Processes) -> None:
    assert processes
    assert {thread.name for thread in threading.enumerate()} & {"clock", "open-streams", "feeds"} == set()


def test_a_difference_is_found(processes: Processes) -> None:
    client = command_client(SETTINGS.redis_url)
    assert differences(Stores(client, replicas=1), Stores(client)) == {
        ("tables._replicas", "1", "0"),
        ("archive._replicas", "1", "0"),
    }
