"""Third-party apps that act for a player (OAuth 2.1), as the app, the player and a thief see it."""

import json
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6749.errors import MismatchingStateException
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE
from requests import Response
from requests.adapters import BaseAdapter

from harness.document import document
from service.accounts.scope_texts import CLAUSES
from service.api.http.auth import hash_of
from service.apps.clients import APP_SCOPES, redirect_of
from service.common.settings import Budget
from service.store import codec, keys
from tests.api.contract import assert_problem

BACK = "https://scores.example/back"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
LONG = f"accounts.google.com.{'x' * 60}.thief.example"
ISSUER = "http://localhost"
ASKED = {
    "response_type": "code",
    "client_id": "scores",
    "redirect_uri": BACK,
    "scope": "profile:read games:read",
    "state": "af0ifjsldkj",
    "code_challenge": create_s256_code_challenge(VERIFIER),
    "code_challenge_method": "S256",
}


def asks(client, **changes):
    """The response that the consent page gets for an app's request."""
    return client.post("/v1/app-requests", {"query": query(**changes)})


def query(**changes):
    return urlencode({name: value for name, value in {**ASKED, **changes}.items() if value is not None})


def allows(client, allow=True, **changes):
    """Answer an app's request; return the parameters of the redirect back to the app."""
    answer = client.post("/v1/app-answers", {"query": query(**changes), "allow": allow})
    assert answer.status_code == 200, answer.json
    to = answer.json["redirect_to"]
    assert to.startswith(changes.get("redirect_uri", BACK) + "?")
    return {name: values[0] for name, values in parse_qs(urlsplit(to).query).items()}


def form(world, path, **values):
    answer = world.app.test_client().post(path, data=values)
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.status_code, answer.json


def token(world, right_code, **changes):
    values = {
        "grant_type": "authorization_code",
        "code": right_code,
        "redirect_uri": BACK,
        "client_id": "scores",
        "code_verifier": VERIFIER,
        **changes,
    }
    return form(world, "/oauth/token", **{name: value for name, value in values.items() if value is not None})


def test_an_app_gets_a_token_for_what_the_player_allows_and_nothing_else(world):
    lin = world.player("Lin")
    consent = asks(lin).json
    assert consent == {
        "client": "scores",
        "place": "scores.example",
        "leads_to": "website",
        "place_reads": None,
        "scopes": ["profile:read", "games:read"],
        "allows": [clause.says["en"] for scope in ("profile:read", "games:read") for clause in CLAUSES[scope]],
        "refusal": None,
    }
    back = allows(lin)
    assert (back["state"], back["iss"]) == (ASKED["state"], ISSUER)
    status, grant = token(world, back["code"])
    assert (status, grant["token_type"], grant["expires_in"], grant["scope"]) == (
        200,
        "Bearer",
        31_536_000,
        ASKED["scope"],
    )
    app = world.anybody.with_token(grant["access_token"])
    assert app.get("/v1/players/" + lin.player["id"]).status_code == 200
    assert app.get("/v1/me/games").status_code == 200
    for refused in (
        app.get("/v1/me/tokens"),
        app.delete("/v1/me"),
        app.post("/v1/app-answers"),
        app.post("/v1/tables"),
    ):
        assert_problem(refused, "insufficient-scope")
    (mine,) = [each for each in lin.get("/v1/me/tokens").json["items"] if not each["current"]]
    assert (mine["name"], mine["scopes"]) == ("scores.example", consent["scopes"])
    assert lin.delete(f"/v1/me/tokens/{mine['id']}").status_code == 204
    events = lin.get("/v1/me/events?after=0").json["events"]
    assert [each["data"]["how"] for each in events if each["type"] == "signed_in"] == ["app"]


def test_a_code_works_once_and_a_second_use_revokes_its_token(world):
    lin = world.player("Lin")
    code = allows(lin)["code"]
    _, grant = token(world, code)
    assert token(world, code)[1]["error"] == "invalid_grant"
    assert_problem(world.anybody.with_token(grant["access_token"]).get("/v1/me/games"), "unauthorized")
    assert [each["name"] for each in lin.get("/v1/me/tokens").json["items"]] == [None]


