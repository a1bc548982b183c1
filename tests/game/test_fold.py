"""The reference fold: a client that starts from one view and then applies events always has the current view.

`PYTHONPATH=clients/python python -m tests.game.test_fold 3000 7` follows 3,000 random tables from seed 7 on.
"""

import random
import sys
import traceback
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest

from harness.driver import Driver
from service.common import fastjson
from service.common.errors import InvalidOption, Refusal
from service.game.events.evolve import EVENT_TYPES, evolve
from service.game.events.types import Event
from service.game.state.queries import waited_for
from service.game.state.take_backs import may_take_back
from service.game.state.types import State
from service.game.views.telling import tell
from service.game.views.types import OPEN
from service.game.views.view import view, viewer_of
from service.rules.options.presets import PRESETS
from service.rules.options.rulesets import RULESETS, effective_options
from shengji_client import events as folds
from shengji_client import folding as reference
from shengji_client.folding import fold
from tests.game.test_options_played import random_table
from tests.support.sorting import by_day

#: What a client cannot know from events: the time of a view, and what depends on it.
NOT_TOLD = ("server_time", "remaining_ms")


def as_sent(value: Any) -> Any:
    return fastjson.loads(fastjson.dumps(value))


def comparable(view: Any) -> Any:
    """Return a view without what events cannot tell."""
    view = {name: value for name, value in view.items() if name not in NOT_TOLD}
    for part in ("decision", "vote", "pause"):
        if view[part] is not None:
            view[part] = {name: value for name, value in view[part].items() if name not in NOT_TOLD}
    return view


class Client:
    """A client of a player that reads one view and then events alone."""

    def __init__(self, state: State, player: str | None, now: int) -> None:
        self.player = player
        self.view = self.fresh(state, now)

    def fresh(self, state: State, now: int) -> Any:
        """Return what `GET /v1/tables/{table}` would return."""
        table_view = as_sent(view(state, viewer_of(state, self.player), now))
        if state["host"] == self.player:
            table_view["join_code"] = state["settings"]["join_code"]
        return table_view

    def read(self, events: list[Event], state: State, now: int) -> None:
        """Apply events as the API sends them at `state`, the state after the last one; compare with the view."""
        viewer = self.view["viewer"].get("seat", OPEN if "hands" in self.view else None)
        for event in as_sent(tell(events, viewer, state)):
            self.view = fold(self.view, event)
        has, wanted = comparable(self.view), comparable(self.fresh(state, now))
        assert has == wanted, (self.player, [event["type"] for event in events], list(differences(has, wanted)))

    def catch_up(self, driver: Driver) -> None:
        """Apply all events that this client has not read yet."""
        self.read(driver.log[self.view["version"] :], driver.state, driver.now)


def differences(has: Any, wanted: Any, path: str = "") -> list[str]:
    """Return where two JSON values differ."""
    if isinstance(has, dict) and isinstance(wanted, dict):
        names = {**has, **wanted}
        return [
            line
            for name in names
            for line in differences(has.get(name, "absent"), wanted.get(name, "absent"), f"{path}/{name}")
        ]
    return [] if has == wanted else [f"{path}: {has}, not {wanted}"]


class Company:
    """Clients of some seats and of a spectator, which read at random: after one event, or after many."""

    def __init__(self, driver: Driver, seed: int) -> None:
        self.random = random.Random(seed)
        seats = range(driver.state["players"])
        players = [*(f"p{seat}" for seat in self.random.sample(seats, min(4, len(seats)))), None]
        self.clients = [Client(driver.state, player, driver.now) for player in players]
        driver.on_step = self.read

    def read(self, driver: Driver) -> None:
        for client in self.clients:
            if self.random.random() < 0.1:
                client.catch_up(driver)

    def read_all(self, driver: Driver) -> None:
        for client in self.clients:
            client.catch_up(driver)


class Noise:
    """What happens besides plays: chat, votes, take-backs, players who come and go, and timeouts."""

    def __init__(self, driver: Driver, seed: int) -> None:
        self.driver = driver
        self.random = random.Random(seed)

    def make(self) -> None:
        """Do something at random; refusals do not matter."""
        state = self.driver.state
        seat = self.random.choice([number for number, each in enumerate(state["seats"]) if each["occupant"]["player"]])
        other = self.random.randrange(state["players"])
        vote = state["vote"]["id"] if state["vote"] else "vt_0"
        chance = 0.9 if state["vote"] and state["vote"]["kind"] == "pause" else 0.3
        command = self.random.choice([
            {"type": "chat", "name": "A", "preset": "hello"},
            {"type": "entropy", "entropy": "00ff"},
            {"type": "presence", "presence": self.random.choice(["online", "away"])},
            {"type": "open_vote", "kind": "replace", "seat": other},
            {"type": "open_vote", "kind": "end_early"},
            {"type": "open_vote", "kind": "pause"},
            {"type": "end_pause"},
            {"type": "cast_vote", "vote": vote, "approve": self.random.random() < chance},
            {"type": "take_back"},
            {"type": "take_back"},
            {"type": "answer_take_back", "accept": self.random.random() < 0.9},
            {"type": "answer_take_back", "accept": True},
            {"type": "leave"},
            {"type": "resume"},
            {"type": "resume"},
            {"type": "ready", "ready": self.random.random() < 0.7},
            {"type": "pass", "decision_id": "dc_0"} if state["decision"] is None else {"type": "pass"},
            None,
        ])  # fmt: skip
        if command is None:
            self.driver.wait(self.random.choice([100, 40_000, 100_000]))
            return
        with suppress(Refusal):
            self.driver.do(seat, **command)


