"""Cards that must be played are chosen already, and the page says what is required."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import follows
from tests.web.looking import faults
from tests.web.person import spoken, until

pytestmark = pytest.mark.browser

OTHERS = ["AS", "KS", "9S", "QD", "7D"]
#: Cards asked for, clubs held, whether there are more plays than listed, and what the page says.
ASKED = [
    (2, ["5C"], 0, "Play your only club and 1 other card", "出您的 1 张梅花，另加任意 1 张"),
    (2, ["8C", "5C"], 0, "Play your 2 clubs", "出您的 2 张梅花"),
    (4, ["8C", "5C"], 1, "Play your 2 clubs and 2 other cards", "出您的 2 张梅花，另加任意 2 张"),
]


def test_cards_that_must_be_played_are_chosen_and_named(person, axe, picture):
    lin = person()
    table = lin.begins("sishifen", 4, until=follows)
    page = lin.page

    def view(route):
        response = route.fetch()
        body = response.json()
        if body["decision"] is None:  # the table has been closed
            route.fulfill(response=response)
            return
        hand = [*OTHERS, *held]
        body["my"] |= {"hand": hand, "sorted_by": {**body["my"]["sorted_by"], "rank": "2", "suit": "H"}}
        hints = {"cards": count, "must_follow": "C", "required": [], "example": hand[:count]}
        body["decision"]["hints"] = hints
        route.fulfill(response=response, json=body)

    def plays(route):
        missing = count - len(held)
        legal = [held + OTHERS[at : at + missing] for at in range(len(OTHERS) if missing else 1)]
        route.fulfill(json={"plays": legal, "complete": not more})

    page.route(re.compile(rf"/v1/tables/{table}$"), view)
    page.route(re.compile(r"/legal-plays"), plays)
    for count, held, more, english, chinese in ASKED:  # noqa: B007 - the stubs read them
        page.goto(f"{lin.url}/#/")
        page.get_by_text("Hello, Lin!").wait_for()
        lin.opens(table)
        expect(lin.chosen).to_have_count(len(held))
        for card in held:
            expect(lin.hand.get_by_role("button", name=spoken(card), pressed=True)).to_have_count(1)
        expect(lin.hand.get_by_role("button", name="not playable now")).to_have_count(
            0 if count > len(held) else len(OTHERS)
        )
        expect(lin.controls.get_by_text(english, exact=True)).to_be_visible()
        picture(page, f"forced-{count}-{len(held)}-en.png")
        lin.speaks("zh-CN")
        expect(lin.controls.get_by_text(chinese, exact=True)).to_be_visible()
        assert list(faults(page, axe, chinese=True)) == []
        picture(page, f"forced-{count}-{len(held)}-zh.png")
        lin.speaks("en-GB")
    # The player may choose otherwise.
    lin.hand.get_by_role("button", name=spoken("5C")).click(position={"x": 9, "y": 9})
    expect(lin.hand.get_by_role("button", name=spoken("8C"), pressed=True)).to_have_count(1)
    expect(lin.chosen).to_have_count(1)
    # The page makes the only legal play by itself, if allowed; the service refuses it, as the real hand differs.
    lin.tolerated = ("status of 422", "status of 409")
    count, held, more = 2, ["8C", "5C"], 0
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.url.endswith("/play") else None)
    lin._stores({"obvious": True})
    page.goto(f"{lin.url}/#/")
    page.get_by_text("Hello, Lin!").wait_for()
    lin.opens(table)
    expect(lin.chosen).to_have_count(2)
    until(page, "the page plays", lambda: sent)
    assert sorted(sent[0]["cards"]) == ["5C", "8C"]
    lin._stores({"obvious": False})
