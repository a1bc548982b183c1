"""Leagues: fixtures that follow each other by themselves, times on which people agree, and what is lost without."""

import hmac
from datetime import UTC, datetime
from itertools import combinations
from unittest.mock import Mock

import pytest

from service.game.shuffle import commitment
from service.store.port import StoreUnavailable
from service.tournaments import team_events
from service.tournaments.fixtures import MOST_PROPOSALS, READY_MS
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import end, leave, many, results_of
from tests.api.tournaments.test_team_events import SETUP, Cup

HOUR = 3_600_000
DAY = 24 * HOUR
WEEK = 7 * DAY
LEAGUE = {"form": "round_robin", "league": "agreed", "rounds": 31, "boards": 1, "round_ms": WEEK}


def league(world, count, **setup):
    """A league of teams of one person each, whose first fixture has begun."""
    cup = many(world, count, **{**LEAGUE, **setup})
    cup.begin(1)
    return cup


def text_of(at):
    return datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def mine(cup, client):
    return cup.body(client)["mine"]["fixture"]


def propose(cup, client, at):
    """Name a time (ms) for the match of a captain."""
    return client.put(f"{cup.path}/matches/{mine(cup, client)['match']}/time", {"at": text_of(at)})


def be_ready(cup, client):
    return client.put(f"{cup.path}/matches/{mine(cup, client)['match']}/readiness")


def by_match(cup):
    """Match of the open fixture -> its captains, in the order of its teams."""
    captain = {client.team: client for client in cup.captains}
    return {
        match["match"]: [captain[team] for team in match["teams"] if team in captain]
        for match in cup.body()["played"][-1]["matches"]
    }


def steps(cup, match):
    [board] = cup.director.get(f"{cup.path}/matches/{match}").json["boards"]
    return board["steps"], board["counted"]


def of_match(seed, pair):
    """The seed (hex) of a board in a match."""
    return hmac.digest(bytes.fromhex(seed), f"match {pair}".encode(), "sha256").hex()


def notes_of(world, client):
    kinds = ("time_proposed", "time_agreed")
    return [
        (note.type, note.data) for note in world.stores.inbox.after(client.player["id"], 0, 99) if note.type in kinds
    ]


# --- a whole league ---------------------------------------------------------------------------------------------------


def play_fixture(cup, number):
    """Play a fixture of eight teams: two matches at agreed times, one at once; the last one is lost.

    Returns:
        The teams of each match.
    """
    world, began = cup.world, cup.world.now
    matches = by_match(cup)
    assert {cup.table_of(client) for client in cup.captains} == {None}, "nobody has agreed on a time"
    *agreeing, together, forgotten = matches.values()
    for at, (one, other) in enumerate(agreeing, 1):
        assert propose(cup, one, began + at * DAY).status_code == 200
        assert propose(cup, other, began + at * DAY).json["mine"]["fixture"]["agreed_at"]
    for at, both in enumerate(agreeing, 1):
        world.now = began + at * DAY
        playing = {client for client in cup.captains if cup.body(client)["mine"]["table"]}
        assert playing == {*both}, "the tables open at the time on which they have agreed"
        cup.play_all()
    for client in together:
        assert cup.table_of(client) is None
        assert be_ready(cup, client).status_code == 200
    assert cup.body(together[0])["mine"]["table"]
    cup.play_all()
    propose(cup, forgotten[0], world.now + DAY)
    assert_sealed(cup, number)
    world.now = began + WEEK
    cup.body()
    lost = f"{number}-{1 + [*matches.values()].index(forgotten)}"
    first = cup.director.get(f"{cup.path}/matches/{lost}").json["teams"][0] == forgotten[0].team
    assert steps(cup, lost) == (12 if first else -12, "adjusted"), "who has not answered has lost"
    return [frozenset(each.team for each in both) for both in matches.values()]


def assert_sealed(cup, number):
    """What others have played stays sealed until the fixture is over."""
    assert cup.body()["played"][-1]["status"] == "open", "two have not played"
    [seed] = cup.world.stores.boards.event(cup.id)["boards"][number - 1]["seeds"]
    secrets = [seed, *(of_match(seed, pair) for pair in range(1, 5))]
    for client in (*cup.captains, cup.world.player()):
        pages = [client.get(path).get_data(as_text=True) for path in (cup.path, f"{cup.path}/results")]
        assert not any(secret in page for secret in secrets for page in pages)
    assert_problem(cup.director.get(f"{cup.path}/matches/{number}-1"), "not-finished")


