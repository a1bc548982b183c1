"""Catalogues for translators: they have the texts of the sources, and what is translated there comes back into them."""

import ast
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import polib
import pytest

from harness.make_run import ROOT
from scripts import catalogues, traditional

HAN = re.compile(r"[\u3400-\u9fff]")
#: Chinese that is in no catalogue: texts that are not in pairs, names, and what is no text.
LEFT_OUT = {
    "service/api/schemas/rulesets.py",
    "service/texts/pages.py",
    "service/texts/preset_texts.py",
    "service/web/client/app/account/settings.js",
    "service/web/client/app/api/alone.js",
    "service/web/client/app/people/aiplayer.js",
    "service/web/client/app/start/start.js",
    "service/web/client/app/texts/prose.js",
    "service/web/client/app/texts/texts.js",
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of some of the sources that have texts."""
    for part in ("service/texts", "service/web/client/app/texts"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def sources(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def read_back(made: polib.POFile, folder: Path) -> list[str]:
    """Save a catalogue as a file, and read that into the sources of a folder."""
    file = folder.with_name("translated.po")
    made.save(str(file))
    return catalogues.read(polib.pofile(str(file)), folder)


def test_catalogues_have_all_chinese_but_what_is_named_here() -> None:
    entries = catalogues.entries()
    assert len(entries) > 3_000
    known: dict[str, set[str]] = {}
    for entry in entries:
        known.setdefault(entry.path.as_posix(), set()).add(entry.chinese)
    missing = set()
    for path in (ROOT / "service").rglob("*.py"):
        name = str(path.relative_to(ROOT))
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and HAN.search(node.value):
                missing |= {name} - {name if node.value in known.get(name, ()) else ""}
    for path in (ROOT / "service" / "web" / "client" / "app").rglob("*.js"):
        name = str(path.relative_to(ROOT))
        for double, template in traditional._LITERAL.findall(path.read_text()):
            text = double.replace('\\"', '"').replace("\\n", "\n") or template
            if HAN.search(text) and text not in known.get(name, ()):
                missing.add(name)
    tables = {str(path.relative_to(ROOT)) for path in (traditional.TABLE, traditional.MODULE)}
    assert missing - tables == LEFT_OUT


def test_a_catalogue_that_nobody_changed_changes_nothing(copy: Path) -> None:
    before = sources(copy)
    made = catalogues.catalogue(catalogues.entries(copy))
    assert {(entry.msgctxt, entry.msgid) for entry in made if entry.msgstr} > {
        ("service/web/client/app/texts/zh.js:news.sat", "{who} has sat down."),
        ("service/texts/trick_options.py#2", "Yes."),
    }
    assert read_back(made, copy) == []
    assert sources(copy) == before


LONG = '引号 " 和反斜杠 \\ 以及' + "很长的说明，" * 20


@pytest.mark.parametrize(
    ("path", "english"),
    [
        ("service/texts/ai_levels.py", "Plays by rules and remembers every card and void."),
        ("service/texts/trick_options.py#2", "Yes."),
        ("service/texts/problems.py", "Invalid request"),
        ("service/web/client/app/texts/about.js", "How many cards are left in this hand."),
        ("service/web/client/app/texts/zh.js:trick.led", "led"),
    ],
)
def test_a_translation_comes_back_to_its_place_and_to_no_other(copy: Path, path: str, english: str) -> None:
    made = catalogues.catalogue(catalogues.entries(copy))
    [entry] = [entry for entry in made if (entry.msgctxt, entry.msgid) == (path, english)]
    old, entry.msgstr = entry.msgstr, LONG
    before = {
        key: [text.chinese for text in group] for key, group in catalogues.grouped(catalogues.entries(copy)).items()
    }
    assert read_back(made, copy) == []
    after = {
        key: [text.chinese for text in group] for key, group in catalogues.grouped(catalogues.entries(copy)).items()
    }
    assert set(before[path, english]) == {old}
    assert after == before | {(path, english): [LONG] * len(before[path, english])}


def test_all_texts_can_be_translated_at_once(copy: Path) -> None:
    made = catalogues.catalogue(catalogues.entries(copy))
    for entry in made:
        entry.msgstr = entry.msgstr and f"新的：{entry.msgstr}"
    before = catalogues.entries(copy)
    assert read_back(made, copy) == []
    wanted = [text.chinese and f"新的：{text.chinese}" for text in before]
    assert [text.chinese for text in catalogues.entries(copy)] == wanted


def wrong_name(entry: polib.POEntry) -> None:
    entry.msgstr = "{whoever}坐下了。"


def gone(entry: polib.POEntry) -> None:
    entry.msgid = "{who} sat down long ago."


@pytest.mark.parametrize(
    ("spoil", "said"),
    [(wrong_name, "{whoever}, which '{who} has sat down.' has not"), (gone, "the sources have no text")],
)
def test_what_does_not_fit_the_sources_is_named_and_left_out(
    copy: Path, spoil: Callable[[polib.POEntry], None], said: str
) -> None:
    made = catalogues.catalogue(catalogues.entries(copy))
    spoil(next(entry for entry in made if entry.msgid == "{who} has sat down."))
    before = sources(copy)
    [wrong] = read_back(made, copy)
    assert said in wrong
    assert sources(copy) == before


def test_what_a_translator_is_not_sure_of_is_left_out(copy: Path) -> None:
    made = catalogues.catalogue(catalogues.entries(copy))
    entry = next(entry for entry in made if entry.msgid == "led")
    entry.msgstr = "？"
    entry.flags.append("fuzzy")
    before = sources(copy)
    assert read_back(made, copy) == []
    assert sources(copy) == before


def test_a_language_that_the_sources_have_no_place_for_is_refused() -> None:
    made = catalogues.catalogue([], language="fr")
    with pytest.raises(ValueError, match="its language is 'fr'"):
        catalogues.read(made)
