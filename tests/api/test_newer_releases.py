"""An API process of an earlier release, and tables that a newer one has changed."""

from contextlib import contextmanager
from hashlib import sha256

import pytest
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from harness.waiting import wait_until
from service.game.events import evolve, needs
from service.game.ids import id_from
from service.game.state import clock
from service.jobs.asked import ANALYSIS, Asker, Question
from service.jobs.queues import QUEUES, Queues
from service.matchmaking.seating import spec_of
from service.store.stores import Stores
from service.tables import Tables, queue_for
from service.tables.writing import is_listed, is_watchable
from service.tournaments.team_events import CHECK_MS
from tests.api.contract import assert_problem
from tests.api.matchmaking.test_quick_play import Lounge, state_of
from tests.api.streams.test_account_stream import MyStream
from tests.api.streams.test_events import Stream, once_followed
from tests.api.streams.test_stream_rights import play_to_the_end
from tests.api.tournaments.test_team_events import Cup
from workers import ai


class Newer:
    """A process of release 9.4 on the same Redis, which knows one more event."""

    def __init__(self, world, monkeypatch):
        self._world, self._monkeypatch = world, monkeypatch
        self.tables = Tables(Stores(world.redis).tables, now=lambda: world.now)

    @contextmanager
    def release(self):
        """Be that process."""
        with self._monkeypatch.context() as patch:
            know(patch)
            yield

    def change(self, table):
        """Do something at a table that release 0.3 does not know."""
        store, now = Stores(self._world.redis).tables, self._world.now
        state = store.load(table).state
        seq = state["version"] + 1
        event = {"seq": seq, "type": "flagged", "at": now, "round": None, "by": "server", "tx": seq, "data": {}}
        store.append(
            table,
            state["version"],
            [event],
            {**state, "version": seq, "at": now, "needs": "9.4"},
            wake_at=clock.wake_at(state),
            listed=is_listed(state),
            watchable=is_watchable(state),
            queue=queue_for(state),
        )

    def play(self, table, steps):
        """Play on at a table."""
        with self.release():
            for _ in range(steps):
                decision = self.tables.load(table.id)["decision"]
                seat = decision["seats"][0]
                view, seed = self.tables.question_of(table.id, seat, decision["id"])
                player = table.clients[seat].player["id"]
                command = ai.choose(view, seed, "easy")
                self.tables.act(table.id, {**command, "player": player, "decision_id": decision["id"]})


def know(patch):
    """Know the event `flagged`, which means nothing."""
    patch.setitem(needs.NEEDS, "flagged", {"": "9.4"})
    patch.setitem(evolve._EVOLVE, "flagged", lambda state, _data, _event: dict(state))


@pytest.fixture
def newer(world, monkeypatch):
    new_newer = Newer(world, monkeypatch)
    yield new_newer
    # The last check of the world reads all tables.
    know(monkeypatch)


@pytest.fixture
def changed(world, newer):
    """A table in play that a newer release has changed."""
    table = world.table()
    newer.change(table.id)
    return table


def paths_of(world):
    """Method and path of every operation at a table or on a game of it."""
    for rule in world.app.url_map.iter_rules():
        if rule.arguments & {"table", "game"}:
            yield from ((method, rule) for method in rule.methods - {"HEAD", "OPTIONS"})


def filled(rule, table):
    path = str(rule).replace("<table>", table.id).replace("<game>", table.id.replace("tb_", "gm_") + "-1")
    for argument in rule.arguments - {"table", "game"}:
        for kind in ("", "int:", "string:"):
            path = path.replace(f"<{kind}{argument}>", "1")
    return path


def test_a_request_to_such_a_table_is_answered_with_503_and_a_sentence(changed):
    for path in ("", "/events", "/events?after=0"):
        answer = changed.host.get(f"{changed.path}{path}")
        problem = assert_problem(answer, "unavailable")
        assert (problem["params"]["reason"], answer.status_code) == ("newer_release", 503)
        assert answer.headers["Retry-After"] == "2"
        assert problem["detail"].startswith("A newer release of the service has changed this table")
    chinese = changed.host.get(changed.path, headers={"Accept-Language": "zh"}).json["detail"]
    assert chinese.startswith("此牌桌已由更新版本的服务修改")
    answer = changed.host.post(f"{changed.path}/chat", {"preset": "hello"})
    assert assert_problem(answer, "unavailable")["params"]["reason"] == "newer_release"


def test_no_operation_at_such_a_table_fails_with_500(world, changed):
    answered = {}
    for method, rule in paths_of(world):
        body = {} if method in ("POST", "PUT", "PATCH") else None
        answer = changed.host.send(method, filled(rule, changed), body)
        answered[method, str(rule)] = answer.status_code
    assert len(answered) > 40
    # It only forgets what the player has said.
    del answered["DELETE", "/v1/games/<game>/rounds/<int:n>/objections/<int:seq>"]
    assert not {operation: status for operation, status in answered.items() if status == 500 or status < 300}
    assert sum(status == 503 for status in answered.values()) > 10


