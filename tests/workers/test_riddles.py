"""Riddles: positions in which two searches agree that one play is clearly best."""

from typing import Any

import pytest

from service.rules.cards import kinds_of, names_of
from tests.workers.rounds import FAST, plays_asked
from workers.ai import riddles
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge
from workers.ai.riddles import Valued, is_clear, plays_in, riddle_in, valued


@pytest.fixture
def view() -> dict[str, Any]:
    """A decision with a choice in the middle of a round."""
    views = [each.view for each in plays_asked("shengji", 4, FAST, 3)]
    return next(each for each in views[40:] if len(ranked(Knowledge(each, memory=True))) > riddles.LEAST_PLAYS)


def found(plays: list[tuple[int, ...]], best: int, cost: float = 0.5, error: float = 0.1) -> list[Valued]:
    """What a search finds that loses as much with each other play."""
    rest = [Valued(play, cost + 0.01 * at, error) for at, play in enumerate(plays) if at != best]
    return [Valued(plays[best], 0.0, 0.0), *rest]


def answers(monkeypatch: pytest.MonkeyPatch, *found_by: Any) -> None:
    """Let the searches find this, one after the other."""
    left = list(found_by)
    monkeypatch.setattr(riddles, "valued", lambda *_: left.pop(0))


def test_a_riddle_has_one_best_play_in_both_searches(view: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    plays = plays_in(view, view["decision"]["hints"]["example"])
    answers(monkeypatch, found(plays, 1), found(plays, 1, cost=0.7))
    riddle = riddle_in(view, names_of(plays[0]), b"x")
    assert riddle is not None
    assert riddle[0].cards == names_of(plays[1])
    assert [each.cost for each in riddle] == sorted(each.cost for each in riddle)
    assert riddle[1].cost == pytest.approx(0.6)
    assert riddle[1].error == pytest.approx(0.1 / 2**0.5)


@pytest.mark.parametrize(
    "second", [(2, 0.5, 0.1), (1, 0.19, 0.1), (1, 0.04, 0.001), None], ids=["other", "chance", "little", "nothing"]
)
def test_there_is_none_if_the_second_search_does_not_agree(
    view: dict[str, Any], monkeypatch: pytest.MonkeyPatch, second: tuple[int, float, float] | None
) -> None:
    plays = plays_in(view, view["decision"]["hints"]["example"])
    for first_agrees in (True, False):
        both = [found(plays, 1), None if second is None else found(plays, *second)]
        answers(monkeypatch, *(both if first_agrees else both[::-1]))
        assert riddle_in(view, names_of(plays[0]), b"x") is None


def test_searches_have_different_seeds_and_the_same_one_repeats_itself(
    view: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(riddles, "WORLDS", 6)
    plays = plays_in(view, view["decision"]["hints"]["example"])
    one, again, other = (valued(view, plays, seed, look=0) for seed in (b"1", b"1", b"2"))
    assert one == again != other
    assert one is not None
    assert one[0].cost == 0.0
    assert all(each.cost >= 0 for each in one)
    seeds: list[bytes] = []
    monkeypatch.setattr(riddles, "valued", lambda *arguments: seeds.append(arguments[2]))
    riddle_in(view, names_of(plays[0]), b"x")
    assert len(set(seeds)) == 2


def test_a_search_in_which_nothing_stands_out_is_given_up(
    view: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = plays_in(view, view["decision"]["hints"]["example"])[0]
    worlds: list[int] = []
    monkeypatch.setattr(riddles.Simulation, "value", lambda *_: worlds.append(1) or float(len(worlds) % 5))
    assert valued(view, [play, (*play,)], b"1") is None
    assert len(worlds) == 2 * riddles.LOOK


def test_what_was_done_is_among_the_plays_which_are_few(view: dict[str, Any]) -> None:
    knowledge = Knowledge(view, memory=True)
    for done in ranked(knowledge):
        plays = plays_in(view, names_of(done))
        assert tuple(sorted(done)) in plays
        assert len(plays) == len(set(plays)) <= riddles.MOST_PLAYS
    assert all(tuple(kinds_of(names_of(play))) for play in plays)


def test_clear_is_two_standard_errors_and_something_to_lose() -> None:
    assert is_clear(found([(1,), (2,)], 0, 0.21, 0.1))
    assert not is_clear(found([(1,), (2,)], 0, 0.19, 0.1))
    assert not is_clear(found([(1,), (2,)], 0, 0.03, 0.001))
