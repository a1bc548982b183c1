"""Seats: sitting down, leaving, AI seats, being ready."""

import threading

from tests.api.contract import assert_problem

NEW = {"ruleset": "shengji", "players": 4, "visibility": "public"}


def test_sitting_down_returns_the_view_and_the_events(lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    answer = lin.post(f"{path}/seats", {"seat": 2}).json
    assert answer["view"]["viewer"] == {"role": "seat", "seat": 2}
    assert [(event["seq"], event["type"]) for event in answer["events"]] == [(2, "seat_taken")]
    assert (answer["seq"], answer["version"]) == (2, 2)


def test_a_player_who_names_no_seat_gets_the_first_free_one(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    assert lin.post(f"{path}/seats").json["view"]["my"]["seat"] == 0
    assert world.player("Mei").post(f"{path}/seats", {}).json["view"]["my"]["seat"] == 1


def test_sitting_down_twice_is_the_same_as_once(lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    first = lin.post(f"{path}/seats", {"seat": 1}).json
    again = lin.post(f"{path}/seats", {"seat": 1}).json
    assert again["version"] == first["version"]
    assert_problem(lin.post(f"{path}/seats", {"seat": 3}), "already-seated", seat=1)


def test_of_several_players_who_want_one_seat_one_gets_it(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    wanting = [world.player(f"P{number}") for number in range(6)]
    answers = []
    threads = [
        threading.Thread(target=lambda player=player: answers.append(player.post(f"{path}/seats", {"seat": 0})))
        for player in wanting
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    assert {answer.json["code"] for answer in answers if answer.status_code == 409} == {"seat-taken"}


def test_a_private_table_is_entered_with_its_join_code(world, lin):
    view = lin.post("/v1/tables", {**NEW, "visibility": "private"}).json
    path = f"/v1/tables/{view['id']}/seats"
    mei = world.player("Mei")
    assert_problem(mei.post(path, {}), "private-table")
    assert_problem(mei.post(path, {"join_code": "WRONG2"}), "private-table")
    assert mei.post(path, {"join_code": view["join_code"].lower()}).status_code == 200


def test_a_full_table_takes_nobody(world):
    table = world.table(ready=False)
    assert_problem(world.player("Mei").post(f"{table.path}/seats", {}), "table-full")
    assert_problem(world.player("Mei").post(f"{table.path}/seats", {"seat": 1}), "seat-taken", seat=1)


def test_there_is_no_seat_beyond_the_last(lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    assert_problem(lin.post(f"{path}/seats", {"seat": 4}), "not-found", what="seat")
    assert_problem(lin.put(f"{path}/seats/9/ai", {}), "not-found", what="seat")
    assert_problem(lin.delete(f"{path}/seats/99999999999999999999"), "not-found", what="seat")


def test_leaving_before_the_game_frees_the_seat(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    lin.post(f"{path}/seats", {"seat": 2})
    left = lin.delete(f"{path}/seats/me").json
    assert left["view"]["seats"][2]["occupant"] is None


def test_leaving_twice_is_the_same_as_once(world, lin):
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    code = lin.get(path).json["join_code"]
    mei = world.player("Mei")
    assert_problem(mei.delete(f"{path}/seats/me"), "not-your-seat")
    mei.post(f"{path}/seats", {"seat": 1, "join_code": code})
    once, twice = mei.delete(f"{path}/seats/me"), mei.delete(f"{path}/seats/me")
    assert (once.status_code, twice.status_code) == (200, 200)
    assert twice.json["events"] == []
    assert twice.json["seq"] == once.json["seq"]
    assert twice.json["view"] == once.json["view"]


def test_leaving_again_during_a_game_of_others_is_refused(world):
    table = world.table(ready=False)
    mei = table.clients[3]
    mei.delete(f"{table.path}/seats/me")
    table.host.put(f"{table.path}/seats/3/ai", {})
    for client in table.clients[:3]:
        client.put(f"{table.path}/seats/me/ready", {})
    assert table.state()["status"] == "playing"
    assert_problem(mei.delete(f"{table.path}/seats/me"), "not-your-seat")


def test_leaving_a_running_game_twice_changes_nothing_more(world):
    table = world.table()
    once = table.clients[1].delete(f"{table.path}/seats/me").json
    twice = table.clients[1].delete(f"{table.path}/seats/me").json
    assert (twice["events"], twice["version"]) == ([], once["version"])


def test_seating_the_last_ai_player_twice_is_the_same_as_once(world, lin):
    """The first request starts the game; its retry is not refused for changing seats during a game."""
    path = f"/v1/tables/{lin.post('/v1/tables', NEW).json['id']}"
    for seat in range(4):
        first = lin.put(f"{path}/seats/{seat}/ai", {})
    assert first.json["view"]["status"] == "playing"
    again = lin.put(f"{path}/seats/3/ai", {})
    assert (again.status_code, again.json["events"]) == (200, [])
    assert again.json["view"]["seats"] == first.json["view"]["seats"]


def test_an_ai_player_takes_over_a_seat_from_leaving_until_resuming(world):
    table = world.table()
    left = table.clients[1].delete(f"{table.path}/seats/me").json["view"]
    assert left["seats"][1]["autopilot"] == "easy"
    assert left["seats"][1]["presence"] == "gone"
    back = table.clients[1].post(f"{table.path}/seats/me/resume").json["view"]
    assert (back["seats"][1]["autopilot"], back["seats"][1]["presence"]) == (None, "online")


def test_the_host_empties_seats_and_fills_them_with_ai_players(world):
    table = world.table(ready=False)
    assert_problem(table.clients[1].delete(f"{table.path}/seats/2"), "not-host")
    assert_problem(table.clients[1].put(f"{table.path}/seats/2/ai", {}), "not-host")
    assert_problem(table.host.put(f"{table.path}/seats/2/ai", {}), "seat-taken", seat=2)
    own = assert_problem(table.host.put(f"{table.path}/seats/0/ai", {}), "seat-taken", seat=0, reason="own_seat")
    assert own["detail"].startswith("You sit on seat 0 yourself")
    kicked = table.host.delete(f"{table.path}/seats/2").json
    assert kicked["events"][0]["data"] == {"seat": 2, "reason": "kicked", "autopilot": None}
    seated = table.host.put(f"{table.path}/seats/2/ai", {"level": "easy"}).json["view"]["seats"][2]
    assert (seated["occupant"]["kind"], seated["occupant"]["level"], seated["ready"]) == ("ai", "easy", True)


def test_an_unknown_ai_level_is_refused(world):
    table = world.table(seated=False)
    problem = assert_problem(table.host.put(f"{table.path}/seats/2/ai", {"level": "godlike"}), "invalid-request")
    assert problem["errors"][0]["code"] == "choice"


def test_the_game_begins_when_all_are_ready(world):
    table = world.table(ready=False)
    for client in table.clients[:3]:
        assert client.put(f"{table.path}/seats/me/ready", {}).json["view"]["status"] == "lobby"
    table.clients[0].put(f"{table.path}/seats/me/ready", {"ready": False})
    assert table.clients[3].put(f"{table.path}/seats/me/ready").json["view"]["status"] == "lobby"
    begun = table.clients[0].put(f"{table.path}/seats/me/ready", {"ready": True}).json
    assert begun["view"]["status"] == "playing"
    types = [event["type"] for event in begun["events"]]
    assert types[:3] == ["seat_ready", "game_started", "round_opened"]
    assert types[-1] == "decision_opened"


def test_only_seated_players_can_be_ready(world, lin):
    table = world.table(ready=False)
    assert_problem(lin.put(f"{table.path}/seats/me/ready", {}), "not-your-seat")


def test_entropy_of_players_is_shown_in_the_round_that_used_it(world):
    table = world.table(ready=False)
    body = table.clients[1].put(f"{table.path}/seats/me/entropy", {"entropy": "00ff"}).json
    assert body["events"][0]["data"] == {"seat": 1}
    table.get_ready()
    events = table.host.get(f"{table.path}/events").json["events"]
    opened = next(event for event in events if event["type"] == "round_opened")
    assert opened["data"]["entropy"] == {"1": "00ff"}


def test_entropy_that_is_not_hexadecimal_is_refused(world):
    table = world.table(ready=False)
    for bad in ("", "0", "xx", "0F", "00" * 65, 7, None):
        assert_problem(table.host.put(f"{table.path}/seats/me/entropy", {"entropy": bad}), "invalid-request")


def test_a_kicked_player_needs_the_new_join_code_to_come_back(world):
    table = world.table(ready=False)
    kicked, old = table.clients[1], table.view()["join_code"]
    assert table.host.delete(f"{table.path}/seats/1").status_code == 200
    for body in ({"seat": 1}, {"seat": 1, "join_code": old}):
        assert_problem(kicked.post(f"{table.path}/seats", body), "private-table", reason="kicked")
    new = table.view()["join_code"]
    assert new != old
    assert world.player("Mei").post(f"{table.path}/seats", {"seat": 1}).status_code == 200
    table.host.delete(f"{table.path}/seats/1")
    code = table.view()["join_code"]
    assert kicked.post(f"{table.path}/seats", {"seat": 1, "join_code": code}).status_code == 200


def test_after_a_kick_the_old_code_works_for_all_others_and_the_kicked_player_is_told(world):
    table = world.table(ready=False, seated=False, visibility="private")
    old = table.view()["join_code"]
    kicked = world.player("Bo")
    assert kicked.post(f"{table.path}/seats", {"join_code": old}).status_code == 200
    seat = kicked.get(table.path).json["my"]["seat"]
    assert table.host.delete(f"{table.path}/seats/{seat}").status_code == 200
    assert table.view()["join_code"] != old
    # The link in the group chat opens the table, and gives a seat.
    mei = world.player("Mei")
    preview = mei.get(f"/v1/join-codes/{old}")
    assert (preview.status_code, preview.json["grants"]) == (200, "seat")
    assert mei.post(f"{table.path}/seats", {"join_code": old}).status_code == 200
    assert_problem(kicked.post(f"{table.path}/seats", {"join_code": old}), "private-table", reason="kicked")
    assert_problem(kicked.post(f"{table.path}/seats", {}), "private-table", reason="kicked")
    assert_problem(kicked.get(table.path), "private-table", reason="kicked")
    assert old not in mei.get(table.path).get_data(as_text=True), "former codes are secret"


def test_the_event_of_a_kick_shows_the_new_join_code_to_players_alone(world):
    table = world.table(ready=False)
    after = table.view()["version"]
    table.host.delete(f"{table.path}/seats/1")
    code = table.view()["join_code"]
    for seat, code_of_seat in ((0, code), (1, None), (2, code)):
        page = table.clients[seat].get(f"{table.path}/events?after={after}")
        assert page.json["events"][-1]["data"].get("join_code") == code_of_seat
        assert (code in page.get_data(as_text=True)) == (code_of_seat is not None)


def test_a_new_clock_makes_the_others_unready_and_other_settings_do_not(world):
    table = world.table(seated=True, ready=False)
    for seat in (0, 1):
        table.clients[seat].put(f"{table.path}/seats/me/ready", {"ready": True})
    for changes, ready in (({"chat": False}, [True, True]), ({"clock": {"play_ms": 5_000}}, [True, False])):
        tag = table.host.get(table.path).headers["ETag"]
        assert table.host.patch(table.path, changes, headers={"If-Match": tag}).status_code == 200
        assert [seat["ready"] for seat in table.view()["seats"][:2]] == ready


def test_only_the_host_moves_other_players_to_taken_seats(world):
    table = world.table(ready=False)
    players = [seat["occupant"]["player"] for seat in table.state()["seats"]]
    others = {"player": players[0]}
    assert_problem(table.clients[1].put(f"{table.path}/seats/2/player", others), "not-host")
    assert_problem(table.clients[1].put(f"{table.path}/seats/2/player", {}), "seat-taken")
    answer = table.clients[0].put(f"{table.path}/seats/2/player", {"player": players[1]})
    assert answer.status_code == 200
    moved = [seat["occupant"]["player"] for seat in table.state()["seats"]]
    assert moved == [players[0], players[2], players[1], players[3]]
