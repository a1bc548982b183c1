"""Entries after the first round has begun, with the rules of each form."""

import pytest

from service.tournaments.directing import late_entries
from service.tournaments.forms import FORMS
from service.tournaments.teams import HOUSE
from tests.api.contract import assert_problem
from tests.api.tournaments.test_forms import end, many, results_of

#: Forms that draw once and take late units, with a number of units that leaves so many places for AI players.
PLACES = [("mitchell", 5, 1), ("howell", 5, 1), ("individual", 6, 2), ("individual", 7, 1)]
FULL = [("mitchell", 4), ("howell", 4), ("individual", 4), ("individual", 5), ("round_robin", 3), ("knock_out", 3)]


def members_of(cup, *people):
    rest = cup.body()["size"] - len(people)
    return [*({"player": who.player["id"]} for who in people), *[{"level": "easy"}] * rest]


def enter(cup, who, *mates, name="Late"):
    return who.post(f"{cup.path}/teams", {"teams": [{"name": name, "members": members_of(cup, who, *mates)}]})


def enters(cup, who, *mates, name="Late"):
    """Enter a late unit; return its id."""
    answer = enter(cup, who, *mates, name=name)
    assert answer.status_code == 200, answer.json
    return answer.json["mine"]["team"]


def seats(cup, number):
    return [match["teams"] for match in cup.body()["played"][number - 1]["matches"]]


def rows(results):
    return {row["team"]: row for row in results["standings"]}


@pytest.mark.parametrize(("form", "count", "places"), PLACES)
def test_a_late_unit_plays_on_in_a_place_of_ai_players(world, form, count, places):
    """The movement goes on as it would have, with the late unit where the AI players would have sat."""
    cup, twin = (many(world, count, form=form, rounds=3, boards=1) for _ in range(2))
    for each in (cup, twin):
        each.begin(1)
        end(each, 1)
    late = []
    for _ in range(places):
        assert cup.body()["takes_entries"]
        late.append(enters(cup, world.player("Late")))
    assert not cup.body()["takes_entries"]
    assert_problem(enter(cup, world.player("Later")), "entries-closed", event=cup.id)
    for number in (2, 3):
        for each in (cup, twin):
            each.begin(number)
        assert HOUSE not in str(seats(cup, number))
        place = {client.team: at for each in (cup, twin) for at, client in enumerate(each.captains)}
        as_drawn = [
            [[place.get(unit, HOUSE) for unit in table] for table in seats(each, number)] for each in (cup, twin)
        ]
        assert as_drawn[0] == as_drawn[1]
        for each in (cup, twin):
            end(each, number)
    results = rows(results_of(cup))
    assert [results[unit]["drawn"] for unit in late] == [*range(count + 1, count + places + 1)]
    assert [results[unit]["played"] for unit in late] == [2] * places
    assert results[HOUSE]["drawn"] is None
    assert {match["round"] for match in results[HOUSE]["matches"]} == {1}


@pytest.mark.parametrize(("form", "count"), FULL)
def test_without_a_place_nobody_enters(world, form, count):
    cup = many(world, count, form=form, rounds=3, boards=1)
    assert cup.body()["takes_entries"]
    cup.begin(1)
    end(cup, 1)
    assert not cup.body()["takes_entries"]
    before = cup.body()["entries"]
    refused = enter(cup, world.player("Late"))
    assert_problem(refused, "entries-closed", event=cup.id)
    assert cup.body()["entries"] == before


def test_the_place_of_who_has_withdrawn_stays_theirs(world):
    cup = many(world, 4, form="howell", rounds=3, boards=1)
    gone = cup.captains[0]
    cup.begin(1)
    end(cup, 1)
    assert gone.delete(f"{cup.path}/teams/{gone.team}").status_code == 200
    assert_problem(enter(cup, world.player("Late")), "entries-closed")
    cup.begin(2)
    end(cup, 2)
    members = members_of(cup, gone)
    assert gone.post(f"{cup.path}/teams", {"teams": [{"name": "Team 0", "members": members}]}).status_code == 200
    cup.begin(3)
    assert gone.team in str(seats(cup, 3))


