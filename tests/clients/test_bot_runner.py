"""The runner of bots of `clients/python`: decisions, and what must get done whatever fails meanwhile."""

import pytest

from shengji_client import Client, Message, Problem, Unreachable
from shengji_client.bot import chores as chores_of
from shengji_client.bot.chores import Chores
from shengji_client.bot.config import Config, ConfigError
from shengji_client.bot.results import text_of
from shengji_client.bot.runner import Runner
from tests.clients.test_python_package import KING, VIEW


def work(chores, rounds=1):
    """Do all chores that wait, and those that follow from them, as if their time had come."""
    for _ in range(rounds):
        done = set()
        while left := [name for name in chores.waiting() if name not in done]:
            for name in left:
                done.add(name)
                chores.do(name, chores._chores[name])


class Asked:
    """A table with one decision, which refuses all actions but one."""

    id = "tb_1"

    def __init__(self, code):
        self.code, self.got = code, []

    def view(self):
        return {"moved": "on"}

    def act(self, _, action):
        self.got.append(action)
        if action != KING:
            raise Problem(409, {"code": self.code})
        return {"view": {"played": True}}


def runner(choose, tmp_path):
    return Runner(Client("http://service"), choose, Config(tmp_path, "http://service", "Lin"))


@pytest.mark.parametrize("choose", [lambda view: None, lambda view: view["no"], lambda view: {"type": "pass"}])
def test_the_example_is_played_if_a_bot_fails_to_choose(tmp_path, choose):
    table = Asked("illegal-play")
    assert runner(choose, tmp_path)._answer(table, VIEW, VIEW["decision"]) == {"played": True}
    assert table.got[-1] == KING
    assert all("type" in action for action in table.got)


def test_a_bot_that_was_late_looks_again(tmp_path):
    table = Asked("stale-decision")
    assert runner(lambda view: {"type": "pass"}, tmp_path)._answer(table, VIEW, VIEW["decision"]) == {"moved": "on"}
    assert table.got == [{"type": "pass"}]


def view_of(phase, decision, *, autopilot=None, status="playing"):
    """Return a view of seat 0, whose neighbour is an AI player that is ready."""
    seats = [
        {"occupant": {"kind": "bot", "player": "pl_1"}, "ready": False, "autopilot": autopilot},
        {"occupant": {"kind": "ai", "player": None}, "ready": True, "autopilot": None},
    ]
    view = {"id": "tb_1", "status": status, "phase": phase, "closed": None, "pause": None, "seats": seats}
    return {**view, "my": {"seat": 0}, "decision": decision}


class Shown:
    """A table where each action leads to the next view."""

    id = "tb_1"

    def __init__(self, *views):
        self.views, self.done = list(views), []

    def view(self):
        return self.views[0]

    def _do(self, what):
        self.done.append(what)
        self.views.pop(0)
        return {"view": self.views[0]}

    def act(self, decision_id, action):
        return self._do((decision_id, action))

    def resume(self):
        return self._do("resume")

    def ready(self):
        self.done.append("ready")


MINE = {**VIEW["decision"], "seats": [0]}
READY = {"id": "dc_9", "kind": "ready", "seats": [0], "remaining_ms": None}


def test_a_bot_takes_its_seat_back_answers_and_is_ready(tmp_path):
    bot = runner(lambda view: KING, tmp_path)
    table = Shown(view_of("playing", None, autopilot="easy"), view_of("playing", MINE), view_of("scored", READY))
    bot._attend(table)
    assert table.done == ["resume", ("dc_4", KING), "ready"]
    assert bot._rounds == set()


def test_a_bot_answers_a_decision_once_and_knows_that_the_round_is_running(tmp_path):
    bot = runner(lambda view: {"type": "pass"}, tmp_path)
    table = Shown(view_of("declaring", MINE), view_of("declaring", MINE))
    bot._attend(table)
    assert table.done == [("dc_4", {"type": "pass"})]
    assert bot._rounds == {"tb_1"}


def test_a_bot_begins_another_game_only_if_somebody_else_is_ready(tmp_path):
    bot = runner(lambda view: KING, tmp_path)
    table = Shown(view_of(None, None, status="finished"))
    bot._attend(table)
    assert table.done == []
    table.views[0]["seats"][1]["occupant"]["kind"] = "human"
    bot._attend(table)
    assert table.done == ["ready"]


