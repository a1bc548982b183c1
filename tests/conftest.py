"""Fixtures for all tests: a real Redis server, a service and a browser, one of each for each test process."""

import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import NamedTuple

import pytest
from _pytest.unraisableexception import gc_collect_iterations_key
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser
from redis import Redis

from harness.client import NoBrowserError, chromium
from harness.make_run import Service, running
from harness.sharing import alone, shared, stop
from service.processes.embedded_redis import EmbeddedRedis
from service.processes.redis_programs import programs
from tests.support.changed import chosen
from tests.support.timings import Timings
from tools.clients.toolchain import Tools, installed_or_skip, prepare

TESTS = Path(__file__).parent

# How long an example takes says how busy the machine is, and nothing about what is tested. The examples of `make test`
# are the same each time; `make nightly` looks for new ones. What it finds is kept with `@example`.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", UNTIMED, max_examples=30, derandomize=True, database=None)
settings.register_profile("nightly", UNTIMED, max_examples=1_000)
settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each test process begin with other modules: in a fresh clone, all of them would compile the same ones."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = sorted(TESTS.rglob("test_*.py"))
    first = len(files) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in files[first:] + files[:first]:
        # What cannot be imported is reported when it is collected.
        with suppress(Exception):
            import_module(".".join(file.relative_to(TESTS.parent).with_suffix("").parts))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector leave alone what was imported, and look less often: it took a tenth to a third."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    if any("tools" in getattr(item, "fixturenames", ()) for item in session.items):
        threading.Thread(target=prepare, daemon=True).start()


def pytest_xdist_auto_num_workers() -> int:
    """With `-n auto`: two test processes more than cores, since half the time they wait for servers and browsers."""
    return (os.cpu_count() or 1) + 2


class EmptyServer(NamedTuple):
    """A Redis server of this test process alone: its URL, and a function that empties it."""

    url: str
    empty: Callable[[], object]


@contextmanager
def _redis(folder: Path) -> Iterator[EmptyServer]:
    if not programs():
        assert not os.environ.get("CI"), "no Redis server found"
        pytest.skip("no Redis server found")
    with EmbeddedRedis(folder) as server, Redis.from_url(server.url) as client:
        yield EmptyServer(server.url, client.flushall)


@pytest.fixture(scope="session")
def _redis_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmptyServer]:
    with _redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="session")
def _redis_of_modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmptyServer]:
    with _redis(tmp_path_factory.mktemp("redis_of_modules")) as server:
        yield server


@pytest.fixture
def empty_redis(_redis_of_tests: EmptyServer) -> str:
    """URL of a server that is empty, for one test."""
    _redis_of_tests.empty()
    return _redis_of_tests.url


@pytest.fixture(scope="module")
def module_redis(_redis_of_modules: EmptyServer) -> str:
    """URL of another server, which is empty before the first test of a module, for what its tests share."""
    _redis_of_modules.empty()
    return _redis_of_modules.url


@pytest.fixture(scope="session")
def tools() -> Tools:
    """What client developers use: linters, generators, compilers, Node; without it, as without a browser."""
    return installed_or_skip()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; without it, tests are skipped on a desk and fail in CI."""
    try:
        with chromium() as browser:
            yield browser
    except NoBrowserError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))


#: Of the service of the tests.
OPERATOR_TOKEN = "for-operators-of-the-tests-alone"


#: Receivers of notices are on this machine too, and all players share its address.
SETTINGS = {
    "HOST_TABLES": "0",
    "LIMIT_REGISTER": "0",
    "LIMIT_KEEP_ADDRESS": "0",
    "NOTIFY_PRIVATE": "1",
    "OPERATOR_TOKEN": OPERATOR_TOKEN,
    "SEARCH_PERCENT": "10",
}


def _shared_folder(factory: pytest.TempPathFactory) -> Path:
    """What the processes of this run share; each of them has its own base folder in that of the main process."""
    base = factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service as `make run` starts it, one for all tests that ask it over HTTP; it keeps what they leave there."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        yield shared(_shared_folder(tmp_path_factory), **SETTINGS)
        return
    with running(tmp_path_factory.mktemp("service"), **SETTINGS) as service:
        yield service


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Service]:
    """A service for one test alone, which kills processes of it."""
    with running(tmp_path, **SETTINGS) as service:
        yield service


@pytest.fixture
def alone_at_service(service: Service) -> Iterator[None]:
    """For tests of what all players of a service share, such as quick play: one of them runs at a time."""
    with alone(service.folder / "alone"):
        yield


@pytest.fixture
def own() -> Callable[[str], str]:
    """Makes ids and names of what a test keeps in the service, which has those of other tests: nobody has the same."""
    mark = token_hex(3)
    return lambda name: f"{name} {mark}" if " " in name or not name.isascii() else f"{name}_{mark}"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the service that the test processes shared, as soon as all of them have ended."""
    factory = getattr(config, "_tmp_path_factory", None)
    if factory is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        stop(_shared_folder(factory))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--changed", action="store_true", help="run what a change since the last commit on main reaches")
    parser.addoption("--pictures", action="store_true", help="take pictures of screens, as by night (var/screens)")
    parser.addoption(
        "--held", choices=("reads", "writes"), help="hold these requests of pages for a second (flaky tests)"
    )
    parser.addoption("--slowest", action="store_true", help="print where processor seconds and waiting go")


def pytest_configure(config: pytest.Config) -> None:
    # Until all tests are collected: what is imported stays.
    gc.disable()
    # At the end, look for what was not cleaned up once instead of five times, which takes over two seconds.
    config.stash[gc_collect_iterations_key] = 1
    if config.getoption("changed"):
        config.pluginmanager.register(chosen(config))
    if config.getoption("slowest"):
        config.pluginmanager.register(Timings(config))
