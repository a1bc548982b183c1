"""`clients/python`: requests and streams that break, and the bot of `docs/bots.md` from a built wheel."""

import copy
import io
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from email.message import Message as Message822
from http.client import IncompleteRead
from urllib.error import HTTPError

import pytest
from aiohttp import ClientPayloadError

from harness.document import document
from harness.make_run import api_worker
from scripts.client_models import (
    MODULE,
    NPM,
    PAGE_EVENTS,
    PYTHON_EVENTS,
    models,
    page_events,
    python_events,
    with_version,
)
from service.game.events.catalogue import ROWS
from service.rules.options.rulesets import RULESETS
from shengji_client import Client, Message, Problem, ServiceError, Table, Unreachable, events, folding, follow, protocol
from shengji_client import asyncio as awaited
from shengji_client.bot import choosers
from shengji_client.bot.choosers import Program
from shengji_client.bot.config import Config, ConfigError
from shengji_client.models import MADE_FOR
from shengji_client.streams import Parser
from tests.support.loops import run
from tests.support.wheels import built, installed
from tools.clients.toolchain import ROOT

GUIDE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
[TEN_LINES, BY_LINES, WITHOUT_RUNNER] = re.findall(r"^```python\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
[CONFIG] = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
[COMMAND] = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
VIEW = {"id": "tb_1", "decision": {"id": "dc_4", "kind": "play", "remaining_ms": None, "hints": {"example": ["KD"]}}}
KING = {"type": "play", "cards": ["KD"]}


class Answer(io.BytesIO):
    """A response with JSON, or with a stream that breaks off at the end of its text."""

    def __init__(self, text="{}", status=200, headers=()):
        super().__init__(text.encode())
        self.status = status
        self.headers = dict(headers)


class Awaited(awaited.Client):
    """A client of asyncio, awaited by those who call it."""

    def request(self, *args, **settings):
        return run(super().request(*args, **settings))


class AwaitedAnswer:
    """An `Answer` as aiohttp gives it, in pieces that end anywhere."""

    def __init__(self, answer):
        self.status, self.headers, self.content = answer.status, answer.headers, self
        self._answer = answer

    async def read(self):
        return self._answer.read()

    async def iter_any(self):
        while data := self._answer.read(7):
            yield data


def followed(client, path, after):
    """Return all messages of a stream."""
    if isinstance(client, Client):
        return list(follow(client, path, after))

    async def messages():
        return [message async for message in awaited.follow(client, path, after)]

    return run(messages())


@pytest.fixture(params=[Client, Awaited], ids=["blocking", "asyncio"])
def answers(request, monkeypatch):
    """Prepares the answers to a client's requests; yields the client, the headers sent and the seconds waited."""

    @contextmanager
    def prepared(*outcomes):
        left, sent, waited = list(outcomes), [], []

        def open_(_, request):
            sent.append(dict(request.headers))
            outcome = left.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        @asynccontextmanager
        async def open_awaited(self, request):
            try:
                answer = open_(self, request)
            except IncompleteRead as error:
                raise ClientPayloadError from error
            yield AwaitedAnswer(answer)

        async def wait(_, seconds):
            waited.append(seconds)

        monkeypatch.setattr(Client, "_open", open_)
        monkeypatch.setattr(Client, "sleep", lambda _, seconds: waited.append(seconds))
        monkeypatch.setattr(Awaited, "_open", open_awaited)
        monkeypatch.setattr(Awaited, "sleep", wait)
        monkeypatch.setattr(protocol, "_compared", {"http://service"})
        yield request.param("http://service", "sjt_1"), sent, waited
        assert left == []

    return prepared


@pytest.mark.parametrize(("settings", "sent"), [({}, {}), ({"code": "7HQ2-K5XM-9R4D"}, {"code": "7HQ2-K5XM-9R4D"})])
def test_a_registration_code_is_sent_if_there_is_one(monkeypatch, settings, sent):
    bodies = []

    def request(_, method, path, body):
        bodies.append((method, path, body))
        return {"token": "secret"}

    monkeypatch.setattr(Client, "request", request)
    assert Client.register("http://service", "Lin", **settings).token == "secret"
    assert bodies == [("POST", "/v1/players", {"name": "Lin", "kind": "bot", **sent})]


def test_a_request_is_sent_again_with_the_same_key(answers):
    lost = TimeoutError(), IncompleteRead(b""), Problem(503, {}, 7.0), Problem(502, {}), ConnectionResetError()
    with answers(*lost, Answer('{"id": "tb_1"}')) as (client, sent, waited):
        assert client.request("POST", "/v1/tables", {"players": 4}) == {"id": "tb_1"}
        assert len({headers["Idempotency-Key"] for headers in sent}) == 1
        assert waited[0] == 0  # at once
        assert waited[2] == 7
        assert all(4 <= seconds <= 8 for seconds in waited[3:])


def test_after_too_many_requests_the_whole_client_waits(answers):
    with answers(Problem(429, {}, 40.0), Answer(), Answer()) as (client, _, waited):
        client.request("GET", "/v1/me")
        client.request("GET", "/v1/me")
        assert waited[0] == 40
        assert all(seconds > 20 for seconds in waited[1:])
        assert len(waited) == 3  # `sleep` is stubbed, so the pause still lasts


def test_a_refusal_is_a_problem_and_is_not_repeated(answers):
    body = {"code": "seat-taken", "detail": "Seat 2 is taken.", "params": {"seat": 2}}
    with answers(Problem(409, body)) as (client, _, waited), pytest.raises(Problem) as refused:
        client.request("POST", "/v1/tables/tb_1/seats", {"seat": 2})
    assert (refused.value.code, refused.value.params, str(refused.value)) == (
        "seat-taken", {"seat": 2}, "Seat 2 is taken.",
    )  # fmt: skip
    assert waited == []


def test_a_client_gives_up_when_its_patience_ends(answers):
    with answers(ConnectionRefusedError("no")) as (client, _, _):
        client.patience = -1
        with pytest.raises(Unreachable, match="no"):
            client.request("GET", "/v1")


def test_a_problem_can_be_copied_and_sent_to_another_process():
    body = {"code": "seat-taken", "detail": "Seat 2 is taken.", "params": {"seat": 2}}
    problem = Problem(409, body, 7.0)
    for other in (copy.copy(problem), copy.deepcopy(problem), pickle.loads(pickle.dumps(problem))):  # noqa: S301 (ours)
        assert (other.status, other.body, other.retry_after, str(other)) == (409, body, 7.0, "Seat 2 is taken.")
    for error in (Unreachable("no"), ServiceError("no")):
        assert str(pickle.loads(pickle.dumps(error))) == "no"  # noqa: S301


def test_a_pool_of_processes_survives_a_refusal():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(Problem, match="Seat 2"):
            pool.submit(refuse, 2).result(60)
        assert pool.submit(len, "abc").result(60) == 3


def refuse(seat):
    raise Problem(409, {"code": "seat-taken", "detail": f"Seat {seat} is taken."})


def test_a_problem_says_which_fields_are_invalid():
    faults = [
        {"pointer": f"/{name}", "code": "unknown_field", "detail": "There is no such field."} for name in "abcdefg"
    ]
    problem = Problem(400, {"detail": "Some fields are invalid; see `errors`.", "errors": faults[:2]})
    assert problem.errors == faults[:2]
    assert str(problem) == (
        "Some fields are invalid; see `errors`. (/a: There is no such field.; /b: There is no such field.)"
    )
    assert str(Problem(400, {"detail": "x", "errors": faults})).endswith("; and 2 more)")
    assert (
        str(Problem(400, {"detail": "No.", "errors": [{"pointer": "/players", "detail": "No."}]})) == "No. (/players)"
    )


class Opener:
    """Opens no connection: each request gets the next outcome."""

    def __init__(self, *outcomes):
        self.left, self.sent = list(outcomes), []

    def open(self, request, timeout):
        self.sent.append(request)
        outcome = self.left.pop(0)
        if isinstance(outcome, int):
            headers = Message822()
            headers["Location"] = "https://www.cards.example/v1"
            raise HTTPError(request.full_url, outcome, "", headers, io.BytesIO(b""))
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


@pytest.fixture
def opened(monkeypatch):
    """Makes a client whose requests get these outcomes; time passes by its pauses alone."""
    clock = [100.0]
    monkeypatch.setattr(protocol, "_compared", {"http://service"})
    monkeypatch.setattr(protocol.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(protocol.time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))

    def open_next(*outcomes):
        client = Client("http://service", "sjt_1", patience=1_000)
        client._opener = Opener(*outcomes)
        return client

    return open_next


@pytest.mark.parametrize("status", [301, 308])
def test_a_redirect_says_where_it_leads_and_is_not_followed(opened, status):
    with pytest.raises(Problem) as refused:
        opened(status).request("GET", "/v1")
    assert "https://www.cards.example/v1" in str(refused.value)
    assert refused.value.location == "https://www.cards.example/v1"


def test_the_log_says_how_long_a_service_does_not_answer_and_when_it_does_again(opened, caplog):
    caplog.set_level("INFO")
    client = opened(*[ConnectionRefusedError("refused"), 503] * 6, Answer())
    client.request("GET", "/v1/me")
    silent = [line for line in caplog.messages if "has not answered for" in line]
    assert 2 <= len(silent) <= 6
    assert silent[0].startswith("http://service has not answered for")
    assert "answers again, after" in caplog.messages[-1]


def test_a_single_lost_request_is_no_outage(opened, caplog):
    opened(ConnectionResetError(), Answer()).request("GET", "/v1/me")
    assert caplog.messages == []


def test_settings_of_a_table_are_changed_with_its_etag(opened):
    client = opened(412)
    with pytest.raises(Problem):
        Table(client, "tb_1").change({"chat": False}, '"6.a"')
    assert client._opener.sent[-1].get_header("If-match") == '"6.a"'
    client = opened(Answer(headers={"ETag": '"7.a"'}), Answer('{"seq": 9}'))
    assert Table(client, "tb_1").change({"chat": False}) == {"seq": 9}
    sent = client._opener.sent[-1]
    assert (sent.get_method(), sent.get_header("If-match")) == ("PATCH", '"7.a"')


def test_a_response_that_has_not_changed_is_no_refusal(opened):
    reply = opened(304).send("GET", "/v1/tables/tb_1", headers={"If-None-Match": '"7.a"'})
    assert (reply.status, reply.body) == (304, None)


@pytest.mark.parametrize(
    ("version", "versions", "message"),
    [
        ("0.1.9", '["v1"]', "older"),
        ("9.0.0", '["v1"]', "newer"),
        ("9.0.0", '["v2"]', "may fail"),
        (MADE_FOR, '["v1", "v2"]', None),
    ],
)
def test_a_client_says_once_that_the_service_is_of_another_version(answers, caplog, version, versions, message):
    with answers(Answer(), Answer(f'{{"version": "{version}", "api_versions": {versions}}}'), Answer()) as service:
        protocol._compared.clear()
        service[0].request("GET", "/v1/me")
        service[0].request("GET", "/v1/me")
    assert [message in line for line in caplog.messages] == ([True] if message else [])


def test_a_client_says_once_that_an_operation_goes(answers, caplog):
    goes = {"Deprecation": "@1798761600", "Sunset": "Sun, 02 Jan 2028 00:00:00 GMT"}
    about = Answer(f'{{"version": "{MADE_FOR}", "api_versions": ["v1"]}}')
    with answers(Answer(headers=goes), about, Answer(headers=goes), Answer()) as (client, _, _):
        protocol._compared.clear()
        for _ in range(3):
            client.request("GET", "/v1/me")
    assert caplog.messages == ["GET /v1/me is deprecated, and promised until Sun, 02 Jan 2028 00:00:00 GMT"]


def test_a_service_that_does_not_tell_its_version_is_asked_again_later(answers):
    with answers(Answer(), Problem(404, {})) as (client, _, _):
        protocol._compared.clear()
        assert client.request("GET", "/v1/me") == {}
        assert protocol._compared == set()


def test_a_stream_resumes_after_its_last_message(answers):
    first = 'retry: 1\n\nid: 4\ndata: {"seq": 4}\n\nevent: heartbeat\ndata: {"after": 6}\n\nid: 9\ndata: {"se'
    again = 'event: reset\nid: 3\ndata: {"view": {}}\n\nevent: end\ndata: {"reason": "over"}\n\n'
    refused = Problem(400, {"code": "invalid-request"})
    with answers(Answer(first), Problem(503, {}, 5.0), TimeoutError(), refused, Answer(again)) as (
        client,
        sent,
        waited,
    ):
        messages = followed(client, "/v1/tables/tb_1/events", "3")
        assert [message.name for message in messages] == ["message", "heartbeat", "reset", "end"]
        places = [headers.get("Last-Event-ID") for headers in sent]
        assert places == ["3", "6", "6", "6", None]  # the place was lost in an outage
        assert waited[:2] == [0, 5]


def test_a_stream_with_nothing_left_ends(answers):
    with answers(Answer("", 204)) as (client, _, _):
        assert followed(client, "/v1/tables/tb_1/events", "8") == []


def test_a_message_may_have_several_lines():
    text = b"data: [1,\ndata:2]\r\n: comment\n:\nid: 7\n\ndata: 3\n"
    parser = Parser()
    assert [message for byte in text for message in parser.feed(bytes([byte]))] == [Message("message", [1, 2], "7")]
    assert list(Parser().feed(text)) == [Message("message", [1, 2], "7")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('service = "http://x"\nname = "Lin"\nchoose = "a:b"\ncolour = 1', "unknown setting 'colour'"),
        ('service = "http://x"\nname = "Lin"', "either choose or program"),
        ('service = "http://x"\nchoose = "a:b"', "name is missing"),
        ('service = "http://x"\nname = "Lin"\nchoose = "a:b"\nthreads = "8"', "threads must be"),
        ('service = "http://x"\nname = "Lin"\nchoose = "a:b"\ntables = [{ ruleset = "shengji" }]', "players"),
        ("service = ", "Invalid value"),
    ],
)
def test_a_config_file_that_is_wrong_is_refused(tmp_path, text, message):
    file = tmp_path / "bot.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message):
        Config.read(file)


