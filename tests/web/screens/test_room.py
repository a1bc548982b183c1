"""A room that stays: made and shared in few taps, joined by its link, and played in again another day."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.beside import is_scored
from tests.web.looking import faults, looks
from tests.web.person import Person

pytestmark = pytest.mark.browser

RULES = {"ruleset": "sishifen", "players": 4, "options": {"deal_pace": "instant"}, "ai_pace_ms": 0, "hints": "off"}


class Tapping:
    """A person who counts taps; what is typed is no tap."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page = person.page
        self.taps = 0

    def taps_button(self, name: str | re.Pattern[str]) -> None:
        self.taps_on(self.page.get_by_role("button", name=name))

    def taps_on(self, control: Locator) -> None:
        control.first.click()
        self.taps += 1

    def writes_a_name(self) -> None:
        self.person.fills("What should we call you?", self.person.name)

    def gives_the_link(self) -> str:
        return self.page.get_by_label("Link for those who play").input_value()


def makes(person: Person, name: str = "Friday", **rules: object) -> tuple[str, str]:
    """Make a room by the API; return its id, and the address of its link."""
    room = person.api("POST", "/rooms", {"name": name, "rules": {**RULES, **rules}})
    return room["room"], f"{person.url}/#/room?code={room['links']['member']}"


def joins(person: Person, link: str) -> None:
    person.api("POST", "/me/rooms", {"code": link.partition("code=")[2]})


def opens(person: Person, room: str) -> None:
    person.page.goto(f"{person.url}/#/room/{room}")
    person.page.get_by_role("heading", name="The table").wait_for()


def seats(page) -> Locator:
    return page.get_by_role("list", name="Seats", exact=True).get_by_role("listitem")


@pytest.mark.parametrize(
    "typed", [str, lambda code: f"{code[:4]}-{code[4:8].lower()} {code[8:]}"], ids=["code", "blanks"]
)
def test_the_code_of_a_room_opens_it_where_codes_of_tables_are_typed(person, typed):
    lin = person()
    lin.registers()
    room, link = makes(lin)
    code = link.partition("code=")[2]
    mei = person(name="Mei")
    mei.tolerated = ("status of 403",)  # the table of a room is private
    mei.registers()
    mei.goes_to("lobby")
    mei.fills("I have a code", typed(code))
    mei.presses("Open the table")
    mei.sees("You are invited to the room “Friday”")
    # In Chinese the two kinds of codes have names of their own.
    mei.goes_to("lobby")
    mei.speaks("zh-CN")
    mei.fills("我有桌号、房间号或俱乐部号", link)
    mei.presses("打开牌桌")
    mei.sees("邀请您来房间“Friday”")
    # At the door of a table, too.
    table = lin.api("POST", f"/rooms/{room}/table")["table"]["table"]
    mei.goes_to(f"table/{table}")
    mei.fills("桌号", code)
    mei.presses("坐下")
    mei.sees("邀请您来房间“Friday”")


def test_friends_come_from_fresh_browsers_to_the_first_card_in_few_taps(person):
    lin, mei = Tapping(person(fresh=True)), Tapping(person(name="Mei", fresh=True))
    lin.page.goto(lin.person.url)
    lin.taps_on(lin.page.get_by_role("link", name="A room for your friends"))
    lin.page.get_by_role("button", name="Make a room").wait_for()
    lin.writes_a_name()
    lin.taps_button("Make a room")
    link = lin.gives_the_link()
    lin.taps_button("Share the link")
    assert lin.taps <= 3, "to a shared link"

    mei.page.goto(link)
    expect(mei.page.get_by_text("You are invited to the room “Lin's room”")).to_be_visible()
    mei.writes_a_name()
    mei.taps_button("Come in")
    mei.taps_button("Sit down: seat 3")
    expect(seats(mei.page).nth(2)).to_contain_text("Mei")
    assert mei.taps <= 2, "to a seat"

    # Lin, who is opposite Mei, sees her, and sits down at the table that she has opened.
    expect(seats(lin.page).nth(2)).to_contain_text("Mei")
    lin.taps_on(seats(lin.page).nth(0).get_by_role("button", name="Sit down"))
    expect(seats(mei.page).nth(0)).to_contain_text("Lin")
    mei.taps_on(mei.page.get_by_role("group", name="Fill with AI players").get_by_role("button"))
    for each in (lin, mei):
        each.taps_button("I am ready")
    for each in (lin, mei):
        each.person.hand.get_by_role("button").first.wait_for()
    assert lin.taps + mei.taps <= 9, "to the first card of both"


