"""Quick play: tickets, matches, confirmations, tables without a host."""

import pytest

from harness.waiting import wait_until
from service.matchmaking.quick_play import CONFIRM_MS, GONE_MS
from service.store import keys
from service.store.players.people import MOST_BLOCKS
from service.store.players.results import PROVISIONAL_GAMES
from service.tables.results import new_result
from tests.api.contract import assert_problem
from tests.api.people.test_people import befriend, block, notes_of
from tests.api.streams.test_account_stream import opened
from tools.orders.messages import Messages

FOUR = {"ruleset": "shengji", "players": 4}


class Lounge:
    """People looking for a game, and the clock process that matches them."""

    def __init__(self, world):
        self.world = world
        self.quick_play = world.app.extensions["services"].quick_play

    def person(self, name="Lin", rating=None):
        client = self.world.player(name, "human")
        if rating is not None:
            me = client.player["id"]
            result = {**new_result(), "rated_games": PROVISIONAL_GAMES, "mu": rating + 3.0, "sigma": 1.0}
            self.world.stores.results.settle(f"gm_{me}", "shengji", [me], lambda _: {me: result}, lambda _: 1.0)
        return client

    def look(self, *clients, **wanted):
        """Have players look for a game, in this order."""
        for client in clients:
            answer = client.post("/v1/me/ticket", {**FOUR, **wanted})
            assert answer.status_code == 200, answer.json
            self.world.now += 1

    def match(self, seconds=0):
        """Let time pass with everybody present, then run the matching once; return the number of matches."""
        self.world.now += 1000 * seconds
        self.stay()
        return self.quick_play.tick()

    def stay(self):
        there = [player.decode() for player in self.world.redis.hkeys(keys.TICKET_OF)]
        self.world.stores.people.note_here(there, self.world.now)

    def confirm(self, *clients):
        return [client.put("/v1/me/ticket/confirmation").json for client in clients]


@pytest.fixture
def lounge(world):
    return Lounge(world)


def state_of(client):
    return client.get("/v1/me/ticket").json["state"]


def table_of(world, client):
    return world.tables.load(client.get("/v1/me/ticket").json["table"])


def names_at(state):
    return [seat["occupant"]["name"] for seat in state["seats"]]


# --- a match ----------------------------------------------------------------------------------------------------------


def test_four_people_who_want_the_same_game_play_once_they_have_confirmed(world, lounge):
    people = [lounge.person(name) for name in ("Ann", "Bo", "Cai", "Dan")]
    lounge.look(*people)
    assert lounge.match() == 1
    assert [state_of(each) for each in people] == ["matched"] * 4
    answers = lounge.confirm(*people)
    assert [answer["state"] for answer in answers] == ["matched"] * 3 + ["seated"]
    state = table_of(world, people[0])
    assert (state["status"], state["host"], sorted(names_at(state))) == ("playing", "", ["Ann", "Bo", "Cai", "Dan"])
    assert [entry["table"] for entry in people[2].get("/v1/me/tables").json["items"]] == [state["id"]]
    for person in people:
        kinds = [kind for kind, _ in notes_of(world, person)]
        assert kinds == ["matched", "seated"]
    # Nothing of the match remains, and a second confirmation changes nothing.
    assert lounge.confirm(people[0])[0]["table"] == state["id"]
    assert world.redis.keys("sj:{quick}:match:*") == world.redis.hkeys(keys.TICKET_OF) == []
    assert lounge.quick_play.store.is_idle(world.now)


def test_streams_and_long_polls_learn_of_a_match_at_once(world, lounge):
    lin, mei = lounge.person("Lin"), lounge.person("Mei")
    lounge.look(lin, mei, ai_after_s=0)
    tag = lin.get("/v1/me/ticket").headers["ETag"]
    assert lin.get("/v1/me/ticket", headers={"If-None-Match": tag}).status_code == 304
    with opened(lin) as stream:
        lounge.match()
        kind, data = stream.event()
        assert (kind, data["people"], data["players"], data["remaining_ms"]) == ("matched", 2, 4, CONFIRM_MS)
        answer = lin.get("/v1/me/ticket?wait=5", headers={"If-None-Match": tag}).json
        assert (answer["state"], answer["match"]["missing"]) == ("matched", 2)
        lounge.confirm(lin, mei)
        wait_until(lambda: state_of(lin) == "seated")
        assert stream.event()[0] == "seated"


