"""Which players have open streams, as all processes tell."""

import pytest

from service.store.notices import open_streams
from service.store.notices.open_streams import ALIVE_MS, OpenStreams
from tests.store.conftest import START

HERE, THERE = ("tbl_a", "ply_a"), ("tbl_b", "ply_b")


class Hours:
    """A clock that tests move."""

    def __init__(self):
        self.ms = START

    def __call__(self):
        return self.ms


@pytest.fixture
def clock():
    return Hours()


@pytest.fixture
def process(client, clock, monkeypatch):
    """Return a function that starts a process; its heartbeats are those that a test sends."""
    monkeypatch.setattr(open_streams, "SIGN_S", 1_000_000)
    started = []

    def start():
        started.append(OpenStreams(client, clock))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_a_process_tells_of_the_streams_of_all(process):
    first, second = process(), process()
    first.opened(*HERE)
    second.opened(*THERE)
    assert first.of_pairs([HERE, THERE, ("tbl_a", "ply_b")]) == {HERE, THERE}


def test_a_closed_stream_does_not_return_with_the_next_heartbeat(process):
    streams = process()
    streams.opened(*HERE)
    streams.opened(*THERE)
    streams.closed(*HERE)
    assert streams.of_pairs([HERE, THERE]) == {THERE}
    streams.sign()
    assert streams.of_pairs([HERE, THERE]) == {THERE}


def test_streams_of_a_process_without_heartbeat_are_closed(process, clock):
    killed, alive = process(), process()
    killed.opened(*HERE)
    alive.opened(*THERE)
    clock.ms += ALIVE_MS - 1
    alive.sign()
    assert alive.of_pairs([HERE, THERE]) == {HERE, THERE}
    clock.ms += 2
    alive.sign()
    assert alive.of_pairs([HERE, THERE]) == {THERE}
