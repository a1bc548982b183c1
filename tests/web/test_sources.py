"""The sources of the page are formatted, pass the linters, and are bundled without losing a line of code."""

import re

import pytest

from service.api.client_pack import code_of, pack_of
from tools.clients.toolchain import Tools
from tools.page.__main__ import CLIENT, PageTools


@pytest.fixture(scope="session")
def page_tools(tools: Tools) -> PageTools:
    return PageTools(tools)


@pytest.mark.nightly  # `make types` does so by day
def test_the_client_has_no_type_errors(page_tools: PageTools) -> None:
    assert page_tools.types() == ""


def test_a_space_that_is_drawn_is_not_lost_by_formatting(page_tools: PageTools, tmp_path) -> None:
    name = "a name that is long enough for a line of its own, whatever is beside it"
    for gap, complaint in ((" ", "a space that is drawn"), ('${" "}', "not formatted")):
        source = tmp_path / "source.js"
        source.write_text(f"const drawn = html`<p>${{t('{name}')}}{gap}<b>{name}</b></p>`;\n")
        assert complaint in page_tools.formatted("--check", source)


def test_bundled_modules_are_programs(tools: Tools, tmp_path) -> None:
    for name, packed in pack_of(CLIENT).files.items():
        if name.endswith(".js"):
            program = tmp_path / f"{name.rpartition('/')[2]}.mjs"
            program.write_bytes(packed.coded["identity"])
            tools.run(tools.node, "--check", program)


def test_of_a_line_with_code_only_the_comment_is_left_out(tmp_path) -> None:
    module = tmp_path / "module.js"
    module.write_text("const kept =\n  /** @type {any} */ (1);\n/** A note. */\nconst too = 2;\n\n  // Another.\n")
    assert code_of(module).split() == ["const", "kept", "=", "(1);", "const", "too", "=", "2;"]


def test_a_break_behind_a_comment_is_kept(tmp_path) -> None:
    module = tmp_path / "module.js"
    module.write_text("call(\n  one, // ignored\n  two, // ignored\n);\ncall(\n  three\n);\n")
    assert code_of(module) == "call(one, // ignored\ntwo, // ignored\n);\ncall(three);\n"


def test_texts_have_the_same_keys_in_the_same_order_in_both_languages() -> None:
    """A text and its translation are at one place; that none is missing is a type error, too."""
    key = re.compile(r'^  "?([\w.]+)"?:', re.MULTILINE)
    english, chinese = (
        key.findall((CLIENT / "app" / "texts" / name).read_text("utf-8")) for name in ("en.js", "zh.js")
    )
    assert len(english) > 100
    assert english == chinese
    assert len(set(english)) == len(english)


#: Classes that values of the service are: the result of a past game.
OF_THE_SERVICE = {"lost"}


def classes_in(css: str) -> set[str]:
    """Classes that selectors of a style sheet name."""
    without_comments = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = re.sub(r"\{[^{}]*\}", "{}", without_comments)
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))


def unknown_classes(css: str, sources: str) -> set[str]:
    """Classes of a style sheet that the sources give to no element: as a word, or as the begin of one, `suit-${suit}`.

    A word counts where an attribute says `class`, and in strings of nothing but words: names of classes are put
    together from those, and sentences are none.
    """
    attributes = "\n".join(re.findall(r"class=.*(?:\n *[^<\n]*)?", sources))
    strings = "\n".join(re.findall(r"""["'`>]([\w -]+)["'`$<]""", sources))
    words = set(re.findall(r"[\w-]+", f"{attributes}\n{strings}"))
    begins = set(re.findall(r"([\w-]+-)\$\{", attributes))
    return {
        each for each in classes_in(css) - words - OF_THE_SERVICE if not any(each.startswith(begin) for begin in begins)
    }


def test_every_class_of_the_styles_occurs_in_a_source_of_the_page() -> None:
    """Finds most dead rules at once; `python -m tests.web.pictures unused` finds those of combined classes."""
    sources = [*(CLIENT / "app").rglob("*.js"), CLIENT / "index.html"]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    assert unknown_classes(".seat .vanished > b { color: red }\n.suit-H, .faded-away { margin: 0 }", text) == {
        "vanished",
        "faded-away",
    }
    for style in (CLIENT / "style").glob("*.css"):
        assert unknown_classes(style.read_text("utf-8"), text) == set(), style.name
