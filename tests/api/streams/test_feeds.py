"""What the streams of a table share, and that sharing loses, repeats and mixes up nothing."""

import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

from harness.memory import MemoryStores
from harness.waiting import wait_until
from service.api.streams import feed as feed_module
from service.api.streams import follower as follower_module
from service.api.streams import messages
from service.api.streams.coding import Identity
from service.api.streams.feeds import Feeds
from service.common.errors import Refusal
from service.game.views.view import view
from service.store.players.tokens import Caller, first_token
from service.store.port import StoreUnavailable
from service.tables import Tables
from workers import ai

HOST = {"id": "pl_0"}
SPEC = {
    "ruleset": "shengji",
    "players": 4,
    "options": {"deal_pace": "instant"},
    "visibility": "public",
    "spectators": "delayed",
    "spectator_delay_ms": 60_000,
}


class NoAnnouncements:
    """No announcements but those that the test makes."""

    def listen(self, listener):
        pass

    def follow(self, table):
        pass

    def leave(self, table):
        pass


class House:
    """A table of four in memory, for two processes: `tables` is in the one with the streams, `there` in another."""

    def __init__(self):
        self.now = 1_700_000_000_000
        stores = MemoryStores(lambda: self.now)
        self.store, self.players, self.presence = stores.tables, stores.players, None
        self.accounts = SimpleNamespace(caller=self.caller, check_allowed=lambda _: None)
        self.people = SimpleNamespace(is_barred=lambda *_: False)
        self.feeds = Feeds(NoAnnouncements(), self.store, lambda: self.now)
        self.tables = Tables(self.store, now=lambda: self.now, streams=self.feeds)
        self.there = Tables(self.store.of_another_process(), now=lambda: self.now)
        self.table = self.tables.create(HOST, SPEC).state["id"]
        for seat in range(4):
            player = {"id": f"pl_{seat}", "name": f"Bot {seat}", "kind": "bot", "locale": "en", "created_at": 0}
            self.players.create(player, f"hash {seat}")
            sit = {"type": "sit", "player": f"pl_{seat}", "kind": "bot", "name": "B", "seat": seat}
            self.tables.act(self.table, sit)
        self.reads = []
        read = self.store.events
        self.store.events = lambda *arguments: self.reads.append(arguments) or read(*arguments)

    def caller(self, token_hash):
        player = self.players.get(f"pl_{token_hash.removeprefix('hash ')}")
        return player and Caller(player, first_token(player, token_hash))

    @property
    def version(self):
        return self.store.load(self.table).version

    def open(self, player, seat, after=None):
        follower = self.feeds.follow(self.store.load(self.table).state, player, "hash 0", seat, is_delayed=seat is None)
        version, coding = after or self.version, Identity()
        stream = messages.Stream(
            self, self.feeds, self.presence, follower, self.table, version, coding, lambda: self.leave(follower)
        )
        assert next(stream) == b"retry: 1000\n\n"
        stream.follower = follower
        return stream

    def leave(self, follower):
        self.feeds.leave(self.table, follower)

    def say(self, text="hello", tables=None, seat=0):
        command = {"type": "chat", "player": f"pl_{seat}", "name": "B", "text": text, "key": f"key {text}"}
        return (tables or self.tables).act(self.table, command).state["version"]

    def get_ready(self, tables=None):
        for seat in range(4):
            (tables or self.tables).act(self.table, {"type": "ready", "player": f"pl_{seat}"})


class Seen:
    """A watcher: the last version that it was shown, and how often it was told that a table has lost events."""

    def __init__(self):
        self.version = self.lost = 0
        self._news = threading.Condition()

    def saw(self, state, *, is_lost=False):
        with self._news:
            self.version = state["version"] if is_lost else max(self.version, state["version"])
            self.lost += is_lost
            self._news.notify_all()

    def until(self, version):
        with self._news:
            return self._news.wait_for(lambda: self.version >= version, 5)


class Streamed(messages.Stream):
    """A stream to which the test may add attributes."""


@pytest.fixture
def house(monkeypatch):
    monkeypatch.setattr(messages, "Stream", Streamed)
    house = House()
    yield house
    house.feeds.close()


def seqs(text):
    return [int(line[4:]) for line in text.decode().split("\n") if line.startswith("id: ")]


def read_until(stream, seq):
    """What a stream sends, up to an event."""
    text = b""
    while not seqs(text) or seqs(text)[-1] < seq:
        text += next(stream)
    return text


def live(house, *streams):
    """Have streams read the log for the first time; from then on, events are handed to them."""
    for _ in streams:
        version = house.say(f"live {house.version}")
        for each in streams:
            read_until(each, version)
    house.reads.clear()


def test_each_event_is_encoded_once_for_all_who_see_the_same_and_is_not_read(house, monkeypatch):
    encoded = []
    encode = feed_module.event_messages
    monkeypatch.setattr(
        feed_module,
        "event_messages",
        lambda events, viewer, state: encoded.append(viewer) or encode(events, viewer, state),
    )
    streams = [house.open(f"pl_{seat}", seat) for seat in (0, 0, 0, 1, 1, 2)]
    live(house, *streams)
    encoded.clear()
    version = house.say("once")
    texts = [read_until(stream, version) for stream in streams]
    assert sorted(encoded) == [0, 1, 2]
    assert house.reads == []
    # Streams share the bytes.
    assert len({id(text) for text in texts[:3]}) == 1
    assert texts[0] == texts[1] == texts[2]


