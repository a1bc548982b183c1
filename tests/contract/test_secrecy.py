"""What is hidden from a caller does not change a byte of the responses to that caller (docs/contract.md §5).

A table is put into the store and all requests are sent; then its twin (`tests.game.hidden`), which differs only in what
the caller has not seen, takes its place, and all requests are sent again.
"""

import random
import re
from collections import Counter
from dataclasses import replace
from typing import NamedTuple
from zlib import crc32

import pytest
from structlog import get_logger
from structlog.testing import capture_logs

from harness.document import document
from harness.driver import Driver
from service.api.http import error_handlers
from service.api.resources import actions, lobby
from service.api.streams import account, my_tables
from service.api.visibility import Perspective
from service.common.settings import Budget, Settings
from service.game.events.evolve import fold
from service.game.state.queries import waited_for
from service.game.state.watching import Delay
from service.game.views import hints, redaction
from service.game.views import view as views
from service.game.views.types import OPEN
from service.people import presence
from service.rules.cards import CARDS, names_of
from tests.api.conftest import World
from tests.api.contract import assert_etag
from tests.contract import scenes
from tests.game.hidden import exchanged
from tests.support.sorting import is_day

TABLE = "tb_secret"
PATH = f"/v1/tables/{TABLE}"
TABLES = [
    ("zhaopengyou", 5, {"deal_pace": "timed"}),
    ("zhaopengyou_80", 4, {"throw_failure": "beaten_unit"}),
    ("shengji", 4, {"chao_di": True}),
    ("arms_length", 4, {}),
]
#: It counts and times requests, so it has a test of its own.
METRICS = "/metrics"


class Moment(NamedTuple):
    """A table at some moment of a round; it may be watched."""

    scene: scenes.Scene
    now: int


def moments(ruleset, players, options):
    """Play a round and the beginning of the next one; return all moments of them by what the table waits for."""
    driver = Driver(ruleset, players, options, seed=3, spectators="delayed", spectator_delay_ms=0, take_back=True)
    driver.throws = 0.3
    states = {}

    def note(table):
        table_round, decision = table.state["round"], table.state["decision"]
        if table_round is not None and table_round["result"] is None:
            has_led = bool(table_round["trick"] and table_round["trick"]["plays"])
            waits_for = table_round["phase"], decision and decision["kind"], has_led
            states.setdefault(waits_for, []).append(Moment(scenes.take(table), table.now))

    driver.on_step = note
    driver.play_until(lambda state: state["round"]["number"] == 2 and state["round"]["phase"] == "playing")
    return states


