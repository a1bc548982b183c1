"""Guessing codes: many addresses together are slowed, and people elsewhere with the right code are not."""

import re
from itertools import count
from pathlib import Path

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from service.accounts import codes
from service.accounts.errors import VoidCode
from service.api.http.guesses import OWN_GUESSES, guess
from service.api.http.problems import RateLimited
from service.api.http.rate_limits import NETWORK_SHARE
from service.boards import links
from service.circles.circles import LINK_LENGTH
from service.clubs import clubs
from service.common.addresses import client_at
from service.common.settings import Budget
from service.game import ids
from service.store.players.identities import SignIn
from tests.api.accounts.test_apps import form
from tests.api.contract import assert_problem
from tests.api.tables.test_finding import PRIVATE, WATCHED

KINDS = ("link", "recovery", "device", "sign_in", "join", "seat", "watch")
VERIFIER = "v" * 43
WRONG = "0000000000"


class Codes:
    """The right code of a kind, and how it is tried from an address."""

    def __init__(self, world, kind):
        self.world = world
        self.kind = kind
        self.names = count()
        self.mei = world.player("Mei")
        if kind in ("join", "seat"):
            self.table = world.table(**PRIVATE, ready=False, seated=False)
        elif kind == "watch":
            self.table = world.table(**WATCHED)

    def right(self):
        lin = self.world.player("Lin")
        if self.kind == "link":
            return lin.post("/v1/me/link-codes").json["code"]
        if self.kind == "recovery":
            return lin.post("/v1/me/recovery-code").json["code"]
        if self.kind == "device":
            return form(self.world, "/oauth/device", client_id="tv", scope="tables:read")[1]["user_code"]
        if self.kind == "sign_in":
            return self.signed_in(lin)
        return self.table.view()["watch_code" if self.kind == "watch" else "join_code"]

    def signed_in(self, lin):
        """The code of a sign-in as the provider's answer leaves it, of an account that is linked."""
        services = self.world.app.extensions["services"]
        code = f"code-{next(self.names)}"
        begun: SignIn = {
            "provider": "Example",
            "issuer": "https://id.example",
            "return_to": "/",
            "challenge": create_s256_code_challenge(VERIFIER),
            "nonce": "",
            "verifier": "",
            "identity": f"{next(self.names):064}",
        }
        for name in (code, "linking"):
            self.world.stores.identities.begin(services.apps._server.keywords["hash_of"](name), begun, 60_000)
        assert lin.post("/v1/me/identities", {"code": "linking", "verifier": VERIFIER}).status_code == 200
        return code

    def attempt(self, code, address, client=None):
        table = self.table.path if self.kind in ("seat", "watch") else ""
        method, path, body = {
            "join": ("GET", f"/v1/join-codes/{code}", None),
            "link": ("POST", "/v1/links", {"code": code, "name": "Tablet"}),
            "recovery": ("POST", "/v1/recoveries", {"code": code}),
            "sign_in": ("POST", "/v1/sign-ins", {"code": code, "verifier": VERIFIER}),
            "device": ("POST", "/v1/device-requests", {"code": code}),
            "seat": ("POST", f"{table}/seats", {"join_code": code}),
            "watch": ("PUT", f"{table}/watchers/me", {"watch_code": code}),
        }[self.kind]
        sender = (client or self.mei) if self.kind in ("device", "seat", "watch") else self.world.anybody
        return sender.send(method, path, body, environ_base={"REMOTE_ADDR": address})


@pytest.mark.parametrize("kind", KINDS)
def test_a_right_code_is_taken_beside_three_hundred_wrong_ones_from_eight_addresses(world, kind):
    # Wrong codes of a player and of an address have budgets of their own, which this is not about.
    world.start(limit_failed=Budget(10_000, 60), limit_guess=Budget(300, 60))
    tried = Codes(world, kind)
    code = tried.right()
    wrong = [tried.attempt(WRONG, f"198.51.100.{number % 8}").status_code for number in range(320)]
    assert [wrong.count(status) for status in (403 if kind in ("seat", "watch") else 404, 429)] == [300, 20]
    # Who mistypes it a few times is served too.
    for _ in range(OWN_GUESSES):
        assert tried.attempt(WRONG, "203.0.113.9").status_code in (403, 404)
    assert_problem(tried.attempt(WRONG, "203.0.113.9"), "rate-limited", budget="guess", limit=300)
    refused = tried.attempt(code, "198.51.100.1")
    assert 0 < assert_problem(refused, "rate-limited", budget="guess")["params"]["retry_after_s"] <= 61
    # A refused code is not spent.
    assert tried.attempt(code, "203.0.113.10").status_code in (200, 201)
    world.now += 61_000
    assert tried.attempt(tried.right(), "198.51.100.1").status_code in (200, 201)


def test_many_addresses_share_a_budget_of_wrong_codes_and_have_five_for_themselves(world):
    services, counts = world.app.extensions["services"], {"wrong": 0, "refused": 0}

    def attempt(address):
        try:
            with guess(services.rate_limiter, services.metrics, "link", client_at(address)):
                services.accounts.link(WRONG, "", "Thief")
        except VoidCode:
            counts["wrong"] += 1
        except RateLimited:
            counts["refused"] += 1

    for number in range(300):
        attempt(f"198.51.100.{number % 3}")
    for number in range(1_000):
        attempt(f"192.0.2.{number % 50}")
    for number in range(1_000):
        attempt(f"2001:db8:0:{number:x}::1")
    wrong = 300 + 50 * OWN_GUESSES + NETWORK_SHARE * OWN_GUESSES
    assert counts == {"wrong": wrong, "refused": 2_300 - wrong}
    page = services.metrics.page().decode()
    for outcome, number in counts.items():
        assert f'code_guesses_total{{kind="link",outcome="{outcome}"}} {number:.1f}' in page