def step(driver: Driver) -> None:
    """Like `Driver.step`, also for AI seats."""
    seats = [seat for seat in waited_for(driver.state) if driver.state["decision"]["kind"] != "ready"]
    if seats and all(driver.state["seats"][seat]["occupant"]["player"] is None for seat in seats):
        seat = driver.random.choice(seats)
        driver.ai(seat, **driver.choice(seat))
    elif driver.state["decision"] is not None or driver.state["status"] == "playing":
        people = [seat for seat in waited_for(driver.state) if driver.state["seats"][seat]["occupant"]["player"]]
        if people:
            seat = driver.random.choice(people)
            driver.do(seat, **driver.choice(seat))
        else:
            driver.wait(5_000)


def follow(driver: Driver, seed: int, rounds: int, noise: float, most_steps: int = 3_000) -> Company:
    """Play rounds with noise while clients follow; let all of them catch up at the end."""
    company, beside = Company(driver, seed), Noise(driver, seed)
    for _ in range(most_steps):
        if driver.state["status"] != "playing" or driver.state["game"]["round"] > rounds:
            break
        if beside.random.random() < noise:
            beside.make()
        else:
            step(driver)
    company.read_all(driver)
    return company


def follow_random(seed: int) -> Driver:
    """Follow a random table with random options."""
    ruleset, players, options = random_table(seed)
    chance = random.Random(seed)
    if ruleset != "arms_length":
        options["deal_pace"] = chance.choice(["timed", "instant", "instant"])
    try:
        effective_options(ruleset, players, options)
    except InvalidOption:
        options = {}
    return follow_table(ruleset, players, options, seed)


def follow_table(ruleset: str, players: int, options: dict[str, Any], seed: int, rounds: int = 1) -> Driver:
    chance = random.Random(seed)
    driver = Driver(
        ruleset,
        players,
        options,
        seed=seed,
        practice="seed" if chance.random() < 0.3 else None,
        ai=[seat for seat in range(1, players) if chance.random() < 0.2],
        take_back=True,
        spectators=chance.choice(["delayed", "open"]),
        pause_limit_ms=30_000,
        clock_settings={
            "bank_ms": chance.choice([0, 20_000]),
            "on_timeout": chance.choice(["auto_play", "ai_takeover", "pause"]),
        },
    )
    driver.throws = 0.4
    follow(driver, seed, rounds, noise=chance.choice([0.0, 0.1, 0.3]))
    return driver


# --- all games ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_after_every_event_the_fold_equals_the_view_of_every_seat(ruleset: str) -> None:
    players = RULESETS[ruleset].players
    options = {} if ruleset == "arms_length" else {"deal_pace": "timed"}
    driver = Driver(ruleset, 5 if 5 in players else players[0], options, seed=5, take_back=True, spectators="open")
    driver.throws = 0.4
    state, length = driver.state, len(driver.log)
    for _ in driver.rounds(1):
        pass
    driver.play_until(lambda now: now["round"]["number"] == 2 and now["round"]["last_trick"])
    clients = [Client(state, f"p{seat}", driver.now) for seat in range(state["players"])]
    clients.append(Client(state, None, driver.now))
    for event in driver.log[length:]:
        state = evolve(state, event)
        for client in clients:
            client.read([event], state, event["at"])


@pytest.mark.parametrize("seed", by_day(range(5), range(24)))
def test_random_tables_with_noise_can_be_followed_by_events_alone(seed: int) -> None:
    follow_random(seed)


#: A preset of each ruleset; the random tables above have any options.
SOME = {chosen.ruleset: name for name, chosen in PRESETS.items()}.values()


@pytest.mark.parametrize("preset", by_day(SOME, PRESETS))
def test_every_preset_can_be_followed_by_events_alone(preset: str) -> None:
    chosen = PRESETS[preset]
    follow_table(chosen.ruleset, RULESETS[chosen.ruleset].players[0], dict(chosen.options), seed=len(preset))


