"""Objections to plays of AI players: who may make them, what is kept, and what operators get."""

import json
from random import Random

import pytest

from service.accounts import kept_bytes
from service.api.resources.objections import shown_objection
from service.game.commands.ai_moves import seed_for
from service.game.records.decisions import decisions_of
from service.game.views.ai_view import ai_view, without_people
from service.rules.versions import RULES
from service.store.moderation.objections import MOST_OBJECTIONS, MOST_OBJECTIONS_OF
from tests.api.contract import assert_problem
from tests.api.game.test_games import one_round
from workers import ai

SECRET = "x" * 32
MINE = "/v1/me/objections"


class Played:
    """A finished round of a person, on seat 0, and AI players."""

    def __init__(self, world, level="normal", **spec):
        self.world = world
        table = self.table = world.table(seated=False, **spec)
        self.host = table.host
        self.host.post(f"{table.path}/seats", {"seat": 0})
        for seat in range(1, spec.get("players", 4)):
            self.host.put(f"{table.path}/seats/{seat}/ai", {"level": level})
        self.host.put(f"{table.path}/seats/me/ready", {})
        while (decision := table.state()["decision"])["kind"] != "ready":
            table.step() if decision["seats"] == [0] else world.advance(table.id)
        self.game = table.state()["game"]["id"]
        self.path = f"/v1/games/{self.game}/rounds/1"
        self.actions = self.host.get(self.path).json["actions"]

    def address(self, action):
        return f"{self.path}/objections/{action['seq']}"

    def by(self, who, kind="play"):
        """Actions of a kind that were made by an AI player or a person."""
        return [each for each in self.actions if (each["by"], each["type"]) == (who, kind)]

    def follower(self):
        """A play of an AI player that could have been another one, and the card of that one."""
        for taken in decisions_of(self.world.tables.game_log(self.game), 1):
            action, view = taken.action, taken.view()
            if action["by"] == "ai" and action["type"] == "play" and len(action["cards"]) == 1:
                for card in sorted(set(view["my"]["hand"]) - set(action["cards"])):
                    if self.host.put(self.address(action), {"instead": [card]}).status_code == 200:
                        return action, card
        raise AssertionError("every play was forced")


@pytest.fixture
def played(world):
    world.start(operator_token=SECRET)
    return Played(world)


@pytest.fixture
def operator(world, played):
    return world.anybody.with_token(SECRET)


def positions(operator):
    return operator.get("/v1/operator/objections").json["items"]


def test_a_play_of_an_ai_player_is_objected_to_and_the_objection_taken_back(played):
    action = played.by("ai")[3]
    answer = played.host.put(played.address(action), {})
    assert answer.status_code == 200, answer.json
    body = answer.json
    assert (body["game"], body["table"], body["round"], body["seq"]) == (played.game, played.table.id, 1, action["seq"])
    assert (body["seat"], body["level"], body["instead"]) == (action["seat"], "normal", None)
    assert body["action"] == {"type": "play", "cards": action["cards"]}
    assert played.host.get(MINE).json == {"items": [body], "next_cursor": None}
    for _ in range(2):
        assert played.host.delete(played.address(action)).status_code == 204
        assert played.host.get(MINE).json["items"] == []


def test_the_other_play_is_kept_if_the_rules_allow_it(played):
    action, card = played.follower()
    assert played.host.put(played.address(action), {"instead": [card]}).json["instead"] == [card]
    # One for each play: it is replaced.
    assert played.host.put(played.address(action), {}).json["instead"] is None
    assert len([each for each in played.host.get(MINE).json["items"] if each["seq"] == action["seq"]]) == 1
    same = played.host.put(played.address(action), {"instead": action["cards"]})
    assert "the cards that the AI player chose" in assert_problem(same, "invalid-request")["detail"]
    assert_problem(
        played.host.put(played.address(action), {"instead": [*action["cards"], "BJ", "BJ", "BJ"]}), "cards-not-held"
    )
    assert_problem(played.host.put(played.address(action), {"instead": ["1X"]}), "invalid-request")


def test_what_may_not_be_objected_to_is_refused_with_a_sentence(world, played):
    person, ai_play = played.by("player")[0], played.by("ai")[0]
    refusal = assert_problem(played.host.put(played.address(person), {}), "invalid-request")
    assert "not decided by an AI player" in refusal["detail"]
    for missing in (0, 1, person["seq"] + 1_000_000, 2**31):
        answer = played.host.put(f"{played.path}/objections/{missing}", {})
        assert_problem(answer, "not-found", what="decision")
    assert_problem(played.host.put(f"/v1/games/{played.game}/rounds/9/objections/1", {}), "not-found", what="round")
    assert_problem(played.host.put("/v1/games/gm_none_1/rounds/1/objections/1", {}), "not-found")
    assert_problem(world.anybody.put(played.address(ai_play), {}), "unauthorized")
    passed = played.by("ai", "pass")
    if passed:
        answer = played.host.put(played.address(passed[0]), {"instead": ["2S"]})
        assert_problem(answer, "invalid-request", reason="no_other_cards")
    assert played.host.get(MINE).json["items"] == []


def test_a_round_that_is_being_played_is_refused(world):
    table = one_round(world)
    path = f"/v1/games/{table.state()['game']['id']}/rounds/2"
    assert_problem(table.host.put(f"{path}/objections/1", {}), "not-finished", what="round")


