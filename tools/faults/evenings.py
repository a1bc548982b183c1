"""An event held twice from the same entries, once while processes are killed: it comes to the same."""

import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from harness.processes import RunningService
from harness.waiting import wait_until
from tools.faults.sessions import Session
from tools.faults.swiss import CLOCK, DAY_MS, Bots, Fault, enter

#: Without declaring, whose order depends on who is faster: plays follow from the cards alone.
_GAME: Final = {"name": "Cup", "ruleset": "arms_length", "players": 4}
_SETUP: Final = {**_GAME, "ai_pace_ms": 0, "clock": CLOCK, "round_ms": DAY_MS}
_SCRIPT: Final = Path(__file__).parents[2] / "docs" / "check_standings.py"
#: Patience for a round on a busy machine (s).
_ROUND_S: Final = 1_500.0


def check_that_kills_change_nothing(
    folder: Path, setup: Mapping[str, Any], units: int, faults: Sequence[Fault]
) -> dict[str, float]:
    """Hold an event without faults and with them, and compare all results; return how long the rounds took (s).

    Args:
        folder: an empty folder.
        setup: `form`, `rounds` and `boards` of the event.
        units: number of teams or pairs.
        faults: done one after the other while its rounds are played.
    """
    calm, rough = folder / "calm", folder / "rough"
    with _service(calm) as service:
        director = Session(service, "Director")
        path = f"/team-events/{director.json('POST', '/team-events', {**_SETUP, **setup})['event']}"
        bots = enter(service, director, path, units)
    shutil.copytree(calm / "redis", rough / "redis", ignore=shutil.ignore_patterns("*.sock"))
    spent, results = {}, []
    for place, of_place in ((calm, []), (rough, faults)):
        with _service(place) as service:
            for session in (director, *bots):
                session.moves_to(service)
            began = time.monotonic()
            _hold(service, director, path, bots, of_place)
            spent[place.name] = time.monotonic() - began
            results.append(_results(director, path, bots))
    assert results[0] == results[1], "kills have changed what the event has come to"
    return spent


def _service(folder: Path) -> RunningService:
    folder.mkdir(parents=True, exist_ok=True)
    return RunningService(folder, servers=2, workers=2, clocks=2)


def _hold(
    service: RunningService, director: Session, path: str, bots: Sequence[Session], faults: Sequence[Fault]
) -> None:
    """Hold all rounds of an event, with as many of the faults while each is opened and played."""
    playing, rounds, left = Bots(bots), director.json("GET", path)["rounds"], list(faults)
    each = -(-len(left) // rounds)
    try:
        for number in range(1, rounds + 1):
            director.json("POST", f"{path}/rounds", {"round": number})
            for fault in left[:each]:
                time.sleep(0.5)
                fault(service, number)
            left = left[each:]
            wait_until(
                lambda: director.json("GET", path)["played"][-1]["status"] == "over",
                f"the end of round {number}",
                seconds=_ROUND_S,
                # Like a supervisor: a process that starts during an outage of Redis gives up after ten seconds.
                pause=lambda: (service.restart_crashed(), time.sleep(0.2)),
            )
    finally:
        playing.stop()
    assert playing.wrong == []


def _results(director: Session, path: str, bots: Sequence[Session]) -> dict[str, Any]:
    """Return matches and standings of an event that is over, checked by the script that ships with the docs."""
    results = director.json("GET", f"{path}/results")
    checked = subprocess.run(
        [sys.executable, str(_SCRIPT)], input=json.dumps(results), text=True, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    boards = [board for match in results["matches"] for board in match["boards"]]
    assert {board["counted"] for board in boards} == {"played"}, "no board is lost"
    games = Counter(room["game"] for board in boards for room in board["rooms"])
    assert max(games.values()) == 1
    for bot in bots:
        mine = [row["game"] for row in _past_games(bot)]
        assert len(mine) == len({*mine}), "a game is kept once"
        assert {*mine} <= {*games}, "no board is played at a second table"
    return {part: results[part] for part in ("matches", "standings")}


def _past_games(bot: Session) -> list[dict[str, Any]]:
    return list(bot.json("GET", "/me/games?limit=100")["items"])
