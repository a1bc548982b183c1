"""Games that end before the last level, over HTTP: played by people and AI seats to their end, shown and kept."""

import pytest

from service.rules.options.rulesets import RULESETS
from tests.api.play import Table

MINUTE_MS = 60_000


def opened(world, ruleset, length, *people, players=None, **more):
    """Return a table at which the first people sit, and AI players on all other seats; the game has begun."""
    players = players or RULESETS[ruleset].players[0]
    options = {} if ruleset == "arms_length" else {"deal_pace": "instant"}
    spec = {"ruleset": ruleset, "players": players, "options": options, "ai_pace_ms": 0, "length": length, **more}
    created = people[0].post("/v1/tables", spec)
    assert created.status_code == 201, created.json
    path = "/v1/tables/" + created.json["id"]
    code = people[0].get(path).json["join_code"]
    for seat, person in enumerate(people):
        assert person.post(f"{path}/seats", {"seat": seat, "join_code": code}).status_code == 200
    for seat in range(len(people), players):
        assert people[0].put(f"{path}/seats/{seat}/ai", {"level": "easy"}).status_code == 200
    for person in people:
        assert person.put(f"{path}/seats/me/ready", {}).status_code == 200
    return Table(world, path.rpartition("/")[2], list(people)), path


def play_on(world, table, until=lambda state: state["status"] != "playing"):
    while not until(state := table.state()):
        decision = state["decision"]
        if decision and set(decision["seats"]) & set(range(len(table.clients))) and world.advance(table.id).steps == 0:
            table.step()
        else:
            world.now += 1_000
            world.advance(table.id)


