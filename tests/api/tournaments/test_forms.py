"""Forms of events: from entries to standings, with people who play at random, and the standings computed again."""

import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from service.tournaments.teams import HOUSE
from tests.api.contract import assert_problem
from tests.api.tournaments.test_team_events import SETUP, Cup

SCRIPT = Path(__file__).parents[3] / "docs" / "check_standings.py"
PAST = {"closes_at": "2023-01-01T00:00:00Z"}


def end(cup, number):
    """End a round now."""
    answer = cup.director.patch(f"{cup.path}/rounds/{number}", PAST)
    assert answer.status_code == 200, answer.json
    return cup.body()["played"][-1]


def results_of(cup):
    """All results, whose standings the script that ships with the docs has computed again."""
    results = cup.director.get(f"{cup.path}/results").json
    checked = subprocess.run(
        [sys.executable, str(SCRIPT)], input=json.dumps(results), text=True, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    return results


def rule(cup, match, steps, board=None):
    """Decide a board of a match, by default the first of its round, for the first team."""
    number = int(match.split("-")[0])
    board = board or (number - 1) * cup.body()["boards"] + 1
    where = f"{cup.path}/matches/{match}/boards/{board}/ruling"
    answer = cup.director.put(where, {"steps": steps, "reason": "As it should be"})
    assert answer.status_code == 200, answer.json


def better_wins(cup, entry, order):
    """Have the team that comes first in `order` win each match of a round."""
    for match in entry["matches"]:
        first, second = match["teams"]
        rule(cup, match["match"], 3 if order.index(first) < order.index(second) else -3)


def ranks(results):
    return {row["team"]: row["rank"] for row in results["standings"]}


def many(world, count, **setup):
    """An event in which as many teams are entered at once, each of one person and AI players."""
    cup = Cup(world, **setup)
    names = [world.player(f"P{number}") for number in range(count)]
    size = cup.body()["size"]
    entries = [
        {"name": f"Team {number}", "members": [{"player": who.player["id"]}, *[{"level": "easy"}] * (size - 1)]}
        for number, who in enumerate(names)
    ]
    answer = cup.director.post(f"{cup.path}/teams", {"teams": entries})
    assert answer.status_code == 200, answer.json
    for who, team in zip(names, answer.json["entries"], strict=True):
        assert who.put(f"{cup.path}/teams/{team['team']}/confirmation").status_code == 200
        who.team = team["team"]
    cup.captains = names
    return cup


# --- round robin ------------------------------------------------------------------------------------------------------


def test_a_round_robin_is_played_from_entries_to_standings(world):
    cup = Cup(world, teams=4, form="round_robin", rounds=9, boards=1)
    assert (cup.body()["form"], cup.body()["rounds"]) == ("round_robin", 3)
    met = []
    for number in (1, 2, 3):
        met += [frozenset(match["teams"]) for match in cup.begin(number)["played"][-1]["matches"]]
        cup.play_all()
    teams = [client.team for client in cup.captains]
    assert sorted(map(sorted, met)) == sorted(sorted(pair) for pair in combinations(teams, 2))
    results = results_of(cup)
    assert [board["counted"] for match in results["matches"] for board in match["boards"]] == ["played"] * 6
    assert cup.body()["round"] == cup.body()["rounds"] == 3
    refused = cup.director.post(f"{cup.path}/rounds", {"round": 4})
    assert_problem(refused, "round-not-ready", reason="not_its_turn", rounds=3)


@pytest.mark.parametrize("count", [2, 5, 9])
def test_in_a_round_robin_everybody_meets_everybody(world, count):
    cup = many(world, count, form="round_robin", rounds=31, boards=1)
    rounds = cup.body()["rounds"]
    assert rounds == count - 1 + count % 2
    met = []
    for number in range(1, rounds + 1):
        met += [frozenset(match["teams"]) for match in cup.begin(number)["played"][-1]["matches"]]
        end(cup, number)
    teams = [client.team for client in cup.captains] + [HOUSE] * (count % 2)
    assert sorted(map(sorted, met)) == sorted(sorted(pair) for pair in combinations(teams, 2))
    results_of(cup)


def test_a_round_robin_may_be_shorter_and_begins_in_the_order_that_the_director_gives(world):
    cup = many(world, 6, form="round_robin", rounds=2, boards=1)
    last, first = cup.captains[5].team, cup.captains[0].team
    unknown = cup.director.post(f"{cup.path}/rounds", {"round": 1, "order": ["tm_nothing"]})
    assert_problem(unknown, "not-found", what="team")
    answer = cup.director.post(f"{cup.path}/rounds", {"round": 1, "order": [last, first]})
    assert answer.status_code == 200, answer.json
    order = [last, first, *(client.team for client in cup.captains[1:5])]
    pairs = [{*match["teams"]} for match in answer.json["played"][0]["matches"]]
    assert pairs == [{order[0], order[5]}, {order[1], order[4]}, {order[2], order[3]}]
    again = cup.director.post(f"{cup.path}/rounds", {"round": 1, "order": [first]})
    assert again.json["played"] == answer.json["played"], "a retry does no harm"
    assert cup.body()["rounds"] == 2
    swiss = many(world, 2, boards=1)
    refused = swiss.director.post(f"{swiss.path}/rounds", {"round": 1, "order": [swiss.captains[0].team]})
    assert_problem(refused, "invalid-request", reason="no_draw")


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend"])
def test_who_leaves_a_round_robin_is_replaced_by_ai_players_and_what_is_over_stays(world, how):
    world.start(operator_token="0123456789abcdef")
    cup = many(world, 4, form="round_robin", rounds=3, boards=1)
    gone = cup.captains[1]
    cup.begin(1)
    end(cup, 1)
    before = cup.director.get(f"{cup.path}/results").json["matches"]
    leave(world, cup, gone, how)
    assert cup.director.get(f"{cup.path}/results").json["matches"] == before
    matches = cup.begin(2)["played"][-1]["matches"]
    assert (gone.team in str(matches)) == (how == "suspend")
    assert (HOUSE in str(matches)) == (how != "suspend")
    assert len(matches) == 2
    end(cup, 2)
    assert [each for each in results_of(cup)["matches"] if each["round"] == 1] == before


def leave(world, cup, client, how):
    """A player withdraws their team, deletes the account, or is suspended by an operator."""
    if how == "withdraw":
        assert client.delete(f"{cup.path}/teams/{client.team}").status_code == 200
    elif how == "erase":
        assert client.delete("/v1/me").status_code == 204
    else:
        answer = world.anybody.post(
            f"/v1/operator/players/{client.player['id']}/suspensions",
            {"until": "2030-01-01T00:00:00Z", "cause": "chat"},
            headers={"Authorization": "Bearer 0123456789abcdef"},
        )
        assert answer.status_code == 200, answer.json


# --- knock-out --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 13])
def test_a_knock_out_in_which_the_better_one_wins_ranks_as_it_was_drawn(world, count):
    cup = many(world, count, form="knock_out", boards=1)
    order = [client.team for client in cup.captains]
    rounds = (count - 1).bit_length()
    assert cup.body()["rounds"] == rounds
    for number in range(1, rounds + 1):
        entry = cup.begin(number)["played"][-1]
        size = 2 ** (rounds - number + 1)
        assert entry["byes"] == (order[: size - count] if number == 1 else [])
        for_third = [match for match in entry["matches"] if match["place"] == 3]
        assert len(for_third) == (number == rounds and count > 3)
        better_wins(cup, entry, order)
        end(cup, number)
    got = ranks(results_of(cup))
    assert [got[team] for team in order[:2]] == [1, 2]
    if count > 2:
        assert got[order[2]] == 3
    if count > 3:
        assert got[order[3]] == 4
    assert all(got[team] == 5 for team in order[4:8])


def test_a_knock_out_of_64_teams_has_six_rounds_and_of_65_none(world):
    cup = many(world, 64, form="knock_out", boards=1)
    assert cup.body()["rounds"] == 6
    late = world.player("Late")
    entry = {"name": "Late", "members": [{"player": late.player["id"]}, *[{"level": "easy"}] * 3]}
    assert_problem(late.post(f"{cup.path}/teams", {"teams": [entry]}), "too-many-teams", limit=64)
    for number, matches in enumerate((32, 16, 8, 4, 2, 2), 1):
        entry = cup.begin(number)["played"][-1]
        assert len(entry["matches"]) == matches
        end(cup, number)
    got = ranks(results_of(cup))
    assert [got[client.team] for client in cup.captains[:4]] == [1, 2, 3, 4], "nobody has played: the draw decides"


def test_a_knock_out_is_played_at_tables_to_its_end(world):
    cup = Cup(world, teams=3, form="knock_out", boards=1)
    for number in (1, 2):
        cup.begin(number)
        cup.play_all()
    results = results_of(cup)
    [final] = [match for match in results["matches"] if match["round"] == 2]
    winner = final["teams"][final["steps"] < 0 or (final["steps"] == 0 and final["boards"][0]["points"] < 0)]
    assert ranks(results)[winner] == 1
    assert results["standings"][0]["criteria"] == [{"name": "reached", "value": 3.0}]


@pytest.mark.parametrize("how", ["withdraw", "erase"])
def test_who_leaves_a_knock_out_does_not_go_on_and_the_opponent_does(world, how):
    cup = many(world, 4, form="knock_out", boards=1)
    order = [client.team for client in cup.captains]
    entry = cup.begin(1)["played"][-1]
    better_wins(cup, entry, order)
    end(cup, 1)
    before = cup.director.get(f"{cup.path}/results").json["matches"]
    leave(world, cup, cup.captains[0], how)
    # The fourth had lost against the first, and is in the final now; the third place has nobody to play for it.
    entry = cup.begin(2)["played"][-1]
    assert [{*match["teams"]} for match in entry["matches"]] == [{order[3], order[1]}]
    end(cup, 2)
    results = results_of(cup)
    assert [each for each in results["matches"] if each["round"] == 1] == before
    assert ranks(results)[order[1]] == 1


def test_a_final_without_an_opponent_is_won(world):
    cup = many(world, 4, form="knock_out", boards=1)
    order = [client.team for client in cup.captains]
    better_wins(cup, cup.begin(1)["played"][-1], order)
    end(cup, 1)
    for client in (cup.captains[1], cup.captains[2], cup.captains[3]):
        assert client.delete(f"{cup.path}/teams/{client.team}").status_code == 200
    [*_, entry] = cup.begin(2)["played"]
    assert (entry["status"], entry["matches"], entry["byes"]) == ("over", [], order[:1])
    assert ranks(results_of(cup))[order[0]] == 1


def test_a_ruling_after_the_next_round_has_begun_changes_no_bracket(world):
    cup = many(world, 4, form="knock_out", boards=1)
    order = [client.team for client in cup.captains]
    entry = cup.begin(1)["played"][-1]
    better_wins(cup, entry, order)
    end(cup, 1)
    better_wins(cup, cup.begin(2)["played"][-1], order)
    end(cup, 2)
    before = ranks(results_of(cup))
    better_wins(cup, entry, order[::-1])
    assert ranks(results_of(cup)) == before


# --- pairs ------------------------------------------------------------------------------------------------------------


def meetings(cup, rounds):
    """Begin and end each round; return the matches of all, each as its teams in order."""
    of_rounds = []
    for number in range(1, rounds + 1):
        of_rounds.append([match["teams"] for match in cup.begin(number)["played"][-1]["matches"]])
        end(cup, number)
    return of_rounds


@pytest.mark.parametrize("form", ["mitchell", "howell", "swiss_pairs"])
def test_pairs_play_the_same_boards_at_one_table_each_and_are_compared(world, form):
    cup = many(world, 4, form=form, rounds=2, boards=2)
    assert (cup.body()["size"], cup.body()["form"]) == (2, form)
    for number in (1, 2):
        entry = cup.begin(number)["played"][-1]
        assert len(entry["matches"]) == 2
        tables = {cup.table_of(client) for client in cup.captains}
        assert len(tables) == 2
        cup.play_all()
        assert cup.body()["played"][-1]["status"] == "over"
    results = results_of(cup)
    boards = [board for match in results["matches"] for board in match["boards"]]
    assert [(board["counted"], len(board["rooms"])) for board in boards] == [("played", 1)] * 8
    for number in range(1, 5):
        one, other = (board for board in boards if board["number"] == number)
        assert one["server_seed"] == other["server_seed"]
        mine, theirs = (board["rooms"][0]["value"] for board in (one, other))
        assert one["shares"][0]["percent"] == 50 + 50 * (mine > theirs) - 50 * (mine < theirs)
    percents = [row["percent"] for row in results["standings"]]
    assert sum(percents) == pytest.approx(200)
    assert percents == sorted(percents, reverse=True)
    assert all(row["matches"][0]["percent"] is not None for row in results["standings"])


@pytest.mark.parametrize(
    ("form", "count", "sit_out"),
    [
        ("mitchell", 6, False),
        ("mitchell", 7, True),
        ("howell", 5, False),
        ("howell", 6, True),
        ("swiss_pairs", 5, True),
    ],
)
def test_pairs_meet_whom_the_movement_says(world, form, count, sit_out):
    cup = many(world, count, form=form, rounds=5, boards=1, sit_out=sit_out)
    rounds = cup.body()["rounds"]
    assert rounds == {"mitchell": (count + 1) // 2, "howell": 5, "swiss_pairs": 5}[form]
    seen = meetings(cup, rounds)
    times = [frozenset(units) for tables in seen for units in tables]
    assert all(len(units) == 2 for units in times)
    assert (HOUSE in str(seen)) == (count % 2 == 1 and not sit_out)
    if form != "swiss_pairs":
        assert len({*times}) == len(times), "nobody meets anybody twice"
    everybody = {client.team for client in cup.captains}
    for number, tables in enumerate(seen):
        byes = cup.body()["played"][number]["byes"]
        assert sorted({unit for units in tables for unit in units} - {HOUSE} | {*byes}) == sorted(everybody)
        assert len(byes) == (count % 2 if sit_out else 0)
    results_of(cup)


@pytest.mark.parametrize(("form", "count"), [("mitchell", 2), ("howell", 32), ("mitchell", 100), ("swiss_pairs", 100)])
def test_the_fewest_and_the_most_pairs_are_paired_and_ranked(world, form, count):
    cup = many(world, count, form=form, rounds=2, boards=1)
    seen = meetings(cup, cup.body()["rounds"])
    assert all(len(tables) == count // 2 for tables in seen)
    results = results_of(cup)
    assert {row["rank"] for row in results["standings"]} == {1}, "nobody has played, and nobody is to blame"
    if count < 100:
        return
    one = world.player("One")
    entry = {"name": "One", "members": [{"player": one.player["id"]}, {"level": "easy"}]}
    refused = one.post(f"{cup.path}/teams", {"teams": [entry]})
    assert_problem(refused, "entries-closed")


def test_a_hundred_pairs_are_the_most(world):
    cup = many(world, 100, form="swiss_pairs", rounds=2, boards=1)
    one = world.player("One")
    entry = {"name": "One", "members": [{"player": one.player["id"]}, {"level": "easy"}]}
    assert_problem(one.post(f"{cup.path}/teams", {"teams": [entry]}), "too-many-teams", limit=100)


def test_two_lines_of_a_mitchell_are_ranked_apart(world):
    cup = many(world, 6, form="mitchell", rounds=3, boards=1, winners=2)
    lines = {client.team: at % 2 + 1 for at, client in enumerate(cup.captains)}
    for number in (1, 2, 3):
        for match in cup.begin(number)["played"][-1]["matches"]:
            assert [lines[team] for team in match["teams"]] == [1, 2], "nobody changes sides"
        end(cup, number)
    rows = results_of(cup)["standings"]
    assert {row["team"]: row["line"] for row in rows} == lines
    assert sorted((row["line"], row["rank"]) for row in rows) == [(1, 1)] * 3 + [(2, 1)] * 3
    lin = world.player()
    refused = lin.post("/v1/team-events", {**SETUP, "form": "howell", "winners": 2})
    assert_problem(refused, "invalid-request", reason="one_line")


def test_a_board_of_pairs_that_somebody_holds_up_costs_them_alone_and_the_director_may_split_it(world):
    cup = many(world, 4, form="swiss_pairs", rounds=1, boards=1)
    cup.begin()
    one, two = cup.table_of(cup.captains[0]), {cup.table_of(client) for client in cup.captains}
    [other] = two - {one}
    cup.play(other)
    late = cup.captains[0]
    late.delete(f"/v1/tables/{one}/seats/me")
    cup.play(one, absent=late.player["id"])
    results = results_of(cup)
    [match] = [each for each in results["matches"] if late.team in each["teams"]]
    [board] = match["boards"]
    mine = match["teams"].index(late.team)
    assert board["counted"] == "adjusted"
    assert board["shares"][mine] == {"percent": 0.0, "steps": -12.0}
    assert board["shares"][1 - mine] == {"percent": 60.0, "steps": 3.0}
    where = f"{cup.path}/matches/{match['match']}/boards/1/ruling"
    wrong = cup.director.put(where, {"steps": 3, "reason": "?"})
    assert_problem(wrong, "invalid-request", reason="ruling_by")
    assert cup.director.put(where, {"percents": [40, 40], "reason": "Both late"}).status_code == 200
    [after] = cup.director.get(f"{cup.path}/matches/{match['match']}").json["boards"]
    assert (after["counted"], after["reason"]) == ("director", "Both late")
    assert [each["percent"] for each in after["shares"]] == [40, 40]
    results_of(cup)
    assert cup.director.delete(where).status_code == 200
    assert cup.director.get(f"{cup.path}/matches/{match['match']}").json["boards"] == [board]


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend"])
@pytest.mark.parametrize("form", ["mitchell", "howell", "swiss_pairs"])
def test_who_leaves_an_event_of_pairs_changes_nothing_that_is_over(world, form, how):
    world.start(operator_token="0123456789abcdef")
    cup = many(world, 4, form=form, rounds=2, boards=1)
    gone = cup.captains[1]
    cup.begin(1)
    cup.play_all()
    before = cup.director.get(f"{cup.path}/results").json["matches"]
    leave(world, cup, gone, how)
    after = cup.director.get(f"{cup.path}/results").json["matches"]
    shown = ["match", "round", "teams", "steps", "victory_points", "boards"]
    assert [[each[name] for name in shown] for each in after] == [[each[name] for name in shown] for each in before]
    matches = cup.begin(2)["played"][-1]["matches"]
    assert (gone.team in str(matches)) == (how == "suspend")
    assert len(matches) == 2
    end(cup, 2)
    assert [each["boards"] for each in results_of(cup)["matches"] if each["round"] == 1] == [
        each["boards"] for each in before
    ]


def test_pairs_may_enter_a_swiss_late_and_no_movement(world):
    for form, status in (("swiss_pairs", 200), ("howell", 409)):
        cup = many(world, 4, form=form, rounds=2, boards=1)
        cup.begin(1)
        end(cup, 1)
        before = cup.director.get(f"{cup.path}/results").json["matches"]
        late = [world.player("Late"), world.player("Later")]
        entry = {"members": [{"player": each.player["id"]} for each in late]}
        answer = late[0].post(f"{cup.path}/teams", {"teams": [entry]})
        assert answer.status_code == status, answer.json
        assert cup.director.get(f"{cup.path}/results").json["matches"] == before
        if status != 200:
            continue
        team = answer.json["mine"]["team"]
        assert late[1].put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
        assert cup.body()["entries"][-1]["name"] == "Late / Later", "without a name it has those of its members"
        matches = cup.begin(2)["played"][-1]["matches"]
        assert team in str(matches)
        assert late[1].delete("/v1/me").status_code == 204
        assert next(each["name"] for each in cup.body()["entries"] if each["team"] == team) == "Late"
        end(cup, 2)
        entry["members"] = [{"player": world.player().player["id"]}, {"level": "easy"}]
        assert_problem(cup.director.post(f"{cup.path}/teams", {"teams": [entry]}), "entries-closed")


# --- single players ---------------------------------------------------------------------------------------------------


def test_single_players_change_partners_and_are_ranked_each(world):
    cup = many(world, 4, form="individual", rounds=31, boards=2)
    assert (cup.body()["size"], cup.body()["rounds"]) == (1, 3)
    partners = []
    for number in (1, 2, 3):
        [match] = cup.begin(number)["played"][-1]["matches"]
        partners += [frozenset(match["teams"][::2]), frozenset(match["teams"][1::2])]
        assert {cup.table_of(client) for client in cup.captains} != {None}
        [table] = {cup.table_of(client) for client in cup.captains}
        seats = world.tables.load(table)["seats"]
        who = {client.team: client.player["id"] for client in cup.captains}
        assert [seat["occupant"]["player"] for seat in seats] == [who[team] for team in match["teams"]]
        cup.play_all()
    assert len({*partners}) == 6, "everybody is the partner of everybody once"
    results = results_of(cup)
    assert {row["name"] for row in results["standings"]} == {client.player["name"] for client in cup.captains}
    row = results["standings"][0]["matches"][0]
    assert len({row["partner"], *row["opponents"], results["standings"][0]["team"]}) == 4
    text = cup.director.get(f"{cup.path}/results", headers={"Accept": "text/csv"}).text
    assert len(text.splitlines()) == 7


@pytest.mark.parametrize(
    ("count", "rounds", "ai"), [(5, 5, 0), (6, 7, 2), (7, 7, 1), (8, 7, 0), (9, 9, 0), (32, 31, 0)]
)
def test_single_players_of_any_number_are_partners_of_all_others(world, count, rounds, ai):
    cup = many(world, count, form="individual", rounds=31, boards=1)
    assert cup.body()["rounds"] == rounds
    seen = meetings(cup, rounds)
    partners = [frozenset(pair) for tables in seen for table in tables for pair in (table[::2], table[1::2])]
    teams = [client.team for client in cup.captains]
    between = [pair for pair in partners if HOUSE not in pair]
    assert sorted(map(sorted, between)) == sorted(sorted(pair) for pair in combinations(teams, 2))
    assert (HOUSE in str(seen)) == (ai > 0)
    for number in range(rounds):
        assert len(cup.body()["played"][number]["byes"]) == (1 if count % 4 == 1 else 0)
    results_of(cup)


@pytest.mark.parametrize("how", ["withdraw", "erase", "suspend"])
def test_an_ai_player_takes_the_seat_of_a_single_player_who_leaves(world, how):
    world.start(operator_token="0123456789abcdef")
    cup = many(world, 4, form="individual", rounds=3, boards=1)
    gone = cup.captains[2]
    cup.begin(1)
    cup.play_all()
    before = cup.director.get(f"{cup.path}/results").json["matches"]
    leave(world, cup, gone, how)
    after = cup.director.get(f"{cup.path}/results").json
    assert [each["boards"] for each in after["matches"]] == [each["boards"] for each in before]
    assert (gone.player["name"] in str(after)) == (how != "erase")
    [match] = cup.begin(2)["played"][-1]["matches"]
    assert (HOUSE in match["teams"]) == (how != "suspend")
    assert len(match["teams"]) == 4
    cup.captains = [client for client in cup.captains if client is not gone]
    if how == "withdraw":
        cup.play_all()
    else:
        end(cup, 2)
    results_of(cup)


# --- ranks ------------------------------------------------------------------------------------------------------------


def test_ranks_follow_the_criteria_that_were_chosen_and_show_why(world):
    setup = {"form": "round_robin", "rounds": 3, "boards": 1}
    cup = many(world, 4, ranks=["wins", "head_to_head", "opponents", "margin"], **setup)
    teams = [client.team for client in cup.captains]
    # One beats two, two beats three, three beats one, all beat four.
    beats = {frozenset(pair): pair[0] for pair in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))}
    for number in (1, 2, 3):
        for match in cup.begin(number)["played"][-1]["matches"]:
            first, second = (teams.index(team) for team in match["teams"])
            rule(cup, match["match"], 2 if beats[frozenset((first, second))] == first else -2)
        end(cup, number)
    rows = {row["team"]: row for row in results_of(cup)["standings"]}
    assert [rows[team]["rank"] for team in teams] == [1, 1, 1, 4], "equal ranks stay equal"
    assert [each["name"] for each in rows[teams[0]]["criteria"]] == ["wins", "head_to_head", "opponents", "margin"]
    values = [each["value"] for each in rows[teams[0]]["criteria"]]
    assert values[0] == 2
    assert values[1] == pytest.approx(20)
    assert [each["value"] for each in rows[teams[3]]["criteria"]] == [0, None, None, None]


def test_forms_refuse_what_they_cannot_do(world):
    lin = world.player()
    for wrong, reason in (
        ({"form": "knock_out", "ranks": ["steps", "nothing"]}, None),
        ({"form": "league"}, None),
        ({"ranks": ["reached"]}, "not_of_this_form"),
        ({"rounds": 16}, "too_many_rounds"),
        ({"form": "round_robin", "rounds": 31, "boards": 16}, "too_many_rounds"),
    ):
        answer = lin.post("/v1/team-events", {**SETUP, **wrong})
        assert answer.status_code in (400, 422), wrong
        if reason:
            assert_problem(answer, "invalid-request", reason=reason)
    cup = many(world, 1, form="knock_out", boards=1)
    refused = cup.director.post(f"{cup.path}/rounds", {"round": 1})
    assert_problem(refused, "round-not-ready", reason="too_few_teams", fewest=2)


def test_a_swiss_is_stored_as_releases_that_know_nothing_else_do(world):
    cup = Cup(world)
    assert "form" not in world.stores.boards.event(cup.id)["teams"]
    other = Cup(world, form="knock_out")
    # They refuse to begin a round of an event with none.
    assert world.stores.boards.event(other.id)["teams"]["rounds"] == 0
