"""Sign-in with OpenID Connect, with a simulated provider: honest, faulty and malicious."""

import json
import time
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from service.accounts.scopes import SCOPES
from service.api.http.auth import hash_of
from service.common.settings import Budget, OidcProvider, Settings, SettingsError
from service.notices.outbound import Answer, Outbound
from service.store import keys
from tests.api.contract import assert_problem

ISSUER = "https://id.example"
HOME = "https://play.example"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = create_s256_code_challenge(VERIFIER)
KEY, STRANGER = (RSAKey.generate_key(2048, {"kid": "1"}) for _ in range(2))


class Provider:
    """Responds to requests as a provider does; tests set what is wrong with its responses."""

    def __init__(self):
        self.is_down = False
        self.metadata = {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
            "authorization_response_iss_parameter_supported": True,
        }
        self.claims, self.header, self.key, self.keys = {}, {}, KEY, [KEY]
        self.error = None
        #: Code -> the authorization request that it was issued for.
        self.codes = {}
        self.requests = []

    def fetch(self, url, headers, body=None):
        self.requests.append(url)
        if self.is_down:
            return Answer(None, 1, "connection")
        if url == f"{ISSUER}/token":
            return self.token(dict(parse_qsl(body.decode())), headers)
        identity = {
            f"{ISSUER}/.well-known/openid-configuration": self.metadata,
            f"{ISSUER}/keys": {"keys": [key.as_dict(private=False) for key in self.keys]},
        }[url]
        return Answer(200, 1, body=json.dumps(identity).encode())

    def authorize(self, url, subject):
        """Sign somebody in; return the parameters of the redirect back to the service."""
        request = dict(parse_qsl(urlsplit(url).query))
        assert (request["response_type"], request["scope"], request["code_challenge_method"]) == (
            "code",
            "openid",
            "S256",
        )
        code = f"code-{len(self.codes)}"
        self.codes[code] = {**request, "sub": subject}
        return {"code": code, "state": request["state"], "iss": ISSUER}

    def token(self, form, headers):
        request = self.codes.pop(form["code"], None)
        is_authorized = headers["Authorization"] == "Basic bWU6c2VjcmV0"  # That is me:secret.
        proven = request and create_s256_code_challenge(form["code_verifier"]) == request["code_challenge"]
        if self.error or not (is_authorized and proven and form["redirect_uri"] == request["redirect_uri"]):
            return Answer(400, 1, body=json.dumps({"error": self.error or "invalid_grant"}).encode())
        now = int(time.time())
        claims = {"iss": ISSUER, "sub": request["sub"], "aud": "me", "iat": now, "exp": now + 300}
        claims = {**claims, "nonce": request["nonce"], "email": "lin@example.com", **self.claims}
        header = {"alg": "RS256", "kid": "1", **self.header}
        unsigned = header["alg"] == "none"
        signed = jwt.encode(
            {**header, "alg": "RS256"} if unsigned else header, claims, self.key, [header["alg"], "RS256"]
        )
        if unsigned:
            # The header says `{"alg":"none"}`.
            signed = f"eyJhbGciOiJub25lIn0.{signed.split('.')[1]}."
        answer = {"id_token": signed, "access_token": "at", "token_type": "Bearer"}
        return Answer(200, 1, body=json.dumps(answer).encode())


@pytest.fixture
def provider(world, monkeypatch):
    new_provider = Provider()
    monkeypatch.setattr(Outbound, "fetch", lambda _, *request: new_provider.fetch(*request))
    providers = tuple(OidcProvider(name, ISSUER, "me", "secret") for name in ("Example", "Other"))
    world.start(oidc_providers=providers, public_url=HOME, cors_origins=("https://app.example", "*"))
    return new_provider


def led(world, path, **query):
    answer = world.app.test_client().get(path, query_string=query)
    assert answer.status_code == 302, answer.json
    return answer.headers["Location"]


