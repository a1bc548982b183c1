"""Blocks, friends, presence and invitations."""

import pytest

from harness.waiting import wait_until
from service.account_events.catalogue import ROWS
from service.api.streams import heartbeats
from service.common import fastjson
from service.store import codec, keys
from service.store.players.inbox import DELETED_NAME, Note
from service.store.players.people import HERE_MS, MOST_BLOCKS, MOST_FRIENDS
from tests.api.contract import assert_problem
from tests.api.streams.test_account_stream import opened

NEW = {"ruleset": "shengji", "players": 4, "visibility": "public"}
GAME = {"ruleset": "shengji", "players": 4}
SAME_ID = {"X-Request-Id": "rq_0000000000000001"}


@pytest.fixture
def mei(world):
    return world.player("Mei", "human")


def block(client, other):
    assert client.put(f"/v1/me/blocks/{other.player['id']}").status_code == 204


def befriend(client, other):
    assert client.put(f"/v1/me/friends/{other.player['id']}").status_code == 204


def friends(client, *members):
    return [tuple(each[name] for name in ("name", *members)) for each in client.get("/v1/me/friends").json["items"]]


def notes_of(world, client):
    return [(note.type, note.data) for note in world.stores.inbox.after(client.player["id"], 0, 100)]


def invite(client, table, other):
    answer = client.post(f"/v1/tables/{table}/invitations", {"player": other.player["id"]})
    assert answer.status_code == 200, answer.json
    return answer.json


# --- blocks: every way to meet ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [{}, {"seat": 2}])
@pytest.mark.parametrize("is_private", [False, True])
@pytest.mark.parametrize("does_block", ["host", "guest"])
def test_a_blocked_player_gets_the_same_response_as_without_the_code_of_a_private_table(
    world, lin, mei, body, is_private, does_block
):
    view = lin.post("/v1/tables", {**NEW, "visibility": "private" if is_private else "public"}).json
    path = f"/v1/tables/{view['id']}/seats"
    code = {"join_code": view["join_code"]} if is_private else {}
    lin.post(path, {"seat": 0})
    block(*((lin, mei) if does_block == "host" else (mei, lin)))
    refused = mei.post(path, {**body, **code}, headers=SAME_ID)
    others = [world.player(f"P{number}") for number in range(3)]
    assert [other.post(path, code).status_code for other in others] == [200] * 3
    assert mei.post(path, {**body, **code}, headers=SAME_ID).data == refused.data, "full or not"
    lin.patch(view["id"].join(("/v1/tables/", "")), {"visibility": "private"}, headers={"If-Match": "*"})
    lin.delete(f"/v1/me/blocks/{mei.player['id']}")
    mei.delete(f"/v1/me/blocks/{lin.player['id']}")
    private = mei.post(path, {**body, **(code and {"join_code": "WRONG2"})}, headers=SAME_ID)
    assert_problem(private, "private-table", reason="wrong_join_code" if is_private else "no_join_code")
    assert (refused.status_code, refused.data) == (private.status_code, private.data)
    headers = [{name: value for name, value in answer.headers if name != "RateLimit"} for answer in (refused, private)]
    assert headers[0] == headers[1]


def test_a_blocked_player_with_a_wrong_code_is_refused_for_the_code(lin, mei):
    view = lin.post("/v1/tables", NEW | {"visibility": "private"}).json
    block(lin, mei)
    assert_problem(mei.post(f"/v1/tables/{view['id']}/seats", {"join_code": "WRONG2"}), "private-table")


def test_a_block_also_holds_at_tables_of_others_until_it_is_lifted(world, lin, mei):
    path = f"/v1/tables/{world.player('Yun').post('/v1/tables', NEW).json['id']}/seats"
    assert mei.post(path, {}).status_code == 200
    block(lin, mei)
    assert_problem(lin.post(path, {}), "private-table")
    assert mei.post(path, {}).status_code == 200, "who sits there stays"
    assert lin.delete(f"/v1/me/blocks/{mei.player['id']}").status_code == 204
    assert lin.post(path, {}).status_code == 200


def test_a_block_also_holds_for_seats_between_rounds(world, lin, mei):
    table = world.table(ruleset="sishifen")
    table.play_until("ready", by=table.move)
    table.clients[3].delete(f"{table.path}/seats/me")
    block(table.clients[2], mei)
    assert_problem(mei.post(f"{table.path}/seats", {}), "private-table")
    assert lin.post(f"{table.path}/seats", {}).status_code == 200


