"""What views say about hidden hands after the tricks of a round: it is true, and voids stay known."""

from typing import Any

import pytest

from harness.driver import Driver
from service.game.state.rules import options_of
from service.game.views.view import view
from service.rules.cards import CARDS, KIND
from service.rules.tricks.trick_rules import trick_rules
from service.rules.trumps import Trump

GAMES = [
    ("shengji", 4, {}),
    ("shengji", 4, {"protect_larger": True}),
    ("finding_friends", 6, {"bombs": "any_time"}),
    ("finding_friends", 8, {"follow_structure": "suit_only"}),
    ("zhaopengyou", 12, {"protect_larger": True, "protect_by_rungs": True}),
    ("zhaopengyou", 8, {"rainbow": 4}),
    ("arms_length", 4, {}),
]


def letter_of(table: Any, kind: int) -> str:
    if table.state["ruleset"] == "arms_length":
        return CARDS[kind][1]
    trump = table.state["round"]["trump"]
    rules = trick_rules(Trump(trump["rank"], trump["suit"]), options_of(table.state), frozenset())
    return "SHDCT"[rules.order.group_of[kind]]


@pytest.mark.parametrize(("ruleset", "players", "options"), GAMES, ids=str)
def test_what_the_view_says_of_hidden_hands_is_true(ruleset: str, players: int, options: dict[str, Any]) -> None:
    driver = Driver(ruleset, players, options, seed=4)
    driver.throws = 0.5
    counts: dict[str, int] = {"voids": 0, "most": 0, "holds": 0}

    def look(table: Any) -> None:
        table_view = view(table.state, None, table.now)["round"]
        revealed = table_view["seen"] if table_view else None
        if not revealed:
            return
        hands = table.state["round"]["hands"]
        on_table = {play["seat"]: play["cards"] for play in (table_view["trick"] or {"plays": []})["plays"]}
        for letter, seats in revealed.get("voids", {}).items():
            for seat in seats:
                counts["voids"] += 1
                assert not [k for k, n in enumerate(hands[seat]) if n and letter_of(table, k) == letter]
        for letter, most in revealed.get("most", {}).items():
            for seat, number in most.items():
                counts["most"] += 1
                assert max((n for k, n in enumerate(hands[int(seat)]) if letter_of(table, k) == letter), default=0) <= (
                    number
                )
        for seat, cards in revealed.get("holds", {}).items():
            for card in set(cards):
                counts["holds"] += 1
                held = hands[int(seat)][KIND[card]] + on_table.get(int(seat), []).count(card)
                assert held >= cards.count(card)

    driver.on_step = look
    for _ in driver.rounds(4):
        pass
    assert counts["voids"] > 50
    if ruleset == "shengji" and not options:
        assert counts["most"] > 50
        assert counts["holds"] > 50
    if options.keys() & {"protect_larger", "follow_structure", "protect_by_rungs"}:
        assert not counts["most"]


def test_a_void_stays_known_until_the_end_of_the_round() -> None:
    driver = Driver("shengji", 4, seed=1)
    before: dict[str, list[int]] = {}

    def look(table: Any) -> None:
        nonlocal before
        table_view = view(table.state, 0, table.now)["round"]
        if table_view is None or not table_view["seen"]:
            before = {}
            return
        voids = table_view["seen"].get("voids", {})
        for letter, seats in before.items():
            assert set(seats) <= set(voids[letter])
        before = voids

    driver.on_step = look
    assert len(list(driver.rounds(2))) == 2
