"""What one player and one address may store: every operation that stores something declares it and charges it."""

import threading
from pathlib import Path

import pytest

from service.accounts import kept_bytes
from service.accounts.kept_bytes import BY_HANDLER
from service.api.resources import RESOURCES
from service.clubs.clubs import MOST_OFFICERS
from service.clubs.seasons import MOST_EVENTS
from service.common.settings import Budget, Settings
from service.store import keys
from service.tables.writing import UNUSED_LIFETIME_MS
from tests.api.boards.test_deal_links import play_round, seated, send
from tests.api.contract import assert_problem
from tests.api.test_memory import NEW, cost, key
from tests.api.tournaments.test_forms import PAST, end, many
from tests.api.tournaments.test_late_entries import enters
from tests.api.tournaments.test_team_events import SETUP, Cup

DAY_S = 86_400
WEBHOOK = {"url": "http://127.0.0.1:9/shengji", "name": "林" * 40, "events": ["turn"]}
OPERATIONS = [operation for resource in RESOURCES for operation in resource.operations]
ROOM = {"name": "林" * 40, "rules": {"ruleset": "shengji", "players": 4}}
MOST_BOARDS = {"name": "林" * 40, "ruleset": "shengji", "players": 4, "rounds": 15, "boards": 16}


def spent(world, name="keep"):
    """Bytes of a budget that all subjects together have spent."""
    total = 0
    counter = world.app.extensions["services"].rate_limiter._counter
    for (budget, subject), lease in counter._leases.items():
        if budget == name:
            total += sum(n for of, n in world.counter.counts.items() if f":{name}:{subject}:" in of) - lease.left
    return total


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_every_operation_that_writes_declares_what_it_keeps(operation):
    assert operation.method == "GET" or operation.keeps is not None


def test_an_operation_that_writes_cannot_be_declared_without_what_it_keeps():
    [first] = [each for each in OPERATIONS if each.id == "createTable"]
    with pytest.raises(ValueError, match="declare what it keeps"):
        type(first)(**{**first.__dict__, "keeps": None})


def test_operations_that_charge_by_themselves_do():
    for operation in OPERATIONS:
        if operation.keeps == BY_HANDLER:
            source = Path(operation.handler.__code__.co_filename).read_text()
            body = source.partition(f"def {operation.handler.__name__}(")[2].partition("\ndef ")[0]
            assert "request.keep(" in body or "ask(request" in body, operation.id


def test_answers_to_decisions_charge_nothing(world):
    table = world.table()
    before = spent(world), spent(world, "keep_address")
    table.play_until("play")
    table.move()
    assert (spent(world), spent(world, "keep_address")) == before
    assert all(each.keeps == 0 for each in OPERATIONS if each.tag == "Actions" and each.method != "GET")


def _table(world):
    return world.table(ready=False, spectators="delayed", visibility="public")


def _teams(world):
    cup = Cup(world)
    players = [world.player("林" * 40) for _ in range(4)]
    members = [{"player": each.player["id"]} for each in players]
    return lambda: cup.director.post(f"{cup.path}/teams", {"teams": [{"name": "林" * 30, "members": members}]})


def _befriend(world):
    lin, mei = world.player("林" * 40), world.player("梅" * 40)
    return lambda: lin.put(f"/v1/me/friends/{mei.player['id']}")


def _invite(world):
    table, mei = _table(world), world.player("梅" * 40)
    return lambda: table.host.post(f"{table.path}/invitations", {"player": mei.player["id"]}, headers=key(1))


def _chat(world):
    table = _table(world)
    return lambda: table.host.post(f"{table.path}/chat", {"text": "林" * 200}, headers=key(1))


def _settings(world):
    table = _table(world)
    etag = {"If-Match": "*"}
    return lambda: table.host.patch(table.path, {"clock": {"play_ms": 60_000}}, headers=etag)


def _block(world):
    lin, mei = world.player(), world.player()
    return lambda: lin.put(f"/v1/me/blocks/{mei.player['id']}")


def _entry(world):
    lin = world.player("林" * 40)
    world.conduct()
    event = lin.get("/v1/events").json["items"][0]["event"]
    return lambda: lin.post(f"/v1/events/{event}/entries")


def _webhook(world):
    world.start(notify_private=1)
    return _with("/v1/me/webhooks", WEBHOOK, headers=key(1))(world)


def _with(path, body=None, **more):
    def prepare(world):
        lin = world.player("林" * 40)
        return lambda: lin.post(path, body, **more)

    return prepare


def _room(world):
    lin = world.player("林" * 40)
    return lin, lin.post("/v1/rooms", ROOM, headers=key(2)).json


