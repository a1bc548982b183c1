"""No address that the page requests contains the token or a join code."""

import pytest

pytestmark = pytest.mark.browser


def test_the_token_and_codes_are_in_no_address(person):
    lin, addresses = person(fresh=True), []
    lin.tolerated = ("status of 409",)  # while trumps are made, the AI players may be faster than the page
    lin.context.on("request", lambda request: addresses.append((request.url, request.headers.get("referer", ""))))
    lin.begins("sishifen", 4, hints="on")
    page = lin.page
    table = page.url.rpartition("/")[2]
    page.click("header button[aria-label^=Chat]")
    page.click("dialog.chat button >> text=Good luck!")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.chat", state="detached")
    lin.is_still()
    with page.expect_response("**/hint*"):
        page.click(".panel .suggest")
    lin.finishes(table)
    page.click("dialog.summary a.button")
    page.wait_for_selector(".replay .hand .card")
    code = lin.api("GET", f"/tables/{lin.makes('sishifen', 4, ai=False)}")["join_code"]
    for address in ("lobby", "rules/shengji", "new", f"table/{table}?code={code}", ""):
        page.goto(f"{lin.url}/#/{address}")
        lin.is_still()
    token = lin.account["token"]
    paths = {url.partition("?")[0].rpartition("/")[2] for url, _ in addresses}
    assert paths >= {"players", "rulesets", "tables", table, "chat", "hint", "events"}
    for secret in (token, token.removeprefix("sjt_"), code):
        assert [where for where in addresses if secret in "".join(where)] == []
    assert token not in page.content()
    assert page.evaluate("document.cookie") == ""
