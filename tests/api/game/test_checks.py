"""Record and shuffle checks: intact records pass, changed ones do not, and nothing else happens."""

import copy
import json
from random import Random

import pytest

from harness.driver import Driver
from service.common.settings import Budget
from service.game.records import record, replay
from tests.api.contract import assert_problem
from tests.support.sorting import is_day

GAMES = [("shengji", 4, {}), ("zhaopengyou", 5, {"deal_pace": "timed"}), ("arms_length", 4, {})]


def record_of(ruleset, players, options, seed=3, **spec):
    """A record of a few rounds, without the service."""
    driver = Driver(ruleset, players, options, seed=seed, **spec)
    for _ in driver.rounds(2):
        pass
    game = record.game_log(driver.log, driver.state["game"]["id"])
    return json.loads(json.dumps(record.record(game, driver.now)))


def leaves(value, path=()):
    """The paths of all values in a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*path, key))


def changed(record, path, value):
    duplicate = copy.deepcopy(record)
    place = duplicate
    for key in path[:-1]:
        place = place[key]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return duplicate


GONE = object()
ODD = [GONE, None, True, -1, 0, 11, 10**30, 1.5, "", "x", "2", "0" * 64, "NT", "9999-12-31T23:59:59.999Z"]
ODD += ["2023-02-30T00:00:00.000Z", [], {}, [[]], ["AS"], {"0": "00"}, "play", "redeal", "call", "attackers"]


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES)
def test_an_unchanged_record_passes_the_check(lin, ruleset, players, options):
    answer = lin.post("/v1/record-checks", record_of(ruleset, players, options))
    assert answer.json["ok"], answer.json
    assert [each["reason"] for each in answer.json["rounds"]] == [None, None]


def test_a_record_fetched_from_the_service_can_be_sent_back_whole(world):
    table = world.table()
    table.play_until("ready")
    record = table.host.get(f"/v1/games/{table.state()['game']['id']}/record").json
    assert len(record["rounds"]) == 1
    assert table.host.post("/v1/record-checks", record).json["ok"]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("result", "points"), 999, "result"),
        (("result", "levels"), 99, "result"),
        (("shuffle", "server_seed"), "00" * 32, "commitment"),
        (("shuffle", "commitment"), "sha256:" + "00" * 32, "commitment"),
        (("shuffle", "entropy"), {"1": "00ff"}, "illegal"),
        (("shuffle", "shuffle_name"), "tb_other", "illegal"),
        (("levels", 0), "K", "levels"),
        (("actions",), [], "unfinished"),
    ],
)
def test_changes_to_a_round_are_detected(lin, path, value, reason):
    record = changed(record_of("shengji", 4, {}), ("rounds", 1, *path), value)
    answer = lin.post("/v1/record-checks", record).json
    assert not answer["ok"]
    assert [each["reason"] for each in answer["rounds"]] == [None, reason]


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES)
def test_no_change_of_a_record_causes_an_error_of_the_service(world, ruleset, players, options):
    lin = world.start(limit_oracle=Budget(0, 60)).with_token(world.player().token)
    record = record_of(ruleset, players, options)
    record["rounds"] = record["rounds"][:1]
    chance = Random(5)
    # Actions are alike: a sample of them is enough.
    actions = record["rounds"][0]["actions"]
    places = [path for path in leaves(record) if path and not (path[2:3] == ("actions",) and len(path) > 3)]
    places += [("rounds", 0, "actions", *path) for path in leaves(actions) if len(path) > 1 and chance.random() < 0.03]
    for path in chance.sample(places, len(places) // 4) if is_day() else places:
        value = chance.choice(ODD)
        body = json.dumps(changed(record, path, value))
        answer = lin.send("POST", "/v1/record-checks", data=body, content_type="application/json")
        assert answer.status_code in (200, 400, 422), (path, value)


@pytest.mark.parametrize("body", [None, {}, [], 7, "x", {"rounds": []}, {"format": "other"}])
def test_a_body_that_is_not_a_record_is_refused(lin, body):
    answer = lin.send("POST", "/v1/record-checks", data=json.dumps(body), content_type="application/json")
    assert_problem(answer, "invalid-request")


def test_a_record_of_another_format_is_refused(lin):
    record = record_of("arms_length", 4, {}) | {"format": "shengji-record-0"}
    assert_problem(lin.post("/v1/record-checks", record), "invalid-request", reason="record_format")


def test_a_record_whose_parts_contradict_each_other_is_refused(lin):
    record = record_of("shengji", 4, {})
    for path, value in [
        (("standings",), record["rounds"][0]["standings"][:3] * 2),
        (("starter",), 4),
        (("declarer",), 9),
        (("actions", 5, "seat"), 4),
        (("opened_at",), "2023-02-30T00:00:00.000Z"),
    ]:
        answer = lin.post("/v1/record-checks", changed(record, ("rounds", 0, *path), value))
        assert_problem(answer, "invalid-request", reason="record_fit")


def test_a_level_that_the_ladder_does_not_have_is_refused(lin):
    record = changed(record_of("shengji", 4, {}), ("rounds", 0, "standings", 2, "level"), "NT")
    assert_problem(lin.post("/v1/record-checks", record), "invalid-request", reason="level_not_on_ladder")


def test_a_record_may_be_larger_than_other_bodies_up_to_a_limit(lin):
    record = record_of("shengji", 4, {})
    record["remark"] = "x" * 200_000
    assert lin.post("/v1/record-checks", record).status_code == 200
    record["remark"] = "x" * 4_300_000
    assert_problem(lin.post("/v1/record-checks", record), "too-large", limit=4 * 1024 * 1024, reason="long_record")


def test_a_record_that_takes_too_long_is_refused(lin):
    record = record_of("shengji", 4, {})
    steps = sum(len(each["actions"]) for each in record["rounds"])
    record["rounds"] *= replay.MOST_STEPS // steps + 1
    assert_problem(lin.post("/v1/record-checks", record), "too-complex", budget=replay.MOST_STEPS, reason="many_steps")


def test_a_deal_without_end_takes_no_more_than_the_budget(lin):
    record = record_of("zhaopengyou", 5, {"deal_pace": "timed"})
    # Nobody declares, so the cards are dealt again and again.
    late = record["rounds"][0]
    late["actions"] = [late["actions"][-1] | {"at": "9999-12-31T23:59:59.999Z"}]
    late["closings"] = [f"9000-01-01T00:00:00.{number:03d}Z" for number in range(1_000)]
    record["rounds"] = [late] * 13
    assert_problem(lin.post("/v1/record-checks", record), "too-complex", budget=replay.MOST_STEPS, reason="many_steps")


def shuffle_of(record, number=0):
    each = record["rounds"][number]
    shuffle = {name: each["shuffle"][name] for name in ("server_seed", "commitment", "entropy", "shuffle_name")}
    return {
        **shuffle,
        "round": each["round"],
        "ruleset": record["ruleset"],
        "players": record["players"],
        "options": record["options"],
        "attempt": each["shuffle"]["attempts"] - 1,
    }


def test_a_shuffle_gives_the_deck_that_was_dealt(world):
    table = world.table()
    table.clients[1].put(f"{table.path}/seats/me/entropy", {"entropy": "00ff"})
    table.play_until("ready")
    record = table.host.get(f"/v1/games/{table.state()['game']['id']}/record").json
    answer = table.host.post("/v1/shuffle-checks", shuffle_of(record)).json
    assert answer["ok"]
    assert answer["commitment_ok"]
    starter = record["rounds"][0]["starter"]
    dealt = next(event for event in world.stores.tables.events(table.id, 0, 1_000) if event["type"] == "dealt")
    for seat, client in enumerate(table.clients):
        page = client.get(f"{table.path}/events?after={dealt['seq'] - 1}&limit=1").json["events"][0]
        assert page["data"]["cards"] == answer["deck"][(seat - starter) % 4 : 100 : 4]


def test_a_seed_that_was_not_committed_to_is_reported(lin):
    record = shuffle_of(record_of("shengji", 4, {})) | {"server_seed": "00" * 32}
    answer = lin.post("/v1/shuffle-checks", record).json
    assert (answer["ok"], answer["commitment_ok"], len(answer["deck"])) == (False, False, 108)


def test_another_attempt_or_more_entropy_gives_another_deck(lin):
    record = shuffle_of(record_of("shengji", 4, {}))
    decks = [
        tuple(lin.post("/v1/shuffle-checks", record | more).json["deck"])
        for more in ({}, {"attempt": 1}, {"round": 7}, {"entropy": {"0": "00"}}, {"shuffle_name": "practice"})
    ]
    assert len(set(decks)) == 5
    assert len({tuple(sorted(deck)) for deck in decks}) == 1


def test_no_change_of_a_shuffle_causes_an_error_of_the_service(lin):
    record = shuffle_of(record_of("shengji", 4, {}))
    chance = Random(5)
    for path in leaves(record):
        for value in chance.sample(ODD, 5) if path else ():
            body = json.dumps(changed(record, path, value))
            answer = lin.send("POST", "/v1/shuffle-checks", data=body, content_type="application/json")
            assert answer.status_code in (200, 400, 422), (path, value)
