"""Seasons of clubs: what their events count together, who gets it, and what stays; and the ranking of members."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from service.accounts.kept_bytes import SEASON_EVENT, TEAM_MEMBER
from service.clubs import points
from service.clubs.seasons import MOST_EVENTS, MOST_SEASONS
from service.game.ids import id_from
from service.game.views.fields import timestamp
from service.store import keys
from service.tournaments.teams import HOUSE
from tests.api.contract import assert_problem
from tests.api.people.test_clubs import Club
from tests.api.tournaments.test_forms import end
from tests.api.tournaments.test_team_events import SETUP, Cup

SCRIPT = Path(__file__).parents[3] / "docs" / "check_season.py"
DAY = 24 * 3_600_000
OPERATOR = "o" * 32


@pytest.fixture
def club(world):
    return Club(world, "Mei", "Wei", "Tao", "Hua")


class Evening(Cup):
    """An event of teams of a club, in which each captain plays with AI players."""

    def __init__(self, club, *captains, **setup):
        self.world, self.director = club.world, club.owner
        made = self.director.post("/v1/team-events", {**SETUP, "rounds": 1, "boards": 1, "club": club.id, **setup})
        assert made.status_code == 201, made.json
        self.id = made.json["event"]
        self.path = f"/v1/team-events/{self.id}"
        self.captains = list(captains)
        size = made.json["size"]
        for captain in captains:
            members = [{"player": captain.player["id"]}, *[{"level": "easy"}] * 3][:size]
            body = {"teams": [{"name": captain.player["name"], "members": members}]}
            captain.team = captain.post(f"{self.path}/teams", body).json["mine"]["team"]

    def plays(self, *order):
        """Play all rounds; the captain who comes first in `order` wins each match."""
        teams = [captain.team for captain in order]
        for number in range(1, self.body()["rounds"] + 1):
            self.begin(number)
            self.play_all()
            for match in self.body()["played"][-1]["matches"] if order else ():
                first, second = match["teams"][:2]
                steps = 3 if teams.index(first) < teams.index(second) else -3
                self.rule(match["match"], number, steps)
        self.looked_at()
        return self

    def rule(self, match, board, steps):
        where = f"{self.path}/matches/{match}/boards/{board}/ruling"
        answer = self.director.put(where, {"steps": steps, "reason": "So"})
        assert answer.status_code == 200, answer.json

    def looked_at(self):
        """Have the clock's process do what is due, a moment later."""
        self.world.now += 2_000
        self.world.conduct()


def season_of(club, by=None, **about):
    now = club.world.now
    body = {"name": "Spring", "starts_at": timestamp(now - DAY), "ends_at": timestamp(now + 30 * DAY), **about}
    made = (by or club.owner).post(f"{club.path}/seasons", body)
    assert made.status_code == 201, made.json
    return f"{club.path}/seasons/{made.json['season']}"


def table(client, path):
    """Names and points of the standings, in order."""
    read = client.get(path)
    assert read.status_code == 200, read.json
    return [(row["name"], row["points"]) for row in read.json["standings"]]


def checked(tmp_path, season, *events):
    """What the script says that ships with the docs, of a season and results of its events."""
    files = []
    for number, answer in enumerate((season, *events)):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(answer), encoding="utf-8")
    done = subprocess.run([sys.executable, str(SCRIPT), *files], text=True, capture_output=True, check=False)
    return done.returncode, done.stdout + done.stderr


# --- points -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "place", "equal", "of", "expected"),
    [
        ("percent", 2, 1, 5, 61.5),
        ("beaten", 1, 1, 5, 4),
        ("beaten", 2, 3, 5, 2),
        ("beaten", 5, 1, 5, 0),
        ("places", 1, 1, 5, 10),
        ("places", 1, 2, 5, 9),
        ("places", 8, 2, 12, 0.5),
        ("places", 9, 1, 12, 0),
    ],
)
def test_points_follow_from_the_place(rule, place, equal, of, expected):
    assert points.POINTS[rule]({"place": place, "equal": equal, "of": of, "percent": 61.5}) == expected


