"""Rate limits: what is charged, what is free, and how much is left."""

import re

from service.api.http.problems import RateLimited
from service.api.http.rate_limits import RateLimiter
from service.common.settings import Budget
from tests.api.conftest import MemoryCounter
from tests.api.contract import assert_problem


def left(answer):
    name, rest, reset = re.fullmatch(r'"(\w+)";r=(\d+);t=(\d+)', answer.headers["RateLimit"]).groups()
    assert int(reset) > 0
    return name, int(rest)


def test_every_response_says_what_is_left_of_the_budget(lin):
    first = lin.get("/v1/me")
    assert first.headers["RateLimit-Policy"] == '"read";q=6000;w=60'
    name, rest = left(first)
    assert left(lin.get("/v1/me")) == (name, rest - 1) == ("read", rest - 1)


def test_requests_over_the_limit_are_refused_until_the_window_ends(world):
    few = world.start(limit_read=Budget(3, 3600)).with_token(world.player().token)
    answers = [few.get("/v1/me") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert_problem(answers[-1], "rate-limited", budget="read", limit=3, window_s=3600)
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 3600


def test_a_refusal_names_the_budget_that_is_used_up(world):
    few = world.start(limit_read=Budget(1, 3600), limit_register=Budget(1, 60), limit_failed=Budget(1, 30))
    lin = few.with_token(world.player().token)
    wrong = few.with_token("sjt_nobody")
    for send, policy in (
        (lambda: lin.get("/v1/me"), '"read";q=1;w=3600'),
        # Charged to the address, after the player's own budget.
        (lambda: lin.post("/v1/tables", {"ruleset": "shengji", "players": 4}), '"register";q=1;w=60'),
        (lambda: wrong.get("/v1/me"), '"failed";q=1;w=30'),
    ):
        send()
        refused = send()
        assert_problem(refused, "rate-limited")
        assert refused.headers.getlist("RateLimit-Policy") == [policy]
        assert "RateLimit" not in refused.headers


def test_each_player_has_separate_budgets(world):
    world.start(limit_read=Budget(1, 3600))
    lin, mei = world.player("Lin"), world.player("Mei")
    assert lin.get("/v1/me").status_code == 200
    assert lin.get("/v1/me").status_code == 429
    assert lin.patch("/v1/me", {"name": "Lin 2"}).status_code == 200
    assert mei.get("/v1/me").status_code == 200


def test_registering_is_charged_to_the_address(world):
    few = world.start(limit_register=Budget(2, 3600))
    assert [few.post("/v1/players", {"name": "Lin"}).status_code for _ in range(3)] == [201, 201, 429]
    elsewhere = few.post("/v1/players", {"name": "Lin"}, environ_base={"REMOTE_ADDR": "10.0.0.9"})
    assert elsewhere.status_code == 201


def test_behind_a_trusted_proxy_its_header_names_the_address(world):
    few = world.start(limit_register=Budget(1, 3600), trusted_proxies=1)
    for address in ("10.0.0.1", "10.0.0.2"):
        headers = {"X-Forwarded-For": f"6.6.6.6, {address}"}
        assert few.post("/v1/players", {"name": "Lin"}, headers=headers).status_code == 201
        assert few.post("/v1/players", {"name": "Lin"}, headers=headers).status_code == 429


def test_without_a_proxy_the_header_is_ignored(world):
    few = world.start(limit_register=Budget(1, 3600))
    few.post("/v1/players", {"name": "Lin"}, headers={"X-Forwarded-For": "10.0.0.1"})
    again = few.post("/v1/players", {"name": "Lin"}, headers={"X-Forwarded-For": "10.0.0.2"})
    assert again.status_code == 429


def test_invalid_tokens_and_tickets_are_limited_by_address(world):
    table = world.table(ready=False)
    few = world.start(limit_failed=Budget(3, 3_600))
    wrong = few.with_token("sjt_nobody")
    answers = [wrong.get("/v1/me"), few.get(f"{table.path}/events?ticket=tk_none"), wrong.get("/v1/me")]
    assert [answer.status_code for answer in answers] == [401] * 3
    assert_problem(wrong.get("/v1/me"), "rate-limited", budget="failed")
    assert_problem(few.get(f"{table.path}/events?ticket=tk_none"), "rate-limited", budget="failed")
    assert few.with_token(table.host.token).get("/v1/me").status_code == 200
    assert wrong.get("/v1/me", environ_base={"REMOTE_ADDR": "10.0.0.9"}).status_code == 401


def test_an_unchanged_table_costs_nothing(world):
    table = world.table(ready=False)
    tag = table.host.get(table.path).headers["ETag"]
    _, before = left(table.host.get("/v1/me"))
    for _ in range(3):
        assert table.host.get(table.path, headers={"If-None-Match": tag}).status_code == 304
    assert left(table.host.get("/v1/me")) == ("read", before - 1)


def test_a_limit_of_0_means_no_limit(world):
    free = world.start(limit_read=Budget(0, 60)).with_token(world.player().token)
    assert "RateLimit" not in free.get("/v1/me").headers


def test_processes_together_never_spend_more_than_a_budget():
    counter = MemoryCounter()
    processes = [RateLimiter(counter, {"act": Budget(100, 60)}, lambda: 1000.0) for _ in range(3)]
    spent = 0
    for number in range(400):
        try:
            processes[number % 3].charge("act", "pl_x")
        except RateLimited:
            continue
        spent += 1
    assert spent == 100


def test_a_lease_asks_the_shared_counter_once_in_many_requests():
    counter = MemoryCounter()
    calls = []
    counter.incr = lambda key, expiry, amount=1: calls.append(amount) or sum(calls)
    limiter = RateLimiter(counter, {"act": Budget(1000, 60)}, lambda: 1000.0)
    for _ in range(200):
        limiter.charge("act", "pl_x")
    assert calls == [50] * 4


def test_leases_of_past_windows_are_dropped_without_looking_at_all_for_each_request(monkeypatch):
    monkeypatch.setattr("service.api.http.rate_limits._MAX_LEASES", 100)
    now = [1000.0]
    limiter = RateLimiter(MemoryCounter(), {"act": Budget(9, 60)}, lambda: now[0])
    looked, dropping = [], limiter._counter._drop_expired

    def counted(at):
        before = limiter._counter._leases
        dropping(at)
        looked.append(limiter._counter._leases is not before)

    limiter._counter._drop_expired = counted
    limiter._counter._next_drop = 100
    for number in range(1_600):
        limiter.charge("act", f"pl_{number}")
    # At 100, 200, 400 … leases.
    assert sum(looked) == 4
    now[0] += 60
    for number in range(1_600):
        limiter.charge("act", f"pl_{number}")
    assert len(limiter._counter._leases) <= 1_700


def test_a_new_window_begins_with_a_full_budget():
    now = [1000.0]
    limiter = RateLimiter(MemoryCounter(), {"act": Budget(1, 60)}, lambda: now[0])
    limiter.charge("act", "pl_x")
    now[0] += 60
    assert limiter.charge("act", "pl_x").startswith('"act";r=0;')


def test_requests_are_served_if_the_shared_counter_is_unavailable():
    class Away:
        def incr(self, key, expiry, amount=1):
            raise ConnectionError

    limiter = RateLimiter(Away(), {"act": Budget(20, 60)}, lambda: 1000.0)
    assert limiter.charge("act", "pl_x")
