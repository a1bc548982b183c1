"""Games of so many rounds or minutes, or on listed levels: when they end, who has won, and by what."""

from functools import reduce
from typing import Any

import pytest

from harness.driver import Driver
from service.common.errors import InvalidRequest
from service.common.interruptions import Interruptions
from service.game.commands.decide import catch_up
from service.game.errors import GameRunning
from service.game.events.evolve import NO_TABLE, evolve
from service.game.events.needs import needs_of
from service.game.records import record, replay
from service.game.records.importing import imported
from service.game.records.text import read, written
from service.game.state import clock
from service.game.state.families import family_of
from service.game.state.queries import counts_for_ratings
from service.game.state.settings import MINUTE_MS, game_ends_at
from service.game.views.fields import timestamp
from service.game.views.view import view
from service.rules.options.rulesets import RULESETS
from service.tables.parts import is_rated
from service.tables.past_games import past_game
from tests.game.test_fold import Client
from tests.game.watch import Watch

#: In order of play, as `levels` of the length.
LEVELS = ["2", "5", "3", "A"]
#: A clock that never runs out in these tests.
SLOW = dict.fromkeys(("declare_ms", "defence_ms", "discard_ms", "call_ms", "play_ms", "ready_ms"), 3600000)


def table(ruleset: str = "shengji", length: Any = None, **more: Any) -> Driver:
    return Driver(ruleset, RULESETS[ruleset].players[0], seed=5, length=length or {}, **more)


def ended(driver: Driver) -> Any:
    assert driver.log[-1]["type"] == "game_ended"
    return driver.log[-1]["data"]


def play_on(driver: Driver) -> None:
    driver.play_until(lambda state: state["status"] == "finished", most_steps=50_000)


def until_round(driver: Driver, number: int) -> None:
    """Play until round `number` has begun, and its trumps are fixed if it has any."""
    driver.play_until(
        lambda state: (
            state["round"]
            and state["round"]["number"] == number
            and state["decision"]
            and state["decision"]["kind"] in ("play", "discard", "road")
        )
    )


# --- so many rounds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("rounds", [1, 3])
def test_a_game_of_so_many_rounds_ends_with_the_last_one(ruleset: str, rounds: int) -> None:
    driver = table(ruleset, {"rounds": rounds})
    Watch(driver, sampled=200)
    clients = [Client(driver.state, player, driver.now) for player in ("p0", None)]
    play_on(driver)
    assert len(driver.state["game"]["results"]) == rounds
    assert ended(driver)["reason"] == "rounds_played"
    assert ended(driver)["winners"] == driver.state["game"]["winners"] == expected(driver)
    for client in clients:
        client.catch_up(driver)
    assert view(driver.state, 0, driver.now)["game"]["decided_by"] == ended(driver)["decided_by"]
    assert past_game(driver.state)["decided_by"] == ended(driver)["decided_by"]


def expected(driver: Driver) -> list[int]:
    """Return who has won by the words of docs/rules.md §10.6, from the log alone."""
    state = driver.state
    seats = range(state["players"])
    teams = RULESETS[state["ruleset"]].teams
    if teams == "partners":
        one, other = state["game"]["scores"]
        return [] if one == other else [seat for seat in seats if (seat % 2 == 0) == (one > other)]
    side_of = {seat: seat % 2 if teams == "fixed" else seat for seat in seats}
    ladder = "23456789TJQKA"
    following = [event["data"]["next"]["declarer"] for event in driver.log if event["type"] == "round_ended"][-1]
    scored = [event["data"] for event in driver.log if event["type"] == "round_scored"]
    taken = {seat: sum(each["points"] for each in scored if each["sides"][seat] == "attackers") for seat in seats}
    of = {
        seat: (ladder.index(state["seats"][seat]["level"]), side_of.get(following) == side_of[seat], taken[seat])
        for seat in seats
    }
    best = [seat for seat in seats if of[seat] == max(of.values())]
    return [] if len(best) == len(seats) else best


