"""Keeping people out: blocked networks, registration and its codes, operators by name, who has come back."""

import re

import pytest

from harness.waiting import wait_until
from service.accounts import codes
from service.api.entrance.gate import Gate
from service.common.addresses import client_at, holds, network_of
from service.common.settings import Budget, Settings, SettingsError
from service.moderation.admission import INVITE_MS
from service.store import keys
from service.store.moderation.admission import MOST_BLOCKED
from service.store.moderation.origins import KEPT_MS
from tests.api.accounts.test_export import link
from tests.api.contract import assert_problem
from tests.api.streams.test_account_stream import opened
from tests.api.streams.test_events import Stream

TOKENS = {"": "x" * 32, "Lin": "l" * 32, "Mei": "m" * 32}
BASE = "/v1/operator"
HERE, ELSEWHERE = "198.51.100.7", "203.0.113.9"
DAY = "2023-11-15T22:13:20.000Z"


@pytest.fixture
def operators(world):
    world.start(operator_token=TOKENS[""], operator_tokens=named("Lin", "Mei"))
    return {name: world.anybody.with_token(token) for name, token in TOKENS.items()}


@pytest.fixture
def lin(operators):
    """The operator Lin."""
    return operators["Lin"]


def named(*names):
    return Settings.from_env({"OPERATOR_TOKENS": ",".join(f"{each}={TOKENS[each]}" for each in names)}).operator_tokens


def at(address):
    return {"environ_base": {"REMOTE_ADDR": address}}


def block(operator, network, **more):
    return operator.post(f"{BASE}/blocks", {"network": network, **more}, **at(HERE))


def registers(world, address=ELSEWHERE, **more):
    return world.anybody.post("/v1/players", {"name": "Mal", **more}, **at(address))


# --- operators by name ------------------------------------------------------------------------------------------------


def test_each_deed_has_the_name_of_its_operator(world, operators):
    player = world.player("Rude")
    path = f"{BASE}/players/{player.player['id']}"
    for name, operator in operators.items():
        assert operator.patch(path, {"name": f"Player {len(name)}"}).status_code == 200
        assert operator.get(f"{BASE}/admission").json["you"] == (name or None)
    deeds = operators["Mei"].get(f"{BASE}/deeds").json["items"]
    assert [each["by"] for each in deeds] == ["Mei", "Lin", None]
    assert all("operator" not in each["details"] for each in deeds)


def test_an_operator_whose_token_is_gone_is_none_and_what_that_operator_gave_is_void(world, operators):
    chooses(operators["Lin"], "invited")
    codes_of = {name: new_code(each) for name, each in operators.items()}
    world.start(operator_tokens=named("Mei"))
    operators = {name: world.anybody.with_token(token) for name, token in TOKENS.items()}
    assert_problem(operators["Lin"].get(f"{BASE}/deeds"), "operators-only")
    assert operators["Mei"].get("/metrics").status_code == 200
    assert_problem(registers(world, code=codes_of["Lin"]), "registration-closed")
    assert [registers(world, code=codes_of[name]).status_code for name in ("", "Mei")] == [201, 201]


def test_deeds_of_the_release_before_have_no_name(world, operators):
    world.stores.moderation.note(world.now, "close_table", "tb_1", {"host": None})
    assert operators[""].get(f"{BASE}/deeds").json["items"][0]["by"] is None


@pytest.mark.parametrize(
    "text", ["Lin", "Lin=short", f"Lin={'l' * 16},Lin={'m' * 16}", f"Lin={'l' * 16},Mei={'l' * 16}", f"1={'l' * 16}"]
)
def test_settings_with_unclear_operators_are_refused_without_showing_a_token(text):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"OPERATOR_TOKENS": text})
    assert "l" * 16 not in str(refused.value)


def test_the_token_without_a_name_is_not_also_one_with_a_name():
    with pytest.raises(SettingsError, match="OPERATOR_TOKENS"):
        Settings.from_env({"OPERATOR_TOKEN": "l" * 16, "OPERATOR_TOKENS": f"Lin={'l' * 16}"})


