"""`make crowd`: play at many tables of the running service at once, and check all guarantees that a client can check.

Prints the URL of each table whose log has a gap, that falls silent, where the attackers have more points than all
tricks, or whose shuffle does not match its commitment. Any such fault makes the run fail.
"""

import argparse
import hashlib
import itertools
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from demo.answers import answer_to
from demo.connection import default_url, register
from demo.table import SEAT, Event, SilentError, Table
from shengji_client import Client, ServiceError, Unreachable

#: Seconds without events after which a table counts as silent: longer than any deadline with its grace period.
PATIENCE = 120.0
REPORT_EVERY = 60.0


@dataclass
class Tally:
    """Counts and faults of all tables so far."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        """Increment a counter."""
        with self._lock:
            self.counts[what] += 1

    def fault(self, text: str) -> None:
        """Record a fault and print it."""
        with self._lock:
            self.faults.append(text)
        sys.stdout.write(f"FAULT {text}\n")

    def line(self) -> str:
        """Return the counts and the number of faults as a line."""
        with self._lock:
            counts = ", ".join(f"{self.counts[what]} {what}" for what in ("tables", "rounds", "plays", "events"))
            return f"{counts}; {len(self.faults)} faults"


class Checker:
    """Checks the events of a table as they arrive."""

    def __init__(self, name: str, tally: Tally) -> None:
        self._name = name
        self._tally = tally
        self._seq = 0
        self._announced = self._committed = ""
        self._trick_points = 0

    def see(self, event: Event) -> None:
        """Check the next event of the log."""
        kind, data = event["type"], event["data"]
        self._tally.count("events")
        self._check(event["seq"] == self._seq + 1, f"seq {event['seq']} comes after {self._seq}")
        self._seq = event["seq"]
        if kind == "table_created":
            self._announced = data["next_commitment"]
        elif kind == "round_opened":
            self._check(data["commitment"] == self._announced, "the commitment is not the one announced before")
            self._committed, self._announced = data["commitment"], data["next_commitment"]
            self._trick_points = 0
        elif kind == "redealt":
            self._trick_points = 0
        elif kind == "played":
            self._tally.count("plays")
        elif kind == "trick_won":
            self._trick_points += data["points"] or 0
        elif kind == "round_scored":
            self._check(
                (data["trick_points"] or 0) <= self._trick_points, "the attackers have more points than all tricks"
            )
        elif kind == "round_ended":
            self._tally.count("rounds")
            revealed = "sha256:" + hashlib.sha256(bytes.fromhex(data["server_seed"])).hexdigest()
            self._check(revealed == self._committed, "the seed is not the one committed to")

    def _check(self, holds: bool, fault: str) -> None:
        if not holds:
            self._tally.fault(f"{self._name}: {fault} (seq {self._seq})")


def play_until(url: str, ruleset: str, end: float, tally: Tally) -> None:
    """Play games at one table after another until `end` (s, monotonic)."""
    client = register(url, f"Crowd {ruleset}"[:20])
    while time.monotonic() < end:
        table = Table.fill(client, ruleset)
        tally.count("tables")
        checker = Checker(f"{ruleset} {url}{table.path}", tally)
        try:
            _play(table, checker, end)
        except (SilentError, ServiceError) as error:
            tally.fault(f"{ruleset} {url}{table.path}: {error}")
            return
        finally:
            table.close()


def _play(table: Table, checker: Checker, end: float) -> None:
    for event in table.all_events(PATIENCE):
        checker.see(event)
        if event["type"] == "game_ended" or time.monotonic() > end:
            return
        if event["type"] == "decision_opened" and SEAT in event["data"]["seats"]:
            table.answer(answer_to)


def main() -> int:
    """Run, and return the exit status: 0 without faults."""
    parser = argparse.ArgumentParser(prog="make crowd", description=__doc__)
    parser.add_argument("--url", default=default_url(), help="URL of the service (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=10, help="how long to play (default: 10)")
    parser.add_argument("--tables", type=int, default=8, help="number of tables at once (default: 8)")
    arguments = parser.parse_args()
    tally = Tally()
    try:
        names = Client(arguments.url, patience=0).request("GET", "/v1")["rulesets"]
    except Unreachable as error:
        sys.stdout.write(f"{error}. Start the service with `make run` first, in another terminal.\n")
        return 1
    end = time.monotonic() + 60 * arguments.minutes
    rulesets = itertools.islice(itertools.cycle(names), arguments.tables)
    with ThreadPoolExecutor(arguments.tables) as pool:
        tables = [pool.submit(play_until, arguments.url, ruleset, end, tally) for ruleset in rulesets]
        while time.monotonic() < end and not all(table.done() for table in tables):
            time.sleep(min(REPORT_EVERY, max(0.0, end - time.monotonic()) + 0.1))
            sys.stdout.write(tally.line() + "\n")
            sys.stdout.flush()
    for table in tables:
        table.result()
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
