"""Rooms: who belongs to one, its links, and what ends with leaving and removal."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from service.accounts.kept_bytes import ROOM
from service.circles.circles import MOST_CIRCLES, MOST_MEMBERS
from service.rules.options.rulesets import effective_options
from service.store import keys
from service.store.matchmaking.circles import CIRCLE_MS, MOST_REMOVED, UNUSED_MS
from service.store.players.own_lists import BEING_MADE_MS
from service.store.port import StoreUnavailable
from tests.api.contract import assert_problem
from tests.api.test_memory import cost, key

RULES = {"ruleset": "shengji", "players": 4}
NEW = {"name": "Friday", "rules": RULES}


class Room:
    """A room with its host and its members."""

    def __init__(self, world, *names, **rules):
        self.host = world.player("Lin", "human")
        made = self.host.post("/v1/rooms", {"name": "Friday", "rules": {**RULES, **rules}})
        assert made.status_code == 201, made.json
        self.id, self.links = made.json["room"], made.json["links"]
        self.path = f"/v1/rooms/{self.id}"
        self.members = [world.player(name, "human") for name in names]
        for member in self.members:
            assert self.join(member).status_code == 200

    def join(self, client, link="member"):
        return client.post("/v1/me/rooms", {"code": self.links[link]})

    def remove(self, by, client):
        return by.delete(f"{self.path}/people/{client.player['id']}")

    def people(self):
        return [(person["name"], person["role"]) for person in self.host.get(self.path).json["people"]]


@pytest.fixture
def room(world):
    return Room(world, "Mei", "Wei")


def rooms_of(client):
    return [each["room"] for each in client.get("/v1/me/rooms").json["items"]]


# --- belonging --------------------------------------------------------------------------------------------------------


def test_who_makes_a_room_is_its_host_and_others_join_by_its_link(world, room):
    assert room.people() == [("Lin", "host"), ("Mei", "member"), ("Wei", "member")]
    assert all(rooms_of(client) == [room.id] for client in (room.host, *room.members))
    seen = room.members[0].get(room.path).json
    assert (seen["name"], seen["role"], seen["rules"]["clock"]) == ("Friday", "member", None)
    assert seen["links"] == room.links


def test_a_link_shows_where_it_leads_without_a_token(world, room):
    shown = world.anybody.get(f"/v1/room-links/{room.links['member'].lower()}").json
    assert shown == {
        "name": "Friday",
        "grants": "member",
        "ruleset": "shengji",
        "players": 4,
        "members": 3,
        "room": None,
    }
    assert world.anybody.get(f"/v1/room-links/{room.links['watcher']}").json["grants"] == "watcher"


def test_a_link_names_the_room_to_those_to_whom_it_gives_nothing(world, room):
    wang = world.player("Wang", "human")
    room.join(wang, "watcher")
    seen = {
        (client.player["name"], link): client.get(f"/v1/room-links/{room.links[link]}").json["room"]
        for client in (*room.members, wang, world.player("Tao"))
        for link in room.links
    }
    assert {who for who, shown in seen.items() if shown == room.id} == {
        *((name, link) for name in ("Mei", "Wei") for link in room.links),
        ("Wang", "watcher"),
    }


def test_who_joins_to_watch_does_not_see_the_link_for_those_who_play(world, room):
    wang = world.player("Wang", "human")
    seen = room.join(wang, "watcher").json
    assert (seen["role"], seen["links"]) == ("watcher", {"member": None, "watcher": room.links["watcher"]})


def test_a_link_takes_nothing_from_those_who_belong_to_the_room(room):
    assert room.join(room.host, "watcher").json["role"] == "host"
    assert room.join(room.members[0], "watcher").json["role"] == "member"


def test_who_has_watched_may_play_with_the_link_for_those_who_play(world, room):
    wang = world.player("Wang", "human")
    room.join(wang, "watcher")
    world.now += 1
    assert room.join(wang).json["role"] == "member"
    assert room.people()[-1] == ("Wang", "member")


def test_the_host_changes_name_and_rules_and_nobody_else(room):
    rules = {"ruleset": "zhaopengyou", "players": 5, "clock": {"play_ms": 60_000}}
    changed = room.host.patch(room.path, {"name": "Saturday", "rules": rules}).json
    assert (changed["name"], changed["rules"]["players"], changed["rules"]["clock"]["play_ms"]) == (
        "Saturday",
        5,
        60_000,
    )
    assert_problem(room.members[0].patch(room.path, {"name": "Mine"}), "not-host")
    wrong = {"rules": {**RULES, "options": {"overcall": "never"}}}
    assert_problem(room.host.patch(room.path, wrong), "invalid-option")
    assert room.members[0].get(room.path).json["name"] == "Saturday"


def test_a_room_is_made_once_for_a_key(world, lin):
    made = [lin.post("/v1/rooms", NEW, headers=key(1)).json["room"] for _ in range(2)]
    assert made[0] == made[1]
    assert rooms_of(lin) == made[:1]


# --- leaving and removal ----------------------------------------------------------------------------------------------


def test_a_removed_member_has_no_right_left_and_the_links_work_for_all_others(world, room):
    mei, wei = room.members
    assert room.remove(room.host, mei).status_code == 204
    assert_problem(mei.get(room.path), "not-found")
    assert rooms_of(mei) == []
    assert_problem(room.join(mei), "removed-from-room")
    assert_problem(room.join(mei, "watcher"), "removed-from-room")
    assert_problem(mei.patch(room.path, {"name": "Mine"}), "not-found")
    assert room.join(world.player("Wang", "human")).status_code == 200
    assert wei.get(room.path).json["links"] == room.links
    assert [each["name"] for each in room.host.get(room.path).json["removed"]] == ["Mei"]
    assert wei.get(room.path).json["removed"] == []
    assert room.remove(room.host, mei).status_code == 204, "a retry"


def test_the_host_can_let_somebody_come_back(room):
    mei = room.members[0]
    room.remove(room.host, mei)
    back = f"{room.path}/removed/{mei.player['id']}"
    assert_problem(room.members[1].delete(back), "not-host")
    assert room.host.delete(back).status_code == 204
    assert room.join(mei).json["role"] == "member"


def test_nobody_but_the_host_removes_others(world, room):
    mei, wei = room.members
    assert_problem(room.remove(mei, wei), "not-host")
    assert_problem(room.remove(mei, room.host), "not-host")
    assert_problem(room.remove(world.player("Mallory"), wei), "not-found")
    assert_problem(room.remove(room.host, world.player("Mallory")), "not-found")
    assert len(room.people()) == 3


def test_when_the_host_leaves_who_came_first_becomes_host_and_the_last_takes_the_room_along(world, room):
    mei, wei = room.members
    watcher = world.player("Wang", "human")
    room.join(watcher, "watcher")
    assert room.remove(room.host, room.host).status_code == 204
    assert_problem(room.host.get(room.path), "not-found")
    assert mei.get(room.path).json["role"] == "host"
    assert room.remove(wei, wei).status_code == 204
    assert room.remove(mei, mei).status_code == 204
    assert_problem(watcher.get(room.path), "not-found")
    assert rooms_of(watcher) == []
    assert not list(world.redis.scan_iter("sj:circle*"))
    assert room.remove(mei, mei).status_code == 204, "a retry"


def test_the_host_makes_a_member_the_host_and_is_a_member_then(world, room):
    mei, wei = room.members
    watcher = world.player("Wang", "human")
    room.join(watcher, "watcher")
    path = f"{room.path}/host"
    assert_problem(mei.put(path, {"player": mei.player["id"]}), "not-host")
    for other in (watcher, world.player("Mallory")):
        assert_problem(room.host.put(path, {"player": other.player["id"]}), "not-found", what="player")
        assert_problem(other.put(path, {"player": mei.player["id"]}), "not-host" if other is watcher else "not-found")
    assert room.host.put(path, {"player": room.host.player["id"]}).json["role"] == "host"
    assert room.host.put(path, {"player": wei.player["id"]}).json["role"] == "member"
    assert room.people()[:3] == [("Lin", "member"), ("Mei", "member"), ("Wei", "host")]
    assert_problem(room.host.patch(room.path, {"name": "Mine"}), "not-host")
    assert_problem(room.host.put(path, {"player": room.host.player["id"]}), "not-host")
    assert wei.patch(room.path, {"name": "Saturday"}).status_code == 200


def suspend(world, client):
    world.services.moderation.suspend(client.player["id"], world.now + 60_000, "other", None)
    world.services.authenticator.forget(client.player["id"])


def test_a_suspended_host_is_a_member_and_who_came_first_and_can_act_is_host(world, room):
    mei, wei = room.members
    suspend(world, mei)
    suspend(world, room.host)
    stored = world.stores.circles.get(room.id)["members"]
    assert [stored[each.player["id"]]["role"] for each in (room.host, mei, wei)] == ["member", "member", "host"]


@pytest.mark.parametrize("goes", ["leaves", "is erased"])
def test_nobody_who_is_suspended_becomes_host_after_one_who_has_gone(world, room, goes):
    mei, wei = room.members
    suspend(world, mei)
    if goes == "leaves":
        room.remove(room.host, room.host)
    else:
        room.host.delete("/v1/me")
    assert wei.get(room.path).json["role"] == "host"


def test_a_room_in_which_nobody_can_act_keeps_its_host_until_somebody_can(world, room):
    mei, wei = room.members
    for client in (mei, wei, room.host):
        suspend(world, client)
    world.now += 60_001
    assert room.host.get(room.path).json["role"] == "host"


def test_a_renewed_link_is_the_only_one_of_its_kind_that_works(world, room):
    renewed = room.host.post(f"{room.path}/links/member").json["links"]
    assert renewed["watcher"] == room.links["watcher"]
    late = world.player("Late", "human")
    assert_problem(room.join(late), "not-found")
    assert late.get(f"/v1/room-links/{room.links['member']}").status_code == 404
    assert late.post("/v1/me/rooms", {"code": renewed["member"]}).json["role"] == "member"
    assert len(room.people()) == 4, "who has joined by it stays"
    assert_problem(room.members[0].post(f"{room.path}/links/member"), "not-host")
    assert_problem(room.host.post(f"{room.path}/links/host"), "not-found")


def test_a_link_renewed_during_a_request_lets_nobody_in(world, room, monkeypatch):
    circles, late = world.services.circles, world.player("Late", "human")
    of_code = circles.of_code

    def renewed_meanwhile(code, player=""):
        invited = of_code(code, player)
        circles.renew(room.host.player["id"], room.id, "member")
        return invited

    monkeypatch.setattr(circles, "of_code", renewed_meanwhile)
    assert_problem(room.join(late), "not-found")
    assert rooms_of(late) == []
    assert len(room.people()) == 3


# --- what others learn ------------------------------------------------------------------------------------------------


def test_to_others_a_room_is_like_one_that_does_not_exist(world, room):
    mallory, same = world.player("Mallory"), {"X-Request-Id": "rq_0000000000000001"}
    person = f"people/{room.members[0].player['id']}"
    for method, end, body in (
        ("get", "", ()),
        ("patch", "", ({"name": "Mine"},)),
        ("post", "/links/member", ()),
        ("delete", f"/{person}", ()),
        ("delete", f"/removed/{room.members[0].player['id']}", ()),
    ):
        real = getattr(mallory, method)(f"{room.path}{end}", *body, headers=same)
        none = getattr(mallory, method)(f"/v1/rooms/rm_nothingnothi{end}", *body, headers=same)
        assert real.status_code == 404, (method, end)
        assert real.data.replace(room.id.encode(), b"rm_nothingnothi") == none.data
    assert rooms_of(mallory) == []
    assert mallory.get("/v1/me/export").json["rooms"] == []


def test_nothing_is_done_in_a_room_for_somebody_who_leaves_it_without_belonging_to_it(world, room, monkeypatch):
    room.host.post(f"{room.path}/table")
    mallory = world.player("Mallory")

    def fail(*_):
        raise AssertionError("the room was asked")

    monkeypatch.setattr(world.stores.circles, "change", fail)
    monkeypatch.setattr(world.tables, "act", fail)
    assert room.remove(mallory, mallory).status_code == 204
    assert mallory.delete(f"/v1/rooms/rm_nothing/people/{mallory.player['id']}").status_code == 204


def test_a_removal_that_was_interrupted_is_finished_by_its_retry(world, room, monkeypatch):
    mei, seated = room.members[0], room.host.post(f"{room.path}/table").json["table"]["table"]
    mei.post(f"/v1/tables/{seated}/seats", {})
    for by in (room.host, mei):
        with monkeypatch.context() as patched:
            patched.setattr(world.stores.circles, "announce", lambda _: None)
            patched.setattr(world.tables, "act", Mock(side_effect=StoreUnavailable(TimeoutError())))
            assert room.remove(by, mei).status_code == 503
        assert room.remove(by, mei).status_code == 204
        assert world.tables.load(seated)["seats"][0]["occupant"] is None
        room.host.delete(f"{room.path}/removed/{mei.player['id']}")
        room.join(mei)
        mei.post(f"/v1/tables/{seated}/seats", {})


@pytest.mark.parametrize("does_block", ["host", "guest"])
def test_between_a_host_and_a_blocked_player_a_link_leads_nowhere(world, room, does_block):
    mallory = world.player("Mallory")
    one, other = (room.host, mallory) if does_block == "host" else (mallory, room.host)
    one.put(f"/v1/me/blocks/{other.player['id']}")
    assert_problem(room.join(mallory), "not-found")
    assert_problem(mallory.get(f"/v1/room-links/{room.links['member']}"), "not-found")
    assert world.anybody.get(f"/v1/room-links/{room.links['member']}").status_code == 200


def test_a_deleted_account_leaves_nothing_in_a_room(world, room):
    mei, wei = room.members
    room.remove(room.host, wei)
    for gone in (mei, wei):
        assert gone.delete("/v1/me").status_code == 204
    assert room.people() == [("Lin", "host")]
    assert mei.player["id"].encode() not in world.redis.hget(keys.circle(room.id), "c")
    assert room.host.get(room.path).json["removed"] == []


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_a_player_belongs_to_a_bounded_number_of_rooms_also_at_once(world, lin):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: lin.post("/v1/rooms", NEW).status_code, range(MOST_CIRCLES + 8)))
    assert answers.count(201) <= MOST_CIRCLES
    while lin.post("/v1/rooms", NEW).status_code == 201:
        pass
    mine = rooms_of(lin)
    assert len(mine) == MOST_CIRCLES
    other = Room(world)
    assert_problem(other.join(lin), "too-many-rooms", limit=MOST_CIRCLES)
    assert rooms_of(lin) == mine
    lin.delete(f"/v1/rooms/{mine[0]}/people/{lin.player['id']}")
    assert other.join(lin).status_code == 200


def test_rooms_that_are_gone_do_not_count(world, lin):
    for _ in range(MOST_CIRCLES):
        lin.post("/v1/rooms", NEW)
    world.redis.delete(*world.redis.scan_iter("sj:circle:*"))
    world.now += BEING_MADE_MS + 1
    assert lin.post("/v1/rooms", NEW).status_code == 201


def test_rules_that_are_refused_leave_no_trace(world, lin):
    before = cost(world, "sj:*circle*")
    for _ in range(2):
        assert lin.post("/v1/rooms", {**NEW, "rules": {**RULES, "options": {"overcall": "no"}}}).status_code == 422
    assert cost(world, "sj:*circle*") == before


def crowd(world, room, number):
    """Let players without accounts join a room."""
    more = {f"pl_{each}": {"role": "member", "since": 1} for each in range(number)}
    world.stores.circles.change(room.id, lambda circle: {**circle, "members": {**circle["members"], **more}})


def test_places_of_accounts_that_no_longer_exist_are_given_away(world):
    room = Room(world)
    crowd(world, room, MOST_MEMBERS)
    assert room.join(world.player("Mei")).status_code == 200
    assert room.people() == [("Lin", "host"), ("Mei", "member")]


def test_a_room_remembers_a_bounded_number_of_removed_players(world, room):
    crowd(world, room, MOST_REMOVED + 5)
    for number in range(MOST_REMOVED + 5):
        room.host.delete(f"{room.path}/people/pl_{number}")
        world.counter.counts.clear()
    stored = world.stores.circles.get(room.id)
    assert stored["removed"] == [f"pl_{number}" for number in range(5, MOST_REMOVED + 5)]


def test_a_room_with_every_option_and_the_most_people_takes_what_is_charged(world, lin):
    options = dict(effective_options("shengji", 4, {}))
    made = lin.post("/v1/rooms", {"name": "林" * 40, "rules": {**RULES, "options": options}})
    assert made.status_code == 201, made.json
    room = made.json["room"]
    people = {f"pl_{number:012}": {"role": "member", "since": world.now} for number in range(48)}
    world.stores.circles.change(
        room, lambda circle: {**circle, "members": {**circle["members"], **people}, "removed": [*people] * 2}
    )
    assert cost(world, "sj:*circle*") <= ROOM + 48 * 100


def test_a_room_that_nobody_uses_expires_with_its_links(world, room):
    names = [keys.circle(room.id), *map(keys.circle_link, room.links.values())]
    assert all(0 < world.redis.pttl(name) <= UNUSED_MS for name in names)
    world.stores.circles.change(room.id, lambda circle: {**circle, "opened": 1})
    assert all(UNUSED_MS < world.redis.pttl(name) <= CIRCLE_MS for name in names)


def test_wrong_codes_of_rooms_are_limited(world, lin):
    answers = [lin.post("/v1/me/rooms", {"code": "A" * 12}).status_code for _ in range(400)]
    assert answers[0] == 404
    assert 429 in answers


def test_somebody_leaves_a_room_although_the_own_list_has_expired(world, room):
    mei = world.player("Mei")
    assert room.join(mei).status_code == 200
    world.redis.delete(keys.circles_of(mei.player["id"]))
    assert mei.delete(f"{room.path}/people/{mei.player['id']}").status_code == 204
    assert mei.player["id"] not in world.stores.circles.get(room.id)["members"]
