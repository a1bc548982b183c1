"""The golden rounds match what the engine plays and shows; a change of either fails here and shows in the diff."""

import pytest

from service.rules.options.rulesets import RULESETS
from tests.game import golden


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_golden_round_has_not_changed(ruleset):
    assert golden.written(ruleset) == (golden.FOLDER / f"{ruleset}.txt").read_text(), (
        "if this is meant: python -m tests.game.golden"
    )


def test_there_is_one_golden_round_for_each_ruleset():
    assert {file.name for file in golden.FOLDER.iterdir()} == {f"{ruleset}.txt" for ruleset in RULESETS}


def test_golden_rounds_contain_throws_that_hold_throws_that_fail_and_friends():
    text = "".join(file.read_text() for file in golden.FOLDER.iterdir())
    assert "throw={ok=yes" in text
    assert "throw={ok=no" in text
    assert "friend_joined" in text
    assert "friend=yes" in text