def test_a_league_of_eight_is_played_over_four_weeks_from_entries_to_standings(world):
    began = world.now
    cup, met = league(world, 8, rounds=4), []
    for number in range(1, 5):
        assert cup.body()["round"] == number
        assert world.now == began + (number - 1) * WEEK
        met += play_fixture(cup, number)
    assert len({*met}) == 16, "nobody meets anybody twice"
    results = results_of(cup)
    assert [row["rank"] for row in results["standings"]] == sorted(row["rank"] for row in results["standings"])
    counted = [board["counted"] for match in results["matches"] for board in match["boards"]]
    assert (counted.count("played"), counted.count("adjusted")) == (12, 4)
    world.now += WEEK
    assert cup.body()["round"] == 4


def test_in_a_league_of_eight_everybody_meets_everybody_in_seven_fixtures(world):
    cup, met = league(world, 8), []
    for number in range(1, 8):
        assert cup.body()["round"] == number
        met += [frozenset(each.team for each in both) for both in by_match(cup).values()]
        world.now += WEEK
    teams = [client.team for client in cup.captains]
    assert sorted(map(sorted, met)) == sorted(sorted(pair) for pair in combinations(teams, 2))
    assert cup.body()["played"][-1]["status"] == "over"
    results_of(cup)


@pytest.mark.parametrize(
    ("form", "count"), [("swiss", 4), ("knock_out", 4), ("swiss_pairs", 4), ("howell", 4), ("individual", 5)]
)
def test_other_forms_can_be_leagues(world, form, count):
    cup = league(world, count, form=form, rounds=2)
    for number in (1, 2):
        assert cup.body()["round"] == number
        for people in by_match(cup).values():
            for client in people:
                be_ready(cup, client)
        assert cup.body(people[0])["mine"]["table"]
        cup.play_all()
        assert cup.body()["played"][-1]["status"] == "over", "all have played"
        world.now += DAY
        assert cup.body()["round"] == number, "the next fixture begins when the time of this one is over"
        world.now += WEEK - 2 * DAY
        assert cup.body()["round"] == number
        world.now += DAY
    results_of(cup)


def test_a_league_of_games_of_days_opens_its_tables_with_each_fixture(world):
    cup = league(world, 4, league="at_once", rounds=2, clock={"correspondence": {"decision_hours": 24}})
    for number in (1, 2):
        assert cup.body()["round"] == number
        assert all(cup.body(client)["mine"]["table"] for client in cup.captains)
        assert all(mine(cup, client) is None for client in cup.captains)
        cup.play_all()
        world.now += WEEK
    assert cup.body()["round"] == 2
    results_of(cup)


# --- times ------------------------------------------------------------------------------------------------------------


def test_one_side_proposes_a_time_and_the_other_one_agrees_or_proposes_another(world):
    cup = league(world, 2, rounds=1)
    lin, mei = cup.captains
    later = world.now + 2 * DAY
    assert propose(cup, lin, later).status_code == 200
    assert mine(cup, mei)["proposed"] == {"at": text_of(later), "teams": [lin.team]}
    assert propose(cup, lin, later).json["mine"]["fixture"]["proposals_left"] == MOST_PROPOSALS - 1, (
        "a retry counts once"
    )
    assert notes_of(world, lin) == []
    [(kind, data)] = notes_of(world, mei)
    assert (kind, data["team"], data["meets_at"]) == ("time_proposed", lin.team, text_of(later))
    propose(cup, mei, later + DAY)
    assert mine(cup, lin)["proposed"] == {"at": text_of(later + DAY), "teams": [mei.team]}
    assert mine(cup, lin)["agreed_at"] is None
    propose(cup, lin, later + DAY)
    assert mine(cup, lin)["proposed"] is None
    [match] = cup.body(world.player())["played"][-1]["matches"]
    assert match["agreed_at"] == mine(cup, mei)["agreed_at"] == text_of(later + DAY)
    assert [kind for kind, _ in notes_of(world, mei)] == ["time_proposed", "time_agreed"]
    # Until they agree on another time, this one stays.
    propose(cup, mei, later)
    assert (mine(cup, lin)["agreed_at"], mine(cup, lin)["proposed"]["teams"]) == (text_of(later + DAY), [mei.team])
    world.now = later
    assert cup.body(lin)["mine"]["table"] is None
    assert mine(cup, lin)["proposed"] is None, "that time has passed"
    assert_problem(propose(cup, lin, later), "invalid-request", reason="time_not_in_round")
    world.now = later + DAY
    table = cup.body(lin)["mine"]["table"]
    assert mine(cup, lin)["begun"]
    assert_problem(propose(cup, lin, later + 2 * DAY), "match-not-open", reason="begun")
    assert_problem(be_ready(cup, mei), "match-not-open", reason="begun")
    assert world.tables.load(table)["status"] == "playing"


