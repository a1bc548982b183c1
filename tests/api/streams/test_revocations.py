"""A change of rights holds at once in every process: announced, and nothing is remembered where nobody hears."""

import json
from contextlib import ExitStack

import pytest
import requests

from harness.waiting import wait_until
from service.api.http.auth import Authenticator
from service.api.http.problems import Unauthorized
from service.store.players.tokens import Caller
from tests.api.test_server import served

PLAYER = {"id": "pl_lin", "name": "Lin", "kind": "human"}
HEADER = "Bearer sjt_1"


class Api:
    """A process of the API, as a client sees it."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/v1"

    def ask(self, method, path, token=None, body=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return requests.request(method, self.url + path, headers=headers, json=body, timeout=60)

    def follow(self, token):
        """The messages of the stream of an account, which has begun."""
        headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
        answer = requests.get(f"{self.url}/me/events", headers=headers, stream=True, timeout=60)
        lines = answer.iter_lines(1)
        while next(lines) != b"event: snapshot":
            pass
        return lines


def end_of(lines):
    """The reason with which a stream ends."""
    while next(lines) != b"event: end":
        pass
    data = next(line for line in lines if line.startswith(b"data: "))
    return json.loads(data.removeprefix(b"data: "))["reason"]


def registered(api):
    """A first token, another one, its id, and a recovery code."""
    token = api.ask("POST", "/players", body={"name": "Lin"}).json()["token"]
    other = api.ask("POST", "/me/tokens", token, {"name": "Other", "scopes": SCOPES}).json()
    return token, other["token"], other["id"], api.ask("POST", "/me/recovery-code", token).json()["code"]


SCOPES = ["profile:read", "tables:read", "account"]
#: What ends the second token: method, path and body; with which token.
ENDINGS = {
    "deleted by another device": lambda api, token, other, name, code: api.ask("DELETE", f"/me/tokens/{name}", token),
    "signed out": lambda api, token, other, name, code: api.ask("DELETE", f"/me/tokens/{name}", other),
    "rotated": lambda api, token, other, name, code: api.ask("POST", "/me/token", other, {}),
    "others revoked": lambda api, token, other, name, code: api.ask("POST", "/me/token?others=revoke", token, {}),
    "recovered": lambda api, token, other, name, code: api.ask("POST", "/recoveries", None, {"code": code}),
    "account deleted": lambda api, token, other, name, code: api.ask("DELETE", "/me", token),
}


def test_a_token_that_one_process_voids_is_void_in_the_other_once_that_has_heard(empty_redis):
    with ExitStack() as stack:
        here, there = (
            Api(stack.enter_context(served(empty_redis, **dict.fromkeys(("LIMIT_REGISTER", "LIMIT_CREATE"), "0"))))
            for _ in range(2)
        )
        for what, end in ENDINGS.items():
            token, other, name, code = registered(here)
            lines = there.follow(other)
            # The other process remembers the token now.
            assert [there.ask("GET", "/me", other).status_code for _ in range(2)] == [200, 200]
            assert end(here, token, other, name, code).status_code in (200, 201, 204), what
            # Its stream ends with the announcement; from then on nothing is accepted from memory.
            assert end_of(lines) == "unauthorized", what
            assert there.ask("GET", "/me", other).status_code == 401, what
            assert here.ask("GET", "/me", other).status_code == 401, what


def test_a_suspension_by_one_process_holds_in_the_other_once_that_has_heard(empty_redis):
    settings = {"OPERATOR_TOKEN": "x" * 40}
    with served(empty_redis, **settings) as first, served(empty_redis, **settings) as second:
        here, there = Api(first), Api(second)
        account = here.ask("POST", "/players", body={"name": "Lin"}).json()
        lines = there.follow(account["token"])
        assert there.ask("GET", "/me/tables", account["token"]).status_code == 200
        suspended = {"until": "2099-01-01T00:00:00Z", "cause": "other"}
        path = f"/operator/players/{account['player']['id']}/suspensions"
        assert here.ask("POST", path, settings["OPERATOR_TOKEN"], suspended).status_code == 200
        assert end_of(lines) == "suspended"
        assert there.ask("GET", "/me/tables", account["token"]).json()["code"] == "suspended"


class Lookups:
    """The accounts of an authenticator, which counts lookups."""

    def __init__(self):
        self.count = 0
        self.is_void = False
        self.during = lambda: None

    def caller(self, _hash):
        self.count += 1
        known = None if self.is_void else Caller(PLAYER, {"id": "tk_1", "player": "pl_lin", "expires_at": None})
        self.during()
        return known


@pytest.fixture
def lookups():
    return Lookups()


@pytest.fixture
def heard():
    return []


@pytest.fixture
def authenticator(lookups, heard):
    return Authenticator(lookups, lambda: 0, lambda: heard.append("listens"))


def test_a_process_that_hears_of_no_change_remembers_nobody(authenticator, lookups, heard):
    for _ in range(3):
        authenticator.caller(HEADER)
    assert (lookups.count, heard) == (3, ["listens"] * 3)
    authenticator.hears(everything=True)
    for _ in range(3):
        authenticator.caller(HEADER)
    assert (lookups.count, heard) == (4, ["listens"] * 3)
    # The connection is lost; what was remembered may be void now.
    authenticator.hears(everything=False)
    lookups.is_void = True
    with pytest.raises(Unauthorized):
        authenticator.caller(HEADER)


def test_a_change_during_a_lookup_is_not_overwritten_by_what_was_found_before(authenticator, lookups):
    authenticator.hears(everything=True)
    lookups.during = lambda: authenticator.forget("pl_lin")
    authenticator.caller(HEADER)
    lookups.during, lookups.is_void = lambda: None, True
    with pytest.raises(Unauthorized):
        authenticator.caller(HEADER)


def test_a_header_written_in_a_long_way_is_not_remembered(authenticator, lookups):
    authenticator.hears(everything=True)
    scheme, token = HEADER.split(" ")
    for spaces in range(2, 5):
        authenticator.caller(scheme + " " * spaces + token)
        authenticator.caller(f"{HEADER}{' ' * spaces}")
    assert lookups.count == 6
    assert not authenticator._cache


def test_a_change_of_one_player_leaves_others_remembered(authenticator, lookups):
    authenticator.hears(everything=True)
    authenticator.caller(HEADER)
    authenticator.forget("pl_mei")
    authenticator.caller(HEADER)
    assert lookups.count == 1
    authenticator.forget("pl_lin")
    authenticator.caller(HEADER)
    assert lookups.count == 2


def test_a_process_whose_subscription_breaks_asks_the_store_until_it_hears_again(world, lin):
    authenticator = world.app.extensions["services"].authenticator
    lin.get("/v1/me")
    wait_until(lambda: authenticator.is_hearing)
    changes = []
    hears = authenticator.hears
    authenticator.hears = lambda *, everything: (changes.append(everything), hears(everything=everything))
    for connection in world.redis.client_list(_type="pubsub"):
        world.redis.client_kill(connection["addr"])
    wait_until(lambda: changes[-1:] == [True])
    assert changes[0] is False
    assert lin.get("/v1/me").status_code == 200