@pytest.mark.parametrize(
    "changes",
    [
        {"client_id": None},
        {"client_id": "thief"},
        {"client_secret": "secret"},
        {"grant_type": None},
        {"grant_type": "password"},
        {"code_verifier": None},
        {"redirect_uri": None},
        {"state": "\x07"},
        {"\x07": "1"},
    ],
    ids=str,
)
def test_a_second_use_of_a_code_revokes_its_token_whatever_else_is_wrong_with_it(world, changes):
    lin = world.player("Lin")
    code = allows(lin)["code"]
    _, grant = token(world, code)
    assert token(world, code, **changes)[0] == 400
    assert_problem(world.anybody.with_token(grant["access_token"]).get("/v1/me/games"), "unauthorized")


def test_the_answer_with_a_token_names_the_player(world):
    lin = world.player("Lin")
    _, grant = token(world, allows(lin)["code"])
    assert (grant["player"], grant["name"]) == (lin.player["id"], "Lin")


def test_the_document_has_the_addresses_fields_and_scopes_of_apps(world):
    """As the metadata has them, which libraries read."""
    metadata = world.anybody.get("/.well-known/oauth-authorization-server").json
    app = document()["components"]["securitySchemes"]["app"]
    flow = app["flows"]["authorizationCode"]
    documented = {
        "authorization_endpoint": flow["authorizationUrl"],
        "token_endpoint": flow["tokenUrl"],
        "device_authorization_endpoint": app["x-device-authorization-url"],
        "revocation_endpoint": app["x-revocation-url"],
    }
    assert {name: metadata[name].removeprefix(ISSUER) for name in documented} == documented
    assert [*flow["scopes"]] == metadata["scopes_supported"]
    assert world.anybody.get(app["x-metadata-url"]).status_code == 200
    assert all(f"grant_type={grant}`" in app["description"] for grant in metadata["grant_types_supported"])
    _, token_body = token(world, allows(world.player("Lin"))["code"])
    assert all(f"`{name}`" in app["description"] for name in token_body)
    _, device = form(world, "/oauth/device", client_id="tv", scope="tables:read")
    assert all(f"`{name}`" in app["description"] for name in device)


def test_a_refusal_says_which_token_is_missing(world):
    lin = world.player("Lin")
    _, grant = token(world, allows(lin)["code"])
    app = world.anybody.with_token(grant["access_token"])
    missing = {
        'Bearer realm="shengji"': world.anybody.get("/v1/me"),
        'Bearer realm="shengji", error="invalid_token"': world.anybody.with_token("sjt_none").get("/v1/me"),
        'Bearer realm="shengji", error="insufficient_scope", scope="tables:host"': app.post("/v1/tables"),
    }
    assert {header: answer.headers["WWW-Authenticate"] for header, answer in missing.items()} == {
        key: key for key in missing
    }


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/oauth/token", {"client_secret": "secret"}),
        ("/oauth/token", {"client_id": None}),
        ("/oauth/token", {"grant_type": "password"}),
        ("/oauth/token", {"grant_type": None}),
        ("/oauth/token", {"code": None}),
        ("/oauth/token", {"code_verifier": None}),
        ("/oauth/revoke", {"client_id": "app"}),
        ("/oauth/revoke", {"token": "x"}),
        ("/oauth/device", {}),
        ("/oauth/device", {"client_id": "tv"}),
    ],
)
def test_every_refusal_of_an_app_says_in_a_sentence_what_to_send(world, path, changes):
    if path == "/oauth/token":
        status, body = token(world, allows(world.player("Lin"))["code"], **changes)
    else:
        status, body = form(world, path, **changes)
    assert status == 400
    assert body["error_description"].endswith(".")
    assert "methods" not in body["error_description"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_verifier": "x" * 43}, "invalid_grant"),
        ({"code_verifier": None}, "invalid_request"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"redirect_uri": "https://scores.example/other"}, "invalid_grant"),
        ({"redirect_uri": None}, "invalid_grant"),
        ({"client_id": "thief"}, "invalid_grant"),
        ({"client_id": None}, "invalid_client"),
        ({"client_secret": "secret"}, "invalid_client"),
        ({"code": "guessed"}, "invalid_grant"),
        ({"code": None}, "invalid_request"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": None}, "unsupported_grant_type"),
        ({"grant_type": 'a "grant"\n'}, "invalid_request"),
        ({"code": "\x00"}, "invalid_request"),
    ],
    ids=str,
)
def test_a_wrong_token_request_is_refused_and_leaves_the_code_valid(world, changes, error):
    lin = world.player("Lin")
    code = allows(lin)["code"]
    status, answer = token(world, code, **changes)
    assert (status, answer["error"]) == (400, error)
    assert token(world, code)[0] == 200


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": None}, "unsupported_response_type"),
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"scope": "profile:read account"}, "invalid_scope"),
        ({"scope": "everything"}, "invalid_scope"),
        ({"scope": None}, "invalid_scope"),
        ({"client_id": "x" * 200}, "invalid_client"),
        ({"client_id": "分数"}, "invalid_request"),
        ({"response_type": 'a "code"\n'}, "invalid_request"),
    ],
    ids=str,
)
def test_a_wrong_request_is_redirected_with_the_error_once_the_player_answers(world, changes, error):
    lin = world.player("Lin")
    refusal = asks(lin, **changes).json["refusal"]
    assert refusal.startswith(BACK)
    parameters = {name: values[0] for name, values in parse_qs(urlsplit(refusal).query).items()}
    assert (parameters["error"], parameters["state"], parameters["iss"]) == (error, ASKED["state"], ISSUER)
    assert "code" not in allows(lin, **changes)


