"""A trick, its points and its winner, the last trick, cards from the kitty, the partner, and the side panel."""

import pytest
from playwright.sync_api import expect

from service.rules.cards import names_of
from tests.web import pieces
from tests.web.beside import asks, follows, is_scored, only
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, spoken, until

pytestmark = pytest.mark.browser

#: With this deal, seat 0 can make trumps.
CALLS = "monday, the cards of"
POINTS = {"5": 5, "T": 10, "K": 10}


def points_of(cards):
    return sum(POINTS.get(card[0], 0) for card in cards)


def has_points(state):
    """Tell whether seat 0 follows in a trick with points that is not the first."""
    table_round = state["round"]
    plays = table_round["trick"]["plays"] if follows(state) and table_round["last_trick"] else []
    return points_of(name for play in plays for name in names_of(play["cards"])) > 0


def test_points_of_a_trick_are_shown_and_fly_to_its_winner(person, axe, picture):
    lin = person(motion="no-preference", fresh=True)
    lin.context.add_init_script(
        """window.gained = [];
        new MutationObserver((changes) => {
          for (const { addedNodes } of changes)
            for (const node of addedNodes) if (node.className === "gained") gained.push(node.textContent);
        }).observe(document, { childList: true, subtree: true });"""
    )
    table = lin.begins("sishifen", 4, until=has_points, seed="points in the trick")
    page = lin.page
    trick = lin.api("GET", f"/tables/{table}")["round"]["trick"]
    points = points_of(card for play in trick["plays"] for card in play["cards"])
    expect(page.get_by_role("main").get_by_text(f"{points} points")).to_be_visible()
    # A tap on the middle shows the last trick.
    page.get_by_role("button", name="Last trick").click()
    last = page.get_by_role("dialog", name="Last trick")
    expect(last.get_by_role("listitem")).to_have_count(4)
    assert list(faults(page, axe, chinese=False)) == []
    picture(page, "last-trick.png")
    page.keyboard.press("Escape")
    expect(last).to_have_count(0)
    lin.answers()
    # Lin may have won the trick, and then leads before it is gathered.
    if lin.decision_kind() == "play" and not page.evaluate("gained.length"):
        lin.answers()
    until(page, "points that fly to their winner", "gained.length > 0")
    taken = lin.api("GET", f"/tables/{table}/events?after=0&limit=500")["events"]
    won = [each["data"]["points"] for each in taken if each["type"] == "trick_won"]
    assert page.evaluate("gained[0]") in {f"+{each}" for each in won if each}


def test_cards_from_the_kitty_and_the_partner_are_marked(person, picture):
    lin = person()
    lin.tolerated = ("status of 409",)
    lin.registers()
    table = lin.makes("shengji", 4, ai=False, seed=CALLS)
    lin.invites(table, 4)  # AI players might declare
    lin.beside.plays_on(table, asks("discard"), shows=only(0))
    lin.opens(table)
    page = lin.page
    fresh = lin.hand.get_by_role("button", name="from the kitty")
    expect(fresh).to_have_count(8)
    log = lin.api("GET", f"/tables/{table}/events?after=0&limit=500")["events"]
    [taken] = [each["data"]["cards"] for each in log if each["type"] == "kitty_taken"]
    names = [each.inner_text().partition(",")[0] for each in fresh.all()]
    assert sorted(names) == sorted(map(spoken, taken))
    picture(page, "kitty-marked.png")
    partner = page.get_by_role("region", name="On your side")
    assert partner.all_inner_texts()[0].startswith("Guest 2")
    expect(partner).to_have_count(1)
    lin.answers()
    expect(lin.controls.get_by_role("button", name="Play")).to_be_visible()
    expect(fresh).to_have_count(0)


def test_a_wide_window_has_a_side_panel_beside_the_table(person, axe, picture):
    lin = person(size=DESKTOP)
    # With this deal, single cards are played: those of larger plays are smaller.
    table = lin.begins("shengji", 4, until=has_points, hints="on", seed="points in the trick")
    page = lin.page
    beside = page.get_by_role("complementary", name="Beside the table")
    expect(beside.locator("[aria-current=step]")).to_have_count(1)
    view = lin.api("GET", f"/tables/{table}")
    gone = sum(view["round"]["played"].values()) + len(view["my"]["hand"]) + len(view["my"]["discard"] or [])
    left = "(cells) => cells.reduce((sum, cell) => sum + (Number(cell.innerText) || 0), 0)"
    assert lin.part("table", "Cards not seen yet").all("cell").evaluate_all(left) == 108 - gone
    lin.fills("Message", "hello")
    lin.presses("Send")
    lin.part("list", "Messages").sees("hello")
    # All plays lie within 40 % of the cloth, and cards are large.
    for size in ((3840, 2160), DESKTOP):
        lin.has_window(size)
        cloth = page.locator(pieces.CLOTH).bounding_box()
        plays = lin.seats.get_by_role("img")
        for box in (each.bounding_box() for each in plays.all()):
            from_middle = [box["x"] + shift - cloth["x"] - cloth["width"] / 2 for shift in (0, box["width"])]
            assert max(map(abs, from_middle)) <= 0.2 * cloth["width"] + 1
        card, widest = plays.locator(pieces.CARD).first, 111 if size == DESKTOP else 220
        until(page, "large cards", lambda card=card, widest=widest: 100 <= card.bounding_box()["width"] <= widest)
        picture(page, f"side-{size[0]}.png")
    for locale, colours in (("zh-CN", "dark"), ("en-GB", "light")):
        lin.speaks(locale)
        page.emulate_media(color_scheme=colours)
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"side-{locale[:2]}.png")
    lin.has_window(PHONE)
    expect(beside).to_have_count(0)
    # At a table without hints, the page does not count the cards for its player.
    lin.begins("shengji", 4, hints="off")
    lin.has_window(DESKTOP)
    expect(beside.get_by_role("heading", name="Chat")).to_be_visible()
    expect(page.get_by_role("table", name="Cards not seen yet")).to_have_count(0)
    # The result ends with who declares next, and at which level.
    lin.beside.plays_on(page.url.rpartition("/")[2], is_scored)
    expect(lin.result.get_by_text("at level")).to_be_visible()