def test_whoever_passes_the_last_level_before_has_won_as_ever() -> None:
    driver = table(length={"rounds": 100}, options=None)
    driver.state["seats"] = [{**seat, "level": "A"} for seat in driver.state["seats"]]
    play_on(driver)
    assert ended(driver)["reason"] == "passed_last_level"
    assert "decided_by" not in ended(driver)


def test_a_game_without_an_end_of_its_own_has_one() -> None:
    driver = Driver("shengji", 4, {"after_last": "wrap"}, seed=5, length={"rounds": 2})
    play_on(driver)
    assert ended(driver)["reason"] == "rounds_played"


def test_arms_length_is_longer_than_four_rounds_if_wanted() -> None:
    driver = table("arms_length", {"rounds": 5})
    play_on(driver)
    assert (len(driver.state["game"]["results"]), ended(driver)["decided_by"]) == (5, "score")


def test_another_game_has_the_same_length() -> None:
    driver = table("sishifen", {"levels": ["7", "8"]})
    for number in (1, 2):
        play_on(driver)
        assert (driver.state["game"]["number"], len(driver.state["game"]["results"])) == (number, 2)
        for seat in range(4):
            driver.do(seat, type="ready")
        assert {seat["level"] for seat in driver.state["seats"]} == {"7"}


# --- so many minutes ----------------------------------------------------------------------------------------------


def timed(last_round: str = "played", **more: Any) -> Driver:
    return table(length={"minutes": 30, "last_round": last_round}, clock_settings=SLOW, **more)


def test_a_round_that_has_begun_is_played_when_the_time_is_up() -> None:
    driver = timed()
    until_round(driver, 2)
    driver.now += 30 * MINUTE_MS
    assert driver.wait(0).events == []
    driver.play_until(lambda state: state["status"] == "finished")
    assert [event["type"] for event in driver.log[-2:]] == ["round_ended", "game_ended"], "nobody is asked before"
    assert (len(driver.state["game"]["results"]), ended(driver)["reason"]) == (2, "time_up")
    assert ended(driver)["winners"] == expected(driver)


def test_a_round_that_has_begun_is_dropped_when_the_time_is_up() -> None:
    driver = timed("dropped")
    until_round(driver, 2)
    before = driver.state
    assert clock.wake_at(before) == game_ends_at(before)
    driver.now = game_ends_at(before) - 1
    assert driver.wait(0).events == []
    assert [event["type"] for event in driver.wait(1).events] == ["game_ended"]
    assert len(driver.state["game"]["results"]) == 1
    assert [seat["level"] for seat in driver.state["seats"]] == [seat["level"] for seat in before["seats"]]
    assert (ended(driver)["reason"], ended(driver)["winners"]) == ("time_up", expected(driver))


@pytest.mark.parametrize("last_round", ["played", "dropped"])
def test_between_rounds_the_game_ends_as_soon_as_its_time_is_up(last_round: str) -> None:
    driver = timed(last_round)
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "ready")
    driver.do(0, type="ready")
    assert clock.wake_at(driver.state) == game_ends_at(driver.state)
    driver.now = game_ends_at(driver.state)
    assert [event["type"] for event in driver.wait(0).events] == ["game_ended"]


def test_no_round_begins_after_the_time_although_nobody_has_looked() -> None:
    driver = timed()
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "ready")
    driver.now += 31 * MINUTE_MS
    for seat in range(4):
        driver.do(seat, type="ready")
    assert (ended(driver)["reason"], len(driver.state["game"]["results"])) == ("time_up", 1)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_without_a_finished_round_nobody_has_won(ruleset: str) -> None:
    driver = table(ruleset, {"minutes": 1, "last_round": "dropped"}, clock_settings=SLOW)
    until_round(driver, 1)
    driver.wait(MINUTE_MS)
    assert ended(driver) == {"winners": [], "reason": "time_up", "decided_by": "draw", "game_ends_at": None}


def test_a_round_left_out_does_not_change_who_is_in_office() -> None:
    driver = Driver(
        "shengji",
        4,
        {"declarer_by": "trump_maker", "declare_rank": "own_level"},
        seed=5,
        length={"minutes": 30, "last_round": "dropped"},
        clock_settings=SLOW,
    )
    until_round(driver, 1)
    assert driver.state["game"]["declarer"] is not None
    driver.wait(30 * MINUTE_MS)
    assert ended(driver)["decided_by"] == "draw"