def asks_seat_0_to_play(state):
    decision = state["decision"]
    return decision and decision["kind"] == "play" and decision["seats"] == [0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_of_two_rounds_is_played_to_its_end(world, ruleset):
    lin = world.player("Lin", "human")
    table, path = opened(world, ruleset, {"rounds": 2}, lin)
    play_on(world, table)
    view = lin.get(path).json
    assert (view["game"]["ended"], view["game"]["round"]) == ("rounds_played", 2)
    assert bool(view["game"]["winners"]) == (view["game"]["decided_by"] != "draw")
    world.advance(table.id)
    past = lin.get("/v1/me/games").json["items"][0]
    assert (past["ended"], past["rounds"], past["winners"]) == ("rounds_played", 2, view["game"]["winners"])
    assert past["decided_by"] == view["game"]["decided_by"]
    record = lin.get(f"/v1/games/{view['game']['id']}/record").json
    assert record["length"] == {"rounds": 2}
    assert lin.post("/v1/record-checks", record).json["ok"]
    imported = lin.post("/v1/records", {"record": record})
    assert imported.status_code == 201, imported.json
    copy = next(each for each in lin.get("/v1/me/games").json["items"] if each["game"] == imported.json["game"])
    assert (copy["ended"], copy["winners"]) == ("rounds_played", view["game"]["winners"])


def test_a_game_on_listed_levels_is_played_at_each_of_them(world):
    lin = world.player("Lin", "human")
    table, path = opened(world, "shengji", {"levels": ["2", "5", "T"]}, lin)
    play_on(world, table)
    record = lin.get(f"/v1/games/{lin.get(path).json['game']['id']}/record").json
    assert [each["standings"][0]["level"] for each in record["rounds"]] == ["2", "5", "T"]
    assert lin.get(path).json["game"]["round"] == 3


@pytest.mark.parametrize(("last_round", "rounds"), [("played", 1), ("dropped", 0)])
def test_a_worker_ends_a_game_whose_time_is_up(world, last_round, rounds):
    lin, ada = world.player("Lin", "human"), world.player("Ada", "human")
    clock = {"play_ms": 3_600_000, "discard_ms": 3_600_000}
    table, path = opened(
        world, "shengji", {"minutes": 20, "last_round": last_round}, lin, ada, clock=clock, visibility="public"
    )
    play_on(world, table, lambda state: state["decision"] and state["decision"]["kind"] == "play")
    before = lin.get(path).json
    assert before["settings"]["length"] == {"minutes": 20, "last_round": last_round}
    world.now += 20 * MINUTE_MS
    world.advance(table.id)
    play_on(world, table)
    game = lin.get(path).json["game"]
    assert (game["ended"], len(game["results"]), game["ends_at"]) == ("time_up", rounds, None)
    world.advance(table.id)
    assert lin.get("/v1/me/games").json["items"][0]["ended"] == "time_up"


def test_a_play_after_the_end_of_a_game_is_refused(world):
    lin, ada = world.player("Lin", "human"), world.player("Ada", "human")
    table, path = opened(
        world, "sishifen", {"minutes": 20, "last_round": "dropped"}, lin, ada, clock={"play_ms": 3_600_000}
    )
    play_on(world, table, asks_seat_0_to_play)
    decision = lin.get(path).json["decision"]
    world.now += 20 * MINUTE_MS
    late = lin.post(f"{path}/play", {"decision_id": decision["id"], "cards": decision["hints"]["example"]})
    assert (late.status_code, late.json["code"]) == (409, "wrong-phase")
    assert lin.get(path).json["game"]["ended"] == "time_up"


def test_a_draw_gives_nobody_a_win_and_moves_no_rating(world):
    lin, ada = world.player("Lin", "human"), world.player("Ada", "human")
    table, path = opened(
        world, "sishifen", {"minutes": 20, "last_round": "dropped"}, lin, ada, clock={"play_ms": 3_600_000}
    )
    world.now += 20 * MINUTE_MS
    world.advance(table.id)
    assert lin.get(path).json["game"]["decided_by"] == "draw"
    world.advance(table.id)
    for player in (lin, ada):
        assert player.get("/v1/me/games").json["items"][0]["result"] is None
        results = player.get("/v1/me").json["results"].get("sishifen", {"wins": 0, "rating": 0})
        assert (results["wins"], results["rating"] or 0) == (0, 0)


def test_the_host_changes_the_length_before_a_game_and_everybody_sees_it(world):
    lin, ada = world.player("Lin", "human"), world.player("Ada", "human")
    spec = {"ruleset": "shengji", "players": 4, "visibility": "public", "length": {"rounds": 4}}
    path = "/v1/tables/" + lin.post("/v1/tables", spec).json["id"]
    listed = ada.get("/v1/tables").json["items"]
    assert next(each for each in listed if each["table"] == path.rpartition("/")[2])["length"] == {"rounds": 4}
    changed = lin.patch(path, {"length": {"minutes": 30}}, headers={"If-Match": "*"})
    assert changed.status_code == 200, changed.json
    assert ada.get(path).json["settings"]["length"] == {"minutes": 30}
    assert lin.patch(path, {"length": {}}, headers={"If-Match": "*"}).status_code == 200
    assert "length" not in ada.get(path).json["settings"]


@pytest.mark.parametrize(
    ("length", "code"),
    [
        ({"rounds": 0}, "invalid-request"),
        ({"rounds": 101}, "invalid-request"),
        ({"minutes": 20_161}, "invalid-request"),
        ({"levels": []}, "invalid-request"),
        ({"levels": ["2"] * 61}, "invalid-request"),
        ({"levels": ["1"]}, "invalid-request"),
        ({"last_round": "dropped"}, "invalid-request"),
        ({"rounds": 2, "levels": ["2"]}, "invalid-request"),
        ({"hands": 2}, "invalid-request"),
    ],
)
def test_a_length_that_makes_no_sense_is_refused_with_a_reason(world, length, code):
    lin = world.player("Lin", "human")
    refused = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "length": length})
    assert (refused.status_code, refused.json["code"]) == (400, code), refused.json
    assert refused.json["detail"]


def test_rulesets_describe_how_long_games_can_be(world):
    for ruleset in RULESETS:
        parts = {each["name"]: each for each in world.anybody.get(f"/v1/rulesets/{ruleset}").json["length"]}
        assert set(parts) == {"rounds", "minutes", "last_round", "levels"} - (
            {"levels"} if ruleset == "arms_length" else set()
        )
        assert parts["rounds"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 100}
        assert all(part[text]["zh-Hans"] for part in parts.values() for text in ("title", "meaning"))


def test_a_room_plays_as_long_as_its_rules_say(world):
    lin = world.player("Lin", "human")
    rules = {"ruleset": "sishifen", "players": 4, "length": {"levels": ["2", "3"]}}
    room = lin.post("/v1/rooms", {"name": "Friday", "rules": rules}).json
    assert room["rules"]["length"] == {"levels": ["2", "3"]}
    opened_there = lin.post(f"/v1/rooms/{room['room']}/table", {})
    assert opened_there.status_code in (200, 201), opened_there.json
    table = lin.get(f"/v1/rooms/{room['room']}").json["table"]
    assert lin.get(f"/v1/tables/{table['table']}").json["settings"]["length"] == {"levels": ["2", "3"]}
    wrong = lin.patch(f"/v1/rooms/{room['room']}", {"rules": {**rules, "length": {"levels": ["1"]}}})
    assert (wrong.status_code, wrong.json["code"]) == (400, "invalid-request")
