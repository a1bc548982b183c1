"""Clubs: who belongs to one and with what role, links and requests, and what others learn."""

from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from service.accounts.kept_bytes import CLUB
from service.clubs import clubs
from service.clubs.clubs import MOST_CLUBS, MOST_MEMBERS, MOST_OFFICERS, MOST_OWNED, MOST_REMOVED, MOST_REQUESTS
from service.common.settings import Budget
from service.store import keys
from service.store.clubs.clubs import ALONE_MS, CLUB_MS, ClubStore
from service.store.players.own_lists import BEING_MADE_MS
from service.store.port import StoreUnavailable
from tests.api.contract import assert_problem
from tests.api.test_memory import cost, key

SECRET = "x" * 32


class Club:
    """A club with its owner and its members."""

    def __init__(self, world, *names, listed=True):
        self.world = world
        self.owner = world.player("Lin", "human")
        made = self.owner.post("/v1/clubs", {"name": "Lakeside", "about": "Pairs on Friday.", "listed": listed})
        assert made.status_code == 201, made.json
        self.id, self.code = made.json["club"], made.json["code"]
        self.path = f"/v1/clubs/{self.id}"
        self.members = [world.player(name, "human") for name in names]
        for member in self.members:
            assert self.join(member).status_code == 200

    def join(self, client):
        return client.post("/v1/me/clubs", {"code": self.code})

    def ask(self, client):
        return client.put(f"{self.path}/requests/me")

    def answer(self, by, client, *, accept=True):
        return by.put(f"{self.path}/requests/{client.player['id']}/answer", {"accept": accept})

    def give(self, client, role, by=None):
        return (by or self.owner).put(f"{self.path}/people/{client.player['id']}", {"role": role})

    def remove(self, by, client):
        return by.delete(f"{self.path}/people/{client.player['id']}")

    def people(self, by=None):
        return [(person["name"], person["role"]) for person in (by or self.owner).get(self.path).json["people"]]


@pytest.fixture
def club(world):
    return Club(world, "Mei", "Wei")


def clubs_of(client):
    return [(each["club"], each["role"]) for each in client.get("/v1/me/clubs").json["items"]]


def told(client):
    return [(note["type"], note["data"]["name"]) for note in client.get("/v1/me/export").json["events"]]


def listed(client):
    return [each["club"] for each in client.get("/v1/clubs").json["items"]]


# --- belonging --------------------------------------------------------------------------------------------------------


def test_who_makes_a_club_owns_it_and_others_join_by_its_link(world, club):
    assert club.people() == [("Lin", "owner"), ("Mei", "member"), ("Wei", "member")]
    assert clubs_of(club.owner) == [(club.id, "owner")]
    seen = club.members[0].get(club.path).json
    assert (seen["name"], seen["about"], seen["members"], seen["code"]) == (
        "Lakeside",
        "Pairs on Friday.",
        3,
        club.code,
    )
    assert (seen["requests"], seen["removed"]) == ([], [])


def test_a_link_shows_where_it_leads_without_a_token_and_the_id_to_members_alone(world, club):
    shown = {"name": "Lakeside", "about": "Pairs on Friday.", "members": 3, "club": None}
    assert world.anybody.get(f"/v1/club-links/{club.code.lower()}").json == shown
    assert world.player().get(f"/v1/club-links/{club.code}").json == shown
    assert club.members[0].get(f"/v1/club-links/{club.code}").json == {**shown, "club": club.id}


def test_a_request_is_told_to_owners_and_directors_and_the_player_hears_of_its_acceptance(world, club):
    mei, wei = club.members
    club.give(mei, "director")
    tao = world.player("Tao", "human")
    card = club.ask(tao).json
    assert (card["asked"], card["role"], card["people"], card["code"]) == (True, None, [], None)
    club.ask(tao)
    assert ("club_asked", "Tao") in told(club.owner)
    assert told(mei).count(("club_asked", "Tao")) == 1
    assert not told(wei)
    assert [each["name"] for each in mei.get(club.path).json["requests"]] == ["Tao"]
    assert wei.get(club.path).json["requests"] == []
    assert club.answer(mei, tao).status_code == 200
    assert told(tao) == [("club_joined", "Mei")]
    assert club.people(tao)[-1] == ("Tao", "member")
    # A retry of the answer.
    assert club.answer(club.owner, tao).status_code == 200
    assert club.owner.get(club.path).json["requests"] == []


