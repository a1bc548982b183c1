"""Tables in the page answer as those of the service do, and their records are accepted by the service."""

import json
import subprocess
import sys
from random import Random

import pytest

from service.api.alone import bundle
from service.api.alone.engine import COMMANDS, Engine
from service.rules.options.rulesets import RULESETS
from tests.api.contract import assert_is

START = 1_700_000_000_000
TABLE = "/tables/alone-1"


class Lin:
    """A person alone with AI players at a table in the page, who does what the hint says."""

    def __init__(self, ruleset="shengji", players=4, options=None, seed=1):
        self.random = Random(seed)
        self.engine = Engine(self.random.randbytes, {})
        self.now = START
        self.due_at = None
        self.events = []
        self.kept = ""
        spec = {"ruleset": ruleset, "players": players, "options": options or {}, "chat": False}
        self.does("POST", "", spec)
        self.does("POST", "/seats", {"seat": 0})
        for seat in range(1, players):
            self.does("PUT", f"/seats/{seat}/ai", {"level": "easy"})
        self.does("PUT", "/seats/me/ready", {})

    def who(self):
        return {"now": self.now, "occupant": {"kind": "human", "player": "pl_alone", "name": "Lin"}, "language": "en"}

    def _hears(self, told):
        self.events += told["events"]
        self.due_at = told["due_at"]
        self.kept = told["kept"] or self.kept
        return told

    def asks(self, method, path, body=None):
        request = {"method": method, "path": TABLE + path, "body": body, **self.who()}
        return self._hears(json.loads(self.engine.answer(json.dumps(request))))

    def does(self, method, path, body=None):
        told = self.asks(method, path, body)
        assert told["status"] < 400, told["body"]
        return told["body"]

    def view(self):
        return self.does("GET", "")

    def waits(self):
        self.now = max(self.now, self.due_at)
        self._hears(json.loads(self.engine.step("alone-1", json.dumps(self.who()))))

    def moves(self):
        """Answer if I am asked, or else let the next thing happen; return the view before."""
        view = self.view()
        decision = view["decision"]
        if decision and decision.get("hints") and 0 in decision["seats"] and not _passed(view):
            hint = self.does("POST", "/hint", {"decision_id": decision["id"]})
            assert_is("Hint", hint)
            kind = hint["action"].pop("type").replace("_", "-")
            assert_is("Outcome", self.does("POST", f"/{kind}", {"decision_id": decision["id"], **hint["action"]}))
        else:
            self.waits()
        return view

    def plays_a_round(self):
        """Play until the round is scored, and return the view."""
        for _ in range(2_000):
            view = self.moves() if self.view()["phase"] != "scored" else self.view()
            if view["phase"] == "scored" or view["status"] == "finished":
                return view
        raise AssertionError("the round does not end")


def _passed(view):
    return view["decision"]["kind"] == "declare" and 0 in (view["round"].get("passes") or [])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_round_of_each_game_is_played_as_the_contract_says(ruleset):
    players = RULESETS[ruleset].players[0]
    lin = Lin(ruleset, players, {} if ruleset == "arms_length" else {"deal_pace": "instant"})
    view = lin.plays_a_round()
    assert_is("View", view)
    assert view["round"]["result"] is not None
    assert [event["seq"] for event in lin.events] == list(range(1, view["version"] + 1))
    for event in lin.events:
        assert_is("Event", event)
    page = lin.does("GET", "/events?after=3&limit=5")
    assert_is("EventPage", page)
    assert [event["seq"] for event in page["events"]] == [4, 5, 6, 7, 8]


def test_nobody_sees_the_cards_of_others_in_the_page_either():
    lin = Lin(options={"deal_pace": "instant"})
    while lin.moves()["phase"] != "playing":
        pass
    view = lin.view()
    assert view["my"]["seat"] == 0
    assert len(view["my"]["hand"]) >= 25
    dealt = next(event for event in lin.events if event["type"] == "round_opened")
    assert "deck" not in dealt["data"]
    assert "server_seed" not in json.dumps(lin.events)


def test_the_service_accepts_the_record_as_practice_that_is_not_rated(world):
    lin = Lin()
    lin.plays_a_round()
    mei = world.player()
    imported = mei.post("/v1/records", {"record": lin.does("GET", "/record")})
    assert imported.status_code == 201, imported.json
    assert imported.json["rounds"] == 1
    [game] = mei.get("/v1/me/games").json["items"]
    assert game["imported"]
    assert not game["rated"]


def test_a_table_goes_on_where_it_was_after_a_reload():
    lin = Lin(options={"deal_pace": "instant"})
    for _ in range(40):
        lin.moves()
    before = lin.view()
    lin.engine = Engine(lin.random.randbytes, {"alone-1": lin.kept})
    assert lin.view() == before
    assert lin.plays_a_round()["round"]["number"] == 1


def test_a_refusal_says_the_same_as_the_service_and_changes_nothing():
    lin = Lin(options={"deal_pace": "instant"})
    while lin.moves()["phase"] != "playing" or lin.view()["decision"]["seats"] != [0]:
        pass
    view = lin.view()
    told = lin.asks("POST", "/play", {"decision_id": view["decision"]["id"], "cards": ["BJ"] * 3})
    assert (told["status"], told["body"]["code"]) == (422, "cards-not-held")
    assert "{" not in told["body"]["detail"]
    assert (told["events"], told["kept"]) == ([], "")
    assert lin.view() == view


@pytest.mark.parametrize("path", ["/nonsense", "/seats/1/nonsense", "/hint"])
def test_what_is_not_there_is_refused_with_a_problem(path):
    lin = Lin(options={"deal_pace": "instant"})
    told = lin.asks("POST", path, {"decision_id": "dc_0"})
    assert 400 <= told["status"] < 500
    assert told["body"]["detail"]


def test_tables_are_listed_without_that_of_a_lesson_and_go_when_they_are_closed():
    lin = Lin(options={"deal_pace": "instant"})
    lin.plays_a_round()

    def answer(method, path, body=None):
        request = {"method": method, "path": path, "body": body, **lin.who()}
        return json.loads(lin.engine.answer(json.dumps(request)))

    answer("POST", "/tables/alone-lesson", {"ruleset": "sishifen", "players": 4})
    [listed] = answer("GET", "/tables/alone")["body"]["items"]
    assert (listed["id"], listed["ruleset"], listed["rounds"]) == ("alone-1", "shengji", 1)
    told = answer("DELETE", "/tables/alone-1")
    assert (told["status"], told["kept"], told["due_at"]) == (200, None, None)
    assert answer("GET", "/tables/alone-1")["status"] == 404


def test_the_page_has_the_modules_that_it_runs_and_they_need_nothing_else(tmp_path):
    sources = bundle.modules()
    for name, text in bundle.files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {bundle.ENTRY}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    loaded = {each for each in run.stdout.split() if each.split(".")[0] in ("service", "workers")}
    assert loaded == {*sources}
    assert not any(name.startswith(("workers.ai.search", "workers.ai.simulation")) for name in loaded)


def test_each_request_of_the_page_about_a_table_is_a_command_of_the_game():
    from service.game.commands.decide import _TABLE_COMMANDS, ACTIONS

    assert {*COMMANDS.values()} <= {*_TABLE_COMMANDS, *ACTIONS}