def played_by(*players, boards=4, unit_boards=4, began_at=10, percent=50.0):
    """An event of one unit, played by players who have all played so many boards."""
    return {
        "name": "E",
        "began_at": began_at,
        "is_played": True,
        "ends_at": 1_000,
        "rounds": 1,
        "boards": {"tm_1": {"boards": unit_boards, "players": dict.fromkeys(players, boards)}},
        "results": {"tm_1": {"place": 1, "equal": 1, "of": 1, "percent": percent}},
    }


SEASON = {
    "id": "cs_1",
    "name": "S",
    "starts_at": 10,
    "ends_at": 20,
    "events": [],
    "best": 0,
    "points": "percent",
    "created_at": 0,
}


def scores(season, events, now=500):
    return {row["player"]: (row["rank"], row["points"]) for row in points.table({**SEASON, **season}, events, now)}


def test_whoever_has_played_half_of_the_boards_is_credited():
    events = {"ev_1": played_by("half", boards=2), "ev_2": played_by("less", boards=1)}
    assert scores({}, events) == {"half": (1, 50.0)}


@pytest.mark.parametrize(("began_at", "counts"), [(9, False), (10, True), (19, True), (20, False)])
def test_an_event_counts_that_began_between_the_ends_of_the_season(began_at, counts):
    assert bool(scores({}, {"ev_1": played_by("mei", began_at=began_at)})) == counts


def test_only_events_that_are_over_and_chosen_count():
    open_event = {**played_by("mei"), "is_played": False}
    assert scores({}, {"ev_1": open_event}, now=999) == {}
    assert scores({}, {"ev_1": open_event}, now=1_000) == {"mei": (1, 50.0)}
    assert scores({"events": ["ev_2"]}, {"ev_1": played_by("mei")}) == {}


def test_the_best_events_count_and_equal_players_share_a_rank():
    events = {f"ev_{at}": played_by("mei", percent=40.0 + at) for at in range(4)}
    events |= {"ev_8": played_by("wei", percent=42.0), "ev_9": played_by("wei", percent=43.0)}
    events |= {"ev_7": played_by("tao", percent=10.0)}
    assert scores({"best": 2}, events) == {"mei": (1, 85.0), "wei": (1, 85.0), "tao": (3, 10.0)}
    [row] = [row for row in points.table({**SEASON, "best": 2}, events, 500) if row["player"] == "mei"]
    assert [line["is_counted"] for line in row["results"]] == [True, True, False, False]


def test_of_two_units_the_better_one_counts():
    event = played_by("mei")
    event["boards"]["tm_2"] = {"boards": 2, "players": {"mei": 2}}
    event["results"]["tm_2"] = {"place": 1, "equal": 1, "of": 2, "percent": 80.0}
    assert scores({}, {"ev_1": event}) == {"mei": (1, 80.0)}


# --- events -----------------------------------------------------------------------------------------------------------


def test_a_season_sums_up_its_events_and_the_script_computes_the_same(world, club, tmp_path):
    mei, wei, tao, hua = club.members
    path = season_of(club, points="places", best=2)
    evenings = [
        Evening(club, mei, wei).plays(mei, wei),
        Evening(club, mei, wei, tao, hua, form="round_robin", rounds=3).plays(tao, mei, hua, wei),
        Evening(club, wei, hua).plays(hua, wei),
    ]
    season = mei.get(path).json
    # Mei: 10 and 8; Wei: 8, 5 and 8, of which two count; Tao: 10; Hua: 6 and 10.
    ranks = {row["name"]: (row["rank"], row["points"]) for row in season["standings"]}
    assert ranks == {"Mei": (1, 18), "Hua": (2, 16), "Wei": (2, 16), "Tao": (4, 10)}
    assert [row["rank"] for row in season["standings"]] == [1, 2, 2, 4]
    assert [(event["event"], event["counts"]) for event in season["played"]] == [
        (each.id, True) for each in evenings[::-1]
    ]
    results = [each.director.get(f"{each.path}/results").json for each in evenings]
    assert checked(tmp_path, season, *results)[0] == 0
    season["standings"][0]["results"][0]["place"] = 2
    assert "place 2" in checked(tmp_path, season, *results)[1]


