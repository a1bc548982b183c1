"""Browser tests find things by what a person perceives: roles, names, labels and texts, not by classes of CSS."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WEB = ROOT / "tests" / "web"
CLIENT = ROOT / "service" / "web" / "client"
#: The one table of classes: of pieces that have no role, as they say nothing.
TABLE = WEB / "pieces.py"


def classes_of_the_page() -> set[str]:
    """Return the classes in the style sheets and in the sources of the page."""
    sheets = "\n".join(path.read_text() for path in (CLIENT / "style").glob("*.css"))
    sources = "\n".join(path.read_text() for path in (CLIENT / "app").rglob("*.js"))
    styled = {name for rule in re.findall(r"[^{}]+(?={)", sheets) for name in re.findall(r"\.([a-z][\w-]*)", rule)}
    return styled | {name for names in re.findall(r'class="([^"]*)"', sources) for name in names.split()}


TAGS = "a|aside|button|code|dd|details|dialog|div|dl|dt|fieldset|form|h1|h2|h3|header|i|input|label|li|main|nav|ol|p"
TAGS += "|section|select|span|summary|svg|table|tbody|td|textarea|th|tr|ul"
#: Classes in a selector: at its start, or after a space, a comma, a combinator, a bracket, or a tag.
SELECTED = re.compile(rf"(?:^|(?<=[\s,(>+~|\]]))(?:{TAGS})?((?:\.[a-z][\w-]*)+)")
#: Other ways to ask for classes.
ASKED = re.compile(r"\[class|getElementsByClassName|classList|to_have_class|to_contain_class")
#: What a script has and a selector has not; there, only what stands in quotes may be a selector.
SCRIPT = re.compile(r"=>|[;{}]|document\.")
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|`([^`]*)`")


def classes_in(text: str, known: set[str]) -> list[str]:
    """Return the classes of the page for which a string asks."""
    selectors = ["".join(groups) for groups in QUOTED.findall(text)] if SCRIPT.search(text) else [text]
    names = [name for each in selectors for found in SELECTED.findall(each) for name in found.split(".")]
    return [name for name in names if name in known] + ASKED.findall(text)


def strings_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module with their lines, without docstrings."""
    tree = ast.parse(path.read_text())
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    for node in formatted:
        parts = [part.value if isinstance(part, ast.Constant) else "x" for part in node.values]
        yield node.lineno, "".join(map(str, parts))
    parts_of = {id(part) for node in formatted for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | parts_of:
            yield node.lineno, node.value


@pytest.mark.parametrize(
    "text",
    [
        ".hand .card",
        "dialog.summary a.button",
        "document.querySelectorAll('.hand .card').length === 3",
        "!document.querySelector('.panel')",
        ".panel:is(.suggest)",
        "li >> .card",
        "[class~=card]",
        "part.classList[0]",
    ],
)
def test_a_query_by_a_class_is_noticed(text):
    assert classes_in(text, {"hand", "card", "summary", "button", "panel", "suggest"})


@pytest.mark.parametrize(
    "text",
    [
        "view.seats",
        "const { side } = view.seats[0]",
        "Play. cards",
        "(cards) => cards.map((card) => card.side)",
        "a.png",
    ],
)
def test_scripts_and_sentences_are_no_queries(text):
    assert not classes_in(text, {"seats", "side", "cards", "panel"})


def test_no_browser_test_knows_a_class_of_the_page():
    known = classes_of_the_page()
    assert len(known) > 100
    assert [
        f"{path.relative_to(ROOT)}:{line}: {', '.join(classes)}"
        for path in sorted(WEB.rglob("*.py"))
        if path != TABLE
        for line, text in strings_of(path)
        if (classes := classes_in(text, known))
    ] == []
