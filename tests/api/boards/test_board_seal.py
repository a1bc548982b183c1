"""The seal on boards: until their event is over, only players at their tables learn anything about them."""

import gc
import json
import re
import threading
import time

import pytest
import structlog

from harness.document import document
from harness.waiting import wait_until
from service.api.entrance import gate
from service.api.http import auth
from service.api.resources import shares
from service.api.streams import feeds
from service.common.settings import Budget
from service.people import presence
from service.store import keys, live
from service.store.connections import lines
from service.store.notices import open_streams
from tests.api.boards.test_boards import DAY, begin, day, entrant, play, quick  # noqa: F401 - fixtures
from tests.api.streams.test_account_stream import MyStream
from tests.api.tournaments.test_team_events import Cup

#: Times, which differ between two readings.
MOVING = re.compile(r'"(server_time|remaining_ms|last_used_on|retry_after_s)":("[^"]*"|\d+)')


def filled(path, values):
    return re.sub(r"\{(\w+)\}", lambda name: str(values.get(name[1], "none")), path)


def everything(client, values, more=()):
    """The responses to all GET operations, by path: status, ETag and body."""
    answers = {}
    paths = [path for path, operations in document()["paths"].items() if "get" in operations]
    for path in [*(filled(path, values) for path in paths if not path.endswith(("/export", "/metrics"))), *more]:
        headers = {"Accept": "application/x-ndjson"} if path.endswith("games?lines") else {}
        answer = client.get(path.removesuffix("?lines"), headers=headers)
        body = MOVING.sub("", answer.get_data(as_text=True))
        answers[path] = (answer.status_code, answer.headers.get("ETag"), re.sub(r"rq_\w+", "", body))
    return answers


#: Metrics that depend on time. `event_streams` does: streams of other tests end when they are garbage-collected.
TIMED = re.compile(r"seconds|_created|process_|python_|event_streams")


def metrics(world):
    """All metrics that do not depend on time."""
    lines = world.anybody.get("/metrics").get_data(as_text=True).splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in pairs if not TIMED.search(name)}


def work(world):
    """What Redis has done since `config_resetstat`: the number of calls of each command, and the bytes sent."""
    sent = world.redis.info("stats")["total_net_output_bytes"]
    return {**{name: each["calls"] for name, each in world.redis.info("commandstats").items()}, "bytes": sent}


def changed(before, after):
    """What differs, by path; of counts, only those that differ."""
    pairs = {path: (before[path], after[path]) for path in after if after[path] != before[path]}
    return {
        path: {
            name: [each.get(name) for each in pair]
            for name in {**pair[0], **pair[1]}
            if pair[0].get(name) != pair[1].get(name)
        }
        if isinstance(pair[0], dict)
        else pair
        for path, pair in pairs.items()
    }


def warm(world, clients, values, more):
    """Read everything once, so that later readings do not include what a process does only once."""
    for client in clients:
        everything(client, values, more)
        with MyStream(client) as stream:
            stream.snapshot()
    wait_until(lambda: all(listening for _, listening in world.redis.pubsub_numsub(keys.NEWS, keys.REVOKED)))


def is_idle(world):
    """Tell whether Redis is asked nothing for a moment: feeds read on for a while after a stream was opened."""

    def answers_of():
        return world.redis.info("stats")["total_commands_processed"]

    before = answers_of()
    time.sleep(0.05)
    return answers_of() == before + 1


def grown(before, after):
    return {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}


def observed(world, client, values, more):
    """Everything that a client learns by reading, and what operators see meanwhile.

    The commands and the length of their replies stand for the time that responses take.
    """
    wait_until(lambda: is_idle(world))
    counted = metrics(world)
    world.redis.config_resetstat()
    with structlog.testing.capture_logs() as logs:
        answers = everything(client, values, more)
    redis = work(world)
    with MyStream(client) as stream:
        answers["stream"] = MOVING.sub("", json.dumps(stream.snapshot(), separators=(",", ":")))
    logged = [{name: value for name, value in line.items() if name not in ("ms", "request_id")} for line in logs]
    return {**answers, "log": logged, "redis": redis, "metrics": grown(counted, metrics(world))}


@pytest.fixture(autouse=True)
def nothing_by_the_clock(monkeypatch):
    """Stop what a process does periodically (checks of tokens, signs of life), which would count as work.

    When streams that earlier tests left open are garbage-collected, or a grace period ends, they load their table.
    """
    for module, name in (
        (auth, "CACHE_S"),
        (feeds, "NOTE_HERE_S"),
        (presence, "NOTE_HERE_S"),
        (live, "LINGER_S"),
        (open_streams, "SIGN_S"),
        (lines, "_PING_AFTER"),
        (lines, "_LOST_AFTER"),
    ):
        monkeypatch.setattr(module, name, 1_000_000)
    monkeypatch.setattr(gate.Gate, "send_beat", lambda gate, each: None)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def values_of(day, client, event, table):  # noqa: F811
    """Values of path parameters about what a client has played."""
    state = day.tables.load(table)
    return {
        "table": table,
        "game": state["game"]["id"],
        "event": event,
        "n": 1,
        "seq": 12,
        "player": client.player["id"],
        "ruleset": "sishifen",
        "code": state["settings"]["join_code"],
        "kind": "score",
        "match": "1-1",
        "team": "tm_none",
    }


