"""Results and ratings: every game counts once, and only eligible games are rated."""

import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from harness.driver import Driver
from service.common import fastjson
from service.game.state.levels import AI_LEVELS
from service.rules.options.rulesets import RULESETS
from service.store import keys
from service.store.connections.clients import command_client
from service.store.players.past_games import PastGameStore
from service.store.players.results import MET_MS, ResultStore
from service.store.stores import Stores
from service.tables.absence import EPOCH, order
from service.tables.ai_ratings import MODEL, SIGMA, STRENGTHS, ai_ratings
from service.tables.past_games import past_game
from service.tables.results import (
    DAY_MS,
    NOBODYS_RECORD_MS,
    Keeper,
    is_rated,
    new_result,
    public,
    rating_of,
    results_after,
)


def finished(ruleset="arms_length", players=4, **how):
    driver = Driver(ruleset, players, seed=2, **how)
    for _ in driver.rounds(500):
        pass
    assert driver.state["status"] == "finished"
    return driver


def results_of(player):
    return {"id": player}


def rating(result):
    """Return the rating right after the last rated game."""
    return rating_of(result, result.get("rated_at", 0))


@pytest.fixture
def stores(empty_redis):
    client = command_client(empty_redis)
    return Stores(client), ResultStore(client), PastGameStore(client)


def test_winners_rise_and_losers_fall():
    driver = finished()
    after = results_after(driver.state, {})
    winners = driver.state["game"]["winners"]
    ratings = [rating(after[f"p{seat}"]) for seat in range(4)]
    assert {seat for seat in range(4) if ratings[seat] > 0} == set(winners)
    assert [after[f"p{seat}"]["wins"] for seat in range(4)] == [int(seat in winners) for seat in range(4)]


def test_in_friends_games_everybody_is_rated_separately():
    driver = finished("zhaopengyou", 5)
    after = results_after(driver.state, {})
    winners = set(driver.state["game"]["winners"])
    assert all((rating(after[f"p{seat}"]) > 0) == (seat in winners) for seat in range(5))


def test_practice_games_are_counted_but_not_rated():
    driver = finished(practice="a seed")
    assert not is_rated(driver.state)
    result = results_after(driver.state, {})["p0"]
    assert (result["games"], result["rated_games"]) == (1, 0)
    assert public(result, 0)["rating"] is None


def test_a_player_alone_among_ai_seats_is_not_rated():
    driver = finished()
    for seat in driver.state["seats"][1:]:
        seat["occupant"] = {"kind": "ai", "player": None, "name": "AI", "level": "easy"}
    assert not is_rated(driver.state)
    assert list(results_after(driver.state, {})) == ["p0"]


def test_a_game_with_a_round_in_which_no_player_acted_is_counted_but_not_rated():
    # Earlier releases let AI players play such rounds for people who were away.
    driver = finished()
    assert is_rated(driver.state, driver.log)
    by_others = [
        {**event, "by": "timeout"} if event["round"] == 2 and event["by"] == "player" else event for event in driver.log
    ]
    assert not is_rated(driver.state, by_others)
    after = results_after(driver.state, {}, by_others)
    results = [public(result, 0) for result in after.values()]
    assert {(result["games"], result["rated_games"], result["rating"]) for result in results} == {(1, 0, None)}
    assert past_game(driver.state, by_others)["rated"] is False


def against(level):
    """Return the results of a pair of people who won against AI players of a level."""
    driver = finished()
    losers = {0, 1, 2, 3} - set(driver.state["game"]["winners"])
    for seat in losers:
        driver.state["seats"][seat]["occupant"] = {"kind": "ai", "player": None, "name": "AI", "level": level}
    return results_after(driver.state, {})


def test_an_ai_player_counts_with_the_rating_of_its_level():
    gained = {level: [rating(result) for result in against(level).values()] for level in AI_LEVELS}
    assert all(len(ratings) == 2 for ratings in gained.values())
    strengths = STRENGTHS["arms_length"]
    assert sorted(AI_LEVELS, key=lambda level: gained[level]) == sorted(AI_LEVELS, key=strengths.__getitem__)
    assert gained["expert"] > gained["easy"]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_each_level_has_a_rating_in_each_ruleset(ruleset):
    ratings = ai_ratings(ruleset)
    assert list(ratings) == list(AI_LEVELS)
    assert sorted(ratings.values()) == list(ratings.values())
    assert ratings["normal"] == new_result()["mu"] - 3 * SIGMA


