"""Fixtures for all tests: a real Redis server, a service and a browser, one of each for each test process."""

import gc
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.sansio.app import App
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser
from redis import Redis

from harness.client import NoBrowserError, chromium
from service.processes.embedded_redis import EmbeddedRedis
from service.processes.redis_programs import programs
from tests.changed import chosen
from tests.clients.tools import Tools, installed_or_skip, prepare
from tests.house.conftest import Service, running
from tests.timings import Timings

# How long an example takes says how busy the machine is, and nothing about what is tested. The examples of `make test`
# are the same each time; `make nightly` looks for new ones. What it finds is kept with `@example`.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", UNTIMED, max_examples=30, derandomize=True, database=None)
settings.register_profile("nightly", UNTIMED, max_examples=1_000)
settings.load_profile("quick")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector leave alone what was imported, and look less often: it took a tenth to a third."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    if any("tools" in getattr(item, "fixturenames", ()) for item in session.items):
        threading.Thread(target=prepare, daemon=True).start()


def pytest_xdist_auto_num_workers() -> int:
    """With `-n auto`: one test process more than cores, since half the time they wait for servers and browsers."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session", autouse=True)
def _add_routes_once() -> Iterator[None]:
    """Adding its routes is most of what an application costs, and all applications of the tests have the same."""
    add = App.add_url_rule
    apps: list[App] = []

    def once(app: App, rule: str, endpoint: str, view_func: Callable[..., object], **options: Any) -> None:
        first = next(iter(apps), app)
        if app is first or type(app) is not type(first):
            apps[:] = [first]
            add(app, rule, endpoint, view_func, **options)
            return
        app.url_map = first.url_map
        app.view_functions[endpoint] = view_func

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(App, "add_url_rule", once)
        yield


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a server of this test process alone; what earlier tests wrote is still there (see `empty_redis`)."""
    if not programs():
        assert not os.environ.get("CI"), "no Redis server found"
        pytest.skip("no Redis server found")
    with EmbeddedRedis(tmp_path_factory.mktemp("redis")) as server:
        yield server.url


@pytest.fixture
def empty_redis(redis_url: str) -> str:
    """URL of the server of this test process, emptied."""
    with Redis.from_url(redis_url) as client:
        client.flushall()
    return redis_url


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


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service as `make run` starts it, one for all tests that ask it over HTTP; it keeps what they leave there."""
    # Receivers of notices are on this machine too.
    settings = {"HOST_TABLES": "0", "OPERATOR_TOKEN": OPERATOR_TOKEN, "NOTIFY_PRIVATE": "1", "SEARCH_PERCENT": "10"}
    with running(tmp_path_factory.mktemp("service"), **settings) as service:
        yield service


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--changed", action="store_true", help="run what a change since the last commit on main reaches")
    parser.addoption("--pictures", action="store_true", help="take pictures of screens, as by night (var/screens)")
    parser.addoption("--slowest", action="store_true", help="print where processor seconds and waiting go")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("changed"):
        config.pluginmanager.register(chosen(config))
    if config.getoption("slowest"):
        config.pluginmanager.register(Timings(config))
