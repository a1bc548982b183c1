"""The contract of `service.store.players.past_games.PastGameStore`, on a server and a cluster."""

import pytest

from service.store import keys
from service.store.players.past_games import PastGameStore, Position
from service.store.stores import Stores
from tests.store.conftest import START, some_events

HOUR_MS = 3_600_000
PLAYERS = ("pl_lin", "pl_wei")


@pytest.fixture(params=["redis", "cluster"])
def redis(request):
    return request.getfixturevalue("cluster" if request.param == "cluster" else "client")


@pytest.fixture
def past_games(redis):
    for player in PLAYERS:
        Stores(redis).players.create({"id": player, "name": player}, f"hash of {player}")
    return PastGameStore(redis)


def keep(redis, game, ended_at=START, ttl_ms=None, players=PLAYERS):
    """Store a game: record and list entry."""
    Stores(redis).archive.archive(game, {"base": {}, "events": some_events(0, 1)}, ttl_ms)
    parts = {player: {"seat": seat, "result": None} for seat, player in enumerate(players)}
    PastGameStore(redis).add({"game": game, "ended_at": ended_at, "parts": parts}, ttl_ms)


def listed(past_games, player="pl_lin", before=None):
    return [game["game"] for game in past_games.newest_first(player, before)]


def test_the_latest_game_comes_first_and_of_two_at_once_the_one_with_the_higher_id(redis, past_games):
    for game, ended_at in (("gm_b", START), ("gm_c", START + 1), ("gm_a", START), ("gm_d", START - 1)):
        keep(redis, game, ended_at)
    assert listed(past_games) == listed(past_games, "pl_wei") == ["gm_c", "gm_b", "gm_a", "gm_d"]
    assert listed(past_games, before=Position(START, "gm_b")) == ["gm_a", "gm_d"]
    assert listed(past_games, before=Position(START, "")) == ["gm_d"]
    assert listed(past_games, before=Position(START - 1, "gm_d")) == []
    assert listed(past_games, "pl_mei") == []


def test_only_existing_players_have_a_list_and_erasing_deletes_it(redis, past_games):
    keep(redis, "gm_1", players=(*PLAYERS, "pl_gone"))
    assert not redis.exists(keys.past_games_of("pl_gone"))
    assert Stores(redis).players.delete("pl_lin")
    assert not redis.exists(keys.past_games_of("pl_lin"))
    assert listed(past_games, "pl_wei") == ["gm_1"]
    # Releases before 0.3 erase only the record.
    redis.hdel(keys.RECORDS, "pl_wei")
    assert past_games.forget_erased() == 1
    assert past_games.forget_erased() == 0
    assert not redis.exists(keys.past_games_of("pl_wei"))


def test_a_list_lives_as_long_as_the_last_of_its_records(redis, past_games):
    key = keys.past_games_of("pl_lin")
    keep(redis, "gm_1", ttl_ms=2 * HOUR_MS)
    assert HOUR_MS < redis.pttl(key) <= 2 * HOUR_MS
    assert HOUR_MS < redis.pttl(keys.past_game("gm_1")) <= 2 * HOUR_MS
    keep(redis, "gm_2", ttl_ms=HOUR_MS)
    assert HOUR_MS < redis.pttl(key) <= 2 * HOUR_MS
    keep(redis, "gm_3", ttl_ms=3 * HOUR_MS)
    assert 2 * HOUR_MS < redis.pttl(key) <= 3 * HOUR_MS
    keep(redis, "gm_4")
    assert redis.pttl(key) == redis.pttl(keys.past_game("gm_4")) == -1
    keep(redis, "gm_5", ttl_ms=HOUR_MS)
    assert redis.pttl(key) == -1


def test_the_archive_lists_its_games_with_their_lifetimes(redis, past_games):
    keep(redis, "gm_1", ttl_ms=HOUR_MS)
    keep(redis, "gm_2")
    lifetimes = dict(Stores(redis).archive.archived())
    assert lifetimes.keys() == {"gm_1", "gm_2"}
    assert 0 < lifetimes["gm_1"] <= HOUR_MS
    assert lifetimes["gm_2"] is None
    assert Stores(redis).players.existing({"pl_lin", "pl_gone"}) == {"pl_lin"}
    assert listed(past_games) == ["gm_2", "gm_1"]
