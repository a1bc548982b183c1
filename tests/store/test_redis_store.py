"""Specifics of the store on Redis: keys, scripts, and errors about corrupt values."""

import errno
import re
from pathlib import Path
from zlib import crc32

import pytest
from redis import Redis
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError

import service.store
from service.store import keys
from service.store.connections import watched
from service.store.connections.clients import command_client
from service.store.notices.scans import ScanSchedule
from service.store.players.players import RedisPlayerStore
from service.store.players.rights import RightsStore
from service.store.players.tokens import TokenStore
from service.store.port import StoreCorrupt, StoreUnavailable, VersionConflict
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores
from tests.store.conftest import START, a_state, put, some_events

LUA = sorted((Path(service.store.__file__).parent / "lua").glob("*.lua"))


@pytest.fixture
def tables(client):
    return RedisTableStore(client)


class Spy:
    """A client that records the keys of all scripts and commands."""

    def __init__(self, client):
        self._client = client
        self.scripts = []
        self.commands = []

    def __getattr__(self, name):
        self.commands.append(name)
        return getattr(self._client, name)

    def evalsha(self, sha, count, *keys_and_args):
        self.commands.append("evalsha")
        self.scripts.append(keys_and_args[:count])
        return self._client.evalsha(sha, count, *keys_and_args)


def test_all_keys_of_one_script_share_one_slot_and_no_other_key_is_written(client):
    spy = Spy(client)
    stores = Stores(spy)
    for number in range(40):
        put(stores.tables, f"tb_{number}", wake_at=START, listed=True)
    stores.tables.lease_due(START, 1000, 100)
    stores.players.create({"id": "pl_lin"}, "hash")
    tokens = TokenStore(spy)
    token = tokens.find("hash", START).token
    stores.players.update("pl_lin", lambda player: {**player, "name": "Lin"})
    rights = RightsStore(spy)
    assert rights.end("pl_lin", (), rights.of_player("pl_lin"), proof="hash", new=(token, "hash-2")) == "done"
    assert tokens.set_recovery(token, "hash-3")
    stores.players.add_table("pl_lin", "tb_1", START)
    stores.idempotency.remember("pl_lin", "key", "digest", dict, ttl_ms=60_000)
    # The clock of a test before may be read once more.
    written = {key.decode() for key in client.keys("*")} - {keys.CLOCK}
    for number in range(40):
        stores.tables.delete(f"tb_{number}")
    stores.players.delete("pl_lin")

    # Erasure leaves nothing behind; the answer expires by itself.
    assert {key.decode() for key in client.keys("*")} - {keys.CLOCK} == {keys.answer("pl_lin", "key")}
    assert len(spy.scripts) > 50
    for declared in spy.scripts:
        assert len({key_slot(key.encode()) for key in declared}) == 1, declared
    declared = {key for script in spy.scripts for key in script}
    assert written <= declared
    assert all(key.startswith("sj:") for key in written)


def test_a_friend_made_during_an_erasure_keeps_no_trace_of_the_player(client):
    def befriend(other):
        client.hset(keys.friends_of("pl_lin"), other, "friend 1")
        client.hset(keys.friends_of(other), "pl_lin", "friend 1")

    class Late(Spy):
        def evalsha(self, *arguments):
            if not self.scripts:
                befriend("pl_mei")
            return super().evalsha(*arguments)

    players = Stores(client).players
    players.create({"id": "pl_lin"}, "hash")
    befriend("pl_wei")
    late = Late(client)
    assert Stores(late).players.delete("pl_lin")
    assert client.keys("*") == []
    # Nothing was written at first, and then only the script's arguments.
    assert [keys.friends_of("pl_mei") in index for index in late.scripts] == [False, True]


def test_tables_are_spread_over_all_buckets_by_the_documented_checksum(client):
    for number in range(200):
        table = f"tb_{number}"
        assert keys.head(table) == f"sj:{{b{crc32(table.encode()) % 16:02d}}}:{table}:head"
    assert {keys.bucket_of(f"tb_{number}") for number in range(200)} == set(range(16))


