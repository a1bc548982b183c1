"""What gives access to an account ends with what gave it: every right, below a giver that ends in every way."""

import re
from threading import Event

import pytest
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE

from harness.waiting import wait_until
from service.accounts.accounts import NEW_MS
from service.accounts.rights import ENDINGS, RIGHTS
from service.accounts.scopes import SCOPES
from service.api.operations import bearer, fresh_bearer, operators
from service.api.resources import RESOURCES
from service.api.resources.players import _bearer_or_retry
from service.api.waiting import bearer_or_ticket
from service.apps.clients import APP_SCOPES
from service.common.settings import OidcProvider
from service.notices.choices import SETTLE_MS
from service.notices.outbound import Outbound
from service.store import keys
from tests.api.accounts.test_apps import allows, form
from tests.api.accounts.test_apps import token as token_of_app
from tests.api.accounts.test_sign_in import HOME, Provider, code_of, proof
from tests.api.contract import assert_problem
from tests.api.notices.test_devices import PHONE, SET_UP
from tests.api.streams.test_account_stream import MyStream, opened
from tests.api.streams.test_events import STREAM
from tools.clients.toolchain import ROOT
from tools.orders.messages import Messages

HOUR_MS = 3_600_000


@pytest.fixture
def house(world, monkeypatch):
    """The API with a provider, a relay, an operator, and a messenger."""
    world.provider = Provider()
    monkeypatch.setattr(Outbound, "fetch", lambda _, *request: world.provider.fetch(*request))
    monkeypatch.setattr(Outbound, "refusal_of_new", lambda self, url, own: self.refusal(url))
    providers = (OidcProvider("Example", "https://id.example", "me", "secret"),)
    world.start(oidc_providers=providers, public_url=HOME, operator_token="x" * 40, **SET_UP)
    world.messages = Messages(world)
    return world


# --- rights: each makes one below a client, and returns a function that tells whether it works ---


def works(client):
    """Whether a token gives access."""
    return client.get("/v1/me/tables").status_code == 200


def lets_in(world, answer, status=201):
    """Whether an answer has a token that gives access."""
    body = answer if isinstance(answer, dict) else answer.json
    token = body.get("token") or body.get("access_token")
    return token is not None and works(world.anybody.with_token(token))


def a_token(world, giver):
    token = giver.post("/v1/me/tokens", {"name": "Helper", "scopes": ["tables:read"]}).json["token"]
    return lambda: works(world.anybody.with_token(token))


def a_linked_device(world, giver):
    code = giver.post("/v1/me/link-codes").json["code"]
    token = world.anybody.post("/v1/links", {"code": code, "name": "Tablet"}).json["token"]
    return lambda: works(world.anybody.with_token(token))


def a_granted_app(world, giver):
    token = token_of_app(world, allows(giver, scope="tables:read")["code"])[1]["access_token"]
    return lambda: works(world.anybody.with_token(token))


def signs_in(world, code):
    return lets_in(world, world.anybody.post("/v1/sign-ins", proof(code)))


def an_identity(world, giver):
    assert giver.post("/v1/me/identities", proof(code_of(world, world.provider, "thief"))).status_code == 200
    return lambda: signs_in(world, code_of(world, world.provider, "thief"))


def a_token_by_an_identity(world, giver):
    an_identity(world, giver)
    token = world.anybody.post("/v1/sign-ins", proof(code_of(world, world.provider, "thief"))).json["token"]
    return lambda: works(world.anybody.with_token(token))


def a_sign_in_under_way(world, giver):
    an_identity(world, giver)
    code = code_of(world, world.provider, "thief")
    return lambda: signs_in(world, code)


def a_recovery_code(world, giver):
    code = giver.post("/v1/me/recovery-code").json["code"]
    return lambda: lets_in(world, world.anybody.post("/v1/recoveries", {"code": code}))


def is_told(world, giver):
    """Whether somebody outside is told of what happens to the account."""
    world.messages.run()
    world.now += SETTLE_MS
    world.services.inbox.game_kept([giver.player["id"]], "tb_1", "gm_1")
    return bool(world.messages.run())


def a_webhook(world, giver):
    url = "https://hooks.slack.com/services/1/x"
    webhook = giver.post("/v1/me/webhooks", {"url": url, "name": "Thief", "events": ["game_kept"], "format": "slack"})
    assert webhook.status_code == 201, webhook.json
    return lambda: is_told(world, giver)