def parameters_of(url):
    """The parameters of an address: in its fragment, if there are any, or its query."""
    parts = urlsplit(url)
    return {name: values[0] for name, values in parse_qs(parts.fragment.partition("?")[2] or parts.query).items()}


def begins(world, return_to="/#/ways", challenge=CHALLENGE, name="Example"):
    return led(world, f"/v1/sign-in/{name}", return_to=return_to, challenge=challenge)


def comes_back(world, back, name="Example"):
    return led(world, f"/v1/sign-in/{name}/callback", **back)


def code_of(world, provider, subject="248289761001", name="Example"):
    """The code that the client gets when somebody has signed in at the provider."""
    return parameters_of(comes_back(world, provider.authorize(begins(world, name=name), subject), name))["sign_in"]


def proof(code, verifier=VERIFIER):
    return {"code": code, "verifier": verifier}


def test_a_guest_links_an_identity_and_signs_in_with_it_on_another_device(world, provider, lin):
    code = code_of(world, provider)
    linked = lin.post("/v1/me/identities", proof(code))
    assert linked.status_code == 200, linked.json
    assert (linked.json["provider"], linked.json["issuer"]) == ("Example", ISSUER)
    assert lin.get("/v1/me/tokens").json["identities"] == [linked.json]
    assert world.anybody.get("/v1").json["sign_in"] == ["Example", "Other"]
    # The code is spent; another one leads to the same player, under any name of the provider.
    assert_problem(world.anybody.post("/v1/sign-ins", proof(code)), "not-found", reason="void_sign_in_code")
    answer = world.anybody.post("/v1/sign-ins", {**proof(code_of(world, provider, name="Other")), "name": "Tablet"})
    assert (answer.status_code, answer.json["player"]["id"]) == (201, lin.player["id"])
    tablet = world.anybody.with_token(answer.json["token"])
    [mine] = [each for each in tablet.get("/v1/me/tokens").json["items"] if each["current"]]
    assert (mine["name"], mine["scopes"][-1], mine["expires_at"]) == ("Tablet", "account", None)
    events = tablet.get("/v1/me/events?after=0").json["events"]
    assert [each["data"]["how"] for each in events if each["type"] == "signed_in"] == ["identity"]
    # Linking again changes nothing.
    again = tablet.post("/v1/me/identities", proof(code_of(world, provider)))
    assert tablet.get("/v1/me/tokens").json["identities"] == [again.json] == [linked.json]


def test_a_retried_sign_in_returns_the_same_token(world, provider, lin):
    lin.post("/v1/me/identities", proof(code_of(world, provider)))
    code, headers = code_of(world, provider), {"Idempotency-Key": "9a3c1b2e-55d0-4f6a-8f0e-1c2d3e4f5a6b"}
    first, second = (world.anybody.post("/v1/sign-ins", proof(code), headers=headers) for _ in range(2))
    assert first.json == second.json


def test_of_an_identity_only_a_hash_is_stored(world, provider, lin):
    lin.post("/v1/me/identities", proof(code_of(world, provider)))
    everything = repr([world.redis.dump(key) for key in world.redis.scan_iter()]) + repr(list(world.redis.scan_iter()))
    assert "248289761001" not in everything
    assert "lin@example.com" not in everything


def test_an_identity_signs_in_only_while_it_is_linked(world, provider, lin):
    code = code_of(world, provider)
    refused = world.anybody.post("/v1/sign-ins", proof(code))
    assert_problem(refused, "not-found", what="identity")
    assert lin.post("/v1/me/identities", proof(code)).status_code == 200
    lin.delete("/v1/me")
    assert_problem(world.anybody.post("/v1/sign-ins", proof(code_of(world, provider))), "not-found", what="identity")
    assert world.player("Mei").post("/v1/me/identities", proof(code_of(world, provider))).status_code == 200