def test_a_team_may_propose_so_many_times_and_then_only_agree(world):
    cup = league(world, 2, rounds=1)
    lin, mei = cup.captains
    for number in range(MOST_PROPOSALS):
        assert propose(cup, lin, world.now + DAY + number * HOUR).status_code == 200
    assert_problem(propose(cup, lin, world.now + HOUR), "match-not-open", reason="too_many_times")
    assert len(notes_of(world, mei)) == MOST_PROPOSALS
    propose(cup, mei, world.now + HOUR)
    assert propose(cup, lin, world.now + HOUR).json["mine"]["fixture"]["agreed_at"] == text_of(world.now + HOUR)


@pytest.mark.parametrize("wrong", [0, -HOUR, WEEK, 52 * WEEK])
def test_a_time_is_to_come_and_before_the_end_of_the_fixture(world, wrong):
    cup = league(world, 2, rounds=1)
    assert_problem(propose(cup, cup.captains[0], world.now + wrong), "invalid-request", reason="time_not_in_round")


def test_only_those_of_a_match_agree_on_its_time(world):
    cup = league(world, 4, rounds=1)
    [(lin, _), (mei, _)] = by_match(cup).values()
    time = {"at": text_of(world.now + DAY)}
    for client in (mei, cup.director, world.player()):
        assert_problem(client.put(f"{cup.path}/matches/1-1/time", time), "not-found", what="match")
        assert_problem(client.put(f"{cup.path}/matches/1-1/readiness"), "not-found", what="match")
        assert_problem(client.delete(f"{cup.path}/matches/1-1/readiness"), "not-found", what="match")
    for match in ("1-3", "2-1", "0-0", "x"):
        assert_problem(lin.put(f"{cup.path}/matches/{match}/time", time), "not-found")
    assert mine(cup, cup.director) is None
    end(cup, 1)
    assert mine(cup, lin) is None
    assert_problem(lin.put(f"{cup.path}/matches/1-1/time", time), "round-closed")
    cup.director.post(f"{cup.path}/closing")
    assert_problem(lin.put(f"{cup.path}/matches/1-1/time", time), "event-closed")
    swiss = many(world, 2, boards=1)
    swiss.begin(1)
    assert_problem(swiss.captains[0].put(f"{swiss.path}/matches/1-1/readiness"), "not-found", what="match")


def test_who_is_ready_waits_a_quarter_of_an_hour_for_the_others(world):
    cup = league(world, 2, rounds=1)
    lin, mei = cup.captains
    be_ready(cup, lin)
    assert mine(cup, mei)["ready"] == [lin.player["id"]]
    world.now += READY_MS
    assert mine(cup, mei)["ready"] == []
    be_ready(cup, mei)
    assert cup.body(mei)["mine"]["table"] is None
    assert mei.delete(f"{cup.path}/matches/1-1/readiness").json["mine"]["fixture"]["ready"] == []
    be_ready(cup, lin)
    assert cup.body(lin)["mine"]["table"] is None
    be_ready(cup, mei)
    assert cup.body(lin)["mine"]["table"] == cup.body(mei)["mine"]["table"] is not None


def test_all_people_of_both_teams_have_to_be_ready_and_one_of_each_agrees(world):
    cup = Cup(world, **LEAGUE)
    friends = []
    for number in range(2):
        friend = world.player(f"Friend {number}")
        captain = cup.team(f"Team {number}", {"level": "easy"}, {"player": friend.player["id"]})
        friend.put(f"{cup.path}/teams/{captain.team}/confirmation")
        cup.captains.append(captain)
        friends.append(friend)
    cup.begin(1)
    lin, mei = cup.captains
    assert {*mine(cup, lin)["players"]} == {each.player["id"] for each in (lin, mei, *friends)}
    for client in (lin, mei, friends[0]):
        be_ready(cup, client)
    assert cup.body(lin)["mine"]["table"] is None
    propose(cup, friends[0], world.now + HOUR)
    assert propose(cup, friends[1], world.now + HOUR).json["mine"]["fixture"]["agreed_at"]
    be_ready(cup, friends[1])
    assert {cup.body(client)["mine"]["table"] for client in (lin, mei)} != {None}
    assert {cup.body(client)["mine"]["table"] for client in friends} & {cup.body(lin)["mine"]["table"]} == set()


def test_times_are_no_words_of_blocked_people(world):
    cup = league(world, 2, rounds=1)
    lin, mei = cup.captains
    mei.put(f"/v1/me/blocks/{lin.player['id']}")
    propose(cup, lin, world.now + DAY)
    assert notes_of(world, mei) == []
    assert mine(cup, mei)["proposed"], "but the page of the event has it"