def test_an_append_is_one_call_and_so_is_a_load(client):
    spy = Spy(client)
    tables = RedisTableStore(spy)
    put(tables, "tb_a", count=20, wake_at=START, listed=True)
    assert spy.commands == ["evalsha"]
    tables.load("tb_a")
    assert spy.commands == ["evalsha", "hmget"]


def reads(client):
    """Return the number of sorted sets read so far."""
    stats = client.info("commandstats")
    return sum(stats.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in ("zrange", "zrangebyscore"))


@pytest.fixture
def many_buckets():
    keys.use_buckets(256)
    yield
    keys.use_buckets(keys.USUAL_BUCKETS)


@pytest.mark.usefixtures("many_buckets")
def test_a_look_for_due_tables_reads_what_has_changed_and_one_more_bucket(client):
    tables, other = RedisTableStore(client), RedisTableStore(client)
    assert tables.lease_due(START, 1000, 100) == []
    before = reads(client)
    assert tables.lease_due(START, 1000, 100) == []
    assert reads(client) - before == 1
    for number in range(3):
        put(other, f"tb_{number}", wake_at=START)
    assert len({keys.bucket_of(f"tb_{number}") for number in range(3)}) == 3
    before = reads(client)
    assert {due.table for due in tables.lease_due(START, 1000, 100)} == {"tb_0", "tb_1", "tb_2"}
    assert reads(client) - before <= 1 + 3


def test_any_number_of_due_tables_of_a_bucket_is_found(client, tables):
    same_bucket = [f"tb_{number}" for number in range(800) if keys.bucket_of(f"tb_{number}") == 3][:40]
    for table in same_bucket:
        put(tables, table, wake_at=START)
    listed = [due.table for due in tables.lease_due(START, 1000, 30)]
    listed += [due.table for due in tables.lease_due(START, 1000, 30)]
    assert sorted(listed) == sorted(same_bucket)


def test_a_look_sees_all_earlier_writes(client, tables):
    clock = RedisTableStore(client)
    for number in range(50):
        put(tables, f"tb_{number}", wake_at=START)
        assert [due.table for due in clock.lease_due(START, 1000, 10)] == [f"tb_{number}"]


def test_a_look_works_after_a_flush_or_a_closed_connection(client, tables):
    assert tables.lease_due(START, 1000, 10) == []
    client.flushall()
    for number in range(10):
        put(tables, f"tb_{number}", wake_at=START)
        assert [due.table for due in tables.lease_due(START, 1000, 10)] == [f"tb_{number}"]
    client.client_kill_filter(_type="normal", skipme=True)
    put(tables, "tb_a", wake_at=START)
    assert [due.table for due in tables.lease_due(START, 1000, 10)] == ["tb_a"]


def test_due_tables_are_found_after_their_slot_has_moved(cluster, move_slot):
    tables = RedisTableStore(cluster)
    put(tables, "tb_a", wake_at=START)
    assert tables.lease_due(START - 1, 1000, 10) == []
    move_slot("tb_a").close()
    assert [due.table for due in tables.lease_due(START, 1000, 10)] == ["tb_a"]
    put(tables, "tb_a", expected=1, wake_at=START)
    assert [due.version for due in tables.lease_due(START, 1000, 10)] == [2]


def test_a_lost_node_of_a_cluster_does_not_delay_tables_of_others(cluster, monkeypatch):
    tables, due = RedisTableStore(cluster), watched._Tracked.due
    for number in range(20):
        put(tables, f"tb_{number}", wake_at=START)
    lost = cluster.get_node_from_key(keys.head("tb_0"))

    def due_unless_lost(tracked, now):
        if tracked._connection.port == lost.port:
            raise RedisConnectionError("lost")
        return due(tracked, now)

    with monkeypatch.context() as patch:
        patch.setattr(watched._Tracked, "due", due_unless_lost)
        listed = {due.table for due in tables.lease_due(START, 1000, 20)}
    there = {f"tb_{n}" for n in range(20) if cluster.get_node_from_key(keys.head(f"tb_{n}")) != lost}
    assert listed == there
    tables._due._left_out.clear()
    assert "tb_0" in {due.table for due in tables.lease_due(START, 1000, 20)}


