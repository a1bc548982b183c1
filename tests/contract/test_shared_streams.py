"""Streams of a table share messages, but show nobody what only others may see (docs/contract.md §5, decision 80).

Rounds are played into a feed that all seats and a spectator follow. Each stream must get, byte for byte, what the
redactor gives its viewer, and what is hidden from a viewer must not change a byte of its stream.
"""

import random

import pytest

from harness.driver import Driver
from service.api.streams import feed as feed_module
from service.api.streams.feed import Feed
from service.api.streams.follower import Follower
from service.api.streams.rendering import event_messages
from service.game.events.evolve import NO_TABLE, evolve
from tests.game.hidden import exchanged

TABLES = [
    ("zhaopengyou", 5, {"deal_pace": "timed"}),
    ("shengji", 4, {"chao_di": True}),
    ("arms_length", 4, {}),
]


def played(ruleset, players, options):
    """Return the players, and the log and the time of a round and the beginning of the next one."""
    driver = Driver(ruleset, players, options, seed=5, spectators="delayed", spectator_delay_ms=0, take_back=True)
    driver.throws = 0.3
    driver.play_until(lambda state: state["round"]["number"] == 2 and state["round"]["phase"] == "playing")
    return players, list(driver.log), driver.now


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: table[0])
def game(request):
    return played(*request.param)


@pytest.fixture(scope="module")
def any_game():
    return played(*TABLES[1])


def plain(texts):
    return b"".join(text.body for text in texts)


def streamed(log, players, now):
    """Viewer -> bytes that their stream gets of a game, transaction by transaction, and those that it should get."""
    state, feed, sent_bytes, due = NO_TABLE, None, {}, {}
    followers = {}
    for tx in sorted({event["tx"] for event in log}):
        events = [event for event in log if event["tx"] == tx]
        for event in events:
            state = evolve(state, event)
        if state["status"] != "playing":
            continue
        if feed is None:
            feed = Feed(state["id"])
            feed.begin(state)
            for seat in (*range(players), None):
                player = "pl_watcher" if seat is None else state["seats"][seat]["occupant"]["player"]
                followers[seat] = Follower(player, "hash", seat, is_delayed=seat is None)
                followers[seat].is_behind = False
                feed.followers[followers[seat]] = None
            sent_bytes, due = dict.fromkeys(followers, b""), dict.fromkeys(followers, b"")
            continue
        feed.advance(events, state, now)
        for viewer, follower in followers.items():
            assert follower.ended is None
            due[viewer] += plain(event_messages(events, viewer, state))
            while (frame := follower.frame()) is not None:
                sent_bytes[viewer] += plain(frame.texts)
            assert not follower.is_behind
    return sent_bytes, due


def check_own_bytes(game):
    players, log, now = game
    sent_bytes, due = streamed(log, players, now)
    is_same = sent_bytes == due  # where they differ, as they should below, pytest would take a second to say how
    assert is_same
    assert len(set(sent_bytes.values())) == len(sent_bytes)
    texts = [text for text in sent_bytes.values() if b'"hints"' in text]
    assert len(texts) == players
    assert b'"hints"' not in sent_bytes[None]


def check_hidden(game):
    players, log, now = game
    rng, changed = random.Random(2), 0
    sent_bytes, _ = streamed(log, players, now)
    for viewer in (*range(players), None):
        twin, cards = exchanged(log, players, viewer, rng)
        is_same = sent_bytes[viewer] == streamed(twin, players, now)[0][viewer]
        assert is_same, viewer
        changed += cards
    assert changed > 20


def test_each_viewer_gets_the_bytes_of_their_own_redaction(game):
    check_own_bytes(game)


def test_what_is_hidden_changes_no_byte_of_a_shared_stream(game):
    check_hidden(game)


# --- these tests can fail ----------------------------------------------------------------------------------------


def everybody_as_the_first_seat(monkeypatch):
    """All get the messages of seat 0."""
    monkeypatch.setattr(feed_module, "event_messages", lambda events, _, state: event_messages(events, 0, state))


def seats_mixed_up(monkeypatch):
    """Each seat gets the messages of the next one."""
    monkeypatch.setattr(
        feed_module,
        "event_messages",
        lambda events, viewer, state: event_messages(events, None if viewer is None else (viewer + 1) % 4, state),
    )


def watchers_as_the_first_seat(monkeypatch):
    monkeypatch.setattr(
        feed_module, "event_messages", lambda events, viewer, state: event_messages(events, viewer or 0, state)
    )


MISTAKES = [everybody_as_the_first_seat, seats_mixed_up, watchers_as_the_first_seat]


@pytest.mark.parametrize("mistake", MISTAKES)
@pytest.mark.parametrize("check", [check_own_bytes, check_hidden])
def test_sharing_too_much_is_noticed(monkeypatch, any_game, mistake, check):
    mistake(monkeypatch)
    with pytest.raises(AssertionError):
        check(any_game)
