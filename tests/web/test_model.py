"""The client's model: a view and the events after it give the service's own view, at every step of every ruleset."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.client import CLIENT
from harness.driver import Driver
from service.common.interruptions import Interruptions
from service.game.commands.decide import catch_up
from service.game.state.take_backs import may_take_back
from service.game.views.types import OPEN
from service.rules.options.rulesets import RULESETS
from tests.game.test_claims import certain
from tests.support.sorting import is_day
from tests.web.logs import recorded
from tools.clients.toolchain import ROOT, Tools

MODEL = CLIENT / "app" / "table" / "model.js"
PROGRAM = ROOT / "tests" / "web" / "programs" / "model_check.mjs"
#: Rounds to play: of the shortest game, more than a view shows results of; of the others, one.
ROUNDS = {"sishifen": 5}
#: Options that bring about what the defaults of the rulesets do not.
HOUSE_RULES: list[tuple[str, int, dict[str, Any]]] = [
    ("shengji", 4, {"deal_pace": "timed"}),
    ("zhaopengyou", 6, {"deal_pace": "timed"}),
    ("shengji", 4, {"chao_di": True, "red_fives": True, "kitty_shown": True}),
    ("shengji", 4, {"chao_di": True, "chao_di_rule": "overcall", "kitty_reveal": True}),
    ("tractor", 4, {"misdeal": {"no_points": True, "points_below": 60}, "no_declaration": "redeal"}),
    ("finding_friends", 8, {"throw_failure": "penalty_levels", "call_other_copy": False}),
    ("zhaopengyou", 16, {}),
]


def games() -> Iterator[tuple[str, int, dict[str, Any]]]:
    for ruleset, rules in RULESETS.items():
        yield ruleset, rules.players[0], {}
    yield from HOUSE_RULES


def test_views_and_events_give_the_services_own_views(tools: Tools, tmp_path) -> None:
    logs = []
    for number, (ruleset, players, options) in enumerate(games()):
        # By day one viewer for each game, by night all.
        for viewer in ((0, None, players - 1, OPEN)[number % 4],) if is_day() else (0, players - 1, None, OPEN):
            driver = Driver(ruleset, players, options, seed=number)
            driver.throws = 0.3
            name = f"{ruleset} {players} {options} seen by {viewer}"
            logs.append({"name": name, **recorded(driver, viewer, ROUNDS.get(ruleset, 1))})
    assert checked(tools, tmp_path, logs) > 1_500


def test_plays_that_are_taken_back_are_taken_back_in_the_model(tools: Tools, tmp_path) -> None:
    driver = Driver("shengji", 4, seed=4, take_back=True)
    chance = random.Random(4)
    log = {"name": "take-backs", **recorded(driver, 1, 0)}
    while len(log["steps"]) < 300:
        driver.step()
        able = [seat for seat in range(4) if may_take_back(driver.state["round"], seat)]
        if able and chance.random() < 0.3:
            asking = chance.choice(able)
            driver.do(asking, type="take_back")
            for seat in {0, 1, 2, 3} - {asking}:
                driver.do(seat, type="answer_take_back", accept=True)
    assert any(event["type"] == "trick_reopened" for event in driver.log)
    assert checked(tools, tmp_path, [log]) >= 300


def test_what_changes_between_rounds_changes_in_the_model(tools: Tools, tmp_path) -> None:
    driver = Driver("sishifen", 4, seed=1)
    log = {"name": "seats", **recorded(driver, 0, 1)}
    driver.do(1, type="leave")
    driver.do(7, type="sit", kind="human", name="Mei", seat=1)
    driver.do(0, type="settings", changes={"clock": {"play_ms": 9_000}}, version=driver.state["version"])
    driver.do(2, type="leave")
    driver.do(0, type="kick", seat=2)
    driver.do(0, type="seat_ai", seat=2, level="easy")
    driver.do(7, type="open_vote", kind="end_early")
    for player in (0, 3):
        driver.do(player, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    driver.do(0, type="settings", changes={"start_levels": ["5", "T"]}, version=driver.state["version"])
    for player in (0, 7, 3):
        driver.do(player, type="ready")
    seats = log["steps"][-1]["view"]["seats"]
    assert [seat["level"] for seat in seats] == ["5", "T", "5", "T"]
    assert any("since" in seat for step in log["steps"] for seat in step["view"]["seats"])
    checked(tools, tmp_path, [log])


def test_the_watch_code_comes_and_goes_with_the_settings(tools: Tools, tmp_path) -> None:
    driver = Driver("shengji", 4, seed=1, start=False)
    driver.do(0, type="sit", kind="human", name="A", seat=0)
    log = {"name": "settings", **recorded(driver, 0, 0)}
    for changes in ({"visibility": "private", "spectators": "delayed"}, {"chat": False}, {"spectators": "off"}):
        driver.do(0, type="settings", changes=changes, version=driver.state["version"])
    driver.do(0, type="close")
    assert ["watch_code" in step["view"] for step in log["steps"]] == [True, True, False, False]
    assert checked(tools, tmp_path, [log]) == 4


def test_a_pause_ends_the_decision_and_brings_another(tools: Tools, tmp_path) -> None:
    driver = Driver("shengji", 4, seed=1, ai=(1, 2, 3), pause_limit_ms=60_000)
    log = {"name": "pause", **recorded(driver, 0, 0)}
    driver.do(0, type="open_vote", kind="pause")
    assert log["steps"][0]["view"]["pause"]["remaining_ms"] == 60_000
    since, driver.now = driver.now, driver.now + 70_000
    gone = Interruptions(driver.now, ((since, driver.now),))
    driver._take(catch_up(driver.state, driver.now, driver.random.randbytes, gone))
    assert log["steps"][1]["view"]["pause"]["remaining_ms"] == 60_000
    driver.wait(60_000)
    assert checked(tools, tmp_path, [log]) == 3


def test_claims_end_the_decision_if_they_are_right(tools: Tools, tmp_path) -> None:
    driver = Driver("sishifen", 4, seed=2, claims=True)
    driver.play_until(lambda state: state["decision"]["kind"] == "play")
    log = {"name": "claims", **recorded(driver, 0, 0)}
    driver.do(driver.active_seat, type="claim")
    assert log["steps"][0]["view"]["decision"]
    driver.play_until(lambda state: certain(state) or state["round"]["result"])
    driver.do(driver.active_seat, type="claim")
    assert [event["type"] for event in log["steps"][-1]["events"][:2]] == ["claimed", "played"]
    assert checked(tools, tmp_path, [log]) == len(log["steps"])


def checked(tools: Tools, folder: Path, logs: list[dict[str, Any]]) -> int:
    """Compare the client's model with the views of these logs; return how many were compared."""
    path = folder / "logs.json"
    path.write_text(json.dumps(logs))
    return int(tools.run(tools.node, PROGRAM, MODEL, path))