@pytest.mark.parametrize("last", [0, 1, 2, 3])
def test_no_game_begins_with_two_players_of_whom_one_has_blocked_the_other(world, last):
    table = world.table(ready=False)
    first, second = table.clients[1], table.clients[3]
    block(first, second)
    order = [client for client in table.clients if client is not table.clients[last]] + [table.clients[last]]
    answers = [client.put(f"{table.path}/seats/me/ready", {}) for client in order]
    assert [answer.status_code for answer in answers[:3]] == [200] * 3
    state = table.state()
    assert state["status"] == "lobby"
    # Whoever is last to get ready, seat 3 gives way, and learns only what those learn whom the host has removed.
    assert [seat["occupant"] is None for seat in state["seats"]] == [False, False, False, True]
    if last == 3:
        assert_problem(answers[3], "not-your-seat")
    else:
        assert answers[3].status_code == 200
    assert_problem(second.post(f"{table.path}/seats", {}), "private-table")
    # With somebody else, the game begins.
    yun = world.player("Yun")
    assert yun.post(f"{table.path}/seats", {}).status_code == 200
    answers = [client.put(f"{table.path}/seats/me/ready", {}).status_code for client in (*table.clients[:3], yun)]
    assert answers == [200] * 4
    assert table.state()["status"] == "playing"


def test_the_host_never_gives_way_and_an_ai_player_on_the_last_seat_starts_no_such_game(world):
    table = world.table(seated=False)
    host, guest, other = table.clients[:3]
    for seat, client in ((3, host), (0, guest), (1, other)):
        client.post(f"{table.path}/seats", {"seat": seat})
        client.put(f"{table.path}/seats/me/ready", {})
    block(host, guest)
    assert host.put(f"{table.path}/seats/2/ai", {"level": "easy"}).status_code == 200
    assert table.state()["status"] == "lobby"
    assert [bool(seat["occupant"]) for seat in table.state()["seats"]] == [False, True, True, True]


def test_a_player_whom_the_host_has_blocked_does_not_stay_in_the_waiting_room(world):
    waiting, playing = world.table(ready=False), world.table()
    other = world.table(ready=False)
    host, guest = waiting.clients[:2]
    block(host, guest)
    assert waiting.state()["seats"][1]["occupant"] is None
    assert_problem(guest.post(f"{waiting.path}/seats", {}), "private-table")
    # Guests do not part each other, nor does a block end a running game.
    block(other.clients[2], other.clients[1])
    block(playing.host, playing.clients[1])
    for table in (other, playing):
        assert all(seat["occupant"] for seat in table.state()["seats"])


def test_the_next_game_does_not_begin_with_a_blocked_player(world):
    table = world.table()
    world.tables.act(table.id, {"type": "open_vote", "player": table.host.player["id"], "kind": "abandon"})
    vote = table.state()["vote"]["id"]
    for client in table.clients[1:]:
        command = {"type": "cast_vote", "player": client.player["id"], "vote": vote, "approve": True}
        world.tables.act(table.id, command)
    assert table.state()["status"] == "finished"
    block(table.clients[2], table.clients[1])
    answers = [client.put(f"{table.path}/seats/me/ready", {}).status_code for client in table.clients]
    assert answers == [200] * 4
    assert table.state()["status"] == "finished"
    assert table.state()["seats"][2]["occupant"] is None


def test_blocking_mutes_and_unblocking_unmutes(world):
    table = world.table(ready=False)
    me, loud = table.clients[1:3]
    block(me, loud)
    seq = loud.post(f"{table.path}/chat", {"text": "hello"}).json["seq"]
    [event] = me.get(f"{table.path}/events?after={seq - 1}&limit=1").json["events"]
    assert event["data"] == {"seat": 2, "muted": True}
    me.delete(f"/v1/me/blocks/{loud.player['id']}")
    assert me.get("/v1/me/mutes").json == {"players": []}


def test_the_list_of_blocks_is_private_and_bounded(world, lin, mei):
    block(lin, mei)
    block(lin, mei)
    [entry] = lin.get("/v1/me/blocks").json["items"]
    assert (entry["player"], entry["name"]) == (mei.player["id"], "Mei")
    assert mei.get("/v1/me/blocks").json["items"] == []
    assert_problem(lin.put("/v1/me/blocks/pl_nobody"), "not-found", what="player")
    world.redis.zadd(keys.blocks_of(lin.player["id"]), {f"pl_{number}": 1 for number in range(MOST_BLOCKS - 1)})
    assert_problem(lin.put(f"/v1/me/blocks/{world.player().player['id']}"), "too-many-blocks", limit=MOST_BLOCKS)
    mei.delete("/v1/me")
    assert lin.get("/v1/me/blocks").json["items"] == [], "who does not exist is not shown"


