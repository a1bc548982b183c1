"""Hints and analyses of games of friends say who is probably a friend, once."""

import pytest

from tests.workers.players import LITTLE, QUICK
from workers import ai
from workers.ai import judging

#: Seat 1 declares, calls two aces and leads the ace of clubs; seat 5 gives it the ten. Seat 0 is next.
SANDBOX = {
    "starter": 1,
    "hands": {
        "0": ["4C", "4C"],
        "1": ["2H", "AC", "AC"],
        "2": ["6C", "7C"],
        "3": ["6C", "7C"],
        "4": ["8C", "9C"],
        "5": ["TC", "3C"],
    },
    "scripts": {
        "1": {
            "declare": [["2H"]],
            "calls": [{"card": "AS", "ordinal": 1}, {"card": "AD", "ordinal": 1}],
            "plays": [["AC"], ["AC"]],
        },
        "2": {"plays": [["6C"], ["7C"]]},
        "3": {"plays": [["6C"], ["7C"]]},
        "4": {"plays": [["8C"], ["9C"]]},
        "5": {"plays": [["TC"], ["3C"]]},
    },
}
TABLE = {"ruleset": "zhaopengyou", "players": 6, "options": {"deal_pace": "instant"}, "sandbox": SANDBOX}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Searches with minimal effort."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)
    monkeypatch.setattr(judging, "EFFORTS", LITTLE)


class Lin:
    """A person at such a table, on seat 0."""

    def __init__(self, world):
        self.world, self.client = world, world.player("Lin", kind="human")
        answer = self.client.post("/v1/tables", TABLE)
        assert answer.status_code == 201, answer.json
        self.view = answer.json
        self.path = f"/v1/tables/{self.view['id']}"

    def acts(self):
        """Answer the open decision with its example."""
        decision = self.view["decision"]
        example = decision["hints"].get("example")
        action, body = ("play", {"cards": example}) if decision["kind"] == "play" else ("pass", {})
        answer = self.client.post(f"{self.path}/{action}", {"decision_id": decision["id"], **body})
        assert answer.status_code == 200, answer.json
        self.view = answer.json["view"]

    def plays_to(self, kind):
        while self.view["decision"]["kind"] != kind:
            self.acts()

    def reason(self, language="en"):
        """The reason of the hint."""
        path, body = f"{self.path}/hint?wait=0", {"decision_id": self.view["decision"]["id"]}
        if self.client.post(path, body).status_code == 202:
            self.world.work()
        answer = self.client.post(path, body, headers={"Accept-Language": language})
        assert answer.status_code == 200, answer.json
        return answer.json["reason"]


@pytest.fixture
def lin(world):
    """Lin, who is asked after seat 5 has given the ten."""
    someone = Lin(world)
    someone.plays_to("play")
    assert [play["cards"] for play in someone.view["round"]["trick"]["plays"]] == [
        ["AC"],
        ["6C"],
        ["6C"],
        ["8C"],
        ["TC"],
    ]
    return someone


def test_a_hint_says_it_at_the_decision_after_the_points_and_not_again(lin):
    (friend,) = lin.reason()["friends"]
    chance = friend["chance"]
    assert 50 <= chance < 100
    text = f"Probably a friend ({chance}%): has given the declarer's side 10 points."
    assert friend == {"seat": 5, "chance": chance, "points": 10, "text": text}
    assert lin.reason("zh-CN")["friends"][0]["text"] == f"多半是朋友（{chance}%）：给庄家方垫了 10 分。"
    lin.acts()
    assert lin.view["round"]["last_trick"]["number"] == 1
    assert "friends" not in lin.reason()


def test_the_analysis_of_the_round_says_the_same_at_the_same_decisions(world, lin):
    hinted = []
    for _ in range(2):
        hinted.append(lin.reason().get("friends"))
        lin.acts()
    lin.plays_to("ready")
    game = lin.view["game"]["id"]
    answer = lin.client.post(f"/v1/games/{game}/analysis", {"round": 1})
    while answer.status_code == 202:
        world.work()
        answer = lin.client.post(f"/v1/games/{game}/analysis", {"round": 1})
    plays = [each for each in answer.json["decisions"] if each["seat"] == 0 and each["type"] == "play"]
    assert [each["reason"].get("friends") for each in plays[:2]] == hinted
    assert [friends is not None for friends in hinted] == [True, False]
