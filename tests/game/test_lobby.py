"""Seats and settings outside of rounds: who may do what."""

import random
import re

import pytest

from harness.driver import Driver
from service.common.errors import InvalidOption, InvalidRequest
from service.game.commands.creation import create_table
from service.game.errors import (
    AlreadySeated,
    GameRunning,
    NotFound,
    NotHost,
    NotYourSeat,
    PrivateTable,
    SeatTaken,
    TableFull,
    VersionMismatch,
    WrongPhase,
)
from service.game.ids import new_id
from service.game.state.queries import ai_level
from service.game.views.view import view, viewer_of
from tests.game.scenes import types

STRANGER = 99


def lobby(players=4, **more):
    return Driver("shengji", players, start=False, **more)


def at_play():
    driver = Driver("shengji", 4, seed=5)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "play")
    return driver


# --- seats and settings --------------------------------------------------------------------------------------------


def test_a_private_table_needs_its_join_code():
    driver = lobby(visibility="private")
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    driver.refused(PrivateTable, 5, **sit)
    driver.refused(PrivateTable, 5, **sit, join_code="WRONG1")
    code = driver.state["settings"]["join_code"]
    assert driver.do(5, **sit, join_code=code.lower()).events
    assert driver.do(0, **sit).events, "the host needs no code"


def test_a_seat_has_one_player_and_a_player_one_seat():
    driver = lobby()
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    driver.do(1, **sit, seat=2)
    assert driver.refused(SeatTaken, 2, **sit, seat=2).params == {"seat": 2}
    assert driver.refused(AlreadySeated, 1, **sit, seat=3).params == {"seat": 2}
    assert driver.refused(NotFound, 2, **sit, seat=4).params == {"what": "seat", "seat": 4}
    driver.refused(NotFound, 2, **sit, seat=-1)
    assert driver.do(1, **sit, seat=2).events == []
    assert driver.do(1, **sit).events == []
    for player in (2, 3, 4):
        driver.do(player, **sit)
    driver.refused(TableFull, 5, **sit)


def test_nobody_sits_down_in_a_running_game():
    driver = at_play()
    driver.refused(GameRunning, STRANGER, type="sit", kind="bot", name="X")


def test_strangers_cannot_give_commands_of_players():
    driver = lobby()
    commands = (
        {"type": "leave"},
        {"type": "resume"},
        {"type": "ready"},
        {"type": "entropy", "entropy": "00"},
        {"type": "presence", "presence": "online"},
        {"type": "open_vote", "kind": "abandon"},
        {"type": "cast_vote", "vote": "vt_1", "approve": True},
        {"type": "take_back"},
        {"type": "answer_take_back", "accept": True},
    )
    for command in commands:
        driver.refused(NotYourSeat, STRANGER, **command)


def test_players_cannot_give_commands_of_the_host():
    driver = lobby()
    driver.do(1, type="sit", kind="bot", name="X")
    for command in (
        {"type": "kick", "seat": 0},
        {"type": "seat_ai", "seat": 1, "level": "easy"},
        {"type": "settings", "changes": {}, "version": 1},
        {"type": "close"},
    ):
        driver.refused(NotHost, 1, **command)


def test_the_host_cannot_change_the_table_during_a_round():
    driver = at_play()
    for command in (
        {"type": "kick", "seat": 1},
        {"type": "seat_ai", "seat": 1, "level": "easy"},
        {"type": "settings", "changes": {"chat": False}, "version": driver.state["version"]},
        {"type": "close"},
    ):
        driver.refused(GameRunning, 0, **command)


def test_an_ai_player_takes_only_a_free_seat():
    driver = lobby()
    driver.do(1, type="sit", kind="bot", name="X", seat=1)
    assert driver.refused(SeatTaken, 0, type="seat_ai", seat=1, level="easy").params == {"seat": 1}
    driver.refused(NotFound, 0, type="seat_ai", seat=7, level="easy")
    refusal = driver.refused(InvalidRequest, 0, type="seat_ai", seat=2, level="godlike")
    assert refusal.params == {
        "reason": "no_such_level",
        "level": "godlike",
        "accepted": ["easy", "normal", "hard", "expert"],
    }
    assert driver.do(0, type="seat_ai", seat=2, level="easy").events
    assert driver.do(0, type="seat_ai", seat=2, level="easy").events == []