def test_a_game_archived_twice_is_counted_once(stores):
    ports, results, past = stores
    driver = finished()
    keeper = Keeper(ports.archive, results, past, results_of)
    keeper.keep(driver.state, driver.log)
    keeper.keep(driver.state, driver.log)
    assert results.of_player("p0", ["arms_length"])["arms_length"]["games"] == 1
    leaders = results.leaders("arms_length", 0, 10)
    assert len(leaders) == 4
    assert {name for name, _ in leaders[:2]} == {f"p{seat}" for seat in driver.state["game"]["winners"]}
    assert ports.archive.load_archive(driver.state["game"]["id"])["events"][-1]["type"] == "game_ended"


def test_a_player_erased_during_a_game_gets_no_results_but_the_others_do(stores):
    ports, results, past = stores
    driver = finished()
    Keeper(ports.archive, results, past, lambda player: None if player == "p1" else {"id": player}).keep(
        driver.state, driver.log
    )
    assert results.of_player("p1", ["arms_length"]) == {}
    assert sorted(name for name, _ in results.leaders("arms_length", 0, 10)) == ["p0", "p2", "p3"]


def test_a_player_erased_while_results_are_written_has_none_even_if_the_writer_dies(stores):
    ports, results, past = stores
    driver = finished()
    there = {"p0", "p1", "p2", "p3"}

    class Erasing:
        """Results written during the deletion of a player, by a process that then dies."""

        def settle(self, *args):
            there.discard("p1")
            results.settle(*args)
            raise InterruptedError

    def known(player):
        return {"id": player} if player in there else None

    with pytest.raises(InterruptedError):
        Keeper(ports.archive, Erasing(), past, known).keep(driver.state, driver.log)
    assert results.of_player("p1", ["arms_length"])
    Keeper(ports.archive, results, past, known).keep(driver.state, driver.log)
    assert results.of_player("p1", ["arms_length"]) == {}
    assert sorted(name for name, _ in results.leaders("arms_length", 0, 10)) == ["p0", "p2", "p3"]


def test_results_that_change_meanwhile_are_read_again(stores):
    _, results, _ = stores
    driver = finished()
    calls = []

    def update(before):
        if not calls:
            calls.append(1)
            results.settle("gm_other", "arms_length", ["p0"], lambda had: results_after(driver.state, had), rating)
        return results_after(driver.state, before)

    assert results.settle("gm_this", "arms_length", ["p0", "p1", "p2", "p3"], update, rating)
    assert results.of_player("p0", ["arms_length"])["arms_length"]["games"] == 2
    assert results.of_player("p1", ["arms_length"])["arms_length"]["games"] == 1


def test_an_erased_player_has_no_results_and_no_place(stores):
    ports, results, past = stores
    driver = finished()
    Keeper(ports.archive, results, past, results_of).keep(driver.state, driver.log)
    results.erase("p0", ["arms_length"])
    assert results.of_player("p0", ["arms_length"]) == {}
    assert "p0" not in [name for name, _ in results.leaders("arms_length", 0, 10)]


class Archive:
    """Records how long each game is archived."""

    def __init__(self):
        self.ttl = {}

    def archive(self, game, record, ttl_ms=None):
        self.ttl[game] = ttl_ms


def test_records_expire_and_those_of_games_without_people_expire_soon(stores):
    _, results, past = stores
    archive = Archive()
    played, deserted, unplayed = finished(), finished(), Driver("arms_length", 4, seed=1)
    for player in range(4):
        deserted.do(player, type="leave")
    for seat in deserted.state["seats"]:
        seat["occupant"], seat["autopilot"] = {"kind": "bot", "player": "p0", "name": "X", "level": None}, "easy"
    unplayed.do(0, type="open_vote", kind="abandon")
    for player in (1, 2, 3):
        unplayed.do(player, type="cast_vote", vote=unplayed.state["vote"]["id"], approve=True)
    for days, lifetime in ((365, 365 * DAY_MS), (0, None)):
        for driver, ttl in ((played, lifetime), (deserted, NOBODYS_RECORD_MS), (unplayed, NOBODYS_RECORD_MS)):
            Keeper(archive, results, past, results_of, days).keep(driver.state, driver.log)
            assert archive.ttl[driver.state["game"]["id"]] == ttl