def a_subscribed_device(world, giver):
    assert giver.put("/v1/me/push-subscriptions/thief", PHONE).status_code == 200
    return lambda: is_told(world, giver)


def a_link_code(world, giver):
    code = giver.post("/v1/me/link-codes").json["code"]
    return lambda: lets_in(world, world.anybody.post("/v1/links", {"code": code, "name": "Tablet"}))


def an_app_code(world, giver):
    code = allows(giver, scope="tables:read")["code"]
    return lambda: lets_in(world, token_of_app(world, code)[1])


def a_device_code(world, giver):
    device = form(world, "/oauth/device", client_id="tv", scope="tables:read")[1]
    assert giver.post("/v1/device-answers", {"code": device["user_code"], "allow": True}).status_code == 204
    asks = {"grant_type": DEVICE_CODE_GRANT_TYPE, "device_code": device["device_code"], "client_id": "tv"}
    return lambda: lets_in(world, form(world, "/oauth/token", **asks)[1])


def a_stream_ticket(world, giver):
    ticket = giver.post("/v1/me/stream-ticket").json["ticket"]

    def opens():
        answer = world.anybody.get(f"/v1/me/events?ticket={ticket}", headers=STREAM, buffered=False)
        answer.close()
        return answer.status_code == 200

    return opens


class Barrier:
    """Learns when all announcements so far have reached the streams of a process."""

    def __init__(self, world):
        self.feeds, self.reached = world.feeds, Event()

    def forget(self, player):
        if player == "pl_barrier":
            self.feeds._thread.tell(self.reached.set)

    def hears(self, **_):
        pass


def hear_everything(world):
    """Wait until the streams have heard what was announced."""
    barrier = Barrier(world)
    world.feeds.guard(barrier)
    world.redis.publish(keys.REVOKED, "pl_barrier")
    assert barrier.reached.wait(60)


def a_stream(world, giver):
    stream = opened(giver)
    wait_until(lambda: world.app.extensions["services"].authenticator.is_hearing)

    def goes_on():
        with stream:
            hear_everything(world)
            # What a right still tells is a notice or an event; what has ended says so.
            world.services.inbox.game_kept([giver.player["id"]], "tb_1", "gm_1")
            read = stream.next()
            while read[0] == "message" and read[2]["type"] != "game_kept":
                read = stream.next()
            return read[0] == "message"

    return goes_on


#: Kind of right -> ways in which a client makes one.
MAKERS = {
    "token": [a_token, a_linked_device, a_granted_app, a_token_by_an_identity],
    "identity": [an_identity],
    "recovery_code": [a_recovery_code],
    "webhook": [a_webhook],
    "device": [a_subscribed_device],
    "link_code": [a_link_code],
    "app_code": [an_app_code],
    "device_code": [a_device_code],
    "sign_in": [a_sign_in_under_way],
    "stream_ticket": [a_stream_ticket],
    "stream": [a_stream],
}
EVERY = [maker for makers in MAKERS.values() for maker in makers]
#: Ways in, which stay when their giver signs out.
WAYS_IN = {a_linked_device, an_identity, a_token_by_an_identity, a_sign_in_under_way, a_recovery_code}


# --- endings: each makes a giver, which the owner then ends ---


def client_of(world, owner, token):
    helper = world.anybody.with_token(token)
    helper.player = owner.player
    return helper


def made_by_owner(world, owner, scopes=tuple(SCOPES), **more):
    token = owner.post("/v1/me/tokens", {"name": "Giver", "scopes": list(scopes), **more}).json
    giver = client_of(world, owner, token["token"])
    giver.id = token["id"]
    return giver


def revoked(world, owner):
    giver = made_by_owner(world, owner)
    return giver, lambda: owner.delete(f"/v1/me/tokens/{giver.id}")


def signed_out(world, owner):
    giver = made_by_owner(world, owner)
    return giver, lambda: giver.delete(f"/v1/me/tokens/{giver.id}")


def app_removed(world, owner):
    token = token_of_app(world, allows(owner, scope=" ".join(APP_SCOPES))["code"])[1]["access_token"]
    giver = client_of(world, owner, token)
    [app] = [each for each in owner.get("/v1/me/tokens").json["items"] if each["name"] == "scores.example"]
    return giver, lambda: owner.delete(f"/v1/me/tokens/{app['id']}")