# --- blocked networks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("network", "inside", "outside"),
    [
        (
            "203.0.113.9",
            ["203.0.113.9", "::ffff:203.0.113.9", "2002:cb00:7109::1", "64:ff9b::203.0.113.9"],
            "203.0.113.8",
        ),
        ("203.0.113.9/24", ["203.0.113.1", "203.0.113.254:4711"], "203.0.112.255"),
        ("::ffff:203.0.113.0/120", ["203.0.113.1"], "203.0.112.1"),
        ("2002:cb00:7100::/40", ["203.0.113.1", "2002:cb00:7109::1"], "203.0.112.1"),
        ("2001:db8:1:2::1", ["2001:db8:1:2::1", "[2001:db8:1:2:ffff::9]:443"], "2001:db8:1:3::1"),
        ("2001:db8::/32", ["2001:db8:ffff::1", "2001:db8::%eth0"], "2001:db9::1"),
        (" 203.0.113.9 ", ["203.0.113.9"], "203.0.113.10"),
    ],
)
def test_a_blocked_network_has_all_ways_to_write_its_addresses(world, lin, network, inside, outside):
    assert block(lin, network).status_code == 200
    for address in inside:
        assert_problem(registers(world, address), "address-blocked")
    assert registers(world, outside).status_code == 201


@pytest.mark.parametrize(
    "network",
    [
        *(
            "",
            " ",
            "lin",
            "203.0.113",
            "203.0.113.0/33",
            "203.0.113.0/-1",
            "203.0.113.0/",
            "203.0.113.0/24/24",
            "0.0.0.0/0",
        ),
        *(
            "10.0.0.0/7",
            "::/0",
            "2000::/3",
            "2001:db8::/129",
            "2002::/16",
            "64:ff9b::/96",
            "::ffff:0:0/96",
            "203.0.113.0/255.255.255.0",
        ),
        *("٢٠٣.0.113.9", "203.0.113.9/٢٤", "2001:db8::/19"),
    ],
)
def test_what_is_no_network_or_too_large_is_refused(world, lin, network):
    assert_problem(block(lin, network), "invalid-request")
    assert lin.get(f"{BASE}/blocks").json["items"] == []


def test_a_blocked_address_learns_nothing_but_that(world, lin):
    mal = world.player("Mal")
    table = mal.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    block(lin, "203.0.113.0/24", note="Insults under many names")
    bare = world.app.test_client()
    answers = [bare.get(path, **at(ELSEWHERE)) for path in ("/v1/nowhere", "/oauth/token", "/v1/sign-in/x")]
    answers += [
        client.get(path, **at(ELSEWHERE))
        for path in ("/v1", "/v1/me", f"/v1/tables/{table}", "/v1/tables/tb_none")
        for client in (mal, world.anybody, world.anybody.with_token("no"))
    ]
    body = [{**each.json, "instance": "", "request_id": ""} for each in answers]
    assert all(each == body[0] for each in body)
    assert body[0]["code"] == "address-blocked"
    assert "203" not in body[0]["detail"]
    chinese = mal.get("/v1/me", headers={"Accept-Language": "zh-Hans"}, **at(ELSEWHERE)).json
    assert "封禁" in chinese["detail"]
    # Wrong tokens from there cost nothing, and nothing was done.
    assert mal.get("/v1/me").status_code == 200


def test_pages_and_health_are_still_served_to_blocked_addresses(world, lin):
    block(lin, ELSEWHERE)
    for path in ("/", "/healthz", "/livez", "/readyz?for=traffic", "/docs"):
        assert world.anybody.get(path, **at(ELSEWHERE)).status_code in (200, 204), path