def test_other_notices_from_the_same_player_or_club_hide_no_request_and_no_answer(world, club):
    def kinds(client):
        return [note.type for note in world.stores.inbox.after(client.player["id"], 0, 99)]

    mei, tao = club.members[0], world.player("Tao", "human")
    club.give(mei, "director")
    for client in (tao, mei):
        other = world.player("Hua").post("/v1/clubs", {"name": "Hillside", "listed": True}).json
        client.post("/v1/me/clubs", {"code": other["code"]})
    tao.put(f"/v1/me/friends/{mei.player['id']}")
    second = mei.post("/v1/clubs", {"name": "Riverside", "listed": True}).json["club"]
    club.ask(tao)
    tao.put(f"/v1/clubs/{second}/requests/me")
    assert kinds(mei) == ["friend_asked", "club_asked", "club_asked"]
    club.answer(mei, tao)
    club.remove(tao, tao)
    world.now += 1
    club.ask(tao)
    # The same day.
    assert kinds(mei).count("club_asked") == 2
    club.answer(mei, tao)
    assert kinds(tao) == ["club_joined"] * 2


def test_a_declined_request_is_gone_and_so_is_one_that_was_withdrawn(world, club):
    tao = world.player("Tao")
    club.ask(tao)
    assert clubs_of(tao) == [(club.id, None)]
    assert_problem(club.answer(club.members[0], tao, accept=False), "club-role-needed")
    club.answer(club.owner, tao, accept=False)
    assert clubs_of(tao) == []
    assert told(tao) == []
    club.ask(tao)
    assert tao.delete(f"{club.path}/requests/me").status_code == 204
    assert clubs_of(tao) == []
    assert_problem(club.answer(club.owner, tao), "not-found")
    assert club.people()[-1] == ("Wei", "member")


def test_withdrawing_leaves_a_membership_alone_and_leaving_a_request(world, club):
    mei, tao = club.members[0], world.player("Tao")
    mei.delete(f"{club.path}/requests/me")
    assert clubs_of(mei) == [(club.id, "member")]
    club.ask(tao)
    assert club.remove(tao, tao).status_code == 204
    assert clubs_of(tao) == [(club.id, None)]


# --- roles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("owner", {"change", "give", "renew", "remove", "readmit", "close"}),
        ("director", {"renew", "remove", "readmit"}),
    ],
)
def test_each_role_does_what_it_may_and_a_member_nothing_of_it(world, role, may):
    club = Club(world, "Mei", "Wei", "Tao")
    mei, wei, tao = club.members
    club.give(mei, role)
    asked = {
        "change": lambda by: by.patch(club.path, {"name": "Hill"}),
        "give": lambda by: club.give(tao, "member", by),
        "renew": lambda by: by.post(f"{club.path}/link"),
        "remove": lambda by: club.remove(by, wei),
        "readmit": lambda by: by.delete(f"{club.path}/removed/{wei.player['id']}"),
        "close": lambda by: by.delete(club.path),
    }
    for name, ask in asked.items():
        assert_problem(ask(tao), "club-role-needed")
        assert (ask(mei).status_code < 300) == (name in may), name


def test_directors_remove_members_alone_and_nobody_removes_an_owner(world, club):
    mei, wei = club.members
    club.give(mei, "director")
    club.give(wei, "director")
    assert_problem(club.remove(mei, wei), "club-role-needed")
    assert_problem(club.remove(mei, club.owner), "club-role-needed")
    club.give(wei, "owner")
    assert_problem(club.remove(club.owner, wei), "club-role-needed")
    assert_problem(club.give(wei, "member"), "club-role-needed")
    assert club.remove(club.owner, mei).status_code == 204