def test_pairs_and_their_partners_get_the_percentage_of_their_pair(world, club, tmp_path):
    mei, wei, tao, hua = club.members
    path = season_of(club)
    cup = Evening(club, mei, tao, form="swiss_pairs", boards=2)
    for captain, partner in ((mei, wei), (tao, hua)):
        body = {"name": "P", "members": [{"player": captain.player["id"]}, {"player": partner.player["id"]}]}
        assert captain.put(f"{cup.path}/teams/{captain.team}", body).status_code == 200
        assert partner.put(f"{cup.path}/teams/{captain.team}/confirmation").status_code == 200
    cup.captains = club.members
    cup.plays()
    season = mei.get(path).json
    standings = {row["team"]: row["percent"] for row in cup.director.get(f"{cup.path}/standings").json["items"]}
    assert {row["name"]: row["points"] for row in season["standings"]} == {
        **dict.fromkeys(("Mei", "Wei"), standings[mei.team]),
        **dict.fromkeys(("Tao", "Hua"), standings[tao.team]),
    }
    assert checked(tmp_path, season, cup.director.get(f"{cup.path}/results").json)[0] == 0


def test_ai_players_have_no_place(world, club):
    mei, wei, tao, _ = club.members
    path = season_of(club, points="beaten")
    cup = Evening(club, mei, wei, tao).plays()
    assert HOUSE in [team["team"] for team in cup.body()["entries"]]
    season = mei.get(path).json
    assert {result["of"] for row in season["standings"] for result in row["results"]} == {3}
    assert sum(row["points"] for row in season["standings"]) == 3


def test_an_event_counts_as_soon_as_it_is_over(world, club):
    mei, wei = club.members[:2]
    path = season_of(club)
    cup = Evening(club, mei, wei, rounds=2)
    cup.begin(1)
    cup.play_all()
    cup.looked_at()
    read = mei.get(path).json
    assert ([event["counts"] for event in read["played"]], read["standings"]) == ([False], [])
    cup.director.post(f"{cup.path}/closing")
    cup.looked_at()
    assert len(mei.get(path).json["standings"]) == 2


@pytest.mark.parametrize("rule", ["percent", "beaten"])
def test_an_arena_counts_by_its_points_for_who_has_played_half_of_its_tables(world, club, rule, tmp_path):
    mei, wei, tao, hua = club.members
    path = season_of(club, points=rule)
    cup = Evening(club, mei, wei, tao, form="arena", boards=2, round_ms=3_600_000, ai_after_ms=20_000)
    cup.begin()
    for number in range(4):
        if number == 3:
            cup.captains.append(hua)
            entry = {"teams": [{"members": [{"player": hua.player["id"]}]}]}
            hua.team = hua.post(f"{cup.path}/teams", entry).json["mine"]["team"]
        world.stores.people.note_here([client.player["id"] for client in cup.captains], world.now)
        world.now += 40_000
        for _ in range(3):
            world.stores.people.note_here([client.player["id"] for client in cup.captains], world.now)
            world.conduct()
            world.now += 20_000
        cup.play_all()
    assert cup.director.post(f"{cup.path}/closing").status_code == 200
    cup.looked_at()
    results = cup.director.get(f"{cup.path}/results").json
    best = max(row["points"] for row in results["standings"])
    assert best > 0
    if rule == "percent":
        percents = {row["team"]: round(100 * row["points"] / best, 2) for row in results["standings"]}
        season = mei.get(path).json
        assert {row["results"][0]["team"]: row["points"] for row in season["standings"]} == percents
    for row in mei.get(path).json["standings"]:
        [result] = row["results"]
        [standing] = [each for each in results["standings"] if each["team"] == result["team"]]
        assert result["boards"] == result["unit_boards"] == 2 * standing["played"]
    assert checked(tmp_path, mei.get(path).json, results)[0] == 0