def test_authorization_codes_and_device_codes_are_not_interchangeable(world):
    """Otherwise, an intercepted code would work without the verifier."""
    lin = world.player("Lin")
    code = allows(lin)["code"]
    status, answer = form(
        world, "/oauth/token", grant_type=DEVICE_CODE_GRANT_TYPE, device_code=code, client_id="scores"
    )
    assert (status, answer["error"]) == (400, "invalid_request")
    assert token(world, code)[0] == 200
    device = form(world, "/oauth/device", client_id="tv", scope="tables:read")[1]
    lin.post("/v1/device-answers", {"code": device["user_code"], "allow": True})
    for changes in ({"redirect_uri": ""}, {"redirect_uri": None}, {"code_verifier": None}):
        status, answer = token(world, device["device_code"], client_id="tv", **changes)
        assert (status, answer["error"]) == (400, "invalid_grant")


def test_a_request_that_repeats_a_parameter_is_refused(world):
    lin = world.player("Lin")
    body = lin.post("/v1/app-requests", {"query": query() + "&scope=tables%3Aplay"}).json
    assert "error=invalid_request" in body["refusal"]
    assert_problem(
        lin.post("/v1/app-requests", {"query": query() + "&redirect_uri=https%3A%2F%2Fthief.example"}),
        "invalid-request",
    )


@pytest.mark.parametrize(
    "uri",
    [
        None,
        "",
        "/back",
        "//scores.example/back",
        "http://scores.example/back",
        "http://127.0.0.1.scores.example/",
        "https://lin@scores.example/",
        "https://scores.example/#token",
        "https:///back",
        "https://scores.example:port/",
        "https://scores.example\\@thief.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://scores.example/\nSet-Cookie: x=1",
        "https://scores.example/" + "x" * 2_000,
        "https://scores.example/?of=[1]",
        # Hosts that a browser reads as something else.
        "https://2130706433/",
        "https://0x7f000001/",
        "https://127.1/",
        "https://10.0.0.7/",
        "https://scores.example%2f.thief.example/",
        "https://scores.example%00.thief.example/",
        "https://-/",
        "https://scores.example/?of=%zz",
    ],
    ids=str,
)
def test_an_unsafe_or_malformed_redirect_address_is_refused(world, uri):
    lin = world.player("Lin")
    for answer in (
        asks(lin, redirect_uri=uri),
        lin.post("/v1/app-answers", {"query": query(redirect_uri=uri), "allow": True}),
    ):
        assert_problem(answer, "invalid-request")


def test_a_request_may_have_many_unknown_parameters(world):
    lin = world.player("Lin")
    many = "".join(f"&more{number}=1" for number in range(100))
    assert lin.post("/v1/app-requests", {"query": query() + many}).json["refusal"] is None
    assert "state=%F0%9F%82%A1+%22" in asks(lin, state='🂡 "', scope="none").json["refusal"]


def test_native_apps_may_use_loopback_addresses_and_custom_schemes():
    for uri in ("http://127.0.0.1:51423/back", "http://[::1]/x", "http://localhost:8000/", "com.example.scores:/back"):
        assert redirect_of(uri), uri