@pytest.fixture
def hasty(monkeypatch):
    """Programs are started again at once, and get little time."""
    monkeypatch.setattr(choosers, "pause_before", lambda attempt: 0.0)
    monkeypatch.setattr(choosers, "SPARE", 0.3)


def test_the_types_are_those_of_the_document():
    assert models(document()) == MODULE.read_text(encoding="utf-8"), "run `make openapi`"


def test_the_packages_have_the_version_of_the_service():
    version = document()["info"]["version"]
    for path in NPM:
        text = path.read_text(encoding="utf-8")
        assert f'"version": "{version}"' in text
        assert with_version(text, document()) == text, "run `make openapi`"
    assert version == MADE_FOR


def test_the_tables_of_events_are_those_of_the_document():
    assert python_events(document()) == PYTHON_EVENTS.read_text(encoding="utf-8"), "run `make openapi`"
    assert page_events(document()) == PAGE_EVENTS.read_text(encoding="utf-8"), "run `make openapi`"


def test_the_tables_of_events_follow_from_the_rows_of_the_types():
    ended = {kind for kind, row in ROWS.items() if "ends_decision" in row.flags}
    assert ended == events.ENDS_DECISION
    assert {kind: dict(row.sets) for kind, row in ROWS.items() if row.sets} == events.SETS


