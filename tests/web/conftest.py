"""Fixtures of the tests of the web client: they share one service and one browser."""

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from harness.make_run import Service
from tests.support.sorting import is_day
from tests.web.beside import Beside
from tests.web.person import Homes, Person
from tools.clients.toolchain import Tools

#: Where pictures of screens go.
SCREENS = Path(__file__).parents[2] / "var" / "screens"


@pytest.fixture(scope="session")
def axe(tools: Tools) -> str:
    """The source of axe, which checks the accessibility of a page."""
    return (tools.folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture(scope="session")
def beside(service: Service) -> Iterator[Beside]:
    beside = Beside(service)
    yield beside
    beside.close()


@pytest.fixture(scope="session")
def homes(request: pytest.FixtureRequest, browser: Browser) -> Homes:
    return Homes(browser, request.config.getoption("held"))


#: The persons of the running test.
CAME = pytest.StashKey[list[Person]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report of a failed test what its pages show."""
    report = yield
    if report.failed and report.when == "call":
        for each in item.stash.get(CAME, []):
            # The page may be closed, or busy for ever.
            with suppress(Error):
                report.sections.append((f"page of {each.name}", f"{each.page.url}\n{each.page.inner_text('body')}"))
    return report


@pytest.fixture
def person(
    request: pytest.FixtureRequest, service: Service, beside: Beside, homes: Homes
) -> Iterator[Callable[..., Person]]:
    """Makes persons, each with a browser of their own; an error in any of the browsers fails the test."""
    came = request.node.stash[CAME] = []

    def comes(**how: object) -> Person:
        came.append(Person(service.url, homes, beside, **how))
        return came[-1]

    yield comes
    for each in came:
        each.leave()
    for each in came:
        assert each.errors == []


@pytest.fixture(scope="session")
def picture(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Takes pictures of pages, for people to look at: by night, or with `--pictures`."""
    wanted = request.config.getoption("pictures") or not is_day()

    def take(page: Page, name: str, **how: Any) -> None:
        if wanted:
            page.screenshot(path=SCREENS / name, **how)

    return take
