"""Entries by a list that a director pastes: what lines may look like, and what is said of those that are wrong."""

import json

import pytest

from service.tournaments.directing.entry_lists import LONGEST_LIST, Line, lines_of
from tests.api.contract import assert_problem
from tests.api.tournaments.test_rulings import log
from tests.api.tournaments.test_team_events import Cup

LINK = "https://x.example/en/friend#/friends/pl_1"


def send(cup, text, client=None, **body):
    return (client or cup.director).post(f"{cup.path}/entry-list", {"list": text, **body})


def befriend(one, other):
    one.put(f"/v1/me/friends/{other.player['id']}")
    other.put(f"/v1/me/friends/{one.player['id']}")


def entered(cup):
    """Names of teams and of their people."""
    return [
        (team["name"], [member["name"] for member in team["members"] if member["player"]])
        for team in cup.director.get(cup.path).json["entries"]
    ]


@pytest.mark.parametrize(
    ("written", "unit", "size", "name", "people"),
    [
        ("Dragons, a, b", "team", 4, "Dragons", ["a", "b"]),
        ("Dragons: a b, c", "team", 4, "Dragons", ["a b", "c"]),
        ("飞龙队：甲、乙，丙；丁", "team", 4, "飞龙队", ["甲", "乙", "丙", "丁"]),
        ('"Dragons";"a";"b"\r', "team", 4, "Dragons", ["a", "b"]),
        ("Dragons\ta\t\tb\t", "team", 4, "Dragons", ["a", "b"]),
        (f"Dragons, {LINK}", "team", 4, "Dragons", [LINK]),
        ("a, b", "pair", 2, "", ["a", "b"]),
        ("Us, a, b", "pair", 2, "Us", ["a", "b"]),
        ("Us: a", "pair", 2, "Us", ["a"]),
        (LINK, "player", 1, "", [LINK]),
    ],
)
def test_a_line_is_read_as_people_and_spreadsheets_write_it(written, unit, size, name, people):
    assert lines_of(f"\ufeff\n{written}\n , ,\n", unit, size, 1) == ([Line(2, name, people)], [])


@pytest.mark.parametrize(
    ("written", "unit", "reason"),
    [
        ("Dragons", "team", "list_of_teams"),
        ("Dragons, a, b, c, d, e", "team", "list_of_teams"),
        (": a", "team", "list_of_teams"),
        ("a, b, c, d", "pair", "list_of_pairs"),
        ("a, b", "player", "list_of_players"),
        (",,,\n\n", "team", "list_empty"),
        ("a\n" * 65, "team", "list_too_long"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(written, unit, reason):
    wrong = lines_of(written, unit, {"team": 4, "pair": 2, "player": 1}[unit], 64)[1]
    assert [each.reason for each in wrong] == [reason]


def test_a_director_enters_a_list_of_codes_and_names_of_friends(world):
    cup = Cup(world)
    lin, mei, wang = (world.player(each) for each in ("Lin", "Mei", "Wang"))
    befriend(cup.director, mei)
    text = f"Dragons, {lin.player['id']}, mei\n凤凰：{wang.player['id']}\n"
    assert send(cup, text, level="easy").status_code == 200
    assert entered(cup) == [("Dragons", ["Lin", "Mei"]), ("凤凰", ["Wang"])]
    # A retry enters nobody twice; everybody has still to agree.
    assert send(cup, text, level="easy").status_code == 200
    assert len(entered(cup)) == 2
    assert not any(team["complete"] for team in cup.director.get(cup.path).json["entries"])
    assert [act["what"] for act in log(cup)["items"]] == ["teams_entered"]


def test_each_wrong_line_is_named_and_nobody_is_entered(world):
    cup = Cup(world)
    lin = world.player("Lin")
    # Two friends with one name; the name of a stranger leads to nobody.
    for _ in range(2):
        befriend(cup.director, world.player("Mei"))
    codes, long = (lin.player["id"], cup.director.player["id"]), "x" * 41
    people = send(cup, f"A, {codes[0]}\nB, Mei\nC, Lin\nD, pl_nobody\n{long}, {codes[1]}\nE, {codes[0]}")
    names = send(cup, f"A, {codes[0]}\n{long}, {codes[1]}")
    for refused, expected in (
        (people, [("list_ambiguous", "2:"), ("list_unknown", "3:"), ("list_unknown", "4:"), ("list_twice", "6:")]),
        (names, [("list_name", "2:")]),
    ):
        assert_problem(refused, "invalid-request")
        assert [(each["code"], each["detail"].split(" ")[1]) for each in refused.json["errors"]] == expected
    assert entered(cup) == []


def test_people_of_the_club_may_be_called_by_their_names(world):
    lin, mei = world.player("Lin"), world.player("Mei")
    club = lin.post("/v1/clubs", {"name": "Lakeside", "listed": True}).json["club"]
    cup = Cup(world)
    setup = {"name": "Cup", "ruleset": "sishifen", "players": 4, "club": club}
    cup.director, cup.path = lin, f"/v1/team-events/{lin.post('/v1/team-events', setup).json['event']}"
    assert_problem(send(cup, "Dragons, Mei"), "invalid-request")
    mei.put(f"/v1/clubs/{club}/requests/me")
    lin.put(f"/v1/clubs/{club}/requests/{mei.player['id']}/answer", {"accept": True})
    assert send(cup, "Dragons, Mei").status_code == 200
    assert entered(cup) == [("Dragons", ["Mei"])]


def test_a_list_that_is_sent_again_brings_nobody_back(world):
    cup, lin, mei = Cup(world, teams=2), world.player("Lin"), world.player("Mei")
    text = f"Dragons, {lin.player['id']}\nPhoenix, {mei.player['id']}"
    assert send(cup, text).status_code == 200
    for client in (lin, mei):
        client.team = cup.body(client)["mine"]["team"]
        assert client.put(f"{cup.path}/teams/{client.team}/confirmation").status_code == 200
    cup.begin(1)
    assert mei.delete(f"{cup.path}/teams/{mei.team}").status_code == 200
    assert send(cup, text).status_code == 200
    assert [each["team"] for each in cup.body()["entries"] if each["withdrawn"]] == [mei.team]


def test_only_directors_send_lists_as_long_as_teams_enter(world):
    cup = Cup(world, teams=2, rounds=1)
    lin = world.player("Lin")
    assert_problem(send(cup, f"Dragons, {lin.player['id']}", lin), "not-director")
    cup.begin(1)
    assert_problem(send(cup, f"Dragons, {lin.player['id']}"), "entries-closed")
    assert_problem(send(cup, "x" * (LONGEST_LIST + 1)), "invalid-request")


@pytest.mark.parametrize(
    "line", [",", "\n", ":", "a,", "a\n", "：", "pl_a,", '"', ";\t"], ids=lambda line: line.encode().hex()
)
def test_the_longest_list_asks_redis_no_more_than_a_short_one(world, line):
    cup = Cup(world)

    def calls():
        return sum(each["calls"] for each in world.redis.info("commandstats").values())

    def asked(text):
        # Threads of other tests may ask the same server meanwhile, which only adds.
        counts = []
        for _ in range(3):
            before = calls()
            assert_problem(send(cup, text), "invalid-request")
            counts.append(calls() - before)
        return min(counts)

    # Two lines with a code and a name ask for records and friends.
    most = asked("A, pl_nobody\nB, nobody")
    # As many as fit into 64 KB with all characters escaped.
    assert asked((line * LONGEST_LIST)[: min(LONGEST_LIST, 65_000 * len(line) // len(json.dumps(line)))]) <= most
