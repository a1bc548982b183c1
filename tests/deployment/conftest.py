"""Services as `make run` starts them, for one test each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.make_run import Service


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Starts services in the folder of the test, with a shared data folder; stops them afterwards."""
    started: list[Service] = []

    def starter(port: int | None = None, **environment: str) -> Service:
        started.append(Service(tmp_path, port, **environment))
        return started[-1]

    yield starter
    for service in started:
        service.clear_away()
