"""`clients/typescript`: built, packed, installed into an empty folder, and played from there."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from harness.document import document
from harness.make_run import api_worker
from service.rules.options.rulesets import RULESETS
from shengji_client import Client
from shengji_conformance import clients as conformance
from shengji_conformance.cases import all_cases
from tests.support.below import under_a_path
from tools.clients.toolchain import ROOT

PACKAGE = ROOT / "clients" / "typescript"
PROGRAMS = ROOT / "tests" / "clients" / "programs"
BUNDLERS = ROOT / "tests" / "clients" / "bundlers"
[EXAMPLE, TESTING] = re.findall(
    r"^```ts\n(.*?)^```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
GUIDE = (ROOT / "docs" / "app.md").read_text(encoding="utf-8")
GUIDE_TS = re.findall(r"^```typescript\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
[PAGE] = re.findall(r"^```html\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
[COMMANDS] = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
#: As in a third-party project.
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


def test_whole_games_of_every_ruleset_are_played_while_the_service_is_killed(tools, project, mortal):
    games = [f"{ruleset}:{rules.players[0]}" for ruleset, rules in RULESETS.items()]
    program = subprocess.Popen(
        [tools.node, "out/package_player.js", mortal.url, *games],
        cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        lines = []
        for line in program.stdout:
            lines.append(line)
            if len(lines) in (20, 120):
                os.kill(api_worker(mortal), signal.SIGKILL)
        assert program.wait(60) == 0, program.stderr.read()
    finally:
        program.kill()
        program.wait()
    content = json.loads(lines[-1])
    assert [game["ruleset"] for game in content["seen"]] == list(RULESETS)
    for game in content["seen"]:
        assert game["gaps"] == [], game
        assert game["same"], game
        assert game["status"] == "finished"
        assert game["winners"], game
        assert game["actions"] > 10
    # Two streams for each table, and others for those that the kills have broken.
    assert content["opened"] > 2 * len(RULESETS)
    assert content["said"] == []
    refused = content["refused"]
    assert (refused["status"], refused["code"], refused["help"]) == (
        404,
        "not-found",
        f"{mortal.url}/docs/problems#not-found",
    )


def test_the_example_of_the_readme_plays_under_a_path_too(tools, project, service):
    text = (project / "out" / "example.js").read_text()
    # A game against AI players, without pauses, that begins at the last level.
    quick = '{ ruleset: "shengji", players: 4, ai_pace_ms: 0, options: { deal_pace: "instant", start_level: "A" } }'
    assert text.count('{ ruleset: "shengji", players: 4 }') == 1
    text = text.replace('{ ruleset: "shengji", players: 4 }', quick)
    with under_a_path(service.url) as (below, missed):
        for url in (service.url, below):
            (project / "out" / "quick.js").write_text(text.replace("http://127.0.0.1:8000", url))
            assert tools.run(tools.node, "out/quick.js", cwd=project) == ""
    assert missed == []


def test_it_says_once_that_the_service_is_of_another_version(tools, project):
    shutil.copy(PROGRAMS / "package_versions.mjs", project)
    output = tools.run(tools.node, "package_versions.mjs", document()["info"]["version"], cwd=project).splitlines()
    assert [line.split()[0] for line in output] == ["http://a", "http://b", "http://c"]
    assert [word for line in output for word in re.findall("older|newer|may fail", line)] == [
        "older",
        "newer",
        "may fail",
    ]


def test_it_says_once_that_an_operation_goes(tools, project):
    shutil.copy(PROGRAMS / "package_deprecation.mjs", project)
    output = tools.run(tools.node, "package_deprecation.mjs", document()["info"]["version"], cwd=project)
    assert output == "GET http://a/v1/me/tables is deprecated, and promised until Sun, 02 Jan 2028 00:00:00 GMT\n"


def test_requests_are_sent_again_and_refusals_are_not(tools, project):
    shutil.copy(PROGRAMS / "package_requests.mjs", project)
    assert tools.run(tools.node, "package_requests.mjs", cwd=project) == ""


def test_recorded_games_are_played_without_a_service(tools, project):
    shutil.copy(PROGRAMS / "package_recorded.mjs", project)
    output = tools.run(tools.node, "package_recorded.mjs", cwd=project).split()
    assert sorted(output) == sorted(RULESETS)
    assert re.fullmatch(r"cards-not-held\nfinished \d\d\n", tools.run(tools.node, "out/testing.js", cwd=project))


def test_it_passes_the_conformance_kit(tools, project):
    shutil.copy(ROOT / "clients" / "conformance" / "adapters" / "typescript_client.mjs", project)
    command = [str(tools.node), str(project / "typescript_client.mjs")]
    outcome = conformance.run(command, all_cases(), 6, lambda _: None)
    assert [each for each in outcome.verdicts if each.status != conformance.PASSED] == []


@pytest.fixture
def guide(tools, project, service):
    """The address at which the app of the guide is served."""
    app = project.parent / "guide"
    shutil.copytree(project / "node_modules", app / "node_modules", symlinks=True)
    shutil.copy(project / "package.json", app)
    for name, text in zip(("index.html", "signin.ts", "app.ts"), (PAGE, *GUIDE_TS), strict=True):
        (app / name).write_text(text.replace("http://127.0.0.1:8000", service.url))
    compiles = COMMANDS.splitlines()[0]
    assert compiles.startswith("npx tsc ")
    assert tools.npm(*shlex.split(compiles)[1:], cwd=app) == ""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=app)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


@pytest.mark.browser
def test_the_app_of_the_guide_plays_as_a_guest_and_for_an_account(guide, service, browser):
    lin = Client.register(service.url, "Lin", kind="human")
    account = json.dumps({"token": lin.token, "player": lin.request("GET", "/v1/me")["id"], "name": "Lin"})
    faults = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(guide)
        page.click("text=Play as a guest")
        page.wait_for_selector("text=pass")
        player = Client(service.url, page.evaluate("localStorage.getItem('token')"))
        decision = player.request("GET", f"/v1/tables/{page.url.partition('#')[2]}")["decision"]
        sets = [f"declare {' '.join(cards)}" for cards in decision["hints"]["possible"]]
        assert page.locator("#buttons button").all_inner_texts() == [*sets, "pass"]
        while page.locator("#buttons button").last.inner_text() != "what the hints say":
            page.click("#buttons button >> nth=-1")
        cards = page.locator("#hand button").count()
        assert cards >= 25
        page.click("text=the chosen cards")
        page.wait_for_selector("#said:not(:empty)")
        page.click("text=what the hints say")
        fewer = "most => document.querySelectorAll('#hand button').length < most"
        page.wait_for_function(fewer, arg=cards)
        page.reload()
        page.wait_for_function(fewer, arg=cards)
        assert page.locator("#hand button").count() > 10

        page.evaluate("localStorage.clear()")
        page.goto(service.url)
        page.evaluate("account => localStorage.setItem('shengji', account)", account)
        page.goto(guide)
        page.click("text=Sign in")
        page.click("button >> text=Allow >> nth=0")
        page.wait_for_url(guide + "#*")
        assert page.evaluate("localStorage.getItem('token')") not in ("", None, lin.token)
        [row] = lin.request("GET", "/v1/me/tables")["items"]
        assert row["table"] == page.url.partition("#")[2]

        # With a token that is void by now, at a table and without one, it asks again and plays.
        for place in (page.url, guide):
            page.evaluate("localStorage.setItem('token', 'sjt_void')")
            page.goto("about:blank")
            page.goto(place)
            page.wait_for_selector("text=Play as a guest")
            assert page.evaluate("localStorage.getItem('token')") is None
            assert page.inner_text("#said") != ""
        page.click("text=Play as a guest")
        page.wait_for_selector("#buttons button")
        page.wait_for_function("localStorage.getItem('token')")
    assert faults == []


@pytest.fixture(scope="module")
def bundled(tools, project):
    """Bundles a program that uses the package; returns the file."""
    modules = tools.modules_of(BUNDLERS)
    for name in ("bundle.mjs", "entry.js"):
        shutil.copy(BUNDLERS / name, project)

    def bundle(bundler):
        tools.run(tools.node, "bundle.mjs", bundler, modules.parent.resolve(), cwd=project)
        [file] = project.glob(f"{bundler}.*js*")
        return file

    return bundle


PLAYED = {"answered": 5, "refused": "not-found", "stream": "not-found"}


@pytest.mark.parametrize("bundler", ["esbuild", "rolldown", "webpack", "metro"])
def test_bundlers_of_the_day_take_the_package(tools, bundled, service, bundler):
    file = bundled(bundler)
    assert json.loads(tools.run(tools.node, file, service.url)) == PLAYED


@pytest.mark.browser
def test_a_stream_comes_where_fetch_has_no_body_until_its_end(tools, bundled, service, browser):
    """React Native's `fetch` is `whatwg-fetch` over XMLHttpRequest, and it has no streams."""
    bundle = bundled("esbuild").read_text()
    fetch = (tools.modules_of(BUNDLERS) / "whatwg-fetch" / "dist" / "fetch.umd.js").read_text()
    without = [
        "fetch", "Request", "Response", "Headers", "ReadableStream", "TransformStream", "TextDecoderStream",
    ]  # fmt: skip
    with browser.new_context(bypass_csp=True) as context:
        page = context.new_page()
        page.goto(f"{service.url}/v1")
        page.evaluate("names => names.forEach((name) => delete window[name])", without)
        page.evaluate("delete AbortSignal.prototype.throwIfAborted, delete crypto.randomUUID")
        page.evaluate(fetch)
        assert page.evaluate("'body' in Response.prototype") is False
        page.add_script_tag(content=bundle, type="module")
        page.wait_for_function("typeof window.played === 'function'")
        assert json.loads(page.evaluate("url => played(url)", service.url)) == PLAYED
