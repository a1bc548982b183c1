"""No text of the service has a word excluded by the glossary, and each row of the glossary has sources."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
CHINESE = re.compile("[\u4e00-\u9fff]")
#: Line of a text with words that people type, which are understood but not used.
TYPED = "_IN_CHINESE: Final"
#: Quoted strings in code; texts of several lines are checked line by line.
QUOTED = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`\n]*)`')


class Row(NamedTuple):
    english: str
    not_english: list[str]
    chinese: str
    not_chinese: list[str]
    sources: str


def rows() -> list[Row]:
    entries = []
    for line in GLOSSARY.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and cells[0] != "English":
            english, not_english, chinese, not_chinese, sources = cells
            entries.append(Row(english, _words(not_english), chinese, _words(not_chinese), sources))
    return entries


def _words(cell: str) -> list[str]:
    return [word for word in cell.split("、") if word]


def texts() -> Iterator[tuple[str, str]]:
    """Yield place and content of all texts for people: quoted strings, without comments, and the Chinese README."""
    for number, line in enumerate((ROOT / "README.zh-CN.md").read_text("utf-8").splitlines(), 1):
        yield f"README.zh-CN.md:{number}", line
    folders = ("service", "workers", "demo")
    paths = [path for folder in folders for kind in ("py", "js", "html") for path in (ROOT / folder).rglob(f"*.{kind}")]
    for path in paths:
        if "swagger-ui" in path.parts or "vendor" in path.parts:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if path.suffix == ".html" and CHINESE.search(line):
                yield f"{path.name}:{number}", line
            for quotation in QUOTED.finditer("" if TYPED in line else line):
                yield f"{path.name}:{number}", quotation[1] or quotation[2] or ""


def test_the_glossary_has_about_eighty_words_with_sources():
    assert len(rows()) >= 80
    named = set(re.findall(r"^\[([^]]+)\]: https?://\S+ ", GLOSSARY, re.MULTILINE))
    for row in rows():
        sources = re.findall(r"\[([^]]+)\]", row.sources)
        assert set(sources) <= named, row
        wanted = {2: "", 1: " alone", 0: "none found"}[len(sources)]
        assert row.sources.endswith(wanted), row
    assert all(f"[{name}]" in GLOSSARY.split("\n[")[0] for name in named)


def test_no_chinese_text_has_a_word_excluded_by_the_glossary():
    refused = {word: row.chinese for row in rows() for word in row.not_chinese}
    assert len(refused) >= 20
    faults = [
        f"{place}: {word}, not {refused[word]}"
        for place, text in texts()
        if CHINESE.search(text)
        for word in refused
        if word in text
    ]
    assert faults == []


@pytest.mark.parametrize("language", ["en.js", "prose.js", "about.js", "words.js", "lessons.js", "admission.js"])
def test_no_english_text_of_the_client_has_a_word_excluded_by_the_glossary(language):
    refused = {word for row in rows() for word in row.not_english}
    words = re.compile(rf"\b({'|'.join(map(re.escape, sorted(refused)))})s?\b", re.IGNORECASE)
    own = [text for place, text in texts() if place.startswith(language) and " " in text]
    assert own
    assert [text for text in own if words.search(text)] == []