def _join(world):
    made, mei = _room(world)[1], world.player("梅" * 40)
    return lambda: mei.post("/v1/me/rooms", {"code": made["links"]["member"]})


def _open(world):
    lin, made = _room(world)
    for number in range(8):
        world.player(f"{number}").post("/v1/me/rooms", {"code": made["links"]["member"]})
    return lambda: lin.post(f"/v1/rooms/{made['room']}/table")


def _sent_deal(world):
    """A round at the table with the most cards and plays, and who has played it."""
    lin = world.player("林" * 40)
    return lin, *play_round(world, lin, seated(world, lin, "zhaopengyou", 16))


def _send(world):
    lin, game, number = _sent_deal(world)
    return lambda: lin.post(f"/v1/games/{game}/rounds/{number}/deal-links")


def _play_sent(world):
    mei, code = world.player("梅" * 40), send(*_sent_deal(world))["code"]
    return lambda: mei.post(f"/v1/deal-links/{code}/entries")


CLUB = {"name": "林" * 40, "about": "湖" * 500}


def _club(world):
    lin = world.player("林" * 40)
    return lin, lin.post("/v1/clubs", CLUB, headers=key(2)).json


def _join_club(world):
    made, mei = _club(world)[1], world.player("梅" * 40)
    return lambda: mei.post("/v1/me/clubs", {"code": made["code"]})


def _ask(world):
    """At a club with the most who are told of it."""
    (lin, made), mei = _club(world), world.player("梅" * 40)
    for number in range(MOST_OFFICERS - 1):
        director = world.player(f"{number}")
        director.post("/v1/me/clubs", {"code": made["code"]})
        lin.put(f"/v1/clubs/{made['club']}/people/{director.player['id']}", {"role": "director"})
    return lambda: mei.put(f"/v1/clubs/{made['club']}/requests/me")


def _answer(world):
    (lin, made), mei = _club(world), world.player("梅" * 40)
    mei.put(f"/v1/clubs/{made['club']}/requests/me")
    return lambda: lin.put(f"/v1/clubs/{made['club']}/requests/{mei.player['id']}/answer", {"accept": True})


def _season(world):
    """With the most events that can be chosen."""
    lin, made = _club(world)
    events = [f"ev_{number:0>12}" for number in range(MOST_EVENTS)]
    for number, event in enumerate(events):
        world.stores.clubs.note_event(made["club"], event, number)
    about = {"name": "春" * 40, "starts_at": "2026-03-01T00:00:00Z", "ends_at": "2026-06-01T00:00:00Z"}
    path = f"/v1/clubs/{made['club']}/seasons"
    return lambda: lin.post(path, {**about, "best": 100, "events": events}, headers=key(1))


SCENES = {
    "createClubSeason": _season,
    "createClub": _with("/v1/clubs", CLUB, headers=key(1)),
    "joinClub": _join_club,
    "askToJoinClub": _ask,
    "answerClubRequest": _answer,
    "sendDeal": _send,
    "playDeal": _play_sent,
    "createRoom": _with("/v1/rooms", ROOM, headers=key(1)),
    "joinRoom": _join,
    "openRoomTable": _open,
    "register": lambda world: lambda: world.anybody.post("/v1/players", {"name": "林" * 40}, headers=key(1)),
    "createTable": _with("/v1/tables", NEW, headers=key(1)),
    "createToken": _with("/v1/me/tokens", {"name": "林" * 40, "scopes": ["profile:read"], "expires_in_ms": 10**10}),
    "createRecoveryCode": _with("/v1/me/recovery-code", headers=key(1)),
    "createTeamEvent": _with("/v1/team-events", MOST_BOARDS, headers=key(1)),
    "createWebhook": _webhook,
    "enterTeams": _teams,
    "befriend": _befriend,
    "block": _block,
    "invite": _invite,
    "chat": _chat,
    "updateTable": _settings,
    "enterBoardEvent": _entry,
}