def test_a_poll_without_news_does_not_read_the_tickets_of_others(lounge, monkeypatch):
    lin = lounge.person()
    lounge.look(lin)
    tag = lin.get("/v1/me/ticket").headers["ETag"]
    monkeypatch.delattr(type(lounge.quick_play.store), "waiting")
    assert lin.get("/v1/me/ticket", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("people", [1, 2, 3])
def test_after_the_wait_ai_players_fill_the_seats_that_are_left(world, lounge, people):
    clients = [lounge.person(f"P{number}") for number in range(people)]
    lounge.look(*clients, ai_level="hard")
    assert lounge.match(19) == 0
    assert lounge.match(1) == 1
    lounge.confirm(*clients)
    state = table_of(world, clients[0])
    levels = [seat["occupant"]["level"] for seat in state["seats"]]
    assert (state["status"], levels.count("hard"), levels.count(None)) == ("playing", 4 - people, people)


def test_a_player_who_wants_no_ai_players_waits_on(lounge):
    lin = lounge.person()
    lounge.look(lin, ai=False)
    assert lounge.match(600) == 0
    assert state_of(lin) == "waiting"


@pytest.mark.parametrize("other", [{"clock": "fast"}, {"preset": "zhang"}, {"ruleset": "sishifen"}, {"ai_after_s": 60}])
def test_only_players_who_want_the_same_game_are_matched(lounge, other):
    lin, mei = lounge.person(), lounge.person()
    lounge.look(lin)
    lounge.look(mei, **other)
    lounge.match(20)
    body = lin.get("/v1/me/ticket").json["match"]["people"]
    assert body == (2 if other == {"ai_after_s": 60} else 1)


@pytest.mark.parametrize("is_public", [False, True])
def test_subscriptions_cover_a_table_found_by_quick_play(world, lounge, is_public):
    lin, mei, messages = lounge.person("Lin"), lounge.person("Mei"), Messages(world)
    messages.subscribe(lin)
    if is_public:
        table = mei.post("/v1/tables", {**FOUR, "visibility": "public"}).json["id"]
        mei.post(f"/v1/tables/{table}/seats", {})
        lounge.look(lin)
    else:
        lounge.look(lin, ai_after_s=0)
        lounge.match()
        lounge.confirm(lin)
        messages.run()
    table = lin.get("/v1/me/ticket").json["table"]
    assert world.redis.hget(keys.head(table), "n") == b"0"


# --- confirming -------------------------------------------------------------------------------------------------------


def test_a_player_who_does_not_confirm_loses_the_ticket_and_the_others_come_first(world, lounge):
    people = [lounge.person(f"P{number}") for number in range(4)]
    lounge.look(*people)
    lounge.match()
    lounge.confirm(*people[:3])
    world.now += CONFIRM_MS
    newcomers = [lounge.person(f"N{number}") for number in range(2)]
    lounge.look(*newcomers)
    lounge.match()
    assert_problem(people[3].get("/v1/me/ticket"), "not-found", what="ticket")
    assert_problem(people[3].put("/v1/me/ticket/confirmation"), "not-matched")
    assert notes_of(world, people[3])[-1][1]["waiting"] is False
    assert notes_of(world, people[0])[1][1]["waiting"] is True
    assert [state_of(each) for each in (*people[:3], *newcomers)] == ["matched"] * 4 + ["waiting"]


def test_when_a_player_withdraws_from_a_match_the_others_wait_on(lounge):
    people = [lounge.person(f"P{number}") for number in range(4)]
    lounge.look(*people)
    lounge.match()
    assert people[1].delete("/v1/me/ticket").status_code == 204
    assert people[1].delete("/v1/me/ticket").status_code == 204
    assert [state_of(people[each]) for each in (0, 2, 3)] == ["waiting"] * 3
    assert_problem(people[1].get("/v1/me/ticket"), "not-found")


def test_an_erased_player_has_no_ticket(world, lounge):
    people = [lounge.person(f"P{number}") for number in range(4)]
    lounge.look(*people)
    lounge.match()
    people[0].delete("/v1/me")
    assert [state_of(each) for each in people[1:]] == ["waiting"] * 3
    assert world.redis.hlen(keys.TICKETS) == 3


def test_an_absent_player_is_not_matched_and_loses_the_ticket(world, lounge):
    lin = lounge.person()
    lounge.look(lin)
    world.now += 20_000
    assert lounge.quick_play.tick() == 0, "not heard of lately"
    world.now += GONE_MS
    lounge.quick_play.tick()
    assert_problem(lin.get("/v1/me/ticket"), "not-found")
    assert world.redis.keys("sj:{quick}:*") == []


def test_another_process_finishes_a_match_when_one_dies(world, lounge, monkeypatch):
    people = [lounge.person(f"P{number}") for number in range(4)]
    lounge.look(*people)
    with monkeypatch.context() as dying:
        dying.setattr(lounge.quick_play, "_tell_matched", lambda _: None)
        lounge.match()
    assert notes_of(world, people[0]) == []
    lounge.match()
    assert notes_of(world, people[0])[0][0] == "matched"
    with monkeypatch.context() as dying:
        dying.setattr(lounge.quick_play, "_seat", lambda _: None)
        lounge.confirm(*people)
        people[0].delete("/v1/me/ticket")
        assert state_of(people[0]) == "matched", "all have confirmed: it goes on"
        lounge.match(1)
    assert state_of(people[0]) == "matched"
    lounge.match(5)
    state = table_of(world, people[0])
    assert state["status"] == "playing"
    # Another match seats them at another table.
    lounge.quick_play._seat({**people_match(state, people), "id": "ma_other"})
    assert len(people[0].get("/v1/me/tables").json["items"]) == 2


def people_match(state, people):
    ids = [seat["occupant"]["player"] for seat in state["seats"]]
    kind = {"ruleset": "shengji", "players": 4, "preset": None, "clock": "normal"}
    return {"kind": kind, "seats": ids, "ai_level": "easy", "tickets": []}


def test_seating_twice_gives_the_same_table(world, lounge):
    people = [lounge.person(f"P{number}") for number in range(3)]
    ids = [person.player["id"] for person in people]
    kind = {"ruleset": "shengji", "players": 4, "preset": None, "clock": "fast"}
    match = {"id": "ma_1", "kind": kind, "seats": [*ids, None], "ai_level": "easy", "tickets": []}
    for _ in range(2):
        lounge.quick_play._seat(match)
        [entry] = people[0].get("/v1/me/tables").json["items"]
    state = world.tables.load(entry["table"])
    assert (state["status"], state["game"]["id"][-1]) == ("playing", "1")
    assert state["settings"]["clock"]["play_ms"] == 15_000


# --- people -----------------------------------------------------------------------------------------------------------


def test_blocked_people_are_never_matched(lounge):
    people = [lounge.person(f"P{number}") for number in range(5)]
    block(people[0], people[1])
    lounge.look(*people)
    lounge.match()
    assert [state_of(each) for each in people] == ["matched", "waiting", "matched", "matched", "matched"]


def test_a_player_blocked_between_match_and_game_is_replaced_by_an_ai_player(world, lounge):
    people = [lounge.person(f"P{number}") for number in range(4)]
    lounge.look(*people)
    lounge.match()
    block(people[3], people[1])
    lounge.confirm(*people)
    state = table_of(world, people[0])
    kinds = sorted(seat["occupant"]["kind"] for seat in state["seats"])
    assert (state["status"], kinds) == ("playing", ["ai", "human", "human", "human"])


def test_a_party_of_friends_plays_together_as_partners(world, lounge):
    lin, mei, yun, kai = (lounge.person(name) for name in ("Lin", "Mei", "Yun", "Kai"))
    befriend(lin, mei)
    befriend(mei, lin)
    lounge.look(yun)
    lounge.look(lin, **{"with": [mei.player["id"]]})
    ticket = mei.get("/v1/me/ticket").json
    assert ticket["party"] == [lin.player["id"], mei.player["id"]]
    # Mei is told at once, and by whom.
    assert ticket["asker"] == "Lin"
    assert "asker" not in lin.get("/v1/me/ticket").json
    kind, data = notes_of(world, mei)[-1]
    assert (kind, data["ticket"], data["player"], data["name"]) == (
        "party_opened",
        ticket["ticket"],
        lin.player["id"],
        "Lin",
    )
    assert_problem(mei.post("/v1/me/ticket", FOUR), "ticket-open")
    lounge.look(kai)
    lounge.match()
    lounge.confirm(lin, mei, yun, kai)
    names = names_at(table_of(world, lin))
    assert (names.index("Lin") - names.index("Mei")) % 2 == 0


def test_any_member_can_end_the_ticket_of_a_party(world, lounge):
    lin, mei = lounge.person("Lin"), lounge.person("Mei")
    befriend(lin, mei)
    befriend(mei, lin)
    lounge.look(lin, **{"with": [mei.player["id"]]})
    mei.delete("/v1/me/ticket")
    assert_problem(lin.get("/v1/me/ticket"), "not-found")
    assert notes_of(world, lin)[-1][0] == "unmatched"


def test_a_party_with_strangers_or_blocked_or_busy_members_is_refused(lounge):
    lin, mei, yun = (lounge.person(name) for name in ("Lin", "Mei", "Yun"))
    wanted = {**FOUR, "with": [mei.player["id"]]}
    assert_problem(lin.post("/v1/me/ticket", wanted), "not-friends", players=[mei.player["id"]])
    befriend(lin, mei)
    befriend(mei, lin)
    lounge.look(mei)
    assert_problem(lin.post("/v1/me/ticket", wanted), "party-busy", player=mei.player["id"])
    assert_problem(lin.get("/v1/me/ticket"), "not-found")
    mei.delete("/v1/me/ticket")
    block(mei, lin)
    assert_problem(lin.post("/v1/me/ticket", wanted), "not-friends")
    assert_problem(
        lin.post("/v1/me/ticket", {**FOUR, "with": [yun.player["id"]] * 2}), "not-friends", players=[yun.player["id"]]
    )


def test_a_second_ticket_is_refused_with_the_first(lounge):
    lin = lounge.person()
    lounge.look(lin)
    ticket = lin.get("/v1/me/ticket").json["ticket"]
    assert_problem(lin.post("/v1/me/ticket", FOUR), "ticket-open", ticket=ticket)


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"players": 6}, "not_for_so_many"),
        ({"preset": "none_such"}, "no_such_preset"),
        ({"rating": {"low": 30, "high": 10}}, "window_excludes_all"),
        ({"with": [f"pl_{number}" for number in range(4)]}, "party_too_large"),
    ],
)
def test_an_impossible_ticket_is_refused_with_the_reason(lounge, wanted, reason):
    assert_problem(lounge.person().post("/v1/me/ticket", {**FOUR, **wanted}), "invalid-request", reason=reason)


