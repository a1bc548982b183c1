"""Challenges: who may be asked for which game, the first answer, and the game that follows."""

import pytest

from service.common.settings import Settings
from service.matchmaking.challenges import ANSWER_MS
from service.store.matchmaking.challenges import KEPT_MS, ChallengeStore
from tests.api.conftest import World
from tests.api.contract import assert_problem

GAME = {"ruleset": "shengji", "players": 4}
ANY = {"concurrent": 2}


@pytest.fixture(scope="module")
def shared(module_redis):
    """One service for all tests of this module."""
    new_world = World(module_redis, Settings())
    yield new_world
    new_world.close()


@pytest.fixture
def world(shared):
    """The service with all budgets full and nobody present."""
    shared.counter.counts.clear()
    shared.now += 120_000
    yield shared
    assert shared.caches_what_is_stored()


@pytest.fixture
def lin(world):
    return world.player("Lin", "human")


@pytest.fixture
def bot(world):
    """A bot that is present and accepts any challenge."""
    client = world.player("Ten lines")
    accepting(world, client)
    return client


def accepting(world, client, **accepts):
    answer = client.patch("/v1/me", {"accepts": {**ANY, **accepts}})
    assert answer.status_code == 200, answer.json
    world.stores.people.note_here([client.player["id"]], world.now)


def challenge(client, other, **more):
    return client.post(f"/v1/players/{other.player['id']}/challenges", {**GAME, **more})


def path_of(answer):
    assert answer.status_code == 201, answer.json
    return f"/v1/challenges/{answer.json['challenge']}"


def notes(world, client):
    return [(note.type, note.data) for note in world.stores.inbox.after(client.player["id"], 0, 100)]


def test_an_accepted_challenge_starts_a_rated_game_of_the_two(world, lin, bot):
    answer = challenge(lin, bot)
    path = path_of(answer)
    assert (answer.json["state"], answer.json["remaining_ms"], answer.json["table"]) == ("open", ANSWER_MS, None)
    [(kind, data)] = notes(world, bot)
    assert (kind, data["challenge"], data["name"]) == ("challenged", answer.json["challenge"], "Lin")
    accepted = bot.put(f"{path}/answer", {"accept": True}).json
    assert bot.put(f"{path}/answer", {"accept": True}).json == accepted  # a retry
    assert lin.get(path).json == accepted
    view = lin.get(f"/v1/tables/{accepted['table']}").json
    assert (view["status"], view["host"], view["practice"]) == ("playing", "", None)
    names = [seat["occupant"]["name"] for seat in view["seats"]]
    assert names == ["Lin", "Ten lines", "AI 3", "AI 4"]
    assert [data["table"] for kind, data in notes(world, lin) if kind == "seated"] == [accepted["table"]]
    page = bot.get("/v1/me/events?after=0").json["events"]
    assert [event["type"] for event in page][:2] == ["challenged", "seated"]


def test_an_unrated_challenge_is_a_practice_table(world, lin, bot):
    path = path_of(challenge(lin, bot, rated=False))
    accepted = bot.put(f"{path}/answer", {"accept": True})
    table = accepted.json["table"]
    assert lin.get(f"/v1/tables/{table}").json["practice"] == {"seed": None}
    # With the seed, both would know all cards.
    seed = world.tables.load(table)["settings"]["seed"]
    assert len(seed) == 32
    assert seed not in accepted.get_data(as_text=True) + lin.get(path).get_data(as_text=True)


def test_a_challenge_may_be_declined_with_a_reason(world, lin, bot):
    path = path_of(challenge(lin, bot))
    declined = bot.put(f"{path}/answer", {"accept": False, "reason": "busy"}).json
    assert (declined["state"], declined["reason"], declined["table"]) == ("declined", "busy", None)
    data = {"challenge": declined["challenge"], "player": bot.player["id"], "reason": "busy"}
    assert notes(world, lin) == [("challenge_declined", data)]
    assert_problem(bot.put(f"{path}/answer", {"accept": True}), "challenge-over", state="declined")
    assert_problem(lin.delete(path), "challenge-over", state="declined")


def test_a_challenge_may_be_withdrawn_and_expires(world, lin, bot):
    path = path_of(challenge(lin, bot))
    assert lin.delete(path).status_code == lin.delete(path).status_code == 204
    assert_problem(bot.put(f"{path}/answer", {"accept": True}), "challenge-over", state="withdrawn")
    late = path_of(challenge(lin, bot))
    world.now += ANSWER_MS + 1
    assert bot.get(late).json["state"] == "expired"
    assert_problem(bot.put(f"{late}/answer", {"accept": True}), "challenge-over", state="expired")


def test_only_the_two_players_see_a_challenge(world, lin, bot):
    path = path_of(challenge(lin, bot))
    assert_problem(world.player().get(path), "not-found")
    assert_problem(lin.put(f"{path}/answer", {"accept": True}), "not-found")
    assert_problem(bot.delete(path), "not-found")
    assert_problem(lin.get("/v1/challenges/ch_none"), "not-found")