def test_all_sets_of_a_server_without_tracking_are_read(client, monkeypatch):
    def cannot(*_):
        raise watched._CannotTrackError

    monkeypatch.setattr(watched, "_Tracked", cannot)
    tables = RedisTableStore(client)
    for number in range(20):
        put(tables, f"tb_{number}", wake_at=START + number)
    assert [due.table for due in tables.lease_due(START + 9, 1000, 100)] == [f"tb_{number}" for number in range(10)]


def test_a_server_without_the_scripts_gets_them(client, tables):
    put(tables, "tb_a", wake_at=START)
    client.script_flush()
    put(tables, "tb_a", expected=1, wake_at=START)
    client.script_flush()
    assert tables.lease_due(START, 1000, 10) == [("tb_a", 2, "")]


def test_each_append_and_each_deletion_is_announced_with_its_version(client, tables):
    with client.pubsub(ignore_subscribe_messages=True) as channel:
        channel.subscribe(keys.live("tb_a"))
        put(tables, "tb_a", count=3)
        put(tables, "tb_a", expected=3)
        tables.delete("tb_a")
        heard = []
        while len(heard) < 3:
            message = channel.get_message(timeout=10)
            if message:
                heard.append(message["data"])
    assert heard == [b"tb_a 3", b"tb_a 4", b"tb_a 0"]


@pytest.mark.parametrize("another", [{"way": "another"}, {"id": "tb_a", "version": 2, "options": {"decks": 3}}])
def test_a_process_does_not_append_to_another_history_of_the_version_that_it_has_cached(client, tables, another):
    put(tables, "tb_a", count=2)
    # Redis loses its last write in a failover, and another process writes the same version again.
    other = RedisTableStore(client)
    other.delete("tb_a")
    other.append("tb_a", 0, some_events(0, 2), a_state(**another), wake_at=None)
    with pytest.raises(VersionConflict) as conflict:
        put(tables, "tb_a", expected=2)
    assert conflict.value.actual == -1
    assert tables.load("tb_a") == (2, a_state(**another))
    assert tables.events("tb_a", 0, 10) == some_events(0, 2)
    # After loading it, an append succeeds.
    put(tables, "tb_a", expected=2)
    assert tables.load("tb_a").version == 3


def test_the_set_up_of_a_table_is_written_only_when_it_has_changed(client, tables):
    def append(version, state):
        tables.append("tb_a", version, some_events(version, 1), state, wake_at=None)

    first = a_state(version=1)
    append(0, first)
    written = client.hget(keys.head("tb_a"), "o")
    client.hset(keys.head("tb_a"), "o", "untouched")
    append(1, first | {"version": 2})
    assert client.hget(keys.head("tb_a"), "o") == b"untouched"
    client.hset(keys.head("tb_a"), "o", written)
    for version, setup in ((2, {"options": {"decks": 3}}), (3, {"settings": {"closed": True}})):
        append(version, tables.load("tb_a").state | setup | {"version": version + 1})
    expected = a_state(version=4, options={"decks": 3}, settings={"closed": True})
    assert tables.load("tb_a") == RedisTableStore(client).load("tb_a") == (4, expected)


def test_the_number_of_cached_states_is_limited(client):
    tables = RedisTableStore(client, cached_tables=2)
    for table in ("tb_a", "tb_b", "tb_a", "tb_c"):
        put(tables, table, expected=tables.load(table).version if tables.load(table) else 0)
    assert tables.cached("tb_b") is None
    assert tables.cached_states == {table: tables.load(table).state for table in ("tb_a", "tb_c")}
    uncached = RedisTableStore(client, cached_tables=0)
    put(uncached, "tb_a", expected=2)
    assert uncached.cached("tb_a") is None


@pytest.mark.parametrize("path", LUA, ids=lambda path: path.stem)
def test_each_script_is_short_and_begins_with_its_keys_and_units(path):
    lines = path.read_text().splitlines()
    assert 8 <= len(lines) <= 50
    header = "\n".join(line for line in lines if line.startswith("--"))
    assert "KEYS" in header
    assert "ARGV" in header
    # The header lists all keys and arguments of the script by number.
    for kind in ("KEYS", "ARGV"):
        used = {int(number) for number in re.findall(rf"{kind}\[(\d+)\]", path.read_text())}
        parts = header.split(kind, 1)[1].split("\n-- ARGV", 1)[0].split("\n-- Returns")[0]
        assert used <= {int(number) for number in re.findall(r"(?<![\w-])(\d+)(?= )", parts)}, kind
    # Keys are passed, never built, since a cluster must know them before the script runs.
    assert "sj:" not in path.read_text()