def test_the_line_of_a_deal_takes_less_than_its_share_of_the_seats(world):
    lin, *sent = _sent_deal(world)
    code, mei = send(lin, *sent)["code"], world.player("梅" * 40)
    before = cost(world, "sj:deal:*")
    play_round(world, mei, mei.post(f"/v1/deal-links/{code}/entries").json["mine"]["table"])
    assert len(world.stores.deal_links.get(code)["entries"]) == 1
    assert 0 < cost(world, "sj:deal:*") - before <= 16 * (kept_bytes.DEAL_SEAT - kept_bytes.BOARD // 4)


@pytest.mark.parametrize("scene", SCENES)
def test_an_operation_charges_at_least_what_it_keeps(world, scene):
    act = SCENES[scene](world)
    before, charged = cost(world, "sj:*") - cost(world, "sj:asked*"), spent(world, "keep_address")
    answer = act()
    assert answer.status_code < 300, answer.json
    assert 0 < cost(world, "sj:*") - before <= spent(world, "keep_address") - charged


def test_who_has_stored_as_much_as_allowed_is_refused_until_the_next_day(world):
    world.start(limit_keep=Budget(2 * kept_bytes.TABLE + 10_000, DAY_S))
    lin, mei = world.player("Lin"), world.player("Mei")
    assert [lin.post("/v1/tables", NEW).status_code for _ in range(2)] == [201, 201]
    before = len(world.redis.keys("sj:*"))
    refused = lin.post("/v1/tables", NEW)
    problem = assert_problem(refused, "rate-limited", budget="keep", limit=142_000, window_s=DAY_S)
    assert "142000" in problem["detail"]
    assert 0 < int(refused.headers["Retry-After"]) <= DAY_S
    assert len(world.redis.keys("sj:*")) == before
    assert mei.post("/v1/tables", NEW).status_code == 201
    world.now += DAY_S * 1000
    assert lin.post("/v1/tables", NEW).status_code == 201


def test_all_players_of_an_address_share_one_budget(world):
    world.start(limit_keep_address=Budget(2 * kept_bytes.TABLE + 10_000, DAY_S))
    players = [world.player(f"Guest {number}") for number in range(3)]
    answers = [player.post("/v1/tables", NEW) for player in players]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert_problem(answers[-1], "rate-limited", budget="keep_address")
    elsewhere = players[-1].post("/v1/tables", NEW, environ_base={"REMOTE_ADDR": "203.0.113.9"})
    assert elsewhere.status_code == 201, "what the address refused was not charged to the player"


def test_a_request_that_is_refused_or_repeated_keeps_nothing(world):
    lin = world.player()
    first = lin.post("/v1/tables", NEW, headers=key(1))
    before = spent(world), spent(world, "keep_address")
    assert lin.post("/v1/tables", NEW, headers=key(1)).json["id"] == first.json["id"]
    assert_problem(lin.post("/v1/tables", {**NEW, "options": {"nonsense": 1}}), "invalid-option")
    assert_problem(lin.post("/v1/tables/tb_none/chat", {"text": "hello"}), "not-found")
    assert (spent(world), spent(world, "keep_address")) == before


def test_imported_games_are_charged_by_their_size(world):
    world.start(limit_keep=Budget(100_000, DAY_S))
    lin = world.player()
    record = (Path(__file__).parent / "../../../docs/records.md").read_text()
    assert record
    text = world.table(4, "arms_length")
    while text.state()["status"] != "finished":
        text.move()
    world.advance(text.id)
    game = text.state()["game"]["id"]
    sent_record = text.host.get(f"/v1/games/{game}/record", headers={"Accept": "text/plain"}).get_data(as_text=True)
    before = spent(world), cost(world, "sj:game:*")
    assert lin.post("/v1/records", {"text": sent_record}).status_code == 201
    size = cost(world, "sj:game:*") - before[1]
    assert 0.8 * size <= spent(world) - before[0] <= size + kept_bytes.IMPORTED + 1_000


def test_of_twenty_events_created_at_once_ten_are_accepted(world, monkeypatch):
    lin = world.player("Lin")
    counted, all_are_counted, answers = set(), threading.Event(), []
    direct, create = world.stores.boards.teams.direct, world.stores.boards.create

    def counting(*args):
        is_counted = direct(*args)
        counted.add(threading.get_ident())
        if len(counted) == 20:
            all_are_counted.set()
        return is_counted

    def late(*args):
        # No event is stored before each request has been counted.
        assert all_are_counted.wait(60)
        return create(*args)

    monkeypatch.setattr(world.stores.boards.teams, "direct", counting)
    monkeypatch.setattr(world.stores.boards, "create", late)
    start = threading.Barrier(20)

    def post():
        start.wait(60)
        answers.append(lin.post("/v1/team-events", SETUP).status_code)

    threads = [threading.Thread(target=post) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201] * 10 + [409] * 10
    assert len(world.redis.keys("sj:{event:*}:head")) == 10


def test_an_event_that_is_closed_without_a_round_expires_soon(world):
    cup = Cup(world, teams=2)
    assert cup.director.post(f"{cup.path}/closing").json["status"] == "over"
    assert cup.director.get("/v1/team-events").json["items"] == []
    stored_keys = world.redis.keys(f"sj:{{event:{cup.id}}}:*")
    assert len(stored_keys) >= 3
    assert all(0 < world.redis.pttl(name) <= UNUSED_LIFETIME_MS for name in stored_keys)
    assert cup.director.post(f"{cup.path}/closing").status_code == 200
    played = Cup(world, teams=2, rounds=1, boards=1)
    played.begin()
    played.director.post(f"{played.path}/closing")
    assert world.redis.pttl(keys.event(played.id)) > 86_400_000


def test_new_events_are_charged_to_the_address_like_tables(world):
    world.start(limit_register=Budget(3, 3_600))
    lin, mei = world.player("Lin"), world.player("Mei")
    assert lin.post("/v1/team-events", SETUP).status_code == 201
    assert_problem(mei.post("/v1/team-events", SETUP), "rate-limited", budget="register")


def test_events_that_an_older_release_closed_do_not_count(world):
    lin = world.player()
    events = [lin.post("/v1/team-events", SETUP).json["event"] for _ in range(10)]
    world.stores.boards.teams.change(events[0], lambda play: {**play, "closed_at": world.now}, world.now)
    world.redis.delete(keys.event(events[1]), keys.event_progress(events[1]))
    world.now += 120_000
    assert [lin.post("/v1/team-events", SETUP).status_code for _ in range(3)] == [201, 201, 409]


def test_events_made_and_closed_at_will_fill_no_memory(world):
    """What filled 62 MB in 55 s from one address: the largest events, made and closed by account after account."""
    world.start(limit_register=Budget(0, 60), limit_create=Budget(0, 60), limit_keep=Budget(300_000, DAY_S))
    world.start(limit_keep_address=Budget(1_000_000, DAY_S))
    before, answers = cost(world, "sj:*"), []
    for number in range(5):
        client = world.player(f"Guest {number}")
        for _ in range(14):
            team_event = client.post("/v1/team-events", MOST_BOARDS)
            answers.append(team_event.status_code)
            if team_event.status_code == 201:
                client.post(f"/v1/team-events/{team_event.json['event']}/closing")
    assert answers.count(201) == 36, "eleven of each account, until the address has spent its budget"
    assert set(answers) == {201, 429}
    assert cost(world, "sj:*") - before <= 1_000_000
    assert all(world.redis.pttl(name) <= UNUSED_LIFETIME_MS for name in world.redis.keys("sj:{event:*}:*"))


def test_clients_are_told_how_much_they_may_store(anybody):
    body = {each["name"]: each for each in anybody.get("/v1").json["limits"]["budgets"]}
    assert body["keep"] == {"name": "keep", "requests": 40_000_000, "unit": "bytes", "window_s": DAY_S}
    assert body["keep_address"]["requests"] == Settings().limit_keep_address.limit
    assert (body["analyse"]["unit"], body["act"]["unit"]) == ("seconds", "requests")


@pytest.mark.parametrize(("form", "tables"), [("swiss", 2), ("swiss_pairs", 1)])
def test_a_late_unit_of_a_league_is_charged_for_the_rounds_that_begin_by_themselves(world, form, tables):
    cup = many(world, 2, form=form, league="at_once", rounds=5, boards=2, round_ms=7 * DAY_S * 1000)
    late = [world.player("Late") for _ in range(4)]

    def costs(who):
        before = spent(world, "keep_address")
        enters(cup, who, name=who.player["id"])
        return spent(world, "keep_address") - before

    early = costs(late[0])
    cup.begin(1)
    first, rounds = costs(late[1]) - early, []
    for number in range(2, 6):
        # The next one begins by itself when the time of this one is up.
        cup.director.patch(f"{cup.path}/rounds/{number - 1}", PAST)
        world.conduct()
        rounds.append(cup.body()["played"][-1])
        assert rounds[-1]["round"] == number
        if number == 2:
            second = costs(late[2]) - early
    assert all(cup.body()["entries"][at]["team"] in str(rounds[-1]["matches"]) for at in range(5))
    # A unit is half of a match, which plays two boards at so many tables in each of the rounds left.
    assert (first, second) == (4 * tables * kept_bytes.BOARD, 3 * tables * kept_bytes.BOARD)


def test_elsewhere_whoever_begins_the_next_round_is_charged_for_late_units(world):
    cup = many(world, 2, rounds=3, boards=2)
    cup.begin(1)
    end(cup, 1)
    before = spent(world, "keep_address")
    for _ in range(2):
        enters(cup, world.player("Late"), name="Late")
    entered = spent(world, "keep_address")
    assert entered - before < 4 * kept_bytes.BOARD
    cup.begin(2)
    assert spent(world, "keep_address") - entered == 2 * 2 * 2 * kept_bytes.BOARD