def test_a_place_is_for_who_has_agreed_first(world):
    """An entry to which nobody agrees keeps no place from others."""
    cup = many(world, 5, form="howell", rounds=5, boards=1)
    cup.begin(1)
    end(cup, 1)
    lin, mei = world.player("Lin"), world.player("Mei")
    slow = enters(cup, lin, mei, name="Slow")
    quick = enters(cup, world.player("Quick"), name="Quick")
    agree = f"{cup.path}/teams/{slow}/confirmation"
    assert_problem(mei.put(agree), "too-many-teams", limit=6)
    alone = {"name": "Slow", "members": members_of(cup, lin)}
    assert_problem(cup.director.put(f"{cup.path}/teams/{slow}", alone), "too-many-teams", limit=6)
    cup.begin(2)
    assert quick in str(seats(cup, 2))
    assert slow not in str(seats(cup, 2))
    # The place is taken, even if nobody plays in it any more.
    assert cup.director.delete(f"{cup.path}/teams/{quick}").status_code == 200
    assert_problem(mei.put(agree), "too-many-teams", limit=6)
    end(cup, 2)
    results_of(cup)


def test_units_that_a_release_before_let_agree_without_a_place_keep_nobody_from_changes(world, monkeypatch):
    cup = many(world, 5, form="howell", rounds=5, boards=1)
    cup.begin(1)
    end(cup, 1)
    pairs = [(world.player(), world.player()) for _ in range(2)]
    entered = [enters(cup, *pair, name=f"Pair {at}") for at, pair in enumerate(pairs)]
    with monkeypatch.context() as patch:
        patch.setattr(late_entries, "check_places", lambda *_: None)
        for team, (_, mate) in zip(entered, pairs, strict=True):
            assert mate.put(f"{cup.path}/teams/{team}/confirmation").status_code == 200
    one = cup.captains[0]
    entry = {"name": "Team 0", "members": members_of(cup, one)}
    assert cup.director.put(f"{cup.path}/teams/{one.team}", {**entry, "name": "Renamed"}).status_code == 200
    cup.begin(2)
    assert [team in str(seats(cup, 2)) for team in entered] == [True, False]


def test_who_did_not_agree_before_the_first_round_plays_from_then_on(world):
    cup = many(world, 5, form="howell", rounds=5, boards=1)
    lin, mei = world.player("Lin"), world.player("Mei")
    slow = enters(cup, lin, mei, name="Slow")
    cup.begin(1)
    end(cup, 1)
    assert mei.put(f"{cup.path}/teams/{slow}/confirmation").status_code == 200
    cup.begin(2)
    assert slow in str(seats(cup, 2))


def test_what_ai_players_have_played_stays_in_their_line(world):
    cup = many(world, 5, form="mitchell", rounds=3, boards=1, winners=2)
    cup.begin(1)
    cup.play_all()
    assert cup.body()["played"][0]["status"] == "over"
    before = rows(results_of(cup))
    assert before[HOUSE]["line"] == 2
    late = enters(cup, world.player("Late"))
    assert rows(results_of(cup))[late]["line"] == 2
    cup.begin(2)
    after = rows(results_of(cup))
    for team in before:
        same = ("rank", "line", "percent", "steps", "criteria", "matches")
        assert [after[team][name] for name in same] == [before[team][name] for name in same]
    assert (after[late]["line"], after[late]["played"]) == (2, 0)
    cup.play_all()
    results = rows(results_of(cup))
    assert (results[late]["played"], results[HOUSE]["played"]) == (1, 1)


def test_pairs_that_would_sit_out_meet_who_is_late(world):
    cup = many(world, 3, form="howell", rounds=3, boards=1, sit_out=True)
    assert len(cup.begin(1)["played"][-1]["byes"]) == 1
    end(cup, 1)
    late = enters(cup, world.player("Late"))
    entry = cup.begin(2)["played"][-1]
    assert entry["byes"] == []
    assert late in str(entry["matches"])


def test_a_late_team_of_a_swiss_is_paired_last_and_gets_nothing_for_what_it_missed(world):
    cup = many(world, 4, form="swiss", rounds=2, boards=1)
    cup.begin(1)
    end(cup, 1)
    late = [enters(cup, world.player(name), name=name) for name in ("Late", "Later")]
    met = cup.begin(2)["played"][-1]["matches"]
    assert sorted(late) in [sorted(match["teams"]) for match in met]
    assert not cup.body()["takes_entries"], "the last round has begun"
    assert_problem(enter(cup, world.player("Latest")), "entries-closed")
    end(cup, 2)
    results = rows(results_of(cup))
    assert [(results[team]["victory_points"], results[team]["played"]) for team in late] == [(10, 1)] * 2
    assert {results[client.team]["victory_points"] for client in cup.captains} == {20}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_over_takes_nobody(world, form):
    cup = many(world, 4, form=form, boards=1, **({} if form in ("arena", "knock_out") else {"rounds": 2}))
    cup.begin(1)
    assert cup.director.post(f"{cup.path}/closing").status_code == 200
    assert cup.body()["takes_entries"] is False
    assert enter(cup, world.player("Late")).status_code == 409
