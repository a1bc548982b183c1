"""Installed and shared: links with a picture, what other apps share with the page, and how many tables wait."""

import json
import struct

import pytest
from playwright.sync_api import expect

from service.api import client_pages
from tests.web.beside import asks
from tests.web.looking import faults
from tests.web.person import until

pytestmark = pytest.mark.browser

MANIFEST = client_pages._CLIENT / "manifest.webmanifest"
BADGE = "window.badges = []; navigator.setAppBadge = async (count) => void badges.push(count);"


def link_of(lin, label):
    return lin.page.get_by_label(label, exact=True).input_value()


@pytest.mark.parametrize(
    ("locale", "label", "spoken"), [("en-GB", "Link for those who play", "en"), ("zh-CN", "打牌的链接", "zh")]
)
def test_a_shared_link_of_a_room_goes_on_to_it_with_its_code_behind_the_hash(person, axe, locale, label, spoken):
    lin = person(locale=locale)
    lin.registers()
    rules = {"ruleset": "sishifen", "players": 4}
    room = lin.api("POST", "/rooms", {"name": "Friday", "rules": rules})
    lin.goes_to(f"room/{room['room']}")
    lin.all("heading", "Friday").wait_for()
    link = link_of(lin, label)
    assert link == f"{lin.url}/{spoken}/room#/room?code={room['links']['member']}"
    mei = person(name="Mei")
    mei.registers()
    asked = []
    mei.page.on("request", lambda request: asked.append(request.url))
    mei.page.goto(link)
    mei.sees("You are invited to the room “Friday”")
    assert mei.page.url == f"{lin.url}/#/room?code={room['links']['member']}"
    # The code is sent to look it up, and in no address of the page.
    assert [
        url for url in asked if room["links"]["member"] in url.partition("#")[0] and "/v1/room-links/" not in url
    ] == []
    mei.page.go_back()
    assert list(faults(lin.page, axe, chinese=spoken == "zh")) == []


@pytest.mark.parametrize(
    ("shared", "leads"),
    [
        ("text=Come! {url}/zh/room%23/room?code%3DK7PQ2M9XWR4T", "#/room?code=K7PQ2M9XWR4T"),
        ("text=Come! {url}/zh/club%23/club?code%3DK7PQ2M9XWR4T", "#/club?code=K7PQ2M9XWR4T"),
        ("url={url}/%23/deal/K7PQ2M9XWR4T&title=A deal", "#/deal/K7PQ2M9XWR4T"),
        ("text=桌号 K7PQ2M9X", "#/lobby?code=K7PQ2M9X"),
        ("text=https://evil.example/%23/operator", ""),
        ("text=javascript:alert(1)&url=//evil.example", ""),
        ("url={url}/%23/consent?client_id%3Dx", ""),
    ],
)
def test_what_another_app_shares_opens_a_screen_of_this_page_or_nothing(person, shared, leads):
    lin = person()
    lin.tolerated = ("status of 404",)
    lin.registers()
    lin.page.goto(f"{lin.url}/?{shared.format(url=lin.url)}")
    lin.all("main").wait_for()
    address = lin.page.url.removeprefix(f"{lin.url}/")
    assert address == leads if leads else "#" not in address
    if leads.startswith("#/lobby"):
        expect(lin.field("I have a code")).to_have_value("K7PQ2M9X")


def test_the_badge_counts_the_tables_that_wait(person):
    lin = person(fresh=True)
    lin.page.add_init_script(BADGE)
    lin.registers()
    tables = [lin.makes("sishifen", 4) for _ in range(2)]
    for table in tables:
        lin.beside.is_ready(table, lin.account["player"])
        lin.beside.plays_on(table, asks("play"))
    lin.goes_home()
    until(lin.page, "two tables that wait", lambda: lin.page.evaluate("badges.at(-1)") == 2)
    lin.opens(tables[0])
    lin.answers()
    lin.api("DELETE", f"/tables/{tables[1]}/seats/me")
    until(lin.page, "one less", lambda: lin.page.evaluate("badges.at(-1)") < 2)


def test_the_manifest_has_icons_that_mask_shortcuts_to_the_doors_and_a_share_target(person, axe):
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    for icon in manifest["icons"][1:]:
        data = (MANIFEST.parent / icon["src"]).read_bytes()
        assert "x".join(map(str, struct.unpack(">II", data[16:24]))) == icon["sizes"]
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    assert manifest["share_target"]["method"] == "GET"
    lin = person()
    lin.registers()
    for shortcut, heading in zip(manifest["shortcuts"], ("My tables", "With friends", "Alone"), strict=True):
        lin.page.goto(f"{lin.url}/{shortcut['url']}")
        lin.all("heading", heading).first.wait_for()
    expect(lin.all("heading", "Alone")).to_be_focused()
    assert list(faults(lin.page, axe, chinese=False)) == []