def identity_unlinked(world, owner):
    linked = owner.post("/v1/me/identities", proof(code_of(world, world.provider, "owner"))).json["id"]
    token = world.anybody.post("/v1/sign-ins", proof(code_of(world, world.provider, "owner"))).json["token"]
    # Another way into the account, which is not the last one.
    owner.post("/v1/me/tokens", {"name": "Spare", "scopes": list(SCOPES)})
    return client_of(world, owner, token), lambda: owner.delete(f"/v1/me/identities/{linked}")


def others_revoked(world, owner):
    return made_by_owner(world, owner), lambda: owner.post("/v1/me/token?others=revoke")


def recovered(world, owner):
    giver = made_by_owner(world, owner)
    # The giver may make another code, which this one outlives if it is the latest.
    code = owner.post("/v1/me/recovery-code").json["code"]
    return giver, lambda: world.anybody.post("/v1/recoveries", {"code": code})


def expired(world, owner):
    giver = made_by_owner(world, owner, expires_in_ms=HOUR_MS)

    def end():
        world.now += HOUR_MS
        world.feeds.revoked(owner.player["id"])

    return giver, end


def suspended(world, owner):
    operator = world.anybody.with_token("x" * 40)
    path = f"/v1/operator/players/{owner.player['id']}/suspensions"
    return made_by_owner(world, owner), lambda: operator.post(path, {"until": "2099-01-01T00:00:00Z", "cause": "other"})


def deleted(world, owner):
    return made_by_owner(world, owner), lambda: owner.delete("/v1/me")


ENDED = {
    "revoke a token": revoked,
    "sign out": signed_out,
    "remove an app": app_removed,
    "unlink an identity": identity_unlinked,
    "revoke others": others_revoked,
    "recover": recovered,
    "expire": expired,
    "suspend": suspended,
    "delete the account": deleted,
}
#: What the givers of some endings cannot give, since it would give more than they have.
CANNOT = {
    "remove an app": {*EVERY} - {a_webhook, a_subscribed_device, a_stream_ticket, a_stream},
    "expire": {an_identity, a_token_by_an_identity, a_sign_in_under_way, a_recovery_code},
    # A second code takes the place of the first.
    "recover": {a_recovery_code},
}
WALK = [(ending, maker) for ending in ENDED for maker in EVERY if maker not in CANNOT.get(ending, ())]


def settled(world, owner, begin):
    """The giver of an ending, which has been signed in for long enough, and the ending."""
    giver, end = begin(world, owner)
    world.now += NEW_MS
    return giver, end


@pytest.mark.parametrize(("ending", "maker"), WALK, ids=lambda each: getattr(each, "__name__", each))
def test_after_each_ending_nothing_below_works(house, lin, ending, maker):
    giver, end = settled(house, lin, ENDED[ending])
    is_working = maker(house, giver)
    house.now += 1
    answer = end()
    assert answer is None or answer.status_code in (200, 201, 204), answer.json
    assert is_working() == (ending == "sign out" and maker in WAYS_IN)


@pytest.mark.parametrize("maker", EVERY, ids=lambda each: each.__name__)
def test_each_right_works_until_its_giver_ends(house, lin, maker):
    giver, _ = settled(house, lin, revoked)
    assert maker(house, giver)()


@pytest.mark.parametrize("ending", ENDED)
@pytest.mark.parametrize("maker", [a_token, a_webhook, a_linked_device], ids=lambda each: each.__name__)
def test_what_the_owner_has_made_outlasts_the_end_of_another_device(house, lin, ending, maker):
    if ENDINGS[ending].ends == "everything":
        pytest.skip("it ends everything")
    is_working = maker(house, lin)
    _, end = settled(house, lin, ENDED[ending])
    end()
    assert is_working()


# --- keeping ---


def rights(client):
    return {(each["kind"], each["name"]): each for each in client.get("/v1/me/rights").json["items"]}


def below(world, giver):
    """A token, a webhook, an identity and what came by it below a giver; how each works, by kind."""
    return {
        "token": a_linked_device(world, giver),
        "webhook": a_webhook(world, giver),
        "identity": an_identity(world, giver),
    }


NAMES = {"token": "Tablet", "webhook": "Thief", "identity": "Example"}