def test_the_only_owner_hands_the_club_over_before_leaving(world, club):
    mei = club.members[0]
    assert_problem(club.remove(club.owner, club.owner), "last-owner")
    assert_problem(club.give(club.owner, "member"), "last-owner")
    assert club.give(mei, "owner").status_code == 200
    assert club.give(club.owner, "member").json["role"] == "member"
    assert club.remove(club.owner, club.owner).status_code == 204
    assert club.people(mei) == [("Mei", "owner"), ("Wei", "member")]


def test_whoever_is_alone_takes_the_club_along(world):
    club = Club(world)
    assert club.remove(club.owner, club.owner).status_code == 204
    assert_problem(club.owner.get(club.path), "not-found")
    assert not [*world.redis.scan_iter("sj:club*")]


def test_a_closed_club_is_gone_for_everybody(world, club):
    tao = world.player()
    club.ask(tao)
    assert club.owner.delete(club.path).status_code == 204
    for client in (club.owner, *club.members, tao):
        assert_problem(client.get(club.path), "not-found")
        assert clubs_of(client) == []
    assert_problem(world.anybody.get(f"/v1/club-links/{club.code}"), "not-found")
    assert listed(tao) == []


def test_a_club_whose_only_owner_is_suspended_or_deleted_gets_another(world):
    club = Club(world, "Mei", "Wei")
    mei, wei = club.members
    club.give(wei, "director")
    world.services.moderation.suspend(club.owner.player["id"], world.now + 60_000, "other", None)
    assert club.people(mei) == [("Lin", "member"), ("Mei", "member"), ("Wei", "owner")]
    assert wei.delete("/v1/me").status_code == 204
    assert club.people(mei) == [("Lin", "member"), ("Mei", "owner")]


# --- who comes in, and who does not -----------------------------------------------------------------------------------


def test_a_removed_player_has_no_right_left_and_comes_back_only_if_readmitted(world, club):
    mei = club.members[0]
    club.remove(club.owner, mei)
    assert clubs_of(mei) == []
    shown = mei.get(club.path).json
    assert (shown["role"], shown["people"], shown["code"]) == (None, [], None)
    assert_problem(club.join(mei), "removed-from-club")
    assert_problem(club.ask(mei), "removed-from-club")
    assert clubs_of(mei) == []
    assert [each["name"] for each in club.owner.get(club.path).json["removed"]] == ["Mei"]
    club.owner.delete(f"{club.path}/removed/{mei.player['id']}")
    assert club.join(mei).status_code == 200


def test_a_renewed_link_is_the_only_one_that_works(world, club):
    code = club.owner.post(f"{club.path}/link").json["code"]
    assert_problem(club.join(world.player()), "not-found")
    assert_problem(world.anybody.get(f"/v1/club-links/{club.code}"), "not-found")
    assert world.player().post("/v1/me/clubs", {"code": code}).json["members"] == 4


def test_a_link_renewed_during_a_request_lets_nobody_in(world, club, monkeypatch):
    tao, renewed = world.player(), []
    before = ClubStore.of_code

    def of_code(store, code):
        found = before(store, code)
        if not renewed:
            renewed.append(club.owner.post(f"{club.path}/link").json["code"])
        return found

    monkeypatch.setattr(ClubStore, "of_code", of_code)
    assert_problem(club.join(tao), "not-found")
    assert clubs_of(tao) == []


@pytest.mark.parametrize("does_block", ["owner", "player"])
def test_between_an_owner_and_a_blocked_player_nothing_shows(world, club, does_block):
    tao = world.player("Tao")
    by, other = (club.owner, tao) if does_block == "owner" else (tao, club.owner)
    by.put(f"/v1/me/blocks/{other.player['id']}")
    # The link leads nowhere, as one that was renewed; a request waits for ever, as one that nobody answers.
    assert_problem(tao.get(f"/v1/club-links/{club.code}"), "not-found")
    assert_problem(club.join(tao), "not-found")
    assert club.ask(tao).json["asked"] is True
    assert club.owner.get(club.path).json["requests"] == []
    assert told(club.owner) == []
    assert_problem(club.answer(club.owner, tao), "not-found")


# --- what others learn ------------------------------------------------------------------------------------------------


