"""A bot at many tables: the account's stream announces its turns, and threads answer."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from shengji_client.bot.choosers import Choose
from shengji_client.bot.config import Config
from shengji_client.client import Client, pause_before
from shengji_client.examples import Action, example
from shengji_client.models import OpenDecision, View
from shengji_client.problems import PASSING, Problem, ServiceError, Unreachable
from shengji_client.streams import Message, follow
from shengji_client.table import Table

#: Codes of problems after which to look at the table again.
MOVED_ON: Final = frozenset({"stale-decision", "not-your-turn", "wrong-phase"})
#: Codes of problems after which the bot gives up the table.
OVER: Final = frozenset({"not-found", "not-your-seat", "private-table", "no-spectators"})

#: Interval of checking the ladder, s.
LADDER_S: Final = 600.0

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
        #: Boards of the ladder that were begun: event and number.
        self._begun: set[tuple[str, int]] = set()
        self._refused: str | None = None
        self._draining = False
        self._tidying = threading.Lock()

    def run(self) -> int:
        """Play; return the exit status: 0 after draining, 1 if the service refuses the bot."""
        threading.Thread(target=self._follow, daemon=True).start()
        if self._config.ladder:
            threading.Thread(target=self._climb, daemon=True).start()
        with self._changed:
            self._changed.wait_for(lambda: self._draining or self._refused)
            if self._draining and not self._refused:
                log.info("draining: %d rounds are running", len(self._rounds))
                self._submit(self._say_what_is_accepted)
                self._changed.wait_for(self._at_rest, self._config.drain_s)
                log.info("stopped; %d rounds are left running", len(self._rounds))
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._refused:
            log.error("%s", self._refused)
        return 1 if self._refused else 0

    def drain(self) -> None:
        """Begin no more rounds, and stop after the running ones. May be called by a signal handler."""
        # Without the lock, which the interrupted thread may hold.
        self._draining = True
        threading.Thread(target=self._notify, daemon=True).start()

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _at_rest(self) -> bool:
        return bool(self._refused) or (not self._rounds and not self._looking)

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

    def _climb(self) -> None:
        """Check the ladder of bots regularly, as long as the bot runs."""
        while not (self._refused or self._draining):
            self._submit(self._play_ladder)
            time.sleep(LADDER_S)

    def _play_ladder(self) -> None:
        """Enter the open events and begin their boards. The account's stream announces turns at their tables."""
        for event in self._client.request("GET", "/v1/events?for=bots")["items"]:
            if event["status"] != "open":
                continue
            name = event["event"]
            boards = self._client.request("POST", f"/v1/events/{name}/entries")["items"]
            for number in (board["number"] for board in boards if board["result"] is None):
                # Beginning is idempotent: another run of the bot gets the same table.
                if (name, number) not in self._begun and not self._draining:
                    self._begin(name, number)

    def _begin(self, event: str, number: int) -> None:
        """Begin a board."""
        try:
            table = self._client.request("POST", f"/v1/events/{event}/boards/{number}/table")["table"]
            log.info("table %s: board %d of %s", table, number, event)
            self._look_at(table)
        except Problem as problem:
            # The board has just been played.
            if problem.code != "board-played":
                raise
        self._begun.add((event, number))

    def _refuse(self, why: str) -> None:
        with self._changed:
            self._refused = why
            self._changed.notify_all()

    def _hear(self, message: Message) -> None:
        if message.name == "snapshot":
            self._submit(self._say_what_is_accepted)
            # Include tables that do not ask the bot, since an AI may have taken over during its absence.
            rows = message.data["items"]
            for row in rows:
                if row["seat"] is not None and (row["my_turn"] or row["status"] != "finished"):
                    self._look_at(row["table"])
            self._submit(self._tidy)
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
                self._submit(lambda: self._leave_finished(data["table"]))

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
            if view["seats"][seat]["autopilot"] is not None and not self._draining:
                view = table.resume()["view"]
                log.info("table %s: back from the AI that had taken over", table.id)
                continue
            if decision is None or decision["kind"] == "ready":
                if not running and not self._draining and self._is_awaited(view):
                    table.ready()
                return
            if seat not in decision["seats"] or decision["id"] == answered:
                return
            answered = decision["id"]
            view = self._answer(table, view, decision)

    @staticmethod
    def _is_awaited(view: View) -> bool:
        """Return whether the table waits for the bot to be ready; after a game, only if a person or bot is ready."""
        mine = view["seats"][view["my"]["seat"]]
        others = [seat["occupant"] for seat in view["seats"] if seat is not mine and seat["ready"]]
        wished = any(occupant is not None and occupant["kind"] != "ai" for occupant in others)
        return not mine["ready"] and not view["pause"] and (view["status"] != "finished" or wished)

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

    def _tidy(self) -> None:
        """Sit down at the tables of the config, and open missing ones."""
        with self._tidying:
            for code in self._config.join:
                if not self._draining:
                    self._join(code)
            rows = self._client.request("GET", "/v1/me/tables")["items"]
            running = [row["ruleset"] for row in rows if row["status"] != "finished" and row["seat"] is not None]
            for spec in self._config.tables:
                if spec["ruleset"] in running:
                    running.remove(spec["ruleset"])
                elif not self._draining:
                    self._open(spec)

    def _say_what_is_accepted(self) -> None:
        """Tell the service which challenges the bot accepts; none while draining."""
        wanted = {} if self._draining else self._config.accepts
        if wanted or self._client.request("GET", "/v1/me").get("accepts"):
            self._client.request("PATCH", "/v1/me", {"accepts": wanted or {"concurrent": 0}})

    def _answer_challenge(self, challenge: str) -> None:
        """Accept a challenge. The service passes on only those accepted by the config."""
        answer = {"accept": False, "reason": "busy"} if self._draining else {"accept": True}
        try:
            told = self._client.request("PUT", f"/v1/challenges/{challenge}/answer", answer)
        except Problem as problem:
            # The event came late or twice, and the challenge is over.
            if problem.code not in ("challenge-over", "not-found"):
                raise
            return
        if told["table"] is not None:
            log.info("table %s: challenged by %s", told["table"], told["by"])
            self._look_at(told["table"])

    def _join(self, code: str) -> None:
        table = Table.by_code(self._client, code)
        try:
            table.sit(join_code=code)
        except Problem as problem:
            if problem.code != "already-seated":
                log.warning("join code %s: %s", code, problem)
                return
        self._look_at(table.id)

    def _open(self, spec: dict[str, Any]) -> None:
        table = Table.create(self._client, spec)
        table.sit(0)
        for seat in range(1, spec["players"]):
            table.seat_ai(seat)
        log.info("table %s: %s for %d players", table.id, spec["ruleset"], spec["players"])
        self._look_at(table.id)

    def _leave_finished(self, id_: str) -> None:
        """Close the bot's own table after its game, and open another one."""
        table = Table(self._client, id_)
        try:
            view = table.view()
            if view["status"] == "finished" and not view["closed"] and self._is_alone(view):
                table.close()
        except Problem as problem:
            # Tables of boards cannot be closed.
            if problem.code not in OVER | {"not-host"}:
                raise
        self._tidy()

    @staticmethod
    def _is_alone(view: View) -> bool:
        """Return whether the bot is the host and all other seats have AI players."""
        occupants = [seat["occupant"] for seat in view["seats"]]
        players = [occupant["player"] for occupant in occupants if occupant and occupant["kind"] != "ai"]
        return "my" in view and players == [view["host"]]
