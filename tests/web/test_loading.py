"""The page is light: few requests, few bytes, and nothing is asked for twice."""

import json

import pytest
from playwright.sync_api import Response

from service.api import client_pack, client_pages
from tests.web.person import Person, until

pytestmark = pytest.mark.browser


def loaded(lin: Person) -> tuple[list[str], int]:
    """Load the page for the first time; return what it asked for before the form was there, and the bytes that came."""
    answers: list[Response] = []
    lin.page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 - Playwright marks the handler
    lin.page.goto(lin.url)
    lin.page.wait_for_selector("form.name, .start .main")
    return [answer.url.removeprefix(lin.url) for answer in answers], sum(
        int(answer.headers.get("content-length") or len(answer.body())) for answer in answers
    )


def test_the_form_takes_few_requests_and_bytes(person):
    lin = person(fresh=True)
    asked, size = loaded(lin)
    assert len(asked) <= 10, asked
    assert size <= 100_000
    # The rest comes while one looks at it.
    lin.page.goto(f"{lin.url}/#/rules")
    lin.page.wait_for_selector(".my-tables li")


def test_packed_files_are_compressed_and_kept_until_they_change(person):
    lin = person()
    pack = client_pack.pack_of(client_pages._CLIENT)
    for name, packed in pack.files.items():
        for coding, stored in packed.coded.items():
            answer = lin.context.request.get(f"{lin.url}/{name}", headers={"Accept-Encoding": coding})
            assert answer.headers.get("content-encoding", "identity") == coding
            assert "immutable" in answer.headers["cache-control"]
            assert answer.body() == packed.coded["identity"]
            assert len(stored) <= len(packed.coded["identity"])
        assert len(packed.coded["gzip"]) * 2 < len(packed.coded["identity"])
    # A page of another release gets what there is, and does not keep it.
    answer = lin.context.request.get(f"{lin.url}/app/all.0123456789ab.js")
    assert answer.body().startswith(b"const module0 = ")
    assert answer.headers["cache-control"] == "no-cache"
    assert b"laterScreen" in lin.context.request.get(f"{lin.url}/app/all.0123456789ab.later.js").body()[-200:]


def test_the_plain_modules_are_a_page_too(person):
    """As any static host serves them."""
    lin = person(fresh=True)
    index = (client_pages._CLIENT / "index.html").read_text()
    lin.page.route(f"{lin.url}/", lambda route: route.fulfill(body=index, content_type="text/html"))
    asked, _ = loaded(lin)
    assert "/app/main.js" in asked
    lin.page.goto(f"{lin.url}/#/rules")
    lin.page.wait_for_selector(".my-tables li")
    until(lin.page, "all modules", lambda: lin.page.evaluate(f"location.href === {json.dumps(lin.url + '/#/rules')}"))