@pytest.mark.parametrize(
    ("uri", "place", "kind", "reads"),
    [
        ("https://scores.example/back", "scores.example", "website", None),
        # Never without the end, which says whose host it is.
        (f"https://{LONG}/", LONG, "website", None),
        # With a Cyrillic letter.
        ("https://xn--cores-g2e.example/", "xn--cores-g2e.example", "website", "ѕcores.example"),
        ("https://xn--cores-zzzz99999.example/", "xn--cores-zzzz99999.example", "website", None),
        ("com.example.scores:/back", "com.example.scores:/", "app", None),
        # A scheme may look like a host.
        ("accounts.google.com:/back", "accounts.google.com:/", "app", None),
        ("http://127.0.0.1:51423/back", "127.0.0.1", "program", None),
    ],
    ids=str,
)
def test_the_place_of_an_app_is_shown_for_what_it_is(world, lin, uri, place, kind, reads):
    consent = asks(lin, redirect_uri=uri).json
    assert (consent["place"], consent["leads_to"], consent["place_reads"]) == (place, kind, reads)
    to = lin.post("/v1/app-answers", {"query": query(redirect_uri=uri), "allow": True}).json["redirect_to"]
    code = parse_qs(urlsplit(to).query)["code"][0]
    assert token(world, code, redirect_uri=uri)[0] == 200
    [name] = [each["name"] for each in lin.get("/v1/me/tokens").json["items"] if not each["current"]]
    assert name == place or (name[0], len(name)) == ("…", 40)
    assert name.endswith(place[-20:])


def test_what_scopes_allow_is_said_in_the_language_of_the_player(lin):
    body = lin.post("/v1/app-requests", {"query": query()}, headers={"Accept-Language": "zh-CN"}).json
    assert body["allows"][0] == CLAUSES["profile:read"][0].says["zh-Hans"]


def test_a_player_who_refuses_is_redirected_without_a_code(world):
    back = allows(world.player("Lin"), allow=False)
    assert (back["error"], back["state"], "code" in back) == ("access_denied", ASKED["state"], False)


def test_a_code_expires_and_ends_with_the_token_that_made_it(world):
    lin = world.player("Lin")
    code = allows(lin)["code"]
    lin.post("/v1/me/token")
    assert token(world, code)[1]["error"] == "invalid_grant"
    before = world.redis.keys("sj:{players}:app:*")
    code = allows(world.player("Mei"))["code"]
    [key] = set(world.redis.keys("sj:{players}:app:*")) - {*before}
    assert 0 < world.redis.pttl(key) <= 60_000
    world.redis.delete(key)
    assert token(world, code)[1]["error"] == "invalid_grant"


def test_a_device_without_a_browser_gets_a_token_once_the_player_enters_its_code(world):
    lin = world.player("Lin")
    status, device = form(world, "/oauth/device", client_id="tv", scope="tables:read")
    assert (status, device["interval"], device["verification_uri"]) == (200, 5, ISSUER + "/device")
    asks_again = {"grant_type": DEVICE_CODE_GRANT_TYPE, "device_code": device["device_code"], "client_id": "tv"}
    assert form(world, "/oauth/token", **asks_again)[1]["error"] == "authorization_pending"
    typed = device["user_code"].lower().replace("-", " ")
    body = lin.post("/v1/device-requests", {"code": typed}).json
    assert (body["client"], body["place"], body["leads_to"]) == ("tv", None, "device")
    assert (body["scopes"], body["refusal"]) == (["tables:read"], None)
    assert lin.post("/v1/device-answers", {"code": typed, "allow": True}).status_code == 204
    assert_problem(lin.post("/v1/device-answers", {"code": typed, "allow": False}), "not-found")
    assert form(world, "/oauth/token", **{**asks_again, "client_id": "other"})[0] == 400
    status, device_body = form(world, "/oauth/token", **asks_again)
    assert (status, device_body["scope"]) == (200, "tables:read")
    assert form(world, "/oauth/token", **asks_again)[0] == 400
    assert world.anybody.with_token(device_body["access_token"]).get("/v1/me/tables").status_code == 200


def test_a_device_that_the_player_refuses_is_told_so(world):
    lin = world.player("Lin")
    device = form(world, "/oauth/device", client_id="tv", scope="tables:read")[1]
    lin.post("/v1/device-answers", {"code": device["user_code"], "allow": False})
    asks_again = {"grant_type": DEVICE_CODE_GRANT_TYPE, "device_code": device["device_code"], "client_id": "tv"}
    assert form(world, "/oauth/token", **asks_again)[1]["error"] == "access_denied"
    for values in ({"client_id": "tv", "scope": "account"}, {"client_id": "tv"}):
        assert form(world, "/oauth/device", **values)[1]["error"] == "invalid_scope"
    assert form(world, "/oauth/device", scope="tables:read")[1]["error"] == "invalid_client"
    assert_problem(lin.post("/v1/device-requests", {"code": "WDJB-MJHT"}), "not-found")


