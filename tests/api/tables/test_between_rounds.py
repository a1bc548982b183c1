"""Between the rounds of a game, over HTTP: seats, the clock, records, and a game with other levels."""

from tests.api.contract import assert_problem


def test_seats_and_clock_change_between_rounds_and_the_next_game_keeps_the_levels(world, lin):
    table = world.table(ruleset="sishifen", start_levels=["5", "9"])
    host, path = table.host, table.path
    tag = host.get(path).headers["ETag"]
    assert_problem(lin.post(f"{path}/seats", {"seat": 3}), "game-running", reason="round_running")
    table.play_until("ready", by=table.move)
    assert_problem(lin.post(f"{path}/seats", {"seat": 3}), "seat-taken", seat=3)
    assert_problem(host.delete(f"{path}/seats/3"), "game-running", reason="seat_in_game", seat=3)
    table.clients[3].delete(f"{path}/seats/me")
    assert_problem(table.clients[2].post(f"{path}/seats", {"seat": 3}), "already-seated", seat=2)
    taken = lin.post(f"{path}/seats", {"seat": 3}).json
    assert [event["type"] for event in taken["events"]] == ["seat_left", "seat_taken", "decision_opened"]
    assert (taken["view"]["my"]["seat"], taken["view"]["seats"][3]["since"]) == (3, 2)
    assert_problem(table.clients[3].delete(f"{path}/seats/me"), "not-your-seat")

    clock = {"clock": {"play_ms": 9_000}}
    assert_problem(host.patch(path, clock, headers={"If-Match": tag}), "version-mismatch")
    assert_problem(host.patch(path, {"chat": False}, headers={"If-Match": "*"}), "game-running", settings=["chat"])
    assert host.patch(path, clock, headers={"If-Match": "*"}).json["view"]["clock"]["play_ms"] == 9_000
    table.clients[3] = lin
    table.get_ready()
    assert_problem(host.patch(path, clock, headers={"If-Match": "*"}), "game-running", reason="round_running")
    table.play_until("ready", by=table.move)

    game = table.view()["game"]["id"]
    for each in (host.get(f"/v1/games/{game}").json, host.get(f"/v1/games/{game}/record").json):
        assert [(change["round"], change["seat"], change["occupant"]["name"]) for change in each["changes"]] == [
            (2, 3, "Lin")
        ]
    record = host.get(f"/v1/games/{game}/record").json
    assert (record["seats"][3]["occupant"]["name"], record["rounds"][1]["clock"]["play_ms"]) == ("Bot 3", 9_000)
    assert host.post("/v1/record-checks", record).json["ok"]

    vote = host.post(f"{path}/votes", {"kind": "end_early"}).json["view"]["vote"]["id"]
    for client in table.clients[1:]:
        client.put(f"{path}/votes/{vote}", {"approve": True})
    levels = [seat["level"] for seat in table.view()["seats"]]
    assert_problem(host.patch(path, {"start_levels": levels}, headers={"If-Match": "*"}), "invalid-request", count=2)
    host.patch(path, {"start_levels": levels[:2]}, headers={"If-Match": "*"})
    assert table.view()["settings"]["start_levels"] == levels[:2]
    table.get_ready()
    again = table.view()
    assert (again["status"], [seat["level"] for seat in again["seats"]]) == ("playing", levels)
    assert "start_levels" not in again["settings"]
    played = {name: client.get("/v1/me").json for name, client in (("host", host), ("lin", lin))}
    assert played["host"]["results"]["sishifen"]["rounds"] == 2
    assert played["lin"]["results"]["sishifen"] == played["lin"]["results"]["sishifen"] | {"rounds": 1, "rating": None}