def test_a_process_that_has_the_table_in_memory_refuses_it_too(world, newer):
    table = world.table()
    table.play_until("play")
    seat, path, body = table.next_action()
    newer.change(table.id)
    assert world.stores.tables.cached(table.id) is not None
    assert_problem(table.clients[seat].post(path, body), "unavailable")
    assert world.stores.tables.cached(table.id) is None
    # The newer release plays on.
    newer.play(table, 3)


def test_lists_leave_such_tables_out(world, newer):
    world.start(host_tables=3)
    lin = world.player()
    tables = []
    for _ in range(2):
        view = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4, "visibility": "public"})
        tables.append(view.json["id"])
        lin.post(f"/v1/tables/{tables[-1]}/seats", {"seat": 0})
    guest = world.player("Guest")
    for table in tables:
        assert lin.post(f"/v1/tables/{table}/invitations", {"player": guest.player["id"]}).status_code == 200
    lin.put(f"/v1/me/friends/{guest.player['id']}")
    guest.put(f"/v1/me/friends/{lin.player['id']}")
    world.stores.people.note_here([lin.player["id"]], world.now)

    newer.change(tables[1])
    assert [item["table"] for item in lin.get("/v1/me/tables").json["items"]] == tables[:1]
    # It is still listed: a newer release shows it.
    assert sorted(world.stores.players.tables_of(lin.player["id"])) == sorted(tables)
    for query in ("", "?limit=1"):
        assert [item["table"] for item in lin.get(f"/v1/tables{query}").json["items"]] == tables[:1]
    assert [item["table"] for item in guest.get("/v1/me/invitations").json["items"]] == tables[:1]
    assert lin.get("/v1/me/export").status_code == 200
    assert guest.get("/v1/me/friends").json["items"][0]["presence"] == "online"
    report = {"reason": "chat", "table": tables[1]}
    assert guest.post(f"/v1/players/{lin.player['id']}/reports", report).status_code == 200
    # It counts among those that the player hosts.
    spec = {"ruleset": "shengji", "players": 4}
    assert lin.post("/v1/tables", spec).status_code == 201
    assert_problem(lin.post("/v1/tables", spec), "too-many-tables")
    # Quick play finds the other one, which waits for people.
    ticket = guest.post("/v1/me/ticket", {"ruleset": "shengji", "players": 4, "clock": "normal"})
    assert ticket.status_code == 200, ticket.json
    assert ticket.json.get("table") in (None, tables[0])
    assert lin.delete("/v1/me").status_code == 204


def test_running_tables_to_watch_are_listed_without_such_tables(world, newer):
    tables = [world.table(spectators="delayed") for _ in range(2)]
    newer.change(tables[0].id)
    items = tables[1].host.get("/v1/tables?status=playing").json["items"]
    assert [item["table"] for item in items] == [tables[1].id]


def test_a_stream_of_such_a_table_breaks_off_so_that_the_client_reconnects(world, newer):
    table = world.table(ready=False)
    with Stream(table.host, f"{table.path}/events?after=0") as stream:
        stream.messages(5)
        newer.change(table.id)
        # No message says that it ends: clients reconnect, and get the 503 or a newer process.
        assert stream.next() is None
    assert_problem(table.host.get(f"{table.path}/events", headers={"Accept": "text/event-stream"}), "unavailable")
    wait_until(lambda: not world.feeds._feeds)


def test_a_long_poll_of_such_a_table_is_answered_with_503(world, newer):
    table = world.table(ready=False)
    changing = once_followed(world, lambda: newer.change(table.id))
    answer = table.host.get(f"{table.path}/events?after={table.state()['version']}&wait=20")
    changing.join()
    assert_problem(answer, "unavailable")


def test_a_long_poll_of_the_list_goes_on_without_such_a_table(world, newer):
    table = world.table(ready=False)
    etag = table.host.get("/v1/me/tables").headers["ETag"]
    changing = once_followed(world, lambda: newer.change(table.id))
    answer = table.host.get("/v1/me/tables?wait=20", headers={"If-None-Match": etag})
    changing.join()
    assert (answer.status_code, answer.json["items"]) == (200, [])


def test_the_stream_of_an_account_breaks_off_and_resumes_without_such_a_table(world, newer):
    table = world.table()
    table.play_until("play")
    lin = table.clients[table.state()["decision"]["seats"][0]]
    turn = table.state()["decision"]["id"]
    stream = MyStream(lin)
    assert [item["decision_id"] for item in stream.snapshot()] == [turn]
    newer.change(table.id)
    assert stream.next() is None
    # The turn is still open: nobody is told that it is over.
    resumed = lin.get(f"/v1/me/events?after={stream.place}").json
    assert (resumed["events"], resumed["snapshot"], resumed["next_after"]) == ([], None, stream.place)
    resumed = MyStream(lin, f"?after={stream.place}")
    other = world.table(ready=False)
    other.clients[3].delete(f"{other.path}/seats/me")
    lin.post(f"{other.path}/seats", {"seat": 3})
    other.clients[3] = lin
    other.get_ready()
    while other.state()["decision"]["seats"] != [3]:
        other.step()
    assert resumed.turn()[0] == other.id
    resumed.answer.close()
    # A process of the newer release tells what has changed since.
    newer.play(table, 1)
    with newer.release():
        events = lin.get(f"/v1/me/events?after={stream.place}").json["events"]
    assert ("turn_over", {"table": table.id, "decision_id": turn}) in [(each["type"], each["data"]) for each in events]


