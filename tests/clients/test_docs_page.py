"""The docs page in a fresh browser: it shows all operations and loads nothing from another host."""

import os
import shutil

import pytest
import yaml
from playwright.sync_api import sync_playwright

from tests.clients.tools import DOCUMENT

METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def page():
    program = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-browser"))), None)
    if program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no Chromium on PATH")
    with sync_playwright() as playwright:
        # Root may not use the sandbox of Chromium; the pages are our own.
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser.new_page()
        browser.close()


@pytest.mark.browser
def test_the_docs_page_shows_every_operation_and_needs_no_other_host(service, page):
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{service.url}/docs")
    page.wait_for_selector(".opblock", timeout=60_000)
    shown = {
        (
            row.get_attribute("class").split("opblock-")[1].split()[0],
            row.locator("[data-path]").get_attribute("data-path"),
        )
        for row in page.locator(".opblock").all()
    }
    paths = yaml.load(DOCUMENT.read_text(encoding="utf-8"), yaml.CSafeLoader)["paths"]
    assert shown == {(method, path) for path, item in paths.items() for method in item if method in METHODS}
    page.locator("[data-path='/v1/tables'] >> nth=0").click()
    page.wait_for_selector(".opblock.is-open .opblock-body", timeout=60_000)
    assert "application/problem+json" in page.locator(".opblock.is-open").first.inner_text()
    assert said == []
    assert len(asked) >= 4
    assert [url for url in asked if not url.startswith((service.url, "data:"))] == []
