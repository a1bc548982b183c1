"""Every operation with a token of every scope: it needs its own scope, and accepts no other.

Where apps may have the scope, the token is that of an app.
"""

import re

from service.accounts.scopes import SCOPES
from service.api.resources import RESOURCES
from service.apps.clients import APP_SCOPES
from tests.api.test_apps import allows
from tests.api.test_apps import token as token_of_app
from tests.document import document

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
    told = {name for name, each in operations.items() if each["security"]}
    assert told == {operation.id for operation in SCOPED}
    about = document()["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{scope}`" in about for scope in SCOPES)


def test_every_scope_allows_something():
    assert SCOPES.keys() == {operation.scope for operation in SCOPED}