class Service:
    """A client that records requests, and answers as prepared."""

    def __init__(self, **answers):
        self.sent, self.answers = [], answers

    def request(self, method, path, body=None, query=None):
        self.sent.append((method, path, body))
        answer = self.answers.get(path.rpartition("/")[2], {})
        if isinstance(answer, Problem):
            raise answer
        return answer


def challenged(client, tmp_path, **config):
    bot = Runner(client, lambda view: KING, Config(tmp_path, "http://service", "Lin", **config))
    looked = []
    bot._submit, bot._look_at = (lambda task: task()), looked.append
    bot._hear(Message("message", {"type": "challenged", "data": {"challenge": "ch_1"}}, "1"))
    return bot, looked


def test_a_bot_accepts_the_challenges_that_the_service_lets_through(tmp_path):
    client = Service(answer={"table": "tb_1", "by": "pl_2"})
    bot, looked = challenged(client, tmp_path, accepts={"concurrent": 4})
    assert client.sent == [("PUT", "/v1/challenges/ch_1/answer", {"accept": True})]
    assert looked == ["tb_1"]
    bot._say_what_is_accepted()
    assert client.sent[-1] == ("PATCH", "/v1/me", {"accepts": {"concurrent": 4}})


def test_a_bot_that_is_draining_declines_challenges(tmp_path):
    client = Service(answer={"table": None, "by": "pl_2"}, me={"accepts": {"concurrent": 4}})
    bot, looked = challenged(client, tmp_path)
    bot._draining = True
    bot._answer_challenge("ch_2")
    bot._say_what_is_accepted()
    assert client.sent[1] == ("PUT", "/v1/challenges/ch_2/answer", {"accept": False, "reason": "busy"})
    assert client.sent[-1] == ("PATCH", "/v1/me", {"accepts": {"concurrent": 0}})
    assert looked == []


def ladder(tmp_path, client):
    bot = Runner(client, lambda view: KING, Config(tmp_path, "http://service", "Lin", ladder=True))
    looked = []
    bot._ladder._look_at = looked.append
    bot._ladder.look()
    work(bot._chores)
    return bot, looked


NIGHT = {"event": "ev_2", "status": "open", "opens_at": "0", "closes_at": "6"}


def test_a_bot_enters_the_ladder_and_begins_the_boards_that_it_has_not_played(tmp_path, caplog):
    caplog.set_level("INFO")
    result = {"points": 85, "side": "attackers", "scores": None, "counts": True}
    boards = [{"number": 1, "result": result}, *({"number": number, "result": None} for number in (2, 3))]
    nights = [NIGHT, {**NIGHT, "event": "ev_1", "status": "over"}]
    client = Service(**{"events?for=bots": {"items": nights}, "entries": {"items": boards}, "table": {"table": "tb_7"}})
    bot, looked = ladder(tmp_path, client)
    bot._ladder.look()
    work(bot._chores)
    posted = [path.removeprefix("/v1/events/ev_2/") for method, path, _ in client.sent if method == "POST"]
    assert posted == ["entries", "boards/2/table", "boards/3/table", "entries"]
    assert looked == ["tb_7", "tb_7"]
    assert "board 1 of ev_2 is over: 85 points as attackers" in caplog.messages
    # An earlier run of the bot has just played them.
    client.answers["table"] = Problem(409, {"code": "board-played"})
    bot._ladder._begun.clear()
    bot._ladder.look()
    work(bot._chores)
    assert bot._ladder._begun == {("ev_2", 2), ("ev_2", 3)}
    assert len(looked) == 2


def test_a_bot_says_when_the_coming_night_of_the_ladder_is_and_does_not_enter_it_yet(tmp_path, caplog):
    caplog.set_level("INFO")
    client = Service(**{"events?for=bots": {"items": [{**NIGHT, "status": "coming"}]}})
    ladder(tmp_path, client)
    assert {method for method, _, _ in client.sent} == {"GET"}
    assert "ladder ev_2 is coming: 0 to 6" in caplog.messages


def test_a_bot_that_hears_of_a_challenge_too_late_goes_on(tmp_path):
    _, looked = challenged(Service(answer=Problem(409, {"code": "challenge-over"})), tmp_path)
    assert looked == []


# --- tables of the config ---------------------------------------------------------------------------------------------

ME = {"kind": "bot", "player": "pl_me"}
AI = {"kind": "ai", "player": None}
SHENGJI = {"ruleset": "zhaopengyou", "players": 5}
LARGE = {"ruleset": "zhaopengyou", "players": 8}
BUSY = Problem(429, {"code": "rate-limited", "detail": "Try again in 105 s."}, 105.0)


