"""Fuzzing: whatever is sent, the response is as documented, never a 5xx and never HTML.

Schemathesis generates valid and invalid requests; they go to tables in every phase, as one of their players. Further
tests send malformed bodies and absurd headers.
"""

from dataclasses import replace
from itertools import count, cycle

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi_checks

from harness.document import document
from service.api.http.auth import hash_of
from service.common.settings import Budget, Settings
from service.store.players.tokens import id_of
from tests.api.conftest import World
from tests.api.contract import Client
from tests.contract import scenes
from tests.support.sorting import is_day

PHASES = ("lobby", "dealing", "declare", "discard", "play", "ready", "finished", "closed")
CHECKS = [
    not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_headers_conformance,
    openapi_checks.response_schema_conformance,
    openapi_checks.negative_data_rejection,
]
#: Valid values of `wait`, as text.
RIGHT_WAITS = {str(seconds) for seconds in range(26)}
#: Few examples by day, and nightly an eighth of what other properties get, since requests are slow.
FEW = settings(max_examples=2 if is_day() else 125, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def world(module_redis):
    """A service without limits, and players `p0`, `p1`, … in it."""
    unlimited = {name: Budget(0, 60) for name in vars(Settings()) if name.startswith("limit_")}
    new_world = World(module_redis, replace(Settings(), **unlimited))
    new_world.now = scenes.NOW
    new_world.ids = (f"tb_fuzz{number}" for number in count())
    yield new_world
    new_world.close()


@pytest.fixture(scope="module")
def api(world):
    # An invalid body may also be too large: 413.
    refused = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429, "5xx"]
    config = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": refused}}})
    return schemathesis.openapi.from_wsgi("/openapi.yaml", world.app, config=config)


#: When the season of a club is.
SPRING = {"starts_at": "2026-03-01T00:00:00Z", "ends_at": "2026-06-01T00:00:00Z"}


@pytest.fixture(scope="module")
def made_places(world):
    """Values of path parameters (tables in every phase, and what belongs to them), and the contents of Redis."""
    scenes.register(world, 4)
    tables = {}
    for phase in PHASES:
        tables[phase] = next(world.ids)
        scenes.put(world, scenes.scene(phase), tables[phase])
    lobby = world.stores.tables.load(tables["lobby"]).state
    world.tables.reserve_codes(lobby)
    game = scenes.scene("finished").state["game"]["id"]
    director = Client(world.app, scenes.token(0))
    world.conduct()
    events = director.get("/v1/events").json["items"]
    cup = a_cup(director, world.player())
    room = director.post("/v1/rooms", {"name": "Friday", "rules": {"ruleset": "shengji", "players": 4}}).json
    club = director.post("/v1/clubs", {"name": "Lakeside"}).json
    season = director.post(f"/v1/clubs/{club['club']}/seasons", {"name": "Spring", **SPRING}).json
    deal = director.post(f"/v1/games/{game}/rounds/1/deal-links").json
    places = {
        "table": [*tables.values(), "tb_nothing"],
        "seat": [0, 1, 3, 99],
        "ruleset": ["shengji", "zhaopengyou", "arms_length", "chess"],
        "players": [4, 6, 3],
        "player": ["p0", "pl_nobody"],
        "game": [game, "gm_nothing"],
        "n": [1, 2, 1_000_000],
        "seq": [1, 30, 1_000_000],
        "vote": ["vt_1", "x"],
        "code": [lobby["settings"]["join_code"], room["links"]["member"], club["code"], deal["code"], "AAAAAA"],
        "token": [id_of(hash_of(scenes.token(0))), "tk_nothing"],
        "event": [*(each["event"] for each in events), cup["event"], "ev_nothing"],
        "team": [cup["entries"][0]["team"], "tm_nothing"],
        "match": ["1-1", "9-9", "x"],
        "subscription": ["phone", "x"],
        "problem": ["illegal-play", "nothing"],
        "room": [room["room"], "rm_nothing"],
        "club": [club["club"], "cb_nothing"],
        "season": [season["season"], "cs_nothing"],
        "link": ["member", "x"],
        **{
            name: [f"{name}_nothing"]
            for name in (
                "webhook",
                "delivery",
                "report",
                "challenge",
                "identity",
                "block",
                "code_id",
                "comment",
                "note",
                "riddle",
                "holiday",
            )
        },
    }
    return places, [(key, max(world.redis.pttl(key), 0), world.redis.dump(key)) for key in world.redis.scan_iter()]


def a_cup(director, other):
    """An event of two teams after its first round; the director plays in the first team."""
    setup = {"name": "Cup", "ruleset": "sishifen", "players": 4, "rounds": 2, "boards": 1}
    path = f"/v1/team-events/{director.post('/v1/team-events', setup).json['event']}"
    for number, player in enumerate((director.get("/v1/me").json["id"], other.player["id"])):
        members = [{"player": player}, *[{"level": "easy"}] * 3]
        client = (director, other)[number]
        client.post(f"{path}/teams", {"teams": [{"name": f"Team {number}", "members": members}]})
    director.post(f"{path}/rounds", {"round": 1})
    return director.patch(f"{path}/rounds/1", {"closes_at": "2000-01-01T00:00:00Z"}).json