def test_the_list_of_rights_says_what_was_given_by_what(house, lin):
    giver, _ = settled(house, lin, revoked)
    below(house, giver)
    a_recovery_code(house, giver)
    a_subscribed_device(house, giver)
    listed = rights(lin)
    assert listed["token", None]["current"]
    assert listed["token", None]["given_by"] is None
    assert listed["token", "Giver"]["given_by"] == listed["token", None]["id"]
    for kind, name in (*NAMES.items(), ("recovery_code", None), ("device", None)):
        assert listed[kind, name]["given_by"] == giver.id, kind
        assert listed[kind, name]["made_at"]
    assert {kind for (kind, _), each in listed.items() if each["is_way_in"]} == {"token", "identity", "recovery_code"}
    assert {each["kind"] for each in listed.values()} == {kind for kind, right in RIGHTS.items() if right.is_listed}


@pytest.mark.parametrize("remaining", NAMES)
@pytest.mark.parametrize("how", ["revoke", "others", "recover"])
def test_what_the_owner_keeps_stays_and_the_rest_ends(house, lin, how, remaining):
    giver, _ = settled(house, lin, revoked)
    working = below(house, giver)
    keep = rights(lin)[remaining, NAMES[remaining]]["id"]
    code = lin.post("/v1/me/recovery-code").json["code"]
    if how == "revoke":
        assert lin.delete(f"/v1/me/tokens/{giver.id}?keep={keep}").status_code == 204
        owner = lin
    elif how == "others":
        owner = lin.with_token(lin.post(f"/v1/me/token?others=revoke&keep={keep}").json["token"])
    else:
        body = house.anybody.post("/v1/recovery-requests", {"code": code}).json
        assert keep in [each["id"] for each in body["items"]]
        answer = house.anybody.post("/v1/recoveries", {"code": code, "keep": [keep]})
        owner = lin.with_token(answer.json["token"])
    assert {kind: is_working() for kind, is_working in working.items()} == {kind: kind == remaining for kind in NAMES}
    # Nobody gave it any more; it ends with everything else, or by itself.
    assert rights(owner)[remaining, NAMES[remaining]]["given_by"] is None


def test_after_signing_out_what_stays_ends_with_what_had_given_the_device(house, lin):
    first = made_by_owner(house, lin)
    house.now += NEW_MS
    second = made_by_owner(house, first)
    house.now += NEW_MS
    is_working = a_linked_device(house, second)
    assert second.delete(f"/v1/me/tokens/{second.id}").status_code == 204
    assert is_working()
    assert lin.delete(f"/v1/me/tokens/{first.id}").status_code == 204
    assert not is_working()


def test_the_calling_device_stays_when_what_gave_it_ends(house, lin):
    code = lin.post("/v1/me/link-codes").json["code"]
    tablet = lin.with_token(house.anybody.post("/v1/links", {"code": code, "name": "Tablet"}).json["token"])
    first = rights(tablet)["token", None]["id"]
    house.now += NEW_MS
    assert tablet.delete(f"/v1/me/tokens/{first}").status_code == 204
    assert works(tablet)
    assert not works(lin)


def test_what_looks_at_a_recovery_changes_nothing_and_shows_nobody_else_anything(house, lin):
    code = lin.post("/v1/me/recovery-code").json["code"]
    for _ in range(2):
        body = house.anybody.post("/v1/recovery-requests", {"code": code}).json
    assert (body["name"], [each["kind"] for each in body["items"]]) == ("Lin", ["token"])
    assert_problem(
        house.anybody.post("/v1/recovery-requests", {"code": code[:-1] + ("1" if code[-1] == "0" else "0")}),
        "not-found",
    )
    assert works(lin)


# --- rights without a giver, of release 0.3 ---


def test_rights_of_the_release_before_stay_with_their_player_until_everything_ends(house, lin):
    giver, _ = settled(house, lin, revoked)
    working = below(house, giver)
    for field in [*house.stores.rights.of_player(lin.player["id"]).fields]:
        house.stores.rights.give(lin.player["id"], field, None)
    assert lin.delete(f"/v1/me/tokens/{giver.id}").status_code == 204
    assert all(is_working() for is_working in working.values())
    owner = lin.with_token(lin.post("/v1/me/token?others=revoke").json["token"])
    assert not any(is_working() for is_working in working.values())
    assert [kind for kind, _ in rights(owner)] == ["token"]