def test_a_type_of_event_is_folded_by_its_table_or_by_code_but_no_field_by_both():
    for kind in events.SETS.keys() & folding.SEATS.keys():
        assert not any(path.startswith("seat.") for path in events.SETS[kind]), kind
    assert not events.SETS.keys() & folding.CHANGES.keys()
    assert ROWS.keys() >= events.SETS.keys() | folding.SEATS.keys() | folding.CHANGES.keys()


def program(folder, text):
    (folder / "ten_lines.py").write_text(TEN_LINES)
    (folder / "program.py").write_text(text)
    return Program([sys.executable, "program.py"], str(folder))


def test_the_program_of_the_guide_answers(tmp_path):
    assert program(tmp_path, BY_LINES).choose(VIEW) == KING


def test_a_program_that_ends_is_started_and_asked_again(tmp_path, hasty):
    text = "import os\nif not os.path.exists('once'): open('once', 'w').close(), print('?', flush=True), exit(3)\n"
    assert program(tmp_path, text + BY_LINES).choose(VIEW) == KING


def test_a_program_that_hangs_is_killed(tmp_path, hasty):
    hangs = program(tmp_path, "import time\nprint('no answer', flush=True)\ntime.sleep(60)")
    with pytest.raises(TimeoutError):
        hangs.choose({**VIEW, "decision": {**VIEW["decision"], "remaining_ms": 0}})
    assert hangs._process is None or hangs._process.wait(10) == -signal.SIGKILL


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with nothing but the wheel."""
    wheel = built(tmp_path_factory.mktemp("wheel"), ROOT / "clients" / "python")
    python, packages = installed(wheel, tmp_path_factory.mktemp("environment"))
    for name in ("py.typed", "recorded/problems.json", "recorded/shengji.json.gz"):
        assert (packages / "shengji_client" / name).exists()
    return python


def test_the_bot_of_the_guide_plays_a_round_while_it_and_the_service_are_killed(python, mortal, tmp_path):
    (tmp_path / "ten_lines.py").write_text(TEN_LINES)
    (tmp_path / "bot.toml").write_text(CONFIG.replace("http://127.0.0.1:8000", mortal.url))
    command = [str(python), *COMMAND.split()[1:]]
    assert COMMAND.split()[0] == "bin/python"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    log = tmp_path / "log"

    def start():
        with log.open("a") as output:
            return subprocess.Popen(command, cwd=tmp_path, env=clean, stderr=output)

    bot = start()
    try:
        mortal.wait_for(lambda: " players" in log.read_text() or bot.poll() is not None, "a table", 30)
        assert bot.poll() is None, log.read_text()
        client = Client(mortal.url, (tmp_path / "bot.token").read_text().strip())
        [row] = client.request("GET", "/v1/me/tables")["items"]
        table, counts, count = Table(client, row["table"]), [], Counter()
        for message in table.follow(0):
            if message.name != "message":
                continue
            counts.append(message.data)
            kind = message.data["type"]
            count[kind] += 1
            # Early in the round: where pairs and tractors are led, it has few tricks.
            if (kind, count[kind]) == ("played", 10):
                os.kill(api_worker(mortal), signal.SIGKILL)
            elif (kind, count[kind]) == ("trick_won", 4):
                bot.kill()
                bot.wait()
                bot = start()
            elif (kind, count[kind]) == ("trick_won", 8):
                bot.send_signal(signal.SIGTERM)
            elif kind == "round_ended":
                break
        with suppress(subprocess.TimeoutExpired):
            bot.wait(60)
        assert bot.poll() == 0, log.read_text()
    finally:
        bot.kill()
        bot.wait()
    assert [event["seq"] for event in counts] == list(range(1, len(counts) + 1))
    assert not [event for event in counts if event["type"] == "decision_timed_out"]
    plays = [event for event in counts if event["type"] == "played" and event["data"]["seat"] == 0]
    assert {event["by"] for event in plays} == {"player"}
    assert sum(len(event["data"]["cards"]) for event in plays) == 25
    # It was asked to stop in the middle of the round: it finished that, and began no other.
    view = table.view()
    assert view["decision"]["kind"] == "ready"
    assert not view["seats"][0]["ready"]
    assert "ERROR" not in log.read_text()
    assert (tmp_path / "bot.token").stat().st_mode & 0o777 == 0o600


@pytest.mark.nightly
@pytest.mark.timeout(300)
def test_whole_games_of_every_ruleset_are_played_while_the_bot_and_the_service_are_killed(python, mortal, tmp_path):
    (tmp_path / "ten_lines.py").write_text(TEN_LINES)
    lines = CONFIG.replace("http://127.0.0.1:8000", mortal.url).partition("[[tables]]")[0].splitlines()
    for ruleset, rules in RULESETS.items():
        options = "" if rules.family == "arms_length" else 'deal_pace = "instant", start_level = "A"'
        lines += ["[[tables]]", f'ruleset = "{ruleset}"', f"players = {rules.players[0]}"]
        lines += [f"options = {{ {options} }}", "ai_pace_ms = 0"]
    (tmp_path / "bot.toml").write_text("\n".join(lines))
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with (tmp_path / "log").open("a") as log:

        def start():
            return subprocess.Popen([str(python), *COMMAND.split()[1:]], cwd=tmp_path, env=clean, stderr=log)

        bot = start()
        try:
            log_file = tmp_path / "log"
            mortal.wait_for(
                lambda: log_file.read_text().count(" players") == len(RULESETS), "a table of each ruleset", 60
            )
            tables = re.findall(r"table (tb_\w+): (\w+) for", log_file.read_text())
            assert [ruleset for _, ruleset in tables] == [*RULESETS]
            client = Client(mortal.url, (tmp_path / "bot.token").read_text().strip())
            for number, (table, ruleset) in enumerate(tables):
                events = []
                for message in Table(client, table).follow(0):
                    if message.name == "message":
                        events.append(message.data)
                        if len(events) == 40 and number in (0, 2):
                            os.kill(api_worker(mortal), signal.SIGKILL)
                        elif len(events) == 40 and number == 1:
                            bot.kill()
                            bot.wait()
                            bot = start()
                        if message.data["type"] == "game_ended":
                            break
                assert [event["seq"] for event in events] == list(range(1, len(events) + 1)), ruleset
                assert not [event for event in events if event["type"] == "decision_timed_out"], ruleset
                assert {event["by"] for event in events if event["data"].get("seat") == 0} >= {"player"}, ruleset
            bot.send_signal(signal.SIGTERM)
            mortal.wait_for(lambda: bot.poll() is not None, "its end", 60)
        finally:
            bot.kill()
            bot.wait()
    assert "ERROR" not in log_file.read_text()


def test_the_client_of_the_guide_is_refused_what_does_not_exist(python, service):
    text = WITHOUT_RUNNER.replace("http://127.0.0.1:8000", service.url)
    process = subprocess.run([python, "-I", "-c", text], capture_output=True, text=True, timeout=60, check=True).stdout
    assert process.startswith("404 not-found ")


def test_the_config_of_the_guide_lists_every_setting():
    rows = re.findall(r"^\| (`.*?) \|", GUIDE.partition("## The config file")[2], re.MULTILINE)
    documented = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert documented == set(Config.__dataclass_fields__) - {"folder"}