# --- open tables, and pools -------------------------------------------------------------------------------------------


def test_a_seat_at_a_public_table_of_the_same_kind_comes_first(world, lounge):
    lin, mei = lounge.person("Lin"), lounge.person("Mei")
    empty, other, right = (
        lin.post("/v1/tables", {**FOUR, "visibility": "public", **spec}).json["id"]
        for spec in ({}, {"options": {"deal_pace": "instant"}}, {})
    )
    for table in (other, right):
        lin.post(f"/v1/tables/{table}/seats", {})
    taken = mei.post("/v1/me/ticket", FOUR).json
    assert (taken["state"], taken["table"]) == ("seated", right)
    assert mei.post("/v1/me/ticket", FOUR).json["table"] == right, "a retry"
    assert world.tables.load(empty)["seats"][0]["occupant"] is None
    assert world.redis.hlen(keys.TICKET_OF) == 0


def test_a_public_table_with_a_blocked_player_is_skipped(lounge):
    lin, mei = lounge.person("Lin"), lounge.person("Mei")
    table = lin.post("/v1/tables", {**FOUR, "visibility": "public"}).json["id"]
    lin.post(f"/v1/tables/{table}/seats", {})
    block(lin, mei)
    assert mei.post("/v1/me/ticket", FOUR).json["state"] == "waiting"


