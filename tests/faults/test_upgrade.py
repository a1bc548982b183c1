"""An upgrade from the last release, back to it, and another upgrade, with games in play and kills."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from harness.make_run import ROOT, need
from harness.processes import RunningService
from harness.waiting import wait_until
from service.store.connections.clients import command_client
from tools.faults.upgrades import (
    THIS,
    Build,
    Guest,
    failed_jobs,
    last_released,
    lost_by,
    play_on,
    replace_all,
    run_on,
)
from tools.faults.visitors import Reader

#: Tables that each release opens.
TABLES = 2


@pytest.fixture
def earlier(tmp_path: Path) -> Build:
    """The last release."""
    need("git")
    if not (ROOT / ".git").exists():
        pytest.skip("not a git repository: the last release is unknown")
    folder = tmp_path / "earlier"
    folder.mkdir()
    return last_released(folder)


@pytest.fixture
def service(tmp_path: Path, earlier: Build) -> Iterator[RunningService]:
    """Run the service of the last release."""
    running = RunningService(tmp_path, servers=2, workers=1, clocks=1)
    for process in running.processes:
        run_on(process, earlier)
    with running:
        wait_until(lambda: requests.get(f"http://127.0.0.1:{running.port}/readyz", timeout=20).ok)
        yield running


@pytest.mark.nightly
def test_games_go_on_through_an_upgrade_from_the_last_release_and_back(
    service: RunningService, earlier: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    guests: list[Guest] = []
    readers: list[Reader] = []

    def sit_down() -> None:
        for _ in range(TABLES):
            guests.append(Guest(service).__enter__())
            readers.append(Reader(guests[-1]).__enter__())

    redis = command_client(service.redis.url)
    try:
        sit_down()
        play_on(guests, 5)
        for build, first in ((THIS, 0), (earlier, 1), (THIS, 0)):
            replace_all(service, guests, build, first)
            # Tables that this release has opened are played on in the other one.
            sit_down()
            play_on(guests, 10)
        for reader in readers:
            version = reader.player.view()["version"]
            wait_until(lambda reader=reader, version=version: reader.seqs[-1] >= version)
    finally:
        for each in (*guests, *readers):
            each.__exit__()

    answers = sum((guest.answers for guest in guests), Counter[str]())
    acknowledged = sum(len(guest.acknowledged) for guest in guests)
    lost: list[Any] = lost_by(redis, guests)
    with capsys.disabled():
        print(f"\n{acknowledged} events acknowledged, {len(lost)} lost; answers: {json.dumps(answers)}")
    assert lost == []
    for reader in readers:
        assert reader.seqs == list(range(len(reader.seqs)))
    assert not {status for status in answers if status.startswith("5")}
    assert failed_jobs(redis) == []
    assert "Traceback" not in Path(service.log.name).read_text(encoding="utf-8")
