"""Two answers to one question at the same moment: one counts, the other is refused, and both sides see the same."""

import pytest
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE

from tests.api.accounts.test_apps import allows, form, token
from tests.api.accounts.test_sign_in import code_of, proof, provider  # noqa: F401 (a fixture)
from tests.api.contract import assert_problem
from tests.api.interleaving import interleavings
from tests.api.matchmaking.test_challenges import accepting, challenge, path_of
from tests.api.matchmaking.test_quick_play import Lounge
from tests.api.people.test_people import befriend, friends


def shown_by(world):
    return form(world, "/oauth/device", client_id="tv", scope="tables:read")[1]


def poll(world, device):
    values = {"grant_type": DEVICE_CODE_GRANT_TYPE, "device_code": device["device_code"], "client_id": "tv"}
    return form(world, "/oauth/token", **values)


def answers(client, device, allow):
    return lambda: client.post("/v1/device-answers", {"code": device["user_code"], "allow": allow})


@pytest.mark.parametrize("allow", [True, False])
def test_a_device_is_allowed_or_denied_but_not_both(world, monkeypatch, allow):
    lin = world.player("Lin")

    def prepare():
        device = shown_by(world)
        return answers(lin, device, allow), answers(lin, device, not allow), device

    for first, second, device in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [204, 404]
        assert_problem(second if first.status_code == 204 else first, "not-found", reason="answered_user_code")
        is_allowed = allow if first.status_code == 204 else not allow
        status, answer = poll(world, device)
        assert (status, answer.get("error")) == ((200, None) if is_allowed else (400, "access_denied"))
        end_others(lin)


def test_a_device_belongs_to_the_player_who_answered_first(world, monkeypatch):
    lin, mei = world.player("Lin"), world.player("Mei")

    def prepare():
        device = shown_by(world)
        return answers(lin, device, True), answers(mei, device, True), device

    for first, second, codes_shown in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [204, 404]
        device = world.anybody.with_token(poll(world, codes_shown)[1]["access_token"])
        assert device.get("/v1/me/tables").status_code == 200
        owner = lin if first.status_code == 204 else mei
        assert [each["name"] for each in owner.get("/v1/me/tokens").json["items"]].count("tv") == 1
        end_others(owner)


def test_a_device_that_asks_while_the_player_answers_waits_or_gets_its_token(world, monkeypatch):
    lin = world.player("Lin")

    def prepare():
        device = shown_by(world)
        return lambda: poll(world, device), answers(lin, device, True), device

    for first, second, device in interleavings(monkeypatch, prepare):
        assert second.status_code == 204
        status, grant = first if first[0] == 200 else poll(world, device)
        assert status == 200, (first, grant)
        assert first[0] == 200 or first[1]["error"] == "authorization_pending"
        end_others(lin)


def end_others(client):
    for each in client.get("/v1/me/tokens").json["items"]:
        if not each["current"]:
            client.delete(f"/v1/me/tokens/{each['id']}")


def test_a_device_that_asks_twice_gets_one_token(world, monkeypatch):
    lin = world.player("Lin")

    def prepare():
        device = shown_by(world)
        answers(lin, device, True)()
        return lambda: poll(world, device), lambda: poll(world, device)

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first[0], second[0])) == [200, 400]
        assert len(lin.get("/v1/me/tokens").json["items"]) == 2
        end_others(lin)


def test_a_code_of_an_app_that_is_used_twice_leaves_no_token(world, monkeypatch):
    lin = world.player("Lin")

    def prepare():
        code = allows(lin)["code"]
        return lambda: token(world, code), lambda: token(world, code)

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first[0], second[0])) == [200, 400]
        # Who used it second may be the app or a thief (RFC 6749 §4.1.2).
        assert [each["name"] for each in lin.get("/v1/me/tokens").json["items"]] == [None]


def test_a_link_code_signs_in_one_device(world, monkeypatch):
    lin = world.player("Lin")

    def prepare():
        body = {"code": lin.post("/v1/me/link-codes").json["code"], "name": "Tablet"}
        return lambda: world.anybody.post("/v1/links", body), lambda: world.anybody.post("/v1/links", body)

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [201, 404]
        assert len(lin.get("/v1/me/tokens").json["items"]) == 2
        end_others(lin)


def test_a_recovery_code_recovers_once(world, monkeypatch):
    def prepare():
        lin = world.player("Lin")
        body = {"code": lin.post("/v1/me/recovery-code").json["code"]}
        return lambda: world.anybody.post("/v1/recoveries", body), lambda: world.anybody.post("/v1/recoveries", body)

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [201, 404]
        won = first if first.status_code == 201 else second
        assert len(world.anybody.with_token(won.json["token"]).get("/v1/me/tokens").json["items"]) == 1


