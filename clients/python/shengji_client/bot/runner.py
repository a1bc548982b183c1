"""A bot at many tables: the account's stream announces its turns, and threads answer.

What else must get done (tables of the config, challenges, the ladder, results) are chores: `chores.py` tries each until
it succeeds.
"""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from shengji_client.bot.choosers import Choose
from shengji_client.bot.chores import Chores
from shengji_client.bot.config import Config
from shengji_client.bot.keeping import USED_UP, Keeper
from shengji_client.bot.ladder import Ladder
from shengji_client.bot.results import NAME as RESULTS
from shengji_client.bot.results import Results
from shengji_client.client import Client, follow
from shengji_client.examples import Action, example
from shengji_client.models import OpenDecision, View
from shengji_client.problems import PASSING, Problem, ServiceError, Unreachable
from shengji_client.protocol import pause_before
from shengji_client.streams import Message
from shengji_client.table import Table

#: Codes of problems after which to look at the table again.
MOVED_ON: Final = frozenset({"stale-decision", "not-your-turn", "wrong-phase"})
#: Codes of problems after which the bot gives up the table.
OVER: Final = frozenset({"not-found", "not-your-seat", "private-table", "no-spectators", "table-closed"})
#: Name of the chore of telling which challenges are accepted.
ACCEPTS: Final = "telling which challenges are accepted"

log = logging.getLogger(__name__)