# --- friends ----------------------------------------------------------------------------------------------------------


def test_friends_are_mutual_and_both_are_told(world, lin, mei):
    befriend(lin, mei)
    befriend(lin, mei)
    assert friends(lin, "state", "presence") == [("Mei", "asked", None)]
    assert friends(mei, "state", "presence") == [("Lin", "asks", None)]
    about = [{"player": client.player["id"], "name": client.player["name"]} for client in (lin, mei)]
    assert notes_of(world, mei) == [("friend_asked", about[0])]
    with opened(lin) as stream:
        befriend(mei, lin)
        assert stream.event() == ("friend_made", about[1])
    assert notes_of(world, mei)[1:] == [("friend_made", about[0])]
    assert friends(lin, "state") == [("Mei", "friend")]
    assert friends(mei, "state", "presence") == [("Lin", "friend", "offline")]


@pytest.mark.parametrize("who", ["asker", "asked"])
def test_a_friend_request_that_is_declined_or_withdrawn_is_gone_and_not_notified_twice(world, lin, mei, who):
    befriend(lin, mei)
    ends, other = (lin, mei) if who == "asker" else (mei, lin)
    assert ends.delete(f"/v1/me/friends/{other.player['id']}").status_code == 204
    assert friends(lin) == friends(mei) == []
    befriend(lin, mei)
    assert friends(mei, "state") == [("Lin", "asks")]
    assert [kind for kind, _ in notes_of(world, mei)] == ["friend_asked"]


def test_friend_requests_of_blocked_players_do_not_arrive(world, lin, mei):
    block(mei, lin)
    befriend(lin, mei)
    assert friends(lin, "state") == [("Mei", "asked")]
    assert friends(mei) == notes_of(world, mei) == []
    assert_problem(mei.put(f"/v1/me/friends/{lin.player['id']}"), "player-blocked")
    mei.delete(f"/v1/me/blocks/{lin.player['id']}")
    befriend(mei, lin)
    assert friends(mei, "state") == [("Lin", "friend")]


def test_blocking_ends_a_friendship_and_hides_an_open_request(lin, mei):
    befriend(lin, mei)
    block(mei, lin)
    assert friends(lin, "state") == [("Mei", "asked")]
    assert friends(mei) == []
    mei.delete(f"/v1/me/blocks/{lin.player['id']}")
    befriend(mei, lin)
    block(mei, lin)
    assert friends(lin) == friends(mei) == []


def test_the_number_of_friends_and_requests_is_limited(world, lin, mei):
    many = {f"pl_{number}": "asked 1" for number in range(MOST_FRIENDS)}
    world.redis.hset(keys.friends_of(lin.player["id"]), mapping=many)
    assert_problem(lin.put(f"/v1/me/friends/{mei.player['id']}"), "too-many-friends", limit=MOST_FRIENDS)
    # At the limit, no further requests arrive; those who ask do not learn of it.
    world.redis.hset(keys.friends_of(lin.player["id"]), mapping=dict.fromkeys(many, "asks 1"))
    befriend(mei, lin)
    assert notes_of(world, lin) == []
    befriend(lin, mei)
    assert friends(mei, "state") == [("Lin", "friend")]


def test_an_unknown_player_or_oneself_cannot_be_a_friend(lin):
    for player in ("pl_nobody", lin.player["id"]):
        assert_problem(lin.put(f"/v1/me/friends/{player}"), "not-found", what="player")


def test_friends_see_presence_unless_it_is_hidden(world, lin, mei, monkeypatch):
    monkeypatch.setattr(heartbeats, "random", lambda: 0)
    befriend(lin, mei)
    befriend(mei, lin)
    with opened(mei):
        wait_until(lambda: friends(lin, "presence") == [("Mei", "online")])
        assert mei.patch("/v1/me", {"presence": "nobody"}).json["presence"] == "nobody"
        assert friends(lin, "presence") == [("Mei", "offline")]
        mei.patch("/v1/me", {"presence": "friends"})
    world.now += HERE_MS
    assert friends(lin, "presence") == [("Mei", "offline")]


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_friends_see_the_table_where_a_player_plays_if_it_is_public(world, lin, visibility):
    table = world.table(visibility=visibility)
    player = table.clients[2]
    befriend(lin, player)
    befriend(player, lin)
    world.stores.people.note_here([player.player["id"]], world.now)
    expected = table.id if visibility == "public" else None
    assert friends(lin, "presence", "table") == [("Bot 2", "playing", expected)]
    player.delete(f"{table.path}/seats/me")
    assert friends(lin, "presence", "table") == [("Bot 2", "online", None)]