def test_a_stranger_objects_to_nothing_at_a_private_table_nor_at_a_public_one(world, played):
    stranger = world.player()
    action = played.by("ai")[0]
    assert_problem(stranger.put(played.address(action), {}), "no-spectators")
    public = Played(world, visibility="public", spectators="delayed")
    world.now += public.table.state()["settings"]["spectator_delay_ms"]
    assert stranger.get(public.path).status_code == 200
    answer = stranger.put(public.address(public.by("ai")[0]), {})
    assert "did not play in this game" in assert_problem(answer, "invalid-request", reason="not_played_in")["detail"]
    # Nobody sees or removes the objections of others.
    public.host.put(public.address(public.by("ai")[0]), {})
    assert stranger.get(MINE).json["items"] == []
    assert stranger.delete(public.address(public.by("ai")[0])).status_code == 204
    assert len(public.host.get(MINE).json["items"]) == 1


def test_operators_get_the_position_without_people(world, played, operator):
    action = played.by("ai")[5]
    played.host.put(played.address(action), {})
    [position] = positions(operator)
    [taken] = [
        each for each in decisions_of(world.tables.game_log(played.game), 1) if each.action["seq"] == action["seq"]
    ]
    assert position["view"] == json.loads(json.dumps(without_people(taken.view())))
    assert position["seed"] == seed_for(taken.before, action["seat"]).hex()
    assert (position["level"], position["rules"], position["ruleset"]) == ("normal", RULES, "shengji")
    held = played.table.state()["round"]["server_seed"]
    for secret in (played.host.player["id"], played.host.player["name"], held, played.table.host.token, "join_code"):
        assert secret not in json.dumps(position)
    # What the AI player decides from this position is what it decided then.
    again = ai.answer(ai.LEVELS["normal"], position["view"], bytes.fromhex(position["seed"]))
    assert sorted(again["cards"]) == sorted(action["cards"])


def test_operators_read_page_by_page_and_nobody_else_reads(world, played, operator):
    for action in played.by("ai")[:3]:
        world.now += 1
        played.host.put(played.address(action), {})
    first = operator.get("/v1/operator/objections?limit=2").json
    rest = operator.get(f"/v1/operator/objections?limit=2&cursor={first['next_cursor']}").json
    assert [each["seq"] for each in first["items"] + rest["items"]] == [
        each["seq"] for each in reversed(played.by("ai")[:3])
    ]
    assert rest["next_cursor"] is None
    assert_problem(operator.get("/v1/operator/objections?cursor=x"), "invalid-request")
    assert_problem(played.host.get("/v1/operator/objections"), "operators-only")


@pytest.mark.parametrize("ruleset", ["shengji", "sishifen", "arms_length", "zhaopengyou"])
@pytest.mark.parametrize("level", ["easy", "normal"])
def test_ai_players_decide_the_same_without_people(world, ruleset, level):
    players = 5 if ruleset == "zhaopengyou" else 4
    table = world.table(ruleset=ruleset, players=players)
    for _ in range(120):
        state = table.state()
        decision = state["decision"]
        if decision is None or decision["kind"] == "ready":
            break
        view = ai_view(state, decision["seats"][0], world.now)
        seed = Random(state["version"]).randbytes(8)
        assert ai.choose(view, seed, level) == ai.choose(without_people(view), seed, level)
        table.step()


def stored(game="gm_1", number=1, seq=1):
    return {"game": game, "round": number, "seq": seq, "at": 1}


def test_each_player_has_a_share_of_the_objections(world):
    store = world.stores.objections
    for seq in range(MOST_OBJECTIONS_OF + 5):
        store.put("pl_busy", {**stored(seq=seq), "at": seq + 1})
    assert [each["seq"] for each in store.of_player("pl_busy")] == [*range(MOST_OBJECTIONS_OF + 4, 4, -1)]
    store.put("pl_lone", {**stored(), "at": 1})
    for number in range(MOST_OBJECTIONS // MOST_OBJECTIONS_OF + 1):
        for seq in range(MOST_OBJECTIONS_OF):
            store.put(f"pl_{number}", {**stored(seq=seq), "at": 100 + number})
    assert world.redis.zcard("sj:{players}:objections") == MOST_OBJECTIONS
    assert world.redis.hlen("sj:{players}:objection") == MOST_OBJECTIONS
    assert world.redis.hlen("sj:{players}:objection-marks") == MOST_OBJECTIONS
    assert len(store.of_player("pl_lone")) == 1


def test_an_objection_takes_five_kilobytes(world):
    world.start()
    played = Played(world, ruleset="zhaopengyou", players=6)
    last = max(played.by("ai"), key=lambda each: each["seq"])
    played.host.put(played.address(last), {})
    sizes = [world.redis.memory_usage(name, samples=0) for name in world.redis.scan_iter("sj:{players}:objection*")]
    assert sum(sizes) <= kept_bytes.OBJECTION


def test_an_erasure_takes_the_objections_of_a_player_even_if_one_comes_too_late(world, played):
    played.host.put(played.address(played.by("ai")[0]), {})
    log = world.tables.game_log(played.game)
    me = played.host.player["id"]
    assert [each["seq"] for each in played.host.get("/v1/me/export").json["objections"]] == [played.by("ai")[0]["seq"]]
    assert played.host.delete("/v1/me").status_code == 204
    assert world.redis.keys("sj:{players}:objection*") == []
    world.services.objections.object(me, log, 1, played.by("ai")[1]["seq"], None)
    assert world.redis.keys("sj:{players}:objection*") == []


def test_the_reason_of_the_ai_player_is_worded(world):
    objection = {**stored(), "table": "tb_1", "seat": 0, "level": "easy", "action": {"type": "pass"}, "reason": None}
    assert shown_objection(objection, "en")["reason"] is None
    reason = {"code": "only-play", "params": {}}
    assert shown_objection({**objection, "reason": reason}, "en")["reason"]["text"] == "There is no better choice."
