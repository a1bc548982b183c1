"""How cards were dealt: counted once when a game is over, and counted again from the records by a script."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from service.rules.chances import chances
from service.rules.composition import composition
from tests.api.contract import assert_problem
from tests.api.game.test_games import whole_game

SCRIPT = Path(__file__).parents[3] / "docs" / "check_deals.py"
ADDRESS = "/v1/rulesets/arms_length/deals/4"


def run(folder, world, *records, how=("--json",)):
    """Run the script with the standard library alone; return its exit status and output."""
    ruleset = world.anybody.get(f"/v1/rulesets/{records[0]['ruleset']}").json
    files = []
    for number, content in enumerate((ruleset, *records)):
        files.append(folder / f"{number}.json")
        files[-1].write_text(json.dumps(content))
    command = [sys.executable, "-I", "-S", SCRIPT, *files, *how]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def record_of(table):
    return table.host.get(f"/v1/games/{table.state()['game']['id']}/record").json


def test_each_round_of_a_finished_game_is_counted_once(world):
    nothing = world.anybody.get(ADDRESS).json
    assert (nothing["deals"], nothing["seats"][0]["hands"]) == (0, 0)
    table = whole_game(world)
    world.advance(table.id)
    world.tables.finished(table.state(), world.tables.log(table.id))
    told = world.anybody.get(ADDRESS).json
    assert told["deals"] == 4
    assert [each["hands"] for each in told["seats"]] == [4] * 4
    assert {each["kind"]: each["hands"] for each in told["kinds"]} == {"human": 0, "bot": 16, "ai": 0}
    assert told["chance"] == chances(composition("arms_length", 4, {}))
    for measure in ("pairs", "jokers", "longest"):
        assert sum(told["kinds"][1][measure]) == 16
        assert len(told["kinds"][1][measure]) == len(told["chance"][measure])


@pytest.mark.parametrize(("ruleset", "players"), [("arms_length", 4), ("sishifen", 4)])
def test_the_script_counts_the_same_from_the_records(world, tmp_path, ruleset, players):
    tables = [world.table(ruleset=ruleset, players=players) for _ in range(2)]
    for table in tables:
        while table.state()["status"] == "playing" and len(table.state()["game"]["results"]) < 5:
            table.move()
        if table.state()["status"] == "playing":
            table.host.post(f"/v1/tables/{table.id}/votes", {"kind": "end_early"})
            vote = table.state()["vote"]["id"]
            for client in table.clients[1:]:
                client.put(f"/v1/tables/{table.id}/votes/{vote}", {"approve": True})
        world.advance(table.id)
    records = [record_of(table) for table in tables]
    status, output = run(tmp_path, world, *records)
    assert status == 0, output
    told = world.stores.deals.counts(ruleset, players)
    assert json.loads(output) == {str(players): told}
    assert sum(told[name] for name in told if name.startswith("0:jokers:")) == sum(
        len(each["rounds"]) for each in records
    )
    status, output = run(tmp_path, world, *records, how=())
    assert status == 0, output
    chance = world.anybody.get(f"/v1/rulesets/{ruleset}/deals/{players}").json["chance"]
    expected = sum(value * each for value, each in enumerate(chance["longest"]))
    assert f"by chance {expected:6.3f}" in output


def test_the_script_catches_a_doctored_record(world, tmp_path):
    record = record_of(whole_game(world))

    def doctored(change):
        other = copy.deepcopy(record)
        change(other["rounds"][1])
        return run(tmp_path, world, other)

    def swap(played):
        first, second = [action for action in played["actions"] if action["type"] == "play"][:2]
        first["cards"], second["cards"] = second["cards"], first["cards"]

    status, output = doctored(lambda played: played["shuffle"].update(server_seed="00" * 32))
    assert (status, "round 2: the seed does not match the commitment" in output) == (1, True)
    for change in (
        swap,
        lambda played: played["shuffle"].update(entropy={"0": "00ff"}),
        lambda played: played.update(starter=(played["starter"] + 1) % 4),
    ):
        status, output = doctored(change)
        assert (status, "was not dealt there" in output) == (1, True), output
    assert doctored(lambda played: None)[0] == 0


def test_what_was_not_left_to_chance_is_not_counted(world, tmp_path):
    practice = whole_game(world, seed="monday, the cards of")
    assert run(tmp_path, world, record_of(practice)) == (0, '{"4": {}}\n')
    assert world.anybody.get(ADDRESS).json["deals"] == 0


def test_tables_with_other_cards_are_not_counted(world):
    table = world.table(options={"deal_pace": "instant", "kitty_size": 4}, ruleset="shengji")
    while not table.state()["game"]["results"]:
        table.move()
    world.services.deals.keep(table.state(), world.tables.log(table.id))
    assert world.anybody.get("/v1/rulesets/shengji/deals/4").json["deals"] == 0


def test_a_game_or_a_number_of_players_that_is_not_played_is_refused(anybody):
    assert_problem(anybody.get("/v1/rulesets/bridge/deals/4"), "not-found")
    for players in ("5", "99", "x"):
        assert_problem(anybody.get(f"/v1/rulesets/shengji/deals/{players}"), "not-found")
