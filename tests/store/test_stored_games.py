"""Games stored by an earlier version can be read, put to sleep, continued and played to their end."""

import base64
import json

import pytest

from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.views.view import view
from service.store import keys
from service.store.stores import Stores
from service.tables import Tables
from tests.store.stored_games.write import FOLDER, TODAY
from workers import ai

STORED = sorted(FOLDER.glob("*.json"))


@pytest.fixture(params=[(path, sleeps) for path in STORED for sleeps in (False, True)], ids=str)
def stored(request, client):
    """The names of a table and a game, stored in Redis as written at that time; the table may sleep since."""
    path, sleeps = request.param
    games = json.loads(path.read_text())
    table = games["table"]
    client.hset(keys.head(table), mapping={name: base64.b64decode(value) for name, value in games["head"].items()})
    for key, entries in ((keys.log(table), games["log"]), (keys.old(table), games["old"])):
        for entry, fields in entries:
            client.xadd(key, {name: base64.b64decode(value) for name, value in fields.items()}, id=entry)
    client.set(keys.game(games["game"]), base64.b64decode(games["kept"]))
    assert client.xlen(keys.old(table)) > 2
    if sleeps:
        assert list(Stores(client).sleeping.put_to_sleep(0)) == [True]
    return table, games["game"]


def test_there_is_a_stored_game_of_the_current_schemas():
    assert TODAY in [path.stem for path in STORED], "write one: python -m tests.store.stored_games.write"


def test_its_log_folds_to_its_state(stored, client):
    tables = Tables(Stores(client).tables)
    log = tables.log(stored[0])
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    state, folded = tables.store.load(stored[0]).state, fold(log)
    # Fields of later versions are missing in stored data of earlier ones.
    added = {
        key: folded["round"][key] for key in ("memory", "earlier", "returnable", "opened_seq") if key in folded["round"]
    }
    # `returnable` has changed its meaning.
    table_round = {key: value for key, value in state["round"].items() if key != "plain_play"}
    assert folded == {"at": log[-1]["at"], **state, "round": added | table_round}


def test_it_is_the_same_after_it_has_slept(stored, client):
    sleeping, table = Stores(client).sleeping, stored[0]

    def everything():
        return (
            client.hgetall(keys.head(table)),
            Stores(client).tables.load(table),
            Tables(Stores(client).tables).log(table),
        )

    list(sleeping.wake_all())
    before = everything()
    for _ in range(2):
        assert list(sleeping.put_to_sleep(0)) == [True]
        assert everything()[1:] == before[1:]
        assert list(sleeping.wake_all()) == [(table, True)]
        assert everything() == before


def test_its_game_is_played_to_the_end(stored, client):
    table, _ = stored
    store = Stores(client).tables
    now = store.load(table).state["decision"]["opened_at"]
    tables = Tables(store, now=lambda: now)
    for _ in range(20_000):
        state = store.load(table).state
        if state["status"] == "finished":
            break
        decision = state["decision"]
        seat = decision["seats"][0]
        player = state["seats"][seat]["occupant"]["player"]
        if decision["kind"] == "ready":
            tables.act(table, {"type": "ready", "player": player})
            continue
        command = ai.choose(view(state, seat, now), b"seed", "easy")
        tables.act(table, {**command, "player": player, "decision_id": decision["id"]})
    tables.advance(table, None, ai.choose)
    state = store.load(table).state
    assert state["game"]["winners"]
    log = tables.log(table)
    assert fold(log) == state
    for game in [event["data"]["game"] for event in log if event["type"] == "game_started"]:
        assert replay.check(record.record(record.game_log(log, game), now))["ok"]


def test_its_archived_game_can_be_replayed(stored, client):
    archived = Stores(client).archive.load_archive(stored[1])
    game_record = record.record(record.GameLog(**archived), 0)
    assert game_record["complete"]
    assert replay.check(game_record)["ok"]