def test_a_rating_is_provisional_until_ten_games_count_for_it():
    flags = [public({**new_result(), "rated_games": games}, 0)["provisional"] for games in (0, 9, 10)]
    assert flags == [True, True, False]


# --- absence ----------------------------------------------------------------------------------------------------------


def member(mu, sigma, at=None, games=20):
    return {**new_result(), "mu": mu, "sigma": sigma, "rated_games": games, **({} if at is None else {"rated_at": at})}


def test_a_rating_falls_by_a_hundredth_each_day_of_absence_and_three_months_make_it_inactive():
    lin = member(30.0, 3.0, at=EPOCH)
    results = [public(lin, EPOCH + days * DAY) for days in (0, 1, 90, 91, 365)]
    assert [each["rating"] for each in results] == [21.0, 20.99, 20.1, 20.09, 17.35]
    assert [each["inactive"] for each in results] == [False, False, False, True, True]
    assert not public(new_result(), EPOCH + 365 * DAY)["inactive"], "who was never rated has nothing to lose"


def test_results_of_the_release_before_count_as_rated_on_the_day_it_was_released():
    day = re.search(r"^## 0\.3\.0 - (.*)$", Path("CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert datetime.fromtimestamp(EPOCH / 1000, UTC).date().isoformat() == day[1], "a day to come reverses their order"
    old = member(30.0, 3.0)
    assert [rating_of(old, EPOCH + days * DAY) for days in (-300, 0, 100)] == [21.0, 21.0, 20.0]
    assert not public(old, EPOCH)["inactive"]


def test_the_order_of_a_leaderboard_holds_at_any_time():
    random = Random(3)
    people = [
        member(random.uniform(20, 40), random.uniform(2, 8), random.choice((None, EPOCH + random.randrange(200) * DAY)))
        for _ in range(200)
    ]
    ranked = sorted(people, key=order, reverse=True)
    for days in (200, 400, 4_000):
        ratings = [rating_of(each, EPOCH + days * DAY) for each in ranked]
        assert ratings == sorted(ratings, reverse=True)


def test_a_game_after_absence_moves_a_rating_more_and_leaves_the_growth_behind():
    names = ("one", "two", "three", "four")
    since = {name: member(30.0, 3.0, at=10**6) for name in names}
    soon, later, last = (played(names[:2], names[2:], "easy", since, at=10**6 + days * DAY) for days in (0, 365, 9_000))
    assert 30 < soon["one"]["mu"] < later["one"]["mu"] < last["one"]["mu"]
    assert soon["one"]["sigma"] < later["one"]["sigma"] < last["one"]["sigma"] <= new_result()["sigma"]
    assert later["one"]["rated_at"] == 10**6 + 365 * DAY
    assert public(later["one"], later["one"]["rated_at"])["rating"] == rating(later["one"])


def test_a_game_that_does_not_count_leaves_the_time_of_the_last_one_that_did():
    driver = finished(practice="a seed")
    assert results_after(driver.state, {"p0": member(30.0, 3.0, at=7)})["p0"]["rated_at"] == 7
    assert "rated_at" not in results_after(driver.state, {"p0": member(30.0, 3.0)})["p0"]


def test_a_game_settled_late_does_not_turn_the_time_back():
    since = {name: member(30.0, 3.0, at=5 * DAY) for name in ("one", "two", "three", "four")}
    assert played(("one", "two"), ("three", "four"), "easy", since, at=DAY)["one"]["rated_at"] == 5 * DAY


# --- how much a game counts -------------------------------------------------------------------------------------------


def played(winners, losers, ai, before, at=1_000_000, rounds=4):
    """Return the results after a game of two sides; None is an AI player of the level `ai`."""
    driver = WHOLE
    state = {**driver.state, "seats": [dict(seat) for seat in driver.state["seats"]]}
    state["game"] = {**state["game"], "ended_at": at, "results": state["game"]["results"][:rounds]}
    won = set(state["game"]["winners"])
    names = {True: iter(winners), False: iter(losers)}
    for number, seat in enumerate(state["seats"]):
        player = next(names[number in won])
        kind = {"kind": "human", "level": None} if player else {"kind": "ai", "level": ai}
        seat["occupant"] = {"player": player, "name": "A", **kind}
    return {**before, **results_after(state, before)}


WHOLE = finished()
DAY = 24 * 3_600_000


def after_games(number, winners, losers, ai="easy", **how):
    results = {}
    for game in range(number):
        results = played(winners, losers, ai, results, at=1_000_000 + game * 3_000, **how)
    return results


@pytest.mark.parametrize(
    ("winners", "losers", "ai"),
    [
        (("one", None), ("two", None), "easy"),
        (("one", None), ("two", None), "normal"),
        (("one", "two"), (None, None), "easy"),
        (("one", "two"), (None, None), "normal"),
    ],
    ids=["opposed", "opposed, better AI players", "partners", "partners, better AI players"],
)
def test_two_accounts_with_ai_players_do_not_make_a_rating(winners, losers, ai):
    """Fifteen games in a minute made 17 to 20."""
    assert rating(after_games(15, winners, losers, ai)["one"]) < 6
    assert rating(after_games(100, winners, losers, ai)["one"]) < 8


def test_each_game_of_the_same_people_counts_less_and_more_again_after_a_while():
    ratings = [rating(after_games(games, ("one", "two"), ("three", "four"))["one"]) for games in range(1, 8)]
    gains = [after - before for before, after in pairwise([0, *ratings])]
    assert gains == sorted(gains, reverse=True)
    met = after_games(10, ("one", "two"), ("three", "four"))
    soon, later = (played(("one", "two"), ("three", "four"), "easy", met, at=10**6 + days * DAY) for days in (1, 29))
    assert soon["one"]["mu"] < later["one"]["mu"]
    others = played(("one", "five"), ("six", "seven"), "easy", met, at=10**6 + DAY)
    assert rating(others["one"]) > rating(later["one"])


def test_a_short_game_counts_less_than_a_whole_one():
    one, whole = (rating(after_games(1, ("one", "two"), ("three", "four"), rounds=n)["one"]) for n in (1, 4))
    assert 0 < one < whole / 2


def test_a_win_over_weak_ai_players_brings_next_to_nothing_to_somebody_rated_above_them():
    strong = {name: {**new_result(), "mu": 40.0, "sigma": 3.0} for name in ("one", "two")}
    gained = {level: played(("one", "two"), (None, None), level, strong)["one"] for level in AI_LEVELS}
    assert 0 < gained["easy"]["mu"] - 40 < gained["expert"]["mu"] - 40 < 0.1


def rank_correlation(one, other):
    order = [{name: at for at, name in enumerate(sorted(each, key=each.get))} for each in (one, other)]
    size = len(one)
    return 1 - 6 * sum((order[0][name] - order[1][name]) ** 2 for name in one) / (size * (size**2 - 1))


def test_the_ratings_of_an_honest_club_still_say_who_is_stronger():
    """Thirty members, six hundred games of four: 0.91 without weights, and 0.91 with them."""
    random, results = Random(1), {}
    strengths = {f"member {number}": random.gauss(25, 6) for number in range(30)}
    for game in range(600):
        four = random.sample(sorted(strengths), 4)
        lead = sum(strengths[name] for name in four[:2]) - sum(strengths[name] for name in four[2:])
        won = random.gauss(0, 2 * MODEL.beta) < lead
        sides = (four[:2], four[2:]) if won else (four[2:], four[:2])
        results = played(*sides, "easy", results, at=1_000_000 + game * 3_600_000)
    assert rank_correlation(strengths, {name: rating(results[name]) for name in strengths}) > 0.8


def test_whom_a_player_has_met_is_forgotten_with_either_player(stores):
    ports, results, past = stores
    driver = finished()
    Keeper(ports.archive, results, past, results_of).keep(driver.state, driver.log)
    client = results._redis
    assert {*fastjson.loads(client.get(keys.meetings("arms_length", "p1")))} == {"p0", "p2", "p3"}
    results.erase("p0", ["arms_length"])
    assert client.get(keys.meetings("arms_length", "p0")) is None
    assert {*fastjson.loads(client.get(keys.meetings("arms_length", "p1")))} == {"p2", "p3"}
    assert 0 < client.pttl(keys.meetings("arms_length", "p1")) <= MET_MS
    assert "met" not in results.of_player("p1", ["arms_length"])["arms_length"]
