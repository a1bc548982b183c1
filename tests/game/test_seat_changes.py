"""Changes between rounds: seats, AI players, the clock; and the start levels of the next game."""

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.game.errors import (
    AlreadySeated,
    GameRunning,
    NotHost,
    PrivateTable,
    SeatTaken,
    TableFull,
    VersionMismatch,
    WrongPhase,
)
from service.game.events.evolve import fold
from service.game.records import record, replay
from service.game.records.sittings import sittings_of
from service.game.state import clock
from service.game.state.queries import GONE_AFTER_MS, gives_hints, persons, waited_for
from service.game.views.view import view
from service.tables.results import is_rated, new_result, results_after
from tests.game.scenes import types

NEWCOMER = 7


def played(ruleset="shengji", players=4, rounds=1, **more):
    """Return a table between two rounds."""
    driver = Driver(ruleset, players, more.pop("options", None), seed=5, **more)
    go_on(driver, rounds)
    return driver


def go_on(driver, rounds=1):
    """Have all seats play so many rounds, until the table waits for the next one or the game is over."""
    until = len(driver.state["game"]["results"]) + rounds
    while driver.state["status"] == "playing" and len(driver.state["game"]["results"]) < until:
        move(driver)


def move(driver):
    seats = clock.ai_seats_asked(driver.state)
    people = [seat for seat in waited_for(driver.state) if seat in persons(driver.state)]
    if seats:
        driver.ai(seats[0], **driver.choice(seats[0]))
    elif people and driver.decision["kind"] != "ready":
        as_player(driver, people[0], **driver.choice(people[0]))
    elif people:
        as_player(driver, people[0], type="ready")
    else:
        driver.wait(max(0, clock.wake_at(driver.state) - driver.now))


def as_player(driver, seat, **command):
    """Give a command as the player on this seat."""
    driver.do(int(driver.state["seats"][seat]["occupant"]["player"][1:]), **command)


def sit(driver, player=NEWCOMER, **how):
    return driver.do(player, type="sit", kind="human", name="Mei", **how)


def leave(driver, *seats):
    for seat in seats:
        driver.do(seat, type="leave")


# --- seats -----------------------------------------------------------------------------------------------------------


def test_a_person_can_take_the_seat_and_the_level_of_an_ai_player():
    driver = played(ai=(2, 3))
    level = driver.state["seats"][3]["level"]
    driver.do(0, type="ready")
    driver.now += 20_000
    outcome = sit(driver, seat=3)
    assert types(outcome) == ["seat_taken", "decision_opened"]
    assert driver.decision["seats"] == [1, 3]
    assert driver.decision["deadline"] == driver.now + driver.state["settings"]["clock"]["ready_ms"]
    assert driver.state["seats"][3]["level"] == level
    driver.do(1, type="ready")
    assert "round_opened" in types(driver.do(NEWCOMER, type="ready"))
    assert view(driver.state, 3, driver.now)["seats"][3]["since"] == 2
    go_on(driver)
    assert [each[1]["kind"] for each in sittings_of(driver.state) if each.seat == 3] == ["ai", "human"]
    assert fold(driver.log) == driver.state


def test_newcomers_get_free_seats_first_then_those_of_ai_players_and_of_players_who_are_gone():
    driver = played(ai=(2, 3))
    leave(driver, 1)
    driver.do(0, type="kick", seat=3)
    for player, seat in ((7, 3), (8, 2), (9, 1)):
        outcome = sit(driver, player)
        assert outcome.state["seats"][seat]["occupant"]["player"] == f"p{player}"
    assert types(outcome) == ["seat_left", "seat_taken", "decision_opened"]
    assert outcome.events[0]["data"] == {"seat": 1, "reason": "replaced", "autopilot": None}
    driver.refused(TableFull, 10, type="sit", kind="human", name="Bo")


def test_the_seat_of_a_player_who_is_present_or_briefly_away_cannot_be_taken():
    driver = played()
    driver.refused(SeatTaken, NEWCOMER, type="sit", kind="human", name="Mei", seat=1)
    driver.do(1, type="presence", presence="away")
    driver.refused(SeatTaken, NEWCOMER, type="sit", kind="human", name="Mei", seat=1)
    driver.now += GONE_AFTER_MS
    assert "seat_taken" in types(sit(driver, seat=1))


