"""The deals of the lessons lead to what their steps say."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.client import CLIENT
from service.game.commands.creation import create_table
from service.game.commands.decide import decide, decide_for_ai
from service.game.state import clock
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.game.views.view import view
from service.tables.advancing import seed_for
from tests.clients.tools import Tools
from workers import ai

#: Prints the lessons.
LESSONS = "import(process.argv[1]).then(({ LESSONS }) => console.log(JSON.stringify(LESSONS)))"
#: The time of every command, as AI players of lessons never wait. `bytes` gives zeros: nothing is random there.
NOW = 1_700_000_000_000
#: The text of a step -> what must hold for its trick. The learner has seat 0.
HOLDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "give": lambda trick: trick["winner"] == 2 and trick["points"] >= 10,
    "take": lambda trick: trick["winner"] == 0 and trick["points"] >= 10,
    "order": lambda trick: trick["winner"] == 0,
    "boss": lambda trick: trick["winner"] == 0,
    "ace": lambda trick: trick["winner"] == 0,
    "ruff": lambda trick: trick["winner"] == 0 and trick["points"] > 0,
    "level": lambda trick: trick["winner"] in (1, 3),
    "nopair": lambda trick: trick["winner"] in (1, 3),
    "pairwin": lambda trick: trick["winner"] == 0,
    "tractor": lambda trick: trick["winner"] == 0 and len(trick["plays"][0]["cards"]) == 4,
    "throwing": lambda trick: trick["winner"] == 0 and len(trick["plays"][0]["cards"]) == 3,
    "failing": lambda trick: len(trick["plays"][0]["cards"]) == 1,
    "lure": lambda trick: trick["winner"] not in (0, None),
    "friend": lambda trick: trick["winner"] != 0 and trick["points"] >= 10,
}


@pytest.fixture(scope="module")
def lessons(tools: Tools) -> list[dict[str, Any]]:
    path = (CLIENT / "app" / "lessons" / "lessons.js").as_uri()
    found: list[dict[str, Any]] = json.loads(tools.run("node", "--input-type=module", "--eval", LESSONS, path))
    return found


class Learner:
    """A lesson's table: seat 0 does what the steps say, the others are AI players as on the page."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.state: State = create_table("tb_lesson", "p0", table, NOW, bytes).state
        self.does("sit", kind="human", name="Lin", seat=0)
        for seat in range(1, table["players"]):
            self.does("seat_ai", seat=seat, level="easy")
        self.does("ready")

    def does(self, kind: str, /, **fields: Any) -> None:
        """Act for seat 0; then the others move until it is asked again."""
        decision = self.state["decision"]
        command = {"type": kind, "player": "p0", "decision_id": decision and decision["id"], **fields}
        self.state = decide(self.state, command, NOW, bytes).state
        while asked := [seat for seat in clock.ai_seats_asked(self.state) if not self.is_asked]:
            seat, level = asked[0], "easy"
            chosen = ai.choose(ai_view(self.state, seat, NOW), seed_for(self.state, seat), level)
            self.state = decide_for_ai(self.state, seat, chosen, NOW, bytes).state

    @property
    def is_asked(self) -> bool:
        decision = self.state["decision"]
        waits = decision is not None and 0 in decision["seats"]
        return waits and not (decision["kind"] == "declare" and 0 in self.state["round"]["passes"])

    @property
    def sees(self) -> dict[str, Any]:
        return view(self.state, 0, NOW)

    def comes_to(self, step: dict[str, Any], bury: list[str]) -> None:
        """Pass and discard for the learner, as the page does, until the decision of a step is open."""
        while (kind := self.sees["decision"]["kind"]) != step["do"]:
            assert kind in ("declare", "defend", "overcall-kitty", "discard"), (kind, step)
            if kind == "discard":
                self.does("discard", cards=bury)
            else:
                self.does("pass")


def chosen(step: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    """Return the cards of a step, or the first that its rule allows."""
    if "cards" in step:
        return list(step["cards"])
    trump, count = seen["round"]["trump"], seen["decision"]["hints"]["cards"]
    spare = [card for card in seen["my"]["hand"] if card[0] not in "5TKA" and card[1] != "J"]
    spare = [card for card in spare if card[0] != trump["rank"] and card[1] != trump["suit"]]
    assert len(spare) >= count + 4  # there is a choice
    return spare[:count]


def test_each_lesson_goes_as_its_steps_say(lessons):
    assert len(lessons) == 8
    for lesson in lessons:
        learner = Learner(lesson["table"])
        for step in lesson["steps"]:
            learner.comes_to(step, lesson.get("bury", []))
            seen, place = learner.sees, (lesson["id"], step["say"])
            cards = chosen(step, seen)
            if step["do"] == "call":
                assert cards[0] not in seen["my"]["hand"], place
                learner.does("call", calls=[{"card": cards[0], "ordinal": 1}])
                continue
            others = [card for card in seen["my"]["hand"] if card not in cards]
            assert others, place
            learner.does(step["do"], cards=cards)
            if step["do"] == "declare":
                assert learner.sees["round"]["declarer"] == 0, place
            if step["do"] == "play":
                trick = learner.sees["round"]["last_trick"]
                assert trick["plays"] != [], place
                assert HOLDS[step["say"]](trick), (place, trick)
            if step["say"] == "lure":
                assert learner.sees["round"]["calls"][0]["filled_by"] == trick["winner"], place
