"""When a stream ends, the page shows the table as it is then, with or without a seat, or why it cannot be seen."""

import json
import re

import pytest

from tests.web.looking import faults
from tests.web.person import PHONE, until

pytestmark = pytest.mark.browser

#: Who has come to the table, in the list of seats.
SEATED = re.compile("^Mei$")
#: Reasons of the contract and an unknown one, the status of the view that is read next, and what the page shows.
ENDS = [
    ("over", 200, SEATED),
    ("seat-left", 200, SEATED),
    ("something-new", 200, SEATED),
    ("too-many-streams", 200, "Too many pages of yours are open"),
    ("private-table", 403, "You cannot see this table any more"),
    ("unauthorized", 401, "This device was signed out of Lin's account"),
    ("no-spectators", 403, "A game is on"),
    ("no-spectators board", 403, "no-spectators"),
    ("not-found", 404, "not-found"),
]


def problem(code, status):
    """The problem of a code, which may have a `reason` after a space."""
    code, _, reason = code.partition(" ")
    body = {"type": code, "title": code, "detail": code, "status": status, "code": code, "errors": []}
    body["params"] = {"reason": reason} if reason else {}
    return {"status": status, "content_type": "application/problem+json", "body": json.dumps(body)}


def ended(reason):
    return {"content_type": "text/event-stream", "body": f"event: end\ndata: {json.dumps({'reason': reason})}\n\n"}


def test_after_every_end_or_refusal_of_a_stream_the_page_shows_the_table_as_it_is(person, axe, picture):
    lin = person(fresh=True)
    lin.tolerated = ("status of 4",)
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    answers, streams = [], []

    def stream(route):
        # Streams end or are refused until the page shows it, as it may ask twice on a busy machine. Later ones are left
        # without an answer.
        streams.append(route.request.url)
        if answers:
            route.fulfill(**answers[-1])

    def view(route):
        answer = route.fetch()
        if status == 200 or not streams:
            body = answer.json()
            body["seats"][1]["occupant"] = {"kind": "human", "player": "pl_1", "name": "Mei", "level": None}
            route.fulfill(json=body if streams else answer.json())
        else:
            route.fulfill(**problem(reason, status))

    lin.page.route(re.compile(rf"/v1/tables/{table}/events"), stream)
    lin.page.route(re.compile(rf"/v1/tables/{table}$"), view)
    for reason, status, text in ENDS:
        for answer in (ended(reason.partition(" ")[0]), problem(reason, 429 if status == 200 else status)):
            answers.append(answer)
            streams.clear()
            lin.goes_home()
            lin.goes_to(f"table/{table}")
            lin.sees(text)
            answers.clear()
            if reason == "unauthorized":
                lin.signs_in_again()
            if text == SEATED:
                until(lin.page, "another stream", lambda: len(streams) > 1)
    # The player may choose to go on in this page.
    reason, status, text = ENDS[3]
    answers.append(ended(reason))
    lin.goes_home()
    lin.goes_to(f"table/{table}")
    lin.sees(text)
    for locale in ("zh-CN", "en-GB"):
        lin.speaks(locale)
        assert list(faults(lin.page, axe, chinese=locale == "zh-CN")) == []
        picture(lin.page, f"elsewhere-{locale[:2]}.png")
    answers.clear()
    lin.presses("Go on here")
    lin.sees_no(text)


def guest_of(lin, mei, **spec):
    """Seat Mei at a table of Lin's, with its page open; return the table."""
    for each in (lin, mei):
        each.tolerated = ("status of 40",)
        each.registers()
    table = lin.makes("sishifen", 4, ai=False, **spec)
    code = lin.api("GET", f"/tables/{table}")["join_code"]
    mei.api("POST", f"/tables/{table}/seats", {"seat": 1, "join_code": code})
    mei.opens(table)
    mei.sees_no("Connecting")
    return table


def test_a_removed_guest_sees_the_table_without_a_seat_or_is_told_why_not(person, picture):
    lin, mei = person(), person(name="Mei", fresh=True)
    table = guest_of(lin, mei, visibility="public")
    lin.api("DELETE", f"/tables/{table}/seats/1")
    mei.control("Sit down").first.wait_for()
    assert not mei.control("I am ready").count()
    lin.api("DELETE", f"/tables/{guest_of(lin, mei, visibility='private')}/seats/1")
    mei.sees("The host has removed you from this table")
    picture(mei.page, "removed-en.png")
    mei.speaks("zh-CN")
    picture(mei.page, "removed-zh.png")
    assert list(faults(mei.page, None, chinese=True)) == []


def test_a_closed_table_says_so_and_offers_nothing(person, axe, picture):
    lin, mei = person(), person(name="Mei", size=PHONE)
    table = guest_of(lin, mei)
    mei.field("Invitation link").wait_for()
    lin.api("DELETE", f"/tables/{table}")
    for _ in ("told", "read again"):
        mei.sees("The host has closed this table")
        assert mei.all("button").all_inner_texts() == ["", ""]  # of the chat and the menu
        mei.sees_no("Whoever opens this link can sit down", "Connecting")
        mei.page.reload()
    for locale in ("en-GB", "zh-CN"):
        mei.speaks(locale)
        assert list(faults(mei.page, axe, chinese=locale == "zh-CN")) == []
        picture(mei.page, f"closed-{locale[:2]}.png")
    mei.goes_to()
    mei.part("list", "我的牌桌").sees("已关闭")
    mei.speaks("en-GB")