@pytest.fixture(scope="module")
def played():
    """By day a moment of each kind, from at most two tables; by night some of each kind from each table."""
    chosen, tables = [], Counter()
    for table in TABLES:
        for waits_for, moment in moments(*table).items():
            tables[waits_for] += 1
            if not is_day():
                chosen += moment[:: 1 + len(moment) // 4]
            elif tables[waits_for] <= 2:
                chosen.append(moment[len(moment) // 2])
    assert {kind for _, kind, _ in tables} >= {"declare", "defend", "discard", "overcall-kitty", "call", "play", "road"}
    return chosen


@pytest.fixture(scope="module")
def world(module_redis):
    """A service without limits, and players `p0` … `p4`; `p5` watches."""
    unlimited = {name: Budget(0, 60) for name in vars(Settings()) if name.startswith("limit_")}
    new_world = World(module_redis, replace(Settings(), **unlimited))
    scenes.register(new_world, 6)
    yield new_world
    new_world.close()


@pytest.fixture(autouse=True)
def nobody_is_called_away(monkeypatch):
    monkeypatch.setattr(presence.Presence, "stream_closed", lambda *_: None)


# --- all requests ------------------------------------------------------------------------------------------------


#: Paths of the document that have to do with a table, a game or a player.
OF_A_TABLE = re.compile(r"\{(table|game|player|code)\}|/v1/(me|tables|pools|leaderboard)\b")

#: Parameters that lead to nothing here.
NOWHERE = (
    *("event", "webhook", "match", "team", "challenge", "block", "code_id"),
    *("room", "club", "season", "riddle", "holiday", "comment"),
)


def reads(state, is_first):
    """All GET requests of the document, with all values of parameters that could reveal something.

    Those that have nothing to do with tables only in the first moment.
    """
    middle, last, number = state["version"] // 2, state["version"], state["round"]["number"]
    seats = ["", *(f"?seat={seat}" for seat in range(state["players"]))]
    ids = {
        "table": TABLE,
        "game": state["game"]["id"],
        "player": "p1",
        "ruleset": state["ruleset"],
        "code": state["settings"]["join_code"],
        **{name: f"{name}_nothing" for name in NOWHERE},
        "players": state["players"],
    }
    queries = {
        "/v1/me/tables": ["", "?turn=mine"],
        "/v1/me/events": ["", "?after=0"],
        "/v1/leaderboard": [f"?ruleset={state['ruleset']}"],
        "/v1/tables/{table}/events": [f"?after={after}&limit=500" for after in (0, middle)] + [f"?after={last}&wait=0"],
        "/v1/tables/{table}/legal-plays": ["?limit=3", "?limit=1000"],
        "/v1/games/{game}/rounds/{n}/states/{seq}": seats,
        "/v1/games/{game}/rounds/{n}/events": seats,
    }
    for path, item in document()["paths"].items():
        if "get" in item and path != METRICS and (is_first or OF_A_TABLE.search(path)):
            for n in {1, number} if "{n}" in path else {1}:
                for seq in {middle, last} if "{seq}" in path else {1}:
                    where = path.format(**ids, n=n, seq=seq)
                    yield from (where + query for query in queries.get(path, [""]))


def attempts(state, viewer):
    """Actions, most of which are refused; the refusals must not reveal what is hidden."""
    decision = state["decision"] or {"id": "dc_0"}
    held = state["round"]["hands"][viewer] if isinstance(viewer, int) else [0] * 54
    absent = [card for card, count in zip(CARDS, held, strict=True) if not count][:2]
    hand = names_of(kind for kind, count in enumerate(held) for _ in range(count)) or absent
    for decision_id in (decision["id"], "dc_1"):
        for action, body in (
            ("play", {"cards": absent}),
            ("play", {"cards": hand}),
            ("play", {"cards": hand[:2]}),
            ("play", {"cards": hand[:2], "units": [hand[:1]]}),
            ("declare", {"cards": absent[:1]}),
            ("declare", {"cards": hand[:12]}),
            ("discard", {"cards": hand[:1]}),
            ("discard", {"cards": absent}),
            ("overcall-kitty", {"cards": hand[:1]}),
            ("call", {"calls": [{"card": "AS", "ordinal": 6}]}),
            ("redeal", {}),
        ):
            yield action, {"decision_id": decision_id, **body}
    yield "take-back", None
    yield "seats/me/resume", None


_HEARTBEAT = re.compile(rb"event: heartbeat\n.*?\n\n", re.DOTALL)


class Caller:
    """Sends all requests as one seat or as a spectator, with open hands or without."""

    def __init__(self, world, viewer):
        self.world, self.viewer = world, viewer
        self.client = world.app.test_client()
        self.headers = {
            "Authorization": f"Bearer {scenes.token(viewer if isinstance(viewer, int) else 5)}",
            "X-Request-Id": "rq_same",
        }

    def send(self, method, path, body=None, **headers):
        answer = self.client.open(path, method=method, json=body, headers={**self.headers, **headers}, buffered=False)
        assert answer.status_code < 500, answer.get_data()
        return answer

    def exchange(self, *request, **headers):
        answer = self.send(*request, **headers)
        content = answer.status_code, sorted(answer.headers.items()), answer.get_data()
        if answer.status_code == 200 and "ETag" in answer.headers:
            assert_etag(answer)
        return content

    def stream(self, query, messages, of=PATH):
        """The first messages of a stream, without heartbeats, which may come early on a busy machine."""
        answer = self.send("GET", f"{of}/events{query}", Accept="text/event-stream")
        received_bytes = b""
        for chunk in answer.response:
            received_bytes = _HEARTBEAT.sub(b"", received_bytes + chunk)
            if received_bytes.count(b"\n\n") > messages:
                break
        answer.close()
        return received_bytes

    def everything(self, moment, scene, *, is_first=True):
        """All that the caller is told of a table, and the lines logged meanwhile."""
        state = scene.state
        self.world.now = moment.now
        self.put(scene)
        with capture_logs() as logged:
            answers = {path: self.exchange("GET", path) for path in reads(state, is_first)}
            answers["304"] = self.exchange("GET", PATH, **{"If-None-Match": self.send("GET", PATH).headers["ETag"]})
            answers["stream"] = self.stream("?after=0", self.send("GET", PATH).json["version"])
            answers["reset"] = self.stream("", 1)
            answers["snapshot of the account"] = self.stream("", 1, "/v1/me")
            if self.viewer in waited_for(state):
                answers["turn of the account"] = self.stream("?after=0", 1, "/v1/me")
            for number, (action, body) in enumerate(attempts(state, self.viewer)):
                language = ("en", "zh-Hans")[number % 2]
                answer = self.exchange("POST", f"{PATH}/{action}", body, **{"Accept-Language": language})
                if answer[0] == 200:
                    # The result of an accepted action may depend on what is hidden, but not that it is accepted.
                    self.put(scene)
                    answer = "done"
                answers[number, action] = answer
        return answers, [{name: value for name, value in line.items() if name != "ms"} for line in logged]

    def put(self, scene):
        self.world.stores.tables.delete(TABLE)
        scenes.put(self.world, scene, TABLE)
        assert self.world.tables.reserve_codes(scene.state | {"id": TABLE})


def viewers_of(state):
    """A seat that the table waits for, one that it does not wait for, and a spectator."""
    seat = state["decision"]["seats"][0] if state["decision"] else 0
    return seat, (seat + 1) % state["players"], None


def with_open_hands(log):
    """The log of the same table with open hands for spectators."""
    created, *others = log
    settings = {**created["data"]["settings"], "spectators": "open"}
    return [{**created, "data": {**created["data"], "settings": settings}}, *others]


def cards_exchanged(world, played):
    """Assert that callers cannot tell tables from their twins; return how many cards differed."""
    rng, changed = random.Random(1), 0
    for number, moment in enumerate(played):
        # Spectators with open hands see the same at all moments of a round, so some moments are enough.
        for viewer in (*viewers_of(moment.scene.state), *((OPEN,) if number % 4 == 0 else ())):
            caller, log = Caller(world, viewer), moment.scene.log
            if viewer == OPEN:
                log = with_open_hands(log)
            twin, cards = exchanged(log, moment.scene.state["players"], viewer, rng)
            here, logged_here = caller.everything(moment, scenes.Scene(fold(log), log), is_first=number == 0)
            there, logged_there = caller.everything(moment, scenes.Scene(fold(twin), twin), is_first=number == 0)
            assert here.keys() == there.keys()
            for own_card in here:
                assert here[own_card] == there[own_card], own_card
            assert logged_here == logged_there
            changed += cards
    return changed


def test_responses_do_not_depend_on_what_is_hidden(world, played):
    assert cards_exchanged(world, played) > 20 * len(played)


def test_no_metric_names_a_table_a_player_or_a_card(world, played):
    state = played[0].scene.state
    Caller(world, 0).everything(played[0], played[0].scene)
    text = world.app.test_client().get(METRICS).get_data(as_text=True)
    labels = {part for line in text.splitlines() if "{" in line for part in line.split('"')[1::2]}
    assert "/v1/tables/<id:table>/play" in labels or "/v1/tables/<table>/play" in labels
    assert labels.isdisjoint({TABLE, "p0", *CARDS})
    assert not [label for label in labels if TABLE in label or state["settings"]["join_code"] in label]


# --- these tests can fail ----------------------------------------------------------------------------------------


def wrapped(monkeypatch, module, name, change):
    plain = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *arguments, **named: change(plain(*arguments, **named)))


def say(monkeypatch, secret):
    """Log a line that says too much."""
    wrapped(monkeypatch, Perspective, "check_access", lambda _: get_logger().info("seen", cards=secret()))


def etag_with(monkeypatch, change):
    """Change ETags."""
    plain = Perspective.etag.fget
    monkeypatch.setattr(Perspective, "etag", property(lambda perspective: change(plain(perspective))))


LEAKS = {
    "a view": lambda patch, secret: wrapped(patch, views, "_round_view", lambda seen: {**seen, "left": secret()}),
    "an event": lambda patch, secret: patch.setitem(redaction._REDACTORS, "passed", lambda *_: {"left": secret()}),
    "hints": lambda patch, secret: wrapped(patch, hints, "hints", lambda told: {**told, "left": secret()}),
    "an ETag": lambda patch, secret: etag_with(patch, lambda tag: f'"{crc32(secret().encode())}"'),
    "a turn": lambda patch, secret: wrapped(
        patch, account, "changes", lambda told: [each._replace(data={"left": secret()}) for each in told]
    ),
    "the list of my tables": lambda patch, secret: wrapped(
        patch, my_tables, "item_of", lambda item: {**item, "left": secret()}
    ),
    "the end of an ETag": lambda patch, secret: etag_with(
        patch, lambda tag: f'{tag[:-1]}{crc32(secret().encode()) % 2}"'
    ),
    "open hands too early": lambda patch, _: patch.setattr(Delay, "is_held", lambda *_: False),
    "legal plays": lambda patch, secret: wrapped(
        patch,
        actions,
        "family_of",
        lambda family: family._replace(
            legal_plays=lambda *asked: (family.legal_plays(*asked)[0], crc32(secret().encode()) % 2 == 0)
        ),
    ),
    "what a code leads to": lambda patch, secret: wrapped(
        patch, lobby, "chosen_options", lambda options: {**options, "left": secret()}
    ),
    "an error": lambda patch, secret: wrapped(
        patch, error_handlers, "problem", lambda told: {**told, "left": secret()}
    ),
    "the log of the service": say,
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_noticed(world, played, monkeypatch, leak):
    def secret():
        stored = world.stores.tables.load(TABLE)
        return str(stored and [stored.state["round"]["hands"], stored.state["next_seed"]])

    LEAKS[leak](monkeypatch, secret)
    with pytest.raises(AssertionError):
        cards_exchanged(world, played)
