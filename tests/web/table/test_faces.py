"""Faces and phrases: said with two taps from one's own seat, shown at the seat of who says them, and read out."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from service.game.commands.table.chat import FACES, PHRASES
from tests.web.beside import asks, is_scored
from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE, Guest, Person

pytestmark = pytest.mark.browser

#: The codes that the page offers, and their words in a language.
OFFERED = """async (language) => {
  const { EXPRESSIONS, PHRASES } = await import("/app/live/said.js");
  const { TEXTS } = await import(`/app/texts/${language}.js`).then((texts) => ({ TEXTS: Object.values(texts)[0] }));
  return [PHRASES, EXPRESSIONS].map((codes) => codes.map((code) => [code, TEXTS[`preset.${code}`]]));
}"""


def sits(person: Any, size: tuple[int, int] = PHONE, **how: Any) -> tuple[Person, list[Guest]]:
    """Lin at a running game with three guests, of whom the second is asked."""
    lin = person(size=size, **how)
    lin.tolerated = ("status of 409",)
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    guests = lin.invites(table, 4)
    lin.beside.plays_on(table, asks("play", 1))
    lin.opens(table)
    lin.is_playing()
    return lin, guests


def read_out(lin: Person, words: str) -> Locator:
    """What a screen reader reads out of messages, on the page or in the dialog over it."""
    return lin.page.get_by_role("log").get_by_text(words)


def face(lin: Person, who: str, name: str) -> Locator:
    """A face that is shown at a seat."""
    return lin.seat(who).all("img", name)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_page_offers_all_faces_and_phrases_of_the_service(person, language):
    lin = person()
    lin.goes_to()
    phrases, faces = lin.page.evaluate(OFFERED, language)
    assert [code for code, _ in phrases] == list(PHRASES)
    assert [code for code, _ in faces] == list(FACES)
    assert all(words and words != code for code, words in [*phrases, *faces])


@pytest.mark.parametrize(("size", "colours"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"])
def test_a_face_and_a_phrase_are_said_with_two_taps_from_ones_own_seat(person, axe, picture, size, colours):
    lin, guests = sits(person, size, colours=colours)
    lin.seat("Lin").all("button").click()
    said = lin.dialog("Say something").is_there()
    assert list(faults(lin.page, axe, chinese=False)) == []
    picture(lin.page, f"say-{size[0]}.png")
    said.presses("laughs")
    said.is_gone()
    expect(face(lin, "Lin", "laughs")).to_be_visible()
    lin.seat("Lin").all("button").press("Enter")
    lin.dialog("Say something").presses("Well played!")
    lin.seat("Lin").sees("Well played!")
    guests[1].api("POST", "/chat", {"preset": "cross"})
    expect(face(lin, "Guest 2", "is cross")).to_be_visible()
    expect(read_out(lin, "Guest 2: is cross")).to_have_count(1)
    expect(read_out(lin, "Lin: ")).to_have_count(0)
    assert list(faults(lin.page, axe, chinese=False)) == []
    picture(lin.page, f"faces-{size[0]}.png")
    # Everybody reads it in their own language.
    lin.speaks("zh-CN")
    guests[2].api("POST", "/chat", {"preset": "sad"})
    expect(face(lin, "Guest 3", "难过")).to_be_visible()
    guests[0].api("POST", "/chat", {"preset": "hurry"})
    lin.seat("Guest 1").sees("请快一点。")
    expect(read_out(lin, "Guest 1：请快一点。")).to_have_count(1)


def test_a_message_is_read_out_while_a_dialog_silences_the_page(person):
    lin, guests = sits(person)
    lin.presses("Menu")
    guests[0].api("POST", "/chat", {"preset": "smile"})
    expect(lin.dialog("Menu").all("log").get_by_text("Guest 1: smiles")).to_have_count(1)
    lin.page.keyboard.press("Escape")
    lin.dialog("Menu").is_gone()
    lin.presses(re.compile("^Chat"))
    expect(lin.page.get_by_label("Messages").get_by_role("img", name="smiles")).to_be_visible()
    guests[1].api("POST", "/chat", {"text": "Tea?"})
    expect(lin.dialog("Chat").all("log").get_by_text("Guest 2: Tea?")).to_have_count(1)


def test_faces_of_a_muted_player_are_not_shown(person):
    lin, guests = sits(person)
    lin.api("PUT", f"/me/mutes/{guests[2].player}")
    guests[2].api("POST", "/chat", {"preset": "laugh"})
    guests[0].api("POST", "/chat", {"preset": "wink"})
    expect(face(lin, "Guest 1", "winks")).to_be_visible()
    expect(read_out(lin, "Guest 1: winks")).to_have_count(1)
    expect(face(lin, "Guest 3", "laughs")).to_have_count(0)
    expect(read_out(lin, "Guest 3")).to_have_count(0)
    lin.presses(re.compile("^Chat"))
    expect(lin.page.get_by_label("Messages").get_by_role("img", name="winks")).to_be_visible()
    expect(lin.page.get_by_label("Messages").get_by_role("img", name="laughs")).to_have_count(0)


def test_faces_are_shown_at_the_seats_of_a_table_that_waits(person):
    lin = person()
    lin.registers()
    table = lin.makes("sishifen", 4, ai=False)
    guests = lin.invites(table, 3)
    lin.opens(table)
    lin.is_waiting()
    guests[1].api("POST", "/chat", {"preset": "surprised"})
    seats = lin.items("Seats").filter(has_text="Guest 2")
    expect(seats.get_by_role("img", name="is surprised")).to_be_visible()
    expect(read_out(lin, "Guest 2: is surprised")).to_have_count(1)


def test_nobody_says_anything_at_a_table_without_chat(person):
    lin = person()
    lin.begins("sishifen", 4, chat=False)
    expect(lin.seat("Lin").all("button")).to_have_count(0)


def test_faces_are_beside_the_result(person):
    lin = person(size=DESKTOP)
    lin.begins("sishifen", 4, until=is_scored)
    lin.result.wait_for()
    lin.presses("winks")
    expect(lin.page.get_by_label("Messages").get_by_role("img", name="winks")).to_be_visible()
    expect(lin.result).to_be_visible()
