"""Matches between AI players and readable rounds (`laboratory`)."""

import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from harness.make_run import ROOT

#: A short game.
GAME = ("--ruleset", "sishifen")


def python(*arguments: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def printed(module: str, *arguments: str) -> str:
    return python("-m", f"laboratory.{module}", *arguments, *GAME)


@pytest.mark.parametrize("only", [(), ("--only", "play"), ("--only", "seat")])
def test_a_player_gains_nothing_on_itself_over_all_seats(only: tuple[str, ...]) -> None:
    text = printed("ai_match", "normal", "normal", "--deals", "3", *only)
    assert "level per round +0.000 ± 0.000" in text
    rounds = re.findall(r"^  as (?:attacker|declarer) .* in (\d+) rounds$", text, re.MULTILINE)
    assert sum(map(int, rounds)) == 3 * (4 if "seat" in only else 2)


def test_the_gain_of_a_seat_among_others_comes_from_its_own_plays() -> None:
    """A random seat among good ones loses both as declarer and as attacker, and the good ones at its table gain."""
    text = printed("ai_match", "random", "normal", "--deals", "4", "--only", "seat")
    assert all(float(level) < 0 for level in re.findall(r"(?:round|declarer|attacker) ([-+][\d.]+)", text)), text


def test_a_player_never_differs_from_itself_and_deals_are_saved(tmp_path: Path) -> None:
    arguments = ("differing", "hard", "hard", "--players", "4", "--deals", "1", "--save", str(tmp_path))
    text = printed(*arguments)
    match = re.fullmatch(r"1 deals, (\d+) decisions, 0 differences\n", text)
    assert match
    assert int(match[1]) > 0
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text(encoding="utf-8").replace(f'"asked":{match[1]}', '"asked":99'), encoding="utf-8")
    assert "99 decisions" in printed(*arguments)


def test_a_match_continues_from_the_archive(tmp_path: Path) -> None:
    """The archive has deals 0 to 999, so only the last one is played."""
    arguments = ("easy", "random", "--ruleset", "shengji", "--first", "999", "--deals", "2", "--save", str(tmp_path))
    text = python("-m", "laboratory.ai_match", *arguments)
    assert "deals 999-1000" in text
    (file,) = tmp_path.iterdir()
    assert len(file.read_text().splitlines()) == 1


def test_packing_is_reproducible(tmp_path: Path) -> None:
    """In one step, or in two steps in the other order."""
    once, steps = tmp_path / "once.zip", tmp_path / "steps.zip"

    def pack(archive: Path, *lines: str) -> str:
        (tmp_path / "a-match.jsonl").write_text("".join(line + "\n" for line in lines))
        python("-m", "laboratory.saved", "--folder", str(tmp_path), "--archive", str(archive))
        assert not list(tmp_path.glob("*.jsonl"))
        with ZipFile(archive) as packed:
            assert packed.getinfo("a-match.jsonl").date_time == (1980, 1, 1, 0, 0, 0)
            return packed.read("a-match.jsonl").decode()

    first, second = ('{"deal":1,"level":0.5}', '{"deal":2,"level":-1.0}')
    assert pack(once, first, second) == f"{first}\n{second}\n"
    assert pack(steps, second) == f"{second}\n"
    assert pack(steps, first) == f"{first}\n{second}\n"
    assert once.read_bytes() == steps.read_bytes()
    python("-m", "laboratory.saved", "--folder", str(tmp_path), "--archive", str(steps), "--drop", "a-match")
    assert not ZipFile(steps).namelist()


def test_results_match_the_saved_matches() -> None:
    text = python("-c", "from bench.bench_ai import strength; strength()")
    assert text.count("\n- reached: ") > 10
    assert text.strip() in (ROOT / "bench" / "results.md").read_text(encoding="utf-8")


def test_a_readable_round_shows_every_play_with_its_player() -> None:
    _, *tricks, result = printed("read_round", "easy", "normal", "--deal", "5").split("\n\n")
    plays = [line for trick in tricks for line in trick.splitlines()[1:]]
    assert len(plays) == 4 * len(tricks)
    assert sum(" easy " in line for line in plays) == sum(" normal " in line for line in plays) == 2 * len(tricks)
    assert "levels" in result


def test_imports_of_earlier_players_are_redirected_to_current_modules() -> None:
    text = "".join(path.read_text() for path in (ROOT / "workers" / "ai").rglob("*.py"))
    moved = json.loads(python("-c", "import json; from laboratory.frozen import MOVED; print(json.dumps(MOVED))"))
    assert {old for old in moved if old in text} == set()
    assert {new for new in moved.values() if new.partition(" as ")[0] not in text} == set()
