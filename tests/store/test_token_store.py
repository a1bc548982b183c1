"""Tokens, link codes and recovery codes in Redis, and compatibility with an earlier release."""

import pytest

from service.store import keys
from service.store.players.rights import RightsStore
from service.store.players.tokens import DAY_MS, TokenStore, first_token, id_of
from service.store.stores import Stores

LIN = {"id": "pl_lin", "name": "林", "kind": "human", "created_at": 10 * DAY_MS}
WEI = {"id": "pl_wei", "name": "Wei", "kind": "bot", "created_at": 10 * DAY_MS}
NOW = 12 * DAY_MS

#: `player_by_token.lua`, `rotate_token.lua` and `erase_player.lua` of the release before tokens had ids and scopes.
OLD_FIND = """
local player = redis.call('HGET', KEYS[2], ARGV[1])
if not player then return nil end
local seen = redis.call('ZSCORE', KEYS[3], player)
if seen and tonumber(ARGV[2]) - tonumber(seen) > tonumber(ARGV[3]) then
  redis.pcall('ZADD', KEYS[3], ARGV[2], player)
end
return redis.call('HGET', KEYS[1], player)
"""
OLD_ROTATE = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] then
  return -1
end
redis.call('HDEL', KEYS[2], redis.call('HGET', KEYS[3], ARGV[1]))
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return 1
"""
OLD_ERASE = """
local token = redis.call('HGET', KEYS[3], ARGV[1])
if token then
  redis.call('HDEL', KEYS[2], token)