def test_take_backs_can_be_followed_by_events_alone() -> None:
    driver = Driver("shengji", 4, seed=4, take_back=True)
    chance = random.Random(4)
    company = Company(driver, 4)
    for _ in range(150):
        step(driver)
        able = [seat for seat in range(4) if may_take_back(driver.state["round"], seat)]
        if able and chance.random() < 0.4:
            asking = chance.choice(able)
            driver.do(asking, type="take_back")
            for seat in {0, 1, 2, 3} - {asking}:
                driver.do(seat, type="answer_take_back", accept=True)
            company.read_all(driver)
    done = Counter(event["type"] for event in driver.log)
    assert done["take_back"] > 50
    assert done["trick_reopened"] > 10


def test_the_fold_does_not_change_its_argument() -> None:
    driver = Driver("zhaopengyou", 5, seed=4)
    client, new_client = Client(driver.state, "p1", driver.now), len(driver.log)
    for _ in driver.rounds(1):
        pass
    for event in as_sent(tell(driver.log[new_client:], 1, driver.state)):
        before = as_sent(client.view)
        after = fold(client.view, event)
        assert client.view == before, event["type"]
        client.view = after


def table_commands(driver: Driver) -> None:
    """Do everything that can be done before a game."""
    driver.do(0, type="sit", kind="human", name="A", seat=0)
    driver.do(1, type="sit", kind="bot", name="B", seat=1)
    driver.do(2, type="sit", kind="human", name="C", seat=2)
    driver.do(0, type="kick", seat=2)
    driver.do(0, type="seat_ai", seat=2, level="easy")
    driver.do(0, type="seat_ai", seat=3, level="easy")
    driver.do(1, type="ready")
    changes = {
        "options": {"twos_always_trump": True, "red_fives": True, "direction": "clockwise"},
        "clock": {"bank_ms": 5_000},
    }
    driver.do(0, type="settings", changes={**changes, "chat": False}, version=driver.state["version"])
    driver.do(1, type="ready")
    driver.do(1, type="ready", ready=False)
    driver.do(1, type="presence", presence="away")
    driver.do(1, type="presence", presence="online")


