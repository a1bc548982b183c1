"""Traditional Chinese: by the language of the browser or by choice, on every screen, and only where it is read."""

import re

import pytest
from playwright.sync_api import expect

from service.texts.traditional.table import CHARACTERS, PHRASES
from tests.web.beside import asks
from tests.web.looking import findings
from tests.web.person import until

pytestmark = pytest.mark.browser

#: Characters that stand in no Traditional text of the page.
SIMPLIFIED = set(CHARACTERS[::2]) - set(CHARACTERS[1::2]) - set("".join(PHRASES.split()[1::2]))


SCREENS = (
    "lobby", "new", "rules/zhaopengyou", "rules/shengji", "learn", "teams", "days", "friends", "room", "club", "events",
    "tables", "games", "riddles", "calendar", "ways", "devices", "leaderboard", "deal",
)  # fmt: skip


def simplified(lin):
    """The Simplified characters that a page shows, without the name of that language."""
    return sorted(SIMPLIFIED & set(lin.page.inner_text("body").replace("简体中文", "")))


def begins_in(locale, person, **how):
    lin = person(locale=locale, fresh=True, **how)
    lin.page.goto(lin.url)
    lin.fills("怎麼稱呼您？", "阿明")
    lin.presses("繼續")
    lin.is_greeted("阿明")
    return lin


@pytest.mark.parametrize("locale", ["zh-TW", "zh-HK"])
def test_a_browser_of_taiwan_or_hong_kong_reads_traditional_chinese_on_every_screen(person, picture, axe, locale):
    lin = begins_in(locale, person)
    assert lin.page.get_attribute("html", "lang") == "zh-Hant"
    assert lin.api("GET", "/me")["locale"] == "zh-Hant"
    seen = [lin.page.inner_text("body")]
    for screen in SCREENS:
        lin.goes_to(screen)
        lin.is_still()
        seen.append(lin.page.inner_text("body"))
        assert simplified(lin) == [], screen
    assert all(word in "".join(seen) for word in ("莊家", "閒家", "主牌", "級", "找朋友", "電腦"))
    table = lin.makes("shengji", 4)
    lin.api("PUT", f"/tables/{table}/seats/me/ready", {"ready": True})
    lin.beside.plays_on(table, asks("play"))
    lin.opens(table)
    lin.cards.first.wait_for()
    lin.is_still()
    assert simplified(lin) == []
    assert findings(lin.page, axe) == []
    picture(lin.page, f"traditional-{locale}.png")


def test_refusals_are_in_traditional_chinese_too(person):
    lin = begins_in("zh-TW", person)
    lin.tolerated = ("404",)
    lin.goes_to("table/tb_2222222222222")
    lin.sees(re.compile("[沒無].*牌桌|牌桌.*[沒無不]"))
    assert simplified(lin) == []


def test_who_reads_another_language_chooses_it_in_the_settings(person):
    lin = person(fresh=True)
    asked = []
    lin.page.on("request", lambda request: asked.append(request.url))
    lin.registers()
    lin.is_still()
    assert not any("traditional" in url for url in asked), "it is for those who read it"
    lin.presses("Settings")
    lin.selects("Language", "zh-Hant")
    until(lin.page, "Traditional Chinese", "document.documentElement.lang === 'zh-Hant'")
    expect(lin.field("語言")).to_be_visible()
    assert any("traditional" in url for url in asked)
    until(lin.page, "the account's language", lambda: lin.api("GET", "/me")["locale"] == "zh-Hant")
    lin.page.reload()
    lin.presses("設定")
    assert simplified(lin) == []
    lin.selects("語言", "zh-Hans")
    lin.selects("语言", "en")
    lin.sees("Language")
    # An earlier release of the page knows no third language.
    assert lin.page.evaluate("JSON.parse(localStorage.shengji).language") == "en"


def test_without_its_part_the_page_is_drawn_in_simplified_chinese(person):
    lin = person(locale="zh-TW", fresh=True)
    lin.tolerated = ("Failed to load resource", "net::ERR")
    lin.page.route(re.compile("traditional"), lambda route: route.abort())
    lin.page.goto(lin.url)
    lin.sees(re.compile("怎么称呼您"))
    lin.page.unroute(re.compile("traditional"))
    lin.sees(re.compile("怎麼稱呼您"))