end
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('DEL', KEYS[5], KEYS[6])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
"""


class Before:
    """The previous release, on the same Redis."""

    def __init__(self, client):
        self.client = client

    def knows(self, token_hash):
        names = (keys.RECORDS, keys.TOKENS, keys.GUESTS)
        return self.client.eval(OLD_FIND, 3, *names, token_hash, 0, DAY_MS) is not None

    def rotate(self, player, token_hash):
        names = (keys.RECORDS, keys.TOKENS, keys.HELD)
        return self.client.eval(OLD_ROTATE, 3, *names, player, token_hash, keys.REVOKED)

    def erase(self, player):
        lists = (keys.tables_of(player), keys.hosted_by(player))
        names = (keys.RECORDS, keys.TOKENS, keys.HELD, keys.GUESTS, *lists)
        return self.client.eval(OLD_ERASE, 6, *names, player, "", keys.REVOKED)


@pytest.fixture(params=["redis", "cluster"])
def redis(request):
    return request.getfixturevalue("cluster" if request.param == "cluster" else "client")


@pytest.fixture
def players(redis):
    players = Stores(redis).players
    players.create(LIN, "hash-1")
    players.create(WEI, "hash-w")
    return players


@pytest.fixture
def tokens(redis, players):
    return TokenStore(redis)


@pytest.fixture
def rights(redis, players):
    return RightsStore(redis)


def rotate(rights, token, old, new, *, alone=False):
    """Replace a token of Lin; with `alone`, end the others."""
    others = rights.of_player("pl_lin").tokens.keys() - {token["id"]} if alone else ()
    return rights.end("pl_lin", others, None, proof=old, new=(token, new), is_all=alone) == "done"


def recover(rights, code, token, new):
    """Spend a recovery code of Lin, and end all tokens."""
    ended = rights.of_player("pl_lin").tokens
    return rights.end("pl_lin", ended, None, proof=code, new=(token, new), is_all=True) == "done"


def remove(rights, player, token_id):
    """End a token by its id."""
    new_player = rights.of_player(player).tokens.get(token_id)
    return new_player is not None and rights.end(player, [token_id], None, proof=new_player[0]) == "done"


@pytest.fixture
def before(redis, players):
    return Before(redis)


def a_token(token_hash, **fields):
    """A token of Lin."""
    return {**first_token(LIN, token_hash), "name": "Phone", "created_at": NOW, **fields}


def ids(tokens, player="pl_lin"):
    return [token["id"] for token in tokens.of_player(player).tokens]


def test_a_token_is_found_and_listed_from_its_first_use_on(tokens):
    assert tokens.find("hash-none", NOW) is None
    assert tokens.find("", NOW) is None
    assert ids(tokens) == []
    player, token = tokens.find("hash-1", NOW)
    assert player == LIN
    assert token == {
        "id": id_of("hash-1"),
        "player": "pl_lin",
        "name": None,
        "scopes": None,
        "created_at": 10 * DAY_MS,
        "used_on": 12,
        "expires_at": None,
    }
    assert tokens.find("hash-1", NOW).token == token
    assert tokens.of_player("pl_lin") == ([token], False)


def test_the_last_use_is_noted_to_the_day_and_only_then_written(tokens, redis, players):
    tokens.find("hash-1", NOW)
    tokens.find("hash-w", NOW)
    written = redis.hgetall(keys.GRANTS)
    assert tokens.find("hash-1", NOW + DAY_MS - 1).token["used_on"] == 12
    assert tokens.find("hash-1").token["used_on"] == 12
    assert redis.hgetall(keys.GRANTS) == written
    assert tokens.find("hash-1", NOW + DAY_MS + 1).token["used_on"] == 13
    assert tokens.find("hash-1").token["used_on"] == 13
    # A guest is idle until the next request.
    assert players.idle_guests(NOW + DAY_MS + 1, 9) == ["pl_wei"]


def test_a_known_token_costs_one_round_trip(client):
    Stores(client).players.create(LIN, "hash-1")
    sent = []

    class Spy:
        def __getattr__(self, name):
            sent.append(name)
            return getattr(client, name)

    tokens = TokenStore(Spy())
    tokens.find("hash-1", NOW)
    sent.clear()
    tokens.find("hash-1", NOW)
    assert sent == ["evalsha"]
    sent.clear()
    tokens.find("hash-1", NOW + DAY_MS)
    assert sent == ["evalsha", "evalsha"]


def test_new_tokens_are_added_up_to_a_limit(tokens):
    tokens.find("hash-1", NOW)
    narrow = a_token("hash-2", scopes=["tables:read"])
    assert tokens.add(narrow, "hash-2", 3) == "done"
    assert tokens.find("hash-2").token == narrow
    assert tokens.find("hash-2").player == LIN
    assert tokens.add(a_token("hash-3"), "hash-3", 3) == "done"
    assert tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
    assert tokens.add(a_token("hash-4"), "hash-4", 3) == "full"
    assert tokens.find("hash-4") is None
    assert sorted(ids(tokens)) == sorted(map(id_of, ("hash-1", "hash-2", "hash-3")))


def test_a_token_cannot_be_taken_from_another_player_nor_given_to_nobody(tokens):
    assert tokens.add(a_token("hash-w"), "hash-w", 9) == "taken"
    assert tokens.add(a_token("hash-5", player="pl_none"), "hash-5", 9) == "gone"
    assert tokens.find("hash-w").player == WEI
    assert tokens.find("hash-5") is None


def test_a_rotated_token_keeps_its_id_and_others_stay_unless_revoked(tokens, rights):
    token = tokens.find("hash-1", NOW).token
    for number in (2, 3):
        tokens.add(a_token(f"hash-{number}"), f"hash-{number}", 9)
    assert rotate(rights, token, "hash-1", "hash-6", alone=False)
    assert tokens.find("hash-1") is None
    assert tokens.find("hash-6").token == token
    assert len(ids(tokens)) == 3
    assert not rotate(rights, token, "hash-1", "hash-7", alone=False)
    assert tokens.find("hash-7") is None
    assert rotate(rights, token, "hash-6", "hash-8", alone=True)
    assert ids(tokens) == [token["id"]]
    assert [tokens.find(f"hash-{number}") for number in (2, 3, 6)] == [None] * 3


def test_one_token_is_renamed_or_removed_by_its_id(tokens, rights):
    token = tokens.find("hash-1", NOW).token
    tokens.find("hash-w", NOW)
    assert tokens.rename("pl_lin", token["id"], "Phone") == {**token, "name": "Phone"}
    assert tokens.find("hash-1").token["name"] == "Phone"
    for player, token_id in (("pl_lin", "tk_none"), ("pl_wei", token["id"]), ("pl_lin", "recovery")):
        tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
        assert tokens.rename(player, token_id, "x") is None
        assert not remove(rights, player, token_id)
    assert tokens.recovery("hash-r") == "pl_lin"
    assert remove(rights, "pl_lin", token["id"])
    assert not remove(rights, "pl_lin", token["id"])
    assert tokens.find("hash-1") is None
    assert tokens.find("hash-w").player == WEI


def test_a_link_code_is_spent_once_and_only_on_success(tokens, redis):
    tokens.find("hash-1", NOW)
    tokens.set_link("code", "hash-1", 60_000)
    assert tokens.link("code") == "hash-1"
    assert 0 < redis.pttl(keys.link("code")) <= 60_000
    assert tokens.add(a_token("hash-2"), "hash-2", 1, keys.link("code")) == "full"
    assert tokens.add(a_token("hash-2"), "hash-2", 9, keys.link("code")) == "done"
    assert tokens.link("code") is None
    assert tokens.add(a_token("hash-3"), "hash-3", 9, keys.link("code")) == "gone"
    assert tokens.find("hash-3") is None


def test_a_recovery_code_is_spent_once_and_ends_all_tokens(tokens, rights):
    tokens.find("hash-1", NOW)
    tokens.add(a_token("hash-2", scopes=["account"]), "hash-2", 9)
    assert not tokens.set_recovery(a_token("hash-1", player="pl_none"), "hash-r")
    assert tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
    assert tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-s")
    assert tokens.of_player("pl_lin").has_recovery
    assert tokens.recovery("hash-r") is None
    assert tokens.recovery("hash-s") == "pl_lin"
    assert not recover(rights, "hash-r", a_token("hash-3"), "hash-3")
    assert tokens.find("hash-1") is not None
    assert recover(rights, "hash-s", a_token("hash-3"), "hash-3")
    assert tokens.find("hash-1") is tokens.find("hash-2") is None
    assert tokens.of_player("pl_lin") == ([a_token("hash-3")], False)
    assert not recover(rights, "hash-s", a_token("hash-4"), "hash-4")


def test_erasing_a_player_erases_all_tokens_and_the_recovery_code(tokens, players, redis):
    tokens.find("hash-1", NOW)
    tokens.find("hash-w", NOW)
    tokens.add(a_token("hash-2", scopes=["account"]), "hash-2", 9)
    tokens.add(a_token("hash-3"), "hash-3", 9)
    tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
    assert players.delete("pl_lin")
    assert [tokens.find(f"hash-{number}") for number in (1, 2, 3)] == [None] * 3
    assert tokens.recovery("hash-r") is None
    assert tokens.of_player("pl_lin") == ([], False)
    assert tokens.find("hash-w").player == WEI
    for key in (keys.TOKENS, keys.GRANTS):
        assert list(redis.hgetall(key)) == [b"hash-w"]
    assert not redis.exists(keys.RECOVERIES)


# --- the previous release ---------------------------------------------------------------------------------------------


def test_unrestricted_tokens_survive_an_update_and_a_rollback(before, tokens):
    assert before.knows("hash-1")
    assert tokens.find("hash-1", NOW) is not None
    tokens.add(a_token("hash-2"), "hash-2", 9)
    tokens.add(a_token("hash-3", scopes=["tables:read"]), "hash-3", 9)
    tokens.add(a_token("hash-4", expires_at=NOW * 2), "hash-4", 9)
    # Restrictions unknown to the previous release, which it must not lift.
    assert [before.knows(f"hash-{number}") for number in (1, 2, 3, 4)] == [True, True, False, False]
    assert [bool(tokens.find(f"hash-{number}")) for number in (1, 2, 3, 4)] == [True] * 4


def test_tokens_rotated_or_erased_by_the_previous_release_are_void(before, tokens, players, rights):
    tokens.find("hash-1", NOW)
    tokens.add(a_token("hash-2"), "hash-2", 9)
    assert before.rotate("pl_lin", "hash-5") == 1
    assert tokens.find("hash-1") is None
    assert id_of("hash-1") not in ids(tokens)
    assert tokens.find("hash-5", NOW).player == tokens.find("hash-2", NOW).player == LIN
    tokens.add(a_token("hash-3", scopes=["tables:read"]), "hash-3", 9)
    tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
    assert before.erase("pl_lin") == 1
    assert [tokens.find(f"hash-{number}") for number in (1, 2, 3, 5)] == [None] * 4
    assert not recover(rights, "hash-r", a_token("hash-6"), "hash-6")


@pytest.mark.parametrize("how", ["remove", "recover", "rotate"])
def test_the_previous_release_can_rotate_and_erase_all_tokens(before, tokens, how, rights):
    token = tokens.find("hash-1", NOW).token
    if how == "remove":
        assert remove(rights, "pl_lin", token["id"])
    elif how == "rotate":
        assert rotate(rights, token, "hash-1", "hash-2", alone=True)
    else:
        tokens.set_recovery(a_token("hash-1", player="pl_lin"), "hash-r")
        assert recover(rights, "hash-r", a_token("hash-2"), "hash-2")
    assert before.rotate("pl_lin", "hash-3") == 1
    assert before.knows("hash-3")
    assert not before.knows("hash-2")
    assert before.erase("pl_lin") == 1


def test_an_unused_token_is_voided_with_the_others(before, tokens, rights, redis):
    # The first release had no recovery codes, so nothing has used the token since.
    redis.hset(keys.RECOVERIES, "hash-r", "pl_lin")
    redis.hset(keys.tokens_of("pl_lin"), "recovery", "hash-r")
    assert recover(rights, "hash-r", a_token("hash-2"), "hash-2")
    assert tokens.find("hash-1") is None
    assert not before.knows("hash-1")


def test_reading_works_with_a_full_redis(client):
    Stores(client).players.create(LIN, "hash-1")
    tokens = TokenStore(client)
    client.config_set("maxmemory", "1")
    try:
        assert tokens.find("hash-1", NOW).player == LIN
        assert ids(tokens) == []
    finally:
        client.config_set("maxmemory", "0")
    assert tokens.find("hash-1", NOW).player == LIN
    assert len(ids(tokens)) == 1