def test_many_accounts_at_one_address_have_the_wrong_codes_of_one(world):
    world.start(limit_guess=Budget(OWN_GUESSES, 60))
    tried = Codes(world, "device")
    answers = [tried.attempt(WRONG, "198.51.100.1", world.player()).status_code for _ in range(2 * OWN_GUESSES)]
    assert answers == [404] * OWN_GUESSES + [429] * OWN_GUESSES
    assert tried.attempt(tried.right(), "198.51.100.2", world.player()).status_code == 200


def test_right_codes_cost_nothing_and_wrong_ones_cost_the_address(world):
    world.start(limit_failed=Budget(3, 60), limit_guess=Budget(3, 60))
    tried = Codes(world, "link")
    for _ in range(9):
        assert tried.attempt(tried.right(), "198.51.100.1").status_code == 201
    for _ in range(3):
        assert_problem(tried.attempt(WRONG, "198.51.100.1"), "not-found")
    assert_problem(tried.attempt(WRONG, "198.51.100.1"), "rate-limited", budget="failed")


@pytest.mark.parametrize("kind", ["link", "recovery", "device"])
@pytest.mark.parametrize("written", ["lower", "wide", "spaced", "mistaken", "dashed", "sent"])
def test_a_typed_code_is_taken_as_phones_write_it(world, kind, written):
    tried = Codes(world, kind)
    code = tried.right().replace("-", "")
    assert re.fullmatch("[0-9A-HJKMNP-TV-Z]{10,26}", code)
    shapes = {
        "lower": f"{code[:5]}-{code[5:]}".lower(),
        "wide": "".join(chr(ord(each) + 0xFEE0) for each in code[:5]) + "－" + code[5:],
        "spaced": f" {code[:5]}\u3000{code[5:]} ",
        "dashed": f"{code[:5]}\u2014{code[5:]}\u30fc",
        "sent": f"代码：\u201c{code}\u201d\n",
        "mistaken": code.replace("0", "O").replace("1", "l"),
    }
    assert tried.attempt(shapes[written], "198.51.100.1").status_code in (200, 201)


def test_codes_of_devices_are_read_in_two_groups(world):
    code = form(world, "/oauth/device", client_id="tv", scope="tables:read")[1]["user_code"]
    half = codes.DEVICE_LENGTH // 2
    assert re.fullmatch(f"[0-9A-HJKMNP-TV-Z]{{{half}}}-[0-9A-HJKMNP-TV-Z]{{{half}}}", code)


def test_the_page_for_operators_says_how_likely_a_guess_is(world):
    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text()
    section = page.partition("## Codes that can be guessed")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("| ")]
    odds = {row[0]: row[1:5] for row in rows[1:]}
    letters, table_letters = len(codes._ALPHABET), len(ids.CODE)
    possible = {
        "link code": letters**codes.LINK_LENGTH,
        "code of a device": letters**codes.DEVICE_LENGTH,
        "registration code": letters**codes.REGISTRATION_LENGTH,
        "recovery code": letters**codes.RECOVERY_LENGTH,
        "code of a sign-in": 62**48,
        "link of a room": table_letters**LINK_LENGTH,
        "link of a club": table_letters**clubs.LINK_LENGTH,
        "link of a deal": table_letters**links.LINK_LENGTH,
        "join code, watch code": table_letters ** len(ids.new_code(bytes)),
    }
    addresses = 1_000
    a_minute = world.settings.limit_guess.limit * 60 // world.settings.limit_guess.window_s + OWN_GUESSES * addresses
    assert f"{a_minute:,} wrong codes" in section
    assert odds.keys() == possible.keys()
    for kind, (codes_shown, _, at_a_time, chance) in odds.items():
        assert codes_shown == f"{possible[kind]:.1e}".replace("+", ""), kind
        expected = a_minute * 60 * 24 * 365 * int(at_a_time.replace(",", "")) / possible[kind]
        assert float(chance) == pytest.approx(expected, rel=0.05), (kind, expected)


@pytest.mark.parametrize("path", ["/v1/recovery-requests", "/v1/device-requests"])
def test_right_codes_that_are_not_spent_are_not_tried_without_end(world, path):
    world.start(limit_failed=Budget(3, 60))
    code = Codes(world, "recovery" if "recovery" in path else "device").right()
    client = world.anybody if "recovery" in path else world.player("Wei")
    answers = [client.post(path, {"code": code}).status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


def test_a_right_code_of_an_account_that_is_full_is_not_tried_without_end(world):
    world.start(limit_failed=Budget(3, 60))
    lin = world.player("Lin")
    while lin.post("/v1/me/tokens", {"name": "Helper", "scopes": ["tables:read"]}).status_code == 201:
        pass
    code = lin.post("/v1/me/link-codes").json["code"]
    answers = [world.anybody.post("/v1/links", {"code": code, "name": "Tablet"}).status_code for _ in range(4)]
    assert answers == [409, 409, 409, 429]
