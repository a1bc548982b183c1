"""Spectators with open hands: they see all cards of finished rounds, if all players have agreed."""

import pytest

from service.api.streams.follower import Follower
from shengji_client.folding import fold
from tests.api.contract import assert_problem
from tests.api.streams.test_events import once_followed
from tests.game.test_fold import comparable, differences

DELAY = 20_000


@pytest.fixture
def table(world):
    """A table before its game, with open hands for spectators; `mei` is one."""
    new_table = world.table(ruleset="sishifen", ready=False, spectators="open", spectator_delay_ms=DELAY)
    new_table.mei = world.player("Mei")
    return new_table


def hidden_from(table):
    """Seq of the first event of the running round; between rounds, of the next event."""
    state = table.state()
    return state["version"] + 1 if state["round"]["phase"] == "scored" else state["round"]["opened_seq"]


class Watcher:
    """A spectator who reads the view once and then events alone."""

    def __init__(self, table):
        self.table = table
        self.view = table.mei.get(table.path).json
        self.views = []

    def read(self):
        # Whoever looks marks as away who has not been heard of, as an event.
        self.table.mei.get(self.table.path)
        path = f"{self.table.path}/events?limit=50&after="
        while events := self.table.mei.get(f"{path}{self.view['version']}").json["events"]:
            for event in events:
                self.view = fold(self.view, event)
                self.views.append(event)
        now = self.table.mei.get(self.table.path).json
        assert comparable(self.view) == comparable(now), differences(comparable(self.view), comparable(now))
        return now


def test_a_whole_game_is_seen_with_open_hands_one_round_behind(world, table):
    # A game of two rounds. At a second a move, a round takes longer than the delay.
    changes = {"options": {"start_level": "K", "deal_pace": "instant"}}
    assert table.host.patch(table.path, changes, headers={"If-Match": "*"}).status_code == 200
    watcher = Watcher(table)
    assert watcher.view["hands"] == [{}] * 4
    table.get_ready()
    cards = set()
    while table.state()["status"] == "playing":
        for _ in range(9):
            if table.state()["status"] == "playing":
                world.now += 1_000
                table.move()
        if table.state()["status"] == "playing":
            view = watcher.read()
            assert view["version"] < hidden_from(table)
            if view["phase"] == "playing":
                assert [sum(hand.values()) for hand in view["hands"]] == [seat["hand_count"] for seat in view["seats"]]
                assert len(view["round"]["kitty"]["cards"]) == 6
                cards.add(view["round"]["number"])
    # The last round is shown all at once, since the game is over.
    assert len(cards) == table.state()["game"]["round"] - 1 > 0
    assert watcher.read()["status"] == "finished"
    dealt = [event["data"]["hands"] for event in watcher.views if event["type"] == "dealt"]
    assert all(len(hand) == 12 for hands in dealt for hand in hands)
    assert all("cards" in event["data"] for event in watcher.views if event["type"] in ("kitty_taken", "discarded"))


def test_the_running_round_stays_hidden_however_long_it_lasts(world, table):
    table.get_ready()
    opened = table.state()["round"]["opened_seq"]
    table.play_until("play", by=table.move)
    world.now += 25_000
    table.move()
    game, tag = table.state()["game"]["id"], table.mei.get(table.path).headers["ETag"]
    assert tag == f'"{opened - 1}.open"'
    assert table.mei.get(table.path, headers={"If-None-Match": tag}).status_code == 304
    assert table.mei.get(table.path).json["hands"] == [{}] * 4
    for query in ("", f"?after={opened - 1}&wait=0"):
        page = table.mei.get(f"{table.path}/events{query}").json
        assert (page["next_after"], page["version"]) == (opened - 1, opened - 1)
    assert_problem(table.mei.get(f"/v1/games/{game}/rounds/1"), "not-found")
    assert table.mei.post(f"{table.path}/chat", {"preset": "hello"}).json["version"] == opened - 1
    assert [each["table"] for each in table.mei.get("/v1/tables?status=playing").json["items"]] == [table.id]


def test_a_poll_for_the_view_is_answered_when_the_round_is_over(world, table, monkeypatch):
    pushed, push = [], Follower.push
    monkeypatch.setattr(Follower, "push", lambda self, frame: pushed.append(frame.first) or push(self, frame))
    table.get_ready()
    table.play_until("play", by=table.move)
    while sum(map(sum, table.state()["round"]["hands"])) > 1:
        table.move()
    world.now += DELAY
    tag = table.mei.get(table.path).headers["ETag"]
    thread = once_followed(world, table.move)
    answer = table.mei.get(f"{table.path}?wait=25", headers={"If-None-Match": tag})
    thread.join()
    assert answer.json["phase"] == "playing"
    # The poll has not just timed out: the feed has sent the first event of the round.
    assert f'"{pushed[0] - 1}.open"' == tag
    assert sum(sum(hand.values()) for hand in answer.json["hands"]) == 1


def test_a_host_without_a_seat_sees_the_game_without_delay_and_without_hands(world):
    host, mei = world.player("Lin"), world.player("Mei")
    spec = {"ruleset": "sishifen", "players": 4, "visibility": "public", "spectators": "open", "spectator_delay_ms": 0}
    path = f"/v1/tables/{host.post('/v1/tables', spec).json['id']}"
    for seat in range(4):
        host.put(f"{path}/seats/{seat}/ai", {"level": "easy"})
    host_view, watched = host.get(path), mei.get(path)
    assert host_view.json["status"] == "playing"
    assert "hands" not in host_view.json
    assert host_view.json["version"] > watched.json["version"]
    assert host.delete(path).status_code == 200
    host_view, watched = host.get(path), mei.get(path)
    assert host_view.json["version"] == watched.json["version"]
    assert ("hands" in host_view.json, "hands" in watched.json) == (False, True)
    # Their ETags differ.
    assert watched.json == mei.get(path, headers={"If-None-Match": host_view.headers["ETag"]}).json


def test_open_hands_need_the_consent_of_all_before_the_game(world):
    table = world.table(ruleset="sishifen", ready=False, spectators="delayed")

    def change(**settings):
        return table.host.patch(table.path, settings, headers={"If-Match": "*"})

    def ready():
        return [seat["ready"] for seat in table.view()["seats"]]

    for client in table.clients[:3]:
        client.put(f"{table.path}/seats/me/ready", {})
    assert [event["type"] for event in change(spectators="off").json["events"]] == ["settings_changed"]
    opened = change(spectators="open").json["events"]
    assert [event["type"] for event in opened] == ["settings_changed", "seat_ready", "seat_ready"]
    assert ready() == [True, False, False, False]
    table.clients[1].put(f"{table.path}/seats/me/ready", {})
    change(spectator_delay_ms=0)
    assert ready() == [True, False, False, False]
    change(spectators="delayed")
    table.get_ready()
    assert_problem(change(spectators="open"), "game-running", reason="round_running")
    table.play_until("ready", by=table.move)
    assert_problem(change(spectators="open"), "game-running", reason="setting_in_game", settings=["spectators"])
    assert "hands" not in world.player("Mei").get(table.path).json