def test_jobs_of_such_a_table_do_nothing_and_do_not_fail(world, newer, caplog):
    table = world.table(hints="on")
    table.play_until("play")
    seat, version = table.state()["decision"]["seats"][0], table.state()["version"]
    body = {"decision_id": table.state()["decision"]["id"]}
    assert table.clients[seat].post(f"{table.path}/hint", body).status_code == 202
    queues = Queues(world.redis, lambda: world.now)
    queues.enqueue(table.id, version, "people")
    queues.enqueue_all([(table.id, version), (table.id, version + 1)], "ai")
    queues.waiting_questions.ask(
        Asker("ip:::1", table.host.player["id"]), Question(ANALYSIS, table.state()["game"]["id"], 1, 4)
    )
    queues.answer()
    newer.change(table.id)
    for role in ("worker", "searcher"):
        world.work(role)
    assert [queues.waiting(queue) for queue in QUEUES] == [0] * len(QUEUES)
    for queue in QUEUES:
        failed = FailedJobRegistry(queue, connection=world.redis, serializer=JSONSerializer)
        assert failed.get_job_ids() == []


def test_an_archived_game_stays_readable_when_its_table_is_not(world, newer):
    table = world.table()
    play_to_the_end(table)
    world.advance(table.id)
    game = table.state()["game"]["id"]
    assert table.host.get(f"/v1/games/{game}").status_code == 200
    newer.change(table.id)
    assert table.host.get(f"/v1/games/{game}").status_code == 200
    archived = world.stores.archive.load_archive(game)
    world.stores.archive.archive(game, {**archived, "base": {**archived["base"], "needs": "9.4"}})
    assert_problem(table.host.get(f"/v1/games/{game}"), "unavailable", reason="newer_release")
    lines = table.host.get("/v1/me/games", headers={"Accept": "application/x-ndjson"})
    assert (lines.status_code, lines.data) == (200, b"")


def test_readiness_and_metrics_tell_that_a_newer_release_is_needed(world, changed, newer):
    assert world.anybody.get("/readyz").json["newer_release"] == "9.4"
    assert "newer_release_needed 1.0" in world.anybody.get("/metrics").get_data(as_text=True)
    with newer.release():
        assert world.anybody.get("/readyz").json["newer_release"] is None
        assert "newer_release_needed 0.0" in world.anybody.get("/metrics").get_data(as_text=True)


def test_a_round_of_teams_is_scored_by_a_release_that_understands_its_boards(world, newer):
    cup = Cup(world, teams=4)
    cup.begin()
    newer.change(cup.table_of(cup.captains[0]))
    # The other rooms are opened and found, and this one is known.
    assert cup.begin()["played"][0]["status"] == "open"
    assert all(cup.table_of(captain) for captain in cup.captains)
    world.now = world.stores.boards.teams.progress(cup.id)["rounds"][0]["closes_at"]
    world.conduct()
    for path in ("", "/standings", "/results"):
        assert cup.director.get(f"{cup.path}{path}").status_code in (200, 409)
    assert not world.stores.boards.teams.progress(cup.id)["rounds"][0]["is_scored"]
    assert_problem(cup.director.post(f"{cup.path}/rounds", {"round": 2}), "round-not-ready")
    with newer.release():
        world.now += CHECK_MS
        world.conduct()
        assert world.stores.boards.teams.progress(cup.id)["rounds"][0]["is_scored"]


def test_a_match_whose_table_a_newer_release_has_changed_does_not_keep_others_waiting(world, newer, monkeypatch):
    lounge = Lounge(world)
    people = [lounge.person(f"Player {number}") for number in range(8)]
    lounge.look(*people)
    assert lounge.match() == 2
    # The process dies after the last confirmation.
    with monkeypatch.context() as patch:
        patch.setattr(lounge.quick_play, "_seat", lambda _match: None)
        lounge.confirm(*people)
    matches = {world.stores.tickets.of_player(client.player["id"]).pending.match["id"]: client for client in people}
    first, second = sorted(matches)
    match = world.stores.tickets.of_player(matches[first].player["id"]).pending.match
    table = id_from("tb_", sha256(first.encode()).digest())
    world.tables.create({"id": ""}, spec_of(match), table)
    newer.change(table)
    lounge.match(6)
    assert state_of(matches[second]) == "seated"
    assert state_of(matches[first]) == "matched"
