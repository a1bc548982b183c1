"""Games of the last release: their logs, snapshots in every phase, records, shuffles and scores hold today."""

import copy
import json
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from harness.driver import Driver
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.records.importing import imported
from service.game.records.text import read
from service.rules.options.rulesets import RULESETS
from tests.game.mix import Mix
from tests.game.test_records_travel import states
from tests.support.releases import last_release_or_skip

NOW = 1_800_000_000_000
#: Random tables of the quick run and of the one by night (from, before), and how many rounds are played at each.
QUICK, NIGHTLY = (0, 10, 1), (10, 22, 2)
#: What the last release does: it plays at random tables, with what people do besides, and prints log, record, and a
#: snapshot of each situation when it first comes up at the table.
EARLIER = """
import json, random, sys
from harness.driver import Driver
from harness.options import SIZES, levels_worth, some_options
from service.common.errors import InvalidOption
from service.game.records import record, text
from service.rules.options.rulesets import effective_options
from tests.game.mix import Mix

for seed in range(int(sys.argv[1]), int(sys.argv[2])):
    chance = random.Random(seed)
    # Each ruleset in turn.
    ruleset = sorted({name for name, _ in SIZES})[seed % len({name for name, _ in SIZES})]
    players = chance.choice([each for name, each in SIZES if name == ruleset and each <= 8])
    options = some_options(ruleset, players, chance.choice([0, 3, 8]), chance)
    if ruleset != "arms_length":
        options = levels_worth(ruleset, players, options, chance) | {"deal_pace": chance.choice(["instant", "timed"])}
        options.pop("decks", None)
    if ruleset.startswith("shengji"):
        options |= {"defence": "immediate", "chao_di": True}
    try:
        effective_options(ruleset, players, options)
    except InvalidOption:
        options = {}
    driver, shots = Driver(ruleset, players, options, seed=seed, start=False, pause_limit_ms=600_000), {}

    def look(table):
        state = table.state
        phase = state["round"]["phase"] if state.get("round") else None
        kind = state["decision"]["kind"] if state.get("decision") else None
        name = " ".join(map(str, (state["status"], phase, kind, "paused" if state.get("pause") else "")))
        shots.setdefault(name, {"log": len(table.log), "now": table.now, "state": json.dumps(state)})

    driver.on_step, driver.throws = look, 0.2
    for seat in range(players):
        driver.do(seat, type="sit", kind="bot", name=f"Bot {seat}", seat=seat)
    for seat in range(players):
        driver.do(seat, type="ready")
    # A pause needs the vote of everybody, which hardly comes about by itself.
    driver.do(0, type="open_vote", kind="pause")
    for seat in range(1, players):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    mix, steps = Mix(driver, seed), 0
    while driver.state["game"]["round"] <= int(sys.argv[3]) and driver.state["status"] == "playing" and steps < 1500:
        mix.step(0.15)
        steps += 1
    game = record.game_log(driver.log, driver.state["game"]["id"])
    kept = record.record(game, driver.now)
    print(json.dumps({
        "ruleset": ruleset, "players": players, "log": driver.log, "now": driver.now, "record": kept,
        "text": text.written(kept, record.deals_of(game)), "shots": shots,
    }))
"""

Game = dict[str, Any]


@pytest.fixture(scope="module")
def games(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Game]:
    """The games that the last release has played."""
    folder = tmp_path_factory.mktemp("earlier")
    rooms = ("service", "harness", "tests/game", "tests/__init__.py", "tests/sorting.py")
    source = last_release_or_skip(folder, *rooms).folder
    command = [sys.executable, "-c", EARLIER, *map(str, request.param)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in done.stdout.splitlines()]
    assert {game["ruleset"] for game in played} == set(RULESETS)
    assert sum(len(game["record"]["rounds"]) for game in played) >= len(played)
    return played


RUNS = [pytest.param(QUICK, id="quick"), pytest.param(NIGHTLY, id="nightly", marks=pytest.mark.nightly)]
of_both = pytest.mark.parametrize("games", RUNS, indirect=True)


def lacking(earlier: Any, today: Any, path: str = "") -> list[str]:
    """Return where a value of today lacks or changes something that the earlier one has."""
    if isinstance(earlier, dict) and isinstance(today, dict):
        return [
            line
            for name, value in earlier.items()
            for line in (lacking(value, today[name], f"{path}.{name}") if name in today else [f"{path}.{name} is gone"])
        ]
    if isinstance(earlier, list) and isinstance(today, list) and len(earlier) == len(today):
        pairs = zip(earlier, today, strict=True)
        return [line for at, (one, other) in enumerate(pairs) for line in lacking(one, other, f"{path}[{at}]")]
    return [] if earlier == today else [f"{path} was {earlier!r}, is {today!r}"]


@of_both
def test_their_records_are_replayed_to_the_same_deals_and_scores(games: list[Game]) -> None:
    for game in games:
        verdict = replay.check(game["record"])
        assert verdict["ok"], verdict
        assert [each["ok"] for each in verdict["rounds"]] == [True] * len(game["record"]["rounds"])
    wrong = copy.deepcopy(next(game["record"] for game in games if game["ruleset"] == "shengji"))
    wrong["rounds"][0]["result"]["points"] += 5
    assert not replay.check(wrong)["ok"]


@of_both
def test_their_logs_give_the_same_records(games: list[Game]) -> None:
    for game in games:
        [name] = [event["data"]["game"] for event in game["log"] if event["type"] == "game_started"]
        today = record.record(record.game_log(game["log"], name), game["now"])
        assert lacking(game["record"], json.loads(json.dumps(today))) == []


@of_both
def test_their_texts_are_read_and_imported_as_their_records(games: list[Game]) -> None:
    for game in games:
        of_json = imported(game["record"], "p0", "tb_elsewhere", NOW)
        of_text = imported(read(game["text"]).record, "p0", "tb_elsewhere", NOW)
        assert [*states(of_text)] == [*states(of_json)]
        assert [*states(of_json)]


@of_both
def test_a_table_in_any_phase_folds_to_its_snapshot_and_is_played_on(games: list[Game]) -> None:
    met: Counter[str] = Counter()
    for game in games:
        for situation, shot in game["shots"].items():
            state = json.loads(shot["state"])
            folded = json.loads(json.dumps(fold(game["log"][: shot["log"]])))
            assert lacking(state, folded) == [], situation
            met[situation] += 1
            play_on(game, state, shot)
    kinds = {situation.split(" ")[2] for situation in met}
    assert kinds >= {"None", "declare", "discard", "call", "road", "play", "ready"}
    assert any(situation.startswith("lobby") for situation in met)
    assert any(situation.endswith("paused") for situation in met)
    if len(games) > QUICK[1]:
        assert kinds >= {"defend", "overcall-kitty"}


def play_on(game: Game, state: Any, shot: Any) -> None:
    """Play on from a snapshot of the last release until a round is scored; log, state and record must agree."""
    driver = Driver(game["ruleset"], game["players"], start=False, seed=shot["log"])
    driver.log, driver.state, driver.now = game["log"][: shot["log"]], state, shot["now"]
    if state["status"] != "playing":
        return
    mix, began = Mix(driver, shot["log"]), len(driver.log)

    def is_over() -> bool:
        scored = any(event["type"] == "round_scored" for event in driver.log[began:])
        return scored or driver.state["status"] != "playing"

    for _ in range(2_000):
        if is_over():
            break
        mix.step(0.02)
    assert is_over(), game["ruleset"]
    assert lacking(json.loads(json.dumps(driver.state)), json.loads(json.dumps(fold(driver.log)))) == []
    kept = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(kept)["ok"]