class Tables:
    """A service with tables in memory. `refusals`: problems for the next requests of a method and the end of a path."""

    def __init__(self, *codes):
        self.tables, self.codes, self.games = {}, dict(codes), []
        self.refusals, self.sent, self.down = {}, [], False
        self.url = "http://service"

    def add(self, spec, host="pl_me", **more):
        table = f"tb_{len(self.tables) + 1}"
        seats = [{"seat": seat, "occupant": None} for seat in range(spec["players"])]
        self.tables[table] = {
            "id": table,
            "host": host,
            "seats": seats,
            "closed": None,
            "status": "lobby",
            "settings": {},
            "options": {},
            **spec,
            **more,
        }
        return table

    def request(self, method, path, body=None, query=None, **_):
        self.sent.append((method, path))
        if self.down:
            raise Unreachable("http://service does not answer")
        for (of, end), problems in self.refusals.items():
            if method == of and path.endswith(end) and problems:
                raise problems.pop(0)
        fixed = {"/v1/me/games": {"items": self.games[::-1], "next_cursor": None}, "/v1/me": {"id": "pl_me"}}
        if path in fixed:
            return fixed[path]
        if path == "/v1/me/tables":
            return self.page(int(query["cursor"]) if query else 0)
        if path == "/v1/tables":
            if body["players"] == 99:
                raise Problem(422, {"code": "invalid-option", "detail": "No such number.", "errors": []})
            return self.tables[self.add(body)]
        if path.startswith("/v1/join-codes/"):
            return {"table": self.coded(path.rpartition("/")[2]), "grants": "seat"}
        return self.at(self.tables[path.split("/")[3]], method, path, body)

    def page(self, start):
        """Return a page of two tables."""
        rows = [self.row(table) for table in self.tables]
        return {"items": rows[start : start + 2], "next_cursor": str(start + 2) if rows[start + 2 :] else None}

    def coded(self, code):
        if code not in self.codes:
            raise Problem(404, {"code": "not-found", "detail": "There is no such code here."})
        return self.codes[code]

    def at(self, table, method, path, body):
        if method == "DELETE":
            table["closed"] = {"reason": "host"}
        elif path.endswith("/seats"):
            table["seats"][body.get("seat", 1)]["occupant"] = ME
        elif path.endswith("/ai"):
            table["seats"][int(path.split("/")[5])]["occupant"] = AI
        view = {**table, "my": {"seat": 0}} if ME in [seat["occupant"] for seat in table["seats"]] else table
        return {"view": view} if path.endswith("/seats") else view

    def row(self, table):
        view = self.tables[table]
        mine = [seat["seat"] for seat in view["seats"] if seat["occupant"] == ME]
        fields = {name: view[name] for name in ("ruleset", "players", "status", "closed")}
        return {**fields, "table": table, "seat": mine[0] if mine else None, "my_turn": False} | (
            {"board": True} if view.get("board") else {}
        )


def started(client, tmp_path, **config):
    bot = Runner(client, lambda view: KING, Config(tmp_path, "http://service", "Lin", **config))
    bot.looked = []
    bot._keeper._look_at = bot.looked.append
    bot._keeper.start()
    work(bot._chores)
    return bot


def kinds(client):
    return sorted((table["ruleset"], table["players"]) for table in client.tables.values() if not table["closed"])


def test_two_specs_of_one_ruleset_both_get_a_table_and_keep_it(tmp_path):
    client = Tables()
    bot = started(client, tmp_path, tables=[SHENGJI, LARGE])
    assert kinds(client) == [("zhaopengyou", 5), ("zhaopengyou", 8)]
    work(bot._chores, rounds=3)
    assert len(client.tables) == 2
    assert all(seat["occupant"] for table in client.tables.values() for seat in table["seats"])


def test_a_bot_that_is_started_again_goes_on_at_its_tables(tmp_path):
    client = Tables()
    started(client, tmp_path, tables=[SHENGJI, LARGE, LARGE])
    bot = started(client, tmp_path, tables=[LARGE, SHENGJI, LARGE])
    assert len(client.tables) == 3
    assert {*client.tables} == {each.table for each in bot._keeper._own_tables}


