"""Playing again the plays of AI players that people found silly (`laboratory.objections`)."""

import json
import re
import subprocess
import sys

import pytest

from harness.ai_table import Table, quick_options
from harness.make_run import ROOT
from service.game.views.ai_view import without_people
from workers.ai import LEVELS, answer

SEED = "5eed"


def positions():
    """Positions of a round in which `normal` had a choice: its play, and another legal one."""
    table, out = Table("sishifen", 4, quick_options("sishifen", 3), 3), []

    def choose(seat, view):
        command = answer(LEVELS["normal"], view, bytes.fromhex(SEED))
        if view["decision"]["kind"] == "play" and view["round"]["trick"] is None and len(view["my"]["hand"]) > 4:
            other = next(card for card in reversed(view["my"]["hand"]) if [card] != command["cards"])
            out.append((json.loads(json.dumps(without_people(view))), command["cards"], [other]))
        return command

    while not table.results:
        table.step(choose)
    return out


def objection(number, view, cards, instead, **more):
    where = {"game": "gm_1", "round": 1, "seq": number}
    rest = {"level": "normal", "action": {"type": "play", "cards": cards}, "instead": instead, "reason": None}
    return {**where, **rest, "view": view, "seed": SEED, **more}


@pytest.fixture(scope="module")
def corpus():
    """A play that is mended as asked, one that is mended otherwise, and one that two people still find silly."""
    (view, played, other), (second, _, another), (third, still, better) = positions()[:3]
    return [
        objection(1, view, other, played),
        objection(2, second, another, None),
        objection(3, third, still, None),
        objection(3, third, still, better, reason={"code": "only-play", "text": "There is no better choice."}),
    ]


def run(*files):
    command = [sys.executable, "-m", "laboratory.objections", *map(str, files)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def save(file, *pages):
    file.write_text("\n".join(json.dumps({"items": page, "next_cursor": None}) for page in pages), encoding="utf-8")
    return file


def test_the_players_of_today_decide_in_each_position_once(tmp_path, corpus):
    # Saved answers follow each other in a file, or are in several.
    done = run(save(tmp_path / "one", corpus[:1], corpus[1:3]), save(tmp_path / "two", corpus[3:]))
    first, as_asked, otherwise, left, silly = done.stdout.splitlines()
    assert (first, left) == ("mended: 2 of 3, 1 as asked", "not mended: 1")
    assert as_asked.startswith("  gm_1 round 1 event 1: normal ")
    assert ", as asked; asked " in as_asked
    assert re.fullmatch(r"  gm_1 round 1 event 2: normal \w\w, now \w\w( \w\w)*", otherwise)
    worth = r"\([-+]\d\.\d\d ± \d\.\d\d\)"
    assert re.fullmatch(rf"  gm_1 round 1 event 3: .*; asked \w\w {worth}; 2 people; There is no better choice.", silly)


def test_a_file_that_is_no_export_is_refused_with_a_sentence(tmp_path):
    file = tmp_path / "other.json"
    for text in ('{"players": []}', "[]", "{"):
        file.write_text(text, encoding="utf-8")
        done = run(file)
        assert done.returncode == 2
        assert f"error: {file}: " in done.stderr
    assert run(tmp_path / "none.json").returncode == 2
