"""Saying in a replay that a play of an AI player was silly, saying what would have been better, and taking it back."""

import json

import pytest

from tests.web.beside import is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, spoken

pytestmark = pytest.mark.browser

SILLY = "This play was silly"


def follower(lin, game, actions):
    """A play of an AI player who could have followed with another single card, and that card."""
    path = f"/games/{game}/rounds/1"
    for action in actions:
        if action["by"] == "ai" and action["type"] == "play" and len(action["cards"]) == 1:
            view = lin.api("GET", f"{path}/states/{action['seq']}?seat={action['seat']}")
            for card in view["my"]["hand"]:
                answer = lin.page.request.put(
                    f"{lin.url}/v1{path}/objections/{action['seq']}",
                    headers={"Authorization": f"Bearer {lin.account['token']}", "Content-Type": "application/json"},
                    data=json.dumps({"instead": [card]}),
                )
                if answer.ok:
                    lin.api("DELETE", f"{path}/objections/{action['seq']}")
                    return action, card
    raise AssertionError("every play was forced")


def test_a_silly_play_is_stored_with_a_better_one_and_taken_back(person, axe, picture):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    actions = lin.api("GET", f"/games/{game}/rounds/1")["actions"]
    action, better = follower(lin, game, actions)
    page = lin.page
    page.goto(f"{lin.url}/#/replay/{game}/1?at={actions.index(action)}")
    silly = page.get_by_role("button", name=SILLY)
    silly.click()
    page.get_by_role("status").filter(has_text="Tap again to take it back").wait_for()
    assert silly.get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="What would you have played?").click()
    cards = page.get_by_role("group", name="What would you have played?")
    assert page.get_by_role("button", name="I would have played this").is_disabled()
    cards.get_by_role("button", name=spoken(better), exact=True).first.click()
    for size, locale, colours in ((PHONE, "en-GB", "dark"), (DESKTOP, "en-GB", "light")):
        lin.has_window(size)
        page.emulate_media(color_scheme=colours)
        page.get_by_role("button", name="I would have played this").scroll_into_view_if_needed()
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"objection-{size[0]}.png")
    page.get_by_role("button", name="I would have played this").click()
    page.get_by_text("You would have played:").wait_for()
    assert page.get_by_role("img", name=spoken(better)).count() >= 1
    [stored] = lin.api("GET", "/me/objections")["items"]
    assert (stored["seq"], stored["instead"]) == (action["seq"], [better])
    # It is still there after a reload, and for this play alone.
    page.reload()
    page.get_by_text("You would have played:").wait_for()
    silly.click()
    page.get_by_text("You would have played:").wait_for(state="detached")
    assert silly.get_attribute("aria-pressed") == "false"
    assert lin.api("GET", "/me/objections")["items"] == []


def test_a_refused_play_is_explained_and_plays_of_people_cannot_be_called_silly(person):
    lin = person()
    table = lin.begins("sishifen", 4, until=is_scored)
    game = lin.api("GET", f"/tables/{table}")["game"]["id"]
    actions = lin.api("GET", f"/games/{game}/rounds/1")["actions"]
    page, lin.tolerated = lin.page, ("422",)
    plays = [at for at, each in enumerate(actions) if each["type"] == "play"]
    mine = next(at for at in plays if actions[at]["by"] == "player")
    page.goto(f"{lin.url}/#/replay/{game}/1?at={mine}")
    silly = page.get_by_role("button", name=SILLY)
    silly.wait_for()
    lin.is_still()
    assert silly.is_disabled()
    theirs = next(at for at in plays if actions[at]["by"] == "ai")
    page.goto(f"{lin.url}/#/replay/{game}/1?at={theirs}")
    silly.click()
    page.get_by_role("button", name="What would you have played?").click()
    cards = page.get_by_role("group", name="What would you have played?").get_by_role("button")
    cards.first.wait_for()
    for at in range(cards.count()):
        cards.nth(at).click()
    page.get_by_role("button", name="I would have played this").click()
    page.get_by_role("alert").wait_for()