@pytest.mark.parametrize(
    "other",
    [
        {"board": True},
        {"host": "pl_other"},
        {"options": {"deal_pace": "timed"}},
        {"seats": [{"seat": 0, "occupant": ME}, {"seat": 1, "occupant": {"kind": "human", "player": "pl_2"}}]},
    ],
    ids=["a board", "of another host", "with other options", "with a person"],
)
def test_what_is_no_table_of_the_config_does_not_count_as_one(tmp_path, other):
    client = Tables()
    client.add(SHENGJI, **other)
    started(client, tmp_path, tables=[{**SHENGJI, "options": {"deal_pace": "instant"}}])
    assert len(client.tables) == 2


def test_a_stale_code_and_a_refused_spec_are_named_and_keep_nothing_else_from_being_done(tmp_path, caplog):
    client = Tables(("GOOD", "tb_1"))
    client.add(SHENGJI, host="pl_other")
    bot = started(
        client, tmp_path, join=["STALE", "GOOD"], tables=[LARGE, {"ruleset": "shengji", "players": 99}, SHENGJI]
    )
    assert kinds(client) == [("zhaopengyou", 5), ("zhaopengyou", 5), ("zhaopengyou", 8)]
    lines = [line for line in caplog.messages if "refused" in line]
    assert lines == [
        "join code STALE: refused, and not tried again: There is no such code here.",
        "table 2 of the config (shengji, 99 players): refused, and not tried again: No such number.",
    ]
    assert "tb_1" in bot.looked
    lookups = client.sent.count(("GET", "/v1/join-codes/STALE"))
    work(bot._chores, rounds=2)
    assert client.sent.count(("GET", "/v1/join-codes/STALE")) == lookups
    assert client.sent.count(("POST", "/v1/tables")) == 3


def test_a_table_whose_opening_fails_is_opened_later_and_the_log_says_when(tmp_path, caplog):
    client = Tables()
    client.refusals["POST", "/v1/tables"] = [BUSY]
    client.refusals["PUT", "/seats/3/ai"] = [Problem(503, {"code": "unavailable", "detail": "Busy."}, 1.0)]
    bot = started(client, tmp_path, tables=[SHENGJI])
    assert client.tables == {}
    assert caplog.messages == [
        "table 1 of the config (zhaopengyou, 5 players): Try again in 105 s.; tried again in 105 s"
    ]
    work(bot._chores, rounds=3)
    assert len(client.tables) == 1
    assert all(seat["occupant"] for seat in client.tables["tb_1"]["seats"])
    assert "table tb_1: Busy.; tried again in 1 s" in caplog.messages


def test_a_bot_tries_on_as_long_as_an_outage_lasts(tmp_path):
    client = Tables()
    client.down = True
    bot = started(client, tmp_path, tables=[SHENGJI], accepts={"concurrent": 2})
    bot._hear(Message("snapshot", {"items": []}))
    work(bot._chores, rounds=5)
    client.down = False
    work(bot._chores, rounds=2)
    assert len(client.tables) == 1
    assert ("PATCH", "/v1/me") in client.sent


def test_a_closed_table_is_replaced(tmp_path):
    client = Tables()
    bot = started(client, tmp_path, tables=[SHENGJI])
    client.tables["tb_1"]["closed"] = {"reason": "operator"}
    bot._hear(Message("message", {"type": "table_closed", "data": {"table": "tb_1"}}))
    work(bot._chores)
    assert {*client.tables} == {"tb_1", "tb_2"}


def test_another_game_begins_at_a_table_of_the_config_and_at_no_other(tmp_path):
    client = Tables()
    bot = started(client, tmp_path, tables=[SHENGJI])
    over = view_of(None, None, status="finished")
    table = Shown(over)
    bot._attend(table)
    assert table.done == ["ready"]
    table.id = "tb_9"
    bot._attend(table)
    assert table.done == ["ready"]
    bot._keeper.drain()
    table.id = "tb_1"
    bot._attend(table)
    assert table.done == ["ready"]


def test_a_table_at_which_no_more_games_may_begin_is_closed_and_replaced(tmp_path):
    client = Tables()
    bot = started(client, tmp_path, tables=[SHENGJI])
    table = Shown(view_of(None, None, status="finished"))

    def refuse():
        raise Problem(409, {"code": "wrong-phase", "params": {"reason": "table_used_up"}})

    table.ready = refuse
    bot._attend(table)
    work(bot._chores, rounds=2)
    assert client.tables["tb_1"]["closed"]
    assert {*client.tables} == {"tb_1", "tb_2"}


def test_a_turn_that_no_stream_has_told_is_found_in_the_list(tmp_path, monkeypatch):
    client = Tables()
    bot = started(client, tmp_path, tables=[SHENGJI])
    bot.looked.clear()
    row = Tables.row
    monkeypatch.setattr(Tables, "row", lambda self, table: {**row(self, table), "my_turn": True})
    work(bot._chores)
    assert bot.looked == ["tb_1"]


