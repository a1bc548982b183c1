"""Replacing the processes of one release by those of another while people play."""

import json
import signal
import subprocess
import threading
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import requests
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from demo.answers import answer_to
from harness.make_run import ROOT
from harness.processes import RunningService, ServiceProcess
from harness.waiting import wait_until
from service.game.events.evolve import fold
from service.jobs.queues import QUEUES
from service.store.stores import Stores
from service.tables.reading import whole_log
from tools.compatibility import last_commit
from tools.faults import release_to_come
from tools.faults.visitors import Player


class Build(NamedTuple):
    """What the processes of a release run.

    Attributes:
        folder: their working directory, which has the source.
        environment: their variables, in addition to the usual ones.
    """

    folder: Path = ROOT
    environment: Mapping[str, str] = MappingProxyType({})


#: What is in the working tree.
THIS = Build()
#: The same, with an event that is to come.
TO_COME = Build(environment=release_to_come.ENVIRONMENT)


def last_released(folder: Path, *rooms: str) -> Build:
    """Return the last release of the history, whose source is put into a folder. It runs with the installed libraries.

    Args:
        rooms: the only folders of the source to put there; none: all.

    Raises:
        OSError, subprocess.CalledProcessError: no git, or no history.
    """
    archive = folder / "release.zip"
    subprocess.run(
        ["git", "archive", "--format=zip", f"--output={archive}", last_commit(), *rooms], cwd=ROOT, check=True
    )
    with zipfile.ZipFile(archive) as source:
        source.extractall(folder)
    return Build(folder)


class Guest(Player, threading.Thread):
    """A player who plays until told to stop, and notes each answer.

    Attributes:
        answers: status, or the reason of a 503 -> how often.
        acknowledged: seq -> type of the events that were acknowledged.
        wants_flag: whether to send messages until one has brought about the new event of `TO_COME`.
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
            if view and (view["status"] == "finished" or decision.get("kind") == "ready"):
                self._act("seats/me/ready", {}, "PUT")
            elif view and 0 in decision.get("seats", ()):
                path, body = answer_to(view)
                self._act(path, {"decision_id": decision["id"], **body})

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


def run_on(process: ServiceProcess, build: Build) -> None:
    """Let a process run a release from its next start on."""
    usual = {name: value for name, value in process.environment.items() if name not in release_to_come.ENVIRONMENT}
    process.environment = {**usual, **build.environment}
    process.folder = build.folder


def replace(service: RunningService, process: ServiceProcess, build: Build, *, is_killed: bool) -> None:
    """Replace a process by one of a release."""
    assert process.popen is not None
    children = process.children()
    process.send(signal.SIGKILL if is_killed else signal.SIGTERM)
    for child in children if is_killed else ():
        service.kill_child(child)
    process.popen.wait(60)
    run_on(process, build)
    process.start()


def replace_all(service: RunningService, guests: Sequence[Guest], build: Build, first: int) -> None:
    """Replace the processes one after the other, each while these people play.

    Args:
        first: 0: every second process is killed, beginning with the second; 1: with the first.
    """
    # API processes are last, as in `deploy/upgrade`.
    for number, process in enumerate([*service.workers, *service.clocks, *service.api], first):
        replace(service, process, build, is_killed=bool(number % 2))
        play_on(guests, 1)
    url = f"http://127.0.0.1:{service.port}/readyz"
    wait_until(lambda: requests.get(url, timeout=20).ok)


def play_on(guests: Sequence[Guest], events: int) -> None:
    """Wait until each player has so many more events acknowledged."""
    before = [len(guest.acknowledged) for guest in guests]
    for guest, had in zip(guests, before, strict=True):
        wait_until(
            lambda guest=guest, had=had: len(guest.acknowledged) >= had + events,
            lambda guest=guest, had=had: f"{events} events after {had} of {guest.acknowledged}: {guest.answers}",
            seconds=120,
        )


def failed_jobs(redis: Any) -> list[str]:
    """Return the errors of failed jobs, except those whose worker was killed."""
    errors = [
        str(getattr(Job.fetch(name, connection=redis, serializer=JSONSerializer).latest_result(), "exc_string", ""))
        for queue in QUEUES
        for name in FailedJobRegistry(queue, connection=redis, serializer=JSONSerializer).get_job_ids()
    ]
    return [error for error in errors if "AbandonedJobError" not in error]


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
