"""An upgrade to a release with a new event, a rollback, and another upgrade, with games in play and kills."""

import json
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Self

import pytest
import requests
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from demo.answers import answer_to
from harness.processes import RunningService, ServiceProcess
from harness.waiting import wait_until
from service.game.events.evolve import fold
from service.jobs.queues import PEOPLE, QUEUES
from service.store import keys
from service.store.connections.clients import command_client
from service.store.stores import Stores
from service.tables.reading import whole_log
from tools.faults import release_to_come
from tools.faults.visitors import Player, Reader

#: Tables, of which half meet the new event.
TABLES = 4


class Guest(Player, threading.Thread):
    """A player who plays until told to stop, and notes each answer.

    Attributes:
        answers: status, or the reason of a 503 -> how often.
        acknowledged: seq -> type of the events that were acknowledged.
        wants_flag: whether to send messages until one has brought about the new event.
    """

    def __init__(self, service: RunningService) -> None:
        threading.Thread.__init__(self, daemon=True)
        Player.__init__(self, service, clock={"declare_ms": 2_000, "grace_ms": 0}, ai_pace_ms=0)
        self.answers: Counter[str] = Counter()
        self.acknowledged: dict[int, str] = {}
        self.wants_flag = False
        self._over = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while not self._over.wait(0.1):
            if self.wants_flag:
                self._act("chat", {"text": release_to_come.FLAG})
                self.wants_flag = "flagged" not in self.acknowledged.values()
            view = self._ask("GET", self.path)
            decision = (view or {}).get("decision") or {}
            if view and view["status"] == "finished":
                self._act("seats/me/ready", {}, "PUT")
            elif view and 0 in decision.get("seats", ()):
                path, body = answer_to(view)
                self._act(path, {"decision_id": decision["id"], **body}, "PUT" if path.startswith("seats") else "POST")

    def _act(self, path: str, body: Any, method: str = "POST") -> None:
        for event in (self._ask(method, f"{self.path}/{path}", body) or {}).get("events", ()):
            self.acknowledged[event["seq"]] = event["type"]

    def _ask(self, method: str, path: str, body: Any = None) -> dict[str, Any] | None:
        try:
            answer = self.send(method, path, body)
            told = answer.json()
        except (requests.RequestException, ValueError):
            # The process was killed.
            self.answers["cut off"] += 1
            return None
        reason = told.get("params", {}).get("reason", "") if answer.status_code == 503 else ""
        self.answers[f"{answer.status_code} {reason}".strip()] += 1
        return dict(told) if answer.ok else None

    @property
    def is_refused(self) -> int:
        """How often this player was told that a newer release is needed."""
        return self.answers["503 newer_release"]


@pytest.fixture
def service(tmp_path: Any) -> Iterator[RunningService]:
    with RunningService(tmp_path, servers=2, workers=1, clocks=1) as running:
        wait_until(lambda: requests.get(f"http://127.0.0.1:{running.port}/readyz", timeout=20).ok)
        yield running


def replace(service: RunningService, process: ServiceProcess, release: dict[str, str], *, is_killed: bool) -> None:
    """Replace a process by one of a release."""
    assert process.popen is not None
    children = process.children()
    process.send(signal.SIGKILL if is_killed else signal.SIGTERM)
    for child in children if is_killed else ():
        service.kill_child(child)
    process.popen.wait(60)
    process.environment = {
        **{name: value for name, value in process.environment.items() if name not in release_to_come.ENVIRONMENT},
        **release,
    }
    process.start()


def replace_all(service: RunningService, guests: Sequence[Guest], release: dict[str, str], first: int) -> None:
    """Replace the processes one after the other, each while these people play.

    Args:
        first: 0: every second process is killed, beginning with the second; 1: with the first.
    """
    # API processes are last, as in `deploy/upgrade`.
    for number, process in enumerate([*service.workers, *service.clocks, *service.api], first):
        replace(service, process, release, is_killed=bool(number % 2))
        play_on(guests, 1)
    url = f"http://127.0.0.1:{service.port}/readyz"
    wait_until(lambda: requests.get(url, timeout=20).ok)


