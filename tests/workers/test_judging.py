"""Judging actions: another one counts as better only if it gains in fresh deals."""

from typing import Any

import pytest

from service.rules.cards import names_of
from tests.workers.rounds import FAST, played
from workers import ai
from workers.ai import judging, reasons
from workers.ai.judging import Judgement, judge

EFFORT = ai.Effort(candidates=10, nominate=8, confirm=24, surety=0.25, plays=2_000)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `hard` compare plays in a few deals."""
    monkeypatch.setitem(ai.LEVELS, "hard", ai.by_search(EFFORT))
    monkeypatch.setitem(judging.EFFORTS, "hard", EFFORT)


def discard(ruleset: str, players: int) -> tuple[dict[str, Any], list[str]]:
    """Return the view of the last seat of a round that buries cards, and the burial of `normal`."""
    decisions = played(ruleset, players, FAST, 3).decisions
    view = next(each.view for each in decisions[::-1] if each.view["decision"]["kind"] == "discard")
    return view, ai.choose(view, b"why", "normal")["cards"]


def trumps(view: dict[str, Any], size: int) -> list[str]:
    """Return the most expensive cards to bury: here jokers and twos."""
    return sorted(view["my"]["hand"], key=lambda card: card[0] not in "2BL")[:size]


def judged(view: dict[str, Any], cards: list[str]) -> Judgement:
    return judge(view, {"type": "discard", "cards": cards}, b"x", "hard")


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 6)])
def test_burials_are_judged_by_playing_the_round_to_its_end(ruleset: str, players: int) -> None:
    view, usual = discard(ruleset, players)
    judgement = judged(view, trumps(view, len(usual)))
    assert judgement.best is not None
    assert judgement.gain is not None
    assert judgement.gain > max(0.01, 2 * judgement.error) > 0


def test_a_judgement_may_do_less_work(monkeypatch: pytest.MonkeyPatch) -> None:
    view, usual = discard("shengji", 4)
    done = {"type": "discard", "cards": trumps(view, len(usual))}
    shares, plays, advise, compared = [], [], judging.advise, judging.compared
    monkeypatch.setattr(judging, "advise", lambda *arguments: shares.append(arguments[-1]) or advise(*arguments))
    monkeypatch.setattr(
        judging, "compared", lambda *arguments: plays.append(arguments[-1].plays) or compared(*arguments)
    )
    judge(view, done, b"x", "hard", 0.1)
    assert (shares, plays) == ([0.1], [200])


def test_the_reason_of_a_search_has_the_gain_over_the_action_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    view, usual = discard("shengji", 4)
    for gain in (0.001, 0.4):
        on_third = reasons.for_search((0,), gain, 10)
        advice = ai.Advice({"type": "discard", "cards": usual}, on_third)
        monkeypatch.setattr(judging, "advise", lambda *_, advice=advice: advice)
        judgement = judged(view, trumps(view, len(usual)))
        assert judgement.gain is not None
        assert judgement.reason is not None
        assert judgement.reason["params"]["gain"] == round(judgement.gain, 2)
        assert sorted(judgement.reason["params"]["over"]) == sorted(trumps(view, len(usual)))


def test_an_equally_good_action_is_not_called_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    view, usual = discard("zhaopengyou", 6)
    best = names_of(ai.burial_of(view, ai.NORMAL).candidates()[1])
    monkeypatch.setattr(judging, "advise", lambda *_: ai.Advice({"type": "discard", "cards": best}))
    assert judged(view, best).gain == 0.0
    judgement = judged(view, usual)
    assert sorted(usual) != sorted(best)
    assert judgement.best is None
    assert judgement.gain != 0.0
    assert judgement.reason is not None
    assert (judgement.reason["code"], judgement.reason["params"]["over"]) == ("as-good", best)