def test_a_season_that_cannot_be_read_stops_no_event(world, club):
    mei, wei = club.members[:2]
    path = season_of(club)
    cup = Evening(club, mei, wei, rounds=2)
    cup.begin(1)
    cup.play_all()
    season = path.rpartition("/")[2]
    world.redis.hset(keys.club_season(season), cup.id, b"?")
    again = world.services.team_events.go_on(cup.id)
    assert again is not None
    assert again > world.now


def test_what_decides_nothing_about_events_makes_the_clock_examine_none(world, club):
    mei, wei = club.members[:2]
    path = season_of(club)
    Evening(club, mei, wei).plays()
    world.redis.delete(keys.TEAM_ROUNDS)
    for changes in ({"best": 3}, {"points": "places"}, {"ends_at": timestamp(world.now + 20 * DAY)}):
        assert club.owner.patch(path, changes).status_code == 200
    # Its only event is known already.
    assert world.redis.zcard(keys.TEAM_ROUNDS) == 0


def test_a_ruling_after_the_last_round_counts(world, club):
    mei, wei = club.members[:2]
    path = season_of(club, points="places")
    cup = Evening(club, mei, wei).plays(mei, wei)
    assert table(mei, path) == [("Mei", 10), ("Wei", 8)]
    match = cup.body()["played"][0]["matches"][0]
    cup.rule(match["match"], 1, -3 if match["teams"][0] == mei.team else 3)
    cup.looked_at()
    assert table(mei, path) == [("Wei", 10), ("Mei", 8)]


def test_whoever_comes_in_for_the_last_board_gets_nothing_and_whoever_went_all(world, club):
    mei, wei, tao, _ = club.members
    path = season_of(club)
    cup = Evening(club, mei, wei, rounds=3)
    for number in (1, 2, 3):
        if number == 3:
            body = {"name": "Mei", "members": [{"player": tao.player["id"]}, *[{"level": "easy"}] * 3]}
            assert cup.director.put(f"{cup.path}/teams/{mei.team}", body).status_code == 200
            assert tao.put(f"{cup.path}/teams/{mei.team}/confirmation").status_code == 200
            cup.captains = [tao, wei]
        cup.begin(number)
        cup.play_all()
        if number == 2:
            cup.looked_at()
    cup.looked_at()
    rows = {row["name"]: row["results"][0] for row in mei.get(path).json["standings"]}
    assert rows.keys() == {"Mei", "Wei"}
    assert (rows["Mei"]["boards"], rows["Mei"]["unit_boards"], rows["Wei"]["boards"]) == (2, 3, 3)


def test_without_records_the_people_of_a_unit_are_credited(world, club):
    mei, wei = club.members[:2]
    cup = Evening(club, mei, wei).plays(mei, wei)
    for key in world.redis.scan_iter("sj:past:*"):
        world.redis.delete(key)
    path = season_of(club, points="places")
    cup.looked_at()
    assert table(mei, path) == [("Mei", 10), ("Wei", 8)]


def test_a_board_that_nobody_finished_counts_as_played(world, club):
    mei, wei = club.members[:2]
    path = season_of(club)
    cup = Evening(club, mei, wei)
    cup.begin()
    world.now += 1_000
    end(cup, 1)
    cup.looked_at()
    assert {row["name"]: row["results"][0]["boards"] for row in mei.get(path).json["standings"]} == {"Mei": 1, "Wei": 1}


# --- what stays -------------------------------------------------------------------------------------------------------


