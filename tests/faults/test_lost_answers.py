"""Retrying a request whose response was lost, or whose process died, does not repeat its effect."""

import pytest

from service.api.http.auth import hash_of
from service.common.settings import Settings
from service.store import keys
from service.store.port import StoreUnavailable
from service.store.scripts import Script
from tests.api.conftest import World

KEY = {"Idempotency-Key": "0123456789abcdef"}
SPEC = {"ruleset": "shengji", "players": 4, "options": {"deal_pace": "instant"}}


@pytest.fixture
def world(empty_redis):
    new_world = World(empty_redis, Settings())
    yield new_world
    new_world.close()


@pytest.fixture
def die_before_recording(world, monkeypatch):
    """Let the next request with a key be carried out, and its process die before storing the answer."""

    def prepare():
        def remember(scope, key, digest, answer, *, ttl_ms):
            answer()
            monkeypatch.undo()
            raise StoreUnavailable(ConnectionError("gone"))

        monkeypatch.setattr(world.stores.idempotency, "remember", remember)

    return prepare


@pytest.fixture
def lose_answers(world, monkeypatch):
    """Let Redis carry out every append, lose the answer, and let the client library repeat it."""
    plain = world.stores.tables.append

    def append(*args, **kwargs):
        plain(*args, **kwargs)
        plain(*args, **kwargs)

    monkeypatch.setattr(world.stores.tables, "append", append)


def tables_in(world):
    return [key for key in world.redis.keys("*") if key.endswith(b":head")]


def test_a_table_is_created_once_even_if_its_response_was_not_recorded(world, die_before_recording):
    lin = world.player()
    die_before_recording()
    assert lin.post("/v1/tables", SPEC, headers=KEY).status_code == 503
    view = lin.post("/v1/tables", SPEC, headers=KEY)
    assert view.status_code == 201
    assert [key.decode() for key in tables_in(world)] == [keys.head(view.json["id"])]
    assert lin.post("/v1/tables", SPEC, headers=KEY).json["id"] == view.json["id"]


def test_the_same_key_of_two_players_creates_two_tables(world):
    view = {world.player().post("/v1/tables", SPEC, headers=KEY).json["id"] for _ in range(2)}
    assert len(view) == 2


def test_a_message_is_sent_once_even_if_its_response_was_not_recorded(world, die_before_recording):
    table = world.table()
    die_before_recording()
    message = {"text": "hello"}
    assert table.clients[1].post(f"{table.path}/chat", message, headers=KEY).status_code == 503
    again = table.clients[1].post(f"{table.path}/chat", message, headers=KEY)
    assert again.status_code == 200
    chats = [event for event in world.tables.log(table.id) if event["type"] == "chat"]
    assert [event["seq"] for event in chats] == [again.json["seq"]]
    # The same text with another key is a new message.
    table.clients[1].post(f"{table.path}/chat", message, headers={"Idempotency-Key": "another-key-16chars"})
    assert [event["type"] for event in world.tables.log(table.id)].count("chat") == 2


def test_chatting_does_not_reset_the_count_of_missed_decisions(world):
    """Three missed decisions in a row bring in an AI, and a message in between does not reset the count."""
    table = world.table(clock={"on_timeout": "auto_play", "play_ms": 1_000})
    while table.state()["decision"]["kind"] != "play":
        world.now += 200_000
        table.state()
    state = table.state()
    late = [seat for seat, place in enumerate(state["seats"]) if place["timeouts"]]
    assert late
    count = state["seats"][late[0]]["timeouts"]
    table.clients[late[0]].post(f"{table.path}/chat", {"text": "here"}, headers=KEY)
    assert table.state()["seats"][late[0]]["timeouts"] == count


def test_every_append_sent_twice_takes_effect_once(world, lose_answers):
    table = world.table()
    for _ in range(40):
        before = table.state()["version"]
        answer = table.step()
        assert answer.json["events"][0]["seq"] == before + 1
        assert answer.json["seq"] == answer.json["version"]
    log = world.tables.log(table.id)
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert len(tables_in(world)) == 1


def test_a_player_stored_twice_is_created_once_and_another_one_is_refused(world, monkeypatch):
    """The client library repeats a script whose answer was lost, as behind a cut of the network."""
    plain = Script.run

    def run(script, *args):
        plain(script, *args)
        return plain(script, *args)

    with monkeypatch.context() as lost:
        lost.setattr(Script, "run", run)
        account = world.anybody.post("/v1/players", {"name": "Lin", "kind": "human"})
    assert account.status_code == 201
    players, lin = world.stores.players, world.stores.players.get(account.json["player"]["id"])
    for other, token in ((lin | {"name": "Wei"}, "hash"), ({"id": "pl_other"}, hash_of(account.json["token"]))):
        with pytest.raises(ValueError, match="there is a player"):
            players.create(other, token)
