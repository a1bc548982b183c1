"""Recorded games of `clients/python`: they match the document, and a client plays them without a service."""

import gzip
import json
import re
import threading

import jsonschema_rs
import pytest

from harness.document import document
from scripts.client_models import PROBLEMS, problems
from service.rules.options.rulesets import RULESETS
from shengji_client import Problem, example, testing
from shengji_client.testing import RecordedGame, rulesets
from tools.clients.toolchain import ROOT

README = (ROOT / "clients" / "python" / "README.md").read_text(encoding="utf-8")
[_, _, EXAMPLE] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def recording(ruleset):
    return json.loads(gzip.decompress((PROBLEMS.parent / f"{ruleset}.json.gz").read_bytes()))


def test_there_is_a_game_of_every_ruleset():
    assert rulesets() == sorted(RULESETS)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_is_played_to_the_end_and_its_view_is_the_recorded_one(ruleset):
    game = RecordedGame(ruleset)
    table = game.table()
    table.ready()
    game.run()
    answered = []
    for message in table.follow():
        decision = table.view()["decision"]
        if message.name != "end" and decision and 0 in decision["seats"]:
            answered.append(table.act(decision["id"], example(decision))["view"])
    assert game.is_over
    recorded_game = recording(ruleset)
    assert len(answered) == len(recorded_game["answers"]) - 1
    assert game.view == recorded_game["last"] | {"server_time": game.now}
    assert game.view["game"]["winners"]
    assert game.slept == []


def test_recorded_views_and_events_match_the_document():
    views, events = (
        jsonschema_rs.validator_for({"$ref": f"#/components/schemas/{name}", "components": document()["components"]})
        for name in ("View", "Event")
    )
    for ruleset in rulesets():
        game = recording(ruleset)
        assert all(map(views.is_valid, (game["first"], game["last"])))
        assert all(map(events.is_valid, game["events"]))


def test_events_happen_when_the_test_says_so():
    game = RecordedGame()
    table = game.table()
    outcome = table.ready()
    assert {event["type"] for event in outcome["events"]} >= {"seat_ready", "game_started"}
    assert table.events(after=outcome["version"])["events"] == []
    event = game.step()
    assert table.events(after=outcome["version"])["events"] == [event]
    assert table.view()["version"] == event["seq"]
    assert game.until("trick_won")["type"] == "trick_won"
    assert table.view()["round"]["last_trick"]["number"] == 1
    assert game.now == table.view()["server_time"]
    with pytest.raises(IndexError):
        game.until("no_such_event")
    assert game.is_over


def test_a_stream_goes_on_with_the_game_and_resumes():
    game = RecordedGame()
    game.table().ready()
    events, at_turn = [], threading.Event()

    def follow():
        for message in game.table().follow():
            events.append(message)
            if message.name == "message" and message.data["seq"] == turn["version"]:
                at_turn.set()

    start = game.view["version"]
    follower = threading.Thread(target=follow)
    turn = {"version": start + 40}
    follower.start()
    while len(events) < 1:
        follower.join(0.01)
    for _ in range(40):
        game.step()
    assert at_turn.wait(10)
    assert [message.name for message in events] == ["reset", *["message"] * 40]
    game.run()
    while not game.is_over:
        game.step()
    follower.join(10)
    assert events[-1].name == "end"
    again = [message.id for message in game.table().follow(after=start + 40)]
    assert again[:2] == [str(start + 41), str(start + 42)]
    assert list(game.table().follow(after=game.view["version"])) == []


def test_problems_come_on_demand_as_the_service_sends_them():
    assert problems(document()) == PROBLEMS.read_text(encoding="utf-8"), "run `make openapi`"
    game = RecordedGame()
    table = game.table()
    for code in testing.problems().keys() - {"rate-limited", "too-many-streams", "unavailable"}:
        game.refuse(code)
        with pytest.raises(Problem) as refused:
            table.view()
        assert (refused.value.code, refused.value.status) == (code, refused.value.body["status"])
    game.refuse("rate-limited", times=2)
    assert table.view() == game.view
    assert game.slept[0] == 12
    with pytest.raises(KeyError):
        game.refuse("no-such-problem")


def test_an_action_for_a_decision_that_is_not_open_is_refused():
    game = RecordedGame()
    table = game.table()
    table.ready()
    decision = game.turn()["decision"]
    with pytest.raises(Problem) as refused:
        table.act("dc_1", example(decision))
    assert (refused.value.code, refused.value.body["decision"]) == ("stale-decision", decision)
    with pytest.raises(Problem, match="no answer to GET /v1/bots"):
        game.client().request("GET", "/v1/bots")
    assert [path.rpartition("/")[2] for _, path, _ in game.sent] == ["ready", "pass", "bots"]


def test_the_example_of_the_readme_runs(capsys):
    exec(EXAMPLE, {})  # noqa: S102
    assert re.fullmatch(r"cards-not-held\nfinished \d\d\n", capsys.readouterr().out)
