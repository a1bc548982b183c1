"""The client's check of a shuffle: it accepts what the service dealt, and catches a doctored record."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.client import CLIENT
from harness.driver import Driver
from service.game.records import record as records
from service.game.state.rules import composition_of, options_of
from service.rules.options.rulesets import RULESETS, cards_as_json
from tools.clients.toolchain import ROOT, Tools

FOLDER = CLIENT / "app" / "table"
PROGRAM = ROOT / "tests" / "web" / "programs" / "shuffle_check.mjs"
#: Options with which other cards are dealt, or the cards are dealt again.
HOUSE_RULES: list[tuple[str, int, dict[str, Any]]] = [
    ("tractor", 4, {"special_decks": [{"from": "7"}, {"from": "2", "little_joker": False}]}),
    ("shengji", 4, {"kitty_size": 6}),
    ("shengji", 4, {"chao_di": True, "chao_di_rule": "overcall", "kitty_reveal": True}),
    ("zhaopengyou", 12, {}),
]

#: A finished round, its game, and the views that the page has seen of it.
Checked = dict[str, Any]


def played(ruleset: str, players: int, options: dict[str, Any], redeals: int = 0) -> Checked:
    """Play a round; return it as the page knows it."""
    driver = Driver(ruleset, players, options, seed=6, start=False)
    for seat in range(players):
        driver.do(seat, type="sit", kind="bot", name="X", seat=seat)
    driver.do(2, type="entropy", entropy="00ff")
    if players > 10:
        driver.do(10, type="entropy", entropy="aa")
    before = {"game": None, "round": None, "next_commitment": driver.state["next_commitment"]}
    for seat in range(players):
        driver.do(seat, type="ready")
    for _ in range(redeals):
        driver.do(driver.active_seat, type="redeal")
    driver.throws = 0.3
    for _ in driver.rounds(1):
        pass
    log = records.game_log(driver.log, driver.state["game"]["id"])
    game = {
        "id": driver.state["game"]["id"],
        "players": players,
        "options": dict(options_of(driver.state)),
        "cards": cards_as_json(composition_of(driver.state), RULESETS[ruleset].teams),
    }
    return {"record": records.record(log, driver.now)["rounds"][0], "game": game, "views": [before]}


def checked(tools: Tools, folder: Path, rounds: list[Checked]) -> list[dict[str, Any]]:
    path = folder / "rounds.json"
    path.write_text(json.dumps(rounds))
    answer: list[dict[str, Any]] = json.loads(tools.run(tools.node, PROGRAM, FOLDER, path))
    return answer


def test_rounds_of_every_game_are_right(tools: Tools, tmp_path: Path) -> None:
    games = [(ruleset, rules.players[0], {}) for ruleset, rules in RULESETS.items()]
    rounds = [played(*game) for game in games + HOUSE_RULES]
    cards = [each["game"]["cards"]["total"] for each in rounds]
    assert checked(tools, tmp_path, rounds) == [{"code": "right", "seen": True, "count": total} for total in cards]


@pytest.mark.parametrize("starter", ["same", "caller"])
def test_the_last_deal_counts_if_the_cards_were_dealt_again(tools: Tools, tmp_path: Path, starter: str) -> None:
    game = played("zhaopengyou", 5, {"misdeal": {"points_below": 200}, "misdeal_starter": starter}, redeals=2)
    assert game["record"]["shuffle"]["attempts"] >= 3
    assert checked(tools, tmp_path, [game])[0]["code"] == "right"


def doctored(game: Checked, change: Callable[[dict[str, Any]], object]) -> Checked:
    other = copy.deepcopy(game)
    change(other["record"])
    return other


def swap(record: dict[str, Any]) -> None:
    """Let two players have played each other's cards."""
    first, second = [action for action in record["actions"] if action["type"] == "play"][:2]
    first["cards"], second["cards"] = second["cards"], first["cards"]


def seen(game: Checked, seal: str) -> Checked:
    """The game, of which the page has only seen the seal announced with the deal."""
    name = "gm_" + seal[-4:]
    view = {"game": {"id": name}, "round": {"number": 1, "commitment": seal}, "next_commitment": None}
    return {**game, "views": [view], "game": {**game["game"], "id": name}}


def test_a_doctored_record_is_caught(tools: Tools, tmp_path: Path) -> None:
    game = played("shengji", 4, {})
    outcomes = checked(
        tools,
        tmp_path,
        [
            {**game, "views": []},
            seen(game, game["record"]["shuffle"]["commitment"]),
            doctored(game, lambda record: record["shuffle"].update(server_seed="00" * 32)),
            seen(game, "sha256:" + "00" * 32),
            doctored(game, swap),
            doctored(game, lambda record: record["shuffle"].update(entropy={"2": "00fe"})),
            doctored(game, lambda record: record.update(round=2)),
            doctored(game, lambda record: record.update(starter=(record["starter"] + 1) % 4)),
            doctored(game, lambda record: record["shuffle"].update(server_seed="")),
            doctored(game, lambda record: record.update(deals=[{"hands": [], "kitty": []}])),
            game,
        ],
    )
    codes = ["right", "right", "seed", "seal", "card", "card", "card", "card", "sealed", "by_hand", "right"]
    assert [each["code"] for each in outcomes] == codes
    assert [each["seen"] for each in outcomes if each["code"] == "right"] == [False, False, True]
    swapped = [action["seat"] for action in game["record"]["actions"] if action["type"] == "play"][:2]
    assert outcomes[4]["seat"] in swapped
