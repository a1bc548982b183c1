"""Games: their progress, records and replays."""

import pytest

from service.game.records import replay
from service.game.views.view import view
from service.jobs.worker_status import JobMetrics
from service.store.players.inbox import DELETED_NAME
from shengji_client.folding import fold
from tests.api.contract import assert_problem
from workers.search_budget import Chooser


def one_round(world, **spec):
    """A table of bots in its second round."""
    table = world.table(**spec)
    table.play_until("ready", by=table.move)
    while table.state()["round"]["number"] == 1:
        table.move()
    table.play_until("play", by=table.move)
    return table


def whole_game(world, **spec):
    """A table of bots with a finished game of Arm's Length that is kept."""
    table = world.table(ruleset="arms_length", **spec)
    while table.state()["status"] == "playing":
        table.move()
    world.advance(table.id)
    assert table.state()["game"]["kept"]
    return table


def game_of(table):
    return f"/v1/games/{table.state()['game']['id']}"


def test_a_running_game_shows_its_progress(world):
    table = one_round(world)
    body = table.host.get(game_of(table)).json
    view = table.view(0)
    assert (body["table"], body["status"], body["round"]) == (table.id, "playing", 2)
    assert body["results"] == view["game"]["results"]
    assert [seat["level"] for seat in body["seats"]] == [seat["level"] for seat in view["seats"]]
    assert (body["winners"], body["ended"], body["ended_at"]) == (None, None, None)


def test_a_finished_game_looks_the_same_after_its_table_is_gone(world):
    table = whole_game(world)
    path = game_of(table)
    seq = table.host.get(f"{path}/rounds/2").json["actions"][9]["seq"]
    answers = [
        path,
        f"{path}/rounds/2",
        f"{path}/rounds/2/states/{seq}?seat=1",
        f"{path}/rounds/2/events",
        f"{path}/record",
    ]
    before = [table.host.get(each).json for each in answers]
    assert before[2]["version"] == seq
    for each in answers:
        known = {"If-None-Match": table.host.get(each).headers["ETag"]}
        assert table.host.get(each, headers=known).status_code == 304
    assert (before[0]["status"], before[0]["winners"]) == ("finished", table.state()["game"]["winners"])
    world.stores.tables.delete(table.id)
    assert [table.host.get(each).json for each in answers] == before
    assert before[-1]["complete"]
    assert len(before[-1]["rounds"]) == 4


def test_the_previous_game_of_a_table_can_still_be_read(world):
    table = whole_game(world)
    path = game_of(table)
    before = table.host.get(f"{path}/record").json
    table.get_ready()
    assert game_of(table) != path
    assert table.host.get(f"{path}/record").json == before


def test_closing_a_table_ends_its_game_and_keeps_the_record(world):
    table = world.table(seated=False)
    table.host.post(f"{table.path}/seats", {"seat": 0})
    for seat in (1, 2, 3):
        table.host.put(f"{table.path}/seats/{seat}/ai", {})
    table.host.put(f"{table.path}/seats/me/ready", {})
    while (decision := table.state()["decision"])["kind"] != "ready":
        if decision["seats"] == [0]:
            table.step()
        else:
            world.advance(table.id)
    table.host.delete(table.path)
    world.advance(table.id)
    path = game_of(table)
    before = [table.host.get(each).json for each in (path, f"{path}/record")]
    assert (before[0]["status"], before[0]["ended"], len(before[1]["rounds"])) == ("finished", "abandoned", 1)
    world.stores.tables.delete(table.id)
    assert [table.host.get(each).json for each in (path, f"{path}/record")] == before
    assert table.host.get("/v1/me").json["results"] == {}


def test_the_record_of_a_running_game_holds_only_finished_rounds(world):
    table = one_round(world)
    path = game_of(table)
    record = table.host.get(f"{path}/record").json
    assert [each["round"] for each in record["rounds"]] == [1]
    assert not record["complete"]
    assert record["rounds"][0] == table.host.get(f"{path}/rounds/1").json
    assert replay.check(record)["ok"]
    # The seed of the running round stays secret.
    assert table.state()["round"]["server_seed"] not in str(record)
    assert_problem(table.host.get(f"{path}/rounds/2"), "not-finished", round=2)
    assert_problem(table.host.get(f"{path}/rounds/3"), "not-found", what="round")
    assert_problem(table.host.get(f"{path}/rounds/0"), "not-found", what="round")