def test_only_commands_of_redis_5_are_used():
    known = (
        "DEL EXISTS GET HDEL HEXISTS HGET HGETALL HINCRBY HKEYS HLEN HMGET HSET HSETNX HVALS LLEN LPOP LPUSH "
        "LRANGE LTRIM OBJECT PERSIST PEXPIRE PTTL PUBLISH RPUSH SADD SET SISMEMBER SREM TIME XADD XDEL XLEN XRANGE "
        "XREVRANGE XTRIM ZADD ZCARD ZCOUNT ZINCRBY ZRANGE ZRANGEBYSCORE ZREM ZREMRANGEBYRANK ZREMRANGEBYSCORE "
        "ZSCORE"
    )
    used = {name for path in LUA for name in re.findall(r"redis\.p?call\('(\w+)'", path.read_text())}
    assert used
    assert used <= set(known.split(" "))


BREAKS = {
    "a list for a head": lambda client: client.delete(keys.head("tb_a")) and client.rpush(keys.head("tb_a"), "x"),
    "a version that is none": lambda client: client.hset(keys.head("tb_a"), "v", "x"),
    "no version": lambda client: client.hdel(keys.head("tb_a"), "v"),
    "no snapshot": lambda client: client.hdel(keys.head("tb_a"), "s"),
    "an empty snapshot": lambda client: client.hset(keys.head("tb_a"), "s", ""),
    "half a snapshot": lambda client: client.hset(keys.head("tb_a"), "s", client.hget(keys.head("tb_a"), "s")[:-1]),
    "half a schema": lambda client: client.hset(keys.head("tb_a"), "s", "s"),
    "another schema": lambda client: client.hset(keys.head("tb_a"), "s", "x9:{}"),
    "a schema that needs no release": lambda client: client.hset(keys.head("tb_a"), "s", "s2>0..4:{}"),
    "no set-up": lambda client: client.hdel(keys.head("tb_a"), "o"),
    "half a set-up": lambda client: client.hset(keys.head("tb_a"), "o", "o1:[{"),
    "no JSON": lambda client: client.hset(keys.head("tb_a"), "s", b"s2:\xff\xfe"),
}


@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_head_is_an_error_that_names_the_table(client, tables, broken):
    put(tables, "tb_a")
    BREAKS[broken](client)
    with pytest.raises(StoreCorrupt, match="tb_a"):
        tables.load("tb_a")


@pytest.mark.parametrize("broken", ["a list for a head", "a version that is none"])
def test_nothing_is_appended_to_a_broken_head(client, tables, broken):
    put(tables, "tb_a")
    BREAKS[broken](client)
    with pytest.raises(StoreCorrupt, match="tb_a"):
        put(tables, "tb_a", expected=1, wake_at=START)
    assert client.xlen(keys.log("tb_a")) == 1
    assert client.zcard(keys.due(keys.bucket_of("tb_a"))) == 0


@pytest.mark.parametrize(
    ("fields", "says"),
    [({"x1": "{}"}, "unknown schema"), ({"e1": '{"seq": 2, "ty'}, "truncated"), ({"e1": ""}, "truncated")],
)
def test_a_broken_event_is_an_error_that_names_it(client, tables, fields, says):
    put(tables, "tb_a")
    client.xadd(keys.log("tb_a"), fields, id="2-0")
    assert len(tables.events("tb_a", 0, 1)) == 1
    with pytest.raises(StoreCorrupt, match=f"event 2-0 of tb_a: .*{says}"):
        tables.events("tb_a", 0, 10)