def test_a_player_who_has_a_seat_left_it_or_was_kicked_cannot_take_another():
    driver = played(ai=(2, 3))
    code = driver.state["settings"]["join_code"]
    assert driver.refused(AlreadySeated, 1, type="sit", kind="bot", name="X", seat=2).params == {"seat": 1}
    leave(driver, 1)
    assert driver.refused(AlreadySeated, 1, type="sit", kind="bot", name="X", seat=2).params == {"seat": 1}
    driver.do(0, type="kick", seat=1)
    for old in ({}, {"join_code": code}):
        assert driver.refused(PrivateTable, 1, type="sit", kind="bot", name="X", **old).params["reason"] == "kicked"
    assert "seat_taken" in types(sit(driver, 1, seat=1, join_code=driver.state["settings"]["join_code"]))


def test_no_seats_or_settings_change_during_a_round():
    driver = Driver("shengji", 4, seed=5, ai=(2, 3))
    for player, command in (
        (NEWCOMER, {"type": "sit", "kind": "human", "name": "Mei", "seat": 3}),
        (0, {"type": "kick", "seat": 3}),
        (0, {"type": "seat_ai", "seat": 3, "level": "normal"}),
        (0, {"type": "settings", "changes": {"clock": {"play_ms": 9_000}}, "version": None}),
    ):
        assert driver.refused(GameRunning, player, **command).params == {"reason": "round_running"}


def test_the_host_frees_only_seats_of_ai_players_and_of_players_who_are_gone():
    driver = played(ai=(3,))
    assert driver.refused(GameRunning, 0, type="kick", seat=1).params == {"reason": "seat_in_game", "seat": 1}
    driver.refused(NotHost, 1, type="kick", seat=3)
    assert types(driver.do(0, type="kick", seat=3)) == ["seat_left", "decision_opened"]
    leave(driver, 1)
    assert types(driver.do(0, type="kick", seat=1)) == ["seat_left", "settings_changed", "decision_opened"]
    assert driver.decision["seats"] == [0, 1, 2, 3]


def test_a_free_seat_goes_to_an_ai_player_when_the_time_to_get_ready_is_over():
    driver = played(ai=(3,), takeover_level="normal")
    driver.do(0, type="kick", seat=3)
    driver.do(1, type="ready")
    outcome = driver.wait(clock.times_out_at(driver.state) - driver.now)
    assert "round_opened" in types(outcome)
    occupant = driver.state["seats"][3]["occupant"]
    assert (occupant["kind"], occupant["level"]) == ("ai", "normal")


def test_the_next_round_begins_when_the_host_fills_the_last_free_seat():
    driver = played(ai=(3,))
    driver.do(0, type="kick", seat=3)
    for player in (0, 1, 2):
        driver.do(player, type="ready")
    assert "round_opened" in types(driver.do(0, type="seat_ai", seat=3, level="hard"))


def test_seats_do_not_change_while_a_vote_is_open():
    driver = played(ai=(3,))
    driver.do(0, type="open_vote", kind="abandon")
    for player, command in (
        (NEWCOMER, {"type": "sit", "kind": "human", "name": "Mei", "seat": 3}),
        (0, {"type": "kick", "seat": 3}),
    ):
        assert driver.refused(WrongPhase, player, **command).params["reason"] == "vote_open"


def test_when_a_host_who_is_gone_is_replaced_another_player_becomes_host():
    driver = played()
    leave(driver, 0)
    assert types(sit(driver, seat=0)) == ["seat_left", "seat_taken", "host_changed", "decision_opened"]
    assert driver.state["host"] == "p7"


def test_a_newcomer_can_start_the_next_round_at_an_abandoned_table():
    driver = played()
    leave(driver, 0, 1, 2, 3)
    assert driver.decision["deadline"] is None
    sit(driver, seat=2)
    assert driver.decision["seats"] == [2]
    assert "round_opened" in types(driver.do(NEWCOMER, type="ready"))


def test_an_abandoned_table_goes_on_waiting_after_a_change_by_its_host():
    driver = played(ai=(0,))
    leave(driver, 1, 2, 3)
    outcome = driver.do(0, type="seat_ai", seat=0, level="normal")
    assert types(outcome) == ["ai_seated", "decision_opened"]
    assert (driver.decision["seats"], driver.decision["deadline"]) == ([1, 2, 3], None)


