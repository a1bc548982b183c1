"""What requests may cost in memory: docs/operations.md cites these tests for its table of bounds."""

import random

import pytest

from harness.driver import Driver
from service.accounts.accounts import MOST_TOKENS
from service.accounts.scopes import SCOPES
from service.api.http.auth import hash_of
from service.api.resources import RESOURCES
from service.boards.deals import new_event
from service.boards.scoring import standings
from service.common.settings import Budget
from service.game.commands.table import bounds
from service.store import keys
from service.store.players.inbox import INBOX_MS, MOST_NOTES, Note
from service.store.players.past_games import MOST_GAMES
from service.tables.past_games import past_game
from service.tables.results import DAY_MS, GUEST_MS, expire_guests
from service.tables.writing import LIFETIMES, UNUSED_LIFETIME_MS
from service.tournaments import forms
from service.tournaments.standings import room
from tests.api.contract import assert_problem
from tests.api.tournaments.test_team_events import Cup

NEW = {"ruleset": "shengji", "players": 4}


def key(number):
    return {"Idempotency-Key": f"0a7d3f52-9b1e-4c6f-8e21-{number:012}"}


def cost(world, pattern):
    """Bytes in Redis of all keys that match a pattern."""
    return sum(world.redis.memory_usage(name, samples=0) for name in world.redis.scan_iter(pattern))


def test_a_recorded_idempotency_key_takes_half_a_kilobyte(world):
    table = world.table(ready=False)
    table.host.post(f"{table.path}/chat", {"text": "x" * 200}, headers=key(1))
    table.host.post("/v1/tables", NEW, headers=key(2))
    world.anybody.post("/v1/players", {"name": "林" * 40}, headers=key(3))
    answers = list(world.redis.scan_iter("sj:answer:*"))
    assert len(answers) == 3
    assert max(world.redis.memory_usage(name) for name in answers) <= 640


def test_a_retried_message_gets_the_recorded_events(world):
    table = world.table(ready=False)
    first = table.host.post(f"{table.path}/chat", {"text": "hello"}, headers=key(1)).json
    for _ in range(10):
        table.host.post(f"{table.path}/chat", {"text": "and so on"})
    again = table.host.post(f"{table.path}/chat", {"text": "hello"}, headers=key(1)).json
    assert (again["seq"], again["events"]) == (first["seq"], first["events"])
    assert again["view"]["version"] == first["version"] + 10


def test_chat_has_a_budget_of_its_own(world):
    world.start(limit_chat=Budget(3, 3_600))
    table = world.table(ready=False)
    answers = [table.host.post(f"{table.path}/chat", {"preset": "hello"}) for _ in range(4)]
    assert_problem(answers[-1], "rate-limited", budget="chat")
    assert answers[-2].status_code == 200


def test_new_tables_are_charged_to_the_address_too(world):
    world.start(limit_register=Budget(3, 3_600))
    lin, mei = world.player("Lin"), world.player("Mei")
    assert lin.post("/v1/tables", NEW).status_code == 201
    assert_problem(mei.post("/v1/tables", NEW), "rate-limited", budget="register")


def test_new_tokens_are_charged_like_new_tables(world):
    lin = world.start(limit_create=Budget(2, 3_600)).with_token(world.player().token)
    for number in range(2):
        lin.token = lin.post("/v1/me/token", headers=key(number)).json["token"]
    assert_problem(lin.post("/v1/me/token", headers=key(3)), "rate-limited", budget="create")


def test_a_table_full_of_chat_takes_two_megabytes(world):
    chance = random.Random(1)
    table = world.table(ready=False, spectators="delayed")
    stranger = {"type": "chat", "player": "pl_stranger", "name": "X"}
    before, messages = None, 256
    for number in range(messages + 64):
        if number == 64:
            while world.stores.tables.tidy(100):
                pass
            before = cost(world, f"sj:*:{table.id}:*")
        text = "".join(chr(chance.randrange(0x4E00, 0x9FA5)) for _ in range(200))
        world.tables.act(table.id, {**stranger, "player": f"pl_{number % 8}", "text": text})
    while world.stores.tables.tidy(100):
        pass
    each = (cost(world, f"sj:*:{table.id}:*") - before) / messages
    assert each * (bounds.MOST_CHAT + bounds.MOST_SPECTATOR_CHAT) <= 2_000_000


def test_the_tables_that_a_player_hosts_at_a_time_are_limited(world):
    world.start(host_tables=2)
    host = world.player("Host")
    first, second = (host.post("/v1/tables", NEW, headers=key(n)).json["id"] for n in range(2))
    assert_problem(host.post("/v1/tables", NEW), "too-many-tables", limit=2)
    assert host.post("/v1/tables", NEW, headers=key(0)).json["id"] == first
    host.delete(f"/v1/tables/{second}")
    assert host.post("/v1/tables", NEW).status_code == 201
    assert_problem(host.post("/v1/tables", NEW), "too-many-tables", limit=2)
    assert world.player("Mei").post("/v1/tables", NEW).status_code == 201