def test_a_block_ends_when_it_is_ended_or_its_time_is_over(world, lin):
    body = block(lin, ELSEWHERE, note="A day", until=DAY).json
    assert (body["network"], body["by"], body["until"]) == (f"{ELSEWHERE}/32", "Lin", DAY)
    other = block(lin, "192.0.2.0/24").json
    assert_problem(registers(world), "address-blocked")
    assert lin.delete(f"{BASE}/blocks/{other['id']}").status_code == 204
    assert registers(world, "192.0.2.1").status_code == 201
    world.now += 86_400_000
    gate_of(world).again()
    assert registers(world).status_code == 201
    assert lin.get(f"{BASE}/blocks").json["items"] == []
    assert_problem(lin.delete(f"{BASE}/blocks/bk_none"), "not-found", what="block")
    assert_problem(block(lin, ELSEWHERE, until="2020-01-01T00:00:00Z"), "invalid-request")
    deeds = lin.get(f"{BASE}/deeds").json["items"]
    assert [(each["deed"], each["about"]) for each in deeds] == [
        ("unblock_network", "192.0.2.0/24"),
        ("block_network", "192.0.2.0/24"),
        ("block_network", f"{ELSEWHERE}/32"),
    ]


def gate_of(world) -> Gate:
    return world.app.extensions["services"].gate


@pytest.mark.parametrize("network", [HERE, "198.51.100.0/24", "127.0.0.1", "127.0.0.0/8", "::1"])
def test_an_operator_cannot_block_the_own_address_by_mistake(world, lin, network):
    assert_problem(block(lin, network), "invalid-request", reason="own_network")


def test_an_operator_cannot_block_a_proxy_on_the_way(world, operators):
    world.start(trusted_proxies=2)
    forwarded = {"headers": {"X-Forwarded-For": "203.0.113.1, 192.0.2.4"}, "environ_base": {"REMOTE_ADDR": "10.0.0.1"}}
    for network in ("203.0.113.1", "192.0.2.0/24", "10.0.0.0/8"):
        answer = operators["Lin"].post(f"{BASE}/blocks", {"network": network}, **forwarded)
        assert_problem(answer, "invalid-request", reason="own_network")
    assert operators["Lin"].post(f"{BASE}/blocks", {"network": "203.0.113.2"}, **forwarded).status_code == 200


def test_operators_act_from_a_blocked_address_so_that_they_can_end_the_block(world, lin):
    body = block(lin, ELSEWHERE).json
    assert_problem(world.anybody.with_token("wrong").get(f"{BASE}/blocks", **at(ELSEWHERE)), "operators-only")
    assert lin.delete(f"{BASE}/blocks/{body['id']}", **at(ELSEWHERE)).status_code == 204


def test_a_block_in_another_process_holds_in_this_one_and_ends_streams(world, lin):
    mal, wei = world.player("Mal"), world.player("Wei")
    table = mal.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    path = f"/v1/tables/{table}/events?after=0"
    with (
        Stream(mal, path, **at(ELSEWHERE)) as theirs,
        opened(mal, **at(ELSEWHERE)) as account,
        opened(wei, **at(HERE)) as other,
    ):
        world.stores.admission.block(
            {"network": "203.0.113.0/24", "at": world.now, "by": "", "note": None, "until": None}
        )
        assert [ending(each) for each in (theirs, account)] == ["address-blocked"] * 2
        assert_problem(registers(world), "address-blocked")
        assert registers(world, HERE).status_code == 201
        assert other is not None
    world.stores.admission.unblock("203.0.113.0/24")
    wait_until(lambda: registers(world).status_code == 201)


def ending(stream):
    name, _, data = stream.next()
    while name != "end":
        name, _, data = stream.next()
    return data["reason"]


def test_a_process_that_starts_knows_the_blocks_at_its_first_request(world, lin):
    block(lin, ELSEWHERE)
    world.start()
    assert_problem(registers(world), "address-blocked")


def test_no_request_reads_the_doors_but_the_first(world, lin, monkeypatch):
    player = world.player()
    monkeypatch.setattr(type(world.stores.admission), "doors", lambda _: pytest.fail("a request reads the doors"))
    assert player.get("/v1/me").status_code == 200