def test_a_finished_round_is_replayed_step_by_step_as_any_seat_saw_it(world):
    table = world.table()
    views = {}
    while table.state()["decision"]["kind"] != "ready":
        state = table.state()
        views[state["version"]] = [view(state, seat, world.now) for seat in (0, 3, None)]
        table.step()
    path = f"{game_of(table)}/rounds/1/states"
    for seq in [*views][::9]:
        for seat, expected in zip(("?seat=0", "?seat=3", ""), views[seq], strict=True):
            expected.pop("join_code", None)
            assert table.clients[1].get(f"{path}/{seq}{seat}").json == expected


def without_hints(view):
    decision = view["decision"] and {**view["decision"], "hints": None}
    return {**{name: view[name] for name in view.keys() & {"round", "my", "phase", "game"}}, "decision": decision}


def test_the_events_of_a_finished_round_give_the_view_at_every_step(world):
    table = world.table()
    table.host.post(f"{table.path}/chat", {"text": "hello"})
    views = {}
    while table.state()["decision"]["kind"] != "ready":
        state = table.state()
        views[state["version"]] = [view(state, seat, world.now) for seat in (0, 3, None)]
        table.step()
    table.host.post(f"{table.path}/chat", {"text": "well played"})
    for number, seat in enumerate(("?seat=0", "?seat=3", "")):
        body = table.clients[1].get(f"{game_of(table)}/rounds/1/events{seat}").json
        now, folded = body["view"], {}
        for event in body["events"]:
            now = folded[event["seq"]] = fold(now, event)
        assert "chat" not in {event["type"] for event in body["events"]}
        assert {event["type"] for event in body["events"]} >= {"decision_opened", "played", "round_ended"}
        checked = [seq for seq in views if seq in folded]
        assert len(checked) >= len(views) - 1 > 50
        for seq in checked:
            assert without_hints(folded[seq]) == without_hints(views[seq][number])
        assert "join_code" not in body["view"]


def test_a_finished_round_is_replayed_with_open_hands(world):
    table = world.table(ruleset="sishifen")
    views = {}
    while table.state()["decision"]["kind"] != "ready":
        state = table.state()
        views[state["version"]] = view(state, "open", world.now)
        table.move()
    body = table.clients[1].get(f"{game_of(table)}/rounds/1/events?hands=open&seat=2").json
    now, checked = body["view"], 0
    for event in body["events"]:
        now = fold(now, event)
        if event["seq"] in views:
            checked += 1
            assert now["hands"] == views[event["seq"]]["hands"]
    assert checked > 30
    assert "my" not in now


def test_a_running_round_is_not_replayed(world):
    table = one_round(world)
    path = f"{game_of(table)}/rounds"
    for perspective in ("seat=1", "hands=open"):
        assert_problem(table.host.get(f"{path}/2/events?{perspective}"), "not-finished", round=2)
    assert_problem(table.host.get(f"{path}/3/events"), "not-found", what="round")
    opened = table.state()["decision"]["opened_seq"]
    assert_problem(table.host.get(f"{path}/2/states/{opened}?seat=1"), "not-finished", round=2)
    assert_problem(table.host.get(f"{path}/1/states/{opened}?seat=1"), "not-found", what="state")
    assert_problem(table.host.get(f"{path}/1/states/{10**15}"), "not-found", what="state")


def test_a_replay_for_a_seat_that_the_game_does_not_have_is_refused(world):
    table = one_round(world)
    path = f"{game_of(table)}/rounds/1/states/30"
    assert_problem(table.host.get(f"{path}?seat=4"), "not-found", what="seat")
    assert_problem(table.host.get(f"{game_of(table)}/rounds/1/events?seat=4"), "not-found", what="seat")
    assert_problem(table.host.get(f"{path}?seat=16"), "invalid-request")


@pytest.mark.parametrize("game", ["gm_nothing_1", "gm_", "tb_x", "gm_tb_1"])
def test_an_unknown_game_is_not_found(lin, game):
    for path in ("", "/record", "/rounds/1", "/rounds/1/states/1", "/rounds/1/events"):
        assert_problem(lin.get(f"/v1/games/{game}{path}"), "not-found", what="game")