def test_to_others_a_club_that_is_not_listed_is_like_one_that_does_not_exist(world):
    club, tao = Club(world, "Mei", listed=False), world.player("Tao")
    assert listed(tao) == []
    mei = club.members[0].player["id"]

    def answers(path):
        return [
            (answer.status_code, answer.json and {**answer.json, "params": None, "request_id": None, "instance": None})
            for answer in (
                tao.get(path),
                tao.patch(path, {"name": "Mine"}),
                tao.delete(path),
                tao.post(f"{path}/link"),
                tao.put(f"{path}/people/{mei}", {"role": "member"}),
                tao.delete(f"{path}/people/{mei}"),
                tao.delete(f"{path}/people/{tao.player['id']}"),
                tao.delete(f"{path}/removed/{mei}"),
                tao.put(f"{path}/requests/me"),
                tao.delete(f"{path}/requests/me"),
                tao.put(f"{path}/requests/{mei}/answer", {"accept": True}),
                tao.post(f"{path}/reports", {}),
            )
        ]

    known, unknown = answers(club.path), answers("/v1/clubs/cb_000000000000")
    assert [(status, body and body["code"]) for status, body in known] == [
        (status, body and body["code"]) for status, body in unknown
    ]
    assert club.people() == [("Lin", "owner"), ("Mei", "member")]


def test_a_listed_club_shows_others_its_size_but_nobody_of_it(world, club):
    tao = world.player("Tao")
    assert listed(tao) == [club.id]
    card = tao.get("/v1/clubs").json["items"][0]
    assert card == {
        "club": club.id,
        "name": "Lakeside",
        "about": "Pairs on Friday.",
        "listed": True,
        "members": 3,
        "role": None,
        "asked": False,
    }
    text = tao.get(club.path).text
    assert all(client.player["id"] not in text for client in (club.owner, *club.members))
    assert club.code not in text


def test_the_list_has_the_largest_clubs_first_in_pages_and_drops_those_that_are_gone(world):
    large, small, hidden = Club(world, "Mei", "Wei"), Club(world), Club(world, listed=False)
    gone, middle, tao = Club(world, "Mei", "Wei", "Tao"), Club(world, "Mei"), world.player()
    world.redis.delete(keys.club(gone.id))
    first = tao.get("/v1/clubs?limit=2").json
    assert [each["club"] for each in first["items"]] == [large.id]
    second = tao.get(f"/v1/clubs?limit=2&cursor={first['next_cursor']}").json
    assert [each["club"] for each in second["items"]] == [middle.id, small.id]
    assert world.redis.zscore(keys.CLUBS, gone.id) is None
    assert_problem(tao.get("/v1/clubs?cursor=eA"), "invalid-request")
    hidden.owner.patch(hidden.path, {"listed": True})
    large.owner.patch(large.path, {"listed": False})
    assert listed(tao) == [middle.id, small.id, hidden.id] or listed(tao) == [middle.id, hidden.id, small.id]


def test_a_club_that_is_not_listed_any_more_takes_no_new_request_and_keeps_those_that_wait(world, club):
    tao = world.player("Tao")
    club.ask(tao)
    club.owner.patch(club.path, {"listed": False})
    assert_problem(club.ask(world.player()), "not-found")
    assert tao.get(club.path).json["asked"] is True
    assert club.answer(club.owner, tao).status_code == 200


def test_a_member_leaves_although_the_own_list_has_expired(world, club):
    mei = club.members[0]
    world.redis.delete(keys.clubs_of(mei.player["id"]))
    assert club.remove(mei, mei).status_code == 204
    assert [name for name, _ in club.people()] == ["Lin", "Wei"]


def test_names_and_descriptions_are_checked_as_all_that_strangers_write(world, club):
    for changes in ({"name": ""}, {"name": "a\u202eb"}, {"about": "x" * 501}, {"about": "two\nlines"}, {"about": " "}):
        assert_problem(club.owner.patch(club.path, changes), "invalid-request")
    assert club.owner.patch(club.path, {"about": ""}).json["about"] == ""


# --- operators --------------------------------------------------------------------------------------------------------