def test_an_identity_linked_to_another_player_is_refused_and_signs_in_as_that_player(world, provider, lin):
    lin.post("/v1/me/identities", proof(code_of(world, provider)))
    mei, code = world.player("Mei"), code_of(world, provider)
    assert_problem(mei.post("/v1/me/identities", proof(code)), "identity-taken", provider="Example")
    assert mei.get("/v1/me/tokens").json["identities"] == []
    assert world.anybody.post("/v1/sign-ins", proof(code)).json["player"]["id"] == lin.player["id"]


def test_the_last_way_to_sign_in_cannot_be_removed(world, provider, lin):
    first, second = (lin.post("/v1/me/identities", proof(code_of(world, provider, subject))).json for subject in "ab")
    assert lin.delete(f"/v1/me/identities/{first['id']}").status_code == 204
    assert_problem(world.anybody.post("/v1/sign-ins", proof(code_of(world, provider, "a"))), "not-found")
    last = f"/v1/me/identities/{second['id']}"
    # A token with limited scopes is no way back into the account.
    lin.post("/v1/me/tokens", {"name": "Board", "scopes": ["tables:read"]})
    assert_problem(lin.delete(last), "last-way-in")
    assert_problem(world.player("Mei").delete(last), "not-found")
    lin.post("/v1/me/recovery-code")
    assert lin.delete(last).status_code == 204
    assert_problem(lin.delete(last), "not-found")
    assert not world.redis.exists(keys.IDENTITIES)


def test_ten_identities_can_be_linked(world, provider, lin):
    for number in range(10):
        assert lin.post("/v1/me/identities", proof(code_of(world, provider, str(number)))).status_code == 200
    assert_problem(
        lin.post("/v1/me/identities", proof(code_of(world, provider, "more"))), "too-many-identities", limit=10
    )
    assert lin.post("/v1/me/identities", proof(code_of(world, provider, "9"))).status_code == 200


def test_a_token_with_limited_scopes_or_lifetime_links_nothing(world, provider, lin):
    code = code_of(world, provider)
    for limits in ({"scopes": ["account"]}, {"scopes": ["tables:play"]}):
        token = lin.post("/v1/me/tokens", {"name": "x", **limits}).json["token"]
        refused = world.anybody.with_token(token).post("/v1/me/identities", proof(code))
        assert_problem(refused, "insufficient-scope")
    token = lin.post("/v1/me/tokens", {"name": "x", "scopes": list(SCOPES), "expires_in_ms": 60_000}).json["token"]
    refused = world.anybody.with_token(token).post("/v1/me/identities", proof(code))
    assert_problem(refused, "insufficient-scope", reason="lasting_token")
    assert lin.get("/v1/me/tokens").json["identities"] == []


WRONG = [
    {"claims": {"nonce": "another"}},
    {"claims": {"nonce": None}},
    {"claims": {"iss": "https://thief.example"}},
    {"claims": {"aud": "another"}},
    {"claims": {"aud": "another", "azp": "me"}},
    {"claims": {"aud": ["me", "another"], "azp": "another"}},
    {"claims": {"exp": int(time.time()) - 3_600}},
    {"claims": {"exp": None}},
    {"claims": {"sub": ""}},
    {"claims": {"sub": "x" * 256}},
    {"claims": {"at_hash": "wrong"}},
    {"header": {"alg": "none"}},
    {"header": {"alg": "HS256"}, "key": OctKey.import_key("secret" * 10)},
    {"key": STRANGER},
    {"key": STRANGER, "header": {"kid": "2"}},
    {"error": "invalid_client"},
]


def test_an_invalid_response_of_the_provider_signs_nobody_in(world, provider):
    honest = dict(vars(provider))
    for wrong in WRONG:
        vars(provider).update(honest)
        back = provider.authorize(begins(world), "248289761001")
        vars(provider).update(wrong)
        assert parameters_of(comes_back(world, back)) == {"sign_in_error": "refused"}, wrong
    assert [key for key in world.redis.scan_iter() if b"sign-in" in key] == []


