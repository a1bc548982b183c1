"""Cards that must be played are chosen already, and the page says what is required."""

import re

import pytest

from tests.web.beside import follows
from tests.web.looking import faults
from tests.web.person import until

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
    chosen = "[...document.querySelectorAll('.hand .card[aria-pressed=true]')].map((card) => card.dataset.card)"

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
        page.wait_for_selector(".hello")
        lin.opens(table)
        lin.sees(f"{chosen}.length === {len(held)}")
        assert sorted(page.evaluate(chosen)) == sorted(held)
        assert page.locator(".hand .card.dimmed").count() == (0 if count > len(held) else len(OTHERS))
        assert page.inner_text(".panel.play .ask") == english
        picture(page, f"forced-{count}-{len(held)}-en.png")
        lin.speaks("zh-CN")
        assert page.inner_text(".panel.play .ask") == chinese
        assert list(faults(page, axe, chinese=True)) == []
        picture(page, f"forced-{count}-{len(held)}-zh.png")
        lin.speaks("en-GB")
    # The player may choose otherwise.
    page.click(".hand .card[data-card='5C']", position={"x": 9, "y": 9})
    lin.sees(f"{chosen}.join() === '8C'")
    # The page makes the only legal play by itself, if allowed; the service refuses it, as the real hand differs.
    lin.tolerated = ("status of 422", "status of 409")
    count, held, more = 2, ["8C", "5C"], 0
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.url.endswith("/play") else None)
    lin._stores({"obvious": True})
    page.goto(f"{lin.url}/#/")
    page.wait_for_selector(".hello")
    lin.opens(table)
    lin.sees(f"{chosen}.length === 2")
    until(page, "the page plays", lambda: sent)
    assert sorted(sent[0]["cards"]) == ["5C", "8C"]
    lin._stores({"obvious": False})