def test_a_report_of_a_club_has_its_description_and_operators_rewrite_and_close_it(world):
    world.start(operator_token=SECRET)
    ops, club = world.anybody.with_token(SECRET), Club(world)
    tao = world.player("Tao")
    made = tao.post(f"{club.path}/reports", {"text": "Rude."})
    assert (made.json["club"], made.json["name"], made.json["room"]) == (club.id, "Lakeside", None)
    # Only operators learn who owns the club.
    kept = ops.get("/v1/operator/reports").json["items"][0]
    assert kept["player"] == club.owner.player["id"]
    exported = tao.get("/v1/me/export")
    assert [each["player"] for each in (made.json, *exported.json["reports"])] == ["", ""]
    assert club.owner.player["id"] not in made.text + exported.text
    assert [each["text"] for each in kept["said"]] == ["Pairs on Friday."]
    answer = ops.patch(f"/v1/operator/clubs/{club.id}", {"name": "Club 7", "about": ""})
    assert answer.status_code == 204
    shown = tao.get(club.path).json
    assert (shown["name"], shown["about"]) == ("Club 7", "")
    assert_problem(club.owner.patch(club.path, {"about": "Ruder."}), "name-held")
    assert club.owner.patch(club.path, {"listed": False}).status_code == 200
    assert ops.delete(f"/v1/operator/clubs/{club.id}").status_code == 204
    assert_problem(club.owner.get(club.path), "not-found")
    assert_problem(ops.delete(f"/v1/operator/clubs/{club.id}"), "not-found")
    assert [each["deed"] for each in ops.get("/v1/operator/deeds").json["items"]] == ["remove_club", "rename_club"]


# --- accounts ---------------------------------------------------------------------------------------------------------


def test_a_deleted_account_leaves_nothing_in_a_club(world, club):
    mei, tao = club.members[0], world.player("Tao")
    club.ask(tao)
    assert mei.get("/v1/me/export").json["clubs"][0]["role"] == "member"
    assert tao.get("/v1/me/export").json["clubs"][0]["role"] is None
    club.remove(club.owner, mei)
    for client in (mei, tao, club.members[1]):
        assert client.delete("/v1/me").status_code == 204
    # The list of who was removed is not reached from the list of the player; names of deleted accounts are not shown.
    assert club.owner.get(club.path).json["removed"] == []
    stored = world.stores.clubs.get(club.id)
    assert ([*stored["members"]], stored["requests"]) == ([club.owner.player["id"]], {})


# --- bounds -----------------------------------------------------------------------------------------------------------


def test_a_player_owns_and_joins_a_bounded_number_of_clubs_also_at_once(world):
    world.start(limit_create=Budget(1_000, 60))
    lin = world.player("Lin")

    def make(_):
        return lin.post("/v1/clubs", {"name": "Mine", "listed": False}).status_code

    with ThreadPoolExecutor(4) as pool:
        statuses = [*pool.map(make, range(MOST_OWNED + 4))]
    assert statuses.count(201) <= MOST_OWNED
    while lin.post("/v1/clubs", {"name": "Mine", "listed": False}).status_code == 201:
        pass
    assert len(clubs_of(lin)) == MOST_OWNED
    others = [Club(world) for _ in range(MOST_CLUBS - MOST_OWNED + 1)]
    for other in others[:10]:
        assert other.ask(lin).status_code == 200
    for other in others[10:-1]:
        assert other.join(lin).status_code == 200
    assert_problem(others[-1].join(lin), "too-many-clubs")
    assert_problem(others[-1].ask(lin), "too-many-clubs")
    assert len(clubs_of(lin)) == MOST_CLUBS


def test_a_retry_makes_a_club_once_and_clubs_that_are_gone_do_not_count(world, lin):
    headers = key(1)
    made = [lin.post("/v1/clubs", {"name": "Mine"}, headers=headers).json["club"] for _ in range(2)]
    assert made[0] == made[1]
    for _ in range(MOST_OWNED - 1):
        lin.post("/v1/clubs", {"name": "Mine"})
    assert_problem(lin.post("/v1/clubs", {"name": "Mine"}), "too-many-clubs")
    world.redis.delete(keys.club(made[0]))
    world.now += BEING_MADE_MS + 1
    assert lin.post("/v1/clubs", {"name": "Mine"}).status_code == 201


