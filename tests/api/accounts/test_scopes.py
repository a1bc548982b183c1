"""Every operation with a token of every scope: it needs its own scope, and accepts no other.

Where apps may have the scope, the token is that of an app.
"""

import re

import pytest

from harness.document import document
from service.accounts.scope_texts import CLAUSES
from service.accounts.scopes import SCOPES
from service.api.resources import RESOURCES
from service.apps.clients import APP_SCOPES
from service.texts import LANGUAGES
from tests.api.accounts.test_apps import allows
from tests.api.accounts.test_apps import token as token_of_app
from tests.api.contract import Client, assert_problem

SCOPED = [each for resource in RESOURCES for each in resource.operations if each.scope is not None]
#: It needs all scopes: a recovered token has them.
NEEDS_ALL = "createRecoveryCode"
#: They end the token or the player, so they come last.
ENDING = ("rotateToken", "deleteMe")


def test_every_operation_needs_its_scope(world, lin):
    def authorization(scope):
        if scope in APP_SCOPES:
            token = token_of_app(world, allows(lin, scope=scope)["code"])[1]["access_token"]
        else:
            token = lin.post("/v1/me/tokens", {"name": scope, "scopes": [scope]}).json["token"]
        return {"Authorization": f"Bearer {token}"}

    headers = {scope: authorization(scope) for scope in SCOPES}
    table = lin.post("/v1/tables", {"ruleset": "shengji", "players": 4}).json["id"]
    some = {"table": table, "player": lin.player["id"], "ruleset": "shengji"}
    application = world.app.test_client()

    def code(operation, scope):
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: some.get(part[1], "1"), operation.path)
        answer = application.open(path, method=operation.method, headers=headers[scope])
        assert answer.status_code != 401, (operation.id, scope)
        return answer.json["code"] if answer.status_code >= 400 else None, answer.json

    for operation in sorted(SCOPED, key=lambda each: each.id in ENDING and ENDING.index(each.id) + 1):
        # The token with the right scope comes last.
        for scope in sorted(SCOPES, key=lambda each: each == operation.scope):
            refused, problem = code(operation, scope)
            if scope != operation.scope:
                assert (refused, problem["required"]) == ("insufficient-scope", [operation.scope])
            elif operation.id == NEEDS_ALL:
                assert problem["required"] == [each for each in SCOPES if each != operation.scope]
            else:
                assert refused != "insufficient-scope", (operation.id, problem)
        if operation.id == "rotateToken":
            headers["account"] = authorization("account")


def test_the_document_names_the_scope_of_every_operation():
    operations = {each["operationId"]: each for item in document()["paths"].values() for each in item.values()}
    for operation in SCOPED:
        documented = operations[operation.id]
        assert documented["security"][0] == {"token": [operation.scope]}
        assert f"`{operation.scope}`" in documented["description"]
        assert "403" in documented["responses"]
    protected = {name for name, each in operations.items() if each["security"]}
    assert protected == {operation.id for operation in SCOPED}
    about = document()["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{scope}`" in about for scope in SCOPES)


def test_every_scope_allows_something():
    assert SCOPES.keys() == {operation.scope for operation in SCOPED}


def test_every_operation_is_covered_by_one_sentence_of_its_scope():
    operations_of = {
        scope: [name for clause in clauses for name in clause.operations] for scope, clauses in CLAUSES.items()
    }
    assert operations_of.keys() == SCOPES.keys()
    for scope, names in operations_of.items():
        assert sorted(names) == sorted(each.id for each in SCOPED if each.scope == scope), scope
    assert all(set(clause.says) == set(LANGUAGES) for clauses in CLAUSES.values() for clause in clauses)


# --- an app sees what it made -----------------------------------------------------------------------------------------


def an_app(world, client):
    token = client.post("/v1/me/tokens", {"name": "App", "scopes": list(APP_SCOPES)}).json["token"]
    return world.anybody.with_token(token)


@pytest.fixture
def hooks(world, lin, monkeypatch):
    """The path of a webhook of the owner, and an app."""
    monkeypatch.setattr("service.notices.outbound.Outbound.refusal_of_new", lambda *_: None)
    webhook = lin.post("/v1/me/webhooks", {**HOOK, "url": "https://hooks.slack.com/services/secret"}).json
    return f"/v1/me/webhooks/{webhook['id']}", an_app(world, lin)


HOOK = {"name": "Chat", "events": ["turn"], "format": "slack", "url": "https://hooks.slack.com/services/app"}


def test_an_app_neither_sees_nor_changes_webhooks_that_it_did_not_make(world, lin, hooks):
    path, app = hooks
    assert app.get("/v1/me/webhooks").json["items"] == []
    for refused in (
        app.get(path),
        app.patch(path, {"url": "https://hooks.slack.com/services/thief"}),
        app.delete(path),
        app.post(f"{path}/secret"),
        app.post(f"{path}/verify"),
        app.get(f"{path}/deliveries"),
        app.post(f"{path}/deliveries/msg_1/retry"),
    ):
        assert_problem(refused, "not-found", what="webhook")
    assert lin.get(path).json["url"].endswith("secret")
    # Its own ones it sees, as does the owner.
    own = app.post("/v1/me/webhooks", HOOK).json
    assert [each["id"] for each in app.get("/v1/me/webhooks").json["items"]] == [own["id"]]
    assert app.patch(f"/v1/me/webhooks/{own['id']}", {"name": "Mine"}).status_code == 200
    assert len(lin.get("/v1/me/webhooks").json["items"]) == 2
    assert lin.delete(f"/v1/me/webhooks/{own['id']}").status_code == 204


def test_an_app_cannot_see_replace_or_remove_devices_that_it_did_not_subscribe(world, lin):
    world.start(push_relay_url="http://relay:9000/", push_relay_secret="whsec_" + "c2VjcmV0" * 4)
    lin = lin.with_token(lin.token)
    phone = {"carrier": "relay", "platform": "apns", "device_token": "0a1b2c"}
    client = Client(world.app).with_token(lin.token)
    path = "/v1/me/push-subscriptions/phone"
    assert client.put(path, phone).status_code == 200
    app = an_app(world, client)
    assert app.get("/v1/me/push-subscriptions").json["items"] == []
    assert_problem(app.put(path, {**phone, "device_token": "thief"}), "not-found")
    assert_problem(app.delete(path), "not-found")
    assert app.put("/v1/me/push-subscriptions/its-own", phone).status_code == 200
    assert [each["id"] for each in app.get("/v1/me/push-subscriptions").json["items"]] == ["its-own"]
    assert len(client.get("/v1/me/push-subscriptions").json["items"]) == 2
    # What the owner's devices are told is not for apps to say.
    assert_problem(app.patch("/v1/me/notices", {"notify": "nothing"}), "insufficient-scope")