# --- invitations ------------------------------------------------------------------------------------------------------


def test_an_invitation_arrives_once_and_leads_to_a_seat(world, lin, mei):
    view = lin.post("/v1/tables", {**NEW, "visibility": "private"}).json
    with opened(mei) as stream:
        sent = invite(lin, view["id"], mei)
        assert invite(lin, view["id"], mei) == sent
        kind, data = stream.event()
    assert (kind, data["table"], data["join_code"]) == ("invited", view["id"], view["join_code"])
    assert len(notes_of(world, mei)) == 1
    [item] = mei.get("/v1/me/invitations").json["items"]
    assert data.items() <= item.items()
    assert (item["players"], item["free"], item["name"]) == (4, 4, "Lin")
    assert mei.post(f"/v1/tables/{view['id']}/seats", {"join_code": item["join_code"]}).status_code == 200
    assert mei.get("/v1/me/invitations").json["items"] == []


@pytest.mark.parametrize("setting", ["anyone", "friends", "nobody"])
@pytest.mark.parametrize("are_friends", [False, True])
def test_players_choose_who_invites_them(world, lin, mei, setting, are_friends):
    table = lin.post("/v1/tables", NEW).json["id"]
    assert mei.patch("/v1/me", {"invitations": setting}).json["invitations"] == setting
    if are_friends:
        befriend(lin, mei)
        befriend(mei, lin)
    invite(lin, table, mei)
    arrived = any(kind == "invited" for kind, _ in notes_of(world, mei))
    assert arrived == (setting == "anyone" or (setting == "friends" and are_friends))


@pytest.mark.parametrize("does_block", ["invited", "host"])
def test_invitations_to_tables_with_a_blocked_player_do_not_arrive(world, lin, mei, does_block):
    table = lin.post("/v1/tables", NEW).json["id"]
    yun = world.player("Yun")
    yun.post(f"/v1/tables/{table}/seats", {})
    block(*((mei, lin) if does_block == "invited" else (lin, mei)))
    heard = world.player("Kai")
    answers = [invite(yun, table, other) for other in (mei, heard)]
    assert answers[0].keys() == answers[1].keys()
    assert notes_of(world, mei) == []
    assert len(notes_of(world, heard)) == 1


def test_an_invitation_lapses_with_the_table_its_code_and_a_block(world, lin, mei):
    def listed():
        return [item["table"] for item in mei.get("/v1/me/invitations").json["items"]]

    tables = [lin.post("/v1/tables", NEW | {"visibility": "private"}).json["id"] for _ in range(3)]
    for table in tables:
        invite(lin, table, mei)
    assert listed() == tables[::-1]
    lin.delete(f"/v1/tables/{tables[0]}")
    assert listed() == tables[:0:-1]
    code = lin.get(f"/v1/tables/{tables[1]}").json["join_code"]
    for each in (world.player("Yun"), mei):
        each.post(f"/v1/tables/{tables[1]}/seats", {"join_code": code})
    # The code that Mei was sent works on when another is removed, but not for her once she is removed herself.
    lin.delete(f"/v1/tables/{tables[1]}/seats/0")
    mei.delete(f"/v1/tables/{tables[1]}/seats/me")
    assert listed() == tables[:0:-1]
    mei.post(f"/v1/tables/{tables[1]}/seats", {"join_code": code})
    lin.delete(f"/v1/tables/{tables[1]}/seats/0")
    assert listed() == tables[2:]
    block(mei, lin)
    assert listed() == []


def test_only_players_at_an_open_table_invite_and_only_existing_players(world, lin, mei):
    table = lin.post("/v1/tables", NEW).json["id"]
    path = f"/v1/tables/{table}/invitations"
    assert_problem(mei.post(path, {"player": lin.player["id"]}), "not-your-seat")
    assert_problem(lin.post(path, {"player": "pl_nobody"}), "not-found", what="player")
    lin.delete(f"/v1/tables/{table}")
    assert_problem(lin.post(path, {"player": mei.player["id"]}), "wrong-phase", reason="table_closed")


