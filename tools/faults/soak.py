"""A run: guests play at tables of mixed rulesets while the plan is carried out; then everything is audited.

Some tables have only AI seats. Nobody looks at these, so only clock and workers advance them.
"""

import contextlib
import json
import math
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from service.common.settings import VERSION
from service.game.commands.table.bounds import may_start_game
from service.game.state.queries import persons
from service.store import keys
from service.store.connections.clients import command_client
from service.store.port import StoreUnavailable
from service.store.redis_tables import RedisTableStore
from service.tables import Tables
from tools.faults.audit import audit, overdue
from tools.faults.guests import Guest, Notes, StoppedError
from tools.faults.history.calls import History
from tools.faults.history.checking import check
from tools.faults.hostile import Hostile
from tools.faults.injection import FragileService
from tools.faults.partitions import DividedServers
from tools.faults.plan import Fault, plan
from tools.faults.report import Report, recoveries
from tools.faults.stuck import NOTED_S, Stuck

#: Ruleset, players, options. With `start_level` near the end, games end and are archived within a run.
MIX: Final = (
    ("shengji", 4, {"deal_pace": "instant", "start_level": "A"}),
    ("zhaopengyou", 5, {"deal_pace": "timed", "start_level": "K"}),
    ("arms_length", 4, {}),
    ("zhaopengyou", 12, {"deal_pace": "instant"}),
    ("tractor", 4, {"deal_pace": "timed"}),
    ("finding_friends", 6, {"deal_pace": "instant", "start_level": "A"}),
    ("sishifen", 4, {"deal_pace": "timed", "start_level": "A"}),
    ("zhaopengyou_80", 4, {"deal_pace": "instant", "start_level": "K"}),
    ("shengji_six", 6, {"deal_pace": "instant"}),
)
FOLLOWS: Final = ("poll", "stream", "reread")
#: Inverse share of tables without guests, and the pace of their AI seats (ms), so that every move needs the clock.
ALONE_EVERY: Final = 4
ALONE_PACE_MS: Final = 200
#: Number of faults after which there is a quiet time (s), in which every table must catch up.
BREATHE_EVERY: Final = 8
BREATH_S: Final = 8.0
#: Seconds within which every table must move on after the last fault.
RECOVERY_S: Final = 120.0
_STUCK: Final = "has been stuck"
#: Moves of AI seats are always slightly overdue.
OVERDUE_MS: Final = 5_000


def spec_of(number: int, rng: random.Random) -> dict[str, Any]:
    """Return the settings of a table, with short times, so that some decisions time out."""
    ruleset, players, options = MIX[number % len(MIX)]
    times = {"discard_ms": 2_000, "call_ms": 2_000, "play_ms": rng.choice([800, 1_500, 3_000])}
    return {
        "ruleset": ruleset,
        "players": players,
        "options": options,
        "take_back": True,
        "visibility": rng.choice(["public", "private"]),
        "ai_pace_ms": rng.choice([0, 0, 40]),
        "clock": {
            **times,
            "deal_interval_ms": 20,
            "declare_ms": 600,
            "defence_ms": 600,
            "ready_ms": 2_000,
            "bank_ms": rng.choice([0, 2_000]),
            "grace_ms": 200,
            "on_timeout": rng.choice(["auto_play", "auto_play", "ai_takeover", "pause"]),
        },
    }


