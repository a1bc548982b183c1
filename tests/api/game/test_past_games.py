"""Past games: the lists agree with the records, hide games from those who may not see them, and can be rebuilt."""

import io
import json
import re
import zlib
from contextlib import contextmanager
from urllib.parse import urljoin
from urllib.request import Request

import pytest

from harness.driver import Driver
from service.common.fastjson import dumps, loads
from service.common.settings import Budget, Settings
from service.game.records.record import game_log, record
from service.game.views.fields import timestamp
from service.store import keys
from service.store.players import past_games
from service.store.players.inbox import DELETED_NAME
from service.store.port import StoreCorrupt
from tests.api.conftest import START, World
from tests.api.contract import assert_problem
from tests.api.game.test_games import game_of, whole_game
from tests.game.test_seat_changes import go_on, sit
from workers.__main__ import list_past_games

PEOPLE, GAMES = 8, 200
MINUTE = 60_000
NDJSON = {"Accept": "application/x-ndjson"}
#: Name of a game of `played` -> whether games like it are rated.
RATED = {
    "friends": True,
    "early": False,
    "abandoned": False,
    "practice": False,
    "arms": True,
    "shengji": True,
    "changed": True,
}
SHORT = [*RATED][:4]


def vote(driver, kind):
    """Have the players end the game by a vote."""
    driver.do(0, type="open_vote", kind=kind)
    for seat in (1, 2, 3):
        if driver.state["vote"]:
            driver.do(seat, type="cast_vote", vote=driver.state["vote"]["id"], approve=True)


@pytest.fixture(scope="module")
def played():
    """Name -> state, log and summary of a finished game, as JSON; its players are `p0`, `p1` …"""
    drivers = {
        "friends": Driver("zhaopengyou", 5, {"start_level": "A"}, seed=1),
        "early": Driver("arms_length", 4, seed=2),
        "abandoned": Driver("arms_length", 4, seed=5),
        "practice": Driver("arms_length", 4, seed=4, practice="monday"),
        "arms": Driver("arms_length", 4, seed=1),
        "shengji": Driver("shengji", 4, {"start_level": "A"}, seed=3),
        "changed": Driver("arms_length", 4, seed=3, ai=(2, 3)),
    }
    for name, driver in drivers.items():
        go_on(driver)
        if name == "changed":
            sit(driver, seat=3)
        elif name in ("early", "practice", "abandoned"):
            vote(driver, "abandon" if name == "abandoned" else "end_early")
        go_on(driver, 500)
        assert driver.state["status"] == "finished"
    return {name: dumps([driver.state, driver.log, summary(driver)]).decode() for name, driver in drivers.items()}


def summary(driver):
    """The record of the game of a table, without its actions."""
    game = driver.state["game"]["id"]
    game_record = record(game_log(driver.log, game), 0)
    rounds = [{name: each[name] for name in ("levels", "result")} for each in game_record["rounds"]]
    return {**game_record, "rounds": rounds}


class Game:
    """A copy of a played game at another table, with other players and another time of its end.

    Attributes:
        record: its summary.
        watchable: whether anyone could watch it.
    """

    def __init__(self, played, name, number, who, ended_at, visibility="public", spectators="delayed"):
        text = played[name].replace("tb_test", f"tb_{number:04}").replace("gm_test", f"gm_{number:04}")
        text = text.replace('"visibility":"public"', f'"visibility":"{visibility}"')
        text = text.replace('"spectators":"off"', f'"spectators":"{spectators}"')
        text = re.sub(r'"p(\d)"', lambda match: f'"{who[int(match[1]) % len(who)]}"', text)
        self.state, self.log, self.record = loads(text)
        self.state["game"]["ended_at"] = self.ended_at = ended_at
        [end] = [event for event in self.log if event["type"] == "game_ended"]
        end["at"] = ended_at
        self.id, self.rated = self.record["game"], RATED[name]
        self.watchable = (visibility, spectators) == ("public", "delayed")
        seats = [*self.record["seats"], *self.record.get("changes", [])]
        self.players = {seat["occupant"]["player"] for seat in seats} - {None}

    def keep(self, world):
        world.tables.finished(self.state, self.log)
        return self.id

    def item(self, player):
        """Its item on a list of the player, made from the record."""
        record = self.record
        seats = [*record["seats"], *record.get("changes", [])]
        seat = next(seat["seat"] for seat in seats if seat["occupant"]["player"] == player)
        scores = [each["result"]["summary"].get("scores") for each in record["rounds"]]
        is_arms = record["ruleset"] == "arms_length"
        return {
            **{name: record[name] for name in ("game", "table", "ruleset", "players", "ended", "winners", "practice")},
            **{name: record[name] for name in ("seats", "changes") if name in record},
            "ended_at": timestamp(self.ended_at),
            "rounds": len(record["rounds"]),
            "seat": seat,
            "result": None if not record["winners"] else "won" if seat in record["winners"] else "lost",
            "levels": record["rounds"][-1]["levels"],
            "scores": [sum(side) for side in zip(*scores, strict=True)] if is_arms else None,
            "rated": self.rated,
            "watchable": self.watchable,
            "analysed": [],
        }