def test_a_code_of_a_sign_in_signs_in_one_device(world, monkeypatch, provider):  # noqa: F811
    lin = world.player("Lin")
    lin.post("/v1/me/identities", proof(code_of(world, provider)))

    def prepare():
        body = proof(code_of(world, provider))
        return lambda: world.anybody.post("/v1/sign-ins", body), lambda: world.anybody.post("/v1/sign-ins", body)

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [201, 404]
        assert len(lin.get("/v1/me/tokens").json["items"]) == 2
        end_others(lin)


def test_an_account_elsewhere_is_linked_to_one_player(world, monkeypatch, provider):  # noqa: F811
    subjects = iter(range(1_000))

    def prepare():
        lin, mei = world.player("Lin"), world.player("Mei")
        body = proof(code_of(world, provider, str(next(subjects))))
        return lambda: lin.post("/v1/me/identities", body), lambda: mei.post("/v1/me/identities", body), lin, mei

    for first, second, lin, mei in interleavings(monkeypatch, prepare):
        assert [first.status_code, second.status_code].count(200) == 1
        linked = [len(client.get("/v1/me/tokens").json["identities"]) for client in (lin, mei)]
        assert linked == [int(first.status_code == 200), int(second.status_code == 200)]


def test_a_token_is_rotated_once(world, monkeypatch):
    def prepare():
        lin = world.player("Lin")
        return lambda: lin.post("/v1/me/token"), lambda: lin.post("/v1/me/token")

    for first, second in interleavings(monkeypatch, prepare):
        assert sorted((first.status_code, second.status_code)) == [200, 401]
        won = first if first.status_code == 200 else second
        assert len(world.anybody.with_token(won.json["token"]).get("/v1/me/tokens").json["items"]) == 1


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("other", ["decline", "withdraw"])
def test_a_challenge_has_one_answer(world, monkeypatch, other, turned):
    def prepare():
        lin, bot = world.player("Lin", "human"), world.player("Bot")
        accepting(world, bot)
        path = path_of(challenge(lin, bot))

        def accept():
            return bot.put(f"{path}/answer", {"accept": True})

        def end():
            if other == "withdraw":
                return lin.delete(path)
            return bot.put(f"{path}/answer", {"accept": False, "reason": "busy"})

        return (end, accept, path, lin) if turned else (accept, end, path, lin)

    for first, second, path, lin in interleavings(monkeypatch, prepare):
        refused = [answer for answer in (first, second) if answer.status_code >= 400]
        assert len(refused) == 1
        assert_problem(refused[0], "challenge-over")
        body = lin.get(path).json
        is_accepted = (first if not turned else second) not in refused
        assert (body["state"] == "accepted", body["table"] is not None) == (is_accepted, is_accepted)


def test_two_players_who_ask_each_other_become_friends(world, monkeypatch):
    def prepare():
        lin, mei = world.player("Lin"), world.player("Mei")
        return lambda: befriend(lin, mei), lambda: befriend(mei, lin), lin, mei

    for *_, lin, mei in interleavings(monkeypatch, prepare):
        assert (friends(lin, "state"), friends(mei, "state")) == ([("Mei", "friend")], [("Lin", "friend")])


@pytest.mark.parametrize("turned", [False, True])
def test_a_friend_request_that_is_accepted_and_withdrawn_ends_alike_for_both(world, monkeypatch, turned):
    def prepare():
        lin, mei = world.player("Lin"), world.player("Mei")
        befriend(lin, mei)

        def withdraw():
            return lin.delete(f"/v1/me/friends/{mei.player['id']}")

        def accept():
            return befriend(mei, lin)

        return (withdraw, accept, lin, mei) if turned else (accept, withdraw, lin, mei)

    same = {(): (), ("friend",): ("friend",), ("asks",): ("asked",), ("asked",): ("asks",)}
    for *_, lin, mei in interleavings(monkeypatch, prepare):
        states = [tuple(state for _, state in friends(client, "state")) for client in (lin, mei)]
        assert states[1] == same[states[0]]


@pytest.mark.parametrize("turned", [False, True])
def test_a_match_is_confirmed_by_all_or_by_none(world, monkeypatch, turned):
    def prepare():
        lounge = Lounge(world)
        people = [lounge.person(name) for name in ("Lin", "Mei", "Bo", "An")]
        lounge.look(*people)
        assert lounge.match() == 1
        lounge.confirm(*people[:3])
        last, leaving = people[3], people[0]

        def confirm():
            return last.put("/v1/me/ticket/confirmation")

        def leave():
            return leaving.delete("/v1/me/ticket")

        return (leave, confirm, people) if turned else (confirm, leave, people)

    for *_, people in interleavings(monkeypatch, prepare):
        tables = {client.get("/v1/me/ticket").json["table"] for client in people[1:]}
        assert len(tables) == 1, "some play and some do not"
        for client in people:
            client.delete("/v1/me/ticket")
