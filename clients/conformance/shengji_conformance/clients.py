"""Runs cases against a client: a server, a task and a verdict for each."""

import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from shengji_conformance.adapter import Adapter, AdapterFailed
from shengji_conformance.cases import SUBJECTS, Case, Json, recording, subject_of
from shengji_conformance.judge import faults
from shengji_conformance.made import MADE_FOR
from shengji_conformance.server import serving
from shengji_conformance.world import TOKEN

PASSED: Final = "passed"
FAILED: Final = "failed"
NOT_TRIED: Final = "not tried"
#: Time for a case, s; for one that is marked as slow.
_PATIENCE: Final = 30.0
_LONG_PATIENCE: Final = 90.0


@dataclass(frozen=True)
class Verdict:
    """What became of a case, and why."""

    case: Case
    status: str
    reasons: Sequence[str] = ()


@dataclass
class Outcome:
    """What became of a client."""

    client: str
    verdicts: list[Verdict] = field(default_factory=list)

    def count(self, status: str) -> int:
        """Return how many cases have this verdict."""
        return sum(verdict.status == status for verdict in self.verdicts)

    def badge(self) -> str:
        """Return a line that says what the client passes, with a date."""
        passed, tried = self.count(PASSED), len(self.verdicts) - self.count(NOT_TRIED)
        left = sorted({verdict.case["goal"] for verdict in self.verdicts if verdict.status == NOT_TRIED})
        without = f", without {', '.join(left)}" if left else ""
        today = datetime.now(UTC).date().isoformat()
        return f"{self.client}: {passed} of {tried} cases of shengji-conformance {MADE_FOR} pass{without} ({today})"

    def table(self) -> list[str]:
        """Return a line for each subject."""
        counts: dict[str, Counter[str]] = {subject: Counter() for subject in SUBJECTS}
        for verdict in self.verdicts:
            counts[subject_of(verdict.case)][verdict.status] += 1
        return [
            f"{subject:10} {count[PASSED]:4} passed {count[FAILED]:4} failed {count[NOT_TRIED]:4} not tried"
            for subject, count in counts.items()
            if count
        ]


def task_of(case: Case, url: str, table: str) -> Json:
    """Return what an adapter is told of a case."""
    task = {"case": case["id"], "goal": case["goal"], "url": url, "token": TOKEN, "table": table}
    given = dict(case.get("with", {}))
    if "recording" in given:
        recorded = recording(given.pop("recording"))
        view = recorded["steps"][given.pop("step", 0)]["view"]
        given = {"view": view, "events": recorded["events"][view["version"] :]} | given
    return task | given


def tried(adapter: Adapter, case: Case) -> Verdict:
    """Run a case.

    Raises:
        AdapterFailed: the adapter cannot be used any more.
    """
    if case["goal"] not in adapter.about["can"]:
        return Verdict(case, NOT_TRIED, [f"the adapter does not know the goal `{case['goal']}`"])
    with serving(case, MADE_FOR) as server:
        task = task_of(case, server.url, server.world.table)
        report = adapter.ask(task, _LONG_PATIENCE if case.get("slow") else _PATIENCE)
        wrong = faults(case, server, report)
    return Verdict(case, FAILED if wrong else PASSED, wrong)


def run(command: Sequence[str], cases: Sequence[Case], jobs: int, told: Callable[[Verdict], None]) -> Outcome:
    """Run cases with several adapters at a time, and return what became of them, in the order of the cases.

    Args:
        command: starts the adapter.
        cases: the cases.
        jobs: how many adapters.
        told: called with each verdict, as it comes.

    Raises:
        AdapterFailed: the adapter does not start.
    """
    first = Adapter(command)
    outcome = Outcome(str(first.about.get("client") or " ".join(command)))
    verdicts: dict[str, Verdict] = {}
    waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
    # The slow ones begin first, so that all ends sooner.
    for case in sorted(cases, key=lambda case: not case.get("slow")):
        waiting.put(case)

    def work(adapter: Adapter | None) -> None:
        while True:
            try:
                case = waiting.get_nowait()
            except queue.Empty:
                break
            try:
                adapter = adapter or Adapter(command)
                verdict = tried(adapter, case)
            except AdapterFailed as failure:
                adapter, verdict = None, Verdict(case, FAILED, [str(failure)])
            verdicts[case["id"]] = verdict
            told(verdict)
        if adapter is not None:
            adapter.close()

    threads = [threading.Thread(target=work, args=(first if not number else None,)) for number in range(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcome.verdicts = [verdicts[case["id"]] for case in cases]
    return outcome