def test_the_number_of_blocks_is_bounded(world, lin):
    filled = {f"10.{number // 250}.{number % 250}.0/24": "x1:{}" for number in range(MOST_BLOCKED)}
    world.redis.hset(keys.DOORS, mapping={**filled, "registration": 'x1:{"registration":null,"at":0,"by":""}'})
    world.stores.admission.doors = lambda: pytest.fail("not needed")
    assert_problem(block(lin, "192.0.2.0/24"), "invalid-request", reason="too_many_networks")


def test_networks_hold_the_clients_in_them():
    network = network_of("2001:db8::/32")
    assert holds(network, client_at("2001:db8:1::1"))
    assert not holds(network, client_at("203.0.113.9"))
    assert not holds(network, client_at("not an address"))


# --- registration -----------------------------------------------------------------------------------------------------


def new_code(operator, **more):
    answer = operator.post(f"{BASE}/registration-codes", more)
    assert answer.status_code == 201, answer.json
    return answer.json["code"]


def chooses(operator, registration):
    answer = operator.patch(f"{BASE}/admission", {"registration": registration})
    assert answer.status_code == 200, answer.json
    return answer.json


@pytest.mark.parametrize("by", ["setting", "switch"])
def test_nobody_registers_while_registration_is_closed(world, operators, by):
    lin = operators["Lin"]
    before = world.player("Wei")
    if by == "setting":
        world.start(registration="closed")
        lin, before = (world.anybody.with_token(each.token) for each in (lin, before))
    else:
        chooses(lin, "closed")
    problem = assert_problem(registers(world), "registration-closed", reason="registration_closed")
    assert "no new players" in problem["detail"]
    assert "暂不接受" in registers_in_chinese(world).json["detail"]
    assert world.anybody.get("/v1").json["registration"] == "closed"
    assert before.get("/v1/me").status_code == 200
    assert_problem(registers(world, code=new_code(lin)), "registration-closed")


def registers_in_chinese(world):
    return world.anybody.post("/v1/players", {"name": "Mal"}, headers={"Accept-Language": "zh-Hans"})


def test_operators_choose_for_all_processes_and_may_leave_it_to_the_setting(world, lin):
    world.start(registration="invited")
    lin = world.anybody.with_token(lin.token)
    assert chooses(lin, "open")["registration"] == "open"
    world.start()
    lin = world.anybody.with_token(lin.token)
    body = lin.get(f"{BASE}/admission").json
    assert (body["registration"], body["chosen"], body["by"]) == ("open", "open", "Lin")
    assert registers(world).status_code == 201
    assert chooses(lin, "setting")["registration"] == "invited"
    assert_problem(registers(world), "registration-closed", reason="registration_code_needed")
    deeds = lin.get(f"{BASE}/deeds").json["items"]
    assert [each["details"] for each in deeds] == [{"registration": "setting"}, {"registration": "open"}]


def test_a_choice_of_a_later_release_that_is_not_understood_lets_nobody_in(world, lin):
    world.stores.admission.switch({"registration": "by_voucher", "at": world.now, "by": ""})
    gate_of(world).again()
    assert_problem(registers(world), "registration-closed")


def test_a_code_of_an_operator_lets_in_as_many_as_it_says(world, lin):
    chooses(lin, "invited")
    code = new_code(lin, uses=2, days=1, note="Club")
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}", code)
    player = registers(world, code=code.lower()).json["player"]["id"]
    assert lin.get(f"{BASE}/players/{player}").json["invited_by"] == "operators"
    wide = "".join(chr(ord(each) + 0xFEE0) for each in code)
    assert registers(world, code=wide).status_code == 201
    assert_problem(registers(world, code=code), "registration-closed", reason="registration_code_void")
    [items] = lin.get(f"{BASE}/registration-codes").json["items"]
    assert (items["uses"], items["left"], items["note"], items["by"]) == (2, 0, "Club", "Lin")
    assert code.replace("-", "") not in str(world.redis.keys("*"))


