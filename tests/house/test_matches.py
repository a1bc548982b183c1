"""Matches between AI players, and rounds of them to read."""

from typing import Any

import pytest

from bench import read_round
from bench.ai_match import Arm, sample
from workers.ai.judging import Judgement
from workers.ai.reasons import Advice

#: A short game.
GAME = ("sishifen", 4)


@pytest.mark.parametrize("only", [None, "play"])
def test_a_player_gains_nothing_on_itself_once_the_seats_are_swapped(only: str | None) -> None:
    level, roles = (sample(Arm(("normal", "normal"), *GAME, only), 5)[name] for name in ("level", "roles"))
    assert level == 0.0
    assert {role for role, _ in roles} == {"declarer", "attacker"}


def test_a_round_to_read_shows_every_play_and_what_is_said_of_those_without_a_search(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def judge(view: dict[str, Any], action: Any, seed: bytes, level: str) -> Judgement:
        assert (action["type"], level) == ("play", "expert")
        last = len(action["cards"]) == len(view["my"]["hand"])
        return Judgement(Advice(dict(action)), agrees=not last, gain=0.25, error=0.05)

    monkeypatch.setattr(read_round, "judge", judge)
    # As if `easy` searched.
    monkeypatch.setattr(read_round, "EFFORTS", {"easy": None})
    read_round.read(("easy", "normal"), *GAME, 5, judging=True)
    _, *tricks, result = capsys.readouterr().out.split("\n\n")
    assert len(tricks) == 11
    plays = [line for trick in tricks for line in trick.splitlines()[1:]]
    assert len(plays) == 44
    judged = [line for line in plays if line.endswith("+0.25 ± 0.10]")]
    assert judged == [line for line in plays[-4:] if " normal " in line]
    assert len(judged) == 2
    assert "levels" in result