# --- the end of a fixture ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "expected"),
    [((), 0), ((0,), 12), ((1,), -12), ((0, 1), 0)],
    ids=["nobody", "the first", "the second", "both"],
)
@pytest.mark.parametrize("how", ["propose", "ready"])
def test_a_match_that_has_not_begun_is_lost_by_who_has_not_answered(world, answers, expected, how):
    cup = league(world, 2, rounds=1)
    [both] = by_match(cup).values()
    for at in answers:
        if how == "propose":
            propose(cup, both[at], world.now + DAY + at * HOUR)
        else:
            be_ready(cup, both[at])
            world.now += READY_MS
    world.now += WEEK
    cup.body()
    assert steps(cup, "1-1") == (expected, "adjusted")
    results_of(cup)


def test_a_match_with_ai_players_alone_begins_with_its_people_or_is_lost(world):
    cup = league(world, 3, rounds=2)
    [(number, (lin,))] = [(match, both) for match, both in by_match(cup).items() if len(both) == 1]
    propose(cup, lin, world.now + DAY)
    assert mine(cup, lin)["agreed_at"] == text_of(world.now + DAY), "AI players agree to any time"
    world.now += DAY
    assert cup.body(lin)["mine"]["table"]
    world.now += WEEK - DAY
    cup.body()
    [(match, (mei,))] = [(match, both) for match, both in by_match(cup).items() if len(both) == 1]
    world.now += WEEK
    cup.body()
    lost = cup.director.get(f"{cup.path}/matches/{match}").json
    assert lost["boards"][0]["steps"] == (-12 if lost["teams"][0] == mei.team else 12)
    assert number != match
    results_of(cup)


@pytest.mark.parametrize("form", ["swiss_pairs", "howell"])
def test_pairs_that_do_not_answer_are_to_blame_for_the_boards(world, form):
    cup = league(world, 4, form=form, rounds=1)
    [(lin, mei), (wei, tao)] = by_match(cup).values()
    be_ready(cup, lin)
    world.now += WEEK
    cup.body()
    rows = {row["team"]: row for row in results_of(cup)["standings"]}
    assert [rows[each.team]["percent"] for each in (lin, mei, wei, tao)] == [60, 0, 50, 50]


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend"])
def test_who_leaves_a_league_changes_nothing_that_is_over(world, how):
    world.start(operator_token="0123456789abcdef")
    cup = league(world, 4)
    [(gone, other), *_] = by_match(cup).values()
    be_ready(cup, gone)
    be_ready(cup, other)
    cup.body()
    cup.play_all()
    world.now += WEEK
    before = cup.body() and cup.director.get(f"{cup.path}/results").json["matches"]
    be_ready(cup, gone)
    leave(world, cup, gone, how)
    assert cup.director.get(f"{cup.path}/results").json["matches"] == before
    stored = world.stores.boards.teams.progress(cup.id)
    assert (gone.player["id"] in str(stored)) == (how != "erase")
    cup.captains = [each for each in cup.captains if each is not gone]
    # In this fixture the team still stands; in the next one, AI players take its place.
    world.now += WEEK
    matches = cup.body()["played"][-1]["matches"]
    assert (gone.team in str(matches)) == (how == "suspend")
    assert [each for each in results_of(cup)["matches"] if each["round"] == 1] == before


def test_a_league_whose_teams_are_gone_waits_for_its_director(world):
    cup = league(world, 2, form="swiss", rounds=3)
    for client in cup.captains:
        client.delete(f"{cup.path}/teams/{client.team}")
    world.now += WEEK
    assert (cup.body()["round"], cup.body()["played"][0]["status"]) == (1, "over")
    world.now += WEEK
    assert cup.body()["round"] == 1
    for client in cup.captains:
        members = [{"player": client.player["id"]}, *[{"level": "easy"}] * 3]
        name = next(each["name"] for each in cup.body()["entries"] if each["team"] == client.team)
        client.post(f"{cup.path}/teams", {"teams": [{"name": name, "members": members}]})
    assert cup.begin(2)["round"] == 2
    world.now += WEEK
    assert cup.body()["round"] == 3


@pytest.mark.parametrize("how", ["close", "erase"])
def test_a_league_that_is_closed_or_has_lost_its_director_begins_no_more_fixtures(world, how):
    cup = league(world, 2, form="swiss", rounds=3)
    if how == "close":
        cup.director.post(f"{cup.path}/closing")
    else:
        cup.director.delete("/v1/me")
    world.now += 2 * WEEK
    assert cup.body(cup.captains[0])["round"] == 1


