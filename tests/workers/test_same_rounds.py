"""The same deal and the same actions of people give the same round, regardless of other events at the table."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from harness.tables import House
from service.game.commands.ai_moves import seed_for
from service.game.state.families import family_of
from service.game.state.types import State
from service.game.views.ai_view import ai_view
from service.rules.options.rulesets import RULESETS
from tests.workers.players import QUICK
from workers import ai
from workers.search_budget import Chooser

PEOPLE = 2
#: Levels of seats, from the first AI seat on; the others have the first level.
LEVELS = {2: "normal", 3: "hard"}
#: Events around the game, which are left out, such as those of seats and chat.
NOT_OF_THE_GAME = re.compile("chat|vote|presence|seat_|ai_seated|settings|interrupted|table_created")
#: Fields with times and ids.
OTHERWISE = frozenset({"game", "deadline", "closes_at", "bank_ms", "seq", "at", "tx", "answers", "actor", "back"})


class Metrics:
    """Ignores all counts."""

    def event(self, *_: object) -> None:
        """Do nothing."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minimal searches, where half of the work leads to another choice."""
    monkeypatch.setattr(ai, "LEVELS", QUICK)


def plain(value: Any) -> Any:
    """Return a value without times and ids."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items() if name not in OTHERWISE}
    return [plain(each) for each in value] if isinstance(value, list) else value


def game_of(house: House, table: str) -> list[str]:
    """Return the events of the games of a table as JSON."""
    events = [event for event in house.log(table) if not NOT_OF_THE_GAME.search(event["type"])]
    return [json.dumps(plain(event)) for event in events if event["data"].get("kind") != "ready"]


def begun(ruleset: str, seed: str, **spec: Any) -> tuple[House, str]:
    players = RULESETS[ruleset].players[0]
    house = House()
    table = house.table(ruleset, players, ai=0, sit=False, ai_pace_ms=0, seed=seed, **spec)
    for seat in range(PEOPLE):
        house.act(table, seat, "sit", kind="human", name=f"P{seat}", seat=seat)
    for seat in range(PEOPLE, players):
        house.act(table, 0, "seat_ai", seat=seat, level=LEVELS.get(seat, "easy"))
    for seat in range(PEOPLE):
        house.act(table, seat, "ready")
    return house, table


def play(
    house: House,
    table: str,
    rounds: int,
    waiting: int = 0,
    between: Callable[[House, str, State], None] = lambda *_: None,
) -> None:
    """Play a number of rounds; people act only by their view, and `between` is called before each of their actions."""
    chooser = Chooser(lambda: waiting, Metrics())
    while len(house.state(table)["game"]["results"]) < rounds:
        house.tables.advance(table, None, chooser.search)
        state = house.state(table)
        seats = [seat for seat in state["decision"]["seats"] if seat < PEOPLE] if state["decision"] else []
        if seats:
            between(house, table, state)
            command = dict(ai.choose(ai_view(state, seats[0], 0), b"person", "easy"))
            house.act(table, seats[0], command.pop("type"), **command)
        else:
            house.clock.now += 1_000


def talk(house: House, table: str, state: State) -> None:
    """Chat before some actions, vote once, and take some time."""
    version = state["version"]
    if version % 3 == 0 and not family_of(state).silent:
        house.act(table, version % PEOPLE, "chat", text=f"well {version}", to="table", key=f"k{version}")
    if not any(event["type"] == "vote_opened" for event in house.log(table)):
        house.act(table, 0, "open_vote", kind="abandon", seat=None)
        house.act(table, 1, "cast_vote", vote=house.state(table)["vote"]["id"], approve=False)
        house.clock.now += 2_000
    house.clock.now += 1_500


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_the_same_actions_lead_to_the_same_events_despite_chat_between_them(ruleset: str) -> None:
    quiet, one = begun(ruleset, "equal deals for all")
    play(quiet, one, 1)
    loud, other = begun(ruleset, "equal deals for all", chat=True)
    play(loud, other, 1, waiting=9, between=talk)
    assert len(loud.log(other)) > len(quiet.log(one))
    assert game_of(loud, other) == game_of(quiet, one)


def test_sitting_down_between_rounds_and_leaving_changes_nothing() -> None:
    quiet, one = begun("sishifen", "equal deals", takeover_level=LEVELS[3])
    play(quiet, one, 2)
    joined, other = begun("sishifen", "equal deals", takeover_level=LEVELS[3])
    play(joined, other, 1)
    joined.act(
        other, 9, "sit", kind="human", name="Late", seat=3, join_code=joined.state(other)["settings"]["join_code"]
    )
    joined.act(other, 9, "leave")
    play(joined, other, 2)
    assert [event for event in joined.log(other) if event["type"] == "seat_left"]
    assert game_of(joined, other) == game_of(quiet, one)


def test_the_seed_depends_on_neither_the_table_nor_its_cards() -> None:
    house, table = begun("sishifen", "equal deals")
    play(house, table, 1)
    state = house.state(table)
    again: State = {**state, "id": "tb_other", "version": state["version"] + 7}
    again["decision"] = {**state["decision"], "id": "dc_9", "opened_at": 0}
    again["round"] = {**state["round"], "hands": state["round"]["hands"][::-1], "server_seed": "00" * 32, "kitty": []}
    assert seed_for(again, 1) == seed_for(state, 1)
    assert seed_for({**state, "next_seed": "11" * 32}, 1) != seed_for(state, 1)
    assert seed_for(state, 2) != seed_for(state, 1)