def test_pools_say_how_many_people_are_looking(lounge):
    people = [lounge.person() for _ in range(3)]
    lounge.look(*people[:2])
    lounge.look(people[2], clock="fast")
    items = people[0].get("/v1/pools").json["items"]
    assert [(item["clock"], item["people"]) for item in items] == [("normal", 2), ("fast", 1)]
    assert people[0].get("/v1/me/ticket").json["looking"] == 2


def test_a_ticket_with_the_most_blocks_takes_five_kilobytes(world, lounge):
    lin = lounge.person()
    blocks = {f"pl_{number:012}": 1 for number in range(MOST_BLOCKS)}
    world.redis.zadd(keys.blocks_of(lin.player["id"]), blocks)
    lounge.look(lin)
    assert sum(world.redis.memory_usage(key, samples=0) for key in world.redis.keys("sj:{quick}:*")) <= 5_000


def test_nobody_becomes_the_host_of_a_table_without_one(world, lounge):
    lin, mei = lounge.person("Lin"), lounge.person("Mei")
    lounge.look(lin, mei, ai_after_s=0)
    lounge.match()
    lounge.confirm(lin, mei)
    path = f"/v1/tables/{lin.get('/v1/me/ticket').json['table']}"
    assert lin.get(path).json["host"] == ""
    assert_problem(lin.delete(path), "not-host")
    assert lin.post(f"{path}/votes", {"kind": "abandon"}).status_code == 200
