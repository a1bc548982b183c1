"""An upgrade to a release with a new event, a rollback, and another upgrade, with games in play and kills."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
import requests

from harness.processes import RunningService
from harness.waiting import wait_until
from service.jobs.queues import PEOPLE, QUEUES
from service.store import keys
from service.store.connections.clients import command_client
from tools.faults import release_to_come
from tools.faults.upgrades import THIS, TO_COME, Guest, failed_jobs, lost_by, play_on, replace_all
from tools.faults.visitors import Reader

#: Tables, of which half meet the new event.
TABLES = 4


@pytest.fixture
def service(tmp_path: Any) -> Iterator[RunningService]:
    with RunningService(tmp_path, servers=2, workers=1, clocks=1) as running:
        wait_until(lambda: requests.get(f"http://127.0.0.1:{running.port}/readyz", timeout=20).ok)
        yield running


def is_set_aside(redis: Any, table: str) -> bool:
    """Return whether the clock has put a due table back without a job."""
    due, owed = (redis.zscore(key(keys.bucket_of(table)), table) for key in (keys.due, keys.owed))
    return owed is None or due > owed + 5_000


def newer_release(service: RunningService) -> Any:
    """Return the release that the service says it needs, or None."""
    return requests.get(f"http://127.0.0.1:{service.port}/readyz", timeout=20).json()["newer_release"]


def upgrade(service: RunningService, flagging: Sequence[Guest], others: Sequence[Guest]) -> None:
    """Upgrade; the new event happens as soon as a process knows it, with old ones beside it."""
    for guest in flagging:
        guest.wants_flag = True
    replace_all(service, others, TO_COME, 0)
    play_on([*flagging, *others], 5)
    assert all("flagged" in guest.acknowledged.values() for guest in flagging)
    assert newer_release(service) is None


def roll_back(service: RunningService, redis: Any, flagging: Sequence[Guest], others: Sequence[Guest]) -> None:
    """Roll back; tables with the new event are set aside, and others play on."""
    refused = {guest.table: guest.is_refused for guest in flagging}
    replace_all(service, others, THIS, 1)
    had = {guest.table: len(guest.acknowledged) for guest in flagging}
    for guest in flagging:
        wait_until(lambda guest=guest: guest.is_refused > refused[guest.table] + 10)
        wait_until(lambda guest=guest: is_set_aside(redis, guest.table))
        assert guest.send("GET", "/v1/me/tables").json()["items"] == []
        assert guest.send("GET", "/v1/tables?status=playing").ok
    play_on(others, 5)
    assert {guest.table: len(guest.acknowledged) for guest in flagging} == had
    assert newer_release(service) == release_to_come.RELEASE
    waiting = {queue: redis.llen(f"rq:queue:{queue}") for queue in QUEUES}
    assert waiting[PEOPLE] < 5


@pytest.mark.nightly
def test_a_new_event_survives_a_rollback_and_other_tables_do_not_notice(
    service: RunningService, capsys: pytest.CaptureFixture[str]
) -> None:
    redis = command_client(service.redis.url)
    guests = [Guest(service) for _ in range(TABLES)]
    flagging, others = guests[: TABLES // 2], guests[TABLES // 2 :]
    readers = [Reader(guest) for guest in guests]
    with ExitStack() as playing:
        for each in (*guests, *readers):
            playing.enter_context(each)
        play_on(guests, 5)
        upgrade(service, flagging, others)
        roll_back(service, redis, flagging, others)
        # Upgrade again.
        replace_all(service, others, TO_COME, 0)
        play_on(guests, 5)
        for reader in readers:
            version = reader.player.view()["version"]
            wait_until(lambda reader=reader, version=version: reader.seqs[-1] >= version)
    answers = {"with the event": Counter[str](), "without": Counter[str]()}
    for guest in guests:
        answers["with the event" if guest in flagging else "without"] += guest.answers
    lost = lost_by(redis, guests)
    acknowledged = sum(len(guest.acknowledged) for guest in guests)
    with capsys.disabled():
        print(f"\n{acknowledged} events acknowledged, {len(lost)} lost; answers: {json.dumps(answers)}")
    assert lost == []
    for reader in readers:
        assert reader.seqs == list(range(len(reader.seqs)))
    assert not {status for counts in answers.values() for status in counts if status.startswith("500")}
    assert not any(status.startswith("503") for status in answers["without"])
    assert failed_jobs(redis) == []
    log = service.log.name
    with open(log, encoding="utf-8") as lines:  # noqa: PTH123 (the name of an open file)
        text = lines.read()
    assert "Traceback" not in text
    assert f"these data need {release_to_come.RELEASE} or newer" in text