def test_tables_that_have_expired_do_not_count(world):
    world.start(host_tables=1)
    host = world.player("Host")
    table = host.post("/v1/tables", NEW).json["id"]
    world.stores.tables.delete(table)
    assert host.post("/v1/tables", NEW).status_code == 201


def test_a_table_closed_without_a_game_expires_soon(world):
    host = world.player("Host")
    table = host.post("/v1/tables", NEW).json["id"]
    assert LIFETIMES["lobby"] - 10_000 < world.redis.pttl(keys.head(table)) <= LIFETIMES["lobby"]
    host.delete(f"/v1/tables/{table}")
    assert 0 < world.redis.pttl(keys.head(table)) <= UNUSED_LIFETIME_MS


def test_the_lists_of_a_players_tables_are_short(world):
    lin = world.player("Lin")
    for number in range(250):
        world.stores.players.add_table(lin.player["id"], f"tb_{number}", number)
    assert len(world.stores.players.tables_of(lin.player["id"])) == 200


def test_a_guest_who_is_away_for_a_week_is_erased(world):
    guests = [world.player(f"Guest {number}") for number in range(3)]
    world.now += GUEST_MS - DAY_MS
    world.start()
    assert world.anybody.with_token(guests[0].token).get("/v1/me").status_code == 200
    played = guests[1].player["id"]
    world.stores.results.settle("gm_1", "shengji", [played], lambda _: {played: {}}, lambda _: None)
    world.now += DAY_MS + 1
    assert expire_guests(world.stores.players, world.stores.results, world.stores.past_games, world.now, 10) == 1
    world.start()
    answers = [world.anybody.with_token(guest.token).get("/v1/players/me").status_code for guest in guests]
    assert answers == [404, 404, 401]
    assert expire_guests(world.stores.players, world.stores.results, world.stores.past_games, world.now, 10) == 0
    assert cost(world, "sj:{players}:*") < 3_000


def test_a_player_and_a_token_take_a_kilobyte(world):
    for number in range(40):
        # The first use of a token writes a key too.
        assert world.player(f"{number}" + "林" * 38).get("/v1/me").status_code == 200
    # In the first week with the hash of where the player has registered.
    assert cost(world, "sj:{players}:*") / 40 <= 1_100
    assert (cost(world, "sj:{players}:*") - cost(world, "sj:{players}:origin*")) / 40 <= 1_000


def test_the_tokens_of_a_player_take_fourteen_kilobytes(world):
    lin = world.player()
    # All but inboxes.
    before = cost(world, "sj:{players}:[^i]*")
    request = {"name": "林" * 40, "scopes": [*SCOPES][:-1], "expires_in_ms": 10**10}
    while lin.post("/v1/me/tokens", request).status_code == 201:
        pass
    for _ in range(2):
        lin.post("/v1/me/recovery-code")
        lin.post("/v1/me/link-codes")
    assert len(lin.get("/v1/me/tokens").json["items"]) == MOST_TOKENS
    assert cost(world, "sj:{players}:[^i]*") - before <= 14_000


def test_the_inbox_of_a_player_takes_a_hundred_and_fifty_kilobytes(world):
    lin = world.player()
    before = cost(world, "sj:{players}:*")
    token = world.stores.tokens.find(hash_of(lin.token), world.now).token
    for number in range(MOST_NOTES + 20):
        # The longest kind of note, with a long name.
        note = Note("signed_in", world.now, {"token": token["id"], "name": "林" * 40, "how": "token", "n": number})
        world.stores.inbox.put(lin.player["id"], note, "n")
    assert len(world.stores.inbox.after(lin.player["id"], 0, 1_000)) == MOST_NOTES
    assert cost(world, "sj:{players}:*") - before <= 150_000
    assert 0 < world.redis.pttl(keys.inbox(lin.player["id"])) <= INBOX_MS


@pytest.mark.parametrize("name", [operation.id for resource in RESOURCES for operation in resource.operations])
def test_every_operation_that_writes_has_a_budget(name):
    operation = next(each for resource in RESOURCES for each in resource.operations if each.id == name)
    assert operation.method == "GET" or operation.budget is not None


def test_a_list_of_past_games_takes_170_kilobytes_and_each_game_one(world, lin):
    me = lin.player["id"]
    world.redis.zadd(keys.past_games_of(me), {f"gm_{number:012}_1": number for number in range(MOST_GAMES)})
    driver = Driver("shengji", 4, {"start_level": "A"}, seed=3)
    for _ in driver.rounds(500):
        pass
    driver.state["seats"][0]["occupant"]["player"] = me
    world.stores.past_games.add(past_game(driver.state), None)
    assert world.redis.zcard(keys.past_games_of(me)) == MOST_GAMES == 2_000
    assert world.redis.memory_usage(keys.past_games_of(me), samples=0) <= 170_000
    assert cost(world, "sj:past:*") <= 1_000


