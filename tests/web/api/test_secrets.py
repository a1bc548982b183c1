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
    lin.presses("Chat")
    lin.presses("Good luck!")
    page.keyboard.press("Escape")
    lin.dialog().is_gone()
    lin.is_still()
    with page.expect_response("**/hint*"):
        lin.presses("Suggest")
    lin.finishes(table)
    lin.presses("Replay")
    lin.is_at_a_replay()
    code = lin.api("GET", f"/tables/{lin.makes('sishifen', 4, ai=False)}")["join_code"]
    for address in ("lobby", "rules/shengji", "new", f"table/{table}?code={code}", ""):
        lin.goes_to(address)
        lin.is_still()
    token = lin.account["token"]
    paths = {url.partition("?")[0].rpartition("/")[2] for url, _ in addresses}
    assert paths >= {"players", "rulesets", "tables", table, "chat", "hint", "events"}
    for secret in (token, token.removeprefix("sjt_"), code):
        assert [where for where in addresses if secret in "".join(where)] == []
    assert token not in page.content()
    assert page.evaluate("document.cookie") == ""