@pytest.fixture
def places(world, made_places):
    """Values of path parameters, with Redis as before the first test."""
    places, stored = made_places
    pipeline = world.redis.pipeline()
    pipeline.flushall()
    for key, ttl_ms, dumped in stored:
        pipeline.restore(key, ttl_ms, dumped)
    pipeline.execute()
    return places


def cases():
    """Every operation with valid requests, and those with a query or a body also with invalid ones.

    By day invalid ones go to every second operation: generating them takes long, and each field gets odd values below.
    """
    turns = cycle([(), pytest.mark.nightly])
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            name = operation["operationId"]
            yield pytest.param(path, method, GenerationMode.POSITIVE, id=name)
            asks = any(parameter["in"] == "query" for parameter in operation.get("parameters", ()))
            if asks or "requestBody" in operation:
                yield pytest.param(path, method, GenerationMode.NEGATIVE, id=f"{name}-wrong", marks=next(turns))


@pytest.mark.parametrize(("path", "method", "mode"), [*cases()])
def test_every_operation_behaves_as_documented(world, api, places, path, method, mode):
    fits = mode is GenerationMode.POSITIVE

    @FEW
    @given(case=api[path][method].as_strategy(mode), data=st.data())
    def try_it(case, data):
        for name in case.path_parameters or {}:
            case.path_parameters[name] = data.draw(st.sampled_from(places[name]))
        if fits and isinstance(case.body, dict) and "decision_id" in case.body:
            opened = open_decision(world, case.path_parameters["table"])
            case.body["decision_id"] = data.draw(st.sampled_from([opened, opened, "dc_1"]))
        if case.query and "wait" in case.query:
            # A valid value would really wait. An empty one is not sent, which would make an invalid request valid.
            assume(fits or case.query["wait"] not in ({}, []))
            if fits or str(case.query["wait"]) in RIGHT_WAITS:
                del case.query["wait"]
        # Called in-process, nothing decompresses responses.
        answer = case.call(headers={"Authorization": f"Bearer {scenes.token(0)}", "Accept-Encoding": "identity"})
        case.validate_response(answer, checks=CHECKS)
        assert not fits or answer.status_code != 400 or is_beyond_schemas(answer.json()), answer.text

    try_it()


#: Faults that no pattern can express: cursors are opaque, names have no invisible characters above U+FFFF or outside
#: emoji, and logs have an end.
BEYOND_PATTERNS = {"no_such_cursor", "illegible", "like_ai", "beyond_log"}
#: Fields of a device that depend on the carrier; also, keys must be points of a curve, and hosts known.
OF_A_CARRIER = {"/endpoint", "/p256dh", "/auth", "/platform", "/device_token"}


def is_beyond_schemas(problem):
    """Whether a valid request was refused for its meaning, not for the form of a field."""
    faults = [fault["code"] for fault in problem["errors"] if fault["pointer"] not in OF_A_CARRIER]
    return problem["params"]["reason"] != "fields" or {*faults} <= BEYOND_PATTERNS


def open_decision(world, table):
    stored = world.stores.tables.load(table)
    decision = stored and stored.state["decision"]
    return decision["id"] if decision else "dc_1"


# --- malformed requests ------------------------------------------------------------------------------------------

