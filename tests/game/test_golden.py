"""The golden rounds are what the engine plays and tells today; a change of either shows here and in the diff."""

import pytest

from service.rules.options.rulesets import RULESETS
from tests.game import golden


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_golden_round_is_played_and_told_as_ever(ruleset):
    assert golden.written(ruleset) == (golden.FOLDER / f"{ruleset}.txt").read_text(), (
        "if this is meant: python -m tests.game.golden"
    )


def test_every_ruleset_has_a_golden_round_and_there_are_no_others():
    assert {file.name for file in golden.FOLDER.iterdir()} == {f"{ruleset}.txt" for ruleset in RULESETS}


def test_golden_rounds_show_throws_that_hold_and_throws_that_fail():
    told = "".join(file.read_text() for file in golden.FOLDER.iterdir())
    assert "throw={ok=yes" in told
    assert "throw={ok=no" in told
    assert "friend_joined" in told
    assert "friend=yes" in told
