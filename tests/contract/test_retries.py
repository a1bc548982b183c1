"""Sending every request of a whole game twice, in turn or concurrently, has the same effect as sending it once."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from service.common.settings import Settings
from service.game.state.queries import waited_for
from tests.api.conftest import World
from workers import ai

GAMES = [
    ("arms_length", 4, {}),
    ("shengji", 4, {"deal_pace": "instant", "start_level": "A", "chao_di": True}),
    ("zhaopengyou", 5, {"deal_pace": "instant", "start_level": "A"}),
]
#: Requests that answer no decision are recognized by a key.
KEYED = ("/v1/players", "/chat", "/votes", "/take-back")


def once(send):
    return [send()]


def twice(send):
    return [send(), send()]


def at_once(send):
    both = Barrier(2)

    def go(_):
        both.wait()
        return send()

    with ThreadPoolExecutor(2) as threads:
        return list(threads.map(go, range(2)))


class House:
    """A service to which each request is sent in one way: once, twice, or twice concurrently."""

    def __init__(self, world, way):
        self.world, self.way = world, way
        self.sent = 0

    def send(self, token, method, path, body=None, **headers):
        """Send a request; all copies must get the same response, apart from what has happened since."""
        self.sent += 1
        self.world.now += 100
        authorization = {"Authorization": f"Bearer {token}"} if token else {}
        if path == "/v1/tables" or any(part in path for part in KEYED):
            authorization["Idempotency-Key"] = f"0a7d3f52-9b1e-4c6f-8e21-{self.sent:012}"

        def send():
            client = self.world.app.test_client()
            return client.open(path, method=method, json=body, headers={**authorization, **headers})

        answers = self.way(send)
        if method == "DELETE" and path.endswith("/seats/me"):
            # After leaving, a player has no seat: this refusal means that it is done.
            answers = [
                answer for answer in answers if answer.status_code != 403 or answer.json["code"] != "not-your-seat"
            ]
        for answer in answers:
            assert answer.status_code in (200, 201), (method, path, body, answer.json)
        first, *others = (answer.json for answer in answers)
        # Answers to decisions, and what was created with a key, are recorded; other requests are idempotent.
        alike = ("seq", "events") if body and "decision_id" in body else ("token", "id", "player")
        for other in others:
            assert [other.get(name) for name in alike] == [first.get(name) for name in alike]
        return first


def whole_game(house, ruleset, players, options):
    """Play a game to its end, with all that players can do around it; return what the store then holds."""
    bots = [{"name": f"Bot {seat}", "kind": "bot"} for seat in range(players)]
    tokens = [house.send(None, "POST", "/v1/players", bot)["token"] for bot in bots]
    host = tokens[0]
    spec = {
        "ruleset": ruleset,
        "players": players,
        "options": options,
        "seed": "monday, the cards of",
        "take_back": True,
    }
    table = house.send(host, "POST", "/v1/tables", spec)["id"]
    path = f"/v1/tables/{table}"
    tag = house.world.app.test_client().get(path, headers={"Authorization": f"Bearer {host}"}).headers["ETag"]
    house.send(host, "PATCH", path, {"chat": True, "ai_pace_ms": 100}, **{"If-Match": tag})
    code = house.world.tables.load(table)["settings"]["join_code"]
    for seat, token in enumerate(tokens):
        house.send(token, "POST", f"{path}/seats", {"seat": seat, "join_code": code})
    house.send(host, "PUT", f"{path}/seats/me/ready", {"ready": True})
    house.send(host, "PUT", f"{path}/seats/me/ready", {"ready": False})
    house.send(tokens[1], "DELETE", f"{path}/seats/me")
    house.send(host, "PUT", f"{path}/seats/1/ai", {"level": "easy"})
    house.send(host, "DELETE", f"{path}/seats/1")
    house.send(tokens[1], "POST", f"{path}/seats", {"seat": 1, "join_code": code})
    for token in tokens:
        house.send(token, "PUT", f"{path}/seats/me/entropy", {"entropy": "00ff"})
        house.send(token, "PUT", f"{path}/seats/me/ready", {})
    house.send(host, "POST", f"{path}/votes", {"kind": "abandon"})
    vote = house.world.tables.load(table)["vote"]["id"]
    house.send(tokens[1], "PUT", f"{path}/votes/{vote}", {"approve": False})
    house.send(host, "PATCH", "/v1/me", {"name": "Lin"})
    taken_back = False
    while (state := house.world.tables.load(table))["status"] == "playing":
        decision = state["decision"]
        seat = waited_for(state)[0]
        view = house.world.app.test_client().get(path, headers={"Authorization": f"Bearer {tokens[seat]}"}).json
        command = dict(ai.choose(view, b"seed"))
        kind = command.pop("type").replace("_", "-")
        if kind == "ready":
            house.send(tokens[seat], "PUT", f"{path}/seats/me/ready", {})
            continue
        house.send(tokens[seat], "POST", f"{path}/{kind}", {"decision_id": decision["id"], **command})
        if kind == "play" and not taken_back and house.world.tables.load(table)["round"].get("returnable"):
            taken_back = True
            house.send(tokens[seat], "POST", f"{path}/take-back")
            for other in tokens[:seat] + tokens[seat + 1 :]:
                house.send(other, "POST", f"{path}/take-back/answer", {"accept": True})
    if ruleset != "arms_length":
        house.send(host, "POST", f"{path}/chat", {"preset": "good_game"})
    house.send(tokens[2], "DELETE", f"{path}/seats/me")
    house.send(host, "DELETE", path)
    stored = house.world.stores.tables.load(table).state
    # When a finished game is kept depends on who comes first: the next request, or a second copy of the last one.
    log = [event | {"at": None} if event["type"] == "game_kept" else event for event in house.world.tables.log(table)]
    return {"state": stored, "log": log, "taken_back": taken_back}


def played(url, way, game):
    """What the store holds of a game that was played in this way, with random ids replaced by numbers."""
    world = World(url, Settings())
    world.redis.flushall()
    try:
        left = whole_game(House(world, way), *game)
    finally:
        world.close()
    table = left["state"]["id"].removeprefix("tb_")
    seated = [event["data"]["occupant"]["player"] for event in left["log"] if event["type"] == "seat_taken"]
    text = json.dumps(left)
    for number, player in enumerate(dict.fromkeys(seated)):
        text = text.replace(player, f"player {number}")
    return json.loads(text.replace(table, "table"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_every_request_of_a_game_may_be_sent_twice(empty_redis, game):
    left = played(empty_redis, once, game)
    types = {event["type"] for event in left["log"]}
    assert {"game_ended", "vote_closed", "entropy_given", "settings_changed", "seat_left", "table_closed"} <= types
    assert played(empty_redis, twice, game) == left
    assert played(empty_redis, at_once, game) == left
