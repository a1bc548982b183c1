"""Matches between AI players, and rounds of them to read: `python -m bench.ai_match` and `bench.read_round`."""

import re
import subprocess
import sys

import pytest

from tests.house.conftest import ROOT

#: A short game.
GAME = ("--ruleset", "sishifen")


def printed(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", f"bench.{module}", *arguments, *GAME]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("only", [(), ("--only", "play")])
def test_a_player_gains_nothing_on_itself_once_the_seats_are_swapped(only: tuple[str, ...]) -> None:
    text = printed("ai_match", "normal", "normal", "--deals", "3", *only)
    assert "level per round +0.000 ± 0.000" in text
    assert len(re.findall(r"^  as (?:attacker|declarer) .* in 3 rounds$", text, re.MULTILINE)) == 2


def test_a_round_to_read_shows_every_play_with_its_player() -> None:
    _, *tricks, result = printed("read_round", "easy", "normal", "--deal", "5").split("\n\n")
    plays = [line for trick in tricks for line in trick.splitlines()[1:]]
    assert len(plays) == 4 * len(tricks)
    assert sum(" easy " in line for line in plays) == sum(" normal " in line for line in plays) == 2 * len(tricks)
    assert "levels" in result
