"""The page is light: few requests, few bytes, and nothing is requested twice."""

import json

import pytest
from playwright.sync_api import Response, Route, expect

from service.api import client_pack, client_pages
from tests.web.person import Person, until

pytestmark = pytest.mark.browser


#: Records when the form appears, on the clock of the page.
FORM = """new MutationObserver((_, observer) => {
  if (!document.querySelector("form")) return;
  window.formAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true })"""
#: What the page has requested before that.
ASKED = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ startTime }) => startTime < formAt).map(({ name }) => name)"""


ICON = "/art/icon.svg"


def loaded(lin: Person) -> tuple[dict[str, int], list[str]]:
    """Load the page and all its screens for the first time; return URL -> bytes, and the URLs before the form."""
    answers: list[Response] = []

    def note(answer: Response) -> None:
        # A browser with a window asks for the icon again when the address after # changes.
        if not (answer.url.endswith(ICON) and any(each.url == answer.url for each in answers)):
            answers.append(answer)

    lin.page.on("response", note)
    lin.page.add_init_script(FORM)
    lin.page.goto(lin.url)
    lin.sees("What should we call you?")
    lin.goes_to("rules")
    lin.sees("Two decks, partners face each other.")
    sizes = {answer.url: int(answer.headers.get("content-length") or len(answer.body())) for answer in answers}
    assert len(sizes) == len(answers), "something is asked for twice"
    return sizes, lin.page.evaluate(ASKED)


def test_the_form_takes_few_requests_and_bytes(person):
    lin = person(fresh=True)
    sizes, first = loaded(lin)
    assert 3 <= len(first) <= 10, first
    assert sum(sizes[url] for url in first) <= 75_000
    # The rest is loaded while the form is shown.
    assert sum(size for url, size in sizes.items() if not url.endswith(ICON)) <= 133_000


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
        # A table of characters has little that repeats itself.
        if not name.endswith(".traditional.js"):
            assert len(packed.coded["gzip"]) * 2 < len(packed.coded["identity"])
        assert b"\n/*" not in packed.coded["identity"], "comments are for who reads the files"
    # Parts that are loaded on demand do not load each other.
    wanted = {kind: next(name for name in pack.files if name.endswith(f".{kind}.js")) for kind in ("learn", "teams")}
    assert wanted["teams"].rpartition("/")[2].encode() not in pack.files[wanted["learn"]].coded["identity"]
    assert wanted["learn"].rpartition("/")[2].encode() not in pack.files[wanted["teams"]].coded["identity"]
    # A page of another release gets the current file, and does not cache it.
    answer = lin.context.request.get(f"{lin.url}/app/all.0123456789ab.js")
    assert answer.body().startswith(b"const module0 = ")
    assert answer.headers["cache-control"] == "no-cache"
    assert b"RulesScreen" in lin.context.request.get(f"{lin.url}/app/all.0123456789ab.later.js").body()[-200:]


def test_the_page_works_from_its_plain_modules(person):
    """As from any static host."""
    lin = person(fresh=True)
    index = (client_pages._CLIENT / "index.html").read_text()
    lin.page.route(f"{lin.url}/", lambda route: route.fulfill(body=index, content_type="text/html"))
    assert f"{lin.url}/app/main.js" in loaded(lin)[1]
    until(lin.page, "all modules", lambda: lin.page.evaluate(f"location.href === {json.dumps(lin.url + '/#/rules')}"))


def test_the_buttons_of_the_start_page_do_not_move_when_the_games_arrive(person):
    lin = person(fresh=True)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    lin.page.route("**/v1/rulesets", hold)
    lin.page.goto(lin.url)
    alone = lin.page.get_by_role("button", name="Against AI players")
    before = alone.bounding_box()
    until(lin.page, "a request for the games", lambda: held)
    for each in held:
        each.continue_()
    expect(lin.page.get_by_role("combobox", name="Game").get_by_role("option", name="Forty Points")).to_have_count(1)
    assert alone.bounding_box() == before