def test_a_newcomer_may_open_a_vote_though_the_previous_player_lost_one():
    driver = played()
    driver.do(1, type="open_vote", kind="abandon")
    driver.do(2, type="cast_vote", vote=driver.state["vote"]["id"], approve=False)
    leave(driver, 1)
    sit(driver, seat=1)
    assert types(driver.do(NEWCOMER, type="open_vote", kind="abandon")) == ["vote_opened"]


# --- AI players and settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        {"type": "seat_ai", "seat": 3, "level": "normal"},
        {"type": "settings", "changes": {"clock": {"play_ms": 5_000}}, "version": None},
    ],
    ids=["level", "clock"],
)
def test_a_change_by_the_host_makes_the_others_unready(change):
    driver = played(ai=(3,))
    for player in (0, 1):
        driver.do(player, type="ready")
    driver.now += 10_000
    outcome = driver.do(0, **change)
    assert types(outcome)[1:] == ["seat_ready", "decision_opened"]
    assert driver.decision["seats"] == [1, 2]
    assert driver.decision["deadline"] == driver.now + driver.state["settings"]["clock"]["ready_ms"]
    assert driver.do(0, **change).events == []


def test_a_change_by_the_host_does_not_ask_players_who_have_left():
    driver = played(ai=(3,))
    leave(driver, 1)
    driver.do(0, type="seat_ai", seat=3, level="normal")
    assert driver.decision["seats"] == [0, 2]


def test_pace_and_takeover_level_change_without_making_players_unready():
    driver = played(ai=(3,))
    changes = {"ai_pace_ms": 0, "takeover_level": "hard"}
    assert types(driver.do(0, type="settings", changes=changes, version=None)) == ["settings_changed"]


@pytest.mark.parametrize(
    "changes", [{"options": {"overcall": "none"}}, {"take_back": True}, {"hints": "on"}, {"start_levels": ["5", "3"]}]
)
def test_other_settings_cannot_change_between_rounds(changes):
    driver = played(ai=(3,))
    refusal = driver.refused(GameRunning, 0, type="settings", changes=changes, version=None)
    assert refusal.params == {
        "reason": "setting_in_game",
        "settings": list(changes),
        "accepted": ["clock", "ai_pace_ms", "takeover_level"],
    }


def test_a_change_from_an_old_version_or_after_the_round_begins_is_refused():
    driver = played()
    before = driver.state["version"]
    driver.do(0, type="ready")
    change = {"type": "settings", "changes": {"clock": {"play_ms": 5_000}}, "version": before}
    driver.refused(VersionMismatch, 0, **change)
    for player in (1, 2, 3):
        driver.do(player, type="ready")
    driver.refused(GameRunning, 0, **change)


# --- records, ratings and levels -------------------------------------------------------------------------------------


def test_a_record_with_changes_of_seats_and_clock_can_be_replayed():
    driver = played(ai=(3,), options={"deal_pace": "timed"}, rounds=1)
    driver.do(0, type="settings", changes={"clock": {"deal_interval_ms": 100}}, version=None)
    driver.do(0, type="seat_ai", seat=3, level="normal")
    go_on(driver)
    sit(driver, seat=3)
    go_on(driver)
    game_record = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert [(each["round"], each["seat"], each["occupant"]["level"]) for each in game_record["changes"]] == [
        (2, 3, "normal"),
        (3, 3, None),
    ]
    assert game_record["seats"][3]["occupant"]["level"] == "easy"
    assert ["clock" in each for each in game_record["rounds"]] == [False, True, True]
    assert replay.check(game_record)["ok"]


def changed_game(*, leaver=0, before=1, after=1):
    """Play a game in which another person takes the seat of a player after some rounds; return the table."""
    driver = played("arms_length", rounds=before)
    leave(driver, leaver)
    sit(driver, seat=leaver)
    go_on(driver, after)
    while driver.state["status"] == "playing":
        go_on(driver)
    return driver


@pytest.mark.parametrize("before", [1, 2, 3])
def test_a_player_who_gives_up_a_seat_shares_its_loss_but_its_win_only_after_half_of_the_rounds(
    before,
):
    for leaver in range(4):
        driver = changed_game(leaver=leaver, before=before)
        assert is_rated(driver.state)
        after = results_after(driver.state, {})
        won = leaver in driver.state["game"]["winners"]
        left, came = after[f"p{leaver}"], after["p7"]
        assert (left["rounds"], came["rounds"]) == (before, 4 - before)
        assert left["rated_games"] == (not won or before >= 2)
        assert left["wins"] == (won and before >= 2)
        assert (left["mu"] < new_result()["mu"]) == (not won)
        assert (came["rated_games"], came["mu"], came["games"]) == (0, new_result()["mu"], 1)
        assert came["wins"] == (won and before <= 2)