CHANGES = [
    ({"iss": "https://thief.example"}, "refused"),
    ({"iss": None}, "refused"),
    ({"code": "guessed"}, "refused"),
    ({"code": None}, "refused"),
    ({"error": "access_denied", "code": None}, "access_denied"),
    ({"error": "server_error", "code": None}, "refused"),
    ({"error": "access_denied", "iss": "https://thief.example"}, "refused"),
    ({"state": "guessed"}, "unknown"),
    ({"state": None}, "unknown"),
]


def test_a_redirect_that_does_not_match_its_request_yields_no_code(world, provider):
    for changes, reason in CHANGES:
        back = {**provider.authorize(begins(world), "a"), **changes}
        back = {name: value for name, value in back.items() if value is not None}
        assert parameters_of(comes_back(world, back)) == {"sign_in_error": reason}, changes


def test_a_state_works_once_and_for_its_own_provider(world, provider):
    back = provider.authorize(begins(world), "a")
    # A mix-up: begun with one provider, redirected back by another.
    assert parameters_of(comes_back(world, back, name="Other")) == {"sign_in_error": "unknown"}
    back = provider.authorize(begins(world), "a")
    code = parameters_of(comes_back(world, back))["sign_in"]
    assert parameters_of(comes_back(world, back)) == {"sign_in_error": "unknown"}
    # The code for the client does not work as a state, nor a state as a code.
    assert parameters_of(comes_back(world, {**back, "state": code})) == {"sign_in_error": "unknown"}
    state = provider.authorize(begins(world), "a")["state"]
    assert_problem(world.anybody.post("/v1/sign-ins", proof(state)), "not-found", reason="void_sign_in_code")


def test_a_code_needs_its_verifier_and_expires_after_a_minute(world, provider, lin):
    lin.post("/v1/me/identities", proof(code_of(world, provider)))
    code = code_of(world, provider)
    for client, path in ((world.anybody, "/v1/sign-ins"), (lin, "/v1/me/identities")):
        assert_problem(client.post(path, proof(code, "x" * 43)), "not-found", reason="void_sign_in_code")
        assert_problem(client.post(path, proof("guessed")), "not-found", reason="void_sign_in_code")
    stored = keys.sign_in(hash_of(code))
    assert 0 < world.redis.pttl(stored) <= 60_000
    world.redis.delete(stored)
    assert_problem(world.anybody.post("/v1/sign-ins", proof(code)), "not-found", reason="void_sign_in_code")


def test_a_provider_that_is_down_is_reported_and_retried(world, provider):
    provider.is_down = True
    assert parameters_of(begins(world)) == {"sign_in_error": "provider_down"}
    provider.is_down = False
    back = provider.authorize(begins(world), "a")
    provider.is_down = True
    assert parameters_of(comes_back(world, back)) == {"sign_in_error": "provider_down"}
    provider.is_down, provider.requests = False, []
    assert code_of(world, provider)
    # Its metadata are cached.
    assert provider.requests == [f"{ISSUER}/token", f"{ISSUER}/keys"]


def test_new_keys_of_a_provider_are_read(world, provider):
    assert code_of(world, provider)
    new = RSAKey.generate_key(2048, {"kid": "3"})
    provider.key, provider.keys, provider.header = new, [new], {"kid": "3"}
    assert code_of(world, provider)