class Run:
    """See the module.

    Args:
        seed: seed of the plan and of the guests.
        say: gets progress messages.
        most_stuck_s: how long a table may be overdue after the same time without faults.
        topology: `one` Redis, `sentinel` or `cluster`.
        replicas: with several servers, the number of replicas of each master, all of which must have an action before
            it is acknowledged (`APPEND_REPLICAS`). With 0 there is one, and none has to.
        min_replicas: `min-replicas-to-write` of several servers.
        at_most_s: latest start of a fault.
        kinds: the only faults; all of the topology by default.
        environment: more settings of the processes.
        ends_early: whether the run ends as soon as its history or a table that is stuck shows a fault.

    Attributes:
        found, found_at: what it was, and when (monotonic seconds); None if it was not.
    """

    def __init__(
        self,
        folder: Path,
        *,
        seed: int,
        tables: int,
        faults: int,
        every_s: float,
        say: Callable[[str], None],
        most_stuck_s: float = math.inf,
        topology: str = "one",
        replicas: int = 0,
        min_replicas: int = 0,
        at_most_s: float = math.inf,
        kinds: Collection[str] | None = None,
        environment: Mapping[str, str] | None = None,
        ends_early: bool = False,
    ) -> None:
        self._ends_early = ends_early
        self.faults: list[str] = []
        self.found_at: float | None = None
        self.seed, self.count, self._say, self._folder = seed, tables, say, folder
        if topology == "one":
            self.service = FragileService(folder, environment)
        else:
            self.service = DividedServers(folder, topology, replicas, min_replicas, environment)
        self.service.settled = self._note_calm
        self.notes = Notes(History(folder / "history.jsonl"))
        self._at_most_s = at_most_s
        self._done: Counter[str] = Counter()
        self._settings = {
            "version": VERSION,
            "seed": seed,
            "topology": topology,
            "tables": tables,
            "replicas": self.service.count,
            "APPEND_REPLICAS": replicas,
            "min-replicas-to-write": min_replicas,
            "load at the start": round(os.getloadavg()[0], 1),
        }
        self.plan = plan(seed, faults, every_s=every_s, topology=topology, kinds=kinds)
        self.guests: list[Guest] = []
        self._stop = threading.Event()
        self._most_stuck_s, self._longest_s, self._calm_since = most_stuck_s, 0.0, math.inf
        self._threads: list[threading.Thread] = []
        #: Outages as noted by the service (ms).
        self._gaps: set[tuple[int, int]] = set()

    def run(self) -> Report:
        """Carry out the plan and return all faults found, with some figures."""
        began = time.monotonic()
        with self.service:
            client = command_client(self.service.tables_url)
            tables = Tables(RedisTableStore(client))
            for number in range(self.count):
                self._start(self._open, number)
            if self.service.has_replicas:
                # A table that is lost before anybody sits there cannot be played.
                for thread in list(self._threads):
                    thread.join()
            self._say(f"small disk: {self.service.small_disk}; clock of Redis steps: {self.service.steps_redis}")
            self._start(Hostile(self.service, self.notes, self._stop, self.seed).play)
            stuck = Stuck(self._folder / "stuck.jsonl", client, self.service.queues_url)
            self._start(self._watch, tables, stuck)
            for number, fault in enumerate(self.plan):
                if time.monotonic() - began > self._at_most_s or self.found_at is not None:
                    break
                time.sleep(fault.after_s)
                self._say(f"{number + 1}/{len(self.plan)} {fault}")
                self._calm_since = math.inf
                self._inject(fault)
                self._done[fault.kind] += 1
                self._calm_since = min(self._calm_since, time.monotonic())
                if number % BREATHE_EVERY == BREATHE_EVERY - 1:
                    time.sleep(BREATH_S)
            wrong = self._wait_for_all(tables) if self.found_at is None else self.faults
            self._stop.set()
            for guest in self.guests:
                guest.line.hang_up()
                guest.stream.hang_up()
            for thread in self._threads:
                thread.join()
            self.notes.history.close()
            ended = self.service.stop_processes()
            wrong += [
                f"{name} ended with {status} when it was told to stop" for name, status in ended.items() if status
            ]
            if self.found_at is not None:
                client.close()
                return Report(wrong, {})
            # Only data that survive this hardest end count.
            self.service.kill_tables()
            may_be_lost, are_copied = self.service.may_be_lost, self.service.replicas > 0
            wrong += audit(client, tables, self.notes, self._gaps, may_be_lost, are_copied=are_copied)
            wrong += self.check_history(tables)
            self._keep_logs(tables, wrong)
            figures = self._figures(tables, time.monotonic() - began)
            self._settings["load at the end"] = round(os.getloadavg()[0], 1)
            ways = recoveries(self._done, figures, self.service.recoveries)
            report = Report(wrong, figures, self._settings, dict(self._done), dict(ways))
            report.write(self._folder)
            client.close()
            return report

    def check_history(self, tables: Tables) -> list[str]:
        """Return everything wrong in the calls until now."""
        calls = self.notes.history.calls()
        known = list(self.notes.tables)
        takeovers = {table: self.service.takeovers_of(keys.head(table)) for table in known}
        logs = {table: tables.log(table) for table in known if tables.store.load(table) is not None}
        return check(calls, logs, takeovers, are_copied=self.service.replicas > 0)

    def _watch(self, tables: Tables, paths: Stuck) -> None:
        """Look for tables that are overdue although there was no fault for a while."""
        while not self._stop.wait(0.5):
            self._gaps.update(self.service.gaps())
            if self._ends_early and self.found_at is None:
                self._look_early(tables)
            calm = time.monotonic() - self._calm_since
            for table in list(self.notes.tables):
                try:
                    late = overdue(tables, table, self.service.now()) / 1000
                except StoreUnavailable:
                    continue
                # Only the time since the last fault counts.
                stuck = min(late, calm)
                if stuck > NOTED_S:
                    paths.note(table, late, self.service.now())
                if self._calm_since != math.inf and stuck > self._longest_s:
                    self._longest_s = stuck
                    if stuck > self._most_stuck_s + self.service.patience_s:
                        self.notes.wrong.append(f"{table} {_STUCK} for {stuck:.1f} s of calm")
                        self._say(self.notes.wrong[-1])
        paths.close()

    def _look_early(self, tables: Tables) -> None:
        with contextlib.suppress(StoreUnavailable):
            self.faults = self.check_history(tables) + [each for each in self.notes.wrong if _STUCK in each]
            if self.faults:
                self.found_at = time.monotonic()

    def _note_calm(self) -> None:
        self._calm_since = time.monotonic()

    # --- guests ---------------------------------------------------------------------------------------------------

    def _start(self, work: Callable[..., None], *args: Any) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _open(self, number: int) -> None:
        """Create a table, seat guests and AI players, and let them play."""
        rng = random.Random(f"table:{self.seed}:{number}")
        spec = spec_of(number, rng)
        try:
            guests = [self._guest(number, seat, rng) for seat in range(rng.randint(1, min(3, spec["players"] - 1)))]
            host = guests[0]
            if number % ALONE_EVERY == ALONE_EVERY - 1:
                spec["ai_pace_ms"] = ALONE_PACE_MS
                guests = []
            view = host.make_table(spec)
            for seat, guest in enumerate(guests):
                guest.sit(view["id"], seat, view["join_code"])
            for seat in range(len(guests), spec["players"]):
                host.seat_ai(view["id"], seat)
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001 - reported with the others at the end
            self.notes.wrong.append(f"table {number} was not made: {error!r}")
            return
        for guest in guests:
            self._start(guest.play)

    def _guest(self, number: int, seat: int, rng: random.Random) -> Guest:
        name, follows = f"Guest {number}.{seat}", FOLLOWS[(number + seat) % 3]
        laziness = rng.choice([0.0, 0.0, 0.05])
        guest = Guest(self.service, self.notes, self._stop, name, follows, laziness, f"{self.seed}:{name}")
        self.guests.append(guest)
        return guest

    # --- faults ---------------------------------------------------------------------------------------------------

    def _inject(self, fault: Fault) -> None:
        if fault.kind == "cut_connections":
            for guest in list(self.guests):
                guest.line.hang_up()
                guest.stream.hang_up()
        elif fault.kind == "change_rights":
            for guest in list(self.guests)[fault.which % 3 :: 3]:
                guest.changes_rights.set()
        elif fault.kind == "cut_answers":
            self._let_guests_hang_up(0.3)
            time.sleep(fault.for_s)
            self._let_guests_hang_up(0.0)
        else:
            self.service.inject(fault)
        self.notes.wrong += self.service.restart_crashed()

    def _let_guests_hang_up(self, often: float) -> None:
        for guest in list(self.guests):
            guest.cutting = often

    def _wait_for_all(self, tables: Tables) -> list[str]:
        """Wait until every table has moved on since the last fault and is not overdue."""
        left: dict[str, int] = {}
        known: set[str] = set()
        give_up = time.monotonic() + RECOVERY_S
        while time.monotonic() < give_up and (left or len(known) < self.count):
            left |= {table: _version(tables, table) for table in self.notes.tables.keys() - known}
            known |= left.keys()
            for table, before in list(left.items()):
                # Ten events: more than from sitting down, and more than from a single action.
                moved = _version(tables, table) > before + 10 or _is_over(tables, table)
                if moved and overdue(tables, table, self.service.now()) < OVERDUE_MS:
                    del left[table]
            time.sleep(0.2)
        missing = self.count - len(known)
        late = {table: overdue(tables, table, self.service.now()) for table in left}
        return [f"{table} is stuck (overdue {ms} ms)" for table, ms in late.items()] + [
            "a table was not made"
        ] * missing

    def _keep_logs(self, tables: Tables, wrong: list[str]) -> None:
        """Write the logs of tables with faults, and gaps and losses, into the folder."""
        losses = [(loss.since, loss.until, len(loss.slots), loss.began, loss.over) for loss in self.service.losses]
        for name, what in (("gaps", sorted(self._gaps)), ("losses", losses)):
            (self._folder / f"{name}.json").write_text(json.dumps(what), encoding="utf-8")
        for table in self.notes.tables:
            if any(fault.startswith(table) for fault in wrong):
                (self._folder / f"{table}.json").write_text(json.dumps(tables.log(table)), encoding="utf-8")

    def _figures(self, tables: Tables, seconds: float) -> dict[str, int | float]:
        logs = [tables.log(table) for table in self.notes.tables]
        kinds = [event["type"] for log in logs for event in log]
        return {
            "seconds": round(seconds),
            "faults": self._done.total(),
            "calls in the history": len(self.notes.history.calls()),
            "tables": len(logs),
            "events": len(kinds),
            "rounds": kinds.count("round_ended"),
            "games": kinds.count("game_ended"),
            "timeouts": kinds.count("decision_timed_out"),
            "interruptions": len(self._gaps),
            "windows moved": kinds.count("interrupted"),
            "acknowledged": sum(each.status == 200 for each in self.notes.answers),
            "refused": sum(each.status != 200 for each in self.notes.answers),
            "requests": self.notes.requests,
            "sent again": self.notes.sent_again,
            "put off (503)": self.notes.put_off,
            "votes": kinds.count("vote_opened"),
            "take-backs": kinds.count("take_back"),
            "longest wait, s": round(self._longest_s, 1),
            "longest start, s": round(self.service.longest_start_s, 1),
            **self.service.figures(),
            "lost": len(self.notes.lost),
            "lost, acknowledged": self.notes.lost_answers,
            "resets": self.notes.resets,
        }


def _is_over(tables: Tables, table: str) -> bool:
    """Return whether the game is over and no other can begin, since nobody is there or the table is used up."""
    stored = tables.store.load(table)
    if stored is None or stored.state["status"] != "finished":
        return False
    return not persons(stored.state) or not may_start_game(stored.state)


def _version(tables: Tables, table: str) -> int:
    stored = tables.store.load(table)
    return stored.version if stored else 0
