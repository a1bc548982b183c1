"""Redis URLs of one server, of servers found through sentinels, and of a cluster, each with a table played on it."""

import contextlib
from queue import Queue
from socket import MSG_DONTWAIT, MSG_PEEK
from threading import Thread

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from harness.processes import RunningService
from harness.servers import Sentinels
from harness.waiting import wait_until
from harness.wakes import Wakes
from service.common.settings import Settings, SettingsError
from service.game.events.evolve import fold
from service.game.state.fallback import fallback_action
from service.jobs.several import one_of
from service.processes.embedded_redis import EmbeddedRedis
from service.store import confirming, keys
from service.store.connections import sentinel_pool
from service.store.connections.clients import command_client, listening_client, queue_client
from service.store.connections.topologies import Topology, parse_topology
from service.store.live import Announcements
from service.store.port import StoreUnavailable
from service.store.redis_tables import RedisTableStore
from service.store.stores import Stores
from service.tables import Tables
from tests.store.conftest import put
from tools.faults.visitors import Player, Reader
from workers import ai

HOST = {"id": "pl_host"}
#: The seat of the person in `play_a_round`: the one that the AI players leave.
LIN = 3


@pytest.mark.parametrize("url", ["redis://localhost", "rediss://u:p@h:1/2", "unix:///tmp/redis.sock?db=1", ""])
def test_urls_of_one_server_are_left_to_the_client_library(url):
    assert parse_topology(url) is None


@pytest.mark.parametrize(
    ("url", "topology"),
    [
        ("redis+sentinel://a/main", Topology("sentinel", (("a", 26379),), "main", {})),
        (
            "redis+sentinel://a:1,b:2,[::1]:3/main/4",
            Topology("sentinel", (("a", 1), ("b", 2), ("::1", 3)), "main", {"db": 4}),
        ),
        ("rediss+cluster://a,b:7000", Topology("cluster", (("a", 6379), ("b", 7000)), "", {"ssl": True})),
        (
            "redis+cluster://me:s%40y,@a",
            Topology("cluster", (("a", 6379),), "", {"username": "me", "password": "s@y,"}),
        ),
        ("redis+cluster://:word@a:1", Topology("cluster", (("a", 1),), "", {"password": "word"})),
    ],
)
def test_a_url_of_several_servers_is_parsed(url, topology):
    assert parse_topology(url) == topology


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a",
        "redis+sentinel:///main",
        "redis+sentinel://a:x/main",
        "redis+sentinel://a/main/x",
        "redis+cluster://a/0",
        "redis+cluster://",
        "redis+other://a",
        "http+cluster://a",
    ],
)
def test_an_incomplete_url_is_refused(url):
    with pytest.raises(ValueError, match=r"redis\+|host"):
        command_client(url)


def test_queues_cannot_be_on_a_cluster():
    with pytest.raises(SettingsError, match="QUEUE_REDIS_URL"):
        Settings.from_env({"REDIS_URL": "redis+cluster://a"})
    settings = Settings.from_env({"REDIS_URL": "redis+cluster://a", "QUEUE_REDIS_URL": "redis://b"})
    assert settings.queue_urls == ("redis://b",)
    with pytest.raises(SettingsError, match="REDIS_URL='http://a': must be empty, or begin with one of redis://"):
        Settings.from_env({"REDIS_URL": "http://a"})


def play_a_round_over_http(service, in_the_middle=lambda: None):
    """Let a player and AI seats play a round through the API and its processes; return the player."""
    player = Player(service, ai_pace_ms=0)
    while player.wait_for_turn()["decision"]["kind"] != "play":
        player.act()
    in_the_middle()
    while not (player.view().get("game") or {}).get("results"):
        player.act()
    return player