def test_what_a_process_of_the_release_before_voids_alone_ends_with_its_next_notice(house, lin):
    giver, _ = settled(house, lin, revoked)
    is_working = a_webhook(house, giver)
    assert house.stores.rights.end(lin.player["id"], [giver.id], None) == "done"
    assert not is_working()
    assert house.stores.subscriptions.of_player(lin.player["id"]).subscriptions == {}


# --- telling ---


@pytest.mark.parametrize("maker", [a_linked_device, an_identity, a_recovery_code], ids=lambda each: each.__name__)
def test_all_other_devices_are_told_of_a_new_way_into_the_account(house, lin, maker):
    lin.put("/v1/me/push-subscriptions/phone", PHONE)
    quiet = {"start": "00:00", "end": "23:59", "time_zone": "UTC"}
    lin.patch("/v1/me/notices", {"notify": "nothing", "quiet_hours": quiet})
    giver, _ = settled(house, lin, revoked)
    house.messages.run()
    maker(house, giver)
    [notice] = house.messages.run()
    assert b"phone" not in notice.body
    assert b'"type":"signed_in"' in notice.body or b'"type":"access_added"' in notice.body
    with MyStream(lin, "?after=0") as stream:
        kinds = [stream.event()[0] for _ in range(2)]
    assert kinds[-1] in ("signed_in", "access_added")


def test_a_token_that_gives_little_wakes_nobody(house, lin):
    lin.put("/v1/me/push-subscriptions/phone", PHONE)
    a_token(house, lin)
    a_granted_app(house, lin)
    assert house.messages.run() == []


# --- completeness ---


def test_every_kind_of_right_and_ending_is_walked():
    assert MAKERS.keys() == RIGHTS.keys()
    assert ENDED.keys() == ENDINGS.keys()
    assert {giver for right in RIGHTS.values() for giver in right.given_by} <= RIGHTS.keys()


def test_every_key_with_data_of_accounts_says_which_rights_lie_there():
    rights_of_key = {pattern: key.rights for pattern, key in keys.KEYS.items()}
    personal = {pattern for pattern in rights_of_key if pattern.startswith("sj:{players}:") or "<sha256>" in pattern}
    assert {pattern for pattern, rights in rights_of_key.items() if rights is not None} == personal
    # Streams are open in processes only.
    assert {right for rights in rights_of_key.values() for right in rights or ()} == RIGHTS.keys() - {"stream"}


def test_every_operation_that_shows_a_secret_or_opens_a_stream_makes_a_right():
    operations = {each.id: each for resource in RESOURCES for each in resource.operations}
    made_by = {name for right in RIGHTS.values() for name in right.made_by}
    assert {name for name in made_by if not name.startswith("/")} <= operations.keys()
    secrets = {"token", "secret", "ticket", "redirect_to"}
    gives = {
        name
        for name, each in operations.items()
        if each.method != "GET" and each.response is not None and secrets & each.response.fields.keys()
    }
    gives |= {name for name, each in operations.items() if any("event-stream" in kind for kind in each.media_types)}
    # The tickets of quick play are no secrets.
    assert gives - {"openTicket", "confirmMatch"} <= made_by, gives - made_by
    # Whoever may call an operation is known by a token, a ticket, or the operators' token.
    known = {None, bearer, fresh_bearer, bearer_or_ticket, _bearer_or_retry, operators}
    assert {each.auth for each in operations.values()} <= known


def test_the_page_about_rights_shows_the_tables():
    page = (ROOT / "docs" / "rights.md").read_text()
    rows = {line.split("|")[1].strip(" `"): line for line in page.splitlines() if line.startswith("| `")}
    assert rows.keys() == RIGHTS.keys() | ENDINGS.keys()
    for kind, right in RIGHTS.items():
        assert rows[kind] == f"| `{kind}` | {', '.join(right.given_by)} | {right.ends} |"
    for name, ending in ENDINGS.items():
        keep = "yes" if ending.may_keep else "no"
        assert rows[name] == f"| `{name}` | {ending.ends} | {ending.except_} | {keep} |"
    assert not re.findall(r"sj:", page)


# --- what a device of a moment ago must not do ---


def a_tablet(world, owner):
    # Later than the first token.
    world.now += 1
    code = owner.post("/v1/me/link-codes").json["code"]
    answer = world.anybody.post("/v1/links", {"code": code, "name": "Tablet"})
    return client_of(world, owner, answer.json["token"])