def assert_sealed(client, game, seed):
    """Assert that a client cannot read how its own game went, not even with a link made from the seed of its cards."""
    for path in ("record", "rounds/1", "rounds/1/events", "rounds/1/states/12", "rounds/1/par", "analysis?round=1"):
        answer = client.get(f"/v1/games/{game}/{path}")
        assert (answer.status_code, answer.json["code"]) == (409, "not-finished"), path
    for path in (f"/v1/games/{game}/rounds/1/par", f"/v1/games/{game}/rounds/1/share"):
        assert client.post(path).json["code"] == "not-finished"
    assert client.post(f"/v1/games/{game}/analysis", {"round": 1}).json["code"] == "not-finished"
    code = shares._code_of(game, {"round": 1, "shuffle": {"server_seed": seed}})
    assert client.get(f"/v1/shared-rounds/{game}/1?code={code}").json["code"] == "not-finished"


def test_nobody_learns_of_a_board_that_others_may_still_play(day):  # noqa: F811
    # Much of what is asked is refused.
    day.start(daily_events=("sishifen:4",), limit_failed=Budget(10_000, 60), limit_guess=Budget(10_000, 60))
    lin, event = entrant(day, "Lin")
    mei, _ = entrant(day, "Mei")
    second, _ = entrant(day, "Lin again")
    with structlog.testing.capture_logs() as logs:
        # Who has finished the same board is told.
        tables = {"Lin": begin(lin, event, 2), "Mei": begin(mei, event)}
        play(day, lin, tables["Lin"])
        play(day, mei, tables["Mei"], "random")
    values = values_of(day, mei, event, tables["Mei"])
    game = values["game"]
    more = (f"/v1/games/{game}/analysis?round=1", "/v1/me/games?lines", f"/v1/players/{mei.player['id']}/games?lines")
    readers = {"finished": lin, "second account": second, "stranger": day.player("Tao")}
    warm(day, readers.values(), values, more)
    # Before the others look: who reads is heard of, which others see.
    last = day.tables.load(tables["Mei"])["version"]
    own = everything(mei, values, (*more, f"/v1/tables/{tables['Mei']}/events?after={last - 30}"))
    before = {name: observed(day, client, values, more) for name, client in readers.items()}
    stored = day.stores.boards.event(event)
    secrets = [stored["key"], *(seed for board in stored["boards"] for seed in board["seeds"])]
    for name, answers in {**before, "own": own}.items():
        for path, answer in answers.items():
            assert not any(secret in str(answer) for secret in secrets), f"{name}: {path}"
    assert_sealed(mei, game, stored["boards"][0]["seeds"][0])
    assert not any(secret in str(logs) for secret in secrets)

    # Other results of Mei and of the AI players change nothing that the others can read.
    results = day.stores.boards.results(event, [1, 2])
    results[1, mei.player["id"]] |= {"points": 0, "value": -40, "side": "declarers"}
    day.redis.delete(keys.event_board(event, 1))
    for (number, player), result in results.items():
        day.stores.boards.add_result(event, number, player, result)
    day.stores.boards.add_field(event, 1, 0, [1, 2, 3])
    for name, client in readers.items():
        after = observed(day, client, values, more)
        assert changed(before[name], after) == {}, name

    day.now += DAY
    assert mei.get(f"/v1/games/{game}/record").status_code == 200
    answers = readers["stranger"].get(f"/v1/events/{event}/boards/1").json
    assert answers["server_seed"] in stored["boards"][0]["seeds"]
    assert answers["results"]


def test_nobody_learns_of_a_board_of_teams_before_its_round_is_over(world):
    # The join code of a board is as good as a wrong one, and is asked for often.
    world.start(limit_failed=Budget(10_000, 60), limit_guess=Budget(10_000, 60))
    cup = Cup(world, boards=2)
    friend = world.player("Friend")
    lin = cup.team("Lin", {"level": "easy"}, {"player": friend.player["id"]})
    friend.put(f"{cup.path}/teams/{lin.team}/confirmation")
    mei = cup.team("Mei")
    cup.begin()
    tables = {client.player["name"]: cup.body(client)["mine"]["table"] for client in (lin, friend, mei)}
    with structlog.testing.capture_logs() as logs:
        cup.play(tables["Lin"])
        cup.play(tables["Friend"])
    room = world.tables.load(tables["Friend"])["settings"]["board"]["room"]
    game = world.tables.load(tables["Friend"])["game"]["id"]
    values = {
        "table": tables["Friend"],
        "game": game,
        "event": cup.id,
        "n": 1,
        "seq": 12,
        "player": friend.player["id"],
        "ruleset": "sishifen",
        "code": world.tables.load(tables["Friend"])["settings"]["join_code"],
        "kind": "score",
        "match": "1-1",
        "team": lin.team,
    }
    more = (
        f"/v1/games/{game}/analysis?round=1",
        "/v1/me/games?lines",
        f"/v1/players/{friend.player['id']}/games?lines",
    )
    readers = {"team": lin, "opponent": mei, "director": cup.director, "stranger": world.player("Tao")}
    warm(world, readers.values(), values, more)
    before = {name: observed(world, client, values, more) for name, client in readers.items()}
    stored = world.stores.boards.event(cup.id)
    secrets = [stored["key"], *(board["seeds"][0] for board in stored["boards"])]
    assert not any(secret in str(logs) + str(before) for secret in secrets)

    # Another result of the other room changes nothing that anybody can read.
    results = world.stores.boards.results(cup.id, [1])
    results[1, room] |= {"points": 0, "value": -40, "side": "declarers", "taken": [1]}
    world.redis.delete(keys.event_board(cup.id, 1))
    for (number, name), result in results.items():
        world.stores.boards.add_result(cup.id, number, name, result)
    for name, client in readers.items():
        after = observed(world, client, values, more)
        assert changed(before[name], after) == {}, name

    cup.director.patch(f"{cup.path}/rounds/1", {"closes_at": "2000-01-01T00:00:00Z"})
    text = readers["stranger"].get(f"{cup.path}/matches/1-1").get_data(as_text=True)
    assert secrets[1] in text
    assert readers["stranger"].get(f"/v1/games/{game}/record").status_code == 200