@pytest.mark.parametrize("which", ["log", "due", "lobby", "long", "notify"])
def test_an_append_that_meets_a_key_of_the_wrong_type_leaves_version_and_log_as_they_were(client, tables, which):
    put(tables, "tb_a")
    client.hset(keys.head("tb_a"), "n", 0)
    key = getattr(keys.of_table("tb_a"), which)
    client.delete(key)
    client.set(key, "no such type")
    with pytest.raises(StoreCorrupt, match="tb_a"):
        put(tables, "tb_a", expected=1, wake_at=START, listed=True)
    assert tables.load("tb_a").version == 1
    if which != "log":
        assert client.xlen(keys.log("tb_a")) == 1
        client.delete(key)
        put(tables, "tb_a", expected=1, wake_at=START, listed=True)


def test_a_table_with_a_broken_head_does_not_block_others(client, tables):
    same_bucket = [f"tb_{number}" for number in range(200) if keys.bucket_of(f"tb_{number}") == 3][:3]
    for table in same_bucket:
        put(tables, table, wake_at=START)
    client.delete(keys.head(same_bucket[0]))
    client.set(keys.head(same_bucket[0]), "no such type")
    assert {due.table for due in tables.lease_due(START, 1000, 10)} == {*same_bucket[1:]}
    assert tables.lease_due(START + 999, 1000, 10) == []


def test_a_table_that_expired_leaves_the_deadlines_when_it_would_be_due(client, tables):
    put(tables, "tb_a", wake_at=START)
    client.delete(keys.head("tb_a"), keys.log("tb_a"), keys.old("tb_a"))
    assert tables.lease_due(START, 1000, 10) == []
    assert not client.exists(keys.due(keys.bucket_of("tb_a")))


def test_a_broken_player_is_an_error(client):
    players = RedisPlayerStore(client)
    players.create({"id": "pl_lin"}, "hash")
    client.hset(keys.RECORDS, "pl_lin", "p1:{")
    for read in (lambda: players.get("pl_lin"), lambda: TokenStore(client).find("hash")):
        with pytest.raises(StoreCorrupt, match=r"player|pl_lin"):
            read()


@pytest.mark.parametrize(
    "text",
    [
        "OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "READONLY You can't write against a read only replica.",
        "ERR Error running script (call to f_0): @user_script:9: @user_script: 9: -OOM command not allowed",
        "CLUSTERDOWN The cluster is down",
    ],
)
def test_a_transient_error_is_unavailable_and_not_corrupt(client, monkeypatch, text):
    from redis.exceptions import ResponseError

    def refuse(*args):
        raise ResponseError(text)

    monkeypatch.setattr(client, "evalsha", refuse)
    with pytest.raises(StoreUnavailable) as unavailable:
        put(RedisTableStore(client), "tb_a")
    assert isinstance(unavailable.value.original, ResponseError)


def test_a_missing_server_is_unavailable(tmp_path):
    tables = RedisTableStore(Redis(unix_socket_path=str(tmp_path / "none.sock"), retry=None))
    for use in (
        lambda: tables.load("tb_a"),
        lambda: put(tables, "tb_a"),
        lambda: tables.events("tb_a", 0, 1),
        lambda: tables.lease_due(START, 1, 1),
        lambda: tables.listed(1),
        lambda: tables.delete("tb_a"),
    ):
        with pytest.raises(StoreUnavailable):
            use()


def test_a_process_without_file_descriptors_finds_the_store_unavailable(empty_redis, monkeypatch):
    """The client library reads a file when it opens a connection, and passes on the error."""

    def no_file_left(*_args, **_options):
        raise OSError(errno.EMFILE, "Too many open files")

    client = command_client(empty_redis)
    monkeypatch.setattr(client.connection_pool, "connection_class", no_file_left)
    with pytest.raises(StoreUnavailable, match="Too many open files"):
        Stores(client).tables.load("tb_1")


@pytest.mark.parametrize("kind", [RedisTableStore, ScanSchedule])
def test_stores_that_are_closed_leave_their_connections_to_others(empty_redis, kind):
    client = command_client(empty_redis, connections=2)
    for _ in range(4):
        store = kind(client)
        # Twice, since it may be used after it was closed.
        for _ in range(2):
            store._due.due(START, 1)
            store.close()
    assert client.connection_pool.pool.qsize() == 2
