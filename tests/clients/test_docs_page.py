"""The docs page in a fresh browser: it shows all operations and loads nothing from another host.

Swagger UI takes seconds for 170 operations, so by day it gets a document with some of them, and by night all.
"""

import pytest

from harness.document import document
from tests.support.sorting import is_day

METHODS = ("get", "post", "put", "patch", "delete")

#: Method, path and summary of each operation on the page.
SHOWN = """() => [...document.querySelectorAll(".opblock")].map((row) => [
    row.className.split("opblock-")[1].split(" ")[0],
    row.querySelector("[data-path]").dataset.path,
    row.querySelector(".opblock-summary-description").innerText,
  ])"""


@pytest.fixture
def page(browser):
    # From 150 rows on, Swagger UI draws only those in the window, so the window is as high as all of them.
    with browser.new_context(viewport={"width": 1280, "height": 20_000}) as context:
        yield context.new_page()


@pytest.fixture
def paths(page):
    """Paths of the document that the page gets: by day every twentieth and those of players."""
    paths = document()["paths"]
    if not is_day():
        return paths
    some = {path: item for number, (path, item) in enumerate(paths.items()) if path == "/v1/players" or not number % 20}
    page.route("**/openapi.yaml", lambda route: route.fulfill(json={**document(), "paths": some}))
    return some


def operations(page):
    """Return method, path and summary of all operations on the page, which must show each webhook once, too."""
    page.wait_for_selector("#docs .webhooks .opblock", timeout=60_000)
    rows, webhooks = page.evaluate(SHOWN), document()["webhooks"]
    assert [path for _, path, _ in rows if path in webhooks] == [*webhooks]
    return [row for row in rows if row[1] not in webhooks]


@pytest.mark.browser
def test_the_docs_page_shows_every_operation_and_needs_no_other_host(service, page, paths):
    urls, messages = [], []
    page.on("request", lambda request: urls.append(request.url))
    page.on("console", lambda message: messages.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(f"{service.url}/docs?lang=zh-Hans")
    assert sorted(operations(page)) == sorted(
        [method, path, operation["summary"]]
        for path, item in paths.items()
        for method, operation in item.items()
        if method in METHODS
    )
    page.locator("[data-path='/v1/players'] >> nth=0").click()
    page.wait_for_selector(".opblock.is-open .opblock-description", timeout=60_000)
    opened = page.locator(".opblock.is-open").first.inner_text()
    assert "application/problem+json" in opened
    for link in ("玩法与规则", "错误代码", "升级游戏服务"):
        page.locator("nav.top").get_by_text(link).click()
        page.wait_for_url("**?lang=zh-Hans")
        page.wait_for_selector("html[lang=zh-Hans]")
        if link != "升级游戏服务":
            assert page.locator("nav.top").get_by_text("接口文档").get_attribute("href").endswith("?lang=zh-Hans")
    assert messages == []
    assert len(urls) >= 4
    assert [url for url in urls if not url.startswith((service.url, "data:"))] == []