def test_what_happens_around_games_can_be_followed_until_the_table_is_closed() -> None:
    driver = Driver("shengji", 4, {"deal_pace": "instant"}, seed=1, practice="x", start=False)
    driver.do(0, type="sit", kind="human", name="A", seat=0)
    host, spectator = Client(driver.state, "p0", driver.now), Client(driver.state, None, driver.now)
    clients = [host, spectator]
    driver.on_step = lambda table: [client.catch_up(table) for client in clients] and None
    table_commands(driver)
    driver.do(0, type="ready")
    driver.do(1, type="ready")
    assert driver.state["status"] == "playing"
    clients.append(Client(driver.state, "p1", driver.now))
    for _ in range(60):
        step(driver)
    driver.do(0, type="open_vote", kind="end_early")
    driver.do(1, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert driver.state["status"] == "finished"
    assert spectator.view["practice"] == {"seed": "x"}
    driver.do(0, type="settings", changes={"options": {"chao_di": True}}, version=driver.state["version"])
    driver.do(1, type="ready")
    driver.do(0, type="ready")
    assert driver.state["status"] == "playing"
    assert host.view["practice"] == {"seed": None}
    for _ in range(20):
        step(driver)
    clients.remove(host)
    driver.do(0, type="leave")
    driver.do(1, type="open_vote", kind="abandon")
    driver.do(0, type="close")
    assert driver.log[-1]["type"] == "table_closed"
    assert spectator.view["decision"] is None
    assert spectator.view["closed"] == {"reason": "host"}


def test_changes_between_rounds_and_games_can_be_followed() -> None:
    driver = Driver("sishifen", 4, seed=1, ai=[2, 3])
    clients = [Client(driver.state, player, driver.now) for player in ("p0", "p1", None)]

    def catch_up(driver: Driver) -> None:
        for client in clients:
            client.catch_up(driver)

    def play_round() -> None:
        while driver.state["round"]["phase"] != "scored":
            step(driver)

    driver.on_step = catch_up
    play_round()
    driver.do(0, type="seat_ai", seat=2, level="normal")
    driver.do(0, type="settings", changes={"clock": {"play_ms": 9_000}}, version=driver.state["version"])
    driver.do(3, type="sit", kind="human", name="Mei", seat=3)
    assert clients[0].view["seats"][3]["since"] == 2
    driver.do(0, type="kick", seat=2)
    assert "since" not in clients[0].view["seats"][2]
    driver.do(0, type="ready")
    driver.wait(100_000)
    play_round()
    driver.do(3, type="leave")
    clients.remove(clients[1])
    driver.do(1, type="leave")
    driver.do(8, type="sit", kind="human", name="Bo", seat=1)
    clients.append(Client(driver.state, "p8", driver.now))
    driver.do(8, type="open_vote", kind="end_early")
    driver.do(0, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert driver.state["status"] == "finished"
    driver.do(0, type="settings", changes={"start_levels": ["5", "T"]}, version=driver.state["version"])
    for player in (0, 8):
        driver.do(player, type="ready")
    assert driver.state["status"] == "playing"
    assert [seat["level"] for seat in clients[0].view["seats"]] == ["5", "T", "5", "T"]
    assert "start_levels" not in clients[0].view["settings"]
    assert not any("since" in seat for seat in clients[0].view["seats"])


def test_the_watch_code_comes_and_goes_with_the_settings() -> None:
    driver = Driver("shengji", 4, seed=1, start=False)
    driver.do(0, type="sit", kind="human", name="A", seat=0)
    player, spectator = Client(driver.state, "p0", driver.now), Client(driver.state, None, driver.now)
    codes = []
    for changes in (
        {"spectators": "delayed"},
        {"visibility": "private"},
        {"chat": False},
        {"spectators": "off"},
        {"spectators": "delayed"},
        {"visibility": "public"},
    ):
        driver.do(0, type="settings", changes=changes, version=driver.state["version"])
        player.catch_up(driver)
        spectator.catch_up(driver)
        codes.append("watch_code" in player.view)
    assert codes == [False, True, True, False, True, False]
    assert "watch_code" not in spectator.view


def test_an_abandoned_table_can_be_followed_until_somebody_comes_back() -> None:
    driver = Driver("shengji", 4, seed=1, ai=[1, 2, 3])
    spectator = Client(driver.state, None, driver.now)
    driver.do(0, type="leave")
    while driver.state["decision"]["kind"] != "ready":
        seat = driver.active_seat
        driver.ai(seat, **driver.choice(seat))
        spectator.catch_up(driver)
    assert driver.state["decision"]["deadline"] is None
    driver.do(0, type="resume")
    driver.do(0, type="ready")
    spectator.catch_up(driver)
    assert spectator.view["round"]["number"] == 2


def test_events_read_late_contain_only_the_hints_of_the_open_decision() -> None:
    driver = Driver("shengji", 4, {"deal_pace": "timed"}, seed=2)
    early = driver.state
    driver.wait(4_000)
    driver.wait(2_000)
    news = tell(driver.log[early["version"] :], 0, driver.state)
    assert [event["type"] for event in news if "hints" in event["data"]] == ["dealt"]
    assert "hints" in news[-1]["data"]
    assert news[-1]["data"]["hints"] == view(driver.state, 0, driver.now)["decision"]["hints"]
    assert not any("hints" in event["data"] for event in tell(driver.log, None, driver.state))
    driver.play_until(lambda state: state["round"]["phase"] == "playing")
    seat_asked, other = driver.active_seat, (driver.active_seat + 1) % 4
    for seat, brings in ((seat_asked, [driver.decision["opened_seq"]]), (other, [])):
        events = tell(driver.log, seat, driver.state)
        assert [event["seq"] for event in events if "hints" in event["data"]] == brings
    earlier = tell(driver.log[: driver.decision["opened_seq"] - 1], seat_asked, driver.state)
    assert not any("hints" in event["data"] for event in earlier)


def test_the_fold_knows_every_event_that_changes_a_view() -> None:
    """All other events change nothing in views."""
    nothing = {"table_created", "entropy_given", "chat", "declaration_closed", "kitty_flipped", "throw_failed"}
    nothing |= {"round_ended", "game_kept", "clock_advanced"}
    assert {*reference.SEATS, *reference.CHANGES, *folds.SETS} == EVENT_TYPES - nothing


def test_an_unknown_event_changes_only_the_version() -> None:
    driver = Driver("shengji", 4)
    table_view = as_sent(view(driver.state, 0, driver.now))
    event = {"seq": table_view["version"] + 1, "type": "new", "at": "", "round": 1, "by": "server", "data": {}}
    assert fold(table_view, event) == {**table_view, "version": table_view["version"] + 1}


def main() -> None:
    """Follow many random tables; print those that could not be followed."""
    count, first = int(sys.argv[1]), int(sys.argv[2])
    failed = []
    for seed in range(first, first + count):
        try:
            follow_random(seed)
        except Exception:  # noqa: BLE001 - it is reported, and the next table is followed
            failed.append(seed)
            traceback.print_exc(limit=-3, file=sys.stdout)
            sys.stdout.flush()
    print(f"{count} tables from seed {first}: {len(failed)} failed: {failed}")


if __name__ == "__main__":
    main()