def test_settings_are_changed_only_from_the_current_version():
    driver = lobby()
    version = driver.state["version"]
    driver.do(1, type="sit", kind="bot", name="X")
    refusal = driver.refused(VersionMismatch, 0, type="settings", changes={"chat": False}, version=version)
    assert refusal.params == {"expected": version, "actual": version + 1}
    refusal = driver.refused(
        InvalidOption, 0, type="settings", changes={"options": {"overcall": "never"}}, version=version + 1
    )
    assert refusal.params["option"] == "overcall"
    wanted = {"options": {"overcall": "none"}, "clock": {"play_ms": 5_000}, "chat": False}
    assert driver.do(0, type="settings", changes=wanted, version=version + 1).events
    assert driver.state["options"]["overcall"] == "none"
    assert driver.state["settings"]["clock"]["play_ms"] == 5_000
    assert driver.state["settings"]["clock"]["call_ms"] == 60_000
    again = {"clock": {"play_ms": 5_000}}
    assert driver.do(0, type="settings", changes=again, version=driver.state["version"]).events == []


def test_a_table_needs_a_known_ruleset_and_a_number_of_players_for_it():
    def refusal(**spec):
        with pytest.raises((InvalidRequest, InvalidOption)) as caught:
            create_table("tb", "p0", {"ruleset": "shengji", "players": 4, **spec}, 0, bytes)
        return caught.value.params

    assert refusal(ruleset="bridge")["reason"] == "no_such_ruleset"
    assert refusal(players=5) == {"reason": "not_for_so_many", "ruleset": "shengji", "players": 5, "accepted": [4]}
    assert refusal(options={"laps": "yes"})["option"] == "laps"


def test_ids_are_short_and_distinct():
    ids = {new_id("tb_", random.Random(seed).randbytes) for seed in range(200)}
    assert len(ids) == 200
    assert all(re.fullmatch("tb_[a-z2-7]{12}", each) for each in ids)


def test_a_player_cannot_become_unready_during_a_game():
    driver = at_play()
    assert driver.refused(WrongPhase, 0, type="ready", ready=False).params == {"action": "ready", "expected": "play"}
    assert driver.do(0, type="ready").events == []


def test_nothing_begins_at_a_closed_table():
    driver = lobby()
    sit = {"type": "sit", "kind": "bot", "name": "X"}
    for player in (0, 1, 2):
        driver.do(player, **sit)
        driver.do(player, type="ready")
    driver.do(0, type="close")
    assert driver.do(0, type="close").events == []
    for player, command in (
        (3, sit),
        (0, {"type": "seat_ai", "seat": 3, "level": "easy"}),
        (0, {"type": "kick", "seat": 1}),
        (1, {"type": "ready"}),
        (0, {"type": "settings", "changes": {}, "version": driver.state["version"]}),
    ):
        refusal = driver.refused(WrongPhase, player, **command)
        assert refusal.params == {"action": command["type"], "expected": None, "reason": "table_closed"}
    table_view = view(driver.state, 1, driver.now)
    assert table_view["closed"] == {"reason": "host"}
    assert "join_code" not in table_view
    assert driver.do(1, type="leave").events
    assert driver.state["status"] == "finished"


# --- coming and going ------------------------------------------------------------------------------------------------


def seated(*players, **more):
    driver = lobby(**more)
    for player in players:
        driver.do(player, type="sit", kind="bot", name=f"Bot {player}")
    return driver


def test_leaving_before_a_game_frees_the_seat():
    driver = seated(0, 1)
    assert types(driver.do(1, type="leave")) == ["seat_left"]
    assert driver.state["seats"][1]["occupant"] is None
    driver.refused(NotYourSeat, 1, type="leave")


def test_when_the_host_leaves_another_player_becomes_host():
    driver = lobby()
    driver.do(0, type="seat_ai", seat=0, level="easy")
    for player in (0, 1, 2):
        driver.do(player, type="sit", kind="bot", name="X")
    outcome = driver.do(0, type="leave")
    assert types(outcome) == ["seat_left", "host_changed"]
    assert driver.state["host"] == "p1"
    driver.do(1, type="leave")
    assert types(driver.do(2, type="leave")) == ["seat_left"]
    assert driver.state["host"] == "p2"


def test_the_host_empties_a_seat_before_the_start():
    driver = seated(0, 1)
    outcome = driver.do(0, type="kick", seat=1)
    assert outcome.events[0]["data"] == {"seat": 1, "reason": "kicked", "autopilot": None}
    assert driver.do(0, type="kick", seat=1).events == []
    driver.refused(NotFound, 0, type="kick", seat=9)