def test_blocks_and_friends_of_a_player_take_eighty_kilobytes(world, lin):
    me = lin.player["id"]
    ids = [f"pl_{number:012}" for number in range(MOST_FRIENDS)]
    others = [f"pl_9{number:011}" for number in range(MOST_FRIENDS)]
    world.redis.zadd(keys.blocks_of(me), dict.fromkeys(ids, world.now))
    ties = dict.fromkeys(ids, f"friend {world.now}") | dict.fromkeys(others, f"asks {world.now}")
    world.redis.hset(keys.friends_of(me), mapping=ties)
    assert sum(world.redis.memory_usage(of(me), samples=0) for of in (keys.blocks_of, keys.friends_of)) <= 80_000


def test_the_name_of_an_erased_player_is_in_no_inbox_and_a_new_one_is_in_all(world, lin, mei):
    def names():
        return [(kind, data["name"]) for kind, data in notes_of(world, mei) if "name" in data]

    befriend(lin, mei)
    befriend(mei, lin)
    assert lin.post("/v1/me/ticket", GAME | {"with": [mei.player["id"]]}).status_code == 200
    lin.delete("/v1/me/ticket")
    invite(lin, lin.post("/v1/tables", NEW).json["id"], mei)
    cup = lin.post("/v1/team-events", {"name": "Cup", **GAME}).json["event"]
    members = [{"player": lin.player["id"]}, {"player": mei.player["id"]}, *[{"level": "easy"}] * 2]
    lin.post(f"/v1/team-events/{cup}/teams", {"teams": [{"name": "Dragons", "members": members}]})
    mei.patch("/v1/me", {"accepts": {"concurrent": 1}})
    world.stores.people.note_here([mei.player["id"]], world.now)
    lin.post(f"/v1/players/{mei.player['id']}/challenges", GAME)
    room = lin.post("/v1/rooms", {"name": "Friday", "rules": GAME}).json
    mei.post("/v1/me/rooms", {"code": room["links"]["member"]})
    lin.post(f"/v1/rooms/{room['room']}/table")
    club, other_club = (one.post("/v1/clubs", {"name": "Lakeside", "listed": True}).json["club"] for one in (lin, mei))
    lin.put(f"/v1/clubs/{other_club}/requests/me")
    mei.put(f"/v1/clubs/{club}/requests/me")
    lin.put(f"/v1/clubs/{club}/requests/{mei.player['id']}/answer", {"accept": True})
    lin.post("/v1/team-events", {"name": "Cup", "club": club, **GAME})
    cup = lin.post("/v1/team-events", {"name": "Cup", **GAME}).json["event"]
    lin.put(f"/v1/team-events/{cup}/directors/{mei.player['id']}")
    lin.post(f"/v1/team-events/{cup}/notes", {"text": "Hello"})
    named = {kind for kind, schema in ROWS.items() if schema.has_words} - {
        "access_added",
        # These name teams, clubs and events.
        "club_event",
        "round_begins",
        "signed_in",
        "suspended",
        "time_agreed",
        "time_proposed",
        "voice",
        "webhook_disabled",
        "your_table",
    }
    assert {kind for kind, _ in names()} == named
    lin.patch("/v1/me", {"name": "Lin the Second"})
    assert {name for _, name in names()} == {"Lin the Second"}
    stored = world.redis.xrange(keys.inbox(mei.player["id"]))
    assert not any(b"Lin" in value for _, fields in stored for value in fields.values())
    lin.delete("/v1/me")
    assert {name for _, name in names()} == {DELETED_NAME}
    events = mei.get("/v1/me/events?after=0").json["events"]
    assert {event["data"]["name"] for event in events if event["type"] in named} == {DELETED_NAME}
    assert "Lin" not in mei.get("/v1/me/export").get_data(as_text=True)


def test_names_in_events_of_the_release_before_are_not_shown_either(world, lin, mei):
    note = Note("friend_asked", world.now, {"player": lin.player["id"], "name": "Lin"})
    stored = fastjson.dumps({"type": note.type, "at": note.at, **note.data})
    world.redis.xadd(keys.inbox(mei.player["id"]), {codec.NOTE: stored}, id=f"{world.now}-0")
    assert [data["name"] for _, data in notes_of(world, mei)] == ["Lin"]
    lin.delete("/v1/me")
    assert [data["name"] for _, data in notes_of(world, mei)] == [DELETED_NAME]
