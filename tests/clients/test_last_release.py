"""Clients of the last release at a service of today: both packages, the runner of bots, and today's names for them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.make_run import ROOT, Service
from service.rules.options.rulesets import RULESETS
from shengji_client import Client
from tests.support.releases import last_release_or_skip
from tools.clients.toolchain import Tools

PROGRAM = ROOT / "tests" / "clients" / "programs" / "earlier_package.py"
EVERY_GAME = [f"{ruleset}:{rules.players[0]}" for ruleset, rules in RULESETS.items()]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the last release, as far as its packages need it."""
    rooms = ("clients", "docs", "service/web/client/app", "tests/clients/programs", "openapi.yaml", "LICENSE")
    return last_release_or_skip(tmp_path_factory.mktemp("earlier"), *rooms).folder


def environment(packages: Path) -> dict[str, str]:
    """Return an environment in which the package for Python of a source tree is found."""
    return {**os.environ, "PYTHONPATH": str(packages / "clients" / "python"), "PYTHONSAFEPATH": "1"}


def played(packages: Path, service: Service, *games: str) -> dict[str, Any]:
    """Return what the program of the last release's names has seen with a package."""
    done = subprocess.run(
        [sys.executable, PROGRAM, service.url, *games],
        env=environment(packages), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    return seen


def is_whole(seen: dict[str, Any], games: int) -> None:
    """Check that whole games were played, and that the views by events alone are those that are read."""
    assert len(seen["games"]) == games
    for game in seen["games"]:
        assert (game["status"], game["end"], game["gaps"], game["left"]) == ("finished", "over", [], []), game
        assert game["winners"] or game["ruleset"] == "arms_length", game
        # Streams were opened again after a seq, without a reset.
        assert game["resets"] == 1
        assert game["differ"] == []
        assert game["compared"] > 10
        assert game["actions"] > 10
    told = seen["meet"]
    assert told["told"] == ["snapshot", "challenged", "unreachable"]
    assert (told["closed"], told["taken"]) == ("finished", "座位 0 上已有其他玩家。")
    assert "tables:host" in told["scope"]


def test_the_package_for_python_plays_a_whole_game(service: Service, earlier: Path) -> None:
    is_whole(played(earlier, service, "zhaopengyou:5"), 1)


@pytest.mark.nightly
def test_the_package_for_python_plays_whole_games_of_every_ruleset(service: Service, earlier: Path) -> None:
    is_whole(played(earlier, service, *EVERY_GAME), len(EVERY_GAME))


@pytest.mark.nightly
def test_a_program_with_its_names_plays_with_the_package_of_today(service: Service, earlier: Path) -> None:
    assert earlier.exists()
    is_whole(played(ROOT, service, "shengji:4", "arms_length:4"), 2)


@pytest.mark.nightly
def test_its_bot_plays_a_round_by_its_own_guide(service: Service, earlier: Path, tmp_path: Path) -> None:
    guide = (earlier / "docs" / "bots.md").read_text(encoding="utf-8")
    ten_lines = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)[0]
    [config] = re.findall(r"^```toml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    (tmp_path / "ten_lines.py").write_text(ten_lines)
    (tmp_path / "bot.toml").write_text(config.replace("http://127.0.0.1:8000", service.url))
    log = tmp_path / "log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "shengji_client", "bot", "--config", "bot.toml"]
        bot = subprocess.Popen(command, cwd=tmp_path, env=environment(earlier), stderr=output)
    try:
        service.wait_for(lambda: " players" in log.read_text() or bot.poll() is not None, "a table")
        assert bot.poll() is None, log.read_text()
        client = Client(service.url, (tmp_path / "bot.token").read_text().strip())
        [row] = client.request("GET", "/v1/me/tables")["items"]
        path = f"/v1/tables/{row['table']}"
        service.wait_for(lambda: client.request("GET", path)["game"]["results"], "a round", 240)
        bot.terminate()
        # It finishes the round that it is in, and ends.
        assert bot.wait(240) == 0, log.read_text()
    finally:
        bot.kill()
        bot.wait()
    assert "ERROR" not in log.read_text()


@pytest.fixture(scope="module")
def typescript(tools: Tools, earlier: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a program that uses the TypeScript package of the last release, compiled."""
    app = tmp_path_factory.mktemp("app")
    package = earlier / "clients" / "typescript"
    (package / "node_modules").symlink_to(tools.modules_of(package))
    tools.run(tools.node, package / "build.mjs", earlier)
    (app / "node_modules").mkdir()
    (app / "node_modules" / "shengji-client").symlink_to(package)
    (app / "package.json").write_text('{"type": "module", "private": true}')
    options = {
        "strict": True, "module": "nodenext", "target": "es2022", "outDir": "out", "types": [],
        "lib": ["es2023", "dom", "dom.asynciterable"],
    }  # fmt: skip
    (app / "tsconfig.json").write_text(json.dumps({"compilerOptions": options}))
    shutil.copy(earlier / "tests" / "clients" / "programs" / "package_player.ts", app)
    assert tools.npm("tsc", cwd=app) == ""
    return app


@pytest.mark.nightly
def test_the_package_for_typescript_plays_whole_games(service: Service, tools: Tools, typescript: Path) -> None:
    lines = tools.run(tools.node, "out/package_player.js", service.url, *EVERY_GAME, cwd=typescript).splitlines()
    content = json.loads(lines[-1])
    assert [game["ruleset"] for game in content["seen"]] == list(RULESETS)
    for game in content["seen"]:
        assert (game["status"], game["gaps"]) == ("finished", []), game
        assert game["winners"], game
        assert game["actions"] > 10
    assert (content["refused"]["status"], content["refused"]["code"]) == (404, "not-found")