def test_when_a_player_leaves_a_game_an_ai_player_takes_over():
    driver = at_play()
    assert types(driver.do(1, type="leave")) == ["seat_left"]
    place = driver.state["seats"][1]
    assert (place["occupant"]["player"], place["autopilot"], place["presence"]) == ("p1", "easy", "gone")
    assert driver.do(1, type="leave").events == []
    driver.do(1, type="resume")
    assert driver.state["seats"][1]["presence"] == "online"


def test_a_player_who_was_replaced_may_still_leave():
    driver = at_play()
    driver.do(3, type="presence", presence="away")
    for player in (0, 1, 2):
        driver.do(player, type="open_vote" if player == 0 else "cast_vote", kind="replace", seat=3, **vote(driver))
        if ai_level(driver.state, 3):
            break
    assert driver.state["seats"][3]["presence"] == "away"
    assert types(driver.do(3, type="leave")) == ["seat_left"]
    assert driver.state["seats"][3]["presence"] == "gone"


def vote(driver):
    return {"vote": driver.state["vote"]["id"], "approve": True} if driver.state["vote"] else {}


def test_a_player_who_left_a_game_can_leave_the_seat_after_it():
    driver = Driver("arms_length", 4, seed=1)
    driver.play_until(lambda state: state["round"]["number"] == 4 and state["decision"]["kind"] == "play")
    driver.do(1, type="leave")
    while driver.state["status"] == "playing":
        seat = driver.active_seat
        (driver.ai if ai_level(driver.state, seat) else driver.do)(seat, **driver.choice(seat))
    driver.do(1, type="leave")
    place = driver.state["seats"][1]
    assert (place["occupant"], place["autopilot"], place["ready"]) == (None, None, False)


def test_presence_is_recorded_when_it_changes():
    driver = seated(0)
    assert types(driver.do(0, type="presence", presence="away")) == ["presence"]
    assert driver.do(0, type="presence", presence="away").events == []
    assert driver.state["seats"][0]["presence"] == "away"


def test_a_game_starts_when_an_ai_player_takes_the_last_seat():
    driver = seated(0, 1, 2)
    for player in (0, 1, 2):
        driver.do(player, type="ready")
    assert driver.state["status"] == "lobby"
    assert "game_started" in types(driver.do(0, type="seat_ai", seat=3, level="easy"))


def test_a_player_who_becomes_unready_delays_the_start():
    driver = seated(0, 1, 2, 3)
    for player in (0, 1, 2):
        driver.do(player, type="ready")
    driver.do(0, type="ready", ready=False)
    driver.do(3, type="ready")
    assert driver.state["status"] == "lobby"
    assert "game_started" in types(driver.do(0, type="ready"))


def test_changing_options_alone_changes_no_settings():
    driver = seated(0)
    version = driver.state["version"]
    outcome = driver.do(0, type="settings", changes={"options": {"overcall": "none"}}, version=version)
    assert set(outcome.events[0]["data"]["changes"]) == {"options"}


def test_new_options_or_a_new_clock_make_players_unready():
    driver = seated(0, 1, 2)
    driver.do(0, type="seat_ai", seat=3, level="easy")
    for player in (1, 2):
        driver.do(player, type="ready")
    change(driver, chat=False, options={"deal_pace": "instant"})
    assert [seat["ready"] for seat in driver.state["seats"]] == [False, True, True, True]
    change(driver, clock={"play_ms": 5_000})
    assert [seat["ready"] for seat in driver.state["seats"]] == [False, False, False, True]
    for player in (1, 2):
        driver.do(player, type="ready")
    change(driver, options={"deal_pace": "instant", "overcall": "none"})
    assert [seat["ready"] for seat in driver.state["seats"]] == [False, False, False, True]


def change(driver, **changes):
    return driver.do(0, type="settings", changes=changes, version=driver.state["version"])


def test_the_view_of_a_table_without_a_game_has_no_round_and_no_decision():
    driver = seated(0)
    table_view = view(driver.state, viewer_of(driver.state, "p0"), driver.now)
    assert table_view["viewer"] == {"role": "seat", "seat": 0}
    assert (table_view["round"], table_view["game"], table_view["phase"], table_view["decision"]) == (
        None,
        None,
        None,
        None,
    )
    by = {"rank": None, "suit": None, "twos": False}
    assert table_view["my"] == {"seat": 0, "hand": [], "sorted_by": by, "discard": None}
    assert table_view["seats"][0]["side"] == "unknown"
    assert view(driver.state, viewer_of(driver.state, "p9"), driver.now)["viewer"] == {"role": "spectator"}
    assert viewer_of(driver.state, None) is None
