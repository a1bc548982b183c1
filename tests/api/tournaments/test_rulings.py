"""What directors decide: awards, split scores, forfeits and penalties, their log, and taking the last one back."""

from itertools import pairwise

import pytest

from service.tournaments.directing.acts import MOST_ACTS
from service.tournaments.forms import FORMS
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import better_wins, end, leave, many, ranks, results_of
from tests.api.tournaments.test_team_events import Cup


def decide(cup, path, **body):
    """A ruling, with a reason."""
    answer = cup.director.put(f"{cup.path}/{path}", {"reason": "As it should be", **body})
    assert answer.status_code == 200, answer.json
    return answer


def penalize(cup, team, amount, client=None, reason="Late"):
    return (client or cup.director).put(f"{cup.path}/teams/{team}/penalty", {"amount": amount, "reason": reason})


def log(cup, client=None):
    """The acts of the log, the latest first."""
    return (client or cup.director).get(f"{cup.path}/log").json


def undo(cup, act, client=None):
    return (client or cup.director).post(f"{cup.path}/undo", {"act": act, "reason": "Not so"})


def played(world, form="swiss", count=4, boards=2, **setup):
    """An event whose first round is over; nothing was played in it."""
    cup = many(world, count, form=form, boards=boards, **setup)
    cup.begin(1)
    end(cup, 1)
    return cup


def board_of(cup, match, at=0):
    return cup.director.get(f"{cup.path}/matches/{match}").json["boards"][at]


@pytest.mark.parametrize(
    ("body", "both", "split"),
    [
        ({"steps": 5}, [5, -5], None),
        ({"split": [5, -5]}, [5, -5], None),
        ({"split": [3, -7]}, [3, -7], [3, -7]),
        ({"awards": ["average", "average"]}, [0, 0], None),
        ({"awards": ["average_plus", "average_plus"]}, [3, 3], [3, 3]),
        ({"awards": ["average_plus", "average_minus"]}, [3, -3], None),
        ({"awards": ["average", "average_minus"]}, [0, -3], [0, -3]),
        ({"awards": ["forfeit", "forfeit"]}, [-12, -12], [-12, -12]),
    ],
)
def test_a_ruling_in_a_match_of_teams_counts_for_each_side(world, body, both, split):
    cup = played(world, count=2, boards=1)
    decide(cup, "matches/1-1/boards/1/ruling", **body)
    board = board_of(cup, "1-1")
    assert (board["steps"], board["split"], board["counted"]) == (both[0], split, "director")
    results = results_of(cup)
    [match] = results["matches"]
    of = {row["team"]: row for row in results["standings"]}
    assert [of[team]["steps"] for team in match["teams"]] == both
    assert [of[team]["victory_points"] for team in match["teams"]] == match["victory_points"]
    assert (sum(match["victory_points"]) == pytest.approx(20)) == (split is None)
    text = cup.director.get(f"{cup.path}/results", headers={"Accept": "text/csv"}).text
    # The column after it is for arenas.
    assert text.splitlines()[1].endswith(f",{both[1]},")


