"""One service and one browser for all tests of the client; a page is a person with a screen and a language."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.clients.tools import Tools, installed_or_skip
from tests.house.conftest import Service
from tests.sorting import is_day
from tests.web.beside import Beside
from tests.web.person import Homes, Person

#: Where pictures of screens go.
SCREENS = Path(__file__).parents[2] / "var" / "screens"


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Node, the TypeScript compiler and what else the checks of the client's files need."""
    return installed_or_skip()


@pytest.fixture(scope="session")
def axe(tools: Tools) -> str:
    """The program that finds what makes a page hard to use."""
    return (tools.folder / "node_modules" / "axe-core" / "axe.min.js").read_text()


@pytest.fixture(scope="session")
def beside(service: Service) -> Iterator[Beside]:
    beside = Beside(service)
    yield beside
    beside.close()


@pytest.fixture(scope="session")
def homes(browser: Browser) -> Homes:
    return Homes(browser)


@pytest.fixture
def person(service: Service, beside: Beside, homes: Homes) -> Iterator[Callable[..., Person]]:
    """Brings persons to the service; each has a browser of their own, in which no error may turn up."""
    came: list[Person] = []

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
    """Takes a picture of a page, to be looked at: by night, and when asked for, as no test looks at it itself."""
    wanted = request.config.getoption("pictures") or not is_day()

    def take(page: Page, name: str, **how: Any) -> None:
        if wanted:
            page.screenshot(path=SCREENS / name, **how)

    return take