def test_an_entrant_of_an_event_takes_one_and_a_half_kilobytes(world):
    event, entrants = new_event("ev_1", "shengji", 4, world.now, random.Random(1).randbytes), 200
    world.stores.boards.create(event, 86_400_000)
    players = [f"pl_{number:012}" for number in range(entrants)]
    for player in players:
        world.stores.boards.enter("ev_1", player, {"name": "A name of some length", "at": world.now})
        for number in range(1, len(event["boards"]) + 1):
            result = {"deal": 1, "game": "gm_7h2kx5q2m4na_1", "at": world.now, "value": -15, "points": 65}
            world.stores.boards.add_result("ev_1", number, player, {**result, "side": "attackers"})
    outcome = (world.stores.boards.results("ev_1", range(1, 9)), {})
    world.stores.boards.set_standings("ev_1", standings(event, world.stores.boards.entries("ev_1"), *outcome))
    of_event = list(world.redis.scan_iter(match="sj:{event:ev_1}:*"))
    assert len(of_event) == 11
    assert sum(world.redis.memory_usage(key, samples=0) for key in of_event) < 1_536 * entrants


def test_a_team_takes_a_kilobyte_and_the_result_of_a_room_a_sixth_of_one(world):
    cup = Cup(world, teams=16, rounds=2, boards=4)
    event, progress = world.stores.boards.event(cup.id), world.stores.boards.teams.progress(cup.id)
    assert len(progress["teams"]) == 16
    whose = list(world.redis.scan_iter(match=f"sj:{{event:{cup.id}}}:*"))
    before = sum(world.redis.memory_usage(key, samples=0) for key in whose)
    assert before < 1_024 * 16 + 3_000
    result = {"deal": 0, "game": "gm_7h2kx5q2m4na_1", "at": world.now, "value": -15, "points": 65, "side": "attackers"}
    for number in range(1, len(event["boards"]) + 1):
        for pair in range(1, 9):
            for which in (0, 1):
                world.stores.boards.add_result(cup.id, number, room(pair, which), {**result, "taken": [0, 3]})
    whose = list(world.redis.scan_iter(match=f"sj:{{event:{cup.id}}}:board:*"))
    assert len(whose) == 8
    assert sum(world.redis.memory_usage(key, samples=0) for key in whose) < 170 * 128


def test_an_arena_with_all_of_its_entries_and_tables_takes_a_megabyte(world):
    cup = Cup(world, form="arena", boards=forms.MOST_BOARDS_AT_TABLE, round_ms=forms.LONGEST_ARENA_MS)
    client = world.player("Lin")
    body = {"teams": [{"members": [{"player": client.player["id"]}]}]}
    assert client.post(f"{cup.path}/teams", body).status_code == 200
    assert cup.director.post(f"{cup.path}/rounds", {"round": 1}).status_code == 200
    units = [f"tm_{number:012}" for number in range(forms.FORMS[forms.ARENA].most_ever)]

    def full(progress):
        [team] = progress["teams"].values()
        absent = [{"since": 1, "until": None}]
        entry = {**progress["rounds"][0], "over": [*range(1, forms.MOST_TABLES + 1)]}
        entry |= {"tables": [units[at % 100 : at % 100 + 8] for at in range(forms.MOST_TABLES)]}
        entry |= {"waiting": dict.fromkeys(units[:100], world.now), "away": dict.fromkeys(units[100:200], world.now)}
        teams = {
            unit: {
                **team,
                "captain": f"pl_{unit}",
                "members": [{**team["members"][0], "player": f"pl_{unit}", "name": "名" * 24}],
                "absences": absent,
            }
            for unit in units
        }
        return {**progress, "teams": teams, "rounds": [entry]}

    world.stores.boards.teams.change(cup.id, full, world.now)
    result = {"deal": 0, "game": "gm_7h2kx5q2m4na_1", "at": world.now, "value": -15, "points": 65, "side": "attackers"}
    result |= {"leads": [-15] * 8, "won": [1, 3, 5, 7], "taken": [0, 3]}
    for number in range(1, forms.MOST_BOARDS_AT_TABLE + 1):
        for pair in range(1, forms.MOST_TABLES + 1):
            world.stores.boards.add_result(cup.id, number, room(pair, 0), result)
    whose = list(world.redis.scan_iter(match=f"sj:{{event:{cup.id}}}:*"))
    assert sum(world.redis.memory_usage(key, samples=0) for key in whose) < 1_048_576