# --- chores -----------------------------------------------------------------------------------------------------------


def test_a_chore_asked_for_during_its_run_is_done_again():
    chores, runs = Chores(), []

    def task():
        runs.append(1)
        if len(runs) == 1:
            chores.add("x", task)

    chores.add("x", task)
    work(chores, rounds=2)
    assert (len(runs), chores.waiting()) == (2, [])


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (Problem(429, {}, 40.0), 40),
        (Problem(503, {}, 0.0), 1),
        (Problem(409, {"code": "too-many-tables"}), chores_of.REFUSED_S),
        (Problem(404, {}), chores_of.REFUSED_S),
        (Problem(404, {"code": "not-found"}), None),
        (Problem(422, {"code": "invalid-option"}), None),
    ],
)
def test_only_what_is_always_refused_is_given_up(error, pause):
    chores = Chores()

    def task():
        raise error

    chores.add("x", task)
    assert Chores._after("x", chores_of._Chore(task, 0.0, False, 1), error) == pause
    work(chores)
    assert chores.waiting() == ([] if pause is None else ["x"])
    chores.add("x", task, lasting=True)
    chores.drop("x")
    assert chores.waiting() == []


def test_a_fault_of_the_runner_is_logged_and_tried_again(caplog):
    chores = Chores()
    chores.add("x", lambda: 1 / 0)
    work(chores)
    assert chores.waiting() == ["x"]
    assert "x: a fault of the bot runner" in caplog.text
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(("code", "warns"), [("table-closed", False), ("not-found", False), ("wrong-status", True)])
def test_a_table_that_is_over_is_left_without_a_warning(tmp_path, caplog, monkeypatch, code, warns):
    """The bot itself closes a table that is full, maybe while it says that it is ready there."""
    bot = runner(lambda view: None, tmp_path)

    def refuse(_):
        raise Problem(409, {"code": code})

    monkeypatch.setattr(bot, "_attend", refuse)
    bot._looking["tb_1"] = False
    bot._look(Asked(""))
    assert ("table tb_1: " in caplog.text) == warns


# --- results ----------------------------------------------------------------------------------------------------------


def game(number, **more):
    data = {"game": f"gm_{number}", "table": "tb_1", "ruleset": "shengji", "rounds": 7, "seat": 0, "result": "won"}
    return {**data, "winners": [0, 2], "levels": ["A", "5"], "scores": None, "ended": "passed_last_level", **more}


def test_every_game_that_ends_is_told_once_also_after_an_outage(tmp_path, caplog):
    caplog.set_level("INFO")
    client = Tables()
    client.games.append(game(0))
    bot = started(client, tmp_path)
    bot._hear(Message("snapshot", {"items": []}))
    work(bot._chores)
    assert "gm_0" not in caplog.text
    client.games += [game(1), game(2, result="lost")]
    client.down = True
    bot._hear(Message("message", {"type": "game_kept", "data": {"table": "tb_1", "game": "gm_1"}}))
    work(bot._chores, rounds=2)
    client.down = False
    work(bot._chores)
    bot._hear(Message("snapshot", {"items": []}))
    work(bot._chores)
    lines = [line for line in caplog.messages if "is over" in line]
    assert lines == [
        "table tb_1: game gm_1 is over: shengji, 7 rounds on seat 0: won, levels A 5 (passed_last_level)",
        "table tb_1: game gm_2 is over: shengji, 7 rounds on seat 0: lost, levels A 5 (passed_last_level)",
    ]


def test_a_result_says_what_has_come_of_it():
    assert text_of(game(1, rounds=1)).startswith("shengji, 1 round on seat 0: won")
    assert "nobody has won" in text_of(game(1, result=None, winners=[]))
    assert "hardly played" in text_of(game(1, result=None, winners=[1, 3]))
    assert "scores 45 : 30" in text_of(game(1, levels=None, scores=[45, 30]))


def test_an_address_without_its_scheme_is_refused_at_once(tmp_path):
    file = tmp_path / "bot.toml"
    file.write_text('service = "cards.example"\nname = "Lin"\nchoose = "a:b"\n')
    with pytest.raises(ConfigError, match="must begin with http:// or https://"):
        Config.read(file)
    with pytest.raises(ValueError, match="must begin with"):
        Client("cards.example")