# --- what is kept -----------------------------------------------------------------------------------------------------


def bytes_of_grants(world):
    """Bytes of Redis that the pending requests of apps take."""
    return sum(world.redis.memory_usage(key) for key in world.redis.keys("sj:{players}:app*"))


def test_a_device_request_takes_less_than_a_kilobyte_whatever_is_sent(world):
    for scope in ("tables:read", "tables:play  tables:read " * 40, " ".join(APP_SCOPES)):
        before = bytes_of_grants(world)
        status, device = form(world, "/oauth/device", client_id="x" * 100, scope=scope, name="y" * 2_000)
        assert status == 200
        assert bytes_of_grants(world) - before < 1_000
    lin = world.player("Lin")
    body = lin.post("/v1/device-requests", {"code": device["user_code"]}).json
    assert body["scopes"] == list(APP_SCOPES)


@pytest.mark.parametrize(
    "values",
    [
        {"scope": "tables:read " * 167},
        {"scope": "tables:read", "client_id": "x" * 101},
        {"scope": "tables:read", "client_id": "tv", "state" + "x" * 2_000: ""},
        {"scope": "tables:read", "client_id": "tv", "device": "x" * 2_001},
    ],
    ids=["scope", "client_id", "name", "value"],
)
def test_a_device_request_with_long_values_is_refused_and_not_kept(world, values):
    status, answer = form(world, "/oauth/device", **{"client_id": "tv", **values})
    assert (status, answer["error"] in ("invalid_request", "invalid_client")) == (400, True)
    assert bytes_of_grants(world) == 0


def test_forms_of_apps_are_small(world):
    answer = world.app.test_client().post("/oauth/device", data={"client_id": "tv", "scope": "tables:read " * 1_400})
    assert answer.status_code == 413, answer.json
    assert bytes_of_grants(world) == 0


def test_requests_of_devices_are_limited_by_address(world):
    world.start(limit_register=Budget(3, 3_600))
    tried = [form(world, "/oauth/device", client_id="tv", scope="tables:read")[0] for _ in range(5)]
    assert tried == [200, 200, 200, 429, 429]
    elsewhere = {"REMOTE_ADDR": "10.0.0.9"}
    data = {"client_id": "tv", "scope": "tables:read"}
    assert world.app.test_client().post("/oauth/device", data=data, environ_base=elsewhere).status_code == 200


def test_grants_of_a_player_are_limited(world):
    world.start(limit_create=Budget(2, 3_600))
    lin = world.player("Lin")
    answers = [lin.post("/v1/app-answers", {"query": query(), "allow": True}).status_code for _ in range(3)]
    assert answers == [200, 200, 429]
    # A longer code challenge or redirect URI is refused.
    assert bytes_of_grants(world) < 2_000


def test_a_token_has_each_scope_once(world):
    lin = world.player("Lin")
    repeated = "games:read profile:read games:read profile:read"
    status, token_body = token(world, allows(lin, scope=repeated)["code"])
    assert (status, token_body["scope"]) == (200, "profile:read games:read")
    device = form(world, "/oauth/device", client_id="tv", scope=repeated)[1]
    lin.post("/v1/device-answers", {"code": device["user_code"], "allow": True})
    # Earlier releases keep them as they were sent.
    [key] = world.redis.keys("sj:{players}:app:*")
    grant = {**json.loads(world.redis.get(key)), "scopes": repeated.split() * 100}
    world.redis.set(key, json.dumps(grant), keepttl=True)
    asks_again = {"grant_type": DEVICE_CODE_GRANT_TYPE, "device_code": device["device_code"], "client_id": "tv"}
    assert form(world, "/oauth/token", **asks_again)[1]["scope"] == "profile:read games:read"
    scopes = [each["scopes"] for each in lin.get("/v1/me/tokens").json["items"] if not each["current"]]
    assert scopes == [["profile:read", "games:read"]] * 2