@pytest.mark.parametrize(
    ("accepts", "terms", "what"),
    [
        ({"from": "bots"}, {}, "from"),
        ({"from": "friends"}, {}, "from"),
        ({"rulesets": ["sishifen"]}, {}, "rulesets"),
        ({"players": [6]}, {}, "players"),
        ({"clocks": ["fast"]}, {}, "clocks"),
        ({"rated": "rated"}, {"rated": False}, "rated"),
        ({"rated": "unrated"}, {}, "rated"),
    ],
)
def test_a_challenge_that_a_player_does_not_accept_is_refused(world, lin, bot, accepts, terms, what):
    accepting(world, bot, **accepts)
    assert_problem(challenge(lin, bot, **terms), "not-accepted", what=what)
    assert notes(world, bot) == []


def test_friends_may_always_challenge_and_others_as_the_player_allows(world, lin, bot):
    accepting(world, bot, **{"from": "bots"})
    path_of(challenge(world.player("Other"), bot))
    assert_problem(challenge(lin, bot), "not-accepted", what="from")
    lin.put(f"/v1/me/friends/{bot.player['id']}")
    bot.put(f"/v1/me/friends/{lin.player['id']}")
    path_of(challenge(lin, bot))


def test_games_with_ai_players_alone_keep_nobody_from_being_challenged(world, lin, bot):
    accepting(world, bot, concurrent=1)
    for _ in range(3):
        table = bot.post("/v1/tables", {"ruleset": "shengji", "players": 4, "ai_pace_ms": 10_000}).json["id"]
        bot.post(f"/v1/tables/{table}/seats", {"seat": 0})
        for seat in (1, 2, 3):
            bot.put(f"/v1/tables/{table}/seats/{seat}/ai", {})
        assert bot.put(f"/v1/tables/{table}/seats/me/ready", {}).json["view"]["status"] == "playing"
    assert [each["player"] for each in lin.get("/v1/bots").json["items"]] == [bot.player["id"]]
    path_of(challenge(lin, bot))


def test_a_player_who_takes_none_is_away_or_has_enough_games_is_not_challenged(world, lin, bot):
    assert_problem(challenge(bot, lin), "not-accepted", what="challenges")
    for _ in range(ANY["concurrent"]):
        bot.put(f"{path_of(challenge(lin, bot))}/answer", {"accept": True})
    assert_problem(challenge(lin, bot), "not-accepted", what="concurrent")
    assert lin.get("/v1/bots").json["items"] == []
    world.now += 60_000
    assert_problem(challenge(lin, bot), "not-accepted", what="away")


def test_to_a_blocked_player_whoever_has_blocked_them_is_away(world, lin, bot):
    bot.put(f"/v1/me/blocks/{lin.player['id']}")
    assert_problem(challenge(lin, bot), "not-accepted", what="away")
    accepting(world, bot, rulesets=["sishifen"])
    assert_problem(challenge(lin, bot), "not-accepted", what="rulesets")
    assert lin.get("/v1/bots").json["items"] == []


def test_a_retry_with_its_key_leads_to_the_same_challenge(world, lin, bot):
    headers = {"Idempotency-Key": "0123456789abcdef"}
    path = f"/v1/players/{bot.player['id']}/challenges"
    first, again = (lin.post(path, GAME, headers=headers).json for _ in range(2))
    assert first == again
    assert len(notes(world, bot)) == 1


@pytest.mark.parametrize("terms", [{"players": 5}, {"preset": "none"}])
def test_a_challenge_to_an_unknown_game_is_refused(lin, bot, terms):
    assert_problem(challenge(lin, bot, **terms), "invalid-request")


def test_bots_that_are_present_are_listed_with_the_challenges_they_take(world, lin, bot):
    accepting(world, world.player("Mei", "human"))
    [item] = lin.get("/v1/bots").json["items"]
    accepted = {"rulesets": [], "players": [], "clocks": [], "rated": "any", "from": "anyone", "concurrent": 2}
    assert item == {"player": bot.player["id"], "name": "Ten lines", "accepts": accepted}
    assert lin.get(f"/v1/players/{bot.player['id']}").json["accepts"] == accepted
    assert bot.patch("/v1/me", {"accepts": {"concurrent": 0}}).json["accepts"] is None
    assert lin.get("/v1/bots").json["items"] == []
    assert_problem(lin.post(f"/v1/players/{lin.player['id']}/challenges", GAME), "not-found")


def test_a_challenge_takes_half_a_kilobyte_for_ten_minutes(world, lin, bot):
    name = f"sj:{{quick}}:challenge:{path_of(challenge(lin, bot)).rpartition('/')[2]}"
    assert world.redis.memory_usage(name, samples=0) <= 600
    assert 0 < world.redis.pttl(name) <= KEPT_MS


def test_of_two_answers_at_the_same_time_the_first_counts(world, lin, bot):
    store, name = ChallengeStore(world.redis), path_of(challenge(lin, bot)).rpartition("/")[2]
    assert [store.answer(name, answer) for answer in ("accepted", "withdrawn")] == ["accepted", "accepted"]
    assert store.answer("ch_none", "accepted") is None
    assert world.redis.exists("sj:{quick}:challenge:ch_none") == 0