def play_a_round(url):
    """Play a round of AI seats and a person through the use cases, tidying occasionally; return the table's id."""
    store = Stores(command_client(url)).tables
    now = [1_700_000_000_000]
    tables = Tables(store, now=lambda: now[0])
    spec = {
        "ruleset": "shengji",
        "players": 4,
        "clock": {"alone": "limited"},
        "options": {"deal_pace": "instant"},
        "ai_pace_ms": 0,
        "visibility": "public",
    }
    table = tables.create(HOST, spec).state["id"]
    for seat in range(3):
        tables.act(table, {"type": "seat_ai", "player": "pl_host", "seat": seat, "level": "easy"})
    tables.act(table, {"type": "sit", "player": "pl_lin", "kind": "human", "name": "Lin"})
    tables.act(table, {"type": "ready", "player": "pl_lin"})
    while not (state := tables.load(table))["game"]["results"]:
        decision = state["decision"]
        if decision and decision["kind"] != "ready" and LIN in decision["seats"]:
            action = fallback_action(state, LIN)
            tables.act(table, {**action, "player": "pl_lin", "decision_id": decision["id"]})
            continue
        now[0] += 60_000
        for due in store.lease_due(now[0], 3_000, 10):
            assert tables.advance(due.table, due.version, ai.choose).steps
        store.tidy(1)
    log = tables.log(table)
    assert fold(log) == store.load(table).state
    return table


def test_a_round_is_played_on_a_cluster_with_all_keys_of_the_table_on_one_node(cluster, cluster_port):
    url = f"redis+cluster://127.0.0.1:{cluster_port}"
    table = play_a_round(url)
    client = command_client(url)
    own = keys.of_table(table)
    assert len({client.keyslot(key) for key in own}) == 1
    assert client.exists(own.old) == 1
    # The buckets spread the tables over the nodes.
    nodes = {client.get_node_from_key(keys.due(bucket)).port for bucket in range(keys.buckets())}
    assert len(nodes) == 3
    client.close()


def test_the_running_service_plays_a_round_on_a_cluster_with_queues_on_two_other_servers(
    cluster, cluster_port, tmp_path
):
    queues, others = EmbeddedRedis(tmp_path / "redis").url, EmbeddedRedis(tmp_path / "others")
    places = {
        "REDIS_URL": f"redis+cluster://127.0.0.1:{cluster_port}",
        "QUEUE_REDIS_URL": f"{queues},{others.url}",
        "BUCKETS": "48",
    }
    with others, RunningService(tmp_path, places, servers=1, workers=1, clocks=1) as service:
        # The worker has started another worker for the second Redis.
        player = play_a_round_over_http(service)
        wait_until(lambda: player.send("GET", "/readyz").ok)
        assert player.send("GET", "/readyz").json()["processes"]["worker"] == 2
        with Reader(player) as reader:
            wait_until(lambda: reader.seqs[-1] == player.view()["version"])
        assert reader.seqs == list(range(len(reader.seqs)))
        jobs = [command_client(url) for url in (queues, others.url)]
        wait_until(lambda: one_of(jobs, player.table).keys("sj:jobs:people"))
        for client in jobs:
            # Nothing of tables and players but what tries whether it takes writes.
            assert {key.decode() for key in client.keys("sj:{*")} <= {*keys.MARKS}
            client.close()
    keys.use_buckets(48)
    head = keys.head(player.table)
    keys.use_buckets(keys.USUAL_BUCKETS)
    assert cluster.exists(head)
    assert not list(cluster.scan_iter("rq:*"))


def test_streams_of_a_cluster_are_woken_whichever_node_has_the_table(cluster, cluster_port):
    url = f"redis+cluster://127.0.0.1:{cluster_port}"
    tables = Stores(command_client(url)).tables
    hub = Wakes(Announcements(command_client(url)))
    try:
        for number in range(20):
            with hub.subscribe(f"tb_{number}") as news:
                wait_until(lambda: news.table in hub.opened)
                put(tables, news.table)
                wait_until(lambda: news.version == 1)
    finally:
        hub.close()


@pytest.fixture(autouse=True)
def no_sentinels_are_asked_any_more():
    """Pools that nobody collects would have the sentinels of each test asked until all tests end."""
    yield
    threads = [*sentinel_pool._THREADS.values()]
    for pools in [*sentinel_pool._POOLS.values()]:
        pools.clear()
    for thread in threads:
        thread.join()


@pytest.fixture
def watched(tmp_path):
    """A server with a replica and sentinels; returns the server, and the URL with the sentinels."""
    with Sentinels(tmp_path, replicas=1) as servers:
        yield servers.servers[0], servers.url


def replicate(url):
    """Wait until the replica has all writes, as it may still be copying the initial data."""
    primary = command_client(url)
    with primary.pipeline(transaction=False) as commands:
        # WAIT refers to writes of the same connection, so there has to be one.
        wait_until(
            lambda: commands.set("replicated", 1).execute_command("WAIT", 1, 4_000).execute()[-1] >= 1, seconds=120
        )
    primary.close()