class Crowd:
    """Players with 200 games."""

    def __init__(self, world, played):
        self.tokens, self.ids = [], []
        for number in range(PEOPLE):
            client = world.player(f"Player {number}")
            self.tokens.append(client.token)
            self.ids.append(client.player["id"])
        self.games = []
        for number in range(GAMES):
            name = SHORT[number % 4] if number % 11 else [*RATED][4 + number // 11 % 3]
            who = [self.ids[(3 * number + place) % PEOPLE] for place in range(PEOPLE)]
            visibility = "private" if number % 5 == 0 else "public"
            spectators = "off" if number % 7 == 0 else "delayed"
            # Two games end at the same time.
            at = START - number // 2 * MINUTE
            game = Game(played, name, number, who, at, visibility, spectators)
            game.keep(world)
            del game.state, game.log
            self.games.append(game)
        self.games.sort(key=lambda game: (game.ended_at, game.id), reverse=True)
        self.keys = {key: world.redis.dump(key) for key in world.redis.scan_iter("sj:*")}

    def items(self, player, caller=None, passes=lambda _: True):
        """The list of a player as the caller (by default the player) should see it."""
        return [
            game.item(player)
            for game in self.games
            if player in game.players and (game.watchable or (caller or player) in game.players) and passes(game)
        ]


@pytest.fixture(scope="module")
def crowd_of_module(module_redis, played):
    world = World(module_redis, Settings())
    crowd = Crowd(world, played)
    world.close()
    return crowd


@pytest.fixture
def crowd(world, crowd_of_module):
    """The crowd, with clients in the order of its players."""
    for key, value in crowd_of_module.keys.items():
        world.redis.restore(key, 0, value)
    world.start(limit_read=Budget(0, 60))
    crowd_of_module.clients = [world.anybody.with_token(token) for token in crowd_of_module.tokens]
    return crowd_of_module


def pages(client, path, limit=30, **query):
    """All items of a list."""
    items, cursor = [], None
    while True:
        more = {} if cursor is None else {"cursor": cursor}
        page = client.get(path, query_string={"limit": limit, **query, **more}).json
        assert len(page["items"]) <= limit
        items += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return items


def records(client, url, **query):
    """All records of a list, and the number of pages; follows the links."""
    texts, pages = [], 0
    answer = client.get(url, query_string=query, headers=NDJSON)
    while True:
        assert answer.mimetype == "application/x-ndjson"
        lines = answer.get_data()
        assert lines == b"" or lines.endswith(b"\n")
        texts += [loads(line) for line in lines.splitlines()]
        pages += 1
        if "Link" not in answer.headers:
            return texts, pages
        target = re.fullmatch(r'<([^>]+)>; rel="next"', answer.headers["Link"])[1]
        answer = client.get(urljoin(url, target), headers=NDJSON)


def listings(world):
    """Keys and values of all lists and their items."""
    return {
        key: world.redis.zrange(key, 0, -1, withscores=True) if b"games:" in key else world.redis.get(key)
        for pattern in (keys.past_games_of("*"), keys.past_game("*"))
        for key in world.redis.scan_iter(pattern)
    }


def test_both_lists_agree_with_the_records_and_show_what_the_caller_may_see(world, crowd, monkeypatch):
    monkeypatch.setattr(past_games, "_PART", 17)
    stranger = world.player("Mei")
    results = set()
    for number, (client, player) in enumerate(zip(crowd.clients, crowd.ids, strict=True)):
        mine = pages(client, "/v1/me/games")
        assert mine == crowd.items(player)
        assert 60 < len(mine) < GAMES
        results |= {(item["ruleset"], item["result"], "changes" in item) for item in mine}
        other = crowd.ids[number - 1]
        listed = pages(client, f"/v1/players/{other}/games", limit=100)
        assert listed == crowd.items(other, player)
        public = pages(stranger, f"/v1/players/{player}/games", limit=100)
        assert public == crowd.items(player, stranger.player["id"])
        assert 30 < len(public) < len(mine)
        assert [item for item in listed if not item["watchable"]]
    assert results >= {("shengji", "won", False), ("zhaopengyou", "lost", False), ("arms_length", None, False)}
    assert {("arms_length", "won", True), ("arms_length", "lost", True)} <= results
    assert pages(stranger, "/v1/me/games") == []


def test_filters_select_games(crowd):
    client, me, friend = crowd.clients[0], *crowd.ids[:2]
    at = crowd.games[90].ended_at
    filters = {
        ("ruleset", "shengji"): lambda game: game.record["ruleset"] == "shengji",
        ("ruleset", "tractor"): lambda _: False,
        ("rated", "true"): lambda game: game.rated,
        ("rated", "false"): lambda game: not game.rated,
        ("with", friend): lambda game: friend in game.players,
        ("with", me): lambda _: True,
        ("with", "pl_nobody"): lambda _: False,
        ("before", timestamp(at)): lambda game: game.ended_at < at,
        ("before", timestamp(at + 1)): lambda game: game.ended_at <= at,
        ("before", "2023-11-15T06:00:20.0001+07:30"): lambda game: game.ended_at < START + 17 * MINUTE,
        ("before", "0001-01-01T00:00:00+23:59"): lambda _: False,
        ("before", "9999-12-31t23:59:59z"): lambda _: True,
    }
    for (name, value), passes in filters.items():
        expected = crowd.items(me, passes=passes)
        assert pages(client, "/v1/me/games", limit=20, **{name: value}) == expected, (name, value)
    both = crowd.items(me, passes=lambda game: game.rated and game.record["ruleset"] == "zhaopengyou")
    assert 0 < len(both) < len(crowd.items(me, passes=lambda game: game.rated))
    assert pages(client, "/v1/me/games", rated="true", ruleset="zhaopengyou") == both


def test_records_are_streamed_for_the_games_on_the_list(world, crowd):
    client, me, other = crowd.clients[0], *crowd.ids[:2]
    path = f"/v1/players/{other}/games"
    expected = crowd.items(other, me, lambda game: game.record["ruleset"] == "arms_length" and game.rated)
    texts, count = records(client, path, ruleset="arms_length", rated="true", limit=3)
    assert [each["game"] for each in texts] == [item["game"] for item in expected]
    assert count == -(-len(texts) // 3) > 1
    for each in texts[::3]:
        alone = client.get(f"/v1/games/{each['game']}/record").json
        assert each == {**alone, "made_at": each["made_at"]}
    assert records(world.player("Mei"), "/v1/me/games") == ([], 1)
    both = {"Accept": "application/json, application/x-ndjson"}
    assert client.get("/v1/me/games", headers=both).mimetype == "application/json"


def test_the_lists_can_be_rebuilt_from_the_records(world, crowd):
    before = listings(world)
    assert len(before) == PEOPLE + GAMES
    world.redis.delete(*before)
    assert pages(crowd.clients[0], "/v1/me/games") == []
    assert list_past_games(Settings(redis_url=world.redis_url)) == 0
    assert listings(world) == before


@pytest.fixture
def people(world):
    """Eight clients of players."""
    return [world.player(f"Player {number}") for number in range(PEOPLE)]


def ids(people):
    return [client.player["id"] for client in people]


def listed(client, path="/v1/me/games", **query):
    """Ids of the games of a list."""
    return [item["game"] for item in pages(client, path, **query)]


def test_a_game_is_on_the_lists_as_soon_as_it_is_kept(world):
    table = whole_game(world, spectators="delayed")
    [item] = table.host.get("/v1/me/games").json["items"]
    record = table.host.get(f"{game_of(table)}/record").json
    assert (item["game"], item["table"], item["rated"], item["watchable"]) == (record["game"], table.id, True, True)
    assert item["seats"] == record["seats"]
    assert listed(world.player("Mei"), f"/v1/players/{table.clients[2].player['id']}/games") == [record["game"]]
    assert item["scores"] == table.state()["game"]["scores"]


def test_games_that_not_everybody_could_watch_are_listed_for_their_players_alone(world, played, people):
    private, off, open_to_all = (
        Game(played, "changed", number, ids(people), START, *setting).keep(world)
        for number, setting in enumerate((("private", "delayed"), ("public", "off"), ("public", "delayed")))
    )
    path, late = f"/v1/players/{ids(people)[0]}/games", people[7]
    assert listed(people[5], path) == [open_to_all]
    assert listed(people[1], path) == listed(late, path) == [open_to_all, off, private]
    # A player who took a seat later may read the record too; others may not.
    assert late.get(f"/v1/games/{private}/record").status_code == 200
    assert_problem(people[5].get(f"/v1/games/{private}/record"), "private-table")


def test_an_erased_player_vanishes_from_all_lists(world, played, people):
    game = Game(played, "changed", 1, ids(people), START)
    game.keep(world)
    gone, late = people[1], people[7]
    for client in (gone, late):
        assert client.delete("/v1/me").status_code == 204
        me = client.player["id"]
        assert not world.redis.exists(keys.past_games_of(me))
        assert_problem(people[0].get(f"/v1/players/{me}/games"), "not-found", what="player")
        assert listed(people[0], **{"with": me}) == []
    answer = people[0].get("/v1/me/games")
    [item] = answer.json["items"]
    for seat in (item["seats"][1], *item["changes"]):
        assert (seat["occupant"]["player"], seat["occupant"]["name"]) == (None, DELETED_NAME)
    assert item["seats"][0]["occupant"]["player"] == ids(people)[0]
    stream = people[0].get("/v1/me/games", headers=NDJSON).get_data(as_text=True)
    for client in (gone, late):
        assert client.player["id"] not in answer.get_data(as_text=True) + stream
    # Keeping the game again makes no list for them.
    game.keep(world)
    assert not world.redis.exists(*(keys.past_games_of(client.player["id"]) for client in (gone, late)))


def test_a_game_kept_twice_is_listed_once(world, played, people):
    game = Game(played, "friends", 1, ids(people), START)
    game.keep(world)
    before = listings(world)
    game.keep(world)
    assert listings(world) == before
    assert listed(people[0]) == [game.id]


def test_lists_are_completed_after_a_release_that_does_not_know_them(world, played, people, capsys):
    before = Game(played, "friends", 1, ids(people), START)
    before.keep(world)
    # The earlier release keeps a game and erases a player, but does not update the lists.
    after = Game(played, "friends", 2, ids(people), START + MINUTE)
    game_log_before = game_log(after.log, after.id)
    world.stores.archive.archive(after.id, {"base": game_log_before.base, "events": game_log_before.events})
    world.redis.hdel(keys.RECORDS, ids(people)[4])
    world.redis.set(keys.game("gm_broken_1"), b"g2:")
    assert listed(people[0]) == [before.id]
    assert list_past_games(Settings(redis_url=world.redis_url)) == 1
    error = capsys.readouterr().err
    assert "2 games listed, 1 lists of erased players deleted" in error
    assert "gm_broken_1" in error
    assert listed(people[0]) == [after.id, before.id]
    assert not world.redis.exists(keys.past_games_of(ids(people)[4]))


def test_a_game_whose_record_is_gone_is_on_no_list(world, played, people):
    old, new = (Game(played, "abandoned", number, ids(people), START + number).keep(world) for number in (1, 2))
    world.redis.delete(keys.game(new))
    assert listed(people[0]) == [old]
    assert world.redis.zrange(keys.past_games_of(ids(people)[0]), 0, -1) == [old.encode()]
    world.redis.delete(keys.past_game(old))
    assert listed(people[0]) == []
    assert records(people[0], "/v1/me/games") == ([], 1)


def test_a_list_keeps_the_latest_games(world, played, people, monkeypatch):
    monkeypatch.setattr(past_games, "MOST_GAMES", 3)
    # The oldest is added last, as may happen when the lists are rebuilt.
    games = [Game(played, "abandoned", number, ids(people), START - number).keep(world) for number in range(5)]
    assert listed(people[0]) == games[:3]


def test_a_list_says_which_rounds_are_analysed(world, played, people):
    game = Game(played, "arms", 1, ids(people), START).keep(world)
    for number in (2, 4):
        assert people[0].post(f"/v1/games/{game}/analysis", {"round": number}).status_code == 202
    [item] = people[0].get("/v1/me/games").json["items"]
    assert item["analysed"] == [2, 4]


def test_invalid_queries_are_refused_with_the_parameter(world, played, people):
    for number in range(3):
        Game(played, "abandoned", number, ids(people), START).keep(world)
    mine = people[0].get("/v1/me/games?limit=1").json["next_cursor"]
    theirs = people[0].get(f"/v1/players/{ids(people)[1]}/games?limit=1").json["next_cursor"]
    lobby = "cGxheWluZzoxOnRiXzE"
    wrong = {
        "cursor": dict.fromkeys((theirs, lobby, mine[4:], "eA"), "no_such_cursor"),
        "before": {
            "yesterday": "not_a_time",
            "2026-11-20": "not_a_time",
            "2026-11-20T19:30:00": "not_a_time",
            "2026-02-30T19:30:00Z": "not_a_time",
            "2026-11-20T19:30:00+08:00Z": "not_a_time",
            "1700000000000": "not_a_time",
        },
        "ruleset": {"poker": "choice"},
        "with": {"Lin": "pattern", "tb_7h2k": "pattern"},
        "rated": {"yes": "not_a_boolean"},
        "limit": {"101": "range"},
        "after": {"1": "unknown"},
    }
    for name, values in wrong.items():
        for value, code in values.items():
            problem = assert_problem(people[0].get("/v1/me/games", query_string={name: value}), "invalid-request")
            assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(f"?{name}", code)], value
    assert_problem(people[0].get("/v1/players/pl_nobody/games"), "not-found", what="player")
    assert len(people[0].get("/v1/me/games", query_string={"cursor": mine}).json["items"]) == 2


def streams_held(world):
    return float(re.search(rb"^event_streams (.*)$", world.app.extensions["services"].metrics.page(), re.MULTILINE)[1])


def test_records_are_read_one_at_a_time_as_the_client_receives_them(world, played, people, monkeypatch):
    for number in range(3):
        Game(played, "arms", number, ids(people), START).keep(world)
    load, read, pauses = world.stores.archive.load_archive, [], []
    monkeypatch.setattr(world.stores.archive, "load_archive", lambda game: read.append(game) or load(game))
    monkeypatch.setattr("service.api.resources.past_games.give_way", lambda: pauses.append(len(read)))
    headers = {**NDJSON, "Authorization": f"Bearer {people[0].token}", "Accept-Encoding": "gzip"}
    answer = world.app.test_client().get("/v1/me/games", headers=headers, buffered=False)
    chunks = iter(answer.response)
    first = zlib.decompressobj(31).decompress(next(chunks))
    assert loads(first)["game"] == read[0]
    assert (len(read), streams_held(world)) == (1, 1)
    # Before the record is read, and at least once while it is made.
    assert pauses == [0, 1]
    # After a client hangs up, nothing more is read, and no stream is held.
    answer.close()
    assert (len(read), streams_held(world)) == (1, 0)
    whole = world.app.test_client().get("/v1/me/games", headers=headers).get_data()
    assert len(zlib.decompress(whole, 31).splitlines()) == 3


class Lines(io.BytesIO):
    """A response as `urlopen` returns it."""

    def __init__(self, answer):
        super().__init__(answer.get_data())
        self.headers = {"Link": answer.headers.get("Link")}


def test_the_program_of_the_guide_reads_all_records(world, played, people, pytestconfig, capsys):
    games = [Game(played, "abandoned", number, ids(people), START - number).keep(world) for number in range(3)]
    chapter = (pytestconfig.rootpath / "docs" / "clients.md").read_text().partition("\n### Past games\n")[2]
    program = re.search(r"```python\n(.*?)```", chapter, re.DOTALL)[1].replace("limit=100", "limit=2")

    @contextmanager
    def urlopen(request):
        answer = world.app.test_client().get(request.full_url, headers=request.headers)
        yield Lines(answer)

    names = {"service": "http://service", "headers": {"Authorization": f"Bearer {people[0].token}"}}
    exec(program, {**names, "json": json, "Request": Request, "urlopen": urlopen})  # noqa: S102 (a program of ours)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("gm_")] == games


def test_each_streamed_record_is_charged_like_a_single_one(world, played, people):
    for number in range(3):
        Game(played, "abandoned", number, ids(people), START).keep(world)
    world.start(limit_read=Budget(140, 60))
    client = world.anybody.with_token(people[0].token)
    assert_problem(client.get("/v1/me/games", headers=NDJSON), "rate-limited", budget="read")
    assert client.get("/v1/me/games?limit=2", headers=NDJSON).status_code == 200
    assert_problem(client.get("/v1/me/games?limit=1", headers=NDJSON), "rate-limited", budget="read")


def test_filters_that_skip_many_games_cost_more(world, crowd):
    assert 100 <= len(crowd.items(crowd.ids[0])) < 150
    for limit, is_enough in ((20 + 2 * 5, True), (20 + 2 * 5 - 1, False)):
        world.start(limit_read=Budget(limit, 60))
        world.counter.counts.clear()
        client = world.anybody.with_token(crowd.tokens[0])
        assert (client.get("/v1/me/games?ruleset=tractor").status_code == 200) == is_enough
        world.now += MINUTE
        assert client.get("/v1/me/games").status_code == 200


def test_a_corrupt_list_is_an_error_and_not_an_empty_list(world, played, people):
    game = Game(played, "abandoned", 1, ids(people), START).keep(world)
    world.redis.set(keys.past_game(game), b"x1:{}")
    with pytest.raises(StoreCorrupt, match=game):
        next(world.stores.past_games.newest_first(ids(people)[0]))