def test_a_game_that_ends_with_a_free_seat_counts_for_its_last_player():
    driver = played("arms_length")
    leave(driver, 1)
    driver.do(0, type="kick", seat=1)
    driver.do(0, type="open_vote", kind="end_early")
    for player in (2, 3):
        driver.do(player, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert driver.state["status"] == "finished"
    after = results_after(driver.state, {})
    assert {player: result["rounds"] for player, result in after.items()} == dict.fromkeys(("p0", "p1", "p2", "p3"), 1)


def test_changes_of_seats_do_not_change_whether_a_game_is_rated():
    alone = played("arms_length", ai=(1, 2, 3))
    assert gives_hints(alone.state)
    sit(alone, seat=1)
    assert gives_hints(alone.state)
    two = played("arms_length", ai=(2, 3))
    leave(two, 1)
    two.do(0, type="kick", seat=1)
    assert not gives_hints(two.state)


def test_start_levels_apply_to_one_game():
    driver = Driver("shengji", 4, {"deal_pace": "instant"}, seed=5, ai=(1, 2, 3), start=False)
    driver.do(0, type="sit", kind="human", name="Lin", seat=0)
    driver.do(0, type="settings", changes={"start_levels": ["5", "9"]}, version=None)
    assert view(driver.state, 0, 0)["settings"]["start_levels"] == ["5", "9"]
    outcome = driver.do(0, type="ready")
    assert types(outcome)[1:4] == ["game_started", "levels_changed", "round_opened"]
    assert [seat["level"] for seat in driver.state["seats"]] == ["5", "9", "5", "9"]
    assert driver.state["round"]["level"] == driver.state["seats"][driver.state["round"]["starter"]]["level"]
    assert "start_levels" not in driver.state["settings"]
    go_on(driver)
    outcome = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check(outcome)["ok"]
    assert fold(driver.log) == driver.state


def test_in_games_with_friends_each_seat_has_a_start_level_and_uneven_games_are_not_rated():
    for levels, uneven in ((["2", "3", "4", "5", "6"], True), (["6"] * 5, False)):
        driver = Driver("zhaopengyou", 5, seed=5, start_levels=levels)
        assert [seat["level"] for seat in driver.state["seats"]] == levels
        driver.do(0, type="open_vote", kind="end_early")
        assert gives_hints(driver.state) == uneven
        driver.state["game"] |= {"ended": "passed_last_level", "winners": [0]}
        assert is_rated(driver.state) != uneven


@pytest.mark.parametrize(
    ("ruleset", "levels", "reason"),
    [
        ("shengji", ["5"], "start_levels_count"),
        ("shengji", ["5", "3", "5", "3"], "start_levels_count"),
        ("zhaopengyou", ["5", "3"], "start_levels_count"),
        ("shengji", ["5", "1"], "level_not_on_ladder"),
        ("arms_length", ["5", "3"], "no_levels"),
    ],
)
def test_invalid_start_levels_are_refused(ruleset, levels, reason):
    driver = Driver(ruleset, 5 if ruleset == "zhaopengyou" else 4, start=False)
    refusal = driver.refused(InvalidRequest, 0, type="settings", changes={"start_levels": levels}, version=None)
    assert (refusal.params["reason"], refusal.params["field"]) == (reason, "start_levels")


def test_start_levels_must_fit_later_options_and_can_be_removed():
    driver = Driver("shengji", 4, start=False)
    driver.do(0, type="settings", changes={"start_levels": ["5", "3"]}, version=None)
    ladder = {"level_ladder": ["5", "T", "K", "A"]}
    refusal = driver.refused(InvalidRequest, 0, type="settings", changes={"options": ladder}, version=None)
    assert refusal.params["reason"] == "level_not_on_ladder"
    driver.do(0, type="settings", changes={"start_levels": []}, version=None)
    assert "start_levels" not in driver.state["settings"]
    driver.do(0, type="settings", changes={"options": ladder}, version=None)