def test_the_time_runs_from_the_start_and_can_be_seen() -> None:
    driver = timed(start=False)
    driver.now += 5 * MINUTE_MS
    for seat in range(4):
        driver.do(seat, type="sit", kind="bot", name=f"Bot {seat}", seat=seat)
    for seat in range(4):
        driver.do(seat, type="ready")
    assert game_ends_at(driver.state) == driver.now + 30 * MINUTE_MS
    shown = view(driver.state, None, driver.now)
    assert shown["game"]["ends_at"] == timestamp(game_ends_at(driver.state))
    assert shown["settings"]["length"] == {"minutes": 30, "last_round": "played"}


def test_a_pause_stops_the_time() -> None:
    driver = timed("dropped", pause_limit_ms=3_600_000)
    until_round(driver, 1)
    clients = [Client(driver.state, player, driver.now) for player in ("p0", None)]
    driver.now += 10 * MINUTE_MS
    before = game_ends_at(driver.state)
    driver.do(0, type="open_vote", kind="pause")
    for seat in (1, 2, 3):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    assert (game_ends_at(driver.state), view(driver.state, 0, driver.now)["game"]["ends_at"]) == (None, None)
    driver.now += 40 * MINUTE_MS
    assert driver.wait(0).events == []
    driver.do(1, type="end_pause")
    assert game_ends_at(driver.state) == before + 40 * MINUTE_MS
    for client in clients:
        client.catch_up(driver)
    assert [event["type"] for event in driver.wait(20 * MINUTE_MS).events] == ["game_ended"]
    for client in clients:
        client.catch_up(driver)


def test_the_time_stands_still_while_the_table_waits_for_its_people() -> None:
    driver = table(length={"minutes": 30, "last_round": "dropped"}, kind="human", clock_settings={"play_ms": 20_000})
    until_round(driver, 1)
    while "pause" not in driver.state:
        driver.wait(60_000)
    assert driver.state["pause"]["reason"] == "absent"
    left = driver.state["game"]["time"]["left_ms"]
    driver.wait(24 * 60 * MINUTE_MS)
    assert driver.state["status"] == "playing"
    driver.do(0, type="end_pause")
    assert game_ends_at(driver.state) == driver.now + left


def test_an_outage_stops_the_time() -> None:
    driver = timed("dropped")
    until_round(driver, 1)
    client = Client(driver.state, "p0", driver.now)
    before, stopped = game_ends_at(driver.state), driver.now + MINUTE_MS
    driver.now = stopped + 40 * MINUTE_MS
    outage = Interruptions(driver.now, ((stopped, driver.now),))
    moved = driver._take(catch_up(driver.state, driver.now, driver.random.randbytes, outage)).events
    assert [event["type"] for event in moved] == ["interrupted"]
    assert game_ends_at(driver.state) == before + 40 * MINUTE_MS
    client.catch_up(driver)
    # It counts once, whatever is looked at later.
    again = catch_up(driver.state, driver.now + 1_000, driver.random.randbytes, outage)
    assert again.events == []


def test_an_outage_in_a_pause_counts_once() -> None:
    driver = timed("dropped", pause_limit_ms=3_600_000)
    until_round(driver, 1)
    before, began = game_ends_at(driver.state), driver.now
    driver.do(0, type="open_vote", kind="pause")
    for seat in (1, 2, 3):
        driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)
    stopped = driver.now + MINUTE_MS
    driver.now = stopped + 5 * MINUTE_MS
    outage = Interruptions(driver.now, ((stopped, driver.now),))
    driver._take(catch_up(driver.state, driver.now, driver.random.randbytes, outage))
    driver.do(1, type="end_pause")
    driver.now += MINUTE_MS
    driver._take(catch_up(driver.state, driver.now, driver.random.randbytes, outage._replace(heard_at=driver.now)))
    assert game_ends_at(driver.state) == before + driver.now - MINUTE_MS - began