def test_a_season_made_later_counts_what_was_played_and_only_what_it_says(world, club):
    mei, wei = club.members[:2]
    before = Evening(club, mei, wei).plays(mei, wei)
    world.now += DAY
    late = Evening(club, mei, wei).plays(wei, mei)
    every, chosen = season_of(club, points="places", starts_at=timestamp(world.now - 9 * DAY)), None
    chosen = season_of(club, points="places", starts_at=timestamp(world.now - 9 * DAY), events=[before.id])
    late.looked_at()
    assert table(mei, every) == [("Mei", 18), ("Wei", 18)]
    assert table(mei, chosen) == [("Mei", 10), ("Wei", 8)]
    changed = club.owner.patch(every, {"starts_at": timestamp(world.now - DAY // 2)})
    assert changed.status_code == 200, changed.json
    assert table(mei, every) == [("Wei", 10), ("Mei", 8)]
    # What is counted again is noted again.
    club.owner.patch(every, {"starts_at": timestamp(world.now - 9 * DAY)})
    late.looked_at()
    assert table(mei, every) == [("Mei", 18), ("Wei", 18)]


def test_standings_stay_when_events_and_members_are_gone(world, club):
    mei, wei, tao, _ = club.members
    path = season_of(club, points="places")
    cup = Evening(club, mei, wei).plays(mei, wei)
    club.owner.post(f"{cup.path}/closing")
    cup.looked_at()
    before = tao.get(path).json
    world.stores.boards.remove(world.stores.boards.event(cup.id))
    club.remove(club.owner, mei)
    assert_problem(mei.get(path), "not-found")
    assert tao.get(path).json == before
    assert wei.delete("/v1/me").status_code == 204
    after = tao.get(path).json
    assert [(row["player"], row["name"], row["points"]) for row in after["standings"]] == [
        (mei.player["id"], "Mei", 10),
        (None, None, 8),
    ]
    world.now += 40 * DAY
    assert_problem(club.owner.patch(path, {"best": 1}), "season-over")
    assert tao.get(path).json == {**after, "over": True}


def test_a_player_who_is_deleted_before_a_ruling_keeps_the_row(world, club):
    mei, wei = club.members[:2]
    path = season_of(club, points="places")
    cup = Evening(club, mei, wei).plays(mei, wei)
    assert wei.delete("/v1/me").status_code == 204
    match = cup.body()["played"][0]["matches"][0]
    cup.rule(match["match"], 1, 0)
    cup.looked_at()
    assert len(mei.get(path).json["standings"]) == 2


def test_what_an_operator_removes_keeps_its_results_without_its_name(world, club):
    world.start(operator_token=OPERATOR)
    mei, wei = club.members[:2]
    path = season_of(club, points="places")
    cup = Evening(club, mei, wei).plays(mei, wei)
    removed = world.anybody.with_token(OPERATOR).delete(f"/v1/operator/team-events/{cup.id}")
    assert removed.status_code == 204, removed.json
    read = mei.get(path).json
    assert ([event["name"] for event in read["played"]], len(read["standings"])) == ([""], 2)


def test_a_name_that_an_operator_gives_an_event_reaches_its_season(world, club):
    mei, wei = club.members[:2]
    world.start(operator_token=OPERATOR)
    path = season_of(club)
    cup = Evening(club, mei, wei).plays()
    renamed = world.anybody.with_token(OPERATOR).patch(f"/v1/operator/team-events/{cup.id}", {"name": "Lakeside"})
    assert renamed.status_code in {200, 204}
    cup.looked_at()
    assert [event["name"] for event in mei.get(path).json["played"]] == ["Lakeside"]


def test_a_report_of_a_club_has_the_names_of_its_seasons_which_operators_rename(world, club):
    world.start(operator_token=OPERATOR)
    ops, mei = world.anybody.with_token(OPERATOR), club.members[0]
    path = season_of(club, name="Rude")
    season = path.rpartition("/")[2]
    made = mei.post(f"{club.path}/reports", {"text": "Rude."})
    assert "Rude" not in (made.json["name"], made.json.get("said"))
    said = [each["text"] for each in ops.get("/v1/operator/reports").json["items"][0]["said"]]
    assert said == ["Pairs on Friday.", f"{season}: Rude"]
    assert ops.patch(f"/v1/operator{path.removeprefix('/v1')}", {"name": "Season 7"}).status_code == 204
    assert mei.get(path).json["name"] == "Season 7"
    assert_problem(club.owner.patch(path, {"name": "Ruder"}), "name-held")
    assert club.owner.patch(path, {"best": 1}).json["best"] == 1
    assert_problem(ops.patch(f"/v1/operator{club.path.removeprefix('/v1')}/seasons/cs_no", {"name": "S"}), "not-found")
    assert [each["deed"] for each in ops.get("/v1/operator/deeds").json["items"]] == ["rename_season"]


def test_seasons_expire_with_their_club_and_go_with_it(world, club):
    mei, wei = club.members[:2]
    path = season_of(club)
    Evening(club, mei, wei).plays()
    season = path.rpartition("/")[2]
    names = [keys.club_seasons(club.id), keys.club_season(season)]
    world.redis.pexpire(keys.club(club.id), 5_000_000)
    club.give(mei, "director")
    lives = {world.redis.pttl(name) // 60_000 for name in (keys.club(club.id), *names)}
    assert len(lives) == 1
    assert club.owner.delete(club.path).status_code == 204
    assert not world.redis.exists(*names)


# --- who may, and bounds ----------------------------------------------------------------------------------------------


def test_owners_and_directors_make_and_change_seasons_owners_delete_and_strangers_see_none(world, club):
    mei, wei = club.members[:2]
    club.give(mei, "director")
    path = season_of(club, by=mei, name="Autumn")
    assert mei.patch(path, {"name": "Fall"}).json["name"] == "Fall"
    body = {"name": "S", "starts_at": timestamp(world.now), "ends_at": timestamp(world.now + DAY)}
    assert_problem(wei.post(f"{club.path}/seasons", body), "club-role-needed")
    assert_problem(wei.patch(path, {"name": "Mine"}), "club-role-needed")
    assert_problem(mei.delete(path), "club-role-needed")
    assert [each["name"] for each in wei.get(f"{club.path}/seasons").json["items"]] == ["Fall"]
    stranger = world.player("Stranger")
    for where in (path, f"{club.path}/seasons", f"{club.path}/ranking?ruleset=shengji"):
        assert_problem(stranger.get(where), "not-found", what="club")
    assert_problem(stranger.delete(path), "not-found", what="club")
    assert_problem(stranger.post(f"{club.path}/seasons", body), "not-found", what="club")
    other = Club(world)
    assert_problem(other.owner.get(f"{other.path}/seasons/{path.rpartition('/')[2]}"), "not-found", what="season")
    assert club.owner.delete(path).status_code == 204
    assert club.owner.delete(path).status_code == 204
    assert wei.get(f"{club.path}/seasons").json["items"] == []


def test_a_season_is_made_once_for_a_key(world, club):
    headers = {"Idempotency-Key": "0123456789abcdef"}
    body = {"name": "S", "starts_at": timestamp(world.now), "ends_at": timestamp(world.now + DAY)}
    made = [club.owner.post(f"{club.path}/seasons", body, headers=headers).json["season"] for _ in range(2)]
    assert made[0] == made[1]
    assert len(club.owner.get(f"{club.path}/seasons").json["items"]) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"ends_at": "2023-01-01T00:00:00Z", "starts_at": "2023-01-01T00:00:00Z"}, "ends_before_it_begins"),
        ({"ends_at": "2025-01-01T00:00:00Z", "starts_at": "2023-01-01T00:00:00Z"}, "season_too_long"),
    ],
)
def test_a_season_ends_after_it_begins_and_within_400_days(club, body, reason):
    assert_problem(club.owner.post(f"{club.path}/seasons", {"name": "S", **body}), "invalid-request", reason=reason)


