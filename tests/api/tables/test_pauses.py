"""Pauses of a game, over HTTP."""

from tests.api.contract import assert_problem


def test_a_whole_game_with_a_pause(world, lin):
    table = world.table(pause_limit_ms=60_000, options={"deal_pace": "instant"})
    assert table.view()["settings"]["pause_limit_ms"] == 60_000
    table.play_until("play")
    decision = table.view()["decision"]
    vote = table.host.post(f"{table.path}/votes", {"kind": "pause"}).json["view"]["vote"]["id"]
    for client in table.clients[1:]:
        paused = client.put(f"{table.path}/votes/{vote}", {"approve": True}).json
    assert paused["events"][-1]["data"]["remaining_ms"] == 60_000
    assert 0 < paused["view"]["pause"]["remaining_ms"] <= 60_000
    again = table.clients[2].post(f"{table.path}/votes", {"kind": "pause"})
    problem = assert_problem(again, "wrong-phase", reason="paused", expected="end_pause")
    assert "DELETE" in problem["detail"]
    resumed = table.clients[3].delete(f"{table.path}/pause").json
    assert resumed["view"]["pause"] is None
    assert resumed["view"]["decision"]["seats"] == decision["seats"]
    assert table.host.delete(f"{table.path}/pause").json["events"] == []
    assert_problem(lin.delete(f"{table.path}/pause"), "not-your-seat")
    table.play_until("ready")
    game = table.view()["game"]["id"]
    for client in table.clients:
        client.post(f"{table.path}/votes", {"kind": "end_early"})
    record = table.host.get(f"/v1/games/{game}/record").json
    assert len(record["rounds"][0]["pauses"]) == 1
    assert table.host.post("/v1/record-checks", record).json["ok"]
