"""One's own hand: which cards are chosen by taps, double taps and drags, and which are played."""

import json

import pytest
from playwright.sync_api import expect

from tests.web.beside import follows, holds, leads
from tests.web.person import DESKTOP, two_at_a_table
from tests.web.table.test_together import mei_is_next
from workers import ai

pytestmark = pytest.mark.browser

#: A point of a card that no other card covers, whether the card is raised or not.
EDGE = {"x": 9, "y": 40}


def names_of(cards):
    """The short names of cards, such as `TS`."""
    return cards.evaluate_all("(all) => all.map((card) => card.dataset.card)")


def chooses_nothing(lin):
    """Lower all cards, and take the focus away: a card in focus lies above its neighbours."""
    lin.cards.first.focus()
    lin.page.keyboard.press("Escape")
    lin.page.evaluate("document.activeElement.blur()")


def noted(page):
    """Return a list to which the cards of each play are added from now on."""
    plays = []
    page.on(
        "request",
        lambda request: request.url.endswith("/play") and plays.append(json.loads(request.post_data)["cards"]),
    )
    return plays


def test_a_double_tap_plays_a_card_alone_or_all_chosen_cards_but_none_not_yet_chosen(person):
    lin = person(size=DESKTOP)
    lin.begins("shengji", 4, until=lambda state: leads(state) and not holds(6)(state))
    lin.tolerated += ("status of 422",)
    page = lin.page
    lin.sees("Lead any card")
    plays = noted(page)
    cards = lin.cards
    names = names_of(cards)
    # While a card is chosen, a double tap on another one chooses it too, and plays nothing.
    cards.nth(0).click(position=EDGE)
    cards.nth(5).dblclick(position=EDGE)
    assert names_of(lin.chosen) == [names[0], names[5]]
    assert plays == []
    cards.nth(5).click(position=EDGE)
    # On a chosen card, it plays all chosen cards: here a trump and a card of a suit, which cannot be led together.
    last = len(names) - 1
    cards.nth(last).click(position=EDGE)
    cards.nth(0).dblclick(position=EDGE)
    lin.part("alert").is_there()
    assert plays == [[names[0], names[last]]]
    cards.nth(last).click(position=EDGE)
    cards.nth(0).dblclick(position=EDGE)
    expect(cards).to_have_count(last)
    assert plays[1:] == [names[:1]]


def has_to_follow_several(state):
    return follows(state) and len(state["round"]["trick"]["plays"][0]["cards"]) > 1


def test_a_double_tap_plays_nothing_if_several_legal_plays_contain_the_card(person):
    lin = person(size=DESKTOP)
    table = lin.begins("shengji", 4, until=has_to_follow_several, by=ai.choose)
    page = lin.page
    passed_by = []
    while True:
        legal = lin.api("GET", f"/tables/{table}/legal-plays?limit=500")["plays"]
        open_ = [card for card in legal[0] if sum(card in play for play in legal) > 1]
        if open_:
            break
        passed_by.append(lin.api("GET", f"/tables/{table}")["decision"]["id"])
        lin.beside.plays_on(
            table,
            lambda state: has_to_follow_several(state) and state["decision"]["id"] not in passed_by,
            by=ai.choose,
        )
    lin.is_asked(table)
    lin.is_still()
    chooses_nothing(lin)
    plays = noted(page)
    lin.card(open_[0]).dblclick(position=EDGE)
    expect(lin.chosen).to_have_count(1)
    assert names_of(lin.chosen) == open_[:1]
    assert plays == []


def test_cards_chosen_while_others_play_stay_chosen(person):
    lin, mei, table = two_at_a_table(person)
    lin.tolerated = mei.tolerated = ("409",)  # an AI may be faster while trumps are made
    while True:
        lin.beside.plays_on(table, mei_is_next)
        lin.is_asked(table)
        mei.has_caught_up(table)
        lin.is_still()
        mei.is_still()
        mei.cards.last.click(position=EDGE)
        before = names_of(mei.chosen)
        lin.answers()
        mei.is_asked(table)
        # The page also chooses cards that are in every legal play.
        if not set.intersection(*map(set, mei.api("GET", f"/tables/{table}/legal-plays?limit=500")["plays"])):
            break
        mei.answers()
    assert len(before) == 1
    assert names_of(mei.chosen) == before
    mei.answers()
    expect(mei.chosen).to_have_count(0)


def drag(lin, way, steps):
    """Drag the mouse over cards, by their numbers in the hand."""
    page, boxes = lin.page, [card.bounding_box() for card in lin.cards.all()]
    for at, number in enumerate(way):
        page.mouse.move(boxes[number]["x"] + 8, boxes[number]["y"] + 40, steps=1 if at == 0 else steps)
        if at == 0:
            page.mouse.down()
    page.mouse.up()


def test_cards_are_chosen_by_dragging_over_them(person):
    lin = person(size=DESKTOP)
    lin.begins("sishifen", 4)
    lin.is_still()
    chooses_nothing(lin)
    for way, steps in (((0, 3), 12), ((0, 3), 1), ((0, 3, 0), 12)):  # slowly, quickly, there and back
        drag(lin, way, steps)
        pressed = lin.cards.evaluate_all("(cards) => cards.map((card) => card.ariaPressed)")
        assert [index for index, state in enumerate(pressed) if state == "true"] == [0, 1, 2, 3], (way, steps)
        # A tap afterwards is not taken for a drag.
        lin.cards.first.click(position=EDGE)
        expect(lin.chosen).to_have_count(3)
        chooses_nothing(lin)