@pytest.mark.parametrize("year", ["0001", "9998"])
def test_seasons_of_any_year_are_read_as_they_were_made(club, year):
    path = season_of(club, starts_at=f"{year}-01-01T00:00:00Z", ends_at=f"{year}-02-01T00:00:00Z")
    assert club.owner.get(path).json["starts_at"].endswith("-01-01T00:00:00.000Z")


def test_only_events_of_the_club_can_be_chosen(world, club):
    other = Club(world, "Ina", "Ada")
    theirs = Evening(other, *other.members)
    body = {
        "name": "S",
        "starts_at": timestamp(world.now),
        "ends_at": timestamp(world.now + DAY),
        "events": [theirs.id],
    }
    assert_problem(club.owner.post(f"{club.path}/seasons", body), "not-found", what="event")


def test_a_club_has_so_many_seasons_and_a_season_so_many_events(world, club, monkeypatch):
    mei, wei = club.members[:2]
    path = season_of(club)
    for _ in range(MOST_SEASONS - 1):
        season_of(club)
    body = {"name": "S", "starts_at": timestamp(world.now), "ends_at": timestamp(world.now + DAY)}
    assert_problem(club.owner.post(f"{club.path}/seasons", body), "club-full", what="seasons", limit=MOST_SEASONS)
    monkeypatch.setattr("service.clubs.seasons.MOST_EVENTS", 1)
    assert MOST_EVENTS > 1
    first = Evening(club, mei, wei).plays(mei, wei)
    Evening(club, mei, wei).plays(mei, wei)
    assert [event["event"] for event in mei.get(path).json["played"]] == [first.id]