def test_rounds_and_minutes_end_a_game_whichever_comes_first() -> None:
    by_rounds = table(length={"minutes": 30, "rounds": 2}, clock_settings=SLOW)
    play_on(by_rounds)
    assert ended(by_rounds)["reason"] == "rounds_played"
    by_time = table(length={"minutes": 30, "rounds": 2}, clock_settings=SLOW)
    by_time.now += 31 * MINUTE_MS
    play_on(by_time)
    assert (ended(by_time)["reason"], len(by_time.state["game"]["results"])) == ("time_up", 1)


def test_the_time_of_a_game_of_days_runs_on() -> None:
    driver = table(length={"minutes": 3 * 1440}, clock_settings={"correspondence": {"decision_hours": 24}})
    until_round(driver, 1)
    assert game_ends_at(driver.state) == driver.now + 3 * 1440 * MINUTE_MS
    assert not counts_for_ratings(driver.state)
    rounds = table(length={"rounds": 1}, clock_settings={"correspondence": {"decision_hours": 24}})
    play_on(rounds)
    assert ended(rounds)["reason"] == "rounds_played"
    assert is_rated(rounds.state)


# --- listed levels ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", [name for name in RULESETS if name != "arms_length"])
def test_each_round_is_played_at_the_next_level_of_the_list(ruleset: str) -> None:
    driver = table(ruleset, {"levels": LEVELS})
    Watch(driver, sampled=200)
    client = Client(driver.state, "p1", driver.now)
    play_on(driver)
    opened = [event["data"]["level"] for event in driver.log if event["type"] == "round_opened"]
    assert opened == LEVELS
    assert {seat["level"] for seat in driver.state["seats"]} == {"A"}
    assert ended(driver)["reason"] == "rounds_played"
    scored = [event["data"] for event in driver.log if event["type"] == "round_scored"]
    seats = range(driver.state["players"])
    of = {
        seat: (
            sum(each["levels"] for each in scored if each["sides"][seat] == each["side"]),
            sum(each["points"] for each in scored if each["sides"][seat] == "attackers"),
        )
        for seat in seats
    }
    best = [seat for seat in seats if of[seat] == max(of.values())]
    assert ended(driver)["winners"] == best
    client.catch_up(driver)


def test_listed_levels_and_minutes_end_a_game_whichever_comes_first() -> None:
    driver = table(length={"levels": LEVELS, "minutes": 30}, clock_settings=SLOW)
    until_round(driver, 2)
    driver.now += 30 * MINUTE_MS
    play_on(driver)
    assert (ended(driver)["reason"], len(driver.state["game"]["results"])) == ("time_up", 2)
    assert {seat["level"] for seat in driver.state["seats"]} == {"3"}


# --- who has won --------------------------------------------------------------------------------------------------


def result(side: str | None, levels: int, points: int, declarer: int, declarers: list[int]) -> dict[str, Any]:
    return {"side": side, "levels": levels, "points": points, "declarer": declarer, "declarers": declarers, "round": 1}


def judged(ruleset: str, players: int, levels: list[str], results: list[Any], **more: Any) -> tuple[list[int], str]:
    driver = Driver(ruleset, players, more.pop("options", None), seed=5, **more)
    state = driver.state
    seats = [{**seat, "level": level} for seat, level in zip(state["seats"], levels, strict=True)]
    game = {**state["game"], "results": results}
    winners, decided_by = family_of(state).verdict({**state, "seats": seats, "game": game})
    return winners, decided_by


#: The attackers have won: the next seat after the declarer, seat 1, declares.
LOST = result("attackers", 1, 120, 0, [0, 2])
KEPT = result("declarers", 1, 40, 0, [0, 2])
OWN = {"declarer_by": "trump_maker", "declare_rank": "own_level"}


