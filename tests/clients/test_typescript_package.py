"""`clients/typescript`: built, packed, installed into an empty folder, and played from there."""

import json
import os
import re
import shutil
import signal
import subprocess

import pytest

from service.rules.options.rulesets import RULESETS
from tests.clients.tools import ROOT
from tests.document import document
from tests.house.conftest import api_worker

PACKAGE = ROOT / "clients" / "typescript"
PROGRAMS = ROOT / "tests" / "clients" / "programs"
[EXAMPLE, TESTING] = re.findall(
    r"^```ts\n(.*?)^```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
#: As a stranger's project has it.
CONFIG = {
    "compilerOptions": {
        "strict": True, "module": "nodenext", "target": "es2022", "lib": ["es2023", "dom", "dom.asynciterable"],
        "types": [], "outDir": "out",
    }
}  # fmt: skip
pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def project(tools, tmp_path_factory):
    """A folder with nothing but the packed package and programs that use it, compiled."""
    folder = tmp_path_factory.mktemp("project")
    source = folder / "source"
    shutil.copytree(PACKAGE, source, ignore=shutil.ignore_patterns("node_modules", "build", "dist"))
    (source / "node_modules").symlink_to(tools.modules_of(PACKAGE))
    tools.run(tools.node, source / "build.mjs", ROOT)
    tools.run(tools.node, tools.npm_program, "pack", "--pack-destination", folder, cwd=source)
    shutil.rmtree(source)
    [tarball] = folder.glob("*.tgz")
    app = folder / "app"
    app.mkdir()
    (app / "package.json").write_text('{"type": "module", "private": true}')
    (app / "tsconfig.json").write_text(json.dumps(CONFIG))
    install = ("install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball)
    tools.run(tools.node, tools.npm_program, *install, cwd=app)
    shutil.copy(PROGRAMS / "package_player.ts", app)
    (app / "example.ts").write_text(EXAMPLE)
    (app / "testing.ts").write_text(TESTING)
    assert tools.npm("tsc", cwd=app) == ""
    return app


def test_whole_games_of_every_ruleset_are_played_while_the_service_is_killed(tools, project, service):
    games = [f"{ruleset}:{rules.players[0]}" for ruleset, rules in RULESETS.items()]
    program = subprocess.Popen(
        [tools.node, "out/package_player.js", service.url, *games],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        lines = []
        for line in program.stdout:
            lines.append(line)
            if len(lines) in (20, 120):
                os.kill(api_worker(service), signal.SIGKILL)
        assert program.wait(60) == 0, program.stderr.read()
    finally:
        program.kill()
        program.wait()
    told = json.loads(lines[-1])
    assert [game["ruleset"] for game in told["seen"]] == list(RULESETS)
    for game in told["seen"]:
        assert game["gaps"] == [], game
        assert game["same"], game
        assert game["status"] == "finished"
        assert game["winners"], game
        assert game["actions"] > 10
    # Two for each table, and again those that the kills have broken.
    assert told["opened"] > 2 * len(RULESETS)
    assert told["said"] == []
    refused = told["refused"]
    assert (refused["status"], refused["code"], refused["help"]) == (
        404,
        "not-found",
        f"{service.url}/docs/problems#not-found",
    )


def test_the_example_of_the_readme_plays(tools, project, service):
    text = (project / "out" / "example.js").read_text()
    # A practice game against AI players, without pauses, that is over after its first round.
    quick = '{ ruleset: "shengji", players: 4, ai_pace_ms: 0, options: { deal_pace: "instant", start_level: "A" } }'
    assert text.count('{ ruleset: "shengji", players: 4 }') == 1
    text = text.replace('{ ruleset: "shengji", players: 4 }', quick).replace("http://127.0.0.1:8000", service.url)
    (project / "out" / "quick.js").write_text(text)
    assert tools.run(tools.node, "out/quick.js", cwd=project) == ""


def test_it_says_once_that_the_service_is_of_another_version(tools, project):
    shutil.copy(PROGRAMS / "package_versions.mjs", project)
    said = tools.run(tools.node, "package_versions.mjs", document()["info"]["version"], cwd=project).splitlines()
    assert [line.split()[0] for line in said] == ["http://a", "http://b", "http://c"]
    assert [word for line in said for word in re.findall("older|newer|may fail", line)] == [
        "older",
        "newer",
        "may fail",
    ]


def test_requests_are_sent_again_and_refusals_are_not(tools, project):
    shutil.copy(PROGRAMS / "package_requests.mjs", project)
    assert tools.run(tools.node, "package_requests.mjs", cwd=project) == ""


def test_recorded_games_are_played_without_a_service(tools, project):
    shutil.copy(PROGRAMS / "package_recorded.mjs", project)
    said = tools.run(tools.node, "package_recorded.mjs", cwd=project).split()
    assert sorted(said) == sorted(RULESETS)
    assert re.fullmatch(r"cards-not-held\nfinished \d\d\n", tools.run(tools.node, "out/testing.js", cwd=project))
