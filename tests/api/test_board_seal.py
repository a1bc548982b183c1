"""The seal on boards: before their event is over, nobody learns anything of them but from a seat."""

import re

import structlog

from service.api.resources import shares
from service.store import keys
from tests.api.test_boards import DAY, begin, day, entrant, play, quick  # noqa: F401 - fixtures
from tests.document import document

#: What says when, and how much of a budget is left.
MOVING = re.compile(r'"(server_time|remaining_ms|last_used_on|retry_after_s)":("[^"]*"|\d+)')


def filled(path, values):
    return re.sub(r"\{(\w+)\}", lambda name: str(values.get(name[1], "none")), path)


def everything(client, values, more=()):
    """Return what a client is answered to every reading operation: status, ETag and body, by path."""
    told = {}
    paths = [path for path, operations in document()["paths"].items() if "get" in operations]
    for path in [*(filled(path, values) for path in paths if not path.endswith(("/export", "/metrics"))), *more]:
        headers = {"Accept": "application/x-ndjson"} if path.endswith("games?lines") else {}
        answer = client.get(path.removesuffix("?lines"), headers=headers)
        body = MOVING.sub("", answer.get_data(as_text=True))
        told[path] = (answer.status_code, answer.headers.get("ETag"), re.sub(r"rq_\w+", "", body))
    return told


def test_nobody_is_told_of_a_board_that_others_may_still_play(day):  # noqa: F811
    lin, event = entrant(day, "Lin")
    mei, _ = entrant(day, "Mei")
    second, _ = entrant(day, "Lin again")
    with structlog.testing.capture_logs() as lines:
        tables = {client.player["name"]: begin(client, event) for client in (lin, mei)}
        play(day, lin, tables["Lin"])
        play(day, mei, tables["Mei"], "random")
    game = day.tables.load(tables["Mei"])["game"]["id"]
    values = {
        "table": tables["Mei"],
        "game": game,
        "event": event,
        "n": 1,
        "seq": 12,
        "player": mei.player["id"],
        "ruleset": "sishifen",
        "code": day.tables.load(tables["Mei"])["settings"]["join_code"],
        "kind": "score",
        "match": "1-1",
        "team": "tm_none",
    }
    more = (f"/v1/games/{game}/analysis?round=1", "/v1/me/games?lines", f"/v1/players/{mei.player['id']}/games?lines")
    readers = {"finished": lin, "second account": second, "stranger": day.player("Tao")}
    before = {name: everything(client, values, more) for name, client in readers.items()}
    stored = day.boards.event(event)
    secrets = [stored["key"], *(seed for board in stored["boards"] for seed in board["seeds"])]
    last = day.tables.load(tables["Mei"])["version"]
    own = everything(mei, values, (*more, f"/v1/tables/{tables['Mei']}/events?after={last - 30}"))
    for name, told in {**before, "own": own}.items():
        for path, (_, _, body) in told.items():
            assert not any(secret in body for secret in secrets), f"{name}: {path}"
    for path in ("record", "rounds/1", "rounds/1/events", "rounds/1/states/12", "rounds/1/par", "analysis?round=1"):
        answer = mei.get(f"/v1/games/{game}/{path}")
        assert (answer.status_code, answer.json["code"]) == (409, "not-finished"), path
    for path in (f"/v1/games/{game}/rounds/1/par", f"/v1/games/{game}/rounds/1/share"):
        assert mei.post(path).json["code"] == "not-finished"
    assert mei.post(f"/v1/games/{game}/analysis", {"round": 1}).json["code"] == "not-finished"
    played = {"round": 1, "shuffle": {"server_seed": stored["boards"][0]["seeds"][0]}}
    shared = f"/v1/shared-rounds/{game}/1?code={shares._code_of(game, played)}"
    assert mei.get(shared).json["code"] == "not-finished"
    assert not any(secret in str(lines) for secret in secrets)

    # Had Mei made something else of it, and the AI players too, the others would be told the same.
    results = day.boards.results(event, [1, 2])
    results[1, mei.player["id"]] |= {"points": 0, "value": -40, "side": "declarers"}
    day.redis.delete(keys.event_board(event, 1))
    for (number, player), result in results.items():
        day.boards.add_result(event, number, player, result)
    day.boards.add_field(event, 1, 0, [1, 2, 3])
    for name, client in readers.items():
        after = everything(client, values, more)
        assert {path for path in after if after[path] != before[name][path]} == set(), name

    day.now += DAY
    assert mei.get(f"/v1/games/{game}/record").status_code == 200
    assert secrets[1] in readers["stranger"].get(f"/v1/events/{event}/boards/1").get_data(as_text=True)