def test_a_later_game_of_a_table_is_not_found_before_it_begins(world):
    table = one_round(world)
    assert_problem(table.host.get(game_of(table)[:-1] + "2"), "not-found", what="game")


def test_others_read_games_of_public_tables_only(world):
    stranger = world.player("Mei")
    for spec, code in (({"visibility": "private"}, "private-table"), ({"visibility": "public"}, None)):
        table = whole_game(world, **spec)
        for path in ("", "/record", "/rounds/1", "/rounds/1/states/20", "/rounds/1/events"):
            answer = stranger.get(game_of(table) + path)
            if code:
                assert_problem(answer, code)
            else:
                assert answer.status_code == 200


def test_the_host_reads_games_without_a_seat(world):
    host = world.player("Host")
    view = host.post("/v1/tables", {"ruleset": "arms_length", "players": 4, "ai_pace_ms": 0}).json
    for seat in range(4):
        host.put(f"/v1/tables/{view['id']}/seats/{seat}/ai", {})
    while world.tables.load(view["id"])["status"] == "playing":
        world.advance(view["id"])
    game = world.tables.load(view["id"])["game"]["id"]
    assert host.get(f"/v1/games/{game}").json["status"] == "finished"
    assert_problem(world.player("Mei").get(f"/v1/games/{game}"), "private-table")


def test_spectators_read_only_the_visible_part_of_a_running_game(world):
    table = one_round(world, spectators="delayed", spectator_delay_ms=30_000)
    path, stranger = game_of(table), world.player("Mei")
    assert_problem(stranger.get(path), "not-found", what="game")
    world.now += 29_000
    assert_problem(stranger.get(f"{path}/record"), "not-found", what="game")
    world.now += 1_000
    assert stranger.get(f"{path}/record").json["rounds"] == table.host.get(f"{path}/record").json["rounds"]


def test_a_running_game_without_spectators_is_read_by_nobody_else(world):
    table = one_round(world)
    answer = world.player("Mei").get(game_of(table))
    assert_problem(answer, "no-spectators")


def test_an_erased_player_is_shown_as_deleted_in_records(world):
    table = whole_game(world)
    path, gone = game_of(table), table.clients[2]
    name = gone.player["name"]
    assert gone.delete("/v1/me").status_code == 204
    names = [
        table.host.get(path).json["seats"][2],
        table.host.get(f"{path}/record").json["seats"][2],
        table.host.get(f"{path}/rounds/1/states/20").json["seats"][2],
        table.host.get(f"{path}/rounds/1/events").json["view"]["seats"][2],
    ]
    for seat in names:
        assert seat["occupant"]["name"] == DELETED_NAME
        assert seat["occupant"]["player"] is None
        assert name not in str(seat)
    assert table.host.get(path).json["seats"][1]["occupant"]["player"] == table.clients[1].player["id"]


def test_reasons_of_ai_seats_in_records_are_in_the_language_of_the_reader(world):
    table = world.table(ruleset="arms_length", seated=False)
    table.clients[0].post(f"{table.path}/seats", {"seat": 0})
    for seat in (1, 2, 3):
        table.host.put(f"{table.path}/seats/{seat}/ai", {"level": "easy"})
    table.host.put(f"{table.path}/seats/me/ready", {})
    chooser = Chooser(lambda: 0, JobMetrics(world.redis))
    while not table.state()["game"]["results"]:
        if table.state()["decision"]["seats"] == [0]:
            table.step()
        world.now += 1000
        world.tables.advance(table.id, None, chooser.by_rules)
    path = f"{game_of(table)}/rounds/1"
    english = table.host.get(path, headers={"Accept-Language": "en"})
    chinese = table.host.get(path, headers={"Accept-Language": "zh"})
    reasons = [action["reason"] for action in english.json["actions"] if action["seat"] != 0]
    assert not any("reason" in action for action in english.json["actions"] if action["seat"] == 0)
    assert all(reason["text"].endswith(".") for reason in reasons)
    body = [action["reason"] for action in chinese.json["actions"] if action["seat"] != 0]
    assert [reason["code"] for reason in body] == [reason["code"] for reason in reasons]
    assert all(reason["text"].endswith("。") for reason in body)
    assert english.headers["ETag"] != chinese.headers["ETag"]
    assert table.host.get(path, headers={"Accept-Language": "zh", "If-None-Match": english.headers["ETag"]}).json
