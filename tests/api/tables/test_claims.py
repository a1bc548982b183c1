"""Claims of the remaining tricks, over HTTP."""

from tests.api.contract import assert_problem
from tests.game.test_claims import certain


def test_a_whole_game_with_claims(world, lin):
    options = {"deal_pace": "instant", "throw_penalty": "flat"}
    # With this seed, the player who leads first is not the one who can claim the last tricks.
    table = world.table(ruleset="sishifen", claims=True, options=options, seed="claims-0123456789-16")
    assert table.view()["settings"]["claims"] is True
    table.play_until("play", by=table.move)
    seat, _, decision = table.turn()
    body = {"decision_id": decision["id"]}
    false = table.clients[seat].post(f"{table.path}/claim", body).json
    assert [(event["type"], event["data"]) for event in false["events"]] == [
        ("claimed", {"seat": seat, "ok": False, "penalty": 10})
    ]
    assert false["view"]["decision"]["id"] == decision["id"]
    assert false["view"]["round"]["claims"] == [seat]
    assert table.clients[seat].post(f"{table.path}/claim", body).json["seq"] == false["seq"]
    other = (seat + 1) % 4
    assert_problem(table.clients[other].post(f"{table.path}/claim", body), "not-your-turn")
    assert_problem(lin.post(f"{table.path}/claim", body), "not-your-seat")
    while not certain(table.state()):
        table.move()
    claimer, _, decision = table.turn()
    right = table.clients[claimer].post(f"{table.path}/claim", {"decision_id": decision["id"]}).json
    assert right["events"][0]["data"]["ok"] is True
    assert right["view"]["phase"] == "scored"
    assert right["view"]["round"]["result"]["penalties"] == [{"seat": seat, "points": 10}]
    for client in table.clients:
        client.post(f"{table.path}/votes", {"kind": "end_early"})
    record = table.host.get(f"/v1/games/{right['view']['game']['id']}/record").json
    assert {action["by"] for action in record["rounds"][0]["actions"]} == {"player", "server"}
    assert table.host.post("/v1/record-checks", record).json["ok"]
