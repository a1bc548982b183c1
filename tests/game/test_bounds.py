"""Bounds of a table: nobody can make its log grow without end."""

import pytest

from harness.driver import Driver
from service.game.commands.table import bounds
from service.game.errors import WrongPhase
from tests.game.scenes import types

STRANGER = 99


def lobby(**more):
    driver = Driver("shengji", 4, start=False, **more)
    driver.do(0, type="sit", kind="bot", name="X", seat=0)
    return driver


def test_commands_other_than_answers_are_limited_per_player_and_round(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_COMMANDS", 10)
    driver = Driver("shengji", 4, seed=5)
    for number in range(10):
        driver.do(1, type="entropy", entropy=f"{number:02x}")
    for command in ({"type": "entropy", "entropy": "ff"}, {"type": "chat", "name": "X", "text": "hello"}):
        assert driver.refused(WrongPhase, 1, **command).params["reason"] == "too_many_commands"
    assert driver.do(2, type="entropy", entropy="00").events
    driver.step()
    driver.do(1, type="leave")
    driver.refused(WrongPhase, 1, type="resume")


def test_the_count_of_commands_restarts_with_each_round(monkeypatch):
    driver = Driver("shengji", 4, seed=5)
    driver.do(1, type="entropy", entropy="01")
    assert driver.state["commands"] == {"p1": 1}
    driver.play_until(lambda state: state["round"]["number"] == 2)
    assert set(driver.state["commands"]) <= {"p0", "p1", "p2", "p3"}
    assert max(driver.state["commands"].values(), default=0) <= 1


def test_a_stranger_who_comes_and_goes_uses_up_only_their_own_commands(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_COMMANDS", 6)
    driver = lobby()
    for _ in range(3):
        driver.do(STRANGER, type="sit", kind="bot", name="Y", seat=1)
        driver.do(STRANGER, type="leave")
    driver.refused(WrongPhase, STRANGER, type="sit", kind="bot", name="Y", seat=1)
    assert types(driver.do(1, type="sit", kind="bot", name="Z", seat=1)) == ["seat_taken"]


def test_a_retry_is_answered_even_when_all_commands_are_used_up(monkeypatch):
    monkeypatch.setattr(bounds, "MOST_COMMANDS", 2)
    driver = lobby()
    driver.do(0, type="chat", name="X", text="hello", key="k" * 16)
    assert driver.do(0, type="chat", name="X", text="hello", key="k" * 16).replay_of is not None


@pytest.mark.parametrize(("speaker", "most"), [(0, "MOST_CHAT"), (STRANGER, "MOST_SPECTATOR_CHAT")])
def test_chat_of_players_and_of_spectators_is_limited_separately(monkeypatch, speaker, most):
    monkeypatch.setattr(bounds, most, 3)
    driver = lobby(spectators="delayed")
    for _ in range(3):
        driver.do(speaker, type="chat", name="X", text="hello")
    refusal = driver.refused(WrongPhase, speaker, type="chat", name="X", text="hello")
    assert refusal.params == {"action": "chat", "expected": None, "reason": "chat_full", "most": 3}
    assert driver.do(STRANGER - speaker, type="chat", name="X", text="hello").events


def test_a_table_with_a_long_log_starts_no_other_game(monkeypatch):
    driver = Driver("arms_length", 4, seed=1)
    driver.play_until(lambda state: state["status"] == "finished")
    monkeypatch.setattr(bounds, "LAST_GAME_EVENTS", driver.state["version"])
    assert driver.refused(WrongPhase, 0, type="ready").params["reason"] == "table_used_up"
    driver = lobby()
    monkeypatch.setattr(bounds, "LAST_GAME_EVENTS", 2)
    for seat in range(1, 4):
        driver.do(0, type="seat_ai", seat=seat, level="easy")
    assert driver.state["status"] == "lobby"


def test_a_game_ends_with_the_round_in_which_the_log_gets_too_long(monkeypatch):
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["round"]["number"] == 2)
    monkeypatch.setattr(bounds, "LAST_ROUND_EVENTS", driver.state["version"])
    driver.play_until(lambda state: state["status"] == "finished")
    assert driver.state["game"]["round"] == 2
    assert driver.state["game"]["ended"] == "ended_early"
