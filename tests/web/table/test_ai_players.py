"""AI players have names, faces and a level; a hidden page calls its player; spectators are told of the delay."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.beside import asks, holds, leads
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, two_at_a_table, until

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("ruleset", "players"), [("shengji", 4), ("zhaopengyou", 12)])
def test_ai_players_have_names_faces_and_a_level(person, axe, picture, ruleset, players):
    lin = person()
    lin.begins(ruleset, players)
    page = lin.page
    for size, locale in ((PHONE, "en-GB"), ((844, 390), "zh-CN"), (DESKTOP, "en-GB")):
        lin.has_window(size)
        lin.speaks(locale)
        level, fox = ("easy", "Fox") if locale == "en-GB" else ("简单", "小狐")
        expect(lin.seats).to_have_count(players)
        described = lin.seats.evaluate_all("(all) => all.map((each) => each.ariaLabel)")
        others = [each for each in described if not each.startswith("Lin")]
        assert len({re.split("[,，、]", each)[0] for each in others}) == players - 1
        assert all(level in each for each in others)
        assert any(each.startswith(fox) for each in others)
        assert all(seat.locator("svg").count() for seat in lin.seats.all())
        assert list(faults(page, axe, chinese=locale == "zh-CN")) == []
        picture(page, f"ai-players-{players}-{size[0]}.png")


def test_names_in_lists_and_sentences_are_those_at_the_table(person):
    lin = person()
    lin.begins("sishifen", 4, until=asks("play"))
    names = lin.page.evaluate(
        """(async () => {
          const { shownName } = await import("/app/people/aiplayer.js");
          return [1, 2, 16, 17].map((number) => shownName(`AI ${number}`)).concat(shownName("AIda"), shownName("Lin"));
        })()"""
    )
    assert names == ["Bear", "Tiger", "Chick", "AI 17", "AIda", "Lin"]


def test_a_hidden_page_calls_its_player_by_title_sound_and_vibration(person):
    lin = person(fresh=True)
    lin.context.add_init_script(
        """window.called = { tones: [], shaken: 0 };
        navigator.vibrate = () => { called.shaken += 1; return true; };
        const start = OscillatorNode.prototype.start;
        OscillatorNode.prototype.start = function (...when) {
          called.tones.push(this.frequency.value);
          return start.apply(this, when);
        };"""
    )
    lin.tolerated = ("status of 409",)
    lin.registers()
    lin._stores({"sounds": True})
    table = lin.makes("sishifen", 4, ai=False)
    lin.invites(table, 4)
    lin.beside.plays_on(table, asks("play", 1))
    lin.opens(table)
    page = lin.page
    lin.sees("to play")
    page.click("h1")  # sounds need a click
    page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })")
    page.evaluate("called.tones.length = 0")
    lin.beside.plays_on(table, leads)
    until(page, "the title of one's turn", lambda: page.title() == "● Your turn – Sheng Ji")
    until(page, "a sound and a vibration", "called.tones.length >= 2 && called.shaken >= 1")
    # On a hidden page, plays of others are silent.
    assert {round(tone) for tone in page.evaluate("called.tones")} == {587, 784}


def test_a_spectator_is_told_of_the_delay(person):
    lin, ann = person(), person(name="Ann")
    for each in (lin, ann):
        each.registers()
    table = lin.makes("sishifen", 4, visibility="public", spectators="delayed", spectator_delay_ms=30_000)
    view = lin.api("GET", f"/tables/{table}")
    assert view["settings"]["spectator_delay_ms"] == 30_000
    lin.beside.is_ready(table, lin.account["player"])
    lin.beside.plays_on(table, leads)
    table_view = lin.api("GET", f"/tables/{table}")
    # Ann would see this half a minute later; the stub shows it now.
    fields = {name: value for name, value in table_view.items() if name not in ("my", "join_code", "watch_code")}
    fields |= {"viewer": {"role": "spectator"}, "decision": {**table_view["decision"], "hints": None}}
    ann.tolerated = ("status of 400",)  # for the events after a version that she may not see yet
    ann.page.route(f"**/v1/tables/{table}", lambda route: route.fulfill(json=fields))
    ann.opens(table)
    ann.sees("You watch, 30 s late.")


def test_nobody_is_called_to_a_seat_that_an_ai_plays(person):
    lin, mei, table = two_at_a_table(person, ai_pace_ms=10_000)
    lin.tolerated = mei.tolerated = ("409",)
    lin.beside.plays_on(table, holds(8), hurries=True)
    call = lin.page.get_by_text("Your turn")
    expect(call).to_be_visible()
    # The AI takes its time for Lin's seat, and the page still shows whose turn it is.
    lin.api("DELETE", f"/tables/{table}/seats/me")
    expect(lin.page.get_by_text("An AI plays for you.")).to_be_visible()
    assert lin.api("GET", f"/tables/{table}")["decision"]["seats"] == [0]
    expect(call).to_have_count(0)
    assert lin.page.title() == "Sheng Ji"
