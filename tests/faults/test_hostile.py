"""The hostile player of a soak has the allowances of the guests, and goes on after a takeover that lost its account."""

import json
import threading
from types import SimpleNamespace

import pytest

from service.store import keys
from tools.faults.guests import Line, Notes
from tools.faults.hostile import Hostile

TABLE = "/v1/tables/tb_1"
SHOWN = {"view": {"game": {"id": "gm_1"}, "ruleset": "shengji"}, "events": []}


class Answer:
    def __init__(self, status, body):
        self.status, self.headers, self._body = status, {"Retry-After": "1"}, body

    def read(self):
        return json.dumps(self._body).encode()


@pytest.fixture
def hostile(monkeypatch):
    """A hostile player at a table, whose requests get the prepared answers, while the record of its game is away."""
    service = SimpleNamespace(
        has_replicas=True,
        port=0,
        some_port=lambda: 0,
        redis_was_away=lambda _path, _began, _ended, needed: keys.game("gm_1") in needed,
    )
    notes = Notes()
    new_hostile = Hostile(service, notes, threading.Event(), 1)
    new_hostile._table, new_hostile.notes, new_hostile.answers, new_hostile.requests = TABLE, notes, [], []

    def answer(_line, method, path, body=None, **_headers):
        new_hostile.requests.append((method, path))
        return Answer(*new_hostile.answers.pop(0))

    monkeypatch.setattr(Line, "open", answer)
    monkeypatch.setattr("tools.faults.guests.PAUSE_S", 0)
    monkeypatch.setattr(new_hostile._line, "_cut", lambda: False)
    return new_hostile


@pytest.mark.parametrize("path", ["/chat", "/seats/me/ready", "/votes", "/seats/2/kick", ""])
def test_a_table_whose_ended_game_cannot_be_kept_may_put_the_hostile_player_off(hostile, path):
    hostile.answers = [(200, SHOWN), (503, {}), (200, SHOWN)]
    hostile._ask("POST", "/seats", {"seat": 0})
    hostile._ask("POST", path)
    assert hostile.notes.wrong == []
    assert hostile.answers == []


def test_other_reasons_for_503_are_faults(hostile):
    hostile.answers = [(503, {}), (200, SHOWN)]
    hostile._ask("POST", "/chat")
    assert len(hostile.notes.wrong) == 1


def test_after_the_loss_of_its_account_the_hostile_player_registers_anew(hostile):
    account = {"token": "new", "player": {"id": "pl_2"}}
    hostile.answers = [(401, {}), (201, account), (201, {"id": "tb_2"}), *[(200, SHOWN)] * 5, (200, SHOWN)]
    hostile._ask("POST", "/chat")
    hostile._ask("POST", "/chat")
    assert hostile.requests[-1] == ("POST", "/v1/tables/tb_2/chat")
    assert hostile._line.token == "new"