@pytest.mark.parametrize("form", ["mitchell", "individual"])
def test_awards_are_percentages_where_tables_are_compared(world, form):
    cup = played(world, form=form, count=8, boards=1, rounds=2)
    decide(cup, "matches/1-1/boards/1/ruling", awards=["average_plus", "forfeit"])
    shares = board_of(cup, "1-1")["shares"]
    assert [share["percent"] for share in shares] == [60, 0] * (len(shares) // 2)
    refused = cup.director.put(f"{cup.path}/matches/1-1/boards/1/ruling", {"split": [1, 1], "reason": "?"})
    assert_problem(refused, "invalid-request", reason="ruling_by", accepted=["percents", "awards"])
    results_of(cup)


@pytest.mark.parametrize("body", [{}, {"steps": 1, "awards": ["average", "average"]}, {"percents": [60, 40]}])
def test_a_ruling_says_in_one_way_what_counts(world, body):
    cup = played(world, count=2, boards=1)
    refused = cup.director.put(f"{cup.path}/matches/1-1/boards/1/ruling", {"reason": "?", **body})
    assert_problem(refused, "invalid-request", reason="ruling_by", accepted=["steps", "split", "awards"])
    assert board_of(cup, "1-1")["counted"] == "adjusted"


def test_both_sides_can_forfeit_a_match(world):
    cup = played(world)
    decide(cup, "matches/1-2/ruling", awards=["forfeit", "forfeit"])
    results = results_of(cup)
    match = results["matches"][1]
    assert [board["split"] for board in match["boards"]] == [[-12, -12]] * 2
    assert match["victory_points"] == [0, 0]
    of = {row["team"]: row for row in results["standings"]}
    assert [of[team]["steps"] for team in match["teams"]] == [-24, -24]
    [act] = [act for act in log(cup)["items"] if act["what"] == "ruled"]
    assert (act["match"], act["board"], act["values"]) == ("1-2", None, [-12, -12])


def test_nobody_goes_on_from_a_match_of_a_knock_out_that_both_have_forfeited(world):
    cup = many(world, 4, form="knock_out", boards=2)
    order = [client.team for client in cup.captains]
    entry = cup.begin(1)["played"][-1]
    end(cup, 1)
    better_wins(cup, entry, order)
    [match] = [each["match"] for each in entry["matches"] if order[0] in each["teams"]]
    decide(cup, f"matches/{match}/ruling", awards=["forfeit", "forfeit"])
    [*_, entry] = cup.begin(2)["played"]
    assert (entry["matches"], entry["byes"]) == ([], [order[1]])
    got = ranks(results_of(cup))
    assert (got[order[1]], got[order[0]]) == (1, got[order[3]])
    final = many(world, 2, form="knock_out", boards=1)
    final.begin(1)
    end(final, 1)
    decide(final, "matches/1-1/ruling", awards=["forfeit", "forfeit"])
    assert {*ranks(results_of(final)).values()} == {1}


@pytest.mark.parametrize("gone", [0, 3])
def test_who_has_forfeited_does_not_go_on_because_the_opponent_withdraws(world, gone):
    cup = many(world, 4, form="knock_out", boards=2)
    order = [client.team for client in cup.captains]
    entry = cup.begin(1)["played"][-1]
    end(cup, 1)
    better_wins(cup, entry, order)
    [match] = [each["match"] for each in entry["matches"] if order[0] in each["teams"]]
    decide(cup, f"matches/{match}/ruling", awards=["forfeit", "forfeit"])
    leave(world, cup, cup.captains[gone], "withdraw")
    [*_, entry] = cup.begin(2)["played"]
    assert (entry["matches"], entry["byes"]) == ([], [order[1]])
    assert ranks(results_of(cup))[order[1]] == 1


def test_who_gets_less_of_a_split_board_does_not_go_on(world):
    cup = many(world, 2, form="knock_out", boards=1)
    entry = cup.begin(1)["played"][-1]
    end(cup, 1)
    decide(cup, "matches/1-1/ruling", split=[-6, -3])
    assert ranks(results_of(cup))[entry["matches"][0]["teams"][1]] == 1


@pytest.mark.parametrize(
    ("form", "unit"), [("swiss", "victory_points"), ("round_robin", "victory_points"), ("howell", "percent")]
)
def test_a_penalty_is_taken_off_the_standings(world, form, unit):
    cup = played(world, form=form, ranks=[unit, "opponents"], rounds=3)
    before = {row["team"]: row for row in results_of(cup)["standings"]}
    gets = cup.captains[2].team
    assert penalize(cup, gets, 150).status_code == 200
    rows = {row["team"]: row for row in results_of(cup)["standings"]}
    assert rows[gets][unit] == before[gets][unit] - 1.5
    assert (rows[gets]["rank"], rows[gets]["penalty"], rows[gets]["penalty_reason"]) == (4, 1.5, "Late")
    others = [team for team in rows if team != gets]
    assert [rows[team][unit] for team in others] == [before[team][unit] for team in others]
    assert [rows[team]["matches"] for team in others] == [before[team]["matches"] for team in others]
    assert penalize(cup, gets, 0, reason="Was there").status_code == 200
    assert {row["team"]: row for row in results_of(cup)["standings"]} == before


def test_a_penalty_needs_a_number_from_which_ranks_follow(world):
    cup = many(world, 2, form="knock_out", boards=1)
    assert_problem(penalize(cup, cup.captains[0].team, 100), "invalid-request", reason="no_penalty")
    wins = many(world, 2, ranks=["wins"], boards=1)
    assert_problem(penalize(wins, wins.captains[0].team, 100), "invalid-request", reason="no_penalty")
    swiss = many(world, 2, boards=1)
    assert_problem(penalize(swiss, "tm_nothing", 100), "not-found", what="team")


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if not form.grows])
def test_the_last_ruling_is_taken_back_and_then_the_one_before(world, form):
    cup = played(world, form=form, boards=1, rounds=2, count=4)
    compared = cup.body()["size"] < 4
    counts = [{"percents": [70, 30]} if compared else {"steps": 4}, {"awards": ["forfeit", "average"]}]
    stages = [results_of(cup)]
    for body in counts:
        decide(cup, "matches/1-1/boards/1/ruling", **body)
        stages.append(results_of(cup))
    if form != "knock_out":
        penalize(cup, cup.captains[0].team, 50)
        stages.append(results_of(cup))
    assert all(one != other for one, other in pairwise(stages))
    for stage in stages[-2::-1]:
        number = log(cup)["undo"]
        assert undo(cup, number).status_code == 200
        assert results_of(cup) == stage
        assert undo(cup, number).status_code == 200, "a retry takes back nothing more"
        assert results_of(cup) == stage
        assert log(cup)["items"][0]["undoes"] == number
    assert log(cup)["undo"] is None
    assert_problem(undo(cup, 1), "not-the-last-ruling", act=None)


