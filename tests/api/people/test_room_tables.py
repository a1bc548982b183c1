"""The tables of a room: who comes there without a code, what waits for people, and what ends with a removal."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.game.commands.table.bounds import MOST_COMMANDS
from service.game.ids import CODE
from tests.api.contract import assert_problem
from tests.api.people.test_blocks import reason_of
from tests.api.people.test_people import notes_of
from tests.api.people.test_rooms import Room
from tests.api.play import Table
from tests.api.streams.test_events import Stream

MINUTE_MS = 60_000
FAST = {"options": {"deal_pace": "instant"}, "ai_pace_ms": 0}


class Evening(Room):
    """A room of four, and the table that its host has opened."""

    def __init__(self, world, *, kind="human", **rules):
        super().__init__(world, **{**FAST, **rules})
        self.world = world
        self.members = [world.player(name, kind) for name in ("Mei", "Wei", "Tao")]
        for member in self.members:
            self.join(member)
        self.table = self.open()

    @property
    def four(self):
        return [self.host, *self.members]

    def open(self, by=None):
        answer = (by or self.host).post(f"{self.path}/table")
        assert answer.status_code == 200, answer.json
        return Table(self.world, answer.json["table"]["table"], self.four)

    def sit(self):
        for seat, client in enumerate(self.four):
            answer = client.post(f"{self.table.path}/seats", {"seat": seat})
            assert answer.status_code == 200, answer.json
        return self

    def begin(self):
        self.sit()
        self.table.get_ready()
        return self

    def play_tricks(self, number):
        self.table.play_until("play", by=self.table.move)
        while len(self.table.state()["round"]["tricks"]) < number:
            self.table.move()
        return self


@pytest.fixture
def evening(world):
    return Evening(world)


# --- coming to the table ----------------------------------------------------------------------------------------------


def test_who_opens_the_table_hosts_it_and_the_others_who_play_are_told(world, evening):
    watcher = world.player("Wang", "human")
    evening.join(watcher, "watcher")
    later = Evening(world)
    later.join(watcher, "watcher")
    assert later.table.view()["host"] == later.host.player["id"]
    for member in later.members:
        [data] = [data for kind, data in notes_of(world, member) if kind == "room_opened"]
        assert (data["room"], data["table"], data["name"]) == (later.id, later.table.id, "Lin")
    assert [each for each in notes_of(world, later.host) + notes_of(world, watcher) if each[0] == "room_opened"] == []


def test_a_block_keeps_the_notice_that_a_table_is_open(world):
    room = Room(world, "Mei", "Wei")
    mei, wei = room.members
    wei.put(f"/v1/me/blocks/{mei.player['id']}")
    mei.post(f"{room.path}/table")
    assert [kind for kind, _ in notes_of(world, wei)] == []
    assert [kind for kind, _ in notes_of(world, room.host)] == ["room_opened"]


def test_opening_again_leads_to_the_same_table_and_tells_nobody(world, evening):
    assert evening.open(evening.members[0]).id == evening.table.id
    assert len([kind for kind, _ in notes_of(world, evening.members[1]) if kind == "room_opened"]) == 1


def test_four_who_open_at_once_get_one_table(world):
    room = Room(world, "Mei", "Wei", "Tao")
    clients = [room.host, *room.members]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda client: client.post(f"{room.path}/table"), clients))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json["table"]["table"] for answer in answers}) == 1
    hosted = [world.stores.players.tables_of(client.player["id"]) for client in clients]
    assert {table for tables in hosted for table in tables} == {answers[0].json["table"]["table"]}


def test_those_of_a_room_sit_down_without_a_code_and_nothing_is_dealt_before_all_are_ready(world, evening):
    evening.sit()
    evening.host.put(f"{evening.table.path}/seats/me/ready", {})
    world.now += 600 * MINUTE_MS
    world.advance(evening.table.id)
    assert evening.table.state()["status"] == "lobby"
    for client in evening.members:
        client.put(f"{evening.table.path}/seats/me/ready", {})
    assert evening.table.state()["status"] == "playing"


def test_nobody_else_comes_to_a_table_of_a_room_whatever_the_code(world, evening):
    evening.sit()
    mallory = world.player("Mallory")
    code = world.stores.tables.load(evening.table.id).state["settings"]["join_code"]
    assert "join_code" not in evening.table.view()
    assert_problem(mallory.get(f"/v1/join-codes/{code}"), "not-found")
    for body in ({}, {"join_code": code}, {"seat": 1, "join_code": code}):
        assert_problem(mallory.post(f"{evening.table.path}/seats", body), "private-table")
    for path in ("", "/events", "/legal-plays"):
        assert mallory.get(f"{evening.table.path}{path}").status_code in (403, 404)
    watched = mallory.put(f"{evening.table.path}/watchers/me", {"watch_code": code})
    assert_problem(watched, "private-table")
    assert evening.host.post(f"{evening.table.path}/invitations", {"player": mallory.player["id"]}).status_code == 200
    assert notes_of(world, mallory) == []
    listed = [each["table"] for each in mallory.get("/v1/tables").json["items"]]
    assert evening.table.id not in listed


def test_who_watches_in_a_room_sees_its_tables_and_neither_opens_one_nor_sits_down(world, evening):
    evening.begin()
    watcher = world.player("Wang", "human")
    evening.join(watcher, "watcher")
    seen = watcher.get(evening.table.path)
    assert (seen.status_code, "my" in seen.json) == (200, False)
    assert_problem(watcher.post(f"{evening.path}/table"), "only-watching")
    assert_problem(watcher.post(f"{evening.table.path}/seats", {}), "private-table")


def test_a_table_names_its_room_to_all_who_see_it(world, evening):
    evening.begin()
    watcher = world.player("Wang", "human")
    evening.join(watcher, "watcher")
    assert {client.get(evening.table.path).json["room"] for client in (evening.host, watcher)} == {evening.id}
    assert "room" not in world.table().view()


def test_a_room_shows_its_table_until_that_is_closed(evening):
    shown = evening.members[0].get(evening.path).json["table"]
    assert (shown["table"], shown["status"], shown["free"]) == (evening.table.id, "lobby", 4)
    evening.host.delete(evening.table.path)
    assert evening.members[0].get(evening.path).json["table"] is None
    assert evening.open(evening.members[0]).id != evening.table.id


# --- no clock ---------------------------------------------------------------------------------------------------------


def test_a_table_of_a_room_has_no_clock_unless_the_room_wants_one(world):
    free = Evening(world).begin()
    assert free.table.view()["clock"]["untimed"]
    seen = set()
    for _ in range(40):
        decision = free.table.state()["decision"]
        assert decision["deadline"] is None
        seen.add(decision["kind"])
        free.table.move()
    assert {"declare", "discard", "play"} <= seen
    timed = Evening(world, clock={"play_ms": 20_000}).begin()
    assert timed.table.state()["decision"]["deadline"] is not None


def test_a_host_who_sets_a_limit_gives_the_table_a_clock(evening):
    changed = evening.host.patch(evening.table.path, {"clock": {"play_ms": 20_000}}, headers={"If-Match": "*"})
    assert changed.status_code == 200, changed.json
    assert "untimed" not in evening.table.view()["clock"]
    evening.begin()
    assert evening.table.state()["decision"]["deadline"] is not None


def leave_pages(evening):
    for client in evening.four:
        away = {"type": "presence", "player": client.player["id"], "presence": "away"}
        evening.world.tables.act(evening.table.id, away)


def leave_seats(evening):
    for client in evening.four:
        assert client.delete(f"{evening.table.path}/seats/me").status_code == 200


def come_back(evening):
    for client in evening.four:
        client.post(f"{evening.table.path}/seats/me/resume")
    evening.host.delete(f"{evening.table.path}/pause")


def game_of(table):
    """All of a game but who is there."""
    state = table.state()
    dealt = state["round"] and {name: state["round"][name] for name in ("number", "hands", "points", "trick", "phase")}
    asked = state["decision"] or state["pause"]["decision"]
    return dealt, [asked[name] for name in ("kind", "deadline")], [seat["level"] for seat in state["seats"]]


@pytest.mark.parametrize("ways", [leave_pages, leave_seats])
@pytest.mark.parametrize("moment", ["after round 1", "after trick 3"])
def test_four_who_leave_for_ten_minutes_find_the_game_as_they_left_it(world, evening, ways, moment):
    evening.begin()
    evening.table.play_until("ready", by=evening.table.move) if moment == "after round 1" else evening.play_tricks(3)
    before = game_of(evening.table)
    ways(evening)
    for _ in range(20):
        world.now += MINUTE_MS // 2
        world.advance(evening.table.id)
    assert game_of(evening.table) == before
    come_back(evening)
    assert game_of(evening.table) == before
    state = evening.table.state()
    assert state["decision"] is not None
    assert all(seat["autopilot"] is None for seat in state["seats"])
    evening.table.play_until("ready", by=evening.table.move) if moment != "after round 1" else evening.table.get_ready()
    assert evening.table.state()["round"]["number"] == (2 if moment == "after round 1" else 1)


def test_leaving_during_a_round_pauses_the_game_until_somebody_ends_the_pause(world, evening):
    evening.begin().play_tricks(1)
    mei, wei = evening.members[:2]
    left = mei.delete(f"{evening.table.path}/seats/me").json
    assert [event["type"] for event in left["events"]] == ["seat_left", "game_paused"]
    world.now += 24 * 60 * MINUTE_MS
    world.advance(evening.table.id)
    pause = wei.get(evening.table.path).json["pause"]
    assert (pause["reason"], pause["by_seat"]) == ("left", 1)
    assert wei.delete(f"{evening.table.path}/pause").status_code == 200
    assert evening.table.state()["seats"][1]["autopilot"] == "easy", "an AI player plays on"
    mei.post(f"{evening.table.path}/seats/me/resume")
    assert evening.table.state()["seats"][1]["autopilot"] is None
    assert "paused_ms" not in evening.table.state()["game"], "no pause that was voted for"


def test_who_has_left_and_ends_the_pause_is_back(evening):
    evening.begin().play_tricks(1)
    mei = evening.members[0]
    mei.delete(f"{evening.table.path}/seats/me")
    assert mei.delete(f"{evening.table.path}/pause").status_code == 200
    state = evening.table.state()
    assert (state["seats"][1]["autopilot"], "pause" in state) == (None, False)


def test_a_record_of_a_room_without_a_clock_is_right(world, evening):
    evening.begin()
    evening.table.play_until("ready", by=evening.table.move)
    game = evening.table.state()["game"]["id"]
    record = evening.host.get(f"/v1/games/{game}/record").json
    assert record["clock"]["untimed"]
    assert evening.host.post("/v1/record-checks", record).json["ok"]


# --- removal ----------------------------------------------------------------------------------------------------------


def gone(evening, client):
    """Check that a player has nothing left at the table."""
    path = evening.table.path
    assert_problem(client.get(path), "private-table")
    assert_problem(client.get(f"{path}/events"), "private-table")
    assert_problem(client.post(f"{path}/seats", {}), "private-table")
    assert client.get("/v1/me/tables").json["items"] == []
    for method, end, body in (
        ("put", "seats/me/ready", {}),
        ("post", "seats/me/resume", None),
        ("post", "votes", {"kind": "abandon"}),
        ("post", "play", {"decision_id": "dc_1", "cards": ["2C"]}),
        ("delete", "pause", None),
    ):
        arguments = () if body is None else (body,)
        refused = getattr(client, method)(f"{path}/{end}", *arguments)
        # While the game is paused, that is said first.
        assert refused.json["code"] in ("not-your-seat", "wrong-phase"), refused.json


@pytest.mark.parametrize("moment", ["before the game", "between rounds", "during a round", "while paused"])
def test_a_removal_ends_the_seat_of_that_person_alone(world, evening, moment):
    evening.sit() if moment == "before the game" else evening.begin()
    if moment == "between rounds":
        evening.table.play_until("ready", by=evening.table.move)
    elif moment != "before the game":
        evening.play_tricks(2)
    mei, wei, tao = evening.members
    if moment == "while paused":
        tao.delete(f"{evening.table.path}/seats/me")
    assert evening.remove(evening.host, mei).status_code == 204
    gone(evening, mei)
    occupant = evening.table.state()["seats"][1]["occupant"]
    assert occupant is None if moment in ("before the game", "between rounds") else occupant["kind"] == "ai"
    assert wei.get(evening.path).json["links"] == evening.links
    other = world.player("Wang", "human")
    assert evening.join(other).status_code == 200
    if moment in ("before the game", "between rounds"):
        assert other.post(f"{evening.table.path}/seats", {}).status_code == 200
        clients = [evening.host, other, wei, tao]
        evening.table.clients = clients
        evening.table.get_ready()
        assert evening.table.state()["round"]["number"] == (1 if moment == "before the game" else 2)
    else:
        evening.host.delete(f"{evening.table.path}/pause")
        tao.post(f"{evening.table.path}/seats/me/resume")
        for _ in range(200):
            world.now += 2_000
            world.advance(evening.table.id)
            if evening.table.state()["decision"]["kind"] == "ready":
                break
            evening.table.move()
        assert evening.table.state()["decision"]["kind"] == "ready"


def test_who_has_used_up_all_commands_of_a_round_is_removed_all_the_same(world, evening):
    evening.sit()
    mei = evening.members[0]
    for number in range(MOST_COMMANDS - 1):
        world.tables.act(evening.table.id, {"type": "ready", "player": mei.player["id"], "ready": number % 2 == 0})
    assert_problem(mei.put(f"{evening.table.path}/seats/me/ready", {}), "wrong-phase", reason="too_many_commands")
    assert evening.remove(evening.host, mei).status_code == 204
    assert evening.table.state()["seats"][1]["occupant"] is None


def test_a_removal_ends_the_stream_of_who_watches(world, evening):
    mei, watcher = evening.members[0], world.player("Wang", "human")
    evening.join(watcher, "watcher")
    following = f"{evening.table.path}/events?after=0"
    with Stream(watcher, following) as stream, Stream(mei, following) as other:
        assert stream.next()[0] == other.next()[0] == "message"
        evening.remove(evening.host, watcher)
        assert reason_of(stream) == "private-table"
        evening.sit()
        assert other.next()[0] == "message"
    assert_problem(watcher.get(evening.table.path), "private-table")
    assert_problem(watcher.get(following), "private-table")
    assert mei.get(evening.table.path).status_code == 200


def test_who_opened_the_table_and_leaves_the_room_hosts_it_no_longer(world):
    room = Room(world, "Mei")
    [mei] = room.members
    table = mei.post(f"{room.path}/table").json["table"]["table"]
    assert room.remove(mei, mei).status_code == 204
    assert_problem(mei.get(f"/v1/tables/{table}"), "private-table")
    assert_problem(mei.delete(f"/v1/tables/{table}"), "not-host")
    assert world.tables.load(table)["host"] == room.host.player["id"]


def test_codes_of_tables_and_of_rooms_do_not_open_each_other(world, evening):
    assert_problem(world.anybody.get(f"/v1/join-codes/{evening.links['member']}"), "not-found")
    assert_problem(world.anybody.get(f"/v1/room-links/{CODE[:12]}"), "not-found")