@pytest.mark.parametrize("ruleset", ["shengji", "sishifen", "tractor"])
@pytest.mark.parametrize(
    ("levels", "results", "winners", "by"),
    [
        (["5", "3", "5", "3"], [LOST], [0, 2], "level"),
        (["3", "T", "3", "T"], [KEPT], [1, 3], "level"),
        (["5", "5", "5", "5"], [LOST], [1, 3], "office"),
        (["5", "5", "5", "5"], [LOST, KEPT], [0, 2], "office"),
    ],
)
def test_the_higher_level_wins_then_the_side_in_office(
    ruleset: str, levels: list[str], results: list[Any], winners: list[int], by: str
) -> None:
    assert judged(ruleset, 4, levels, results) == (winners, by)


def test_without_anybody_in_office_points_decide_and_then_nothing() -> None:
    level = ["5"] * 4
    assert judged("shengji", 4, level, [KEPT], options=OWN) == ([1, 3], "points")
    both = [KEPT, result("declarers", 1, 40, 1, [1, 3])]
    assert judged("shengji", 4, level, both, options=OWN) == ([], "draw")


def test_laps_count_before_levels() -> None:
    driver = Driver("shengji", 4, {"after_last": "wrap"}, seed=5)
    state = driver.state
    seats = [{**seat, "level": "2" if at % 2 else "K", "laps": at % 2} for at, seat in enumerate(state["seats"])]
    assert family_of(state).verdict({**state, "seats": seats}) == ([1, 3], "level")


@pytest.mark.parametrize("ruleset", ["zhaopengyou", "zhaopengyou_80", "finding_friends"])
def test_in_games_of_friends_each_seat_is_ranked_by_itself(ruleset: str) -> None:
    players = 5 if ruleset == "zhaopengyou" else 6
    rest = ["3"] * (players - 3)
    lost = result("attackers", 1, 120, 0, [0, 3])
    assert judged(ruleset, players, ["4", "9", "5", *rest], [lost]) == ([1], "level")
    # Seat 1 is the first after the declarer on the side that won.
    by = "office" if ruleset == "finding_friends" else "points"
    winners = [1] if ruleset == "finding_friends" else [1, 2]
    assert judged(ruleset, players, ["5", "5", "5", *rest], [lost]) == (winners, by)
    tied = [1, 2]
    assert judged(ruleset, players, ["4", "5", "5", *rest], [result("declarers", 1, 0, 0, [0, 3])]) == (tied, "level")


@pytest.mark.parametrize(("scores", "winners"), [([70, 33], [0, 2]), ([0, 2], [1, 3]), ([41, 41], [])])
def test_in_arms_length_the_higher_total_wins(scores: list[int], winners: list[int]) -> None:
    state = table("arms_length").state
    decided = family_of(state).verdict({**state, "game": {**state["game"], "scores": scores}})
    assert decided == (winners, "score" if winners else "draw")


def test_on_listed_levels_the_levels_gained_decide_then_points() -> None:
    length = {"levels": LEVELS}
    strong = result("declarers", 3, 0, 0, [0, 2])
    assert judged("shengji", 4, ["5"] * 4, [strong, LOST], length=length) == ([0, 2], "gained")
    assert judged("shengji", 4, ["5"] * 4, [KEPT, LOST], length=length) == ([1, 3], "points")
    assert judged("shengji", 4, ["5"] * 4, [result(None, 0, 0, 0, [0, 2])], length=length) == ([], "draw")


# --- settings, ratings, records -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "length", "reason", "field"),
    [
        ("shengji", {"rounds": 3, "levels": ["2"]}, "rounds_or_levels", "length.rounds"),
        ("shengji", {"rounds": 3, "last_round": "dropped"}, "last_round_needs_minutes", "length.last_round"),
        ("shengji", {"levels": ["2", "NT"]}, "level_not_on_ladder", "length.levels"),
        ("arms_length", {"levels": ["2"]}, "no_levels", "length.levels"),
    ],
)
def test_invalid_lengths_are_refused(ruleset: str, length: Any, reason: str, field: str) -> None:
    driver = table(ruleset, start=False)
    refusal = driver.refused(InvalidRequest, 0, type="settings", changes={"length": length}, version=None)
    assert (refusal.params["reason"], refusal.params["field"]) == (reason, field)
    with pytest.raises(InvalidRequest) as refused:
        table(ruleset, length)
    assert refused.value.params["reason"] == reason


