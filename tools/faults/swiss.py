"""A Swiss of teams, played by bots over HTTP and AI players, while processes are killed."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from demo.answers import answer_to
from harness.processes import RunningService
from harness.waiting import wait_until
from tools import recount
from tools.faults.sessions import Session

CLOCK = {f"{kind}_ms": 3_600_000 for kind in ("play", "declare", "defence", "discard", "call", "ready")}
DAY_MS = 86_400_000
#: Refusals because somebody else was faster, for instance an earlier attempt whose response was lost.
LATE = {"stale-decision", "not-your-turn", "wrong-phase", "not-your-seat"}
Fault = Callable[[RunningService, int], None]


class Bots:
    """Bots that answer decisions on their lists of tables, several per thread."""

    def __init__(self, bots: Sequence[Session], threads: int = 8) -> None:
        self._stopped = threading.Event()
        self.wrong: list[str] = []
        self._threads = [
            threading.Thread(target=self._run, args=(bots[first::threads],), daemon=True) for first in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def _run(self, bots: Sequence[Session]) -> None:
        while not self._stopped.is_set():
            acted = [self._act(bot, row["table"]) for bot in bots for row in self._turns(bot)]
            if not acted:
                time.sleep(0.3)

    def _turns(self, bot: Session) -> list[dict[str, Any]]:
        return list(bot.json("GET", "/me/tables?turn=mine")["items"])

    def _act(self, bot: Session, table: str) -> None:
        view = bot.json("GET", f"/tables/{table}")
        while (decision := view["decision"]) is not None and "hints" in decision:
            action, body = answer_to(view)
            answer = bot.send("POST", f"/tables/{table}/{action}", {**body, "decision_id": decision["id"]})
            if answer.status_code != 200:
                if answer.json().get("code") not in LATE:
                    self.wrong.append(f"{bot.player} {action} at {table}: {answer.text}")
                return
            view = answer.json()["view"]

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join(60)


def enter(service: RunningService, director: Session, path: str, units: int) -> list[Session]:
    """Enter a number of teams or pairs, each with a bot and an AI player at each of its tables; return the bots."""
    bots = []
    tables = director.json("GET", path)["size"] // 2
    for number in range(units):
        those = [Session(service, f"Bot {number}{room}") for room in "ab"[:tables]]
        members = [member for bot in those for member in ({"player": bot.player}, {"level": "easy"})]
        entry = {"name": f"Team {number}", "members": members} if tables > 1 else {"members": members}
        team_event = director.json("POST", f"{path}/teams", {"teams": [entry]})
        team = team_event["entries"][-1]["team"]
        for bot in those:
            bot.json("PUT", f"{path}/teams/{team}/confirmation")
        bots += those
    return bots


def check_that_a_swiss_is_counted_right(
    service: RunningService, teams: int, rounds: int, boards: int, faults: Sequence[Fault], timeout_s: float = 1_500
) -> None:
    """Let a number of teams meet during faults, and compare the standings with the records."""
    director = Session(service, "Director")
    setup = {"name": "Cup", "ruleset": "sishifen", "players": 4, "rounds": rounds, "boards": boards}
    more = {"ai_pace_ms": 0, "clock": CLOCK, "round_ms": DAY_MS}
    path = f"/team-events/{director.json('POST', '/team-events', {**setup, **more})['event']}"
    sessions = enter(service, director, path, teams)
    bots, left = Bots(sessions), list(faults)
    each = max(1, len(left) // rounds)
    try:
        for number in range(1, rounds + 1):
            director.json("POST", f"{path}/rounds", {"round": number})
            for fault in [left.pop(0) for _ in range(min(each, len(left)))]:
                time.sleep(0.5)
                fault(service, number)
            # Restart processes like a supervisor, since one that starts during an outage of Redis gives up after ten
            # seconds.
            wait_until(
                lambda: director.json("GET", path)["played"][-1]["status"] == "over",
                f"the end of round {number}",
                seconds=timeout_s,
                pause=lambda: (service.restart_crashed(), time.sleep(0.2)),
            )
    finally:
        bots.stop()
    assert bots.wrong == []
    _check_results(director, path, sessions, rounds, boards)


def _check_results(director: Session, path: str, bots: Sequence[Session], rounds: int, boards: int) -> None:
    """Compare results and standings of an event that is over with its records, which are checked too."""
    results, event = director.json("GET", f"{path}/results"), director.json("GET", path)
    played = [board for match in results["matches"] for board in match["boards"]]
    assert len(played) == rounds * boards * len(event["entries"]) // 2
    assert Counter(board["counted"] for board in played) == {"played": len(played)}, "no board is lost"
    games = [room["game"] for board in played for room in board["rooms"]]
    assert len(set(games)) == len(games) == 2 * len(played)
    records = [director.json("GET", f"/games/{game}/record") for game in games]
    for bot in bots:
        mine = [record for record in records if bot.player in str(record["seats"])]
        names = [record["rounds"][0]["shuffle"]["shuffle_name"] for record in mine]
        assert len(names) == len(set(names)) == rounds * boards, "everybody plays each board once"
    whose = {member["player"]: team["team"] for team in event["entries"] for member in team["members"]}
    counted = recount.standings(records, whose, boards)
    rows = director.json("GET", f"{path}/standings")["items"]
    assert {row["team"]: (row["victory_points"], row["steps"]) for row in rows} == counted
    assert all(director.json("POST", "/record-checks", record)["ok"] for record in records[:: 1 + len(records) // 20])