def test_a_token_of_an_earlier_release_is_stored_with_each_scope_once_when_it_is_used(world):
    helper_token = token(world, allows(world.player("Lin"))["code"])[1]["access_token"]
    name, stored = (
        hash_of(helper_token),
        codec.decode(codec.TOKEN, world.redis.hget(keys.GRANTS, hash_of(helper_token)), "a token"),
    )
    before = world.redis.hlen(keys.GRANTS)
    old = {**stored, "scopes": stored["scopes"] * 3_000, "used_on": stored["used_on"] - 1}
    world.redis.hset(keys.GRANTS, name, codec.encode(codec.TOKEN, old))
    assert world.anybody.with_token(helper_token).get("/v1/me/games").status_code == 200
    assert len(world.redis.hget(keys.GRANTS, name)) < 500
    assert world.redis.hlen(keys.GRANTS) == before


def test_an_app_can_revoke_its_token(world):
    helper_token = token(world, allows(world.player("Lin"))["code"])[1]["access_token"]
    assert form(world, "/oauth/revoke", token=helper_token, client_id="scores")[0] == 200
    assert_problem(world.anybody.with_token(helper_token).get("/v1/me/games"), "unauthorized")
    assert form(world, "/oauth/revoke", token=helper_token, client_id="scores")[0] == 200
    assert form(world, "/oauth/revoke", client_id="scores")[1]["error"] == "invalid_request"


def test_the_metadata_are_valid_by_rfc_8414_and_their_endpoints_exist(world):
    body = world.anybody.get("/.well-known/oauth-authorization-server").json
    # In tests it is http; RFC 8414 requires https.
    AuthorizationServerMetadata(
        {
            name: re.sub("^http:", "https:", str(value)) if isinstance(value, str) else value
            for name, value in body.items()
        }
    ).validate()
    assert get_well_known_url(body["issuer"]) == "/.well-known/oauth-authorization-server"
    app = world.app.test_client()
    for name, path in body.items():
        if name.endswith("_endpoint"):
            method = app.get if name == "authorization_endpoint" else app.post
            assert method(urlsplit(path).path).status_code in (302, 400), name
    answer = app.get("/oauth/authorize?" + query())
    assert answer.headers["Location"] == "../#/consent?" + query()
    assert app.get("/device?user_code=A-B").headers["Location"] == "./#/consent/device?user_code=A-B"


def test_a_player_with_twenty_tokens_is_told_to_delete_one(world):
    lin = world.player("Lin")
    for number in range(19):
        lin.post("/v1/me/tokens", {"name": f"{number}", "scopes": ["tables:read"]})
    status, answer = token(world, allows(lin)["code"])
    assert (status, answer["error"]) == (400, "invalid_grant")
    assert "20 tokens" in answer["error_description"]


class Wired(BaseAdapter):
    """Lets `requests` call the application of the test."""

    def __init__(self, world):
        super().__init__()
        self.client = world.app.test_client()

    def send(self, request, **_):
        answer = self.client.open(
            request.path_url, method=request.method, headers=dict(request.headers), data=request.body
        )
        response = Response()
        response.request, response.url = request, request.url
        response.status_code, response._content = answer.status_code, answer.data
        response.headers.update(dict(answer.headers))
        return response

    def close(self):
        pass


def test_the_oauth_client_of_authlib_works_with_the_service(world, monkeypatch):
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")  # The test uses http.
    lin = world.player("Lin")
    with OAuth2Session("scores", scope="profile:read", redirect_uri=BACK, code_challenge_method="S256") as app:
        app.mount(ISSUER, Wired(world))
        server = app.request("GET", ISSUER + "/.well-known/oauth-authorization-server", withhold_token=True).json()
        url, state = app.create_authorization_url(server["authorization_endpoint"], code_verifier=VERIFIER)
        request_url = urlsplit(
            app.request("GET", url, withhold_token=True, allow_redirects=False).headers["Location"]
        ).fragment
        request_url = request_url.partition("?")[2]
        back = lin.post("/v1/app-answers", {"query": request_url, "allow": True}).json["redirect_to"]
        led = {"authorization_response": back, "code_verifier": VERIFIER}
        with pytest.raises(MismatchingStateException):
            app.fetch_token(server["token_endpoint"], state="mixed up", **led)
        token = app.fetch_token(server["token_endpoint"], state=state, **led)
        assert token["scope"] == "profile:read"
        assert app.get(ISSUER + "/v1/me").json()["id"] == lin.player["id"]
        assert app.get(ISSUER + "/v1/me/games").status_code == 403
        assert app.revoke_token(server["revocation_endpoint"]).status_code == 200
        assert app.get(ISSUER + "/v1/me").status_code == 401
        with pytest.raises(OAuthError, match="invalid_grant"):
            app.fetch_token(server["token_endpoint"], state=state, **led)
