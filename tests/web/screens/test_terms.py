"""Words of the game that lead to a picture, where they first stand: in the rules, in lessons and in hints."""

import pytest

from tests.web.looking import faults
from tests.web.person import DESKTOP, PHONE

pytestmark = pytest.mark.browser


def test_a_word_leads_to_a_picture_where_it_first_stands(person, axe, picture):
    lin = person()
    page = lin.page
    page.goto(f"{lin.url}/#/rules/shengji")
    words = page.locator("main").get_by_role("button")
    page.get_by_role("button", name="tractor").wait_for()
    names = [each.strip().lower() for each in words.all_inner_texts()]
    assert {"kitty", "tractor", "throw"} <= set(names)
    assert len(names) == len(set(names)), "each word leads to its picture once"
    # By keyboard: Enter opens the picture, Escape closes it, and the focus is back at the word.
    word = page.get_by_role("button", name="tractor")
    word.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Tractor")
    dialog.get_by_role("img", name="Nine of clubs").wait_for()
    assert "Only a higher tractor beats it" in dialog.inner_text()
    for size, colours in ((PHONE, "light"), (DESKTOP, "dark")):
        lin.has_window(size)
        page.emulate_media(color_scheme=colours)
        assert list(faults(page, axe, chinese=False)) == []
        picture(page, f"term-{size[0]}.png")
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert word.evaluate("(element) => element === document.activeElement")
    assert page.url.endswith("#/rules/shengji")


def test_words_lead_to_pictures_in_chinese_too(person, axe):
    lin = person(locale="zh-CN")
    page = lin.page
    page.goto(f"{lin.url}/#/rules/shengji")
    page.get_by_role("button", name="毙", exact=True).click()
    dialog = page.get_by_role("dialog", name="毙牌")
    assert "领出梅花" in dialog.inner_text()
    assert list(faults(page, axe, chinese=True)) == []


def test_texts_are_split_at_the_first_of_each_word(person):
    lin = person()
    lin.page.goto(lin.url)
    lin.field("What should we call you?").wait_for()
    parts = lin.page.evaluate(
        """import("/app/ui/terms.js").then(({ linked }) =>
          linked(["A pair and pairs.", "Pairs, then the kitty: throw it away, or throw three."])
            .map((parts) => parts.map((part) => part.word ?? part)))"""
    )
    assert parts == [
        ["A ", "pair", " and pairs."],
        ["Pairs, then the ", "kitty", ": throw it away, or ", "throw", " three."],
    ]


def test_the_coach_and_the_reasons_of_hints_have_pictures_too(person):
    lin = person()
    page = lin.page
    page.goto(f"{lin.url}/#/learn/declaring")
    page.get_by_role("button", name="card of the level").click()
    page.get_by_role("dialog", name="Card of the level").get_by_role("button", name="Close").click()
    parts = page.evaluate(
        """Promise.all([import("/app/ui/reason.js"), import("/vendor/preact-htm.js")]).then((all) => {
          const [{ Reason }, { html, render }] = all;
          const drawn = (reason) => {
            const place = document.createElement("div");
            render(html`<${Reason} reason=${reason} />`, place);
            return [...place.querySelectorAll("button")].map((each) =>
              [each.textContent.trim(), Boolean(each.closest("summary"))]);
          };
          return [drawn({ text: "Leads a tractor." }), drawn({ text: "Ruffs for 5 points.", figures: "84%" })];
        })"""
    )
    # What opens the numbers is a control itself, so it holds no other.
    assert parts == [[["tractor", False]], [["Ruffs", False]]]