def test_what_is_played_takes_less_than_the_entry_is_charged(world, club):
    path = season_of(club)
    season, draw = path.rpartition("/")[2], Random(1)

    def some_id(prefix):
        return id_from(prefix, draw.randbytes(8))

    def size(units):
        event = {**played_by("x"), "name": "林" * 40, "boards": {}, "results": {}}
        for at in range(units):
            unit = some_id("tm_")
            event["boards"][unit] = {"boards": 24, "players": {some_id("pl_"): 24}}
            percent = round(draw.uniform(20, 80), 2)
            event["results"][unit] = {"place": at + 1, "equal": 1, "of": units, "percent": percent}
        world.stores.seasons.keep(club.id, season, "ev_5kx3q2m4na7h", event)
        return world.redis.memory_usage(keys.club_season(season))

    one, many = size(1), size(101)
    assert one * MOST_SEASONS <= SEASON_EVENT
    assert 20 < (many - one) / 100 <= 65
    # The rest is the notice to the member.
    assert 65 * MOST_SEASONS <= 800 < TEAM_MEMBER


# --- ranking ----------------------------------------------------------------------------------------------------------


def test_the_ranking_has_members_who_have_played_by_their_ratings(world, club):
    mei, wei, tao, hua = club.members
    stranger = world.player("Stranger")
    results = {mei: 30.0, wei: 40.0, tao: 30.0, hua: None, stranger: 50.0}

    def settled(_):
        return {
            client.player["id"]: {
                "games": 1,
                "wins": 1,
                "rounds": 1,
                "mu": mu or 25.0,
                "sigma": 1.0,
                "rated_games": int(mu is not None),
                "rated_at": world.now,
            }
            for client, mu in results.items()
        }

    ids = [client.player["id"] for client in results]
    world.stores.results.settle("gm_1", "shengji", ids, settled, lambda result: result["mu"], world.now)
    items = mei.get(f"{club.path}/ranking?ruleset=shengji").json["items"]
    assert [(row["place"], row["name"]) for row in items] == [(1, "Wei"), (2, "Mei"), (2, "Tao"), (None, "Hua")]
    assert mei.get(f"{club.path}/ranking?ruleset=sishifen").json["items"] == []
    club.remove(club.owner, wei)
    assert mei.get(f"{club.path}/ranking?ruleset=shengji").json["items"][0]["name"] == "Mei"
