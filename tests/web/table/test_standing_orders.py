"""Standing orders at a table that takes days: given by taps, marked on the cards, carried out, and told afterwards."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import follows
from tests.web.looking import faults
from tests.web.person import spoken

pytestmark = pytest.mark.browser

DAYS = {"correspondence": {"decision_hours": 24}}


def test_orders_are_given_marked_carried_out_and_told(person, axe, picture):
    lin = person()
    table = lin.begins("shengji", 4, until=follows, clock=DAYS)
    lin.presses("Orders: 0")
    lin.all("heading", "Standing orders").wait_for()
    orders = lin
    view = lin.api("GET", f"/tables/{table}")
    card = view["decision"]["hints"]["example"][0]
    orders.field("Play when only one play is legal").check()
    orders.field("Be ready for the next round").check()
    orders.field("If I lead").select_option(card)
    led = view["decision"]["hints"]["must_follow"] or "trumps"
    sign = {"S": "♠", "H": "♥", "C": "♣", "D": "♦", "trumps": "trumps"}[led]
    asked = orders.field(f"On a lead of {sign}")
    if asked.count():
        asked.select_option("lowest")
    assert list(faults(lin.page, axe, chinese=False)) == []
    picture(lin.page, "standing-orders.png")
    orders.presses("Save")
    lin.is_at_a_table()
    stored = lin.api("GET", f"/tables/{table}/seats/me/orders")["orders"]
    assert [order["do"] for order in stored if order["do"] != "lowest"] == ["forced", "cards", "ready"]
    expect(lin.all("link", f"Orders: {len(stored)}")).to_be_visible()
    expect(lin.hand.get_by_role("button", name=f"{spoken(card)}, ordered")).not_to_have_count(0)
    lin.beside.lets_orders_act(table)
    acts = lin.api("GET", f"/tables/{table}/seats/me/orders")["acts"]
    if asked.count():
        assert [act["do"] for act in acts] == ["lowest"]
    lin.presses(re.compile("^Orders"))
    if acts:
        lin.sees("Round 1: the lowest")
    lin.speaks("zh-CN")
    picture(lin.page, "standing-orders-zh.png")
    assert list(faults(lin.page, axe, chinese=True)) == []
