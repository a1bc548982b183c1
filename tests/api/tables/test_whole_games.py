"""Whole games of one person and AI seats over HTTP: every ruleset, and nightly every number of players."""

import pytest

from service.rules.options.rulesets import RULESETS, defaults
from tests.api.play import Table
from tests.support.sorting import by_day

SIZES = by_day(
    {(ruleset.id, ruleset.players[0]) for ruleset in RULESETS.values()},
    [(ruleset.id, players) for ruleset in RULESETS.values() for players in ruleset.players],
)


@pytest.mark.parametrize(("ruleset", "players"), SIZES)
def test_a_game_is_played_to_its_end(world, ruleset, players):
    # It starts at the last level, so that it takes few rounds.
    options = {"deal_pace": "instant", "start_level": "A"} if "start_level" in defaults(RULESETS[ruleset]) else {}
    lin = world.player("Lin", "human")
    spec = {"ruleset": ruleset, "players": players, "options": options, "ai_pace_ms": 0}
    path = "/v1/tables/" + lin.post("/v1/tables", spec).json["id"]
    assert lin.post(f"{path}/seats", {"seat": 0}).status_code == 200
    for seat in range(1, players):
        assert lin.put(f"{path}/seats/{seat}/ai", {"level": "easy"}).status_code == 200
    assert lin.put(f"{path}/seats/me/ready", {}).status_code == 200
    table = Table(world, path.rpartition("/")[2], [lin])
    while (state := table.state())["status"] == "playing":
        # Either the person is asked, or the AI seats have something to do.
        if state["decision"] and 0 in state["decision"]["seats"] and world.advance(table.id).steps == 0:
            table.step()
        else:
            world.now += 1_000
            world.advance(table.id)
    view = lin.get(path).json
    assert view["status"] == "finished"
    assert view["game"]["winners"]
    assert view["game"]["ended"] == ("four_rounds" if ruleset == "arms_length" else "passed_last_level")
    game = lin.get(f"/v1/games/{view['game']['id']}").json
    assert len(game["results"]) == view["game"]["round"]
