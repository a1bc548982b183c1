"""The documentation site builds without a warning, is complete, and loads nothing from other hosts."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import shengji_client
from harness.document import document
from harness.make_run import ROOT
from service.rules.options.catalogue import catalogue
from service.rules.options.rulesets import RULESETS

SOURCES = (
    "mkdocs.yml",
    "docs",
    "laboratory",
    "scripts",
    "service",
    "clients",
    "openapi.yaml",
    "asyncapi.yaml",
    "docker-compose.yml",
    "LICENSE",
)


def build(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs") / "site"
    done = build(ROOT, folder)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder, and return its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_has_a_page_with_all_its_options(site: Path, ruleset: str) -> None:
    page = (site / "rulesets" / ruleset / "index.html").read_text()
    for option in catalogue(ruleset)["options"]:
        markup = f'id="{option["name"]}"' if option["changeable"] else f"<td><code>{option['name']}</code></td>"
        assert markup in page


def test_every_page_of_the_repository_is_on_the_site(site: Path) -> None:
    pages = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    for page in pages:
        assert (site / (page.parent if page.name == "README" else page) / "index.html").exists(), page
    assert "Two commands" in (site / "index.html").read_text()


def test_the_reference_shows_the_document_of_this_version(site: Path) -> None:
    assert 'url: "../openapi.yaml"' in (site / "api" / "index.html").read_text()
    assert (site / "openapi.yaml").read_bytes() == (ROOT / "openapi.yaml").read_bytes()
    for name in re.findall(r'(?:src|href)="([^"]+)"', (site / "api" / "index.html").read_text()):
        assert (site / "api" / name).exists(), name


def test_the_reference_of_the_packages_has_all_their_exports(site: Path) -> None:
    index = (ROOT / "clients" / "typescript" / "src" / "index.ts").read_text()
    exported = {
        "python": set(shengji_client.__all__) | {"RecordedGame"},
        "typescript": set(re.findall(r"\b\w+\b", " ".join(re.findall(r"\{ (?!comp)(.*?) \}", index)))) - {"type"},
    }
    for language, names in exported.items():
        page = (site / "reference" / language / "index.html").read_text()
        exports = re.findall(r"<h2 id=[^>]*><code>(\w+)</code>", page)
        assert len(names) > 8
        # These two are types in the package for Python, described in the contract.
        assert names - set(exports) <= {"Action", "View"}


def test_the_collection_has_every_operation_with_its_parameters(site: Path) -> None:
    collection = json.loads((site / "shengji.postman_collection.json").read_text())
    requests = [each["request"] for folder in collection["item"] for each in folder["item"]]
    operations = {
        (method.upper(), re.sub(r"\{(\w+)\}", r":\1", path)): operation
        for path, item in document()["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }
    items = {(each["method"], "/" + "/".join(each["url"]["path"])): each for each in requests}
    assert items.keys() == operations.keys()
    for key, request in items.items():
        named = [each["key"] for each in request["url"]["variable"]]
        assert named == re.findall(r":(\w+)", key[1])
        assert ("body" in request) == ("requestBody" in operations[key])
    register = items["POST", "/v1/players"]
    assert json.loads(register["body"]["raw"])["name"]
    assert register["auth"] == {"type": "noauth"}


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)\b[^>]*(?:src|href)="(?!data:)(?:\w+:)?//[^"]*"', page.read_text())
        assert loaded == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//", sheet.read_text()), sheet


def test_every_page_is_of_one_of_four_kinds(site: Path) -> None:
    page = (site / "index.html").read_text()
    menu = re.findall(r'<a href="#" class="nav-link dropdown-toggle[^>]*>([^<]+)</a>', page)
    assert menu == ["Tutorials", "How-to guides", "Reference", "Explanation"]
    nav = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^  - (.*)$", nav, re.MULTILINE) == [f"{kind}:" for kind in menu]
    pages = re.findall(r"[\w./-]+\.(?:md|html)$", nav, re.MULTILINE)
    assert len(pages) == len(set(pages)) > 30


#: What somebody looks for, and the part of the site that the first results must have.
SOUGHT = [
    ("verify a shuffle", "shuffle/"),
    ("settings of the messenger", "operations/"),
    ("甩牌", "glossary/#play"),
    ("抠底", "glossary/#kitty"),
    ("拖拉机", "README.zh-CN/"),
    ("牌谱", "README.zh-CN/"),
    ("埋底 discard", "glossary/#kitty"),
    ("谱", "README.zh-CN/"),
]


@pytest.mark.browser
def test_the_search_finds_english_and_chinese_without_a_network(site: Path, browser: Browser) -> None:
    asked = []
    with served(site) as address, browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/records/?q=trumps")
        results = page.locator("#mkdocs-search-results article a")
        expect(results).not_to_have_count(0, timeout=120_000)  # The browser has made the index.
        page.keyboard.press("s")
        field = page.get_by_role("searchbox")
        for text, place in SOUGHT:
            field.fill("")
            field.press("Backspace")
            expect(results).to_have_count(0, timeout=60_000)
            field.fill(text)
            field.press("End")
            expect(results).not_to_have_count(0, timeout=60_000)
            first = [link.get_attribute("href") or "" for link in results.all()[:5]]
            assert any(place in link for link in first), (text, first)
        field.fill("麻将")
        field.press("End")
        expect(page.locator("#mkdocs-search-results")).to_have_text(re.compile("No results"), timeout=60_000)
    assert [url for url in asked if not url.startswith(address)] == []


@pytest.mark.nightly
def test_a_dead_link_fails_the_build(tmp_path: Path) -> None:
    for name in [*SOURCES, *(page.name for page in ROOT.glob("*.md"))]:
        if (ROOT / name).is_dir():
            # Installed and built files of a developer are no part of it.
            built = shutil.ignore_patterns("node_modules", "build", "dist")
            shutil.copytree(ROOT / name, tmp_path / name, ignore=built)
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "docs" / "shuffle.md").write_text("[gone](nowhere.md)\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    assert "nowhere.md" in done.stderr
