"""The deals of the lessons lead to what their steps say."""

import itertools
import json
import random
import subprocess
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import pytest

from harness.client import CLIENT
from service.game.commands.ai_moves import seed_for
from service.game.commands.creation import create_table
from service.game.commands.decide import decide, decide_for_ai
from service.game.state import clock
from service.game.state.families import family_of
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.game.views.view import view
from service.rules.cards import names_of
from tools.clients.toolchain import Tools
from workers import ai

#: Prints the lessons.
LESSONS = "import(process.argv[1]).then(({ LESSONS }) => console.log(JSON.stringify(LESSONS)))"
#: The time of every command, as AI players of lessons never wait. `bytes` gives zeros: nothing is random there.
NOW = 1_700_000_000_000
#: Reads lines with a rule, a view and ways to choose cards; prints those that the rule allows.
ALLOWED = """
import { createInterface } from "node:readline";
const { RULES, cardsNamed } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { step, view, ways } = JSON.parse(line);
  const named = step.cards ? cardsNamed(step, view) : [];
  console.log(JSON.stringify([named, ways.filter((cards) => RULES[step.rule](cards, view))]));
}
"""
#: Ways to bury that are tried; there are thousands.
BURIED = 8


def follows(trick: dict[str, Any]) -> bool:
    """Tell whether all cards of a trick are of the suit that was led."""
    return len({card[1] for play in trick["plays"] for card in play["cards"]}) == 1


#: The text of a step -> what must hold for its trick. The learner has seat 0.
HOLDS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "give": lambda trick: trick["winner"] == 2 and trick["points"] >= 10,
    "take": lambda trick: trick["winner"] == 0 and trick["points"] >= 10,
    "order": lambda trick: trick["winner"] == 0,
    "boss": lambda trick: trick["winner"] == 0,
    "ace": lambda trick: trick["winner"] == 0 or not follows(trick),
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
    lessons_of_page: list[dict[str, Any]] = json.loads(
        tools.run("node", "--input-type=module", "--eval", LESSONS, path)
    )
    return lessons_of_page


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
        while seats := [seat for seat in clock.ai_seats_asked(self.state) if not self.is_asked]:
            seat, level = seats[0], "easy"
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


def chosen(step: dict[str, Any], view: dict[str, Any]) -> list[str]:
    """Return the cards of a step, or the first that its rule allows."""
    if "cards" in step:
        return list(step["cards"])
    trump, count = view["round"]["trump"], view["decision"]["hints"]["cards"]
    spare = [card for card in view["my"]["hand"] if card[0] not in "5TKA" and card[1] != "J"]
    spare = [card for card in spare if card[0] != trump["rank"] and card[1] != trump["suit"]]
    assert len(spare) >= count + 4  # there is a choice
    return spare[:count]


def test_each_lesson_goes_as_its_steps_say(lessons):
    assert len(lessons) == 8
    for lesson in lessons:
        learner = Learner(lesson["table"])
        for step in lesson["steps"]:
            learner.comes_to(step, lesson.get("bury", []))
            position, place = learner.sees, (lesson["id"], step["say"])
            cards = chosen(step, position)
            if step["do"] == "call":
                assert cards[0] not in position["my"]["hand"], place
                learner.does("call", calls=[{"card": cards[0], "ordinal": 1}])
                continue
            others = [card for card in position["my"]["hand"] if card not in cards]
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


Allowed = Callable[[dict[str, Any], dict[str, Any], list[list[str]]], tuple[list[str], list[list[str]]]]


@pytest.fixture(scope="module")
def allowed(tools: Tools) -> Iterator[Allowed]:
    """Return the cards that the coach names for a step, and which of some ways to choose cards it accepts."""
    path = (CLIENT / "app" / "lessons" / "rules.js").as_uri()
    command = ["node", "--input-type=module", "--eval", ALLOWED, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def asks(step: dict[str, Any], consent: dict[str, Any], ways: list[list[str]]) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps({"step": step, "view": consent, "ways": ways}) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield asks
        process.terminate()


def ways_to(learner: Learner, step: dict[str, Any]) -> list[list[str]]:
    """Return ways to choose cards for a step: all legal plays to a trick, leads of up to four cards, some discards."""
    position = learner.sees
    hand = position["my"]["hand"]
    if step["do"] == "declare":
        sets: list[list[str]] = position["decision"]["hints"]["possible"]
        return sets
    if step["do"] == "call":
        return [["AS"], ["AH"], ["AD"], ["AC"]]
    if step["do"] == "discard":
        draw, trump = random.Random(7), position["round"]["trump"]
        low = [card for card in hand if card[0] not in f"5TKA{trump['rank']}" and card[1] not in ("J", trump["suit"])]
        tries = [draw.sample(low, position["decision"]["hints"]["cards"]) for _ in range(40)]
        return [*([step["cards"]] if "cards" in step else []), *tries]
    trick = position["round"]["trick"]
    if trick and trick["plays"]:
        return [names_of(play) for play in family_of(learner.state).legal_plays(learner.state, 0, 500)[0]]
    return leads_of(hand, 4 if step["rule"] in ("sure", "unsure", "tractor") else 1)


def leads_of(hand: list[str], most: int) -> list[list[str]]:
    """Return all leads of up to `most` cards of one printed suit."""
    suits: dict[str, list[str]] = {}
    for card in hand:
        suits.setdefault(card[1], []).append(card)
    leads = {
        tuple(sorted(lead))
        for cards in suits.values()
        for count in range(1, most + 1)
        for lead in itertools.combinations(cards, count)
    }
    return [list(lead) for lead in sorted(leads)]


def test_each_choice_that_a_step_accepts_leads_to_the_end_of_its_lesson(lessons, allowed):
    accepted: dict[tuple[str, str], set[tuple[str, ...]]] = {}

    def goes_on(lesson: dict[str, Any], learner: Learner, at: int) -> None:
        if at == len(lesson["steps"]):
            return
        step = lesson["steps"][at]
        learner.comes_to(step, lesson.get("bury", []))
        position, place = learner.sees, (lesson["id"], step["say"])
        named, fitting = allowed(step, position, ways_to(learner, step))
        ways = {tuple(sorted(cards)) for cards in fitting}
        assert ways, place
        assert "cards" not in step or named, place
        accepted.setdefault(place, set()).update(ways)
        for cards in sorted(ways)[: BURIED if step["do"] == "discard" else None]:
            then = copy(learner)
            if step["do"] == "call":
                then.does("call", calls=[{"card": cards[0], "ordinal": 1}])
            else:
                then.does(step["do"], cards=list(cards))
            if step["do"] == "play":
                trick = then.sees["round"]["last_trick"]
                assert HOLDS[step["say"]](trick), (place, cards, trick)
            goes_on(lesson, then, at + 1)

    for lesson in lessons:
        goes_on(lesson, Learner(lesson["table"]), 0)
    assert accepted["points", "give"] == {("KS",), ("TS",), ("TC",)}
    assert len(accepted["following", "ruff"]) > 1
    assert ("KS", "KS", "QS", "QS") in accepted["tractors", "tractor"]
    assert ("9S", "9S", "TS", "TS") in accepted["tractors", "tractor"]
    assert len(accepted["friends", "call"]) > 1
