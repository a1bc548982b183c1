"""Interruptions: time in which nobody could reach the service does not count at a table."""

import random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from harness.driver import Driver
from service.common.errors import InvalidOption
from service.common.interruptions import NO_INTERRUPTIONS, UNHEARD_MS, Interruptions
from service.game.commands.decide import catch_up
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.state import clock
from service.game.state.interruptions import LEAST_MS
from service.game.state.queries import GONE_AFTER_MS, is_gone
from service.rules.options.rulesets import effective_options
from tests.game.test_fold import Client
from tests.game.test_options_played import random_table
from tests.game.test_take_backs import before_ai, reach

#: The API gives a sign of life every half second; a worker may be up to three seconds late.
SIGN_MS = 500
LATE_MS = 3_000
#: Without shrinking, which would not end if a table never settles.
UNSHRUNK = settings(phases=[Phase.explicit, Phase.generate])


class Watched:
    """A table, and a worker that looks at it before, during and after an interruption."""

    def __init__(self, driver: Driver, chance: random.Random) -> None:
        self.driver, self.chance = driver, chance
        self.known = NO_INTERRUPTIONS

    def look(self) -> list[dict[str, Any]]:
        """Do what is due now; return the events."""
        events: list[dict[str, Any]] = []
        while outcome := self.driver._take(
            catch_up(self.driver.state, self.driver.now, self.driver.random.randbytes, self.known)
        ).events:
            events += outcome
            assert len(events) < 500, "this goes on for ever"
        return events

    def go_away(self, ms: int) -> None:
        """Make the service unreachable for some time, in which workers may look at the table."""
        stopped = self.driver.now
        heard = stopped - self.chance.randrange(SIGN_MS)
        self.known = Interruptions(heard)
        for at in sorted(self.chance.randrange(ms) for _ in range(self.chance.randrange(4))):
            if stopped + at - heard > UNHEARD_MS:
                self.driver.now = stopped + at
                assert self.look() == [], "nothing is due while nobody can act"
        self.driver.now = stopped + ms
        self.known = Interruptions(self.driver.now, ((heard, self.driver.now),))

    def be_away(self, ms: int) -> None:
        """Make the service unreachable for some time, right after a sign of life."""
        stopped, self.driver.now = self.driver.now, self.driver.now + ms
        self.known = Interruptions(self.driver.now, ((stopped, self.driver.now),))

    def stay(self, ms: int) -> None:
        """Let time pass while the service is reachable."""
        self.driver.now += ms
        self.known = self.known._replace(heard_at=self.driver.now)


def table(seed: int) -> Driver:
    """Return a random table at a random moment of a round and of its open decision."""
    chance = random.Random(seed)
    ruleset, players, options = random_table(seed)
    if ruleset != "arms_length":
        options["deal_pace"] = chance.choice(["timed", "instant"])
    try:
        effective_options(ruleset, players, options)
    except InvalidOption:
        options = {}
    limits = ("declare_ms", "defence_ms", "discard_ms", "call_ms", "play_ms")
    times = {name: chance.choice([5_000, 20_000, 60_000]) for name in limits}
    on_timeout = chance.choice(["auto_play", "ai_takeover", "pause"])
    clock_settings = {**times, "bank_ms": chance.choice([0, 20_000]), "on_timeout": on_timeout}
    driver = Driver(ruleset, players, options, seed=seed, clock_settings=clock_settings)
    for _ in range(chance.randrange(60)):
        driver.step()
    wake_at = clock.wake_at(driver.state)
    if wake_at is not None and wake_at > driver.now:
        driver.now += chance.randrange(wake_at - driver.now)
    return driver


@UNSHRUNK
@given(st.integers(0, 10**6), st.integers(1_000, 3_600_000))
def test_after_an_interruption_a_decision_has_its_remaining_time_and_at_least_ten_seconds(
    seed: int, away_ms: int
) -> None:
    driver, chance = table(seed), random.Random(seed)
    before, stopped = driver.state, driver.now
    decision, times_out_at, was_dealt = before["decision"], clock.times_out_at(before), dealt(before)
    watched = Watched(driver, chance)
    watched.go_away(away_ms)
    back = driver.now
    assert driver.state["decision"] == decision
    events = watched.look()
    assert {event["type"] for event in events} <= {"interrupted"} | ({"dealt"} if away_ms < 4_000 else set())
    assert [seat["bank_ms"] for seat in driver.state["seats"]] == [seat["bank_ms"] for seat in before["seats"]]
    ends_at = back
    while decision is not None and times_out_at is not None and driver.state["decision"] is not None:
        if driver.state["decision"]["id"] != decision["id"] or driver.state["decision"]["deadline"] is None:
            break
        now = clock.times_out_at(driver.state)
        assert now is not None
        ends_at = now
        watched.stay(max(1, now - driver.now) if chance.random() < 0.5 else chance.randrange(1, LATE_MS))
        if driver.now > back + 600_000:
            raise AssertionError("it never times out")
        watched.look()
    if decision is not None and times_out_at is not None:
        whole = min(LEAST_MS, decision["deadline"] - decision["opened_at"])
        left = max(times_out_at - stopped, whole)
        assert driver.now - back >= left, "sooner than the rule says"
        assert ends_at - back <= max(left, whole + times_out_at - decision["deadline"]) + SIGN_MS, "more generous"
    elif was_dealt is not None:
        assert dealt(driver.state) == was_dealt
    assert fold(driver.log) == driver.state