def test_a_league_that_no_clock_examines_is_found_again(world):
    cup = league(world, 2, form="swiss", rounds=3)
    be_ready(cup, cup.captains[0])
    be_ready(cup, cup.captains[1])
    cup.body()
    cup.play_all()
    # A clock of a release that knows no leagues has seen that the round is over.
    world.redis.delete("sj:team_rounds")
    assert not world.redis.exists("sj:team_rounds")
    world.now += WEEK
    assert cup.body()["round"] == 2


# --- deals and settings -----------------------------------------------------------------------------------------------


def test_each_match_of_teams_has_deals_of_its_own_which_follow_from_the_commitment(world):
    cup = league(world, 4, rounds=1)
    for people in by_match(cup).values():
        for client in people:
            be_ready(cup, client)
    cup.body()
    cup.play_all()
    committed = cup.body()["commitments"][0]
    seeds = set()
    for pair in (1, 2):
        match = cup.director.get(f"{cup.path}/matches/1-{pair}").json
        [board] = match["boards"]
        master = bytes.fromhex(board["drawn_from"])
        assert commitment(master) == committed
        assert board["server_seed"] == of_match(board["drawn_from"], pair)
        assert board["commitment"] == commitment(bytes.fromhex(board["server_seed"]))
        games = [cup.director.get(f"/v1/games/{room['game']}/record").json for room in board["rooms"]]
        dealt = {game["rounds"][0]["shuffle"]["server_seed"] for game in games}
        assert dealt == {board["server_seed"]}, "both rooms have played the same cards"
        seeds |= dealt
    assert len(seeds) == 2


def test_tables_that_are_compared_have_the_same_deals(world):
    cup = league(world, 4, form="howell", rounds=1)
    for people in by_match(cup).values():
        for client in people:
            be_ready(cup, client)
    cup.body()
    cup.play_all()
    boards = [board for match in results_of(cup)["matches"] for board in match["boards"]]
    assert len({board["server_seed"] for board in boards}) == 1
    assert {board["drawn_from"] for board in boards} == {None}


def test_a_league_has_fixtures_of_days_and_an_end(world):
    lin = world.player()
    for wrong, reason in (
        ({"league": "agreed", "round_ms": DAY - 1}, "fixture_too_short"),
        ({"league": "agreed", "round_ms": 4 * WEEK, "rounds": 8}, "league_too_long"),
        ({"round_ms": WEEK + 1}, "round_too_long"),
        ({"league": "sometimes"}, None),
        ({"league": None}, None),
    ):
        answer = lin.post("/v1/team-events", {**SETUP, **wrong})
        assert answer.status_code in (400, 422), wrong
        if reason:
            assert_problem(answer, "invalid-request", reason=reason)
    longest = lin.post("/v1/team-events", {**SETUP, **LEAGUE, "rounds": 7, "round_ms": 4 * WEEK}).json
    assert longest["league"] == "agreed"
    assert world.stores.boards.event(longest["event"])["closes_at"] == world.now + 60 * DAY + 28 * WEEK


@pytest.mark.parametrize("begins", ["agreed", "at_once"])
def test_releases_that_know_no_leagues_open_none_of_their_tables(world, begins):
    cup = league(world, 2, form="swiss", rounds=3, league=begins)
    stored = world.stores.boards.event(cup.id)["teams"]
    assert (stored["rounds"], stored["form"]["league"]) == (0, begins)
    [entry] = world.stores.boards.teams.progress(cup.id)["rounds"]
    assert (entry["pairs"], len(entry["tables"])) == ([], 1)


def test_a_league_that_is_lost_while_it_is_made_does_not_count_for_its_director(world, monkeypatch):
    monkeypatch.setattr(team_events, "MOST_DIRECTED", 1)
    director = world.player("Director")
    setup = {**SETUP, "league": "agreed", "round_ms": 4 * WEEK, "rounds": 7}
    with monkeypatch.context() as dying:
        dying.setattr(world.stores.boards, "create", Mock(side_effect=StoreUnavailable("It dies.")))
        assert director.post("/v1/team-events", setup).status_code == 503
    assert_problem(director.post("/v1/team-events", setup), "too-many-events")
    world.now += 2 * 60_000
    made = director.post("/v1/team-events", setup)
    assert made.status_code == 201, made.json
    # One that is there counts to its end.
    event = world.stores.boards.event(made.json["event"])
    assert world.stores.boards.teams.directed(director.player["id"])[event["id"]] == event["closes_at"]
    world.now = event["closes_at"] - 1
    assert_problem(director.post("/v1/team-events", setup), "too-many-events")