def test_a_member_opens_the_link_again_and_is_in_the_room_at_once(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    room, link = makes(lin)
    joins(mei, link)
    mei.page.goto(link)
    mei.page.get_by_role("heading", name="Friday").wait_for()
    assert mei.page.url.endswith(f"#/room/{room}")
    mei.page.go_back()
    mei.is_greeted()


def test_a_room_that_is_open_is_told_on_other_screens_and_leads_there(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    room, link = makes(lin)
    joins(mei, link)
    mei.page.goto(f"{mei.url}/#/friends")
    mei.page.get_by_role("heading", name="Friends", exact=True).wait_for()
    mei.is_told()
    lin.api("POST", f"/rooms/{room}/table")
    mei.page.get_by_role("complementary").get_by_role("link", name="To the room").click()
    mei.page.get_by_role("heading", name="Friday").wait_for()
    expect(mei.page.get_by_role("complementary").get_by_role("link", name="To the room")).to_have_count(0)


def test_the_host_removes_a_member_and_lets_them_come_back(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    mei.tolerated = ("404", "403")
    room, link = makes(lin)
    joins(mei, link)
    opens(mei, room)
    opens(lin, room)
    page = lin.page
    page.get_by_role("button", name="Remove somebody").click()
    page.get_by_role("button", name="Remove Mei").click()
    page.get_by_role("button", name="Cancel").click()
    assert len(lin.api("GET", f"/rooms/{room}")["people"]) == 2
    page.get_by_role("button", name="Remove Mei").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.get_by_text("Removed", exact=True).click()
    mei.page.goto(link)
    mei.page.get_by_role("button", name="Come in").click()
    mei.page.get_by_role("alert").filter(has_text="You have been removed from this room").wait_for()
    page.get_by_role("button", name="Let Mei come back").click()
    page.get_by_role("button", name="Let Mei come back").wait_for(state="detached")
    mei.page.get_by_role("button", name="Come in").click()
    mei.page.get_by_role("heading", name="Who is here").wait_for()


def test_the_host_gives_a_new_link_new_rules_and_the_room_to_somebody_else(person):
    lin, mei = person(), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    room, link = makes(lin)
    joins(mei, link)
    opens(lin, room)
    page = lin.page
    page.get_by_role("button", name="New link").first.click()
    page.get_by_role("button", name="Replace the link").click()
    expect(page.get_by_label("Link for those who play")).not_to_have_value(re.compile(link.partition("code=")[2]))
    page.get_by_text("Change name and rules").click()
    page.get_by_label("Name of the room").fill("Saturday")
    page.get_by_label("Time for a card").select_option("60")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("heading", name="Saturday").wait_for()
    changed = lin.api("GET", f"/rooms/{room}")["rules"]
    assert (changed["clock"]["play_ms"], changed["options"], changed["ai_pace_ms"]) == (60_000, RULES["options"], 0)
    page.get_by_role("button", name="Remove somebody").click()
    page.get_by_role("button", name="Make Mei the host").click()
    page.get_by_role("button", name="Make the host").click()
    page.get_by_text("Change name and rules").wait_for(state="detached")
    page.get_by_role("button", name="Leave the room").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    lin.is_greeted()
    assert [each["name"] for each in mei.api("GET", f"/rooms/{room}")["people"]] == ["Mei"]


def test_a_room_shows_what_was_played_and_its_screens_are_accessible(person, axe, picture):
    lin, mei = person(fresh=True), person(name="Mei")
    for each in (lin, mei):
        each.registers()
    # The page asks about decisions that are answered beside it.
    lin.tolerated = ("status of 409",)
    room, link = makes(lin)
    joins(mei, link)
    opens(lin, room)

    def looks_well(name: str) -> None:
        for number in range(2):
            for look, chinese in looks(lin, number):
                picture(lin.page, f"room-{name}-{look}.png", full_page=True)
                assert list(faults(lin.page, axe, chinese=chinese)) == [], (name, look)

    looks_well("empty")
    table = lin.api("POST", f"/rooms/{room}/table")["table"]["table"]
    for seat, each in ((0, lin), (2, mei)):
        each.api("POST", f"/tables/{table}/seats", {"seat": seat})
    for seat in (1, 3):
        lin.api("PUT", f"/tables/{table}/seats/{seat}/ai", {"level": "normal"})
    lin.page.get_by_role("group", name="All AI players").get_by_role("button", name="easy").click()
    levels = lin.all("combobox", re.compile("^Level of"))
    expect(levels).to_have_count(2)
    for each in levels.all():
        expect(each).to_have_value("easy")
    looks_well("waiting")
    for each in (lin, mei):
        each.api("PUT", f"/tables/{table}/seats/me/ready", {})
    lin.is_playing()
    lin.beside.plays_on(table, is_scored)
    opens(lin, room)
    played = lin.page.get_by_role("region", name="Played here")
    expect(
        played.get_by_role("table", name="By pair").get_by_role("rowheader", name=re.compile("Lin and Mei|Mei and Lin"))
    ).to_be_visible()
    expect(played.get_by_role("table", name="By person").get_by_role("row")).to_have_count(3)
    looks_well("played")
    played.get_by_text("The last rounds").click()
    played.get_by_role("link", name=re.compile(r"\bwon\b")).click()
    lin.field("Position").wait_for()
