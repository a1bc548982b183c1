"""A client written from the document alone plays whole games against AI players."""

import pytest
import requests

ANSWERS = {"discard": "cards", "play": "cards", "call": "calls"}


@pytest.mark.parametrize(("ruleset", "players"), [("zhaopengyou", 6), ("shengji", 4)])
def test_a_client_plays_a_game_until_ace_is_passed(service, ruleset, players):
    http = requests.Session()
    url = service.url + "/v1"
    token = http.post(f"{url}/players", json={"name": "Lin", "kind": "bot"}, timeout=10).json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    spec = {
        "ruleset": ruleset,
        "players": players,
        "options": {"deal_pace": "instant", "start_level": "Q"},
        "ai_pace_ms": 0,
    }
    table = f"{url}/tables/" + http.post(f"{url}/tables", json=spec, timeout=10).json()["id"]
    assert http.post(f"{table}/seats", json={"seat": 0}, timeout=10).ok
    for seat in range(1, players):
        assert http.put(f"{table}/seats/{seat}/ai", json={"level": "easy"}, timeout=10).ok
    while True:
        view = http.get(table, timeout=10).json()
        decision = view.get("decision")
        if view["status"] == "finished":
            break
        mine = decision and 0 in decision["seats"]
        if view["status"] == "lobby" or (mine and decision["kind"] == "ready"):
            answer = http.put(f"{table}/seats/me/ready", json={}, timeout=10)
        elif mine:
            kind = decision["kind"]
            body = {"decision_id": decision["id"]}
            if kind in ANSWERS:
                body[ANSWERS[kind]] = decision["hints"]["example"]
            answer = http.post(f"{table}/{kind if kind in ANSWERS else 'pass'}", json=body, timeout=10)
        else:
            after = {"after": view["version"], "wait": 10}
            answer = http.get(f"{table}/events", params=after, timeout=20)
        assert answer.status_code == 200, answer.text
    assert view["game"]["winners"]
    assert {view["seats"][seat]["level"] for seat in view["game"]["winners"]} == {"A"}
