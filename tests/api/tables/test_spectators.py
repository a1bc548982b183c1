"""Spectators of a running game: no response shows them anything later than the spectator delay allows."""

import json

import pytest

from tests.api.contract import assert_problem

DELAY = 30_000


@pytest.fixture
def watched(world):
    """A table whose game is older than the delay; `stranger` watches it."""
    table = world.table(spectators="delayed", spectator_delay_ms=DELAY)
    for _ in range(9):
        table.step()
    # The version before the clock moves: timeouts during the delay are not visible yet.
    table.past = table.state()["version"]
    world.now += DELAY
    for _ in range(9):
        table.step()
    table.stranger = world.player("Mei")
    return table


def test_chatting_does_not_show_a_spectator_the_current_game(watched):
    answer = watched.stranger.post(f"{watched.path}/chat", {"preset": "hello"})
    assert answer.status_code == 200
    body = answer.json
    assert (body["seq"], body["version"], body["view"]["version"], body["events"]) == (watched.past,) * 3 + ([],)
    assert f'"{watched.past}' in watched.stranger.get(watched.path).headers["ETag"]


def test_no_response_to_a_spectator_names_a_hidden_version(watched):
    version = watched.state()["version"]
    hidden = set(range(watched.past + 1, version + 2))
    game = watched.state()["game"]["id"]
    answers = [
        watched.stranger.get(watched.path),
        watched.stranger.get(f"{watched.path}/events"),
        watched.stranger.get(f"{watched.path}/events?after={watched.past}"),
        watched.stranger.get(f"{watched.path}/events?limit=5"),
        watched.stranger.get(f"/v1/games/{game}"),
        watched.stranger.get(f"/v1/games/{game}/record"),
        watched.stranger.post(f"{watched.path}/chat", {"text": "good luck"}),
    ]
    for answer in answers:
        assert answer.status_code == 200, answer.json
        content = set(numbers(json.loads(answer.data), ("seq", "version", "next_after", "opened_seq")))
        assert not content & hidden, (answer.request.path, content & hidden)


def numbers(value, names):
    """All values under one of these names."""
    if isinstance(value, list):
        for entry in value:
            yield from numbers(entry, names)
    elif isinstance(value, dict):
        for name, entry in value.items():
            if name in names:
                yield entry
            else:
                yield from numbers(entry, names)


def test_spectators_hear_each_other_after_the_delay(world, watched):
    watched.stranger.post(f"{watched.path}/chat", {"preset": "hello"})
    world.now += DELAY
    page = watched.stranger.get(f"{watched.path}/events?after={watched.past}").json["events"]
    assert [event["data"]["preset"] for event in page if event["type"] == "chat"] == ["hello"]


def test_whether_spectators_may_speak_follows_from_what_they_see(world):
    table = world.table(4, "arms_length", spectators="delayed", spectator_delay_ms=DELAY)
    mei = world.player("Mei")

    def speak():
        return mei.post(f"{table.path}/chat", {"preset": "hello"})

    # The round is over for its players, but not yet for spectators.
    table.step()
    world.now += DELAY
    table.play_until("ready")
    assert_problem(speak(), "wrong-phase", reason="silence")
    world.now += DELAY
    assert speak().status_code == 200
    # The next round has begun for its players, but not yet for spectators.
    while table.state()["decision"]["kind"] in ("ready", "road"):
        table.step()
    assert mei.get(table.path).json["phase"] == "scored"
    assert speak().status_code == 200
    world.now += DELAY
    assert_problem(speak(), "wrong-phase", reason="silence")


def test_host_and_players_see_the_game_without_delay(watched):
    for client in watched.clients:
        assert client.get(watched.path).json["version"] == watched.state()["version"]


def test_a_game_without_spectators_refuses_them(world):
    table = world.table()
    stranger = world.player("Mei")
    for path in ("", "/events", "/events?wait=0"):
        problem = assert_problem(stranger.get(table.path + path), "no-spectators")
        assert problem["params"] == {"reason": "running"}