def test_the_metadata_of_a_provider_are_checked(world, provider):
    honest = provider.metadata
    for wrong in (
        {"issuer": "https://thief.example"},
        {"authorization_endpoint": "http://id.example/authorize"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://id.example/\nSet-Cookie: x=1"},
        {"authorization_endpoint": None},
    ):
        world.start()
        provider.metadata = honest | wrong
        assert parameters_of(begins(world)) == {"sign_in_error": "refused"}, wrong


ELSEWHERE = [
    "",
    "//thief.example/",
    "/\\thief.example/",
    "\\\\thief.example",
    "/\tx",
    "/ x",
    "/游戏",
    "https://thief.example/",
    "https://app.example.thief.example/",
    "https://lin@app.example/",
    "https://app.example:8443/",
    "http://app.example/",
    "https:app.example",
    "https://[thief",
    "*://x",
    "javascript:alert(1)",
    "com.example.app:/back",
    "http://127.0.0.1:9000/",
    "/" + "x" * 2_000,
    # A page of a release before 0.4 would send the code there.
    "/?api=https://thief.example#/ways",
    "/?lang=en&%61pi=https://thief.example#/ways",
    "/?api",
    "https://app.example/?api=https://thief.example#/ways",
]


def test_nobody_is_redirected_to_an_address_that_is_not_allowed(world, provider):
    for return_to in ELSEWHERE:
        query = {"return_to": return_to, "challenge": CHALLENGE}
        refused = world.app.test_client().get("/v1/sign-in/Example", query_string=query)
        assert (refused.status_code, refused.json["params"]) == (400, {"reason": "bad_return_to"}), return_to


def test_the_code_is_sent_to_the_client_that_began_the_sign_in(world, provider):
    for return_to, to in (
        ("/#/ways?to=devices", f"{HOME}/#/ways?to=devices&sign_in="),
        ("/?lang=zh#/ways", f"{HOME}/?lang=zh#/ways?sign_in="),
        ("https://app.example/back?a=1", "https://app.example/back?a=1&sign_in="),
    ):
        back = provider.authorize(begins(world, return_to=return_to), "a")
        assert comes_back(world, back).startswith(to)


def test_a_client_must_bring_a_challenge_and_name_a_provider(world, provider):
    client = world.app.test_client()
    for challenge in ("", "x", CHALLENGE + "="):
        refused = client.get("/v1/sign-in/Example", query_string={"return_to": "/", "challenge": challenge})
        assert (refused.status_code, refused.json["params"]) == (400, {"reason": "bad_challenge"})
    for path in ("/v1/sign-in/Nobody", "/v1/sign-in/Nobody/callback"):
        assert client.get(path).status_code == 404


def test_beginning_sign_ins_is_limited_by_address(world, provider):
    world.start(limit_register=Budget(2, 3_600))
    client = world.app.test_client()
    query = {"return_to": "/", "challenge": CHALLENGE}
    statuses = [client.get("/v1/sign-in/Example", query_string=query).status_code for _ in range(3)]
    assert statuses == [302, 302, 429]


@pytest.mark.parametrize(
    "text",
    [
        "Example",
        "Example=https://id.example|me",
        "=https://id.example|me|secret",
        "Example=http://id.example|me|secret",
        "Example=https://id.example?x=1|me|secret",
        "Example=https://id.example||secret",
        "A=https://id.example|me|secret,A=https://other.example|me|secret",
        "A=https://id.example|me|secret;B=https://other.example|me|secret",
    ],
)
def test_an_invalid_setting_is_refused_without_showing_the_secret(text):
    with pytest.raises(SettingsError) as refused:
        Settings.from_env({"OIDC_PROVIDERS": text, "PUBLIC_URL": HOME})
    assert str(refused.value).startswith("OIDC_PROVIDERS: must be name=issuer|id|secret")
    assert "secret" not in str(refused.value).replace("|id|secret", "")


def test_the_setting_lists_providers_with_their_secrets():
    text = "Google=https://accounts.google.com|12.apps.example|GOCSPX-a,b=c, Home=http://127.0.0.1:9000/realms/x|me|"
    assert Settings.from_env({"OIDC_PROVIDERS": text, "PUBLIC_URL": HOME}).oidc_providers == (
        ("Google", "https://accounts.google.com", "12.apps.example", "GOCSPX-a,b=c"),
        ("Home", "http://127.0.0.1:9000/realms/x", "me", ""),
    )
    with pytest.raises(SettingsError, match="PUBLIC_URL"):
        Settings.from_env({"OIDC_PROVIDERS": text})


def test_the_start_page_names_the_providers(world, provider):
    assert b'<html data-sign-in="Example,Other" lang=' in world.app.test_client().get("/").data
    world.start(oidc_providers=())
    assert b"data-sign-in" not in world.app.test_client().get("/").data