def test_a_code_ends_with_its_time_or_when_it_is_made_void(world, lin):
    chooses(lin, "invited")
    code, other = new_code(lin, days=1), new_code(lin)
    items = lin.get(f"{BASE}/registration-codes").json["items"]
    assert lin.delete(f"{BASE}/registration-codes/{items[1]['id']}").status_code == 204
    assert_problem(registers(world, code=other), "registration-closed")
    assert_problem(lin.delete(f"{BASE}/registration-codes/{items[1]['id']}"), "not-found", what="registration_code")
    assert 0 < world.redis.pttl(keys.invite(codes.hash_of(code))) <= 86_400_000


def test_a_repeated_registration_spends_a_code_once(world, lin):
    chooses(lin, "invited")
    code = new_code(lin, uses=2)
    key = {"headers": {"Idempotency-Key": "0192f0c1-7a3b-7c55-9b1e-3d5f7a9c1b2d"}}
    tokens = {world.anybody.post("/v1/players", {"name": "Mei", "code": code}, **key).json["token"] for _ in range(3)}
    assert len(tokens) == 1
    assert lin.get(f"{BASE}/registration-codes").json["items"][0]["left"] == 1


def test_wrong_codes_are_limited(world, lin):
    world.start(registration="invited", limit_guess=Budget(5, 60))
    code = new_code(world.anybody.with_token(lin.token))
    # Five of all together, and five of each address.
    answers = [registers(world, code="7HQ2-K5XM-9R4D").status_code for _ in range(6)]
    assert answers == [403] * 5 + [429]
    assert registers(world, HERE, code=code).status_code == 201


def test_a_code_is_not_looked_at_while_anybody_may_register(world, lin):
    assert registers(world, code="anything").status_code == 201


# --- codes of players -------------------------------------------------------------------------------------------------


def invites(player):
    return player.post("/v1/me/registration-codes")


def test_the_export_of_an_account_says_who_let_it_in(world, lin):
    wei = world.player("Wei")
    chooses(lin, "invited")
    newcomer = world.anybody.with_token(registers(world, code=invites(wei).json["code"]).json["token"])
    assert newcomer.get("/v1/me/export").json["player"]["invited_by"] == wei.player["id"]
    assert wei.get("/v1/me/export").json["player"]["invited_by"] is None


def test_a_player_lets_in_a_few_others(world, lin):
    world.start(invites=2)
    lin, wei = world.anybody.with_token(lin.token), world.player("Wei")
    assert_problem(invites(wei), "registration-closed", reason="registration_open")
    chooses(lin, "invited")
    first, second = invites(wei).json, invites(wei).json
    assert_problem(invites(wei), "too-many-codes", limit=2)
    newcomer = registers(world, code=first["code"]).json["player"]["id"]
    assert lin.get(f"{BASE}/players/{newcomer}").json["invited_by"] == wei.player["id"]
    body = wei.get("/v1/me/registration-codes").json
    assert (sorted(each["left"] for each in body["items"]), body["most"]) == ([0, 1], 2)
    # One that nobody has used makes room, a used one does not.
    assert wei.delete(f"/v1/me/registration-codes/{first['id']}").status_code == 204
    assert_problem(invites(wei), "too-many-codes")
    assert wei.delete(f"/v1/me/registration-codes/{second['id']}").status_code == 204
    assert invites(wei).status_code == 201
    world.now += INVITE_MS + 1
    assert invites(wei).status_code == 201


def test_codes_of_others_cannot_be_voided_or_seen(world, lin):
    wei, mei = world.player("Wei"), world.player("Mei")
    chooses(lin, "invited")
    code = invites(wei).json
    assert_problem(mei.delete(f"/v1/me/registration-codes/{code['id']}"), "not-found")
    assert_problem(lin.delete(f"{BASE}/registration-codes/{code['id']}"), "not-found")
    assert mei.get("/v1/me/registration-codes").json["items"] == []