def play_on(guests: Sequence[Guest], events: int) -> None:
    """Wait until each player has so many more events acknowledged."""
    before = [len(guest.acknowledged) for guest in guests]
    for guest, had in zip(guests, before, strict=True):
        wait_until(lambda guest=guest, had=had: len(guest.acknowledged) >= had + events, seconds=120)


def is_set_aside(redis: Any, table: str) -> bool:
    """Return whether the clock has put a due table back without a job."""
    due, owed = (redis.zscore(key(keys.bucket_of(table)), table) for key in (keys.due, keys.owed))
    return owed is None or due > owed + 5_000


@pytest.mark.nightly
def test_a_new_event_survives_a_rollback_and_other_tables_do_not_notice(
    service: RunningService, capsys: pytest.CaptureFixture[str]
) -> None:
    url = f"http://127.0.0.1:{service.port}"
    redis = command_client(service.redis.url)
    guests = [Guest(service) for _ in range(TABLES)]
    flagging, others = guests[: TABLES // 2], guests[TABLES // 2 :]
    readers = [Reader(guest) for guest in guests]
    for each in (*guests, *readers):
        each.__enter__()
    try:
        play_on(guests, 5)
        # Upgrade. The new event happens as soon as a process knows it, with old ones beside it.
        for guest in flagging:
            guest.wants_flag = True
        replace_all(service, others, release_to_come.ENVIRONMENT, 0)
        play_on(guests, 5)
        assert all("flagged" in guest.acknowledged.values() for guest in flagging)
        assert requests.get(f"{url}/readyz", timeout=20).json()["newer_release"] is None
        beside = {guest.table: guest.is_refused for guest in flagging}

        # Rollback.
        replace_all(service, others, {"PYTHONPATH": ""}, 1)
        had = {guest.table: len(guest.acknowledged) for guest in flagging}
        for guest in flagging:
            wait_until(lambda guest=guest: guest.is_refused > beside[guest.table] + 10)
            wait_until(lambda guest=guest: is_set_aside(redis, guest.table))
            assert guest.send("GET", "/v1/me/tables").json()["items"] == []
            assert guest.send("GET", "/v1/tables?status=playing").ok
        play_on(others, 5)
        assert {guest.table: len(guest.acknowledged) for guest in flagging} == had
        assert requests.get(f"{url}/readyz", timeout=20).json()["newer_release"] == release_to_come.RELEASE
        waiting = {queue: redis.llen(f"rq:queue:{queue}") for queue in QUEUES}
        assert waiting[PEOPLE] < 5

        # Upgrade again.
        replace_all(service, others, release_to_come.ENVIRONMENT, 0)
        play_on(guests, 5)
        for reader in readers:
            version = reader.player.view()["version"]
            wait_until(lambda reader=reader, version=version: reader.seqs[-1] >= version)
    finally:
        for each in (*guests, *readers):
            each.__exit__()

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


def failed_jobs(redis: Any) -> list[str]:
    """Return the errors of failed jobs, except those whose worker was killed."""
    found = [
        str(getattr(Job.fetch(name, connection=redis, serializer=JSONSerializer).latest_result(), "exc_string", ""))
        for queue in QUEUES
        for name in FailedJobRegistry(queue, connection=redis, serializer=JSONSerializer).get_job_ids()
    ]
    return [error for error in found if "AbandonedJobError" not in error]


def lost_by(redis: Any, guests: Sequence[Guest]) -> list[tuple[str, int, str]]:
    """Return the acknowledged events that the logs lack; each log must fold to its state."""
    release_to_come.know()
    try:
        store, lost = Stores(redis).tables, []
        for guest in guests:
            stored = store.load(guest.table)
            log = whole_log(store, guest.table)
            assert stored is not None
            types = {event["seq"]: event["type"] for event in log}
            assert [*types] == list(range(1, len(log) + 1))
            assert json.loads(json.dumps(fold(log[: stored.version]))) == stored.state
            lost += [(guest.table, seq, kind) for seq, kind in guest.acknowledged.items() if types.get(seq) != kind]
        return lost
    finally:
        release_to_come.forget()