def test_after_a_failover_the_same_clients_use_the_server_named_by_the_sentinels(watched):
    primary, url = watched
    table = play_a_round(url)
    client, queue = command_client(url), queue_client(url)
    tables = Stores(client).tables
    queue.set("before", 1)
    replicate(url)
    before = tables.load(table)
    hub = Wakes(Announcements(command_client(url)))
    primary.kill()

    def writes():
        with contextlib.suppress(StoreUnavailable):
            put(tables, "tb_after")
            return True

    wait_until(writes)
    assert tables.load(table) == before
    assert queue.get("before") == b"1"
    with hub.subscribe("tb_after") as news:
        wait_until(lambda: "tb_after" in hub.opened)
        put(tables, "tb_after", expected=1)
        wait_until(lambda: news.version == 2)
    hub.close()


def test_a_hung_server_gets_no_commands_after_sentinels_name_another(tmp_path):
    with Sentinels(tmp_path, replicas=2) as servers:
        client, waits, [old] = command_client(servers.url), listening_client(servers.url), servers.masters()
        idle = [client.connection_pool.get_connection() for _ in range(3)]
        for connection in idle:
            client.connection_pool.release(connection)
        lost, heard = servers.lost_slots(old), Queue()

        def wait_for_news():
            with pytest.raises(RedisConnectionError):
                waits.blpop("news")
            heard.put("the connection broke")

        Thread(target=wait_for_news, daemon=True).start()
        wait_until(lambda: "cmd=blpop" in old.ask("CLIENT", "LIST"))
        with old.stopped():
            servers.wait_for_takeover(lost)
            # A client waiting without a timeout reconnects elsewhere.
            wait_until(lambda: not heard.empty())
            wait_until(lambda: all(is_broken(connection) for connection in idle))
        [new] = servers.masters()
        for number in range(5):
            client.set("after", number)
            assert new.redis.get("after") == str(number)
        assert {client.connection_pool.get_connection().port for _ in idle} == {new.port}


def test_a_late_answer_is_not_taken_for_that_of_the_next_command(watched):
    server = watched[0]
    command_client(watched[1]).set("mine", "secret")
    client = command_client(watched[1], answer_s=0.2)
    with server.stopped(), pytest.raises(RedisTimeoutError):
        client.get("mine")
    assert [connection.is_connected for connection in client.connection_pool._available_connections] == [False]


def test_slow_writes_are_acknowledged_only_by_the_server_still_named_by_sentinels(watched, monkeypatch):
    # As if the server had hung, and other replicas still followed it.
    monkeypatch.setattr(confirming, "_PROMPT_S", -1.0)
    client = command_client(watched[1])
    tables = RedisTableStore(client, replicas=1)
    put(tables, "tb_late")
    [event] = tables.events("tb_late", 0, 10)
    replicate(watched[1])
    tables.confirm("tb_late", event)
    for named in (("127.0.0.1", 1), None):
        monkeypatch.setattr(client.connection_pool, "named", lambda named=named: named)
        with pytest.raises(StoreUnavailable, match="another server may have taken over"):
            tables.confirm("tb_late", event)


def test_sentinels_that_refuse_the_command_are_asked_again(monkeypatch):
    def refuse(*_):
        raise ResponseError("NOPERM")

    monkeypatch.setattr(sentinel_pool.Sentinels, "named", refuse)
    pool = command_client("redis+sentinel://127.0.0.1:1/main").connection_pool
    pool.make_connection()
    assert sentinel_pool._leave_others(pool.key)


def is_broken(connection):
    """Return whether nothing more can be read from it."""
    with contextlib.suppress(BlockingIOError):
        return connection._sock.recv(1, MSG_PEEK | MSG_DONTWAIT) == b""


def test_the_running_service_continues_after_a_failover(watched, tmp_path):
    primary, url = watched
    with RunningService(tmp_path, {"REDIS_URL": url}, servers=1, workers=1, clocks=1) as service:

        def lose_the_primary():
            replicate(url)
            primary.kill()

        player = play_a_round_over_http(service, lose_the_primary)
        wait_until(lambda: player.send("GET", "/readyz").ok)