def test_only_the_last_ruling_can_be_taken_back(world):
    cup = played(world)
    for steps in (1, 2):
        decide(cup, "matches/1-1/boards/1/ruling", steps=steps)
    [last, first] = [act["number"] for act in log(cup)["items"] if act["what"] == "ruled"]
    assert_problem(undo(cup, first), "not-the-last-ruling", act=last)
    assert board_of(cup, "1-1")["steps"] == 2


def test_the_log_tells_everybody_what_the_director_has_done(world):
    cup = many(world, 3, boards=1)
    one, two, _ = cup.captains
    began = log(cup)["items"]
    assert [act["what"] for act in began] == ["teams_entered"]
    cup.begin(1)
    cup.director.post(f"{cup.path}/rounds", {"round": 1})
    later = {"closes_at": cup.body()["played"][0]["closes_at"].replace("Z", "-01:00"), "reason": "Slow tables"}
    assert cup.director.patch(f"{cup.path}/rounds/1", later).status_code == 200
    for _ in range(2):
        decide(cup, "matches/1-1/boards/1/ruling", steps=3)
    entry = {"name": "Changed", "members": [{"player": two.player["id"]}, *[{"level": "easy"}] * 3]}
    assert cup.director.put(f"{cup.path}/teams/{two.team}", entry).status_code == 200
    assert one.delete(f"{cup.path}/teams/{one.team}").status_code == 200, "a captain's own act is not the director's"
    for _ in range(2):
        cup.director.delete(f"{cup.path}/teams/{two.team}")
    end(cup, 1)
    cup.director.post(f"{cup.path}/closing")
    acts = log(cup, world.player())["items"]
    assert [act["what"] for act in reversed(acts)] == [
        "teams_entered",
        "round_begun",
        "round_changed",
        "ruled",
        "team_changed",
        "team_withdrawn",
        "round_changed",
        "closed",
    ]
    assert [act["number"] for act in acts] == [*range(8, 0, -1)]
    assert {(act["by"], act["name"], act["plays"]) for act in acts} == {(cup.director.player["id"], "Director", False)}
    of = {act["what"]: act for act in acts}
    assert of["ruled"]["reason"] == "As it should be"
    assert (of["ruled"]["round"], of["ruled"]["board"], of["ruled"]["values"]) == (1, 1, [3, -3])
    assert acts[5]["reason"] == "Slow tables"
    assert of["team_changed"]["team"] == two.team
    first = world.player().get(f"{cup.path}/log?limit=5").json
    rest = world.player().get(f"{cup.path}/log?limit=5&cursor={first['next_cursor']}").json
    assert (first["items"] + rest["items"], rest["next_cursor"]) == (acts, None)
    assert cup.director.delete("/v1/me").status_code == 204
    assert {(act["by"], act["name"]) for act in log(cup, one)["items"]} == {(None, None)}