def test_what_another_process_writes_is_read_once_for_all_streams(house):
    streams = [house.open(f"pl_{seat}", seat) for seat in (0, 1, 2, 3)]
    live(house, *streams)
    version = house.say("from there", house.there)
    house.feeds.announced(house.table, version)
    for stream in streams:
        assert seqs(read_until(stream, version)) == [version]
    assert len(house.reads) == 1


def test_an_own_append_that_is_announced_before_it_returns_is_not_read(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    append = house.store.append

    def announced_first(*arguments, **named):
        append(*arguments, **named)
        house.feeds.announced(house.table, house.version)

    house.store.append = announced_first
    version = house.say("mine")
    house.feeds.announced(house.table, version)
    assert seqs(read_until(stream, version)) == [version]
    assert house.reads == []


def test_what_others_write_during_an_own_append_is_not_lost(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    append = house.store.append

    def overtaken(*arguments, **named):
        append(*arguments, **named)
        house.store.append = append
        house.feeds.announced(house.table, house.say("theirs", house.there))

    house.store.append = overtaken
    version = house.say("mine") + 1
    assert seqs(read_until(stream, version)) == [version - 1, version]


def test_an_append_whose_reply_is_lost_is_sent_all_the_same(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    append = house.store.append

    def lost(*arguments, **named):
        append(*arguments, **named)
        raise StoreUnavailable(OSError("gone"))

    house.store.append = lost
    with suppress(StoreUnavailable):
        house.say("lost")
    assert len(seqs(read_until(stream, house.version))) == 1


def test_a_stream_with_a_slow_client_holds_little_and_misses_nothing(house, monkeypatch):
    monkeypatch.setattr(follower_module, "MOST_FRAMES", 3)
    slow, quick = house.open("pl_0", 0), house.open("pl_1", 1)
    live(house, slow, quick)
    began = house.version
    for number in range(10):
        version = house.say(f"message {number}")
        read_until(quick, version)
    assert len(slow.follower._frames) <= 3
    assert seqs(read_until(slow, version)) == list(range(began + 1, version + 1))


def test_a_stream_opened_while_events_happen_gets_each_once(house):
    stop = threading.Event()

    def talk():
        number = 0
        while not stop.is_set():
            number += 1
            version = house.say(f"{number}", house.there if number % 2 else house.tables, seat=number % 4)
            house.feeds.announced(house.table, version)
            stop.wait(0.003)

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        for _ in range(6):
            stream = house.open("pl_0", 0, after=3)
            until = house.version + 10
            got = seqs(read_until(stream, until))
            assert got[:-1] == list(range(4, got[-1]))
            stream.close()
    finally:
        stop.set()
        thread.join()


def test_a_log_that_cannot_be_read_is_read_later(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    read, tries = house.store.events, []

    def fails_twice(*arguments):
        tries.append(arguments)
        if len(tries) <= 2:
            raise StoreUnavailable(OSError("gone"))
        return read(*arguments)

    house.store.events = fails_twice
    version = house.say("later", house.there)
    house.feeds.announced(house.table, version)
    assert seqs(read_until(stream, version)) == [version]


def test_a_stream_is_reset_if_its_table_has_lost_events(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    stored = house.store._tables[house.table]
    old = (stored.version, stored.state, list(stored.log))
    read_until(stream, house.say("lost in a failover"))
    stored.version, stored.state, stored.log = old
    house.feeds.missed()
    text = next(stream)
    assert text.startswith(b"event: reset\n")
    assert seqs(text) == [old[0]]
    version = house.say("on", house.there)
    house.feeds.announced(house.table, version)
    assert seqs(read_until(stream, version)) == [version]


def test_spectators_share_events_after_the_delay(house):
    first, second = house.open("pl_9", None), house.open("pl_8", None)
    version = house.say("in the lobby")
    for stream in (first, second):
        read_until(stream, version)
    house.get_ready()
    begun = house.store.load(house.table).state["game"]["started_seq"]
    for stream in (first, second):
        assert seqs(read_until(stream, begun - 1))[-1] == begun - 1
    house.reads.clear()
    house.now += 30_000
    house.say("during the game")
    time.sleep(0.05)
    assert not first.follower._frames
    house.now += 30_000
    house.feeds.revoked("nobody")
    for stream in (first, second):
        assert seqs(read_until(stream, begun))[0] == begun
    assert house.reads == []


def test_a_feed_is_kept_for_as_long_as_somebody_follows(house):
    first, second = house.open("pl_0", 0), house.open("pl_1", 1)
    assert list(house.feeds._feeds) == [house.table]
    first.close()
    first.close()
    assert list(house.feeds._feeds) == [house.table]
    second.close()
    assert house.feeds._feeds == {}


def test_an_error_about_one_table_does_not_stop_the_streams_of_others(house, monkeypatch):
    stream = house.open("pl_0", 0)
    live(house, stream)
    access, calls = feed_module.access_of, []

    def fails_once(*arguments):
        calls.append(arguments)
        if len(calls) == 1:
            raise ZeroDivisionError
        return access(*arguments)

    monkeypatch.setattr(feed_module, "access_of", fails_once)
    house.say("with a bug")
    wait_until(lambda: calls)
    version = house.say("on")
    assert seqs(read_until(stream, version))[-1] == version


def test_a_stream_that_ends_by_a_refusal_drops_waiting_events(house):
    stream = house.open("pl_0", 0)
    live(house, stream)
    house.feeds.announced(house.table, house.say("waiting"))
    wait_until(lambda: stream.follower._frames)
    refusal = Refusal()
    stream.follower.end(refusal)
    assert next(stream).startswith(b"event: end\n")
    assert list(stream) == []


def test_a_stream_shows_open_hands_once_the_round_is_over(house, monkeypatch):
    monkeypatch.setattr(follower_module, "MOST_FRAMES", 1_000)
    changes = {"spectators": "open", "spectator_delay_ms": 0}
    house.tables.act(house.table, {"type": "settings", "player": "pl_0", "changes": changes, "version": house.version})
    stream = house.open("pl_9", None)
    live(house, stream)
    house.get_ready()
    opened = house.store.load(house.table).state["round"]["opened_seq"]
    assert seqs(read_until(stream, opened - 1))[-1] == opened - 1
    late = house.open("pl_8", None, after=opened - 2)
    assert seqs(read_until(late, opened - 1)) == [opened - 1]
    house.reads.clear()
    while (state := house.store.load(house.table).state)["round"]["phase"] != "scored":
        assert not stream.follower._frames
        assert not late.follower._frames
        seat = state["decision"]["seats"][0]
        command = {"player": f"pl_{seat}", "decision_id": state["decision"]["id"]}
        house.tables.act(house.table, command | ai.choose(view(state, seat, house.now), b"seed"))
    events = read_until(stream, state["version"])
    assert seqs(events) == list(range(opened, state["version"] + 1))
    assert events.count(b'"hands":[[') == events.count(b'"type":"dealt"') > 0
    assert house.reads == []
    assert read_until(late, state["version"]) == events


# --- streams and watchers ------------------------------------------------------------------------------------------


@pytest.fixture
def reader(house):
    """A watcher of the table."""
    watcher = Seen()
    house.feeds.watch(house.table, watcher)
    # A stream starts the thread.
    house.open("pl_1", 1).close()
    return watcher


@pytest.mark.parametrize("where", ["here", "there"])
def test_watchers_miss_nothing_when_a_stream_opens(house, reader, where):
    if where == "there":
        stream = house.open("pl_0", 0, after=house.say("announced later", house.there))
    else:
        append = house.store.append

        def opened_first(*arguments, **named):
            append(*arguments, **named)
            house.stream = house.open("pl_0", 0)

        house.store.append = opened_first
        house.say("told later")
        stream = house.stream
    house.feeds.announced(house.table, house.version)
    assert reader.until(house.version)
    stream.close()


def test_a_watcher_is_told_of_lost_events_without_any_stream(house, reader):
    stored = house.store._tables[house.table]
    old = (stored.version, stored.state, list(stored.log))
    house.feeds.announced(house.table, house.say("lost in a failover", house.there))
    assert reader.until(house.version)
    stored.version, stored.state, stored.log = old
    house.feeds.missed()
    wait_until(lambda: reader.lost)
    assert reader.version == old[0]


def test_a_stream_that_opens_while_the_feed_reads_is_not_reset(house, reader):
    load, streams = house.store.load, []

    def overtaken(table):
        snapshot = load(table)
        if threading.current_thread().name == "feeds":
            house.store.load = load
            house.feeds.announced(house.table, house.say("known to the stream", house.there))
            streams.append(house.open("pl_0", 0))
        return snapshot

    house.store.load = overtaken
    version = house.say("read", house.there)
    house.feeds.announced(house.table, version)
    assert reader.until(version + 1)
    version = house.say("on", house.there)
    house.feeds.announced(house.table, version)
    assert seqs(read_until(streams[0], version))[-1] == version
    assert (reader.until(version), reader.lost, streams[0].follower.is_lost) == (True, 0, False)


def test_a_watched_table_sends_heartbeats_as_often_as_its_newest_stream_asks(house, reader):
    state, heartbeats = house.store.load(house.table).state, []
    feed = house.feeds._feeds[house.table]
    for every_s in (2, 5):
        follower = house.feeds.follow(state, "pl_0", "hash 0", 0, is_delayed=False, heartbeat_s=every_s)
        house.feeds.announced(house.table, house.say(f"{every_s}", house.there))
        assert reader.until(house.version)
        heartbeats.append(feed.heartbeat_s)
        house.feeds.leave(house.table, follower)
    assert heartbeats == [2, 5]
