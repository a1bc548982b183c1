"""Judging what was done: something else is called better only if it gains in fresh deals."""

from typing import Any

import pytest

from harness.ai_table import Table
from tests.workers.players import QUICK
from workers import ai
from workers.ai import judging, reasons
from workers.ai.judging import Judgement, judge


def discards(ruleset: str, players: int) -> list[tuple[dict[str, Any], list[str]]]:
    """Return the views of a round in which cards were buried, each with what `normal` buries."""
    table, found = Table(ruleset, players, {"deal_pace": "instant"}, 3), []

    def note(_: int, view: dict[str, Any]) -> dict[str, Any]:
        command = ai.answer(QUICK["normal"], view, b"why")
        if command["type"] == "discard":
            found.append((view, command["cards"]))
        return command

    while not table.results:
        table.step(note)
    return found


def trumps(view: dict[str, Any], size: int) -> list[str]:
    """Return the cards that are dearest to bury: jokers and twos, here."""
    return sorted(view["my"]["hand"], key=lambda card: card[0] not in "2BL")[:size]


def judged(view: dict[str, Any], cards: list[str]) -> Judgement:
    return judge(view, {"type": "discard", "cards": cards}, b"x", "hard")


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_cards_that_are_buried_are_judged_by_playing_the_round_out(ruleset: str, players: int) -> None:
    view, usual = discards(ruleset, players)[-1]
    found = judged(view, trumps(view, len(usual)))
    assert found.best is not None
    assert found.gain is not None
    assert found.gain > max(0.01, 2 * found.error) > 0


def test_the_reason_of_a_search_tells_what_is_gained_on_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    view, usual = discards("shengji", 4)[-1]
    for gain in (0.001, 0.4):
        on_third = reasons.for_search((0,), gain, 10)
        advice = ai.Advice({"type": "discard", "cards": usual}, on_third)
        monkeypatch.setattr(judging, "advise", lambda *_, advice=advice: advice)
        found = judged(view, trumps(view, len(usual)))
        assert found.gain is not None
        assert found.reason is not None
        assert found.reason["params"]["gain"] == round(found.gain, 2)
        assert sorted(found.reason["params"]["over"]) == sorted(trumps(view, len(usual)))


def test_what_is_no_worse_is_not_said_to_be_the_best() -> None:
    view, usual = discards("zhaopengyou", 6)[-1]
    best = ai.choose(view, b"x", "hard")["cards"]
    assert judged(view, best).gain == 0.0
    found = judged(view, usual)
    assert sorted(usual) != sorted(best)
    assert found.best is None
    assert found.gain != 0.0
    assert found.reason is not None
    assert (found.reason["code"], found.reason["params"]["over"]) == ("as-good", best)