def crowd(world, number, like):
    """Ids of as many accounts."""
    names = [f"pl_{each:012}" for each in range(number)]
    world.redis.hset(keys.RECORDS, mapping=dict.fromkeys(names, world.redis.hget(keys.RECORDS, like)))
    return names


def test_members_requests_and_officers_of_a_club_are_bounded(world, club):
    names = crowd(world, MOST_MEMBERS - 3, club.owner.player["id"])
    members = {name: {"role": "member", "since": 1} for name in names}
    world.stores.clubs.change(club.id, lambda stored: {**stored, "members": {**stored["members"], **members}})
    full = club.join(world.player())
    assert_problem(full, "club-full")
    assert full.json["params"] == {"limit": MOST_MEMBERS, "what": "members"}
    for name in names[: MOST_OFFICERS - 1]:
        assert club.owner.put(f"{club.path}/people/{name}", {"role": "director"}).status_code == 200
    assert_problem(club.give(club.members[0], "director"), "club-full")
    # Of accounts that exist no longer, the places are given away.
    world.redis.hdel(keys.RECORDS, names[-1])
    assert club.join(world.player()).status_code == 200
    requests = dict.fromkeys(crowd(world, MOST_REQUESTS, club.owner.player["id"]), 1)
    world.stores.clubs.change(club.id, lambda stored: {**stored, "requests": requests})
    assert_problem(club.ask(world.player()), "club-full")


def test_a_club_remembers_a_bounded_number_of_removed_players(world, club):
    removed = [f"pl_{number}" for number in range(MOST_REMOVED)]
    world.stores.clubs.change(club.id, lambda stored: {**stored, "removed": removed})
    club.remove(club.owner, club.members[0])
    assert world.stores.clubs.get(club.id)["removed"] == [*removed[1:], club.members[0].player["id"]]


def test_a_club_and_each_of_its_people_take_what_is_charged(world, lin):
    made = lin.post("/v1/clubs", {"name": "林" * 40, "about": "湖" * 500})
    assert made.status_code == 201, made.json
    assert cost(world, "sj:*club*") <= CLUB
    names = [f"pl_{number:012}" for number in range(MOST_MEMBERS)]
    people = {name: {"role": "member", "since": world.now} for name in names}
    world.stores.clubs.change(
        made.json["club"],
        lambda club: {
            **club,
            "members": {**club["members"], **people},
            "requests": dict.fromkeys(names[:MOST_REQUESTS], world.now),
            "removed": names[:MOST_REMOVED],
        },
    )
    assert cost(world, "sj:*club*") <= CLUB + (MOST_MEMBERS + MOST_REQUESTS + MOST_REMOVED) * 100


def test_a_club_in_which_nothing_changes_expires_with_its_link(world):
    club = Club(world)
    names = [keys.club(club.id), keys.club_link(club.code)]
    assert all(0 < world.redis.pttl(name) <= ALONE_MS for name in names)
    club.join(world.player())
    assert all(ALONE_MS < world.redis.pttl(name) <= CLUB_MS for name in names)


def test_wrong_codes_of_clubs_are_limited(world, lin):
    answers = [lin.post("/v1/me/clubs", {"code": "A" * 12}).status_code for _ in range(400)]
    assert answers[0] == 404
    assert 429 in answers


def test_a_removal_that_was_interrupted_is_finished_by_its_retry(world, club, monkeypatch):
    mei = club.members[0]
    monkeypatch.setattr(ClubStore, "announce", Mock(side_effect=StoreUnavailable("gone")))
    assert club.remove(club.owner, mei).status_code == 503
    monkeypatch.undo()
    assert world.redis.zscore(keys.clubs_of(mei.player["id"]), club.id) is not None
    assert club.remove(club.owner, mei).status_code == 204
    assert world.redis.zscore(keys.clubs_of(mei.player["id"]), club.id) is None


def test_roles_are_in_order():
    assert clubs.is_at_least("owner", "director")
    assert not clubs.is_at_least("member", "director")
    assert not clubs.is_at_least(None, "member")
