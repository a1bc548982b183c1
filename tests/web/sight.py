"""What a person sees of a page and does there, by roles, names and labels: no test knows how a page is built."""

import re
from typing import Self

from playwright.sync_api import Locator, Page, expect

#: How long the page may take for anything on a busy machine, ms.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)

#: A whole name, or a pattern that a part of it matches.
Name = str | re.Pattern[str]
#: Roles of what can be pressed; `<summary>` has none of its own.
PRESSED = ("button", "link", "radio", "checkbox")
#: Roles of what can be filled in; dates and passwords have none.
FILLED = ("textbox", "combobox", "checkbox", "radio", "slider", "spinbutton")


class Sight:
    """A page, or a part of it.

    Names and labels that are given as strings are whole ones. Texts may be parts of what is written.
    """

    def __init__(self, place: Page | Locator) -> None:
        self.place = place

    def all(self, role: str, name: Name | None = None, **states: bool) -> Locator:
        """Everything of a role that a screen reader would name so."""
        exact = isinstance(name, str) or None
        return self.place.get_by_role(role, name=name, exact=exact, **states)  # type: ignore[arg-type]

    def part(self, role: str, name: Name | None = None) -> "Sight":
        """The first part of a role, with what it holds."""
        return Sight(self.all(role, name).first)

    def dialog(self, name: Name | None = None) -> "Sight":
        return self.part("dialog", name)

    def items(self, name: Name) -> Locator:
        """The items of a list, without those of lists within it."""
        return self.all("list", name).first.locator("> li")

    def control(self, name: Name) -> Locator:
        """What can be pressed and has this name."""
        text = name
        if isinstance(text, str):
            whole = re.escape(text).replace("/", r"\/")  # as the pattern becomes one of JavaScript
            text = re.compile(rf"^\s*{whole}\s*$")
        control = self.place.locator("summary").filter(has_text=text)
        for role in PRESSED:
            control = control.or_(self.all(role, name))
        return control

    def field(self, label: Name) -> Locator:
        """What can be filled in, ticked or chosen and has this label."""
        field = self.place.get_by_label(label, exact=isinstance(label, str) or None)
        for role in FILLED:
            field = field.or_(self.all(role, label))
        return field

    def text(self, words: Name) -> Locator:
        """What is written and can be seen, though perhaps only after scrolling."""
        return self.place.get_by_text(words).filter(visible=True)

    def presses(self, name: Name) -> None:
        self.control(name).click()

    def fills(self, label: Name, text: str) -> None:
        self.field(label).fill(text)

    def selects(self, label: Name, option: str) -> None:
        """Choose from a list, by what is written there or by its value."""
        self.field(label).select_option(option)

    def sees(self, *words: Name) -> Self:
        """Wait until each of these texts can be seen."""
        for each in words:
            expect(self.text(each).first).to_be_visible()
        return self

    def sees_no(self, *words: Name) -> None:
        """Wait until none of these texts can be seen."""
        for each in words:
            expect(self.text(each)).to_have_count(0)

    def is_there(self) -> Self:
        """Wait until this part can be seen."""
        assert isinstance(self.place, Locator)
        expect(self.place).to_be_visible()
        return self

    def is_gone(self) -> None:
        """Wait until this part is no longer on the page."""
        assert isinstance(self.place, Locator)
        expect(self.place).to_have_count(0)

    def read(self) -> str:
        """What is written in this part."""
        return self.place.inner_text() if isinstance(self.place, Locator) else self.place.inner_text("body")
