"""Themes of mistakes, from what was done and what would have been better."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from service.rules.cards import names_of, points_of
from service.rules.trumps import TRUMPS
from service.store.analyses import THEMES
from tests.workers.rounds import FAST, plays_asked
from workers.ai.heuristics.playing import ranked
from workers.ai.knowledge.seat import Knowledge
from workers.ai.themes import theme_of

Play = tuple[int, ...]
Pair = Callable[[Knowledge, Play, Play], bool]


def is_trumps(knowledge: Knowledge, cards: Play) -> bool:
    return {knowledge.order.group_of[kind] for kind in cards} == {TRUMPS}


def wins(knowledge: Knowledge, cards: Play) -> bool:
    return knowledge.lead is not None and knowledge.rules.beats(knowledge.lead, knowledge.best, cards)


def both(wanted: bool, *plays: bool) -> bool:
    return all(each == wanted for each in plays)


#: Theme -> whether it leads, and which two plays (done, better) have it.
PAIRS: dict[str, tuple[bool, Pair]] = {
    "trumps-early": (True, lambda know, done, better: is_trumps(know, done) and not is_trumps(know, better)),
    "trumps-late": (True, lambda know, done, better: not is_trumps(know, done) and is_trumps(know, better)),
    "let-go": (False, lambda know, done, better: not wins(know, done) and wins(know, better)),
    "high-wasted": (False, lambda know, done, better: wins(know, done) and not wins(know, better)),
    "points-given": (
        False,
        lambda know, done, better: (
            both(False, wins(know, done), wins(know, better)) and points_of(done) > points_of(better)
        ),
    ),
    "points-kept": (
        False,
        lambda know, done, better: (
            both(False, wins(know, done), wins(know, better)) and points_of(done) < points_of(better)
        ),
    ),
}


def theme(view: dict[str, Any], done: list[str], better: list[str]) -> str:
    return theme_of(view, {"type": "play", "cards": done}, {"type": "play", "cards": better})


@pytest.mark.parametrize("name", PAIRS)
def test_plays_have_the_theme_that_tells_them_apart(name: str) -> None:
    leads, has = PAIRS[name]
    found = 0
    for _, view in plays_asked("shengji", 4, FAST, 3):
        knowledge = Knowledge(view, memory=True)
        if (knowledge.lead is None) != leads:
            continue
        for done, better in permutations(ranked(knowledge)[:6], 2):
            if has(knowledge, done, better):
                assert theme(view, names_of(done), names_of(better)) == name
                found += 1
    assert found > 3


def test_other_decisions_have_the_theme_of_their_type() -> None:
    view = plays_asked("shengji", 4, FAST, 3)[0].view
    for kind, name in {"declare": "bid", "pass": "bid", "discard": "kitty", "call": "friends"}.items():
        assert theme_of(view, {"type": kind}, {"type": kind}) == name


def test_every_theme_is_listed_and_every_pair_of_plays_has_one() -> None:
    assert set(PAIRS) <= set(THEMES)
    for ruleset, players in (("shengji", 4), ("zhaopengyou", 6)):
        for _, view in plays_asked(ruleset, players, FAST, 5):
            for done, better in permutations(ranked(Knowledge(view, memory=True))[:4], 2):
                assert theme(view, names_of(done), names_of(better)) in THEMES