def shuts_out_by_revoking(tablet):
    return tablet.delete(f"/v1/me/tokens/{rights(tablet)['token', None]['id']}")


def shuts_out_others(tablet):
    return tablet.post("/v1/me/token?others=revoke")


def shuts_out_but_one(tablet):
    return tablet.post(f"/v1/me/token?others=revoke&keep={rights(tablet)['token', None]['id']}")


def unlinks(tablet):
    return tablet.delete(f"/v1/me/identities/{rights(tablet)['identity', 'Example']['id']}")


@pytest.mark.parametrize("how", [shuts_out_by_revoking, shuts_out_others, shuts_out_but_one, unlinks])
def test_a_device_of_a_moment_ago_does_not_shut_the_owner_out(house, lin, how):
    an_identity(house, lin)
    comes_back = a_recovery_code(house, lin)
    tablet = a_tablet(house, lin)
    before = rights(lin)
    refused = how(tablet)
    assert_problem(refused, "device-too-new", remaining_ms=NEW_MS)
    assert rights(lin) == before
    house.now += NEW_MS
    assert how(tablet).status_code in (200, 204)
    assert not (how is not unlinks and comes_back())


def test_a_device_of_a_moment_ago_ends_itself_and_what_acts_without_being_a_way_in(house, lin):
    giver = made_by_owner(house, lin, ["account", "tables:read"])
    a_webhook(house, lin)
    tablet = a_tablet(house, lin)
    assert tablet.delete(f"/v1/me/tokens/{giver.id}").status_code == 204
    assert tablet.delete(f"/v1/me/webhooks/{rights(tablet)['webhook', 'Thief']['id']}").status_code == 204
    assert tablet.delete(f"/v1/me/tokens/{rights(tablet)['token', 'Tablet']['id']}").status_code == 204
    assert works(lin)


# --- webhooks that somebody else takes over ---


def moves(thief, webhook):
    return thief.patch(f"/v1/me/webhooks/{webhook}", {"url": "https://hooks.slack.com/services/2/y"})


def reads_the_secret(thief, webhook):
    return thief.post(f"/v1/me/webhooks/{webhook}/secret")


@pytest.mark.parametrize("how", [moves, reads_the_secret])
def test_a_webhook_ends_with_the_token_that_took_it_over(house, lin, how):
    is_working = a_webhook(house, lin)
    thief, end = settled(house, lin, revoked)
    webhook = rights(lin)["webhook", "Thief"]["id"]
    assert how(thief, webhook).status_code == 200
    assert rights(lin)["webhook", "Thief"]["given_by"] == thief.id
    end()
    assert not is_working()


def test_a_webhook_whose_address_stays_the_same_stays_its_makers(house, lin):
    is_working = a_webhook(house, lin)
    other, end = settled(house, lin, revoked)
    listed = rights(lin)["webhook", "Thief"]
    fields = {"url": "https://hooks.slack.com/services/1/x", "after_ms": 60_000, "events": ["game_kept"]}
    assert other.patch(f"/v1/me/webhooks/{listed['id']}", fields).status_code == 200
    assert rights(lin)["webhook", "Thief"] == listed
    end()
    assert is_working()


# --- a device that ends what it came from ---


def came_by_another_device(world, phone):
    middle = a_tablet(world, phone)
    world.now += NEW_MS
    thief = a_tablet(world, middle)
    world.now += NEW_MS
    own = next(each for each in thief.get("/v1/me/rights").json["items"] if each["current"])
    return thief, f"/v1/me/tokens/{own['given_by']}"


def came_by_an_identity(world, phone):
    an_identity(world, phone)
    world.now += 1
    token = world.anybody.post("/v1/sign-ins", proof(code_of(world, world.provider, "thief"))).json["token"]
    world.now += NEW_MS
    return world.anybody.with_token(token), f"/v1/me/identities/{rights(phone)['identity', 'Example']['id']}"


@pytest.mark.parametrize("came", [came_by_another_device, came_by_an_identity])
def test_a_device_that_ends_what_it_came_from_still_ends_with_the_stolen_one(house, lin, came):
    phone, end = settled(house, lin, revoked)
    thief, given_by = came(house, phone)
    assert thief.delete(given_by).status_code == 204
    assert works(thief)
    end()
    assert not works(thief)