def dealt(state: Any) -> int | None:
    """Return how many cards of a timed deal have been dealt, or None outside a deal."""
    table_round = state["round"]
    return table_round["deal"]["count"] if table_round and table_round["phase"] == "dealing" else None


@UNSHRUNK
@given(st.integers(0, 10**6), st.integers(1, 24), st.integers(1_000, 3_600_000))
def test_an_interrupted_deal_goes_on_at_its_interval_and_can_be_replayed(seed: int, circles: int, away_ms: int) -> None:
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=seed, practice="seed")
    interval = driver.state["round"]["deal"]["interval"]
    driver.wait(interval * circles)
    watched = Watched(driver, random.Random(seed))
    watched.go_away(away_ms)
    moved = [event["data"]["deal_ms"] for event in watched.look() if "deal_ms" in event["data"]]
    assert dealt(driver.state) in (4 * circles, 4 * circles + 4)
    while dealt(driver.state) is not None:
        before, at = driver.state["round"]["deal"]["count"], driver.now
        watched.stay(interval)
        watched.look()
        assert driver.state["round"]["deal"]["count"] <= before + 4 * (driver.now - at) // interval + 4
    for _ in driver.rounds(1):
        pass
    while driver.state["round"]["number"] == 1 and driver.state["round"]["phase"] == "scored":
        driver.step()
    game = driver.state["game"]["id"]
    game_record = record.record(record.game_log(driver.log, game), driver.now)
    assert [pause["ms"] for pause in game_record["rounds"][0].get("interruptions", [])] == moved
    verdict = replay.check(game_record)
    assert [(each["ok"], each["detail"]) for each in verdict["rounds"][:1]] == [(True, None)]


def test_an_interruption_extends_a_pause_and_leaves_the_decision_its_time() -> None:
    driver = at_play(pause_limit_ms=600_000)
    client = Client(driver.state, "p1", driver.now)
    left = driver.decision["deadline"] - driver.now
    agree_to_pause(driver)
    watched = Watched(driver, random.Random(5))
    watched.stay(100_000)
    watched.be_away(3_600_000)
    [event] = watched.look()
    assert (event["type"], event["data"]["pause_until"]) == ("interrupted", driver.now + 500_000)
    client.catch_up(driver)
    assert client.view["pause"]["until"] == client.fresh(driver.state, driver.now)["pause"]["until"]
    watched.stay(200_000)
    driver.do(0, type="end_pause")
    assert driver.decision["deadline"] == driver.now + left
    agree_to_pause(driver)
    assert driver.state["pause"]["until"] == driver.now + 300_000, "what was lost counts against the limit"
    watched.stay(299_999)
    watched.be_away(60_000)
    watched.look()
    assert driver.state["pause"]["until"] == driver.now + LEAST_MS
    watched.stay(LEAST_MS)
    assert [event["type"] for event in watched.look()] == ["game_resumed", "decision_opened"]
    assert fold(driver.log) == driver.state


def test_ai_players_wait_for_answers_to_a_take_back_through_interruptions_and_pauses() -> None:
    driver = Driver("shengji", 4, seed=5, take_back=True, pause_limit_ms=600_000, ai=(2, 3), practice="unrated")
    reach(driver, before_ai)
    driver.step()
    driver.do(1, type="take_back")
    watched = Watched(driver, random.Random(5))
    watched.stay(1_000)
    watched.be_away(3_600_000)
    watched.look()
    assert clock.ai_due_at(driver.state) == driver.now + clock.ANSWER_MS - 1_000
    watched.stay(clock.ANSWER_MS - 2_000)
    watched.be_away(60_000)
    watched.look()
    assert clock.ai_due_at(driver.state) == driver.now + LEAST_MS
    agree_to_pause(driver, 2)
    watched.stay(300_000)
    driver.do(0, type="end_pause")
    assert clock.ai_due_at(driver.state) == driver.now + LEAST_MS
    assert driver.state["round"]["take_back"] is not None
    assert fold(driver.log) == driver.state


def test_time_away_during_an_interruption_does_not_make_a_player_gone() -> None:
    driver = at_play()
    driver.do(1, type="presence", presence="away")
    watched = Watched(driver, random.Random(5))
    watched.stay(10_000)
    watched.be_away(3_600_000)
    watched.look()
    left = GONE_AFTER_MS - 10_000
    assert [is_gone(driver.state, 1, driver.now + left + ms) for ms in (-1, 0)] == [False, True]
    assert fold(driver.log) == driver.state


def at_play(**more: Any) -> Driver:
    driver = Driver("shengji", 4, seed=5, **more)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


def agree_to_pause(driver: Driver, persons: int = 4) -> None:
    driver.do(0, type="open_vote", kind="pause")
    for seat in range(1, persons):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert "pause" in driver.state
