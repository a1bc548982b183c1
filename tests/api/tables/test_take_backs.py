"""Take-backs, over HTTP."""

from tests.api.contract import assert_problem


def test_a_play_is_taken_back_if_nobody_objects(world):
    table = world.table(take_back=True)
    table.play_until("play")
    seat, before, decision = table.turn()
    table.act(seat, "play", cards=decision["hints"]["example"])
    body = table.clients[seat].post(f"{table.path}/take-back").json
    assert body["view"]["round"]["take_back"] == {"seat": seat, "accepted": []}
    for other in (other for other in range(4) if other != seat):
        answer = table.clients[other].post(f"{table.path}/take-back/answer", {"accept": True})
    assert answer.json["events"][-1]["type"] == "decision_opened"
    after = table.view(seat)
    assert after["my"]["hand"] == before["my"]["hand"]
    assert after["decision"]["seats"] == [seat]


def test_a_play_stays_if_somebody_objects(world):
    table = world.table(take_back=True)
    table.play_until("play")
    seat, _, decision = table.turn()
    table.act(seat, "play", cards=decision["hints"]["example"])
    table.clients[seat].post(f"{table.path}/take-back")
    answer = table.clients[(seat + 1) % 4].post(f"{table.path}/take-back/answer", {"accept": False}).json
    assert answer["events"][0]["data"]["stage"] == "refused"
    assert answer["view"]["round"]["take_back"] is None


def test_take_backs_are_refused_unless_the_table_allows_them(world, lin):
    table = world.table()
    table.play_until("play")
    seat, _, _ = table.turn()
    table.step()
    assert_problem(table.clients[seat].post(f"{table.path}/take-back"), "wrong-phase")
    assert_problem(lin.post(f"{table.path}/take-back"), "not-your-seat")
    assert_problem(table.host.post(f"{table.path}/take-back/answer", {"accept": True}), "wrong-phase")


def test_a_person_can_take_a_play_back_after_ai_players_have_played(world):
    table = world.table(seated=False, take_back=True)
    lin = table.host
    lin.post(f"{table.path}/seats", {"seat": 0})
    for seat in (1, 2, 3):
        lin.put(f"{table.path}/seats/{seat}/ai", {})
    lin.put(f"{table.path}/seats/me/ready", {})

    def turn():
        while (view := table.view())["decision"] is None or view["decision"]["seats"] != [0]:
            world.now += 1_000
            world.advance(table.id)
        return view

    while (before := turn())["decision"]["kind"] != "play":
        table.step()
    refused = assert_problem(lin.post(f"{table.path}/take-back"), "wrong-phase")
    assert refused["params"]["reason"].startswith("take_back_")
    # A throw of an AI player cannot be taken back: then use the next trick.
    while table.step() and (after := turn())["round"]["returnable"] < 4:
        before = after
    back = lin.post(f"{table.path}/take-back").json
    assert "trick_reopened" in [event["type"] for event in back["events"]]
    for part in ("hand", "discard"):
        assert back["view"]["my"][part] == before["my"][part]
    for part in ("trick", "last_trick", "played", "seen", "attackers_points"):
        assert back["view"]["round"][part] == before["round"][part], part