class Runner:
    """Plays until `drain` is called or the token is refused.

    Args:
        client: client of the bot's player.
        choose: the chooser. If it fails or its answer is illegal, the example of the hints is used.
        config: configuration of the bot.
    """

    def __init__(self, client: Client, choose: Choose, config: Config) -> None:
        self._client = client
        self._choose = choose
        self._config = config
        self._threads = ThreadPoolExecutor(config.threads)
        self._changed = threading.Condition()
        #: Table -> whether to look at it again after the current look.
        self._looking: dict[str, bool] = {}
        #: Tables with a running round of the bot.
        self._rounds: set[str] = set()
        #: Table -> last decision answered by the bot.
        self._answered: dict[str, str] = {}
        self._refused: str | None = None
        self._draining = False
        self._chores = Chores()
        self._keeper = Keeper(client, config, self._chores, self._look_at)
        self._ladder = Ladder(client, self._chores, self._look_at, lambda: self._draining)
        self._results = Results(client, self._chores)

    def run(self) -> int:
        """Play; return the exit status: 0 after draining, 1 if the service refuses the bot."""
        for work in (self._follow, self._chores.run):
            threading.Thread(target=work, daemon=True).start()
        if self._config.ladder:
            self._ladder.look()
        with self._changed:
            self._changed.wait_for(lambda: self._draining or self._refused)
        if not self._refused:
            self._drain()
        self._chores.end()
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._refused:
            log.error("%s", self._refused)
        return 1 if self._refused else 0

    def _drain(self) -> None:
        """Wait until the running rounds are over, and what follows from them is done."""
        until = time.monotonic() + self._config.drain_s
        self._keeper.drain()
        with self._changed:
            log.info("stopping after the running rounds (%d), or in %g s", len(self._rounds), self._config.drain_s)
        self._chores.add(ACCEPTS, self._say_what_is_accepted)
        while not self._is_at_rest() and time.monotonic() < until:
            with self._changed:
                self._changed.wait(min(1.0, max(0.0, until - time.monotonic())))
        with self._changed:
            left = sorted(self._rounds)
        log.info("stopped%s", f"; left running: {', '.join(left)}" if left else "")

    def drain(self) -> None:
        """Begin no more rounds, and stop after the running ones. May be called by a signal handler."""
        # Without the lock, which the interrupted thread may hold.
        self._draining = True
        threading.Thread(target=self._notify, daemon=True).start()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _is_at_rest(self) -> bool:
        with self._changed:
            if self._refused:
                return True
            playing = self._rounds or self._looking
        return not playing and not {ACCEPTS, RESULTS} & {*self._chores.waiting()}

    def _follow(self) -> None:
        """Follow the account as long as the bot runs."""
        failures = 0
        while not self._refused:
            try:
                for message in follow(self._client, "/v1/me/events"):
                    failures = 0
                    self._hear(message)
                    if message.name == "end" and message.data["reason"] == "newer-stream":
                        self._refuse("another process follows with this token: give each its own")
                        return
            except Problem as problem:
                if problem.status in (401, 403):
                    self._refuse(f"the service refuses the token: {problem}")
                    return
                log.warning("the account cannot be followed: %s", problem)
            except Exception:
                log.exception("a fault of the bot runner")
            time.sleep(pause_before(failures + 1))
            failures += 1

    def _refuse(self, why: str) -> None:
        with self._changed:
            self._refused = why
            self._changed.notify_all()

    def _hear(self, message: Message) -> None:
        if message.name == "snapshot":
            self._chores.add(ACCEPTS, self._say_what_is_accepted)
            # Include tables that do not ask the bot, since an AI may have taken over during its absence.
            rows = message.data["items"]
            for row in rows:
                if row["seat"] is not None and (row["my_turn"] or row["status"] != "finished"):
                    self._look_at(row["table"])
            self._keeper.start()
            self._results.look()
        elif message.name == "message":
            kind, data = message.data["type"], message.data["data"]
            # A turn that ended without an answer of the bot was missed, and an AI may have taken over.
            if kind == "turn" or (kind == "turn_over" and self._answered.get(data["table"]) != data["decision_id"]):
                self._look_at(data["table"])
            elif kind == "challenged":
                self._submit(lambda: self._answer_challenge(data["challenge"]))
            elif kind in ("game_kept", "table_closed"):
                self._note_round(data["table"], running=False)
                self._answered.pop(data["table"], None)
                self._go_on(kind, data["table"])

    def _go_on(self, kind: str, table: str) -> None:
        """Tell of a game that is over, and begin another one where the config wants that."""
        if kind == "table_closed":
            log.info("table %s: closed", table)
            self._keeper.look()
            return
        self._results.look()
        if self._ladder.is_board(table):
            self._ladder.look()
        elif self._keeper.is_kept(table):
            self._look_at(table)

    def _submit(self, task: Callable[[], None]) -> None:
        def guarded() -> None:
            try:
                task()
            except ServiceError as error:
                log.warning("%s", error)
            except Exception:
                log.exception("a fault of the bot runner")

        try:
            self._threads.submit(guarded)
        except RuntimeError:
            # The bot is stopping.
            return

    def _look_at(self, table: str) -> None:
        """Let a thread look at a table, now or after the current look."""
        with self._changed:
            if table in self._looking:
                self._looking[table] = True
                return
            self._looking[table] = False
        self._submit(lambda: self._look(Table(self._client, table)))

    def _look(self, table: Table) -> None:
        failures = 0
        again = True
        while again:
            try:
                self._attend(table)
                failures = 0
            except (Unreachable, Problem) as error:
                if isinstance(error, Problem) and error.status not in PASSING and error.status < 500:
                    if error.code not in OVER:
                        log.warning("table %s: %s", table.id, error)
                    self._note_round(table.id, running=False)
                else:
                    # The stream does not repeat a turn, so keep trying until the table was read.
                    failures += 1
                    time.sleep(pause_before(failures))
                    continue
            except Exception:
                log.exception("table %s: a fault of the bot runner", table.id)
            with self._changed:
                again = self._looking[table.id]
                self._looking[table.id] = False
                if not again:
                    del self._looking[table.id]
                    self._changed.notify_all()

    def _attend(self, table: Table) -> None:
        """Answer all decisions of a table that ask the bot now."""
        view, answered = table.view(), None
        while "my" in view:
            seat, decision = view["my"]["seat"], view["decision"]
            running = view["status"] == "playing" and view["phase"] not in (None, "scored")
            self._note_round(table.id, running=running)
            if view["closed"]:
                return
            pause = view.get("pause")
            waits = pause is not None and pause["reason"] == "absent"
            if (waits or view["seats"][seat]["autopilot"] is not None) and not self._draining:
                view = table.resume()["view"]
                log.info(
                    "table %s: back at the table, which %s", table.id, "waited" if waits else "an AI had taken over"
                )
                continue
            if decision is None or decision["kind"] == "ready":
                if not running and not self._draining and self._is_awaited(view, table.id):
                    self._be_ready(table)
                return
            if seat not in decision["seats"] or decision["id"] == answered:
                return
            answered = decision["id"]
            view = self._answer(table, view, decision)

    def _is_awaited(self, view: View, table: str) -> bool:
        """Return whether the table waits for the bot to be ready.

        After a game that is so at tables of the config, and if another person or bot is ready.
        """
        mine = view["seats"][view["my"]["seat"]]
        others = [seat["occupant"] for seat in view["seats"] if seat is not mine and seat["ready"]]
        wished = any(occupant is not None and occupant["kind"] != "ai" for occupant in others)
        again = view["status"] != "finished" or wished or self._keeper.is_kept(table)
        return not mine["ready"] and not view["pause"] and again

    def _be_ready(self, table: Table) -> None:
        try:
            table.ready()
        except Problem as problem:
            if problem.params.get("reason") != USED_UP:
                raise
            if self._keeper.is_kept(table.id):
                self._keeper.replace(table.id)

    def _note_round(self, table: str, *, running: bool) -> None:
        with self._changed:
            if running:
                self._rounds.add(table)
            else:
                self._rounds.discard(table)
            self._changed.notify_all()

    def _answer(self, table: Table, view: View, decision: OpenDecision) -> View:
        """Answer the open decision; return the view after that."""
        action = self._chosen(view, decision)
        try:
            return self._sent(table, decision["id"], action)
        except Problem as problem:
            if problem.status in PASSING or problem.status >= 500 or problem.code in OVER:
                raise
            log.warning("table %s: %s is refused: %s", table.id, action, problem)
        return self._sent(table, decision["id"], example(decision))

    def _sent(self, table: Table, decision_id: str, action: Action) -> View:
        try:
            view = table.act(decision_id, action)["view"]
        except Problem as problem:
            if problem.code not in MOVED_ON:
                raise
            return table.view()
        self._answered[table.id] = decision_id
        return view

    def _chosen(self, view: View, decision: OpenDecision) -> Action:
        try:
            action = self._choose(view)
            # An error here means that `choose` did not return an action.
            return {**action, "type": str(action["type"])}
        except Exception:
            log.exception("table %s: choose has failed; the example of the hints is played", view["id"])
            return example(decision)

    def _say_what_is_accepted(self) -> None:
        """Tell the service which challenges the bot accepts; none while draining."""
        wanted = {} if self._draining else self._config.accepts
        if wanted or self._client.request("GET", "/v1/me").get("accepts"):
            self._client.request("PATCH", "/v1/me", {"accepts": wanted or {"concurrent": 0}})

    def _answer_challenge(self, challenge: str) -> None:
        """Accept a challenge. The service passes on only those accepted by the config."""
        answer = {"accept": False, "reason": "busy"} if self._draining else {"accept": True}
        try:
            result = self._client.request("PUT", f"/v1/challenges/{challenge}/answer", answer)
        except Problem as problem:
            # The event came late or twice, and the challenge is over.
            if problem.code not in ("challenge-over", "not-found"):
                raise
            return
        if result["table"] is not None:
            log.info("table %s: challenged by %s", result["table"], result["by"])
            self._look_at(result["table"])
