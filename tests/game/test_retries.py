"""Retries: a request sent twice leaves the table as if it had been sent once."""

import pytest

from harness.driver import Driver
from service.game.commands.decide import ACTIONS
from service.game.errors import IdempotencyKeyReused
from service.rules.cards import CARDS
from tests.game.watch import Watch

# --- everything twice ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "players", "options"),
    [
        ("zhaopengyou", 5, {}),
        ("zhaopengyou_80", 4, {"deal_pace": "timed"}),
        ("shengji", 4, {"chao_di": True}),
        ("arms_length", 4, {}),
    ],
)
def test_sending_every_request_twice_leaves_the_same_table(ruleset, players, options):
    once = Driver(ruleset, players, options, seed=9)
    twice = Driver(ruleset, players, options, seed=9)

    def step(driver, repeat):
        done = []
        plain = driver.do

        def do(seat, /, **command):
            decision = driver.state["decision"]
            command = {"decision_id": decision["id"] if decision else None, **command}
            first = plain(seat, **command)
            state = driver.state
            for _ in range(repeat):
                again = plain(seat, **command)
                assert again.events == []
                assert driver.state == state
                if command["type"] in ACTIONS:
                    assert again.replay_of == first.events[0]["tx"]
            done.append(command)
            return first

        driver.do = do
        driver.step()
        driver.do = plain
        return done

    for _ in range(2_000):
        if once.state["status"] == "finished" or len((once.state["game"] or {"results": []})["results"]) == 2:
            break
        assert step(once, 0) == step(twice, 1)
    assert twice.state == once.state
    assert twice.log == once.log


def test_a_player_can_repeat_the_pass_of_an_ai_player_and_retry_it():
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=2)
    driver.wait(25 * 400)
    driver.do(0, type="leave")
    driver.ai(0, type="pass")
    driver.do(0, type="resume")
    decision = driver.decision["id"]
    outcome = driver.do(0, type="pass", decision_id=decision)
    assert [event["type"] for event in outcome.events] == ["passed"]
    assert driver.state["round"]["passes"] == [0]
    for seat in (1, 2):
        driver.do(seat, type="pass")
    assert driver.decision["id"] == decision, "three of four have passed"
    driver.do(3, type="pass")
    assert driver.do(0, type="pass", decision_id=decision).replay_of == outcome.events[0]["tx"]


def test_after_a_declaration_a_seat_can_pass_again():
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=2)
    for seat in (0, 1, 2, 3):
        driver.do(seat, type="pass")
    driver.wait(25 * 400)
    assert driver.state["round"]["phase"] == "declaring"
    assert driver.state["round"]["passes"] == []
    for seat in (0, 1, 2):
        first = driver.do(seat, type="pass")
        assert [event["type"] for event in first.events] == ["passed"]
        again = driver.do(seat, type="pass")
        assert again.replay_of == first.events[0]["tx"]
    twos = [name for name in CARDS[:52] if name[0] == "2" and driver.hand(3)[CARDS.index(name)]]
    driver.do(3, type="declare", cards=twos[:1])
    assert driver.state["round"]["passes"] == [3]
    for seat in (0, 1, 2):
        assert driver.do(seat, type="pass").events
    assert driver.decision["kind"] == "discard"


def test_only_the_latest_answers_are_remembered():
    driver = Driver("shengji", 4, seed=1)
    Watch(driver, sampled=50)
    for _ in driver.rounds(1):
        pass
    assert {len(answers) for answers in driver.state["answers"]} == {8}


def test_a_command_with_an_idempotency_key_is_done_once():
    driver = Driver("shengji", 4, seed=1)
    message = {"type": "chat", "name": "X", "text": "hello", "key": "k1"}
    first = driver.do(1, **message)
    again = driver.do(1, **message)
    assert (again.events, again.replay_of) == ([], first.events[0]["tx"])
    assert driver.do(1, **{**message, "key": "k2"}).events
    assert driver.do(2, **message).events, "another player has keys of another's own"
    driver.refused(IdempotencyKeyReused, 1, **{**message, "text": "goodbye"})
    assert driver.do(1, type="chat", name="X", text="hello").events, "without a key it is said again"