@pytest.mark.parametrize("ending", ["suspend", "erase"])
def test_a_code_ends_with_its_giver(world, lin, ending):
    wei = world.player("Wei")
    chooses(lin, "invited")
    code = invites(wei).json["code"]
    if ending == "suspend":
        lin.post(f"{BASE}/players/{wei.player['id']}/suspensions", {"until": DAY, "cause": "other"})
    else:
        wei.delete("/v1/me")
    assert_problem(registers(world, code=code), "registration-closed", reason="registration_code_void")


def test_a_registration_code_takes_half_a_kilobyte(world, lin):
    wei = world.player("Wei")
    chooses(lin, "invited")
    code = invites(wei).json["code"]
    names = (keys.invite(codes.hash_of(code)), keys.invites_of(wei.player["id"]))
    assert sum(world.redis.memory_usage(name, samples=0) for name in names) < 800
    assert all(0 < world.redis.pttl(name) <= INVITE_MS for name in names)


# --- who has come back ------------------------------------------------------------------------------------------------


def alike(operator, player):
    items = operator.get(f"{BASE}/players/{player}/alike").json["items"]
    return [(each["player"], each["name"], each["shares"], bool(each["suspension"])) for each in items]


def forget_origins(world):
    """Players of tests register from one address."""
    for name in world.redis.keys("sj:{players}:origin*"):
        world.redis.delete(name)
    world.stores.origins._noted.clear()


def suspend(operator, player):
    operator.post(f"{BASE}/players/{player}/suspensions", {"until": DAY, "cause": "chat"})


def test_who_registers_from_where_a_suspended_player_is_refused_is_found(world, lin):
    mal, other = world.player("Mal"), world.player("Wei")
    forget_origins(world)
    suspend(lin, mal.player["id"])
    assert_problem(mal.get("/v1/me/tables", **at(ELSEWHERE)), "suspended")
    again = registers(world).json["player"]["id"]
    registers(world, HERE)
    assert alike(lin, mal.player["id"]) == [(again, "Mal", "address", False)]
    assert alike(lin, again) == [(mal.player["id"], "Mal", "address", True)]
    assert alike(lin, other.player["id"]) == []


def test_a_suspended_player_who_deletes_the_account_is_found_by_the_external_account(world, lin):
    mal, again = world.player("Mal"), world.player("Mal again")
    forget_origins(world)
    services = world.app.extensions["services"]
    assert mal.get("/v1/me/tokens").status_code == 200
    link(world, mal, "1f" * 32)
    suspend(lin, mal.player["id"])
    mal.delete("/v1/me")
    services.admission.note(again.player["id"], "identity", "1f" * 32)
    assert alike(lin, again.player["id"]) == [(mal.player["id"], None, "identity", False)]


def test_nothing_is_kept_of_where_other_players_come_from_or_for_longer_than_a_week(world, lin):
    wei = world.player("Wei")
    forget_origins(world)
    wei.get("/v1/me/tables", **at(ELSEWHERE))
    wei.delete("/v1/me")
    assert world.redis.keys("sj:{players}:origin*") == []
    registers(world)
    stored = world.redis.keys("sj:{players}:origin*")
    assert len(stored) == 3
    assert all(0 < world.redis.pttl(name) <= KEPT_MS for name in stored)
    assert not any(ELSEWHERE.encode() in name for name in stored)
    assert_problem(lin.get(f"{BASE}/players/pl_none/alike"), "not-found", what="player")


def test_a_process_hears_of_a_block_without_looking(world, lin, monkeypatch):
    monkeypatch.setattr("service.api.services.READ_S", 1e6)
    world.start()
    assert registers(world).status_code == 201
    wait_until(lambda: world.app.extensions["services"].feeds._is_hearing)
    world.stores.admission.block({"network": "203.0.113.0/24", "at": world.now, "by": "", "note": None, "until": None})
    wait_until(lambda: registers(world).status_code == 403)
