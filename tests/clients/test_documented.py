"""The programs of `docs/clients.md`, unchanged: two of them play whole games against AI players."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.api.http.problems import STATUS
from tools.clients.toolchain import ROOT

GUIDE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
PROGRAMS = [text for _, text in re.findall(r"^```(python|typescript)\n(.*?)^```", GUIDE, 24)]
#: PAST_GAMES is run by tests/api/game/test_past_games.py, receivers of notices by test_receivers.py.
PYTHON, TYPESCRIPT, ALL_TABLES, PAST_GAMES, IN_PYTHON, IN_TYPESCRIPT, PATIENTLY = PROGRAMS
GAMES = [("shengji", 4), ("zhaopengyou", 6), ("arms_length", 4)]
TSCONFIG = Path(__file__).parent / "programs" / "tsconfig.json"


@pytest.fixture(scope="module")
def python_program(tmp_path_factory):
    file = tmp_path_factory.mktemp("guide") / "game.py"
    file.write_text(PYTHON, encoding="utf-8")
    return [sys.executable, file]


@pytest.fixture(scope="module")
def typescript_program(tools, typescript_types, tmp_path_factory):
    """The program, compiled with the types that openapi-typescript generates."""
    folder = tmp_path_factory.mktemp("guide")
    for file in (typescript_types / "api.ts", TSCONFIG):
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "game.ts").write_text(TYPESCRIPT, encoding="utf-8")
    assert tools.tsc("-p", folder) == ""
    return [tools.node, folder / "built" / "game.js"]


def plays_to_the_end(program, service, game):
    """Run a program; it must print every event in order, and end with the game."""
    command = [*program, service.url, game[0], str(game[1])]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert process.returncode == 0, process.stderr
    output = [line.split(" ", 2) for line in process.stdout.splitlines() if re.match(r"\d+ [a-z_]+", line)]
    seqs = [int(seq) for seq, *_ in output]
    assert seqs == list(range(1, len(seqs) + 1))
    types = [kind for _, kind, *_ in output]
    assert types.count("round_scored") == types.count("round_ended") > 0
    assert types.count("game_ended") == 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_the_program_in_python_plays_a_game(python_program, service, game):
    plays_to_the_end(python_program, service, game)


@pytest.mark.parametrize("game", GAMES[:2], ids=lambda game: game[0])
def test_the_program_in_typescript_plays_a_game(typescript_program, service, game):
    plays_to_the_end(typescript_program, service, game)


def test_a_type_error_does_not_compile(typescript_program, tools):
    """The types are strict: a field of another event's data is an error, for example."""
    file = Path(typescript_program[1]).parents[1] / "game.ts"
    slips = {"event.data.summary": "event.data.winners", "hints?.roads": "hints?.road", "view.status": "view.state"}
    text = TYPESCRIPT.replace("road: hints?.example", "road: hints?.roads?.[0]")
    for right, wrong in slips.items():
        assert right in text
        text = text.replace(right, wrong)
    file.write_text(text, encoding="utf-8")
    output = tools.tsc("-p", file.parent, "--noEmit", check=False)
    assert output.count("error TS4111") == len(slips), output


@pytest.mark.parametrize("program", [PYTHON, TYPESCRIPT], ids=["python", "typescript"])
def test_a_game_takes_forty_lines(program):
    assert len([line for line in program.splitlines() if line.strip()]) <= 40


def test_the_guide_says_what_to_do_about_every_problem():
    errors = GUIDE.partition("\n## Errors\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \| (.+) \|$", errors, re.MULTILINE)
    documented_codes = [code for codes, _ in rows for code in re.findall(r"`([a-z-]+)`", codes)]
    assert sorted(documented_codes) == sorted(STATUS)


def test_the_program_of_the_guide_waits_as_long_as_retry_after_says(monkeypatch):
    import random
    import time
    from email.message import Message
    from urllib.error import HTTPError

    headers = Message()
    headers["Retry-After"] = "7"
    answers = [HTTPError("", 429, "", headers, None), HTTPError("", 503, "", headers, None), "done"]
    waited = []
    monkeypatch.setattr(time, "sleep", waited.append)
    names = {"time": time, "random": random, "HTTPError": HTTPError}
    exec(PATIENTLY, names)  # noqa: S102 (a program of the guide, as the guide's reader would run it)

    def call(*request):
        assert request == ("GET", "/v1/me")
        answer = answers.pop(0)
        if isinstance(answer, HTTPError):
            raise answer
        return answer

    assert names["patiently"](call, "GET", "/v1/me") == "done"
    assert len(waited) == 2
    assert all(7 <= seconds <= 8 for seconds in waited)


def test_the_program_of_the_guide_knows_which_tables_wait():
    names = {}
    exec(ALL_TABLES, names)  # noqa: S102 (as above)
    rows = [{"table": "tb_1", "decision_id": "dc_4", "my_turn": True}, {"table": "tb_2", "my_turn": False}]
    names["tell"]("snapshot", {"items": rows})
    names["tell"]("heartbeat", {"after": "1"})
    for kind, table, decision in (("turn", "tb_2", "dc_9"), ("turn_over", "tb_1", "dc_4"), ("game_kept", "tb_2", None)):
        names["tell"]("message", {"type": kind, "data": {"table": table, "decision_id": decision}})
    assert names["waiting"] == {"tb_2": "dc_9"}


def test_every_path_of_the_guide_exists():
    document = (ROOT / "openapi.yaml").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:[A-Z]+ )?(/v1/[a-z/{}-]*[a-z}])", GUIDE))
    # A path for browsers is no operation.
    led = {"/v1/sign-in/{provider}"}
    assert {path for path in named if f"\n  {path}:\n" not in document} == led