def test_what_a_ruling_counts_is_sealed_until_its_round_is_over(world):
    cup = many(world, 2, boards=1)
    cup.begin(1)
    decide(cup, "matches/1-1/boards/1/ruling", steps=3, reason="They had 100 points")
    for client in (*cup.captains, world.player()):
        act = log(cup, client)["items"][0]
        assert (act["what"], act["reason"], act["values"]) == ("ruled", None, None)
    assert log(cup)["items"][0]["reason"] == "They had 100 points"
    number = log(cup)["undo"]
    undo(cup, number)
    assert log(cup, cup.captains[0])["items"][0]["reason"] is None
    end(cup, 1)
    assert [act["reason"] for act in log(cup, cup.captains[0])["items"] if act["match"]] == [
        "Not so",
        "They had 100 points",
    ]


def test_the_log_keeps_the_latest_acts_and_tells_that_there_were_others(world, monkeypatch):
    monkeypatch.setattr("service.tournaments.directing.acts.MOST_ACTS", 5)
    assert MOST_ACTS == 200
    cup = played(world, count=2)
    for steps in range(1, 8):
        decide(cup, "matches/1-1/boards/1/ruling", steps=steps)
    assert [act["number"] for act in log(cup)["items"]] == [*range(10, 5, -1)]


def test_a_director_who_plays_decides_nothing_about_their_own_team(world):
    cup = Cup(world, boards=1)
    cup.captains = [cup.team("Other"), cup.team("Third"), cup.team("Fourth")]
    members = [{"player": cup.director.player["id"]}, *[{"level": "easy"}] * 3]
    own = cup.director.post(f"{cup.path}/teams", {"teams": [{"name": "Own", "members": members}]}).json["mine"]["team"]
    entry = cup.begin(1)["played"][-1]
    end(cup, 1)
    [mine] = [each["match"] for each in entry["matches"] if own in each["teams"]]
    [other] = [each["match"] for each in entry["matches"] if own not in each["teams"]]
    body = {"steps": 12, "reason": "I should have won"}
    for path in (f"matches/{mine}/ruling", f"matches/{mine}/boards/1/ruling"):
        assert_problem(cup.director.put(f"{cup.path}/{path}", body), "own-team", team=own)
    assert_problem(cup.director.delete(f"{cup.path}/matches/{mine}/boards/1/ruling"), "own-team")
    assert_problem(penalize(cup, own, 0), "own-team")
    assert penalize(cup, cup.captains[0].team, 100).status_code == 200
    decide(cup, f"matches/{other}/boards/1/ruling", steps=1)
    assert log(cup)["items"][0]["plays"]
    assert board_of(cup, mine)["counted"] == "adjusted"


def test_a_director_whom_somebody_has_entered_decides_until_they_agree(world):
    cup = many(world, 2, form="swiss_pairs", boards=1)
    lin = world.player("Lin")
    members = [{"player": lin.player["id"]}, {"player": cup.director.player["id"]}]
    answer = lin.post(f"{cup.path}/teams", {"teams": [{"name": "Trap", "members": members}]})
    assert answer.status_code == 200, answer.json
    team = answer.json["mine"]["team"]
    assert penalize(cup, team, 5).status_code == 200
    assert not log(cup)["items"][0]["plays"]
    assert cup.director.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
    assert_problem(penalize(cup, team, 0), "own-team", team=team)
    assert penalize(cup, cup.captains[0].team, 5).status_code == 200
    assert log(cup)["items"][0]["plays"]


def test_nothing_is_decided_by_others_or_after_the_end(world):
    cup = played(world, count=2)
    decide(cup, "matches/1-1/boards/1/ruling", steps=1)
    number, gets = log(cup)["undo"], cup.captains[0].team
    for client, code in ((world.player(), "not-director"), (cup.captains[0], "not-director")):
        assert_problem(undo(cup, number, client), code)
        assert_problem(penalize(cup, gets, 100, client), code)
        ruling = {"awards": ["average", "average"], "reason": "?"}
        assert_problem(client.put(f"{cup.path}/matches/1-1/ruling", ruling), code)
    cup.director.post(f"{cup.path}/closing")
    before = results_of(cup)
    assert_problem(undo(cup, number), "event-closed")
    assert_problem(penalize(cup, gets, 100), "event-closed")
    assert_problem(cup.director.put(f"{cup.path}/matches/1-1/ruling", ruling), "event-closed")
    assert results_of(cup) == before
    unknown = cup.director.get("/v1/team-events/ev_nothing/log")
    assert_problem(unknown, "not-found", what="event")
