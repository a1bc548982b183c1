"""Matches between AI players, where they differ, and rounds to read: `bench.ai_match`, `.differing`, `.read_round`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.conftest import ROOT

#: A short game.
GAME = ("--ruleset", "sishifen")


def printed(module: str, *arguments: str) -> str:
    command = [sys.executable, "-m", f"bench.{module}", *arguments, *GAME]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("only", [(), ("--only", "play"), ("--only", "seat")])
def test_a_player_gains_nothing_on_itself_over_all_seats(only: tuple[str, ...]) -> None:
    text = printed("ai_match", "normal", "normal", "--deals", "3", *only)
    assert "level per round +0.000 ± 0.000" in text
    rounds = re.findall(r"^  as (?:attacker|declarer) .* in (\d+) rounds$", text, re.MULTILINE)
    assert sum(map(int, rounds)) == 3 * (4 if "seat" in only else 2)


def test_a_seat_among_others_has_all_that_it_gains_by_its_own_plays() -> None:
    """A random seat among good ones loses as a declarer and as an attacker, and the good ones at its table gain."""
    text = printed("ai_match", "random", "normal", "--deals", "4", "--only", "seat")
    assert all(float(level) < 0 for level in re.findall(r"(?:round|declarer|attacker) ([-+][\d.]+)", text)), text


def test_a_player_never_differs_from_itself_and_deals_are_saved(tmp_path: Path) -> None:
    arguments = ("differing", "hard", "hard", "--players", "4", "--deals", "1", "--save", str(tmp_path))
    text = printed(*arguments)
    asked = re.fullmatch(r"1 deals, (\d+) decisions, 0 differences\n", text)
    assert asked
    assert int(asked[1]) > 0
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text(encoding="utf-8").replace(f'"asked":{asked[1]}', '"asked":99'), encoding="utf-8")
    assert "99 decisions" in printed(*arguments)


def test_a_round_to_read_shows_every_play_with_its_player() -> None:
    _, *tricks, result = printed("read_round", "easy", "normal", "--deal", "5").split("\n\n")
    plays = [line for trick in tricks for line in trick.splitlines()[1:]]
    assert len(plays) == 4 * len(tricks)
    assert sum(" easy " in line for line in plays) == sum(" normal " in line for line in plays) == 2 * len(tricks)
    assert "levels" in result
