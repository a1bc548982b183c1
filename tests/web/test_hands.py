"""One's own hand: which cards are chosen by taps, double taps and drags, and which are played."""

import json

import pytest

from tests.web.person import DESKTOP, two_at_a_table
from tests.web.test_together import play_until_mei_is_next

pytestmark = pytest.mark.browser

#: A card is met where it is not covered, and where it stays when it is raised or lowered.
EDGE = {"x": 9, "y": 40}


def chosen(page):
    return page.evaluate(
        "[...document.querySelectorAll('.hand .card[aria-pressed=true]')].map(card => card.dataset.card)"
    )


def plays_until_asked(lin, text):
    """Answer until the page asks to play with these words; nothing is chosen then."""
    for _ in range(120):
        if lin.asked() == "summary":
            lin.page.click("dialog.summary .main")
            lin.page.wait_for_selector("dialog.summary", state="detached")
        lin.plays_until("play")
        if lin.page.query_selector(f".panel.play .ask >> text=/{text}/"):
            lin.page.wait_for_timeout(300)  # an only legal play would be chosen by now
            lin.page.focus(".hand .card")
            lin.page.keyboard.press("Escape")
            lin.page.evaluate("document.activeElement.blur()")  # a card in focus lies above its neighbours
            return
        lin.answers()
    raise AssertionError(text)


def noted(page):
    """A list that is filled with what the page plays from now on."""
    plays = []
    page.on(
        "request",
        lambda request: request.url.endswith("/play") and plays.append(json.loads(request.post_data)["cards"]),
    )
    return plays


def test_a_double_tap_plays_all_that_is_chosen_with_the_card_or_the_card_alone(person):
    lin = person(size=DESKTOP)
    lin.begins("shengji", 4)
    page = lin.page
    plays_until_asked(lin, "Lead any card")
    plays = noted(page)
    cards = page.locator(".hand .card")
    names = [card.get_attribute("data-card") for card in cards.all()]
    # With another card chosen, a double tap on a second one chooses it too, and plays nothing.
    cards.nth(0).click(position=EDGE)
    cards.nth(5).dblclick(position=EDGE)
    assert chosen(page) == [names[0], names[5]]
    assert plays == []
    cards.nth(5).click(position=EDGE)
    cards.nth(0).dblclick(position=EDGE)
    lin.sees(f"document.querySelectorAll('.hand .card').length === {len(names) - 1}")
    assert plays == [names[:1]]


def test_a_double_tap_plays_nothing_where_several_plays_have_the_card(person):
    lin = person(size=DESKTOP)
    table = lin.begins("shengji", 4)
    page = lin.page
    while True:
        plays_until_asked(lin, r"\b[2-9] (cards|chosen)|play any [2-9]")
        legal = lin.api("GET", f"/tables/{table}/legal-plays?limit=500")["plays"]
        open_ = [card for card in legal[0] if sum(card in play for play in legal) > 1]
        if open_:
            break
        lin.answers()
    plays = noted(page)
    page.locator(f".hand .card[data-card='{open_[0]}']").first.dblclick(position=EDGE)
    page.wait_for_selector(".hand .card[aria-pressed=true]")
    assert chosen(page) == open_[:1]
    assert plays == []


def test_cards_chosen_while_others_play_stay_chosen(person):
    lin, mei, table = two_at_a_table(person)
    lin.tolerated = mei.tolerated = ("409",)  # an AI may be faster while trumps are made
    while True:
        play_until_mei_is_next(lin, mei, table)
        mei.page.locator(".hand .card").last.click(position=EDGE)
        before = chosen(mei.page)
        lin.answers()
        mei.page.wait_for_selector(".panel.play")
        # An only legal play is chosen instead.
        if len(mei.api("GET", f"/tables/{table}/legal-plays?limit=500")["plays"]) > 1:
            break
        mei.answers()
    assert len(before) == 1
    assert chosen(mei.page) == before
    mei.answers()
    mei.sees("!document.querySelector('.hand .card[aria-pressed=true]')")


def drag(page, way, steps):
    """Drag the mouse over cards, by their numbers in the hand."""
    boxes = [card.bounding_box() for card in page.locator(".hand .card").all()]
    for at, number in enumerate(way):
        page.mouse.move(boxes[number]["x"] + 8, boxes[number]["y"] + 40, steps=1 if at == 0 else steps)
        if at == 0:
            page.mouse.down()
    page.mouse.up()


@pytest.mark.parametrize(
    ("way", "steps"), [((0, 3), 12), ((0, 3), 1), ((0, 3, 0), 12)], ids=["slowly", "quickly", "there-and-back"]
)
def test_cards_are_chosen_by_dragging_over_them(person, way, steps):
    lin = person(size=DESKTOP)
    lin.begins("sishifen", 4)
    plays_until_asked(lin, "Lead|Follow|play any")
    drag(lin.page, way, steps)
    pressed = lin.page.evaluate("[...document.querySelectorAll('.hand .card')].map(card => card.ariaPressed)")
    assert [index for index, state in enumerate(pressed) if state == "true"] == [0, 1, 2, 3]
    # A tap afterwards is a tap.
    lin.page.locator(".hand .card").first.click(position=EDGE)
    assert len(chosen(lin.page)) == 3