def test_levels_are_given_once() -> None:
    driver = table(length={"levels": LEVELS}, start=False)
    refusal = driver.refused(InvalidRequest, 0, type="settings", changes={"start_levels": ["3", "4"]}, version=None)
    assert (refusal.params["reason"], refusal.params["field"]) == ("levels_are_listed", "start_levels")


def test_the_host_changes_the_length_between_games_alone_and_others_agree_anew() -> None:
    driver = table(length={"rounds": 2})
    driver.play_until(lambda state: state["decision"] and state["decision"]["kind"] == "ready")
    longer = {"type": "settings", "changes": {"length": {"rounds": 3}}, "version": None}
    assert driver.refused(GameRunning, 0, **longer).params["settings"] == ["length"]
    play_on(driver)
    driver.do(1, type="ready")
    driver.do(0, **longer)
    assert driver.state["settings"]["length"] == {"rounds": 3}
    assert not driver.state["seats"][1]["ready"]
    driver.do(0, type="settings", changes={"length": {}}, version=None)
    assert "length" not in driver.state["settings"]


def test_a_table_without_a_length_is_as_ever_and_one_with_it_is_left_to_this_release() -> None:
    plain, empty = Driver("shengji", 4, seed=5), table(length={})
    assert plain.log == empty.log
    assert "needs" not in plain.state
    assert needs_of(table(length={"rounds": 2}).log[0]) == "0.4"


@pytest.mark.parametrize(
    ("length", "clock_settings", "rated"),
    [
        ({"rounds": 2}, {}, True),
        ({"minutes": 30}, {}, True),
        ({"levels": LEVELS}, {}, True),
        ({"rounds": 2}, {"untimed": True}, True),
        ({"minutes": 30}, {"untimed": True}, False),
        ({"minutes": 30}, {"correspondence": {"decision_hours": 24}}, False),
    ],
)
def test_whoever_could_wait_until_the_end_plays_unrated(length: Any, clock_settings: Any, rated: bool) -> None:
    assert counts_for_ratings(table(length=length, clock_settings=clock_settings).state) is rated


@pytest.mark.parametrize(
    "length", [{"rounds": 2}, {"levels": LEVELS}, {"minutes": 30}, {"minutes": 30, "last_round": "dropped"}]
)
def test_a_record_says_how_long_the_game_was_and_can_be_checked_and_imported(length: Any) -> None:
    driver = table(length=length, clock_settings=SLOW)
    if "minutes" in length:
        until_round(driver, 3)
        driver.now = game_ends_at(driver.state)
        driver.wait(0)
    play_on(driver)
    log = record.game_log(driver.log, driver.state["game"]["id"])
    game = record.record(log, driver.now)
    assert game["length"] == length
    assert game["decided_by"] == ended(driver)["decided_by"]
    assert replay.check(game)["ok"]
    for source in (game, read(written(game, record.deals_of(log))).record):
        state = reduce(evolve, (copy := imported(source, "pl_me", "tb_copy", driver.now)).events, copy.base)
        now, then = state["game"], driver.state["game"]
        assert [now[name] for name in ("ended", "winners", "decided_by")] == [
            then[name] for name in ("ended", "winners", "decided_by")
        ]


def test_the_rounds_of_a_record_are_checked_apart() -> None:
    driver = table(length={"levels": LEVELS})
    play_on(driver)
    game = record.record(record.game_log(driver.log, driver.state["game"]["id"]), driver.now)
    assert replay.check({**game, "rounds": game["rounds"][2:3]})["ok"]
    wrong = {**game, "length": {"levels": ["2", "5", "4", "A"]}}
    assert [each["ok"] for each in replay.check(wrong)["rounds"]] == [True, False, True, True]


def test_the_log_folds_to_the_state() -> None:
    driver = timed("dropped")
    until_round(driver, 2)
    driver.wait(30 * MINUTE_MS)
    assert reduce(evolve, driver.log, NO_TABLE) == driver.state