BODIES = [
    b"",
    b" ",
    b"null",
    b"[]",
    b'"x"',
    b"{" * 30_000,
    b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    b"[" * 30_000 + b"]" * 30_000,
    b'{"decision_id": "dc_1", "decision_id": 2}',
    b'{"cards": ["7H"], "cards": null, "": 0, "__proto__": {}}',
    b'{"decision_id": NaN, "cards": [Infinity, -Infinity]}',
    b'{"seat": 1e400, "players": -1e-400, "round": 123456789012345678901234567890}',
    b'{"seat": ' + b"9" * 10_000 + b"}",
    b'{"name": "\\ud800", "text": "\\udfff\\ud800", "decision_id": "\\u0000"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "\xff\xfe"}',
    b'\xef\xbb\xbf{"name": "Lin"}',
    '{"name": "Lin"}'.encode("utf-16"),
    b'{"name": "' + b"\xe2\x80\xae" * 20 + b'"}',
    b"name=Lin&kind=bot",
    b"\x00" * 100,
    b"\x1f\x8b\x08\x00garbage",
]
TYPES = [
    "application/json",
    "application/json; charset=utf-8; charset=latin-1",
    "application/json;charset=\udcff",
    "text/html",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/problem+json",
    "/",
    ";" * 500,
    "",
]
HEADERS = {
    "Accept": ["", "x", "*/*;q=nan", "text/event-stream;q=2, application/json;q=-1", "text/html", "," * 2_000],
    "Accept-Encoding": ["identity", ";q=", "gzip;q=-1", "br;q=1e9", "*;q=nan", "\u00ff", "," * 2_000],
    "Prefer": ["return", "return=", "=minimal", "return=minimal;;,", "\u00ff", ", " * 2_000],
    "Accept-Language": ["", "*", "zh-Hans-CN-x-private", "en;q=1e999", "\u00ff", ";q=", "xx-" * 3_000, "en\tzh"],
    "If-None-Match": ["*", '"', 'W/"', '"481.2', '"\u00ff"', '"-1.0"', '"1.2", ' * 900],
    "If-Match": ["*", '""', '"99999999999999999999.0"', '"1.2", "1.3"', "W/", "\u00b2"],
    "Last-Event-ID": ["", "-1", "1e3", "\u0664", "9" * 15, "9" * 400, "null", " 1 "],
    "Idempotency-Key": ["", "x", "\u00e9" * 20, "a" * 5_000, "a b c d e f g h i", "{}" * 20],
    "Authorization": ["", "Bearer", "Bearer  ", "Basic eDp5", "Bearer " + "\u00ff" * 40, "bearer x y", "Bearer\tx"],
    "X-Request-Id": ["", "\u00ff", "a" * 9_999, "<b>", "%0d%0aSet-Cookie:x"],
    "Content-Length": ["-1", "x", "1e3", "99999999999999999999"],
    "Content-Encoding": ["gzip", "x, y", ""],
    "Transfer-Encoding": ["chunked", "x"],
    "Range": ["bytes=0-1", "bytes=9-1", "x"],
    "Expect": ["100-continue", "x"],
    "Origin": ["null", "http://[", "\u00ff"],
    "Host": ["", "a b", "[::1", "x" * 300, "\u00ff"],
    "Cookie": ["a=b; " * 500, "=", "\u00ff"],
    "X-Forwarded-For": ["x", "1.2.3.4, " * 100],
    "X-HTTP-Method-Override": ["DELETE"],
}


def filled(path, places):
    """A path with existing values for all parameters."""
    return path.format_map({name: entries[4 if name == "table" else 0] for name, entries in places.items()})


def operations_with_body():
    for path, item in document()["paths"].items():
        for method, operation in item.items():
            if "requestBody" in operation:
                yield pytest.param(method.upper(), path, id=operation["operationId"])


def harmless(answer):
    assert answer.status_code < 500, answer.get_data(as_text=True)
    media_types = ("application/json", "application/problem+json", "text/event-stream", "text/plain", "")
    assert answer.mimetype in media_types or (answer.status_code, answer.mimetype) == (304, None)


@pytest.mark.parametrize(("method", "path"), [*operations_with_body()])
def test_malformed_bodies_get_a_documented_response(world, places, method, path):
    client = Client(world.app, scenes.token(0))
    where = filled(path, places)
    for body in BODIES:
        harmless(client.send(method, where, data=body, content_type="application/json"))
    for kind in TYPES:
        harmless(client.send(method, where, data=b"{}", content_type=kind))


ODD = [None, True, -1, 0.5, 1e30, 10**30, "", "\0", "x" * 3_000, [], [[]], [None], [{"": []}], {}, {"": {"": None}}]


@pytest.mark.parametrize(("method", "path"), [*operations_with_body()])
def test_fields_with_odd_values_get_a_documented_response(world, places, method, path):
    client = Client(world.app, scenes.token(0))
    where = filled(path, places)
    content = document()["paths"][path][method.lower()]["requestBody"]["content"]["application/json"]
    fields = document()["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[1]]["properties"]
    for field in fields:
        for value in ODD:
            harmless(client.send(method, where, {**content["example"], field: value}))


@pytest.mark.parametrize("header", HEADERS)
def test_absurd_headers_get_a_documented_response(world, places, header):
    client = Client(world.app, scenes.token(0))
    requests = [
        ("GET", "/v1", None),
        ("GET", "/nothing", None),
        ("BREW", "/v1/me", None),
        ("POST", "/v1/players", {"name": "Lin"}),
        ("GET", "/v1/me", None),
        ("POST", "/v1/tables", {"ruleset": "shengji", "players": 4}),
        ("GET", filled("/v1/tables/{table}", places), None),
        ("PATCH", filled("/v1/tables/{table}", places), {"chat": False}),
        ("GET", filled("/v1/tables/{table}/events?limit=2", places), None),
        ("POST", filled("/v1/tables/{table}/play", places), {"decision_id": "dc_1", "cards": ["2S"]}),
    ]
    for value in HEADERS[header]:
        for method, path, body in requests:
            answer = client.send(method, path, body, headers={header: value}, buffered=False)
            harmless(answer)
            answer.close()
